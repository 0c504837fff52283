"""Pages as they are written: today's way, that of 1998, and a fragment without a head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

__all__ = ["Link", "Sheet", "written"]

RIGHT_TO_LEFT = {"ar", "fa", "he", "ur", "yi"}


@dataclass(frozen=True, slots=True)
class Link:
    url: str
    text: str
    hreflang: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a page says, before it is HTML. ``blocks`` are pairs of an element and its text."""

    title: str
    tag: str  # of the language it is in
    blocks: Sequence[tuple[str, str]]
    lang: str = ""  # as declared
    charset: str = ""  # as declared
    menu: Sequence[Link] = ()
    links: Sequence[Link] = ()
    alternates: Sequence[Link] = ()
    footer: str = ""


def written(sheet: Sheet, style: str) -> str:
    return {"modern": _modern, "old": _old, "bare": _bare}[style](sheet)


def _anchor(link: Link) -> str:
    language = f' hreflang="{link.hreflang}"' if link.hreflang else ""
    return f'<a href="{escape(link.url)}"{language}>{escape(link.text)}</a>'


def _blocks(sheet: Sheet) -> str:
    return "\n".join(f"<{name}>{escape(text, quote=False)}</{name}>" for name, text in sheet.blocks)


def _list(links: Sequence[Link]) -> str:
    return "<ul>\n" + "".join(f"<li>{_anchor(link)}</li>\n" for link in links) + "</ul>" if links else ""


def _modern(sheet: Sheet) -> str:
    lang = f' lang="{escape(sheet.lang)}"' if sheet.lang else ""
    direction = ' dir="rtl"' if sheet.tag in RIGHT_TO_LEFT else ""
    head = [f'<meta charset="{sheet.charset}">'] if sheet.charset else []
    head.append(f"<title>{escape(sheet.title)}</title>")
    head += [
        f'<link rel="alternate" hreflang="{link.hreflang}" href="{escape(link.url)}">' for link in sheet.alternates
    ]
    menu = f"<nav>{_list(sheet.menu)}</nav>\n" if sheet.menu else ""
    links = f"<aside>{_list(sheet.links)}</aside>\n" if sheet.links else ""
    switch = "<p>" + " ".join(map(_anchor, sheet.alternates)) + "</p>\n" if sheet.alternates else ""
    return (
        f"<!DOCTYPE html>\n<html{lang}{direction}>\n<head>\n" + "\n".join(head) + f"\n</head>\n<body>\n{menu}"
        f"<main>\n{_blocks(sheet)}\n</main>\n{links}{switch}<footer>{sheet.footer}</footer>\n</body>\n</html>\n"
    )


def _old(sheet: Sheet) -> str:
    lang = f' LANG="{escape(sheet.lang)}"' if sheet.lang else ""
    meta = f'<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={sheet.charset}">\n' if sheet.charset else ""
    menu = "<BR>\n".join(map(_anchor, sheet.menu))
    return (
        f"<HTML{lang}>\n<HEAD>\n{meta}<TITLE>{escape(sheet.title)}</TITLE>\n</HEAD>\n"
        f'<BODY BGCOLOR="#FFFFFF">\n<TABLE WIDTH=760><TR>\n<TD VALIGN=top WIDTH=150><FONT SIZE=-1>\n{menu}\n</FONT></TD>\n'
        f"<TD VALIGN=top>\n{_blocks(sheet)}\n{_list(sheet.links)}\n</TD></TR></TABLE>\n<HR>\n"
        f"<FONT SIZE=1>{sheet.footer}</FONT>\n</BODY>\n</HTML>\n"
    )


def _bare(sheet: Sheet) -> str:
    return f"{_blocks(sheet)}\n{_list(sheet.links)}\n"
