"""The second pass: a packed page has the answer of the page itself, also with evidence that came later."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.inputs import damage, random_page, random_url
from tests.quality import kinds, samples
from tests.quality.sentences import SENTENCES
from tests.twins.text.packed import number
from webtongue import Analysis, Identifier, batch, pipeline
from webtongue.extra_columns import BITS
from webtongue.labels import MAX_TAG_CHARS
from webtongue.packing import LENGTH_BYTES, MAX_DECLARATIONS, pack, unpack
from webtongue.page import Inlink, Page
from webtongue.policy import PAGE
from webtongue.verdict import Reason, Verdict

IDENT = Identifier()
EXTRA_COLUMNS = ("reading", *(f"bits_{source}" for source in BITS))
TAGS = ("is", "da", "nb", "hr", "sr-Latn", "en", "en-US", "ja", "zh-TW", "no", "se", "xx", "{{lang}}", "ko", "id")
COUNTRIES = ("IS", "HR", "DE", "NO", "JP", "ZZ", "", "Iceland")
HOSTS = ({"isl": 30}, {"de": 3, "en": 1}, {"hrv": 500, "srp": 20}, {"nob": 9.5}, {}, {"eng": 1e9})
EVIDENCE = ("url", "country", "inlinks", "host")
Row = dict[str, Any]


def pages(rng: random.Random) -> Iterator[bytes]:
    """Yield pages that are short, long, mixed, without sentences, in legacy encodings, or damaged."""
    yield from (random_page(rng) for _ in range(250))
    every = [text for subset in SENTENCES.values() for text in subset]
    for text in every:
        start = rng.choice((f"<html lang={rng.choice(TAGS)}>", "", "<title>Start</title>"))
        yield f"{start}<p>{text[: rng.choice((5, 12, 25, 200))]}".encode()
    for _ in range(60):
        parts = [f"<p>{rng.choice(every) * rng.choice((1, 6))}" for _ in range(rng.randrange(2, 5))]
        yield f"<html lang={rng.choice(TAGS)}>{''.join(parts)}".encode()
    yield from (item.content for name in kinds() for item in samples(name)[:4] if isinstance(item.content, bytes))


def rows(seed: int) -> list[Row]:
    """Return pages, each with some other evidence."""
    rng = random.Random(seed)

    def subset(value: Any) -> Any:
        return value if rng.random() < 0.5 else None

    pages_with_evidence = []
    for raw in pages(rng):
        anchor = rng.choice(("", "Íslenska", "Deutsch", "klikk her", "日本語"))
        link = Inlink("https://a.example/", rng.choice(TAGS), rng.random(), anchor, rng.choice(("", *TAGS)))
        headers = {"Content-Language": rng.choice(TAGS), "Content-Type": rng.choice(("text/html", "text/plain"))}
        pages_with_evidence.append(
            {
                "raw": raw, "headers": subset(headers), "url": subset(rng.choice((random_url(rng), "https://example.is/", "https://a.hr/"))),
                "country": subset(rng.choice(COUNTRIES)), "inlinks": subset([link] * rng.choice((1, 20))), "host": subset(rng.choice(HOSTS)),
            }
        )  # fmt: skip
    return pages_with_evidence


class Spy:
    """Records whether a page was read again for its hints."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.has_reread = False
        apply_hints = pipeline.apply_hints

        def watched(reading: Any, hints: Any, flow: Any, config: Any, reread: Any) -> Any:
            def recorded(*arguments: Any) -> Any:
                self.has_reread = True
                return reread(*arguments)

            return apply_hints(reading, hints, flow, config, reread and recorded)

        for module in (batch, pipeline):
            patch.setattr(module, "apply_hints", watched)

    def look(self, row: Row, ident: Identifier = IDENT) -> dict[str, Any]:
        """Return the row of a page from identify_batch."""
        self.has_reread = False
        columns = ident.identify_batch({name: [value] for name, value in row.items()}, extra=EXTRA_COLUMNS)
        return {name: column[0] for name, column in columns.items()}

    def identify(self, row: Row) -> Verdict:
        self.has_reread = False
        return IDENT.identify(**row)


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> Spy:
    return Spy(monkeypatch)


def second_pass(packed: bytes, row: Row, encoding: str, ident: Identifier = IDENT) -> Analysis:
    evidence = {name: row[name] for name in EVIDENCE if row.get(name) is not None}
    return ident.second_pass(packed, Page(b"", **evidence), encoding)


def packed_reason(reason: str) -> str:
    """Return the reason after packing: an empty page cannot be told from one without letters."""
    return Reason.NO_LETTERS.value if reason == Reason.EMPTY else reason


@pytest.mark.parametrize(
    "ident", [IDENT, Identifier(languages=["is", "hr", "sr", "en", "de", "nb"]), Identifier(evidence=["url", "host"])]
)
def test_the_same_evidence_gives_the_same_answer(ident: Identifier, spy: Spy) -> None:
    """Exactly the same, but for long pages that were read again, which have fewer letters in the second reading."""
    counts = dict.fromkeys(("second passes", "with text", "reread", "reread alike"), 0)
    for row in rows(41):
        first = spy.look(row, ident)
        if first["reading"] is None:
            continue
        counts["second passes"] += 1
        is_text_packed, was_reread = has_text(first["reading"], ident), spy.has_reread
        second = second_pass(first["reading"], row, first["encoding"], ident)
        counts["with text"] += is_text_packed
        if was_reread and not is_text_packed:
            counts["reread"] += 1
            counts["reread alike"] += second.verdict.label == first["label"]
            continue
        for name in ("label", "script", "reliable", "tier", "group"):
            assert getattr(second.verdict, name) == first[name]
        assert second.languages == first["languages"]
        for name in ("confidence", "group_confidence"):
            assert np.float32(getattr(second.verdict, name)) == first[name]
        assert second.verdict.reason.value == packed_reason(first["reason"])
        bits = [np.float32(second.bits.get(source, np.nan)) for source in BITS]
        np.testing.assert_array_equal(bits, [first[f"bits_{source}"] for source in BITS])
    assert counts["second passes"] - counts["reread"] > 100
    assert counts["with text"] > 100
    assert counts["reread alike"] >= 0.99 * counts["reread"] > 0


@pytest.mark.parametrize("later", [("inlinks", "host"), EVIDENCE], ids=["crawl", "all"])
def test_later_evidence_counts_like_earlier_evidence(later: tuple[str, ...], spy: Spy) -> None:
    """For pages whose text was packed, or that neither pass had to read again."""
    names = (
        "second passes",
        "with text",
        "settled",
        "other encoding",
        "unreadable",
        "reread",
        "reread alike",
        "changed",
    )
    counts = dict.fromkeys(names, 0)
    for row in rows(42):
        first = spy.look({name: value for name, value in row.items() if name not in later})
        was_reread = spy.has_reread
        expected = spy.identify(row)
        was_reread = was_reread or spy.has_reread
        if first["reading"] is None:
            counts["settled"] += 1
            assert expected.label == first["label"]
        elif not is_same_encoding(first, expected):
            counts["other encoding"] += 1
        elif has_unreadable_text(first):
            counts["unreadable"] += 1
        else:
            second = second_pass(first["reading"], row, first["encoding"])
            is_text_packed = has_text(first["reading"])
            counts["second passes"] += 1
            counts["with text"] += is_text_packed
            counts["changed"] += second.verdict.label != first["label"]
            if was_reread and not is_text_packed:
                counts["reread"] += 1
                counts["reread alike"] += second.verdict.label == expected.label
            else:
                check_equal(second, expected)
    assert counts["second passes"] - counts["reread"] > 300
    assert counts["with text"] > 200
    assert counts["reread alike"] > 0.9 * counts["reread"] > 10
    assert counts["changed"] > 10
    assert counts["other encoding"] < 10


def has_text(packed: bytes, ident: Identifier = IDENT) -> bool:
    """Return True if the text itself is packed."""
    return unpack(packed, ident.models)[2] is not None


def is_same_encoding(first: Row, expected: Verdict) -> bool:
    """Return True if both have the same encoding: a URL is evidence for encodings, and a guessed one lowers the weight of text."""
    sure = (
        first["encoding_confidence"] >= PAGE.guessed_encoding and expected.encoding_confidence >= PAGE.guessed_encoding
    )
    alike = sure or first["encoding_confidence"] == np.float32(expected.encoding_confidence)
    return bool(first["encoding"] == expected.encoding and alike)


def has_unreadable_text(first: Row) -> bool:
    """Return True if the text fits no language, so that one confidence hides how likely its encoding is."""
    return bool(first["encoding_confidence"] == np.float32(PAGE.unreadable_encoding))


def check_equal(second: Analysis, expected: Verdict) -> None:
    for name in ("label", "script", "reliable", "tier", "group", "confidence", "group_confidence"):
        assert getattr(second.verdict, name) == getattr(expected, name)
    assert second.languages == expected.languages
    assert second.verdict.reason.value == packed_reason(expected.reason.value)
    weights = {evidence.source: evidence.weight for evidence in expected.evidence if evidence.source in second.bits}
    assert weights == pytest.approx(
        {source: second.bits[source] for source in weights}, abs=1e-3
    )  # weights are rounded


def test_long_clear_text_is_not_packed(spy: Spy) -> None:
    assert spy.look({"raw": f"<p>{' '.join(SENTENCES['deu_Latn']) * 9}".encode()})["reading"] is None
    assert spy.look({"raw": f"<p>{SENTENCES['deu_Latn'][0][:20]}".encode()})["reading"] is not None
    assert spy.look({"raw": b"%PDF-1.4"})["reading"] is None


def test_packed_declarations_are_bounded(spy: Spy) -> None:
    tags = ["is", "en-" + "x" * 300, "Deutsch " + "\U0001f600" * 80, *TAGS]
    metas = "".join(f"<meta name=language content='{tags[i % len(tags)]}'>" for i in range(500))
    first = spy.look({"raw": f"<html lang=is>{metas}<p>Halló".encode()})
    size = int.from_bytes(first["reading"][:LENGTH_BYTES], "little")
    assert 0 < size < MAX_DECLARATIONS * 12 * MAX_TAG_CHARS
    if not spy.has_reread:
        assert second_pass(first["reading"], {}, "utf-8").verdict.label == first["label"]


def packed_pages() -> list[bytes]:
    column = IDENT.identify_batch({"raw": [row["raw"] for row in rows(43)[:400:3]]}, extra=["reading"])["reading"]
    return [packed for packed in column if packed is not None]


def test_damaged_bytes_are_refused_or_give_an_answer() -> None:
    rng = random.Random(44)
    sound = packed_pages()
    page = Page(b"", url="https://example.is/", country="IS", host={"isl": 4})
    labels = {*IDENT.labels, "und", "mul", "zxx"}
    answered = 0
    for _ in range(3000):
        raw = rng.choice(sound)
        for _ in range(rng.choice((1, 1, 3))):
            raw = damage(raw, rng)
        try:
            verdict = IDENT.second_pass(raw, page, "utf-8").verdict
        except ValueError:
            continue
        answered += 1
        assert verdict.label in labels
        assert 0 <= verdict.confidence <= 1
    assert 100 < answered < 2900


@pytest.mark.parametrize(
    "declarations",
    [b"[" * 60_000, b"5", b"null", b"true", b'"abc"', b'["abc"]', b'{"a":1}', b'[["html-lang","is"]]', b"[[1,2,3]]", b"[[[],{},null]]",
     b'[["html-lang","zzz","is"]]', b'[["html-lang","",""]]', b"\xff", b"[1e999]", b"[" + b"9" * 5000 + b"]", b'[{"a":1,"b":2,"c":3}]'],
)  # fmt: skip
def test_damaged_declarations_are_refused(declarations: bytes) -> None:
    sound = b'[["html-lang","isl","is"]]'
    assert IDENT.second_pass(with_declarations(sound), Page(b""), "utf-8").verdict.label == "isl_Latn"
    with pytest.raises(ValueError):  # of json, the kernel or packing.py
        IDENT.second_pass(with_declarations(declarations), Page(b""), "utf-8")


def with_declarations(declarations: bytes) -> bytes:
    """Return a packed short text with these declarations before it."""
    packed = pack(IDENT.reader.read_text("Halló"), (), IDENT.models)
    return len(declarations).to_bytes(LENGTH_BYTES, "little") + declarations + packed[LENGTH_BYTES:]


@pytest.mark.parametrize(
    "packed", [b"", b"\0", b"\0\0", b"\xff\xff", b"\2\0[]", b"\0\0\1", b"\0\0\0\0", b"\0\0\5\0text"]
)
def test_short_bytes_are_refused(packed: bytes) -> None:
    with pytest.raises(ValueError, match=r"not a packed page|read"):
        IDENT.second_pass(packed, Page(b""), "utf-8")


def test_a_reading_of_a_model_with_more_labels_is_refused() -> None:
    reading = IDENT.reader.read_text("Guten Morgen, wie geht es Ihnen?")
    packed = pack(reading, (), IDENT.models)
    label = reading.guesses(1)[0][0]
    foreign = packed.replace(number(2 * label), number(2 * 60_000))
    assert foreign != packed
    with pytest.raises(ValueError, match="of this model"):
        IDENT.second_pass(foreign, Page(b""), "utf-8")


def test_random_bytes_in_place_of_a_text_give_an_answer() -> None:
    rng = random.Random(45)
    page = Page(b"", url="https://example.is/", host={"isl": 4})
    for _ in range(300):
        text = rng.choice((random_page(rng) or b"x", rng.randbytes(rng.randrange(1, 80)), b"<script>", b"\0" * 9))[
            :60_000
        ]
        packed = b"\0\0" + len(text).to_bytes(LENGTH_BYTES, "little") + text
        assert 0 <= IDENT.second_pass(packed, page, "utf-8").verdict.confidence <= 1
