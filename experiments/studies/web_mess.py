"""What the web does to text: menus, goods, codes, user names, capitals, letters without accents, text decoded wrongly.

Clean sentences of common languages are hardly ever taken for a rare one; this is. The ways are those of bench/false_positives.py,
each on lines of one label.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

BENCH = str(Path(__file__).parents[2] / "bench")
# Menus and goods where they are written, romanised text where there is a table; sentences and fragments are pages already.
ANY = ("product codes", "user names", "mojibake", "ALL CAPS", "hashtags", "truncated words")
LATIN = ("ASCII only", "leetspeak")
WRITTEN = ("menu", "cookie banner", "product listing")
TRIES = 200  # to draw a phrase of the right language among fifteen


@cache
def made() -> Any:
    """The benchmark's module; the folder is no package."""
    if BENCH not in sys.path:
        sys.path.insert(0, BENCH)
    import false_positives

    return false_positives


@dataclass(frozen=True, slots=True)
class Mess:
    """Makes messy text of the lines of one label."""

    label: str
    maker: Any
    kinds: Sequence[str]
    weights: Sequence[float]

    def make(self, rnd: Random) -> str:
        """One text."""
        kind = rnd.choices(self.kinds, self.weights)[0]
        for _ in range(TRIES):
            text, of = made().WAYS[kind](self.maker)
            if (not of or of == [self.label]) and text.strip():
                return str(text)
        return str(self.maker.sentence()[0])


def mess(label: str, lines: Sequence[str], seed: int) -> Mess:
    """For a label with these lines."""
    module = made()
    kinds = [*ANY, *(LATIN if label.endswith("_Latn") else ())]
    kinds += WRITTEN if label in module.web.PHRASES else ()
    kinds += ["romanised"] if label in module.ROMANISED else []
    common = dict(zip(module.KINDS, module.WEIGHTS, strict=True))
    return Mess(label, module.Maker({label: list(lines)}, seed), kinds, [common[kind] for kind in kinds])
