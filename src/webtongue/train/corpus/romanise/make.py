"""Lines of native text in, lines of romanised text out."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence

from webtongue.train.corpus.read import SCRIPTURE, SYNTHETIC, Corpus
from webtongue.train.corpus.romanise import abjad, alphabet, han, hangul, indic, urdu
from webtongue.train.corpus.romanise.tables import USUAL, letters_of, words_of
from webtongue.train.corpus.romanise.writer import Writer

__all__ = ["MADE_FROM", "SOURCE", "add_romanised", "made_lines"]

SOURCE = "romanised"
MADE_FROM: dict[str, tuple[str, ...]] = {
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
    "tam_Latn": ("tam_Taml",),
    "tel_Latn": ("tel_Telu",),
    "ukr_Latn": ("ukr_Cyrl",),
    "urd_Latn": ("urd_Arab",),
    "zho_Latn": ("zho_Hans",),
}
BYTES = 600_000  # made text for each label
CHAT = 0.12  # share of it that is words of the label's table, in no order: chat has words that print has not
IN_CHAT = (3, 12)  # words of such a line
LONGEST = 400  # characters of a native line: chat is short
NATIVE = 0.75  # share of a line's letters that must be in the native script
# Shares of writers who follow another system than the usual one, where letters.tsv has it.
SYSTEMS = {USUAL: 0.7, "marks": 0.12, "other": 0.18}
DIALECTS = {"arz_Arab": "egypt", "aeb_Arab": "maghreb", "ary_Arab": "maghreb", "arq_Arab": "maghreb"}
EVERYWHERE = (USUAL, USUAL, "egypt", "maghreb")  # systems of those who write the standard

# Letters with all signs that Python's \w leaves out: marks of Brahmic scripts and Arabic, joiners.
MARKED = re.compile(r"(?:[^\W\d_]|[\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0d7f\u200c\u200d\u0300-\u036f])+")
INDIC_DIGITS_AND_STOPS = re.compile(
    "[\u0964-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f]"
)
PUNCTUATION = str.maketrans("،؛؟۔«»…։՝", ",;?.''..,", "՞՛՜")
OTHER_LETTER = re.compile(
    "[^\\W\\d_\u0000-\u02ff\u1e00-\u1eff]"
)  # no letter of these rules: the line is in another language
Line = Callable[[str, Writer], str]


def add_romanised(corpus: Corpus) -> list[str]:
    """Adds a source of made lines for each romanised label whose native text is in the corpus.

    Returned are the labels that lack a package which only training needs (han.py).
    """
    sources = corpus.of_label()
    left_out = []
    for label, bases in MADE_FROM.items():
        texts = {base: native_lines(sources[base]) for base in bases if base in sources}
        hindi = sources.get("hin_Deva", {}) if label == "urd_Latn" else {}
        lines = list(made_lines(label, texts, native_lines(hindi)))
        if lines:
            corpus.lines.setdefault((SOURCE, label), []).extend(lines)
        elif any(texts.values()) and label in han.PACKAGES:
            left_out.append(label)
    return left_out


def native_lines(sources: Mapping[str, Sequence[str]]) -> list[str]:
    """Lines of all kinds but scripture and what was made."""
    return [line for source, some in sources.items() if source not in SCRIPTURE | SYNTHETIC for line in some]


def made_lines(label: str, texts: Mapping[str, Sequence[str]], hindi: Sequence[str] = ()) -> Iterator[str]:
    """Romanised lines of a label: of its native text, and some of chat words."""
    if not any(texts.values()):
        return
    rnd = random.Random(f"romanised/{label}")
    for base, lines in texts.items():
        line_of = _line_maker(label, base, hindi)
        if line_of is None:
            return
        yield from _until(_of_native(lines, line_of, rnd), BYTES * (1 - CHAT) / len(texts))
    yield from _until(_of_chat(label, rnd), BYTES * CHAT)


def _until(lines: Iterator[str], left: float) -> Iterator[str]:
    for line in lines:
        yield line
        left -= len(line.encode())
        if left <= 0:
            return


def _of_native(lines: Sequence[str], line_of: Line, rnd: random.Random) -> Iterator[str]:
    chosen = [line for line in lines if len(line) <= LONGEST and _is_native(line)]
    rnd.shuffle(chosen)
    for line in chosen:
        writer = Writer(rnd)
        made = writer.dress(line_of(unicodedata.normalize("NFC", line), writer))
        if not OTHER_LETTER.search(made):
            yield made


def _of_chat(label: str, rnd: random.Random) -> Iterator[str]:
    words = words_of(label)
    options = [*words.whole.values(), *words.chat * 2]
    while options:
        writer = Writer(rnd)
        yield writer.dress(" ".join(rnd.choice(rnd.choice(options)) for _ in range(rnd.randint(*IN_CHAT))))


def _is_native(line: str) -> bool:
    letters = [char for char in line if char.isalpha()]
    return sum(not char.isascii() for char in letters) > NATIVE * max(1, len(letters))


def _line_maker(label: str, base: str, hindi: Sequence[str]) -> Line | None:
    if label == "zho_Latn":
        return han.chinese()
    if label == "jpn_Latn":
        return han.japanese()
    word_of = _word_maker(label, base, hindi)

    def line(text: str, writer: Writer) -> str:
        plain = INDIC_DIGITS_AND_STOPS.sub(_plain, text).translate(PUNCTUATION)
        return MARKED.sub(lambda found: found[0] if found[0].isascii() else word_of(found[0], writer), plain)

    return line


def _plain(found: re.Match[str]) -> str:
    """A digit of the script as a European one, a danda as a full stop."""
    return str(unicodedata.digit(found[0], "."))


def _word_maker(label: str, base: str, hindi: Sequence[str]) -> Line:
    words = words_of(label)
    rule = _rule(label, base, hindi)

    def word(native: str, writer: Writer) -> str:
        native = native.replace("\u200d", "")
        key = native.replace("\u200c", "").lower()
        known = words.find(key, writer)
        if known is not None:
            return known[:1].upper() + known[1:] if native[:1].isupper() else known
        stem, end, spelt = words.split(native.replace("\u200c", ""), writer)
        joined = bool(end) and unicodedata.category(end[0]).startswith(
            "M"
        )  # the end begins with a vowel: none is before it
        return rule(stem + indic.VIRAMA if joined else stem, writer) + spelt

    return word


def _rule(label: str, base: str, hindi: Sequence[str]) -> Line:
    """How a word that is in no table is written."""
    if label in indic.LANGUAGES:
        language, spellings = indic.LANGUAGES[label], letters_of(label)[USUAL]
        return lambda word, writer: indic.romanise(word, language, spellings, writer)
    if label == "kor_Latn":
        jamo = letters_of(label)[USUAL]
        return lambda word, writer: hangul.romanise(word, jamo, writer)
    if label == "urd_Latn":
        return _urdu_rule(hindi)
    if base.endswith("_Arab"):
        kind = abjad.ARABIC if label == "ara_Latn" else abjad.PERSIAN
        systems, words = letters_of(label), words_of(label)
        names = EVERYWHERE if base == "ara_Arab" else (DIALECTS.get(base, USUAL),)
        return lambda word, writer: abjad.romanise(
            word, kind, systems.get(writer.pick("system", names), systems[USUAL]), words, writer
        )
    systems = letters_of(label)
    drawn = [name for name in SYSTEMS if name in systems]
    weights = [SYSTEMS[name] for name in drawn]

    def rule(word: str, writer: Writer) -> str:
        at = writer.habits.setdefault("system", writer.rnd.random()) * sum(weights)
        name = next((name for name, weight in zip(drawn, _sums(weights), strict=True) if at < weight), USUAL)
        return alphabet.romanise(word, systems[name], writer)

    return rule


def _sums(weights: Sequence[float]) -> list[float]:
    return [sum(weights[: at + 1]) for at in range(len(weights))]


def _urdu_rule(hindi: Sequence[str]) -> Line:
    """Urdu words that are Hindi's are written as those; others by the rules of their script."""
    read = urdu.readings(word for line in hindi for word in MARKED.findall(unicodedata.normalize("NFC", line)))
    spellings, words, hindi_words = letters_of("urd_Latn")[USUAL], words_of("urd_Latn"), words_of("hin_Latn")

    def rule(word: str, writer: Writer) -> str:
        known = urdu.dotted(read.get(urdu.folded(word), ""), word)
        if not known:
            return abjad.romanise(word, abjad.URDU, spellings, words, writer)
        usual = hindi_words.find(known, writer)
        return indic.romanise(known, indic.LANGUAGES["hin_Latn"], spellings, writer) if usual is None else usual

    return rule
