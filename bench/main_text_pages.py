# ruff: noqa: E501
"""Two hundred pages with marked main text: ten designs of articles, forums, shops and documentation in 20 languages.

The texts are in main_text.txt. A design is a function that writes a page and marks what a reader came for: headings, paragraphs,
items, tables, quotations and code. Menus, bylines, teasers, forms, signatures, banners and footers are not marked. Pages are the
same in every run.

    python bench/main_text_pages.py FOLDER      # writes the pages and their main texts as files, to look at them
"""

from __future__ import annotations

import html
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

FILE = Path(__file__).with_name("main_text.txt")
COMMANDS = (
    "make install PREFIX=/opt/tools",
    "tool --list --all",
    "cp config.example.toml config.toml",
    "tool run --fast",
)
NAMES = ("Anna", "mk77", "Jonas B.", "river_fan", "Li", "Tariq", "Ewa", "old-sailor")


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of one language, by kind."""

    language: str
    kinds: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """A page and its main text, a line for each block."""

    language: str
    design: str
    html: str
    main: tuple[str, ...]


class Writer:
    """Draws texts of a language for one page, and records which of them are main text."""

    def __init__(self, texts: Texts, rng: random.Random) -> None:
        self.texts, self.rng = texts, rng
        self.main: list[str] = []
        self._headings = rng.sample(texts.kinds["h"], len(texts.kinds["h"]))

    def draw(self, kind: str) -> str:
        return self.rng.choice(self.texts.kinds[kind])

    def mark(self, text: str) -> str:
        """Record a main text, and return it for the page."""
        self.main.append(text)
        return html.escape(text, quote=False)

    def sentences(self, low: int = 2, high: int = 4) -> str:
        gap = "" if self.texts.language in ("zh", "ja") else " "
        return gap.join(self.rng.sample(self.texts.kinds["s"], self.rng.randint(low, high)))

    def paragraph(self, low: int = 2, high: int = 4) -> str:
        return self.mark(self.sentences(low, high))

    def heading(self) -> str:
        return self.mark(self._headings.pop() if self._headings else self.draw("h"))

    def items(self, count: int = 4) -> list[str]:
        return [self.mark(text) for text in self.rng.sample(self.texts.kinds["i"], count)]

    def cells(self) -> list[tuple[str, str]]:
        """Return rows of a table of properties."""
        names, values = self.texts.kinds["t"][:3], self.texts.kinds["t"][3:]
        rows = [(names[0], f"{self.rng.randint(2, 90)} kg"), (names[1], f"{self.rng.randint(20, 240)} cm")]
        rows.append((names[2], self.rng.choice(values)))
        return [(self.mark(name), self.mark(value)) for name, value in rows]

    def menu(self, tag: str = "li") -> str:
        links = (f'<a href="/{i}">{html.escape(name)}</a>' for i, name in enumerate(self.texts.kinds["n"]))
        return "".join(f"<{tag}>{link}</{tag}>" for link in links)

    def teasers(self, tag: str = "p") -> str:
        return "".join(f'<{tag}><a href="/t{i}">{text}</a></{tag}>' for i, text in enumerate(self.texts.kinds["e"]))

    def page(self, body: str, head: str = "") -> str:
        title = self.main[0] if self.main else self.draw("h")
        consent = self.texts.kinds["c"][0]
        return (
            f'<!DOCTYPE html>\n<html lang="{self.texts.language}"><head><meta charset="utf-8"><title>{title}</title>{head}'
            f"<style>body{{margin:0}} .x{{color:#333}}</style><script>var a = '<p>';</script></head>\n<body>{body}"
            f'<div id="cookie-banner" class="cc-window"><p>{consent}</p><button>OK</button></div></body></html>'
        )


def news(w: Writer) -> str:
    """An article in HTML5 with semantic elements."""
    heading = w.heading()
    parts = [f"<h1>{heading}</h1><p class='byline'>{w.rng.choice(NAMES)}, 12.03.2024</p>"]
    parts.append(f"<p class='lead'><strong>{w.paragraph(1, 2)}</strong></p>")
    parts.append(f"<figure><img src=/a.jpg alt=''><figcaption>{w.mark(w.draw('i'))}</figcaption></figure>")
    parts += [f"<p>{w.paragraph()}</p>" for _ in range(w.rng.randint(2, 4))]
    parts.append(f"<h2>{w.heading()}</h2><p>{w.paragraph()}</p><blockquote><p>{w.mark(w.draw('q'))}</p></blockquote>")
    parts.append(f"<ul>{''.join(f'<li>{item}</li>' for item in w.items())}</ul><p>{w.paragraph()}</p>")
    share = "<div class='share-buttons'><a href=#>Facebook</a> <a href=#>X</a> <a href=#>WhatsApp</a></div>"
    return w.page(
        f"<header><a href=/>{w.rng.choice(NAMES)} Post</a><nav><ul>{w.menu()}</ul></nav></header><main><article>"
        f"{''.join(parts)}{share}</article><aside class='related'><h3>{w.draw('n')}</h3>{w.teasers()}</aside></main>"
        f"<footer><p>{w.texts.kinds['f'][0]}</p><ul>{w.menu()}</ul></footer>"
    )


def blog(w: Writer) -> str:
    """A blog made of div elements with classes, and a side bar with texts."""
    post = [f'<h1 class="entry-title">{w.heading()}</h1><div class="meta">12 / 03 / 2024 | {w.rng.choice(NAMES)}</div>']
    post.append('<div class="entry-content">')
    for number in range(w.rng.randint(3, 5)):
        post.append(f"<p>{w.paragraph()}</p>" + (f"<h3>{w.heading()}</h3>" if number == 1 else ""))
    post.append(f"<ol>{''.join(f'<li><p>{item}</p></li>' for item in w.items(3))}</ol></div>")
    side = f"<div class=widget><h4>{w.draw('n')}</h4><p>{w.sentences(1, 1)}</p></div><div class=widget><ul>{w.teasers('li')}</ul></div>"
    return w.page(
        f'<div id="header"><div class="logo">{w.rng.choice(NAMES)}</div><ul class="menu">{w.menu()}</ul></div><div id="wrapper">'
        f'<div id="content"><div class="post">{"".join(post)}<div class="tags"><a href=#>{w.draw("n")}</a></div></div></div>'
        f'<div id="sidebar">{side}</div></div><div id="footer">{w.texts.kinds["f"][0]}</div>'
    )


def table_layout(w: Writer) -> str:
    """An old page: layout by tables, paragraphs separated by line breaks, font elements."""
    title = w.heading()
    text = "<br><br>\n".join(w.paragraph() for _ in range(w.rng.randint(3, 5)))
    second = w.heading()
    more = f"{w.paragraph()}<p>{w.paragraph()}"
    menu = "".join(f"<tr><td bgcolor=#eeeeee>{cell}</td></tr>" for cell in w.menu("b").split("</b>") if cell)
    return w.page(
        f"<table width=100% border=0><tr><td colspan=2><font size=5>{w.rng.choice(NAMES)}.net</font></td></tr><tr><td width=150 valign=top>"
        f"<table>{menu}</table></td><td valign=top><h2>{title}</h2><font face=Arial size=2>{text}</font><br><br><b>{second}</b><br>"
        f"<font face=Arial size=2>{more}</font></td></tr><tr><td colspan=2 align=center><small>{w.texts.kinds['f'][0]}</small></td></tr></table>"
    )


def forum(w: Writer) -> str:
    """A thread of a forum made of div elements."""
    posts = [f"<h1>{w.heading()}</h1>"]
    for number in range(w.rng.randint(4, 6)):
        quote = ""
        if number in (1, 3):
            quote = f"<blockquote><cite>{w.rng.choice(NAMES)}:</cite><p>{w.mark(w.draw('s'))}</p></blockquote>"
        text = w.mark(w.draw("r")) if number % 2 else w.paragraph(1, 3)
        posts.append(
            f'<div class="post" id="p{number}"><div class="postprofile"><b>{w.rng.choice(NAMES)}</b><span>#{number + 1}</span>'
            f'<span>12.03.2024 1{number}:20</span></div><div class="postbody">{quote}<p>{text}</p></div>'
            f'<div class="signature">-- {w.rng.choice(NAMES)} --</div><ul class="post-buttons"><li><a href=#>+1</a></li></ul></div>'
        )
    return w.page(
        f'<div class="navbar"><ul>{w.menu()}</ul></div><div class="breadcrumbs"><a href=/>{w.draw("n")}</a> &raquo; <a href=/f>{w.draw("n")}</a></div>'
        f'<div id="page-body">{"".join(posts)}<div class="pagination"><a href=?2>2</a> <a href=?3>3</a></div></div>'
        f'<form action=/login><label>{w.draw("n")}</label><input name=u></form><div class="footer">{w.texts.kinds["f"][0]}</div>'
    )


def forum_table(w: Writer) -> str:
    """A thread of a forum in a table: a cell for the member, a cell for the text."""
    title = w.heading()
    rows = []
    for number in range(w.rng.randint(4, 6)):
        text = w.paragraph(1, 2) if number % 2 == 0 else w.mark(w.draw("r"))
        more = f"<br><br>{w.paragraph(1, 2)}" if number == 2 else ""
        rows.append(
            f"<tr class=row{number % 2}><td class=author><b>{w.rng.choice(NAMES)}</b><br>{w.rng.randint(3, 900)}</td>"
            f"<td><span class=date>12.03.2024</span><hr><span class=postbody>{text}{more}</span></td></tr>"
        )
    return w.page(
        f"<table class=bodyline><tr><td><table><tr>{w.menu('td')}</tr></table><h2><a href=/topic>{title}</a></h2>"
        f"<table class=forumline>{''.join(rows)}</table><p align=center>{w.texts.kinds['f'][0]}</p></td></tr></table>"
    )


def shop(w: Writer) -> str:
    """A product with a description, a table of properties and reviews."""
    name = w.heading()
    description = (
        f"<p>{w.paragraph()}</p><ul>{''.join(f'<li>{item}</li>' for item in w.items(3))}</ul><p>{w.paragraph(1, 2)}</p>"
    )
    table = "".join(f"<tr><th>{key}</th><td>{value}</td></tr>" for key, value in w.cells())
    reviews = "".join(
        f'<div class="review"><span class="stars">*****</span><span class="author">{w.rng.choice(NAMES)}</span><p>{text}</p></div>'
        for text in [w.paragraph(1, 2), w.mark(w.draw("r")), w.paragraph(1, 1)]
    )
    cards = "".join(
        f'<li class="card"><a href=#><h4>{text}</h4></a><span>19,90</span></li>' for text in w.texts.kinds["e"]
    )
    return w.page(
        f'<header><nav>{w.menu("span")}</nav><form class="search"><input><button>{w.draw("n")}</button></form></header>'
        f'<div class="breadcrumb"><a href=/>{w.draw("n")}</a> / <a href=/c>{w.draw("n")}</a></div><main><div class="product"><h1>{name}</h1>'
        f'<div class="price">149,00</div><button>{w.texts.kinds["t"][5]}</button><div class="description">{description}</div>'
        f'<table class="specs">{table}</table><section id="reviews">{reviews}</section></div><section class="recommendations"><ul>{cards}</ul></section>'
        f'</main><div class="newsletter"><p>{w.sentences(1, 1)}</p><form><input type=email></form></div><footer>{w.texts.kinds["f"][0]}</footer>'
    )


def shop_tabs(w: Writer) -> str:
    """A product in nested div elements with a list of properties and a side column on delivery."""
    name = w.heading()
    text = f"<div>{w.paragraph()}</div><div>{w.paragraph(1, 3)}</div>"
    properties = "".join(f"<dt>{key}</dt><dd>{value}</dd>" for key, value in w.cells())
    return w.page(
        f'<div class="top"><ul class="mainmenu">{w.menu()}</ul></div><div class="cols"><div class="side-col"><div class="box delivery">'
        f'<b>{w.draw("n")}</b><div>{w.sentences(1, 1)}</div></div><ul class="categories">{w.menu()}</ul></div><div class="main-col"><div class="title">'
        f'<h1 itemprop="name">{name}</h1></div><div class="offer"><span>EUR 24,50</span><a href=/buy>{w.draw("n")}</a></div>'
        f'<div class="tab" itemprop="description">{text}</div><div class="tab"><dl>{properties}</dl></div></div></div>'
        f'<div class="also"><b>{w.draw("n")}</b>{w.teasers("div")}</div><div class="bottom">{w.texts.kinds["f"][0]}</div>'
    )


def documentation(w: Writer) -> str:
    """A page of a manual with a table of contents, steps, code, notes and a table."""
    parts = [f"<h1>{w.heading()}</h1><p>{w.paragraph()}</p>"]
    parts.append(f"<h2>{w.heading()}</h2><ol>{''.join(f'<li>{item}</li>' for item in w.items(4))}</ol>")
    parts.append(f"<pre><code>{w.mark(w.rng.choice(COMMANDS))}</code></pre><p>{w.paragraph(1, 2)}</p>")
    parts.append(f'<div class="admonition note"><p>{w.paragraph(1, 2)}</p></div><h2>{w.heading()}</h2>')
    rows = "".join(f"<tr><td><code>{key}</code></td><td>{value}</td></tr>" for key, value in w.cells())
    parts.append(f"<table><tbody>{rows}</tbody></table><p>{w.paragraph()}</p>")
    contents = "".join(
        f'<li><a href="#s{i}">{html.escape(text)}</a></li>'
        for i, text in enumerate(w.texts.kinds["h"] + w.texts.kinds["e"])
    )
    return w.page(
        f'<div class="topbar"><a href=/>{w.rng.choice(NAMES)} Docs</a><input placeholder="{w.draw("n")}"></div><div class="sidebar"><ul>{contents}</ul></div>'
        f'<div class="document" role="main">{"".join(parts)}</div><div class="prev-next"><a href=/p>{w.draw("h")}</a> <a href=/n>{w.draw("h")}</a></div>'
        f'<div class="footer">{w.texts.kinds["f"][0]}</div>'
    )


def reference(w: Writer) -> str:
    """A reference of commands as a list of definitions, with short paragraphs."""
    entries = []
    for command in w.rng.sample(COMMANDS, 3):
        entries.append(f"<dt><code>{w.mark(command)}</code></dt><dd><p>{w.paragraph(1, 2)}</p>")
        rows = "".join(f"<tr><td>{key}</td><td>{value}</td></tr>" for key, value in w.cells())
        entries.append(f"<table>{rows}</table></dd>")
    body = "".join(entries)
    return w.page(
        f"<nav class='toc'><ul>{w.menu()}</ul></nav><section><dl>{body}</dl><p>{w.paragraph(1, 2)}</p><blockquote>{w.mark(w.draw('q'))}</blockquote>"
        f"</section><footer>{w.texts.kinds['f'][0]}</footer>"
    )


def wiki(w: Writer) -> str:
    """An article of an encyclopedia with an infobox, sections, a table and references."""
    heading = w.heading()
    box = "".join(f"<tr><th>{key}</th><td>{value}</td></tr>" for key, value in w.cells())
    parts = [f"<p>{w.paragraph()}</p><p>{w.paragraph()}</p>"]
    contents = "".join(
        f'<li><a href="#{i}">{i} {html.escape(text)}</a></li>' for i, text in enumerate(w.texts.kinds["h"])
    )
    for _ in range(2):
        parts.append(
            f'<h2>{w.heading()}<span class="edit">[<a href=#>+</a>]</span></h2><p>{w.paragraph()}<sup><a href=#r>[1]</a></sup></p>'
        )
    parts.append(f"<ul>{''.join(f'<li>{item}</li>' for item in w.items(4))}</ul>")
    rows = "".join(f"<tr><td>{key}</td><td>{value}</td></tr>" for key, value in w.cells())
    return w.page(
        f'<div id="mw-head"><ul>{w.menu()}</ul></div><div id="content"><h1>{heading}</h1><table class="infobox">{box}</table>{parts[0]}'
        f'<div id="toc" class="toc"><ul>{contents}</ul></div>{"".join(parts[1:])}<table class="wikitable">{rows}</table>'
        f'<div id="catlinks"><a href=#>{w.draw("n")}</a> | <a href=#>{w.draw("n")}</a></div></div><div id="p-navigation"><ul>{w.menu()}</ul></div>'
        f'<div id="footer"><ul><li>{w.texts.kinds["f"][0]}</li></ul></div>'
    )


DESIGNS: dict[str, Callable[[Writer], str]] = {
    "news": news, "blog": blog, "table layout": table_layout, "forum": forum, "forum table": forum_table, "shop": shop,
    "shop tabs": shop_tabs, "documentation": documentation, "reference": reference, "wiki": wiki,
}  # fmt: skip


def read_texts() -> list[Texts]:
    """Return the texts of all languages."""
    texts: list[Texts] = []
    for line in FILE.read_text("utf-8").splitlines():
        if line.startswith("["):
            texts.append(Texts(line.strip("[]")))
        elif not line.startswith("#"):
            kind, _, value = line.partition(": ")
            values = [value] if kind in "sqcf" else value.split("|")
            texts[-1].kinds.setdefault(kind, []).extend(values)
    return texts


def marked_pages() -> Iterator[MarkedPage]:
    """Yield the pages: every design in every language."""
    for texts in read_texts():
        for name, design in DESIGNS.items():
            writer = Writer(texts, random.Random(f"{texts.language} {name}"))
            source = design(writer)
            yield MarkedPage(texts.language, name, source, tuple(writer.main))


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for page in marked_pages():
        stem = folder / f"{page.language}-{page.design.replace(' ', '-')}"
        stem.with_suffix(".html").write_text(page.html, "utf-8")
        stem.with_suffix(".txt").write_text("\n".join(page.main) + "\n", "utf-8")


if __name__ == "__main__":
    main()
