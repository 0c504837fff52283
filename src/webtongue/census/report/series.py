"""The report of a series of censuses: languages, countries, encodings and servers over time, with intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from webtongue import labels
from webtongue.census.comparable import check_units
from webtongue.census.folder import census_folder
from webtongue.census.report.encodings import NO_ENCODING
from webtongue.census.report.formats import (
    format_interval,
    format_plural,
    format_share,
    join_words,
    name_language,
    one_line,
)
from webtongue.census.report.model import Column, DataTable, Figure, Section, number, share, text
from webtongue.census.report.page import render_views
from webtongue.census.report.places import UNKNOWN_COUNTRY, country_names
from webtongue.census.report.views import Views
from webtongue.census.series import CountedCensus, Share, count_census, find_differences
from webtongue.errors import UsageError

__all__ = ["series_report"]

MAX_BARS = 60  # a figure of more censuses shows fewer names
MIN_NAMES = 4
MAX_NAMED = 3  # languages in the headline
EXTRA_LABEL_PIXELS = 60  # Labels of bars have the name of a census.
NO_SHARE = Share(0, 0.0, 0.0, 0.0)
MAX_TABLE_ROWS = 100
TITLES = {
    "languages": ("What pages are written in, over time", "Pages by language", "Language", "pages"),
    "countries": ("Where pages are served from, over time", "Pages by country of the server", "Country", "pages"),
    "encodings": ("Encodings over time", "Pages by encoding", "Encoding", "pages"),
    "servers": ("Where the servers are, over time", "Servers by country", "Country", "servers"),
}


def series_report(outs: Sequence[str | Path], title: str = "") -> str:
    """Return the report of two or more censuses, in the order of their first captures, as one self-contained HTML page."""
    folders = [census_folder(Path(out)) for out in outs]
    for other in folders[1:]:
        check_units(folders[0], other)
    censuses = sorted((count_census(folder) for folder in folders), key=lambda census: census.days)
    if len(censuses) < 2:
        raise UsageError("a series needs two or more censuses")
    names = _name_censuses(censuses)
    views = Views(defaultdict(list), {"dates": ""})
    for kind in TITLES:
        _add_kind(views, kind, censuses, names)
    sections = [_make_section(kind, names) for kind in TITLES]
    about = {**censuses[-1].about, "title": title or f"Languages from {names[0]} to {names[-1]}"}
    return render_views(views, about, sections, _write_headline(censuses, names))


def _name_censuses(censuses: Sequence[CountedCensus]) -> list[str]:
    """Return short different names: the days of the first captures if they differ, else the crawls or folders, with a number."""
    days = [census.days[0] for census in censuses]
    if all(days) and len(set(days)) == len(days):
        return days
    names = [one_line(census.name) for census in censuses]
    return names if len(set(names)) == len(names) else [f"{name} no. {at}" for at, name in enumerate(names, 1)]


def _add_kind(views: Views, kind: str, censuses: Sequence[CountedCensus], names: Sequence[str]) -> None:
    """Add a row of the table for each label, the largest shares first, and bars of the first labels in each census."""
    totals: defaultdict[str, float] = defaultdict(float)
    for census in censuses:
        for label, counted in census.shares[kind].items():
            totals[label] += counted.share
    ranked = sorted(totals, key=lambda label: (label in labels.SPECIAL or label in ("ZZ", ""), -totals[label], label))
    for rank, label in enumerate(ranked):
        row: dict[str, Any] = {"name": _name(kind, label)}
        for at, census in enumerate(censuses):
            share_of_label = census.shares[kind].get(label, NO_SHARE)
            if share_of_label.pages:
                interval = format_interval(share_of_label.low, share_of_label.high, census.total(kind))
                row |= {
                    f"pages {at}": share_of_label.pages,
                    f"share {at}": share_of_label.share,
                    f"interval {at}": interval,
                }
            if rank < max(MIN_NAMES, MAX_BARS // len(censuses)):
                is_last = at == len(censuses) - 1
                bar = {"name": f"{row['name']} {names[at]}", **asdict(share_of_label)}
                if not share_of_label.pages:
                    bar |= {"low": None, "high": None}  # The absence of a label has no interval.
                views.rows[f"{kind}_bars"].append(bar | ({} if is_last else {"special": True}))
        views.rows[kind].append(row)


def _name(kind: str, label: str) -> str:
    if kind == "encodings":
        return one_line(label) or NO_ENCODING
    if kind == "languages":
        parsed = labels.parse(label)
        return name_language(label, labels.name(parsed) if parsed else label)
    return UNKNOWN_COUNTRY if label == "ZZ" else country_names().get(label, one_line(label))


def _make_section(kind: str, names: Sequence[str]) -> Section:
    title, caption, heading, unit = TITLES[kind]
    columns: list[Column] = [text(heading, "name")]
    for at, name in enumerate(names):
        columns += [number(f"{unit.capitalize()}, {name}", f"pages {at}"), share(f"Share, {name}", f"share {at}")]
        columns.append(Column(f"95% interval, {name}", f"interval {at}", one_line))
    figure = Figure(
        kind,
        caption,
        "bars",
        f"Bars of the share of {unit} by {heading.lower()}, one for each census.",
        f"{kind}_bars",
        DataTable(caption, kind, tuple(columns), limit=MAX_TABLE_ROWS),
        (
            "A bar is a share of its own census, with its 95% interval. The last census is in colour, the earlier ones are grey.",
            "A share grows if another one shrinks. The command webtongue compare tests whether a change is more than chance.",
        ),
        has_intervals=True,
        unit=unit,
        limit=None,
        extra_label_pixels=EXTRA_LABEL_PIXELS,
    )
    return Section(kind, title, (), (figure,))


def _write_headline(censuses: Sequence[CountedCensus], names: Sequence[str]) -> list[str]:
    """Return what is compared, the change of the largest languages, and differences that make censuses hard to compare."""
    pairs = zip(names, censuses, strict=True)
    sizes = [f"{name} with {format_plural(census.total('languages'), 'page')}" for name, census in pairs]
    first, last = (census.shares["languages"] for census in (censuses[0], censuses[-1]))
    totals = [census.total("languages") for census in censuses]
    largest = sorted(last.keys() - labels.SPECIAL.keys(), key=lambda label: (-last[label].share, label))[:MAX_NAMED]
    changes = [
        f"{_name('languages', label)} "
        f"{format_share(first.get(label, NO_SHARE).share, totals[0])} to {format_share(last[label].share, totals[-1])}"
        for label in largest
    ]
    sentences = [f"This series has {len(censuses)} censuses: {join_words(sizes)}."]
    if changes:
        sentences.append(f"From the first to the last: {join_words(changes)}.")
    different = find_differences(censuses)
    if different:
        sentences.append(
            f"The censuses differ in {join_words(different)}, so a change of a share may come from that alone."
        )
    return sentences
