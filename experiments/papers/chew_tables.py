"""Tables 3, 4, 5 and 7 of Chew 2011: what its parsers and its converter do, and of what its pages were."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from character_parser import believed, character_text, codec_of, valid_charset
from made_pages import MadePage

import webtongue
from webtongue import Page
from webtongue.census.config import Config
from webtongue.census.read import read as read_archive
from webtongue.census.read.inputs import sources_of
from webtongue.evaluate.tables import Cell, Table
from webtongue.methods.document import tagless
from webtongue.methods.suzuki import Suzuki
from webtongue.page import content_headers

CHINESE = "杭州旅游：西湖在城市的西边，每年有很多人从各地来这里游览，春天和秋天的风景最好看。"
RUSSIAN = "Библиотека открыта каждый день, и дети приходят сюда после школы читать."
RIGHT, FALSE = "windows-1251", "koi8-r"
# Table 4: HTTP header, override, XML declaration, meta element, default of the application, result. "Any" is right, false or
# missing.
SCENARIOS = (
    ("Correct", "No", "Any", "Any", "Any", "Correct"),
    ("Wrong", "No", "Any", "Any", "Any", "Wrong"),
    ("Any", "Yes", "Correct", "Any", "Any", "Correct"),
    ("Any", "Yes", "Wrong", "Any", "Any", "Wrong"),
    ("Any", "Yes", "Missing", "Correct", "Any", "Correct"),
    ("Any", "Yes", "Missing", "Wrong", "Any", "Wrong"),
    ("Any", "Yes", "Missing", "Missing", "Correct", "Correct"),
)
CHARSETS = {"Correct": RIGHT, "Wrong": FALSE, "Missing": ""}
TABLE_5 = (("&", "&amp;", "&#38;", "26"), ("β", "&beta;", "&#946;", "CEB2"), ("平", "", "&#24179;", "E5B9B3"))
TABLE_7 = (
    ("Wikipedia", 171, 7511972, 601, 146131), ("iLoveLanguages", 103, 790934, 3634, 18445), ("BBC", 34, 396292, 2990, 61190),
    ("China Radio", 13, 1891896, 9419, 222526), ("Deutsche Welle", 14, 1164620, 5957, 87907),
    ("The Voice of Russia", 26, 1832797, 39198, 103251), ("Voice of America", 22, 1791145, 9674, 87574),
    ("Kidon Media-Link & ABYZ News Links", 1277, 60769702, 135, 1048314), ("Total", 1660, 76149358, None, None),
)  # fmt: skip
ARCHIVES = (".warc", ".arc", ".wacz")


def table_3(model: Suzuki) -> Table:
    """A Chinese page without charset, by the default of a character parser, by its detector, and by bytes."""
    raw = f"<html><body><p>{CHINESE}</p></body></html>".encode("gb2312")
    by_default = raw.decode("utf-8", "replace").replace("\ufffd", "?")
    readings = (
        ("characters: no charset, default UTF-8", "????; English, Latin, Latin1", tagless(by_default.encode(), False)),
        (f"characters: Mozilla's detector of today ({believed(raw)})", None, character_text(raw)),
        ("bytes", "Chinese, Simplified Chinese, GB2312", tagless(raw, False)),
    )
    rows: list[tuple[Cell, ...]] = []
    for name, paper, text in readings:
        answer = model.answer(text)
        shown = text.decode("gb18030", "replace")[:4]
        rows.append((name, paper, f"{shown}; {answer.label}, {answer.encoding or 'none'}", None))
    verdict = webtongue.identify(raw)
    rows.append(("webtongue", None, None, f"{CHINESE[:4]}; {verdict.label}, {verdict.encoding}"))
    note = "Text rendered (its first four characters), and what it is identified as, with the models of A and B."
    how = "the page: a sentence of ours in GB2312, its charset left out"
    return Table("table3", "a page without charset information", tuple(rows), ("", "paper", "its method", "webtongue"), note, "",
                 ("table 3",), how)  # fmt: skip


def declared(http: str, xml: str, meta: str) -> Page:
    """A Russian page in windows-1251 and what is said of its encoding."""
    head = f'<?xml version="1.0" encoding="{xml}"?>\n' if xml else ""
    tag = f'<meta http-equiv="content-type" content="text/html; charset={meta}">' if meta else ""
    headers = {"content-type": f"text/html; charset={http}" if http else "text/html"}
    return Page(
        f"{head}<html><head>{tag}</head><body><p>{RUSSIAN * 3}</p></body></html>".encode("cp1251"), headers=headers
    )


def table_4() -> Table:
    """Every scenario with all that "any" can be; the parser with its switch, and webtongue."""
    rows: list[tuple[Cell, ...]] = []
    for *given, result in SCENARIOS:
        ours, default_ = set(), set()
        for http, xml, meta, default in product(*(CHARSETS if given[i] == "Any" else [given[i]] for i in (0, 2, 3, 4))):
            page = declared(CHARSETS[http], CHARSETS[xml], CHARSETS[meta])
            found = valid_charset(page, given[1] == "Yes") or CHARSETS[default]
            ours.add("Correct" if found == RIGHT else "Wrong")
            decoded = webtongue.decode(page.raw, headers=page.headers).text
            default_.add("Correct" if RUSSIAN in decoded else "Wrong")
        rows.append((", ".join(given), result, "/".join(sorted(ours)), "/".join(sorted(default_))))
    columns = ("HTTP, override, XML, meta, default", "paper", "its method", "webtongue")
    note = (
        "webtongue has no such switch: it reads the text itself, and what server and page declare are claims that it weighs. Where "
        'both answers stand, it depends on what "any" is.'
    )
    return Table("table4", "how the encoding of a page is determined", tuple(rows), columns, note, "", ("table 4",),
                 "pages: a sentence of ours in windows-1251, every combination of declarations once")  # fmt: skip


def override(data: Path) -> Table:
    """The switch on real responses: what server and page declare, and whether the text can be read so."""
    counts = dict.fromkeys(
        ("pages", "charset by the server", "charset by the page", "both", "both, and they differ"), 0
    )
    readable = {"server": 0, "page": 0}
    for page in responses(data):
        counts["pages"] += 1
        server, own = valid_charset(page), valid_charset(page, override_http=True)
        http = "charset" in content_headers(page.headers)[0].lower()
        counts["charset by the server"] += http
        counts["charset by the page"] += bool(own)
        counts["both"] += bool(http and own)
        if http and own and server != own:
            counts["both, and they differ"] += 1
            for who, name in (("server", server), ("page", own)):
                readable[who] += "\ufffd" not in page.raw.decode(codec_of(name), "replace")
    rows = (*counts.items(), *((f"of these, text that the {who}'s charset can read", n) for who, n in readable.items()))
    note = (
        "Different HTML responses of the archives in `warc`, which test the tools of others. The paper has no such count; its "
        "table 4 has the switch. Where server and page agree it changes nothing."
    )
    return Table("override", "the server's charset and the page's", rows, ("", "pages"), note, "")


def responses(data: Path) -> Iterator[Page]:
    """HTML pages of the archives with the server's headers, each once."""
    config = Config()
    paths = [str(path) for path in sorted((data / "warc").rglob("*")) if any(name in path.name for name in ARCHIVES)]
    seen: set[bytes] = set()
    for source in sources_of(paths, config):
        for capture in read_archive(source, config):
            html = capture.record_type == "response" and "html" in content_headers(capture.headers)[0].lower()
            if html and capture.body and capture.body not in seen:
                seen.add(capture.body)
                yield Page(capture.body, capture.url, headers=capture.headers)


def table_5() -> Table:
    """The converter's output."""
    rows: list[tuple[Cell, ...]] = []
    for character, name, number, paper in TABLE_5:
        for form in (name, number, f"&#x{ord(character):X};"):
            if form:
                rows.append((form, paper, tagless(form.encode(), True).hex().upper()))
    note = "Byte sequences, hexadecimal. The paper's are of the character, whichever way it is referred to."
    return Table(
        "table5", "output of the entity converter", tuple(rows), ("", "paper", "its method"), note, "", ("table 5",)
    )


def table_7(pages: Sequence[MadePage], generated: str) -> Table:
    """Of what the pages are."""
    sizes: defaultdict[str, list[int]] = defaultdict(list)
    for page in pages:
        sizes[page.source or "made from sentences"].append(len(page.raw))
    rows: list[tuple[Cell, ...]] = [(f"paper: {name}", *cells) for name, *cells in TABLE_7]
    rows += [(f"ours: {name}", len(found), sum(found), min(found), max(found)) for name, found in sorted(sizes.items())]
    every = [size for found in sizes.values() for size in found]
    rows.append(("ours: total", len(every), sum(every), min(every), max(every)))
    columns = ("", "pages", "bytes", "least", "most")
    note = "Ours are the sets of dev/html, at most so many pages of a language, from each set in turn."
    return Table("table7", "sources of the validation corpus", tuple(rows), columns, note, "", ("table 7",), generated)
