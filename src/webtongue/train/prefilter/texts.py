"""Text as pages have it, in bytes: every form in which a language is written there, and what stands around text."""

from __future__ import annotations

import html.entities
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from webtongue.encodings.codecs import encode
from webtongue.encodings.languages import encoding_languages
from webtongue.fonts.encode import encode as draw
from webtongue.fonts.tables import Font, named
from webtongue.text.model import load as load_text_model
from webtongue.train.corpus.sample import SampleConfig, plain_letters, sizes, source_shares

__all__ = ["Form", "forms", "furniture", "picked"]

TRIED = 60  # lines on which a form is tried
WRITES = 0.3  # share of them that it must be able to write, so that it was ever used for the language
NAMED = {code: f"&{name};" for code, name in html.entities.codepoint2name.items() if code > 0x7F}


@dataclass(frozen=True, slots=True)
class Form:
    """A form in which a language is written on pages: its name, how often it is, and what writes it; None where it cannot."""

    name: str
    share: float
    write: Callable[[str], bytes | None]


def picked(sources: Mapping[str, Sequence[str]], size: int, seed: str) -> list[str]:
    """Lines of a label, so many characters of them, sources by their shares."""
    shares = source_shares(sizes(sources), SampleConfig())
    chance = random.Random(seed)
    out: list[str] = []
    for source in sorted(shares):
        room = size * shares[source]
        lines = list(sources[source])
        chance.shuffle(lines)
        for line in lines:
            if room <= 0:
                break
            out.append(line)
            room -= len(line)
    chance.shuffle(out)
    return out


def forms(label: str, lines: Sequence[str]) -> list[Form]:
    """The forms of a label, tried on some of its lines; shares sum to one.

    On the web nearly all is UTF-8: other forms have a share that lets them be seen, not the one they have.
    """
    own = (
        [
            Form("without accents", 0.14, _plain),
            Form("named references", 0.06, _named),
            Form("references", 0.04, _decimal),
        ]
        if label.endswith("_Latn")
        else [
            Form("capitals", 0.03, _capitals),
            Form("references", 0.07, _decimal),
            Form("hex references", 0.03, _hexadecimal),
        ]
    )
    old = [Form(encoding, 0.12, partial(encode, encoding=encoding)) for encoding in _encodings().get(label, ())]
    fonts = [Form(font.name, 0.06, partial(_drawn, font=font)) for font in named().values() if label in font.languages]
    found = [Form("UTF-8", 0.62, _utf8), *own, Form("misread", 0.02, _misread)]
    for several in (old, fonts):
        used = [form for form in several if _can_write(form, lines)]
        found += [replace(form, share=form.share / len(used)) for form in used]
    whole = sum(form.share for form in found)
    return [replace(form, share=form.share / whole) for form in found]


def _can_write(form: Form, lines: Sequence[str]) -> bool:
    """Whether a form was ever used for a language, by some of its lines."""
    tried = lines[:TRIED]
    return sum(form.write(line) is not None for line in tried) >= WRITES * len(tried)


def _utf8(line: str) -> bytes:
    return line.encode("utf-8", "replace")


def _plain(line: str) -> bytes:
    return _utf8(plain_letters(line, spelt=False))


def _capitals(line: str) -> bytes:
    return _utf8(line.upper())


def _named(line: str) -> bytes:
    return _utf8(line.translate(NAMED))


def _decimal(line: str) -> bytes:
    return line.encode("ascii", "xmlcharrefreplace")


def _hexadecimal(line: str) -> bytes:
    return "".join([char if char.isascii() else f"&#x{ord(char):x};" for char in line]).encode()


def _misread(line: str) -> bytes:
    """As it is where somebody took UTF-8 for an old encoding, and wrote what came out."""
    return _utf8(_utf8(line).decode("latin-1"))


def _drawn(line: str, font: Font) -> bytes | None:
    found = draw(line, font, random.Random(line))
    return None if found is None else _utf8(found)


@cache
def _encodings() -> dict[str, tuple[str, ...]]:
    """Old encodings by label; of a language without a script, every label may be meant."""
    known = load_text_model().labels
    out: dict[str, dict[str, None]] = {}
    for encoding, languages in encoding_languages().items():
        wanted = set(languages)
        for label in known:
            if label in wanted or label[:3] in wanted:
                out.setdefault(label, {})[encoding] = None
    return {label: tuple(found) for label, found in out.items()}


# What stands around text: words of HTML, of styles and of scripts, and names that people give to classes.
TAGS = "div span p a li ul h1 h2 h3 td tr table img section article header footer nav button form input label option".split()
ATTRIBUTES = (
    "class id href src style title alt type name value data-id width height rel target role content onclick".split()
)
NAMES = (
    "container wrapper row col main content sidebar menu item nav header footer btn primary active first last left right top "
    "widget post entry title text image thumb icon list group block inner outer clear fix box card link current hidden page "
    "search login social share comment meta date author category tag more next prev home logo banner slider gallery video"
).split()
STYLES = (
    "margin padding border background color font-size font-family line-height width height display position float none "
    "block inline absolute relative hidden auto solid center bold normal rgba hover after before important px em 100%"
).split()
CODE = (
    "function var return if else for null true false this window document location typeof undefined new Date length push "
    "addEventListener querySelector getElementById createElement innerHTML script async src https www com min js css json"
).split()


def furniture(size: int, seed: int) -> bytes:
    """Markup, styles and scripts as page makers write them, made up: about so many bytes."""
    chance = random.Random(seed)
    out: list[str] = []
    room = size
    while room > 0:
        part = chance.choices((_element, _rule, _statement), (5, 1, 2))[0](chance)
        out.append(part)
        room -= len(part)
    return "".join(out).encode()


def _element(chance: random.Random) -> str:
    tag = chance.choice(TAGS)
    given = (f' {chance.choice(ATTRIBUTES)}="{_value(chance)}"' for _ in range(chance.randrange(4)))
    return f"{' ' * chance.randrange(12)}<{tag}{''.join(given)}></{tag}>\n"


def _value(chance: random.Random) -> str:
    if chance.random() < 0.3:
        return f"https://www.example.com/{chance.choice(NAMES)}/{chance.choice(NAMES)}-{chance.randrange(10**4)}.html"
    parts = (chance.choice(NAMES) for _ in range(chance.randrange(1, 4)))
    return chance.choice(" -_").join(parts)


def _rule(chance: random.Random) -> str:
    body = "".join(f"{chance.choice(STYLES)}:{chance.choice(STYLES)};" for _ in range(chance.randrange(1, 5)))
    return f".{_value(chance).replace(' ', ' .')}{{{body}}}\n"


def _statement(chance: random.Random) -> str:
    words = [chance.choice((*CODE, *NAMES)) for _ in range(chance.randrange(2, 7))]
    return f"{chance.choice(('.', '(', ' = ', ', ')).join(words)}({chance.randrange(1000)});{chance.choice(('', ' ', '}'))}\n"
