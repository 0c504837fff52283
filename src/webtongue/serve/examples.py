"""The examples of the OpenAPI document; a test sends each of them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

__all__ = ["EXAMPLES"]

GREEK = "<html lang=el><p>Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα."
CZECH = "<p>Knihovna je otevřena každý den kromě neděle.".encode("cp1250")


def _named(**values: Any) -> dict[str, Any]:
    return {name: {"summary": name.replace("_", " "), "value": value} for name, value in values.items()}


PAGE = _named(
    a_text={"text": "Wie spät ist es in Wien?", "explain": True},
    a_page={"html": GREEK, "url": "https://example.gr/nea", "headers": {"Content-Language": "el"}},
    bytes_in_an_old_encoding={"base64": b64encode(CZECH).decode()},
    with_links={
        "html": "<p>Halló",
        "inlinks": [{"url": "https://example.is/", "language": "is", "anchor": "Bókasafnið"}],
    },
)
LINES = '{"id": 1, "html": "<p>Das Museum ist bis neun Uhr geöffnet."}\n{"id": 2, "text": "Où est la bibliothèque ?"}\n'
# By the name of a path's examples: media type to examples.
EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "identify": {"application/json": PAGE, "text/html": _named(a_page=GREEK)},
    "batch": {"application/x-ndjson": _named(two_lines=LINES)},
    "url": {"application/json": _named(an_address={"url": "https://www.example.com/nachrichten/wirtschaft/"})},
    "urls": {
        "application/json": _named(
            two={"urls": ["https://example.com/noticias/", "https://example.com/aktualnosci/polska"]}
        )
    },
    "detect": {"application/json": _named(a_text={"q": "Где находится библиотека?"})},
    "tika": {"text/plain": _named(a_text="Hvar er bókasafnið?")},
}
