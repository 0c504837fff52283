"""Declared language and encoding: many claims, one answer by each published precedence.

Encodings have two. The paper's (Chew, Mikami and Nagano 2011, table 4): HTTP header, XML declaration, meta element.
The WHATWG's: byte order mark, HTTP header, what its prescan finds in the first 1,024 bytes; a later ``<meta>`` is a weaker
claim. Both are kept, since a page for which they differ is a page to doubt.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from webtongue import _kernel, labels
from webtongue.encodings.names import Encoding, known_labels, resolve
from webtongue.hints.country import languages_of
from webtongue.markup import Claim, Markup
from webtongue.markup.claims import packed_claims, server_claims
from webtongue.page import content_headers
from webtongue.verdict import Evidence

__all__ = [
    "Declared",
    "DeclaredEncoding",
    "LanguageClaim",
    "also_meant",
    "declared",
    "declared_encoding",
    "declared_language",
    "encoding_labels",
    "language_claims",
    "wide_declaration",
]

REMEMBERED = 1 << 14  # declarations: the same few come again and again in a crawl
SMALL = 512  # bytes of declarations that are worth remembering; a page can make them as long as it likes
WIDE_XML = {"utf-16le": b"<\0?\0x\0", "utf-16be": b"\0<\0?\0x"}
COUNTRY_CODE = 2  # letters
SCRIPT_BY_REGION = frozenset({"zho"})  # a region always tells which script: zh-CN and zh-TW, unlike sr-RS
_SUBTAG = re.compile(r"[-_]")
META = ("meta-charset", "http-equiv-content-type")
IN_PAGE = ("xml-encoding", *META)
# A language for the whole page, most telling first: what authors write on <html> is looked at by browsers, translators
# and screen readers, a header is a server's default.
LANGUAGE = (
    "html-lang", "html-xml-lang", "body-lang", "feed-language", "meta-content-language", "http-content-language",
    "meta-language", "dc-language", "og-locale", "jsonld-inlanguage", "hreflang-self",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DeclaredEncoding:
    """What is declared by each precedence: WHATWG names, empty where nothing is; ``late`` is one past the prescan."""

    whatwg: str = ""
    paper: str = ""
    late: str = ""

    @property
    def best(self) -> str:
        """The claim to try first."""
        return self.whatwg or self.late or self.paper


@dataclass(frozen=True, slots=True)
class LanguageClaim:
    """A language that is declared: in which form (one of LANGUAGE), which one, and the value as it is written.

    ``key`` is a language (``isl``), or a label (``zho_Hant``) where the value names a script or a region that decides it.
    A list of languages is a claim for each.
    """

    form: str
    key: str
    raw: str


@dataclass(frozen=True, slots=True)
class Declared:
    """What page and server declare: the label of the language, the encoding, every claim on either, as evidence, and every
    understood claim on the language in order."""

    language: str
    encoding: DeclaredEncoding
    evidence: tuple[Evidence, ...]
    languages: tuple[LanguageClaim, ...] = ()


def declared(
    packed: bytes, content_type: str = "", content_language: str = "", bom: str = "utf-8", wide: str = ""
) -> Declared:
    """What is declared, from packed claims (:func:`webtongue.markup.claims.packed_claims`) and two headers.

    ``bom`` is the encoding of a byte order mark, if there is one; ``wide`` what :func:`wide_declaration` says.

    >>> declared(b"", "text/html; charset=KOI8-R", "ru").encoding.best
    'koi8-r'
    """
    key = (packed, content_type, content_language, bom, wide)
    small = len(packed) + len(content_type) + len(content_language) <= SMALL
    return _remembered(*key) if small else _declared(*key)


def _declared(packed: bytes, content_type: str, content_language: str, bom: str, wide: str) -> Declared:
    prescanned, in_page = packed_claims(packed, bom)
    claims = (*server_claims(content_type, content_language), *in_page)
    found = declared_language(claims)
    language = found.labels[0] if found and found.labels else ""
    encoding = _encoding(claims, wide or _inside(resolve(prescanned, standard=True)))
    return Declared(language, encoding, tuple(map(_evidence, claims)), tuple(language_claims(claims)))


_remembered = lru_cache(REMEMBERED)(_declared)


def _evidence(claim: Claim) -> Evidence:
    """Claims are heard, not yet weighed."""
    label = next(iter(labels.declared(claim.value).labels), "") if claim.kind in LANGUAGE else ""
    return Evidence(claim.kind, claim.value, label)


def declared_encoding(markup: Markup) -> DeclaredEncoding:
    """Weigh the claims of a page and its server on their encoding."""
    raw = markup.page.raw
    packed = _kernel.pack_claims(markup.scan, markup.source, raw, encoding_labels())
    wide = wide_declaration(raw) if markup.transcoded else ""
    return declared(packed, *content_headers(markup.page.headers), markup.bom, wide).encoding


def _encoding(claims: Sequence[Claim], prescanned: str) -> DeclaredEncoding:
    bom = next((c.value for c in claims if c.kind == "bom"), "")
    http = _first(claims, ("http-content-type",))
    late = [c for c in claims if c.kind in IN_PAGE and c.late]
    return DeclaredEncoding(
        whatwg=bom or _name(_first(claims, ("http-content-type",), standard=True)) or prescanned,
        paper=_name(http or _first(claims, ("xml-encoding",)) or _first(claims, META)),
        late="" if prescanned else _inside(_first(late, IN_PAGE)),
    )


def declared_language(claims: Sequence[Claim]) -> labels.Declared | None:
    """The first understood claim in the order of LANGUAGE; else the first that was not understood; else None."""
    by_kind: dict[str, str] = {}
    for claim in claims:
        by_kind.setdefault(claim.kind, claim.value)
    unknown = None
    for kind in LANGUAGE:
        if by_kind.get(kind):
            found = labels.declared(by_kind[kind])
            if found.known:
                return found
            unknown = unknown or found
    return unknown


def language_claims(claims: Iterable[Claim]) -> Iterator[LanguageClaim]:
    """Every understood claim on the page's language.

    >>> [claim.key for claim in language_claims([Claim("html-lang", "zh-TW", 0), Claim("og-locale", "sr_RS", 9)])]
    ['zho_Hant', 'srp']
    """
    for claim in claims:
        if claim.kind in LANGUAGE:
            for label in labels.declared(claim.value).labels:
                yield LanguageClaim(claim.kind, _key(label, claim.value), claim.value)


def _key(label: str, raw: str) -> str:
    """A label where its script is said, or is not the language's usual one; else the language, in any script."""
    language, _, script = label.partition("_")
    usual = labels.parse(language)
    subtags = _SUBTAG.split(raw.lower())
    said = script.lower() in subtags or (language in SCRIPT_BY_REGION and len(subtags) > 1)
    return label if said or usual is None or usual.script != script else language


@lru_cache(REMEMBERED)
def also_meant(raw: str) -> tuple[str, ...]:
    """Languages that a declared value means if it is a country's code by mistake: those official there, the most spoken first.

    Only values that are such a code and nothing else, or the same one twice (``se-SE``); the language that the value names
    by right is left out.

    >>> also_meant("se-SE"), also_meant("br"), also_meant("ch"), also_meant("br-FR"), also_meant("is")
    (('swe',), ('por',), ('deu', 'fra', 'ita', 'gsw'), (), ())
    """
    first, *others = _SUBTAG.split(raw[: labels.LONGEST_TAG].strip().lower())
    if len(first) != COUNTRY_CODE or any(other != first for other in others):
        return ()
    spoken = languages_of(first)
    meant = [one.label for one in spoken if one.official] or [one.label for one in spoken[:1]]
    named = {label.partition("_")[0] for label in labels.declared(raw).labels}
    return tuple(dict.fromkeys(code for label in meant if (code := label.partition("_")[0]) not in named))


def _first(claims: Sequence[Claim], kinds: tuple[str, ...], *, standard: bool = False) -> Encoding | None:
    for claim in claims:
        if claim.kind in kinds and (found := resolve(claim.value, standard=standard)):
            return found
    return None


def _name(encoding: Encoding | None) -> str:
    return encoding.name if encoding else ""


def _inside(encoding: Encoding | None) -> str:
    """What a browser makes of a claim inside a page: no UTF-16 can be read that far, so none is meant."""
    name = _name(encoding)
    if name.startswith("utf-16"):
        return "utf-8"
    return "windows-1252" if name == "x-user-defined" else name


def wide_declaration(head: bytes) -> str:
    """The encoding of a page that begins with an XML declaration in UTF-16: three characters of it are enough."""
    return next((name for name, start in WIDE_XML.items() if head.startswith(start)), "")


@cache
def encoding_labels() -> array[int]:
    """Labels of encodings that browsers know, as the kernel looks for them."""
    return array("Q", sorted({_kernel.hash_lower(label.encode()) for label in known_labels(standard=True)}))
