"""Render the report as one HTML file with its data, style and scripts. The page fetches nothing."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from webtongue.census.report import charts
from webtongue.census.report.figures import SECTIONS
from webtongue.census.report.formats import format_count, format_share, one_line
from webtongue.census.report.headline import write_headline
from webtongue.census.report.model import Section
from webtongue.census.report.places import country_names, is_country, read_world
from webtongue.census.report.render import fill_sections
from webtongue.census.report.views import CensusTable, Views, derive_views
from webtongue.census.shares import MIN_ONE_DECIMAL, MIN_TWO_DECIMALS
from webtongue.errors import MissingExtra

__all__ = ["NEEDED", "render_page", "render_views"]

FOLDER = Path(__file__).parent
# The census tables that the report is made from. What depends on a missing or empty table is left out of the page.
NEEDED = (
    "summary", "captures_by_status", "captures_by_type", "problems", "servers_by_country", "pages_by_language",
    "pages_by_language_corrected", "precision_by_language", "pages_by_text", "languages_of_country", "unknown_by_reason",
    "evidence_coverage", "approach_coverage", "charset_coverage",
    "languages_against_population", "foreign_languages", "encodings_by_language", "declared_encodings", "languages_by_tld",
    "declared_against_found", "unrecognised_declarations", "ranks", "pages_by_host", "hosts_by_language", "multilingual",
    "language_pairs", "second_pass",
)  # fmt: skip
KEY_FIGURES = {
    "captures": "captures",
    "pages": "pages with status 200",
    "languages": "languages",
    "servers": "servers",
    "countries": "countries",
}
MAX_CREDIT_CHARS = 1000
LINK = re.compile(r"(https?://[A-Za-z0-9./_-]+)")


def render_page(tables: Mapping[str, CensusTable], about: Mapping[str, Any]) -> str:
    """Return the report of a census as HTML.

    ``tables`` are results of webtongue.census.tables by name; ``about`` is the content of census.json (webtongue, model,
    finished, config, attribution), with a ``title`` if the default one is not wanted.
    """
    settings = _read_settings(about)
    views = derive_views(tables, settings["method"])
    headline = write_headline(
        views.rows["languages"], views.facts, views.counts, settings["crawl"], views.facts["dates"]
    )
    return render_views(views, about, SECTIONS, headline)


def render_views(
    views: Views, about: Mapping[str, Any], sections_to_fill: Iterable[Section], headline: Sequence[str]
) -> str:
    """Return a page with these sections, as far as the views have rows for them, and a headline of a few sentences."""
    settings = _read_settings(about)
    sections, figures = fill_sections(views, sections_to_fill)
    library, style = _library(), _read("report.css")
    tools, script = (_escape_script(_read(name)) for name in ("tools.js", "report.js"))
    html: str = _template().render(
        title=one_line(about.get("title")) or f"The languages of {settings['crawl'] or 'a crawl'}",
        about={name: one_line(about.get(name)) for name in ("webtongue", "model", "finished")},
        settings=settings,
        headline=headline,
        key_figures=[
            (format_count(views.counts[key]), word) for key, word in KEY_FIGURES.items() if views.counts.get(key)
        ],
        sections=sections,
        numbers={id_: number for number, id_ in enumerate(figures, 1)},
        credit=_split_links(about.get("attribution")),
        facts=views.facts,
        policy=_security_policy([library, tools, script], style),
        style=_trusted(style),
        library=_trusted(library),
        tools=_trusted(tools),
        script=_trusted(script),
        data=_trusted(_to_json(_collect_data(views, figures))),
    )
    return html.encode("utf-8", "replace").decode()


def _collect_data(views: Views, figures: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return what report.js reads."""
    # Countries without servers have names too, for readers who point at them.
    given = views.pairs.countries if views.pairs else []
    countries = country_names() | {row["code"]: row["name"] for row in given}
    rows = views.rows["servers_by_country"]
    countries |= {row["country"]: one_line(row["name"]) for row in rows if is_country(row["country"])}
    data: dict[str, Any] = {
        "charts": charts.charts(),
        "config": charts.config(),
        "figures": figures,
        "countries": countries,
    }
    data["decimals"] = [MIN_ONE_DECIMAL, MIN_TWO_DECIMALS]
    if views.pairs:
        data["pairs"] = views.pairs.data
    if any(figure["kind"] in ("map", "language") for figure in figures.values()):
        data["world"] = read_world()
    return data


def _read_settings(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that change what is counted; values of another type than expected are ignored."""
    given = about.get("config")
    config = given if isinstance(given, Mapping) else {}
    sample, languages = config.get("sample"), config.get("languages")
    return {
        "crawl": one_line(config.get("crawl")),
        "portal": config.get("portal") is True,
        "method": one_line(config.get("method")),
        "sample": format_share(sample) if isinstance(sample, float) and 0 < sample < 1 else "",
        "languages": [one_line(name) for name in languages] if isinstance(languages, list | tuple) else [],
    }


def _split_links(attribution: Any) -> list[list[str]]:
    """Return the lines that data sources ask to be credited with, split into text and URLs in turn."""
    lines = [attribution] if isinstance(attribution, str) else attribution
    if not isinstance(lines, list | tuple):
        return []
    return [LINK.split(str(line)[:MAX_CREDIT_CHARS]) for line in lines if line != ""]


def _security_policy(scripts: list[str], style: str) -> str:
    """Return a Content-Security-Policy that allows these scripts, this style, and nothing else."""
    allowed = " ".join(_hash(script) for script in scripts)
    return f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; img-src data:; base-uri 'none'; form-action 'none'"


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def _to_json(data: Mapping[str, Any]) -> str:
    r"""Return JSON that cannot end the script element it stands in, nor open another.

    >>> _to_json({"lang": "</script><script>"})
    '{"lang":"\\u003c/script>\\u003cscript>"}'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "replace").decode().replace("<", "\\u003c").replace("\0", "")


def _escape_script(code: str) -> str:
    r"""Return a script with an escape in place of what would end its element.

    >>> _escape_script("x = '</script>'")
    "x = '\\x3c/script>'"
    """
    return re.sub(r"<(?=/script|script|!--)", r"\\x3c", code.replace("\r\n", "\n"), flags=re.IGNORECASE)


@cache
def _library() -> str:
    return _escape_script(charts.bundle())


def _read(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")


@cache
def _template() -> Any:
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        raise MissingExtra("jinja2", "census") from None
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html")


def _trusted(text: str) -> Any:
    """Mark text as safe for the template: our own files, or data that is escaped for its place."""
    from markupsafe import Markup

    return Markup(text)
