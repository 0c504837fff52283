"""Detection of syntax and binary formats."""

from __future__ import annotations

import pytest

from webtongue import Identifier, _kernel, identify
from webtongue.markup.sniff import MAGIC, Syntax, detect_wide_by_nuls, sniff
from webtongue.page import Page


def syntax(raw: bytes, media: str = "") -> str:
    return sniff(Page(raw, headers={"content-type": media} if media else {}), raw[:4096]).syntax.name


@pytest.mark.parametrize(
    ("raw", "media", "expected"),
    [
        (b"<!doctype html>", "", "HTML"),
        (b"<p>x", "", "HTML"),
        (b"just words", "", "TEXT"),
        (b"a <b, c> d", "text/plain", "TEXT"),
        (b"<html>", "text/plain", "HTML"),
        (b"words", "text/html; charset=utf-8", "HTML"),
        (b"<?xml version='1.0'?><html lang=en>", "", "XHTML"),
        (b"<?xml version='1.0'?><a/>", "", "XML"),
        (b"<!-- c --><rss version=2.0>", "", "XML"),
        (b"<p>x", "application/xhtml+xml", "XHTML"),
        (b"<a/>", "application/atom+xml", "XML"),
        (b"<html>", "application/pdf", "HTML"),
        (b"{}", "application/json", "NONE"),
        (b"body {}", "text/css", "NONE"),
        (b"x", "image/png", "NONE"),
        (b"<p>x", "image/png", "HTML"),
    ],
)
def test_sniff(raw: bytes, media: str, expected: str) -> None:
    assert syntax(raw, media) == expected


@pytest.mark.parametrize(("offset", "magic", "name"), MAGIC)
def test_binary_formats_have_no_language(offset: int, magic: bytes, name: str) -> None:
    v = identify(b"\0" * offset + magic + b" some bytes that follow")
    assert (v.label, v.reason, v.why) == ("zxx", "binary", name)


def test_binary_data() -> None:
    assert sniff(Page(b""), b"abc", True).syntax is Syntax.NONE
    assert identify(bytes(range(256)) * 8).label == "zxx"


@pytest.mark.parametrize("name", ["utf-16le", "utf-16be", "utf-32le", "utf-32be"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_wide_pages(name: str, bom: str) -> None:
    codec = name[:6] + "-" + name[6:]
    raw = (bom + "<html lang=el><p>Καλημέρα κόσμε, τι κάνετε;</p>").encode(codec)
    if not bom:
        assert detect_wide_by_nuls(_kernel.probe(raw)) == name
    v = identify(raw)
    assert (v.label, v.encoding) == ("ell_Grek", name)


@pytest.mark.parametrize("raw", [b"", b"\0", b"\0" * 100, b"abc", "Καλημέρα".encode()])
def test_not_wide(raw: bytes) -> None:
    assert detect_wide_by_nuls(_kernel.probe(raw)) == ""


@pytest.mark.parametrize(
    ("mark", "blank"),
    [(b"", b" "), (b"", b"\n"), (b"", b"\r\n\t"), (b"", b"\0"), (b"\xef\xbb\xbf", b" "), (b"\xef\xbb\xbf", b"\n")],
)
def test_leading_blanks_are_ignored(mark: bytes, blank: bytes) -> None:
    for page in (b"<!doctype html><p>x", b"<html><body>x", b"<p>x</p>"):
        assert sniff(Page(b""), mark + blank * 5000 + page).syntax is Syntax.HTML
    assert sniff(Page(b""), mark + blank * 5000 + b"<?xml version='1.0'?><a>x</a>").syntax is Syntax.XML
    verdict = identify(mark + blank * 5000 + b"<!doctype html><title>x</title><p>A line of text for the page")
    assert verdict.label == "eng_Latn"
    assert "<" not in Identifier().analyze(Page(mark + blank * 5000 + b"<!doctype html><p>x")).blocks[0].text
