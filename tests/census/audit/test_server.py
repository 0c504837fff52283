"""The page of a judge: its HTTP server, and the page itself in Chromium, with text that tries to run."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.browser import PATIENCE, browser  # noqa: F401
from tests.census import synthetic_rows
from webtongue import UsageError
from webtongue.census.audit.judgements import read_judgements
from webtongue.census.audit.sample import draw_items
from webtongue.census.audit.server import JudgingServer

HOSTILE = (
    "<script>document.title = 'taken'</script><img src=x onerror=\"document.title='taken'\"> \u202egnihtyna </pre>"
)


def make_server(out: Path, judge: str = "anna", text: str = "Halló heimur") -> JudgingServer:
    rows = [
        {"label": "isl_Latn", "url": f"https://h{n}.example/{HOSTILE}", "warc_filename": "a", "warc_record_offset": n, "text": text,
         "country": "IS", "confidence": 0.75, "bits_text": 9.5, "bits_url": 2.0}
        for n in range(5)
    ]  # fmt: skip
    if not out.exists():
        synthetic_rows.save(out, synthetic_rows.table(rows))
    return JudgingServer(out, draw_items(out, ("isl",), 5), judge)


@contextmanager
def running(server: JudgingServer) -> Iterator[JudgingServer]:
    thread = Thread(target=server.serve)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join(30)
        assert not thread.is_alive()


def ask(
    server: JudgingServer, method: str, path: str, body: Any = None, **headers: str
) -> tuple[int, Any, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    data = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else None
    connection.request(method, path, data, {"Content-Type": "application/json", **headers})
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response.status, content, dict(response.getheaders())


def wait_for(page: Any, name: str, text: str) -> None:
    """Wait until an element contains a text; the policy of the page does not let Playwright evaluate code there."""
    from playwright.sync_api import expect

    expect(page.locator(f"#{name}")).to_contain_text(text, timeout=PATIENCE)


def test_the_server_saves_judgements_and_continues(tmp_path: Path) -> None:
    with running(make_server(tmp_path / "out")) as server:
        items = f"/{server.token}/items"
        state = json.loads(ask(server, "GET", items)[1])
        first = state["items"][0]
        assert (
            state["judge"] == "anna"
            and first["name"] == "Icelandic"
            and state["judged"] == {}
            and "weight" not in first
        )
        status, content, _ = ask(
            server, "POST", f"/{server.token}/judge", {"item": first["id"], "answer": "wrong", "language": "Faroese"}
        )
        assert status == 200 and json.loads(content) == {"judged": {first["id"]: ["wrong", "fao_Latn"]}}
        assert read_judgements(tmp_path / "out")["anna", first["id"]].language == "fao_Latn"
    with running(make_server(tmp_path / "out")) as server:  # the same judge continues
        assert json.loads(ask(server, "GET", f"/{server.token}/items")[1])["judged"] == {
            first["id"]: ["wrong", "fao_Latn"]
        }
    with running(make_server(tmp_path / "out", "berit")) as server:  # another does not see it
        assert json.loads(ask(server, "GET", f"/{server.token}/items")[1])["judged"] == {}


def test_other_pages_of_the_browser_are_kept_out(tmp_path: Path) -> None:
    with running(make_server(tmp_path / "out")) as server:
        own = f"/{server.token}/"
        judge = {"item": "x", "answer": "right"}
        for status, request in (
            (403, ("GET", "/")),
            (403, ("GET", "/wrong-token/items")),
            (403, ("POST", "/judge", judge)),
            (404, ("GET", own + "../../etc/passwd")),
            (404, ("GET", own + "server.py")),
            (404, ("POST", own + "items", judge)),
            (400, ("POST", own + "judge", judge)),
            (400, ("POST", own + "judge", b"{")),
            (400, ("POST", own + "judge", [1])),
            (400, ("POST", own + "judge", judge | {"item": []})),
            (400, ("POST", own + "judge", b"[" * 4000)),
            (413, ("POST", own + "judge", b"x" * 5000)),
        ):
            assert ask(server, *request)[0] == status, request
        assert ask(server, "POST", own + "judge", b"{}", **{"Content-Length": "9" * 5000})[0] == 413
        assert ask(server, "GET", own, Host="evil.example")[0] == 403  # a name that was rebound to loopback
        assert (
            ask(server, "POST", own + "judge", b"{}", **{"Content-Type": "text/plain"})[0] == 415
        )  # what a form can send
        headers = ask(server, "GET", own)[2]
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'") and "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff" and headers["Cache-Control"] == "no-store"
        assert not read_judgements(tmp_path / "out")
        with pytest.raises(UsageError, match="choose another with --port"):
            JudgingServer(tmp_path / "out", [], "anna", server.port)


def test_a_judgement_that_cannot_be_saved_is_reported(tmp_path: Path) -> None:
    with running(make_server(tmp_path / "out")) as server:
        (tmp_path / "out" / "audit" / "judgements.jsonl").mkdir()
        said = {"item": next(iter(server.items)), "answer": "right"}
        status, content, _ = ask(server, "POST", f"/{server.token}/judge", said)
        assert status == 500 and "the judgement is not saved: Is a directory" in json.loads(content)["problem"]
        assert json.loads(ask(server, "GET", f"/{server.token}/items")[1])["judged"] == {}


def test_a_judge_works_with_keys_and_hostile_text_stays_text(browser: Any, tmp_path: Path) -> None:  # noqa: F811
    with running(make_server(tmp_path / "out", text=HOSTILE)) as server:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.goto(server.url)
        wait_for(page, "progress", "0 of 5")
        assert page.text_content("#text") == HOSTILE and HOSTILE in page.text_content("#url")
        assert page.locator("#text *").count() == 0 and page.title() == "Judge the answers of a census"
        assert page.text_content("#name") == "Icelandic" and "75.0%" in page.text_content("#answer")
        assert page.locator("#evidence tbody tr").all_text_contents() == ["text9.5", "url2.0"]
        page.keyboard.press("r")
        wait_for(page, "progress", "1 of 5")
        page.keyboard.press("w")
        page.keyboard.type("Klingonese")
        page.keyboard.press("Enter")
        wait_for(page, "problem", "is no language")
        page.fill("#language", "Danish")
        page.keyboard.press("Enter")
        wait_for(page, "progress", "2 of 5")
        for number, key in enumerate("nsc", 3):
            page.keyboard.press(key)
            wait_for(page, "progress", f"{number} of 5")
        page.keyboard.press("ArrowLeft")  # the last page but one was judged as several
        wait_for(page, "said", "Judged: several")
        page.keyboard.press("r")
        wait_for(page, "said", "Judged: unclear")
        said = [judgement.answer for judgement in read_judgements(tmp_path / "out").values()]
        assert said == ["right", "wrong", "none", "right", "unclear"]
        assert [problem for problem in problems if "400" not in problem] == []
        assert page.title() == "Judge the answers of a census"
        page.close()


def test_the_buttons_stay_on_the_screen_of_a_phone(browser: Any, tmp_path: Path) -> None:  # noqa: F811
    with running(make_server(tmp_path / "out", text="Opið alla daga. " * 300)) as server:
        for judged, (width, height) in enumerate(((390, 844), (320, 568)), 1):
            page = browser.new_page(viewport={"width": width, "height": height})
            page.set_default_timeout(PATIENCE)
            page.goto(server.url)
            wait_for(page, "progress", "of 5")
            assert page.text_content("#country") == "Iceland"
            assert page.evaluate("document.body.scrollHeight") > height
            for place in ("0", "document.body.scrollHeight / 2", "document.body.scrollHeight"):
                page.evaluate(f"window.scrollTo(0, {place})")
                boxes = [button.bounding_box() for button in page.locator("[data-answer]").all()]
                assert all(box["y"] >= 0 and box["y"] + box["height"] <= height for box in boxes), (width, place)
                assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes), (width, place)
                assert min(box["height"] for box in boxes) >= 40
            page.click("text=Right")
            wait_for(page, "progress", f"{judged} of 5")
            assert page.evaluate("window.scrollY") == 0  # the next page is read from its start
            page.close()


def test_the_policy_of_the_page_stops_scripts(browser: Any, tmp_path: Path) -> None:  # noqa: F811
    """Even markup that got into the document by a fault could not run."""
    with running(make_server(tmp_path / "out")) as server:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(server.url)
        wait_for(page, "progress", "0 of 5")
        blocked = page.evaluate(
            """() => new Promise((done) => {
                document.addEventListener('securitypolicyviolation', (event) => done(event.violatedDirective));
                const script = document.createElement('img');
                script.src = 'https://evil.example/x.png';
                document.body.append(script);
            })"""
        )
        assert blocked.startswith("img-src")
        with pytest.raises(Exception, match="TrustedHTML"):
            page.evaluate("document.body.innerHTML = '<b>x</b>'")
        page.close()
