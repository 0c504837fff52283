"""Reasons why a text has no language, or no reliable one: the kernel's numbers, the label answered instead, and a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from webtongue import _kernel
from webtongue.policy import EVIDENCE, TEXT
from webtongue.verdict import Reason

__all__ = ["REASONS", "UNANSWERED", "describe_low_probability", "why", "why_unreliable"]

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
            return f"too little text for a rare language; nearest is {nearest}"
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


def why_unreliable(reading: _kernel.Reading, names: Sequence[str]) -> str:
    """Return why a reading with a language is not reliable; empty if it is.

    The kernel decides by the same numbers (native/text/decide.cpp).
    """
    return "" if reading.reliable or reading.label < 0 else "; ".join(_list_doubts(reading, names))


def _list_doubts(reading: _kernel.Reading, names: Sequence[str]) -> Iterator[str]:
    probability = reading.confidence
    by_text = dict(reading.text_guesses(len(names)))
    if reading.boilerplate:
        yield "a standard text of servers or tools, which is English on sites in any language"
        return
    if reading.has_hints and _probability(by_text, reading.label) < EVIDENCE.supported_probability:
        best = next(iter(by_text))
        yield f"other evidence decides: the text alone is {names[best]} by {_probability(by_text, best):.0%}"
    if reading.filed_by_hints:
        yield "another language has more of the text, and other evidence decides"
    yield from _describe_amount(reading, probability)
    if probability < TEXT.reliable_probability:
        yield describe_low_probability(probability, TEXT.reliable_probability)


def _probability(logs: dict[int, int], label: int) -> float:
    return _kernel.to_probability(logs[label]) if label in logs else 0.0


def _describe_amount(reading: _kernel.Reading, probability: float) -> Iterator[str]:
    """Yield why there is too little text, by letters or else by words."""
    is_very_sure = probability >= TEXT.very_sure_probability
    needed = TEXT.reliable_letters_very_sure if is_very_sure else TEXT.reliable_letters
    worth = int(reading.informative_letters)
    if worth < needed:
        letters = f"{reading.letters} letter{'s' * (reading.letters != 1)}"
        yield f"{letters}{'' if worth == reading.letters else f', which count as {worth}'}, {needed} are needed"
    elif reading.running_words < TEXT.reliable_long_words or (
        reading.running_words < TEXT.reliable_words and reading.running_letters < TEXT.long_words_letters
    ):
        words = f"{reading.running_words} word{'s' * (reading.running_words != 1)}"
        yield f"{words} of running text, {TEXT.reliable_words} are needed"


def describe_low_probability(probability: float, needed: float) -> str:
    """Return the sentence on an answer whose probability is too low."""
    return f"probability {min(probability, needed - 0.01):.0%}, {needed:.0%} is needed"
