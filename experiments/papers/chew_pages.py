"""The validation corpus of chew2011: real pages as they are, and made ones for labels that have too few."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from chew_rates import charset_of, encoding_of, in_references
from made_pages import SEED, MadePage, Rates, language_of, pages_of, texts
from real_pages import RealPage

from webtongue.train.corpus.read import DROPPED_LABELS, FOLDS, entries


def corpus(data: Path, real: Sequence[RealPage], each: int, most: int, rates: Rates) -> list[MadePage]:
    """At most so many real pages of a language, and made ones where a label with dev text has fewer than ``each``."""
    trained = {FOLDS.get(e.label, e.label) for e in entries(data / "train") if e.label not in DROPPED_LABELS}
    found = [page for page in chosen(real, most) if page.label in trained]
    have: defaultdict[str, int] = defaultdict(int)
    for page in found:
        have[page.label] += 1
    for label, lines in sorted(texts(data).items()):
        found += pages_of(label, lines, max(0, each - have[label]), random.Random(f"{SEED}:{label}"), rates)
    return sorted(found, key=lambda page: page.label)


def chosen(real: Sequence[RealPage], most: int) -> list[MadePage]:
    """So many pages of each language, one of each set in turn: sets are few sites each, and theirs was one page a site."""
    by_language: defaultdict[str, defaultdict[str, list[RealPage]]] = defaultdict(lambda: defaultdict(list))
    for page in real:
        by_language[language_of(page.label)][page.source].append(page)
    out = []
    for language, by_set in sorted(by_language.items()):
        chance = random.Random(f"{SEED}:real:{language}")
        queues = [chance.sample(pages, len(pages)) for _, pages in sorted(by_set.items())]
        turns = [queue[place] for place in range(most) for queue in queues if place < len(queue)]
        out += [as_page(page, f"{page.label}-real-{number:02}") for number, page in enumerate(turns[:most])]
    return out


def as_page(real: RealPage, name: str) -> MadePage:
    encoding = encoding_of(real)
    charset = charset_of(real, encoding)
    return MadePage(
        f"{name}-{real.source}", real.page.raw, real.label, encoding, charset, in_references(real.page.raw), real.source
    )


def made_of(pages: Sequence[MadePage], rates: Rates) -> str:
    """What of the pages is made, and by what rates."""
    made = [page for page in pages if not page.source]
    if not made:
        return ""
    return (
        f"{len(made)} of {len(pages)} pages, for labels with too few real ones: sentences of dev/text in a page of markup, half in "
        f"UTF-8 (about its share in the paper's years), {100 * rates.untrained[0]:.0f}% of Latin and "
        f"{100 * rates.untrained[1]:.0f}% of other scripts in an encoding or font that no model was made for, "
        f"{100 * rates.in_font:.0f}% in a font where there are tables of any, "
        f"charset missing on {100 * rates.missing[0]:.1f}% in UTF-8 and {100 * rates.missing[1]:.1f}% in other encodings, false on "
        f"{100 * rates.wrong[0]:.1f} and {100 * rates.wrong[1]:.1f}%, user-defined on 0.8% (paper), references on "
        f"{100 * rates.references:.1f}%; measured on real pages (table rates)."
    )
