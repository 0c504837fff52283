"""Other captures of a crawl: hubs, pages in two languages, invalid language codes, errors, and content without text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from crawl.html import Link, PageContent, render
from crawl.pages import Page
from crawl.sites import COUNTRIES, hash_number, server_ip
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
COUNTRY_BY_TLD = {"uk": "GB", "com": "US", "org": "US", "net": "US"}  # top-level domains that are not country codes
HUB_LINKS = 14
# Pairs of a main language and one with a quarter of the page.
MIXED_PAIRS = (
    ("deu_Latn", "eng_Latn", "de"), ("isl_Latn", "eng_Latn", "is"), ("ara_Arab", "fra_Latn", "ma"),
    ("jpn_Jpan", "eng_Latn", "jp"), ("hin_Deva", "eng_Latn", "in"), ("cym_Latn", "eng_Latn", "co.uk"),
    ("kaz_Cyrl", "rus_Cyrl", "kz"), ("spa_Latn", "eus_Latn", "es"),
)  # fmt: skip
EQUAL_PAIRS = (("deu_Latn", "ita_Latn"), ("ell_Grek", "tur_Latn"))  # with half of the page each
# Values of `lang` on real pages: wrong codes, countries, names, leftovers of templates (Cai 2009, 6.2.1).
CODES = {
    "jp": "jpn_Jpan", "cz": "ces_Latn", "dk": "dan_Latn", "gr": "ell_Grek", "ua": "ukr_Cyrl", "se": "swe_Latn", "kr": "kor_Hang",
    "{{ page.lang }}": "fra_Latn", "german": "deu_Latn", "zz": "est_Latn", "c": "nld_Latn", "en_US.UTF-8": "eng_Latn",
}  # fmt: skip
# A notice of the server in English, which is not about the site, so that no label is right or wrong.
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
    yield from _pages_without_letters(texts)
    yield from _hosts_and_ips(texts)
    yield from _other_records(texts)


def make_capture(url: str, html: str, label: str, tests: str, **options: Any) -> Capture:
    """Return a capture in UTF-8 with a server in the country of its host name."""
    country = options.pop("country", country_of_url(url))
    ip = options.pop("ip", server_ip(urlsplit(url).netloc, country))
    return Capture(url, html.encode(), label, tests, ip=ip, country=country, encoding="utf-8", **options)


def country_of_url(url: str) -> str:
    tld = (urlsplit(url).hostname or "").rpartition(".")[2]
    code = COUNTRY_BY_TLD.get(tld, tld.upper())
    return code if code in COUNTRIES else "US"


def topic_blocks(language: Language, topics: Sequence[int]) -> list[tuple[str, str]]:
    return [
        block for topic in topics for block in (("h2", language.headings[topic]), ("p", language.paragraphs[topic]))
    ]


def page_html(language: Language, topics: Sequence[int] = (0, 1), *, lang: str = "", title: str = "") -> str:
    content = PageContent(
        title or language.headings[topics[0]], language.tag, topic_blocks(language, topics), lang, "utf-8"
    )
    return render(content, "modern")


def _examples() -> Iterator[Capture]:
    """Yield the pages of examples/pages: 50 labels, and most encodings."""
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
            ip=server_ip(row["url"], country_of_url(row["url"])),
            country=country_of_url(row["url"]),
            encoding=row["encoding"] or "",
        )


def _hubs(english: Language, pages: Sequence[Page]) -> Iterator[Capture]:
    """Yield English pages that link to all others, half of the links with `hreflang`."""
    others = sorted(
        (page for page in pages if page.language is not english), key=lambda page: hash_number("hub", page.url)
    )
    for position in range(0, len(others), HUB_LINKS * 4):
        links = [
            Link(page.url, page.heading, page.language.tag if hash_number(page.url) % 2 else "")
            for page in others[position : position + HUB_LINKS]
        ]
        topics = [(position + i) % len(english.headings) for i in (0, 1)]
        content = PageContent("Towns of the world", "en", topic_blocks(english, topics), "en", "utf-8", links=links)
        url = f"https://directory.example.org/{position // HUB_LINKS + 1}"
        yield make_capture(
            url, render(content, "modern"), "eng_Latn", "an English hub: links to every language", clear=True
        )


def _mixed(texts: Texts) -> Iterator[Capture]:
    for main, other, tld in MIXED_PAIRS:
        blocks = [
            ("h1", texts[main].headings[0]),
            *topic_blocks(texts[main], [0, 1, 2]),
            *topic_blocks(texts[other], [1]),
        ]
        html = render(PageContent(texts[main].headings[0], texts[main].tag, blocks, charset="utf-8"), "modern")
        url = f"https://two.example.{tld}/{texts[other].tag}"
        yield make_capture(url, html, main, "three quarters one language, one quarter another", languages=(main, other))
    for number, (first, second) in enumerate(EQUAL_PAIRS, 1):
        a, b = texts[first], texts[second]
        html = "<!DOCTYPE html><meta charset=utf-8><title>2026</title>"
        for language in (a, b):
            paragraphs = "".join(f"<p>{language.paragraphs[topic]}</p>" for topic in (0, 1, 2))
            html += f'<div lang="{language.tag}">{paragraphs}</div>'
        url = f"https://level.example.com/{number}"
        yield make_capture(url, html, "mul", "half one language, half another", languages=(first, second))
    labels = ("eng_Latn", "fra_Latn", "rus_Cyrl", "tur_Latn", "vie_Latn")
    welcome = "".join(f'<p lang="{texts[label].tag}">{texts[label].paragraphs[1]}</p>' for label in labels)
    html = f"<!DOCTYPE html><meta charset=utf-8><title>2026</title>{welcome}"
    yield make_capture(
        "https://five.example.org/", html, "mul", "five languages, none holds the page", languages=labels
    )


def _codes(texts: Texts) -> Iterator[Capture]:
    for position, (code, label) in enumerate(CODES.items()):
        url = f"https://codes.example.com/{position + 1}"
        yield make_capture(
            url,
            page_html(texts[label], (1, 0), lang=code),
            label,
            f'lang="{code}": no code of a language, or of another',
            clear=True,
        )


def _statuses(texts: Texts) -> Iterator[Capture]:
    moved = (("Content-Type", "text/html"), ("Location", "https://mesto.example.cz/"))
    html = NOTICE.format("301 Moved Permanently")
    yield make_capture("http://mesto.example.cz/", html, "", "a redirect", status=301, headers=moved)
    html = NOTICE.format("302 Found")
    yield make_capture("https://grad.example.hr/staro", html, "", "a redirect", status=302, headers=moved)
    yield make_capture(
        "https://kommune.example.dk/gammel", "", "und", "a redirect without a body", status=308, headers=moved
    )
    for url, status, words in NOTICES:
        yield make_capture(url, NOTICE.format(words), "", f"a server's notice, {status}", status=status)
    for label, url, title in MISSING:
        html = page_html(texts[label], (0,), lang=texts[label].tag, title=title)
        yield make_capture(url, html, label, "a site's own page for what is missing", status=404)


def _no_text() -> Iterator[Capture]:
    for url, kind, body, tests in NO_TEXT:
        yield replace(make_capture(url, "", "zxx", tests, headers=(("Content-Type", kind),)), body=body, encoding="")


def _pages_without_letters(texts: Texts) -> Iterator[Capture]:
    script = '<!DOCTYPE html><html lang="de"><div id="app"></div><script src="/app.js"></script>'
    yield make_capture("https://empty.example.de/", "", "und", "an empty body")
    yield make_capture("https://empty.example.fr/", " \r\n\t\r\n", "und", "white space")
    yield make_capture("https://empty.example.at/", script, "und", "a page that a script draws")
    numbers = "".join(f"<td>{hash_number(i) % 1000}</td>" for i in range(80))
    yield make_capture("https://empty.example.ch/", f"<table><tr>{numbers}</table>", "zxx", "numbers only")
    for label, tld in (("rus_Cyrl", "ru"), ("ell_Grek", "gr")):
        lost = page_html(texts[label], (0, 1)).encode("ascii", "replace").decode()
        tests = "every letter lost to a question mark: damaged (Cai 2009, 5.1.3)"
        yield make_capture(f"https://lost.example.{tld}/", lost, "und", tests)
    lost = page_html(texts["hun_Latn"], (0, 1)).encode("ascii", "replace").decode()
    yield make_capture("https://lost.example.hu/", lost, "hun_Latn", "accented letters lost to question marks")
    for label, tld in (("ukr_Cyrl", "ua"), ("swe_Latn", "se")):
        mojibake = page_html(texts[label], (0, 1)).encode().decode("cp1252", "replace").replace("\ufffd", "")
        yield make_capture(
            f"https://twice.example.{tld}/", mojibake, label, "decoded wrongly and written as utf-8 again"
        )


def _hosts_and_ips(texts: Texts) -> Iterator[Capture]:
    """Yield pages with unusual hosts, and with unusual IP addresses of servers."""
    html = page_html(texts["ces_Latn"], (0, 2))
    yield make_capture("http://192.0.2.10/", html, "ces_Latn", "the host is a number", clear=True)
    yield make_capture(
        "https://xn--bcher-kva.example.de:8443/",
        page_html(texts["deu_Latn"], (0, 2)),
        "deu_Latn",
        "a host in Punycode, a port",
        clear=True,
    )
    yield make_capture(
        "https://nowhere.example.net/",
        page_html(texts["swe_Latn"], (1, 2)),
        "swe_Latn",
        "an address that no country has",
        country="",
        clear=True,
    )
    yield make_capture(
        "https://noip.example.net/",
        page_html(texts["pol_Latn"], (1, 2)),
        "pol_Latn",
        "no address of a server",
        country="",
        ip="",
        clear=True,
    )
    yield make_capture(
        "https://badip.example.net/",
        page_html(texts["tur_Latn"], (1, 2)),
        "tur_Latn",
        "an address that is none",
        country="",
        ip="localhost",
        clear=True,
    )
    twin = page_html(texts["nld_Latn"], (0, 2), lang="nl")
    yield make_capture("https://twin.example.nl/", twin, "nld_Latn", "the same page at two addresses", clear=True)
    yield make_capture(
        "https://www.twin.example.nl/index.html", twin, "nld_Latn", "the same page at two addresses", clear=True
    )


def _other_records(texts: Texts) -> Iterator[Capture]:
    for label, tld, why in (
        ("por_Latn", "pt", "length"),
        ("ben_Beng", "com.bd", "disconnect"),
        ("jpn_Jpan", "co.jp", "time"),
    ):
        body = page_html(texts[label], (0, 1, 2)).encode()[:-601]
        truncated = make_capture(
            f"https://cut.example.{tld}/", "", label, f"cut off ({why}), within a character", clear=True
        )
        yield replace(truncated, body=body, fields={"WARC-Truncated": why})
    saved = make_capture(
        "file:///saved/norsk.html",
        page_html(texts["nob_Latn"], (0, 1)),
        "nob_Latn",
        "a resource: no HTTP",
        kind="resource",
        country="",
        ip="",
        clear=True,
    )
    yield replace(saved, fields={"Content-Type": "text/html"})
    for label, tld in (("ron_Latn", "ro"), ("kor_Hang", "co.kr")):
        language = texts[label]
        text = "\n".join([*language.headings, *language.paragraphs])
        conversion = make_capture(
            f"https://paper.example.{tld}/paper.pdf",
            text,
            label,
            "a conversion: text out of a PDF",
            kind="conversion",
            clear=True,
        )
        yield replace(conversion, fields={"Content-Type": "text/plain"})
    lookup = replace(
        make_capture("dns:town.example.org", "", "zxx", "a name looked up"),
        body=b"20260302080000\ntown.example.org. 3600 IN A 192.0.2.2\n",
    )
    yield replace(lookup, encoding="", headers=(), fields={"Content-Type": "text/dns"})
