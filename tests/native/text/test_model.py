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
from webtongue.train.corpus.pack import pack_lines, script_group
from webtongue.train.text.calibrate import bucket_sizes, by_tier
from webtongue.train.text.file import (
    BLOCK,
    INFO,
    LANES,
    LAST_ROW,
    MAX_SLOTS,
    PAIR_ROWS,
    PAIR_SHARED,
    PAIR_ZERO,
    SCALE_BUCKETS,
    SHARED,
    SHARED_CLUSTERS,
    ModelFile,
    Weights,
    place_of,
    read_model,
    scale_bucket,
    write_model,
)

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
    "Tie\u0302\u0301ng Vie\u0323\u0302t, y\u0306 o\u0308 A\u030a i\u0306\u0301x",
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
        both = unicodedata.normalize("NFC", word[-1] + char) if word and not quoted and 0x300 <= code < 0x370 else ""
        if len(both) == 1 and unicodedata.decomposition(both):
            word = word[:-1] + both
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
    """The scorer over the sections of the file, one dictionary a look-up; every label as likely as any other."""

    FEW, MOST, HOPELESS, FARTHEST, WINDOW = 3, 16, 6 * 1024, 16000, 10 * 1024

    def __init__(self, model: ModelFile) -> None:
        s = model.sections
        self.labels, self.slots = model.labels, model.infos["slot"].tolist()
        self.allowances = dict(zip(self.slots, model.infos["allowance"].tolist(), strict=True))
        self.tiers = model.infos["tier"].tolist()
        self.groups = [script_group(label) for label in self.labels]
        self.lines = np.frombuffer(s["lines"], "<u4").reshape(-1, 16)
        self.blocks = np.frombuffer(s["blocks"], "<u4").reshape(-1, 2)
        self.shared = np.frombuffer(s["shared"], SHARED)
        self.clusters = np.frombuffer(s["clusters"], np.uint8)
        self.rows = np.frombuffer(s["rows"], np.int8).reshape(-1, LANES)
        self.scales, self.exps = np.frombuffer(s["scales"], "<u4"), np.frombuffer(s["exps"], "<u4")
        self.logs = np.frombuffer(s["logs"], "<u4")

    def scale(self, features: int, tier: int) -> int:
        return int(self.scales[max(tier - 1, 0) * SCALE_BUCKETS + scale_bucket(features)]) >> 8

    def read(self, keys: list[int]) -> tuple[dict[int, int], list[int], int]:
        """Scores without shared n-grams, the numbers of these, and how many keys nobody knows."""
        sums: dict[int, int] = {}
        shared, unseen = [], 0
        for key in keys:
            line = ((key >> 32) * len(self.lines)) >> 32
            pairs = [int(p) for p in self.lines[line] if int(p) >> 18 == key & 0x3FFF]
            unseen += not pairs
            for pair in pairs:
                slot, weight = pair >> 7 & (MAX_SLOTS - 1), pair & 0x7F
                if weight == PAIR_SHARED:
                    shared.append(int(self.blocks[line // BLOCK][1]) + slot)
                elif weight == PAIR_ROWS:
                    row = int(self.blocks[line // BLOCK][0]) + slot
                    while True:
                        self._add(sums, int(self.clusters[row]) & 127, row)
                        if self.clusters[row] & LAST_ROW:
                            break
                        row += 1
                else:
                    sums[slot] = sums.get(slot, 0) + weight - PAIR_ZERO
        return sums, shared, unseen

    def _add(self, sums: dict[int, int], cluster: int, row: int) -> None:
        for lane in range(LANES):
            slot = cluster * LANES + lane
            sums[slot] = sums.get(slot, 0) + int(self.rows[row][lane])

    def choose(self, sums: dict[int, int], shared: list[int], features: int, group: int) -> list[int]:
        """The clusters that the text can lift highest."""
        own = sorted({slot // LANES for slot, of in zip(self.slots, self.groups, strict=True) if of == group})
        lifts = {}
        for cluster in range(own[0], own[-1] + 1):
            slots = [slot for slot in range(cluster * LANES, (cluster + 1) * LANES) if slot in self.allowances]
            if not slots:
                continue
            lifts[cluster] = max(sums.get(slot, 0) for slot in slots)
            if cluster < SHARED_CLUSTERS:
                half = SHARED_CLUSTERS // 2
                for number in shared:
                    lifts[cluster] += (
                        int(self.shared["lift"][number][cluster % half]) >> 4 * (cluster // half) & 15
                    ) * 8
        best, scale = max(lifts.values()), self.scale(features, 1)
        upper_bounds = {cluster: -((min(best - lift, self.FARTHEST) * scale) >> 8) for cluster, lift in lifts.items()}
        ranked = sorted(upper_bounds, key=lambda c: (-upper_bounds[c], c))[: self.MOST]
        return [
            c
            for i, c in enumerate(ranked)
            if i < self.FEW or upper_bounds[c] >= upper_bounds[ranked[0]] - self.HOPELESS
        ]

    def rank(self, text: str) -> tuple[list[tuple[str, int, int]], int, int]:
        """(label, score, log-probability) best first; features; unseen."""
        found = features(text)
        sums, shared, unseen = self.read([key for key, _ in found])
        weight = {script_group("zho_Hans"): 6, script_group("kor_Hang"): 5}
        letters: dict[int, int] = {}
        for word, group in words(text):
            if group in self.groups:
                letters[group] = letters.get(group, 0) + len(word) * weight.get(group, 2)
        if not letters:
            return [], len(found), unseen
        group = min(letters, key=lambda g: (-letters[g], g))
        chosen = self.choose(sums, shared, len(found), group)
        for number in shared:
            record, row = self.shared[number], int(self.shared["row"][number])
            for cluster in range(SHARED_CLUSTERS):
                if int(record["has"][cluster // 32]) >> cluster % 32 & 1:
                    if cluster in chosen:
                        self._add(sums, cluster, row)
                    row += 1
        scores = {
            slot: sums.get(slot, 0) + (self.allowances[slot] * len(found) >> 4)
            for slot in self.slots
            if slot // LANES in chosen
        }
        best = max(scores.values())
        first = next(s for c in chosen for s in range(c * LANES, (c + 1) * LANES) if scores.get(s) == best)
        scale = self.scale(len(found), self.tiers[self.slots.index(first)])
        near = [
            (-((min(best - scores[slot], self.FARTHEST) * scale) >> 8), number)
            for number, slot in enumerate(self.slots)
            if slot in scores and self.groups[number] == group
        ]
        top = max(posterior for posterior, _ in near)
        near = sorted(((p, n) for p, n in near if p >= top - self.WINDOW), key=lambda pair: (-pair[0], pair[1]))
        mass = sum(int(self.exps[min((top - p) >> 2, 4095)]) for p, _ in near)
        whole, shift = max(mass >> 22, 256), 0
        while whole >> shift >= 512:
            shift += 1
        norm = top + shift * 710 + int(self.logs[(whole >> shift) - 256])
        return [(self.labels[n], scores[self.slots[n]], p - norm) for p, n in near], len(found), unseen


def random_model(path: Path) -> Path:
    """A file of random weights for 386 labels: enough clusters that a text is scored in a few of them only."""
    rnd = np.random.default_rng(3)
    scripts = ["Cyrl", "Hani", "Latn"]
    names = sorted(f"{a}{b}{c}_Latn" for a in "bdfgkm" for b in "aeio" for c in "bcdfghjklmnpqrst")
    names += ["xxa_Cyrl", "xxb_Cyrl"]
    infos = np.zeros(len(names), INFO)
    infos["slot"] = np.arange(len(names))
    infos["script"] = [scripts.index(name[4:]) for name in names]
    infos["tier"] = rnd.integers(1, 4, len(names))
    infos["allowance"] = rnd.integers(-8, 24, len(names))
    clusters = -(-len(names) // LANES)
    lines = 500
    keys = np.array(sorted({key for text in SAMPLES for key, _ in features(text)}), np.uint64)
    keys = keys[np.argsort(place_of(keys, lines), kind="stable")]
    dense, sparse = keys[rnd.random(len(keys)) < 0.7], keys[::5]
    counts = rnd.integers(1, clusters + 1, len(dense))
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32)
    of_rows = np.concatenate([np.sort(rnd.choice(clusters, n, replace=False)) for n in counts]).astype(np.uint8)
    sparse = np.setdiff1d(sparse, dense)
    weights = Weights(
        dense,
        starts,
        of_rows,
        rnd.normal(1, 3, (len(of_rows), LANES)).astype(np.float32),
        sparse,
        rnd.integers(0, len(names), len(sparse)).astype(np.uint16),
        rnd.normal(2, 2, len(sparse)).astype(np.float32),
        lines,
    )
    write_model(path, names, infos, scripts, weights, by_tier(1.5 / bucket_sizes() ** 0.5), {"made for": "tests"})
    return path


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


@pytest.fixture(scope="module", params=["trained", "random"])
def tiny(
    request: pytest.FixtureRequest, tiny_model: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[object, Twin]:
    trained = request.param == "trained"
    path = tiny_model if trained else random_model(tmp_path_factory.mktemp("model") / "random.wtm")
    return _kernel.LanguageModel(np.fromfile(path, np.uint8)), Twin(read_model(path))


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


@pytest.mark.parametrize("kind", ["trained", "random"])
def test_damaged_files_are_refused_or_harmless(kind: str, tiny_model: Path, tmp_path: Path) -> None:
    raw = np.fromfile(tiny_model if kind == "trained" else random_model(tmp_path / "random.wtm"), np.uint8)
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
