"""Garbage for every hint: of wrong types, of absurd size, broken or hostile; for bench/evidence.py and the tests."""

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
IPS = (
    "", "1.2.3.4", "999.1.1.1", "::1", "::ffff:1.2.3.4", "fe80::1%eth0", "1.2.3", "1.2.3.4:80", "0", "-1", "[::1]",
    "localhost", "\x00",
    "١.٢.٣.٤", "1.2.3.4/24", "2001:db8::" + "0:" * 50, "a" * 1000, "0x7f.1", "255.255.255.255",
)  # fmt: skip
COUNTRIES = ("", "IS", "is", "XX", "ISL", "??", "A1", "EU", "ß", "\x00", "de " * 100, "ZZ", "İ")
NUMBERS: tuple[Any, ...] = (
    0, 1, -1, 1e308, float("nan"), float("inf"), -float("inf"), 10**40, 0.5, True, None, "7", b"7", [], 3 + 0j,
)  # fmt: skip
WRONG_TYPES: tuple[Any, ...] = (None, 0, 1.5, "", b"", [], {}, (), object(), True, ["a"], {"a": 1}, {1, 2}, range(3))


def random_page(rng: Random) -> bytes:
    """Return a short page that declares garbage in some forms."""
    text = rng.choice(TEXTS)
    values = [rng.choice(WORDS).replace('"', "").encode("utf-8", "surrogatepass") for _ in range(7)]
    forms = (
        b'<html lang="%s"', b' xml:lang="%s">', b'<meta http-equiv=content-language content="%s">',
        b'<meta property=og:locale content="%s">',
        b'<meta name=dc.language content="%s">', b'<link rel=alternate hreflang="%s" href="">',
        b'<script type=application/ld+json>{"inLanguage":"%s"}</script>',
    )  # fmt: skip
    parts = [form % value if rng.random() < 0.6 else b"" for form, value in zip(forms, values, strict=True)]
    raw = b"".join(parts) + b"<body><p>" + text.encode()
    if rng.random() < 0.2:
        offset = rng.randrange(len(raw))
        raw = raw[:offset] + rng.randbytes(rng.randint(1, 30)) + raw[offset:]
    return raw


def random_inlinks(rng: Random) -> Any:
    """Return a value for ``inlinks``: Inlinks and mappings with garbage as values, or None."""
    if rng.random() < 0.2:
        return None
    return [_random_inlink(rng) for _ in range(rng.choice((0, 1, 2, 5, 40)))]


def random_inlinks_row(rng: Random) -> Any:
    """Return a row of a column of links: no list, or a list in which only some items are links."""
    if rng.random() < 0.2:
        return rng.choice(WRONG_TYPES)
    links = random_inlinks(rng) or []
    return [None, *(rng.choice(WRONG_TYPES) if rng.random() < 0.15 else link for link in links)]


def _random_inlink(rng: Random) -> Any:
    fields = {
        "url": lambda: rng.choice((*URLS, *WRONG_TYPES)), "language": lambda: rng.choice((*WORDS, *WRONG_TYPES)),
        "anchor": lambda: rng.choice((*WORDS, *WRONG_TYPES)),
        "hreflang": lambda: rng.choice((*WORDS, *WRONG_TYPES)), "confidence": lambda: rng.choice(NUMBERS), "other": lambda: 1,
    }  # fmt: skip
    if rng.random() < 0.3:
        return Inlink(
            rng.choice(URLS), rng.choice(WORDS), rng.choice((0.0, 0.5, 1.0)), rng.choice(WORDS), rng.choice(WORDS)
        )
    link = {name: generate() for name, generate in fields.items() if rng.random() < 0.7}
    return {} if link.keys() == {"other"} else link


def random_host(rng: Random) -> Any:
    """Return counts of pages by language, mostly impossible ones, or None."""
    if rng.random() < 0.2:
        return None
    return {rng.choice((*WORDS, None, 7)): rng.choice(NUMBERS) for _ in range(rng.randint(0, 6))}


def random_headers(rng: Random) -> Any:
    if rng.random() < 0.3:
        return None
    names: tuple[Any, ...] = (
        "Content-Language", "content-type", "CONTENT-LANGUAGE", "Link", "", "\x00", 7, None, b"content-language",
    )  # fmt: skip
    return {rng.choice(names): rng.choice((*WORDS, *WRONG_TYPES[:7], 5)) for _ in range(rng.randint(0, 4))}


def random_call(rng: Random) -> tuple[bytes, dict[str, Any]]:
    """Return a page and hints of the types that ``identify`` takes, with garbage as values."""
    hints: dict[str, Callable[[Random], Any]] = {
        "url": lambda rng: rng.choice(URLS), "headers": random_headers, "ip": lambda rng: rng.choice(IPS),
        "inlinks": random_inlinks, "country": lambda rng: rng.choice(COUNTRIES), "host": random_host,
    }  # fmt: skip
    return random_page(rng), {name: generate(rng) for name, generate in hints.items() if rng.random() < 0.7}


def random_columns(rng: Random, count: int) -> dict[str, list[Any]]:
    """Return columns for a batch, in which even the types are garbage."""
    rows = [random_call(rng) for _ in range(count)]
    names = ("url", "headers", "ip", "country", "host")
    filled = {name: [hints.get(name, rng.choice(WRONG_TYPES)) for _, hints in rows] for name in names}
    return {"raw": [raw for raw, _ in rows], **filled, "inlinks": [random_inlinks_row(rng) for _ in rows]}
