"""Baykan, Henzinger and Weber (2013), section 5.2: language-focused crawls, on a synthetic web.

Tables XVII to XIX and figure 7: five languages, one seed each, a fixed number of pages, at most 10 URLs of a host queued and
crawled, ``www.`` removed from hosts, media and style sheets ignored, http only, uniform choice within ``random`` and ``cctld``.
The paper's web no longer exists: ours is examples/web, whose links between hosts stay in the language as often as measured
(docs/links.md). The generator knows the language of each page, where the paper asked a classifier.

`webtongue reproduce baykan2013-crawl [--full]`, from a clone of the repository.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from webtongue.lab.evaluate.tables import Claim, Result, Table
from webtongue.lab.papers.common import require_example

__all__ = ["PUBLISHED", "run"]

PUBLISHED = ("table XVII", "table XVIII", "table XIX", "figure 7")
FIVE_LANGUAGES = {
    "English": "eng_Latn",
    "German": "deu_Latn",
    "French": "fra_Latn",
    "Spanish": "spa_Latn",
    "Italian": "ita_Latn",
}
POLICIES = ("random", "cctld", "svm", "url", "fused")
PAPER_POLICIES = POLICIES[:3]  # url and fused are ours
PAPER_HOSTS = {  # table XVII: hosts visited
    "English": (770, 423, 279), "German": (654, 470, 242), "French": (711, 460, 273), "Spanish": (585, 353, 252),
    "Italian": (625, 474, 314),
}  # fmt: skip
PAPER_LOST = {  # table XVIII: percent that could not be downloaded
    "English": (4.0, 5.0, 6.0), "German": (6.0, 5.0, 5.0), "French": (4.0, 5.0, 8.0), "Spanish": (6.0, 13.0, 10.0),
    "Italian": (2.0, 2.0, 3.0),
}  # fmt: skip
PAPER_PRECISION = {  # table XIX
    "English": (94.5, 95.6, 95.4), "German": (38.4, 88.7, 95.4), "French": (49.5, 92.3, 96.8), "Spanish": (25.2, 92.2, 94.8),
    "Italian": (38.2, 87.1, 90.1),
}  # fmt: skip
FULL_PAGES, QUICK_PAGES = 1000, 200  # pages of a crawl
WINDOWS = 5  # points of figure 7: 200 pages each, as published, for crawls of 1,000 pages
PROCESSES = 2
CRAWL_TIMEOUT_SECONDS = 1800
# Rates measured on real links between sites (docs/links.md): from pages in other languages than English 77.6% stay in the language
# and 17.8% go to English; from English pages 93.3% stay. One page in twenty is missing, as in table XVIII.
WEB_SETTINGS = {
    "hosts_per_language": 10, "same_language_share": 0.776, "english_share": 0.795, "english_same_share": 0.933,
    "broken_share": 0.05, "large_labels": tuple(FIVE_LANGUAGES.values()), "hosts_per_large_label": 180, "has_traps": False,
    "hubs": 0,
}  # fmt: skip
GENERATED = (
    "all pages, addresses and links (examples/web): 77.6% of links between hosts stay in the language, 17.8% go to English, "
    "93.3% of English ones stay, as measured on real links; one page in twenty is missing"
)


@dataclass(frozen=True, slots=True)
class CrawlResult:
    """The requests of a crawl in order, True for a page in the language, None for a failed request; and the number of hosts
    visited."""

    pages: tuple[bool | None, ...]
    hosts: int

    @property
    def precision(self) -> float:
        """Return the percentage of fetched pages that are in the language."""
        fetched = [page for page in self.pages if page is not None]
        return 100 * sum(fetched) / max(1, len(fetched))

    @property
    def lost(self) -> float:
        """Return the percentage of requests that failed."""
        return 100 * self.pages.count(None) / max(1, len(self.pages))

    def windows(self) -> list[float | None]:
        """Return the precision of each window of requests, None for a window without pages."""
        size = max(1, -(-len(self.pages) // WINDOWS))
        parts = [
            [page for page in self.pages[start : start + size] if page is not None]
            for start in range(0, len(self.pages), size)
        ]
        return [100 * sum(part) / len(part) if part else None for part in parts]


def run(data: Path, quick: bool = True) -> Iterator[Result]:
    """Yield every table, the figure and the paper's claims. ``data`` is not used."""
    pages = QUICK_PAGES if quick else FULL_PAGES
    yield from result_tables(run_crawls(pages), pages)


def run_crawls(pages: int) -> dict[tuple[str, str], CrawlResult]:
    """Return the results of all crawls, by language and policy."""
    plan = _plan_web()
    script = str(require_example("web/server.py"))
    server = [sys.executable, script, "--settings", json.dumps(asdict(plan.settings)), "--seconds", "7200"]
    process = subprocess.Popen(server, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None and process.stdout is not None
    try:
        port = json.loads(process.stdout.readline())["port"]
        work = [(language, policy) for language in FIVE_LANGUAGES for policy in POLICIES]
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(PROCESSES) as pool:
            results = pool.map(lambda pair: _crawl(plan, port, Path(folder), pages, pair), work)
            return dict(zip(work, results, strict=True))
    finally:
        process.stdin.close()
        process.wait(20)


def _plan_web() -> Any:
    """Return the plan of the synthetic web, which is in the examples of the repository and not in the package."""
    sys.path.insert(0, str(require_example("web").parent))
    web = import_module("web.plan")
    return web.Plan(web.Settings(**WEB_SETTINGS))


def _crawl(plan: Any, port: int, folder: Path, pages: int, pair: tuple[str, str]) -> CrawlResult:
    """Run the crawl of a language and a policy and return its result."""
    language, policy = pair
    label, archive = FIVE_LANGUAGES[language], folder / f"{language}-{policy}.warc.gz"
    command = [
        sys.executable, "-m", "webtongue", "crawl", "-l", plan.texts[label].tag, "--policy", policy, "--max-pages", str(pages),
        "--host-pages", "10", "--host-links", "10", "--domain-pages", "0", "--http-only", "--delay", "0", "--retries", "0",
        "--connect-to", f"127.0.0.1:{port}", "--out", str(archive), plan.seed(label),
    ]  # fmt: skip
    results = subprocess.run(
        [*command, *(["--drop"] if policy == "cctld" else [])],
        capture_output=True,
        text=True,
        timeout=CRAWL_TIMEOUT_SECONDS,
    )
    if results.returncode:
        raise RuntimeError(f"{language}, {policy}: {results.stderr[-500:]}")
    db = sqlite3.connect(f"{archive}.journal")
    rows = db.execute(
        "SELECT url, host, status FROM pages WHERE fetch_order IS NOT NULL ORDER BY fetch_order"
    ).fetchall()
    db.close()
    return CrawlResult(
        tuple(
            plan.label_at(url) == label if status == 200 else None
            for url, _, status in rows
            if status not in (301, 302)
        ),
        len({host for _, host, _ in rows}),
    )


def result_tables(results: dict[tuple[str, str], CrawlResult], pages: int) -> Iterator[Result]:
    """Yield the tables with the paper's figures beside ours, then the claims."""
    note = f"{pages} requests a crawl, one seed a language; url and fused are ours."
    columns = ("", *(f"paper: {policy}" for policy in PAPER_POLICIES), *POLICIES)

    def table(
        number: str, title: str, published: Mapping[str, Sequence[float]], field: str, headline: bool = False
    ) -> Table:
        rows = tuple(
            (language, *published[language], *(getattr(results[language, policy], field) for policy in POLICIES))
            for language in FIVE_LANGUAGES
        )
        return Table(f"table-{number}", title, rows, columns, note, "", (f"table {number}",), GENERATED, headline)

    yield table("XVII", "Hosts visited", PAPER_HOSTS, "hosts")
    yield table("XVIII", "Percent of pages that could not be had", PAPER_LOST, "lost")
    yield table("XIX", "Percent of pages in the language", PAPER_PRECISION, "precision", True)
    size = -(-pages // WINDOWS)
    names = [f"{index * size + 1}-{(index + 1) * size}" for index in range(WINDOWS)]
    for language in FIVE_LANGUAGES:
        windows = {policy: results[language, policy].windows() for policy in POLICIES}
        rows = tuple(
            (name, *(windows[policy][index] if index < len(windows[policy]) else None for policy in POLICIES))
            for index, name in enumerate(names)
        )
        yield Table(
            f"figure-7-{language.lower()}", f"{language}: percent in the language by requests", rows, ("", *POLICIES), note,
            "lines", ("figure 7",), GENERATED,
        )  # fmt: skip
    yield from claims(results)


def claims(results: dict[tuple[str, str], CrawlResult]) -> Iterator[Claim]:
    """Yield the comparisons that the paper draws."""

    def precision(language: str, policy: str) -> float:
        return results[language, policy].precision

    lowest = min(precision(language, "svm") for language in FIVE_LANGUAGES)
    yield Claim(
        "with the SVM, precision is 90 or more for each language",
        lowest >= 90,
        f"least {lowest:.1f}",
        "" if lowest >= 90 else UNEXPLAINED,
    )
    exceptions = [
        language
        for language in FIVE_LANGUAGES
        if precision(language, "random") >= min(precision(language, p) for p in ("cctld", "svm"))
    ]
    figures = ", ".join(f"{language} {precision(language, 'random'):.1f}" for language in FIVE_LANGUAGES)
    yield Claim(
        "a crawl at random is below both others",
        not exceptions,
        figures,
        f"not for {', '.join(exceptions)}: {UNEXPLAINED}" if exceptions else "",
    )
    english = precision("English", "random")
    others = max(precision(language, "random") for language in FIVE_LANGUAGES if language != "English")
    yield Claim("at random, English is far above the others", english > others, f"{english:.1f}, the next {others:.1f}")
    hosts = all(results[language, "random"].hosts > results[language, "svm"].hosts for language in FIVE_LANGUAGES)
    yield Claim(
        "a crawl at random visits more hosts than one by the SVM", hosts, "in all five" if hosts else "not in all five"
    )


UNEXPLAINED = (
    "a seed of ours is surrounded by its own language more closely than a news portal of 2011; not tested further"
)
