"""The statements of Cai (2009) about his approaches, tested on the pages of a census, each page counted once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webtongue.lab.evaluate.tables import Claim
from webtongue.lab.papers.cai_counts import ENGLISH, UND, format_percent, thesis_language
from webtongue.lab.papers.common import percent_of

EAST_ASIAN = ("zho", "jpn", "kor")
APPROACH_NAMES = {"language": "language declaration", "encoding": "encoding declaration", "text": "text"}
SERIAL, PARALLEL = "serial", "parallel"
TEXT_ALONE = "webtongue, text alone"  # the reference: answers by a page's text, without its declarations
PAGE = "status = 'identified' AND fetch_status = 200"


@dataclass(frozen=True, slots=True)
class CensusPage:
    """A page of a census: its language, and the one that its charset names."""

    language: str
    by_charset: str

    @property
    def is_known(self) -> bool:
        """Return True if the page has a language."""
        return self.language != UND


def compare_orders(crawl: str, stores: Mapping[str, Any]) -> Claim:
    """Return the claim that the serial and the parallel order give the same answers (section 3.2.3)."""
    columns = "warc_filename, warc_record_offset, url, label, reason, identified_by"
    serial, parallel = (
        stores[name].execute(f"SELECT {columns} FROM rows WHERE {PAGE} ORDER BY ALL").fetchall()
        for name in (SERIAL, PARALLEL)
    )
    differences = sum(first != second for first, second in zip(serial, parallel, strict=True))
    text = f"the serial and the parallel order give the same answers, on {crawl}"
    return Claim(text, bool(serial) and not differences, f"{differences} of {len(serial):,} pages differ")


def census_claims(stores: Mapping[str, Any]) -> Iterator[Claim]:
    """Yield the claims of the thesis about coverage, charsets and the priority list."""
    pages = {name: read_distinct_pages(stores[name]) for name in (*APPROACH_NAMES, PARALLEL, TEXT_ALONE)}
    yield check_coverage(pages)
    yield check_charsets(pages[TEXT_ALONE])
    yield check_priorities(pages)


def check_coverage(pages_by_approach: Mapping[str, Sequence[CensusPage]]) -> Claim:
    """Return the claim of section 5.1.2. The composite covers no less than each approach; the pages decide if it covers more."""
    covered = {name: sum(page.is_known for page in pages_by_approach[name]) for name in (*APPROACH_NAMES, PARALLEL)}
    total = len(pages_by_approach[PARALLEL])
    figures = ", ".join(
        f"{APPROACH_NAMES.get(name, 'all')} {format_percent(count, total)}" for name, count in covered.items()
    )
    holds = covered[PARALLEL] > max(covered[name] for name in APPROACH_NAMES)
    return Claim("composite over each approach in coverage, on real pages", holds, f"{figures} of {total} pages")


def check_charsets(pages: Sequence[CensusPage]) -> Claim:
    """Return the claim of table 5-2."""
    groups = {"Chinese, Japanese and Korean": EAST_ASIAN, "English": (ENGLISH,)}
    hits = {
        name: [page.by_charset == page.language for page in pages if page.language in codes]
        for name, codes in groups.items()
    }
    figures = ", ".join(f"{name} {sum(group_hits)} of {len(group_hits)}" for name, group_hits in hits.items())
    east, english = (percent_of(sum(group_hits), len(group_hits)) for group_hits in hits.values())
    holds = east is not None and english is not None and east > english
    text = "charsets name Chinese, Japanese and Korean pages more often than English ones, on real pages"
    return Claim(text, holds, figures)


def check_priorities(pages: Mapping[str, Sequence[CensusPage]]) -> Claim:
    """Return the claim of table 4-4's order, by how often each approach agrees with the text where both have an answer."""
    agreed = {}
    differ: Counter[str] = Counter()
    for name in ("encoding", "language", "text"):
        pairs = zip(pages[name], pages[TEXT_ALONE], strict=True)
        pairs_answered = [
            (first.language, second.language) for first, second in pairs if first.is_known and second.is_known
        ]
        agreed[name] = sum(first == second for first, second in pairs_answered), len(pairs_answered)
        differ.update(
            f"{APPROACH_NAMES[name]} {first}, text read as {second}"
            for first, second in pairs_answered
            if first != second
        )
    figures = ", ".join(
        f"{APPROACH_NAMES[name]} {hits} of {pairs_answered}" for name, (hits, pairs_answered) in agreed.items()
    )
    order = [percent_of(*pair) or 0.0 for pair in agreed.values()]
    text = "the priority list by how often approaches agree with webtongue's reading of the text, on real pages"
    why = f"few pages decide: {'; '.join(f'{pair}: {count}' for pair, count in sorted(differ.items()))}"
    return Claim(text, order == sorted(order, reverse=True), figures, why)


def read_distinct_pages(store: Any) -> list[CensusPage]:
    """Return the pages, each once, in an order that all censuses of a crawl share."""
    query = (
        f"SELECT url, content_digest, label, charset_language FROM rows WHERE {PAGE} ORDER BY warc_filename, "
        "warc_record_offset, url, content_digest"
    )
    pages: dict[tuple[str, str], CensusPage] = {}
    for url, digest, label, charset in store.execute(query).fetchall():
        pages.setdefault((url, digest), CensusPage(thesis_language(label), thesis_language(charset or UND)))
    return list(pages.values())
