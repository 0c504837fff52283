"""Answers of published methods as columns of a census, in place of those of the Identifier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from webtongue import Page, labels
from webtongue.census.capture import Capture
from webtongue.census.text_columns import text_column

__all__ = ["PLAIN_TEXT_HEADERS", "MethodAnswer", "MethodFunction", "method_columns"]

PLAIN_TEXT_HEADERS = {"content-type": "text/plain; charset=utf-8"}
METHOD_COLUMNS = (
    "label", "reason", "by_encoding", "by_language", "by_text", "declared_language", "declared_encoding",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MethodAnswer:
    """The answer of a published method for a page, the approach that gave it, and what the method found in the page.

    ``by_encoding``, ``by_language`` and ``by_text`` are the answers of the approaches of Cai (2009), empty for none.
    """

    label: str
    approach: str = ""
    reason: str = ""
    by_encoding: str = ""
    by_language: str = ""
    by_text: str = ""
    declared_language: str = ""
    declared_encoding: str = ""
    encoding: str = ""
    text_bytes: int | None = None


MethodFunction = Callable[[Sequence[Page]], Sequence[MethodAnswer]]


def method_columns(captures: Sequence[Capture], method: MethodFunction) -> dict[str, Any]:
    """Return the columns of the answers of a published method."""
    import pyarrow as pa

    pages = [
        Page(
            capture.body or b"",
            capture.url or None,
            PLAIN_TEXT_HEADERS if capture.is_text else capture.headers,
            capture.ip or None,
        )
        for capture in captures
    ]
    answers = method(pages)
    names = [answer.label for answer in answers]
    parsed = [labels.parse(name) if name not in labels.SPECIAL else None for name in names]
    found = {name: text_column([getattr(answer, name) for answer in answers]) for name in METHOD_COLUMNS}
    return found | {
        "language": text_column([labels.bcp47(name) for name in names]),
        "script": text_column([label.script if label else "" for label in parsed]),
        "identified_by": text_column([answer.approach for answer in answers]),
        "charset_language": found["by_encoding"],  # counted in table 5-2 of Cai (2009)
        "content_charset": text_column([answer.encoding for answer in answers]),
        "text_bytes": pa.array([answer.text_bytes for answer in answers], pa.int64()),
    }
