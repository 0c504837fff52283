"""A sentence about conflicts between the text and other evidence: which source overrules which."""

from __future__ import annotations

from collections.abc import Sequence

from webtongue import labels
from webtongue.evidence import registry
from webtongue.verdict import Verdict

__all__ = ["describe_conflict"]

PHRASES = {name: name for name in registry.names()} | {
    "declared": "the declared language", "encoding": "the encoding", "url": "the URL", "country": "the country of the server",
    "links": "the linking pages", "host": "the other pages of the host",
}  # fmt: skip


def describe_conflict(verdict: Verdict) -> str:
    """Return a sentence that names the evidence that the text overrules, or that overrules the text; empty if all agree.

    >>> from webtongue import identify
    >>> describe_conflict(identify(b"<html lang=de><p>The library opens at nine and closes at six on all days of the week."))
    'the text overrules the declared language (German)'
    """
    if verdict.reason:
        return ""
    text = next((row.label for row in verdict.evidence if row.source == "text"), "")
    hints = [row for row in verdict.evidence if row.source in PHRASES and row.label]
    if text and not _is_same(text, verdict.label):
        supporting = [PHRASES[row.source] for row in hints if _is_same(row.label, verdict.label)]
        verb = "overrules" if len(supporting) < 2 else "overrule"
        return f"{_join(supporting) or 'other evidence'} {verb} the text ({_name(text)})"
    overruled = [
        f"{PHRASES[row.source]} ({_name(row.label)})" for row in hints if not _is_same(row.label, verdict.label)
    ]
    if not text or not overruled:
        return ""
    allies = [PHRASES[row.source] for row in hints if _is_same(row.label, verdict.label) and row.weight > 0]
    return f"{_join(['the text', *allies])} {'overrule' if allies else 'overrules'} {_join(overruled)}"


def _name(label: str) -> str:
    """Return the English name of a language or label."""
    return labels.name(label) or label


def _is_same(name: str, label: str) -> bool:
    """Return True if a language or label names the language of a label."""
    return labels.fold(name).language == labels.fold(label).language


def _join(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
