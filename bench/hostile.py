"""Hostile pages: time and peak memory at 1, 10 and 100 MB, with a process for each measurement.

    python bench/hostile.py                 all kinds, 1 and 10 MB
    python bench/hostile.py --most 100      up to 100 MB
    python bench/hostile.py --kind entities one kind
    python bench/hostile.py --decode        measure webtongue.decode instead of webtongue.identify

Time is linear if nanoseconds per byte do not grow with size; kinds that grow are named at the end and set the exit code to 1.
Memory is the growth of the process's peak after the page was made, as a multiple of the page. It includes the page, but not
the text that decoding returns.
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
# Largest factor by which ns per byte may grow from the smallest page to the largest; quadratic steps give 10 or 100.
MAX_GROWTH = 3.0
MAX_OVER_MEDIAN = 20.0  # ratio of a kind's ns per byte to the median kind's from which it is named as slow


def repeat(unit: bytes, head: bytes = b"") -> Callable[[int], bytes]:
    return lambda size: (head + unit * (size // len(unit) + 1))[:size]


def mojibake(text: str, encoding: str) -> bytes:
    """Return text whose UTF-8 bytes were decoded by another encoding and written as UTF-8 again."""
    return "".join(bytes([b]).decode(encoding, "ignore") or chr(b) for b in text.encode()).encode()


HTML = b"<!doctype html><p>"
# Designations of ISO 2022 for G0, G1 and G2.
DESIGNATIONS = "$@ $A $B $(C $(D $(O $(P $(Q $)A $)C $)E $)G $*H (B (I (J .A -F".split()
# Hindi written for the font Kruti Dev.
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
    "HZ invalid": repeat(b"~{~x~}a ~y and", HTML + b"~{VPND~}"),
    "UTF-7": lambda size: HTML + b"+ZeVnLA-" * (size // 8),
    "UTF-7 with ASCII": repeat(b"a+AOk-b+-", HTML),
    "UTF-7 invalid": repeat(b"+AOk\x7f+2AA-", HTML + b"+ZeVnLA- " * 10000),
    "UTF-7 in one shift": repeat(b"ZeVnLIqe", HTML + b"+ZeVnLA- " * 10000 + b"+"),
    "mojibake": repeat(mojibake("é", "cp1252"), HTML),
    "mojibake words": repeat(mojibake("Café crème à côté – 3 € ", "cp1252"), HTML),
    "mojibake Cyrillic": repeat(mojibake("Привет ", "cp1251"), HTML),
    "mojibake twice": repeat(mojibake(mojibake("Café ", "cp1252").decode(), "cp1252"), HTML),
    "mojibake in part": repeat(mojibake("é", "cp1252") + "éÃ à".encode(), HTML),
    "mojibake and invalid": repeat("Ã©Ã\u0081â€aÃ".encode(), HTML),
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
    """Return the time and memory of identifying or decoding a page, measured in this process."""
    import webtongue

    sum(webtongue.Identifier().reader.model.memory[::4096])  # the mapped model is shared memory and does not count
    webtongue.identify(b"<p>warm \xe9")
    webtongue.identify("<p>ж".encode("utf-16"))
    run = webtongue.decode if decode else webtongue.identify
    run(KINDS[kind](9999))  # loads tables that are loaded on demand
    page = KINDS[kind](size)
    resident_before = _reset_peak()
    start = time.process_time()
    result = run(page)
    seconds = time.process_time() - start
    growth_bytes = max(_peak() - resident_before, 0)
    if isinstance(result, webtongue.Decoded):  # the returned text does not count
        growth_bytes -= sum(sys.getsizeof(text) for text in {result.text, result.repaired} if text)
    return {"seconds": seconds, "memory": 1 + growth_bytes / len(page), "ns": seconds / len(page) * 1e9}


def _peak() -> int:
    """Return the highest number of resident bytes so far (Linux)."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def _reset_peak() -> int:
    """Reset the peak after the page was made, and return the resident bytes."""
    Path("/proc/self/clear_refs").write_text("5")
    return _peak()


def measure_in_process(
    kind: str, megabytes: float, timeout: float | None = None, *, decode: bool = False
) -> dict[str, float]:
    """Measure in a new process, whose peak no other page has raised; raise TimeoutExpired after ``timeout`` seconds."""
    command = [sys.executable, __file__, "--one", kind, str(int(megabytes * MB)), *(["--decode"] if decode else [])]
    environment = os.environ | {"MALLOC_ARENA_MAX": "1"}
    completed = subprocess.run(command, capture_output=True, check=True, env=environment, timeout=timeout)
    result: dict[str, float] = json.loads(completed.stdout)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=10, help="MB of the largest page: 1, 10 or 100 (default 10)")
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--decode", action="store_true", help="measure webtongue.decode instead of identify")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one[0], int(options.one[1]), options.decode)))
        return
    sizes = [size for size in (1, 10, 100) if size <= options.most]
    sys.exit(print_table(options.kind or list(KINDS), sizes, options.decode))


def print_table(kinds: list[str], sizes: list[int], decode: bool) -> int:
    """Print a row for each kind and name those that are not linear or slow, and return the exit code."""
    print("kind".ljust(24), *(f"{f'{size} MB: s':>12} {'ns/byte':>8} {'memory':>7}" for size in sizes))
    ns: dict[str, list[float]] = {}
    for kind in kinds:
        row = [measure_in_process(kind, size, decode=decode) for size in sizes]
        ns[kind] = [max(m["ns"], 1.0) for m in row]
        cells = [f"{m['seconds']:12.3f} {m['ns']:8.2f} {m['memory']:6.1f}x" for m in row]
        print(kind.ljust(24), *cells, flush=True)
    growth_by_kind = {kind: values[-1] / values[0] for kind, values in ns.items()}
    median = statistics.median(values[-1] for values in ns.values())
    over_median = {kind: values[-1] / median for kind, values in ns.items()}
    not_linear = [f"{kind} ({growth:.1f}x)" for kind, growth in growth_by_kind.items() if growth > MAX_GROWTH]
    print(
        f"ns a byte grow by {max(growth_by_kind.values()):.1f}x at most; not linear: {', '.join(not_linear) or 'none'}"
    )
    slow = [f"{kind} ({ratio:.0f}x)" for kind, ratio in over_median.items() if ratio > MAX_OVER_MEDIAN]
    print(f"slow beside the median of {median:.1f} ns a byte: {', '.join(slow) or 'none'}")
    return 1 if not_linear else 0


if __name__ == "__main__":
    main()
