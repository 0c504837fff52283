"""webtongue: the language, script and encoding of web pages, from their bytes, URLs, headers, servers and links.

>>> import webtongue
>>> webtongue.identify("<html lang=el><p>Καλώς ήρθατε στη βιβλιοθήκη μας".encode()).language
'el'
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, overload

    from webtongue.analysis import Analysis
    from webtongue.charset.decoding import Decoded
    from webtongue.content.document import Document
    from webtongue.errors import MissingExtra, ModelError, OutputError, UsageError, WebtongueError
    from webtongue.evidence.host import HostCounts
    from webtongue.identifier import Identifier
    from webtongue.markup.blocks import Block
    from webtongue.markup.links import Link
    from webtongue.page import Inlink, Page
    from webtongue.verdict import Evidence, Guess, Reason, Segment, Verdict

    __version__: str

__all__ = [
    "Analysis",
    "Block",
    "Decoded",
    "Document",
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
    "extract",
    "identify",
    "identify_batch",
    "identify_many",
    "identify_stream",
    "identify_text",
    "identify_texts",
    "identify_url",
    "identify_urls",
]

# The module of each public name. A name is imported when it is first used, so that importing the package takes no time.
_MODULES = {
    "Analysis": "analysis",
    "Block": "markup.blocks",
    "Decoded": "charset.decoding",
    "Document": "content.document",
    "Evidence": "verdict",
    "Guess": "verdict",
    "HostCounts": "evidence.host",
    "Identifier": "identifier",
    "Inlink": "page",
    "Link": "markup.links",
    "MissingExtra": "errors",
    "ModelError": "errors",
    "OutputError": "errors",
    "Page": "page",
    "Reason": "verdict",
    "Segment": "verdict",
    "UsageError": "errors",
    "Verdict": "verdict",
    "WebtongueError": "errors",
}


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _read_version()
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    return value


def _read_version() -> str:
    """Return the version of the installed distribution, which pyproject.toml sets; empty in sources that are not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        globals()["__version__"] = version(__name__)
    except PackageNotFoundError:
        globals()["__version__"] = ""
    return str(globals()["__version__"])


_identifiers: list[Identifier] = []


def _default() -> Identifier:
    """Return the Identifier with default settings; the first call creates it and loads the text model."""
    if not _identifiers:
        from webtongue.identifier import Identifier

        _identifiers.append(Identifier())
    return _identifiers[0]


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
    from webtongue.charset.detection.source import decode_source
    from webtongue.page import Page

    return decode_source(Page(raw, url, headers), _default().reader)  # type: ignore[arg-type]


def detect(raw: bytes) -> dict[str, Any]:
    """Return encoding, confidence and language in the form of ``chardet.detect``.

    >>> detect("Привет, как дела?".encode("koi8-r"))["encoding"]
    'koi8-r'
    """
    from webtongue import labels
    from webtongue.charset.detection.source import detect_source
    from webtongue.page import Page

    models = _default().models
    decoding, label = detect_source(Page(raw), models.flow, models.text)
    return {
        "encoding": decoding.encoding or None,
        "confidence": decoding.confidence,
        "language": "" if label in labels.WITHOUT_TEXT else labels.bcp47(label),
    }


def extract(
    html: bytes | str,
    url: str | None = None,
    headers: Mapping[str, str] | None = None,
    *,
    boilerplate: bool = False,
) -> Document:
    """Return the main text of a page with its structure: blocks, text, Markdown, metadata and the verdict on its language.

    ``boilerplate`` keeps menus, banners and notices.

    >>> page = "<nav>Um</nav><h1>Sýning</h1><p>Opið er til níu.</p><table><tr><td>Verð<td>500 kr.</table>"
    >>> print(extract(page).markdown)
    # Sýning
    <BLANKLINE>
    Opið er til níu.
    <BLANKLINE>
    | Verð | 500 kr. |
    | --- | --- |
    """
    from webtongue.content.document import extract_document
    from webtongue.page import Page

    raw = html.encode("utf-8", "replace") if isinstance(html, str) else html
    return extract_document(_default().analyze(Page(raw, url, headers)), boilerplate=boilerplate)  # type: ignore[arg-type]


def identify_text(text: str) -> Verdict:
    """Return the verdict on decoded text."""
    return _default().identify_text(text)


def identify_texts(texts: Iterable[str], threads: int | None = None) -> list[Verdict]:
    """Return verdicts on decoded texts, in their order, computed on several threads.

    >>> [v.language for v in identify_texts(["Wie spät ist es in Wien?", "Missä kirjasto on?"])]
    ['de', 'fi']
    """
    return _default().identify_texts(texts, threads)


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


if TYPE_CHECKING:

    @overload
    def identify_batch(columns: Mapping[str, Any], threads: int | None = None) -> dict[str, Any]: ...
    @overload
    def identify_batch(columns: Any, threads: int | None = None) -> Any: ...


def identify_batch(columns: Any, threads: int | None = None) -> Any:
    """Return columns of answers for columns of pages; see :meth:`Identifier.identify_batch`."""
    return _default().identify_batch(columns, threads)
