"""Text that is no sentence, by kind: hundreds of generated variants of each, so that a fix covers the kind and not a single case.

A sample is a text (``str``) or a page (``bytes``). A reliable answer is wrong for all of them, except for samples in one language,
such as a server's English notice: these have a ``language``.
"""

from __future__ import annotations

import html
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

__all__ = ["KINDS", "Content", "Random", "Sample", "kind", "page", "samples"]

Random = random.Random
Content = str | bytes
Generator = Callable[[Random], Iterator["Content | Sample"]]


@dataclass(frozen=True, slots=True)
class Sample:
    """A non-sentence; ``language`` is the label for which a reliable answer is right."""

    kind: str
    content: str | bytes
    language: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    generate: Generator
    language: str


KINDS: dict[str, Kind] = {}


def kind(name: str, language: str = "") -> Callable[[Generator], Generator]:
    """Register a generator of samples under a kind's name."""

    def register(generate: Generator) -> Generator:
        KINDS[name] = Kind(generate, language)
        return generate

    return register


def samples(name: str) -> list[Sample]:
    """Return all samples of a kind, the same at every call."""
    kind_of_sample = KINDS[name]
    contents = kind_of_sample.generate(random.Random(f"quality {name}"))
    return [
        content if isinstance(content, Sample) else Sample(name, content, kind_of_sample.language)
        for content in contents
    ]


def page(body: str, lang: str = "", title: str = "") -> bytes:
    """Return a page in UTF-8 with this markup as its body."""
    head = f"<title>{html.escape(title)}</title>" if title else ""
    attribute = f" lang={lang}" if lang else ""
    return f"<!doctype html><html{attribute}><head><meta charset=utf-8>{head}</head><body>{body}</body></html>".encode()
