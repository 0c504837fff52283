"""The quality set: text that is no sentence, and sentences as the control. bench/surely_wrong.py prints its rates by kind."""

from __future__ import annotations

import webtongue
from tests.quality import letters, names, notices, repeats
from tests.quality.kinds import KINDS, Sample, samples

__all__ = ["MODULES", "SPECIAL", "Sample", "identify", "is_surely_wrong", "kinds", "samples"]

MODULES = (letters, repeats, names, notices)  # importing them registers their kinds
SPECIAL = {"und", "zxx", "mul"}  # labels that are no language


def kinds() -> list[str]:
    """The names of all kinds."""
    return list(KINDS)


def identify(sample: Sample) -> webtongue.Verdict:
    """A text as text, a page as a page."""
    content = sample.content
    return webtongue.identify_text(content) if isinstance(content, str) else webtongue.identify(content)


def is_surely_wrong(sample: Sample, v: webtongue.Verdict) -> bool:
    """Whether an answer is sure of a language that the sample is not in."""
    return v.reliable and v.label not in SPECIAL and v.label != sample.language
