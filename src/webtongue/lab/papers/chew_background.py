"""Tables 1 and 6 of Chew 2011: the `lang` attribute of pages, and the training corpora by region."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import webtongue
from webtongue import labels
from webtongue.fonts.tables import PREFIX
from webtongue.lab.evaluate.tables import Cell, Claim, Table
from webtongue.lab.methods.base import split_label
from webtongue.lab.methods.suzuki import Suzuki
from webtongue.lab.papers.chew_corpora import Training
from webtongue.lab.papers.chew_languages import fold_language
from webtongue.lab.papers.chew_published import PAPER_6
from webtongue.lab.papers.common import percent
from webtongue.lab.papers.real_pages import RealPage
from webtongue.lab.papers.regions import REGIONS, read_regions
from webtongue.markup import read as read_page

INDEPENDENT_SETS = ("debian_html", "fsfe_html", "urls_pages")  # sets whose labels do not come from `lang`
LANG_ATTRIBUTES = ("html-lang", "html-xml-lang")


def table_1(pages: Sequence[RealPage]) -> Iterator[Table | Claim]:
    """Yield table 1: how often `lang` is present and right on real pages, and the default identifier on the same pages."""
    hits: dict[bool, list[tuple[bool, bool]]] = {True: [], False: []}
    for real in pages:
        if real.source not in INDEPENDENT_SETS:
            continue
        truth = fold_language(real.label)
        declared = next(
            (c.value for c in read_page(real.page).declarations if c.kind in LANG_ATTRIBUTES and c.value), ""
        )
        declared_label = next(iter(labels.parse_declared(declared).labels), "")
        verdict = webtongue.identify(real.page.raw, real.page.url)
        hits[bool(declared)].append((fold_language(declared_label) == truth, fold_language(verdict.label) == truth))
    all_hits = hits[True] + hits[False]
    parts = (("with lang", 506, 698, hits[True]), ("without lang", 0, 962, hits[False]), ("total", 506, 1660, all_hits))
    rows = tuple(
        (name, total, len(pairs), 100 * right / total, percent([p[0] for p in pairs]), percent([p[1] for p in pairs]))
        for name, right, total, pairs in parts
    )
    columns = ("", "pages, paper", "pages, ours", "paper", "lang", "webtongue")
    note = f"Ours are the real pages of {', '.join(INDEPENDENT_SETS)}, labelled by their location and not by their declarations."
    yield Table("table1", "the lang attribute as an indicator, % right", rows, columns, note, reproduces=("table 1",))
    with_lang, total = (percent([pair[0] for pair in pairs]) for pairs in (hits[True], all_hits))
    yield Claim(
        "`lang` is missing or wrong too often to identify pages (section 1.1)",
        total < 50,
        f"{total:.1f}% of {len(all_hits)} pages are right by `lang`, the paper has 30.5; {with_lang:.1f}% of those that have "
        "it, where the paper has 72.5",
        "not explained",
        "most pages right by `lang`",
    )


def table_6(data: Path, model_a: Suzuki, all_model: Suzuki, training: Training) -> Iterator[Table | Claim]:
    """Yield table 6: languages, scripts and encodings of the training corpora by region, and what section 4.1 says of Asia."""
    find_region = read_regions(data)
    bible = [label for label in all_model.labels if split_label(label)[0] in training.bible]
    models = {"A": model_a.labels, "B": bible, "A+B": {*model_a.labels, *bible}}
    rows: list[tuple[Cell, ...]] = []
    of_both: dict[str, list[int]] = {}  # scripts, encodings and fonts of A and B by region
    for region in (*REGIONS, "unique"):
        names_by_corpus = {
            corpus: [name.split("_", 2) for name in names if region in ("unique", find_region(name[:3]))]
            for corpus, names in models.items()
        }
        cells = [len({name[part] for name in names}) for part in (0, 1) for names in names_by_corpus.values()]
        for fonts in (False, True):
            cells += [
                len({name[2] for name in names if name[2].startswith(PREFIX) == fonts})
                for names in names_by_corpus.values()
            ]
        of_both[region] = cells[5::3]
        rows.append(
            (
                region,
                *(
                    f"{published} / {cell}"
                    for published, cell in zip(PAPER_6.get(region, ["-"] * 12), cells, strict=True)
                ),
            )
        )
    columns = ("", *(f"{quantity} {name}" for quantity in ("lang.", "scripts", "enc.", "fonts") for name in models))
    note = (
        "Paper / ours: every UDHR (A) and Bible (B) label, by the country where the language is most at home. Encodings and fonts "
        "are those that hold the text; the paper's are those that its files came in. Left out, with less than "
        f"{Suzuki.training_settings['min_bytes']:,} bytes: "
        f"{', '.join(f'{label} ({size:,})' for label, size in training.short.items())}."
    )
    yield Table("table6", "training corpora by region", tuple(rows), columns, note, "", ("table 6",))
    yield diversity_claim({region: counts for region, counts in of_both.items() if region in REGIONS})


def diversity_claim(counts: Mapping[str, Sequence[int]]) -> Claim:
    """Return the claim that Asia has the most scripts, encodings and fonts of all regions."""
    others = [max(values) for values in zip(*(row for name, row in counts.items() if name != "Asia"), strict=True)]
    names = ("scripts", "encodings", "fonts")
    return Claim(
        "Asia has the most scripts, encodings and fonts (section 4.1)",
        all(asia > other for asia, other in zip(counts["Asia"], others, strict=True)),
        ", ".join(
            f"{asia} {name}, another region at most {other}"
            for name, asia, other in zip(names, counts["Asia"], others, strict=True)
        ),
        "not explained",
        "a region with as many of one of them",
    )
