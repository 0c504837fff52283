"""Reasons why a text has no language: the kernel's numbers, the label that is answered instead, and a sentence."""

from __future__ import annotations

from webtongue import _kernel
from webtongue.verdict import Reason

__all__ = ["REASONS", "UNANSWERED", "why"]

# In the order of the kernel's numbers (native/text/decide.hpp).
REASONS = (
    Reason.NONE, Reason.NO_LETTERS, Reason.TOO_SHORT, Reason.UNKNOWN_SCRIPT, Reason.TOO_RARE, Reason.UNKNOWN_LANGUAGE,
    Reason.NOT_ASKED, Reason.MISREAD, Reason.NOT_LANGUAGE, Reason.PLACEHOLDER_TEXT,
    Reason.SEVERAL_LANGUAGES, Reason.TWO_LANGUAGES,
)  # fmt: skip
UNANSWERED = [*["und"] * 8, "zxx", "zxx", "mul", "mul"]  # the label for each of REASONS
MAX_SHOWN_LANGUAGES = 3  # languages of a page that a sentence names


def why(
    reason: Reason, script: str, nearest: str, languages: tuple[tuple[str, float], ...], reading: _kernel.Reading
) -> str:
    """Return the reason as a sentence; ``nearest`` is the likeliest label."""
    match reason:
        case Reason.EMPTY:
            return "empty"
        case Reason.NO_LETTERS:
            return "no letters"
        case Reason.TOO_SHORT:
            return "too short"
        case Reason.UNKNOWN_SCRIPT:
            return f"no language written in {script} is known"
        case Reason.TOO_RARE:
            return f"too little to say {nearest}, which is rare"
        case Reason.UNKNOWN_LANGUAGE:
            return f"fits no language known here; nearest is {nearest}"
        case Reason.NOT_ASKED:
            return f"not one of the languages asked for; nearest is {nearest}"
        case Reason.MISREAD:
            return "read in a wrong encoding before (UTF-8 as windows-1252)"
        case Reason.NOT_LANGUAGE:
            return f"not language: {reading.junk_kind}"
        case Reason.PLACEHOLDER_TEXT:
            return "placeholder text: words of lorem ipsum"
        case Reason.SEVERAL_LANGUAGES | Reason.TWO_LANGUAGES:
            shares = ", ".join(f"{label} {share:.0%}" for label, share in languages[:MAX_SHOWN_LANGUAGES])
            return ("several languages: " if reason is Reason.SEVERAL_LANGUAGES else "two languages alike: ") + shares
    return ""
