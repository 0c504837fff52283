"""Where an address may say its language: the labels of its host, the segments of its path, its query, its letters.

The kernel reads the same places for the model (native/url/features.cpp), for the languages that the model knows. Here they are
read for all others, with cuts that cost a few microseconds.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple
from urllib.parse import unquote

from webtongue.hints.country import country_of_tld

__all__ = ["PLACES", "Places", "places_of", "scripts_in", "tokens"]

LONGEST = 2048  # characters that are read, as in the kernel
MOST_SEGMENTS = 8  # of a path, and pairs of a query: what says the language stands near the front
MOST_LETTERS = 64  # beyond ASCII, whose scripts are looked at
PLACES = ("label", "first", "later", "ending", "asked")
ASKING = frozenset({"hl", "l", "ln", "lng", "lc", "idioma", "idiom", "sprache", "lingua", "taal", "culture"})
ENCODED = "xn--"


class Places(NamedTuple):
    """The parts of an address, host and top level domain in lower case; a country's domain in its own letters as its code (``ru``).

    A tuple, since one is made for every address of a crawl and a dataclass takes three times as long.
    """

    host: str
    top: str
    path: str
    query: str


def places_of(url: str) -> Places:
    """An address cut into parts, without a look at whether it is one.

    >>> places_of("https://IS.example.org:80/a/b?lang=is#top")
    Places(host='is.example.org', top='org', path='a/b', query='lang=is')
    """
    url = url[:LONGEST]
    start = url.find("://")
    rest = url[start + 3 :] if start >= 0 else url.removeprefix("//")
    rest = rest.partition("#")[0]
    rest, _, query = rest.partition("?")
    host, _, path = rest.partition("/")
    host = host.partition(":")[0].rstrip(".").lower()
    top = host.rpartition(".")[2]
    if not top.isascii() or top.startswith(ENCODED):
        top = country_of_tld(top).lower() or top
    return Places(host, top, path, query)


def tokens(places: Places) -> list[tuple[str, str]]:
    """What may be a code or a name of a language, and where it stands (one of PLACES).

    >>> tokens(places_of("https://is.example.org/fo/index.da.html?lang=sv&x=y"))
    [('label', 'is'), ('ending', 'da'), ('first', 'fo'), ('later', 'index'), ('asked', 'sv')]
    """
    host, _, path, query = places
    out = []
    if host.count(".") > 1:
        for label in host.split(".")[:-2]:
            if label != "www":
                out.append(("label", label))
    if path:
        segments = path.lower().split("/", MOST_SEGMENTS)
        last = segments[-1]
        if "." in last or "_" in last or "-" in last:
            if code := _ending(last):
                out.append(("ending", code))
            segments[-1] = last.partition(".")[0]
        out.append(("first", segments[0]))
        for segment in segments[1:MOST_SEGMENTS]:
            if segment:
                out.append(("later", segment))
    if query:
        for pair in query.lower().split("&", MOST_SEGMENTS):
            key, _, value = pair.partition("=")
            if key in ASKING or key.startswith(("lang", "loca")):
                out.append(("asked", value))
    return out


def _ending(name: str) -> str:
    """What may be a code at the end of a file's name: between two dots, or the second of two parts.

    >>> [_ending(name) for name in ("index.da.html", "nl-2018.cs.html", "about_de.htm", "wie-man-es-macht.html", "a.html")]
    ['da', 'cs', 'de', '', '']
    """
    stem, dot, _ = name.rpartition(".")
    if not dot:
        stem = name
    before, dot, code = stem.rpartition(".")
    if dot and before:
        return code
    pieces = stem.replace("_", "-").split("-", 2)
    return pieces[1] if len(pieces) == 2 else ""


def scripts_in(places: Places) -> tuple[str, ...]:
    """The writings that letters beyond ASCII are in, by the first word of their names in Unicode: ``CYRILLIC``.

    >>> scripts_in(places_of("https://xn--e1afmkfd.xn--p1ai/")), scripts_in(places_of("http://a.example/%E1%83%90"))
    (('CYRILLIC',), ('GEORGIAN',))
    """
    text = places.host
    if ENCODED in text:
        text = ".".join(map(_decoded, text.split(".")))
    text += unquote(places.path, errors="ignore") if "%" in places.path else places.path
    if text.isascii():
        return ()
    letters = [c for c in text if c > "\x7f" and c.isalpha()][:MOST_LETTERS]
    return tuple(sorted({unicodedata.name(c, "").partition(" ")[0] for c in letters}))


def _decoded(label: str) -> str:
    """A label of a host in its own letters, as it is where it is damaged."""
    if not label.startswith(ENCODED) or len(label) > 63:
        return label
    try:
        return label[len(ENCODED) :].encode("ascii").decode("punycode")
    except (ValueError, OverflowError):
        return label
