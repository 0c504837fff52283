"""Blocks and noise as objects."""

from __future__ import annotations

from tests.cases import PAGES, rows
from webtongue import markup
from webtongue.markup import noise
from webtongue.page import Page


def read(raw: str) -> list[markup.Block]:
    scanned = markup.read(Page(raw.encode(), headers={"content-type": "text/html"}))
    noise.mark_noise(scanned.scan)
    return scanned.blocks


def test_kinds_and_scopes() -> None:
    page = (
        "<html lang=en><title>T</title><meta name=description content=D><h1>H</h1><nav><a href=x>N</a></nav>"
        "<ul><li>I<li><a href=y>L</a></ul><p lang=fr>P <i lang=de>Q</i> R<img alt=A lang=es></p><footer>F</footer><select><option>S"
    )
    got = [(b.text, b.kind, b.lang) for b in read(page)]
    assert got == [
        ("T", "title", "en"), ("H", "heading", "en"), ("N", "navigation", "en"), ("I", "item", "en"), ("L", "link", "en"),
        ("P", "paragraph", "fr"), ("Q", "paragraph", "de"), ("R", "paragraph", "fr"), ("F", "navigation", "en"),
        ("S", "navigation", "en"), ("D", "meta", "en"), ("A", "alt", "es"),
    ]  # fmt: skip


def test_offsets_enclose_the_text() -> None:
    raw = "<p> Olá&nbsp;<b>mundo</b> <p>x"
    assert [raw.encode()[b.begin : b.end].decode() for b in read(raw)] == ["Olá&nbsp;<b>mundo", "x"]


def test_noise() -> None:
    page = "<p>12 345<p>* * *<p>Home page<p>Words of a line<p>Words of a line<p>W?rter f?r M?nner<p>caf\ufffd"
    assert [b.noise for b in read(page)] == [
        ("numbers",),
        ("symbols",),
        ("common",),
        (),
        ("repeated",),
        ("damaged",),
        ("damaged",),
    ]


def test_blocks_join_to_the_text() -> None:
    for row in rows(PAGES / "index.jsonl"):
        scanned = markup.read(Page((PAGES / row["file"]).read_bytes(), headers=row.get("headers") or {}))
        blocks = scanned.blocks
        visible = [b.text for b in blocks if b.kind not in ("alt", "meta")]
        assert "\n".join(visible) == scanned.text
        assert all(0 <= b.begin < b.end <= len(scanned.page.raw) for b in blocks)
