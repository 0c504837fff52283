"""Why pages have no language, what the answers rest on, and pages in several languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webtongue.census.report.formats import listed, percent, plural
from webtongue.census.report.names import language_name, reason_name, source_name
from webtongue.census.report.parts import (
    Figure,
    Grid,
    Section,
    Table,
    grid,
    guessed,
    kept,
    number,
    records,
    share,
    short,
    text,
)

__all__ = ["evidence", "mixed", "unknown"]

PRIOR = "prior"  # speaks on every page, so its bar would say nothing


def unknown(tables: Mapping[str, Table]) -> Section | None:
    """Pages without a language by reason, and by the five reasons of Cai 2009, 5.1.3."""
    rows = [row | {"name": reason_name(row["reason"])} for row in records(tables.get("unknown_by_reason"))]
    rows.sort(key=lambda row: -row["pages"])
    total = sum(row["pages"] for row in rows)
    if not total:
        return None
    bars = [_bar(row, row["pages"] / total) for row in _joined(rows)]
    figure = Figure(
        "unknown",
        "Pages without a language, by reason",
        "bars",
        "Bars of the share of pages without a language by reason.",
        {"rows": bars, "what": "pages"},
        grid=grid(
            "Pages without a language",
            rows,
            [
                text("Reason", "name"),
                text("As Cai (2009) has it", "cai"),
                number("Pages", "pages"),
                share("Share", "share"),
            ],
        ),
    )
    lead = f"{plural(total, 'page')} have no language. {rows[0]['name']}: {percent(rows[0]['pages'] / total)} of them."
    return Section("unknown", "Why a language is not known", lead, (figure,))


def _joined(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Reasons that have the same words are one bar."""
    out: dict[str, dict[str, Any]] = {}
    for row in rows:
        held = out.setdefault(row["name"], {"name": row["name"], "pages": 0})
        held["pages"] += row["pages"]
    return sorted(out.values(), key=lambda row: -row["pages"])


def evidence(tables: Mapping[str, Table]) -> Section | None:
    """How many pages each source of evidence spoke on (figure 5-1), and languages that a charset names (table 5-2)."""
    rows = [row | {"name": source_name(row["source"])} for row in records(tables.get("evidence_coverage"))]
    if not rows:
        return None
    spoke = [row for row in rows if row["source"] != PRIOR]
    figure = Figure(
        "evidence",
        "Pages on which a source of evidence had something to say",
        "bars",
        "Bars of the share of pages on which each source of evidence spoke.",
        {"rows": [_bar(row, row["share"]) for row in spoke], "what": "pages", "whole": True},
        notes=("A page counts for every source that spoke on it. The table has for how many a source did most, too.",),
        grid=grid(
            "Coverage of each source of evidence",
            rows,
            [text("Source", "name"), *(guessed(key, rows) for key in rows[0] if key not in ("source", "name"))],
        ),
    )
    lead = "A language is decided by all that a page gives away."
    decided = [row for row in spoke if row.get("decided_share")]
    if decided:
        told = [f"{row['name'].lower()} {percent(row['decided_share'])}" for row in decided]
        lead += f" What did most for the answer: {listed(told)}."
    return Section("evidence", "What the answers rest on", lead, (figure,), grids=kept(_charsets(tables)))


def _charsets(tables: Mapping[str, Table]) -> Grid | None:
    rows = [row for row in records(tables.get("charset_coverage")) if row["by_charset"]]
    for row in rows:
        row["name"] = language_name(row["label"], row["name"])
    return grid(
        "Languages that a declared charset alone names",
        sorted(rows, key=lambda row: -row["by_charset"]),
        [
            text("Language", "name"),
            number("By charset", "by_charset"),
            number("Pages", "pages"),
            share("Share", "share"),
        ],
        note="Only charsets that stand for one language count: UTF-8 names none.",
    )


def mixed(tables: Mapping[str, Table]) -> Section | None:
    """Pages in more than one language, and which go together."""
    rows = records(tables.get("multilingual"))
    total = sum(row["pages"] for row in rows)
    several = sum(row["pages"] for row in rows if str(row["languages"]).isdigit() and int(row["languages"]) > 1)
    if not several:
        return None
    pairs = [
        row | {"one": _label(row["label"]), "two": _label(row["other"])}
        for row in records(tables.get("language_pairs"))
    ]
    figure = Figure(
        "mixed",
        "Pages by number of languages",
        "bars",
        "Bars of the share of pages by the number of languages on them.",
        {"rows": [_number_of_languages(row) for row in rows], "what": "pages", "whole": True},
        notes=("A language counts from 5% of a page's running text on.",),
        grid=grid(
            "Pages by number of languages",
            rows,
            [text("Languages", "languages"), number("Pages", "pages"), share("Share", "share")],
        ),
    )
    made = grid(
        "Languages that share pages",
        pairs,
        [text("Main language", "one"), text("Other language", "two"), number("Pages", "pages")],
    )
    lead = f"{plural(several, 'page')} ({percent(several / total)}) hold more than one language."
    return Section("mixed", "Pages in several languages", lead, (figure,), grids=kept(made))


def _bar(row: Mapping[str, Any], value: float) -> dict[str, Any]:
    return {"name": row["name"], "pages": row["pages"], "value": value}


def _label(label: object) -> str:
    from webtongue import labels

    parsed = labels.parse(str(label))
    return language_name(label, labels.name(parsed) if parsed else label)


def _number_of_languages(row: Mapping[str, Any]) -> dict[str, Any]:
    said = short(row["languages"])
    name = "No language" if said == "0" else f"{said} language{'s' * (said != '1')}"
    return _bar({**row, "name": name}, row["share"])
