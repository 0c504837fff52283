"""What the figures show: rows derived from the tables of a census, and the facts that sentences quote."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from webtongue import labels
from webtongue.census.report.code_names import APPROACHES, OWN_SOURCES, REASONS, SOURCES, SUMMARY
from webtongue.census.report.encodings import NO_ENCODING, NOT_DECLARED, count_legacy, is_different
from webtongue.census.report.estimated import STRATA, add_judged_intervals, estimate_facts
from webtongue.census.report.formats import (
    format_count,
    format_interval,
    format_part,
    format_plural,
    format_share,
    join_words,
    name_declaration,
    name_label,
    name_language,
    one_line,
    spell_code,
    total_of,
)
from webtongue.census.report.headline import crawl_dates
from webtongue.census.report.matrices import Matrix, fill_matrix
from webtongue.census.report.pairs import Pairs, count_pairs, disambiguate_names, rank_keys
from webtongue.census.report.places import UNKNOWN_COUNTRY, choose_bounds, is_country, mapped_countries

__all__ = ["MAX_ROWS", "CensusTable", "Views", "derive_views"]

MAX_ROWS = 20  # rows of a chart, and of most tables
MAX_ENCODINGS = 12  # columns of the matrix of encodings
MAX_CORRECTED = 3  # languages whose correction is named
MAX_UNMAPPED = 5  # countries without a place on the map that are named
SCRIPTURE_TIER = 3
LITTLE_TEXT = "under 60"  # the row of the table pages_by_text

Row = dict[str, Any]


class CensusTable(Protocol):
    """The part of a result of webtongue.census.tables that the report reads."""

    @property
    def columns(self) -> Sequence[str]: ...
    @property
    def rows(self) -> Sequence[Sequence[Any]]: ...
    @property
    def note(self) -> str: ...


@dataclass(slots=True)
class Views:
    """Everything that figures are drawn from, by name."""

    rows: defaultdict[str, list[Row]]  # the census tables, and rows derived from them
    facts: dict[str, str]  # words and formatted numbers for sentences; a missing fact is an absent key
    counts: dict[str, int] = field(default_factory=dict)
    data: dict[str, Row] = field(default_factory=dict)  # what a chart needs beside its rows, by figure
    matrices: dict[str, Matrix] = field(default_factory=dict)
    pairs: Pairs | None = None

    def add_matrix(self, figure: str, matrix: Matrix) -> Matrix | None:
        """Return the part of a matrix that is filled, which the figure shows; None if there is too little."""
        part = fill_matrix(matrix)
        if part:
            self.matrices[figure] = part
        return part


ORDER_OF_TABLE = "Labels with most reliable answers come first; "  # the report has languages with most pages first


def derive_views(tables: Mapping[str, CensusTable], method: str = "") -> Views:
    """Return the views of a census. A table that is missing or empty has no rows and no facts.

    ``method`` names the published method that answered. It weighs no evidence, so that there is no coverage of evidence.
    """
    rows = defaultdict(list, {name: _read_rows(table) for name, table in tables.items()})
    views = Views(rows, {f"{name}_note": table.note for name, table in tables.items()})
    note = views.facts.get("pages_by_language_note", "").removeprefix(ORDER_OF_TABLE)
    views.facts["pages_by_language_note"] = note[:1].upper() + note[1:]
    views.facts |= {"method": method} if method else {"own_sources": OWN_SOURCES}
    if method:
        rows["evidence_coverage"], rows["pages_by_language_corrected"] = [], []  # its errors were not measured
        rows["approaches"] = [
            row | {"name": spell_code(row["approach"], APPROACHES)} for row in rows["approach_coverage"]
        ]
    for add in (
        _add_servers, _add_languages, _add_little_text, _add_pairs, _add_encodings, _add_declarations, _add_multilingual,
        _add_unknown, _add_evidence, _add_crawl,
    ):  # fmt: skip
        add(views)
    views.facts |= estimate_facts(views.rows[STRATA])
    views.facts |= add_judged_intervals(views.rows["precision_by_language"])
    return views


def _read_rows(table: CensusTable) -> list[Row]:
    rows = [dict(zip(table.columns, map(_drop_infinite, values), strict=True)) for values in table.rows]
    for row in rows:
        if "label" in row and "name" in row:
            row["name"] = name_language(row["label"], row["name"])
    return rows


def _drop_infinite(value: Any) -> Any:
    """Return None in place of infinity and NaN, which JSON cannot hold."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _sum(rows: Iterable[Row], key: str = "pages") -> int:
    return sum(row[key] for row in rows)


def _sort_by_pages(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: -row["pages"])


def _list_shares(rows: Iterable[Row], key: str = "share") -> str:
    return join_words([f"{row['name']} {format_share(row[key], total_of(row, key))}" for row in rows])


def _add_servers(views: Views) -> None:
    """Servers on the map, and the number of those that have no place there (Cai 2009, figure 5-3 and table 5-3)."""
    rows = [row | {"name": one_line(row["name"])} for row in views.rows["servers_by_country"]]
    total = _sum(rows, "servers")
    if not total:
        return
    facts = views.facts
    facts["servers"] = format_plural(total, "server")
    located = sorted(
        (row for row in rows if is_country(row["country"])), key=lambda row: (-row["servers"], row["country"])
    )
    views.counts |= {"servers": total, "countries": len(located)}
    if not located:
        facts["servers_without_countries"] = facts["servers"]
        return
    facts["server_countries"] = format_plural(len(located), "country", "countries")
    facts["top_countries"] = _list_shares(located[:3])
    unknown = total - _sum(located, "servers")
    unknown_rows = [{"name": UNKNOWN_COUNTRY, "servers": unknown, "share": unknown / total}] if unknown else []
    facts["unknown_servers"] = format_part(unknown, total, "server") if unknown else ""
    unmapped = [
        f"{row['name']} ({format_count(row['servers'])})" for row in located if row["country"] not in mapped_countries()
    ]
    if len(unmapped) > MAX_UNMAPPED:
        unmapped[MAX_UNMAPPED:] = [f"{format_count(len(unmapped) - MAX_UNMAPPED)} more"]
    facts["unmapped_countries"] = join_words(unmapped)
    views.rows["servers"] = [*located[:MAX_ROWS], *unknown_rows, *located[MAX_ROWS:]]
    views.data["servers"] = {
        "values": {row["country"]: row["servers"] for row in located},
        "bounds": choose_bounds(row["servers"] for row in located),
        "total": total,
        "unit": "servers",
    }


def _add_languages(views: Views) -> None:
    """Pages by language as counted and as corrected (Cai 2009, figure 5-4 and table 5-4); tier 3 has a table of its own."""
    rows = sorted(views.rows["pages_by_language"], key=lambda row: (-row["pages"], row["label"]))
    total = _sum(rows)
    if not total:
        return
    corrected = {row["label"]: row for row in views.rows["pages_by_language_corrected"]}
    hosts = {row["label"]: row["hosts"] for row in views.rows["hosts_by_language"]}
    for row in rows:
        row |= {"hosts": hosts.get(row["label"]), "special": row["label"] in labels.SPECIAL}
        row["interval"] = format_interval(row["low"], row["high"], total)
        corrected_row = corrected.get(row["label"], {})
        if "corrected" in corrected_row:
            row["corrected"], low, high = (corrected_row[key] for key in ("corrected", "low", "high"))
            row |= {"corrected_low": low, "corrected_high": high}
            row["corrected_interval"] = format_interval(low, high, total)
    disambiguate_names(rows)
    shown = [row for row in rows if row["tier"] != SCRIPTURE_TIER or row["special"]]
    scripture = [row for row in rows if row["tier"] == SCRIPTURE_TIER and not row["special"]]
    largest = [row for row in shown if not row["special"]][:MAX_ROWS]
    views.rows |= {"languages": shown, "scripture": scripture}
    views.rows["language_bars"] = largest + [row for row in shown if row["special"]]
    count = len({str(row["label"]).partition("_")[0] for row in rows if not row["special"]})
    views.counts |= {"pages": total, "languages": count}
    facts = views.facts
    facts["pages"], facts["languages"] = format_plural(total, "page"), format_plural(count, "language")
    facts["largest_languages"] = f"{len(largest)} largest languages" if count > len(largest) else "languages"
    facts["most_corrected"], unknown = _list_corrected(shown), _sum(row for row in rows if row["label"] == "und")
    facts["unknown_share"] = format_share(unknown / total, total) if unknown else ""
    facts["corrected"] = "corrected" if any(row.get("corrected") is not None for row in shown) else ""
    facts["scripture_pages"] = format_part(_sum(scripture), total, "page")
    facts["scripture_languages"] = format_plural(len(scripture), "language")
    reliable = next((row["value"] for row in views.rows["summary"] if row["what"] == "reliable"), None)
    facts["reliable_share"] = format_share(reliable, total) if isinstance(reliable, int | float) else ""


def _add_little_text(views: Views) -> None:
    """Pages with too little text for a reliable answer, the first row of the table of pages by amount of text."""
    rows = views.rows["pages_by_text"]
    short = next((row for row in rows if row["letters"] == LITTLE_TEXT), None)
    if short:
        short_share = views.facts["little_text_share"] = format_share(short["share"], total_of(short))
        views.facts["little_text_pages"] = f"{format_plural(short['pages'], 'page')} ({short_share})"
        views.facts["little_text_answers"] = format_count(short["with_language"])


def _list_corrected(rows: Iterable[Row]) -> str:
    """Return the languages of the chart whose corrected share is outside of the counted interval, the largest changes first."""
    outside = [
        row
        for row in rows
        if row.get("corrected") is not None and None not in (row["low"], row["high"])
        if not row["low"] <= row["corrected"] <= row["high"]
    ]
    outside.sort(key=lambda row: -abs(row["corrected"] - row["share"]))
    pairs = [
        (row["name"], *(format_share(row[key], total_of(row)) for key in ("share", "corrected"))) for row in outside
    ]
    words = [f"{name} {counted} to {corrected}" for name, counted, corrected in pairs if counted != corrected]
    return join_words(words[:MAX_CORRECTED])


def _add_pairs(views: Views) -> None:
    """Pages by language and country, with what people of a country write and its largest foreign language."""
    pairs = views.pairs = count_pairs(views.rows["languages_of_country"])
    if pairs is None:
        return
    population: dict[str, dict[str, float]] = {}
    for row in views.rows["languages_against_population"]:
        if row.get("population"):
            population.setdefault(row["country"], {})[one_line(row["name"])] = round(row["population"], 4)
    foreign: dict[str, str] = {}
    for row in views.rows["foreign_languages"]:
        words = f"{row['name']} ({format_plural(row['pages'], 'page')}, {format_share(row['share'], total_of(row))})"
        foreign.setdefault(row["country"], words)
    views.data |= {"language": {}, "country": {"population": population, "foreign": foreign}}
    countries = [(str(i), country) for i, country in enumerate(pairs.countries) if country["code"]][:MAX_ROWS]
    totals = {key: country["pages"] for key, country in countries}
    rows = {
        language["name"]: {str(i): pages for i, pages in zip(flat[::2], flat[1::2], strict=True)}
        for language, flat in list(zip(pairs.languages, pairs.pages, strict=True))[:MAX_ROWS]
    }
    columns = [(key, country["name"]) for key, country in countries]
    matrix = views.add_matrix("both", Matrix("Language", rows, columns, lambda _, key: totals[key]))
    views.facts |= {
        "population": "population" if population else "",
        "left_out_pairs": format_count(pairs.left_out) if pairs.left_out else "",
        "matrix_languages": str(len(matrix.rows)) if matrix else "",
        "matrix_countries": str(len(matrix.columns)) if matrix else "",
    }


def _add_encodings(views: Views) -> None:
    """Encodings in all and by language, and pages whose declared encoding is another."""
    rows = views.rows["encodings_by_language"]
    totals: Counter[str] = Counter()
    by_language: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        encoding = one_line(row["encoding"]) or NO_ENCODING
        totals[encoding] += row["pages"]
        if row["label"] not in labels.SPECIAL:
            by_language[row["name"]][encoding] += row["pages"]
    total = totals.total()
    if not total:
        return
    ranked = [{"name": name, "pages": pages, "share": pages / total} for name, pages in totals.most_common()]
    views.rows["encodings"] = ranked
    if known := total - totals[NO_ENCODING]:
        views.facts["top_encodings"] = _list_shares(ranked[:3])
        views.facts["not_utf8"] = format_share(count_legacy(totals) / known, known)
        views.facts["encoded_pages"] = "pages" if known == total else "pages with a known encoding"
    method = views.facts.get("method")
    views.facts["detected"] = f"that {method} detects" if method else "detected from the bytes, by its WHATWG name"
    declared = [
        row | {"declared": one_line(row["declared"]) or NOT_DECLARED} for row in views.rows["declared_encodings"]
    ]
    different = (row for row in declared if is_different(row["declared"], one_line(row["found"])))
    views.rows["different_encodings"] = _sort_by_pages(different)
    most_legacy = sorted(
        by_language,
        key=lambda name: (-count_legacy(by_language[name]), -by_language[name].total(), name),
    )
    columns = [(name, name) for name, _ in totals.most_common(MAX_ENCODINGS)]
    matrix_rows = {name: by_language[name] for name in most_legacy[:MAX_ROWS]}
    matrix = Matrix("Language", matrix_rows, columns, lambda name, _: by_language[name].total())
    views.add_matrix("encodings-by-language", matrix)
    legacy = _sort_by_pages(
        {"name": name, "pages": count_legacy(pages), "of": pages.total()} for name, pages in by_language.items()
    )
    views.rows["legacy"] = [row | {"share": row["pages"] / row["of"]} for row in legacy if row["pages"]][:MAX_ROWS]


def _add_declarations(views: Views) -> None:
    """The declared language of pages against the language that was identified."""
    rows = views.rows["declared_against_found"]
    if not rows:
        return
    pages: defaultdict[str, Counter[str]] = defaultdict(Counter)
    identified: Counter[str] = Counter()
    names: dict[str, str] = {}
    contradictions = []
    comparable = agreeing = 0
    for row in rows:
        label, declaration = str(row["found"]), one_line(row["declared"])
        pages[declaration][label] += row["pages"]
        identified[label] += row["pages"]
        names[label] = name_language(label, row["name"])
        declared_labels = labels.parse_declared(str(row["declared"] or "")).labels
        if declared_labels and label not in labels.SPECIAL:
            comparable += row["pages"]
            if label in declared_labels:
                agreeing += row["pages"]
            else:
                contradictions.append(row | {"declared": declaration, "name": names[label]})
    declarations = rank_keys({declaration: counts.total() for declaration, counts in pages.items()})
    # A declaration that is itself a label gets its own column, so that its row shows the pages that agree.
    own = [declaration for declaration in declarations[:MAX_ROWS] if declaration in identified]
    columns = [*own, *(label for label, _ in identified.most_common() if label not in own)][:MAX_ROWS]
    declared_names = {name_declaration(declaration): declaration for declaration in declarations[:MAX_ROWS]}
    matrix_rows = {name: pages[declaration] for name, declaration in declared_names.items()}
    matrix_columns = [(label, names[label]) for label in columns]
    views.add_matrix(
        "declared", Matrix("Declared", matrix_rows, matrix_columns, lambda name, _: matrix_rows[name].total())
    )
    views.rows["contradictions"] = _sort_by_pages(contradictions)
    views.facts |= {
        "declaring_pages": format_plural(_sum(rows), "page"),
        "declarations": format_plural(len(declarations), "form"),
        "agreement": format_share(agreeing / comparable, comparable) if comparable else "",
    }


def _add_multilingual(views: Views) -> None:
    """Pages by their number of languages, and languages that share pages."""
    rows = [row | {"count": one_line(row["languages"])} for row in views.rows["multilingual"]]
    several = _sum(row for row in rows if row["count"].isdigit() and int(row["count"]) > 1)
    if not several:
        return
    for row in rows:
        row["name"] = "No language" if row["count"] == "0" else f"{row['count']} language{'s' * (row['count'] != '1')}"
    views.rows["mixed"] = rows
    views.facts["mixed_pages"] = format_part(several, _sum(rows), "page")
    for row in views.rows["language_pairs"]:
        row |= {key: name_label(row[key]) for key in ("label", "other")}


def _add_unknown(views: Views) -> None:
    """Pages without a language by reason, and by the five reasons of Cai 2009, 5.1.3."""
    rows = _sort_by_pages(row | {"name": spell_code(row["reason"], REASONS)} for row in views.rows["unknown_by_reason"])
    total = _sum(rows)
    if not total:
        return
    pages: Counter[str] = Counter()
    for row in rows:
        pages[row["name"]] += row["pages"]
    views.rows["reasons"] = rows
    views.rows["reason_bars"] = [
        {"name": name, "pages": count, "share": count / total} for name, count in pages.most_common()
    ]
    views.facts["unknown_pages"] = format_plural(total, "page")
    views.facts["top_reason"] = f"{rows[0]['name']} ({format_share(rows[0]['pages'] / total, total)})"


def _add_evidence(views: Views) -> None:
    """Pages by source of evidence (Cai 2009, figure 5-1), and languages that a charset names (table 5-2)."""
    rows = [{"name": spell_code(row["source"], SOURCES)} | row for row in views.rows["evidence_coverage"]]
    # How common languages are applies to every page, so its bar would show nothing.
    bars = [row for row in rows if row["source"] != "prior"]
    views.rows |= {"evidence": rows, "evidence_bars": bars}
    decided = [row | {"name": row["name"].lower()} for row in bars if row.get("decided_share")]
    views.facts["decisive_sources"] = _list_shares(decided, "decided_share")
    by_charset = [row for row in views.rows["charset_coverage"] if row["by_charset"]]
    views.rows["charsets"] = sorted(by_charset, key=lambda row: -row["by_charset"])


def _add_crawl(views: Views) -> None:
    """The number of captures, and the summary in words."""
    captures: Counter[str] = Counter()
    for row in views.rows["captures_by_status"]:
        captures[row["status"]] += row["captures"]
    # The summary of an estimate also counts labels of which no page was fetched.
    counts = {row["what"]: row["value"] for row in views.rows["summary"]}
    total, identified = counts.get("captures", captures.total()), counts.get("identified", captures["identified"])
    views.facts["dates"] = crawl_dates(views.rows["summary"])
    for row in views.rows["summary"]:
        value = row["value"]
        written = format_count(value) if type(value) is int else one_line(value)
        if isinstance(value, float):
            written = format_share(value, views.counts.get("pages", math.inf))
        row |= {"what": spell_code(row["what"], SUMMARY), "value": written}
    if total:
        views.counts["captures"] = total
        views.facts["captures"] = format_plural(total, "capture")
        views.facts["identified_captures"] = format_share(identified / total, total)
        views.facts["failed_captures"] = format_plural(captures["failed"], "record") if captures["failed"] else ""
