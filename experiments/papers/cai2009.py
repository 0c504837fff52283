"""Cai 2009: declarations of encoding and language before text, on web pages; the methods that the thesis reviews beside it.

The census of 10.4 million portal pages is lost. Ours are real pages with what they really declare (cai_pages.py); the same in the
encodings of 2008, with omissions and lies as often as real pages have them; and two small censuses (cai_census.py). Profiles: 66
languages, as in the thesis.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import cai_background
import cai_census
import cai_encodings
from cai_approaches import Pages, generated, on_pages_of_2008, on_real_pages
from cai_borders import LONGEST, by_length, own_borders
from cai_design import filtering, numbers
from cai_pages import aged, independent, measured, sampled

from webtongue import files, labels
from webtongue.evaluate.tables import Exempt, Found
from webtongue.methods.composite import Composite
from webtongue.methods.corpus import Corpus, read
from webtongue.train.corpus.read import SCRIPTURE, SYNTHETIC, entries

PUBLISHED = (
    *(f"table 2-{number}" for number in range(1, 7)), *(f"figure 2-{number}" for number in range(1, 5)),
    "table 3-1", "figure 3-1", "figure 3-4", "figure 3-5",
    *(f"table 4-{number}" for number in range(1, 5)), "figure 4-1", "figure 4-2",
    *(f"table 5-{number}" for number in range(1, 7)), *(f"figure 5-{number}" for number in range(1, 6)),
)  # fmt: skip
EXEMPT = (
    Exempt(("table 2-2", "table 2-3"), "literature: systems and methods compared in words, without a measured figure"),
    Exempt(("table 2-5", "table 2-6"), "literature: totals of OCLC's sample of the web, 1998 to 2002, which nobody has"),
    Exempt(("figure 2-4",), "literature: languages of 3.5 million pages under .pt (Martins and Silva 2005), a crawl nobody has"),
    Exempt(("figure 2-2", "figure 2-3"), "drawings of Cavnar and Trenkle's method, which is `rank_order` here"),
    Exempt(("figure 3-1", "figure 3-4", "figure 3-5"), "block diagrams; the thesis has no figures 3-2 and 3-3"),
    Exempt(("figure 4-1", "figure 4-2"), "block diagrams"),
    Exempt(("table 4-1", "table 4-2"), "lists of hardware and software, without a measured figure"),
)  # fmt: skip
QUICK = 600  # pages labelled by structure, beside all that people read
CUT = 400  # pages of a quick run that are cut to little text
TIMED = 150  # pages that are filtered
LANGUAGES = 66
TRAINED = 60_000  # characters of a label
HELD_OUT = 5  # every fifth training document makes no profile, and is what borders of models are set by


def run(data: Path, quick: bool) -> Iterator[Found]:
    """In the order of the thesis: chapters 2 to 4 and section 5.1 on pages, the rest of chapter 5 from censuses."""

    def training(wanted: Sequence[str], size: int) -> Corpus:
        return running_text(data / "train", wanted, size)

    every = independent(data)
    pages = sampled(every, QUICK if quick else len(every))
    yield from EXEMPT
    yield from cai_background.run(data, every, training, quick)
    yield numbers(data)
    yield from filtering([real.page for real in pages[-TIMED:]])
    learnt, held_out = divided(training(web_labels(data / "train"), TRAINED))
    model = Composite.fit(learnt)
    yield from on_real_pages(model, Pages(pages))
    rates = measured(every)
    yield from on_pages_of_2008(model, generated(aged(pages, rates), rates))
    yield from cai_encodings.run(data, model)
    short = Pages(pages[-CUT:] if quick else pages)
    yield from by_length(model, short)
    yield from own_borders(model, held_out, short)
    yield from cai_census.run(data)


def running_text(folder: Path, wanted: Sequence[str], size: int) -> Corpus:
    """Training text that is neither scripture nor word lists."""
    sources = sorted({entry.source for entry in entries(folder)} - SCRIPTURE - SYNTHETIC)
    return read(folder, sources, wanted, size=size, document=LONGEST)


def divided(corpus: Corpus) -> tuple[Corpus, Corpus]:
    """What profiles are made of, and what is held out for borders."""
    learnt = {label: [d for i, d in enumerate(found) if i % HELD_OUT] for label, found in corpus.items()}
    return learnt, {label: list(found[::HELD_OUT]) for label, found in corpus.items()}


def web_labels(folder: Path) -> list[str]:
    """The commonest languages of the web in their usual scripts, Chinese and Serbian in two."""
    common = {language for language, _ in files.rows("priors.tsv")[:LANGUAGES]}
    known = {entry.label for entry in entries(folder) if entry.label[:3] in common}
    return sorted(x for x in known if "-" not in labels.bcp47(x) or x in ("zho_Hant", "srp_Latn"))
