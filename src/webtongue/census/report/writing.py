"""Encodings by language, and what pages declare against what was found."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from webtongue.census.report.formats import listed, percent, plural
from webtongue.census.report.names import SPECIAL, language_name
from webtongue.census.report.parts import Figure, Grid, Section, Table, grid, kept, number, records, share, short, text
from webtongue.census.report.places import SHARES

__all__ = ["declarations", "encodings"]

TOP = 20  # rows of a figure
COLUMNS = 12
UNDECLARED = "none"


def encodings(tables: Mapping[str, Table]) -> Section | None:
    """Encodings in all and by language, and those that were declared wrongly."""
    rows = records(tables.get("encodings_by_language"))
    for row in rows:
        row["name"], row["encoding"] = language_name(row["label"], row["name"]), short(row["encoding"]) or UNDECLARED
    totals: Counter[str] = Counter()
    for row in rows:
        totals[row["encoding"]] += row["pages"]
    total = totals.total()
    if not total:
        return None
    ranked = [{"name": name, "pages": pages, "value": pages / total} for name, pages in totals.most_common()]
    bars = Figure(
        "encodings",
        "Encodings of all pages",
        "bars",
        f"Bars of the share of pages by encoding. {_first(ranked)}",
        {"rows": ranked[:TOP], "what": "pages"},
        notes=(
            "The encoding is the one that the bytes were found to be in, whatever was declared, by its WHATWG name.",
        ),
        grid=grid(
            "Pages by encoding", ranked, [text("Encoding", "name"), number("Pages", "pages"), share("Share", "value")]
        ),
    )
    old = 1 - totals["utf-8"] / total
    lead = f"{_first(ranked)} {percent(old)} of the pages are in another encoding than UTF-8."
    figures = (bars, _encodings_by_language(rows, [name for name, _ in totals.most_common(COLUMNS)]))
    return Section("encodings", "Encodings", lead, figures, grids=_declared_wrongly(tables))


def _first(ranked: Sequence[Mapping[str, Any]]) -> str:
    told = [f"{row['name']} {percent(row['value'])}" for row in ranked[:3]]
    return f"{listed(told)}."


def _encodings_by_language(rows: list[dict[str, Any]], columns: Sequence[str]) -> Figure:
    """Of the languages that still use other encodings, by how many pages that is."""
    pages: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if row["label"] not in SPECIAL:
            pages[row["name"]][row["encoding"]] += row["pages"]
    ranked = sorted(pages, key=lambda name: (-(pages[name].total() - pages[name]["utf-8"]), -pages[name].total(), name))
    return _field(
        "encodings-by-language",
        "Encodings of the languages with most pages outside UTF-8",
        "Field of languages by encodings; a cell is shaded by the share of the language's pages.",
        {name: pages[name] for name in ranked[:TOP]},
        [(name, name) for name in columns],
        "Language",
        "A cell is the share of a language's pages in an encoding.",
    )


def _declared_wrongly(tables: Mapping[str, Table]) -> tuple[Grid, ...]:
    rows = [
        row | {"declared": short(row["declared"]) or UNDECLARED} for row in records(tables.get("declared_encodings"))
    ]
    wrong = [row for row in rows if row["declared"].lower() != short(row["found"]).lower()]
    made = grid(
        "Encodings declared otherwise than found",
        sorted(wrong, key=lambda row: -row["pages"]),
        [text("Declared", "declared"), text("Found", "found"), number("Pages", "pages")],
        note="Names are compared here as they are written; two names may stand for the same bytes.",
    )
    return kept(made)


def declarations(tables: Mapping[str, Table]) -> Section | None:
    """The language that a page declares against the one it is in: rows are declared, columns found."""
    rows = records(tables.get("declared_against_found"))
    pages: defaultdict[str, Counter[str]] = defaultdict(Counter)
    found: Counter[str] = Counter()
    names: dict[str, str] = {}
    for row in rows:
        declared, label = short(row["declared"]) or UNDECLARED, str(row["found"])
        pages[declared][label] += row["pages"]
        found[label] += row["pages"]
        names[label] = language_name(label, row.get("name"))
    if not rows:
        return None
    ranked = sorted(pages, key=lambda declared: (-pages[declared].total(), declared))
    columns = [(label.partition("_")[0], names[label], label) for label, _ in found.most_common(TOP)]
    figure = _field(
        "declared",
        "Declared language (rows) against language found (columns)",
        "Field of declared languages by languages found; a cell is shaded by the share of the pages with that declaration.",
        {declared: Counter({label: pages[declared][label] for _, _, label in columns}) for declared in ranked[:TOP]},
        [(label, name) for _, name, label in columns],
        "Declared",
        "A cell is the share of the pages that declare a language, shown in the row as most of them write it.",
        totals={declared: pages[declared].total() for declared in ranked},
        codes={label: code for code, _, label in columns},
    )
    said = sum(counts.total() for declared, counts in pages.items() if declared != UNDECLARED)
    lead = f"{plural(said, 'page')} declare a language, in {plural(len(ranked), 'form')}. A declaration is evidence, not an order."
    return Section("declared", "Declared against found", lead, (figure,), grids=_mistaken(rows))


def _mistaken(rows: Iterable[Mapping[str, Any]]) -> tuple[Grid, ...]:
    from webtongue.labels import declared

    wrong = []
    for row in rows:
        understood = declared(str(row["declared"] or "")).labels
        if understood and str(row["found"]) not in SPECIAL and str(row["found"]) not in understood:
            wrong.append(
                {**row, "declared": short(row["declared"]), "name": language_name(row["found"], row.get("name"))}
            )
    made = grid(
        "The most frequent contradictions",
        sorted(wrong, key=lambda row: -row["pages"]),
        [text("Declared", "declared"), text("Found", "name"), number("Pages", "pages")],
    )
    return kept(made)


def _field(
    name: str,
    title: str,
    says: str,
    pages: Mapping[str, Counter[str]],
    columns: Sequence[tuple[str, str]],
    head: str,
    note: str,
    totals: Mapping[str, int] | None = None,
    codes: Mapping[str, str] | None = None,
) -> Figure:
    """A field of shaded cells: shares of each row's total."""
    cells, table = [], []
    for row, counts in pages.items():
        total = (totals or {}).get(row) or counts.total()
        line: dict[str, Any] = {head: row, "pages": total}
        for key, called in columns:
            part = counts[key] / total if total else 0
            cells.append([row, (codes or {}).get(key, key), called, round(part, 6), counts[key]])
            line[key] = part
        table.append(line)
    heads = [text(head, head), number("Pages", "pages"), *(share(called, key) for key, called in columns)]
    return Figure(
        name, title, "cells", says, {"cells": cells, "bounds": SHARES}, notes=(note,), grid=grid(title, table, heads)
    )
