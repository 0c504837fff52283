"""Write src/webtongue/data/own_names.tsv: the names of languages in those languages.

    python tools/tables/make_own_names.py        (needs pip install babel language-data langcodes)

Names are those of CLDR, each from the locale of the language; for languages without a locale they come from langcodes. A name that
is the English one or a code is omitted, unless it is in CLDR's locale of the language.
"""

from __future__ import annotations

from pathlib import Path

from babel import Locale, UnknownLocaleError
from langcodes import Language

from webtongue import Identifier, labels

ENGLISH_NAMES = {
    labels.name(label).partition(" (")[0] for label in Identifier().labels
}  # langcodes returns these for unknown names
DATA = Path(__file__).parents[2] / "src" / "webtongue" / "data"


def cldr_name(tag: str) -> str:
    """Return the name in the locale of the language, or ""."""
    language, _, script = tag.partition("-")
    try:
        locale = Locale.parse(f"{language}_{script}" if script else language)
    except (UnknownLocaleError, ValueError):
        return ""
    return locale.languages.get(language, "") if not script or locale.script == script else ""


def own_name(label: str) -> str:
    """Return the name of a label's language in that language, or "" if it is unknown."""
    tag = labels.bcp47(label)
    name = cldr_name(tag)
    if name:
        return name
    autonym = Language.get(tag).autonym().partition(" (")[0].partition("（")[0]
    return "" if autonym in {tag, tag.partition("-")[0]} | ENGLISH_NAMES or "Unknown" in autonym else autonym


def main() -> None:
    names = {label: own_name(label) for label in sorted(Identifier().labels)}
    head = "# label, name in the language itself: written by tools/tables/make_own_names.py from CLDR, by way of babel and langcodes\n"
    lines = "".join(f"{label}\t{name}\n" for label, name in names.items() if name)
    (DATA / "own_names.tsv").write_text(head + lines, "utf-8")
    print(f"{lines.count(chr(10))} of {len(names)} labels")


if __name__ == "__main__":
    main()
