"""Write src/webtongue/data/countries.tsv and populations.tsv: languages and people of countries, from CLDR's territoryInfo.

    python tools/tables/make_countries.py [--data ../shared/data]      (reads geo/territoryInfo.json below it)

Columns: country (ISO 3166-1 alpha-2, and a few other codes of CLDR), then its languages, the most spoken first, as ``label:share``
with the share of the population, followed by ``:o`` if it is official and ``:r`` if it is official in a region. The share is that
of people who can write the language, so it is reduced for languages that CLDR lists as mostly spoken. Shares sum to more than 1
where people use several languages. Last, the gross domestic product in millions of dollars by purchasing power, which predicts how
much of a language is written in a country better than the population does (docs/evidence.md). The population is a table of its own.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from webtongue import labels

TARGET = Path(__file__).parents[2] / "src" / "webtongue" / "data" / "countries.tsv"
POPULATIONS = TARGET.with_name("populations.tsv")
MIN_SHARE = 0.001  # of the population; smaller languages are omitted unless they are official
MILLION = 1_000_000
STATUS_CODES = {"official": "o", "de_facto_official": "o", "official_regional": "r"}
# CLDR lists Serbian in Latin letters as little written; on the web it is the more common script.
ALWAYS_WRITTEN = frozenset({"sr_Latn"})


def shares_by_label(languages: dict[str, dict[str, str]]) -> dict[str, tuple[float, str]]:
    """Return share and status of each label; tags of one label give the larger share and the higher status."""
    shares: dict[str, tuple[float, str]] = {}
    for tag, facts in languages.items():
        label = labels.parse(tag.replace("_", "-"))
        if label is None or label.language == "und":
            continue
        share = float(facts["_populationPercent"]) / 100
        status = STATUS_CODES.get(facts.get("_officialStatus", ""), "")
        if tag not in ALWAYS_WRITTEN:
            share *= float(facts.get("_writingPercent", 100)) / 100
        if share >= MIN_SHARE or status:
            name = str(labels.fold(label))
            previous, previous_status = shares.get(name, (0.0, ""))
            shares[name] = (
                max(share, previous),
                min((value for value in (status, previous_status) if value), default=""),
            )
    return shares


def format_row(country: str, facts: dict[str, Any]) -> str:
    """Return the line of a country; an uninhabited country has a line without languages."""
    ranked = sorted(
        shares_by_label(facts.get("languagePopulation", {})).items(), key=lambda item: (-item[1][0], item[0])
    )
    parts = (f"{label}:{share:.2g}" + (f":{status}" if status else "") for label, (share, status) in ranked)
    return f"{country}\t{' '.join(parts)}\t{float(facts.get('_gdp', 0)) / MILLION:.0f}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder with geo/territoryInfo.json")
    source = parser.parse_args().data / "geo" / "territoryInfo.json"
    supplemental = json.loads(source.read_text("utf-8"))["supplemental"]
    version = supplemental["version"]["_cldrVersion"]
    countries = [row for row in sorted(supplemental["territoryInfo"].items()) if row[0] != "ZZ"]
    rows = [format_row(country, facts) for country, facts in countries]
    head = f"# country, languages as label:share[:o official | :r in a region], product (CLDR {version}): written by tools/tables/make_countries.py\n"
    TARGET.write_text(head + "".join(rows), "ascii")
    head = f"# country, people (CLDR {version}): written by tools/tables/make_countries.py\n"
    populations = (f"{country}\t{int(facts['_population'])}\n" for country, facts in countries)
    POPULATIONS.write_text(head + "".join(populations), "ascii")
    print(f"{len(rows)} countries, {sum(':' in line for line in rows)} with languages")


if __name__ == "__main__":
    main()
