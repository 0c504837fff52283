"""Write ``src/webtongue/data/charset_tables``: tables of the 8-bit encodings that Python has no codec for.

This needs ``recode`` (for Vietnamese encodings), ``icu-devtools`` (``uconv``, for ISCII), ``perl`` (Encode, for Macintosh
encodings) and the ``iconv`` of glibc; run ``python tools/tables/make_charset_tables.py``. The Tamil layouts are defined here: their glyphs
follow the order of the Tamil alphabet, so that a few rows describe them.
"""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

TARGET = Path(__file__).parents[2] / "src/webtongue/data/charset_tables"
UPPER_HALF = range(0x80, 0x100)

# Name: program, its name for the encoding, and a description.
SINGLE_BYTE = {
    "viscii": ("iconv", "VISCII", "Vietnamese, RFC 1456; six capitals are control codes"),
    "tcvn": ("iconv", "TCVN5712-1", "Vietnamese standard TCVN 5712; the TCVN3 of the ABC fonts is its upper half"),
    "vps": ("recode", "VPS", "Vietnamese Professionals Society; thirteen capitals are control codes"),
    "armscii-8": ("iconv", "ARMSCII-8", "Armenian before Unicode"),
    "georgian-academy": ("iconv", "GEORGIAN-ACADEMY", "Georgian, in the order of today's alphabet"),
    "georgian-ps": ("iconv", "GEORGIAN-PS", "Georgian, in the order of the alphabet with its five old letters"),
    "mik": ("iconv", "MIK", "Bulgarian DOS"),
    "mac-hebrew": ("perl", "MacHebrew", "Hebrew on the Macintosh"),
    "mac-thai": ("perl", "MacThai", "Thai on the Macintosh"),
}
ISCII = {
    "de": ("Devanagari", 0), "be": ("Bengali", 1), "pa": ("Gurmukhi", 2), "gu": ("Gujarati", 3), "or": ("Oriya", 4),
    "ta": ("Tamil", 5), "te": ("Telugu", 6), "ka": ("Kannada", 7), "ma": ("Malayalam", 8),
}  # fmt: skip

# VNI writes a vowel and then a byte for its marks; for capitals that is the byte of the capital accented letter.
VNI_MARKS = {
    "a": "áù àø ảû ãõ ạï ââ ấá ầà ẩå ẫã ậä ăê ắé ằè ẳú ẵü ặë",
    "e": "éù èø ẻû ẽõ ẹï êâ ếá ềà ểå ễã ệä",
    "o": "óù òø ỏû õõ ọï ôâ ốá ồà ổå ỗã ộä",
    "ô": "ớù ờø ởû ỡõ ợï",
    "u": "úù ùø ủû ũõ ụï",
    "ö": "ứù ừø ửû ữõ ựï",
    "y": "ýù ỳø ỷû ỹõ",
    "": "íí ìì ỉæ ĩó ịò ỵî ơô ưö đñ",
}

CONSONANTS = "க ங ச ஞ ட ண த ந ப ம ய ர ல வ ழ ள ற ன".split()
GRANTHA = "ஸ ஷ ஜ ஹ க்ஷ".split()
VOWELS = "அ ஆ இ ஈ உ ஊ எ ஏ ஐ ஒ ஓ".split()
PULLI = "்"


def convert(program: str, name: str, raw: bytes) -> str:
    """Return bytes decoded by a program, or "" if it cannot decode them."""
    command = {
        "iconv": ["iconv", "-f", name, "-t", "UTF-8"],
        "recode": ["recode", f"{name}..UTF-8"],
        "uconv": ["uconv", "-f", name, "-t", "UTF-8"],
        "perl": ["perl", "-MEncode", "-e", f"print encode('UTF-8', decode('{name}', join('', <STDIN>), sub {{ '' }}))"],
    }[program]
    completed = subprocess.run(command, input=raw, capture_output=True)
    text = completed.stdout.decode("utf-8", "replace") if completed.returncode == 0 else ""
    return "" if "\ufffd" in text else text


def single_byte_rows(program: str, name: str) -> Iterator[tuple[str, str]]:
    for code in (*range(1, 0x20), *UPPER_HALF):
        text = convert(program, name, bytes([code]))
        text = "".join(c for c in text if c not in "\u200e\u200f\u202a\u202b\u202c\u202d\u202e")
        if text and (text != chr(code) or code >= 0xA0):
            yield chr(code), text


def geostd8_rows() -> Iterator[tuple[str, str]]:
    """Yield rows of GEOSTD8: signs of windows-1252, the letters of the modern alphabet from 0xC0, and the numero sign."""
    for code in range(0x80, 0xC0):
        text = bytes([code]).decode("cp1252", "ignore")
        if text and code not in (0x8A, 0x8C, 0x8E, 0x98, 0x9A, 0x9C, 0x9E, 0x9F):
            yield chr(code), text
    for code in range(0xC0, 0xE5):
        yield chr(code), chr(0x10D0 + code - 0xC0)
    yield "\xfd", "№"


def vni_rows() -> Iterator[tuple[str, str]]:
    for base, pairs in VNI_MARKS.items():
        for pair in pairs.split():
            yield base + pair[1], pair[0]
            yield (base + pair[1]).upper(), pair[0].upper()


def iscii_rows(version: int) -> Iterator[tuple[str, ...]]:
    name = f"ISCII,version={version}"
    single_bytes = {code: nfc(convert("uconv", name, bytes([code]))) for code in range(0xA0, 0x100)}
    for code, text in single_bytes.items():
        if text:
            yield chr(code), text
    for first in single_bytes:
        for second in (0xA1, 0xE8, 0xE9, 0xEA):  # marks that change the preceding character
            text = nfc(convert("uconv", name, bytes([first, second])))
            if text and single_bytes[first] and text != single_bytes[first] + single_bytes[second]:
                yield chr(first) + chr(second), text


def nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def vowel_rows(glyph: str, letter: str, signs: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield a consonant with the vowels that are written before it, after it, or around it."""
    aa, e, ee, ai, au = (signs[name] for name in ("aa", "e", "ee", "ai", "au"))
    yield glyph + aa, letter + "ா"
    yield e + glyph, letter + "ெ"
    yield ee + glyph, letter + "ே"
    yield ai + glyph, letter + "ை"
    yield e + glyph + aa, letter + "ொ"
    yield ee + glyph + aa, letter + "ோ"
    yield e + glyph + au, letter + "ௌ"
    for name, vowel in (("i", "ி"), ("ii", "ீ"), ("u", "ு"), ("uu", "ூ"), ("pulli", PULLI)):
        if signs.get(name):
            yield glyph + signs[name], letter + vowel


def tab_rows() -> Iterator[tuple[str, str]]:
    """Yield rows of TAB, the bilingual layout of the government of Tamil Nadu: ASCII, and glyphs above it."""
    signs = {"aa": "\xa3", "i": "\xa4", "ii": "\xa6", "u": "\xa7", "uu": "\xa8", "e": "\xaa", "ee": "\xab", "ai": "\xac",
             "au": "\xf7", "pulli": "\xa2"}  # fmt: skip
    yield from tamil_upper_rows(signs)
    for code, digit in zip((0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89), "௧௨௩௪௫௬௭௮", strict=True):
        yield chr(code), digit


def tam_rows() -> Iterator[tuple[str, str]]:
    """Yield rows of TAM, the monolingual layout: consonants without vowel, with i and with ii have glyphs in place of ASCII letters."""
    signs = {"aa": "\xa3", "u": "\xa7", "uu": "\xa8", "e": "\xaa", "ee": "\xab", "ai": "\xac", "au": "\xf7"}
    yield from tamil_upper_rows(signs)
    letters = [letter for letter in (*CONSONANTS, *GRANTHA) if letter != "ட"]  # its glyphs are above ASCII
    short = "ABCDEFGHIJKLMNOPQRSTUV"
    long = "WXYZabcdefghijklmnopqr"
    # Order of the glyphs: the alphabet up to ழ, then ள, ற, ன, then grantha.
    for letter, i, ii in zip(letters, short, long, strict=True):
        yield i, letter + "ி"
        yield ii, letter + "ீ"
    pulli = [0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x8B, 0x8C, 0x98, 0x99, 0x9A, 0x9B, 0x9C, 0x9F, 0xA1]
    for letter, code in zip(CONSONANTS, pulli, strict=True):
        yield chr(code), letter + PULLI
    for letter, char in zip(GRANTHA, "vwxyz", strict=True):
        yield char, letter + PULLI


def tamil_upper_rows(signs: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield rows that TAB and TAM share: vowels from 0xDC, consonants from 0xE8, with u from 0xB0, with uu from 0xC3."""
    for code, letter in enumerate((*VOWELS, "ஃ"), 0xDC):
        yield chr(code), letter
    yield "\xe5\xf7", "ஔ"
    for code, letter in enumerate((*CONSONANTS, *GRANTHA), 0xE8):
        yield chr(code), letter
        yield from vowel_rows(chr(code), letter, signs)
    yield "\xff", "ஸ்ரீ"
    yield "\xae", "டி"
    yield "\xaf", "டீ"
    u = [0xB0, 0xB1, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB8, 0xB9, 0xBA, 0xBB, 0xBC, 0xBD, 0xBE, 0xBF, 0xC0, 0xC1, 0xC2]
    uu = [0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCB, 0xCC, 0xCD, 0xCE, 0xCF, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA, 0xDB]
    for letter, short, long in zip(CONSONANTS, u, uu, strict=True):
        yield chr(short), letter + "ு"
        yield chr(long), letter + "ூ"


def tscii_rows() -> Iterator[tuple[str, ...]]:
    """Yield rows of TSCII 1.7: single glyphs by iconv, and the vowels written around a consonant."""
    signs = {"aa": "\xa1", "i": "\xa2", "ii": "\xa3", "u": "\xa4", "uu": "\xa5", "e": "\xa6", "ee": "\xa7", "ai": "\xa8",
             "au": "\xaa"}  # fmt: skip
    for code in UPPER_HALF:
        if not 0xA6 <= code <= 0xA8 and (text := convert("iconv", "TSCII", bytes([code]))):
            yield chr(code), text
    glyphs = {code: convert("iconv", "TSCII", bytes([code])) for code in (*range(0x83, 0x88), *range(0xB8, 0xCA))}
    for code, letter in glyphs.items():
        yield from vowel_rows(chr(code), letter, signs)
        yield signs["ee"] + chr(code) + signs["au"], letter + "ௌ", "-"  # as iconv encodes it


def euc_tw_rows() -> Iterator[tuple[str, str]]:
    """Yield planes 1 and 2 of CNS 11643, which have the characters of Big5; other planes are rarely used."""
    for plane in (b"", b"\x8e\xa2"):
        for row in range(0xA1, 0xFF):
            pairs = [plane + bytes([row, cell]) for cell in range(0xA1, 0xFF)]
            cells = [convert("iconv", "EUC-TW", pair) or "\ufffd" for pair in pairs]
            if set(cells) != {"\ufffd"}:
                yield pairs[0].decode("latin-1"), "".join(cells)


def write_runs(name: str, reason: str, rows: Iterator[tuple[str, str]]) -> None:
    """Write rows with the characters of consecutive last bytes."""
    lines = [f"# {reason}", *(f"\\x{code:02x}\t\ufffd\t-" for code in UPPER_HALF)]  # bytes that start no pair
    lines += [f"{escape(source)}\t{targets}\t+" for source, targets in rows]
    (TARGET / f"{name}.tsv").write_text("\n".join(lines) + "\n", "utf-8")


def write_table(name: str, reason: str, rows: Iterator[tuple[str, ...]]) -> None:
    table: dict[str, tuple[str, ...]] = {}
    for source, *target in rows:
        table.setdefault(source, tuple(target))
    lines = [f"# {reason}", *("\t".join((escape(source), *target)) for source, target in sorted(table.items()))]
    (TARGET / f"{name}.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{name}: {len(table)} rows", file=sys.stderr)


def escape(text: str) -> str:
    return "".join(c if 0x21 <= ord(c) < 0x7F and c not in "\\#!" else f"\\x{ord(c):02x}" for c in text)


def main() -> None:
    TARGET.mkdir(exist_ok=True)
    for name, (program, known_as, reason) in SINGLE_BYTE.items():
        write_table(name, f"{reason}.", single_byte_rows(program, known_as))
    write_table("geostd8", "Georgian, as MySQL and old pages have it.", geostd8_rows())
    write_table("vni", "Vietnamese, VNI fonts for Windows: a mark is a byte of its own.", vni_rows())
    write_table("tscii", "Tamil, TSCII 1.7: vowels in the order they are written.", tscii_rows())
    write_table("tab", "Tamil, TAB of the Government of Tamil Nadu.", tab_rows())
    write_table("tam", "Tamil, TAM of the Government of Tamil Nadu: no ASCII letters.", tam_rows())
    write_runs("euc-tw", "Taiwan's CNS 11643, planes 1 and 2.", euc_tw_rows())
    for tag, (script, version) in ISCII.items():
        write_table(f"x-iscii-{tag}", f"ISCII 1991, {script}.", iscii_rows(version))


if __name__ == "__main__":
    main()
