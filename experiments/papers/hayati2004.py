"""Hayati (2004), "Language identification on the World Wide Web": BASE, NFC, top level domains, outlinks and INLINKS.

`webtongue reproduce hayati2004 [--full] --data DIR`. Her 1,359 pages of eleven languages and her short pages are lost. Ours are
the pages of dev/html in the same languages, so many of each at most; the methods are fitted on train/, since nothing may learn
from dev/: documents of 1,000 characters, the same share of five sources for every language. Norwegian is one language, as with
her. "webtongue" is the default identifier with all its labels and its right to answer several languages or none; "one of the 11"
is the same made to choose one of the eleven, as her methods must. Short pages and links: hayati_short.py; top level domains:
hayati_domains.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hayati_domains import addressed, alone, together
from hayati_inlinks import PAPER_NFC as PAPER_SHORT
from hayati_inlinks import Readers, outlinks_by_length, same_language
from hayati_short import Sizes, on_generated, on_real_links, on_real_pages, settings, texts_of
from hayati_systems import (
    FULL_SIZE,
    LABELS,
    QUICK_SIZE,
    Case,
    Systems,
    accuracy,
    evenly,
    fitted,
    short_texts,
    training,
)
from hayati_webs import archived, in_eleven, real_links, real_web

from webtongue.evaluate import sets
from webtongue.evaluate.tables import BESIDE, Claim, Found, Table
from webtongue.methods.document import text_of
from webtongue.methods.grams import letters_only
from webtongue.methods.nfc import Nfc
from webtongue.train.url.rows import read_rows

PUBLISHED = ("table 5.1",)  # the report has one table and no figure

FAMILIES = ("dan nob swe", "deu nld eng", "fra ita por spa")  # closer to each other than to the rest
QUICK_MOST, FULL_MOST = 60, 150  # pages of a language
QUICK_SHORT, FULL_SHORT = 150, 600  # texts of a language in either class of length
QUICK_URLS, FULL_URLS = 300, 2_000
QUICK_SIZES, FULL_SIZES = Sizes(100, 15, 20), Sizes(400, 60, 80)
CUTS = (25, 50, 100, 200, 400, 800)  # characters that pages are cut to
SHORT_PAGE = 200  # characters: what counts as short where errors are explained
HALF = 0.6  # of BASE's errors that NFC may leave where she says that it halves them

PAPER_BASE, PAPER_NFC = 86.8, 93.9
HOW = "fitted on train/, tested on real pages of dev/html in her eleven languages (UTF-8 for the most part, hers windows-1252)"
COLUMNS = ("", *BESIDE, "one of the 11", "documents")


def run(data: Path, quick: bool = True) -> Iterator[Found]:
    corpus = training(data, QUICK_SIZE if quick else FULL_SIZE)
    systems = fitted(corpus)
    pages = real_web(data)
    cases = evenly(
        [Case(one.page, one.label) for one in pages if one.label in LABELS], QUICK_MOST if quick else FULL_MOST
    )
    yield from on_pages(systems, cases)
    short = short_texts(data, QUICK_SHORT if quick else FULL_SHORT)
    yield from by_length(systems, cases, short)
    learnt, most = read_rows(data / "url" / "train.tsv.xz"), QUICK_URLS if quick else FULL_URLS
    yield from alone(learnt, read_rows(data / "url" / "dev.tsv.xz"), most)
    yield from together(corpus, learnt, addressed(pages, learnt, QUICK_MOST if quick else FULL_MOST), most)
    readers, sizes = Readers(Nfc.fit(corpus)), QUICK_SIZES if quick else FULL_SIZES
    edges = real_links(data, learnt)
    eleven, archives, texts = in_eleven(edges), list(archived(data)), texts_of(pages, short)
    yield from same_language(edges, eleven)
    yield from outlinks_by_length(pages, archives)
    yield from on_real_pages(pages, readers)
    yield from on_real_links(eleven, texts, readers, sizes, [*pages, *archives])
    yield from on_generated(eleven, edges, texts, readers, sizes)
    yield settings(eleven, texts, readers, sizes)


def on_pages(systems: Systems, cases: list[Case]) -> Iterator[Table | Claim]:
    """Sections 3.3 and 4.6, and what 3.4 says of BASE's errors."""
    base, nfc, sizes = (accuracy(a, cases) for a in (systems.base, systems.nfc, systems.nfc_sizes))
    ours = (accuracy(systems.ours, cases), accuracy(systems.ours_forced, cases), len(cases))
    rows = (
        ("BASE (3.3)", PAPER_BASE, base, *ours),
        ("NFC (4.6)", PAPER_NFC, nfc, *ours),
        ("NFC with n = 1..5", None, sizes, *ours),
    )
    yield Table("sections-3-3-4-6", "accuracy on pages", rows, COLUMNS, HOW, headline=True)
    yield Claim("NFC is better than BASE", nfc > base, f"{nfc:.1f} and {base:.1f}; hers {PAPER_NFC} and {PAPER_BASE}")
    halved = left_by_nfc(systems, cases)
    why = "" if halved <= HALF else why_not_half(systems, cases)
    yield Claim("NFC halves BASE's errors", halved <= HALF, f"{halved:.2f} of them are left; hers 0.46", why)
    yield languages(systems, cases)
    yield errors(systems, cases)


def why_not_half(systems: Systems, cases: list[Case]) -> str:
    """What stands in the way of half: pages that no system finds to be in their label, and Norwegian's two written forms."""
    said = systems.ours_forced([case.document for case in cases])
    agreed = [case for case, label in zip(cases, said, strict=True) if label == case.label]
    one_form = [case for case in cases if case.label != "nob_Latn"]
    without = [left_by_nfc(systems, part) for part in (agreed, one_form)]
    verdict = "explained in part" if min(without) <= HALF else "not explained"
    return (
        f"{verdict}: {without[0]:.2f} are left without the {len(cases) - len(agreed)} pages that webtongue, too, finds to be in "
        f"another of the eleven languages, and {without[1]:.2f} without Norwegian, whose two written forms share one vector"
    )


def left_by_nfc(systems: Systems, cases: list[Case]) -> float:
    """How many errors NFC makes where BASE makes one."""
    return (100 - accuracy(systems.nfc, cases)) / max(100 - accuracy(systems.base, cases), 1e-9)


def languages(systems: Systems, cases: list[Case]) -> Table:
    rows = []
    for label in sorted({case.label for case in cases}):
        own = [case for case in cases if case.label == label]
        found = (accuracy(a, own) for a in (systems.base, systems.nfc, systems.ours))
        rows.append((label[:3], *found, len(own)))
    return Table("by-language", "accuracy on pages by language", tuple(rows), ("", "BASE", "NFC", "webtongue", "pages"))


def errors(systems: Systems, cases: list[Case]) -> Claim:
    """Section 3.4: most mistakes of BASE are on short documents or between close languages."""
    said = systems.base([case.document for case in cases])
    wrong = [(case, label) for case, label in zip(cases, said, strict=True) if label != case.label]
    close = sum(any(case.label[:3] in f and label[:3] in f for f in FAMILIES) for case, label in wrong)
    explained = sum(
        any(case.label[:3] in f and label[:3] in f for f in FAMILIES)
        or len(letters_only(text_of(case.document))) < SHORT_PAGE
        for case, label in wrong
    )
    figures = f"{explained} of {len(wrong)} errors, {close} of them between close languages"
    return Claim(
        "most of BASE's errors are on short pages or between close languages", explained * 2 > len(wrong), figures
    )


def by_length(systems: Systems, cases: list[Case], short: dict[str, list[Case]]) -> Iterator[Table | Claim]:
    """Table 5.1's column of NFC, and all systems on pages that are cut."""
    classes = short | {"< 50": [case for part in short.values() for case in part]}
    found = {name: accuracy(systems.nfc, part) for name, part in classes.items()}
    rows = tuple(
        (
            name,
            PAPER_SHORT[name],
            found[name],
            accuracy(systems.ours, part),
            accuracy(systems.ours_forced, part),
            len(part),
        )
        for name, part in classes.items()
    )
    note = "words, word pairs and sentences of dev/text, evenly over the languages; hers were pages, nearly all English"
    yield Table("table-5-1-nfc", "accuracy of NFC on short texts without links", rows, COLUMNS, note, of=("table 5.1",))
    cuts = []
    for cut in CUTS:
        texts = [Case(sets.cut(letters_only(text_of(case.document)), cut), case.label) for case in cases]
        texts = [case for case in texts if case.document]
        shares = (accuracy(a, texts) for a in (systems.base, systems.nfc, systems.nfc_sizes, systems.ours))
        cuts.append((str(cut), *shares))
    columns = ("characters", "BASE", "NFC", "NFC n = 1..5", "webtongue")
    yield Table("pages-cut", "accuracy on the beginnings of pages", tuple(cuts), columns, plot="lines")
    yield Claim(
        "NFC does badly on short text",
        found["< 25"] < found[">= 25, < 50"] < accuracy(systems.nfc, cases),
        ", ".join(f"{name}: {value:.1f}" for name, value in found.items()),
    )
