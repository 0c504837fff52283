"""What one source says of a page's language, in the form in which sources are put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Hint"]


@dataclass(frozen=True, slots=True)
class Hint:
    """The log-likelihood of what a source says, in nats, for the languages it speaks of; 0 for all others.

    A key of ``nats`` is a label (``srp_Latn``), or a language (``srp``) that stands for all of its scripts. No prior is in
    them: a language is not likelier here because it is common. ``value`` is what the source says in its own words, and
    ``label`` the language or label that this speaks for most, empty where it is silent.
    """

    source: str
    value: str
    label: str
    nats: Mapping[str, float]
