"""The answers of each path of a running service, which equal those of the library."""

from __future__ import annotations

import base64
import json
from functools import partial
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest

import webtongue
from tests.serve.servers import Service, head
from webtongue import Identifier, Inlink, Page, labels
from webtongue.serve import answers, schemas
from webtongue.serve.answers import EXPLAIN_FIELDS
from webtongue.serve.label_info import describe_labels
from webtongue.serve.requests import UrlsRequest

PAGES = sorted(Path("examples/pages").glob("*.html"))
IDENT = Identifier()
FORM = "application/x-www-form-urlencoded"
GREEK = "<html lang=el><p>Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα."


quote_all = partial(quote, safe="")


def to_row(verdict: webtongue.Verdict) -> dict[str, object]:
    return {name: value for name, value in to_explained_row(verdict).items() if name not in EXPLAIN_FIELDS}


def to_explained_row(verdict: webtongue.Verdict) -> dict[str, object]:
    """Return the JSON of a verdict as the service sends it, with six decimals."""
    row: dict[str, object] = json.loads(verdict.to_json())
    return row | {"encoding_confidence": round(verdict.encoding_confidence, 6)}


@pytest.mark.parametrize("path", PAGES[::4], ids=lambda path: path.name)
def test_a_raw_page_is_answered_as_the_library_answers(service: Service, path: Path) -> None:
    raw, url = path.read_bytes(), "https://example.com/a"
    kind = "text/html; charset=utf-8"
    headers = {"content-type": kind, "content-language": "de"}
    expected = IDENT.identify(raw, url, headers)
    answer = service.request("POST", f"/v1/identify?url={url}", raw, kind, Content_Language="de")
    assert answer.status == 200 and answer.headers["content-type"] == "application/json"
    assert answer.json == to_row(expected)
    explained = service.request("POST", f"/v1/identify?explain=1&url={url}", raw, kind, Content_Language="de").json
    explanation = explained.pop("explanation")
    assert explained == to_explained_row(expected)
    assert all(block["pieces"] for block in explanation["text"])


def test_pages_in_base64(service: Service) -> None:
    for path in PAGES[1::4]:
        raw = path.read_bytes()
        answer = service.post("/v1/identify", {"base64": base64.b64encode(raw).decode()})
        assert answer.json == to_row(IDENT.identify(raw)), path.name


def test_text_and_html_with_metadata(service: Service) -> None:
    text = "Wie spät ist es in Wien?"
    assert service.post("/v1/identify", {"text": text}).json == to_row(IDENT.identify_text(text))
    links = [{"url": "https://example.is/", "language": "is"}, {"hreflang": "is", "confidence": 0.5}]
    request = {"html": "<p>Halló", "url": "https://example.is/x", "country": "IS", "inlinks": links, "host": {"is": 4}}
    request["headers"] = {"Content-Language": "is"}
    expected = IDENT.identify(
        "<p>Halló".encode(), "https://example.is/x", {"Content-Language": "is"}, country="IS", host={"is": 4},
        inlinks=[Inlink("https://example.is/", "is"), Inlink(confidence=0.5, hreflang="is")],
    )  # fmt: skip
    assert service.post("/v1/identify", request).json == to_row(expected)


def test_query_fields_complete_the_json(service: Service) -> None:
    text = {"html": "<p>Trenutno nedostupno"}
    answer = service.post("/v1/identify?url=https://example.hr/&country=HR", text).json
    assert answer == to_row(IDENT.identify(b"<p>Trenutno nedostupno", "https://example.hr/", country="HR"))
    assert service.post("/v1/identify?country=SI", text | {"country": "HR"}).json["country"] == "HR"


def test_a_country_by_ip_address_has_an_attribution(service: Service) -> None:
    answer = service.request("POST", "/v1/identify?ip=185.112.144.1", GREEK, "text/html").json
    assert answer["country"] == "IS" and answer["country_source"] == IDENT.attribution != ""
    assert "country_source" not in service.request("POST", "/v1/identify?country=IS", GREEK, "text/html").json


def test_explanations_contain_the_text_by_language(service: Service) -> None:
    text = (
        "Das Museum ist jeden Tag bis achtzehn Uhr geöffnet, und der Eintritt ist frei. "
        "Le musée est ouvert tous les jours jusqu'à dix-huit heures. Музей открыт каждый день до шести часов вечера."
    )
    answer = service.post("/v1/identify?explain=1", {"text": text}).json["explanation"]
    pieces = [piece for block in answer["text"] for piece in block["pieces"]]
    assert "".join(piece["text"] for piece in pieces) == text
    assert {piece["label"] for piece in pieces} == {"deu_Latn", "fra_Latn", "rus_Cyrl"}
    assert next(p["label"] for p in pieces if "Музей" in p["text"]) == "rus_Cyrl"
    for feature in answer["features"]:
        assert feature["gram"].strip() in text.lower() and feature["bits"]
    assert answer["names"]["rus_Cyrl"]["own_name"] == "русский"


def test_a_conflict_of_text_and_evidence_is_explained(service: Service) -> None:
    for tag, sentence in (("de", "the text overrules the declared language (German)"), ("en", "")):
        raw = f"<html lang={tag}><p>The library opens at nine and closes at six on all days of the week.".encode()
        answer = service.request("POST", "/v1/identify?explain=1", raw, "text/html").json
        assert (answer["label"], answer["explanation"]["conflict"]) == ("eng_Latn", sentence)


def test_segments_of_a_page_in_a_legacy_encoding(service: Service) -> None:
    parts = [
        "Bókasafnið er opið alla daga vikunnar til klukkan níu.",
        "The library is open every day of the week until nine.",
    ]
    raw = f"<html><p>{parts[0]}</p><p>{parts[1]}</p>".encode("cp1252")
    answer = service.request("POST", "/v1/segments", raw, "text/html").json
    assert [block["pieces"] for block in answer["text"]] == [
        [{"text": parts[0], "label": "isl_Latn"}], [{"text": parts[1], "label": "eng_Latn"}],
    ]  # fmt: skip
    assert [tuple(s.values()) for s in answer["segments"]] == [tuple(s) for s in IDENT.identify(raw).segments]


def test_mojibake_is_repaired(service: Service) -> None:
    right = "Die Bibliothek ist täglich geöffnet, außer an Feiertagen; für Schüler ist der Eintritt frei."
    answer = service.post("/v1/identify?explain=1", {"text": right.encode().decode("cp1252")}).json["explanation"]
    assert answer["repaired"] and answer["text"][0]["pieces"][0]["text"] == right
    assert not service.post("/v1/identify?explain=1", {"text": right}).json["explanation"]["repaired"]


def test_decode(service: Service) -> None:
    text = "Žluťoučký kůň pěl ďábelské ódy"
    answer = service.request("POST", "/v1/decode", text.encode("cp1250"), "text/plain")
    assert answer.json == {"text": text, "encoding": "windows-1250", "confidence": answer.json["confidence"]}
    plain = service.request("POST", "/v1/decode", text.encode("cp1250"), "text/plain", Accept="text/plain")
    assert plain.body.decode() == text and plain.headers["x-encoding"] == "windows-1250"


def test_urls(service: Service) -> None:
    url = "https://www.example.com/nachrichten/wirtschaft/?a=b&c=d"
    expected = to_row(IDENT.identify_url(url))
    assert service.request("GET", f"/v1/url?url={quote_all(url)}").json == expected
    assert service.post("/v1/url", {"url": url}).json == expected
    assert service.request("POST", "/v1/url", url, "text/plain").json == expected
    explained = service.post("/v1/url", {"url": url, "explain": True}).json
    assert explained["explanation"]["names"]["deu_Latn"]["own_name"] == "Deutsch" and explained["evidence"]
    anchored = service.request(
        "GET", "/v1/url?url=https://example.com/4711&anchor=Wettervorhersage+für+morgen".replace("ü", "%C3%BC")
    )
    assert anchored.json == to_row(IDENT.identify_url("https://example.com/4711", anchor="Wettervorhersage für morgen"))
    urls = [url, None, "https://example.fr/actualites", "nothing"]
    answer = service.post("/v1/urls", {"urls": urls}).json["verdicts"]
    assert answer == [to_row(v) for v in IDENT.identify_urls(urls)]
    lines = service.request("POST", "/v1/urls", f"{url}\n\nhttps://example.fr/actualites\n", "text/plain").json[
        "verdicts"
    ]
    assert lines == [answer[0], answer[2]]


@pytest.mark.parametrize("is_explained", [True, False])
def test_flags_are_the_same_in_json_and_in_a_query(service: Service, is_explained: bool) -> None:
    url, text = "https://www.example.com/nachrichten/", "Wie spät ist es in Wien?"
    bodies: dict[str, dict[str, object]] = {"/v1/url": {"url": url}, "/v1/urls": {"urls": [url]}}
    for flag in (is_explained, int(is_explained)):
        for path in ("/v1/identify", "/v1/url", "/v1/urls", "/v1/identify/batch"):
            body = bodies.get(path, {"text": text})
            in_json = service.post(path, body | {"explain": flag})
            in_query = service.post(f"{path}?explain={json.dumps(flag)}", body)
            assert in_json.status == in_query.status == 200, (path, flag, in_json.body)
            assert in_json.body == in_query.body and (b'"evidence"' in in_json.body) == is_explained


@pytest.mark.parametrize("value", ["yes", "1", 2, None, 1.5])
def test_other_flags_are_refused(service: Service, value: object) -> None:
    reply = service.post("/v1/identify", {"text": "a", "explain": value})
    assert reply.status == 422 and reply.json["pointer"] == "/explain"
    assert reply.json["detail"] == "explain must be true or false, or 1 or 0"


def test_evidence_of_urls_is_computed_only_with_explain(monkeypatch: pytest.MonkeyPatch) -> None:
    urls = ["https://www.example.com/nachrichten/wirtschaft/", None, "nothing", "https://example.com/" + "a" * 5000]
    expected = answers.identify_urls(UrlsRequest(urls, explain=True), IDENT)
    monkeypatch.setattr(webtongue.url, "explain", lambda *_: pytest.fail("evidence is computed and dropped"))
    rows = answers.identify_urls(UrlsRequest(urls), IDENT)
    assert rows == [{name: row[name] for name in row if name not in EXPLAIN_FIELDS} for row in expected]
    assert expected[0]["evidence"] and expected[0]["languages"]


def test_labels(service: Service) -> None:
    answer = service.request("GET", "/v1/labels").json["labels"]
    assert [info["label"] for info in answer] == sorted(IDENT.labels)
    assert answer == json.loads(json.dumps(describe_labels(IDENT)))
    greek = next(info for info in answer if info["label"] == "ell_Grek")
    assert (greek["name"], greek["own_name"], greek["script_name"], greek["tier"]) == ("Greek", "Ελληνικά", "Greek", 1)
    assert [country["country"] for country in greek["countries"] if country["official"]] == ["GR", "CY"]


def test_libretranslate_and_tika_clients(service: Service) -> None:
    text = "Где находится библиотека и когда она открыта?"
    for body, kind in ((json.dumps({"q": text, "api_key": "x"}), "application/json"), (f"q={quote_all(text)}", FORM)):
        answer = service.request("POST", "/detect", body, kind)
        assert answer.json[0]["language"] == "ru" and answer.json[0]["confidence"] > 90
    assert service.post("/detect", {"q": "1234"}).json == []  # not English
    codes = {row["code"] for row in service.request("GET", "/languages").json}
    assert {labels.bcp47(label) for label in IDENT.labels} == codes
    for path in ("/language/stream", "/language/string"):
        for kind in ("text/plain", FORM):  # curl -d sends the second with any body
            assert service.request("PUT", path, text.encode("koi8-r"), kind).body == b"ru"


def test_answers_match_the_schemas(service: Service) -> None:
    page = service.request("POST", "/v1/identify?explain=1", GREEK, "text/html").body
    answer = msgspec.json.decode(page, type=schemas.Verdict, strict=True)
    assert not isinstance(answer.explanation, msgspec.UnsetType)
    assert set(json.loads(page)) <= set(schemas.Verdict.__struct_fields__)
    assert set(json.loads(page)["explanation"]) == set(schemas.Explanation.__struct_fields__)
    msgspec.json.decode(service.request("POST", "/v1/segments", GREEK, "text/html").body, type=schemas.Segments)
    msgspec.json.decode(service.request("POST", "/v1/decode", GREEK, "text/html").body, type=schemas.DecodedPage)


def test_health_and_common_headers(service: Service) -> None:
    assert service.request("GET", "/healthz").json == {"status": "alive"}
    assert service.request("GET", "/readyz").json == {"status": "ready"}
    for path in ("/healthz", "/", "/docs", "/nowhere", "/v1/labels"):
        answer = service.request("GET", path)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in answer.headers and "server" not in answer.headers
    assert "default-src 'none'" in service.request("GET", "/").headers["content-security-policy"]
    assert service.request("HEAD", "/healthz").body == b""


@pytest.mark.parametrize(
    ("path", "value"),
    [("/", "no-cache"), ("/page/main.mjs", "no-cache"), ("/docs", "no-cache"), ("/v1/labels", "private, max-age=3600"),
     ("/healthz", "no-store"), ("/nowhere", "no-store"), ("/v1/url?url=a.is", "no-store")],
)  # fmt: skip
def test_a_response_has_one_cache_control(service: Service, path: str, value: str) -> None:
    sent = head("GET", path, "Connection: close")
    fields = service.send_raw(sent).partition(b"\r\n\r\n")[0].decode("latin-1").lower().split("\r\n")
    assert [field for field in fields if field.startswith("cache-control:")] == [f"cache-control: {value}"]


def test_a_text_is_not_parsed_as_html(service: Service) -> None:
    text = "a < b and <p>b > c"
    assert service.post("/v1/identify", {"text": text}).json == to_row(IDENT.identify_text(text))
    assert service.request("POST", "/v1/identify", text, "text/html").json == to_row(
        IDENT.analyze(Page(text.encode(), headers={"content-type": "text/html"})).verdict
    )
