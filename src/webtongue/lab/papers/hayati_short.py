"""Hayati 2004, table 5.1 and the claims about short pages: on real pages with real links, on real links with sampled texts, and
on random links."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from webtongue.lab.evaluate.tables import Cell, Claim, Table
from webtongue.lab.methods.grams import keep_letters
from webtongue.lab.papers.common import percent
from webtongue.lab.papers.estimates import claim_by_intervals, estimate
from webtongue.lab.papers.hayati_inlinks import (
    COLUMNS,
    PAPER_ERROR,
    PAPER_INLINKS,
    PAPER_NFC,
    Classifiers,
    PageResult,
    classify_pages,
    error_claims,
    link_count_rows,
    percentages,
    sweep_table,
    table_5_1_rows,
)
from webtongue.lab.papers.hayati_systems import CLASSES, LABELS, MAX_SHORT_CHARS, MIDDLE_CHARS, SEED, Case
from webtongue.lab.papers.hayati_webs import (
    MAX_LINKING_CHARS,
    Edge,
    LinkedPage,
    LinkRates,
    Neighbours,
    TextPool,
    WebPage,
    attach_texts,
    cut_at_random,
    cut_pages,
    generate_web,
    group_by_length,
    group_links,
    link_pages,
    sample_pages,
)

PAPER_TABLE = ("table 5.1",)
LINK_COUNTS = (0, 1, 2, 3, 5, 10)  # linking pages of each page in generated webs
# Groups of real pages by their number of linking pages.
LINK_COUNT_RANGES = ((1, 1), (2, 2), (3, 5), (6, 10), (11, 10**6))
TEXT_NOTE = (
    "the words of the pages: short ones are words, word pairs and sentences of dev/text, the others real pages of dev/html, "
    "each in the language of the linked page"
)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sample sizes for a language: pages of real links, of groups by number of links, of generated webs."""

    links: int
    group: int
    generated: int


def make_text_pool(pages: Sequence[WebPage], short: Mapping[str, Sequence[Case]]) -> TextPool:
    """Return texts by label: short ones in her two classes, and the pages of dev/html."""
    by_class: dict[str, dict[str, list[str]]] = {name: {label: [] for label in sorted(LABELS)} for name in short}
    for name, cases in short.items():
        for case in cases:
            by_class[name][case.label].append(keep_letters(str(case.document)))
    page_texts: dict[str, list[str]] = {label: [] for label in sorted(LABELS)}
    for page in pages:
        if page.label in LABELS and page.words:
            page_texts[page.label].append(page.words[:MAX_LINKING_CHARS])
    return TextPool(by_class, page_texts)


def measure_real_pages(pages: Sequence[WebPage], classifiers: Classifiers) -> Iterator[Table | Claim]:
    """Yield table 5.1 on real pages and real links: short pages as they are, and all linked pages cut short."""
    linked_pages = [page for page in link_pages(pages) if page.linking]
    by_length = group_by_length(linked_pages)
    results = {name: classify_pages(web, classifiers) for name, web in by_length.items()}
    numbers = sorted(len(page.linking) for page in by_length["< 50"])
    note = (
        f"short pages of dev/html, nearly all of linked_html, with the pages there that link to them, of the same site; "
        f"{numbers.count(1)} of {len(numbers)} have one linking page; too few for a claim, and none is below 25 characters. "
        f"{PAPER_ERROR}"
    )
    title = "accuracy of INLINKS and NFC: real short pages, real links"
    yield Table("table-5-1-real", title, table_5_1_rows(results), COLUMNS, note, reproduces=PAPER_TABLE)
    short, middle = (
        group_by_length(cut_pages(linked_pages, length)) for length in (MIDDLE_CHARS - 1, MAX_SHORT_CHARS - 1)
    )
    cut_results = {
        "< 25": classify_pages(short["< 25"], classifiers),
        ">= 25, < 50": classify_pages(middle[">= 25, < 50"], classifiers),
    }
    cut_results["< 50"] = cut_results["< 25"] + cut_results[">= 25, < 50"]
    title = "accuracy of INLINKS and NFC: real pages cut short, real links"
    note = (
        "every page of dev/html that another page of the eleven languages there links to, Debian's manuals for the most part: "
        "their links stay in their folder, and so in the language"
    )
    generated = "the lengths: pages are cut to their first 24 and 49 characters"
    yield Table(
        "table-5-1-cut", title, table_5_1_rows(cut_results), COLUMNS, note, reproduces=PAPER_TABLE, generated=generated
    )


def measure_real_links(
    eleven: Sequence[Edge], texts: TextPool, classifiers: Classifiers, sizes: Sizes, pages: Sequence[WebPage]
) -> Iterator[Table | Claim]:
    """Yield table 5.1 on real links between news pages, with texts from a pool."""
    independent = [edge for edge in eleven if edge.is_independent]
    results: dict[str, dict[str, list[PageResult]]] = {}
    rows: list[tuple[Cell, ...]] = []
    for name, edges in (("", independent), ("by domain: ", eleven)):
        neighbours = group_links(edges)
        with_several = {key: others for key, others in neighbours.items() if len(others) > 1}
        for prefix, part in ((name, neighbours), (f"{name}two links or more: ", with_several)):
            results[prefix] = classify_by_length(part, sample_pages(part, sizes.links), texts, classifiers)
            rows += table_5_1_rows(results[prefix], prefix)
    single_percent = percent(len(others) == 1 for others in group_links(independent).values())
    note = (
        "pages that news pages link to, with a maximum for each language. Their language is known from the page itself or from its "
        "own URL; in the rows 'by domain' also from its domain, which makes links within a site agree by construction. "
        f"{single_percent:.0f}% of the former have a single linking page: where the own guess wins ties, INLINKS is NFC on them. "
        "The links and their languages are real. The rates by which webtongue weighs links were measured on these links "
        f"(docs/links.md has them held out). {PAPER_ERROR}"
    )
    title = "accuracy of INLINKS and NFC: real links, sampled texts"
    yield Table("table-5-1-links", title, tuple(rows), COLUMNS, note, reproduces=PAPER_TABLE, generated=TEXT_NOTE)
    yield headline_table(results[""], note)
    yield from gain_claims(results[""])
    grouped_results = classify_pages(group_web(group_links(independent), texts, sizes.group), classifiers)
    columns = ("linking pages that vote", "links in its language", "NFC", *COLUMNS[4:])
    title = "short pages by how many pages link to them"
    note = "all classes; pages of the class 0 are those with one linking page, taken away"
    yield Table("section-5-6-number", title, link_count_rows(grouped_results), columns, note, generated=TEXT_NOTE)
    yield from error_claims(results[""]["< 50"], "real links")
    yield from outlink_results(independent, texts, classifiers, sizes, pages)


def headline_table(results: Mapping[str, Sequence[PageResult]], note: str) -> Table:
    """Return the short form of table 5.1 for docs/papers.md."""
    rows: list[tuple[Cell, ...]] = []
    for name in CLASSES:
        nfc, inlinks, own_wins, _, with_links, *_ = percentages(results[name])
        rows.append(
            (name, PAPER_NFC[name], nfc, PAPER_INLINKS[name], inlinks, own_wins, with_links, len(results[name]))
        )
    columns = ("", "NFC, paper", "NFC", "INLINKS, paper", "INLINKS", "own guess wins ties", "webtongue, links", "pages")
    title = "accuracy on short pages, targets known independently of their domain"
    return Table("table-5-1", title, tuple(rows), columns, note, "", PAPER_TABLE, TEXT_NOTE, headline=True)


def classify_by_length(
    neighbours: Neighbours, keys: Sequence[tuple[str, str]], texts: TextPool, classifiers: Classifiers
) -> dict[str, list[PageResult]]:
    """Return the results for her two length classes and both together."""
    results = {name: classify_pages(attach_texts(keys, neighbours, texts, name), classifiers) for name in CLASSES[:2]}
    return results | {"< 50": results["< 25"] + results[">= 25, < 50"]}


def gain_claims(results: Mapping[str, Sequence[PageResult]]) -> Iterator[Claim]:
    """Yield the claims of sections 5.6 and 7: accuracy more than doubles below 25 characters, slightly less below 50, and the gain
    from 25 to 50 characters is smaller."""
    for name, sign, text in (
        ("< 25", 1, "INLINKS more than doubles the accuracy of NFC below 25 characters"),
        ("< 50", -1, "INLINKS less than doubles the accuracy of NFC below 50 characters"),
    ):
        nfc, inlinks, own_wins, *_ = percentages(results[name])
        beyond = estimate(sign * 100.0 * (result.inlinks - 2 * result.nfc) for result in results[name])
        holds = True if beyond.low > 0 else False if beyond.high <= 0 else None
        figures = (
            f"{nfc:.1f} to {inlinks:.1f} on {len(results[name])} pages; {own_wins:.1f} where the page's own guess wins ties; "
            f"hers {PAPER_NFC[name]} to {PAPER_INLINKS[name]}"
        )
        refuted_by = f"an interval of INLINKS less twice NFC {'below' if sign > 0 else 'above'} 0"
        yield Claim(
            text, holds, figures, f"INLINKS less twice NFC is {'' if sign > 0 else 'minus '}{beyond} points", refuted_by
        )
    first, second = (
        estimate(100.0 * (result.inlinks - result.nfc) for result in results[name]) for name in CLASSES[:2]
    )
    yield claim_by_intervals(
        "the gain from 25 to 50 characters is smaller than below 25 (points; hers 27.6 and 37.2)",
        True if second.high < first.low else False if second.mean >= first.mean else None,
        {">= 25, < 50": second, "< 25": first},
        "a gain from 25 to 50 characters as large as below 25",
    )


def group_web(neighbours: Neighbours, texts: TextPool, max_pages: int) -> list[LinkedPage]:
    """Return pages with no, one, two, three to five ... links, at most ``max_pages`` of a language in each group."""
    linked_pages: list[LinkedPage] = []
    for low, high in LINK_COUNT_RANGES:
        group = {key: others for key, others in neighbours.items() if low <= len(others) <= high}
        for name in CLASSES[:2]:
            pages = attach_texts(sample_pages(group, max_pages), group, texts, name)
            linked_pages += [replace(page, linking=()) for page in pages if high == 1] + pages
    return linked_pages


def outlink_results(
    eleven: Sequence[Edge], texts: TextPool, classifiers: Classifiers, sizes: Sizes, pages: Sequence[WebPage]
) -> Iterator[Table | Claim]:
    """Yield OUTLINKS (section 5.3) where all pages have links, and where as many have links as real pages."""
    targets = group_links(eleven, back=True)
    keys = sample_pages(targets, sizes.links)
    real_shares = measure_link_shares(pages)
    rows: list[tuple[str, float, float, float, float, int]] = []
    for name in CLASSES[:2]:
        web = attach_texts(keys, targets, texts, name, back=True)
        rng = random.Random(f"{SEED}:{name}")
        partial_web = [page if 100 * rng.random() < real_shares[name] else replace(page, linked=()) for page in web]
        nfc = percent(classifiers.nfc(page.page.words) == page.page.label for page in web)
        all_percent, partial_percent = (
            percent(classifiers.outlinks(page) == page.page.label for page in part) for part in (web, partial_web)
        )
        rows.append((name, nfc, all_percent, real_shares[name], partial_percent, len(web)))
    columns = ("characters", "NFC", "OUTLINKS", "real pages with links", "OUTLINKS with this share", "pages")
    note = (
        "OUTLINKS as if every short page had the links that news pages have, and if only as many have links as real pages of that "
        "length (dev/html and archives, section-5-3-short). The paper has no figures for it"
    )
    generated = f"{TEXT_NOTE}; which of the pages keep their links"
    yield Table("section-5-3-outlinks", "OUTLINKS on short pages", tuple(rows), columns, note, generated=generated)
    figures = "; ".join(
        f"{name}: {nfc:.1f} becomes {all_percent:.1f} where every page has links and {partial:.1f} where {share:.1f}% have, as "
        "real pages do"
        for name, nfc, all_percent, share, partial, _ in rows
    )
    yield Claim(
        "OUTLINKS does not work as well as hoped, since short pages rarely have links: it loses more than half of its gain, in "
        "both classes of length",
        all(partial - nfc < (all_percent - nfc) / 2 for _, nfc, all_percent, _, partial, _ in rows),
        figures,
        "pages of 25 to 50 characters have links more often than not here",
        "a class of length in which it keeps half of its gain",
    )


def measure_link_shares(pages: Sequence[WebPage]) -> dict[str, float]:
    """Return the percentage of real pages of her two lengths that have links."""
    lengths = {"< 25": (0, MIDDLE_CHARS), ">= 25, < 50": (MIDDLE_CHARS, MAX_SHORT_CHARS)}
    return {
        name: percent(bool(page.links) for page in pages if low <= len(page.words) < high)
        for name, (low, high) in lengths.items()
    }


def measure_generated(
    eleven: Sequence[Edge], all_edges: Sequence[Edge], texts: TextPool, classifiers: Classifiers, sizes: Sizes
) -> Iterator[Table | Claim]:
    """Yield table 5.1 on random links: at her share, at the measured ones, and at 70%."""
    independent = [edge for edge in all_edges if edge.is_independent]
    changed_links = [edge for edge in eleven if edge.is_independent and edge.language != edge.truth != "eng_Latn"]
    english_share = percent(edge.language == "eng_Latn" for edge in changed_links) / 100
    shares = {"hers": 0.95}
    shares["measured"] = percent(edge.language == edge.truth for edge in independent) / 100
    shares["low"] = 0.7
    generated = (
        "links: each linking page is of another site and in the page's language with the share of the row, whatever the others "
        f"are in; else in English ({100 * english_share:.0f}%, as measured) or in any of the others; and {TEXT_NOTE}"
    )
    unlinked_percent = {name: 100 * (100 - PAPER_INLINKS[name]) / (100 - PAPER_NFC[name]) for name in CLASSES[:2]}
    rows: list[tuple[Cell, ...]] = []
    count_rows: list[tuple[Cell, ...]] = []
    for name, same in shares.items():
        rates, name_and_share = LinkRates(same, english_share), f"{100 * same:.1f}% ({name})"
        results = {
            c: classify_pages(generate_web(texts, c, rates, None, sizes.generated), classifiers) for c in CLASSES[:2]
        }
        rows += table_5_1_rows(results | {"< 50": results["< 25"] + results[">= 25, < 50"]}, f"{name_and_share}: ")
        for count in LINK_COUNTS:
            web = [page for c in CLASSES[:2] for page in generate_web(texts, c, rates, count, sizes.generated // 2)]
            count_rows.append(
                (
                    f"{name_and_share}: {count} link{'s' * (count != 1)}",
                    *percentages(classify_pages(web, classifiers)),
                    len(web),
                )
            )
    note = (
        "0 to 10 linking pages, each number as likely. By construction the vote of many links is right, since each is "
        "right more often than not and independent of the others; the table shows how many it takes, and which system "
        f"does better with few. Her own figures are those of pages {unlinked_percent['< 25']:.0f}% of which (25 to 50 "
        f"characters: {unlinked_percent['>= 25, < 50']:.0f}%) have no linking page that votes, if the others are all "
        f"right. {PAPER_ERROR}"
    )
    title = "accuracy of INLINKS and NFC: generated webs"
    yield Table("table-5-1-generated", title, tuple(rows), COLUMNS, note, reproduces=PAPER_TABLE, generated=generated)
    columns = ("share in the same language", "NFC", *COLUMNS[4:])
    yield Table(
        "generated-number",
        "generated webs by number of links",
        tuple(count_rows),
        columns,
        plot="",
        generated=generated,
    )


def settings_table(eleven: Sequence[Edge], texts: TextPool, classifiers: Classifiers, sizes: Sizes) -> Table:
    """Return the sweep over settings, on pages of all lengths."""
    neighbours = group_links(eleven)
    web = []
    for low, high in LINK_COUNT_RANGES:
        group = {key: others for key, others in neighbours.items() if low <= len(others) <= high}
        for url, label in sample_pages(group, sizes.group):
            linking = tuple(texts.linking(other, name) for other, name in sorted(group[url, label].items()))
            web.append(LinkedPage(texts.linking(f"page {url}", label), linking))
    generated = (
        "the words of all pages: beginnings of real pages of dev/html in the languages of the links, of 10 to 800 characters where "
        "a page is judged and of 25 to 2,000 where it links, a length as likely as twice that length"
    )
    note = f"real links to {len(web)} pages; as many with one, two, three to five, six to ten and more linking pages as there are"
    return sweep_table(cut_at_random(web, (10, 25), (800, 2000)), classifiers, note, generated)
