"""Hayati 2004, sections 5.1, 5.2 and 7: the top level domain alone, and what it adds to NFC."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from hayati_systems import (
    ELEVEN,
    LABELS,
    ONE_NORWEGIAN,
    Case,
    accuracy,
    best_label,
    by_method,
    evenly,
    share,
)
from hayati_webs import Seen, language

from webtongue import Identifier, Page
from webtongue.evaluate import sets
from webtongue.evaluate.tables import BESIDE, Cell, Claim, Table
from webtongue.hints.domain import registered_domain
from webtongue.methods.base import Method
from webtongue.methods.document import Document
from webtongue.methods.domains import Tld, TldSettings
from webtongue.methods.nfc_tld import NfcTld, NfcTldSettings
from webtongue.train.url.rows import UrlRow

PAPER_TLD, PAPER_NFC = 69.2, 93.9
OF_A_SITE = 2  # pages of one registered domain that are tested: a site has one top level domain, and some have hundreds of pages
CUTS = (25, 50, 100, 200, 400, 0)  # characters; 0: the whole page
BORDERS = (0.3, 0.5, 0.7, 0.9, 0.99)  # of confidence, below which the domain is asked
PLAIN = {"content-type": "text/plain; charset=utf-8"}


def cases_of(rows: Sequence[UrlRow]) -> list[Case]:
    found = ((row.url, language(row.language)) for row in rows)
    cases = [Case(url, ONE_NORWEGIAN.get(label, label)) for url, label in found]
    return [case for case in cases if case.label in LABELS]


def by_label(cases: Sequence[Case]) -> dict[str, list[Document]]:
    out: defaultdict[str, list[Document]] = defaultdict(list)
    for case in cases:
        out[case.label].append(case.document)
    return dict(out)


def alone(learnt: Sequence[UrlRow], tested: Sequence[UrlRow], most: int) -> Iterator[Table]:
    """Section 5.1: the commonest language of a top level domain, and of a public suffix, on domains not seen in training."""
    corpus = by_label(evenly(cases_of(learnt), most))
    cases = evenly(cases_of(tested), most)

    def ours(identifier: Identifier) -> float:
        verdicts = identifier.identify_urls([str(case.document) for case in cases])
        return share(best_label(v, False) == case.label for v, case in zip(verdicts, cases, strict=True))

    beside = (ours(Identifier()), ours(Identifier(languages=ELEVEN)), len(cases))
    rows = (
        ("TOP-LEVEL DOMAIN (5.1)", PAPER_TLD, accuracy(by_method(Tld.fit(corpus)), cases), *beside),
        (
            "the same by suffix: co.uk, ac.uk",
            None,
            accuracy(by_method(Tld.fit(corpus, TldSettings("suffix"))), cases),
            *beside,
        ),
    )
    note = "URLs of url/dev, no domain of which is in url/train; so many of a language at most"
    columns = ("", *BESIDE, "one of the 11", "addresses")
    yield Table("section-5-1", "accuracy by the URL alone", rows, columns, note)


def addressed(pages: Sequence[Seen], learnt: Sequence[UrlRow], most: int) -> list[Seen]:
    """Real pages in her languages with an address of their own, two of a site and so many of a language at most, of sites that
    nothing learnt from: url/train is what domains and webtongue's model of addresses are made of."""
    known = {row.domain for row in learnt}
    sites: Counter[str] = Counter()
    out, labels = [], Counter[str]()
    for page in sorted(pages, key=lambda page: page.url):
        site = registered_domain(page.url)
        if page.addressed and page.label in LABELS and page.words and site and site not in known:
            sites[site] += 1
            labels[page.label] += sites[site] <= OF_A_SITE
            if sites[site] <= OF_A_SITE and labels[page.label] <= most:
                out.append(page)
    return out


def together(
    corpus: dict[str, list[Document]], learnt: Sequence[UrlRow], pages: Sequence[Seen], most: int
) -> Iterator[Table | Claim]:
    """Sections 5.2 and 7: NFC and the domain as naive Bayes, on the same pages whole and cut."""
    urls = by_label(evenly(cases_of(learnt), most))
    both = {label: [*corpus[label], *(Page(b"", str(url)) for url in urls.get(label, ()))] for label in corpus}
    top = NfcTld.fit(both)
    suffix = NfcTld.fit(both, NfcTldSettings(level="suffix"))
    systems: dict[str, Method] = {
        "NFC": top.nfc,
        "TLD": top.tld,
        "TLD by suffix": suffix.tld,
        "NFC + TLD": top,
        "+ TLD by suffix": suffix,
        "+ TLD in doubt": top.with_settings({"manner": "in_doubt"}),
        "TLD in doubt": top.with_settings({"manner": "instead"}),
    }
    ours = (Identifier(evidence=("url",)), Identifier(languages=ELEVEN, evidence=("url",)))
    rows: list[tuple[Cell, ...]] = []
    for cut in CUTS:
        cases = cut_cases(pages, cut)
        shares = [accuracy(by_method(method), cases) for method in systems.values()]
        rows.append((str(cut) if cut else "whole", *shares, *(by_us(one, cases) for one in ours), len(cases)))
    note = (
        "real pages of dev/html with addresses, two of a site at most, none of a site in url/train, from which domains are learnt, "
        "the same number for every language. 'In doubt': where NFC's probability is below "
        f"{NfcTldSettings().border}, the domain is added or, in the last, asked alone. webtongue hears the same text and "
        "address. The paper names all of this as future work and has no figures"
    )
    columns = ("characters", *systems, "webtongue", "of the 11", "pages")
    yield Table(
        "section-5-2-bayes", "the top level domain beside NFC, by length", tuple(rows), columns, note, plot="lines"
    )
    yield borders(top, pages)
    nfc, tld = float(rows[-1][1] or 0), float(rows[-1][2] or 0)
    figures = f"{tld:.1f} and {nfc:.1f} on the same {rows[-1][-1]} pages; hers {PAPER_TLD} and {PAPER_NFC}"
    yield Claim("the top level domain alone is far behind NFC", tld < nfc - 10, figures)


def borders(model: NfcTld, pages: Sequence[Seen]) -> Table:
    """Section 7: top level domains for pages where the classifier has low confidence; how low is left open."""
    rows: list[tuple[Cell, ...]] = []
    chosen = (25, 50, 100, 0)
    cases = [cut_cases(pages, cut) for cut in chosen]
    for border in (0.0, *BORDERS, 1.01):
        for manner in ("in_doubt", "instead"):
            set_so = model.with_settings({"manner": manner, "border": border})
            name = "never" if not border else "always" if border > 1 else f"below {border}"
            words = "added" if manner == "in_doubt" else "alone"
            rows.append((f"{name}, {words}", *(accuracy(by_method(set_so), part) for part in cases)))
    columns = ("the domain is asked", *(f"{cut} characters" if cut else "whole pages" for cut in chosen))
    return Table("section-7-confidence", "the top level domain at low confidence", tuple(rows), columns, plot="")


def cut_cases(pages: Sequence[Seen], cut: int) -> list[Case]:
    """Pages of so many characters, with their addresses."""
    out = []
    for page in pages:
        words = sets.cut(page.words, cut) if cut else page.words
        out.append(Case(Page(words.encode(), page.url, PLAIN), page.label))
    return out


def by_us(identifier: Identifier, cases: Sequence[Case]) -> float:
    forced = identifier.languages is not None
    said = [
        best_label(identifier.identify_page(case.document), forced) for case in cases if isinstance(case.document, Page)
    ]
    return share(label == case.label for label, case in zip(said, cases, strict=True))
