"""Letters that stand by themselves: bars from A to Z, grades, seat plans, grids, calendars, codes, random letters."""

from __future__ import annotations

import html
import string
from collections.abc import Iterator, Sequence

from tests.quality.kinds import Chance, Content, Sample, kind, page
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


def pick(chance: Chance, alphabet: Sequence[str], count: int) -> list[str]:
    return [chance.choice(alphabet) for _ in range(count)]


@kind("spaced capitals")
def spaced(chance: Chance) -> Iterator[Content]:
    for n in range(300):
        letters = pick(chance, CAPITALS, 100 if n < 200 else chance.randrange(30, 300))
        yield chance.choice(SEPARATORS[:8]).join(letters) if n % 3 else " ".join(letters)


@kind("spaced small letters")
def spaced_small(chance: Chance) -> Iterator[Content]:
    for _ in range(150):
        yield chance.choice(SEPARATORS).join(pick(chance, CAPITALS.lower(), chance.randrange(30, 200)))


NOTES = ("do", "re", "mi", "fa", "sol", "la", "si")
CHORDS = ("F", "Am", "G7", "C", "Dm", "E7", "Bb", "Gm")


@kind("codes joined by signs")
def joined_codes(chance: Chance) -> Iterator[Content]:
    small = CAPITALS.lower()
    for n in range(60):
        moves = [f";{'BW'[i % 2]}[{''.join(pick(chance, small[:19], 2))}]" for i in range(chance.randrange(10, 120))]
        yield page("".join(moves), "en") if n % 3 == 0 else "(;GM[1]SZ[19]" + "".join(moves) + ")"
        yield ";".join(pick(chance, NOTES, 40))
        yield "|".join(pick(chance, CHORDS, 40))
        yield ";".join(f"{i}{chance.choice('abcd')}" for i in range(1, 50))
        yield chance.choice(";,\\|").join("".join(pick(chance, small, 2)) for _ in range(30))


@kind("bars from A to Z")
def bars(chance: Chance) -> Iterator[Content]:
    for separator in SEPARATORS:
        for alphabet in (CAPITALS, CAPITALS.lower(), f"{CAPITALS}#", f"0-9{CAPITALS}", GREEK, CYRILLIC):
            yield separator.join(alphabet)
            yield separator.join(alphabet * 3)


@kind("pages with a bar from A to Z")
def bar_pages(chance: Chance) -> Iterator[Sample]:
    for lang in LANGUAGES:
        label = next(iter(labels.declared(lang).labels), "")
        for separator in (*SEPARATORS[:14], "&nbsp;", "&nbsp;|&nbsp;", "&bull;", "<br>"):
            plain = separator if "&" in separator or "<" in separator else html.escape(separator)
            letters = CAPITALS if chance.random() < 0.8 else f"{CAPITALS}0123456789"
            prompt = f"<p>{PROMPTS[lang]}</p>" if chance.random() < 0.5 else ""
            made = [page(f"<div>{plain.join(letters)}</div>{prompt}", lang)]
            links = plain.join(f"<a href='?l={letter}'>{letter}</a>" for letter in letters)
            made.append(page(f"<div>{links}</div>{prompt}", lang, "A-Z" if chance.random() < 0.3 else ""))
            yield from [Sample("pages with a bar from A to Z", one, label if prompt else "") for one in made]


@kind("grades")
def grades(chance: Chance) -> Iterator[Content]:
    marks = ("A", "A-", "B+", "B", "B-", "C+", "C", "D", "F", "A+", "P", "NC", "W", "I")
    for n in range(120):
        rows = [chance.choice(marks) for _ in range(chance.randrange(20, 120))]
        text = chance.choice((" ", ", ", "\n", " / ", "\t")).join(rows)
        table = "".join(f"<tr><td>{i}<td>{mark}" for i, mark in enumerate(rows, 1000))
        yield text if n % 2 else page(f"<table>{table}</table>", chance.choice(LANGUAGES))


@kind("seat plans")
def seats(chance: Chance) -> Iterator[Content]:
    for n in range(120):
        columns = CAPITALS[: chance.randrange(4, 11)]
        rows = [" ".join(columns) for _ in range(chance.randrange(8, 40))]
        numbered = [" ".join(f"{row}{letter}" for letter in columns) for row in range(1, len(rows))]
        text = "\n".join(numbered if n % 2 else rows)
        yield text if n % 3 else page(f"<pre>{text}</pre>", chance.choice(LANGUAGES))


@kind("word-search grids")
def grids(chance: Chance) -> Iterator[Content]:
    for n in range(200):
        size = chance.randrange(8, 20)
        between = chance.choice((" ", "", "  ", "|"))
        rows = [between.join(pick(chance, CAPITALS, size)) for _ in range(size)]
        cells = "".join(f"<tr>{''.join(f'<td>{letter}' for letter in row if letter.isalpha())}" for row in rows)
        yield "\n".join(rows) if n % 2 else page(f"<table>{cells}</table>", chance.choice(LANGUAGES))


@kind("calendars")
def calendars(chance: Chance) -> Iterator[Content]:
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
        days = [str(day) for day in range(1, chance.choice((29, 30, 31, 32)))]
        months = chance.randrange(1, 13)
        text = "\n".join(" ".join(head) + "\n" + " ".join(days) for _ in range(months))
        cells = "".join(f"<td>{cell}" for cell in (*head, *days))
        yield text if n % 2 else page(f"<table><tr>{cells}</table>" * months, chance.choice(LANGUAGES))


@kind("soft hyphens between letters")
def soft_hyphens(chance: Chance) -> Iterator[Content]:
    for n in range(150):
        letters = pick(chance, CAPITALS if n % 2 else string.ascii_letters, chance.randrange(40, 200))
        yield "\u00ad".join(letters) if n % 3 else page(f"<p>{'&shy;'.join(letters)}</p>", chance.choice(LANGUAGES))


@kind("random letters")
def random_letters(chance: Chance) -> Iterator[Content]:
    for n in range(300):
        alphabet = (CAPITALS, CAPITALS.lower(), string.ascii_letters)[n % 3]
        words = ("".join(pick(chance, alphabet, chance.randrange(2, 11))) for _ in range(chance.randrange(8, 40)))
        yield " ".join(words)


@kind("random syllables")
def random_syllables(chance: Chance) -> Iterator[Content]:
    def word() -> str:
        return "".join(chance.choice(CONSONANTS) + chance.choice(VOWELS) for _ in range(chance.randrange(2, 5)))

    for n in range(200):
        words = [word() for _ in range(chance.randrange(6, 30))]
        yield " ".join(words).upper() if n % 2 else "\n".join(word.title() for word in words)


@kind("serial numbers")
def serials(chance: Chance) -> Iterator[Content]:
    mixed = string.ascii_uppercase + string.digits
    for _ in range(200):
        groups, size = chance.randrange(2, 6), chance.randrange(3, 7)
        rows = (
            "-".join("".join(pick(chance, mixed, size)) for _ in range(groups)) for _ in range(chance.randrange(3, 30))
        )
        yield chance.choice(("\n", ", ", " ")).join(rows)


@kind("lists of codes")
def codes(chance: Chance) -> Iterator[Content]:
    for n in range(240):
        size = 2 + n % 4
        some = ["".join(pick(chance, CAPITALS, size)) for _ in range(chance.randrange(15, 120))]
        if n % 3 == 0:
            some = [f"{code}{chance.randrange(10, 9999)}" for code in some]
        text = chance.choice((" ", ", ", "\n", " / ", ";")).join(some)
        yield text if n % 2 else page(f"<ul>{''.join(f'<li>{code}' for code in some)}</ul>", chance.choice(LANGUAGES))


@kind("answer keys")
def answer_keys(chance: Chance) -> Iterator[Content]:
    for n in range(150):
        answers = pick(chance, "ABCDE", chance.randrange(20, 120))
        forms = ("{i}. {a}", "{i} {a}", "{i}) {a}", "{i}-{a}", "({a})", "Q{i}: {a}")
        rows = [forms[n % len(forms)].format(i=i, a=answer) for i, answer in enumerate(answers, 1)]
        yield chance.choice((" ", "\n", "  ", ", ")).join(rows)


@kind("bingo cards")
def bingo(chance: Chance) -> Iterator[Content]:
    for n in range(150):
        rows = ["B I N G O", *(" ".join(str(chance.randrange(1, 76)) for _ in range(5)) for _ in range(5))]
        cards = "\n".join("\n".join(rows) for _ in range(chance.randrange(1, 12)))
        calls = " ".join(f"{chance.choice('BINGO')}{chance.randrange(1, 76)}" for _ in range(chance.randrange(20, 100)))
        yield cards if n % 2 else calls
