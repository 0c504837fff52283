"""The controller of a crawl: identifies pages, scores links, and updates scores as it learns. It does not depend on Scrapy."""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from webtongue import Identifier, Inlink, Page
from webtongue.analysis import Analysis
from webtongue.crawl.archive import Archive, Capture
from webtongue.crawl.config import DROP, Config
from webtongue.crawl.frontier import DONE, FAILED, QUEUED, Frontier, KnownPage, NewPage, QueuedPage
from webtongue.crawl.policies import NEUTRAL_SCORE, LinkScore, Policy, Scorer, build_policy
from webtongue.crawl.storage import stops_on_error, storage_error
from webtongue.crawl.urls import CrawlUrl
from webtongue.errors import UsageError
from webtongue.evidence.combine import host_counts
from webtongue.labels import SPECIAL
from webtongue.reference.domains import site_of

__all__ = ["CrawlController", "Link", "Source"]

OK = 200
MAX_RESCORED_SIBLINGS = 32  # queued pages of a host, and of its domain, that are scored again after a page of the host
RESCORE_BATCH = 200  # pages scored at once when the quota of a language is reached
MAX_PACKED_CONFIDENCE = 0.9  # a page with a lower confidence is stored for a second pass
MIN_COUNTED_CONFIDENCE = 0.5  # a page with a lower confidence does not count for its host
MAX_REASON_CHARS = 200


@dataclass(frozen=True, slots=True)
class Source:
    """A page with links."""

    url: str
    language: str  # label; empty if the page has none
    confidence: float
    depth: int


@dataclass(frozen=True, slots=True)
class Link:
    """A link: its target, anchor text and ``hreflang``."""

    target: CrawlUrl
    anchor: str = ""
    hreflang: str = ""


class CrawlController:
    """The state of one crawl."""

    def __init__(
        self,
        config: Config,
        identifier: Identifier | None = None,
        scorer: Scorer | None = None,
        archive: Archive | None = None,
    ) -> None:
        if not config.languages:
            raise UsageError("a crawl needs a language: set languages, such as fr or is,fo")
        self.config = config
        self.identifier = identifier or Identifier()
        self.frontier = Frontier(config.journal, config)
        self.archive = archive
        self.policy: Policy = build_policy(config, self.identifier, scorer)
        self.wanted = {label: name for name in config.languages for label in self.identifier.labels_of([name])}
        self.target_counts: Counter[str] = Counter()  # fetched pages by wanted language
        for label, count in self.frontier.count_labels().items():
            if label in self.wanted:
                self.target_counts[self.wanted[label]] += count
        totals = self.frontier.count_totals()
        self.requests = totals.answered + totals.failed  # plus those in flight
        self.pages = totals.pages
        self.in_flight: dict[int, QueuedPage] = {}
        self.paused_hosts: dict[str, float] = {}  # end of the pause, in time.monotonic()
        self.failure: OSError | None = None  # the error of journal or archive that ended the crawl
        self.on_count: Callable[[str], None] = lambda name: None  # called with the name of a statistic to increment
        self.on_stop: Callable[[], None] = lambda: None  # called when a storage error ends the crawl
        self._archive_end = archive.size if archive is not None else 0  # end of the last capture that is committed

    def stop(self, error: Exception) -> None:
        """End the crawl after a storage error; journal and archive keep their state after the last whole page."""
        path = self.config.journal if isinstance(error, sqlite3.Error) else self.config.archive
        self.failure = storage_error(error, path or "the journal in memory")
        self.in_flight.clear()
        self.frontier.abandon()
        if self.archive is not None:
            self.archive.abandon(self._archive_end)
        self.on_stop()

    @property
    def open_languages(self) -> list[str]:
        """Return the languages whose quota is not reached."""
        quota = self.config.quota
        return [name for name in self.config.languages if not quota or self.target_counts[name] < quota]

    @property
    def is_finished(self) -> bool:
        """Return True if the limit of requests or the quota of every language is reached."""
        return bool(self.config.max_pages and self.requests >= self.config.max_pages) or not self.open_languages

    # The queue.

    @stops_on_error()
    def next_page(self) -> QueuedPage | None:
        """Return the next page to request, of a host with none in flight, or None to wait.

        A page below the threshold waits for pages above it that are in flight: their links may be better.
        """
        if self.is_finished:
            return None
        now = time.monotonic()
        self.paused_hosts = {host: end for host, end in self.paused_hosts.items() if end > now}
        busy = [*(page.host for page in self.in_flight.values()), *self.paused_hosts]
        threshold = NEUTRAL_SCORE if self.policy.is_random else self.config.threshold
        page = self.frontier.pop(busy, threshold, self.policy.is_random)
        if page is None and all(other.score < threshold for other in self.in_flight.values()):
            page = self.frontier.pop(busy, 0.0, self.policy.is_random)
        if page is not None:
            self.requests += 1
            self.in_flight[page.id] = page
            # The page that links to this one may not be finished: the commit makes sure that the journal has every request.
            self.frontier.commit()
        return page

    @stops_on_error(False)
    def enqueue(self, page: NewPage) -> bool:
        return self.frontier.push(page)

    def pause_host(self, page_id: int, seconds: float) -> None:
        """Request nothing more from the host of a page in flight for some seconds."""
        host = self.in_flight[page_id].host
        self.paused_hosts[host] = max(self.paused_hosts.get(host, 0.0), time.monotonic() + seconds)

    @stops_on_error(False)
    def has_queued(self) -> bool:
        return self.frontier.has_queued()

    @stops_on_error(False)
    def is_known(self, key: str) -> bool:
        return bool(self.frontier.find_known([key]))

    @stops_on_error((0, {}))
    def count_progress(self) -> tuple[int, dict[str, int]]:
        """Return the number of hosts visited and the number of queued URLs by language."""
        return self.frontier.count_totals().hosts, self.frontier.count_queued_by_language()

    @stops_on_error(())
    def read_inlinks(self, page_id: int) -> tuple[Inlink, ...]:
        return self.frontier.read_inlinks(page_id)

    @stops_on_error(False)
    def requeue(self, page_id: int, request: str) -> bool:
        """Queue a page in flight again, for a retry or for a redirect that other middleware follows."""
        if self.frontier.requeue(page_id, request):
            self.requests -= 1
            self.in_flight.pop(page_id, None)
            return True
        return False

    # Links.

    @stops_on_error([])
    def select_links(self, source: Source, links: Sequence[Link]) -> list[tuple[int, LinkScore]]:
        """Return the index and score of each link that should be queued.

        Links to known pages are stored as evidence: a queued page is scored again, a packed one gets a second pass.
        """
        domain = site_of(source.url)[1]
        known = self.frontier.find_known([link.target.key for link in links])
        new: list[int] = []
        pending: Counter[str] = Counter()
        seen: set[str] = set()
        for index, link in enumerate(links):
            page = known.get(link.target.key)
            if page is not None:
                self._add_inlink(page, source, link, domain)
            elif link.target.key not in seen and self.frontier.has_room(link.target, pending):
                seen.add(link.target.key)
                pending[link.target.host] += 1
                new.append(index)
        scores = self.score_links(
            [(links[index].target, (self.make_inlink(source, links[index]),), links[index].anchor) for index in new]
        )
        selected = zip(new, scores, strict=True)
        min_score = self.config.threshold if self.config.below_threshold == DROP else 0.0
        return [(index, score) for index, score in selected if score.score >= min_score]

    def make_inlink(self, source: Source, link: Link) -> Inlink:
        return Inlink(source.url, source.language, source.confidence, link.anchor, link.hreflang)

    def score_links(self, links: Sequence[tuple[CrawlUrl, tuple[Inlink, ...], str]]) -> list[LinkScore]:
        """Return scores of URLs, each given with the links to it and the anchor text of one of them."""
        hosts: dict[str, Mapping[str, float] | None] = {}
        pages = []
        for target, inlinks, _ in links:
            if target.host not in hosts:
                is_used = self.policy.is_adaptive
                hosts[target.host] = self.read_host_counts(target.host, target.domain) if is_used else None
            pages.append(Page(b"", target.url, inlinks=inlinks, host=hosts[target.host]))
        return self.policy.score(pages, [anchor for _, _, anchor in links], self.open_languages)

    def read_host_counts(self, host: str, domain: str) -> Mapping[str, float] | None:
        """Return pages by language of a host, with its domain and top-level domain mixed in, or None if there are none."""
        counts = self.frontier.read_language_counts(host, domain)
        return host_counts(*counts, self.identifier.models.evidence) if any(counts) else None

    def _add_inlink(self, known: KnownPage, source: Source, link: Link, domain: str) -> None:
        inlink = self.make_inlink(source, link)
        if not self.policy.is_adaptive or not self.frontier.add_inlink(known.id, inlink, domain):
            return
        if known.state == QUEUED:
            self._rescore([known.id])
        elif known.is_packed:
            self._second_pass(known.id)

    def _rescore(self, page_ids: Sequence[int]) -> None:
        """Score queued pages again with the present evidence."""
        if not page_ids:
            return
        urls = self.frontier.read_urls(page_ids)
        links = []
        for page_id, url in urls.items():
            inlinks = self.frontier.read_inlinks(page_id)
            host, domain = self.frontier.read_site(page_id)
            anchor = next((link.anchor for link in inlinks if link.anchor), "")
            links.append((CrawlUrl(url, "", host, domain), inlinks, anchor))
        scores = self.score_links(links)
        self.frontier.update_scores(
            (score.score, score.language, page_id) for score, page_id in zip(scores, urls, strict=True)
        )

    # Pages.

    def analyze(self, page_id: int | None, page: Page) -> Analysis:
        """Return the analysis of a page, with its inlinks and the language counts of its host as evidence."""
        inlinks: tuple[Inlink, ...] = ()
        host: Mapping[str, float] | None = None
        if page_id is not None:
            inlinks, host = self._read_context(page_id)
        return self.identifier.analyze(Page(page.raw, page.url, page.headers, page.ip, None, inlinks, host))

    @stops_on_error(((), None))
    def _read_context(self, page_id: int) -> tuple[tuple[Inlink, ...], Mapping[str, float] | None]:
        return self.frontier.read_inlinks(page_id), self.read_host_counts(*self.frontier.read_site(page_id))

    @stops_on_error()
    def finish(self, page_id: int, status: int, analysis: Analysis | None, capture: Capture | None) -> None:
        """Write an answered page to the archive and the journal. Its links are queued before."""
        values: dict[str, object] = {"state": DONE, "status": status}
        verdict = analysis.verdict if analysis is not None else None
        if self.archive is not None and capture is not None:
            values["archive_offset"], values["archive_length"] = self.archive.write(capture, verdict)
            self.frontier.set_metadata("archive_end", self.archive.size)
        if status == OK:
            self.pages += 1
            self.on_count("fetched")
        if analysis is not None and verdict is not None:
            values |= {"label": verdict.label, "confidence": verdict.confidence, "reason": str(verdict.reason)}
            if self.policy.is_adaptive and status == OK and verdict.confidence < MAX_PACKED_CONFIDENCE:
                values |= {"packed": analysis.packed, "encoding": verdict.encoding}
        self.frontier.finish(page_id, values)
        self.in_flight.pop(page_id, None)
        if verdict is not None and status == OK:
            self._learn(page_id, "", verdict.label, verdict.confidence)
        self.frontier.commit()
        self._archive_end = self.archive.size if self.archive is not None else 0

    @stops_on_error()
    def fail(self, page_id: int, reason: str) -> None:
        """Store that a page could not be fetched."""
        self.frontier.finish(page_id, {"state": FAILED, "reason": reason[:MAX_REASON_CHARS]})
        self.in_flight.pop(page_id, None)
        self.frontier.commit()

    def _learn(self, page_id: int, old_label: str, label: str, confidence: float) -> None:
        """Count a page for its host in place of its old label, and score queued pages of the host and the domain again."""
        open_before = self.open_languages
        for changed, change in ((old_label, -1), (label, 1)):
            if changed in self.wanted:
                self.target_counts[self.wanted[changed]] += change
        for name in set(open_before) - set(self.open_languages):
            self._close_language(name)
        language = "" if label in SPECIAL or confidence < MIN_COUNTED_CONFIDENCE else label.partition("_")[0]
        old_language = old_label.partition("_")[0] if old_label and old_label not in SPECIAL else ""
        if language == old_language:
            return
        host, domain = self.frontier.read_site(page_id)
        for code, pages in ((old_language, -1.0), (language, 1.0)):
            if code:
                self.frontier.add_language_count(host, domain, code, pages)
        if self.policy.is_adaptive:
            self._rescore(self.frontier.find_siblings(host, domain, MAX_RESCORED_SIBLINGS))

    def _close_language(self, name: str) -> None:
        """Score the pages that were queued for a language for the other languages, after its quota is reached."""
        last_id = 0
        while page_ids := self.frontier.find_queued(name, last_id, RESCORE_BATCH):
            self._rescore(page_ids)
            last_id = page_ids[-1]

    def _second_pass(self, page_id: int) -> None:
        """Identify a packed page again with a new link to it as evidence."""
        url, old_label, packed, encoding = self.frontier.read_packed(page_id)
        host = self.read_host_counts(*self.frontier.read_site(page_id))
        page = Page(b"", url, inlinks=self.frontier.read_inlinks(page_id), host=host)
        try:
            verdict = self.identifier.second_pass(packed, page, encoding).verdict
        except (ValueError, TypeError):  # packed by another release, or by someone else
            return
        self.on_count("second_passes")
        if verdict.label != old_label:
            self.on_count("second_passes/changed")
            self.frontier.update_verdict(page_id, verdict.label, verdict.confidence, str(verdict.reason))
            self._learn(page_id, old_label, verdict.label, verdict.confidence)

    @stops_on_error()
    def close(self) -> None:
        """Close journal and archive. Pages in flight stay marked as such, and are requested again after --resume."""
        self.frontier.close()
        if self.archive is not None:
            self.archive.close()

    @stops_on_error()
    def save_config(self) -> None:
        """Write the settings to the journal, for --resume."""
        self.frontier.set_metadata("config", json.dumps(self.config.to_dict()))
        self.frontier.commit()
