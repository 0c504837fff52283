"""Pages changed for bench/evidence.py: cut to a few characters with their declarations kept, and with declarations that lie."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from evidence_cases import Case

from webtongue import coding, labels, markup
from webtongue.page import Page
from webtongue.text import TextReader

FRAME = ("title", "alt", "meta")  # kinds of blocks that are no visible text of the page's body
META = {
    "meta-content-language": '<meta http-equiv="content-language" content="{}">',
    "meta-language": '<meta name="language" content="{}">',
    "dc-language": '<meta name="dc.language" content="{}">',
    "og-locale": '<meta property="og:locale" content="{}">',
    "jsonld-inlanguage": '<script type="application/ld+json">{{"@type":"WebPage","inLanguage":"{}"}}</script>',
}
QUOTED = rb"""\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+)"""
ATTRIBUTE = re.compile(rb"""(\s(?:xml:|href)?lang)""" + QUOTED, re.I)
IN_META = re.compile(rb"""<meta\b[^>]*\b(?:content-language|dc\.language|dcterms\.language|og:locale|name=["']?language)\b[^>]*>""", re.I)
CONTENT = re.compile(rb"(\scontent)" + QUOTED, re.I)
IN_JSON = re.compile(rb"""("inLanguage"\s*:\s*)(?:"[^"]*"|\{[^}]*\}|\[[^\]]*\])""")
ROOT = re.compile(rb"<html\b", re.I)


def cuts(case: Case, sizes: Sequence[int], reader: TextReader) -> dict[str, Case]:
    """The page cut to its title, and to its first so many characters; those it has not are left out."""
    scanned, _ = coding.decode(markup.read(Page(case.raw, case.url)), reader)
    blocks = scanned.blocks
    title = next((block.text for block in blocks if block.kind == "title" and block.text.strip()), "")
    text = " ".join(block.text for block in blocks if block.kind not in FRAME)
    head = kept_declarations(scanned)
    out = {"title": case.cut(page(*head, title, "title"))} if title else {}
    for size in sizes:
        if len(text) >= size:
            out[f"first {size}"] = case.cut(page(*head, text[:size], "p"))
    return out


def kept_declarations(scanned: markup.Markup) -> tuple[str, str, str]:
    """Attributes of ``<html>`` and ``<body>``, and what else a head declares, as new markup."""
    root = body = head = ""
    for claim in scanned.claims:
        value = html.escape(claim.value)
        if claim.kind == "html-lang":
            root += f' lang="{value}"'
        elif claim.kind == "html-xml-lang":
            root += f' xml:lang="{value}"'
        elif claim.kind == "body-lang":
            body += f' lang="{value}"'
        elif claim.kind == "hreflang-self" and scanned.page.url:
            head += f'<link rel="alternate" hreflang="{value}" href="{html.escape(scanned.page.url)}">'
        elif claim.kind in META:
            head += META[claim.kind].format(value)
    return root, head, body


def page(root: str, head: str, body: str, text: str, element: str) -> bytes:
    shown = f"<{element}>{html.escape(text)}</{element}>"
    title, rest = (shown, "") if element == "title" else ("", shown)
    made = f'<!doctype html><html{root}><head><meta charset="utf-8">{title}{head}</head><body{body}>{rest}</body></html>'
    return made.encode("utf-8", "replace")


def declaring(raw: bytes, value: str) -> bytes:
    """A page with every declared language replaced; with an empty value, taken out."""
    new = value.encode()
    raw = ATTRIBUTE.sub(rb'\1="' + new + rb'"' if new else b"", raw)
    raw = IN_META.sub(lambda found: CONTENT.sub(rb'\1="' + new + rb'"', found[0]) if new else b"", raw)
    return IN_JSON.sub(rb'\1"' + new + rb'"', raw)


def declaring_anyhow(raw: bytes, value: str) -> bytes:
    """The same, and a page that declares nothing does so now."""
    raw = declaring(raw, "")
    said = f'<html lang="{value}"'.encode()
    return ROOT.sub(said, raw, count=1) if ROOT.search(raw) else said + b">" + raw


def lying(cases: Sequence[Case], way: Callable[[bytes, str], bytes], seed: int) -> list[Case]:
    """Every page declares the language of another page, or any that has a short code, that is not its own."""
    rnd = Random(seed)
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)]
    any_code = [a + b for a in letters for b in letters if labels.parse(a + b)]
    of_pages = [labels.bcp47(label) for case in cases for label in case.wanted if "_" in label]
    out = []
    for case in cases:
        own = {label[:3] for label in case.wanted}
        value = ""
        while not value or str(labels.fold(value))[:3] in own:
            value = rnd.choice(any_code if rnd.random() < 0.5 else of_pages)
        out.append(replace(case, raw=way(case.raw, value)))
    return out


def english(cases: Sequence[Case], way: Callable[[bytes, str], bytes]) -> list[Case]:
    return [replace(case, raw=way(case.raw, "en")) for case in cases]


def silent(cases: Sequence[Case]) -> list[Case]:
    return [replace(case, raw=declaring(case.raw, "")) for case in cases]


def misplaced(cases: Sequence[Case], seed: int) -> list[Case]:
    """Every page at the address of a page in another language."""
    rnd = Random(seed)
    placed = [case for case in cases if case.url]
    out = []
    for case in cases:
        other = case
        while other.wanted & case.wanted:
            other = rnd.choice(placed)
        out.append(replace(case, url=other.url))
    return out


def unplaced(cases: Sequence[Case]) -> list[Case]:
    return [replace(case, url=None) for case in cases]
