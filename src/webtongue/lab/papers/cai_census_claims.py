"""The statements of Cai (2009) that a census can test, on pages that are each counted once, and on the thesis's own tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from webtongue import files, labels
from webtongue.census.tables.finish import spearman
from webtongue.lab.evaluate.tables import Claim
from webtongue.lab.papers import cai_published as thesis
from webtongue.lab.papers.cai_claims import CHANCE, check_order
from webtongue.lab.papers.cai_counts import ENGLISH, UND, thesis_language
from webtongue.lab.papers.significance import ALPHA, compare_shares, decide, format_probability

NAMED_BY_CHARSET = (
    "zho",
    "jpn",
    "tur",
    "kor",
)  # the languages of table 5-2 that charsets name, and those that they do not
NOT_NAMED_BY_CHARSET = (ENGLISH, "deu", "fra")
SPOKEN_IN_CANADA = ("zho", "pan", "spa", "ita", "ara")  # section 5.4.1: the most spoken languages that are not official
TEXT_ALONE = "webtongue, text alone"  # the reference: answers by a page's text, without its declarations
PAGE = "status = 'identified' AND fetch_status = 200"
PERMUTATIONS, SEED = 10_000, 2009


@dataclass(frozen=True, slots=True)
class CensusPage:
    """A page of a census: its language by webtongue's reading of the text, and by each approach of the thesis."""

    language: str
    by_approach: Mapping[str, str]


def census_claims(wlids: Any, text_alone: Any) -> Iterator[Claim]:
    """Yield the claims of tables 4-4 and 5-2, from a census by the parallel manner and one by text alone."""
    pages = read_distinct_pages(wlids, text_alone)
    yield check_charsets(pages)
    counts = {
        name: count_agreeing([page for page in pages if UND not in (page.language, page.by_approach[name])], name)
        for name in ("encoding", "language", "text")
    }
    text = "the priority list by how often approaches agree with webtongue's reading of the text, on the archives"
    yield check_order(counts, text)


def count_agreeing(pages: Sequence[CensusPage], approach: str) -> tuple[int, int]:
    """Return the number of pages on which an approach agrees with the text, and the number of pages."""
    return sum(page.by_approach[approach] == page.language for page in pages), len(pages)


def check_charsets(pages: Sequence[CensusPage]) -> Claim:
    """Return the claim of table 5-2."""
    counts = [
        count_agreeing([page for page in pages if page.language in codes], "encoding")
        for codes in (NAMED_BY_CHARSET, NOT_NAMED_BY_CHARSET)
    ]
    holds, probability = compare_shares(*counts)
    names = ("Chinese, Japanese, Turkish and Korean", "English, German and French")
    figures = ", ".join(f"{name} {hits} of {total}" for name, (hits, total) in zip(names, counts, strict=True))
    text = f"charsets name {names[0]} pages more often than {names[1]} ones, on the archives"
    refuted_by = f"a larger share of English, German and French pages, p < {ALPHA}"
    return Claim(text, holds, f"{figures}, {format_probability(probability)}", CHANCE, refuted_by)


def published_claims() -> Iterator[Claim]:
    """Yield the statements on the thesis's totals: on its tables where they decide, else undecided, since the crawl is lost."""
    yield check_ranks()
    found = [code for code in SPOKEN_IN_CANADA if code in thesis.LANGUAGES_IN_CANADA]
    yield Claim(
        "the languages of pages in Canada are close to the languages most spoken there",
        None,
        f"of the five most spoken that are not official {len(found)} are in table 5-5 ({', '.join(found)}), with Scots and Latin",
        "it needs a crawl of Canada's servers",
        "a census of Canada in which the ranks of languages and of their speakers are unrelated",
    )
    china = sum(thesis.COUNTRIES_OF_CHINESE[code] for code in ("CN", "TW", "HK"))
    yield Claim(
        "the countries of Chinese pages reflect where Chinese is spoken",
        None,
        f"{china:.1f}% of table 5-6 are in China, Taiwan and Hong Kong; Russia, with 3.05%, is fifth",
        "it needs a crawl of the servers of all countries",
        "a census in which most Chinese pages are elsewhere",
    )
    yield Claim(
        "74.8% of portal pages can be identified, 99.6% of them rightly",
        None,
        "his portals of 2008, 1,400 of them judged by hand",
        "the crawl is lost, and levels on other pages are not comparable",
        "a judged sample of the same portals",
    )


def check_ranks() -> Claim:
    """Return the claim of section 5.3.1, on its own tables: languages rank like their home countries by servers."""
    countries = dict(files.read_rows("home_countries.tsv"))
    homes = {code: countries.get(str(labels.parse(code)), "") for code in thesis.LANGUAGE_SHARES}
    servers = thesis.SERVERS_BY_COUNTRY
    languages = [code for code in thesis.LANGUAGE_SHARES if homes[code] in servers]
    shares = [thesis.LANGUAGE_SHARES[code] for code in languages]
    counts = [float(servers[homes[code]]) for code in languages]
    rho = spearman(shares, counts)
    rng = np.random.default_rng(SEED)
    above = sum(spearman(shares, rng.permutation(counts).tolist()) >= rho for _ in range(PERMUTATIONS))
    probability = (above + 1) / (PERMUTATIONS + 1)
    moved = sum(counts[languages.index(a)] < counts[languages.index(b)] for a, b in pairwise(languages))
    figures = (
        f"tables 5-3 and 5-4, {len(languages)} languages with a home country in the first: Spearman's rho {rho:.2f}, "
        f"{format_probability(probability)}; {moved} of {len(languages) - 1} neighbours are in the other order"
    )
    text = "the ranks of languages match those of their countries by servers (section 5.3.1)"
    return Claim(text, decide(rho > 0, probability), figures, CHANCE, f"no correlation of ranks, p >= {ALPHA}")


def read_distinct_pages(wlids: Any, text_alone: Any) -> list[CensusPage]:
    """Return the pages that both censuses have, each once."""
    key = "warc_filename, warc_record_offset, url, content_digest"
    columns = "by_encoding, by_language, by_text"
    read = f"FROM rows WHERE {PAGE} ORDER BY {key}"
    pages: dict[tuple[str, str], CensusPage] = {}
    answers = wlids.execute(f"SELECT {key}, {columns} {read}").fetchall()
    references = text_alone.execute(f"SELECT {key}, label {read}").fetchall()
    for (*place, encoding, language, text), (*same_place, label) in zip(answers, references, strict=True):
        if place != same_place:
            raise ValueError(f"the censuses differ at {place[2]}")
        by_approach = {"encoding": encoding, "language": language, "text": text}
        folded = {name: thesis_language(answer or UND) for name, answer in by_approach.items()}
        pages.setdefault((place[2], place[3]), CensusPage(thesis_language(label), folded))
    return list(pages.values())
