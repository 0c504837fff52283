"""Servers by country, a language across countries, the languages of a country, and both at once (Cai 2009, 5.2 and 5.4)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webtongue.census.report.fields import Field, Heading
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
from webtongue.census.report.places import bounds, is_country, on_map

__all__ = ["Pairs", "by_country", "by_language", "field_of_both", "pairs", "servers"]

MOST_PAIRS = 20_000  # of a language and a country: some 250 kB of the page; the smallest are left to "others"
UNKNOWN = "Unknown country"
MOST_NAMED = 5  # places that the map has no room for
TOP = 20  # countries and languages of a figure


def servers(tables: Mapping[str, Table]) -> Section | None:
    """The map of servers, with those that have no place on it counted beside (figure 5-3, table 5-3)."""
    rows = records(tables.get("servers_by_country"))
    total = sum(row["servers"] for row in rows)
    if not total:
        return None
    for row in rows:
        row["name"] = short(row["name"]) if is_country(row["country"]) else UNKNOWN
    placed = [row for row in rows if is_country(row["country"])]
    placed.sort(key=lambda row: (-row["servers"], row["country"]))
    title = "Where the servers are"
    if not placed:
        lead = f"Of {plural(total, 'server')} no country is known: a file of countries by address (--geo) tells them."
        return Section("servers", title, lead)
    told = [f"{row['name']} {percent(row['servers'] / total)}" for row in placed[:3]]
    lead = f"{plural(total, 'server')} in {plural(len(placed), 'country', 'countries')} and regions: {listed(told)}."
    unknown = [row for row in rows if not is_country(row["country"])]
    figure = Figure(
        "servers",
        "Servers by country",
        "map",
        f"World map of servers by country in six classes. {lead}",
        {
            "values": {row["country"]: row["servers"] for row in placed},
            "bounds": bounds(row["servers"] for row in placed),
            "total": total,
            "what": "servers",
        },
        notes=tuple(_beside(placed, sum(row["servers"] for row in unknown), total)),
        grid=grid(
            "Servers by country",
            [*placed[:TOP], *unknown, *placed[TOP:]],
            [text("Country", "name"), number("Servers", "servers"), share("Share", "share")],
            most=TOP + len(unknown),
        ),
    )
    lead += " A server is an address that answered, whatever it answered."
    return Section("servers", title, lead, (figure,))


def _beside(placed: Sequence[Mapping[str, Any]], unknown: int, total: int) -> Iterable[str]:
    """Servers that the map does not show."""
    if unknown:
        yield f"Not on the map: {plural(unknown, 'server')} ({percent(unknown / total)}) of unknown country."
    elsewhere = [f"{row['name']} ({count(row['servers'])})" for row in placed if row["country"] not in on_map()]
    if elsewhere:
        more = f" and {count(len(elsewhere) - MOST_NAMED)} more" if len(elsewhere) > MOST_NAMED else ""
        yield f"Without a place on the map: {', '.join(elsewhere[:MOST_NAMED])}{more}."


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
    """From the languages within each country; the largest pairs, if there are very many. None where no country is known."""
    rows = records(tables.get("languages_of_country"))
    if not any(is_country(row["country"]) for row in rows):
        return None
    of_label: Counter[str] = Counter()
    of_country: Counter[str] = Counter()
    names, places = {}, {"": UNKNOWN}
    for row in rows:
        if is_country(row["country"]):
            places[row["country"]] = short(row["country_name"])
        else:
            row["country"] = ""
        of_label[row["label"]] += row["pages"]
        of_country[row["country"]] += row["pages"]
        names[row["label"]] = language_name(row["label"], row["name"])
    kept = sorted(rows, key=lambda row: (-row["pages"], row["country"], row["label"]))[:MOST_PAIRS]
    codes = _ranked(of_country)
    at = {code: place for place, code in enumerate(codes)}
    by_label: defaultdict[str, list[int]] = defaultdict(list)
    largest: Counter[str] = Counter()
    for row in kept:
        by_label[row["label"]] += [at[row["country"]], row["pages"]]
        if row["country"]:
            largest[row["label"]] = max(largest[row["label"]], row["pages"])
    labels = [label for label in _ranked(of_label) if label in by_label]
    languages = [
        {"label": short(label), "name": names[label], "pages": of_label[label], "bounds": bounds([largest[label]])}
        for label in labels
    ]
    distinct(languages)
    countries = [{"code": code, "name": places[code], "pages": of_country[code]} for code in codes]
    distinct(countries, "code")
    return Pairs(languages, countries, [by_label[label] for label in labels], len(rows) - len(kept))


def _ranked(counts: Mapping[str, int]) -> list[str]:
    return sorted(counts, key=lambda name: (-counts[name], name))


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
    countries = [(str(place), row) for place, row in enumerate(found.countries) if row["code"]][:TOP]
    rows = {
        language["name"]: {str(at): pages for at, pages in zip(flat[::2], flat[1::2], strict=True)}
        for language, flat in list(zip(found.languages, found.pages, strict=True))[:TOP]
    }
    if not countries or not rows:
        return None
    wholes = {place: row["pages"] for place, row in countries}
    headings = [Heading(place, row["code"], row["name"]) for place, row in countries]
    figure = Field("Language", rows, headings, lambda _, place: wholes[place]).figure(
        "both",
        f"The {len(rows)} largest languages in the {len(countries)} largest countries",
        "Field of languages by countries; a cell is shaded by the share of the country's pages that are in the language.",
        "A cell is the share of a country's pages. A column does not add up to 100%: smaller languages are not shown.",
    )
    lead = "A country's own language stands out in its column; a row that is shaded all along is a language of the whole web."
    return Section("both", "Languages by country", lead, (figure,))
