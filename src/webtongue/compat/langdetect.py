"""The functions of langdetect. Answers are deterministic, so a seed has no effect.

>>> detect("Wie spät ist es in Wien?"), detect_langs("Wie spät ist es in Wien?")
('de', [de:1.0])
"""

from __future__ import annotations

from typing import ClassVar

import webtongue
from webtongue import WebtongueError
from webtongue.compat.answers import NORWEGIAN, rank_codes

__all__ = ["DetectorFactory", "ErrorCode", "LangDetectException", "Language", "detect", "detect_langs"]

SPELLINGS = {**NORWEGIAN, "nno": "no", "zho_Hans": "zh-cn", "zho_Hant": "zh-tw"}
MIN_PROBABILITY = 0.1  # langdetect lists no language with less


class ErrorCode:
    """Codes of langdetect's exceptions; webtongue raises CantDetectError only."""

    NoTextError = 0
    FormatError = 1
    FileLoadError = 2
    DuplicateLangError = 3
    NeedLoadProfileError = 4
    CantDetectError = 5
    CantOpenTrainData = 6
    TrainDataFormatError = 7
    InitParamError = 8


class LangDetectException(WebtongueError):
    """Raised if a text has no language that can be identified."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code

    def get_code(self) -> int:
        """Return one of the codes of :class:`ErrorCode`."""
        return self.code


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
