"""Writes native/tables/scripts.inc: which script, letter class and lower case each code point has, and what letters and
marks compose to.

The kernel must not depend on the C library's locale or on the Unicode version of the Python that runs it, so the
tables are generated once, from the `regex` module (scripts) and `unicodedata` (categories, case), and committed.

    pip install regex && python tools/tables/make_scripts.py
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import regex

OUT = Path(__file__).resolve().parents[2] / "native" / "tables" / "scripts.inc"
LIMIT = 0x110000

# Ids 0..2 are fixed: code in scripts.hpp names them. The rest follow in alphabetical order.
FIXED = ("Zyyy", "Zinh", "Zzzz")
NAMES = [
    "Adlm",
    "Aghb",
    "Ahom",
    "Arab",
    "Armi",
    "Armn",
    "Avst",
    "Bali",
    "Bamu",
    "Bass",
    "Batk",
    "Beng",
    "Bhks",
    "Bopo",
    "Brah",
    "Brai",
    "Bugi",
    "Buhd",
    "Cakm",
    "Cans",
    "Cari",
    "Cham",
    "Cher",
    "Chrs",
    "Copt",
    "Cpmn",
    "Cprt",
    "Cyrl",
    "Deva",
    "Diak",
    "Dogr",
    "Dsrt",
    "Dupl",
    "Egyp",
    "Elba",
    "Elym",
    "Ethi",
    "Geor",
    "Glag",
    "Gong",
    "Gonm",
    "Goth",
    "Gran",
    "Grek",
    "Gujr",
    "Guru",
    "Hang",
    "Hani",
    "Hano",
    "Hatr",
    "Hebr",
    "Hira",
    "Hluw",
    "Hmng",
    "Hmnp",
    "Hung",
    "Ital",
    "Java",
    "Kali",
    "Kana",
    "Kawi",
    "Khar",
    "Khmr",
    "Khoj",
    "Kits",
    "Knda",
    "Kthi",
    "Lana",
    "Laoo",
    "Latn",
    "Lepc",
    "Limb",
    "Lina",
    "Linb",
    "Lisu",
    "Lyci",
    "Lydi",
    "Mahj",
    "Maka",
    "Mand",
    "Mani",
    "Marc",
    "Medf",
    "Mend",
    "Merc",
    "Mero",
    "Mlym",
    "Modi",
    "Mong",
    "Mroo",
    "Mtei",
    "Mult",
    "Mymr",
    "Nagm",
    "Nand",
    "Narb",
    "Nbat",
    "Newa",
    "Nkoo",
    "Nshu",
    "Ogam",
    "Olck",
    "Orkh",
    "Orya",
    "Osge",
    "Osma",
    "Ougr",
    "Palm",
    "Pauc",
    "Perm",
    "Phag",
    "Phli",
    "Phlp",
    "Phnx",
    "Plrd",
    "Prti",
    "Rjng",
    "Rohg",
    "Runr",
    "Samr",
    "Sarb",
    "Saur",
    "Sgnw",
    "Shaw",
    "Shrd",
    "Sidd",
    "Sind",
    "Sinh",
    "Sogd",
    "Sogo",
    "Sora",
    "Soyo",
    "Sund",
    "Sylo",
    "Syrc",
    "Tagb",
    "Takr",
    "Tale",
    "Talu",
    "Taml",
    "Tang",
    "Tavt",
    "Telu",
    "Tfng",
    "Tglg",
    "Thaa",
    "Thai",
    "Tibt",
    "Tirh",
    "Tnsa",
    "Toto",
    "Ugar",
    "Vaii",
    "Vith",
    "Wara",
    "Wcho",
    "Xpeo",
    "Xsux",
    "Yezi",
    "Yiii",
    "Zanb",
]


def script_table(names: list[str]) -> list[int]:
    """The script id of every code point."""
    table = [names.index("Zzzz")] * LIMIT
    everything = "".join(chr(c) for c in range(LIMIT) if not 0xD800 <= c < 0xE000)
    for number, name in enumerate(names):
        if name == "Zzzz":
            continue
        for found in regex.finditer(rf"\p{{Script={name}}}+", everything):
            for char in found.group():
                table[ord(char)] = number
    return table


def is_letter(code: int) -> bool:
    """Letters and the marks that ride on them; a mark alone never starts a word in practice."""
    return unicodedata.category(chr(code))[0] in "LM"


def lower_of(code: int) -> int:
    """Simple lower case: one code point to one code point, everything else stays as it is."""
    low = chr(code).lower()
    return ord(low) if len(low) == 1 else ord("i") if code == 0x130 else code


def runs(value: Callable[[int], int]) -> Iterator[tuple[int, int]]:
    """Starts of the stretches over which `value` is constant."""
    last = None
    for code in range(LIMIT):
        now = value(code)
        if now != last:
            yield code, now
            last = now


def lower_spans() -> Iterator[tuple[int, int, int, int]]:
    """(first, last, step, delta) for capitals: A-Z moves by 32 at step 1, most other alphabets alternate at step 2."""
    capitals = [(code, lower_of(code) - code) for code in range(LIMIT) if lower_of(code) != code]
    at = 0
    while at < len(capitals):
        first, delta = capitals[at]
        step = capitals[at + 1][0] - first if at + 1 < len(capitals) else 1
        step = step if step in (1, 2) else 1
        end = at
        while end + 1 < len(capitals) and capitals[end + 1] == (capitals[end][0] + step, delta):
            end += 1
        yield first, capitals[end][0], step, delta
        at = end + 1


def compositions() -> Iterator[tuple[int, int, int]]:
    """(letter, combining mark U+03xx, the two as one code point), lower case, in order."""
    for code in range(0x10000):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) != 2 or parts[0].startswith("<") or lower_of(code) != code:
            continue
        base, mark = (int(part, 16) for part in parts)
        if 0x300 <= mark < 0x370 and unicodedata.normalize("NFC", chr(base) + chr(mark)) == chr(code):
            yield base, mark, code


def known(name: str) -> bool:
    """Whether this version of `regex` has the script."""
    try:
        regex.compile(rf"\p{{Script={name}}}")
    except regex.error:
        return False
    return True


def main() -> None:
    names = [*FIXED, *(n for n in sorted(NAMES) if known(n))]
    scripts = script_table(names)
    lines = [
        f"// Generated by tools/tables/make_scripts.py (regex {regex.__version__}, Unicode {unicodedata.unidata_version}).",
        "// clang-format off",
        "static constexpr const char* const SCRIPT_NAMES[] = {",
        *(" ".join(f'"{n}",' for n in names[i : i + 16]) for i in range(0, len(names), 16)),
        "};",
        "// {first code point, script id << 1 | letter}: holds up to the next entry.",
        "static constexpr Span SPANS[] = {",
    ]
    spans = [f"{{{c},{v}}}," for c, v in runs(lambda c: scripts[c] << 1 | is_letter(c))]
    lines += ["".join(spans[i : i + 10]) for i in range(0, len(spans), 10)]
    lines += ["};", "// {first, last, step, delta to lower case}", "static constexpr Capitals CAPITALS[] = {"]
    lower = [f"{{{a},{b},{s},{d}}}," for a, b, s, d in lower_spans()]
    lines += ["".join(lower[i : i + 6]) for i in range(0, len(lower), 6)]
    lines += ["};", "// {letter, mark, both}, sorted: text in decomposed form", "static constexpr Pair PAIRS[] = {"]
    pairs = [f"{{{a},{b},{c}}}," for a, b, c in sorted(compositions())]
    lines += ["".join(pairs[i : i + 8]) for i in range(0, len(pairs), 8)]
    lines += ["};", ""]
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text("\n".join(lines), encoding="utf-8")
    print(f"{OUT}: {len(names)} scripts, {len(spans)} spans, {len(lower)} runs of capitals", file=sys.stderr)


if __name__ == "__main__":
    main()
