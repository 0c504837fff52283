"""An extension of griffe for mkdocs.yml: doctests in docstrings become code blocks, which Markdown would take for quotations and links."""

from __future__ import annotations

import re
from typing import Any

import griffe

__all__ = ["FenceDoctests", "fence_doctests"]

DOCTEST = re.compile(r"^>>> .*(?:\n.*\S.*)*", re.MULTILINE)


class FenceDoctests(griffe.Extension):
    """Fences the doctests of every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Replace the docstring of an object."""
        if obj.docstring:
            obj.docstring.value = fence_doctests(obj.docstring.value)


def fence_doctests(docstring: str) -> str:
    r"""Return a docstring with a fence around each doctest.

    >>> print(fence_doctests("Add.\n\n>>> 1 + 1\n2"))
    Add.
    <BLANKLINE>
    ```python
    >>> 1 + 1
    2
    ```
    """
    return DOCTEST.sub(lambda match: f"```python\n{match.group()}\n```", docstring)
