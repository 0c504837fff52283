"""Every application path analyses a page exactly once: the calls of the kernel are counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from webtongue import Identifier, Page
from webtongue.cli import explain as cli_explain
from webtongue.cli.identify import analyze_items
from webtongue.cli.sources import Item
from webtongue.serve import answers

LEGACY = "<html lang=fr><title>Bibliothèque</title><p>La bibliothèque ouvre à neuf heures, sauf le dimanche.".encode(
    "cp1252"
)
MOJIBAKE = (
    "<p>Ça a été une très belle journée d'été à la bibliothèque, où l'élève était allé.".encode()
    .decode("latin-1")
    .encode()
)
PAGES = {
    "utf-8": "<p>Bókasafnið er opið alla daga vikunnar frá níu til fimm.".encode(),
    "short": b"<p>Trenutno nedostupno",
    "legacy encoding": LEGACY,
    "mojibake": MOJIBAKE,
    "no text": b"%PDF-1.4",
}
ANALYSES = ("analyse", "analyse_list", "analyse_buffer", "analyse_large_buffer", "read_text")


class CountingFlow:
    """The kernel's flow with its analyses counted."""

    def __init__(self, flow: Any) -> None:
        self._flow = flow
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        if name in ANALYSES:
            self.calls[name] += 1
        return getattr(self._flow, name)


@pytest.fixture
def ident() -> Identifier:
    identifier = Identifier()
    identifier._models.append(replace(identifier.models, flow=CountingFlow(identifier.models.flow)))  # type: ignore[arg-type]
    del identifier._models[0]
    return identifier


def analyses(ident: Identifier) -> int:
    """Return how many analyses the kernel was asked for."""
    return sum(ident.models.flow.calls.values())  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", PAGES)
def test_an_analysis_has_all_its_parts_from_one_call(name: str, ident: Identifier) -> None:
    analysis = ident.analyze(Page(PAGES[name]))
    for part in ("blocks", "segments", "links", "declarations", "evidence", "languages", "bits", "packed"):
        getattr(analysis, part)
    analysis.to_row(), analysis.verdict.to_json()
    assert analyses(ident) == 1


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("explain", [False, True])
def test_the_service_identifies_with_one_call(name: str, explain: bool, ident: Identifier) -> None:
    answers.identify_page(Page(PAGES[name]), None, explain, ident)
    assert analyses(ident) == 1


@pytest.mark.parametrize("text", ["Hvar er bókasafnið?", "Hvar er bókasafnið í bænum? " * 300])
def test_the_service_explains_a_text_with_one_call(text: str, ident: Identifier) -> None:
    row = answers.identify_page(Page(text.encode()), text, True, ident)
    assert analyses(ident) == 1
    assert row["label"] == ident.identify_text(text).label


@pytest.mark.parametrize("name", PAGES)
def test_the_service_finds_segments_with_one_call(name: str, ident: Identifier) -> None:
    answers.segment_page(Page(PAGES[name]), None, ident)
    assert analyses(ident) == 1


def test_repaired_text_is_shown_repaired(ident: Identifier, capsys: pytest.CaptureFixture[str]) -> None:
    row = answers.identify_page(Page(MOJIBAKE), None, True, ident)
    assert "journée d'été à la bibliothèque" in row["explanation"]["text"][0]["pieces"][0]["text"]
    assert row["explanation"]["repaired"]
    page = Item("page.html", {}, page=Page(MOJIBAKE))
    cli_explain.print_explanations(analyze_items(iter([page]), ident), ident)
    assert "journée d'été à la bibliothèque" in " ".join(capsys.readouterr().out.split())
    assert analyses(ident) == 2


def test_the_crawler_analyses_a_page_once(ident: Identifier) -> None:
    pytest.importorskip("scrapy")
    from webtongue.crawl.config import Config
    from webtongue.crawl.controller import CrawlController

    controller = CrawlController(Config(languages=("is",)), ident)
    analysis = controller.analyze(None, Page(PAGES["short"], "https://a.example/"))
    assert analysis.packed
    assert analyses(ident) == 1
