"""What Cai (2009) says of his approaches, on the pages of a census, each page counted once. Every one of these can fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cai_counts import ENGLISH, UND, language, percent, share

from webtongue.evaluate.tables import Claim

EAST_ASIAN = ("zho", "jpn", "kor")
ALONE = {"language": "language declaration", "encoding": "encoding declaration", "text": "text"}
SERIAL, PARALLEL = "serial", "parallel"
TEXT_ALONE = "webtongue, text alone"  # the census that judges: what a page's text says, whatever the page declares
PAGE = "status = 'identified' AND fetch_status = 200"


@dataclass(frozen=True, slots=True)
class Seen:
    """A page of a census: its language, and the one that its charset names."""

    language: str
    by_charset: str

    @property
    def is_known(self) -> bool:
        return self.language != UND


def manners(crawl: str, stores: Mapping[str, Any]) -> Claim:
    """Serial and parallel differ in what they run, and should not in what they answer (section 3.2.3)."""
    columns = "warc_filename, warc_record_offset, url, label, reason, identified_by"
    serial, parallel = (
        stores[name].execute(f"SELECT {columns} FROM rows WHERE {PAGE} ORDER BY ALL").fetchall()
        for name in (SERIAL, PARALLEL)
    )
    differ = sum(one != other for one, other in zip(serial, parallel, strict=True))
    text = f"the serial and the parallel manner answer alike, on {crawl}"
    return Claim(text, bool(serial) and not differ, f"{differ} of {len(serial):,} pages differ")


def comparisons(stores: Mapping[str, Any]) -> Iterator[Claim]:
    """What the thesis says of coverage, of charsets and of the priority list."""
    said = {name: different(stores[name]) for name in (*ALONE, PARALLEL, TEXT_ALONE)}
    yield covers_more(said)
    yield charsets(said[TEXT_ALONE])
    yield priorities(said)


def covers_more(said: Mapping[str, Sequence[Seen]]) -> Claim:
    """Section 5.1.2. Together they cover no less than each, since one answer is enough; whether they cover more, pages decide."""
    covered = {name: sum(one.is_known for one in said[name]) for name in (*ALONE, PARALLEL)}
    pages = len(said[PARALLEL])
    figures = ", ".join(f"{ALONE.get(name, 'all')} {percent(count, pages)}" for name, count in covered.items())
    holds = covered[PARALLEL] > max(covered[name] for name in ALONE)
    return Claim("composite over each approach in coverage, on real pages", holds, f"{figures} of {pages} pages")


def charsets(judged: Sequence[Seen]) -> Claim:
    """Table 5-2."""
    groups = {"Chinese, Japanese and Korean": EAST_ASIAN, "English": (ENGLISH,)}
    hits = {
        name: [one.by_charset == one.language for one in judged if one.language in codes]
        for name, codes in groups.items()
    }
    figures = ", ".join(f"{name} {sum(found)} of {len(found)}" for name, found in hits.items())
    east, english = (share(sum(found), len(found)) for found in hits.values())
    holds = east is not None and english is not None and east > english
    text = "charsets name Chinese, Japanese and Korean pages more often than English ones, on real pages"
    return Claim(text, holds, figures)


def priorities(said: Mapping[str, Sequence[Seen]]) -> Claim:
    """Table 4-4's order, by how often each approach agrees with the text where both say something."""
    agreed = {}
    differ: Counter[str] = Counter()
    for name in ("encoding", "language", "text"):
        pairs = zip(said[name], said[TEXT_ALONE], strict=True)
        both = [(one.language, other.language) for one, other in pairs if one.is_known and other.is_known]
        agreed[name] = sum(one == other for one, other in both), len(both)
        differ.update(f"{ALONE[name]} {one}, text read as {other}" for one, other in both if one != other)
    figures = ", ".join(f"{ALONE[name]} {hits} of {both}" for name, (hits, both) in agreed.items())
    order = [share(*pair) or 0.0 for pair in agreed.values()]
    text = "the priority list by how often approaches agree with webtongue's reading of the text, on real pages"
    why = f"few pages decide: {'; '.join(f'{pair}: {count}' for pair, count in sorted(differ.items()))}"
    return Claim(text, order == sorted(order, reverse=True), figures, why)


def different(store: Any) -> list[Seen]:
    """Pages, each once however many archives hold it, in an order that all censuses of a crawl share."""
    query = (
        "SELECT url, content_digest, label, charset_language FROM rows "
        f"WHERE {PAGE} ORDER BY warc_filename, warc_record_offset, url, content_digest"
    )
    found: dict[tuple[str, str], Seen] = {}
    for url, digest, label, charset in store.execute(query).fetchall():
        found.setdefault((url, digest), Seen(language(label), language(charset or UND)))
    return list(found.values())
