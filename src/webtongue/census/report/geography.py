"""Servers by country, a language across countries, the languages of a country, and both at once (Cai 2009, 5.2 and 5.4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from webtongue.census.report.formats import count, listed, percent, plural
from webtongue.census.report.names import distinct, language_name
from webtongue.census.report.parts import (
    Figure,
    Picker,
    Section,
    Table,
    grid,
    number,
    records,
    share,
    short,
    text,
)
from webtongue.census.report.places import SHARES, bounds, is_country, on_map

__all__ = ["Pairs", "by_country", "by_language", "field_of_both", "pairs", "servers"]

MOST_PAIRS = 20_000  # of a language and a country: some 250 kB of the page; the smallest are left to "others"
TOP = 20  # countries and languages of a figure


def servers(tables: Mapping[str, Table]) -> Section | None:
    """The map of servers, with those that have no place on it counted beside (figure 5-3, table 5-3)."""
    rows = [row | {"name": short(row.get("name"))} for row in records(tables.get("servers_by_country"))]
    placed = [row for row in rows if is_country(row["country"])]
    if not rows:
        return None
    total = sum(row["servers"] for row in rows)
    unknown = total - sum(row["servers"] for row in placed)
    elsewhere = [row for row in placed if row["country"] not in on_map()]
    ranked = sorted(placed, key=lambda row: (-row["servers"], row["country"]))
    figure = Figure(
        "servers",
        "Servers by country",
        "map",
        f"World map of servers by country in six classes. {_leaders(ranked, 'servers', total)}",
        {
            "values": {row["country"]: row["servers"] for row in placed},
            "bounds": bounds(row["servers"] for row in placed),
            "total": total,
            "what": "servers",
        },
        notes=tuple(_beside("server", unknown, total, elsewhere, "servers")),
        grid=grid(
            "Servers by country",
            [*ranked[:TOP], *[row for row in rows if not is_country(row["country"])], *ranked[TOP:]],
            [text("Country", "name"), number("Servers", "servers"), share("Share", "share")],
            most=TOP + len(rows) - len(placed),
        ),
    )
    lead = f"{_leaders(ranked, 'servers', total)} A server is an address that answered, whatever it answered."
    return Section("servers", "Where the servers are", lead, (figure,))


def _leaders(ranked: list[dict[str, Any]], key: str, total: int) -> str:
    """Who leads, in a sentence."""
    if not ranked or not total:
        return f"No country is known of {plural(total, 'server')}."
    told = [f"{row['name']} {percent(row[key] / total)}" for row in ranked[:3]]
    return f"{plural(total, 'server')} in {plural(len(ranked), 'country', 'countries')} and regions: {listed(told)}."


def _beside(what: str, unknown: int, total: int, elsewhere: list[dict[str, Any]], key: str) -> Iterable[str]:
    if unknown:
        yield f"Not on the map: {plural(unknown, what)} ({percent(unknown / total)}) of unknown country."
    if elsewhere:
        told = listed([f"{row['name']} ({count(row[key])})" for row in elsewhere[:5]])
        yield f"Without a place on the map: {told}."


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pages by language and country, as the pickers have them: ``others`` of a language are pages whose pair was left out."""

    languages: list[dict[str, Any]]  # label, name, pages, bounds; the largest first
    countries: list[dict[str, Any]]  # code, name, pages; the largest first
    pages: list[list[int]]  # by language: number of a country, pages, number of a country, pages, ...
    left_out: int

    @property
    def data(self) -> dict[str, Any]:
        return {"languages": self.languages, "countries": self.countries, "pages": self.pages}


def pairs(tables: Mapping[str, Table]) -> Pairs | None:
    """From the languages within each country; the largest pairs, if there are very many."""
    rows = records(tables.get("languages_of_country"))
    if not rows:
        return None
    of_label: defaultdict[str, int] = defaultdict(int)
    of_country: defaultdict[str, int] = defaultdict(int)
    names: dict[str, str] = {}
    for row in rows:
        row["country"] = row["country"] if is_country(row["country"]) else ""
        of_label[row["label"]] += row["pages"]
        of_country[row["country"]] += row["pages"]
        names[row["country"]] = short(row["country_name"]) if row["country"] else "Unknown country"
        names[f"label {row['label']}"] = language_name(row["label"], row["name"])
    labels = sorted(of_label, key=lambda label: (-of_label[label], label))
    codes = sorted(of_country, key=lambda code: (-of_country[code], code))
    at = {code: place for place, code in enumerate(codes)}
    kept = sorted(rows, key=lambda row: (-row["pages"], row["country"], row["label"]))[:MOST_PAIRS]
    by_label: defaultdict[str, list[int]] = defaultdict(list)
    largest: defaultdict[str, int] = defaultdict(int)
    for row in kept:
        by_label[row["label"]] += [at[row["country"]], row["pages"]]
        if row["country"]:
            largest[row["label"]] = max(largest[row["label"]], row["pages"])
    labels = [label for label in labels if label in by_label]
    languages = [
        {"label": label, "name": names[f"label {label}"], "pages": of_label[label], "bounds": bounds([largest[label]])}
        for label in labels
    ]
    distinct(languages)
    countries = [{"code": code, "name": names[code], "pages": of_country[code]} for code in codes]
    return Pairs(languages, countries, [by_label[label] for label in labels], len(rows) - len(kept))


def by_language(found: Pairs) -> Section:
    """The picker of a language: where its pages are served from (table 5-6), on a map and as bars."""
    notes = [
        "The country is that of the server that sent a page, as its address tells. Hosting is often bought abroad, so this is "
        "not a map of readers or writers."
    ]
    if found.left_out:
        notes.append(f"The {count(found.left_out)} smallest pairs of a language and a country are counted with others.")
    return Section(
        "language",
        "A language across countries",
        "Where the pages of a language are served from. Choose a language; map, bars and table follow.",
        (
            Figure(
                "language",
                "Pages of a language by country",
                "language",
                "World map and bars of the pages of the chosen language by country; the table has the same figures.",
                notes=tuple(notes),
                picker=Picker("languages", "Language"),
            ),
        ),
    )


def by_country(found: Pairs, tables: Mapping[str, Table]) -> Section:
    """The picker of a country: the languages of its pages (table 5-5), beside what people there write."""
    people: dict[str, dict[str, float]] = {}
    for row in records(tables.get("languages_against_population")):
        if row.get("population"):
            people.setdefault(row["country"], {})[short(row["name"])] = round(row["population"], 4)
    foreign: dict[str, str] = {}
    for row in records(tables.get("foreign_languages")):
        told = f"{language_name(row['label'], row['name'])} ({plural(row['pages'], 'page')}, {percent(row['share'])})"
        foreign.setdefault(row["country"], told)
    notes = [
        "Languages that would overshadow the others stand apart, on a scale of their own, as pages of unknown language do."
    ]
    if people:
        notes.append(
            "Share of people: of the population that can write the language, by the Unicode CLDR. People have several "
            "languages, so these shares add up to more than 100%."
        )
    return Section(
        "country",
        "The languages of a country",
        "What the pages on the servers of a country are written in. Choose a country; bars and table follow.",
        (
            Figure(
                "country",
                "Pages of a country by language",
                "country",
                "Bars of the pages in the chosen country by language; the table has the same figures.",
                {"people": people, "foreign": foreign},
                notes=tuple(notes),
                picker=Picker("countries", "Country"),
            ),
        ),
    )


def field_of_both(found: Pairs) -> Section | None:
    """The largest languages against the largest countries, each cell the share of a country's pages."""
    columns = [(place, row) for place, row in enumerate(found.countries) if row["code"]][:TOP]
    rows = list(zip(found.languages, found.pages, strict=True))[:TOP]
    if not columns or not rows:
        return None
    cells = []
    table: list[dict[str, Any]] = []
    for language, flat in rows:
        pages = dict(zip(flat[::2], flat[1::2], strict=True))
        line: dict[str, Any] = {"language": language["name"]}
        for place, country in columns:
            part = pages.get(place, 0) / country["pages"] if country["pages"] else 0
            cells.append([language["name"], country["code"], country["name"], round(part, 6), pages.get(place, 0)])
            line[country["code"]] = part
        table.append(line)
    heads = [text("Language", "language"), *(share(country["name"], country["code"]) for _, country in columns)]
    figure = Figure(
        "both",
        f"The {len(rows)} largest languages in the {len(columns)} largest countries",
        "cells",
        "Field of languages by countries; a cell is shaded by the share of the country's pages that are in the language.",
        {"cells": cells, "bounds": SHARES},
        notes=(
            "A cell is the share of a country's pages. A column does not add up to 100%: smaller languages are not shown.",
        ),
        grid=grid("Share of a country's pages by language", table, heads),
    )
    lead = "A country's own language stands out in its column; a row that is shaded all along is a language of the whole web."
    return Section("both", "Languages by country", lead, (figure,))
