"""Cai 2009: declarations of encoding and language before text, on web pages, and the methods that the thesis reviews.

The census of 10.4 million portal pages is lost. We use real pages with their real declarations (cai_pages.py); the same pages
in the encodings of 2008, with missing and false declarations as often as on real pages; and two small censuses (cai_census.py).
Profiles: 66 languages, as in the thesis.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from webtongue import files, labels
from webtongue.lab.evaluate.tables import Exempt, Result
from webtongue.lab.methods.composite import Composite
from webtongue.lab.methods.corpus import Corpus, read_documents
from webtongue.lab.papers import cai_background, cai_census, cai_encodings
from webtongue.lab.papers.cai_approaches import PageSet, mark_generated, measure_aged_pages, measure_real_pages
from webtongue.lab.papers.cai_borders import HELD_OUT_BYTES, measure_lengths, measure_own_borders
from webtongue.lab.papers.cai_design import address_table, filtering_results
from webtongue.lab.papers.cai_pages import age_pages, measure_rates, read_independent_pages, sample_pages
from webtongue.lab.papers.common import running_text_sources
from webtongue.lab.train.corpus.read import iter_files

PUBLISHED = (
    *(f"table 2-{number}" for number in range(1, 7)), *(f"figure 2-{number}" for number in range(1, 5)),
    "table 3-1", "figure 3-1", "figure 3-4", "figure 3-5",
    *(f"table 4-{number}" for number in range(1, 5)), "figure 4-1", "figure 4-2",
    *(f"table 5-{number}" for number in range(1, 7)), *(f"figure 5-{number}" for number in range(1, 6)),
)  # fmt: skip
EXEMPT = (
    Exempt(("table 2-2", "table 2-3"), "literature: systems and methods compared in words, without a measured figure"),
    Exempt(("table 2-5", "table 2-6"), "literature: totals of OCLC's sample of the web, 1998 to 2002, which are not available"),
    Exempt(("figure 2-4",), "literature: languages of 3.5 million pages under .pt (Martins and Silva 2005), not available"),
    Exempt(("figure 2-2", "figure 2-3"), "drawings of Cavnar and Trenkle's method, which is `rank_order` here"),
    Exempt(("figure 3-1", "figure 3-4"), "block diagrams; the thesis has no figures 3-2 and 3-3"),
    Exempt(("figure 4-1", "figure 4-2"), "block diagrams"),
    Exempt(("table 4-1", "table 4-2"), "lists of hardware and software, without a measured figure"),
)  # fmt: skip
QUICK_PAGES = 600  # pages of a quick run labelled by structure, beside all labelled by people
QUICK_CUT_PAGES = 400  # pages of a quick run that are cut to little text
TIMED_PAGES = 150  # pages of table 4-3
PROFILE_LANGUAGES = 66
TRAINING_CHARS = 60_000  # training text of a label
HELD_OUT_STEP = 5  # every fifth training document is held out of the profiles and sets the borders of the models


def run(data: Path, quick: bool) -> Iterator[Result]:
    """Yield the results in the order of the thesis: chapters 2 to 4 and section 5.1 on pages, the rest of chapter 5 from
    censuses."""

    def read_training(wanted: Sequence[str], size: int) -> Corpus:
        return read_running_text(data / "train", wanted, size)

    all_pages = read_independent_pages(data)
    pages = sample_pages(all_pages, QUICK_PAGES if quick else len(all_pages))
    yield from EXEMPT
    yield from cai_background.run(data, all_pages, read_training, quick)
    yield address_table(data)
    yield from filtering_results([real.page for real in pages[-TIMED_PAGES:]])
    profile_corpus, held_out = split_held_out(read_training(list_web_labels(data / "train"), TRAINING_CHARS))
    model = Composite.fit(profile_corpus)
    yield from measure_real_pages(model, PageSet(pages))
    rates = measure_rates(all_pages)
    yield from measure_aged_pages(model, mark_generated(age_pages(pages, rates), rates))
    yield from cai_encodings.run(data, model)
    cut_pages = PageSet(pages[-QUICK_CUT_PAGES:] if quick else pages)
    yield from measure_lengths(model, cut_pages)
    yield from measure_own_borders(model, held_out, cut_pages)
    yield from cai_census.run(data)


def read_running_text(folder: Path, wanted: Sequence[str], size: int) -> Corpus:
    """Return training text that is neither scripture nor word lists."""
    return read_documents(folder, running_text_sources(folder), wanted, label_chars=size, document_chars=HELD_OUT_BYTES)


def split_held_out(corpus: Corpus) -> tuple[Corpus, Corpus]:
    """Return the text for profiles and the text held out for borders."""
    profiles = {
        label: [document for i, document in enumerate(documents) if i % HELD_OUT_STEP]
        for label, documents in corpus.items()
    }
    return profiles, {label: list(documents[::HELD_OUT_STEP]) for label, documents in corpus.items()}


def list_web_labels(folder: Path) -> list[str]:
    """Return the most frequent languages of the web in their usual scripts, Chinese and Serbian in two."""
    common = {language for language, _ in files.read_rows("priors.tsv")[:PROFILE_LANGUAGES]}
    candidates = {entry.label for entry in iter_files(folder) if entry.label[:3] in common}
    return sorted(label for label in candidates if "-" not in labels.bcp47(label) or label in ("zho_Hant", "srp_Latn"))
