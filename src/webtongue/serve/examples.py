"""The examples of the OpenAPI document; a test sends each of them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

__all__ = ["EXAMPLES"]

GREEK = "<html lang=el><p>Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα."
CZECH = "<p>Knihovna je otevřena každý den kromě neděle.".encode("cp1250")


def _examples(**values: Any) -> dict[str, Any]:
    """Return OpenAPI's example objects; their names with spaces are the summaries."""
    return {name: {"summary": name.replace("_", " "), "value": value} for name, value in values.items()}


PAGES = _examples(
    text={"text": "Wie spät ist es in Wien?", "explain": True},
    page={"html": GREEK, "url": "https://example.gr/nea", "headers": {"Content-Language": "el"}},
    bytes_in_a_legacy_encoding={"base64": b64encode(CZECH).decode()},
    page_with_links_to_it={
        "html": "<p>Halló",
        "inlinks": [{"url": "https://example.is/", "language": "is", "anchor": "Bókasafnið"}],
    },
)
LINES = '{"id": 1, "html": "<p>Das Museum ist bis neun Uhr geöffnet."}\n{"id": 2, "text": "Où est la bibliothèque ?"}\n'
URLS = ["https://example.com/noticias/", "https://example.com/aktualnosci/polska"]
# Examples by media type, under the name that an Operation of openapi.py refers to.
EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "identify": {"application/json": PAGES, "text/html": _examples(page=GREEK)},
    "batch": {"application/x-ndjson": _examples(two_lines=LINES)},
    "url": {"application/json": _examples(url={"url": "https://www.example.com/nachrichten/wirtschaft/"})},
    "urls": {"application/json": _examples(two_urls={"urls": URLS})},
    "detect": {"application/json": _examples(text={"q": "Где находится библиотека?"})},
    "tika": {"text/plain": _examples(text="Hvar er bókasafnið?")},
}
