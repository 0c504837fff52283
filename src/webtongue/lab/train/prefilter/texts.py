"""Write text as pages have it, in bytes: every form in which a language is written, and the markup around text."""

from __future__ import annotations

import html.entities
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from webtongue.charset.codecs import encode
from webtongue.charset.languages import encoding_languages
from webtongue.fonts.encode import encode as draw
from webtongue.fonts.tables import Font, all_fonts
from webtongue.lab.train.corpus.sample import SampleConfig, compute_source_shares, count_bytes, strip_diacritics
from webtongue.text.model import load as load_text_model

__all__ = ["Form", "generate_markup", "list_forms", "select_lines"]

TRIED_LINES = 60
MIN_WRITABLE_SHARE = 0.3  # a form that can write less was not used for the language
NAMED_REFERENCES = {code: f"&{name};" for code, name in html.entities.codepoint2name.items() if code > 0x7F}


@dataclass(frozen=True, slots=True)
class Form:
    """A form in which a language is written on pages: its name, its share, and a function that returns None for unwritable text."""

    name: str
    share: float
    write: Callable[[str], bytes | None]


def select_lines(sources: Mapping[str, Sequence[str]], size: int, seed: str) -> list[str]:
    """Return about ``size`` characters of lines of a label, sources by their shares."""
    shares = compute_source_shares(count_bytes(sources), SampleConfig())
    rng = random.Random(seed)
    lines_of_label: list[str] = []
    for source in sorted(shares):
        chars_left = size * shares[source]
        lines = list(sources[source])
        rng.shuffle(lines)
        for line in lines:
            if chars_left <= 0:
                break
            lines_of_label.append(line)
            chars_left -= len(line)
    rng.shuffle(lines_of_label)
    return lines_of_label


def list_forms(label: str, lines: Sequence[str]) -> list[Form]:
    """Return the forms of a label that can write some of its lines; shares sum to one.

    Nearly all pages are in UTF-8: other forms have larger shares here than on the web, so that they are learnt.
    """
    modern_forms = (
        [
            Form("without accents", 0.14, _write_without_accents),
            Form("named references", 0.06, _write_named_references),
            Form("references", 0.04, _write_decimal_references),
        ]
        if label.endswith("_Latn")
        else [
            Form("capitals", 0.03, _write_capitals),
            Form("references", 0.07, _write_decimal_references),
            Form("hex references", 0.03, _write_hex_references),
        ]
    )
    legacy_forms = [
        Form(encoding, 0.12, partial(encode, encoding=encoding)) for encoding in _list_encodings().get(label, ())
    ]
    fonts = [
        Form(font.name, 0.06, partial(_write_font, font=font))
        for font in all_fonts().values()
        if label in font.languages
    ]
    all_forms = [Form("UTF-8", 0.62, _write_utf8), *modern_forms, Form("misread", 0.02, _write_mojibake)]
    for candidates in (legacy_forms, fonts):
        used = [form for form in candidates if _can_write(form, lines)]
        all_forms += [replace(form, share=form.share / len(used)) for form in used]
    total = sum(form.share for form in all_forms)
    return [replace(form, share=form.share / total) for form in all_forms]


def _can_write(form: Form, lines: Sequence[str]) -> bool:
    """Return True if a form can write enough of a language's lines."""
    tried = lines[:TRIED_LINES]
    return sum(form.write(line) is not None for line in tried) >= MIN_WRITABLE_SHARE * len(tried)


def _write_utf8(line: str) -> bytes:
    return line.encode("utf-8", "replace")


def _write_without_accents(line: str) -> bytes:
    return _write_utf8(strip_diacritics(line, spelt_out=False))


def _write_capitals(line: str) -> bytes:
    return _write_utf8(line.upper())


def _write_named_references(line: str) -> bytes:
    return _write_utf8(line.translate(NAMED_REFERENCES))


def _write_decimal_references(line: str) -> bytes:
    return line.encode("ascii", "xmlcharrefreplace")


def _write_hex_references(line: str) -> bytes:
    return "".join([char if char.isascii() else f"&#x{ord(char):x};" for char in line]).encode()


def _write_mojibake(line: str) -> bytes:
    """Return UTF-8 that was decoded as Latin-1 and encoded again."""
    return _write_utf8(_write_utf8(line).decode("latin-1"))


def _write_font(line: str, font: Font) -> bytes | None:
    encoded = draw(line, font, random.Random(line))
    return None if encoded is None else _write_utf8(encoded)


@cache
def _list_encodings() -> dict[str, tuple[str, ...]]:
    """Return the legacy encodings of each label; a language without a script stands for all its labels."""
    all_labels = load_text_model().labels
    by_label: dict[str, dict[str, None]] = {}
    for encoding, languages in encoding_languages().items():
        codes = set(languages)
        for label in all_labels:
            if label in codes or label[:3] in codes:
                by_label.setdefault(label, {})[encoding] = None
    return {label: tuple(encodings) for label, encodings in by_label.items()}


# Vocabulary of generated markup: HTML, style sheets, scripts, and common class names.
TAG_NAMES = "div span p a li ul h1 h2 h3 td tr table img section article header footer nav button form input label option".split()
ATTRIBUTE_NAMES = (
    "class id href src style title alt type name value data-id width height rel target role content onclick".split()
)
CLASS_NAMES = (
    "container wrapper row col main content sidebar menu item nav header footer btn primary active first last left right top "
    "widget post entry title text image thumb icon list group block inner outer clear fix box card link current hidden page "
    "search login social share comment meta date author category tag more next prev home logo banner slider gallery video"
).split()
STYLE_WORDS = (
    "margin padding border background color font-size font-family line-height width height display position float none "
    "block inline absolute relative hidden auto solid center bold normal rgba hover after before important px em 100%"
).split()
SCRIPT_WORDS = (
    "function var return if else for null true false this window document location typeof undefined new Date length push "
    "addEventListener querySelector getElementById createElement innerHTML script async src https www com min js css json"
).split()


def generate_markup(size: int, seed: int) -> bytes:
    """Return about ``size`` bytes of generated markup, styles and scripts."""
    rng = random.Random(seed)
    parts: list[str] = []
    bytes_left = size
    while bytes_left > 0:
        part = rng.choices((_make_element, _make_rule, _make_statement), (5, 1, 2))[0](rng)
        parts.append(part)
        bytes_left -= len(part)
    return "".join(parts).encode()


def _make_element(rng: random.Random) -> str:
    tag = rng.choice(TAG_NAMES)
    attributes = (f' {rng.choice(ATTRIBUTE_NAMES)}="{_make_value(rng)}"' for _ in range(rng.randrange(4)))
    return f"{' ' * rng.randrange(12)}<{tag}{''.join(attributes)}></{tag}>\n"


def _make_value(rng: random.Random) -> str:
    if rng.random() < 0.3:
        return (
            f"https://www.example.com/{rng.choice(CLASS_NAMES)}/{rng.choice(CLASS_NAMES)}-{rng.randrange(10**4)}.html"
        )
    parts = (rng.choice(CLASS_NAMES) for _ in range(rng.randrange(1, 4)))
    return rng.choice(" -_").join(parts)


def _make_rule(rng: random.Random) -> str:
    body = "".join(f"{rng.choice(STYLE_WORDS)}:{rng.choice(STYLE_WORDS)};" for _ in range(rng.randrange(1, 5)))
    return f".{_make_value(rng).replace(' ', ' .')}{{{body}}}\n"


def _make_statement(rng: random.Random) -> str:
    words = [rng.choice((*SCRIPT_WORDS, *CLASS_NAMES)) for _ in range(rng.randrange(2, 7))]
    return f"{rng.choice(('.', '(', ' = ', ', ')).join(words)}({rng.randrange(1000)});{rng.choice(('', ' ', '}'))}\n"
