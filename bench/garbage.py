"""Garbage for every hint: of the wrong kind, of absurd size, broken or hostile; for bench/evidence.py and the tests."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from webtongue.page import Inlink

TEXTS = (
    "Halló heimur",
    "The quick brown fox jumps over the lazy dog.",
    "Ovo je kratka stranica o vremenu.",
    "",
    "Привет, мир",
    "12 34 56",
)
WORDS = (
    "", " ", "en", "xx", "EN-us-x-\0", "zz_ZZ", "is", "i-klingon", "*", "-", "__", "mul", "und", "zxx", "de,fr;q=0.9", "qaa",
    "sr-Latn-RS",
    "en-" * 200, "é", "\ud800", "\u202ede", "null", "undefined", "{{ lang }}", "<?php echo $lang ?>", "a" * 5000, "日本語",
    "\x00", "de\nfr",
)  # fmt: skip
URLS = (
    "", "http://", "https://example.is/", "//", "://", "http://[::1", "http://[::1]/", "javascript:alert(1)", "mailto:x@y",
    "http://1.2.3.4/",
    "http://xn--/", "http://xn--zzzzzz999999.xn--p1ai/", "https://example.com:99999/", "http://" + "a." * 400 + "is/",
    "/relative", "?lang=",
    "https://example.com/?lang=xx&lang=yy", "https://é.example/ü", "http://\ud800.example/", "data:text/html,x", "\x00\x01",
    "http://..is/",
    "https://example.is/" + "de/" * 3000, "HTTP://EXAMPLE.IS", "ftp://fr.example", "https://user:pw@de.example/",
    "http://%zz%00/%", "٣٤",
)  # fmt: skip
ADDRESSES = (
    "", "1.2.3.4", "999.1.1.1", "::1", "::ffff:1.2.3.4", "fe80::1%eth0", "1.2.3", "1.2.3.4:80", "0", "-1", "[::1]",
    "localhost", "\x00",
    "١.٢.٣.٤", "1.2.3.4/24", "2001:db8::" + "0:" * 50, "a" * 1000, "0x7f.1", "255.255.255.255",
)  # fmt: skip
COUNTRIES = ("", "IS", "is", "XX", "ISL", "??", "A1", "EU", "ß", "\x00", "de " * 100, "ZZ", "İ")
NUMBERS = (0, 1, -1, 1e308, float("nan"), float("inf"), -float("inf"), 10**40, 0.5, True, None, "7", b"7", [], 3 + 0j)
THINGS = (None, 0, 1.5, "", b"", [], {}, (), object(), True, ["a"], {"a": 1}, {1, 2}, range(3))


def page(rnd: Random) -> bytes:
    """A short page that declares garbage in some forms."""
    text = rnd.choice(TEXTS)
    said = [rnd.choice(WORDS).replace('"', "").encode("utf-8", "surrogatepass") for _ in range(7)]
    forms = (
        b'<html lang="%s"', b' xml:lang="%s">', b'<meta http-equiv=content-language content="%s">',
        b'<meta property=og:locale content="%s">',
        b'<meta name=dc.language content="%s">', b'<link rel=alternate hreflang="%s" href="">',
        b'<script type=application/ld+json>{"inLanguage":"%s"}</script>',
    )  # fmt: skip
    parts = [form % value if rnd.random() < 0.6 else b"" for form, value in zip(forms, said, strict=True)]
    raw = b"".join(parts) + b"<body><p>" + text.encode()
    if rnd.random() < 0.2:
        place = rnd.randrange(len(raw))
        raw = raw[:place] + rnd.randbytes(rnd.randint(1, 30)) + raw[place:]
    return raw


def inlinks(rnd: Random) -> Any:
    """Links that are none, or of which some are."""
    if rnd.random() < 0.2:
        return rnd.choice(THINGS)
    return [_inlink(rnd) for _ in range(rnd.choice((0, 1, 2, 5, 40)))]


def _inlink(rnd: Random) -> Any:
    fields = {
        "url": lambda: rnd.choice((*URLS, *THINGS)), "language": lambda: rnd.choice((*WORDS, *THINGS)),
        "anchor": lambda: rnd.choice((*WORDS, *THINGS)),
        "hreflang": lambda: rnd.choice((*WORDS, *THINGS)), "confidence": lambda: rnd.choice(NUMBERS), "other": lambda: 1,
    }  # fmt: skip
    kind = rnd.random()
    if kind < 0.15:
        return rnd.choice(THINGS)
    if kind < 0.4:
        return Inlink(
            rnd.choice(URLS), rnd.choice(WORDS), rnd.choice((0.0, 0.5, 1.0)), rnd.choice(WORDS), rnd.choice(WORDS)
        )
    return {name: make() for name, make in fields.items() if rnd.random() < 0.7}


def host(rnd: Random) -> Any:
    """Counts of pages by language, mostly impossible ones; a mapping, as a call must give, or nothing."""
    return (
        None
        if rnd.random() < 0.2
        else {rnd.choice((*WORDS, None, 7)): rnd.choice(NUMBERS) for _ in range(rnd.randint(0, 6))}
    )


def headers(rnd: Random) -> Any:
    if rnd.random() < 0.3:
        return None
    names: tuple[Any, ...] = (
        "Content-Language",
        "content-type",
        "CONTENT-LANGUAGE",
        "Link",
        "",
        "\x00",
        7,
        None,
        b"content-language",
    )
    return {rnd.choice(names): rnd.choice((*WORDS, *THINGS[:7], 5)) for _ in range(rnd.randint(0, 4))}


def call(rnd: Random) -> tuple[bytes, dict[str, Any]]:
    """One page and hints of the types that ``identify`` takes, their values garbage."""
    hints: dict[str, Callable[[Random], Any]] = {
        "url": lambda rnd: rnd.choice(URLS), "headers": headers, "ip": lambda rnd: rnd.choice(ADDRESSES), "inlinks": inlinks,
        "country": lambda rnd: rnd.choice(COUNTRIES), "host": host,
    }  # fmt: skip
    return page(rnd), {name: make(rnd) for name, make in hints.items() if rnd.random() < 0.7}


def columns(rnd: Random, count: int) -> dict[str, list[Any]]:
    """The same for a batch, where even the types are garbage."""
    rows = [call(rnd) for _ in range(count)]
    names = ("url", "headers", "ip", "inlinks", "country", "host")
    filled = {name: [hints.get(name, rnd.choice(THINGS)) for _, hints in rows] for name in names}
    return {"raw": [raw for raw, _ in rows], **filled}
