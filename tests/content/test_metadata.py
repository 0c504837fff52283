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
    ("html", "licence"),
    [
        ("<a rel=license href=/terms>", "https://example.org/terms"), ("<a rel='nofollow License' href=terms>", "https://example.org/a/terms"),
        ("<link rel=licence href=//other.example/l>", "https://other.example/l"), ("<area rel=license href=/x>", "https://example.org/x"),
        ("<base href=https://other.example/b/><a rel=license href=l>", "https://other.example/b/l"),
        ("<a href='HTTP://www.CreativeCommons.org/publicdomain/zero/1.0/'>", "HTTP://www.CreativeCommons.org/publicdomain/zero/1.0/"),
        ("<!-- > --><a rel=license href=/a&amp;b>", "https://example.org/a&b"),
        ("<a rel=nofollow href=/license-agreement>", ""), ("<a rel=nofollow title='driving licence' href=/d>", ""),
        ("<a rel=licensed href=/l>", ""), ("<a data-rel=license href=/l>", ""), ("<a rel=license>", ""), ("<a rel=license href=''>", ""),
        ("<!-- <a rel=license href=/l> -->", ""), ("<!-- <a rel=license href=/l>", ""), ("<script>'<a rel=license href=/l>'</script>", ""),
        ("<textarea><a rel=license href=/l></textarea>", ""), ("<a rel=license href='javascript:x()'>", ""),
        (f"<a href='https://share.example/?u={CC}'>", ""), ("<a href='https://evil.example/creativecommons.org/licenses/by/4.0/'>", ""),
        ("<a href='https://creativecommons.org/'>", ""), ("<abbr rel=license href=/l>", ""),
    ],
)  # fmt: skip
def test_licences_are_those_that_the_page_declares(html: str, licence: str) -> None:
    assert metadata(f"<p>Text</p>{html}<p>More", "https://example.org/a/b").licences == ((licence,) if licence else ())


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
        "<a rel=license <!--",
        "<a rel=license <script",
    ):
        assert metadata(piece * 20_000).author == ""
