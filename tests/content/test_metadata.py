"""What pages declare about title, author, date and licence."""

from __future__ import annotations

import pytest

import webtongue
from webtongue.content import Metadata
from webtongue.content.metadata import parse_date

CC = "https://creativecommons.org/licenses/by/4.0/"


def metadata(html: str, url: str | None = None) -> Metadata:
    return webtongue.extract(html, url).metadata


def test_declarations() -> None:
    html = (
        "<title> A  boat </title><meta name=author content='Anna &amp; Li'><meta property='article:published_time' content='2024-03-12T10:20:00Z'>"
        f"<p>Text</p><a rel='license' href='/terms'>terms</a> <a href='{CC}'>CC</a> <a href='{CC}'>again</a><a href=/other>x</a>"
    )
    assert metadata(html, "https://example.org/a/") == Metadata(
        "A boat", "Anna & Li", "2024-03-12T10:20:00+00:00", ("https://example.org/terms", CC)
    )


def test_json_ld() -> None:
    html = (
        '<script type="application/ld+json">{"@graph": [{"@type": "WebSite"}, {"author": [{"name": "Ewa"}, "Li"], "datePublished": "2023-01-02"}]}</script>'
        "<script type='application/ld+json'>{broken</script><p>Text"
    )
    assert metadata(html) == Metadata("", "Ewa, Li", "2023-01-02")


def test_time_elements_and_titles_of_other_vocabularies() -> None:
    html = "<meta property=og:title content=Boats><p>Text <time class=a datetime='2022-05-06 07:08'>6 May</time>"
    assert metadata(html) == Metadata("Boats", "", "2022-05-06T07:08:00")


def test_pages_without_declarations() -> None:
    assert metadata("<p>Text about the license of creativecommons.org") == Metadata()
    assert (
        metadata("<meta name=author content='https://example.org/anna'><meta name=date content='last week'><p>a")
        == Metadata()
    )


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2024-02-30", ""), ("2024-13-01T00:00", ""), ("20240312T102030+01", "2024-03-12T10:20:30+01:00"), ("", ""), ("99999999", ""),
        ("2024-03-12T25:00:00Z", ""), ("12 March", ""),
    ],
)  # fmt: skip
def test_dates(text: str, date: str) -> None:
    assert parse_date(text) == date


def test_hostile_markup_takes_linear_time() -> None:
    for piece in (
        "<meta ",
        "<meta name=",
        "<a rel=license href=",
        "<time ",
        "<script ld+json>",
        "creativecommons.org/licenses/",
        "<link <a ",
    ):
        assert metadata(piece * 20_000).author == ""
