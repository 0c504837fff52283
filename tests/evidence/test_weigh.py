"""Hints in the form of the combiner are those that explanations show: the same labels and nats for every source."""

from __future__ import annotations

import random

import pytest

from webtongue import Identifier, Inlink, Page
from webtongue.evidence import registry
from webtongue.evidence.hint import EvidenceContext, Source
from webtongue.markup.declarations import UNDECLARED, declared

IDENT = Identifier()
TAGS = ("is", "de-AT", "zh-TW", "sr-Latn", "no", "en", "xx", "und", "")
URLS = (
    "https://www.example.is/frettir/", "https://example.com.tw/zh-tw/", "https://example.cn/xinwen/", "https://sr-latn.example.org/",
    "https://example.com/nachrichten/", "http://192.0.2.7/", "https://пример.рф/новости", "not a url", "", "https://a.example/" + "x" * 300,
)  # fmt: skip
COUNTRIES = (None, "", "IS", "cn", "XX", "Iceland")


def contexts(count: int) -> list[EvidenceContext]:
    rng = random.Random(7)
    out = []
    for _ in range(count):
        links = tuple(
            Inlink(rng.choice(URLS), rng.choice(TAGS), rng.random(), rng.choice(("", "Heim", "新聞")), rng.choice(TAGS))
            for _ in range(rng.randrange(5))
        )
        host = {rng.choice(TAGS): rng.choice((0, 1, 40.5, -3)) for _ in range(rng.randrange(3))}
        page = Page(b"", rng.choice(URLS), country=rng.choice(COUNTRIES), inlinks=links, host=host or None)
        declarations = declared(b"", "text/html", rng.choice(TAGS)) if rng.random() < 0.7 else UNDECLARED
        encoding = rng.choice(("utf-8", "koi8-r", "big5", "windows-1252", ""))
        out.append(EvidenceContext(page, declarations, encoding, IDENT.models.evidence))
    return out


@pytest.mark.parametrize("source", registry.SOURCES, ids=lambda source: source.name)
def test_weighed_hints_equal_collected_ones(source: Source) -> None:
    config, informed = IDENT.models.evidence, 0
    limits = config.limits[source.name]
    for context in contexts(300):
        hint, weighed = source.collect(context), source.weigh(context, limits)
        nats = dict(hint.nats) if hint is not None else {}
        assert (weighed is None) == (not nats)
        if weighed is not None:
            informed += 1
            assert weighed.nats == config.kernel.hint(nats, *limits).nats
            assert config.kernel.sum([weighed]) == config.kernel.sum([config.kernel.hint(nats, *limits)])
    assert informed > 50
