"""Encodings by language, and what pages declare against what was found."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from webtongue.census.report.fields import Field, Heading
from webtongue.census.report.formats import listed, percent, plural
from webtongue.census.report.names import SPECIAL, language_name
from webtongue.census.report.parts import Figure, Grid, Section, Table, grid, kept, number, records, share, short, text
from webtongue.labels import declared

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
    return Section("encodings", "Encodings", lead, figures, grids=kept(_declared_wrongly(tables)))


def _first(ranked: Sequence[Mapping[str, Any]]) -> str:
    told = [f"{row['name']} {percent(row['value'])}" for row in ranked[:3]]
    return f"{listed(told)}."


def _encodings_by_language(rows: list[dict[str, Any]], columns: Sequence[str]) -> Figure:
    """Of the languages that have most pages in other encodings than UTF-8."""
    pages: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if row["label"] not in SPECIAL:
            pages[row["name"]][row["encoding"]] += row["pages"]
    ranked = sorted(pages, key=lambda name: (pages[name]["utf-8"] - pages[name].total(), -pages[name].total(), name))
    field = Field(
        "Language",
        {name: pages[name] for name in ranked[:TOP]},
        [Heading(name, name, name) for name in columns],
        lambda row, _: pages[row].total(),
    )
    return field.figure(
        "encodings-by-language",
        "Encodings of the languages with most pages outside UTF-8",
        "Field of languages by encodings; a cell is shaded by the share of the language's pages.",
        "A cell is the share of a language's pages in an encoding.",
    )


def _declared_wrongly(tables: Mapping[str, Table]) -> Grid | None:
    rows = [
        row | {"declared": short(row["declared"]) or UNDECLARED} for row in records(tables.get("declared_encodings"))
    ]
    wrong = [row for row in rows if row["declared"].lower() != short(row["found"]).lower()]
    return grid(
        "Encodings declared otherwise than found",
        sorted(wrong, key=lambda row: -row["pages"]),
        [text("Declared", "declared"), text("Found", "found"), number("Pages", "pages")],
        note="Names are compared here as they are written; two names may stand for the same bytes.",
    )


def declarations(tables: Mapping[str, Table]) -> Section | None:
    """The language that a page declares against the one it is in: rows are declared, columns found."""
    rows = records(tables.get("declared_against_found"))
    if not rows:
        return None
    pages: defaultdict[str, Counter[str]] = defaultdict(Counter)
    found: Counter[str] = Counter()
    names: dict[str, str] = {}
    for row in rows:
        label = str(row["found"])
        pages[short(row["declared"])][label] += row["pages"]
        found[label] += row["pages"]
        names[label] = language_name(label, row["name"])
    ranked = sorted(pages, key=lambda form: (-pages[form].total(), form))
    own = [
        form for form in ranked[:TOP] if form in found
    ]  # a row without its own column would look as if nobody told the truth
    columns = [*own, *(label for label, _ in found.most_common() if label not in own)][:TOP]
    field = Field(
        "Declared",
        {form: pages[form] for form in ranked[:TOP]},
        [Heading(label, short(label).partition("_")[0], names[label]) for label in columns],
        lambda row, _: pages[row].total(),
    )
    figure = field.figure(
        "declared",
        "Declared language (rows) against language found (columns)",
        "Field of declared languages by languages found; a cell is shaded by the share of the pages with that declaration.",
        "A cell is the share of the pages with a declaration. Rows are what pages declare, by the language it names.",
    )
    grids = kept(_mistaken(rows), _unrecognised(tables))
    return Section("declared", "Declared against found", _agreement(rows, len(ranked)), (figure,), grids)


def _agreement(rows: Sequence[Mapping[str, Any]], forms: int) -> str:
    """How many pages declare a language, and how often it is theirs."""
    total = sum(row["pages"] for row in rows)
    known = [(_understood(row), row) for row in rows if str(row["found"]) not in SPECIAL]
    judged = sum(row["pages"] for understood, row in known if understood)
    right = sum(row["pages"] for understood, row in known if str(row["found"]) in understood)
    said = f"{plural(total, 'page')} declare a language, in {plural(forms, 'form')}."
    if judged:
        said += f" Of those that name one and are in one, {percent(right / judged)} are in the one that they name."
    return said


def _understood(row: Mapping[str, Any]) -> tuple[str, ...]:
    return declared(str(row["declared"] or "")).labels


def _mistaken(rows: Iterable[Mapping[str, Any]]) -> Grid | None:
    """Declarations that were understood and are of another language than was found."""
    wrong = []
    for row in rows:
        understood = _understood(row)
        if understood and str(row["found"]) not in SPECIAL and str(row["found"]) not in understood:
            wrong.append({**row, "declared": short(row["declared"]), "name": language_name(row["found"], row["name"])})
    return grid(
        "The most frequent contradictions",
        sorted(wrong, key=lambda row: -row["pages"]),
        [text("Declared", "declared"), text("Found", "name"), number("Pages", "pages"), number("Reliable", "reliable")],
        note="Varieties and scripts of one language count as contradictions here, such as zh on a page in traditional characters.",
    )


def _unrecognised(tables: Mapping[str, Table]) -> Grid | None:
    rows = records(tables.get("unrecognised_declarations"))
    return grid("Declarations that name no language", rows, [text("Declared", "code"), number("Pages", "pages")])
