"""The evidence of each part of a URL, for explanations."""

from __future__ import annotations

import math
from collections.abc import Iterator

from webtongue import _kernel
from webtongue.policy import LOG_SCALE
from webtongue.url.codes import PLACES
from webtongue.url.model import IMPOSSIBLE, UrlReader
from webtongue.verdict import Evidence

__all__ = ["part_evidence", "printable"]

PARTS = ("top level domain", "host name", "path", "query")  # in the order of native/url/features.hpp
PART_OF_PLACE = dict.fromkeys(PLACES, "path") | {"label": "host name", "language_key": "query", "value": "query"}
MIN_NAMED_RELIABILITY = 500  # in thousandths: a code that is right more often than not decides the label of its part
MAX_QUOTED_CHARS = 200  # characters of a URL or of anchor text that evidence quotes
MIN_PART_PROBABILITY = 0.1  # under a uniform prior; a part that makes no language this likely gets no label


def printable(text: str | None) -> str:
    """Return the beginning of an untrusted text without lone surrogates; empty for None."""
    return text[:MAX_QUOTED_CHARS].encode("utf-8", "replace").decode() if isinstance(text, str) else ""


def part_evidence(url: str | None, reader: UrlReader) -> Iterator[Evidence]:
    """Yield the language that each part of a URL supports by itself under a uniform prior; an empty label if it supports none.

    The parts have no weight of their own: the weight of the URL is that of all parts together.
    """
    nats_by_part = reader.model.kernel.part_evidence(url)
    if not nats_by_part or url is None:
        return
    named = _named_labels(url, reader)
    _, numeric, host, path, query = _kernel.split_url(url.encode("utf-8", "replace"))
    name, _, tld = host.rpartition(b".")
    texts = (b"" if numeric else tld, host if numeric else name, path if len(path) > 1 else b"", query)
    for part, text, nats in zip(PARTS, texts, nats_by_part, strict=True):
        if text:
            quoted = printable(text.decode("utf-8", "replace"))
            yield Evidence(part, quoted, named[part]) if part in named else _evidence(part, quoted, nats, reader)


def _named_labels(url: str, reader: UrlReader) -> dict[str, str]:
    """Return, by part, the label that a code or name in the part stands for, if it is right more often than not."""
    best: dict[str, tuple[int, str]] = {}
    for place, label, reliability in reader.model.kernel.mentions(url):
        is_allowed = reader.offsets[label] > IMPOSSIBLE // 2
        if is_allowed and reliability >= MIN_NAMED_RELIABILITY:
            part = PART_OF_PLACE[PLACES[place]]
            best[part] = max(best.get(part, (0, "")), (reliability, reader.labels[label]))
    return {part: label for part, (_, label) in best.items()}


def _evidence(part: str, text: str, nats: list[int], reader: UrlReader) -> Evidence:
    candidates = [i for i, offset in enumerate(reader.offsets[: len(nats)]) if offset > IMPOSSIBLE // 2]
    if not candidates:
        return Evidence(part, text)
    best = max(candidates, key=lambda i: nats[i])
    probability = 1 / sum(math.exp((nats[i] - nats[best]) / LOG_SCALE) for i in candidates)
    return Evidence(part, text, reader.labels[best] if probability >= MIN_PART_PROBABILITY else "")
