"""What a crawl has beside plain pages: hubs, pages in two languages, codes that are none, errors, things that are no text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from crawl.html import Link, Sheet, written
from crawl.pages import Page
from crawl.sites import COUNTRIES, address, number_of
from crawl.texts import Language
from crawl.warc import Capture

__all__ = ["oddities"]

EXAMPLES = Path(__file__).parents[1] / "pages"
Texts = Mapping[str, Language]

TYPES = {
    "html": "text/html",
    "text": "text/plain",
    "xml": "text/xml",
    "xhtml": "application/xhtml+xml",
    "binary": "text/html",
}
ELSEWHERE = {"uk": "GB", "com": "US", "org": "US", "net": "US"}  # countries of names that are no code of one
HUB_LINKS = 14
# Pairs of a main language and another, which has a quarter of the page.
MIXED = (
    ("deu_Latn", "eng_Latn", "de"), ("isl_Latn", "eng_Latn", "is"), ("ara_Arab", "fra_Latn", "ma"),
    ("jpn_Jpan", "eng_Latn", "jp"), ("hin_Deva", "eng_Latn", "in"), ("cym_Latn", "eng_Latn", "co.uk"),
    ("kaz_Cyrl", "rus_Cyrl", "kz"), ("spa_Latn", "eus_Latn", "es"),
)  # fmt: skip
LEVEL = (("deu_Latn", "ita_Latn"), ("ell_Grek", "tur_Latn"))  # as long as each other
# What people write for a language: wrong codes, countries, names, leftovers of templates (Cai 2009, 6.2.1).
CODES = {
    "jp": "jpn_Jpan", "cz": "ces_Latn", "dk": "dan_Latn", "gr": "ell_Grek", "ua": "ukr_Cyrl", "se": "swe_Latn", "kr": "kor_Hang",
    "{{ page.lang }}": "fra_Latn", "german": "deu_Latn", "zz": "est_Latn", "c": "nld_Latn", "en_US.UTF-8": "eng_Latn",
}  # fmt: skip
# A server's words: English, and nothing of the site, so that no label is right or wrong.
NOTICE = "<html><head><title>{0}</title></head>\r\n<body>\r\n<center><h1>{0}</h1></center>\r\n<hr>nginx\r\n</body></html>\r\n"
NOTICES = (
    ("https://comune.example.it/vecchio", 404, "404 Not Found"),
    ("https://shahr.example.ir/old", 403, "403 Forbidden"),
    ("https://gorod.example.ru/search", 500, "500 Internal Server Error"),
    ("https://machi.example.jp/x", 503, "503 Service Temporarily Unavailable"),
)
MISSING = (
    ("isl_Latn", "https://bokasafn.example.is/tynt", "Síðan fannst ekki"),
    ("rus_Cyrl", "https://gorod.example.ru/net", "Страница не найдена"),
    ("fin_Latn", "https://kaupunki.example.fi/poissa", "Sivua ei löytynyt"),
)
PIXEL = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b")
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n%%EOF\n"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
ROBOTS = b"User-agent: *\nDisallow: /cgi-bin/\nDisallow: /tmp/\n"
SCRIPT = b"for(let i=0;i<9;++i){if(a[i]!=b[i])f(a[i],b[i]);}\n"
NO_TEXT = (
    ("https://town.example.org/pixel.gif", "image/gif", PIXEL, "an image"),
    ("https://mairie.example.fr/plan.pdf", "application/pdf", PDF, "a PDF"),
    ("https://kommun.example.se/site.css", "text/css", b"body{margin:0}\nnav li{display:inline}\n", "a style sheet"),
    ("https://kommun.example.se/site.js", "text/javascript", SCRIPT, "a script"),
    ("https://api.example.net/v1/tides", "application/json", b'{"t":[1,2,3],"h":[0.4,1.9,2.2],"ok":true}\n', "JSON"),
    ("https://town.example.org/robots.txt", "text/plain", ROBOTS, "robots.txt"),
    ("https://gorod.example.ru/robots.txt", "text/plain", ROBOTS, "robots.txt"),
    ("https://town.example.org/logo.png", "text/html", PNG, "an image that the server calls HTML"),
    ("https://kota.example.co.id/a.zip", "application/zip", b"PK\x05\x06" + bytes(18), "an archive"),
)


def oddities(texts: Texts, pages: Sequence[Page]) -> Iterator[Capture]:
    yield from _examples()
    yield from _hubs(texts["eng_Latn"], pages)
    yield from _mixed(texts)
    yield from _codes(texts)
    yield from _statuses(texts)
    yield from _no_text()
    yield from _emptiness(texts)
    yield from _places(texts)
    yield from _other_records(texts)


def odd(url: str, html: str, label: str, tests: str, **more: Any) -> Capture:
    """A page in UTF-8 at the country of its name."""
    country = more.pop("country", country_of(url))
    ip = more.pop("ip", address(urlsplit(url).netloc, country))
    return Capture(url, html.encode(), label, tests, ip=ip, country=country, encoding="utf-8", **more)


def country_of(url: str) -> str:
    end = (urlsplit(url).hostname or "").rpartition(".")[2]
    code = ELSEWHERE.get(end, end.upper())
    return code if code in COUNTRIES else "US"


def text_of(language: Language, topics: Sequence[int]) -> list[tuple[str, str]]:
    return [
        block for topic in topics for block in (("h2", language.headings[topic]), ("p", language.paragraphs[topic]))
    ]


def page_of(language: Language, topics: Sequence[int] = (0, 1), *, lang: str = "", title: str = "") -> str:
    sheet = Sheet(title or language.headings[topics[0]], language.tag, text_of(language, topics), lang, "utf-8")
    return written(sheet, "modern")


def _examples() -> Iterator[Capture]:
    """examples/pages as they are: 50 labels, and most of the encodings there are."""
    for line in (EXAMPLES / "index.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        headers = {"content-type": TYPES[row["kind"]]} | row.get("headers", {})
        yield Capture(
            url=row["url"],
            body=(EXAMPLES / row["file"]).read_bytes(),
            label=row["label"],
            tests=row["note"],
            clear=len(row["label"]) > 3,
            headers=tuple((name.title(), value) for name, value in headers.items()),
            ip=address(row["url"], country_of(row["url"])),
            country=country_of(row["url"]),
            encoding=row["encoding"] or "",
        )


def _hubs(english: Language, pages: Sequence[Page]) -> Iterator[Capture]:
    """English pages that link to all the others, half of the links with the language they lead to."""
    others = sorted(
        (page for page in pages if page.language is not english), key=lambda page: number_of("hub", page.url)
    )
    for place in range(0, len(others), HUB_LINKS * 4):
        links = [
            Link(page.url, page.heading, page.language.tag if number_of(page.url) % 2 else "")
            for page in others[place : place + HUB_LINKS]
        ]
        topics = [(place + i) % len(english.headings) for i in (0, 1)]
        sheet = Sheet("Towns of the world", "en", text_of(english, topics), "en", "utf-8", links=links)
        url = f"https://directory.example.org/{place // HUB_LINKS + 1}"
        yield odd(url, written(sheet, "modern"), "eng_Latn", "an English hub: links to every language", clear=True)


def _mixed(texts: Texts) -> Iterator[Capture]:
    for main, other, end in MIXED:
        blocks = [("h1", texts[main].headings[0]), *text_of(texts[main], [0, 1, 2]), *text_of(texts[other], [1])]
        html = written(Sheet(texts[main].headings[0], texts[main].tag, blocks, charset="utf-8"), "modern")
        url = f"https://two.example.{end}/{texts[other].tag}"
        yield odd(url, html, main, "three quarters one language, one quarter another", languages=(main, other))
    for first, second in LEVEL:
        a, b = texts[first], texts[second]
        html = "<!DOCTYPE html><meta charset=utf-8><title>2026</title>"
        for language in (a, b):
            paragraphs = "".join(f"<p>{language.paragraphs[topic]}</p>" for topic in (0, 1, 2))
            html += f'<div lang="{language.tag}">{paragraphs}</div>'
        url = f"https://level.example.com/{a.tag}-{b.tag}"
        yield odd(url, html, "mul", "half one language, half another", languages=(first, second))
    five = ("eng_Latn", "fra_Latn", "rus_Cyrl", "tur_Latn", "vie_Latn")
    welcome = "".join(f'<p lang="{texts[label].tag}">{texts[label].paragraphs[1]}</p>' for label in five)
    html = f"<!DOCTYPE html><meta charset=utf-8><title>2026</title>{welcome}"
    yield odd("https://five.example.org/", html, "mul", "five languages, none holds the page", languages=five)


def _codes(texts: Texts) -> Iterator[Capture]:
    for place, (code, label) in enumerate(CODES.items()):
        url = f"https://codes.example.com/{place + 1}"
        yield odd(
            url,
            page_of(texts[label], (1, 0), lang=code),
            label,
            f'lang="{code}": no code of a language, or of another',
            clear=True,
        )


def _statuses(texts: Texts) -> Iterator[Capture]:
    moved = (("Content-Type", "text/html"), ("Location", "https://mesto.example.cz/"))
    html = NOTICE.format("301 Moved Permanently")
    yield odd("http://mesto.example.cz/", html, "", "a redirect", status=301, headers=moved)
    html = NOTICE.format("302 Found")
    yield odd("https://grad.example.hr/staro", html, "", "a redirect", status=302, headers=moved)
    yield odd("https://kommune.example.dk/gammel", "", "und", "a redirect without a body", status=308, headers=moved)
    for url, status, words in NOTICES:
        yield odd(url, NOTICE.format(words), "", f"a server's notice, {status}", status=status)
    for label, url, title in MISSING:
        html = page_of(texts[label], (0,), lang=texts[label].tag, title=title)
        yield odd(url, html, label, "a site's own page for what is missing", status=404)


def _no_text() -> Iterator[Capture]:
    for url, kind, body, tests in NO_TEXT:
        yield replace(odd(url, "", "zxx", tests, headers=(("Content-Type", kind),)), body=body, encoding="")


def _emptiness(texts: Texts) -> Iterator[Capture]:
    script = '<!DOCTYPE html><html lang="de"><div id="app"></div><script src="/app.js"></script>'
    yield odd("https://empty.example.de/", "", "und", "an empty body")
    yield odd("https://empty.example.fr/", " \r\n\t\r\n", "und", "white space")
    yield odd("https://empty.example.at/", script, "und", "a page that a script draws")
    numbers = "".join(f"<td>{number_of(i) % 1000}</td>" for i in range(80))
    yield odd("https://empty.example.ch/", f"<table><tr>{numbers}</table>", "zxx", "numbers only")
    for label, end in (("rus_Cyrl", "ru"), ("ell_Grek", "gr")):
        lost = page_of(texts[label], (0, 1)).encode("ascii", "replace").decode()
        tests = "every letter lost to a question mark: damaged (Cai 2009, 5.1.3)"
        yield odd(f"https://lost.example.{end}/", lost, "und", tests)
    lost = page_of(texts["hun_Latn"], (0, 1)).encode("ascii", "replace").decode()
    yield odd("https://lost.example.hu/", lost, "hun_Latn", "accented letters lost to question marks")
    for label, end in (("ukr_Cyrl", "ua"), ("swe_Latn", "se")):
        wrong = page_of(texts[label], (0, 1)).encode().decode("cp1252", "replace").replace("\ufffd", "")
        yield odd(f"https://twice.example.{end}/", wrong, label, "decoded wrongly and written as utf-8 again")


def _places(texts: Texts) -> Iterator[Capture]:
    """Addresses of other kinds, and what may be said of the address of a server."""
    html = page_of(texts["ces_Latn"], (0, 2))
    yield odd("http://192.0.2.10/", html, "ces_Latn", "the host is a number", clear=True)
    yield odd(
        "https://xn--bcher-kva.example.de:8443/",
        page_of(texts["deu_Latn"], (0, 2)),
        "deu_Latn",
        "a host in Punycode, a port",
        clear=True,
    )
    yield odd(
        "https://nowhere.example.net/",
        page_of(texts["swe_Latn"], (1, 2)),
        "swe_Latn",
        "an address that no country has",
        country="",
        clear=True,
    )
    yield odd(
        "https://noip.example.net/",
        page_of(texts["pol_Latn"], (1, 2)),
        "pol_Latn",
        "no address of a server",
        country="",
        ip="",
        clear=True,
    )
    yield odd(
        "https://badip.example.net/",
        page_of(texts["tur_Latn"], (1, 2)),
        "tur_Latn",
        "an address that is none",
        country="",
        ip="localhost",
        clear=True,
    )
    twin = page_of(texts["nld_Latn"], (0, 2), lang="nl")
    yield odd("https://twin.example.nl/", twin, "nld_Latn", "the same page at two addresses", clear=True)
    yield odd("https://www.twin.example.nl/index.html", twin, "nld_Latn", "the same page at two addresses", clear=True)


def _other_records(texts: Texts) -> Iterator[Capture]:
    for label, end, why in (
        ("por_Latn", "pt", "length"),
        ("ben_Beng", "com.bd", "disconnect"),
        ("jpn_Jpan", "co.jp", "time"),
    ):
        cut = page_of(texts[label], (0, 1, 2)).encode()[:-601]
        whole = odd(f"https://cut.example.{end}/", "", label, f"cut off ({why}), within a character", clear=True)
        yield replace(whole, body=cut, fields={"WARC-Truncated": why})
    saved = odd(
        "file:///saved/norsk.html",
        page_of(texts["nob_Latn"], (0, 1)),
        "nob_Latn",
        "a resource: no HTTP",
        kind="resource",
        country="",
        ip="",
        clear=True,
    )
    yield replace(saved, fields={"Content-Type": "text/html"})
    for label, end in (("ron_Latn", "ro"), ("kor_Hang", "co.kr")):
        language = texts[label]
        text = "\n".join([*language.headings, *language.paragraphs])
        found = odd(
            f"https://paper.example.{end}/paper.pdf",
            text,
            label,
            "a conversion: text out of a PDF",
            kind="conversion",
            clear=True,
        )
        yield replace(found, fields={"Content-Type": "text/plain"})
    names = replace(
        odd("dns:town.example.org", "", "zxx", "a name looked up"),
        body=b"20260302080000\ntown.example.org. 3600 IN A 192.0.2.2\n",
    )
    yield replace(names, encoding="", headers=(), fields={"Content-Type": "text/dns"})
