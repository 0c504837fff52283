"""The other languages a page says it has: its ``hreflang`` alternates, and which of them is the page itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webtongue.markup.claims import Claim
from webtongue.markup.links import resolve

__all__ = ["Alternate", "alternates_of"]


@dataclass(frozen=True, slots=True)
class Alternate:
    """A version of the page in the language that ``hreflang`` names; ``is_self`` marks the page's own."""

    hreflang: str
    url: str
    is_self: bool


def alternates_of(claims: Sequence[Claim], url: str) -> list[Alternate]:
    """Alternates with absolute addresses; the page's own address is its URL or what it calls canonical.

    >>> claims = [Claim("hreflang", "fr", 10, "/fr/"), Claim("hreflang", "de", 40, "/de/#top")]
    >>> [(a.hreflang, a.is_self) for a in alternates_of(claims, "https://example.ch/de/")]
    [('fr', False), ('de', True)]
    """
    base = url
    for claim in claims:
        if claim.kind == "base":
            base = resolve(url, claim.value)
            break
    canonical = {_bare(resolve(base, claim.value)) for claim in claims if claim.kind == "canonical"}
    own = (canonical | {_bare(url)}) - {""}
    out = []
    for claim in claims:
        if claim.kind == "hreflang":
            address = resolve(base, claim.href)
            out.append(Alternate(claim.value, address, _bare(address) in own))
    return out


def _bare(url: str) -> str:
    """An address for comparison: no scheme, no fragment, no trailing slash."""
    return url.partition("#")[0].partition("://")[2].rstrip("/") if "://" in url else url.partition("#")[0]
