"""The composite approach of Cai 2009: declarations before text, filters, the floor and reasons."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from tests.lab.methods.texts import CORPUS, NEW
from webtongue import Page, UsageError
from webtongue.lab.methods import composite
from webtongue.lab.methods.base import Answer
from webtongue.lab.methods.composite import Composite, CompositeSettings, extract_text


@pytest.fixture(scope="module")
def model() -> Composite:
    return Composite.fit(CORPUS)


def page(body: str, charset: str = "", lang: str = "") -> Page:
    meta = f'<meta http-equiv="Content-Type" content="text/html; charset={charset}">' if charset else ""
    return Page(f"<html{lang and f' lang={lang}'}><head>{meta}</head><body>{body}".encode())


def test_priority_is_encoding_then_language_then_text(model: Composite) -> None:
    body = f"<p>{NEW['deu_Latn']}"
    assert model.answer(page(body, "euc-kr", "fr")).label == "kor_Hang"
    assert model.answer(page(body, "iso-8859-1", "fr")).label == "fra_Latn"
    assert model.answer(page(body, "utf-8")).label == "deu_Latn"


def test_parallel_tells_what_the_others_say(model: Composite) -> None:
    both = page(f"<p>{NEW['deu_Latn']}", "shift_jis", "fr")
    assert model.answer(both) == Answer("jpn_Jpan", 1.0)
    answer = model.with_settings({"manner": "parallel"}).answer(both)
    assert (answer.label, answer.alternatives) == ("jpn_Jpan", ("fra_Latn", "deu_Latn"))


def test_approaches_are_known_and_each_once() -> None:
    for wrong in ({"manner": "both"}, {"approaches": ()}, {"approaches": ("text", "text")}, {"approaches": ("guess",)}):
        with pytest.raises(UsageError):
            CompositeSettings(**wrong)  # type: ignore[arg-type]


BODIES = {
    "German": f"<p>{NEW['deu_Latn']}",
    "Greek": f"<p>{NEW['ell_Grek']}",
    "two languages": f"<p>{NEW['deu_Latn']}<p>{NEW['ita_Latn']}",
    "short": "<p>short text",
    "lost": "<p>" + "??? ???? ?? ????? " * 9,
    "weak": "<p>" + "qxj wvz kqf zzx jjq " * 3,
    "nothing": "",
}
CHARSETS = ("", "iso-8859-1", "windows-1254", "no-such-charset")
LANGS = ("", "fr", "el", "'de, en'", "und")
PAGES = [page(body, charset, lang) for body in BODIES.values() for charset in CHARSETS for lang in LANGS]
OTHER = [
    Page(b"%PDF-1.4"),
    Page(b"\x89PNG\r\n\x1a\n" + bytes(99)),
    b"",
    "",
    NEW["deu_Latn"],
    NEW["ell_Grek"].encode("cp1253"),
]
ORDERS = [order for size in (1, 2, 3) for order in permutations(composite.APPROACHES, size)]


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_manners_answer_alike(model: Composite, order: tuple[str, ...]) -> None:
    """Section 3.2.3, whatever the priority list: the serial manner skips nothing that comes before what it answers."""
    serial = model.with_settings({"approaches": order})
    parallel = serial.with_settings({"manner": "parallel"})
    for document in (*PAGES, *OTHER):
        one, other = serial.answer(document), parallel.answer(document)
        assert replace(one, alternatives=()) == replace(other, alternatives=())
        assert set(one.alternatives) <= set(other.alternatives)
        labels = [model.answer_by(approach, document).label for approach in order]
        assert one.label == next((label for label in labels if label != "und"), "und")


def test_the_priority_list_is_the_settings(model: Composite) -> None:
    """A page whose three approaches say three things: what comes first in the list is answered, in both manners."""
    three = page(f"<p>{NEW['deu_Latn']}", "windows-1254", "fr")
    says = {"encoding": "tur_Latn", "language": "fra_Latn", "text": "deu_Latn"}
    for order in ORDERS:
        for manner in composite.MANNERS:
            assert model.with_settings({"approaches": order, "manner": manner}).answer(three).label == says[order[0]]


def test_approaches_alone(model: Composite) -> None:
    both = page(f"<p>{NEW['deu_Latn']}", "windows-1254", "fr")
    assert [model.answer_by(name, both).label for name in ("encoding", "language", "text")] == [
        "tur_Latn", "fra_Latn", "deu_Latn",
    ]  # fmt: skip


def test_several_declared_languages_name_none(model: Composite) -> None:
    assert model.answer_by("language", page("<p>x", lang='"de, en"')).label == "und"


def test_common_text() -> None:
    raw = b"<p>HOME PAGE<p>12.5 &euro; (the) Linux<img alt='alternative'><!-- comment --><script>code</script>"
    assert extract_text(Page(raw)) == b"\xe2\x82\xac the"
    assert extract_text("Microsoft Wind") == b"wind"


def test_reasons_for_unknown(model: Composite) -> None:
    short = model.answer(page("<p>short text"))
    assert (short.label, short.reason) == ("und", composite.BELOW_FLOOR)
    floor = "wir sehen nach welches von den booten unser ist"
    assert model.answer(page(f"<p>{floor[:39]}")).reason == composite.BELOW_FLOOR
    assert model.answer(page("<p>" + "??? ???? ?? ????? " * 9)).reason == composite.BADLY_RECEIVED
    assert model.answer(page("<p>" + "qxj wvz kqf zzx jjq " * 3)).reason == composite.WEAK_SHORT_TEXT
    assert model.answer(page("<p>" + "".join(chr(0x2800 + i) for i in range(255)))).reason == composite.NO_NEAR_MODEL


IMAGES = {
    "png": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(12) + b"tEXtComment\0 made by a program that writes long comments, longer than the floor",
    "gif": b"GIF89a\x01\x00\x01\x00\x80" + bytes(60),
    "jpeg": b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + bytes(range(256)),
    "webp": b"RIFF\x24\x00\x00\x00WEBPVP8 " + bytes(60),
    "pdf": b"%PDF-1.4",
}  # fmt: skip


@pytest.mark.parametrize("kind", IMAGES)
@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_an_image_is_not_a_text(model: Composite, kind: str, order: tuple[str, ...]) -> None:
    for headers in ({}, {"content-type": f"image/{kind}"}):
        answer = model.with_settings({"approaches": order}).answer(Page(IMAGES[kind], headers=headers))
        assert (answer.label, answer.reason) == ("und", composite.NOT_TEXT)


def test_alternatives_are_other_languages(model: Composite) -> None:
    """Not the answer in another encoding, which all of ASCII is near to, and a language once."""
    assert model.with_settings({"factor": 1.05}).answer(page(f"<p>{NEW['deu_Latn']}")).alternatives == ()
    for text in NEW.values():
        answer = model.with_settings({"factor": 9.0, "border": 0.0}).answer(page(f"<p>{text}"))
        assert set(answer.alternatives) == set(NEW) - {answer.label}
        assert len(answer.alternatives) == len(NEW) - 1


def test_profiles_by_encoding(model: Composite) -> None:
    greek = [label for label in model.labels if label.startswith("ell_Grek_")]
    assert {"ell_Grek_utf-8", "ell_Grek_windows-1253"} <= set(greek)
    raw = f"<p>{NEW['ell_Grek']}".encode("cp1253")
    answer = model.answer(Page(raw))
    assert (answer.label, answer.encoding) == ("ell_Grek", "windows-1253")


def test_profiles_of_some_encodings_only() -> None:
    model = Composite.fit(CORPUS, CompositeSettings(encodings=("utf-8", "windows-1253")))
    assert {"ell_Grek_utf-8", "ell_Grek_windows-1253", "deu_Latn_utf-8"} <= set(model.labels)
    assert not any(label.endswith(("macintosh", "windows-1252")) for label in model.labels)
    assert model.answer(NEW["deu_Latn"]).label == "deu_Latn"
    with pytest.raises(UsageError, match="shift_jis"):
        Composite.fit(CORPUS, CompositeSettings(encodings=("shift_jis",)))


def test_the_encoding_is_that_of_the_metadata_only(model: Composite) -> None:
    """The library of the thesis has encodings of metadata: neither an HTTP header nor an XML declaration counts."""
    body = f"<p>{NEW['deu_Latn']}".encode()
    header = Page(body, headers={"content-type": "text/html; charset=euc-kr"})
    assert model.answer(header).label == "deu_Latn"
    xml = Page(b'<?xml version="1.0" encoding="euc-kr"?><html>' + body)
    assert model.answer_by("encoding", xml).label == "und"
    both = Page(b'<meta charset="shift_jis">' + body, headers={"content-type": "text/html; charset=euc-kr"})
    assert model.answer_by("encoding", both).label == "jpn_Jpan"


def test_an_ascii_page_is_not_called_by_one_of_many_encodings() -> None:
    """The profiles of a language in several encodings differ little on ASCII: whichever is nearest, the bytes are UTF-8."""
    texts = {label: [f"{text} déjà vu, naïve façade, crème brûlée"] for label, text in NEW.items() if "Latn" in label}
    fitted = Composite.fit(texts)
    assert any(label.endswith("macintosh") for label in fitted.labels)
    utf8 = np.array([label.endswith("utf-8") for label in fitted.labels])
    others = replace(
        fitted,
        labels=tuple(label for label, skip in zip(fitted.labels, utf8, strict=True) if not skip),
        profiles=fitted.profiles[~utf8],
        borders=fitted.borders[~utf8],
    )
    text = "".join(c for c in NEW["eng_Latn"] if c.isascii()).encode()
    outside = "<!-- déjà vu --><p>".encode("mac-roman")
    for raw in (b"<p>" + text, b"<p>&middot; " + text + b" caf&eacute;", outside + text + b" caf&#xe9;"):
        answer = others.answer(Page(raw))
        assert (answer.label, answer.encoding) == ("eng_Latn", "utf-8")
    assert others.answer(Page(b"<p>" + f"{NEW['deu_Latn']} déjà façade".encode("mac-roman"))).encoding != "utf-8"


def test_what_each_approach_says_is_kept(model: Composite) -> None:
    three = page(f"<p>{NEW['deu_Latn']}", "windows-1254", "fr")
    serial = model.examine(three)
    assert (serial.approach, list(serial.by_approach)) == ("encoding", ["encoding"])
    parallel = model.with_settings({"manner": "parallel"}).examine(three)
    assert parallel.approach == "encoding"
    assert {name: answer.label for name, answer in parallel.by_approach.items()} == {
        "encoding": "tur_Latn", "language": "fra_Latn", "text": "deu_Latn",
    }  # fmt: skip
    assert (parallel.extracted.encoding, parallel.extracted.language) == ("windows-1254", "fra_Latn")
    assert parallel.extracted.text == extract_text(three)
