"""Separate letters: bars from A to Z, grades, seat plans, grids, calendars, codes, random letters."""

from __future__ import annotations

import html
import string
from collections.abc import Iterator, Sequence

from tests.quality.kinds import Content, Random, Sample, kind, page
from webtongue import labels

CAPITALS = string.ascii_uppercase
SEPARATORS = (
    " ",
    "  ",
    " - ",
    "-",
    " | ",
    "|",
    " • ",
    "•",
    " / ",
    "/",
    ", ",
    " · ",
    ".",
    " . ",
    "\u00a0",
    "\n",
    "\t",
    " – ",
    "_",
    " :: ",
)
LANGUAGES = ("fr", "en", "de", "es", "it", "pl", "pt-BR", "nl", "sv", "")
PROMPTS = {
    "fr": "Cliquez sur une lettre.",
    "en": "Click a letter.",
    "de": "Buchstabe wählen.",
    "es": "Elija una letra.",
    "it": "Scegli una lettera.",
    "pl": "Wybierz literę.",
    "pt-BR": "Escolha uma letra.",
    "nl": "Kies een letter.",
    "sv": "Välj en bokstav.",
    "": "",
}
GREEK = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"
CYRILLIC = "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЭЮЯ"
CONSONANTS, VOWELS = "bcdfghjklmnpqrstvwxz", "aeiouy"


def sample_letters(rng: Random, alphabet: Sequence[str], count: int) -> list[str]:
    return [rng.choice(alphabet) for _ in range(count)]


@kind("spaced capitals")
def spaced_capitals(rng: Random) -> Iterator[Content]:
    for n in range(300):
        letters = sample_letters(rng, CAPITALS, 100 if n < 200 else rng.randrange(30, 300))
        yield rng.choice(SEPARATORS[:8]).join(letters) if n % 3 else " ".join(letters)


@kind("spaced small letters")
def spaced_small(rng: Random) -> Iterator[Content]:
    for _ in range(150):
        yield rng.choice(SEPARATORS).join(sample_letters(rng, CAPITALS.lower(), rng.randrange(30, 200)))


NOTES = ("do", "re", "mi", "fa", "sol", "la", "si")
CHORDS = ("F", "Am", "G7", "C", "Dm", "E7", "Bb", "Gm")


@kind("codes joined by signs")
def joined_codes(rng: Random) -> Iterator[Content]:
    small = CAPITALS.lower()
    for n in range(60):
        moves = [
            f";{'BW'[i % 2]}[{''.join(sample_letters(rng, small[:19], 2))}]" for i in range(rng.randrange(10, 120))
        ]
        yield page("".join(moves), "en") if n % 3 == 0 else "(;GM[1]SZ[19]" + "".join(moves) + ")"
        yield ";".join(sample_letters(rng, NOTES, 40))
        yield "|".join(sample_letters(rng, CHORDS, 40))
        yield ";".join(f"{i}{rng.choice('abcd')}" for i in range(1, 50))
        yield rng.choice(";,\\|").join("".join(sample_letters(rng, small, 2)) for _ in range(30))


@kind("bars from A to Z")
def bars(rng: Random) -> Iterator[Content]:
    for separator in SEPARATORS:
        for alphabet in (CAPITALS, CAPITALS.lower(), f"{CAPITALS}#", f"0-9{CAPITALS}", GREEK, CYRILLIC):
            yield separator.join(alphabet)
            yield separator.join(alphabet * 3)


@kind("pages with a bar from A to Z")
def bar_pages(rng: Random) -> Iterator[Sample]:
    for lang in LANGUAGES:
        label = next(iter(labels.parse_declared(lang).labels), "")
        for separator in (*SEPARATORS[:14], "&nbsp;", "&nbsp;|&nbsp;", "&bull;", "<br>"):
            plain = separator if "&" in separator or "<" in separator else html.escape(separator)
            letters = CAPITALS if rng.random() < 0.8 else f"{CAPITALS}0123456789"
            prompt = f"<p>{PROMPTS[lang]}</p>" if rng.random() < 0.5 else ""
            generated = [page(f"<div>{plain.join(letters)}</div>{prompt}", lang)]
            links = plain.join(f"<a href='?l={letter}'>{letter}</a>" for letter in letters)
            generated.append(page(f"<div>{links}</div>{prompt}", lang, "A-Z" if rng.random() < 0.3 else ""))
            yield from [
                Sample("pages with a bar from A to Z", content, label if prompt else "") for content in generated
            ]


@kind("grades")
def grades(rng: Random) -> Iterator[Content]:
    marks = ("A", "A-", "B+", "B", "B-", "C+", "C", "D", "F", "A+", "P", "NC", "W", "I")
    for n in range(120):
        rows = [rng.choice(marks) for _ in range(rng.randrange(20, 120))]
        text = rng.choice((" ", ", ", "\n", " / ", "\t")).join(rows)
        table = "".join(f"<tr><td>{i}<td>{mark}" for i, mark in enumerate(rows, 1000))
        yield text if n % 2 else page(f"<table>{table}</table>", rng.choice(LANGUAGES))


@kind("seat plans")
def seats(rng: Random) -> Iterator[Content]:
    for n in range(120):
        columns = CAPITALS[: rng.randrange(4, 11)]
        rows = [" ".join(columns) for _ in range(rng.randrange(8, 40))]
        numbered = [" ".join(f"{row}{letter}" for letter in columns) for row in range(1, len(rows))]
        text = "\n".join(numbered if n % 2 else rows)
        yield text if n % 3 else page(f"<pre>{text}</pre>", rng.choice(LANGUAGES))


@kind("word-search grids")
def grids(rng: Random) -> Iterator[Content]:
    for n in range(200):
        size = rng.randrange(8, 20)
        between = rng.choice((" ", "", "  ", "|"))
        rows = [between.join(sample_letters(rng, CAPITALS, size)) for _ in range(size)]
        cells = "".join(f"<tr>{''.join(f'<td>{letter}' for letter in row if letter.isalpha())}" for row in rows)
        yield "\n".join(rows) if n % 2 else page(f"<table>{cells}</table>", rng.choice(LANGUAGES))


@kind("calendars")
def calendars(rng: Random) -> Iterator[Content]:
    weeks = (
        "M T W T F S S",
        "S M T W T F S",
        "Mo Tu We Th Fr Sa Su",
        "L M M J V S D",
        "M D M D F S S",
        "L M X J V S D",
        "P Ú S Č P S N",
    )
    for n in range(150):
        head = weeks[n % len(weeks)].split()
        days = [str(day) for day in range(1, rng.choice((29, 30, 31, 32)))]
        months = rng.randrange(1, 13)
        text = "\n".join(" ".join(head) + "\n" + " ".join(days) for _ in range(months))
        cells = "".join(f"<td>{cell}" for cell in (*head, *days))
        yield text if n % 2 else page(f"<table><tr>{cells}</table>" * months, rng.choice(LANGUAGES))


@kind("soft hyphens between letters")
def soft_hyphens(rng: Random) -> Iterator[Content]:
    for n in range(150):
        letters = sample_letters(rng, CAPITALS if n % 2 else string.ascii_letters, rng.randrange(40, 200))
        yield "\u00ad".join(letters) if n % 3 else page(f"<p>{'&shy;'.join(letters)}</p>", rng.choice(LANGUAGES))


@kind("random letters")
def random_letters(rng: Random) -> Iterator[Content]:
    for n in range(300):
        alphabet = (CAPITALS, CAPITALS.lower(), string.ascii_letters)[n % 3]
        words = ("".join(sample_letters(rng, alphabet, rng.randrange(2, 11))) for _ in range(rng.randrange(8, 40)))
        yield " ".join(words)


@kind("random syllables")
def random_syllables(rng: Random) -> Iterator[Content]:
    def word() -> str:
        return "".join(rng.choice(CONSONANTS) + rng.choice(VOWELS) for _ in range(rng.randrange(2, 5)))

    for n in range(200):
        words = [word() for _ in range(rng.randrange(6, 30))]
        yield " ".join(words).upper() if n % 2 else "\n".join(word.title() for word in words)


@kind("serial numbers")
def serials(rng: Random) -> Iterator[Content]:
    mixed = string.ascii_uppercase + string.digits
    for _ in range(200):
        groups, size = rng.randrange(2, 6), rng.randrange(3, 7)
        rows = (
            "-".join("".join(sample_letters(rng, mixed, size)) for _ in range(groups))
            for _ in range(rng.randrange(3, 30))
        )
        yield rng.choice(("\n", ", ", " ")).join(rows)


@kind("lists of codes")
def codes(rng: Random) -> Iterator[Content]:
    for n in range(240):
        size = 2 + n % 4
        items = ["".join(sample_letters(rng, CAPITALS, size)) for _ in range(rng.randrange(15, 120))]
        if n % 3 == 0:
            items = [f"{code}{rng.randrange(10, 9999)}" for code in items]
        text = rng.choice((" ", ", ", "\n", " / ", ";")).join(items)
        yield text if n % 2 else page(f"<ul>{''.join(f'<li>{code}' for code in items)}</ul>", rng.choice(LANGUAGES))


@kind("answer keys")
def answer_keys(rng: Random) -> Iterator[Content]:
    for n in range(150):
        answers = sample_letters(rng, "ABCDE", rng.randrange(20, 120))
        forms = ("{i}. {a}", "{i} {a}", "{i}) {a}", "{i}-{a}", "({a})", "Q{i}: {a}")
        rows = [forms[n % len(forms)].format(i=i, a=answer) for i, answer in enumerate(answers, 1)]
        yield rng.choice((" ", "\n", "  ", ", ")).join(rows)


@kind("bingo cards")
def bingo(rng: Random) -> Iterator[Content]:
    for n in range(150):
        rows = ["B I N G O", *(" ".join(str(rng.randrange(1, 76)) for _ in range(5)) for _ in range(5))]
        cards = "\n".join("\n".join(rows) for _ in range(rng.randrange(1, 12)))
        calls = " ".join(f"{rng.choice('BINGO')}{rng.randrange(1, 76)}" for _ in range(rng.randrange(20, 100)))
        yield cards if n % 2 else calls
