"""A sentence about conflicts between the text and other evidence: which source overrules which."""

from __future__ import annotations

from collections.abc import Sequence

from webtongue import labels
from webtongue.evidence import registry
from webtongue.verdict import Verdict

__all__ = ["describe_conflict"]


def describe_conflict(verdict: Verdict) -> str:
    """Return a sentence that names the evidence that the text overrules, or that overrules the text; empty if all agree.

    >>> from webtongue import identify
    >>> describe_conflict(identify(b"<html lang=de><p>The library opens at nine and closes at six on all days of the week."))
    'the text overrules declared (deu)'
    """
    if verdict.reason:
        return ""
    text = next((row.label for row in verdict.evidence if row.source == "text"), "")
    hints = [row for row in verdict.evidence if row.source in registry.names() and row.label]
    if text and not _is_same(text, verdict.label):
        supporting = [row.source for row in hints if _is_same(row.label, verdict.label)]
        return f"{_join(supporting) or 'other evidence'} overrule{'s' * (len(supporting) < 2)} the text ({text})"
    overruled = [f"{row.source} ({row.label})" for row in hints if not _is_same(row.label, verdict.label)]
    return f"the text overrules {_join(overruled)}" if text and overruled else ""


def _is_same(name: str, label: str) -> bool:
    """Return True if a language or label names the language of a label."""
    return labels.fold(name).language == labels.fold(label).language


def _join(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
