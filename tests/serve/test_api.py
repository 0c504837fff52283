"""What each path answers, on a real service: equal to what the library answers."""

from __future__ import annotations

import base64
import json
from functools import partial
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest

import webtongue
from tests.serve.servers import Service
from webtongue import Identifier, Inlink, Page, labels
from webtongue.serve import shown
from webtongue.serve.answers import COSTLY
from webtongue.serve.cards import cards

PAGES = sorted(Path("examples/pages").glob("*.html"))
IDENT = Identifier()
FORM = "application/x-www-form-urlencoded"
GREEK = "<html lang=el><p>Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα."


quoted = partial(quote, safe="")


def brief(verdict: webtongue.Verdict) -> dict[str, object]:
    return {name: value for name, value in whole(verdict).items() if name not in COSTLY}


def whole(verdict: webtongue.Verdict) -> dict[str, object]:
    """As JSON has it, with six decimals, as the service gives it."""
    row: dict[str, object] = json.loads(verdict.to_json())
    return row | {"encoding_confidence": round(verdict.encoding_confidence, 6)}


@pytest.mark.parametrize("path", PAGES[::4], ids=lambda path: path.name)
def test_a_raw_page_is_answered_as_by_the_library(service: Service, path: Path) -> None:
    raw, url = path.read_bytes(), "https://example.com/a"
    kind = "text/html; charset=utf-8"
    headers = {"content-type": kind, "content-language": "de"}
    expected = IDENT.identify(raw, url, headers)
    found = service.ask("POST", f"/v1/identify?url={url}", raw, kind, Content_Language="de")
    assert found.status == 200 and found.headers["content-type"] == "application/json"
    assert found.json == brief(expected)
    explained = service.ask("POST", f"/v1/identify?explain=1&url={url}", raw, kind, Content_Language="de").json
    explanation = explained.pop("explanation")
    assert explained == whole(expected)
    assert all(block["pieces"] for block in explanation["text"])


def test_every_page_in_json_as_raw(service: Service) -> None:
    for path in PAGES[1::4]:
        raw = path.read_bytes()
        found = service.post("/v1/identify", {"base64": base64.b64encode(raw).decode()})
        assert found.json == brief(IDENT.identify(raw)), path.name


def test_text_html_and_what_is_known(service: Service) -> None:
    text = "Wie spät ist es in Wien?"
    assert service.post("/v1/identify", {"text": text}).json == brief(IDENT.identify_text(text))
    links = [{"url": "https://example.is/", "language": "is"}, {"hreflang": "is", "confidence": 0.5}]
    asked = {"html": "<p>Halló", "url": "https://example.is/x", "country": "IS", "inlinks": links, "host": {"is": 4}}
    asked["headers"] = {"Content-Language": "is"}
    expected = IDENT.identify(
        "<p>Halló".encode(), "https://example.is/x", {"Content-Language": "is"}, country="IS", host={"is": 4},
        inlinks=[Inlink("https://example.is/", "is"), Inlink(confidence=0.5, hreflang="is")],
    )  # fmt: skip
    assert service.post("/v1/identify", asked).json == brief(expected)


def test_fields_of_the_query_add_to_json(service: Service) -> None:
    text = {"html": "<p>Trenutno nedostupno"}
    asked = service.post("/v1/identify?url=https://example.hr/&country=HR", text).json
    assert asked == brief(IDENT.identify(b"<p>Trenutno nedostupno", "https://example.hr/", country="HR"))
    assert service.post("/v1/identify?country=SI", text | {"country": "HR"}).json["country"] == "HR"


def test_a_country_by_address_names_its_source(service: Service) -> None:
    pytest.importorskip("webtongue_geo", reason="needs the extra geo")
    found = service.ask("POST", "/v1/identify?ip=185.112.144.1", GREEK, "text/html").json
    assert found["country"] == "IS" and found["country_source"] == IDENT.attribution != ""
    assert "country_source" not in service.ask("POST", "/v1/identify?country=IS", GREEK, "text/html").json


def test_explanations_say_what_is_in_the_text(service: Service) -> None:
    text = (
        "Das Museum ist jeden Tag bis achtzehn Uhr geöffnet, und der Eintritt ist frei. "
        "Le musée est ouvert tous les jours jusqu'à dix-huit heures. Музей открыт каждый день до шести часов вечера."
    )
    found = service.post("/v1/identify?explain=1", {"text": text}).json["explanation"]
    pieces = [piece for block in found["text"] for piece in block["pieces"]]
    assert "".join(piece["text"] for piece in pieces) == text
    assert {piece["label"] for piece in pieces} == {"deu_Latn", "fra_Latn", "rus_Cyrl"}
    assert next(p["label"] for p in pieces if "Музей" in p["text"]) == "rus_Cyrl"
    for told in found["telling"]:
        assert told["gram"].strip() in text.lower() and told["bits"]
    assert found["names"]["rus_Cyrl"]["own_name"] == "русский"


def test_segments_of_an_encoded_page(service: Service) -> None:
    parts = [
        "Bókasafnið er opið alla daga vikunnar til klukkan níu.",
        "The library is open every day of the week until nine.",
    ]
    raw = f"<html><p>{parts[0]}</p><p>{parts[1]}</p>".encode("cp1252")
    found = service.ask("POST", "/v1/segments", raw, "text/html").json
    assert [block["pieces"] for block in found["text"]] == [
        [{"text": parts[0], "label": "isl_Latn"}], [{"text": parts[1], "label": "eng_Latn"}],
    ]  # fmt: skip
    assert [tuple(s.values()) for s in found["segments"]] == [tuple(s) for s in IDENT.identify(raw).segments]


def test_misread_text_is_put_right(service: Service) -> None:
    right = "Die Bibliothek ist täglich geöffnet, außer an Feiertagen; für Schüler ist der Eintritt frei."
    found = service.post("/v1/identify?explain=1", {"text": right.encode().decode("cp1252")}).json["explanation"]
    assert found["misread"] and found["text"][0]["pieces"][0]["text"] == right
    assert not service.post("/v1/identify?explain=1", {"text": right}).json["explanation"]["misread"]


def test_decode(service: Service) -> None:
    text = "Žluťoučký kůň pěl ďábelské ódy"
    found = service.ask("POST", "/v1/decode", text.encode("cp1250"), "text/plain")
    assert found.json == {"text": text, "encoding": "windows-1250", "confidence": found.json["confidence"]}
    plain = service.ask("POST", "/v1/decode", text.encode("cp1250"), "text/plain", Accept="text/plain")
    assert plain.body.decode() == text and plain.headers["x-encoding"] == "windows-1250"


def test_addresses(service: Service) -> None:
    url = "https://www.example.com/nachrichten/wirtschaft/?a=b&c=d"
    expected = brief(IDENT.identify_url(url))
    assert service.ask("GET", f"/v1/url?url={quoted(url)}").json == expected
    assert service.post("/v1/url", {"url": url}).json == expected
    assert service.ask("POST", "/v1/url", url, "text/plain").json == expected
    explained = service.post("/v1/url", {"url": url, "explain": True}).json
    assert explained["explanation"]["names"]["deu_Latn"]["own_name"] == "Deutsch" and explained["evidence"]
    anchored = service.ask(
        "GET", "/v1/url?url=https://example.com/4711&anchor=Wettervorhersage+für+morgen".replace("ü", "%C3%BC")
    )
    assert anchored.json == brief(IDENT.identify_url("https://example.com/4711", anchor="Wettervorhersage für morgen"))
    urls = [url, None, "https://example.fr/actualites", "nothing"]
    found = service.post("/v1/urls", {"urls": urls}).json["verdicts"]
    assert found == [brief(v) for v in IDENT.identify_urls(urls)]
    lines = service.ask("POST", "/v1/urls", f"{url}\n\nhttps://example.fr/actualites\n", "text/plain").json["verdicts"]
    assert lines == [found[0], found[2]]


def test_labels(service: Service) -> None:
    found = service.ask("GET", "/v1/labels").json["labels"]
    assert [card["label"] for card in found] == sorted(IDENT.labels)
    assert found == json.loads(json.dumps(cards(IDENT)))
    greek = next(card for card in found if card["label"] == "ell_Grek")
    assert (greek["name"], greek["own_name"], greek["script_name"], greek["tier"]) == ("Greek", "Ελληνικά", "Greek", 1)
    assert [where["country"] for where in greek["countries"] if where["official"]] == ["GR", "CY"]


def test_shapes_that_people_call(service: Service) -> None:
    text = "Где находится библиотека и когда она открыта?"
    for body, kind in ((json.dumps({"q": text, "api_key": "x"}), "application/json"), (f"q={quoted(text)}", FORM)):
        found = service.ask("POST", "/detect", body, kind)
        assert found.json[0]["language"] == "ru" and found.json[0]["confidence"] > 90
    assert service.post("/detect", {"q": "1234"}).json == []  # and not English
    codes = {row["code"] for row in service.ask("GET", "/languages").json}
    assert {labels.bcp47(label) for label in IDENT.labels} == codes
    for path in ("/language/stream", "/language/string"):
        for kind in ("text/plain", FORM):  # the second is what curl -d says of anything
            assert service.ask("PUT", path, text.encode("koi8-r"), kind).body == b"ru"


def test_answers_have_the_documents_structure(service: Service) -> None:
    page = service.ask("POST", "/v1/identify?explain=1", GREEK, "text/html").body
    found = msgspec.json.decode(page, type=shown.Verdict, strict=True)
    assert not isinstance(found.explanation, msgspec.UnsetType)
    assert set(json.loads(page)) <= set(shown.Verdict.__struct_fields__)
    for name, kind in {"explanation": shown.Explanation}.items():
        assert set(json.loads(page)[name]) == set(kind.__struct_fields__)
    msgspec.json.decode(service.ask("POST", "/v1/segments", GREEK, "text/html").body, type=shown.Segmented)
    msgspec.json.decode(service.ask("POST", "/v1/decode", GREEK, "text/html").body, type=shown.Decoded)


def test_health_and_every_answers_headers(service: Service) -> None:
    assert service.ask("GET", "/healthz").json == {"status": "alive"}
    assert service.ask("GET", "/readyz").json == {"status": "ready"}
    for path in ("/healthz", "/", "/docs", "/nowhere", "/v1/labels"):
        found = service.ask("GET", path)
        assert found.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in found.headers and "server" not in found.headers
    assert "default-src 'none'" in service.ask("GET", "/").headers["content-security-policy"]
    assert service.ask("HEAD", "/healthz").body == b""


def test_a_text_is_not_taken_for_a_page(service: Service) -> None:
    text = "a < b and <p>b > c"
    assert service.post("/v1/identify", {"text": text}).json == brief(IDENT.identify_text(text))
    assert service.ask("POST", "/v1/identify", text, "text/html").json == brief(
        IDENT.identify_page(Page(text.encode(), headers={"content-type": "text/html"}))
    )
