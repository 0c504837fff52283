"""Write src/webtongue/data/countries.tsv: which languages a country has, from CLDR's territoryInfo.

    python tools/tables/make_countries.py [--data ../shared/data]      (reads geo/territoryInfo.json below it)

Columns: country (ISO 3166, two letters; CLDR's few others with it), then its languages, the most spoken first:
``label:share`` with the share of the population, and ``:o`` where it is official, ``:r`` where it is in a region. A share is of
people who can use a language in writing: of a language that CLDR knows as spoken and little written, that part. Shares
sum to more than 1 where people have several languages. Last, the country's gross domestic product in millions of dollars by purchasing
power: how much of a language is written in which country goes by it rather than by heads (docs/evidence.md).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from webtongue import labels

OUT = Path(__file__).parents[2] / "src" / "webtongue" / "data" / "countries.tsv"
LEAST = 0.001  # of a country's people: languages of fewer are left out unless they are official
MILLION = 1_000_000
STATUS = {"official": "o", "de_facto_official": "o", "official_regional": "r"}
# CLDR has Serbian in Latin letters as a script of little use; on the web it is the commoner of the two.
WRITTEN = frozenset({"sr_Latn"})


def spoken(languages: dict[str, dict[str, str]]) -> dict[str, tuple[float, str]]:
    """Share and status of each label; tags that fold into one label share it, with the larger share and the higher status."""
    out: dict[str, tuple[float, str]] = {}
    for tag, facts in languages.items():
        label = labels.parse(tag.replace("_", "-"))
        if label is None or label.language == "und":
            continue
        share = float(facts["_populationPercent"]) / 100
        status = STATUS.get(facts.get("_officialStatus", ""), "")
        if tag not in WRITTEN:
            share *= float(facts.get("_writingPercent", 100)) / 100
        if share >= LEAST or status:
            name = str(labels.fold(label))
            before, rank = out.get(name, (0.0, ""))
            out[name] = max(share, before), min((x for x in (status, rank) if x), default="")
    return out


def row(country: str, facts: dict[str, Any]) -> str:
    """The line of a country; a country nobody lives in has no languages and a line."""
    ranked = sorted(spoken(facts.get("languagePopulation", {})).items(), key=lambda item: (-item[1][0], item[0]))
    parts = (f"{label}:{share:.2g}" + (f":{status}" if status else "") for label, (share, status) in ranked)
    return f"{country}\t{' '.join(parts)}\t{float(facts.get('_gdp', 0)) / MILLION:.0f}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder with geo/territoryInfo.json")
    source = parser.parse_args().data / "geo" / "territoryInfo.json"
    supplemental = json.loads(source.read_text("utf-8"))["supplemental"]
    version = supplemental["version"]["_cldrVersion"]
    rows = [row(country, facts) for country, facts in sorted(supplemental["territoryInfo"].items()) if country != "ZZ"]
    head = f"# country, languages as label:share[:o official | :r in a region], product (CLDR {version}): written by tools/tables/make_countries.py\n"
    OUT.write_text(head + "".join(rows), "ascii")
    print(f"{len(rows)} countries, {sum(':' in line for line in rows)} with languages")


if __name__ == "__main__":
    main()
