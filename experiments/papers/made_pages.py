"""Web pages made from dev text: many languages, encodings and faults, for Chew 2011's validation corpus.

Their 1,660 pages of 182 languages are lost. Where there is no real page ours are made: sentences of one label in a page of markup,
in UTF-8 or another encoding, which may be one that no model was made for, with shares of missing and false charsets, references and
fonts as measured (chew_rates.py), and of user-defined charsets and `lang` as the paper counted. Everything is drawn from one seed.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from html.entities import codepoint2name
from pathlib import Path

from webtongue import labels
from webtongue.encodings.languages import encoding_languages, used_for
from webtongue.evaluate import sets
from webtongue.fonts.tables import PREFIX
from webtongue.methods.writings import carrier, codec_of, draw, encode_line, substituted, writings
from webtongue.train.corpus.read import FOLDS, entries

SEED = 2011
SENTENCES = ("sib200_floresdev", "lingua_sentences")
WORDS = "gatitos"  # words and phrases: only for ISO 639-1 languages that have no sentences

USER_DEFINED = 14 / 1660  # section 5.2
HAS_LANG, LANG_RIGHT = 698 / 1660, 506 / 698  # table 1
UTF8 = 0.5  # about its share of the web in the paper's years; in 2019 Common Crawl counted 89%
UNKNOWN_FONT = PREFIX + "unknown"  # a font that nobody has a table of
WIDE = "utf-16le"
FONT_CHARSETS = ("user-defined", "missing", "right")  # "right" is iso-8859-1 for a font
SIZES = (5, 10, 20, 40)  # sentences of a page: the authors did not normalise sizes either
WORDS_A_SENTENCE = 12  # words that a sentence is made of, where there are only word lists

# ISO 639-1, the paper's scope, has one Arabic; our dev text has its spoken varieties as well.
ARABIC = frozenset("acm acq aeb ajp apc apd ars arq ary arz ayl".split())

MENU = ("Home", "News", "Contact", "Email", "Blog", "Forum", "FAQ", "Login")
PAGE = """<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"{lang}>
<head>
{meta}<title>{title}</title>
<style type="text/css">body {{ font-family: Verdana, sans-serif; }} .menu li {{ display: inline; }}</style>
<script type="text/javascript">if (document.images && top != self) {{ top.location = "index.html?p=1&q=2"; }}</script>
</head>
<body bgcolor="#ffffff">
<!-- page {number} begins here -->
<ul class="menu">{menu}</ul>
<h1>{title}</h1>
{body}
<p class="footer">&copy; 2011</p>
</body>
</html>
"""


@dataclass(frozen=True, slots=True)
class Rates:
    """By what shares pages are made: pairs are for UTF-8 and other encodings, ``untrained`` for Latin and other scripts."""

    missing: tuple[float, float] = (177 / 1660, 177 / 1660)
    wrong: tuple[float, float] = (0.02, 0.02)
    references: float = 0.08
    untrained: tuple[float, float] = (0.02, 0.13)  # in an encoding or font that no model was made for
    in_font: float = 0.25  # of pages of a language that has fonts


@dataclass(frozen=True, slots=True)
class MadePage:
    """A page and what is true of it. ``charset``: right, missing, wrong or user-defined. ``source``: the set of a real page."""

    name: str
    raw: bytes
    label: str
    encoding: str
    charset: str
    references: bool
    source: str = ""


def language_of(label: str) -> str:
    """The language that an answer is compared by.

    >>> language_of("arz_Arab"), language_of("prs_Arab"), language_of("und")
    ('ara', 'fas', 'und')
    """
    code = FOLDS.get(label, label).partition("_")[0]
    return "ara" if code in ARABIC else code


def texts(data: Path) -> dict[str, list[str]]:
    """Sentences by folded label; for ISO 639-1 languages without any, rows of words.

    Labels for which the data folder has no training text at all are left out: theirs had a model for every language.
    """
    trained = {FOLDS.get(entry.label, entry.label) for entry in entries(data / "train")}
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name in SENTENCES:
        for item in sets.read(name, data).items:
            found[item.label].append(item.text)
    languages = {language_of(label) for label in found}
    words: defaultdict[str, list[str]] = defaultdict(list)
    for item in sets.read(WORDS, data).items:
        if language_of(item.label) not in languages and len(labels.bcp47(item.label).partition("-")[0]) == 2:
            words[item.label].append(item.text)
    for label, said in words.items():
        starts = range(0, len(said), WORDS_A_SENTENCE)
        found[label] = [" ".join(said[start : start + WORDS_A_SENTENCE]) for start in starts]
    return {label: lines for label, lines in found.items() if FOLDS.get(label, label) in trained}


def pages_of(
    label: str, lines: list[str], each: int, chance: random.Random, rates: Rates | None = None
) -> Iterator[MadePage]:
    """Pages of one label: no sentence stands on two of them unless there are too few."""
    order: list[str] = []
    for number in range(each):
        size = chance.choice(SIZES)
        if len(order) < size:
            order = chance.sample(lines, len(lines))
        taken, order = order[:size], order[size:]
        yield make(f"{label}-{number:02}", label, taken, chance, rates=rates)


def undeclared(data: Path, each: int) -> list[MadePage]:
    """Pages without a charset for every encoding but UTF-8 that holds a label not in Latin script (section 5.2), those that no
    model is made for among them."""
    out = []
    for label, lines in sorted(texts(data).items()):
        if label.endswith("_Latn"):
            continue
        chance = random.Random(f"{SEED}:undeclared:{label}")
        text = "\n".join(lines)
        held = [name for name in (*writings(text, label), *untrained(text, label)) if not name.startswith(PREFIX)]
        for encoding in held:
            if encoding not in ("utf-8", WIDE):
                for number in range(each):
                    taken = chance.sample(lines, chance.choice(SIZES))
                    out.append(make(f"{label}-{number:02}", label, taken, chance, encoding, "missing"))
    return out


def make(
    name: str,
    label: str,
    lines: list[str],
    chance: random.Random,
    encoding: str = "",
    charset: str = "",
    rates: Rates | None = None,
) -> MadePage:
    """One page; what it is in and what it declares are drawn if not given."""
    rates = rates or Rates()
    text = "\n".join(lines)
    encoding = encoding or _encoding(text, label, chance, rates)
    in_font = encoding.startswith(PREFIX)
    references = not charset and not in_font and not text.isascii() and chance.random() < rates.references
    charset = charset or (chance.choice(FONT_CHARSETS) if in_font else _charset(chance, rates, encoding != "utf-8"))
    if in_font:
        lines = [shown for line in lines if (shown := _drawn(line, encoding, label)) is not None]
    usual = "iso-8859-1" if in_font else encoding
    declared = {"right": usual, "missing": "", "user-defined": "x-user-defined"}.get(
        charset, "iso-8859-1" if encoding == "utf-8" else "utf-8"
    )
    said = ""
    if chance.random() < HAS_LANG:
        said = labels.bcp47(label) if chance.random() < LANG_RIGHT else chance.choice(("en", "en-US", "fr"))
    menu = "".join(f"<li><a href='{word.lower()}.html'>{word}</a></li>" for word in chance.sample(MENU, 3))
    page = PAGE.format(
        lang=f' lang="{said}"' if said else "",
        meta=f'<meta http-equiv="Content-Type" content="text/html; charset={declared}" />\n' if declared else "",
        title=_escaped(lines[0][:60], references, chance),
        number=name,
        menu=menu,
        body="\n".join(f"<p>{_escaped(line, references, chance)}</p>" for line in lines),
    )
    tags = [encoding] + ([] if charset == "right" else [charset]) + (["references"] if references else [])
    return MadePage("-".join([name, *tags]), _written(page, encoding), label, encoding, charset, references)


def _encoding(text: str, label: str, chance: random.Random, rates: Rates) -> str:
    """What a page is in: a font, something that no model was made for, UTF-8, or another encoding, the commoner the likelier."""
    found = list(writings(text, label))[1:]
    fonts = [name for name in found if name.startswith(PREFIX)]
    if fonts and chance.random() < rates.in_font:
        return chance.choice([*fonts, UNKNOWN_FONT])
    if not fonts and chance.random() < rates.untrained[not label.endswith("_Latn")]:
        return chance.choice(untrained(text, label))
    held = [name for name in found if not name.startswith(PREFIX)]
    if not held or chance.random() < UTF8:
        return "utf-8"
    return chance.choices(held, [0.5**place for place in range(len(held))])[0]


def untrained(text: str, label: str) -> list[str]:
    """Encodings that were used for a language and that no model is made for; UTF-16, and an unknown font, if there is none."""
    trained = writings(text, label)
    found = []
    for name in encoding_languages():
        if name in trained or codec_of(name) == "ascii" or not used_for(label, name):
            continue
        raw = substituted(text, name).encode(codec_of(name), "ignore")
        lost = sum(c.isalpha() for c in text) - sum(c.isalpha() for c in raw.decode(codec_of(name), "ignore"))
        if lost <= len(text) // 100 and raw not in trained.values():
            found.append(name)
    return found or [WIDE, *([] if label.endswith("_Latn") else [UNKNOWN_FONT])]


def _drawn(line: str, encoding: str, label: str) -> str | None:
    """A line as a font has it; in the unknown one each character beyond ASCII is some other of windows-1252, always the same."""
    if encoding != UNKNOWN_FONT:
        return draw(line, encoding)
    places = [chr(code) for code in (*range(0x30, 0x3A), *range(0x40, 0x7F), *range(0xA1, 0x100))]
    random.Random(f"{SEED}:font:{label}").shuffle(places)
    return "".join(c if c.isascii() else places[ord(c) % len(places)] for c in line)


def _charset(chance: random.Random, rates: Rates, other: bool) -> str:
    drawn = chance.random()
    for charset, share in (
        ("missing", rates.missing[other]), ("user-defined", USER_DEFINED), ("wrong", rates.wrong[other]),
    ):  # fmt: skip
        if drawn < share:
            return charset
        drawn -= share
    return "right"


def _escaped(text: str, references: bool, chance: random.Random) -> str:
    """Text as markup has it; with ``references`` every character beyond ASCII is one, by name where it has one."""
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    if not references:
        return text
    form = chance.choice(("&#{0};", "&#x{0:x};"))
    return "".join(c if c.isascii() else _reference(ord(c), form) for c in text)


def _reference(point: int, form: str) -> str:
    return f"&{codepoint2name[point]};" if point in codepoint2name else form.format(point)


def _written(page: str, encoding: str) -> bytes:
    """What an encoding lacks becomes a reference, as browsers and editors do it; of a coding by table, the whole line."""
    if encoding == WIDE:
        return page.encode("utf-16")
    if encoding.startswith(PREFIX):
        return page.encode("cp1252" if encoding == UNKNOWN_FONT else carrier(encoding), "xmlcharrefreplace")
    codec = codec_of(encoding)
    if codec == "ascii":
        lines = ((line, encode_line(line, encoding)) for line in page.split("\n"))
        return b"\n".join(line.encode(codec, "xmlcharrefreplace") if raw is None else raw for line, raw in lines)
    return substituted(page, encoding).encode(codec, "xmlcharrefreplace")
