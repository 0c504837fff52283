"""Scripts of code points, checked by the names that Unicode gives its characters."""

from __future__ import annotations

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from webtongue import _kernel

NAMES = _kernel.script_names()
# A script and the word that the names of its letters begin with.
BEGINS = {
    "Latn": "LATIN ", "Grek": "GREEK ", "Cyrl": "CYRILLIC ", "Armn": "ARMENIAN ", "Hebr": "HEBREW ", "Arab": "ARABIC ",
    "Deva": "DEVANAGARI ", "Beng": "BENGALI ", "Guru": "GURMUKHI ", "Gujr": "GUJARATI ", "Orya": "ORIYA ", "Taml": "TAMIL ",
    "Telu": "TELUGU ", "Knda": "KANNADA ", "Mlym": "MALAYALAM ", "Sinh": "SINHALA ", "Thai": "THAI ", "Laoo": "LAO ",
    "Tibt": "TIBETAN ", "Mymr": "MYANMAR ", "Geor": "GEORGIAN ", "Hang": "HANGUL ", "Ethi": "ETHIOPIC ", "Cher": "CHEROKEE ",
    "Khmr": "KHMER ", "Mong": "MONGOLIAN ", "Hira": "HIRAGANA ", "Kana": "KATAKANA ", "Hani": "CJK UNIFIED ", "Yiii": "YI ",
    "Thaa": "THAANA ", "Adlm": "ADLAM ", "Tfng": "TIFINAGH ", "Olck": "OL CHIKI ", "Dsrt": "DESERET ",
}  # fmt: skip
NOT_SCRIPTS = {"Zyyy", "Zinh", "Zzzz"}


def script(c: str) -> str:
    return NAMES[_kernel.script_of(ord(c))]


def test_letters_have_the_script_of_their_name() -> None:
    wrong = []
    for code in range(0x30000):
        c = chr(code)
        name = unicodedata.name(c, "")
        if unicodedata.category(c) not in ("Lu", "Ll", "Lo") or (
            " LETTER " not in f"{name} " and not name.startswith("CJK")
        ):
            continue
        expected = next((s for s, begin in BEGINS.items() if name.startswith(begin)), None)
        if expected and script(c) not in (expected, "Zyyy", "Zinh"):
            wrong.append((hex(code), name, script(c)))
    assert not wrong


def test_digits_and_signs_are_common() -> None:
    assert {script(c) for c in "0123456789 .,!?()[]«»…€©–—"} == {"Zyyy"}
    assert script("\u0301") == "Zinh"
    assert (
        _kernel.script_of(0x10FFFF)
        == _kernel.script_of(0x110000)
        == _kernel.script_of(0xFFFFFFFF)
        == NAMES.index("Zzzz")
    )


@settings(max_examples=500)
@given(text=st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=60))
def test_counts_are_of_code_points(text: str) -> None:
    scan = _kernel.scan(text.encode(), 3, False, True)
    counts = list(scan.count_scripts(0))
    seen = scan.text.decode().replace("\n", "")
    assert sum(counts) == len(seen)
    for number, name in enumerate(NAMES):
        assert counts[number] == sum(script(c) == name for c in seen)
