"""webtongue: the language, script and encoding of web pages, from their bytes, URLs, headers, servers and links.

>>> import webtongue
>>> webtongue.identify("<html lang=el><p>Καλώς ήρθατε στη βιβλιοθήκη μας".encode()).language
'el'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from webtongue import labels
from webtongue.analysis import Analysis
from webtongue.charset.decoding import Decoded
from webtongue.charset.detection.source import decode_source, detect_source
from webtongue.errors import MissingExtra, ModelError, OutputError, UsageError, WebtongueError
from webtongue.evidence.host import HostCounts
from webtongue.identifier import Identifier
from webtongue.markup import Block, Link
from webtongue.page import Inlink, Page
from webtongue.verdict import Evidence, Guess, Reason, Segment, Verdict

__all__ = [
    "Analysis",
    "Block",
    "Decoded",
    "Evidence",
    "Guess",
    "HostCounts",
    "Identifier",
    "Inlink",
    "Link",
    "MissingExtra",
    "ModelError",
    "OutputError",
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


def __dir__() -> list[str]:
    return __all__


@cache
def _default() -> Identifier:
    """Return the Identifier with default settings. The first call creates it, so that importing the package loads no model."""
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
    """Return the verdict on a page from its bytes, their origin, and the links to it.

    >>> identify(b"<p>Trenutno nedostupno", country="HR", inlinks=[Inlink("https://example.hr/", "hr")]).language
    'hr'
    """
    return _default().identify(raw, url, headers, ip, inlinks, country=country, host=host)


def decode(raw: bytes, url: str | None = None, headers: Mapping[str, str] | None = None) -> Decoded:
    """Return the source of a page as text, with its encoding and the confidence of the encoding.

    >>> decoded = decode("Žluťoučký kůň pěl ódy".encode("cp1250"))
    >>> decoded.text, decoded.encoding
    ('Žluťoučký kůň pěl ódy', 'windows-1250')
    """
    return decode_source(Page(raw, url, headers), _default().reader)  # type: ignore[arg-type]


def detect(raw: bytes) -> dict[str, Any]:
    """Return encoding, confidence and language in the form of ``chardet.detect``.

    >>> detect("Привет, как дела?".encode("koi8-r"))["encoding"]
    'koi8-r'
    """
    models = _default().models
    decoding, label = detect_source(Page(raw), models.flow, models.text)
    return {
        "encoding": decoding.encoding or None,
        "confidence": decoding.confidence,
        "language": "" if label in labels.WITHOUT_TEXT else labels.bcp47(label),
    }


def identify_text(text: str) -> Verdict:
    """Return the verdict on decoded text."""
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
    """Return the verdict on a page by its URL, and by other evidence that is available before it is fetched.

    >>> identify_url("https://www.example.com/noticias/ultimas-noticias-de-la-ciudad.html").language
    'es'
    """
    return _default().identify_url(url, ip, anchor, inlinks=inlinks, country=country, host=host)


def identify_urls(urls: Iterable[str | None]) -> list[Verdict]:
    """Return verdicts on URLs, in their order."""
    return _default().identify_urls(urls)


def classify(text: str) -> str:
    """Return the likeliest label of a text and nothing else, which is faster than :func:`identify_text`.

    >>> classify("Wo ist der Bahnhof?")
    'deu_Latn'
    """
    return _default().classify(text)


def identify_many(pages: Iterable[Page | bytes | None], threads: int | None = None) -> list[Verdict]:
    """Return verdicts on pages, in their order."""
    return _default().identify_many(pages, threads)


def identify_stream(pages: Iterable[Page | bytes | None], threads: int | None = None) -> Iterator[Verdict]:
    """Yield verdicts on pages as they come, in their order."""
    return _default().identify_stream(pages, threads)


def identify_batch(columns: Any, threads: int | None = None) -> Any:
    """Return columns of answers for columns of pages; see :meth:`Identifier.identify_batch`."""
    return _default().identify_batch(columns, threads)
