"""The URL model in JavaScript equals the kernel, and the extension marks links with it in a real Chromium."""

from __future__ import annotations

import http.server
import json
import shutil
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from tests.browser import FLAGS, PATIENCE, chromium
from tests.extension.addresses import addresses
from webtongue import Identifier
from webtongue.url.model import MIN_LOG_PROBABILITY

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "extension"
COUNT = 10_000
# The kernel's numbers to the words of urlmodel.mjs.
REASONS = {
    1: "empty", 2: "not_a_url", 3: "not_a_page", 4: "says_nothing", 5: "not_text", 6: "too_long", 7: "user_name", 8: "ipv6_host",
    11: "too_little",
}  # fmt: skip
SCRIPT = """
import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";
const [, , module, packed] = process.argv;
const { UrlModel } = await import(module);
const model = await UrlModel.load(new Response(readFileSync(packed)));
for await (const line of createInterface({ input: process.stdin })) {
  const { label, log, reason } = model.classify(JSON.parse(line));
  console.log(JSON.stringify(reason ? [reason] : [label, log]));
}
"""
LEAST = 0.6  # as in content.js
LINKS = [
    "https://www.example.com/nachrichten/wirtschaft-und-gesellschaft/",
    "https://example.com/noticias/ultimas-noticias-de-la-ciudad.html",
    "mailto:a@example.com",
    "https://xkcdqq.example.xyz/4711",
    "/local",
]
PAGE = "<!doctype html><meta charset=utf-8><p>" + " ".join(f'<a href="{url}">link</a>' for url in LINKS)


@pytest.fixture(scope="session")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packed file, written anew."""
    out = tmp_path_factory.mktemp("extension") / "url.bin"
    subprocess.run(
        [sys.executable, ROOT / "tools" / "pack_extension.py", "-o", out], check=True, capture_output=True, timeout=120
    )
    return out


def test_javascript_equals_the_kernel(packed: Path, tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("the model in JavaScript is run in Node: install the package nodejs")
    if (
        int(subprocess.run([node, "--version"], capture_output=True, text=True, timeout=60).stdout[1:].split(".")[0])
        < 20
    ):
        pytest.skip("needs Node 20 or later")
    asked = addresses(COUNT, 18)
    assert len(asked) == COUNT
    reader = Identifier().url_reader
    ids, logs, reasons = (
        column.tolist() for column in reader.model.kernel.classify(asked, reader.offsets, MIN_LOG_PROBABILITY)
    )
    expected = [
        [REASONS[reason]] if reason else [reader.labels[number], log]
        for number, log, reason in zip(ids, logs, reasons, strict=True)
    ]
    (tmp_path / "run.mjs").write_text(SCRIPT, "utf-8")
    lines = "".join(json.dumps(url) + "\n" for url in asked)
    command = [node, str(tmp_path / "run.mjs"), str(FOLDER / "urlmodel.mjs"), str(packed)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    different = [(url[:200], a, b) for url, a, b in zip(asked, found, expected, strict=True) if a != b]
    assert not different, (len(different), different[:5])
    said = Counter(row[0] for row in expected)
    assert set(said) >= {*REASONS.values()} - {"empty"} and len(said) > 30, said  # all of it was tried


def test_the_packed_file_is_small(packed: Path) -> None:
    assert packed.stat().st_size < 5_000_000
    assert (FOLDER / "urlmodel.mjs").read_text("utf-8").count("\n") < 600


def badge_of(url: str, site: str) -> str:
    """What the library says of a link, where it is sure enough for a badge."""
    whole = site + url.removeprefix("/") if url.startswith("/") else url
    verdict = Identifier().identify_url(whole)
    return verdict.language if whole.startswith("http") and verdict.confidence >= LEAST else ""


class Handler(http.server.BaseHTTPRequestHandler):
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_links_are_marked_in_chromium(packed: Path, site: str, tmp_path: Path) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the package playwright")
    path = chromium()
    folder = tmp_path / "extension"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("url.bin"))
    shutil.copy(packed, folder / "url.bin")
    arguments = [*FLAGS, "--headless=new", f"--disable-extensions-except={folder}", f"--load-extension={folder}"]
    arguments.append("--disable-features=DisableLoadExtensionCommandLineSwitch")
    with playwright.sync_playwright() as running:
        context = running.chromium.launch_persistent_context(
            str(tmp_path / "profile"), executable_path=path, headless=False, args=arguments, timeout=PATIENCE
        )
        try:
            page = context.new_page()
            requests: list[str] = []
            context.on("request", lambda request: requests.append(request.url))
            page.goto(site, timeout=PATIENCE)
            page.wait_for_selector("html[data-webtongue-marked]", state="attached", timeout=PATIENCE)
            marked = page.evaluate(
                "() => [...document.links].map((a) => a.querySelector('.webtongue-badge')?.textContent ?? '')"
            )
            assert marked == [badge_of(url, site) for url in LINKS] and marked[:3] == ["de", "es", ""]
            assert "German" in page.get_attribute(".webtongue-badge", "title")
            page.evaluate(
                "() => document.body.insertAdjacentHTML('beforeend', '<a href=https://example.fr/actualites/politique/>x</a>')"
            )
            page.wait_for_selector("body > a .webtongue-badge", timeout=PATIENCE)
            assert page.inner_text("body > a .webtongue-badge") == "fr"
            assert all(url.startswith((site, "chrome-extension://")) for url in requests), requests
        finally:
            context.close()
    assert set(Handler.asked) <= {"/", "/favicon.ico"}  # no link was followed
