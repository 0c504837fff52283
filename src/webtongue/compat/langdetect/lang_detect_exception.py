"""The exception of langdetect and its codes."""

from __future__ import annotations

from webtongue import WebtongueError

__all__ = ["ErrorCode", "LangDetectException"]


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


def __dir__() -> list[str]:
    return __all__
