"""Read labelled pages of the sets in ``dev/html``, complete or cut to a short text."""

from __future__ import annotations

import html
import importlib
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from webtongue import Identifier, labels, markup
from webtongue.charset.detection.decode import decode_page as decode_text
from webtongue.lab.evaluate.archives import read_archive
from webtongue.lab.evaluate.peers import parse_code, resolve_answer
from webtongue.markup.declarations import LANGUAGE
from webtongue.page import Inlink, Page
from webtongue.reference.domains import registered_domain
from webtongue.text import TextReader
from webtongue.verdict import Verdict

__all__ = [
    "CUT_CHARS",
    "FOLDS",
    "LabelledPage",
    "add_links",
    "assign_fold",
    "cut_page",
    "is_right",
    "iter_labelled_pages",
    "relabel_clear_text",
]

CUT_CHARS: Mapping[str, int] = {"title": 0, "25 characters": 25, "50 characters": 50}
MAX_TITLE_CHARS = 200
FOLDS = 5  # folds of sites, for cross-validation
# HTML of each kind of declaration in generated pages.
DECLARATION_TEMPLATES = {
    "meta-content-language": '<meta http-equiv="Content-Language" content="{}">',
    "og-locale": '<meta property="og:locale" content="{}">',
    "dc-language": '<meta name="dc.language" content="{}">',
    "meta-language": '<meta name="language" content="{}">',
    "jsonld-inlanguage": '<script type="application/ld+json">{{"inLanguage": "{}"}}</script>',
}


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page, its labels (any of ``wanted`` is right), and its site: pages of one site are not independent samples."""

    set: str
    name: str
    page: Page
    wanted: frozenset[str]
    site: str
    row: Mapping[str, Any]


def iter_labelled_pages(folder: Path) -> Iterator[LabelledPage]:
    """Yield every page of the sets of a folder that has a trusted label."""
    for path in sorted(folder.glob("*.tar.xz")):
        files, rows = read_archive(path)
        name = path.name.removesuffix(".tar.xz")
        row_by_path = {row.get("path"): row for row in rows}
        for file, raw in sorted(files.items()):
            row = row_by_path.get(file, {})
            if not raw or not row.get("label") or row.get("trusted") is False:
                continue
            wanted = frozenset(str(labels.fold(label)) for label in (row["label"], *(row.get("accept") or ())))
            page = Page(raw, row.get("url"))
            yield LabelledPage(name, file, page, wanted, f"{name}/{_get_site(file, row)}", row)


def _get_site(file: str, row: Mapping[str, Any]) -> str:
    """Return the site, or the package or file for pages without a URL."""
    url = row.get("url")
    return (registered_domain(url) if url else "") or row.get("site") or row.get("source") or file


def assign_fold(site: str) -> int:
    """Return the fold of a site."""
    return zlib.crc32(site.encode()) % FOLDS


def add_links(pages: Sequence[LabelledPage], text_identifier: Identifier) -> list[LabelledPage]:
    """Return the pages with the inlinks of their set; the language of a linking page is identified from its text only."""
    by_url = {item.page.url: item.page for item in pages if item.row.get("role")}
    verdicts: dict[str, Verdict] = {}
    linked = []
    for item in pages:
        links = []
        for row in item.row.get("inlinks") or ():
            url = row["url"]
            if url in by_url and url not in verdicts:
                verdicts[url] = text_identifier.identify(by_url[url].raw)
            verdict = verdicts.get(url)
            is_language = verdict is not None and verdict.label not in labels.SPECIAL
            links.append(
                Inlink(
                    url, verdict.label if verdict and is_language else "", verdict.confidence if verdict and is_language else 1.0,
                    row.get("anchor") or "",
                )
            )  # fmt: skip
        linked.append(replace(item, page=replace(item.page, inlinks=tuple(links))) if links else item)
    return linked


def is_right(label: str, wanted: Iterable[str]) -> bool:
    """Return True if an answer is one of the wanted labels, or a member of a wanted group."""
    return any(
        label == name
        or (label in labels.members(name.partition("_")[0]) and label.partition("_")[2] == name.partition("_")[2])
        for name in wanted
    )


def relabel_clear_text(item: LabelledPage, text_identifier: Identifier) -> LabelledPage:
    """Return the page with the language of its text as its label, where that is clearly another one.

    Documentation is labelled by its folder even where it was never translated, and what is left of a cut page need not be in the
    language of the rest. Clear is text that two models agree on: ours, reliable and without hints, and CLD2's.
    """
    analysis = text_identifier.analyze(item.page)
    label = analysis.verdict.label
    if not analysis.verdict.reliable or is_right(label, item.wanted):
        return item
    text = " ".join(block.text for block in analysis.blocks if not block.noise)
    return replace(item, wanted=frozenset({label})) if _detect_with_cld2(text, label) else item


def _detect_with_cld2(text: str, label: str) -> bool:
    """Return True if CLD2 is sure that a text is in the language of a label."""
    pycld2 = importlib.import_module("pycld2")
    try:
        is_reliable, _, details = pycld2.detect(text.encode("utf-8", "replace"), isPlainText=True)
    except pycld2.error:
        return False
    return bool(is_reliable) and resolve_answer(parse_code(details[0][1]), label) == label


def cut_page(item: LabelledPage, cut_name: str, reader: TextReader) -> LabelledPage | None:
    """Return the page cut to its title or to the first characters of its text, with its declarations; None without such text."""
    scanned = markup.read(item.page)
    if scanned.reason:
        return None
    declared = {
        declaration.kind: declaration.value
        for declaration in reversed(scanned.declarations)
        if declaration.kind in LANGUAGE
    }
    blocks = decode_text(scanned, reader)[0].blocks
    titles = [block.text for block in blocks if block.kind == "title"]
    if cut_name == "title":
        kept_text = " ".join(titles)[:MAX_TITLE_CHARS].strip()
    else:
        visible = (block.text.strip() for block in blocks if block.kind not in ("title", "alt", "meta"))
        kept_text = " ".join(filter(None, visible))[: CUT_CHARS[cut_name]].strip()
    if not any(char.isalpha() for char in kept_text):
        return None
    return replace(item, page=replace(item.page, raw=_make_page(kept_text, declared, cut_name == "title")))


def _make_page(text: str, declared: Mapping[str, str], is_title: bool) -> bytes:
    escaped = html.escape(text)
    head = "".join(
        DECLARATION_TEMPLATES[kind].format(html.escape(value))
        for kind, value in declared.items()
        if kind in DECLARATION_TEMPLATES
    )
    lang = declared.get("html-lang") or declared.get("html-xml-lang") or ""
    html_tag = f'<html lang="{html.escape(lang)}">' if lang else "<html>"
    title, body = (escaped, "") if is_title else ("", f"<p>{escaped}</p>")
    return f"<!doctype html>{html_tag}<head>{head}<title>{title}</title></head><body>{body}</body></html>".encode()
