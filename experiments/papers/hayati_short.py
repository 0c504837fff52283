"""Hayati 2004, table 5.1 and what the paper says of short pages: on real pages with real links, on real links with texts that
are drawn, and on links that are drawn too."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from hayati_inlinks import (
    COLUMNS,
    OUTSIDE,
    PAPER_INLINKS,
    PAPER_NFC,
    Judged,
    Readers,
    by_number,
    errors,
    judged,
    rows_5_1,
    shares,
    sweep,
)
from hayati_systems import CLASSES, LABELS, SEED, SHORT, SHORTEST, Case, share
from hayati_webs import (
    LONGEST,
    Edge,
    Linked,
    Rates,
    Seen,
    Texts,
    among,
    around,
    cut_by_chance,
    cut_pages,
    generated_web,
    in_classes,
    sampled,
    with_texts,
)

from webtongue.evaluate.tables import Cell, Claim, Table
from webtongue.methods.grams import letters_only

TABLE = ("table 5.1",)
NUMBERS = (0, 1, 2, 3, 5, 10)  # linking pages of generated webs
GROUPS = ((1, 1), (2, 2), (3, 5), (6, 10), (11, 10**6))  # of real links, by how many link to a page
WORDS = (
    "the words of the pages: short ones are words, word pairs and sentences of dev/text, the others real pages of dev/html, "
    "each in the language that the page of the link is in"
)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many pages of a language are drawn: of real links, of groups by number, of generated webs."""

    links: int
    group: int
    generated: int


def texts_of(pages: Sequence[Seen], short: Mapping[str, Sequence[Case]]) -> Texts:
    """Texts by label: short ones in her two classes, and the pages of dev/html."""
    by_class: dict[str, dict[str, list[str]]] = {name: {label: [] for label in sorted(LABELS)} for name in short}
    for name, cases in short.items():
        for case in cases:
            by_class[name][case.label].append(letters_only(str(case.document)))
    long: dict[str, list[str]] = {label: [] for label in sorted(LABELS)}
    for page in pages:
        if page.label in LABELS and page.words:
            long[page.label].append(page.words[:LONGEST])
    return Texts(by_class, long)


def on_real_pages(pages: Sequence[Seen], readers: Readers) -> Iterator[Table | Claim]:
    """Real pages and real links: short pages as they are, and all that are linked to cut short."""
    linked = [one for one in among(pages) if one.linking]
    as_they_are = in_classes(linked)
    found = {name: judged(web, readers) for name, web in as_they_are.items()}
    numbers = sorted(len(one.linking) for one in as_they_are["< 50"])
    note = (
        f"short pages of dev/html, nearly all of linked_html, with the pages there that link to them, of the same site; "
        f"{numbers.count(1)} of {len(numbers)} have one linking page, with which the page's own guess ties. {OUTSIDE}"
    )
    title = "accuracy of INLINKS and NFC: real short pages, real links"
    yield Table("table-5-1-real", title, rows_5_1(found), COLUMNS, note, of=TABLE, headline=True)
    short, middle = (in_classes(cut_pages(linked, length)) for length in (SHORTEST - 1, SHORT - 1))
    cut = {"< 25": judged(short["< 25"], readers), ">= 25, < 50": judged(middle[">= 25, < 50"], readers)}
    cut["< 50"] = cut["< 25"] + cut[">= 25, < 50"]
    title = "accuracy of INLINKS and NFC: real pages cut short, real links"
    note = (
        "every page of dev/html that another page of the eleven languages there links to, Debian's manuals for the most part: "
        "their links stay in their folder, and so in the language"
    )
    made = "the lengths: pages are cut to their first 24 and 49 characters"
    yield Table("table-5-1-cut", title, rows_5_1(cut), COLUMNS, note, of=TABLE, generated=made)


def on_real_links(
    eleven: Sequence[Edge], texts: Texts, readers: Readers, sizes: Sizes, pages: Sequence[Seen]
) -> Iterator[Table | Claim]:
    """Real links between news pages, whose texts are not there."""
    found = around(eleven)
    several = {key: others for key, others in found.items() if len(others) > 1}
    natural = judged_classes(found, sampled(found, sizes.links), texts, readers)
    more = judged_classes(several, sampled(several, sizes.links), texts, readers)
    one = share(len(others) == 1 for others in found.values())
    note = (
        f"pages that news pages link to, so many of a language at most; {one:.0f}% of them are linked to by one page alone, with "
        f"which the page's own guess ties. What is real: who links to whom and in which languages. The rates by which "
        f"webtongue weighs links were measured on these links (docs/links.md has them held out). {OUTSIDE}"
    )
    rows = (*rows_5_1(natural), *rows_5_1(more, "two and more links: "))
    title = "accuracy of INLINKS and NFC: real links, texts drawn"
    yield Table("table-5-1-links", title, rows, COLUMNS, note, of=TABLE, generated=WORDS, headline=True)
    yield from gains(natural, more, one)
    grouped = judged(grouped_web(found, texts, sizes.group), readers)
    columns = ("linking pages heard", "links in its language", "NFC", *COLUMNS[4:])
    title = "short pages by how many pages link to them"
    yield Table("section-5-6-number", title, by_number(grouped), columns, generated=WORDS)
    yield from errors(natural["< 50"], "real links")
    yield from outlinks(eleven, texts, readers, sizes, pages)


def judged_classes(
    found: Mapping[tuple[str, str], dict[str, str]], keys: Sequence[tuple[str, str]], texts: Texts, readers: Readers
) -> dict[str, list[Judged]]:
    out = {name: judged(with_texts(keys, found, texts, name), readers) for name in CLASSES[:2]}
    return out | {"< 50": out["< 25"] + out[">= 25, < 50"]}


def gains(natural: Mapping[str, Sequence[Judged]], more: Mapping[str, Sequence[Judged]], one: float) -> Iterator[Claim]:
    """Section 5.6: accuracy more than doubles below 25 characters, and gains less from 25 to 50."""
    nfc, inlinks, linked, *_ = shares(natural["< 25"])
    first, second = (shares(more[name]) for name in CLASSES[:2])
    yield Claim(
        "INLINKS more than doubles the accuracy of NFC below 25 characters",
        inlinks > 2 * nfc,
        f"{nfc:.1f} to {inlinks:.1f}; hers 33.8 to 71.0",
        f"{one:.0f}% of these pages are linked to by one page alone, which ties with the page's own guess: where ties go to the "
        f"links it is {linked:.1f}, and on pages with two and more linking pages {first[0]:.1f} becomes {first[1]:.1f}",
    )
    yield Claim(
        "INLINKS more than doubles the accuracy of NFC below 25 characters where two pages or more link to a page",
        first[1] > 2 * first[0],
        f"{first[0]:.1f} to {first[1]:.1f}",
    )
    yield Claim(
        "the gain from 25 to 50 characters is smaller than below 25",
        second[1] - second[0] < first[1] - first[0],
        f"{second[1] - second[0]:.1f} against {first[1] - first[0]:.1f} points with two and more linking pages; hers 27.6, 37.2",
    )


def grouped_web(found: Mapping[tuple[str, str], dict[str, str]], texts: Texts, most: int) -> list[Linked]:
    """Pages with one, two, three to five ... links, so many of a language in each group."""
    out = []
    for low, high in GROUPS:
        group = {key: others for key, others in found.items() if low <= len(others) <= high}
        for name in CLASSES[:2]:
            out += with_texts(sampled(group, most), group, texts, name)
    return out


def outlinks(
    eleven: Sequence[Edge], texts: Texts, readers: Readers, sizes: Sizes, pages: Sequence[Seen]
) -> Iterator[Table | Claim]:
    """Section 5.3: the majority of the pages that a page links to; all pages have links, or as many as real ones have."""
    back = around(eleven, back=True)
    keys = sampled(back, sizes.links)
    real = in_lengths(pages)
    rows: list[tuple[str, float, float, float, float, int]] = []
    for name in CLASSES[:2]:
        web = with_texts(keys, back, texts, name, back=True)
        chance = random.Random(f"{SEED}:{name}")
        fewer = [one if 100 * chance.random() < real[name] else replace(one, linked=()) for one in web]
        nfc = share(readers.nfc(one.page.words) == one.page.label for one in web)
        every, some = (share(readers.outlinks(one) == one.page.label for one in part) for part in (web, fewer))
        rows.append((name, nfc, every, real[name], some, len(web)))
    columns = ("characters", "NFC", "OUTLINKS", "real pages with links", "OUTLINKS on so many", "pages")
    note = (
        "OUTLINKS as if every short page had the links that news pages have, and if only as many have links as real pages of that "
        "length (dev/html and archives, section-5-3-short). The paper has no figures for it"
    )
    made = f"{WORDS}; which of the pages keep their links"
    yield Table("section-5-3-outlinks", "OUTLINKS on short pages", tuple(rows), columns, note, generated=made)
    _, nfc, every, kept, some, _ = rows[0]
    yield Claim(
        "OUTLINKS does not work as well as hoped, since short pages rarely have links",
        some - nfc < (every - nfc) / 2,
        f"below 25 characters {nfc:.1f} becomes {every:.1f} where every page has links and {some:.1f} where {kept:.1f}% have, as "
        "real pages do",
    )


def in_lengths(pages: Sequence[Seen]) -> dict[str, float]:
    """The share of real pages of her two lengths that link to any."""
    lengths = {"< 25": (0, SHORTEST), ">= 25, < 50": (SHORTEST, SHORT)}
    return {
        name: share(bool(page.links) for page in pages if low <= len(page.words) < high)
        for name, (low, high) in lengths.items()
    }


def on_generated(
    eleven: Sequence[Edge], every: Sequence[Edge], texts: Texts, readers: Readers, sizes: Sizes
) -> Iterator[Table | Claim]:
    """Links that are drawn: at her share, at those that were measured, and at 70%."""
    changed = [e for e in eleven if e.language != e.truth != "eng_Latn"]
    english = share(e.language == "eng_Latn" for e in changed) / 100
    measured = {"hers": 0.95}
    measured["all links"] = share(e.language == e.truth for e in every) / 100
    measured["between sites"] = share(e.language == e.truth for e in every if not e.own) / 100
    measured["low"] = 0.7
    rule = (
        "links: each linking page is of another site and in the page's language with the share of the row, whatever the others "
        f"are in; else in English ({100 * english:.0f}%, as measured) or in any of the others; and {WORDS}"
    )
    without = {name: 100 * (100 - PAPER_INLINKS[name]) / (100 - PAPER_NFC[name]) for name in CLASSES[:2]}
    rows: list[tuple[Cell, ...]] = []
    numbers: list[tuple[Cell, ...]] = []
    for name, same in measured.items():
        rates, shown = Rates(same, english), f"{100 * same:.1f}% ({name})"
        found = {c: judged(generated_web(texts, c, rates, None, sizes.generated), readers) for c in CLASSES[:2]}
        rows += rows_5_1(found | {"< 50": found["< 25"] + found[">= 25, < 50"]}, f"{shown}: ")
        for many in NUMBERS:
            web = [one for c in CLASSES[:2] for one in generated_web(texts, c, rates, many, sizes.generated // 2)]
            numbers.append((f"{shown}: {many} link{'s' * (many != 1)}", *shares(judged(web, readers)), len(web)))
    note = (
        "0 to 10 linking pages, each number as likely. By construction the vote of many links is right, since each is right more "
        "often than not and knows nothing of the others; what is found is how many it takes, and who does better with few. Her own "
        f"figures are those of pages {without['< 25']:.0f}% of which (25 to 50 characters: {without['>= 25, < 50']:.0f}%) have no "
        f"linking page that is heard, if the others are all right. {OUTSIDE}"
    )
    title = "accuracy of INLINKS and NFC: generated webs"
    yield Table("table-5-1-generated", title, tuple(rows), COLUMNS, note, of=TABLE, generated=rule)
    columns = ("share in the same language", "NFC", *COLUMNS[4:])
    yield Table(
        "generated-number", "generated webs by number of links", tuple(numbers), columns, plot="", generated=rule
    )


def settings(eleven: Sequence[Edge], texts: Texts, readers: Readers, sizes: Sizes) -> Table:
    """The sweep, on pages of all lengths."""
    found = around(eleven)
    web = []
    for low, high in GROUPS:
        group = {key: others for key, others in found.items() if low <= len(others) <= high}
        for url, label in sampled(group, sizes.group):
            linking = tuple(texts.linking(other, name) for other, name in sorted(group[url, label].items()))
            web.append(Linked(texts.linking(f"page {url}", label), linking))
    made = (
        "the words of all pages: beginnings of real pages of dev/html in the languages of the links, of 10 to 800 characters where "
        "a page is judged and of 25 to 2,000 where it links, a length as likely as twice that length"
    )
    note = f"real links to {len(web)} pages; as many with one, two, three to five, six to ten and more linking pages as there are"
    return sweep(cut_by_chance(web, (10, 25), (800, 2000)), readers, note, made)
