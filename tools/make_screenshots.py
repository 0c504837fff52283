"""Write docs/images/page.png and docs/images/report.png: the page of the service and the report of the example crawl.

    python tools/make_screenshots.py [-o docs/images]

Needs the extra "dev" and Debian's package chromium. The service and the pages are on loopback; nothing else is fetched.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).absolute().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser import FLAGS, PATIENCE, chromium  # noqa: E402
from tests.serve.servers import run_service  # noqa: E402

WIDTH = 1280
HEIGHT = 1400
MARGIN = 6  # pixels below the last element
MAX_BYTES = 200_000
TEXT = """\
<html lang="de"><h1>Willkommen im Museum am See</h1>
<p>Das Museum ist jeden Tag außer Montag von zehn bis achtzehn Uhr geöffnet.</p>
<p>Le musée est ouvert tous les jours sauf le lundi, de dix heures à dix-huit heures.</p>
"""


def write_report(folder: Path) -> Path:
    """Take the census of the example crawl and return the path of its report."""
    examples = ROOT / "examples"
    command = [sys.executable, "-m", "webtongue"]
    crawl = [str(examples / "crawl.warc.gz"), "--geo", str(examples / "crawl.mmdb")]
    subprocess.run([*command, "census", *crawl, "-o", str(folder / "census")], check=True)
    subprocess.run([*command, "report", str(folder / "census")], check=True)
    return folder / "census" / "report.html"


def save(page: Any, last: str, path: Path) -> None:
    """Save the top of a page down to the element ``last``."""
    page.wait_for_timeout(500)  # milliseconds, for fonts and the last frame
    box = page.locator(last).first.bounding_box(timeout=PATIENCE)
    height = box["y"] + box["height"] + MARGIN
    page.screenshot(path=path, animations="disabled", clip={"x": 0, "y": 0, "width": WIDTH, "height": height})
    size = path.stat().st_size
    print(f"{path}: {size:,} bytes")
    if size > MAX_BYTES:
        sys.exit(f"{path} has more than {MAX_BYTES:,} bytes: show less")


def open_window(browser: Any, url: str, ready: str) -> Any:
    """Open a page and wait until the element ``ready`` exists."""
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", reduced_motion="reduce")
    page.goto(url, timeout=PATIENCE)
    page.wait_for_selector(ready, state="attached", timeout=PATIENCE)
    return page


def take_screenshots(browser: Any, folder: Path) -> None:
    """Write both images."""
    with run_service("--no-access-log") as service:
        page = open_window(browser, service.root, "html[data-ready]")
        page.fill("#input", TEXT, timeout=PATIENCE)
        page.wait_for_selector("#map svg path.home", state="attached", timeout=PATIENCE)
        page.evaluate("document.activeElement.blur()")
        save(page, ".card:has(#text)", folder / "page.png")
    with tempfile.TemporaryDirectory() as temporary:
        report = write_report(Path(temporary))
        page = open_window(browser, report.as_uri(), "html[data-drawn]")
        save(page, "[data-bars] svg", folder / "report.png")


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the screenshots of the documentation.")
    parser.add_argument("-o", "--out", type=Path, default=ROOT / "docs" / "images")
    folder = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS, timeout=PATIENCE)
        take_screenshots(browser, folder)
        browser.close()


if __name__ == "__main__":
    main()
