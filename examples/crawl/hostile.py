"""Damaged and hostile records. None may stop a census: each is a row with a reason, or an ordinary page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from crawl.oddities import make_capture, page_html
from crawl.texts import Language
from crawl.warc import Capture, deflate_raw, encode_body, http_block, member, record

__all__ = ["damaged_records", "hostile"]

HTML = ("Content-Type", "text/html; charset=utf-8")
BOMB_BYTES = 48 << 20  # decompressed; a few hundred bytes in the file
HEADER_LINES = 4000
NESTED_ELEMENTS = 20_000
URL_LETTERS = 9000
FIRST_DAMAGED_NUMBER = 300  # determines the date of the record
FORMULA = '=HYPERLINK("https://example.net/","see here")'
MARKUP = '"><script>alert(1)</script>'
Texts = Mapping[str, Language]


def hostile(texts: Texts) -> Iterator[Capture]:
    """Yield valid records with hostile content."""
    yield from _traps(texts["eng_Latn"], texts["deu_Latn"])
    yield from _content_encodings(texts["eng_Latn"], texts["deu_Latn"], texts["swe_Latn"])


def trap_capture(host_and_path: str, html: str, label: str, tests: str, **options: Any) -> Capture:
    host, _, path = host_and_path.partition("/")
    return make_capture(f"https://{host}.example.net/{path}", html, label, tests, **options)


def _traps(english: Language, german: Language) -> Iterator[Capture]:
    bomb = trap_capture("bomb", "", "", "48 MB of blanks behind gzip, a few hundred bytes in the file", problem="bomb")
    yield replace(bomb, body=encode_body(b" " * BOMB_BYTES, "gzip"), headers=(HTML, ("Content-Encoding", "gzip")))
    flood = (HTML, *((f"X-Flood-{i}", "x") for i in range(HEADER_LINES)))
    yield trap_capture(
        "flood", page_html(german), "deu_Latn", f"{HEADER_LINES:,} header lines", headers=flood, clear=True
    )
    red = page_html(english, lang="en", title="\x1b]0;taken\x07\x1b[31mred")
    yield trap_capture(
        "tricks/\x1b[2J\x1b[31mred", red, "eng_Latn", "escapes of a terminal in address and title", clear=True
    )
    yield trap_capture(
        "tricks/=1+1", page_html(english, lang=FORMULA), "eng_Latn", "a formula as the language", clear=True
    )
    markup = page_html(english, lang=MARKUP, title=MARKUP)
    yield trap_capture("tricks/<b>x", markup, "eng_Latn", "markup as the language", clear=True)
    yield trap_capture(
        "tricks/" + "a" * URL_LETTERS,
        page_html(english),
        "eng_Latn",
        f"an address of {URL_LETTERS:,} letters",
        clear=True,
    )
    deep = page_html(english).replace("<main>", "<main>" + "<div>" * NESTED_ELEMENTS)
    yield trap_capture("deep", deep, "eng_Latn", f"{NESTED_ELEMENTS:,} elements within each other", clear=True)
    yield trap_capture("nul", page_html(german).replace(". ", ".\0 "), "deu_Latn", "NUL between sentences")


def _content_encodings(english: Language, german: Language, swedish: Language) -> Iterator[Capture]:
    unknown, gzip, deflate = ((HTML, ("Content-Encoding", name)) for name in ("x-none-such", "gzip", "deflate"))
    chunked, short = (HTML, ("Transfer-Encoding", "chunked")), (HTML, ("Content-Length", "7"))
    tests = "a content coding that nobody knows"
    strange = trap_capture("coding/1", "", "", tests, headers=unknown, problem="unknown_coding")
    yield replace(strange, body=deflate_raw(page_html(english).encode()))
    yield trap_capture("coding/2", page_html(german), "deu_Latn", "says gzip and is plain", headers=gzip)
    damaged = bytearray(encode_body(page_html(english, (0, 1, 2, 3)).encode(), "gzip"))
    damaged[60:80] = bytes(20)
    breaks = trap_capture("coding/3", "", "", "gzip that breaks", headers=gzip, problem="bad_coding")
    yield replace(breaks, body=bytes(damaged))
    yield trap_capture("coding/4", page_html(german), "deu_Latn", "says chunked and is not", headers=chunked)
    tests = "deflate without the head of zlib, as some send it"
    bare = trap_capture("coding/5", "", "swe_Latn", tests, headers=deflate, clear=True)
    yield replace(bare, body=deflate_raw(page_html(swedish, (0, 2)).encode()))
    yield trap_capture(
        "length", page_html(german, (0, 2)), "deu_Latn", "HTTP Content-Length 7, and more bytes", headers=short
    )


def damaged_records(texts: Texts) -> Iterator[tuple[Capture, bytes]]:
    """Yield damaged bytes with the capture that they replace. A reader continues with the next record."""
    page = page_html(texts["eng_Latn"])
    garbage = bytes((7 * i * i + 13) % 251 for i in range(600))
    yield Capture("", b"", "", "bytes between records", problem="damaged", kind="damaged"), garbage
    http = trap_capture("nohttp", page, "", "no HTTP where it should be", problem="bad_http")
    fields = {"WARC-Type": "response", "Content-Type": "application/http; msgtype=response"}
    yield http, member(record(replace(http, kind="resource", fields=fields), FIRST_DAMAGED_NUMBER))
    flipped = trap_capture("hurt", page, "", "a gzip member with bytes turned over", problem="damaged")
    raw = bytearray(member(record(flipped, FIRST_DAMAGED_NUMBER + 1)))
    raw[200:240] = bytes(byte ^ 0xFF for byte in raw[200:240])
    yield flipped, bytes(raw)
    wordy_length = trap_capture("words", page, "", "Content-Length of the record in words", problem="damaged")
    yield (
        wordy_length,
        member(record(replace(wordy_length, fields={"Content-Length": "about a page"}), FIRST_DAMAGED_NUMBER + 2)),
    )
    # A reader that trusts this length takes the next record for a part of this one, so the next record is a filler.
    greedy = trap_capture("greedy", page, "eng_Latn", "Content-Length of the record 300 too large")
    length = len(http_block(greedy.status, greedy.headers, greedy.body)) + 300
    yield greedy, member(record(replace(greedy, fields={"Content-Length": str(length)}), FIRST_DAMAGED_NUMBER + 3))
    fields = {"Content-Type": "application/warc-fields"}
    filler = Capture("urn:filler", b"filler: " + b"x" * 400, "", "", kind="metadata", fields=fields)
    yield filler, member(record(filler, FIRST_DAMAGED_NUMBER + 4))
