"""The kernel's features and scores against a readable twin, on text of all kinds and on both instruction sets."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.train.tiny import build_tiny
from webtongue import _kernel
from webtongue.train.modelfile import (
    BLOCK,
    LANES,
    LAST_ROW,
    MAX_SLOTS,
    PAIR_ROWS,
    PAIR_ZERO,
    ModelFile,
    heat_bucket,
    read_model,
)
from webtongue.train.pack import pack_lines, script_group

MASK = (1 << 64) - 1
SEED, WORD, STEP, LAST = 0x6A09E667F3BCC909, 0xBB67AE8584CAA73B, 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
MAX_ORDER, MAX_ORDER_CJK, MAX_WORD, MAX_RUN = 4, 3, 24, 256
APOSTROPHES = set("'\u2019\u2018\u02bc`\u00b4")
SAMPLES = [
    "The quick brown fox doesn't jump over the lazy dog, does it?",
    "Füchse springen über den faulen Hund; 12 Stück für 3 Euro.",
    "Le renard brun n'a pas sauté par-dessus le chien paresseux.",
    "Быстрая лиса прыгает через ленивую собаку",
    "Швидка лисиця стрибає через ледачого пса, а сонце світить",
    "שלום עולם, זהו מִשְׁפָּט עם נִקּוּד",
    "السَّلامُ عليكم ورحمة الله وبركاتـــه",
    "速い茶色の狐はのろまな犬を飛び越える",
    "敏捷的棕色狐狸跳过懒狗 abc привет",
    "a",
    "",
    "   ",
    "12345 !!!",
    "'''",
    "l'",
    "x" * 700,
    "\u0301\u0301abc",
    "ÀÉÎ ÕÜ",
    "İstanbul'da",
    "o\u02bbzbek",
    "ДОБРО утро",
]


def mix(state: int, code: int) -> int:
    return ((state ^ code) * STEP) & MASK


def last(state: int) -> int:
    state = ((state ^ (state >> 32)) * LAST) & MASK
    return state ^ (state >> 32)


def is_skipped(code: int) -> bool:
    if 0x591 <= code <= 0x5C7:
        return code not in (0x5BE, 0x5C0, 0x5C3, 0x5C6)
    return (
        code in (0xAD, 0x640, 0x670, 0x2060, 0xFEFF)
        or 0x64B <= code <= 0x652
        or 0x200B <= code <= 0x200F
        or 0xFE00 <= code <= 0xFE0F
    )


def words(text: str) -> Iterator[tuple[str, int]]:
    """(lower-cased word, script group) in the order of the text."""
    word, group, quoted = "", 0, False
    for char in text:
        code = ord(char)
        if is_skipped(code):
            continue
        if char == "\u02bc" or unicodedata.category(char)[0] not in "LM":
            inner = bool(word) and not quoted and char in APOSTROPHES
            if char == "\u02bc":
                quoted = quoted or inner
                continue
            if not inner and word:
                yield word, group
                word = ""
            quoted = inner
            continue
        script = _kernel.script_of(code)
        now = group if script <= 2 else _kernel.script_group(_kernel.script_names()[script])
        if word and (now != group or len(word) + 1 >= MAX_RUN):
            yield word, group
            word, quoted = "", False
        if not word and script <= 2:
            continue
        group = now
        low = "i" if char == "\u0130" else char.lower() if len(char.lower()) == 1 else char
        word, quoted = word + ("'" if quoted else "") + low, False
    if word:
        yield word, group


def features(text: str) -> list[tuple[int, int]]:
    """(hash, script group) of every n-gram and word."""
    cjk = script_group("zho_Hans")
    out = []
    for word, group in words(text):
        codes = [32, *map(ord, word), 32]
        top = MAX_ORDER_CJK if group == cjk else MAX_ORDER
        for first in range(len(codes) - 1):
            state = mix(SEED, codes[first])
            for order in range(1, min(top, len(codes) - first) + 1):
                if order > 1:
                    state = mix(state, codes[first + order - 1])
                letters = codes[first : first + order]
                foreign = any(code >= 128 for code in letters)
                edge = first == 0 or first + order == len(codes)
                if order > 2 or (order == 2 and (foreign or edge)) or (order == 1 and first > 0 and foreign):
                    out.append((last(state), group))
        if len(codes) > MAX_ORDER and len(word) <= MAX_WORD and group != cjk:
            state = WORD
            for char in word:
                state = mix(state, ord(char))
            out.append((last(state), group))
    return out


class Twin:
    """The scorer over the sections of the file, one dictionary a look-up."""

    def __init__(self, model: ModelFile) -> None:
        s = model.sections
        self.labels, self.slots = model.labels, model.infos["slot"].tolist()
        self.lines = np.frombuffer(s["lines"], "<u4").reshape(-1, 16)
        self.blocks = np.frombuffer(s["blocks"], "<u4")
        self.clusters = np.frombuffer(s["clusters"], np.uint8)
        self.rows = np.frombuffer(s["rows"], np.int8).reshape(-1, LANES)
        self.heats, self.exps = np.frombuffer(s["heats"], "<u4"), np.frombuffer(s["exps"], "<u4")
        self.logs = np.frombuffer(s["logs"], "<u4")

    def totals(self, keys: list[int]) -> tuple[list[int], int]:
        totals, unseen = [0] * MAX_SLOTS, 0
        for key in keys:
            line = ((key >> 32) * len(self.lines)) >> 32
            pairs = [int(p) for p in self.lines[line] if int(p) >> 18 == key & 0x3FFF]
            unseen += not pairs
            for pair in pairs:
                slot = pair >> 7 & (MAX_SLOTS - 1)
                if pair & 0x7F != PAIR_ROWS:
                    totals[slot] += (pair & 0x7F) - PAIR_ZERO
                    continue
                row = int(self.blocks[line // BLOCK]) + slot
                while True:
                    for lane in range(LANES):
                        totals[(int(self.clusters[row]) & 127) * LANES + lane] += int(self.rows[row][lane])
                    if self.clusters[row] & LAST_ROW:
                        break
                    row += 1
        return totals, unseen

    def rank(self, text: str) -> tuple[list[tuple[str, int, int]], int, int]:
        """(label, score, log-probability) best first; features; unseen."""
        found = features(text)
        totals, unseen = self.totals([key for key, _ in found])
        letters: dict[int, int] = {}
        for word, group in words(text):
            letters[group] = letters.get(group, 0) + len(word) * (3 if group == script_group("zho_Hans") else 1)
        if not letters:
            return [], len(found), unseen
        best_group = min(letters, key=lambda group: (-letters[group], group))
        scores = [
            (totals[slot], label)
            for slot, label in zip(self.slots, self.labels, strict=True)
            if script_group(label) == best_group
        ]
        if not scores:
            return [], len(found), unseen
        scores.sort(key=lambda pair: (-pair[0], self.labels.index(pair[1])))
        heat = int(self.heats[heat_bucket(len(found))])
        window = ((16 * 1024) << 16) // heat
        near = [
            (label, score, ((scores[0][0] - score) * heat) >> 16)
            for score, label in scores
            if scores[0][0] - score <= window
        ]
        mass = sum(int(self.exps[min(nats >> 2, 4095)]) for _, _, nats in near)
        whole, shift = max(mass >> 22, 256), 0
        while whole >> shift >= 512:
            shift += 1
        log_mass = shift * 710 + int(self.logs[(whole >> shift) - 256])
        return [(label, score, -nats - log_mass) for label, score, nats in near], len(found), unseen


def random_text(rnd: random.Random) -> str:
    """Pieces of the samples, shuffled, recased and broken by odd characters."""
    pieces = []
    for _ in range(rnd.randrange(1, 12)):
        sample = rnd.choice(SAMPLES)
        first = rnd.randrange(len(sample) + 1)
        piece = sample[first : first + rnd.randrange(30)]
        pieces.append(piece.upper() if rnd.random() < 0.2 else piece)
        pieces.append(
            rnd.choice([" ", "", "'", "\u2019", "\u02bc", "\u200d", "7", "\u0301", ". ", "\U0001f600", "\ufeff"])
        )
    return "".join(pieces)


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny(tmp_path_factory.mktemp("model") / "tiny.wtm")


@pytest.fixture(scope="module")
def tiny(tiny_model: Path) -> tuple[object, Twin]:
    return _kernel.LanguageModel(np.fromfile(tiny_model, np.uint8)), Twin(read_model(tiny_model))


@pytest.fixture(params=["best", "baseline"])
def path_taken(request: pytest.FixtureRequest) -> Iterator[None]:
    _kernel.force_baseline(request.param == "baseline")
    yield
    _kernel.force_baseline(False)


@pytest.mark.usefixtures("path_taken")
def test_scores_equal_the_twin(tiny: tuple[object, Twin]) -> None:
    model, twin = tiny
    rnd = random.Random(5)
    texts = SAMPLES + [random_text(rnd) for _ in range(300)]
    blob, offsets = pack_lines(texts)
    ids, logs, scores, facts = model.rank_many(blob, offsets, 8)  # type: ignore[attr-defined]
    for i, text in enumerate(texts):
        guesses, count, unseen = twin.rank(text)
        assert (count, unseen) == (facts[i, 0], facts[i, 1]), text
        got = [
            (model.labels[n], s, p)
            for n, s, p in zip(ids[i].tolist(), scores[i].tolist(), logs[i].tolist(), strict=True)
            if n >= 0
        ]  # type: ignore[attr-defined]
        assert got == guesses[:8], text
        assert model.classify(text) == (guesses[0][0] if guesses else None)  # type: ignore[attr-defined]


def test_random_bytes_never_raise(tiny: tuple[object, Twin]) -> None:
    rnd = random.Random(6)
    lines = [rnd.randbytes(rnd.randrange(200)) for _ in range(300)]
    offsets = np.cumsum([0, *map(len, lines)]).astype(np.uint64)
    tiny[0].rank_many(b"".join(lines), offsets, 3)  # type: ignore[attr-defined]


def test_damaged_files_are_refused_or_harmless(tiny_model: Path) -> None:
    raw = np.fromfile(tiny_model, np.uint8)
    rnd = random.Random(7)
    for _ in range(300):
        bad = raw.copy()
        for _ in range(rnd.randrange(1, 40)):
            bad[rnd.randrange(len(bad) if rnd.random() < 0.5 else 400)] = rnd.randrange(256)
        bad = bad[: rnd.randrange(len(bad))] if rnd.random() < 0.2 else bad
        try:
            model = _kernel.LanguageModel(np.ascontiguousarray(bad))
        except ValueError:
            continue
        model.classify("Füchse springen über the lazy dog Быстрая лиса")
