"""Generate lines of text in another script than that of the native text: romanised lines, and lines in Arabic letters."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate

from webtongue.lab.train.corpus.read import SCRIPTURE, SYNTHETIC, Corpus
from webtongue.lab.train.corpus.romanise import abjad, alphabet, han, hangul, indic, urdu
from webtongue.lab.train.corpus.romanise.tables import USUAL, read_letters, read_words
from webtongue.lab.train.corpus.romanise.writer import Writer

__all__ = ["NATIVE_LABELS", "SOURCE", "add_romanised", "generate_lines"]

SOURCE = "romanised"
NATIVE_LABELS: dict[str, tuple[str, ...]] = {
    "amh_Latn": ("amh_Ethi",),
    "azb_Arab": ("aze_Latn",),
    "ara_Latn": ("ara_Arab", "arz_Arab", "apc_Arab", "ary_Arab", "aeb_Arab", "arq_Arab", "afb_Arab", "acm_Arab"),
    "ben_Latn": ("ben_Beng",),
    "bul_Latn": ("bul_Cyrl",),
    "ell_Latn": ("ell_Grek",),
    "fas_Latn": ("fas_Arab",),
    "guj_Latn": ("guj_Gujr",),
    "hin_Latn": ("hin_Deva",),
    "hye_Latn": ("hye_Armn",),
    "jpn_Latn": ("jpn_Jpan",),
    "kan_Latn": ("kan_Knda",),
    "kat_Latn": ("kat_Geor",),
    "kor_Latn": ("kor_Hang",),
    "mal_Latn": ("mal_Mlym",),
    "mar_Latn": ("mar_Deva",),
    "nep_Latn": ("nep_Deva",),
    "pan_Latn": ("pan_Guru",),
    "rus_Latn": ("rus_Cyrl",),
    "shi_Arab": ("shi_Latn",),
    "tam_Latn": ("tam_Taml",),
    "tel_Latn": ("tel_Telu",),
    "tgk_Latn": ("tgk_Cyrl",),
    "ukr_Latn": ("ukr_Cyrl",),
    "urd_Latn": ("urd_Arab",),
    "zho_Latn": ("zho_Hans",),
}
SCRIPTURE_TOO = frozenset({"shi_Arab"})  # there is little other text
BYTES_PER_LABEL = 600_000
CHAT_SHARE = 0.12  # lines of table words in random order: chat has words that print does not have
CHAT_LINE_WORDS = (3, 12)
MAX_NATIVE_CHARS = 400  # chat lines are short
MIN_NATIVE_SHARE = 0.75  # letters of a line that must not be ASCII
# Shares of writers by system, where letters.tsv has more than the usual one.
SYSTEM_SHARES = {USUAL: 0.7, "marks": 0.12, "other": 0.18}
DIALECTS = {"arz_Arab": "egypt", "aeb_Arab": "maghreb", "ary_Arab": "maghreb", "arq_Arab": "maghreb"}
STANDARD_ARABIC_SYSTEMS = (USUAL, USUAL, "egypt", "maghreb")  # standard Arabic is written everywhere

# Letters with the signs that Python's \w does not match: marks of Brahmic scripts and Arabic, joiners.
NATIVE_WORD = re.compile(r"(?:[^\W\d_]|[\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0d7f\u200c\u200d\u0300-\u036f])+")
INDIC_DIGITS_AND_STOPS = re.compile(
    "[\u0964-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f]"
)
PUNCTUATION = str.maketrans("،؛؟۔«»…։՝።፣፤፡", ",;?.''..,.,; ", "՞՛՜")
# A letter that the rules do not cover: the line is in another language.
NON_LATIN_LETTER = re.compile("[^\\W\\d_\u0000-\u02ff\u1e00-\u1eff]")
NON_ARABIC_LETTER = re.compile("[^\\W\\d_\u0600-\u06ff]")
Romaniser = Callable[[str, Writer], str]


def add_romanised(corpus: Corpus) -> list[str]:
    """Add a source of romanised lines for each label whose native text is in the corpus.

    Return the labels that were skipped because an optional package is missing (han.py).
    """
    sources = corpus.group_by_label()
    left_out = []
    for label, bases in NATIVE_LABELS.items():
        texts = {base: select_native_lines(sources[base], label in SCRIPTURE_TOO) for base in bases if base in sources}
        hindi = sources.get("hin_Deva", {}) if label == "urd_Latn" else {}
        lines = list(generate_lines(label, texts, select_native_lines(hindi)))
        if lines:
            corpus.lines.setdefault((SOURCE, label), []).extend(lines)
        elif any(texts.values()) and label in han.PACKAGES:
            left_out.append(label)
    return left_out


def select_native_lines(sources: Mapping[str, Sequence[str]], scripture: bool = False) -> list[str]:
    """Return the lines of all sources except synthetic text and, unless it is wanted, scripture."""
    left_out = SYNTHETIC if scripture else SCRIPTURE | SYNTHETIC
    return [line for source, lines in sources.items() if source not in left_out for line in lines]


def generate_lines(label: str, texts: Mapping[str, Sequence[str]], hindi: Sequence[str] = ()) -> Iterator[str]:
    """Yield romanised lines of a label: from its native text, then from chat words."""
    if not any(texts.values()):
        return
    rng = random.Random(f"romanised/{label}")
    for base, lines in texts.items():
        romanise_line = _make_line_romaniser(label, base, hindi)
        if romanise_line is None:
            return
        usable = [line for line in lines if len(line) <= MAX_NATIVE_CHARS and _is_native(line, base)]
        foreign = NON_LATIN_LETTER if label.endswith("_Latn") else NON_ARABIC_LETTER
        converted = _romanise_lines(usable, romanise_line, foreign, rng)
        yield from _limit_bytes(converted, BYTES_PER_LABEL * (1 - CHAT_SHARE) / len(texts))
    yield from _limit_bytes(_generate_chat(label, rng), BYTES_PER_LABEL * CHAT_SHARE)


def _limit_bytes(lines: Iterator[str], bytes_left: float) -> Iterator[str]:
    for line in lines:
        yield line
        bytes_left -= len(line.encode())
        if bytes_left <= 0:
            return


def _romanise_lines(
    lines: list[str], romanise_line: Romaniser, foreign: re.Pattern[str], rng: random.Random
) -> Iterator[str]:
    rng.shuffle(lines)
    for line in lines:
        writer = Writer(rng)
        romanised = writer.format_line(romanise_line(unicodedata.normalize("NFC", line), writer))
        if not foreign.search(romanised):
            yield romanised


def _generate_chat(label: str, rng: random.Random) -> Iterator[str]:
    words = read_words(label)
    options = [*words.full.values(), *words.chat * 2]
    while options:
        writer = Writer(rng)
        yield writer.format_line(
            " ".join(rng.choice(rng.choice(options)) for _ in range(rng.randint(*CHAT_LINE_WORDS)))
        )


def _is_native(line: str, base: str) -> bool:
    if base.endswith("_Latn"):
        return True
    letters = [char for char in line if char.isalpha()]
    return sum(not char.isascii() for char in letters) > MIN_NATIVE_SHARE * max(1, len(letters))


def _make_line_romaniser(label: str, base: str, hindi: Sequence[str]) -> Romaniser | None:
    if label == "zho_Latn":
        return han.make_pinyin_writer()
    if label == "jpn_Latn":
        return han.make_romaji_writer()
    romanise_word = _make_word_romaniser(label, base, hindi)
    latin = base.endswith("_Latn")

    def line(text: str, writer: Writer) -> str:
        converted = INDIC_DIGITS_AND_STOPS.sub(_to_ascii, text).translate(PUNCTUATION)
        return NATIVE_WORD.sub(
            lambda match: romanise_word(match[0], writer) if latin or not match[0].isascii() else match[0], converted
        )

    return line


def _to_ascii(match: re.Match[str]) -> str:
    """Return a digit of another script as an ASCII digit, and a danda as a full stop."""
    return str(unicodedata.digit(match[0], "."))


def _make_word_romaniser(label: str, base: str, hindi: Sequence[str]) -> Romaniser:
    words = read_words(label)
    romanise_by_rule = _make_rule(label, base, hindi)

    def word(native: str, writer: Writer) -> str:
        native = native.replace("\u200d", "")
        key = native.replace("\u200c", "").lower()
        usual = words.find(key, writer)
        if usual is not None:
            return usual[:1].upper() + usual[1:] if native[:1].isupper() else usual
        stem, end, spelt = words.split(native.replace("\u200c", ""), writer)
        # An end that begins with a vowel sign replaces the inherent vowel before it.
        joined = bool(end) and unicodedata.category(end[0]).startswith("M")
        return romanise_by_rule(stem + indic.VIRAMA if joined else stem, writer) + spelt

    return word


def _make_rule(label: str, base: str, hindi: Sequence[str]) -> Romaniser:
    """Return the function that romanises words that are in no table."""
    if label in indic.LANGUAGES:
        language, spellings = indic.LANGUAGES[label], read_letters(label)[USUAL]
        return lambda word, writer: indic.romanise(word, language, spellings, writer)
    if label == "kor_Latn":
        jamo = read_letters(label)[USUAL]
        return lambda word, writer: hangul.romanise(word, jamo, writer)
    if label == "urd_Latn":
        return _make_urdu_rule(hindi)
    if base.endswith("_Arab"):
        kind = abjad.ARABIC if label == "ara_Latn" else abjad.PERSIAN
        systems, words = read_letters(label), read_words(label)
        names = STANDARD_ARABIC_SYSTEMS if base == "ara_Arab" else (DIALECTS.get(base, USUAL),)
        return lambda word, writer: abjad.romanise(
            word, kind, systems.get(writer.pick("system", names), systems[USUAL]), words, writer
        )
    systems = read_letters(label)
    shares = {name: share for name, share in SYSTEM_SHARES.items() if name in systems}
    bounds = list(accumulate(shares.values()))

    def rule(word: str, writer: Writer) -> str:
        draw = writer.habits.setdefault("system", writer.rng.random()) * sum(shares.values())
        name = next((name for name, bound in zip(shares, bounds, strict=True) if draw < bound), USUAL)
        return alphabet.romanise(word, systems[name], writer)

    return rule


def _make_urdu_rule(hindi: Sequence[str]) -> Romaniser:
    """Return the rule of Urdu: words shared with Hindi are spelt as in Hindi, others by the rules of Arabic script."""
    reading_of = urdu.map_readings(
        word for line in hindi for word in NATIVE_WORD.findall(unicodedata.normalize("NFC", line))
    )
    spellings, words, hindi_words = read_letters("urd_Latn")[USUAL], read_words("urd_Latn"), read_words("hin_Latn")

    def rule(word: str, writer: Writer) -> str:
        hindi_word = urdu.add_dots(reading_of.get(urdu.fold_homophones(word), ""), word)
        if not hindi_word:
            return abjad.romanise(word, abjad.URDU, spellings, words, writer)
        spelling = hindi_words.find(hindi_word, writer)
        return (
            indic.romanise(hindi_word, indic.LANGUAGES["hin_Latn"], spellings, writer) if spelling is None else spelling
        )

    return rule
