"""Write src/webtongue/data/own_names.tsv: what languages are called by those who speak them.

    python tools/tables/make_own_names.py        (needs pip install babel language-data langcodes)

Names are CLDR's, each from the locale of the language itself; langcodes' table has those of languages that CLDR has no locale for.
A name that is only the English one or a code is left out, unless CLDR's own locale says so.
"""

from __future__ import annotations

from pathlib import Path

from babel import Locale, UnknownLocaleError
from langcodes import Language

from webtongue import Identifier, labels

ENGLISH = {
    labels.name(label).partition(" (")[0] for label in Identifier().labels
}  # what langcodes says where it knows none
DATA = Path(__file__).parents[2] / "src" / "webtongue" / "data"


def of_cldr(tag: str) -> str:
    """The name in the language's own locale."""
    language, _, script = tag.partition("-")
    try:
        locale = Locale.parse(f"{language}_{script}" if script else language)
    except (UnknownLocaleError, ValueError):
        return ""
    return locale.languages.get(language, "") if not script or locale.script == script else ""


def own_name(label: str) -> str:
    """The name of a label's language in itself; empty where none is known."""
    tag = labels.bcp47(label)
    found = of_cldr(tag)
    if found:
        return found
    plain = Language.get(tag).autonym().partition(" (")[0].partition("（")[0]
    return "" if plain in {tag, tag.partition("-")[0]} | ENGLISH or "Unknown" in plain else plain


def main() -> None:
    found = {label: own_name(label) for label in sorted(Identifier().labels)}
    head = "# label, name in the language itself: written by tools/tables/make_own_names.py from CLDR, by way of babel and langcodes\n"
    lines = "".join(f"{label}\t{name}\n" for label, name in found.items() if name)
    (DATA / "own_names.tsv").write_text(head + lines, "utf-8")
    print(f"{lines.count(chr(10))} of {len(found)} labels")


if __name__ == "__main__":
    main()
