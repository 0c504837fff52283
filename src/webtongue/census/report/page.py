"""The page put together: sections, data, style and scripts in one file that needs nothing else and may fetch nothing."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from webtongue.census.report import charts
from webtongue.census.report.crawl import captures, crawl
from webtongue.census.report.formats import count, percent
from webtongue.census.report.geography import Pairs, by_country, by_language, field_of_both, pairs, servers
from webtongue.census.report.grounds import evidence, mixed, unknown
from webtongue.census.report.languages import Languages, languages, read_languages
from webtongue.census.report.parts import Section, Table, records, short
from webtongue.census.report.places import is_country, world
from webtongue.census.report.writing import declarations, encodings
from webtongue.errors import MissingExtra

__all__ = ["NEEDED", "page"]

FOLDER = Path(__file__).parent
# The tables that a report is made of; one that is missing or empty is a section less.
NEEDED = (
    "summary", "captures_by_status", "captures_by_type", "problems", "servers_by_country", "pages_by_language",
    "pages_by_language_corrected", "languages_of_country", "unknown_by_reason", "evidence_coverage", "charset_coverage",
    "languages_against_population", "foreign_languages", "encodings_by_language", "declared_encodings", "languages_by_tld",
    "declared_against_found", "unrecognised_declarations", "ranks", "pages_by_host", "hosts_by_language", "multilingual",
    "language_pairs", "settled",
)  # fmt: skip
LONGEST_CREDIT = 1000  # characters
LINK = re.compile(r"https?://[A-Za-z0-9./_-]+")


@dataclass(frozen=True, slots=True)
class Words:
    """A stretch of text, and the address it leads to, if any."""

    text: str
    link: str = ""


def page(tables: Mapping[str, Table], about: Mapping[str, Any]) -> str:
    """The report of a census as HTML.

    ``tables`` are results of webtongue.census.tables by name; ``about`` is what census.json says (webtongue, model, finished,
    config, attribution), with a ``title`` where another is wanted.
    """
    found = read_languages(tables)
    both = pairs(tables)
    sections = [section for section in _sections(tables, found, both) if section is not None]
    numbered = (figure for section in sections for figure in section.figures)
    data = {
        "charts": charts.charts(),
        "config": charts.config(),
        "figures": {
            figure.id: {"kind": figure.kind, **figure.data} for section in sections for figure in section.figures
        },
        "countries": _countries(tables),
        **({"pairs": both.data} if both else {}),
        **({"world": world()} if any(f.kind in ("map", "language") for s in sections for f in s.figures) else {}),
    }
    library, script, style = _library(), _script(_file("report.js")), _file("report.css")
    made: str = _template().render(
        title=_title(about),
        about={name: short(about.get(name)) for name in ("webtongue", "model", "finished")},
        settings=_settings(about),
        key=_key_figures(tables, found),
        sections=sections,
        numbers={figure.id: number for number, figure in enumerate(numbered, 1)},
        credit=_credit(about.get("attribution")),
        corrected=found is not None and found.has_corrected,
        policy=_policy([library, script], style),
        style=_markup(style),
        library=_markup(library),
        script=_markup(script),
        data=_markup(_json(data)),
        pairs=both,
    )
    return made.encode("utf-8", "replace").decode()


def _sections(tables: Mapping[str, Table], found: Languages | None, both: Pairs | None) -> list[Section | None]:
    return [
        servers(tables),
        languages(found, tables) if found else None,
        by_language(both) if both else None,
        by_country(both, tables) if both else None,
        field_of_both(both) if both else None,
        encodings(tables),
        declarations(tables),
        mixed(tables),
        unknown(tables),
        evidence(tables),
        crawl(tables),
    ]


def _key_figures(tables: Mapping[str, Table], found: Languages | None) -> list[tuple[str, str]]:
    """A few numbers with a word each."""
    places = records(tables.get("servers_by_country"))
    numbers = {
        "captures": captures(tables),
        "pages with a status of 200": found.total if found else 0,
        "languages": found.count if found else 0,
        "servers": sum(row["servers"] for row in places),
        "countries": sum(is_country(row["country"]) for row in places),
    }
    return [(count(number), word) for word, number in numbers.items() if number]


def _title(about: Mapping[str, Any]) -> str:
    crawl = _settings(about)["crawl"]
    return short(about.get("title")) or (f"The languages of {crawl}" if crawl else "The languages of a crawl")


def _settings(about: Mapping[str, Any]) -> dict[str, Any]:
    """Those that a reader has to know of; a file that somebody wrote by hand may have anything in their place."""
    given = about.get("config")
    config = given if isinstance(given, Mapping) else {}
    sample, languages = config.get("sample"), config.get("languages")
    return {
        "crawl": short(config.get("crawl")),
        "portal": config.get("portal") is True,
        "sample": percent(sample) if isinstance(sample, float) and 0 < sample < 1 else "",
        "languages": [short(name) for name in languages] if isinstance(languages, list | tuple) else [],
    }


def _countries(tables: Mapping[str, Table]) -> dict[str, str]:
    """Names by code, for what the maps say of a country."""
    named = {row["country"]: short(row["name"]) for row in records(tables.get("servers_by_country"))}
    return {code: name for code, name in named.items() if is_country(code)}


def _credit(said: Any) -> list[list[Words]]:
    """What the makers of the data ask to be said, cut at addresses so that these can be links."""
    out = []
    for line in [said] if isinstance(said, str) else said if isinstance(said, list | tuple) else ():
        told, words, at = str(line)[:LONGEST_CREDIT], [], 0
        for link in LINK.finditer(told):
            words += [Words(told[at : link.start()]), Words(link[0], link[0])]
            at = link.end()
        out.append([*words, Words(told[at:])])
    return [line for line in out if any(part.text for part in line)]


def _policy(scripts: list[str], style: str) -> str:
    """Content-Security-Policy: these scripts and this style, and nothing from anywhere."""
    allowed = " ".join(_hash(script) for script in scripts)
    return f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; img-src data:; base-uri 'none'; form-action 'none'"


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def _json(data: Mapping[str, Any]) -> str:
    r"""JSON that cannot end the element it stands in, nor begin another.

    >>> _json({"lang": "</script><script>"})
    '{"lang":"\\u003c/script>\\u003cscript>"}'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "replace").decode().replace("<", "\\u003c").replace("\0", "")


def _script(code: str) -> str:
    r"""A script as it may stand in a page: what would end its element is spelt otherwise.

    >>> _script("x = '</script>'")
    "x = '\\x3c/script>'"
    """
    return re.sub(r"<(?=/script|script|!--)", r"\\x3c", code.replace("\r\n", "\n"), flags=re.IGNORECASE)


@cache
def _library() -> str:
    return _script(charts.bundle())


def _file(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")


@cache
def _template() -> Any:
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        raise MissingExtra("jinja2", "census") from None
    rooms = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return rooms.get_template("report.html")


def _markup(text: str) -> Any:
    """Text that goes in as it is: what we wrote ourselves, or what is escaped for its place."""
    from markupsafe import Markup

    return Markup(text)
