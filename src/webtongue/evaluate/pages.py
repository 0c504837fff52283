"""Pages whose language is known: the sets of ``dev/html``, whole or cut to a little of their text."""

from __future__ import annotations

import html
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from webtongue import Identifier, labels, markup
from webtongue.coding.decode import decode as decode_text
from webtongue.evaluate.archives import archive
from webtongue.hints.declared import LANGUAGE
from webtongue.hints.domain import registered_domain
from webtongue.page import Inlink, Page
from webtongue.text import TextReader
from webtongue.verdict import Verdict

__all__ = ["CUTS", "FOLDS", "LabelledPage", "cut", "fold_of", "is_right", "labelled_pages", "with_links"]

CUTS: Mapping[str, int] = {"title": 0, "25 characters": 25, "50 characters": 50}
LONGEST_TITLE = 200  # characters
FOLDS = 5  # of sites, for whoever fits something on these pages and measures on them too
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


def fold_of(site: str) -> int:
    """Which fifth of the sites a site is in."""
    return zlib.crc32(site.encode()) % FOLDS


def with_links(pages: Sequence[LabelledPage], alone: Identifier) -> list[LabelledPage]:
    """The pages with the links to them that their set knows; a linking page is in what its text alone says."""
    by_url = {item.page.url: item.page for item in pages if item.row.get("role")}
    known: dict[str, Verdict] = {}
    out = []
    for item in pages:
        links = []
        for row in item.row.get("inlinks") or ():
            url = row["url"]
            if url in by_url and url not in known:
                known[url] = alone.identify(by_url[url].raw)
            found = known.get(url)
            said = found is not None and found.label not in labels.SPECIAL
            links.append(
                Inlink(
                    url, found.label if found and said else "", found.confidence if found and said else 1.0,
                    row.get("anchor") or "",
                )
            )  # fmt: skip
        out.append(replace(item, page=replace(item.page, inlinks=tuple(links))) if links else item)
    return out


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
