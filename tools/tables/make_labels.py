"""Write the label tables of ``src/webtongue/data`` from ISO 639-3, CLDR and the facts below.

This needs ``langcodes``, ``language_data`` and ``pycountry``; run ``python tools/tables/make_labels.py [folder]``. The package
reads the tables and never imports these libraries.

    labels.tsv            code, shortest BCP 47 subtag, usual script, English name: every ISO 639-3 language
    scripts.tsv           ISO 15924 code, English name
    language_aliases.tsv  form on pages (lower case), its label or language; "-" for none
    folds.tsv             part of a label, its replacement
    groups.tsv            group, labels of look-alikes
"""

from __future__ import annotations

import csv
import sys
import unicodedata
from importlib import resources
from pathlib import Path

import langcodes
import pycountry
from langcodes.data_dicts import (
    LANGUAGE_ALPHA3_BIBLIOGRAPHIC,
    LANGUAGE_REPLACEMENTS,
    LIKELY_SUBTAGS,
)
from langcodes.registry_parser import parse_registry
from language_data.name_data import CODE_TO_NAMES, LANGUAGES_WITH_NAME_DATA

# Collections of ISO 639-2 that corpora and pages use like languages.
COLLECTIONS = {"ber": "Berber languages", "cpf": "French-based creoles", "nah": "Nahuatl languages"}

# Usual script on the web, if CLDR has none or one that pages seldom use.
SCRIPTS = {
    "Arab": "abh abv acm acq acx afb ajp apc apd ars auz avl ayh ayl ayn ayp azb bcc hac pnb prs pga shu ssh",
    "Cans": "ojb oji crk crl",
    "Cyrl": "bub cjs dlg eve evn gld kca kjh mhr nio niv nog oaa orv rsk rut sjd sty xal ykg yrk",
    "Deva": "ahr anp bfz bhd bht bpx hoy lbm mqu nlx",
    "Grek": "grc",
    "Hang": "kor",
    "Hans": "cjy cpx czh czo mnp cnp csp",
    "Hant": "lzh",
    "Hebr": "hbo oar tmr",
    "Lana": "kkh",
    "Latn": "wal ain bax ber cdo ctd gmv gof hak hmn hnj lad mnc mww mxi nan nst rhg rif rmn rmy ruq shi slr swb zdj",
    "Limb": "lif",
    "Mong": "mvf",
    "Mtei": "mni",
    "Mymr": "blk kjp ksw rki",
    "Orya": "bdv dso gaq juy kxv peg unx",
    "Sylo": "syl",
    "Syrc": "aii arc",
    "Telu": "nit",
    "Armn": "hyw xcl",
    "Wara": "hoc",
    "Xsux": "sux",
}

# Individual or retired code -> the code that is usual on the web. A macrolanguage with one written norm includes its individual
# languages; one with several norms (Arabic varieties, Kurdish, Quechua) includes the main one only.
FOLDS = {
    "aka": "twi", "als": "sqi", "arb": "ara", "ayr": "aym", "azj": "aze", "bik": "bcl", "bxm": "bua", "bxr": "bua",
    "bxu": "bua", "chm": "mhr", "cmn": "zho", "dgo": "doi", "dik": "din", "ekk": "est", "esk": "ipk", "fil": "tgl",
    "fuc": "ful", "fuv": "ful", "gaz": "orm", "gug": "grn", "hmn": "mww", "ike": "iku", "khk": "mon", "kmr": "kur",
    "knc": "kau", "knn": "gom", "kok": "gom", "kpv": "kom", "lvs": "lav", "nor": "nob", "npi": "nep", "ory": "ori",
    "pbt": "pus", "pbu": "pus", "pes": "fas", "plt": "mlg", "pst": "pus", "quy": "que", "quz": "que", "src": "srd",
    "sro": "srd", "swh": "swa", "uzn": "uzb", "ydd": "yid", "yih": "yid", "zgh": "tzm", "zlm": "msa", "zsm": "msa",
    # the same language under the code that is usual for its script
    "pan_Arab": "pnb_Arab", "bam_Nkoo": "nqo_Nkoo",
    # mixed or unspecified scripts; typefaces of a script
    "zho_Hani": "zho_Hans", "yue_Hani": "yue_Hant", "lzh_Hani": "lzh_Hant", "nan_Hani": "nan_Hant",
    "wuu_Hani": "wuu_Hans", "jpn_Hani": "jpn_Jpan", "jpn_Hira": "jpn_Jpan", "jpn_Kana": "jpn_Jpan",
    "jpn_Hrkt": "jpn_Jpan", "kor_Kore": "kor_Hang",
    "_Aran": "_Arab", "_Latf": "_Latn", "_Latg": "_Latn", "_Cyrs": "_Cyrl", "_Syre": "_Syrc", "_Syrj": "_Syrc",
    "_Syrn": "_Syrc", "_Geok": "_Geor",
}  # fmt: skip

# Groups of labels whose texts are so similar that a page often fits two members, named by an ISO code for all of them.
GROUPS = {
    "aka": "twi_Latn fat_Latn",
    "ara": "ara_Arab abv_Arab acm_Arab acq_Arab aeb_Arab afb_Arab apc_Arab apd_Arab arq_Arab ars_Arab ary_Arab "
           "arz_Arab ayl_Arab ayn_Arab ara_Latn aeb_Latn arq_Latn ary_Latn arz_Latn",
    "aze": "aze_Arab azb_Arab",
    "bal": "bal_Arab bcc_Arab bgn_Arab bgp_Arab",
    "din": "din_Latn dip_Latn",
    "fas": "fas_Arab prs_Arab",
    "ful": "ful_Latn ffm_Latn fub_Latn fue_Latn fuf_Latn fuh_Latn fui_Latn",
    "hbs": "hbs_Latn hrv_Latn bos_Latn srp_Latn cnr_Latn",
    "hmn": "mww_Latn hnj_Latn",
    "kon": "kon_Latn kng_Latn kwy_Latn",
    "mon": "mon_Mong mvf_Mong",
    "msa": "msa_Latn ind_Latn",
    "nor": "nob_Latn nno_Latn",
    "oji": "oji_Cans ojb_Cans ojs_Cans oji_Latn ojb_Latn ciw_Latn",
    "que": "que_Latn quh_Latn qul_Latn qve_Latn",
    "sqi": "sqi_Latn aln_Latn",
    "swa": "swa_Latn swc_Latn",
    "zza": "zza_Latn diq_Latn kiu_Latn",
}  # fmt: skip

# Forms that no register has: label or language, "=", forms on pages.
ALIASES = """
apc=ajp
ara=araby, arabisch, arabe, ar-ar
bel=be-x-old, be-tarask, belorussian, byelorussian
bho=bh, bih
cbk=cbk-zam
ces=cz, czech republic
ckb=ku-iq, sorani, kurdish sorani
dan=dk, dansk
deu=at, deu-de, dede, german swiss, swiss german standard, deutch, deutsh, germany, allemagne, deutschland, germen
egl=eml
ell=gr, greece, elinika, ellinika
eng=us, gb, au, nz, usa, enus, engb, enu, english us, english uk, us english, uk english, british english,
eng=american english, simple, en-simple, englisch, englsh, engish, englis, inglish, ingles, anglais, eng-us, eng-gb
est=eesti keel, ee-ee
fas=ir, farsi, parsi, persian farsi
fra=frfr, francais, france, french canadian, canadian french
gsw=alsatian, alemannisch, schwyzerdütsch, schweizerdeutsch
heb=iw, il, ivrit
hbs=sh, serbo croatian, serbocroatian, bcs, bhs, bcms
hin=hindi language
hye=eastern armenian
ind=in, bahasa, bahasa indonesia, indonesia
jav=jw, map-bms
jpn=jp, jajp, japan, nihongo
kat=georgia
kaz=kz
khm=kh, cambodian
kor=kokr, kr-kr, korea, hangul, hangugeo
lzh=zh-classical
mkd=macedonia, fyrom
msa=bahasa melayu, bahasa malaysia, malaysia, malaysian, my-my
mul=multilingual, multi-lingual, multiple, multiple languages, multilanguage
mya=mm, burmese
nan=zh-min-nan, zh-min, hokkien, taiwanese
nds=nds-nl
nep=np
nld=flemish, nederland, holland, vlaams, nldnl
nob=norwegian bokmal, bokmaal, norsk
nno=no-nyn, no-no-ny, norwegian nynorsk, no-nynorsk
nob=no-bok, no-bokmal
pol=poland, polska, polish language
por=br-br, ptbr, pt br, brazil, brasil, brazilian, brazilian portuguese, portuguese brazil, português brasileiro
por=português do brasil, portugues do brasil, pb
prs=fa-af, dari, drw, tnf
pus=pashtu, pushto
ron=mo, mol, moldovan, moldavian, rumanian, roumanian
rup=roa-rup, aromanian
rus=russia, ruski, russkij, russkiy
sgs=bat-smg
slv=si-si
spa=sp, esp, mx, cl, spain, espana, castellano, castilian, eses, español latinoamericano, latin american spanish
sqi=al, shqip
srp=rs
srp_Latn=sr-el, srpski, serbian latin, sr-yu-latn, sr-latin, srp-latin
srp_Cyrl=sr-ec, serbian cyrillic, sr-cyrillic
hrv=hrvatska
swe=svenska, sweden, sverige
tgl=tagalog, pilipino, filipino
tur=turkce, turkey
twi=akan
ukr=ua, ukraine, ukr-ua
urd=pk
uzb_Cyrl=uz-cyr
vie=vn, vietnam
vro=fiu-vro
yid=ji
yue=zh-yue, cantonese
zho_Hans=cn, chs, zhcn, zhs, zh-chs, zh-sc, cn-zh, simplified chinese, chinese simplified, chinese simp,
zho_Hans=simplified, mandarin, mandarin chinese, prc, china, zh-simplified, hans
zho_Hans=简体中文, 中文简体, 简体, 简中, 汉语, 中国语
zho_Hant=hk, cht, zhtw, zht, zh-cht, zh-tc, tc, tw-tw, tw-zh, cn-tw, cn-hk, traditional chinese, chinese traditional,
zho_Hant=chinese trad, traditional, taiwan, zh-traditional, zhhk, hant
zho_Hant=繁體中文, 中文繁體, 繁體, 繁中, 正體中文, 繁体中文
""".strip()

# Valid codes of very small or extinct languages that are file types, words or defaults on pages.
IGNORED_CODES = "all any the and css xml txt asp www web com net org not int yes dev app api var str gif url".split()
# Windows codes that pages use, although ISO 639-3 has since assigned them to a language without web pages.
OVERRIDING_ALIASES = {"cht", "enu"}
# Languages whose names are listed in each of these languages: "Englisch", "inglés", "английский".
TRANSLATED_LANGUAGES = (
    "en de fr es it pt nl ru pl cs sk hu ro bg el tr uk sv da nb fi et lv lt sl hr sr bs mk sq ca gl eu ar he fa hi bn "
    "ta te th vi id ms ja ko zh ka hy az kk is ga"
).split()
MIN_NAME_CHARS = 4  # shorter Latin names ("So", "Day", "Are") are words more often than languages
MIN_TRANSLATIONS = 3  # a language with names in fewer languages is in the registry only, not in CLDR


def usual_scripts(codes: dict[str, str]) -> dict[str, str]:
    """Return the usual script of each code: by SCRIPTS, CLDR, the code it folds to, Wiktionary's first script, or Latin.

    Signed languages have none.
    """
    facts = {code: script for script, listed in SCRIPTS.items() for code in listed.split()}
    table = resources.files("language_data") / "data" / "wiktionary" / "codes-en.csv"
    known = {script.alpha_4 for script in pycountry.scripts}
    wiktionary = {}
    for row in csv.reader(table.read_text("utf-8").splitlines(), delimiter="\t"):
        first = row[3].split(",")[0].strip() if len(row) > 3 else ""
        if first in known and first != "Hani":  # Hani is neither Hans nor Hant
            wiktionary[row[0]] = first
    scripts: dict[str, str] = {}
    for code, short in codes.items():
        likely = LIKELY_SUBTAGS.get(short, LIKELY_SUBTAGS.get(code, ""))
        cldr = next((part for part in likely.split("-") if len(part) == 4), "")
        scripts[code] = facts.get(code) or cldr
    for code, short in codes.items():
        if english_name(short, code).endswith("Sign Language"):
            scripts[code] = ""
        elif not scripts[code]:
            scripts[code] = scripts.get(FOLDS.get(code, ""), "") or wiktionary.get(short, "Latn")
    return scripts


def english_name(short: str, code: str) -> str:
    if code in COLLECTIONS:
        return COLLECTIONS[code]
    name = langcodes.Language.get(short, normalize=False).display_name("en")
    if name.startswith("Unknown language"):
        name = pycountry.languages.get(alpha_3=code).name
    return name


def script_name(script: str) -> str:
    name = langcodes.Language.make(script=script).script_name("en")
    return pycountry.scripts.get(alpha_4=script).name if name.startswith("Unknown") else name


def name_key(name: str) -> str:
    """Return the key of a name: lower case, without commas and brackets, with single spaces."""
    kept = "".join(" " if mark in "(),_" else mark for mark in unicodedata.normalize("NFC", name).casefold())
    return " ".join(kept.split())


def without_accents(name: str) -> str:
    """Return a Latin name without accents, as it is often typed."""
    parts = unicodedata.normalize("NFD", name)
    return "".join(c for c in parts if not unicodedata.combining(c)) if parts[:1].isascii() else name


def name_aliases(codes: dict[str, str]) -> dict[str, str]:
    """Return names in English, in the language itself and, for TRANSLATED_LANGUAGES, in each other.

    A name that two languages share belongs to the first in this order, or to none if they share it in the last step.
    """
    aliases: dict[str, str] = {}

    def add(name: str, code: str) -> None:
        for key in (name_key(name), without_accents(name_key(name))):
            if len(key) >= MIN_NAME_CHARS or not key.isascii():
                aliases.setdefault(key, code)

    tags = {short: code for code, short in codes.items() if len(CODE_TO_NAMES.get(short, {})) >= MIN_TRANSLATIONS}
    for tag, code in tags.items():
        add(langcodes.Language.get(tag, normalize=False).display_name("en"), code)
    for tag, code in tags.items():
        if tag in LANGUAGES_WITH_NAME_DATA and tag in CODE_TO_NAMES[tag]:
            add(CODE_TO_NAMES[tag][tag], code)
    languages_by_name: dict[str, set[str]] = {}
    for tag in TRANSLATED_LANGUAGES:
        for display_language in TRANSLATED_LANGUAGES:
            name = CODE_TO_NAMES[tag].get(display_language)
            if name:
                languages_by_name.setdefault(name, set()).add(codes_by_tag(codes)[tag])
    for name, languages in languages_by_name.items():
        if len(languages) == 1:
            add(name, min(languages))
    return aliases


def codes_by_tag(codes: dict[str, str]) -> dict[str, str]:
    return {short: code for code, short in codes.items()}


def registry_aliases(codes: dict[str, str]) -> dict[str, str]:
    """Return bibliographic codes, retired codes, grandfathered tags and extended languages of the registers."""
    by_tag = codes_by_tag(codes)
    valid = codes.keys() | by_tag.keys()
    aliases = {old: by_tag[tag] for tag, old in LANGUAGE_ALPHA3_BIBLIOGRAPHIC.items()}
    for old, new in LANGUAGE_REPLACEMENTS.items():
        first = new.split("-")[0]
        if old.lower() not in valid and (first in codes or first in by_tag):
            aliases.setdefault(old.lower(), by_tag.get(first, first))
    for entry in parse_registry():
        kind, tag = entry["Type"], entry.get("Tag", entry.get("Subtag", "")).lower()
        new = entry.get("Preferred-Value", "").split("-")[0]
        if tag == "i-default":  # the default of servers without a chosen language
            aliases.pop(tag, None)
        elif kind in ("grandfathered", "language") and "Deprecated" in entry and new and tag not in valid:
            aliases.setdefault(tag, by_tag.get(new, new))
        elif kind == "extlang" and tag in codes:
            aliases |= {f"{prefix}-{tag}": tag for prefix in entry["Prefix"] if prefix != "sgn"}
    return {old: new for old, new in aliases.items() if new in codes}


def regional_aliases(scripts: dict[str, str], codes: dict[str, str]) -> dict[str, str]:
    """Return language-region pairs with another script: ``zh-tw`` is written in Hant."""
    by_tag, aliases = codes_by_tag(codes), {}
    for tag, likely in LIKELY_SUBTAGS.items():
        first, *rest = tag.split("-")
        if len(rest) == 1 and len(rest[0]) == 2 and first in by_tag:
            script = likely.split("-")[1]
            if script != scripts[by_tag[first]]:
                aliases[tag.lower()] = f"{by_tag[first]}_{script}"
    return aliases


def all_aliases(codes: dict[str, str], scripts: dict[str, str]) -> dict[str, str]:
    valid = codes.keys() | codes_by_tag(codes).keys()
    forms = name_aliases(codes) | registry_aliases(codes) | regional_aliases(scripts, codes)
    for line in ALIASES.splitlines():
        target, listed = line.split("=")
        for form in filter(None, map(str.strip, listed.split(","))):
            forms[form] = target
    forms = {form: target for form, target in forms.items() if form not in valid or form in OVERRIDING_ALIASES}
    return forms | {code: "-" for code in IGNORED_CODES if code in valid}


def write(path: Path, rows: list[list[str]]) -> None:
    text = "".join("\t".join(row) + "\n" for row in sorted(rows))
    path.write_text(text, encoding="utf-8")
    print(f"{path.name}: {len(rows)} rows, {len(text.encode()):,} bytes", file=sys.stderr)


def main(folder: Path) -> None:
    codes = {
        language.alpha_3: getattr(language, "alpha_2", language.alpha_3)
        for language in pycountry.languages
        if language.scope != "S"
    }
    codes |= {code: code for code in COLLECTIONS}
    scripts = usual_scripts(codes)
    folder.mkdir(parents=True, exist_ok=True)
    write(
        folder / "labels.tsv",
        [
            [code, "" if short == code else short, scripts[code], english_name(short, code)]
            for code, short in codes.items()
        ],
    )
    write(folder / "scripts.tsv", [[script.alpha_4, script_name(script.alpha_4)] for script in pycountry.scripts])
    write(folder / "language_aliases.tsv", [[form, target] for form, target in all_aliases(codes, scripts).items()])
    write(folder / "folds.tsv", [[old, new] for old, new in FOLDS.items()])
    write(folder / "groups.tsv", [[group, members] for group, members in GROUPS.items()])


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2] / "src/webtongue/data"))
