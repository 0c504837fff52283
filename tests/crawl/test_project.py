"""The components in a Scrapy project whose spider does not use them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scrapy", reason="the crawler needs Scrapy: pip install 'webtongue[crawl]'")

from tests.crawl.loopback import Settings, Web, serve

PROJECT = """
import json, sys
import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.linkextractors import LinkExtractor

arguments = json.loads(sys.argv[1])

class ProjectSpider(scrapy.Spider):
    name = "project"
    start_urls = [arguments["seed"]]

    def parse(self, response):
        verdict = response.meta.get("webtongue")
        yield {"url": response.url, "label": verdict.label if verdict else "", "score": response.meta.get("webtongue_score")}
        for link in LinkExtractor().extract_links(response):
            yield response.follow(link, meta=response.meta if arguments["meta"] else None)

class WriteItems:
    def process_item(self, item):
        with open(arguments["out"], "a") as file:
            file.write(json.dumps(item) + "\\n")
        return item

process = AsyncCrawlerProcess({**arguments["settings"], "LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False,
                               "REMOTE_CONTROL_ENABLED": False, "ITEM_PIPELINES": {WriteItems: 1}})
crawler = process.create_crawler(ProjectSpider)
process.crawl(crawler)
process.start()
print(json.dumps({key: value for key, value in crawler.stats.get_stats().items() if isinstance(value, int | str)}))
"""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with serve(Settings(hosts_per_language=5, has_traps=False), tmp_path_factory.mktemp("web")) as served:
        yield served


def run(web: Web, folder: Path, meta: bool = False, **settings: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    from webtongue.crawl import COMPONENTS

    script, out = folder / "project.py", folder / "items.jsonl"
    script.write_text(PROJECT, "utf-8")
    all_settings = {**COMPONENTS, "WEBTONGUE_CONNECT_TO": web.connect_to, **settings}
    arguments = {"seed": web.plan.seed("fin_Latn"), "out": str(out), "settings": all_settings, "meta": meta}
    done = subprocess.run(
        [sys.executable, str(script), json.dumps(arguments)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr[-3000:]
    items = [json.loads(line) for line in out.read_text("utf-8").splitlines()] if out.exists() else []
    return items, json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("meta", [False, True])
def test_switched_on(web: Web, tmp_path: Path, meta: bool) -> None:
    """The components work with a spider that passes its meta from page to page, too."""
    items, stats = run(web, tmp_path, meta, WEBTONGUE_LANGUAGES=["fi"], WEBTONGUE_MAX_PAGES=25)
    assert 20 <= len(items) <= 25
    assert len({item["url"] for item in items}) == len(items)
    labels = [web.plan.label_at(item["url"]) for item in items]
    assert labels.count("fin_Latn") >= 0.85 * len(labels)
    assert sum(item["label"] == label for item, label in zip(items, labels, strict=True)) >= 0.85 * len(items)
    assert stats["webtongue/pages"] >= len(items) and stats["webtongue/pages/fi"] > 15


def test_scrapys_own_scheduler(web: Web, tmp_path: Path) -> None:
    items, stats = run(
        web, tmp_path, WEBTONGUE_LANGUAGES="fi", SCHEDULER="scrapy.core.scheduler.Scheduler", CLOSESPIDER_ITEMCOUNT=20
    )  # fmt: skip
    assert len(items) >= 20 and all(item["label"] for item in items)
    assert any(item["score"] and 0 < item["score"] <= 1 for item in items)
    assert stats["webtongue/links"] > 50


def test_off_without_a_language(web: Web, tmp_path: Path) -> None:
    """The middleware raises NotConfigured, and Scrapy runs without it."""
    items, stats = run(web, tmp_path, SCHEDULER="scrapy.core.scheduler.Scheduler", CLOSESPIDER_ITEMCOUNT=5)
    assert items and not any(item["label"] for item in items)
    assert not [key for key in stats if key.startswith("webtongue/")]
