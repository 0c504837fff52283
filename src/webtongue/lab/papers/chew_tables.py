"""Tables 3, 4, 5 and 7 of Chew 2011: its parsers, its converter and the sources of its pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import webtongue
from webtongue import Page
from webtongue.census.config import Config
from webtongue.census.read import read as read_archive
from webtongue.census.read.inputs import expand_inputs
from webtongue.charset import codecs
from webtongue.lab.evaluate.tables import Cell, Table
from webtongue.lab.methods.document import strip_tags
from webtongue.lab.methods.suzuki import Suzuki
from webtongue.lab.papers.character_parser import (
    assume_encoding,
    declared_charset,
    extract_by_characters,
    find_encoding,
)
from webtongue.lab.papers.chew_languages import fold_language
from webtongue.lab.papers.synthetic_pages import ValidationPage
from webtongue.page import content_headers

CHINESE = "杭州旅游：西湖在城市的西边，每年有很多人从各地来这里游览，春天和秋天的风景最好看。"
RUSSIAN = "Библиотека открыта каждый день, и дети приходят сюда после школы читать."
TRUE_CHARSET, FALSE_CHARSET = "windows-1251", "koi8-r"
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
CHARSETS = {"Correct": TRUE_CHARSET, "Wrong": FALSE_CHARSET, "Missing": ""}
TABLE_5 = (("&", "&amp;", "&#38;", "26"), ("β", "&beta;", "&#946;", "CEB2"), ("平", "", "&#24179;", "E5B9B3"))
TABLE_7 = (
    ("Wikipedia", 171, 7511972, 601, 146131), ("iLoveLanguages", 103, 790934, 3634, 18445), ("BBC", 34, 396292, 2990, 61190),
    ("China Radio", 13, 1891896, 9419, 222526), ("Deutsche Welle", 14, 1164620, 5957, 87907),
    ("The Voice of Russia", 26, 1832797, 39198, 103251), ("Voice of America", 22, 1791145, 9674, 87574),
    ("Kidon Media-Link & ABYZ News Links", 1277, 60769702, 135, 1048314), ("Total", 1660, 76149358, None, None),
)  # fmt: skip
ARCHIVE_EXTENSIONS = (".warc", ".arc", ".wacz")


def table_3(model: Suzuki) -> Table:
    """Return table 3: a Chinese page without charset, read with the default of a character parser, with its detector, and by
    bytes."""
    raw = f"<html><body><p>{CHINESE}</p></body></html>".encode("gb2312")
    by_default = raw.decode("utf-8", "replace").replace("\ufffd", "?")
    readings = (
        (
            "characters: no charset, default UTF-8",
            "????; English, Latin, Latin1",
            strip_tags(by_default.encode(), False),
        ),
        (f"characters: Mozilla's detector of today ({assume_encoding(raw)})", None, extract_by_characters(raw)),
        ("bytes", "Chinese, Simplified Chinese, GB2312", strip_tags(raw, False)),
    )
    rows: list[tuple[Cell, ...]] = []
    for name, paper, text in readings:
        answer = model.answer(text)
        beginning = text.decode("gb18030", "replace")[:4]
        is_chinese = " (Chinese of ISO 639-1)" if fold_language(answer.label) == "zho" != answer.label[:3] else ""
        rows.append((name, paper, f"{beginning}; {answer.label}{is_chinese}, {answer.encoding or 'none'}", None))
    verdict = webtongue.identify(raw)
    rows.append(("webtongue", None, None, f"{CHINESE[:4]}; {verdict.label}, {verdict.encoding}"))
    note = (
        "Text rendered (its first four characters), and what it is identified as, with the models of A and B. The Declaration "
        "is there in six varieties of Chinese beside Mandarin, in nearly the same characters, and their models compete; ISO "
        "639-1 counts all as Chinese, and so do all tables here. Of a text of question marks the answer is chance."
    )
    generated = "the page: a sentence of ours in GB2312, its charset left out"
    return Table("table3", "a page without charset information", tuple(rows), ("", "paper", "its method", "webtongue"), note, "",
                 ("table 3",), generated)  # fmt: skip


def make_declaring_page(http: str, xml: str, meta: str) -> Page:
    """Return a Russian page in windows-1251 with the given declarations."""
    head = f'<?xml version="1.0" encoding="{xml}"?>\n' if xml else ""
    tag = f'<meta http-equiv="content-type" content="text/html; charset={meta}">' if meta else ""
    headers = {"content-type": f"text/html; charset={http}" if http else "text/html"}
    return Page(
        f"{head}<html><head>{tag}</head><body><p>{RUSSIAN * 3}</p></body></html>".encode("cp1251"), headers=headers
    )


def table_4() -> Table:
    """Return table 4: every scenario with all values of "any", for the parser with its switch and for webtongue."""
    rows: list[tuple[Cell, ...]] = []
    for *conditions, result in SCENARIOS:
        parser_results, webtongue_results = set(), set()
        for http, xml, meta, default in product(
            *(CHARSETS if conditions[i] == "Any" else [conditions[i]] for i in (0, 2, 3, 4))
        ):
            page = make_declaring_page(CHARSETS[http], CHARSETS[xml], CHARSETS[meta])
            charset = declared_charset(page, conditions[1] == "Yes") or CHARSETS[default]
            parser_results.add("Correct" if charset == TRUE_CHARSET else "Wrong")
            decoded = webtongue.decode(page.raw, headers=page.headers).text
            webtongue_results.add("Correct" if RUSSIAN in decoded else "Wrong")
        rows.append(
            (", ".join(conditions), result, "/".join(sorted(parser_results)), "/".join(sorted(webtongue_results)))
        )
    columns = ("HTTP, override, XML, meta, default", "paper", "its method", "webtongue")
    note = (
        "webtongue has no such switch: it reads the text itself, and what server and page declare are claims that it weighs. Where "
        'both answers stand, it depends on what "any" is.'
    )
    return Table("table4", "how the encoding of a page is determined", tuple(rows), columns, note, "", ("table 4",),
                 "pages: a sentence of ours in windows-1251, every combination of declarations once")  # fmt: skip


def override_table(data: Path) -> Table:
    """Return counts of the charsets that servers and pages declare on real responses, and of readable texts."""
    counts = dict.fromkeys(
        ("pages", "charset by the server", "charset by the page", "both", "both, and they differ"), 0
    )
    readable = {"server": 0, "page": 0}
    for page in read_responses(data):
        counts["pages"] += 1
        server_charset, page_charset = declared_charset(page), declared_charset(page, override_http=True)
        has_http = "charset" in content_headers(page.headers)[0].lower()
        counts["charset by the server"] += has_http
        counts["charset by the page"] += bool(page_charset)
        counts["both"] += bool(has_http and page_charset)
        if has_http and page_charset and server_charset != page_charset:
            counts["both, and they differ"] += 1
            for party, charset in (("server", server_charset), ("page", page_charset)):
                readable[party] += codecs.REPLACEMENT not in codecs.decode(page.raw, find_encoding(charset))
    rows = (
        *counts.items(),
        *((f"of these, text that the {party}'s charset can read", n) for party, n in readable.items()),
    )
    note = (
        "Distinct HTML responses of the archives in `warc`, which test other tools. The paper has no such count; its "
        "table 4 has the switch. Where server and page agree it changes nothing."
    )
    return Table("override", "the server's charset and the page's", rows, ("", "pages"), note, "")


def read_responses(data: Path) -> Iterator[Page]:
    """Yield the HTML pages of the archives with the server's headers, each once."""
    config = Config()
    paths = [
        str(path)
        for path in sorted((data / "warc").rglob("*"))
        if any(name in path.name for name in ARCHIVE_EXTENSIONS)
    ]
    seen_bodies: set[bytes] = set()
    for source in expand_inputs(paths, config):
        for capture in read_archive(source, config):
            is_html = capture.record_type == "response" and "html" in content_headers(capture.headers)[0].lower()
            if is_html and capture.body and capture.body not in seen_bodies:
                seen_bodies.add(capture.body)
                yield Page(capture.body, capture.url, headers=capture.headers)


def table_5() -> Table:
    """Return table 5: the converter's output."""
    rows: list[tuple[Cell, ...]] = []
    for character, name, number, paper in TABLE_5:
        for form in (name, number, f"&#x{ord(character):X};"):
            if form:
                rows.append((form, paper, strip_tags(form.encode(), True).hex().upper()))
    note = "Byte sequences, hexadecimal. The paper's are of the character, whichever way it is referred to."
    return Table(
        "table5", "output of the entity converter", tuple(rows), ("", "paper", "its method"), note, "", ("table 5",)
    )


def table_7(pages: Sequence[ValidationPage], generated: str) -> Table:
    """Return table 7: the sources of the pages."""
    sizes: defaultdict[str, list[int]] = defaultdict(list)
    for page in pages:
        sizes[page.source or "made from sentences"].append(len(page.raw))
    rows: list[tuple[Cell, ...]] = [(f"paper: {name}", *cells) for name, *cells in TABLE_7]
    rows += [
        (f"ours: {name}", len(source_sizes), sum(source_sizes), min(source_sizes), max(source_sizes))
        for name, source_sizes in sorted(sizes.items())
    ]
    all_sizes = [size for source_sizes in sizes.values() for size in source_sizes]
    rows.append(("ours: total", len(all_sizes), sum(all_sizes), min(all_sizes), max(all_sizes)))
    columns = ("", "pages", "bytes", "least", "most")
    note = "Ours are the sets of dev/html, with a maximum for each language, from each set in turn."
    return Table("table7", "sources of the validation corpus", tuple(rows), columns, note, "", ("table 7",), generated)
