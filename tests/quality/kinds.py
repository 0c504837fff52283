"""Text that is no sentence, by kind: made by rule, hundreds of variants of each, so that a repair mends the kind and not a case.

A sample is a text (``str``) or a page (``bytes``). To be sure of a language is wrong for all of them, but for those that are in one
as a whole, such as a server's English notice: these name it.
"""

from __future__ import annotations

import html
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

__all__ = ["KINDS", "Chance", "Content", "Sample", "kind", "page", "samples"]

Chance = random.Random
Content = str | bytes
Maker = Callable[[Chance], Iterator["Content | Sample"]]


@dataclass(frozen=True, slots=True)
class Sample:
    """A non-sentence; ``language`` is the label that is no error where an answer is sure of it."""

    kind: str
    content: str | bytes
    language: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    make: Maker
    language: str


KINDS: dict[str, Kind] = {}


def kind(name: str, language: str = "") -> Callable[[Maker], Maker]:
    """Register a maker of samples under a kind's name."""

    def register(make: Maker) -> Maker:
        KINDS[name] = Kind(make, language)
        return make

    return register


def samples(name: str) -> list[Sample]:
    """All samples of a kind: the same at every call."""
    of = KINDS[name]
    made = of.make(random.Random(f"quality {name}"))
    return [one if isinstance(one, Sample) else Sample(name, one, of.language) for one in made]


def page(body: str, lang: str = "", title: str = "") -> bytes:
    """A page of ready markup in UTF-8."""
    head = f"<title>{html.escape(title)}</title>" if title else ""
    attribute = f" lang={lang}" if lang else ""
    return f"<!doctype html><html{attribute}><head><meta charset=utf-8>{head}</head><body>{body}</body></html>".encode()
