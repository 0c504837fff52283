"""Repetition: words, letters, lines, bytes, blocks."""

from __future__ import annotations

from collections.abc import Iterator

from tests.quality.kinds import Content, Random, kind, page

WORDS = (
    "hello", "Home", "la", "test", "lorem", "Next", "ok", "ha", "foo", "news", "Login", "no", "click", "menu", "web", "hola",
    "Kontakt", "blah", "bla", "data", "tak", "oui", "ja", "nein", "merci", "da", "привет", "тест", "новости", "नमस्ते", "สวัสดี",
    "مرحبا", "שלום", "γεια", "안녕", "首页", "テスト", "tour", "Bonjour", "Ciao", "Hallo", "hi",
)  # fmt: skip
COUNTS = (10, 20, 40, 100, 500)
LINES = (
    "Read more", "Learn More >", "Add to cart", "Mehr erfahren", "En savoir plus", "Leer más", "View all", "Show details",
    "12 comments", "Posted by admin", "no image", "Item 1", "Подробнее", "もっと見る", "أقرأ المزيد", "Leggi tutto",
)  # fmt: skip


@kind("one word repeated")
def words(rng: Random) -> Iterator[Content]:
    for word in WORDS:
        for count in COUNTS:
            yield f"{word} " * count


@kind("two words repeated")
def pairs(rng: Random) -> Iterator[Content]:
    for _ in range(150):
        first, second = rng.sample(WORDS[:26], 2)
        yield f"{first} {second} " * rng.choice(COUNTS)


@kind("pages of one word")
def word_pages(rng: Random) -> Iterator[Content]:
    for word in WORDS:
        for count in COUNTS[:4]:
            yield page(f"<p>{word}</p>" * count, rng.choice(("en", "de", "fr", "")))
            yield page(f"<p>{f'{word} ' * count}</p>")


@kind("one letter repeated")
def one_letter(rng: Random) -> Iterator[Content]:
    for letter in "abcdefghijklmnopqrstuvwxyzäéßñжяшиאשעبلकमกฉ中の가":
        yield from (letter * 500, f"{letter} " * 200, f"{letter * 5} " * 40, f"{letter.upper()}. " * 90)


@kind("one byte repeated")
def one_byte(rng: Random) -> Iterator[Content]:
    for byte in range(0x21, 0x100):
        yield bytes([byte]) * 1000
    for byte in range(0x80, 0x100, 3):
        yield (bytes([byte]) * 4 + b" ") * 100


@kind("songs of syllables")
def songs(rng: Random) -> Iterator[Content]:
    syllables = (
        "la",
        "na",
        "da",
        "ha",
        "he",
        "oh",
        "ya",
        "doo",
        "bi",
        "ba",
        "sha",
        "hey",
        "uh",
        "mm",
        "yeah",
        "ay",
        "ole",
    )
    for _ in range(200):
        items = rng.sample(syllables, rng.randrange(1, 4))
        text = " ".join(rng.choice(items) for _ in range(rng.randrange(12, 150)))
        yield text.title() if rng.random() < 0.2 else text


@kind("hours")
def hours(rng: Random) -> Iterator[Content]:
    for n in range(150):
        rows = [
            f"{1 + hour % 12}{rng.choice(('', ':00', ':30'))} {'AM' if hour % 24 < 12 else 'PM'}"
            for hour in range(6, 6 + 4 + n % 40)
        ]
        text = rng.choice((" ", "\n", ", ", " - ")).join(rows)
        cells = "".join(f"<td>{row}" for row in rows)
        yield text if n % 2 else page(f"<table><tr>{cells}</table>", "en")


@kind("one line repeated")
def lines(rng: Random) -> Iterator[Content]:
    for line in LINES:
        for count in COUNTS[:4]:
            yield f"{line}\n" * count
            yield page(f"<p>{line}" * count)
            yield page(f"<li><a href=/>{line}</a>" * count, "en")


@kind("blocks of one letter")
def letter_blocks(rng: Random) -> Iterator[Content]:
    for letter in "xaoieunsXAO1":
        for tag in ("p", "li", "td", "div"):
            for count in (100, 1000):
                yield page(f"<{tag}>{letter}" * count)
                yield page("".join(f"<{tag}>{letter}{i}" for i in range(count)))
