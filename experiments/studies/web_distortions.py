"""Distorted text as on the web: menus, products, codes, user names, capitals, letters without accents, mojibake.

Unlike clean sentences of common languages, it is sometimes taken for a rare language. The distortions are those of
bench/false_positives.py, each on lines of one label.
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
# Sentences and fragments are not needed, since ordinary pages have them.
ANY_SCRIPT = ("product codes", "user names", "mojibake", "ALL CAPS", "hashtags", "truncated words")
LATIN_ONLY = ("ASCII only", "leetspeak")
WITH_PHRASES = ("menu", "cookie banner", "product listing")
MAX_ATTEMPTS = 200  # for a phrase of the right language among fifteen


@cache
def false_positives_module() -> Any:
    """Return the module of the benchmark, whose folder is not a package."""
    if BENCH not in sys.path:
        sys.path.insert(0, BENCH)
    import false_positives

    return false_positives


@dataclass(frozen=True, slots=True)
class DistortedText:
    """Generates distorted text from the lines of one label."""

    label: str
    generator: Any
    kinds: Sequence[str]
    weights: Sequence[float]

    def generate(self, rng: Random) -> str:
        """Return a text."""
        kind = rng.choices(self.kinds, self.weights)[0]
        for _ in range(MAX_ATTEMPTS):
            text, labels = false_positives_module().GENERATORS[kind](self.generator)
            if (not labels or labels == [self.label]) and text.strip():
                return str(text)
        return str(self.generator.sentence()[0])


def distorted_text(label: str, lines: Sequence[str], seed: int) -> DistortedText:
    """Return a generator for a label with these lines."""
    module = false_positives_module()
    kinds = [*ANY_SCRIPT, *(LATIN_ONLY if label.endswith("_Latn") else ())]
    kinds += WITH_PHRASES if label in module.web.PHRASES else ()
    kinds += ["romanised"] if label in module.ROMANISED else []
    common = dict(zip(module.KINDS, module.WEIGHTS, strict=True))
    return DistortedText(
        label, module.SnippetGenerator({label: list(lines)}, seed), kinds, [common[kind] for kind in kinds]
    )
