"""What has to hold of every Verdict, whatever it is on. Run as a module for as many inputs as you like."""

from __future__ import annotations

import random
import sys
from typing import Any

from tests.inputs import page_of, text_of, url_of
from webtongue import Identifier, Page, Reason, Verdict
from webtongue.batch import COLUMNS, NUMBERS

IDENTS = [Identifier(), Identifier(priors="uniform"), Identifier(languages=["en", "fr", "de", "hr", "sr", "ru", "ja"])]
HEADERS: tuple[dict[str, Any], ...] = (
    {}, {"Content-Type": "text/html; charset=utf-8"}, {"content-type": "text/plain"}, {"CONTENT-TYPE": "image/png"},
    {"Content-Language": "fr"}, {"content-type": "text/html; charset=koi8-r", "content-language": "en, ru"}, {"x": "y"},
)  # fmt: skip
NOT_ANSWERED = ("und", "zxx", "mul")


def check(verdict: Verdict, size: int) -> None:
    """One story, whatever part of a Verdict tells it; ``size`` is that of the page or text in bytes."""
    row = verdict.to_dict()
    assert (verdict.label in NOT_ANSWERED) == bool(verdict.reason) == bool(verdict.why), row
    assert isinstance(verdict.reason, Reason)
    for chance in (verdict.confidence, verdict.group_confidence, verdict.encoding_confidence):
        assert 0 <= chance <= 1, row
    assert list(verdict.guesses) == sorted(verdict.guesses, key=lambda guess: -guess.probability), row
    assert sum(guess.probability for guess in verdict.guesses) <= 1.01, row
    _check_segments(verdict, size, row)
    text = next((e for e in verdict.evidence if e.source == "text"), None)
    if verdict.label in NOT_ANSWERED:
        assert not verdict.reliable and not verdict.tier and not verdict.group, row
        assert text is None or not text.label, row
        assert verdict.label == "mul" or not verdict.languages, row
        return
    assert verdict.guesses[0] == (verdict.label, verdict.confidence), row
    assert verdict.group_confidence >= verdict.confidence - 1e-6, row
    assert verdict.group or verdict.group_confidence == verdict.confidence, row
    assert verdict.label in dict(verdict.languages) or not verdict.reliable, row  # a text may be borrowed
    assert verdict.script == verdict.label[4:], row
    assert verdict.tier in (1, 2, 3), row
    assert text is None or (text.label, text.weight) == (verdict.label, verdict.confidence), row


def _check_segments(verdict: Verdict, size: int, row: dict[str, Any]) -> None:
    at = 0
    for segment in verdict.segments:
        assert at <= segment.begin <= segment.end <= size, row
        assert segment.begin < segment.end or segment.share < 0.05, row
        at = segment.end
    if verdict.segments:
        assert abs(sum(segment.share for segment in verdict.segments) - 1) < 1e-3, row
    shares = [share for _, share in verdict.languages]
    assert shares == sorted(shares, reverse=True) and sum(shares) <= 1.001 and all(share >= 0.05 for share in shares), (
        row
    )
    if verdict.segments:
        assert {label for label, _ in verdict.languages} <= {segment.label for segment in verdict.segments}, row


def check_text(rnd: random.Random, ident: Identifier) -> Verdict:
    text = text_of(rnd)
    verdict = ident.identify_text(text)
    check(verdict, len(text.encode()))
    if len(text) <= 600 and not verdict.encoding and verdict.reason != Reason.MISREAD and "Ã" not in text:
        assert ident.classify(text) == verdict.label
        assert ident.classify_many([text]) == ([verdict.label], [verdict.confidence])
    return verdict


def check_page(rnd: random.Random, ident: Identifier) -> Verdict:
    page = _page(rnd)
    verdict = ident.identify_page(page)
    check(verdict, len(page.raw))
    again = ident.identify_many([page], threads=1)[0]
    assert again == verdict and again.to_dict() == verdict.to_dict()
    return verdict


def check_url(rnd: random.Random, ident: Identifier) -> Verdict:
    url = url_of(rnd)
    verdict = ident.identify_url(url)
    check(verdict, 0)
    assert ident.identify_urls([url])[0] == verdict
    return verdict


def check_batch(rnd: random.Random, ident: Identifier, count: int) -> None:
    """Columns say what Verdicts say."""
    pages = [_page(rnd) for _ in range(count)]
    columns = {
        "raw": [page.raw for page in pages],
        "url": [page.url for page in pages],
        "headers": [page.headers for page in pages],
    }
    found = ident.identify_batch(columns, threads=rnd.choice((1, 2)))
    for i, page in enumerate(pages):
        verdict = ident.identify_page(page)
        for name in COLUMNS:
            value = getattr(verdict, name)
            assert found[name][i] == (found[name].dtype.type(value) if name in NUMBERS else value), (name, page.raw)


def _page(rnd: random.Random) -> Page:
    return Page(page_of(rnd), url_of(rnd) if rnd.random() < 0.5 else None, rnd.choice(HEADERS))


def main(count: int) -> None:
    rnd = random.Random(count)
    for i in range(count // 5):
        ident = IDENTS[i % len(IDENTS)]
        check_text(rnd, ident)
        check_page(rnd, ident)
        check_url(rnd, ident)
        if i % 50 == 0:
            check_batch(rnd, ident, 100)
    print(f"{count:,} inputs, no contradiction")


if __name__ == "__main__":
    main(int(sys.argv[1]))
