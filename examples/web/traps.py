"""Hostile hosts: endless calendars, session ids, spider pools, slow, failing and huge servers."""

from __future__ import annotations

import random

__all__ = ["POOL", "TRAPS", "build_trap"]

POOL = "cheap-offers.info"  # the server answers for every host below this domain
TRAPS = (
    ("www.veranstaltungskalender-nord.de", "deu_Latn", "calendar"),
    ("www.boutique-sessions.fr", "fra_Latn", "sessions"),
    (f"www.{POOL}", "eng_Latn", "pool"),
    ("www.slow-answers.com", "eng_Latn", "slow"),
    ("www.always-failing.net", "eng_Latn", "failing"),
    ("www.hangs-up.org", "eng_Latn", "dropping"),
    ("www.huge-downloads.com", "eng_Latn", "huge"),
    ("www.packed-bomb.com", "eng_Latn", "bomb"),
    ("www.endless-headers.com", "eng_Latn", "headers"),
    ("www.round-and-round.com", "eng_Latn", "loop"),
    ("www.leads-inside.com", "eng_Latn", "inside"),
    ("www.bad-addresses.com", "eng_Latn", "malformed"),
    ("www.ten-thousand-links.com", "eng_Latn", "links"),
    ("www.keep-out.org", "eng_Latn", "robots"),
    ("www.garbage-bytes.com", "eng_Latn", "garbage"),
)  # fmt: skip
PRIVATE = (
    "http://127.0.0.1/", "http://10.0.0.1/admin", "http://169.254.169.254/latest/meta-data/", "http://[::1]/", "http://2130706433/",
    "http://0x7f.1/", "http://0177.0.0.1/", "http://[::ffff:10.0.0.1]/", "http://0.0.0.0:22/", "http://intern.example/",
    "http://localhost/", "http://[fe80::1]/", "file:///etc/passwd", "ftp://10.0.0.1/", "gopher://127.0.0.1:70/",
)  # fmt: skip
MALFORMED = (
    "http://", "http:///x", "http://[::1", "http://a b/", "http://www.x.de:99999/", "http://www.x.de:abc/", "//", "///", "http://%zz/",
    "javascript:alert(1)", "mailto:a@b.c", "http://user:pass@www.x.de/", "http://" + "a" * 300 + ".com/", "http://x/" + "y" * 9000,
    "http://\u202e.com/", "http://..com/", "http://www..de/",
    "?" * 50, "http://xn--a.com/", "http://-.de/", "data:text/html,x", "\x00",
)  # fmt: skip


def build_trap(kind: str, host: str, path: str, title: str, text: str) -> tuple[int, dict[str, str], bytes] | None:
    """Return status, headers and body of a path, or None if the server misbehaves instead of answering."""
    links: list[str] = []
    if kind == "calendar":
        month = int(path.rpartition("=")[2]) if path.rpartition("=")[2].isdigit() else 0
        links = [f"/kalender?monat={month + step}" for step in (1, 2, 12)]
    elif kind == "sessions":
        rng = random.Random(path)
        links = [f"/article/{n}?PHPSESSID={rng.getrandbits(64):x}" for n in range(8)]
    elif kind == "pool":
        rng = random.Random(host + path)
        links = [f"http://{rng.getrandbits(32):x}.{POOL}/{rng.getrandbits(24)}.html" for _ in range(40)]
    elif kind == "failing":
        return 503, {"Retry-After": "3600"}, b"busy"
    elif kind == "loop":
        return 302, {"Location": f"http://{host}/{random.Random(path).getrandbits(20)}"}, b""
    elif kind == "inside":
        number = int(path.strip("/")) if path.strip("/").isdigit() else -1
        if number >= 0:
            return 302, {"Location": PRIVATE[number % len(PRIVATE)]}, b""
        links = [*PRIVATE, *(f"/{number}" for number in range(len(PRIVATE)))]
    elif kind == "malformed":
        links = list(MALFORMED)
    elif kind == "links":
        links = [f"/page-{number}" for number in range(10_000)]
    elif kind == "garbage":
        return 200, {"Content-Type": "text/html; charset=\x80\xff"}, random.Random(path).randbytes(20_000)
    elif kind in ("slow", "dropping", "huge", "bomb", "headers"):
        return None
    body = "".join(f'<li><a href="{link}">{title}</a></li>' for link in links)
    page = f"<html><head><title>{title}</title></head><body><p>{text}</p><ul>{body}</ul></body></html>"
    return 200, {}, page.encode("utf-8", "surrogatepass")
