"""Write src/webtongue/data/country_names.tsv and home_countries.tsv: what countries are called, and where languages are at home.

    python tools/tables/make_country_names.py        (needs pip install babel)

Names are CLDR's English ones, those of the countries and territories in countries.tsv. A language is at home in the country that CLDR's
likely subtags give for it: Spanish in Spain, Portuguese in Brazil, English in the United States.
"""

from __future__ import annotations

from pathlib import Path

from babel import Locale
from babel.core import get_global

from webtongue import Identifier, labels
from webtongue.files import rows

DATA = Path(__file__).parents[2] / "src" / "webtongue" / "data"
# CLDR's own shorter forms, which babel leaves out, where the long form is no name that people use.
SHORT = {"HK": "Hong Kong", "MO": "Macao", "MM": "Myanmar", "PS": "Palestine"}


def home(label: str, likely: dict[str, str]) -> str:
    """The country of a label, empty where CLDR knows none."""
    tag = labels.bcp47(label).replace("-", "_")
    found = likely.get(tag) or likely.get(tag.partition("_")[0], "")  # in an unusual script: where the language is
    return found.rpartition("_")[2] if found.count("_") == 2 else ""


def main() -> None:
    names, likely = Locale("en").territories, get_global("likely_subtags")
    codes = [row[0] for row in rows("countries.tsv")]
    head = "# written by tools/tables/make_country_names.py from CLDR, by way of babel\n"
    table = "".join(f"{code}\t{SHORT.get(code, names[code])}\n" for code in codes)
    (DATA / "country_names.tsv").write_text(head.replace("# ", "# country, English name: ") + table, "utf-8")
    found = {label: home(label, likely) for label in sorted(Identifier().labels)}
    homes = "".join(f"{label}\t{country}\n" for label, country in found.items() if country in codes)
    (DATA / "home_countries.tsv").write_text(head.replace("# ", "# label, country: ") + homes, "ascii")
    print(f"{len(codes)} countries, {homes.count(chr(10))} labels with a home")


if __name__ == "__main__":
    main()
