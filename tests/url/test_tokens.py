"""Tests of tokens and n-grams of URLs."""

from __future__ import annotations

from webtongue.url.tokens import grams_from_url, paper_tokens, registered_domain, tokens


def test_urls_are_split_into_tokens() -> None:
    assert paper_tokens("http://vldb.org/vldb_journal/") == ["vldb", "org", "vldb", "journal"]
    assert "yde" in grams_from_url("http://www.hi-fly.de", range(3, 4))
    assert registered_domain("http://blog.example.co.uk/") == "example.co.uk"
    assert registered_domain("http://192.0.2.1/") == ""
    assert tokens("http://xn--mnchen-3ya.de/aB") == ["munchen"]
