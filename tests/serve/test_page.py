"""The page in a real Chromium: typed, pasted, dropped; what is shown, what leaves, and who can use it."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.browser import PATIENCE, browser
from tests.serve.servers import Service, serving
from webtongue.files import DATA
from webtongue.serve.files import PAGE

PHONE, TABLET, DESK = 360, 800, 1400
LARGEST = 300_000  # bytes of all that the page is made of
MIXED = (
    "<html lang=de><h1>Willkommen im Museum am See</h1><p>Das Museum ist jeden Tag von zehn bis achtzehn Uhr geöffnet.</p>"
    "<p>Le musée est ouvert tous les jours de dix heures à dix-huit heures, et le dimanche il y a des visites.</p>"
)
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script> Wie spät ist es in Wien, und wo ist der Bahnhof?"
__all__ = ["browser"]  # a fixture
VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));
"""
DROP = """([name, type, content]) => {
    const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], name, { type }));
    document.getElementById("input").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


@dataclass
class Opened:
    """The page, open, and what it did meanwhile."""

    page: Any
    root: str
    said: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    _answers: int = 0

    def answered(self) -> None:
        """Wait for the next answer."""
        self._answers += 1
        self.page.wait_for_function(
            "(count) => Number(document.documentElement.dataset.answered ?? 0) >= count",
            arg=self._answers,
            timeout=PATIENCE,
        )
        self._answers = int(self.page.evaluate("document.documentElement.dataset.answered"))

    def type(self, text: str) -> None:
        self.page.fill("#input", text, timeout=PATIENCE)
        self.answered()

    def text(self, selector: str) -> str:
        found: str = self.page.inner_text(selector, timeout=PATIENCE)
        return found

    def texts(self, selector: str) -> list[str]:
        found: list[str] = self.page.locator(selector).all_inner_texts()
        return found


@pytest.fixture
def opened(browser: Any, service: Service) -> Iterator[Opened]:
    yield from opening(browser, service)


def opening(browser: Any, service: Service, width: int = DESK, path: str = "", **options: Any) -> Iterator[Opened]:
    context = browser.new_context(viewport={"width": width, "height": 900}, **options)
    page = context.new_page()
    found = Opened(page, service.root)
    page.add_init_script(VIOLATIONS)
    page.on("console", lambda message: found.said.append(message.text))
    page.on("pageerror", lambda error: found.said.append(str(error)))
    page.on("request", lambda request: found.requests.append(request.url))
    page.goto(service.root + path, timeout=PATIENCE)
    page.wait_for_selector("html[data-ready]", state="attached", timeout=PATIENCE)
    try:
        yield found
    finally:
        context.close()


def test_an_answer_as_one_types(opened: Opened) -> None:
    opened.type("Bókasafnið er opið alla daga vikunnar")
    assert opened.text(".own") == "íslenska" and opened.text(".english") == "Icelandic"
    assert opened.texts(".chip") == ["is", "Latin script"]
    assert "sure" in opened.text(".sureness") and "Icelandic" in opened.page.text_content("#said")
    opened.page.wait_for_selector("#map svg path.home", state="attached", timeout=PATIENCE)
    assert "Iceland" in opened.page.get_attribute("#map svg", "aria-label")
    opened.page.type("#input", ". Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα της εβδομάδας για όλους", delay=1)
    opened.page.wait_for_function("() => document.querySelectorAll('#legend li').length === 2", timeout=PATIENCE)
    opened.page.fill("#input", "")
    opened.page.wait_for_selector("#nothing:not([hidden])", timeout=PATIENCE)
    assert opened.said == []


def test_segments_are_coloured_with_a_legend(opened: Opened) -> None:
    opened.type(MIXED)
    assert opened.text("#found") == ": HTML"
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
    assert "German" in opened.text("#why-lead") and opened.texts("#telling li")


def test_a_dropped_file_in_an_old_encoding(opened: Opened) -> None:
    raw = "<meta charset=iso-8859-1><p>Knihovna je otevřena každý den kromě neděle od devíti do šesti.".encode("cp1250")
    opened.page.evaluate(DROP, ["knihovna.html", "text/html", base64.b64encode(raw).decode()])
    opened.answered()
    assert opened.text(".own") == "čeština" and "knihovna.html" in opened.text("#file-name")
    rows = opened.text("#encoding")
    assert "windows-1250" in rows and "windows-1252" in rows and "differs" in rows
    assert "otevřena každý" in opened.text("#text")
    opened.page.click("#forget")
    opened.page.wait_for_selector("#nothing:not([hidden])", timeout=PATIENCE)


def test_misread_text_is_shown_put_right(opened: Opened) -> None:
    right = "Die Bibliothek ist täglich geöffnet, außer an Feiertagen; für Schüler ist der Eintritt frei."
    opened.type(right.encode().decode("cp1252"))
    assert opened.page.is_visible("#misread") and right in opened.text("#text")
    opened.type(right)
    assert not opened.page.is_visible("#misread")


def test_an_address_is_read_and_never_fetched(opened: Opened) -> None:
    opened.type("https://www.example.com/nachrichten/wirtschaft/")
    assert opened.text("#found") == ": address" and opened.text(".own") == "Deutsch"
    assert "Its address" in opened.text("#evidence") and "/nachrichten/wirtschaft/" in opened.text("#encoding")
    assert not [url for url in opened.requests if not url.startswith(opened.root)]


def test_right_to_left(opened: Opened) -> None:
    opened.type("הספרייה פתוחה בכל יום מתשע בבוקר עד שמונה בערב, והכניסה חופשית לכולם.")
    assert opened.page.get_attribute(".own", "dir") == "rtl"
    directions = "(selector) => getComputedStyle(document.querySelector(selector)).direction"
    assert opened.page.evaluate(directions, "#text .block") == "rtl"
    assert opened.page.evaluate(directions, "#input") == "rtl"
    assert opened.page.evaluate(directions, "body") == "ltr"


def test_errors_are_shown(browser: Any) -> None:
    with serving("--no-access-log", "--limit-body", "2K") as small:
        for opened in opening(browser, small):
            opened.page.fill("#input", "a" * 4000)
            opened.page.wait_for_selector("#error:not([hidden])", timeout=PATIENCE)
            assert "too large" in opened.text("#error") and "2,048" in opened.text("#error")
            opened.type("Hvar er bókasafnið og hvenær er það opið?")
            assert not opened.page.is_visible("#error")
            small.stop()
            opened.page.fill("#input", "Og hvað svo?")
            opened.page.wait_for_selector("#error:not([hidden])", timeout=PATIENCE)
            assert "does not answer" in opened.text("#error")


def test_a_key_is_asked_for_where_it_is_needed(browser: Any) -> None:
    with serving("--no-access-log", environment={"WEBTONGUE_API_KEYS": "sesame"}) as guarded:
        for opened in opening(browser, guarded):
            opened.page.fill("#input", "Hvar er bókasafnið og hvenær er það opið?")
            opened.page.wait_for_selector("#key-row:not([hidden])", timeout=PATIENCE)
            opened.page.fill("#key", "sesame")
            opened.answered()
            assert opened.text(".own") == "íslenska"


def test_what_is_pasted_does_nothing(opened: Opened) -> None:
    opened.type(HOSTILE)
    opened.page.click("input[name=kind][value=text] + span")
    opened.answered()
    assert "<script>" in opened.text("#text")
    assert opened.page.locator("#answer img, #answer script").count() == 0
    assert opened.page.evaluate("window.violations") == [] and opened.said == []


def test_nothing_leaves(browser: Any, service: Service) -> None:
    for opened in opening(browser, service):
        for text in (MIXED, HOSTILE, "https://example.org/a"):
            opened.type(text)
        opened.page.wait_for_timeout(200)
        assert opened.requests and all(url.startswith(opened.root) for url in opened.requests)
        assert not any("example.org" in url or "museum" in url.lower() for url in opened.requests)


def test_a_link_carries_the_state_in_its_fragment(browser: Any, service: Service) -> None:
    text = "Le musée est ouvert tous les jours; 'quotes' and \"more\" & <tags>"
    address = ""
    for opened in opening(browser, service):
        opened.page.click("summary")
        opened.page.fill("#url", "https://example.ch/")
        opened.page.fill("#input", text)
        opened.page.click("input[name=kind][value=html] + span")
        opened.page.wait_for_function("() => location.hash.startsWith('#s=')", timeout=PATIENCE)
        opened.page.wait_for_timeout(300)
        address = opened.page.url
    assert "mus" not in address.partition("#")[0]
    for again in opening(browser, service, path=address.removeprefix(service.root)):
        again.answered()
        assert again.page.input_value("#input") == text and again.page.input_value("#url") == "https://example.ch/"
        assert again.page.is_checked("input[name=kind][value=html]") and again.text(".own") == "français"
    for damaged in opening(browser, service, path="#s=%%%damaged"):
        assert damaged.page.is_visible("#nothing") and damaged.said == []


def test_copies_are_true(browser: Any, service: Service) -> None:
    allowed = {"permissions": ["clipboard-read", "clipboard-write"]}
    for opened in opening(browser, service, **allowed):
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
        assert service.ask("POST", "/v1/identify", words[-1], "application/json").json["label"] == "deu_Latn"


@pytest.mark.parametrize("width", [PHONE, TABLET, DESK])
def test_nothing_is_wider_than_the_window(browser: Any, service: Service, width: int) -> None:
    for opened in opening(browser, service, width):
        for text in (MIXED, "https://www.example.com/" + "a" * 300, "1234", "x" * 4000):
            opened.type(text)
            assert opened.page.evaluate(
                "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
            ), text[:20]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Any, service: Service, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs the package axe-playwright-python")
    for opened in opening(browser, service, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce"):
        for text in (
            "",
            MIXED,
            "הספרייה פתוחה בכל יום מתשע בבוקר עד שמונה בערב.",
            "1234",
            "https://example.com/de/wetter",
        ):
            if text:
                opened.type(text)
                opened.page.wait_for_timeout(100)
            found = axe.Axe().run(opened.page).response["violations"]
            grave = [
                (rule["id"], rule["nodes"][0]["html"][:200])
                for rule in found
                if rule["impact"] in ("serious", "critical")
            ]
            assert not grave, (text[:20], grave)


def test_it_works_by_keyboard_alone(opened: Opened) -> None:
    opened.page.keyboard.type("Hvar er bókasafnið og hvenær er það opið?")  # the box has the focus from the start
    opened.answered()
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
    assert sum(path.stat().st_size for path in [*files, DATA / "world.json"]) < LARGEST
    index = service.ask("GET", "/").body.decode()
    assert "http://" not in index.replace("https://", "http://").replace('placeholder="http://example.is/frettir"', "")
    tag = service.ask("GET", "/page/main.mjs").headers["etag"]
    assert service.ask("GET", "/page/main.mjs", If_None_Match=tag).status == 304
    assert service.ask("GET", "/page/main.mjs", Accept_Encoding="gzip").headers["content-encoding"] == "gzip"
