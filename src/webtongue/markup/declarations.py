"""Declared language and encoding: one answer from many declarations, by published precedences.

Encodings have two. The paper's (Chew, Mikami and Nagano 2011, table 4): HTTP header, XML declaration, meta element. The WHATWG's:
byte order mark, HTTP header, the prescan of the first 1,024 bytes; a later ``<meta>`` is weaker evidence. Both are kept, since a
page for which they differ is uncertain.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from webtongue import _kernel, labels
from webtongue.charset.names import Encoding, known_labels, resolve
from webtongue.markup import Declaration, Markup
from webtongue.markup.read_declarations import header_declarations, unpack_declarations
from webtongue.page import content_headers
from webtongue.records import dataclass
from webtongue.reference.countries import languages_of
from webtongue.verdict import Evidence

__all__ = [
    "UNDECLARED",
    "Declared",
    "DeclaredEncoding",
    "LanguageDeclaration",
    "declared",
    "declared_encoding",
    "declared_language",
    "encoding_labels",
    "language_declarations",
    "languages_of_country_code",
    "wide_declaration",
]

CACHE_SIZE = 1 << 9  # the same few declarations recur in a crawl
MAX_CACHED_BYTES = 512  # longer declarations are not cached, since a page can make them arbitrarily long
WIDE_XML = {"utf-16le": b"<\0?\0x\0", "utf-16be": b"\0<\0?\0x"}
COUNTRY_CODE_LETTERS = 2
SCRIPT_BY_REGION = frozenset({"zho"})  # languages whose region decides the script: zh-CN and zh-TW, unlike sr-RS
SUBTAG_SEPARATOR = re.compile(r"[-_]")
META = ("meta-charset", "http-equiv-content-type")
IN_PAGE = ("xml-encoding", *META)
# Declarations of the page's language, the most reliable first: browsers, translators and screen readers use <html lang>, while a
# header is a server's default.
LANGUAGE = (
    "html-lang", "html-xml-lang", "body-lang", "feed-language", "meta-content-language", "http-content-language",
    "meta-language", "dc-language", "og-locale", "jsonld-inlanguage", "hreflang-self",
)  # fmt: skip
# Declarations of the audience, which are also the default for elements without ``lang`` unless they name several languages.
DEFAULTS = ("meta-content-language", "http-content-language")


@dataclass(frozen=True, slots=True)
class DeclaredEncoding:
    """The declared encoding by each precedence, as WHATWG names or empty; ``late`` is one past the prescan."""

    whatwg: str = ""
    paper: str = ""
    late: str = ""

    @property
    def best(self) -> str:
        """The most reliable declared encoding."""
        return self.whatwg or self.late or self.paper


class LanguageDeclaration(NamedTuple):
    """A declared language: the form of its declaration (one of LANGUAGE), the language, and the original value.

    ``key`` is a language (``isl``), or a label (``zho_Hant``) if the value names a script or a region that decides it. A list of
    languages is one declaration for each.
    """

    form: str
    key: str
    raw: str


@dataclass(frozen=True, slots=True)
class Declared:
    """The declared label and encoding, all declarations as evidence, and all known declared languages in order."""

    language: str
    encoding: DeclaredEncoding
    evidence: tuple[Evidence, ...]
    languages: tuple[LanguageDeclaration, ...] = ()


UNDECLARED = Declared("", DeclaredEncoding(), ())


def declared(
    packed: bytes, content_type: str = "", content_language: str = "", bom: str = "utf-8", wide: str = ""
) -> Declared:
    """Return what packed declarations (:func:`webtongue.markup.read_declarations.unpack_declarations`) and two headers declare.

    ``bom`` is the encoding of the byte order mark, if there is one, ``wide`` the result of :func:`wide_declaration`.

    >>> declared(b"", "text/html; charset=KOI8-R", "ru").encoding.best
    'koi8-r'
    """
    key = (packed, content_type, content_language, bom, wide)
    is_short = len(packed) + len(content_type) + len(content_language) <= MAX_CACHED_BYTES
    return _cached_declared(*key) if is_short else _declared(*key)


def _declared(packed: bytes, content_type: str, content_language: str, bom: str, wide: str) -> Declared:
    prescanned, in_page = unpack_declarations(packed, bom)
    declarations = (*header_declarations(content_type, content_language), *in_page)
    parsed = declared_language(declarations)
    language = parsed.labels[0] if parsed and parsed.labels else ""
    encoding = _encoding(declarations, wide or _name_in_page(resolve(prescanned, standard=True)))
    return Declared(language, encoding, tuple(map(_evidence, declarations)), tuple(language_declarations(declarations)))


_cached_declared = lru_cache(CACHE_SIZE)(_declared)


def _evidence(declaration: Declaration) -> Evidence:
    """Return a declaration as evidence, without a weight."""
    kind, value = declaration.kind, declaration.value
    declared_labels = labels.parse_declared(value).labels if kind in LANGUAGE else ()
    is_ambiguous = kind in DEFAULTS and len(declared_labels) > 1
    return Evidence(kind, value, "" if is_ambiguous else next(iter(declared_labels), ""))


def declared_encoding(markup: Markup) -> DeclaredEncoding:
    """Return the declared encoding of a page."""
    raw = markup.page.raw
    packed = _kernel.pack_declarations(markup.scan, markup.source, raw, encoding_labels())
    wide = wide_declaration(raw) if markup.transcoded else ""
    return declared(packed, *content_headers(markup.page.headers), markup.bom, wide).encoding


def _encoding(declarations: Sequence[Declaration], prescanned: str) -> DeclaredEncoding:
    bom = next((d.value for d in declarations if d.kind == "bom"), "")
    http = _first(declarations, ("http-content-type",))
    late = [d for d in declarations if d.kind in IN_PAGE and d.late]
    return DeclaredEncoding(
        whatwg=bom or _name(_first(declarations, ("http-content-type",), standard=True)) or prescanned,
        paper=_name(http or _first(declarations, ("xml-encoding",)) or _first(declarations, META)),
        late="" if prescanned else _name_in_page(_first(late, IN_PAGE)),
    )


def declared_language(declarations: Sequence[Declaration]) -> labels.DeclaredLanguages | None:
    """Return the first known language in the order of LANGUAGE, else the first unknown one, else None."""
    by_kind: dict[str, str] = {}
    for declaration in _without_revoked(declarations):
        by_kind.setdefault(declaration.kind, declaration.value)
    unknown = None
    for kind in LANGUAGE:
        if by_kind.get(kind):
            parsed = labels.parse_declared(by_kind[kind])
            if kind in DEFAULTS and len(parsed.labels) > 1:
                continue
            if parsed.is_known:
                return parsed
            unknown = unknown or parsed
    return unknown


def _without_revoked(declarations: Iterable[Declaration]) -> list[Declaration]:
    """Return the declarations without defaults if an empty ``lang`` of ``<html>`` revokes them."""
    remaining = list(declarations)
    is_revoked = any(d.kind == "html-lang" and not d.value for d in remaining)
    return [d for d in remaining if d.kind not in DEFAULTS] if is_revoked else remaining


def language_declarations(declarations: Iterable[Declaration]) -> Iterator[LanguageDeclaration]:
    """Yield all known declared languages of the page.

    >>> declarations = [Declaration("html-lang", "zh-TW", 0), Declaration("og-locale", "sr_RS", 9)]
    >>> [declaration.key for declaration in language_declarations(declarations)]
    ['zho_Hant', 'srp']
    """
    for declaration in _without_revoked(declarations):
        if declaration.kind in LANGUAGE:
            for label in labels.parse_declared(declaration.value).labels:
                yield LanguageDeclaration(declaration.kind, _key(label, declaration.value), declaration.value)


def _key(label: str, raw: str) -> str:
    """Return the label if its script is declared or unusual for the language, else the language."""
    language, _, script = label.partition("_")
    usual = labels.parse(language)
    subtags = SUBTAG_SEPARATOR.split(raw.lower())
    is_declared = script.lower() in subtags or (language in SCRIPT_BY_REGION and len(subtags) > 1)
    return label if is_declared or usual is None or usual.script != script else language


@lru_cache(CACHE_SIZE)
def languages_of_country_code(raw: str) -> tuple[str, ...]:
    """Return the languages that a declared value means if it is a country code by mistake: the official ones, the largest first.

    The value must be a country code, or the same one twice (``se-SE``). The language that the value names correctly is left out.

    >>> [languages_of_country_code(value) for value in ("se-SE", "br", "ch", "br-FR", "is")]
    [('swe',), ('por',), ('deu', 'fra', 'ita', 'gsw'), (), ()]
    """
    first, *others = SUBTAG_SEPARATOR.split(raw[: labels.MAX_TAG_CHARS].strip().lower())
    if len(first) != COUNTRY_CODE_LETTERS or any(other != first for other in others):
        return ()
    spoken = languages_of(first)
    meant = [language.label for language in spoken if language.official] or [language.label for language in spoken[:1]]
    named = {label.partition("_")[0] for label in labels.parse_declared(raw).labels}
    return tuple(dict.fromkeys(code for label in meant if (code := label.partition("_")[0]) not in named))


def _first(declarations: Sequence[Declaration], kinds: tuple[str, ...], *, standard: bool = False) -> Encoding | None:
    """Return the first known encoding among declarations of some kinds."""
    resolved = (resolve(d.value, standard=standard) for d in declarations if d.kind in kinds)
    return next((encoding for encoding in resolved if encoding), None)


def _name(encoding: Encoding | None) -> str:
    return encoding.name if encoding else ""


def _name_in_page(encoding: Encoding | None) -> str:
    """Return the encoding that browsers use for a declaration inside a page, which cannot be in UTF-16."""
    name = _name(encoding)
    if name.startswith("utf-16"):
        return "utf-8"
    return "windows-1252" if name == "x-user-defined" else name


def wide_declaration(head: bytes) -> str:
    """Return the encoding of a page that starts with an XML declaration in UTF-16; its first three characters decide."""
    return next((name for name, start in WIDE_XML.items() if head.startswith(start)), "")


@cache
def encoding_labels() -> array[int]:
    """Return the hashes of all encoding labels of the standard, sorted, as the kernel needs them."""
    return array("Q", sorted({_kernel.hash_lower(label.encode()) for label in known_labels(standard=True)}))
