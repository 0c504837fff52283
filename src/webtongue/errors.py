"""What goes wrong when webtongue is *called* wrongly; bad pages are not errors but ``und`` with a reason.

WebtongueError
├── ModelError        a model file that is missing, damaged or of another version
├── MissingExtra      an optional dependency is not installed (also an ImportError)
└── UsageError        an argument that cannot be used, with what to do instead (also a ValueError)
"""

from __future__ import annotations

__all__ = ["MissingExtra", "ModelError", "UsageError", "WebtongueError"]


class WebtongueError(Exception):
    """Root of every error raised on purpose."""


class ModelError(WebtongueError):
    """A model that cannot be used, and why."""


class MissingExtra(WebtongueError, ImportError):
    """Something optional is needed.

    >>> str(MissingExtra("rich", "cli"))
    "this needs the package 'rich': pip install 'webtongue[cli]'"
    """

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"this needs the package {package!r}: pip install 'webtongue[{extra}]'")


class UsageError(WebtongueError, ValueError):
    """An argument of the right type that makes no sense."""
