"""The language of a page by its links: who links to it, what it links to, and a whole graph at once.

``links_hint`` and ``LinkVotes`` judge one page, ``propagate`` all pages of a graph; ``hayati`` has the published methods.
"""

from __future__ import annotations

from webtongue.links import hayati
from webtongue.links.graph import Config, Links, Pages, Propagated, sites_of
from webtongue.links.hint import LinkVotes, links_hint, outlinks_hint
from webtongue.links.propagate import propagate

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
    "sites_of",
]
