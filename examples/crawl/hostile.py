"""Records that are broken or mean harm. None may stop a census: each is a row with a reason, or a page like any other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from crawl.oddities import odd, page_of
from crawl.texts import Language
from crawl.warc import Capture, coded, http_block, member, packed, record

__all__ = ["broken", "hostile"]

HTML = ("Content-Type", "text/html; charset=utf-8")
BOMB = 48 << 20  # bytes of a page that has a few hundred in the file
FLOOD = 4000  # header lines
DEEP = 20_000  # elements within each other
LONG = 9000  # letters of an address
HURT = 300  # number of the first broken record, which gives it its date
FORMULA = '=HYPERLINK("https://example.net/","see here")'
MARKUP = '"><script>alert(1)</script>'
Texts = Mapping[str, Language]


def hostile(texts: Texts) -> Iterator[Capture]:
    """Proper records: what is bad is in them."""
    yield from _traps(texts["eng_Latn"], texts["deu_Latn"])
    yield from _codings(texts["eng_Latn"], texts["deu_Latn"], texts["swe_Latn"])


def trap(place: str, html: str, label: str, tests: str, **more: Any) -> Capture:
    host, _, path = place.partition("/")
    return odd(f"https://{host}.example.net/{path}", html, label, tests, **more)


def _traps(english: Language, german: Language) -> Iterator[Capture]:
    bomb = trap("bomb", "", "", "48 MB of blanks behind gzip, a few hundred bytes in the file", problem="bomb")
    yield replace(bomb, body=coded(b" " * BOMB, "gzip"), headers=(HTML, ("Content-Encoding", "gzip")))
    flood = (HTML, *((f"X-Flood-{i}", "x") for i in range(FLOOD)))
    yield trap("flood", page_of(german), "deu_Latn", f"{FLOOD:,} header lines", headers=flood, clear=True)
    red = page_of(english, lang="en", title="\x1b]0;taken\x07\x1b[31mred")
    yield trap("tricks/\x1b[2J\x1b[31mred", red, "eng_Latn", "escapes of a terminal in address and title", clear=True)
    yield trap("tricks/=1+1", page_of(english, lang=FORMULA), "eng_Latn", "a formula as the language", clear=True)
    markup = page_of(english, lang=MARKUP, title=MARKUP)
    yield trap("tricks/<b>x", markup, "eng_Latn", "markup as the language", clear=True)
    yield trap("tricks/" + "a" * LONG, page_of(english), "eng_Latn", f"an address of {LONG:,} letters", clear=True)
    deep = page_of(english).replace("<main>", "<main>" + "<div>" * DEEP)
    yield trap("deep", deep, "eng_Latn", f"{DEEP:,} elements within each other", clear=True)
    yield trap("nul", page_of(german).replace(". ", ".\0 "), "deu_Latn", "NUL between sentences")


def _codings(english: Language, german: Language, swedish: Language) -> Iterator[Capture]:
    unknown, gzip, deflate = ((HTML, ("Content-Encoding", name)) for name in ("x-none-such", "gzip", "deflate"))
    chunked, short = (HTML, ("Transfer-Encoding", "chunked")), (HTML, ("Content-Length", "7"))
    tests = "a content coding that nobody knows"
    strange = trap("coding/1", "", "", tests, headers=unknown, problem="unknown_coding")
    yield replace(strange, body=packed(page_of(english).encode()))
    yield trap("coding/2", page_of(german), "deu_Latn", "says gzip and is plain", headers=gzip)
    torn = bytearray(coded(page_of(english, (0, 1, 2, 3)).encode(), "gzip"))
    torn[60:80] = bytes(20)
    breaks = trap("coding/3", "", "", "gzip that breaks", headers=gzip, problem="bad_coding")
    yield replace(breaks, body=bytes(torn))
    yield trap("coding/4", page_of(german), "deu_Latn", "says chunked and is not", headers=chunked)
    tests = "deflate without the head of zlib, as some send it"
    bare = trap("coding/5", "", "swe_Latn", tests, headers=deflate, clear=True)
    yield replace(bare, body=packed(page_of(swedish, (0, 2)).encode()))
    yield trap("length", page_of(german, (0, 2)), "deu_Latn", "HTTP Content-Length 7, and more bytes", headers=short)


def broken(texts: Texts) -> Iterator[tuple[Capture, bytes]]:
    """Stretches of the file, with what they were to be. A reader goes on with the record behind each."""
    page = page_of(texts["eng_Latn"])
    garbage = bytes((7 * i * i + 13) % 251 for i in range(600))
    yield Capture("", b"", "", "bytes between records", problem="damaged", kind="damaged"), garbage
    http = trap("nohttp", page, "", "no HTTP where it should be", problem="bad_http")
    fields = {"WARC-Type": "response", "Content-Type": "application/http; msgtype=response"}
    yield http, member(record(replace(http, kind="resource", fields=fields), HURT))
    hurt = trap("hurt", page, "", "a gzip member with bytes turned over", problem="damaged")
    raw = bytearray(member(record(hurt, HURT + 1)))
    raw[200:240] = bytes(byte ^ 0xFF for byte in raw[200:240])
    yield hurt, bytes(raw)
    words = trap("words", page, "", "Content-Length of the record in words", problem="damaged")
    yield words, member(record(replace(words, fields={"Content-Length": "about a page"}), HURT + 2))
    # A reader that trusts this one takes the next record for a part of it: so that is one that nobody misses.
    greedy = trap("greedy", page, "eng_Latn", "Content-Length of the record 300 too large")
    length = len(http_block(greedy.status, greedy.headers, greedy.body)) + 300
    yield greedy, member(record(replace(greedy, fields={"Content-Length": str(length)}), HURT + 3))
    fields = {"Content-Type": "application/warc-fields"}
    filler = Capture("urn:filler", b"filler: " + b"x" * 400, "", "", kind="metadata", fields=fields)
    yield filler, member(record(filler, HURT + 4))
