"""The composite approach of Cai 2009: declarations before text, filters, the floor and reasons."""

from __future__ import annotations

import pytest

from tests.methods.texts import CORPUS, NEW
from webtongue import Page, UsageError
from webtongue.methods import composite
from webtongue.methods.composite import Composite, CompositeSettings, common_text


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


def test_manners_agree_and_parallel_tells_the_others(model: Composite) -> None:
    both = page(f"<p>{NEW['deu_Latn']}", "shift_jis", "fr")
    serial = model.answer(both)
    parallel = Composite(
        CompositeSettings(manner="parallel"), model.labels, model.names, model.profiles, model.borders
    ).answer(both)
    assert (serial.label, serial.alternatives) == ("jpn_Jpan", ())
    assert (parallel.label, parallel.alternatives) == ("jpn_Jpan", ("fra_Latn", "deu_Latn"))
    with pytest.raises(UsageError):
        CompositeSettings(manner="both")


def test_approaches_alone(model: Composite) -> None:
    both = page(f"<p>{NEW['deu_Latn']}", "windows-1254", "fr")
    assert [model.by(name, both).label for name in ("encoding", "language", "text")] == [
        "tur_Latn", "fra_Latn", "deu_Latn",
    ]  # fmt: skip


def test_several_declared_languages_name_none(model: Composite) -> None:
    assert model.by("language", page("<p>x", lang='"de, en"')).label == "und"


def test_common_text() -> None:
    raw = b"<p>HOME PAGE<p>12.5 &euro; (the) Linux<img alt='alternative'><!-- comment --><script>code</script>"
    assert common_text(Page(raw)) == b"\xe2\x82\xac the"
    assert common_text("Microsoft Wind") == b"wind"


def test_reasons_for_unknown(model: Composite) -> None:
    short = model.answer(page("<p>short text"))
    assert (short.label, short.reason) == ("und", composite.SHORT)
    floor = "wir sehen nach welches von den booten unser ist"
    assert model.answer(page(f"<p>{floor[:39]}")).reason == composite.SHORT
    assert model.answer(page("<p>" + "??? ???? ?? ????? " * 9)).reason == composite.LOST
    assert model.answer(page("<p>" + "qxj wvz kqf zzx jjq " * 3)).reason == composite.WEAK
    assert model.answer(page("<p>" + "".join(chr(0x2800 + i) for i in range(255)))).reason == composite.UNCOVERED
    assert model.answer(Page(b"%PDF-1.4")).label == "und"


def test_profiles_by_encoding(model: Composite) -> None:
    greek = [label for label in model.labels if label.startswith("ell_Grek_")]
    assert {"ell_Grek_utf-8", "ell_Grek_windows-1253"} <= set(greek)
    raw = f"<p>{NEW['ell_Grek']}".encode("cp1253")
    answer = model.answer(Page(raw))
    assert (answer.label, answer.encoding) == ("ell_Grek", "windows-1253")
