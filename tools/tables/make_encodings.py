"""Write ``src/webtongue/data/encodings.tsv``: labels of encodings with their names and Python codecs.

This needs ``webencodings``; run ``python tools/tables/make_encodings.py [file]``.

Columns: label (lower case), name, status, Python codec or nothing. The status is 1 for a label of the WHATWG standard, ~ for
another spelling of one of its encodings, 0 for an encoding outside the standard. A label that the standard maps to "replacement"
has a row of status 1 (what browsers do) and one of status 0 (what the bytes are)."""

from __future__ import annotations

import codecs
import sys
from pathlib import Path

from webencodings.labels import LABELS

# The Python codec closest to each WHATWG decoder, if it is not the codec of the same name.
CODECS = {
    "big5": "big5hkscs",  # WHATWG's Big5 has the HKSCS extensions
    "euc-kr": "cp949",  # WHATWG's EUC-KR is the superset of Windows
    "gbk": "gb18030",  # one decoder for both in the standard
    "ibm866": "cp866",
    "iso-2022-jp": "iso2022_jp_ext",  # with half-width katakana
    "iso-8859-8-i": "iso8859-8",  # differs from iso-8859-8 in the order of display only
    "macintosh": "mac-roman",
    "replacement": "",
    "shift_jis": "cp932",
    "utf-16be": "utf-16-be",
    "utf-16le": "utf-16-le",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-user-defined": "",
}

# Encodings outside the standard that old pages declare: name = Python codec or "-": further labels.
EXTRA = """
utf-7 = utf-7: utf7 unicode-1-1-utf-7 x-unicode-2-0-utf-7 csunicode11utf7
utf-32 = utf-32: utf32 ucs-4 ucs4 iso-10646-ucs-4 csucs4
utf-32le = utf-32-le: utf32le utf-32-le ucs-4le
utf-32be = utf-32-be: utf32be utf-32-be ucs-4be
utf-8-mac = utf-8: utf8-mac
cesu-8 = -: cescu8 cscesu-8
utf-ebcdic = -:
scsu = -: csscsu
iso-2022-kr = iso2022_kr: iso2022kr csiso2022kr
iso-2022-cn = -: iso2022cn csiso2022cn
iso-2022-cn-ext = -:
iso-2022-jp-1 = iso2022_jp_1:
iso-2022-jp-2 = iso2022_jp_2: csiso2022jp2
iso-2022-jp-3 = iso2022_jp_3:
iso-2022-jp-2004 = iso2022_jp_2004:
hz-gb-2312 = hz: hz hzgb hz-gb hzgb2312
johab = johab: cp1361 ms1361 windows-1361 ksc5601_1992
euc-tw = -: euctw cns11643 x-euc-tw cseuctw
euc-jis-2004 = euc_jis_2004: euc-jisx0213 euc-jis-x-0213
shift_jis-2004 = shift_jis_2004: shift_jisx0213 sjis-2004 sjisx0213
viscii = -: viscii1.1-1 csviscii x-viscii
tcvn = -: tcvn-5712 tcvn5712-1 tcvn5712-1:1993 x-viet-tcvn5712 vscii
vps = -: x-viet-vps viet-vps
vni = -: x-viet-vni
tscii = -: tscii-1.7 x-tscii cstscii
tab = -: x-tab tamil-tab
tam = -: x-tam tamil-tam
x-iscii-de = -: iscii x-iscii iscii-91
x-iscii-be = -:
x-iscii-ta = -:
x-iscii-te = -:
x-iscii-ka = -:
x-iscii-ma = -:
x-iscii-gu = -:
x-iscii-pa = -:
x-iscii-or = -:
iso-2022-int-1 = -:
armscii-8 = -: armscii8 armscii x-armscii-8
geostd8 = -: geo-std8
georgian-academy = -: georgian_academy
georgian-ps = -: georgian_ps
kz1048 = kz1048: kz-1048 strk1048-2002 rk1048 cskz1048
ptcp154 = ptcp154: pt154 cp154 cyrillic-asian csptcp154
koi8-t = koi8-t: koi8t
koi7 = -: koi-7
mik = -: bulgaria-pc x-mik
cp437 = cp437: ibm437 437 cspc8codepage437 dos-us
cp720 = cp720: ibm720 dos-720
cp737 = cp737: ibm737 dos-737
cp775 = cp775: ibm775 cspc775baltic dos-775
cp850 = cp850: ibm850 850 cspc850multilingual
cp852 = cp852: ibm852 852 cspcp852 dos-852 latin2-dos
cp855 = cp855: ibm855 855 csibm855
cp857 = cp857: ibm857 857 csibm857
cp858 = cp858: ibm858 ibm00858 ccsid00858 pc-multilingual-850+euro
cp860 = cp860: ibm860 860 csibm860
cp861 = cp861: ibm861 861 cp-is csibm861
cp862 = cp862: ibm862 862 cspc862latinhebrew dos-862
cp863 = cp863: ibm863 863 csibm863
cp864 = cp864: ibm864 csibm864 dos-864
cp865 = cp865: ibm865 865 csibm865
cp869 = cp869: ibm869 869 cp-gr csibm869
cp1006 = cp1006: ibm1006
cp1125 = cp1125: ibm1125 cp866u ruscii 1125
cp1131 = -: ibm1131
cp037 = cp037: ibm037 ebcdic-cp-us csibm037
cp273 = cp273: ibm273 csibm273
cp500 = cp500: ibm500 ebcdic-cp-be csibm500
cp1026 = cp1026: ibm1026 csibm1026
cp1140 = cp1140: ibm1140 ibm01140
hp-roman8 = hp-roman8: roman8 r8 cshproman8
nextstep = -: next
dec-mcs = -: dec csdecmcs
atari-st = -: atarist
mac-ce = mac-latin2: x-mac-ce x-mac-centraleurroman x-mac-central-europe maccentraleurope mac-latin2
mac-greek = mac-greek: x-mac-greek macgreek
mac-turkish = mac-turkish: x-mac-turkish macturkish
mac-icelandic = mac-iceland: x-mac-icelandic mac-iceland maciceland
mac-croatian = mac-croatian: x-mac-croatian maccroatian
mac-romanian = mac-romanian: x-mac-romanian macromania x-mac-romania
mac-arabic = mac-arabic: x-mac-arabic macarabic
mac-farsi = mac-farsi: x-mac-farsi macfarsi
mac-hebrew = -: x-mac-hebrew machebrew
mac-thai = -: x-mac-thai macthai
mac-devanagari = -: x-mac-devanagari
mac-gujarati = -: x-mac-gujarati
mac-gurmukhi = -: x-mac-gurmukhi
""".strip()

# Spellings of encodings of the standard that are not in its list of labels.
SPELLINGS = {
    "utf-8": "utf_8 utf-8n utf8n u8 utf-8-sig x-utf-8 utf",
    "windows-1250": "windows1250 win-1250 win1250 ansi-1250 ms-ee ibm1250 cp-1250",
    "windows-1251": "windows1251 win-1251 win1251 cp-1251 ansi-1251 ms-cyrl ms-ansi-1251 ibm1251 windows-cyrillic",
    "windows-1252": "windows1252 win-1252 win1252 ansi ms-ansi iso-8859 iso_8859_1 latin-1 8859-1 8859_1 cp-1252",
    "windows-1253": "windows1253 win-1253 ms-greek",
    "windows-1254": "windows1254 win-1254 ms-turk latin-5",
    "windows-1255": "windows1255 win-1255 ms-hebr",
    "windows-1256": "windows1256 win-1256 ms-arab",
    "windows-1257": "windows1257 win-1257 winbaltrim",
    "windows-1258": "windows1258 win-1258",
    "windows-874": "windows874 cp874 ms874 tis_620 tis620.2533-0 tis620-0 tis-620-2533 iso_8859-11 x-tis620",
    "iso-8859-2": "latin-2 8859-2 8859_2 iso_8859_2",
    "iso-8859-5": "8859-5 8859_5",
    "iso-8859-7": "8859-7 8859_7",
    "iso-8859-15": "latin-9 latin9 latin0 8859-15 8859_15 iso_8859_15",
    "koi8-r": "koi8r koi-8-r koi-8 koi8-rus",
    "koi8-u": "koi8u koi8_u koi-8-u",
    "ibm866": "cp-866 dos-866 ibm-866",
    "shift_jis": "shiftjis s-jis x-shift-jis ms-932 ms932 cp932 windows-932 csshift_jis",
    "euc-jp": "eucjp euc_jp ujis x-eucjp eucjp-ms eucjp-win cp51932",
    "iso-2022-jp": "iso2022jp iso-2022jp",
    "euc-kr": "euckr euc_kr x-euc-kr ks_c_5601 ksc-5601 ksc5601-1987 wansung x-windows-949 uhc cp949 ms949",
    "gbk": "gb-2312 gb2312-80 euc-cn euccn x-euc-cn x-gb2312 cp936 ms936 936 windows-936",
    "gb18030": "gb-18030 gb18030-2000 gb18030-2005 gb18030-2022",
    "big5": "big-5 big5-eten hkscs big5-hk big5_hkscs big5hkscs csbig5hkscs cp950 ms950 windows-950 x-windows-950",
    "macintosh": "mac-roman macroman x-macroman x-mac-latin1",
    "x-mac-cyrillic": "mac-cyrillic maccyrillic",
    "utf-16le": "utf16 utf16le utf_16 utf-16-le utf_16le",
    "utf-16be": "utf16be utf-16-be utf_16be",
}


def python_codec(name: str) -> str:
    """Return Python's codec for an encoding of the standard: ``cp1252`` for ``windows-1252``."""
    codec = CODECS.get(name, name)
    return codecs.lookup(codec).name if codec else ""


def make_rows() -> list[tuple[str, str, str, str]]:
    rows = [(label, name, "1", python_codec(name)) for label, name in LABELS.items()]
    for name, listed in SPELLINGS.items():
        rows += [(label, name, "~", python_codec(name)) for label in listed.split() if label not in LABELS]
    known = {label for label, name, *_ in rows if name != "replacement"}
    for line in EXTRA.splitlines():
        head, _, listed = line.partition(":")
        name, codec = (part.strip() for part in head.split("="))
        codec = "" if codec == "-" else codecs.lookup(codec).name
        rows += [(label, name, "0", codec) for label in [name, *listed.split()] if label not in known]
    return sorted(rows)


def main(path: Path) -> None:
    text = "".join("\t".join(row) + "\n" for row in make_rows())
    path.write_text(text, encoding="utf-8")
    print(f"{path.name}: {text.count(chr(10))} rows, {len(text):,} bytes", file=sys.stderr)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2] / "src/webtongue/data/encodings.tsv"))
