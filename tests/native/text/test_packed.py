"""Tests of packed readings: the bytes equal those of the twin, and unpacked readings give the same answers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest

from tests.inputs import random_page, random_text
from tests.quality import kinds, samples
from tests.quality.sentences import SENTENCES
from tests.twins.text import packed as twin
from tests.twins.text.running_words import running_words
from webtongue import Identifier, _kernel, markup
from webtongue.page import Page

IDENTS = [Identifier(), Identifier(priors="uniform"), Identifier(languages=["hr", "sr-Latn", "bs", "en", "de", "no"])]
SCRIPTS = len(_kernel.script_names())
LABELS = len(IDENTS[0].reader.model.labels)
DONE = 0


def facts_of(reading: _kernel.Reading, unseen: twin.Facts) -> twin.Facts:
    """What Python sees of a reading that has no hints; the rest is taken from elsewhere."""
    return twin.Facts(
        reading.letters, reading.features, reading.group, unseen.written, reading.poor_fit, reading.filed_by_hints, reading.boilerplate,
        reading.misread, reading.running_words, reading.running_letters, reading.tokens, unseen.word_like, reading.junk_score,
        reading.placeholder_score, reading.preferred, reading.outside_allowlist, reading.unknown_score, reading.log_known, reading.prior_weight,
        tuple(reading.text_guesses(99)), tuple(reading.shares),
    )  # fmt: skip


def answers(ident: Identifier, reading: _kernel.Reading) -> tuple[object, ...]:
    kernel = ident.reader.kernel
    facts = (
        reading.settled,
        reading.filed_by_hints,
        reading.has_hints,
        reading.letters,
        reading.running_words,
        reading.preferred,
    )
    return (
        kernel.answer(reading),
        kernel.languages(reading),
        reading.guesses(99),
        reading.text_guesses(99),
        reading.shares,
        facts,
    )


def check(ident: Identifier, reading: _kernel.Reading, nats: dict[str, float]) -> twin.Facts:
    """Check a reading without hints, and with hints."""
    flow = ident.models.flow
    packed = flow.pack(reading)
    facts = twin.unpack(packed, LABELS, SCRIPTS)
    assert twin.pack(facts_of(reading, facts)) == packed
    unpacked = flow.unpack(packed)
    assert answers(ident, unpacked) == answers(ident, reading)
    for candidate in (reading, unpacked):
        flow.apply_hints(
            candidate, ident.models.evidence.kernel, [ident.models.evidence.kernel.hint(nats, 1.0, 64.0, False)]
        )
        assert flow.pack(candidate) == packed
    assert answers(ident, unpacked) == answers(ident, reading)
    return facts


def nats_of(ident: Identifier, rng: random.Random) -> dict[str, float]:
    return {rng.choice(ident.reader.model.labels): rng.uniform(-9, 9) for _ in range(rng.randrange(5))}


@pytest.mark.parametrize("ident", IDENTS, ids=["web", "uniform", "few"])
def test_packed_pages_equal_the_twin(ident: Identifier) -> None:
    rng = random.Random(21)
    flow = ident.models.flow
    met = [0, 0]
    for _ in range(600):
        many = flow.analyse_list([random_page(rng)], b"\0", False)
        stop, *_, written, _ = (column.tolist()[0] for column in many.columns())
        if stop == DONE:
            facts = check(ident, many.reading(0), nats_of(ident, rng))
            assert facts.written == written
            met = [met[0] + 1, met[1] + (len(facts.shares) > 1)]
    assert met[0] > 200
    assert met[1] > 30


@pytest.mark.parametrize("ident", IDENTS, ids=["web", "uniform", "few"])
def test_pages_read_for_some_labels_are_packed_like_the_twin(ident: Identifier) -> None:
    """Cover requested labels, however unlikely, a main language, and an uncertain encoding."""
    rng = random.Random(22)
    flow, count = ident.models.flow, len(ident.reader.model.labels)
    for _ in range(400):
        scan = markup.read(Page(random_page(rng))).scan
        expected = rng.sample(range(count), rng.choice((0, 3, 24)))
        reading = flow.read(scan, rng.choice((-1, rng.randrange(count))), rng.choice((0, -500, -7000)), expected)
        logs = [log for _, log in reading.guesses(99)]
        assert logs == sorted(logs, reverse=True) or ident.languages  # what is not asked for may come first
        check(ident, reading, {})


def texts() -> Iterator[str]:
    rng = random.Random(23)
    yield from (random_text(rng) for _ in range(300))
    yield from (text * times for sentences in SENTENCES.values() for text in sentences[:1] for times in (1, 9))
    yield from (one.content for kind in kinds() for one in samples(kind)[:5] if isinstance(one.content, str))


def test_packed_texts_equal_the_twin() -> None:
    ident = IDENTS[0]
    names, reasons = _kernel.script_names(), set()
    for text in texts():
        reading = ident.reader.read_text(text)
        facts = check(ident, reading, {})
        if reading.guesses(1) and not reading.shares:
            label, masked = reading.guesses(1)[0][0], _kernel.mask_debris(text).decode("utf-8", "replace")
            is_common = partial(_kernel.is_common_word, ident.reader.kernel, label)
            expected = running_words(reading.group, masked, is_common)
            counts = (facts.running_words, facts.running_letters, facts.tokens, facts.word_like)
            assert counts == (expected.count, expected.letters, expected.tokens, expected.word_like), text
        _, _, script, _, _, reason, _, _ = ident.reader.kernel.answer(reading)
        assert script in ("", names[facts.written]) or reading.label >= 0
        reasons.add(reason)
    assert len(reasons) > 5


def some_packed() -> list[bytes]:
    rng = random.Random(24)
    flow = IDENTS[0].models.flow
    pages = [random_page(rng) for _ in range(40)]
    return [flow.pack(flow.read(markup.read(Page(page)).scan, -1, 0, [])) for page in pages]


def mutate(packed: bytes, rng: random.Random) -> bytes:
    """With bytes changed, left out, doubled or put in, at one place or at several."""
    changed = bytearray(packed)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        begin, end = sorted(rng.randrange(len(changed) + 1) for _ in range(2))
        match rng.randrange(6):
            case 0 | 1 if begin < len(changed):
                changed[begin] = rng.choice(
                    (0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256), changed[begin] ^ 1 << rng.randrange(8))
                )
            case 2:
                del changed[begin : min(end, begin + 3)]
            case 3:
                changed[begin:begin] = changed[begin : min(end, begin + 3)]
            case 4:
                changed[begin:begin] = rng.choice((b"\0", b"\xff" * 9, b"\x80" * 3, b"\xfe\xff\xff\xff\x0f"))
            case _:
                del changed[begin:]
    return bytes(changed)


def check_bytes(raw: bytes, rng: random.Random) -> bool:
    """Refused where the twin refuses them; else a reading that answers, without hints and with."""
    ident = IDENTS[0]
    flow, kernel = ident.models.flow, ident.reader.kernel
    try:
        facts = twin.unpack(raw, LABELS, SCRIPTS)
    except ValueError:
        with pytest.raises(ValueError, match="not a packed reading of this model"):
            flow.unpack(raw)
        return False
    reading = flow.unpack(raw)
    assert facts_of(reading, facts) == facts
    assert flow.pack(reading) == twin.pack(facts)
    for nats in (None, nats_of(ident, rng)):
        if nats is not None:
            flow.apply_hints(
                reading, ident.models.evidence.kernel, [ident.models.evidence.kernel.hint(nats, 1.0, 64.0, False)]
            )
        _, confidence, _, _, _, _, _, group_confidence = kernel.answer(reading)
        assert 0 <= confidence <= 1
        assert 0 <= group_confidence <= 1
        assert all(0 <= share <= 1 for _, share in kernel.languages(reading))
        assert all(log <= 0 for _, log in reading.guesses(99))
        assert kernel.segments(reading) == []
    return True


def test_changed_bytes_are_refused_or_consistent() -> None:
    rng = random.Random(25)
    sound = some_packed()
    taken = sum(check_bytes(mutate(rng.choice(sound), rng), rng) for _ in range(6000))
    assert 600 < taken < 5400  # both happens often


def test_random_bytes_are_refused_or_consistent() -> None:
    rng = random.Random(26)
    for _ in range(6000):
        check_bytes(rng.choice((b"", b"\3")) + rng.randbytes(rng.randrange(60)), rng)
    check_bytes(b"\3" + b"\0" * 100_000, rng)


def taken(facts: twin.Facts) -> bool:
    return check_bytes(twin.pack(facts), random.Random(27))


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("letters", 0, 2**32 - 1), ("features", 0, 2**32 - 1), ("group", 0, SCRIPTS - 1), ("written", 0, SCRIPTS - 1),
        ("running_words", 0, 8), ("running_letters", 0, 2**32 - 1), ("tokens", 0, 2**32 - 1), ("word_like", 0, 2**32 - 1), ("junk_score", -(2**31), 2**31 - 1),
        ("placeholder_score", -(2**31), 2**31 - 1), ("prior_weight", 0, 1024),
        ("preferred", -1, LABELS - 1), ("outside_allowlist", -1, LABELS - 1), ("unknown_score", -(2**20), 2**20), ("log_known", -(2**20), 0),
    ],
)  # fmt: skip
def test_numbers_within_bounds(name: str, least: int, most: int) -> None:
    sentences = twin.unpack(some_packed()[0], LABELS, SCRIPTS)
    for value in (least, most):
        assert taken(replace(sentences, **{name: value}))
    for value in (least - 1, most + 1, 2**62, 2**63, 2**64 + 1):
        assert value < 0 <= least or not taken(
            replace(sentences, **{name: value})
        )  # what has no sign cannot be below 0


def test_lists_within_bounds() -> None:
    sentences = twin.unpack(some_packed()[0], LABELS, SCRIPTS)
    for size in (0, 1, 64, 65):
        full = replace(sentences, guesses=((3, -7),) * size, shares=((5, 2**40 + 1),) * size)
        assert taken(full) == (size <= 64)
    for guess in ((0, 0), (LABELS - 1, -(2**20)), (LABELS, 0), (-1, 0), (0, 1), (0, -(2**20) - 1)):
        assert taken(replace(sentences, guesses=(guess,))) == (
            guess[0] in (0, LABELS - 1) and guess[1] in (0, -(2**20))
        )
    for share in ((0, 1), (LABELS - 1, 2**40 + 1), (LABELS, 1), (-1, 1), (0, 2**40 + 2)):
        assert taken(replace(sentences, shares=(share,))) == (share[0] in (0, LABELS - 1) and share[1] != 2**40 + 2)


@pytest.mark.parametrize("size", [1, 2, 8, 9, 10, 30])
def test_numbers_end_within_nine_bytes(size: int) -> None:
    sentences = replace(twin.unpack(some_packed()[0], LABELS, SCRIPTS), letters=0)
    version, letters, *others = twin.pack(sentences)
    assert letters == 0
    longer = bytes([version, *b"\x80" * (size - 1), 0, *others])
    assert check_bytes(longer, random.Random(28)) == (
        size <= 9
    )  # what is packed again has none of the bytes that are not needed
