"""The page in Chromium: input by typing, pasting and dropping, display, requests, and accessibility."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

import webtongue
from tests.browser import PATIENCE, browser, find_serious_violations
from tests.serve.pages import DESKTOP_WIDTH, OpenPage, open_page
from tests.serve.servers import Service, run_service
from webtongue.files import DATA
from webtongue.serve.files import PAGE

PHONE, TABLET = 360, 800
AXE_WIDTHS = (390, 820, 1440)
PHONE_SCREEN = (390, 844)
MAX_PAGE_BYTES = 300_000  # of all files of the page
MIXED = (
    "<html lang=de><h1>Willkommen im Museum am See</h1><p>Das Museum ist jeden Tag von zehn bis achtzehn Uhr geöffnet.</p>"
    "<p>Le musée est ouvert tous les jours de dix heures à dix-huit heures, et le dimanche il y a des visites.</p>"
)
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script> Wie spät ist es in Wien, und wo ist der Bahnhof?"
__all__ = ["browser"]  # a fixture
DROP = """([name, type, content]) => {
    const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], name, { type }));
    document.getElementById("input").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
DROP_LARGE = """() => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(13_000_000)], "large.html", { type: "text/html" }));
    document.getElementById("input").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


@pytest.fixture
def opened(browser: Any, service: Service) -> Iterator[OpenPage]:
    yield from open_page(browser, service)


def test_answers_appear_while_typing(opened: OpenPage) -> None:
    opened.type("Bókasafnið er opið alla daga vikunnar")
    assert opened.text(".own-name") == "íslenska" and opened.text(".english-name") == "Icelandic"
    assert opened.texts(".chip") == ["is", "Latin script"]
    assert "reliable" in opened.text(".confidence") and "Icelandic" in opened.page.text_content("#status")
    opened.page.wait_for_selector("#map svg path.home", state="attached", timeout=PATIENCE)
    assert "Iceland" in opened.page.get_attribute("#map svg", "aria-label")
    opened.page.type("#input", ". Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα της εβδομάδας για όλους", delay=1)
    opened.page.wait_for_function("() => document.querySelectorAll('#legend li').length === 2", timeout=PATIENCE)
    opened.page.fill("#input", "")
    opened.page.wait_for_selector("#empty:not([hidden])", timeout=PATIENCE)
    assert opened.console == []


def test_segments_are_coloured_with_a_legend(opened: OpenPage) -> None:
    opened.type(MIXED)
    assert opened.text("#detected-kind") == ": HTML"
    shown = opened.page.evaluate(
        """() => [...document.querySelectorAll("#text span")].map((span) =>
            [span.lang, span.className, getComputedStyle(span).backgroundColor, span.textContent.slice(0, 12)])"""
    )
    by_language = {lang: (name, colour) for lang, name, colour, _ in shown}
    assert set(by_language) == {"de", "fr"} and len(set(by_language.values())) == 2
    assert [text for lang, *_, text in shown if lang == "fr"] == ["Le musée est"]
    legend = opened.texts("#legend li")
    assert {row.split()[0] for row in legend} == {"German", "French"}
    assert sum(int(row.split()[-1].rstrip("%")) for row in legend) in range(98, 103)
    bits = opened.texts("#evidence .value")
    assert bits and all(re.fullmatch(r"[+−]\d+\.\d", value) for value in bits)
    assert "German" in opened.text("#evidence-lead") and opened.texts("#features li")


def test_a_dropped_file_in_a_legacy_encoding(opened: OpenPage) -> None:
    raw = "<meta charset=iso-8859-1><p>Knihovna je otevřena každý den kromě neděle od devíti do šesti.".encode("cp1250")
    opened.page.evaluate(DROP, ["knihovna.html", "text/html", base64.b64encode(raw).decode()])
    opened.wait_for_answer()
    assert opened.text(".own-name") == "čeština" and "knihovna.html" in opened.text("#file-name")
    rows = opened.text("#declarations")
    assert "windows-1250" in rows and "windows-1252" in rows and "differs" in rows
    assert "otevřena každý" in opened.text("#text")
    opened.page.click("#remove-file")
    opened.page.wait_for_selector("#empty:not([hidden])", timeout=PATIENCE)


def test_mojibake_is_shown_repaired(opened: OpenPage) -> None:
    right = "Die Bibliothek ist täglich geöffnet, außer an Feiertagen; für Schüler ist der Eintritt frei."
    opened.type(right.encode().decode("cp1252"))
    assert opened.page.is_visible("#repaired") and right in opened.text("#text")
    opened.type(right)
    assert not opened.page.is_visible("#repaired")


def test_a_url_is_analysed_and_never_fetched(opened: OpenPage) -> None:
    opened.type("https://www.example.com/nachrichten/wirtschaft/")
    assert opened.text("#detected-kind") == ": URL" and opened.text(".own-name") == "Deutsch"
    assert "URL" in opened.text("#evidence") and "/nachrichten/wirtschaft/" in opened.text("#declarations")
    assert not [url for url in opened.requests if not url.startswith(opened.root)]


def test_right_to_left(opened: OpenPage) -> None:
    opened.type("הספרייה פתוחה בכל יום מתשע בבוקר עד שמונה בערב, והכניסה חופשית לכולם.")
    assert opened.page.get_attribute(".own-name", "dir") == "rtl"
    directions = "(selector) => getComputedStyle(document.querySelector(selector)).direction"
    assert opened.page.evaluate(directions, "#text .block") == "rtl"
    assert opened.page.evaluate(directions, "#input") == "rtl"
    assert opened.page.evaluate(directions, "body") == "ltr"


def test_errors_are_shown(browser: Any) -> None:
    with run_service("--no-access-log", "--limit-body", "2K") as small:
        for opened in open_page(browser, small):
            opened.page.fill("#input", "a" * 4000)
            opened.page.wait_for_selector("#error:not([hidden])", timeout=PATIENCE)
            assert "too large" in opened.text("#error") and "2,048" in opened.text("#error")
            opened.type("Hvar er bókasafnið og hvenær er það opið?")
            assert not opened.page.is_visible("#error")
            small.stop()
            opened.page.fill("#input", "Og hvað svo?")
            opened.page.wait_for_selector("#error:not([hidden])", timeout=PATIENCE)
            assert "does not answer" in opened.text("#error")


def test_a_key_can_be_entered_where_it_is_required(browser: Any) -> None:
    with run_service("--no-access-log", environment={"WEBTONGUE_API_KEYS": "sesame"}) as guarded:
        for opened in open_page(browser, guarded):
            opened.page.fill("#input", "Hvar er bókasafnið og hvenær er það opið?")
            opened.page.wait_for_selector("#key-row:not([hidden])", timeout=PATIENCE)
            opened.page.fill("#key", "sesame")
            opened.wait_for_answer()
            assert opened.text(".own-name") == "íslenska"


def test_pasted_scripts_do_not_run(opened: OpenPage) -> None:
    opened.type(HOSTILE)
    opened.page.click("input[name=kind][value=text] + span")
    opened.wait_for_answer()
    assert "<script>" in opened.text("#text")
    assert opened.page.locator("#answer img, #answer script").count() == 0
    assert opened.page.evaluate("window.violations") == [] and opened.console == []


def test_no_request_to_other_hosts(browser: Any, service: Service) -> None:
    for opened in open_page(browser, service):
        for text in (MIXED, HOSTILE, "https://example.org/a"):
            opened.type(text)
        opened.page.wait_for_timeout(200)
        assert opened.requests and all(url.startswith(opened.root) for url in opened.requests)
        assert not any("example.org" in url or "museum" in url.lower() for url in opened.requests)


def test_a_link_contains_the_state_in_its_fragment(browser: Any, service: Service) -> None:
    text = "Le musée est ouvert tous les jours; 'quotes' and \"more\" & <tags>"
    address = ""
    for opened in open_page(browser, service):
        opened.page.click("summary")
        opened.page.fill("#url", "https://example.ch/")
        opened.page.fill("#input", text)
        opened.page.click("input[name=kind][value=html] + span")
        opened.page.wait_for_function("() => location.hash.startsWith('#s=')", timeout=PATIENCE)
        opened.page.wait_for_timeout(300)
        address = opened.page.url
    assert "mus" not in address.partition("#")[0]
    for again in open_page(browser, service, path=address.removeprefix(service.root)):
        again.wait_for_answer()
        assert again.page.input_value("#input") == text and again.page.input_value("#url") == "https://example.ch/"
        assert again.page.is_checked("input[name=kind][value=html]") and again.text(".own-name") == "français"
    for damaged in open_page(browser, service, path="#s=%%%damaged"):
        assert damaged.page.is_visible("#empty") and damaged.console == []


def test_copied_code_gets_the_same_answer(browser: Any, service: Service) -> None:
    allowed = {"permissions": ["clipboard-read", "clipboard-write"]}
    for opened in open_page(browser, service, **allowed):
        opened.type("Wo ist 'der' Bahnhof, bitte, und wann kommt der \"Zug\"?")
        copies = {}
        for kind in ("json", "curl", "python", "link"):
            opened.page.click(f"[data-copy={kind}]")
            opened.page.wait_for_selector("#copied:not(:empty)", state="attached", timeout=PATIENCE)
            copies[kind] = opened.page.evaluate("navigator.clipboard.readText()")
        assert json.loads(copies["json"])["label"] == "deu_Latn" and "explanation" not in json.loads(copies["json"])
        assert copies["link"] == opened.page.url
        names: dict[str, Any] = {}
        exec(compile(copies["python"], "copied", "exec"), names)
        assert names["v"].label == "deu_Latn"
        import shlex

        words = shlex.split(copies["curl"])
        assert words[0] == "curl" and words[2] == f"{service.root}v1/identify"
        assert service.request("POST", "/v1/identify", words[-1], "application/json").json["label"] == "deu_Latn"


@pytest.mark.parametrize("width", [PHONE, TABLET, DESKTOP_WIDTH])
def test_nothing_is_wider_than_the_window(browser: Any, service: Service, width: int) -> None:
    for opened in open_page(browser, service, width):
        for text in (MIXED, "https://www.example.com/" + "a" * 300, "1234", "x" * 4000):
            opened.type(text)
            assert opened.page.evaluate(
                "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
            ), text[:20]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", AXE_WIDTHS)
def test_axe_finds_nothing_serious(browser: Any, service: Service, width: int, scheme: str) -> None:
    options = {"color_scheme": scheme, "bypass_csp": True, "reduced_motion": "reduce"}
    for opened in open_page(browser, service, width, **options):
        assert not find_serious_violations(opened.page)
        hebrew = "הספרייה פתוחה בכל יום מתשע בבוקר עד שמונה בערב."
        for text in (MIXED, hebrew, "1234", "hej hej", "https://example.com/de/wetter"):
            opened.type(text)
            opened.page.wait_for_timeout(100)
            assert not find_serious_violations(opened.page), text[:20]
        opened.page.evaluate(DROP_LARGE)
        opened.page.wait_for_selector("#error:not([hidden])", timeout=PATIENCE)
        assert not find_serious_violations(opened.page)


def test_a_refused_file_removes_the_answer_before_it(browser: Any, service: Service) -> None:
    for opened in open_page(browser, service):
        raw = "<p>Bókasafnið er opið alla daga vikunnar og aðgangur er ókeypis.".encode()
        opened.page.evaluate(DROP, ["first.html", "text/html", base64.b64encode(raw).decode()])
        opened.wait_for_answer()
        assert opened.text(".own-name") == "íslenska"
        opened.page.wait_for_function("() => location.hash", timeout=PATIENCE)
        opened.page.evaluate(DROP_LARGE)
        opened.page.wait_for_selector("#error:not([hidden])", timeout=PATIENCE)
        assert "large.html" in opened.text("#error") and "too large" in opened.text("#error")
        for selector in ("#verdict", "#empty", "#pending", "#file"):
            assert not opened.page.is_visible(selector), selector
        assert opened.page.text_content("#status") == "" and opened.page.evaluate("location.hash") == ""


def test_a_refused_text_removes_the_answer_before_it(browser: Any) -> None:
    with run_service("--no-access-log", "--limit-body", "2K") as small:
        for opened in open_page(browser, small):
            opened.type("Hvar er bókasafnið og hvenær er það opið?")
            assert opened.page.is_visible("#verdict")
            opened.page.fill("#input", "a" * 4000)
            opened.page.wait_for_selector("#error:not([hidden])", timeout=PATIENCE)
            assert not opened.page.is_visible("#verdict")


def test_the_answer_is_on_the_first_screen_of_a_phone(browser: Any, service: Service) -> None:
    width, height = PHONE_SCREEN
    for opened in open_page(browser, service, width, screen={"width": width, "height": height}):
        opened.page.set_viewport_size({"width": width, "height": height})
        for text in (MIXED, "hej hej", "1234", "Wo ist der Bahnhof, bitte, und wann kommt der Zug?"):
            opened.type(text)
            box = opened.page.locator("#names").bounding_box()
            assert opened.page.evaluate("scrollY") == 0
            assert box["y"] < height / 2 and box["y"] + box["height"] < height, (text, box)


@pytest.mark.parametrize("width", AXE_WIDTHS)
def test_input_controls_and_answer_stay_in_place_while_typing(browser: Any, service: Service, width: int) -> None:
    positions = """() => ["input", "controls", "metadata", "answer", "headline"].map((id) => {
        const { top, left, width } = document.getElementById(id).getBoundingClientRect();
        return [id, top + scrollY, left, width];
    })"""
    sentence = "Vlak kasni deset minuta, pa idemo pješice do kazališta."
    for opened in open_page(browser, service, width):
        opened.type(sentence[:2])
        first = opened.page.evaluate(positions)
        for end in range(4, len(sentence), 4):
            opened.type(sentence[:end])
            assert opened.page.evaluate(positions) == first, sentence[:end]


def test_the_footer_has_version_licence_source_and_privacy(opened: OpenPage) -> None:
    footer = opened.text("footer")
    assert f"webtongue {webtongue.__version__}" in footer and "Apache License 2.0" in footer
    assert "Source:" in footer and "nothing that you enter is stored" in footer


def test_countries_with_most_speakers_are_named_first(opened: OpenPage) -> None:
    opened.type("The library is open every day of the week, and children are welcome.")
    opened.page.wait_for_selector("#map figcaption", timeout=PATIENCE)
    assert opened.text("#map figcaption").startswith("United States, India, ")


def test_everything_is_reachable_by_keyboard(opened: OpenPage) -> None:
    opened.page.keyboard.type("Hvar er bókasafnið og hvenær er það opið?")  # the input has the focus from the start
    opened.wait_for_answer()
    seen = []
    for _ in range(24):
        opened.page.keyboard.press("Tab")
        seen.append(
            opened.page.evaluate(
                "document.activeElement.id || document.activeElement.dataset.copy || document.activeElement.name"
            )
        )
    assert {"kind", "pick-file", "text", "link", "json", "curl", "python"} <= set(seen)


def test_the_page_is_small(service: Service) -> None:
    files = [path for path in PAGE.iterdir() if path.is_file()]
    assert sum(path.stat().st_size for path in [*files, DATA / "world.json"]) < MAX_PAGE_BYTES
    index = service.request("GET", "/").body.decode()
    assert "http://" not in index.replace("https://", "http://").replace('placeholder="http://example.is/frettir"', "")
    tag = service.request("GET", "/page/main.mjs").headers["etag"]
    assert service.request("GET", "/page/main.mjs", If_None_Match=tag).status == 304
    assert service.request("GET", "/page/main.mjs", Accept_Encoding="gzip").headers["content-encoding"] == "gzip"
