"""The language of a page by its links: who links to it, what it links to, and a whole graph at once.

``links_hint`` and ``LinkVotes`` judge one page, ``propagate`` all pages of a graph; ``hayati`` has the published methods.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from webtongue.hints.domain import site_of
from webtongue.links import hayati
from webtongue.links.hint import LinkVotes, links_hint, outlinks_hint

if TYPE_CHECKING:
    from webtongue.links.graph import Config, Links, Pages, Propagated, sites_of
    from webtongue.links.propagation import propagate

__all__ = [
    "Config",
    "LinkVotes",
    "Links",
    "Pages",
    "Propagated",
    "hayati",
    "links_hint",
    "outlinks_hint",
    "propagate",
    "site_of",
    "sites_of",
]

# Whole graphs need NumPy, which takes longer to import than all that one page needs.
OF_GRAPHS = {
    "Config": "graph", "Links": "graph", "Pages": "graph", "Propagated": "graph", "sites_of": "graph",
    "propagate": "propagation",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in OF_GRAPHS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{OF_GRAPHS[name]}"), name)
    globals()[name] = found
    return found
