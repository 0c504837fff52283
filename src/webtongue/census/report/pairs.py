"""Pages by language and country: the data of the two pickers and of the matrix of both (Cai 2009, tables 5-5 and 5-6)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webtongue.census.report.formats import one_line
from webtongue.census.report.places import UNKNOWN_COUNTRY, choose_bounds, is_country

__all__ = ["Pairs", "count_pairs", "disambiguate_names", "rank_keys"]

MAX_PAIRS = 20_000  # About 250 kB of the page; smaller pairs are counted as "others".

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pages by language and country in the form that report.js reads. Languages and countries are sorted by pages."""

    languages: list[Row]  # label, name, pages, bounds
    countries: list[Row]  # code, name, pages
    pages: list[list[int]]  # for each language: index of a country, pages, index of the next country, pages, ...
    left_out: int  # pairs beyond MAX_PAIRS

    @property
    def data(self) -> Row:
        return {"languages": self.languages, "countries": self.countries, "pages": self.pages}


def count_pairs(rows: Sequence[Row]) -> Pairs | None:
    """Return the pairs of the table languages_of_country, or None if no country is known."""
    if not any(is_country(row["country"]) for row in rows):
        return None
    label_pages: Counter[str] = Counter()
    country_pages: Counter[str] = Counter()
    names, country_names = {}, {"": UNKNOWN_COUNTRY}
    for row in rows:
        if is_country(row["country"]):
            country_names[row["country"]] = one_line(row["country_name"])
        else:
            row["country"] = ""
        label_pages[row["label"]] += row["pages"]
        country_pages[row["country"]] += row["pages"]
        names[row["label"]] = row["name"]
    largest_pairs = sorted(rows, key=lambda row: (-row["pages"], row["country"], row["label"]))[:MAX_PAIRS]
    codes = rank_keys(country_pages)
    index = {code: i for i, code in enumerate(codes)}
    pages: defaultdict[str, list[int]] = defaultdict(list)
    largest: Counter[str] = Counter()
    for row in largest_pairs:
        pages[row["label"]] += [index[row["country"]], row["pages"]]
        if row["country"]:
            largest[row["label"]] = max(largest[row["label"]], row["pages"])
    labels = [label for label in rank_keys(label_pages) if label in pages]
    languages = [
        {
            "label": one_line(label),
            "name": names[label],
            "pages": label_pages[label],
            "bounds": choose_bounds([largest[label]]),
        }
        for label in labels
    ]
    countries = [{"code": code, "name": country_names[code], "pages": country_pages[code]} for code in codes]
    disambiguate_names(languages)
    disambiguate_names(countries, "code")
    return Pairs(languages, countries, [pages[label] for label in labels], len(rows) - len(largest_pairs))


def rank_keys(counts: Mapping[str, int]) -> list[str]:
    """Return the keys by falling count, and by name where counts are equal."""
    return sorted(counts, key=lambda key: (-counts[key], key))


def disambiguate_names(rows: Iterable[Row], code: str = "label") -> None:
    """Append the code to a name that an earlier row has: a chart would draw rows of the same name as one."""
    seen: set[str] = set()
    for row in rows:
        if row["name"] in seen:
            row["name"] = f"{row['name']} ({one_line(row[code])})"
        seen.add(row["name"])
