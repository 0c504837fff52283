"""Pages made to hurt: time and peak memory at 1, 10 and 100 MB, one process a measurement.

    python bench/hostile.py                 all kinds, 1 and 10 MB
    python bench/hostile.py --most 100      up to 100 MB
    python bench/hostile.py --kind entities one kind
    python bench/hostile.py --decode        the source as text (webtongue.decode) in place of the language

Linear is: nanoseconds a byte do not grow with size; kinds that grow are named at the end and make the exit code 1. Memory is
the growth of the process's peak over what it had with the page in hand, as a multiple of the page, the page itself counted in
(and not the text that decoding returns).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

MB = 1_000_000
# Largest factor by which ns a byte may grow from the smallest page to the largest: quadratic steps give 10 or 100.
MOST_GROWTH = 3.0
MOST_OVER_MEDIAN = 20.0  # ns a byte over the median kind's: a kind beyond it is named, too


def repeat(piece: bytes, head: bytes = b"") -> Callable[[int], bytes]:
    return lambda size: (head + piece * (size // len(piece) + 1))[:size]


def misread(text: str, encoding: str) -> bytes:
    """Text in UTF-8 that was taken for another encoding and written out again."""
    return "".join(bytes([b]).decode(encoding, "ignore") or chr(b) for b in text.encode()).encode()


HTML = b"<!doctype html><p>"
# What ISO 2022 puts at G0, G1 and G2.
DESIGNATIONS = "$@ $A $B $(C $(D $(O $(P $(Q $)A $)C $)E $)G $*H (B (I (J .A -F".split()
# Hindi in the font Kruti Dev.
HINDI = b'Hkkjr esa cgqr lh Hkk"kk,a cksyh tkrh gSaA <b>lcls vf/kd</b> cksyh tkus okyh Hkk"kk fgUnh gSA'
KINDS: dict[str, Callable[[int], bytes]] = {
    "less-than": repeat(b"<", HTML),
    "references cut": repeat(b"&#", HTML),
    "references": repeat(b"&eacute;", HTML),
    "longest reference": repeat(b"&nGt;", HTML),
    "digits in a reference": repeat(b"9", HTML + b"&#"),
    "nested tags": repeat(b"<div>", HTML),
    "nested and closed": lambda size: HTML + b"<b>" * (size // 7) + b"</b>" * (size // 7),
    "unclosed inline": repeat(b"<b>x", HTML),
    "paragraphs": repeat(b"<p>", HTML),
    "paragraphs of a letter": repeat(b"<p>a", HTML),
    "paragraphs, each new": lambda size: (HTML + b"".join(b"<p>%x" % i for i in range(size // 8)))[:size],
    "paragraphs, not UTF-8": repeat(b"<p>\xe9", HTML),
    "table cells": repeat(b"<td>1", HTML + b"<table>"),
    "links": repeat(b"<a href=x>y", HTML),
    "images": repeat(b"<img alt=a>", HTML),
    "attributes": repeat(b" a=b", HTML + b"<p"),
    "languages": lambda size: (HTML + b"".join(b"<i lang=%x>" % i for i in range(size // 12)))[:size],
    "long languages": repeat(b"<i lang='" + b"x" * 5000 + b"'>", HTML),
    "alternates": repeat(b"<link rel=alternate hreflang=a href=b>", HTML),
    "JSON-LD": repeat(b'"inLanguage":"a', HTML + b"<script type=application/ld+json>"),
    "NULs": repeat(b"\0", HTML * 300),
    "spaces": repeat(b" ", HTML),
    "controls": repeat(b"\x01", HTML * 300),
    "comment unclosed": repeat(b"-", HTML + b"<!--"),
    "comments": repeat(b"<!---->"),
    "quote unclosed": repeat(b"x", HTML + b"<a href='"),
    "quotes": repeat(b'<a b="', HTML),
    "script unclosed": repeat(b"</scrip", HTML + b"<script>"),
    "scripts escaped": repeat(b"<script><!--<script></script>", HTML),
    "scripts": repeat(b"<script></script>", HTML),
    "titles unclosed": repeat(b"<title>", HTML),
    "svg": repeat(b"<svg>", HTML),
    "svg left": repeat(b"<svg><p>", HTML),
    "svg CDATA": repeat(b"<svg><![CDATA[", HTML),
    "templates": repeat(b"<template>", HTML),
    "end tags": repeat(b"</p>", HTML),
    "UTF-8": repeat("中文".encode(), HTML),
    "high bytes": repeat(b"\x80\xe9", HTML),
    "high bytes declared": repeat(b"\x88\xe9", b"<meta charset=shift_jis>"),
    "UTF-16": lambda size: ("<p>中" * (size // 8)).encode("utf-16"),
    "ISO-2022-JP": repeat(b"\x1b$B0!\x1b(B", HTML),
    "ISO-2022 escapes": repeat(b"\x1b$B", HTML),
    "ISO-2022 text": repeat(b"<p>\x1b$B" + b"\x24\x22\x30\x21" * 30 + b"\x1b(B and so on</p>\n", HTML),
    "ISO-2022 spaced": repeat(b"\x24\x22 ", HTML + b"\x1b$B"),
    "ISO-2022 odd": repeat(b"\x24\x22\x24\n", HTML + b"\x1b$B"),
    "ISO-2022 with high bytes": repeat(b"\x1b$B0!\xe9\x1b(B\xe9", HTML),
    **{f"ESC {name}": repeat(b"\x1b" + name.encode(), HTML + b"\x1b$B") for name in DESIGNATIONS},
    **{f"ESC {name} text": repeat(b"\x1b" + name.encode() + b"0!!Q", HTML + b"\x1b$B") for name in DESIGNATIONS},
    "every designation": repeat(b"".join(b"\x1b%b0!" % name.encode() for name in DESIGNATIONS), HTML),
    "ISO-2022-KR shifts": repeat(b"\x0e0!\x0f", HTML + b"\x1b$)C"),
    "ISO-2022-CN shifts": repeat(b"\x0eDc\x0f", HTML + b"\x1b$)G"),
    "shift out, shift in": repeat(b"\x0e\x0f", HTML + b"\x1b$)C"),
    "single shifts": repeat(b"\x1bN!!", HTML + b"\x1b$*H"),
    "single shifts, Latin": repeat(b"\x1bNi", HTML + b"\x1b$B\x1b(B\x1b.A"),
    "CNS 11643": repeat(b"DcEF", HTML + b"\x1b$)G\x0e"),
    "HZ": repeat(b"~{VPND~}", HTML),
    "HZ with ASCII": repeat(b"~{VPND~}a~~b~\n", HTML),
    "HZ cut": repeat(b"~{!!", HTML),
    "HZ wrong": repeat(b"~{~x~}a ~y and", HTML + b"~{VPND~}"),
    "UTF-7": lambda size: HTML + b"+ZeVnLA-" * (size // 8),
    "UTF-7 with ASCII": repeat(b"a+AOk-b+-", HTML),
    "UTF-7 wrong": repeat(b"+AOk\x7f+2AA-", HTML + b"+ZeVnLA- " * 10000),
    "UTF-7 in one shift": repeat(b"ZeVnLIqe", HTML + b"+ZeVnLA- " * 10000 + b"+"),
    "misread": repeat(misread("é", "cp1252"), HTML),
    "misread words": repeat(misread("Café crème à côté – 3 € ", "cp1252"), HTML),
    "misread Cyrillic": repeat(misread("Привет ", "cp1251"), HTML),
    "misread twice": repeat(misread(misread("Café ", "cp1252").decode(), "cp1252"), HTML),
    "misread in part": repeat(misread("é", "cp1252") + "éÃ à".encode(), HTML),
    "misread and wrong": repeat("Ã©Ã\u0081â€aÃ".encode(), HTML),
    "font": repeat(b"<p>%b</p>\n" % HINDI, HTML),
    "font, lines": repeat(HINDI + b"\n", HTML),
    "font, one line": repeat(HINDI.replace(b"<b>", b"").replace(b"</b>", b"") + b" ", HTML),
    "font, tags": repeat(b"<b>a", HTML + HINDI * 100),
    "font, tags cut": repeat(b"<b a", HTML + HINDI * 100),
    "font, less-than": repeat(b"<", HTML + HINDI * 100),
    "font, scripts": repeat(b"<script>a<b</script>%b" % HINDI, HTML),
    "font, references": repeat(b"&#72;&#107;", HTML + HINDI * 100),
    "font over windows-1252": repeat("<p>PÀ£ÀßqÀ £ÁqÀÄ ªÀÄvÀÄÛ £ÀÄrAiÀÄ EwºÁ¸À</p>".encode("cp1252"), HTML),
    "VNI": repeat("tieáng Vieät coù daáu ".encode("latin-1"), b"<meta charset=x-viet-vni>" + HTML),
    "EUC-TW": repeat(bytes.fromhex("C4E3C5C68EA2A1A120"), b"<meta charset=euc-tw>" + HTML),
    "windows-1251": repeat("Мама мыла раму. ".encode("cp1251"), HTML),
    "plain lines": repeat(b"a\n\n"),
    "XML": repeat(b"<a>b", b"<?xml version='1.0'?>"),
    "CDATA": repeat(b"<![CDATA[]>", b"<?xml version='1.0'?><a>"),
    "binary": lambda size: bytes(i * i >> 3 & 255 for i in range(1000)) * (size // 1000),
}


def measure(kind: str, size: int, decode: bool) -> dict[str, float]:
    """In this process: make the page, then identify or decode it."""
    import webtongue

    sum(webtongue.Identifier().reader.model.memory[::4096])  # the mapped model is shared memory, not the page's
    webtongue.identify(b"<p>warm \xe9")
    webtongue.identify("<p>ж".encode("utf-16"))
    run = webtongue.decode if decode else webtongue.identify
    run(KINDS[kind](9999))  # what is loaded late
    page = KINDS[kind](size)
    held = _reset_peak()
    start = time.process_time()
    result = run(page)
    seconds = time.process_time() - start
    grown = max(_peak() - held, 0)
    if isinstance(result, webtongue.Decoded):  # the text itself is what was asked for
        grown -= sum(sys.getsizeof(text) for text in {result.text, result.repaired} if text)
    return {"seconds": seconds, "memory": 1 + grown / len(page), "ns": seconds / len(page) * 1e9}


def _peak() -> int:
    """Most bytes resident so far (Linux)."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def _reset_peak() -> int:
    """Forget what making the page took; what is resident now."""
    Path("/proc/self/clear_refs").write_text("5")
    return _peak()


def measure_apart(
    kind: str, megabytes: float, watchdog: float | None = None, *, decode: bool = False
) -> dict[str, float]:
    """In a process of its own, so that no other page's peak is in the way; ``watchdog``: seconds after which it hangs."""
    command = [sys.executable, __file__, "--one", kind, str(int(megabytes * MB)), *(["--decode"] if decode else [])]
    one_arena = os.environ | {"MALLOC_ARENA_MAX": "1"}
    done = subprocess.run(command, capture_output=True, check=True, env=one_arena, timeout=watchdog)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=10, help="MB of the largest page: 1, 10 or 100")
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--decode", action="store_true", help="decode; memory is counted without the text itself")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one[0], int(options.one[1]), options.decode)))
        return
    sizes = [size for size in (1, 10, 100) if size <= options.most]
    sys.exit(table(options.kind or list(KINDS), sizes, options.decode))


def table(kinds: list[str], sizes: list[int], decode: bool) -> int:
    """Prints a row a kind and names those that are not linear, or slow beside the others; the exit code."""
    print("kind".ljust(24), *(f"{f'{size} MB: s':>12} {'ns/byte':>8} {'memory':>7}" for size in sizes))
    ns: dict[str, list[float]] = {}
    for kind in kinds:
        row = [measure_apart(kind, size, decode=decode) for size in sizes]
        ns[kind] = [max(m["ns"], 1.0) for m in row]
        cells = [f"{m['seconds']:12.3f} {m['ns']:8.2f} {m['memory']:6.1f}x" for m in row]
        print(kind.ljust(24), *cells, flush=True)
    grown = {kind: found[-1] / found[0] for kind, found in ns.items()}
    median = statistics.median(found[-1] for found in ns.values())
    slow = {kind: found[-1] / median for kind, found in ns.items()}
    not_linear = [f"{kind} ({growth:.1f}x)" for kind, growth in grown.items() if growth > MOST_GROWTH]
    print(f"ns a byte grow by {max(grown.values()):.1f}x at most; not linear: {', '.join(not_linear) or 'none'}")
    beyond = [f"{kind} ({times:.0f}x)" for kind, times in slow.items() if times > MOST_OVER_MEDIAN]
    print(f"slow beside the median of {median:.1f} ns a byte: {', '.join(beyond) or 'none'}")
    return 1 if not_linear else 0


if __name__ == "__main__":
    main()
