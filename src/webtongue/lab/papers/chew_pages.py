"""The validation corpus of chew2011: real pages as they are, and generated ones for labels that have too few."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from webtongue.lab.papers.chew_languages import fold_language
from webtongue.lab.papers.chew_rates import classify_charset, find_encoding, is_in_references
from webtongue.lab.papers.common import percent
from webtongue.lab.papers.real_pages import RealPage
from webtongue.lab.papers.synthetic_pages import SEED, Rates, ValidationPage, generate_pages, read_texts
from webtongue.lab.train.corpus.read import DROPPED_LABELS, FOLDED_LABELS, iter_files


def read_corpus_pages(
    data: Path, real: Sequence[RealPage], min_pages: int, max_real: int, rates: Rates
) -> list[ValidationPage]:
    """Return at most ``max_real`` real pages of each language, and generated ones where a label with dev text has fewer than
    ``min_pages``."""
    trained = {
        FOLDED_LABELS.get(entry.label, entry.label)
        for entry in iter_files(data / "train")
        if entry.label not in DROPPED_LABELS
    }
    pages = [page for page in choose_real_pages(real, max_real) if page.label in trained]
    counts: defaultdict[str, int] = defaultdict(int)
    for page in pages:
        counts[page.label] += 1
    for label, lines in sorted(read_texts(data).items()):
        pages += generate_pages(
            label, lines, max(0, min_pages - counts[label]), random.Random(f"{SEED}:{label}"), rates
        )
    return sorted(pages, key=lambda page: page.label)


def choose_real_pages(real: Sequence[RealPage], max_pages: int) -> list[ValidationPage]:
    """Return at most ``max_pages`` pages of each language, one of each set in turn, since a set has few sites and the paper had
    one page of a site."""
    by_language: defaultdict[str, defaultdict[str, list[RealPage]]] = defaultdict(lambda: defaultdict(list))
    for page in real:
        by_language[fold_language(page.label)][page.source].append(page)
    chosen = []
    for language, by_set in sorted(by_language.items()):
        rng = random.Random(f"{SEED}:real:{language}")
        queues = [rng.sample(pages, len(pages)) for _, pages in sorted(by_set.items())]
        turns = [queue[position] for position in range(max_pages) for queue in queues if position < len(queue)]
        chosen += [
            to_validation_page(page, f"{page.label}-real-{number:02}") for number, page in enumerate(turns[:max_pages])
        ]
    return chosen


def to_validation_page(real: RealPage, name: str) -> ValidationPage:
    """Return a real page with its true encoding and the state of its charset declaration."""
    encoding = find_encoding(real)
    charset = classify_charset(real, encoding)
    return ValidationPage(
        f"{name}-{real.source}",
        real.page.raw,
        real.label,
        encoding,
        charset,
        is_in_references(real.page.raw),
        real.source,
    )


def describe_generated(pages: Sequence[ValidationPage], rates: Rates) -> str:
    """Return a statement of which pages were generated, and by what rates."""
    generated = [page for page in pages if not page.source]
    if not generated:
        return ""
    utf8 = percent([page.encoding == "utf-8" for page in generated])
    return (
        f"{len(generated)} of {len(pages)} pages, for labels with too few real ones: sentences of dev/text in a page of markup, "
        f"{utf8:.0f}% in UTF-8 (half of those whose language has another encoding), {100 * rates.untrained[0]:.0f}% of Latin "
        f"and {100 * rates.untrained[1]:.0f}% of other scripts in an encoding or font without a model, "
        f"{100 * rates.in_font:.0f}% in a font where tables of fonts exist, charset missing on {100 * rates.missing[0]:.1f}% in "
        f"UTF-8 and {100 * rates.missing[1]:.1f}% in other encodings, false on {100 * rates.wrong[0]:.1f} and "
        f"{100 * rates.wrong[1]:.1f}%, user-defined on 0.8% (paper), references on {100 * rates.references:.1f}%; measured on "
        "real pages (table rates)."
    )
