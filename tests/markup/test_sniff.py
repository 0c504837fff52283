"""What kind of thing the bytes are."""

from __future__ import annotations

import pytest

from webtongue import _kernel, identify
from webtongue.markup.sniff import MAGIC, Syntax, sniff, wide_encoding
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
def test_magic_is_no_language(offset: int, magic: bytes, name: str) -> None:
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
        assert wide_encoding(_kernel.probe(raw)) == name
    v = identify(raw)
    assert (v.label, v.encoding) == ("ell_Grek", name)


@pytest.mark.parametrize("raw", [b"", b"\0", b"\0" * 100, b"abc", "Καλημέρα".encode()])
def test_not_wide(raw: bytes) -> None:
    assert wide_encoding(_kernel.probe(raw)) == ""
