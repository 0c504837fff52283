"""Romanise Korean: decompose syllables and join them by sound, after the revised romanisation and its common variants."""

from __future__ import annotations

from webtongue.lab.train.corpus.romanise.tables import Spellings
from webtongue.lab.train.corpus.romanise.writer import Writer

__all__ = ["romanise"]

FIRST_SYLLABLE, LAST_SYLLABLE = 0xAC00, 0xD7A3
MEDIAL_COUNT, CODA_COUNT = 21, 28
ONSETS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
MEDIALS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
CODAS = ("", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")
CODA_PAIRS = {
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
STOPS = {"ㄲ": "ㄱ", "ㅋ": "ㄱ", "ㅅ": "ㄷ", "ㅆ": "ㄷ", "ㅈ": "ㄷ", "ㅊ": "ㄷ", "ㅌ": "ㄷ", "ㅎ": "ㄷ", "ㅍ": "ㅂ"}
NASALS = {"ㄱ": "ㅇ", "ㄷ": "ㄴ", "ㅂ": "ㅁ"}
SILENT, ASPIRATE = "ㅇ", "ㅎ"
ASPIRATED = {"ㄱ": "ㅋ", "ㄷ": "ㅌ", "ㅈ": "ㅊ", "ㅂ": "ㅍ"}


def romanise(word: str, spellings: Spellings, writer: Writer) -> str:
    """Return the word as this writer spells it.

    >>> _assimilate("ㄱ", "ㅇ"), _assimilate("ㅂ", "ㄴ"), _assimilate("ㅎ", "ㄱ")
    (('', 'ㄱ'), ('ㅁ', 'ㄴ'), ('', 'ㅋ'))
    """
    syllables = [_decompose(char) for char in word if FIRST_SYLLABLE <= ord(char) <= LAST_SYLLABLE]
    romanised = []
    for index, (_, medial, coda) in enumerate(syllables):
        onset = syllables[0][0] if index == 0 else _assimilate(syllables[index - 1][2], syllables[index][0])[1]
        closing = _assimilate(coda, syllables[index + 1][0])[0] if index + 1 < len(syllables) else _simplify_coda(coda)
        between = index > 0 and _assimilate(syllables[index - 1][2], syllables[index][0])[0] == ""
        romanised.append(_write_onset(onset, index == 0, between, spellings, writer) + spellings.write(medial, writer))
        romanised.append("".join(spellings.write(f"{jamo}$", writer) for jamo in closing))
    return "".join(romanised)


def _decompose(char: str) -> tuple[str, str, str]:
    index = ord(char) - FIRST_SYLLABLE
    return (
        ONSETS[index // (MEDIAL_COUNT * CODA_COUNT)],
        MEDIALS[index // CODA_COUNT % MEDIAL_COUNT],
        CODAS[index % CODA_COUNT],
    )


def _write_onset(jamo: str, first: bool, between: bool, spellings: Spellings, writer: Writer) -> str:
    key = f"^{jamo}" if first else f"{jamo}~" if between else jamo
    return spellings.write(key if key in spellings else jamo, writer)


def _simplify_coda(coda: str) -> str:
    """Return the one consonant, as a stop, that final consonants are pronounced as."""
    if coda in CODA_PAIRS:
        coda = CODA_PAIRS[coda][1 if coda == "ㄻ" else 0]
    return STOPS.get(coda, coda)


def _assimilate(coda: str, onset: str) -> tuple[str, str]:
    """Return final consonants and the onset of the next syllable as they are pronounced together."""
    if onset == SILENT and coda not in ("", SILENT):
        consonants = CODA_PAIRS.get(coda, coda)
        if consonants[-1] == ASPIRATE:
            return ("", consonants[0]) if len(consonants) > 1 else ("", SILENT)
        return (_simplify_coda(consonants[0]), consonants[-1]) if len(consonants) > 1 else ("", coda)
    if CODA_PAIRS.get(coda, coda)[-1:] == ASPIRATE and onset in ASPIRATED:
        return _simplify_coda(CODA_PAIRS[coda][0]) if coda in CODA_PAIRS else "", ASPIRATED[onset]
    sound = _simplify_coda(coda)
    if onset == ASPIRATE and sound in ASPIRATED:
        return "", ASPIRATED[sound]
    if onset in "ㄴㅁ":
        return NASALS.get(sound, sound), onset
    if onset == "ㄹ" and sound and sound != "ㄹ":
        return ("ㄹ", "ㄹ") if sound == "ㄴ" else (NASALS.get(sound, sound), "ㄴ")
    return sound, "ㄹ" if sound == "ㄹ" and onset == "ㄴ" else onset
