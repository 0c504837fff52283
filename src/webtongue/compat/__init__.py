"""Modules with the functions and types of other packages, answered by webtongue: change the import, keep the code.

``langdetect``, ``langid`` (also for py3langid), ``fasttext``, ``pycld2``, ``lingua``, ``chardet`` and ``charset_normalizer``;
docs/switching.md says what changes with each. None of these packages is needed.

>>> from webtongue.compat import langdetect
>>> langdetect.detect("Hvar er bókasafnið og hvenær er það opið?")
'is'
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["chardet", "charset_normalizer", "fasttext", "langdetect", "langid", "lingua", "pycld2"]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
