"""What steers: scores that change as a crawl learns, short pages judged again, quotas, thresholds."""

from __future__ import annotations

from typing import Any

import pytest

from webtongue import Identifier, Page
from webtongue.crawl.addresses import Address, address_of
from webtongue.crawl.config import Config
from webtongue.crawl.focus import Focus, Link, Source
from webtongue.crawl.frontier import Row, Taken
from webtongue.errors import UsageError

IDENT = Identifier()
GERMAN = (
    "<p>Die Bücherei öffnet morgens um neun Uhr und schließt abends um sechs, außer sonntags. Wer in der Stadt wohnt, kann Bücher "
    "kostenlos ausleihen, und mittwochs wird den Kindern vorgelesen.</p>"
)
ENGLISH = "<p>The library opens at nine in the morning and closes at six in the evening, except on Sundays, and everyone may borrow books.</p>"


def focus(**settings: Any) -> Focus:
    return Focus(Config(**{"languages": ("de",), **settings}), IDENT)


def address(url: str) -> Address:
    found = address_of(url, 2048)
    assert found is not None
    return found


def queue(one: Focus, source: Source, *urls: str) -> list[float]:
    """Queue the links of a page, as the middleware does it; their scores."""
    links = [Link(address(url)) for url in urls]
    found = one.follow(source, links)
    for place, scored in found:
        inlink = one.inlink(source, links[place])
        one.push(Row(links[place].address, scored.score, scored.language, 1, "", inlink, source.url.split("/")[2]))
    return [scored.score for _, scored in found]


def fetched(one: Focus, taken: Taken | None, html: str, status: int = 200) -> str:
    assert taken is not None
    judged = one.judge(taken.id, Page(html.encode(), taken.url, {"Content-Type": "text/html"}))
    page = judged.contents.scanned.page if judged.contents.scanned else None
    one.finish(taken.id, status, judged.verdict, page, None)
    return judged.verdict.label


def score_of(one: Focus, url: str) -> float:
    return float(one.frontier._db.execute("SELECT score FROM pages WHERE url = ?", (url,)).fetchone()[0])


def test_links_of_german_pages_and_to_german_addresses_are_liked() -> None:
    one = focus()
    english, german = (
        Source("http://hub.com/", "eng_Latn", 0.99, 0),
        Source("http://www.seite.de/", "deu_Latn", 0.99, 0),
    )
    liked = queue(one, german, "http://www.buecherei-am-markt.de/aktuelles")
    unliked = queue(one, english, "http://www.library-shop.co.uk/about-us")
    assert liked[0] > 0.95 and unliked[0] < 0.05


def test_what_is_found_on_a_host_changes_what_is_queued_there() -> None:
    one = focus()
    source = Source("http://hub.com/", "eng_Latn", 0.99, 0)
    queue(
        one,
        source,
        "http://www.xq17.com/",
        "http://www.xq17.com/a1",
        "http://www.xq17.com/a2",
        "http://www.zk23.com/b1",
    )
    before, other = score_of(one, "http://www.xq17.com/a2"), score_of(one, "http://www.zk23.com/b1")
    assert fetched(one, one.take(), GERMAN) == "deu_Latn"
    assert score_of(one, "http://www.xq17.com/a2") > 2 * before
    assert score_of(one, "http://www.zk23.com/b1") == other


def test_another_link_changes_a_score_and_the_same_site_does_not() -> None:
    one = focus()
    queue(one, Source("http://hub.com/", "eng_Latn", 0.99, 0), "http://www.xq17.com/")
    before = score_of(one, "http://www.xq17.com/")
    queue(one, Source("http://www.seite.de/", "deu_Latn", 0.99, 0), "http://www.xq17.com/")
    after = score_of(one, "http://www.xq17.com/")
    queue(one, Source("http://www.seite.de/2", "deu_Latn", 0.99, 0), "http://www.xq17.com/")
    assert after > before and score_of(one, "http://www.xq17.com/") == after


def test_short_pages_are_judged_again_when_links_arrive() -> None:
    one = focus(languages=("is",))
    told: list[str] = []
    one.counted = told.append
    queue(one, Source("http://hub.com/", "eng_Latn", 0.99, 0), "http://www.xq17.com/")
    first = fetched(one, one.take(), "<h1>Album 3</h1>")
    for number in range(6):
        queue(one, Source(f"http://www.vefur{number}.is/", "isl_Latn", 0.99, 0), "http://www.xq17.com/")
    label = one.frontier.judged(1)[1]
    assert "judged_again" in told
    assert first != "isl_Latn" and label == "isl_Latn"
    assert one.found["is"] == 1


def test_enough_is_enough() -> None:
    one = focus(languages=("de", "en"), quota=1)
    source = Source("http://www.seite.de/", "deu_Latn", 0.99, 0)
    queue(one, source, "http://www.garten-haus.de/", "http://www.garten-haus2.de/", "http://www.weather-news.co.uk/")
    assert fetched(one, one.take(), GERMAN) == "deu_Latn"
    assert one.open_languages == ["en"]
    assert score_of(one, "http://www.weather-news.co.uk/") > score_of(one, "http://www.garten-haus2.de/")
    assert fetched(one, one.take(), ENGLISH) == "eng_Latn"
    assert one.is_over and one.take() is None


def test_doubtful_links_wait_for_what_is_under_way() -> None:
    one = focus()
    queue(one, Source("http://www.seite.de/", "deu_Latn", 0.99, 0), "http://www.garten-haus.de/aktuelles")
    queue(one, Source("http://hub.com/", "eng_Latn", 0.99, 0), "http://www.library-shop.co.uk/")
    first = one.take()
    assert first is not None and first.host == "garten-haus.de"
    assert one.take() is None
    fetched(one, first, GERMAN)
    second = one.take()
    assert second is not None and second.host == "library-shop.co.uk"


def test_doubtful_links_may_be_forgotten() -> None:
    one = focus(below="drop")
    assert queue(one, Source("http://hub.com/", "eng_Latn", 0.99, 0), "http://www.library-shop.co.uk/") == []


@pytest.mark.parametrize(("policy", "scores"), [("random", [0.5, 0.5, 0.5]), ("cctld", [1.0, 1.0, 0.0])])
def test_policies_of_the_paper(policy: str, scores: list[float]) -> None:
    one = focus(policy=policy)
    source = Source("http://hub.com/", "eng_Latn", 0.99, 0)
    assert queue(one, source, "http://a.de/", "http://b.at/", "http://c.com/nachrichten") == scores


def test_the_policy_url_hears_the_address_alone() -> None:
    one = focus(policy="url")
    urls = "http://www.garten-haus.com/aktuelles", "http://www.library-shop.com/about"
    first = queue(one, Source("http://hub.com/", "eng_Latn", 0.99, 0), *urls)
    second = queue(focus(policy="url"), Source("http://www.seite.de/", "deu_Latn", 0.99, 0), *urls)
    assert first == second and first[0] > 0.5 > first[1]


def test_a_crawl_is_for_a_language() -> None:
    with pytest.raises(UsageError):
        focus(languages=())
    with pytest.raises(UsageError):
        focus(languages=("nosuchlanguage",))
    with pytest.raises(UsageError):
        focus(policy="svm")


def test_failures_count_and_are_not_asked_for_again() -> None:
    one = focus(max_pages=2)
    queue(one, Source("http://www.seite.de/", "deu_Latn", 0.99, 0), "http://a.de/", "http://b.de/", "http://c.de/")
    taken = one.take()
    assert taken is not None
    one.fail(taken.id, "TimeoutError")
    assert one.take() is not None
    assert one.is_over
    assert one.frontier.tally()["failed"] == 1
