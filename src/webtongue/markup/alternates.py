"""The versions of a page in other languages that its ``hreflang`` links declare."""

from __future__ import annotations

from collections.abc import Sequence

from webtongue.markup.links import resolve
from webtongue.markup.read_declarations import Declaration
from webtongue.records import dataclass

__all__ = ["Alternate", "find_alternates"]


@dataclass(frozen=True, slots=True)
class Alternate:
    """A version of the page in the language of ``hreflang``; ``is_self`` marks the page's own."""

    hreflang: str
    url: str
    is_self: bool


def find_alternates(declarations: Sequence[Declaration], url: str) -> list[Alternate]:
    """Return alternates with absolute URLs; the page's own URL is the given or the canonical one.

    >>> declarations = [Declaration("hreflang", "fr", 10, "/fr/"), Declaration("hreflang", "de", 40, "/de/#top")]
    >>> [(a.hreflang, a.is_self) for a in find_alternates(declarations, "https://example.ch/de/")]
    [('fr', False), ('de', True)]
    """
    base = next((resolve(url, d.value) for d in declarations if d.kind == "base"), url)
    canonical = {_strip(resolve(base, d.value)) for d in declarations if d.kind == "canonical"}
    own = (canonical | {_strip(url)}) - {""}
    links = [(d.value, resolve(base, d.href)) for d in declarations if d.kind == "hreflang"]
    return [Alternate(hreflang, target, _strip(target) in own) for hreflang, target in links]


def _strip(url: str) -> str:
    """Return a URL for comparison: without scheme, fragment and trailing slash."""
    return url.partition("#")[0].partition("://")[2].rstrip("/") if "://" in url else url.partition("#")[0]
