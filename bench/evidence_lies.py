"""Pages whose declarations or addresses are taken away or lie, for bench/evidence.py."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from evidence_cases import Pages, changed

from webtongue import labels
from webtongue.evaluate.pages import LabelledPage

QUOTED = rb"""\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+)"""
ATTRIBUTE = re.compile(rb"""(\s(?:xml:|href)?lang)""" + QUOTED, re.I)
IN_META = re.compile(
    rb"""<meta\b[^>]*\b(?:content-language|dc\.language|dcterms\.language|og:locale|name=["']?language)\b[^>]*>""", re.I
)
CONTENT = re.compile(rb"(\scontent)" + QUOTED, re.I)
IN_JSON = re.compile(rb"""("inLanguage"\s*:\s*)(?:"[^"]*"|\{[^}]*\}|\[[^\]]*\])""")
ROOT = re.compile(rb"<html\b", re.I)


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


def lying(cases: Pages, way: Callable[[bytes, str], bytes], seed: int) -> list[LabelledPage]:
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
        out.append(changed(case, raw=way(case.page.raw, value)))
    return out


def english(cases: Pages, way: Callable[[bytes, str], bytes]) -> list[LabelledPage]:
    return [changed(case, raw=way(case.page.raw, "en")) for case in cases]


def silent(cases: Pages) -> list[LabelledPage]:
    return [changed(case, raw=declaring(case.page.raw, "")) for case in cases]


def misplaced(cases: Pages, seed: int) -> list[LabelledPage]:
    """Every page at the address of a page in another language."""
    rnd = Random(seed)
    placed = [case for case in cases if case.page.url]
    out = []
    for case in cases:
        other = case
        while other.wanted & case.wanted:
            other = rnd.choice(placed)
        out.append(changed(case, url=other.page.url))
    return out


def unplaced(cases: Pages) -> list[LabelledPage]:
    return [changed(case, url=None) for case in cases]
