"""Pages whose language is known: the sets of ``dev/html``, whole or cut to a little of their text."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from webtongue import labels, markup
from webtongue.coding.decode import decode as decode_text
from webtongue.evaluate.archives import archive
from webtongue.hints.declared import LANGUAGE
from webtongue.hints.domain import registered_domain
from webtongue.page import Page
from webtongue.text import TextReader

__all__ = ["CUTS", "LabelledPage", "cut", "is_right", "labelled_pages"]

CUTS: Mapping[str, int] = {"title": 0, "25 characters": 25, "50 characters": 50}
LONGEST_TITLE = 200  # characters
# How each form of a declaration is written in a page that is made.
FORMS = {
    "meta-content-language": '<meta http-equiv="Content-Language" content="{}">',
    "og-locale": '<meta property="og:locale" content="{}">',
    "dc-language": '<meta name="dc.language" content="{}">',
    "meta-language": '<meta name="language" content="{}">',
    "jsonld-inlanguage": '<script type="application/ld+json">{{"inLanguage": "{}"}}</script>',
}


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page, what it is in (any of ``wanted``), and the site it is of: pages of one site are no independent samples."""

    set: str
    name: str
    page: Page
    wanted: frozenset[str]
    site: str
    row: Mapping[str, Any]


def labelled_pages(folder: Path) -> Iterator[LabelledPage]:
    """Every page of the folder's sets that has a label to be trusted."""
    for path in sorted(folder.glob("*.tar.xz")):
        files, rows = archive(path)
        name = path.name.removesuffix(".tar.xz")
        known = {row.get("path"): row for row in rows}
        for file, raw in sorted(files.items()):
            row = known.get(file, {})
            if not raw or not row.get("label") or row.get("trusted") is False:
                continue
            wanted = frozenset(str(labels.fold(label)) for label in (row["label"], *(row.get("accept") or ())))
            page = Page(raw, row.get("url"))
            yield LabelledPage(name, file, page, wanted, f"{name}/{_site(file, row)}", row)


def _site(file: str, row: Mapping[str, Any]) -> str:
    """The site or, of pages whose address is not known, the package or the file."""
    url = row.get("url")
    return (registered_domain(url) if url else "") or row.get("site") or row.get("source") or file


def is_right(label: str, wanted: Iterable[str]) -> bool:
    """Whether an answer is what was wanted, or a member of a group that was."""
    return any(
        label == name
        or (label in labels.members(name.partition("_")[0]) and label.partition("_")[2] == name.partition("_")[2])
        for name in wanted
    )


def cut(item: LabelledPage, how: str, reader: TextReader) -> LabelledPage | None:
    """The page cut to its title or to the first characters of its text, what it declares kept; None where there is no such text."""
    scanned = markup.read(item.page)
    if scanned.reason:
        return None
    declared = {claim.kind: claim.value for claim in reversed(scanned.claims) if claim.kind in LANGUAGE}
    blocks = decode_text(scanned, reader)[0].blocks
    titles = [block.text for block in blocks if block.kind == "title"]
    if how == "title":
        shown = " ".join(titles)[:LONGEST_TITLE].strip()
    else:
        visible = (block.text.strip() for block in blocks if block.kind not in ("title", "alt", "meta"))
        shown = " ".join(filter(None, visible))[: CUTS[how]].strip()
    if not any(char.isalpha() for char in shown):
        return None
    return replace(item, page=replace(item.page, raw=_page(shown, declared, how == "title")))


def _page(shown: str, declared: Mapping[str, str], is_title: bool) -> bytes:
    escaped = html.escape(shown)
    head = "".join(FORMS[kind].format(html.escape(value)) for kind, value in declared.items() if kind in FORMS)
    lang = declared.get("html-lang") or declared.get("html-xml-lang") or ""
    opened = f'<html lang="{html.escape(lang)}">' if lang else "<html>"
    title, body = (escaped, "") if is_title else ("", f"<p>{escaped}</p>")
    return f"<!doctype html>{opened}<head>{head}<title>{title}</title></head><body>{body}</body></html>".encode()
