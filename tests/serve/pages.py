"""Pages of the service in Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.browser import PATIENCE
from tests.serve.servers import Service

DESKTOP_WIDTH = 1400
VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));
"""


@dataclass
class OpenPage:
    """An open page, its console messages, and the URLs that it requested."""

    page: Any
    root: str
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    _answers: int = 0

    def wait_for_answer(self) -> None:
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
        self.wait_for_answer()

    def text(self, selector: str) -> str:
        text: str = self.page.inner_text(selector, timeout=PATIENCE)
        return text

    def texts(self, selector: str) -> list[str]:
        texts: list[str] = self.page.locator(selector).all_inner_texts()
        return texts


def open_page(
    browser: Any,
    service: Service,
    width: int = DESKTOP_WIDTH,
    path: str = "",
    ready: str = "html[data-ready]",
    **options: Any,
) -> Iterator[OpenPage]:
    """Yield a page of a service once the element ``ready`` exists."""
    context = browser.new_context(viewport={"width": width, "height": 900}, **options)
    page = context.new_page()
    opened = OpenPage(page, service.root)
    page.add_init_script(VIOLATIONS)
    page.on("console", lambda message: opened.console.append(message.text))
    page.on("pageerror", lambda error: opened.console.append(str(error)))
    page.on("request", lambda request: opened.requests.append(request.url))
    page.goto(service.root + path, timeout=PATIENCE)
    page.wait_for_selector(ready, state="attached", timeout=PATIENCE)
    try:
        yield opened
    finally:
        context.close()
