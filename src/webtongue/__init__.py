"""webtongue: the language, script and encoding of a web page, from everything it gives away.

>>> import webtongue
>>> webtongue.identify("<html lang=el><p>Καλώς ήρθατε στη βιβλιοθήκη μας".encode()).language
'el'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from webtongue import labels
from webtongue.coding.source import decode_source, detect_source
from webtongue.contents import Contents
from webtongue.encodings.decoding import Decoded
from webtongue.errors import MissingExtra, ModelError, UsageError, WebtongueError
from webtongue.hints.host import HostCounts
from webtongue.identifier import Identifier
from webtongue.page import Inlink, Page
from webtongue.verdict import Evidence, Guess, Reason, Segment, Verdict

__all__ = [
    "Contents",
    "Decoded",
    "Evidence",
    "Guess",
    "HostCounts",
    "Identifier",
    "Inlink",
    "MissingExtra",
    "ModelError",
    "Page",
    "Reason",
    "Segment",
    "UsageError",
    "Verdict",
    "WebtongueError",
    "__version__",
    "classify",
    "decode",
    "detect",
    "identify",
    "identify_batch",
    "identify_many",
    "identify_stream",
    "identify_text",
    "identify_url",
    "identify_urls",
]

__version__ = "0.1.0"


@cache
def _default() -> Identifier:
    """Made when first needed: importing webtongue loads no model."""
    return Identifier()


def identify(
    raw: bytes,
    url: str | None = None,
    headers: Mapping[str, str] | None = None,
    ip: str | None = None,
    inlinks: Iterable[Inlink | Mapping[str, Any]] | None = None,
    *,
    country: str | None = None,
    host: Mapping[str, float] | None = None,
) -> Verdict:
    """What a page is in, from its bytes and what is known of where they came from and who links to them.

    >>> identify(b"<p>Trenutno nedostupno", country="HR", inlinks=[Inlink("https://example.hr/", "hr")]).language
    'hr'
    """
    return _default().identify(raw, url, headers, ip, inlinks, country=country, host=host)


def decode(raw: bytes, url: str | None = None, headers: Mapping[str, str] | None = None) -> Decoded:
    """A page's whole source as text, with the encoding it was in and how sure that is.

    >>> found = decode("Žluťoučký kůň pěl ódy".encode("cp1250"))
    >>> found.text, found.encoding
    ('Žluťoučký kůň pěl ódy', 'windows-1250')
    """
    return decode_source(Page(raw, url, headers), _default().reader)  # type: ignore[arg-type]


def detect(raw: bytes) -> dict[str, Any]:
    """Encoding, confidence and language in the shape that chardet's callers know.

    >>> detect("Привет, как дела?".encode("koi8-r"))["encoding"]
    'koi8-r'
    """
    by = _default().stages
    decoding, label = detect_source(Page(raw), by.flow, by.text)
    return {
        "encoding": decoding.encoding or None,
        "confidence": decoding.confidence,
        "language": "" if label in ("und", "zxx") else labels.bcp47(label),
    }


def identify_text(text: str) -> Verdict:
    """What a text is in that is decoded already."""
    return _default().identify_text(text)


def identify_url(
    url: str,
    ip: str | None = None,
    anchor: str | None = None,
    *,
    inlinks: Iterable[Inlink | Mapping[str, Any]] | None = None,
    country: str | None = None,
    host: Mapping[str, float] | None = None,
) -> Verdict:
    """What a page is in, by its URL alone, or with what else is known of it before it is fetched.

    >>> identify_url("https://www.example.com/noticias/ultimas-noticias-de-la-ciudad.html").language
    'es'
    """
    return _default().identify_url(url, ip, anchor, inlinks=inlinks, country=country, host=host)


def identify_urls(urls: Iterable[str | None]) -> list[Verdict]:
    """What many pages are in, by their URLs, in their order."""
    return _default().identify_urls(urls)


def classify(text: str) -> str:
    """The likeliest label of a text and nothing else, as fast as it can be had.

    >>> classify("Wo ist der Bahnhof?")
    'deu_Latn'
    """
    return _default().classify(text)


def identify_many(pages: Iterable[Page | bytes | None], threads: int | None = None) -> list[Verdict]:
    """What many pages are in, in their order."""
    return _default().identify_many(pages, threads)


def identify_stream(pages: Iterable[Page | bytes | None], threads: int | None = None) -> Iterator[Verdict]:
    """What pages are in, as they come: an iterator in, an iterator out."""
    return _default().identify_stream(pages, threads)


def identify_batch(columns: Any, threads: int | None = None) -> Any:
    """Columns in, columns out; see :meth:`Identifier.identify_batch`."""
    return _default().identify_batch(columns, threads)
