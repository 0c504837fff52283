"""The functions of langdetect. Answers are deterministic, so a seed has no effect.

>>> detect("Wie spät ist es in Wien?"), detect_langs("Wie spät ist es in Wien?")
('de', [de:1.0])
"""

from __future__ import annotations

from typing import ClassVar

import webtongue
from webtongue.compat.answers import NORWEGIAN, rank_codes
from webtongue.compat.langdetect.lang_detect_exception import ErrorCode, LangDetectException

__all__ = ["DetectorFactory", "ErrorCode", "LangDetectException", "Language", "detect", "detect_langs"]


def __dir__() -> list[str]:
    return __all__


SPELLINGS = {**NORWEGIAN, "nno": "no", "zho_Hans": "zh-cn", "zho_Hant": "zh-tw"}
MIN_PROBABILITY = 0.1  # langdetect lists no language with less


class DetectorFactory:
    """Holds the seed that programs set for reproducible answers."""

    seed: ClassVar[int | None] = None


class Language:
    """A language and its probability."""

    def __init__(self, lang: str, prob: float) -> None:
        self.lang = lang
        self.prob = prob

    def __repr__(self) -> str:
        return f"{self.lang}:{self.prob}"

    def __lt__(self, other: Language) -> bool:
        return self.prob < other.prob


def detect(text: str) -> str:
    """Return the code of the likeliest language; raise LangDetectException if there is none."""
    return _rank(text)[0][0]


def detect_langs(text: str) -> list[Language]:
    """Return the languages with a probability above 0.1, or the likeliest alone; raise LangDetectException if there is none."""
    first, *others = _rank(text)
    return [Language(*first), *(Language(code, p) for code, p in others if p > MIN_PROBABILITY)]


def _rank(text: str) -> list[tuple[str, float]]:
    verdict = webtongue.identify_text(text)
    if verdict.label in ("und", "zxx"):
        raise LangDetectException(ErrorCode.CantDetectError, f"No features in text. {verdict.why}".strip())
    return rank_codes(verdict, SPELLINGS)
