"""A page judged again without its bytes answers as it did with them, and as it would have with what is known by then."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.inputs import damaged, page_of, url_of
from tests.quality import kinds, samples
from tests.quality.sentences import SENTENCES
from tests.twins.text.packed import number
from webtongue import Identifier, fuse, second_look
from webtongue.details import BITS
from webtongue.labels import LONGEST_TAG
from webtongue.page import Inlink, Page
from webtongue.pipeline import GUESSED
from webtongue.second_look import JudgedAgain, judge_again, keep, restored
from webtongue.verdict import Reason, Verdict

IDENT = Identifier()
DETAILS = ("reading", *(f"bits_{source}" for source in BITS))
TAGS = ("is", "da", "nb", "hr", "sr-Latn", "en", "en-US", "ja", "zh-TW", "no", "se", "xx", "{{lang}}", "ko", "id")
COUNTRIES = ("IS", "HR", "DE", "NO", "JP", "ZZ", "", "Iceland")
HOSTS = ({"isl": 30}, {"de": 3, "en": 1}, {"hrv": 500, "srp": 20}, {"nob": 9.5}, {}, {"eng": 1e9})
KNOWN = ("url", "country", "inlinks", "host")
Row = dict[str, Any]


def pages(rnd: random.Random) -> Iterator[bytes]:
    """Short, long, mixed, not in sentences, in old encodings, damaged."""
    yield from (page_of(rnd) for _ in range(250))
    every = [text for some in SENTENCES.values() for text in some]
    for text in every:
        start = rnd.choice((f"<html lang={rnd.choice(TAGS)}>", "", "<title>Start</title>"))
        yield f"{start}<p>{text[: rnd.choice((5, 12, 25, 200))]}".encode()
    for _ in range(60):
        parts = [f"<p>{rnd.choice(every) * rnd.choice((1, 6))}" for _ in range(rnd.randrange(2, 5))]
        yield f"<html lang={rnd.choice(TAGS)}>{''.join(parts)}".encode()
    yield from (one.content for name in kinds() for one in samples(name)[:4] if isinstance(one.content, bytes))


def rows(seed: int) -> list[Row]:
    """Pages, each with some of what may be known of one."""
    rnd = random.Random(seed)

    def some(value: Any) -> Any:
        return value if rnd.random() < 0.5 else None

    made = []
    for raw in pages(rnd):
        anchor = rnd.choice(("", "Íslenska", "Deutsch", "klikk her", "日本語"))
        link = Inlink("https://a.example/", rnd.choice(TAGS), rnd.random(), anchor, rnd.choice(("", *TAGS)))
        headers = {"Content-Language": rnd.choice(TAGS), "Content-Type": rnd.choice(("text/html", "text/plain"))}
        made.append(
            {
                "raw": raw, "headers": some(headers), "url": some(rnd.choice((url_of(rnd), "https://example.is/", "https://a.hr/"))),
                "country": some(rnd.choice(COUNTRIES)), "inlinks": some([link] * rnd.choice((1, 20))), "host": some(rnd.choice(HOSTS)),
            }
        )  # fmt: skip
    return made


class Spy:
    """Watches whether a page had to be read again for its hints."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.again = False
        weigh = fuse.weigh

        def watched(reading: Any, hints: Any, flow: Any, by: Any, again: Any) -> Any:
            def watching(*wanted: Any) -> Any:
                self.again = True
                return again(*wanted)

            return weigh(reading, hints, flow, by, again and watching)

        patch.setattr(fuse, "weigh", watched)

    def look(self, row: Row, ident: Identifier = IDENT) -> dict[str, Any]:
        """A page through identify_batch."""
        self.again = False
        found = ident.identify_batch({name: [value] for name, value in row.items()}, details=DETAILS)
        return {name: column[0] for name, column in found.items()}

    def identify(self, row: Row) -> Verdict:
        self.again = False
        return IDENT.identify(**row)


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> Spy:
    return Spy(monkeypatch)


def look_again(kept: bytes, row: Row, encoding: str, ident: Identifier = IDENT) -> JudgedAgain:
    known = {name: row[name] for name in KNOWN if row.get(name) is not None}
    return judge_again(kept, Page(b"", **known), encoding, ident.stages)


def reason_of(found: str) -> str:
    """A page without a byte of text is one without letters, where its bytes are not there to look at."""
    return Reason.NO_LETTERS.value if found == Reason.EMPTY else found


@pytest.mark.parametrize(
    "ident", [IDENT, Identifier(languages=["is", "hr", "sr", "en", "de", "nb"]), Identifier(evidence=["url", "host"])]
)
def test_the_same_evidence_gives_the_same_answer(ident: Identifier, spy: Spy) -> None:
    """Exactly, but for long pages that were read again: one that is read for its main language has fewer letters to weigh hints by."""
    counts = dict.fromkeys(("judged again", "by their text", "read again", "of these alike"), 0)
    for row in rows(41):
        first = spy.look(row, ident)
        if first["reading"] is None:
            continue
        counts["judged again"] += 1
        by_text, read_again = has_text(first["reading"], ident), spy.again
        second = look_again(first["reading"], row, first["encoding"], ident)
        counts["by their text"] += by_text
        if read_again and not by_text:
            counts["read again"] += 1
            counts["of these alike"] += second.label == first["label"]
            continue
        for name in ("label", "script", "reliable", "tier", "group", "languages"):
            assert getattr(second, name) == first[name]
        for name in ("confidence", "group_confidence"):
            assert np.float32(getattr(second, name)) == first[name]
        assert second.reason.value == reason_of(first["reason"])
        bits = [np.float32(second.bits.get(source, np.nan)) for source in BITS]
        np.testing.assert_array_equal(bits, [first[f"bits_{source}"] for source in BITS])
    print(counts)
    assert counts["judged again"] - counts["read again"] > 100
    assert counts["by their text"] > 100
    assert counts["of these alike"] >= 0.99 * counts["read again"] > 0


@pytest.mark.parametrize("later", [("inlinks", "host"), KNOWN], ids=["crawl", "all"])
def test_what_is_known_later_counts_as_if_it_had_been_known(later: tuple[str, ...], spy: Spy) -> None:
    """Wherever its text was kept, or neither look had to read the page again: for its main language, or for labels that its text did
    not consider."""
    names = ("judged again", "by their text", "settled", "other encoding", "read again", "of these alike", "turned")
    counts = dict.fromkeys(names, 0)
    for row in rows(42):
        first = spy.look({name: value for name, value in row.items() if name not in later})
        again = spy.again
        wanted = spy.identify(row)
        again = again or spy.again
        if first["reading"] is None:
            counts["settled"] += 1
            assert wanted.label == first["label"]
        elif not is_same_encoding(first, wanted):
            counts["other encoding"] += 1
        else:
            second = look_again(first["reading"], row, first["encoding"])
            by_text = has_text(first["reading"])
            counts["judged again"] += 1
            counts["by their text"] += by_text
            counts["turned"] += second.label != first["label"]
            if again and not by_text:
                counts["read again"] += 1
                counts["of these alike"] += second.label == wanted.label
            else:
                check_equal(second, wanted)
    print(counts)
    assert counts["judged again"] - counts["read again"] > 300
    assert counts["by their text"] > 200
    assert counts["of these alike"] > 0.9 * counts["read again"] > 20
    assert counts["turned"] > 20
    assert counts["other encoding"] < 10


def has_text(kept: bytes, ident: Identifier = IDENT) -> bool:
    """Whether the text itself was kept."""
    return restored(kept, ident.stages)[2] is not None


def is_same_encoding(first: Row, wanted: Verdict) -> bool:
    """An address speaks for encodings, too; where one is a guess, the text counts by how sure it is."""
    sure = first["encoding_confidence"] >= GUESSED and wanted.encoding_confidence >= GUESSED
    alike = sure or first["encoding_confidence"] == np.float32(wanted.encoding_confidence)
    return bool(first["encoding"] == wanted.encoding and alike)


def check_equal(second: JudgedAgain, wanted: Verdict) -> None:
    for name in ("label", "script", "reliable", "tier", "group", "languages", "confidence", "group_confidence"):
        assert getattr(second, name) == getattr(wanted, name)
    assert second.reason.value == reason_of(wanted.reason.value)
    told = {evidence.source: evidence.weight for evidence in wanted.evidence if evidence.source in second.bits}
    assert told == pytest.approx({source: second.bits[source] for source in told}, abs=1e-3)  # rounded to be shown


def test_long_clear_text_is_not_kept(spy: Spy) -> None:
    assert spy.look({"raw": f"<p>{' '.join(SENTENCES['deu_Latn']) * 9}".encode()})["reading"] is None
    assert spy.look({"raw": f"<p>{SENTENCES['deu_Latn'][0][:20]}".encode()})["reading"] is not None
    assert spy.look({"raw": b"%PDF-1.4"})["reading"] is None


def test_as_many_languages_as_a_page_likes_to_declare_are_kept_within_bounds(spy: Spy) -> None:
    tags = ["is", "en-" + "x" * 300, "Deutsch " + "\U0001f600" * 80, *TAGS]
    metas = "".join(f"<meta name=language content='{tags[i % len(tags)]}'>" for i in range(500))
    first = spy.look({"raw": f"<html lang=is>{metas}<p>Halló".encode()})
    size = int.from_bytes(first["reading"][: second_look.SIZE], "little")
    assert 0 < size < second_look.MOST_CLAIMS * 12 * LONGEST_TAG
    if not spy.again:
        assert look_again(first["reading"], {}, "utf-8").label == first["label"]


def some_kept() -> list[bytes]:
    found = IDENT.identify_batch({"raw": [row["raw"] for row in rows(43)[:400:3]]}, details=["reading"])["reading"]
    return [kept for kept in found if kept is not None]


def test_damaged_bytes_are_refused_or_answer() -> None:
    rnd = random.Random(44)
    sound = some_kept()
    page = Page(b"", url="https://example.is/", country="IS", host={"isl": 4})
    labels = {*IDENT.labels, "und", "mul", "zxx"}
    answered = 0
    for _ in range(3000):
        raw = rnd.choice(sound)
        for _ in range(rnd.choice((1, 1, 3))):
            raw = damaged(raw, rnd)
        try:
            found = judge_again(raw, page, "utf-8", IDENT.stages)
        except ValueError:
            continue
        answered += 1
        assert found.label in labels
        assert 0 <= found.confidence <= 1
    assert 100 < answered < 2900


@pytest.mark.parametrize(
    "said",
    [b"[" * 60_000, b"5", b"null", b"true", b'"abc"', b'["abc"]', b'{"a":1}', b'[["html-lang","is"]]', b"[[1,2,3]]", b"[[[],{},null]]",
     b'[["html-lang","zzz","is"]]', b'[["html-lang","",""]]', b"\xff", b"[1e999]", b"[" + b"9" * 5000 + b"]", b'[{"a":1,"b":2,"c":3}]'],
)  # fmt: skip
def test_claims_that_are_none(said: bytes) -> None:
    sound = b'[["html-lang","isl","is"]]'
    assert judge_again(with_claims(sound), Page(b""), "utf-8", IDENT.stages).label == "isl_Latn"
    with pytest.raises(ValueError):  # json's, the kernel's or ours
        judge_again(with_claims(said), Page(b""), "utf-8", IDENT.stages)


def with_claims(said: bytes) -> bytes:
    """What is kept of a short text, with these claims before it."""
    kept = keep(IDENT.reader.read_text("Halló"), (), IDENT.stages.flow)
    return len(said).to_bytes(second_look.SIZE, "little") + said + kept[second_look.SIZE :]


@pytest.mark.parametrize("kept", [b"", b"\0", b"\0\0", b"\xff\xff", b"\2\0[]", b"\0\0\1", b"\0\0\0\0", b"\0\0\5\0text"])
def test_bytes_that_are_too_few(kept: bytes) -> None:
    with pytest.raises(ValueError, match="not a reading"):
        judge_again(kept, Page(b""), "utf-8", IDENT.stages)


def test_what_is_kept_of_a_model_with_more_labels_is_refused() -> None:
    reading = IDENT.reader.read_text("Guten Morgen, wie geht es Ihnen?")
    kept = keep(reading, (), IDENT.stages.flow)
    label = reading.guesses(1)[0][0]
    foreign = kept.replace(number(2 * label), number(2 * 60_000))
    assert foreign != kept
    with pytest.raises(ValueError, match="by this model"):
        judge_again(foreign, Page(b""), "utf-8", IDENT.stages)


def test_any_bytes_in_the_place_of_a_text_answer() -> None:
    rnd = random.Random(45)
    page = Page(b"", url="https://example.is/", host={"isl": 4})
    for _ in range(300):
        text = rnd.choice((page_of(rnd) or b"x", rnd.randbytes(rnd.randrange(1, 80)), b"<script>", b"\0" * 9))[:60_000]
        kept = b"\0\0" + len(text).to_bytes(second_look.SIZE, "little") + text
        assert 0 <= judge_again(kept, page, "utf-8", IDENT.stages).confidence <= 1
