"""The registry of evidence sources beside the text, in display order.

To add a source, write a module with a ``collect`` function that returns a :class:`Hint`, and add a line to ``SOURCES``. The weight,
the columns of ``identify_batch`` and the names of the CLI options follow from it.
"""

from __future__ import annotations

from collections.abc import Iterable

from webtongue.errors import UsageError
from webtongue.evidence import charset, country, declared, host, links, url
from webtongue.evidence.hint import Source

__all__ = ["SOURCES", "names", "select"]

SOURCES: tuple[Source, ...] = (
    Source("declared", declared.collect, key=declared.key),
    Source("encoding", charset.collect, key=charset.key),
    Source("url", url.collect, is_site=True, weigh_fast=url.weigh),
    Source("country", country.collect, is_site=True, key=country.key),
    Source("links", links.collect, is_site=True, weigh_fast=links.weigh),
    Source("host", host.collect, is_site=True, weigh_fast=host.weigh),
)


def names() -> tuple[str, ...]:
    """Return the names of all sources."""
    return tuple(source.name for source in SOURCES)


def select(evidence: Iterable[str] | None) -> tuple[Source, ...]:
    """Return the sources with these names, all sources for None."""
    if evidence is None:
        return SOURCES
    if isinstance(evidence, str):
        raise TypeError("evidence is a list of sources, not one string")
    wanted = set(evidence)
    if unknown := sorted(wanted - set(names()), key=str):
        raise UsageError(f"evidence is a list of {', '.join(names())}; unknown: {', '.join(map(repr, unknown))}")
    return tuple(source for source in SOURCES if source.name in wanted)
