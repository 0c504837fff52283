"""Render pages in the style of today, in that of 1998, and as a fragment without a head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

__all__ = ["Link", "PageContent", "render"]

RIGHT_TO_LEFT = {"ar", "fa", "he", "ur", "yi"}


@dataclass(frozen=True, slots=True)
class Link:
    url: str
    text: str
    hreflang: str = ""


@dataclass(frozen=True, slots=True)
class PageContent:
    """The content of a page before it is rendered. ``blocks`` are pairs of an element and its text."""

    title: str
    tag: str  # of its language
    blocks: Sequence[tuple[str, str]]
    lang: str = ""  # as declared
    charset: str = ""  # as declared
    menu: Sequence[Link] = ()
    links: Sequence[Link] = ()
    alternates: Sequence[Link] = ()
    footer: str = ""


def render(content: PageContent, style: str) -> str:
    return {"modern": _modern, "old": _legacy, "bare": _bare}[style](content)


def _anchor(link: Link) -> str:
    language = f' hreflang="{link.hreflang}"' if link.hreflang else ""
    return f'<a href="{escape(link.url)}"{language}>{escape(link.text)}</a>'


def _blocks(content: PageContent) -> str:
    return "\n".join(f"<{name}>{escape(text, quote=False)}</{name}>" for name, text in content.blocks)


def _list(links: Sequence[Link]) -> str:
    return "<ul>\n" + "".join(f"<li>{_anchor(link)}</li>\n" for link in links) + "</ul>" if links else ""


def _modern(content: PageContent) -> str:
    lang = f' lang="{escape(content.lang)}"' if content.lang else ""
    direction = ' dir="rtl"' if content.tag in RIGHT_TO_LEFT else ""
    head = [f'<meta charset="{content.charset}">'] if content.charset else []
    head.append(f"<title>{escape(content.title)}</title>")
    head += [
        f'<link rel="alternate" hreflang="{link.hreflang}" href="{escape(link.url)}">' for link in content.alternates
    ]
    menu = f"<nav>{_list(content.menu)}</nav>\n" if content.menu else ""
    links = f"<aside>{_list(content.links)}</aside>\n" if content.links else ""
    switch = "<p>" + " ".join(map(_anchor, content.alternates)) + "</p>\n" if content.alternates else ""
    return (
        f"<!DOCTYPE html>\n<html{lang}{direction}>\n<head>\n" + "\n".join(head) + f"\n</head>\n<body>\n{menu}"
        f"<main>\n{_blocks(content)}\n</main>\n{links}{switch}<footer>{content.footer}</footer>\n</body>\n</html>\n"
    )


def _legacy(content: PageContent) -> str:
    lang = f' LANG="{escape(content.lang)}"' if content.lang else ""
    meta = (
        f'<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={content.charset}">\n' if content.charset else ""
    )
    menu = "<BR>\n".join(map(_anchor, content.menu))
    return (
        f"<HTML{lang}>\n<HEAD>\n{meta}<TITLE>{escape(content.title)}</TITLE>\n</HEAD>\n"
        f'<BODY BGCOLOR="#FFFFFF">\n<TABLE WIDTH=760><TR>\n<TD VALIGN=top WIDTH=150><FONT SIZE=-1>\n{menu}\n</FONT></TD>\n'
        f"<TD VALIGN=top>\n{_blocks(content)}\n{_list(content.links)}\n</TD></TR></TABLE>\n<HR>\n"
        f"<FONT SIZE=1>{content.footer}</FONT>\n</BODY>\n</HTML>\n"
    )


def _bare(content: PageContent) -> str:
    return f"{_blocks(content)}\n{_list(content.links)}\n"
