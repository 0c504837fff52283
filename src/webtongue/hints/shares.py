"""How common languages are on the web, as far as that has been counted."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from webtongue.files import rows

__all__ = ["web_powers"]


@cache
def web_powers() -> Mapping[str, float]:
    """The share of the web's pages that are in a language, as a power of ten; common languages only (data/priors.tsv).

    >>> web_powers()["isl"] < web_powers()["dan"] < web_powers()["eng"]
    True
    """
    return MappingProxyType({language: float(power) for language, power in rows("priors.tsv")})
