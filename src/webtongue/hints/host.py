"""What else is known of a page's host: pages of one host, and of one registered domain, are mostly in one language.

A hierarchy of counts: those of the host, over those of its domain, over those of its top level domain, over the web's. Each level
is worth a number of pages to the one below it (``Trust``), so that one page says little and a thousand say nearly all.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from webtongue import _kernel
from webtongue.hints.hint import Hint
from webtongue.hints.shares import web_share

__all__ = ["HostCounts", "Trust", "host_hint"]

SOURCE = "host"
SHOWN = 3  # languages that the value of a hint names
MOST_LANGUAGES = 64  # that are kept of one host, domain or top level domain


@dataclass(frozen=True, slots=True)
class Trust:
    """What the level above is worth, in pages: fitted to pages left out of their host's counts (tools/weights/fit_hosts.py)."""

    web: float
    top: float
    domain: float


def host_hint(counts: Mapping[str, float], trust: Trust) -> Hint | None:
    """How much likelier languages are on a host with these counts than on the web; None where nothing is known of it.

    >>> hint = host_hint({"isl": 40, "eng": 2}, Trust(1.0, 1.0, 1.0))
    >>> hint.label, hint.value, hint.nats["isl"] > hint.nats["eng"]
    ('isl', '42 other pages: isl 40, eng 2', True)
    """
    good = {key: float(count) for key, count in counts.items() if _is_count(key, count)}
    total = sum(good.values())
    if not total > 0:
        return None
    nats = {key: _nats(count, total, web_share(key[:3]), trust.web) for key, count in good.items()}
    ranked = sorted(good, key=lambda key: (-good[key], key))
    said = ", ".join([f"{key} {good[key]:g}" for key in ranked[:SHOWN]])
    return Hint(SOURCE, f"{total:g} other page{'s' * (total != 1)}: {said}", ranked[0], nats)


def _is_count(key: object, count: object) -> bool:
    return (
        isinstance(key, str) and isinstance(count, int | float) and not isinstance(count, bool) and 0 < count < math.inf
    )


def _nats(count: float, total: float, share: float, trust: float) -> float:
    """What the host makes of a language beside what the web makes of it."""
    return math.log((count + trust * share) / (total + trust) / share)
