"""The controller: scores that change as a crawl learns, second passes over short pages, quotas and thresholds."""

from __future__ import annotations

from typing import Any

import pytest

from webtongue import Identifier, Page
from webtongue.crawl.config import Config
from webtongue.crawl.controller import CrawlController, Link, Source
from webtongue.crawl.frontier import NewPage, QueuedPage
from webtongue.crawl.urls import CrawlUrl, parse_url
from webtongue.errors import UsageError

IDENTIFIER = Identifier()
GERMAN = (
    "<p>Die Bücherei öffnet morgens um neun Uhr und schließt abends um sechs, außer sonntags. Wer in der Stadt wohnt, kann Bücher "
    "kostenlos ausleihen, und mittwochs wird den Kindern vorgelesen.</p>"
)
ENGLISH = "<p>The library opens at nine in the morning and closes at six in the evening, except on Sundays, and everyone may borrow books.</p>"
ENGLISH_SOURCE = Source("http://hub.com/", "eng_Latn", 0.99, 0)
GERMAN_SOURCE = Source("http://www.seite.de/", "deu_Latn", 0.99, 0)


def make_controller(**settings: Any) -> CrawlController:
    return CrawlController(Config(**{"languages": ("de",), **settings}), IDENTIFIER)


def parse(url: str) -> CrawlUrl:
    target = parse_url(url, 2048)
    assert target is not None
    return target


def enqueue(controller: CrawlController, source: Source, *urls: str) -> list[float]:
    """Queue the links of a page as the middleware does, and return their scores."""
    links = [Link(parse(url)) for url in urls]
    selected = controller.select_links(source, links)
    domain = source.url.split("/")[2]
    for index, score in selected:
        inlink = controller.make_inlink(source, links[index])
        controller.enqueue(NewPage(links[index].target, score.score, score.language, 1, "", inlink, domain))
    return [score.score for _, score in selected]


def fetch(controller: CrawlController, page: QueuedPage | None, html: str, status: int = 200) -> str:
    """Finish a page with this body, and return its label."""
    assert page is not None
    analysis = controller.analyze(page.id, Page(html.encode(), page.url, {"Content-Type": "text/html"}))
    controller.finish(page.id, status, analysis, None)
    return analysis.verdict.label


def read_score(controller: CrawlController, url: str) -> float:
    return float(controller.frontier._db.execute("SELECT score FROM pages WHERE url = ?", (url,)).fetchone()[0])


def test_german_links_score_higher() -> None:
    controller = make_controller()
    german = enqueue(controller, GERMAN_SOURCE, "http://www.buecherei-am-markt.de/aktuelles")
    english = enqueue(controller, ENGLISH_SOURCE, "http://www.library-shop.co.uk/about-us")
    assert german[0] > 0.95 and english[0] < 0.05


def test_a_fetched_page_changes_scores_of_its_host() -> None:
    controller = make_controller()
    urls = [f"http://www.xq17.com/{path}" for path in ("", "a1", "a2")]
    enqueue(controller, ENGLISH_SOURCE, *urls, "http://www.zk23.com/b1")
    before, other = read_score(controller, urls[2]), read_score(controller, "http://www.zk23.com/b1")
    assert fetch(controller, controller.next_page(), GERMAN) == "deu_Latn"
    assert read_score(controller, urls[2]) > 2 * before
    assert read_score(controller, "http://www.zk23.com/b1") == other


def test_a_link_of_another_site_changes_a_score() -> None:
    controller, url = make_controller(), "http://www.xq17.com/"
    enqueue(controller, ENGLISH_SOURCE, url)
    before = read_score(controller, url)
    enqueue(controller, GERMAN_SOURCE, url)
    after = read_score(controller, url)
    enqueue(controller, Source("http://www.seite.de/2", "deu_Latn", 0.99, 0), url)
    assert after > before and read_score(controller, url) == after


def test_links_to_short_pages_start_a_second_pass() -> None:
    controller = make_controller(languages=("is",))
    counts: list[str] = []
    controller.on_count = counts.append
    enqueue(controller, ENGLISH_SOURCE, "http://www.xq17.com/")
    label = fetch(controller, controller.next_page(), "<h1>Album 3</h1>")
    for number in range(6):
        enqueue(controller, Source(f"http://www.vefur{number}.is/", "isl_Latn", 0.99, 0), "http://www.xq17.com/")
    assert "second_passes" in counts
    assert label != "isl_Latn" and controller.frontier.read_packed(1)[1] == "isl_Latn"
    assert controller.target_counts["is"] == 1


def test_quotas() -> None:
    controller = make_controller(languages=("de", "en"), quota=1)
    enqueue(controller, GERMAN_SOURCE, *(f"http://www.{name}/" for name in ("garten-haus.de", "garten-haus2.de", "weather-news.co.uk")))  # fmt: skip
    assert fetch(controller, controller.next_page(), GERMAN) == "deu_Latn"
    assert controller.open_languages == ["en"]
    assert read_score(controller, "http://www.weather-news.co.uk/") > read_score(
        controller, "http://www.garten-haus2.de/"
    )
    assert fetch(controller, controller.next_page(), ENGLISH) == "eng_Latn"
    assert controller.is_finished and controller.next_page() is None


def test_links_below_the_threshold_wait_for_pages_in_flight() -> None:
    controller = make_controller()
    enqueue(controller, GERMAN_SOURCE, "http://www.garten-haus.de/aktuelles")
    enqueue(controller, ENGLISH_SOURCE, "http://www.library-shop.co.uk/")
    first = controller.next_page()
    assert first is not None and first.host == "garten-haus.de"
    assert controller.next_page() is None
    fetch(controller, first, GERMAN)
    second = controller.next_page()
    assert second is not None and second.host == "library-shop.co.uk"


def test_links_below_the_threshold_may_be_dropped() -> None:
    controller = make_controller(below_threshold="drop")
    assert enqueue(controller, ENGLISH_SOURCE, "http://www.library-shop.co.uk/") == []


@pytest.mark.parametrize(("policy", "scores"), [("random", [0.5, 0.5, 0.5]), ("cctld", [1.0, 1.0, 0.0])])
def test_policies_of_the_paper(policy: str, scores: list[float]) -> None:
    urls = "http://a.de/", "http://b.at/", "http://c.com/nachrichten"
    assert enqueue(make_controller(policy=policy), ENGLISH_SOURCE, *urls) == scores


def test_the_policy_url_ignores_the_linking_page() -> None:
    urls = "http://www.garten-haus.com/aktuelles", "http://www.library-shop.com/about"
    first = enqueue(make_controller(policy="url"), ENGLISH_SOURCE, *urls)
    second = enqueue(make_controller(policy="url"), GERMAN_SOURCE, *urls)
    assert first == second and first[0] > 0.5 > first[1]


@pytest.mark.parametrize("settings", [{"languages": ()}, {"languages": ("nosuchlanguage",)}, {"policy": "svm"}])
def test_wrong_settings(settings: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        make_controller(**settings)


def test_failures_count_as_requests() -> None:
    controller = make_controller(max_pages=2)
    enqueue(controller, GERMAN_SOURCE, "http://a.de/", "http://b.de/", "http://c.de/")
    page = controller.next_page()
    assert page is not None
    controller.fail(page.id, "TimeoutError")
    assert controller.next_page() is not None
    assert controller.is_finished
    assert controller.frontier.count_totals().failed == 1


def test_paused_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hosts are paused while robots.txt fails temporarily, and for a long Crawl-delay; their pages stay queued."""
    now = [100.0]
    monkeypatch.setattr("webtongue.crawl.controller.time.monotonic", lambda: now[0])
    controller = make_controller()
    enqueue(controller, GERMAN_SOURCE, "http://a.de/", "http://b.de/")
    first = controller.next_page()
    assert first is not None
    controller.pause_host(first.id, 20.0)
    controller.pause_host(first.id, 5.0)
    assert controller.requeue(first.id, "")
    second = controller.next_page()
    assert second is not None and second.host != first.host
    assert controller.next_page() is None and controller.has_queued()
    now[0] = 120.5
    third = controller.next_page()
    assert third is not None and third.id == first.id and not controller.paused_hosts
