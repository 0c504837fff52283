"""Write ``src/webtongue/data/encoding_languages.tsv``: the languages of each encoding.

A language is listed if it used an encoding (ENCODINGS below) and the encoding can represent its letters (CLDR's exemplar sets).
This needs PyICU (Debian: ``python3-icu``); run ``python tools/tables/make_encoding_languages.py``.

Columns: encoding, its languages as ISO 639-3 codes, and the label that a declaration of it implies: that of its only language, or
of the language it was made for (``!`` in ENCODINGS). ``*`` in ENCODINGS is every language of the script that it can represent.
Encodings that are declared but not decoded here (DECLARED_ONLY) have no languages.
"""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

import icu

DATA = Path(__file__).parents[2] / "src/webtongue/data"

WESTERN = "eng deu fra spa por ita nld dan swe nob nno fin isl fao cat glg eus gle gla cym bre afr sqi msa ind tgl swa ltz oci ast roh"
CENTRAL = "ces slk pol hun slv hrv bos srp_Latn ron sqi deu hsb dsb"
BALTIC = "est lav lit deu pol"
NORDIC = "dan swe nob nno isl fao fin est sme kal"
CYRILLIC = "rus ukr bel bul mkd srp"
CENTRAL_ASIA = "rus kaz kir uzb_Cyrl tgk mon tat bak"
ARABIC = "ara fas urd pus ckb uig snd"

# Encoding = script: languages.
ENCODINGS = f"""
windows-1252 = Latn: * {WESTERN}
iso-8859-15 = Latn: * {WESTERN}
macintosh = Latn: * {WESTERN}
cp437 = Latn: eng deu fra spa ita nld swe fin
cp850 = Latn: {WESTERN}
hp-roman8 = Latn: {WESTERN}
windows-1250 = Latn: {CENTRAL}
iso-8859-2 = Latn: {CENTRAL}
cp852 = Latn: {CENTRAL}
mac-ce = Latn: {CENTRAL} est lav lit
mac-croatian = Latn: !hrv bos srp_Latn slv
mac-romanian = Latn: ron
iso-8859-16 = Latn: ron hrv hun pol slv sqi deu fra ita gle
iso-8859-3 = Latn: epo mlt tur
windows-1254 = Latn: !tur aze deu eng fra spa por ita nld
cp857 = Latn: tur
mac-turkish = Latn: tur
windows-1257 = Latn: {BALTIC}
iso-8859-13 = Latn: {BALTIC}
iso-8859-4 = Latn: {BALTIC} sme kal
cp775 = Latn: {BALTIC}
iso-8859-10 = Latn: {NORDIC} lit
iso-8859-14 = Latn: cym gle gla bre glv cor
mac-icelandic = Latn: !isl fao
cp860 = Latn: por
cp861 = Latn: isl
cp863 = Latn: fra
cp865 = Latn: dan nob nno
windows-1258 = Latn: vie
viscii = Latn: vie
tcvn = Latn: vie
vps = Latn: vie
vni = Latn: vie
windows-1251 = Cyrl: {CYRILLIC}
koi8-r = Cyrl: rus bul
koi8-u = Cyrl: !ukr rus bel
koi8-t = Cyrl: !tgk rus
ibm866 = Cyrl: rus bel ukr
cp855 = Cyrl: {CYRILLIC}
cp1125 = Cyrl: !ukr rus bel
mik = Cyrl: !bul rus
iso-8859-5 = Cyrl: {CYRILLIC}
x-mac-cyrillic = Cyrl: {CYRILLIC}
kz1048 = Cyrl: !kaz rus
ptcp154 = Cyrl: {CENTRAL_ASIA}
windows-1253 = Grek: ell
iso-8859-7 = Grek: ell
cp737 = Grek: ell
cp869 = Grek: ell
mac-greek = Grek: ell
windows-1255 = Hebr: !heb yid
iso-8859-8 = Hebr: !heb yid
cp862 = Hebr: heb
mac-hebrew = Hebr: !heb yid
windows-1256 = Arab: {ARABIC}
iso-8859-6 = Arab: ara
cp720 = Arab: ara
cp864 = Arab: ara
mac-arabic = Arab: !ara fas urd
mac-farsi = Arab: fas
windows-874 = Thai: tha
mac-thai = Thai: tha
gb18030 = Hans: zho_Hans
gbk = Hans: zho_Hans
hz-gb-2312 = Hans: zho_Hans
iso-2022-cn = Hans: !zho_Hans zho_Hant
big5 = Hant: !zho_Hant yue
euc-tw = Hant: zho_Hant
euc-jp = Jpan: jpn
shift_jis = Jpan: jpn
iso-2022-jp = Jpan: jpn
iso-2022-jp-1 = Jpan: jpn
iso-2022-jp-2 = Jpan: jpn
iso-2022-jp-3 = Jpan: jpn
euc-kr = Hang: kor
johab = Hang: kor
iso-2022-kr = Hang: kor
armscii-8 = Armn: hye
georgian-academy = Geor: kat
georgian-ps = Geor: kat
geostd8 = Geor: kat
tscii = Taml: tam
tab = Taml: tam
tam = Taml: tam
x-iscii-de = Deva: hin mar nep san
x-iscii-be = Beng: !ben asm
x-iscii-pa = Guru: pan
x-iscii-gu = Gujr: guj
x-iscii-or = Orya: ori
x-iscii-ta = Taml: tam
x-iscii-te = Telu: tel
x-iscii-ka = Knda: kan
x-iscii-ma = Mlym: mal
""".strip()

# Declared on pages, and not decoded here or decoded by a superset.
DECLARED_ONLY = {
    "eng_Latn": "us-ascii",
    "zho_Hans": "x-cp20936 x-cp50227 x-mac-chinesesimp",
    "zho_Hant": "x-chinese-cns x-chinese-eten x-mac-chinesetrad",
    "jpn_Jpan": "x-mac-japanese",
    "kor_Hang": "x-mac-korean",
    "tur_Latn": "cp1026",
    "heb_Hebr": "iso-8859-8-i",
    "ukr_Cyrl": "x-mac-ukrainian",
    "lao_Laoo": "ibm1133",
    "guj_Gujr": "mac-gujarati",
    "pan_Guru": "mac-gurmukhi",
}

# Letters that writers of a language omit or replace if an encoding lacks them.
OPTIONAL_LETTERS = {
    "fra": "œÿæ",
    "nld": "ĳ",
    "fin": "šž",
    "est": "šž",
    "ron": "șț",
    "cat": "ŀ",
    "ell": "ΐΰ",
    "ukr": "ґ",
    "rus": "ё",
}
ALPHABETS = {"Latn", "Cyrl", "Grek", "Armn", "Geor"}  # scripts for which letters are compared


def lower_case_letters(language: str) -> str:
    """Return the lower-case letters of a language by CLDR, or ""; legacy encodings lack some capitals."""
    name, _, script = language.partition("_")
    locale = icu.Locale(icu.Locale(name).getLanguage() + (f"_{script}" if script else ""))
    try:
        exemplars = icu.LocaleData(locale.getName()).getExemplarSet(0, icu.ULocaleDataExemplarSetType.ES_STANDARD)
    except icu.ICUError:
        return ""
    return "".join(char for char in exemplars if len(char) == 1 and unicodedata.category(char) in ("Ll", "Lo"))


def can_encode(encoding: str, letters: str) -> bool:
    from webtongue.charset.codecs import encode

    return encode(letters, encoding) is not None


def latin_languages() -> list[str]:
    """Return the languages in Latin script whose letters CLDR has."""
    languages = set()
    for locale in icu.Locale.getAvailableLocales():
        parsed = icu.Locale(locale)
        letters = lower_case_letters(icu.Locale(parsed.getLanguage()).getISO3Language())
        if letters and all(ord(c) < 0x250 or 0x1E00 <= ord(c) < 0x1F00 for c in letters if c.isalpha()):
            languages.add(parsed.getISO3Language())
    return sorted(languages - {""})


def main() -> None:
    all_latin = latin_languages()
    lines = ["# Which languages were written in which encoding: tools/tables/make_encoding_languages.py"]
    for line in ENCODINGS.splitlines():
        declaration, _, listed = line.partition(":")
        encoding, script = (part.strip() for part in declaration.split("="))
        names = [name.strip("!") for name in listed.split() if name != "*"]
        main_language = names[0] if len(listed.split()) == 1 or listed.strip().startswith("!") else ""
        label = main_language and (main_language if "_" in main_language else f"{main_language}_{script}")
        if "*" in listed.split():
            names += [name for name in all_latin if name not in names]
        encodable = []
        for name in names:
            letters = "".join(c for c in lower_case_letters(name) if c not in OPTIONAL_LETTERS.get(name, ""))
            if script not in ALPHABETS or not letters or can_encode(encoding, letters):
                encodable.append(name)
        lines.append(f"{encoding}\t{' '.join(dict.fromkeys(encodable))}\t{label}")
        dropped = [name for name in names if name not in encodable and name not in all_latin]
        if dropped:
            print(f"{encoding} cannot hold {' '.join(dropped)}", file=sys.stderr)
    lines += [f"{name}\t\t{label}" for label, listed in DECLARED_ONLY.items() for name in listed.split()]
    (DATA / "encoding_languages.tsv").write_text("\n".join(lines) + "\n", "ascii")


if __name__ == "__main__":
    main()
