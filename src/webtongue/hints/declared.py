"""Declared language and encoding: many claims, one answer by each published precedence.

Encodings have two. The paper's (Chew, Mikami and Nagano 2011, table 4): HTTP header, XML declaration, meta element.
The WHATWG's: byte order mark, HTTP header, what its prescan finds in the first 1,024 bytes; a later ``<meta>`` is a weaker
claim. Both are kept, since a page for which they differ is a page to doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from webtongue import _kernel, labels
from webtongue.coding.labels import Encoding, known_labels, resolve
from webtongue.markup import Claim, Markup

__all__ = ["DeclaredEncoding", "declared_encoding", "declared_language"]

PRESCAN = 1024  # bytes, by the standard
META = ("meta-charset", "http-equiv-content-type")
# A language for the whole page, most telling first: what authors write on <html> is looked at by browsers, translators
# and screen readers, a header is a server's default.
LANGUAGE = (
    "html-lang", "html-xml-lang", "meta-content-language", "http-content-language", "meta-language", "dc-language",
    "og-locale", "jsonld-inlanguage",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DeclaredEncoding:
    """What is declared by each precedence: WHATWG names, empty where nothing is; ``late`` is a meta past the prescan."""

    whatwg: str = ""
    paper: str = ""
    late: str = ""

    @property
    def best(self) -> str:
        """The claim to try first."""
        return self.whatwg or self.late or self.paper


def declared_encoding(markup: Markup) -> DeclaredEncoding:
    """Weigh the claims of a page and its server on their encoding."""
    claims = markup.claims
    bom = next((c.value for c in claims if c.kind == "bom"), "")
    http = _first(claims, ("http-content-type",))
    xml = _first(claims, ("xml-encoding",))
    meta = _first(claims, META)
    scanned = _prescan(markup.source) if markup.syntax <= 1 else _browser(xml)
    return DeclaredEncoding(
        whatwg=bom or _browser(http) or scanned,
        paper=(http or xml or meta or _NOTHING).name,
        late="" if scanned else _browser(meta),
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


_NOTHING = Encoding("", False, None)


def _first(claims: Sequence[Claim], kinds: tuple[str, ...]) -> Encoding | None:
    for claim in claims:
        if claim.kind in kinds and (found := resolve(claim.value)):
            return found
    return None


def _browser(encoding: Encoding | None) -> str:
    """What a browser makes of a claim inside a page: no UTF-16 can be read that far, so none is meant."""
    if encoding is None:
        return ""
    name = "utf-8" if encoding.name.startswith("utf-16") else encoding.name
    return "windows-1252" if name == "x-user-defined" else name


def _prescan(source: bytes) -> str:
    found = _kernel.prescan(source[:PRESCAN], _hashes())
    return _browser(resolve(found[0])) if found else ""


@cache
def _hashes() -> np.ndarray[Any, np.dtype[np.uint64]]:
    return np.array(sorted({_kernel.hash_lower(label.encode()) for label in known_labels()}), dtype=np.uint64)
