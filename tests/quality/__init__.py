"""The quality set: text that is no sentence, and sentences for comparison. bench/confidently_wrong.py prints its rates by kind."""

from __future__ import annotations

import webtongue
from tests.quality import garbled, letters, names, repetition, server_pages
from tests.quality.kinds import KINDS, Sample, samples

__all__ = ["MODULES", "NOT_A_LANGUAGE", "Sample", "identify", "is_confidently_wrong", "kinds", "samples"]

MODULES = (letters, repetition, names, server_pages, garbled)  # importing them registers their kinds
NOT_A_LANGUAGE = {"und", "zxx", "mul"}


def kinds() -> list[str]:
    """Return the names of all kinds."""
    return list(KINDS)


def identify(sample: Sample) -> webtongue.Verdict:
    """Return the Verdict for a text or a page."""
    content = sample.content
    return webtongue.identify_text(content) if isinstance(content, str) else webtongue.identify(content)


def is_confidently_wrong(sample: Sample, verdict: webtongue.Verdict) -> bool:
    """Return True if an answer is reliable and names a language that the sample is not in."""
    return verdict.reliable and verdict.label not in NOT_A_LANGUAGE and verdict.label != sample.language
