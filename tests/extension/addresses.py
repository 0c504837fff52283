"""Ten thousand addresses of our own making: as sites have them, in many scripts and spellings, and as nobody should."""

from __future__ import annotations

import random
import re
from urllib.parse import quote

from tests.quality.sentences import SENTENCES

SUFFIXES = (
    "com", "org", "net", "de", "fr", "is", "co.uk", "com.br", "co.jp", "info", "рф", "xn--p1ai", "gov.tr", "or.at", "ck", "www.ck",
    "city.kawasaki.jp", "kawasaki.jp", "io", "中国", "xn--fiqs8s", "com.cn", "gr", "il", "ελ", "example", "museum", "blogspot.com",
)  # fmt: skip
SCHEMES = (
    "https://",
    "http://",
    "HTTP://",
    "//",
    "",
    "ftp://",
    "https:",
    "mailto:",
    "data:text/html,",
    "http:///",
    "javascript:",
)
TYPES = (
    "",
    ".html",
    ".htm",
    ".php",
    ".PHP",
    ".aspx",
    ".de.html",
    "_fr.html",
    "-es.htm",
    ".pdf",
    ".jsp",
    ".x",
    "index.html",
    "index",
)
CODES = (
    "de", "fr", "en-us", "pt_BR", "zh-Hans", "zh-tw", "sr-latn", "es-419", "deutsch", "francais", "français", "русский", "english", "ENG",
    "en-vivo", "ru", "bahasa-indonesia", "ελληνικά", "日本語", "a", "de-", "-de", "xx", "nl_nl", "fran\u0063\u0327ais",
)  # fmt: skip
KEYS = ("lang", "hl", "locale", "l", "q", "id", "sprache", "LANGUAGE", "", "lng", "utm_source", "a=b", "langue")
NOISE = " \t\x00%+&=#?/\\@[]:;.-_~'\"<>é\u0301İıßŁΣςЖਅ가漢ー\ufffd\U0001f600\U00020000\ud800"
WORDS = sorted({word for texts in SENTENCES.values() for text in texts for word in re.findall(r"\w+", text)})


def _word(rnd: random.Random) -> str:
    found = rnd.choice(WORDS)
    change = rnd.random()
    if change < 0.1:
        return found.upper()
    if change < 0.2:
        return found + rnd.choice(WORDS).title()
    if change < 0.3:
        return f"{found}{rnd.randrange(10 ** rnd.randrange(1, 7))}"
    return found


def _label(rnd: random.Random) -> str:
    found = rnd.choice([_word(rnd), rnd.choice(CODES), "www", "example", "m", "a-b-c", f"{_word(rnd)}-{_word(rnd)}"])
    if not found.isascii() and rnd.random() < 0.6:
        try:
            return found.lower().encode("idna").decode()
        except UnicodeError:
            return "xn--" + found
    return found


def _encoded(text: str, rnd: random.Random) -> str:
    kind = rnd.random()
    if kind < 0.4:
        return text
    if kind < 0.8:
        return quote(text, safe="/", errors="replace")
    if kind < 0.9:
        return quote(text.encode("cp1251", "replace"), safe="/")
    return "".join(f"%{byte:02{rnd.choice('xX')}}" for byte in text.encode("utf-8", "replace"))


def _address(rnd: random.Random) -> str:
    host = ".".join([*(_label(rnd) for _ in range(rnd.randrange(1, 4))), rnd.choice(SUFFIXES)])
    if rnd.random() < 0.05:
        host = rnd.choice(
            [
                "192.0.2.7",
                "[2001:db8::1]",
                "user@example.com",
                "localhost",
                "a..b.de",
                ".example.de",
                "example.de.",
                "1.2.3",
            ]
        )
    port = rnd.choice([":80", ":", ":x", ":8080"]) if rnd.random() < 0.1 else ""
    parts = []
    for _ in range(rnd.randrange(0, 6)):
        parts.append(
            rnd.choice(CODES)
            if rnd.random() < 0.2
            else rnd.choice("-_+ .").join(_word(rnd) for _ in range(rnd.randrange(1, 6)))
        )
    path = "/" + "/".join(parts) + rnd.choice(TYPES) if parts or rnd.random() < 0.5 else ""
    fields = [
        f"{rnd.choice(KEYS)}{rnd.choice(['=', '=', '=', ''])}{rnd.choice([rnd.choice(CODES), _word(rnd), str(rnd.randrange(9999))])}"
        for _ in range(rnd.choice([0, 0, 1, 2, 5]))
    ]
    query = rnd.choice("?#") + rnd.choice("&;").join(fields) if fields else ""
    return (
        rnd.choice(SCHEMES[: 2 if rnd.random() < 0.85 else None])
        + host
        + port
        + _encoded(path, rnd)
        + _encoded(query, rnd)
    )


def addresses(count: int, seed: int) -> list[str]:
    """So many, the same every time."""
    rnd = random.Random(seed)
    out = [
        "",
        " ",
        "https://",
        "https://a.de/" + "b" * 70_000,
        "https://a.de/" + "wort-" * 900,
        "." * 300,
        "a" * 300 + ".de",
    ]
    while len(out) < count:
        found = _address(rnd)
        if rnd.random() < 0.15:
            for _ in range(rnd.randrange(1, 5)):
                at = rnd.randrange(len(found) + 1)
                found = found[:at] + rnd.choice(NOISE) * rnd.choice([1, 1, 3, 60]) + found[at + rnd.randrange(2) :]
        out.append(found)
    return out[:count]
