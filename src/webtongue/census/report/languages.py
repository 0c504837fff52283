"""Pages by language, as counted and as corrected for the identifier's own errors (Cai 2009, figure 5-4 and table 5-4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webtongue.census.report.formats import count, listed, percent, plural
from webtongue.census.report.names import SPECIAL, distinct, language_name
from webtongue.census.report.parts import (
    Column,
    Figure,
    Grid,
    Section,
    Table,
    grid,
    interval,
    kept,
    number,
    records,
    share,
    text,
)

__all__ = ["SCRIPTURE", "Languages", "languages", "read_languages"]

TOP = 20  # languages of the figure
MOST = 100  # of its table
SCRIPTURE = 3  # the tier of labels that learnt from hardly anything but scripture

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Languages:
    """Pages by label, the largest first; what is no language, and languages known from scripture alone, apart."""

    known: Sequence[Row]
    scripture: Sequence[Row]
    special: Sequence[Row]
    total: int
    reliable: float | None = None  # share of the answers
    note: str = ""  # on the intervals

    @property
    def has_corrected(self) -> bool:
        """Whether shares were corrected."""
        return any(row["corrected"] is not None for row in (*self.known, *self.special))

    @property
    def count(self) -> int:
        """Languages, of whatever tier and in whatever script: Serbian is one."""
        return len({str(row["label"]).partition("_")[0] for row in (*self.known, *self.scripture)})


def read_languages(tables: Mapping[str, Table]) -> Languages | None:
    """The tables of languages as one; None where no page was identified."""
    counted = tables.get("pages_by_language")
    corrected = {row["label"]: row for row in records(tables.get("pages_by_language_corrected"))}
    hosts = {row["label"]: row for row in records(tables.get("hosts_by_language"))}
    rows = records(counted)
    for row in rows:
        row["name"] = language_name(row["label"], row["name"])
        row["hosts"] = hosts.get(row["label"], {}).get("hosts")
        after = corrected.get(row["label"], {})
        shares = map(after.get, ("corrected", "low", "high")) if "corrected" in after else (None, None, None)
        row["corrected"], row["corrected_low"], row["corrected_high"] = shares
    rows.sort(key=lambda row: (-row["pages"], row["label"]))
    distinct(rows)
    total = sum(row["pages"] for row in rows)
    if not total or counted is None:
        return None
    spoken = [row for row in rows if row["label"] not in SPECIAL]
    return Languages(
        known=[row for row in spoken if row["tier"] != SCRIPTURE],
        scripture=[row for row in spoken if row["tier"] == SCRIPTURE],
        special=[row for row in rows if row["label"] in SPECIAL],
        total=total,
        reliable=_reliable(tables),
        note=counted.note,
    )


def _reliable(tables: Mapping[str, Table]) -> float | None:
    said = next((row["value"] for row in records(tables.get("summary")) if row["what"] == "reliable"), None)
    return float(said) if isinstance(said, int | float) else None


def languages(found: Languages, tables: Mapping[str, Table]) -> Section:
    """The bars of the largest, and tables of all."""
    top = found.known[:TOP]
    rows = [_bar(row, special=True) for row in found.special] + [_bar(row) for row in top]
    notes = [
        f"Bars are pages with status 200, by their main language; thin lines are 95% intervals. {found.note}".rstrip(),
        "What is no language, or would overshadow the others, stands apart on a scale of its own, as Cai (2009) did.",
    ]
    if found.has_corrected:
        notes.append(
            "Points are the share corrected for pages that the identifier takes for another language, with 95% intervals "
            "(see Methods). Where point and bar differ, the point is the better estimate."
        )
    figure = Figure(
        "languages",
        f"The {len(top)} largest languages" if len(top) > 1 else "The languages",
        "bars",
        f"Bars of the share of pages by language. {_leaders(found)}",
        {"rows": rows, "what": "pages"},
        notes=tuple(notes),
        grid=grid("Pages by language", _ordered(found), _columns(found.has_corrected), most=MOST),
        marks=("bar", "line", "point") if found.has_corrected else ("bar", "line"),
    )
    grids = kept(_scripture(found), _ranks(tables))
    return Section("languages", "What pages are written in", _leaders(found), (figure,), grids)


def _leaders(found: Languages) -> str:
    """The largest languages in a sentence, and how much is not known."""
    first = [f"{row['name']} {percent(row['pages'] / found.total)}" for row in found.known[:4]]
    unknown = sum(row["pages"] for row in found.special if row["label"] == "und")
    said = f"{plural(found.total, 'page')} in {plural(found.count, 'language')}"
    said += f": {listed(first)}." if first else "."
    if unknown:
        said += f" Of {percent(unknown / found.total)} the language is not known."
    return said + (f" {percent(found.reliable)} of the answers are reliable." if found.reliable is not None else "")


def _bar(row: Mapping[str, Any], special: bool = False) -> Row:
    shown = ("name", "pages", "low", "high", "corrected", "corrected_low", "corrected_high")
    out = {key: _rounded(row.get(key)) for key in shown if row.get(key) is not None}
    return out | {"value": _rounded(row["share"])} | ({"special": True} if special else {})


def _rounded(value: Any) -> Any:
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _ordered(found: Languages) -> list[Row]:
    return sorted([*found.known, *found.special], key=lambda row: (-row["pages"], row["label"]))


def _columns(corrected: bool) -> list[Column]:
    columns = [
        text("Language", "name"),
        text("Label", "label"),
        Column("Tier", lambda row: count(row["tier"] or None), right=True),  # what is no language has none
        number("Pages", "pages"),
        share("Share", "share"),
        interval("95% interval", "low", "high"),
    ]
    if corrected:
        columns += [share("Corrected", "corrected"), interval("95% interval", "corrected_low", "corrected_high")]
    return [*columns, number("Hosts", "hosts")]


def _scripture(found: Languages) -> Grid | None:
    """Languages of tier 3 in a table of their own: their pages may be another language's, and often are."""
    pages = sum(row["pages"] for row in found.scripture)
    note = (
        f"{plural(pages, 'page')} ({percent(pages / found.total)}) in {count(len(found.scripture))} languages that the model "
        "knows from hardly any modern text beside scripture. They were not verified on modern text: take them for candidates."
    )
    columns = _columns(found.has_corrected)
    return grid("Languages known from scripture alone", found.scripture, columns, most=50, note=note)


def _ranks(tables: Mapping[str, Table]) -> Grid | None:
    """Whether languages rank as the countries do where they are at home (Cai 2009, 5.3.1)."""
    table = tables.get("ranks")
    columns = [
        text("Language", "name"), number("Rank", "rank"), number("Pages", "pages"), text("At home in", "country_name"),
        number("Rank of that country", "country_rank"), number("Servers there", "servers"),
    ]  # fmt: skip
    return grid("Rank of languages and of countries", records(table), columns, note=table.note if table else "")
