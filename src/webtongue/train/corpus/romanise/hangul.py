"""Korean in Latin letters: syllables are taken apart and joined by sound, by the revised romanisation and what became of it."""

from __future__ import annotations

from webtongue.train.corpus.romanise.tables import Spellings
from webtongue.train.corpus.romanise.writer import Writer

__all__ = ["romanise"]

FIRST, LAST = 0xAC00, 0xD7A3
VOWELS, FINALS = 21, 28
ONSETS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
MEDIALS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
CODAS = ("", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")
PAIRS = {
    "ㄳ": "ㄱㅅ",
    "ㄵ": "ㄴㅈ",
    "ㄶ": "ㄴㅎ",
    "ㄺ": "ㄹㄱ",
    "ㄻ": "ㄹㅁ",
    "ㄼ": "ㄹㅂ",
    "ㄽ": "ㄹㅅ",
    "ㄾ": "ㄹㅌ",
    "ㄿ": "ㄹㅍ",
    "ㅀ": "ㄹㅎ",
    "ㅄ": "ㅂㅅ",
}
SPOKEN = {"ㄲ": "ㄱ", "ㅋ": "ㄱ", "ㅅ": "ㄷ", "ㅆ": "ㄷ", "ㅈ": "ㄷ", "ㅊ": "ㄷ", "ㅌ": "ㄷ", "ㅎ": "ㄷ", "ㅍ": "ㅂ"}
NASAL = {"ㄱ": "ㅇ", "ㄷ": "ㄴ", "ㅂ": "ㅁ"}
SILENT, BREATH = "ㅇ", "ㅎ"
BREATHED = {"ㄱ": "ㅋ", "ㄷ": "ㅌ", "ㅈ": "ㅊ", "ㅂ": "ㅍ"}


def romanise(word: str, spellings: Spellings, writer: Writer) -> str:
    """The word as this writer spells it.

    >>> _join("ㄱ", "ㅇ"), _join("ㅂ", "ㄴ"), _join("ㅎ", "ㄱ")
    (('', 'ㄱ'), ('ㅁ', 'ㄴ'), ('', 'ㅋ'))
    """
    parts = [_apart(char) for char in word if FIRST <= ord(char) <= LAST]
    out = []
    for at, (_, medial, coda) in enumerate(parts):
        onset = parts[0][0] if at == 0 else _join(parts[at - 1][2], parts[at][0])[1]
        closing = _join(coda, parts[at + 1][0])[0] if at + 1 < len(parts) else _last(coda)
        between = at > 0 and _join(parts[at - 1][2], parts[at][0])[0] == ""
        out.append(_onset(onset, at == 0, between, spellings, writer) + spellings.write(medial, writer))
        out.append("".join(spellings.write(f"{jamo}$", writer) for jamo in closing))
    return "".join(out)


def _apart(char: str) -> tuple[str, str, str]:
    number = ord(char) - FIRST
    return ONSETS[number // (VOWELS * FINALS)], MEDIALS[number // FINALS % VOWELS], CODAS[number % FINALS]


def _onset(jamo: str, first: bool, between: bool, spellings: Spellings, writer: Writer) -> str:
    key = f"^{jamo}" if first else f"{jamo}~" if between else jamo
    return spellings.write(key if key in spellings else jamo, writer)


def _last(coda: str) -> str:
    """What is heard of final consonants: one, and as a stop."""
    if coda in PAIRS:
        coda = PAIRS[coda][1 if coda == "ㄻ" else 0]
    return SPOKEN.get(coda, coda)


def _join(coda: str, onset: str) -> tuple[str, str]:
    """Final consonants and the beginning of the next syllable, as they sound together."""
    if onset == SILENT and coda not in ("", SILENT):
        pair = PAIRS.get(coda, coda)
        if pair[-1] == BREATH:
            return ("", pair[0]) if len(pair) > 1 else ("", SILENT)
        return (_last(pair[0]), pair[-1]) if len(pair) > 1 else ("", coda)
    if PAIRS.get(coda, coda)[-1:] == BREATH and onset in BREATHED:
        return _last(PAIRS[coda][0]) if coda in PAIRS else "", BREATHED[onset]
    heard = _last(coda)
    if onset == BREATH and heard in BREATHED:
        return "", BREATHED[heard]
    if onset in "ㄴㅁ":
        return NASAL.get(heard, heard), onset
    if onset == "ㄹ" and heard and heard != "ㄹ":
        return ("ㄹ", "ㄹ") if heard == "ㄴ" else (NASAL.get(heard, heard), "ㄴ")
    return heard, "ㄹ" if heard == "ㄹ" and onset == "ㄴ" else onset
