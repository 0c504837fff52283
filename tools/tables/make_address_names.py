"""Writes tools/tables/address_names.tsv: what addresses say of the language they are in (/fr/, /francais/, french.).

    python tools/tables/make_address_names.py        (needs pip install langcodes language_data)

Columns: form, language (ISO 639-3, folded as our labels are), kind. Kinds are "code" (ISO 639-1), "long" (ISO 639-2 and -3),
"country" (the code of a country, where that is no code of a language), "native" and "english" names. Names come from
CLDR, in lower case and without the marks of Latin letters, spaces and hyphens; two languages that share a form both lose it.
What a form is worth is not here: that is learnt from addresses.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path

from langcodes import Language
from langcodes.data_dicts import LANGUAGE_ALPHA3_BIBLIOGRAPHIC

from webtongue import labels
from webtongue.reference.countries import COUNTRY_LANGUAGE

# Languages that sites are offered in: those of which CLDR has a whole locale, in the order of their ISO 639-1 codes.
LANGUAGES = (
    "af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr ga gl gu ha he hi hr hu hy id ig is it ja ka kk km kn ko "
    "ku ky lb ln lo lt lv lg mg mi mk ml mn mr ms mt my nb ne nl nn pa pl ps pt ro ru rw sd si sk sl sm sn so sq sr st sv sw ta te "
    "tg th tk tl tr tt uk ur uz vi xh yi yo zh zu"
).split()
# Forms that CLDR lacks: other names in use, adjectives ("in Czech") and names in Latin letters.
MORE = {
    "ara": "arabi alarabiya arabiya", "bul": "balgarski bulgarski", "ces": "cesky cestina czesky", "ell": "ellinika elinika",
    "fas": "farsi parsi", "heb": "ivrit", "hye": "hayeren", "ind": "bahasa", "jpn": "nihongo", "kat": "kartuli",
    "kor": "hangul hangugeo hanguk", "lav": "latviski", "lit": "lietuviskai lietuviu", "mkd": "makedonski",
    "nld": "vlaams nederlandse", "nob": "norsk bokmaal", "por": "brasileiro", "ron": "romaneste", "rus": "russkij russkiy russkii",
    "slk": "slovensky", "slv": "slovensko slovenski", "spa": "castellano espanola", "srp": "srpski", "sqi": "shqip",
    "ukr": "ukrainska ukrayinska ukrainskyi", "zho": "zhongwen putonghua hanyu", "fra": "francaise", "ita": "italiana",
    "deu": "deutsche", "tur": "turkce",
}  # fmt: skip
MORE_ENGLISH = {"zho": "mandarin", "spa": "castilian", "nld": "flemish", "nob": "norwegian", "fas": "persian"}
# Codes that stand for something else in addresses; "in" was Indonesian until 1989.
NO_CODES = frozenset({"in"})
SHORTEST = 4  # letters of a Latin name: shorter ones are words
ODD = dict(zip("ßæøðþłđıœŋħŧə", "saodtldionhte", strict=True))  # as in native/tables/latin.inc


def plain(name: str) -> str:
    """As the kernel reads a part: lower case, Latin letters without marks, nothing but letters."""
    out = []
    for char in unicodedata.normalize("NFC", name).lower():
        first = unicodedata.normalize("NFKD", ODD.get(char, char))[0]
        first = ODD.get(first, first)
        if unicodedata.category(char)[0] in "LM":
            out.append(first if "a" <= first <= "z" else char)
    return "".join(out)


def forms(tag: str) -> list[tuple[str, str, str]]:
    """The codes and names of one language."""
    found = Language.get(tag)
    long = found.to_alpha3()
    language = labels.fold(labels.parse(tag) or labels.Label(long)).language
    out = [(tag, language, "code"), (long, language, "long"), (language, language, "long")]
    if tag in LANGUAGE_ALPHA3_BIBLIOGRAPHIC:
        out.append((LANGUAGE_ALPHA3_BIBLIOGRAPHIC[tag], language, "long"))
    natives = [found.autonym(), *MORE.get(language, "").split()]
    natives += [found.autonym().split()[-1]] if tag == "vi" else []
    english = [found.display_name("en"), *MORE_ENGLISH.get(language, "").split()]
    for kind, names in (("native", natives), ("english", english)):
        for name in map(plain, names):
            if len(name) >= SHORTEST or not name.isascii():
                out.append((name, language, kind))
    return out


def main() -> None:
    claims: dict[str, dict[str, str]] = {}
    for tag in LANGUAGES:
        for form, language, kind in forms(tag):
            claims.setdefault(form, {}).setdefault(language, kind)
    for code in NO_CODES:
        claims.pop(code, None)
    for code, language in COUNTRY_LANGUAGE.items():
        if len(code) == 2 and code not in claims:
            claims[code] = {language: "country"}
    rows = sorted((form, *next(iter(by.items()))) for form, by in claims.items() if len(by) == 1)
    out = Path(__file__).with_name("address_names.tsv")
    out.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")
    lost = sorted(form for form, by in claims.items() if len(by) > 1)
    print(f"{len(rows)} forms; claimed by two languages: {' '.join(lost)}")


if __name__ == "__main__":
    main()
