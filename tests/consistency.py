"""Invariants of every Verdict. Run as a module to check any number of inputs."""

from __future__ import annotations

import math
import random
import sys
from typing import Any

from tests.inputs import random_page, random_text, random_url
from webtongue import Identifier, Inlink, Page, Reason, Verdict
from webtongue.schema import COLUMN_NAMES

IDENTIFIERS = [
    Identifier(),
    Identifier(priors="uniform"),
    Identifier(languages=["en", "fr", "de", "hr", "sr", "ru", "ja"]),
]
HEADERS: tuple[dict[str, Any], ...] = (
    {}, {"Content-Type": "text/html; charset=utf-8"}, {"content-type": "text/plain"}, {"CONTENT-TYPE": "image/png"},
    {"Content-Language": "fr"}, {"content-type": "text/html; charset=koi8-r", "content-language": "en, ru"}, {"x": "y"},
)  # fmt: skip
MIN_PROBABILITY = 1e-3  # smaller ones are rounded too coarsely to compare
MAX_ROUNDING_BITS = 0.02  # 1/1024 nats per source, three decimals of a weight, six of a probability
INLINKS = (
    Inlink("https://example.is/", "is"), Inlink("https://example.com/", "en", 0.7), Inlink("http://a.rs/", "sr-Latn", anchor="vesti"),
    Inlink("https://example.fr/?a=b", hreflang="fr"), Inlink("", "", anchor="Nachrichten von heute"), Inlink("\ud800", "klingonese", -1.0),
)  # fmt: skip
IPS = (None, "185.112.144.1", "::1", "not an address", "")
COUNTRIES = (None, "IS", "de", "RS", "XX", "", "Sverige")
HOST_COUNTS = (None, {"isl": 40, "eng": 2}, {"sr-Latn": 7}, {"": 1, "deu": -3, "nonsense": 5, "fra": math.inf}, {})
NOT_A_LANGUAGE = ("und", "zxx", "mul")


def check(verdict: Verdict, size: int) -> None:
    """Check that all parts of a Verdict are consistent; ``size`` is that of the page or text in bytes."""
    row = verdict.to_dict()
    assert (verdict.label in NOT_A_LANGUAGE) == bool(verdict.reason), row
    assert verdict.reliable != bool(verdict.why), row
    assert isinstance(verdict.reason, Reason)
    for probability in (verdict.confidence, verdict.group_confidence, verdict.encoding_confidence):
        assert 0 <= probability <= 1, row
    assert list(verdict.guesses) == sorted(verdict.guesses, key=lambda guess: -guess.probability), row
    assert sum(guess.probability for guess in verdict.guesses) <= 1.01, row
    _check_segments(verdict, size, row)
    _check_evidence(verdict, row)
    text = next((row_of_evidence for row_of_evidence in verdict.evidence if row_of_evidence.source == "text"), None)
    if verdict.label in NOT_A_LANGUAGE:
        assert not verdict.reliable and not verdict.tier and not verdict.group, row
        assert text is None or not text.label, row
        assert verdict.label == "mul" or not verdict.languages, row
        return
    assert verdict.guesses[0] == (verdict.label, verdict.confidence), row
    assert verdict.group_confidence >= verdict.confidence - 1e-6, row
    assert verdict.group or verdict.group_confidence == verdict.confidence, row
    assert verdict.label in dict(verdict.languages) or not verdict.reliable, row  # the text may be foreign to its page
    assert verdict.script == verdict.label[4:], row
    assert verdict.tier in (1, 2, 3), row


def _check_evidence(verdict: Verdict, row: dict[str, Any]) -> None:
    """What sources did for the likeliest label, in bits, is together the log of its odds against the next.

    The guesses of a page in several languages are these languages with their shares.
    """
    if verdict.label == "mul":
        assert [tuple(guess) for guess in verdict.guesses] == list(verdict.languages[: len(verdict.guesses)]), row
    elif len(verdict.guesses) > 1 and verdict.guesses[1].probability >= MIN_PROBABILITY:
        odds = math.log2(verdict.guesses[0].probability / verdict.guesses[1].probability)
        assert abs(sum(row_of_evidence.weight for row_of_evidence in verdict.evidence) - odds) < MAX_ROUNDING_BITS, row
    assert all(math.isfinite(row_of_evidence.weight) for row_of_evidence in verdict.evidence), row


def _check_segments(verdict: Verdict, size: int, row: dict[str, Any]) -> None:
    end = 0
    for segment in verdict.segments:
        assert end <= segment.begin <= segment.end <= size, row
        assert segment.begin < segment.end or segment.share < 0.05, row
        end = segment.end
    if verdict.segments:
        assert abs(sum(segment.share for segment in verdict.segments) - 1) < 1e-3, row
    shares = [share for _, share in verdict.languages]
    assert shares == sorted(shares, reverse=True) and sum(shares) <= 1.001 and all(share >= 0.05 for share in shares), (
        row
    )
    if verdict.segments:
        assert {label for label, _ in verdict.languages} <= {segment.label for segment in verdict.segments}, row


def check_text(rnd: random.Random, ident: Identifier) -> Verdict:
    text = random_text(rnd)
    verdict = ident.identify_text(text)
    check(verdict, len(text.encode()))
    if len(text) <= 600 and not verdict.encoding and verdict.reason != Reason.MISREAD and "Ã" not in text:
        assert ident.classify(text) == verdict.label
        assert ident.classify_many([text]) == ([verdict.label], [verdict.confidence])
    return verdict


def check_page(rnd: random.Random, ident: Identifier) -> Verdict:
    page = _page(rnd)
    verdict = ident.analyze(page).verdict
    check(verdict, len(page.raw))
    again = ident.identify_many([page], threads=1)[0]
    assert again == verdict and again.to_dict() == verdict.to_dict()
    return verdict


def check_url(rnd: random.Random, ident: Identifier) -> Verdict:
    url = random_url(rnd)
    verdict = ident.identify_url(url)
    check(verdict, 0)
    assert ident.identify_urls([url])[0] == verdict
    assert ident.identify_url(url, inlinks=()) == verdict
    links, country, host = _beside(rnd)
    anchor = rnd.choice((None, random_text(rnd)[:60]))
    check(ident.identify_url(url, rnd.choice(IPS), anchor, inlinks=links, country=country, host=host), 0)
    return verdict


def _beside(rnd: random.Random) -> tuple[tuple[Inlink, ...], str | None, Any]:
    """Links to a page, the country of its server, and what else its host has."""
    return tuple(rnd.sample(INLINKS, rnd.choice((0, 0, 1, 3)))), rnd.choice(COUNTRIES), rnd.choice(HOST_COUNTS)


def check_batch(rnd: random.Random, ident: Identifier, count: int) -> None:
    """Columns say what Verdicts say."""
    pages = [_page(rnd) for _ in range(count)]
    columns = {
        "raw": [page.raw for page in pages],
        "url": [page.url for page in pages],
        "headers": [page.headers for page in pages],
        "ip": [page.ip for page in pages],
        "country": [page.country for page in pages],
        "inlinks": [list(page.inlinks) for page in pages],
        "host": [page.host for page in pages],
    }
    found = ident.identify_batch(columns, threads=rnd.choice((1, 2)))
    for i, page in enumerate(pages):
        verdict = ident.analyze(page).verdict
        for name in COLUMN_NAMES:
            value = getattr(verdict, name)
            assert found[name][i] == (found[name].dtype.type(value) if hasattr(found[name], "dtype") else value), (
                name,
                page.raw,
            )


def _page(rnd: random.Random) -> Page:
    raw, url, headers = random_page(rnd), random_url(rnd) if rnd.random() < 0.5 else None, rnd.choice(HEADERS)
    if rnd.random() < 0.5:
        return Page(raw, url, headers)
    links, country, host = _beside(rnd)
    return Page(raw, url, headers, rnd.choice(IPS), country, links, host)


def main(count: int) -> None:
    rnd = random.Random(count)
    for i in range(count // 5):
        ident = IDENTIFIERS[i % len(IDENTIFIERS)]
        check_text(rnd, ident)
        check_page(rnd, ident)
        check_url(rnd, ident)
        if i % 50 == 0:
            check_batch(rnd, ident, 100)
    print(f"{count:,} inputs, no contradiction")


if __name__ == "__main__":
    main(int(sys.argv[1]))
