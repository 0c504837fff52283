"""Write src/webtongue/data/country_names.tsv and home_countries.tsv: English names of countries, and home countries of labels.

    python tools/tables/make_country_names.py        (needs pip install babel)

Names are those of CLDR for the countries and territories in countries.tsv. The home of a language is the country of CLDR's likely
subtags: Spanish in Spain, Portuguese in Brazil, English in the United States.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from babel import Locale
from babel.core import get_global

from webtongue import Identifier, labels
from webtongue.files import read_rows

DATA = Path(__file__).parents[2] / "src" / "webtongue" / "data"
# Short forms of CLDR, which babel omits, for countries whose long form is not in common use.
SHORT_NAMES = {"HK": "Hong Kong", "MO": "Macao", "MM": "Myanmar", "PS": "Palestine"}


def home_country(label: str, likely: Mapping[str, str]) -> str:
    """Return the country of a label, or "" if CLDR knows none."""
    tag = labels.bcp47(label).replace("-", "_")
    subtags = likely.get(tag) or likely.get(tag.partition("_")[0], "")  # in an unusual script: that of the language
    return subtags.rpartition("_")[2] if subtags.count("_") == 2 else ""


def main() -> None:
    names, likely = Locale("en").territories, get_global("likely_subtags")
    codes = [row[0] for row in read_rows("countries.tsv")]
    head = "# written by tools/tables/make_country_names.py from CLDR, by way of babel\n"
    table = "".join(f"{code}\t{SHORT_NAMES.get(code, names[code])}\n" for code in codes)
    (DATA / "country_names.tsv").write_text(head.replace("# ", "# country, English name: ") + table, "utf-8")
    country_by_label = {label: home_country(label, likely) for label in sorted(Identifier().labels)}
    homes = "".join(f"{label}\t{country}\n" for label, country in country_by_label.items() if country in codes)
    (DATA / "home_countries.tsv").write_text(head.replace("# ", "# label, country: ") + homes, "ascii")
    print(f"{len(codes)} countries, {homes.count(chr(10))} labels with a home")


if __name__ == "__main__":
    main()
