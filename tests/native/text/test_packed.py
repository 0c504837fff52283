"""A reading in a few bytes: packed as the twin packs it, and what comes out decides as what went in."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.inputs import page_of, text_of
from tests.quality import kinds, samples
from tests.quality.sentences import SENTENCES
from tests.twins.text import packed as twin
from tests.twins.text.running_words import running_words
from webtongue import Identifier, _kernel, markup
from webtongue.page import Page
from webtongue.text.thresholds import NATS

IDENTS = [Identifier(), Identifier(priors="uniform"), Identifier(languages=["hr", "sr-Latn", "bs", "en", "de", "no"])]
SCRIPTS = len(_kernel.script_names())
LABELS = len(IDENTS[0].reader.model.labels)
DONE = 0
BORROWED = (-2 * NATS, -6 * NATS)


def facts_of(found: _kernel.Reading, unseen: twin.Facts) -> twin.Facts:
    """What Python sees of a reading that has no hints; the rest is taken from elsewhere."""
    return twin.Facts(
        found.letters, found.features, found.group, unseen.written, found.poor_fit, found.filed_by_hints, found.boilerplate,
        found.misread, found.running_words, found.tokens, unseen.wordy, found.junk_score, found.preferred, found.unasked,
        found.unknown, found.known, tuple(found.by_text(99)), tuple(found.shares),
    )  # fmt: skip


def answers(ident: Identifier, found: _kernel.Reading) -> tuple[object, ...]:
    kernel = ident.reader.kernel
    facts = (found.settled, found.filed_by_hints, found.is_weighed, found.letters, found.running_words, found.preferred)
    return kernel.answer(found), kernel.languages(found), found.guesses(99), found.by_text(99), found.shares, facts


def check(ident: Identifier, found: _kernel.Reading, nats: dict[int, float]) -> twin.Facts:
    """A reading that has no hints, and the same with hints."""
    flow = ident.stages.flow
    packed = flow.pack(found)
    facts = twin.unpack(packed, LABELS, SCRIPTS)
    assert twin.pack(facts_of(found, facts)) == packed
    again = flow.unpack(packed)
    assert answers(ident, again) == answers(ident, found)
    for reading in (found, again):
        flow.weigh(reading, nats, BORROWED)
        assert flow.pack(reading) == packed
    assert answers(ident, again) == answers(ident, found)
    return facts


def nats_of(ident: Identifier, rnd: random.Random) -> dict[int, float]:
    return {rnd.randrange(len(ident.reader.model.labels)): rnd.uniform(-9, 9) for _ in range(rnd.randrange(5))}


@pytest.mark.parametrize("ident", IDENTS, ids=["web", "uniform", "few"])
def test_pages_are_packed_as_the_twin_packs_them(ident: Identifier) -> None:
    rnd = random.Random(21)
    flow = ident.stages.flow
    met = [0, 0]
    for _ in range(600):
        many = flow.analyse_list([page_of(rnd)], b"\0", False)
        stop, *_, written, _ = (column.tolist()[0] for column in many.columns())
        if stop == DONE:
            facts = check(ident, many.reading(0), nats_of(ident, rnd))
            assert facts.written == written
            met = [met[0] + 1, met[1] + (len(facts.shares) > 1)]
    assert met[0] > 200
    assert met[1] > 30


@pytest.mark.parametrize("ident", IDENTS, ids=["web", "uniform", "few"])
def test_pages_that_were_read_for_some_labels(ident: Identifier) -> None:
    """With labels that are wanted, however unlikely, for a main language, and in an encoding that is a guess."""
    rnd = random.Random(22)
    flow, count = ident.stages.flow, len(ident.reader.model.labels)
    for _ in range(400):
        scan = markup.read(Page(page_of(rnd))).scan
        wanted = rnd.sample(range(count), rnd.choice((0, 3, 24)))
        found = flow.read(scan, rnd.choice((-1, rnd.randrange(count))), rnd.choice((0, -500, -7000)), wanted)
        logs = [log for _, log in found.guesses(99)]
        assert logs == sorted(logs, reverse=True) or ident.languages  # what is not asked for may come first
        check(ident, found, {})


def texts() -> Iterator[str]:
    rnd = random.Random(23)
    yield from (text_of(rnd) for _ in range(300))
    yield from (text * times for some in SENTENCES.values() for text in some[:1] for times in (1, 9))
    yield from (one.content for kind in kinds() for one in samples(kind)[:5] if isinstance(one.content, str))


def test_texts_are_packed_as_the_twin_packs_them() -> None:
    ident = IDENTS[0]
    names, reasons = _kernel.script_names(), set()
    for text in texts():
        found = ident.reader.read_text(text)
        facts = check(ident, found, {})
        wanted = running_words(found.group, text)
        if found.guesses(1) and not found.shares:
            assert (facts.running_words, facts.tokens, facts.wordy) == (wanted.count, wanted.tokens, wanted.wordy), text
        _, _, script, _, _, reason, _, _ = ident.reader.kernel.answer(found)
        assert script in ("", names[facts.written]) or found.label >= 0
        reasons.add(reason)
    assert len(reasons) > 5


def some_packed() -> list[bytes]:
    rnd = random.Random(24)
    flow = IDENTS[0].stages.flow
    pages = [page_of(rnd) for _ in range(40)]
    return [flow.pack(flow.read(markup.read(Page(page)).scan, -1, 0, [])) for page in pages]


def mutated(packed: bytes, rnd: random.Random) -> bytes:
    """With bytes changed, left out, doubled or put in, at one place or at several."""
    out = bytearray(packed)
    for _ in range(rnd.choice((1, 1, 1, 2, 5))):
        at, to = sorted(rnd.randrange(len(out) + 1) for _ in range(2))
        match rnd.randrange(6):
            case 0 | 1 if at < len(out):
                out[at] = rnd.choice((0, 1, 0x7F, 0x80, 0xFF, rnd.randrange(256), out[at] ^ 1 << rnd.randrange(8)))
            case 2:
                del out[at : min(to, at + 3)]
            case 3:
                out[at:at] = out[at : min(to, at + 3)]
            case 4:
                out[at:at] = rnd.choice((b"\0", b"\xff" * 9, b"\x80" * 3, b"\xfe\xff\xff\xff\x0f"))
            case _:
                del out[at:]
    return bytes(out)


def check_bytes(raw: bytes, rnd: random.Random) -> bool:
    """Refused where the twin refuses them; else a reading that answers, without hints and with."""
    ident = IDENTS[0]
    flow, kernel = ident.stages.flow, ident.reader.kernel
    try:
        facts = twin.unpack(raw, LABELS, SCRIPTS)
    except ValueError:
        with pytest.raises(ValueError, match="not a reading by this model"):
            flow.unpack(raw)
        return False
    found = flow.unpack(raw)
    assert facts_of(found, facts) == facts
    assert flow.pack(found) == twin.pack(facts)
    for nats in (None, nats_of(ident, rnd)):
        if nats is not None:
            flow.weigh(found, nats, rnd.choice((None, BORROWED)))
        _, confidence, _, _, _, _, _, group_confidence = kernel.answer(found)
        assert 0 <= confidence <= 1
        assert 0 <= group_confidence <= 1
        assert all(0 <= share <= 1 for _, share in kernel.languages(found))
        assert all(log <= 0 for _, log in found.guesses(99))
        assert kernel.segments(found) == []
    return True


def test_bytes_that_were_changed() -> None:
    rnd = random.Random(25)
    sound = some_packed()
    taken = sum(check_bytes(mutated(rnd.choice(sound), rnd), rnd) for _ in range(6000))
    assert 600 < taken < 5400  # both happens often


def test_any_bytes() -> None:
    rnd = random.Random(26)
    for _ in range(6000):
        check_bytes(rnd.choice((b"", b"\1")) + rnd.randbytes(rnd.randrange(60)), rnd)
    check_bytes(b"\1" + b"\0" * 100_000, rnd)


def taken(facts: twin.Facts) -> bool:
    return check_bytes(twin.pack(facts), random.Random(27))


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("letters", 0, 2**32 - 1), ("features", 0, 2**32 - 1), ("group", 0, SCRIPTS - 1), ("written", 0, SCRIPTS - 1),
        ("running_words", 0, 8), ("tokens", 0, 2**32 - 1), ("wordy", 0, 2**32 - 1), ("junk_score", -(2**31), 2**31 - 1),
        ("preferred", -1, LABELS - 1), ("unasked", -1, LABELS - 1), ("unknown", -(2**20), 2**20), ("known", -(2**20), 0),
    ],
)  # fmt: skip
def test_numbers_within_bounds(name: str, least: int, most: int) -> None:
    some = twin.unpack(some_packed()[0], LABELS, SCRIPTS)
    for value in (least, most):
        assert taken(replace(some, **{name: value}))
    for value in (least - 1, most + 1, 2**62, 2**63, 2**64 + 1):
        assert value < 0 <= least or not taken(replace(some, **{name: value}))  # what has no sign cannot be below 0


def test_lists_within_bounds() -> None:
    some = twin.unpack(some_packed()[0], LABELS, SCRIPTS)
    for size in (0, 1, 64, 65):
        full = replace(some, guesses=((3, -7),) * size, shares=((5, 2**40 + 1),) * size)
        assert taken(full) == (size <= 64)
    for guess in ((0, 0), (LABELS - 1, -(2**20)), (LABELS, 0), (-1, 0), (0, 1), (0, -(2**20) - 1)):
        assert taken(replace(some, guesses=(guess,))) == (guess[0] in (0, LABELS - 1) and guess[1] in (0, -(2**20)))
    for share in ((0, 1), (LABELS - 1, 2**40 + 1), (LABELS, 1), (-1, 1), (0, 2**40 + 2)):
        assert taken(replace(some, shares=(share,))) == (share[0] in (0, LABELS - 1) and share[1] != 2**40 + 2)


@pytest.mark.parametrize("size", [1, 2, 8, 9, 10, 30])
def test_numbers_end_within_nine_bytes(size: int) -> None:
    some = replace(twin.unpack(some_packed()[0], LABELS, SCRIPTS), letters=0)
    version, letters, *others = twin.pack(some)
    assert letters == 0
    longer = bytes([version, *b"\x80" * (size - 1), 0, *others])
    assert check_bytes(longer, random.Random(28)) == (
        size <= 9
    )  # what is packed again has none of the bytes that are not needed
