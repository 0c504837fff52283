"""Hayati 2004, sections 5.1, 5.2 and 7: the top level domain alone, and what it adds to NFC."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from webtongue import Identifier, Page
from webtongue.lab.evaluate import sets
from webtongue.lab.evaluate.tables import BESIDE, Cell, Claim, Table
from webtongue.lab.methods.base import Method
from webtongue.lab.methods.document import Document
from webtongue.lab.methods.domains import Tld, TldSettings
from webtongue.lab.methods.nfc_tld import NfcTld, NfcTldSettings
from webtongue.lab.papers.common import percent
from webtongue.lab.papers.hayati_systems import (
    ELEVEN,
    LABELS,
    NORWEGIAN_FOLD,
    Case,
    accuracy,
    answer_by_method,
    best_label,
    sample_cases,
)
from webtongue.lab.papers.hayati_webs import WebPage, fold_code
from webtongue.lab.train.url.rows import UrlRow
from webtongue.reference.domains import registered_domain

PAPER_TLD, PAPER_NFC = 69.2, 93.9
MIN_FAR_POINTS = 10
MAX_PAGES_PER_SITE = 2  # a site has one top level domain, and some have hundreds of pages
CUTS = (25, 50, 100, 200, 400, 0)  # characters; 0: the whole page
BORDERS = (0.3, 0.5, 0.7, 0.9, 0.99)  # confidence of NFC below which the domain is used
PLAIN = {"content-type": "text/plain; charset=utf-8"}


def make_cases(rows: Sequence[UrlRow]) -> list[Case]:
    """Return the URLs in her languages as cases."""
    labelled_urls = ((row.url, fold_code(row.language)) for row in rows)
    cases = [Case(url, NORWEGIAN_FOLD.get(label, label)) for url, label in labelled_urls]
    return [case for case in cases if case.label in LABELS]


def group_by_label(cases: Sequence[Case]) -> dict[str, list[Document]]:
    """Return the documents of each label."""
    documents: defaultdict[str, list[Document]] = defaultdict(list)
    for case in cases:
        documents[case.label].append(case.document)
    return dict(documents)


def domain_table(training_rows: Sequence[UrlRow], test_rows: Sequence[UrlRow], max_urls: int) -> Iterator[Table]:
    """Yield section 5.1: the most frequent language of a top level domain, and of a public suffix, on domains unseen in
    training."""
    corpus = group_by_label(sample_cases(make_cases(training_rows), max_urls))
    cases = sample_cases(make_cases(test_rows), max_urls)

    def measure(identifier: Identifier) -> float:
        verdicts = identifier.identify_urls([str(case.document) for case in cases])
        return percent(best_label(verdict, False) == case.label for verdict, case in zip(verdicts, cases, strict=True))

    webtongue_cells = (measure(Identifier()), measure(Identifier(languages=ELEVEN)), len(cases))
    rows = (
        ("TOP-LEVEL DOMAIN (5.1)", PAPER_TLD, accuracy(answer_by_method(Tld.fit(corpus)), cases), *webtongue_cells),
        (
            "the same by suffix: co.uk, ac.uk",
            None,
            accuracy(answer_by_method(Tld.fit(corpus, TldSettings("suffix"))), cases),
            *webtongue_cells,
        ),
    )
    note = "URLs of url/dev, without the domains of url/train, and with a maximum for each language"
    columns = ("", *BESIDE, "one of the 11", "addresses")
    yield Table("section-5-1", "accuracy by the URL alone", rows, columns, note)


def select_pages(pages: Sequence[WebPage], training_rows: Sequence[UrlRow], max_pages: int) -> list[WebPage]:
    """Return real pages in her languages with URLs of their own, at most two of a site and ``max_pages`` of a language.

    The sites are not in url/train, from which domains and webtongue's URL model are learnt.
    """
    known_domains = {row.domain for row in training_rows}
    sites: Counter[str] = Counter()
    selected, labels = [], Counter[str]()
    for page in sorted(pages, key=lambda page: page.url):
        site = registered_domain(page.url)
        if page.addressed and page.label in LABELS and page.words and site and site not in known_domains:
            sites[site] += 1
            labels[page.label] += sites[site] <= MAX_PAGES_PER_SITE
            if sites[site] <= MAX_PAGES_PER_SITE and labels[page.label] <= max_pages:
                selected.append(page)
    return selected


def combination_results(
    corpus: dict[str, list[Document]], training_rows: Sequence[UrlRow], pages: Sequence[WebPage], max_urls: int
) -> Iterator[Table | Claim]:
    """Yield sections 5.2 and 7: NFC and the domain as naive Bayes, on the same pages whole and cut."""
    urls = group_by_label(sample_cases(make_cases(training_rows), max_urls))
    training = {label: [*corpus[label], *(Page(b"", str(url)) for url in urls.get(label, ()))] for label in corpus}
    top = NfcTld.fit(training)
    suffix = NfcTld.fit(training, NfcTldSettings(level="suffix"))
    systems: dict[str, Method] = {
        "NFC": top.nfc,
        "TLD": top.tld,
        "TLD by suffix": suffix.tld,
        "NFC + TLD": top,
        "+ TLD by suffix": suffix,
        "+ TLD in doubt": top.with_settings({"manner": "in_doubt"}),
        "TLD in doubt": top.with_settings({"manner": "instead"}),
    }
    identifiers = (Identifier(evidence=("url",)), Identifier(languages=ELEVEN, evidence=("url",)))
    rows: list[tuple[Cell, ...]] = []
    for cut in CUTS:
        cases = cut_cases(pages, cut)
        shares = [accuracy(answer_by_method(method), cases) for method in systems.values()]
        rows.append(
            (
                str(cut) if cut else "whole",
                *shares,
                *(measure_webtongue(identifier, cases) for identifier in identifiers),
                len(cases),
            )
        )
    note = (
        "real pages of dev/html with URLs, at most two of a site, none of a site in url/train, from which domains are learnt, "
        "the same number for every language. 'In doubt': where NFC's probability is below "
        f"{NfcTldSettings().border}, the domain is added or, in the last column, used alone. webtongue gets the same "
        "text and URL. The paper names all of this as future work and has no figures"
    )
    columns = ("characters", *systems, "webtongue", "of the 11", "pages")
    yield Table(
        "section-5-2-bayes", "the top level domain beside NFC, by length", tuple(rows), columns, note, plot="lines"
    )
    yield border_table(top, pages)
    nfc, tld = float(rows[-1][1] or 0), float(rows[-1][2] or 0)
    figures = f"{tld:.1f} and {nfc:.1f} on the same {rows[-1][-1]} pages; hers {PAPER_TLD} and {PAPER_NFC}"
    yield Claim(
        "the top level domain alone is far behind NFC",
        tld < nfc - MIN_FAR_POINTS,
        figures,
        refuted_by=f"fewer than {MIN_FAR_POINTS} points between them",
    )


def border_table(model: NfcTld, pages: Sequence[WebPage]) -> Table:
    """Return section 7: the domain for pages where the classifier has low confidence, for several borders."""
    rows: list[tuple[Cell, ...]] = []
    lengths = (25, 50, 100, 0)
    cases = [cut_cases(pages, cut) for cut in lengths]
    for border in (0.0, *BORDERS, 1.01):
        for manner in ("in_doubt", "instead"):
            with_border = model.with_settings({"manner": manner, "border": border})
            name = "never" if not border else "always" if border > 1 else f"below {border}"
            use = "added" if manner == "in_doubt" else "alone"
            rows.append((f"{name}, {use}", *(accuracy(answer_by_method(with_border), part) for part in cases)))
    columns = ("the domain is used", *(f"{cut} characters" if cut else "whole pages" for cut in lengths))
    return Table("section-7-confidence", "the top level domain at low confidence", tuple(rows), columns, plot="")


def cut_cases(pages: Sequence[WebPage], cut: int) -> list[Case]:
    """Return pages cut to a number of characters, with their URLs."""
    cases = []
    for page in pages:
        words = sets.cut_text(page.words, cut) if cut else page.words
        cases.append(Case(Page(words.encode(), page.url, PLAIN), page.label))
    return cases


def measure_webtongue(identifier: Identifier, cases: Sequence[Case]) -> float:
    """Return the accuracy of an identifier on pages."""
    forced = identifier.languages is not None
    labels = [
        best_label(identifier.analyze(case.document).verdict, forced)
        for case in cases
        if isinstance(case.document, Page)
    ]
    return percent(label == case.label for label, case in zip(labels, cases, strict=True))
