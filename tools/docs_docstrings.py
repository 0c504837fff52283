"""Extensions of griffe for mkdocs.yml: fields of records get their docstrings, and doctests become code blocks.

Without a fence, Markdown would take doctests for quotations and links.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import griffe

__all__ = ["FenceDoctests", "FieldDocs", "fence_doctests"]

DOCTEST = re.compile(r"^>>> .*(?:\n.*\S.*)*", re.MULTILINE)


class FenceDoctests(griffe.Extension):
    """Fences the doctests of every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Replace the docstring of an object."""
        if obj.docstring:
            obj.docstring.value = fence_doctests(obj.docstring.value)


class FieldDocs(griffe.Extension):
    """Adds the docstrings of ``_FIELD_DOCS`` (`webtongue.records`) to the fields of a class."""

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """Document the attributes of a class."""
        record = getattr(import_module(cls.module.path), cls.name, None)
        for name, text in getattr(record, "_FIELD_DOCS", {}).items():
            if name in cls.members and cls.members[name].is_attribute:
                cls.members[name].docstring = griffe.Docstring(text)


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
