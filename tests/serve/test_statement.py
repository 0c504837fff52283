"""What the page states about an answer: that its headline, guesses, segments, confidence and evidence agree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import browser
from tests.serve.pages import OpenPage, open_page
from tests.serve.servers import Service

GERMAN = "Das Museum ist jeden Tag von zehn bis achtzehn Uhr geöffnet, und an Sonntagen gibt es Führungen."
FRENCH = "Le musée est ouvert tous les jours de dix heures à dix-huit heures, et le dimanche il y a des visites."
RUSSIAN = "Музей открыт каждый день с десяти до восемнадцати часов, а по воскресеньям проводятся экскурсии по залам."
ICELANDIC = "Bókasafnið er opið alla daga vikunnar og aðgangur er ókeypis fyrir börn og unglinga með foreldrum."
CODE = "import os\nfor i in range(10):\n    x = [a for a in b if a != None]\n    return self.value + 1\ndef main(args):\n    print(i)\n"
DAMAGED = "Die Bibliothek ist täglich geöffnet, außer an Feiertagen; für Schüler ist der Eintritt frei."
# Name of each case: the request, and the label of its answer ("" for any).
CASES: dict[str, tuple[dict[str, Any], str]] = {
    "language": ({"text": GERMAN}, "deu_Latn"),
    "look-alikes": ({"text": "Vlak kasni deset minuta."}, "hrv_Latn"),
    "unreliable": ({"text": "hej hej"}, ""),
    "unknown": ({"text": "ok"}, "und"),
    "no letters": ({"text": "1234 5678"}, "und"),
    "unknown script": ({"text": "ᚠᚢᚦᚨᚱᚲ ᚷᚹᚺᚾᛁᛃ"}, "und"),
    "code": ({"text": CODE}, "zxx"),
    "placeholder": ({"text": "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor"}, "zxx"),
    "binary": ({"base64": "AAECAwQFBgcICQoLDA0ODxAREhM="}, "zxx"),
    "several": ({"html": "".join(f"<p>{text}</p>" for text in (GERMAN, FRENCH, RUSSIAN, ICELANDIC))}, "mul"),
    "two": ({"html": f"<html lang=de><p>{GERMAN} {GERMAN}</p><p>{FRENCH}</p>"}, "deu_Latn"),
    "wrong declaration": ({"html": f"<html lang=de><p>{FRENCH}</p>"}, "fra_Latn"),
    "mojibake": ({"text": DAMAGED.encode().decode("cp1252")}, "deu_Latn"),
    "huge": ({"text": f"{ICELANDIC} " * 3000}, "isl_Latn"),
    "empty page": ({"html": "<p></p>"}, "und"),
}
STATE = """async (answer) => {
    const { makeStatement } = await import("./page/statement.mjs");
    const { nameOf, describe, text, ...statement } = makeStatement(answer);
    return { ...statement, text: { ...text, colours: answer.segments.map(({ label }) => text.colourOf(label)) } };
}"""
__all__ = ["browser"]  # a fixture


@pytest.fixture
def opened(browser: Any, service: Service) -> Iterator[OpenPage]:
    yield from open_page(browser, service, bypass_csp=True)


def identify(service: Service, request: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = service.post("/v1/identify", request | {"explain": True}).json
    return answer


@pytest.mark.parametrize("name", CASES)
def test_statements_do_not_contradict_each_other(opened: OpenPage, service: Service, name: str) -> None:
    request, label = CASES[name]
    answer = identify(service, request)
    assert label in ("", answer["label"])
    statement = opened.page.evaluate(STATE, answer)
    check_statement(answer, statement)


def check_statement(answer: dict[str, Any], statement: dict[str, Any]) -> None:
    is_language = answer["label"] not in ("und", "zxx", "mul")
    names = {label: info["name"] for label, info in answer["explanation"]["names"].items()}
    bars = statement["bars"]
    assert ".." not in statement["summary"] and statement["summary"].endswith(".")
    if is_language and bars:
        assert ("main language" in bars["title"]) == (len(answer["languages"]) > 1)
    assert (statement["confidence"] is not None) == (statement["info"] is not None) == is_language
    if not is_language:
        assert not statement["map"] and not statement["evidence"] and not statement["features"]
    if answer["label"] == "zxx":
        assert bars is None and not any(name in statement["summary"] for name in names.values())
    if answer["label"] == "mul":
        shares = [(row["label"], row["share"]) for row in answer["languages"]]
        assert [(row["label"], row["value"]) for row in bars["rows"]] == shares
        assert all(names[label] in statement["subtitle"] for label, _ in shares)
        assert [row["label"] for row in statement["text"]["legend"]] == [label for label, _ in shares]
    if is_language and bars:
        first = bars["rows"][0]
        assert first["label"] == answer["label"] and statement["confidence"]["words"].startswith(first["text"])
        assert len(bars["rows"]) > 1
    if is_language:
        reliable = statement["confidence"]["words"].endswith(", reliable")
        assert reliable == answer["reliable"]
        others = [row["label"] for row in answer["languages"] if row["label"] != answer["label"]]
        assert all(names[label] in " ".join(statement["notes"]) for label in others)
    if len(statement["text"]["legend"]) > 1:
        assert all(statement["text"]["colours"])
    assert " in " not in " ".join(row["text"] for row in (bars or {"rows": []})["rows"])  # no "1 in 20,408"


def test_the_reason_of_an_unreliable_answer_is_stated(opened: OpenPage, service: Service) -> None:
    answer = identify(service, {"text": "hej hej"}) | {"why": "6 letters of slk_Latn, 20 wanted"}
    assert not answer["reliable"]
    statement = opened.page.evaluate(STATE, answer)
    assert "6 letters of Slovak, 20 wanted." in statement["notes"] and "20 wanted" in statement["summary"]
    assert not any("wanted" in note for note in opened.page.evaluate(STATE, answer | {"why": ""})["notes"])


def test_guesses_begin_with_the_answer_and_evidence_is_about_it(opened: OpenPage, service: Service) -> None:
    """An answer may differ from the first guess, for example after a second pass over a site."""
    answer = identify(service, {"text": "Vlak kasni deset minuta."})
    changed = answer | {"label": "srp_Latn", "confidence": 0.6}
    statement = opened.page.evaluate(STATE, changed)
    assert [row["label"] for row in statement["bars"]["rows"]][:2] == ["srp_Latn", "hrv_Latn"]
    assert statement["bars"]["rows"][0]["text"] == "60%"
    assert statement["evidence"] is None and statement["features"] is None


def test_look_alikes_of_a_page_are_one_language(opened: OpenPage, service: Service) -> None:
    answer = identify(service, {"text": "Vlak kasni deset minuta."})
    halves = [{"begin": 0, "end": 9, "label": label, "share": 0.5} for label in ("hrv_Latn", "srp_Latn")]
    assert opened.page.evaluate(STATE, answer | {"segments": halves})["text"]["legend"] == []


def test_a_language_without_a_map_or_bars_has_no_empty_card(opened: OpenPage) -> None:
    opened.type("1234 5678")
    for selector in ("#map", "#bars-card", "#declarations-card", "#evidence-card"):
        assert not opened.page.is_visible(selector), selector
    assert opened.text(".own-name") == "Not identified" and opened.text(".english-name") == "No letters."
