"""What steers a crawl: it judges pages, scores links, and learns from both. It knows no Scrapy, so that it can be tried alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from webtongue import Identifier, Inlink, Page
from webtongue.contents import Contents
from webtongue.crawl.addresses import Address
from webtongue.crawl.archive import Archive, Received
from webtongue.crawl.config import DROP, Config
from webtongue.crawl.frontier import DONE, FAILED, QUEUED, Frontier, Known, Row, Taken
from webtongue.crawl.policies import ANY, Policy, Scored, Scorer, policy
from webtongue.errors import UsageError
from webtongue.fuse import host_counts
from webtongue.links import site_of
from webtongue.second_look import judge_again
from webtongue.verdict import Verdict

__all__ = ["Focus", "Judged", "Link", "Source"]

RESCORED = 32  # queued addresses of a host, and of its domain, that a page of it changes
CHUNK = 200  # addresses that are scored at once when a language is no longer wanted
OK = 200  # the status of a page
SHORT_SURE = 0.9  # confidence below which a page is kept to be judged again when more links to it are known
SURE_ENOUGH = 0.5  # confidence from which a page counts for its host


@dataclass(frozen=True, slots=True)
class Source:
    """A page that links."""

    url: str
    language: str  # its label; empty where it has none
    confidence: float
    depth: int


@dataclass(frozen=True, slots=True)
class Link:
    """A link of it: where to, with what words, and the language that its ``hreflang`` says is there."""

    address: Address
    anchor: str = ""
    hreflang: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A page that was fetched, with its links at hand."""

    verdict: Verdict
    contents: Contents


class Focus:
    """The state of one crawl."""

    def __init__(
        self,
        config: Config,
        identifier: Identifier | None = None,
        scorer: Scorer | None = None,
        archive: Archive | None = None,
    ) -> None:
        if not config.languages:
            raise UsageError("a crawl is for a language: say which, such as fr, or is,fo")
        self.config = config
        self.identifier = identifier or Identifier()
        self.frontier = Frontier(config.journal, config)
        self.archive = archive
        self.policy: Policy = policy(config, self.identifier, scorer)
        self.wanted = {label: name for name in config.languages for label in self.identifier.labels_of([name])}
        self.found: Counter[str] = Counter()  # pages by wanted language
        for label, count in self.frontier.labels().items():
            if label in self.wanted:
                self.found[self.wanted[label]] += count
        tally = self.frontier.tally()
        self.requests = tally["done"] + tally["failed"]  # and those under way
        self.pages = tally["pages"]  # answers that are pages, neither redirects nor errors
        self.under_way: dict[int, Taken] = {}
        self.counted: Callable[[str], None] = lambda name: None  # tells whoever keeps statistics

    # What is still wanted.

    @property
    def open_languages(self) -> list[str]:
        """Languages of which there are not enough pages yet."""
        quota = self.config.quota
        return [name for name in self.config.languages if not quota or self.found[name] < quota]

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be asked for."""
        return bool(self.config.max_pages and self.requests >= self.config.max_pages) or not self.open_languages

    # The queue.

    def take(self) -> Taken | None:
        """The next request, of a host that has none under way; None where it is better to wait: better links than those below the
        threshold may come of what is under way."""
        if self.is_over:
            return None
        busy = [taken.host for taken in self.under_way.values()]
        threshold = ANY if self.policy.drawn else self.config.threshold
        taken = self.frontier.take(busy, threshold, self.policy.drawn)
        if taken is None and all(one.score < threshold for one in self.under_way.values()):
            taken = self.frontier.take(busy, 0.0, self.policy.drawn)
        if taken is not None:
            self.requests += 1
            self.under_way[taken.id] = taken
            self.frontier.commit()  # so that whatever is asked for is in the journal, if the page that led there is not closed yet
        return taken

    def push(self, row: Row) -> bool:
        return self.frontier.push(row)

    def again(self, number: int, request: str) -> bool:
        """A retry, or a redirect that someone else follows."""
        if self.frontier.again(number, request):
            self.requests -= 1
            self.under_way.pop(number, None)
            return True
        return False

    # Links.

    def follow(self, source: Source, links: Sequence[Link]) -> list[tuple[int, Scored]]:
        """Which links are worth a request, by their places in the list, and their scores. Links to what is known already are
        remembered: a queued page is scored anew, and a short one judged again."""
        domain = site_of(source.url)[1]
        known = self.frontier.known([link.address.key for link in links])
        fresh: list[int] = []
        more: Counter[str] = Counter()
        seen: set[str] = set()
        for place, link in enumerate(links):
            before = known.get(link.address.key)
            if before is not None:
                self._link_again(before, source, link, domain)
            elif link.address.key not in seen and self.frontier.room(link.address, more):
                seen.add(link.address.key)
                more[link.address.host] += 1
                fresh.append(place)
        scored = self.score([(links[p].address, (self.inlink(source, links[p]),), links[p].anchor) for p in fresh])
        out = list(zip(fresh, scored, strict=True))
        if self.config.below == DROP:
            out = [(place, one) for place, one in out if one.score >= self.config.threshold]
        return out

    def inlink(self, source: Source, link: Link) -> Inlink:
        """A link as evidence."""
        return Inlink(source.url, source.language, source.confidence, link.anchor, link.hreflang)

    def score(self, links: Sequence[tuple[Address, tuple[Inlink, ...], str]]) -> list[Scored]:
        """Scores of addresses, by links to them and the words of one."""
        hosts: dict[str, Mapping[str, float] | None] = {}
        pages = []
        for address, inlinks, _ in links:
            if address.host not in hosts:
                hosts[address.host] = self.host(address.host, address.domain) if self.policy.learns else None
            pages.append(Page(b"", address.url, inlinks=inlinks, host=hosts[address.host]))
        return self.policy.score(pages, [anchor for _, _, anchor in links], self.open_languages)

    def host(self, host: str, domain: str) -> Mapping[str, float] | None:
        """What is known of a host, with its domain and its top level domain."""
        counts = self.frontier.counts(host, domain)
        return host_counts(*counts, self.identifier.stages.fusion) if any(counts) else None

    def _link_again(self, known: Known, source: Source, link: Link, domain: str) -> None:
        if not self.policy.learns or not self.frontier.add_inlink(known.id, self.inlink(source, link), domain):
            return
        if known.state == QUEUED:
            self._rescore([known.id])
        elif known.is_short:
            self._judge_again(known.id)

    def _rescore(self, numbers: Sequence[int]) -> None:
        """Scores of queued addresses by what is known now."""
        if not numbers:
            return
        urls = self.frontier.urls(numbers)
        links = []
        for number in urls:
            inlinks = self.frontier.inlinks(number)
            host, domain = self.frontier.place(number)
            anchor = next((link.anchor for link in inlinks if link.anchor), "")
            links.append((Address(urls[number], "", host, domain), inlinks, anchor))
        scored = self.score(links)
        self.frontier.rescore((one.score, one.language, number) for one, number in zip(scored, urls, strict=True))

    # Pages.

    def judge(self, number: int | None, page: Page) -> Judged:
        """What a page is in, by its bytes and by all that the crawl knows of it."""
        inlinks: tuple[Inlink, ...] = ()
        host: Mapping[str, float] | None = None
        if number is not None:
            inlinks, host = self.frontier.inlinks(number), self.host(*self.frontier.place(number))
        page = Page(page.raw, page.url, page.headers, page.ip, None, inlinks, host)
        found = self.identifier.contents(page)
        return Judged(found.verdict, found)

    def finish(
        self, number: int, status: int, verdict: Verdict | None, page: Page | None, received: Received | None
    ) -> None:
        """A page was answered, and its links are queued: put it into the archive and close its entry in the journal."""
        values: dict[str, object] = {"state": DONE, "status": status}
        if self.archive is not None and received is not None:
            values["start"], values["size"] = self.archive.write(received, verdict)
            self.frontier.put_fact("archive", self.archive.size)
        self.pages += status == OK
        if verdict is not None:
            values |= {"label": verdict.label, "confidence": verdict.confidence, "reason": str(verdict.reason)}
            if page is not None and self.policy.learns and status == OK and verdict.confidence < SHORT_SURE:
                kept = self.identifier.identify_batch(
                    {"raw": [page.raw], "headers": [page.headers]}, details=("reading",)
                )
                values |= {"kept": kept["reading"][0] or None, "encoding": kept["encoding"][0]}
        self.frontier.finish(number, values)
        self.under_way.pop(number, None)
        if verdict is not None and status == OK:
            self._learn(number, "", verdict.label, verdict.confidence)
        self.frontier.commit()

    def fail(self, number: int, reason: str) -> None:
        """A page could not be had."""
        self.frontier.finish(number, {"state": FAILED, "reason": reason[:200]})
        self.under_way.pop(number, None)
        self.frontier.commit()

    def _learn(self, number: int, before: str, label: str, confidence: float) -> None:
        """Count a page for its host, and score anew what is queued there."""
        was_open = self.open_languages
        for one, change in ((before, -1), (label, 1)):
            if one in self.wanted:
                self.found[self.wanted[one]] += change
        for name in set(was_open) - set(self.open_languages):
            self._give_up(name)
        language = "" if label in ("und", "zxx", "mul") or confidence < SURE_ENOUGH else label.partition("_")[0]
        old = before.partition("_")[0] if before not in ("", "und", "zxx", "mul") else ""
        if language == old:
            return
        host, domain = self.frontier.place(number)
        for one, pages in ((old, -1.0), (language, 1.0)):
            if one:
                self.frontier.count(host, domain, one, pages)
        if self.policy.learns:
            self._rescore(self.frontier.siblings(host, domain, RESCORED))

    def _give_up(self, name: str) -> None:
        """There is enough of a language: what is queued for it is scored for the others."""
        last = 0
        while numbers := self.frontier.queued_for(name, last, CHUNK):
            self._rescore(numbers)
            last = numbers[-1]

    def _judge_again(self, number: int) -> None:
        """The answer of a short page, now that another page links to it."""
        url, before, kept, encoding = self.frontier.judged(number)
        page = Page(b"", url, inlinks=self.frontier.inlinks(number), host=self.host(*self.frontier.place(number)))
        try:
            found = judge_again(kept, page, encoding, self.identifier.stages)
        except ValueError:  # kept by another release
            return
        self.counted("judged_again")
        if found.label != before:
            self.counted("changed")
            self.frontier.revise(number, found.label, found.confidence, str(found.reason))
            self._learn(number, before, found.label, found.confidence)

    def close(self) -> None:
        """What is under way stays so in the journal, and is asked for again by whoever resumes."""
        self.frontier.close()
        if self.archive is not None:
            self.archive.close()

    def remember(self) -> None:
        """The settings, so that whoever resumes goes by the same."""
        self.frontier.put_fact("config", json.dumps(self.config.to_dict()))
        self.frontier.commit()
