"""What each part of an address says by itself, for those who ask why."""

from __future__ import annotations

import math
from collections.abc import Iterator

from webtongue import _kernel
from webtongue.url.model import IMPOSSIBLE, NATS, UrlReader
from webtongue.verdict import Evidence

__all__ = ["printable", "spoken"]

PARTS = ("top level domain", "host name", "path", "query")  # as native/url/features.hpp numbers them
SHOWN_URL = 200  # characters of a URL or of the words of a link that evidence quotes
HEARD = 0.1  # a part that makes no language this likely by itself, all being alike before, is silent


def printable(text: str | None) -> str:
    """The beginning of a text from outside, without lone surrogates; nothing where there is none."""
    return text[:SHOWN_URL].encode("utf-8", "replace").decode() if isinstance(text, str) else ""


def spoken(url: str | None, reader: UrlReader) -> Iterator[Evidence]:
    """The language that each part speaks for by itself, all being alike before; no label where it is silent.

    They have no weight of their own: what they do together is the weight of the URL.
    """
    said = reader.model.kernel.weigh(url)
    if not said or url is None:
        return
    _, numeric, host, path, query = _kernel.split_url(url.encode("utf-8", "replace"))
    name, _, top = host.rpartition(b".")
    texts = (b"" if numeric else top, host if numeric else name, path if len(path) > 1 else b"", query)
    for part, text, nats in zip(PARTS, texts, said, strict=True):
        if text:
            yield _voice(part, printable(text.decode("utf-8", "replace")), nats, reader)


def _voice(part: str, text: str, nats: list[int], reader: UrlReader) -> Evidence:
    open_to = [i for i, offset in enumerate(reader.offsets) if offset > IMPOSSIBLE // 2]
    if not open_to:
        return Evidence(part, text)
    best = max(open_to, key=lambda i: nats[i])
    chance = 1 / sum(math.exp((nats[i] - nats[best]) / NATS) for i in open_to)
    return Evidence(part, text, reader.labels[best] if chance >= HEARD else "")
