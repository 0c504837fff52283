"""Generate web pages from dev text, in many languages, encodings and with faults, for Chew 2011's validation corpus.

The paper's 1,660 pages of 182 languages are lost. Where there is no real page ours are generated: sentences of one label in a
page of markup, in UTF-8 or another encoding, possibly one without a model. The shares of missing and false charsets, references
and fonts are measured (chew_rates.py); those of user-defined charsets and `lang` are the paper's. All random draws come from
one seed.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from html.entities import codepoint2name
from pathlib import Path

from webtongue import labels
from webtongue.charset.languages import encoding_languages, is_used_for
from webtongue.fonts.tables import PREFIX
from webtongue.lab.evaluate import sets
from webtongue.lab.methods.encoded_texts import (
    encode_in_all,
    encode_line,
    get_codec,
    get_font_codec,
    substitute_missing,
    to_font_text,
)
from webtongue.lab.papers.chew_languages import fold_language
from webtongue.lab.train.corpus.read import FOLDED_LABELS, iter_files

SEED = 2011
SENTENCE_SETS = ("sib200_floresdev", "lingua_sentences")
WORD_SET = "gatitos"  # words and phrases, used only for ISO 639-1 languages without sentences

USER_DEFINED_SHARE = 14 / 1660  # section 5.2
LANG_SHARE, RIGHT_LANG_SHARE = 698 / 1660, 506 / 698  # table 1
UTF8_SHARE = 0.5  # where a language has other encodings: about the share of UTF-8 on the web in the paper's years
UNKNOWN_FONT = PREFIX + "unknown"  # a font without a published table
FONT_CHARSETS = ("user-defined", "missing", "right")  # "right" is iso-8859-1 for a font
PAGE_SENTENCES = (5, 10, 20, 40)  # sizes vary, since the authors did not normalise them either
WORDS_PER_SENTENCE = 12  # for languages that have only word lists

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
    """The shares of page properties. Pairs are for UTF-8 and other encodings, those of ``untrained`` for Latin
    and other scripts."""

    missing: tuple[float, float] = (177 / 1660, 177 / 1660)
    wrong: tuple[float, float] = (0.02, 0.02)
    references: float = 0.08
    untrained: tuple[float, float] = (0.02, 0.13)  # in an encoding or font without a model
    in_font: float = 0.25  # share of the pages of a language that has fonts


@dataclass(frozen=True, slots=True)
class ValidationPage:
    """A page and its true properties. ``charset`` is right, missing, wrong or user-defined; ``source`` is the set of a real
    page."""

    name: str
    raw: bytes
    label: str
    encoding: str
    charset: str
    references: bool
    source: str = ""


def read_texts(data: Path) -> dict[str, list[str]]:
    """Return sentences by folded label; for ISO 639-1 languages without any, rows of words.

    Labels without any training text in the data folder are left out: the paper had a model for every language.
    """
    trained = {FOLDED_LABELS.get(entry.label, entry.label) for entry in iter_files(data / "train")}
    sentences: defaultdict[str, list[str]] = defaultdict(list)
    for name in SENTENCE_SETS:
        for item in sets.read_set(name, data).items:
            sentences[item.label].append(item.text)
    languages = {fold_language(label) for label in sentences}
    words: defaultdict[str, list[str]] = defaultdict(list)
    for item in sets.read_set(WORD_SET, data).items:
        if fold_language(item.label) not in languages and len(labels.bcp47(item.label).partition("-")[0]) == 2:
            words[item.label].append(item.text)
    for label, word_list in words.items():
        starts = range(0, len(word_list), WORDS_PER_SENTENCE)
        sentences[label] = [" ".join(word_list[start : start + WORDS_PER_SENTENCE]) for start in starts]
    return {label: lines for label, lines in sentences.items() if FOLDED_LABELS.get(label, label) in trained}


def generate_pages(
    label: str, lines: list[str], count: int, rng: random.Random, rates: Rates | None = None
) -> Iterator[ValidationPage]:
    """Yield pages of one label; no sentence is on two of them unless there are too few."""
    remaining: list[str] = []
    for number in range(count):
        size = rng.choice(PAGE_SENTENCES)
        if len(remaining) < size:
            remaining = rng.sample(lines, len(lines))
        page_lines, remaining = remaining[:size], remaining[size:]
        yield generate_page(f"{label}-{number:02}", label, page_lines, rng, rates=rates)


def generate_undeclared_pages(data: Path, count: int, latin: bool = False) -> list[ValidationPage]:
    """Return pages without a charset for every encoding but UTF-8 of each label not in Latin script (section 5.2), including
    encodings without a model. With ``latin``, only for labels in Latin script."""
    pages = []
    for label, lines in sorted(read_texts(data).items()):
        if label.endswith("_Latn") != latin:
            continue
        rng = random.Random(f"{SEED}:undeclared:{label}")
        text = "\n".join(lines)
        encodings = [
            name
            for name in (*encode_in_all(text, label), *list_untrained_encodings(text, label))
            if not name.startswith(PREFIX)
        ]
        for encoding in encodings:
            if encoding != "utf-8":
                for number in range(count):
                    page_lines = rng.sample(lines, min(len(lines), rng.choice(PAGE_SENTENCES)))
                    pages.append(generate_page(f"{label}-{number:02}", label, page_lines, rng, encoding, "missing"))
    return pages


def generate_page(
    name: str,
    label: str,
    lines: list[str],
    rng: random.Random,
    encoding: str = "",
    charset: str = "",
    rates: Rates | None = None,
) -> ValidationPage:
    """Return one page; its encoding and its charset declaration are drawn if not given."""
    rates = rates or Rates()
    text = "\n".join(lines)
    encoding = encoding or _draw_encoding(text, label, rng, rates)
    in_font = encoding.startswith(PREFIX)
    references = not charset and not in_font and not text.isascii() and rng.random() < rates.references
    charset = charset or (rng.choice(FONT_CHARSETS) if in_font else _draw_charset(rng, rates, encoding != "utf-8"))
    if in_font:
        lines = [encoded_line for line in lines if (encoded_line := _encode_in_font(line, encoding, label)) is not None]
    usual = "iso-8859-1" if in_font else encoding
    declared = {"right": usual, "missing": "", "user-defined": "x-user-defined"}.get(
        charset, "iso-8859-1" if encoding == "utf-8" else "utf-8"
    )
    lang = ""
    if rng.random() < LANG_SHARE:
        lang = labels.bcp47(label) if rng.random() < RIGHT_LANG_SHARE else rng.choice(("en", "en-US", "fr"))
    menu = "".join(f"<li><a href='{word.lower()}.html'>{word}</a></li>" for word in rng.sample(MENU, 3))
    page = PAGE.format(
        lang=f' lang="{lang}"' if lang else "",
        meta=f'<meta http-equiv="Content-Type" content="text/html; charset={declared}" />\n' if declared else "",
        title=_escape(lines[0][:60], references, rng),
        number=name,
        menu=menu,
        body="\n".join(f"<p>{_escape(line, references, rng)}</p>" for line in lines),
    )
    tags = [encoding] + ([] if charset == "right" else [charset]) + (["references"] if references else [])
    return ValidationPage("-".join([name, *tags]), _encode_page(page, encoding), label, encoding, charset, references)


def _draw_encoding(text: str, label: str, rng: random.Random, rates: Rates) -> str:
    """Return the encoding of a page: a font, an encoding without a model, UTF-8, or another encoding, common ones more often."""
    candidates = list(encode_in_all(text, label))[1:]
    fonts = [name for name in candidates if name.startswith(PREFIX)]
    if fonts and rng.random() < rates.in_font:
        return rng.choice([*fonts, UNKNOWN_FONT])
    is_untrained = not fonts and rng.random() < rates.untrained[not label.endswith("_Latn")]
    if is_untrained and (untrained := list_untrained_encodings(text, label)):
        return rng.choice(untrained)
    encodings = [name for name in candidates if not name.startswith(PREFIX)]
    if not encodings or rng.random() < UTF8_SHARE:
        return "utf-8"
    return rng.choices(encodings, [0.5**place for place in range(len(encodings))])[0]


def list_untrained_encodings(text: str, label: str) -> list[str]:
    """Return the encodings that were used for a language and have no model; an unknown font if there is none, but not for Latin."""
    trained = encode_in_all(text, label)
    names = []
    for name in encoding_languages():
        if name in trained or get_codec(name) == "ascii" or not is_used_for(label, name):
            continue
        raw = substitute_missing(text, name).encode(get_codec(name), "ignore")
        lost = sum(c.isalpha() for c in text) - sum(c.isalpha() for c in raw.decode(get_codec(name), "ignore"))
        if lost <= len(text) // 100 and raw not in trained.values():
            names.append(name)
    return names or ([] if label.endswith("_Latn") else [UNKNOWN_FONT])


def _encode_in_font(line: str, encoding: str, label: str) -> str | None:
    """Return a line in a font's encoding; the unknown font maps each character beyond ASCII to a fixed one of windows-1252."""
    if encoding != UNKNOWN_FONT:
        return to_font_text(line, encoding)
    places = [chr(code) for code in (*range(0x30, 0x3A), *range(0x40, 0x7F), *range(0xA1, 0x100))]
    random.Random(f"{SEED}:font:{label}").shuffle(places)
    return "".join(c if c.isascii() else places[ord(c) % len(places)] for c in line)


def _draw_charset(rng: random.Random, rates: Rates, is_other: bool) -> str:
    """Return whether the declared charset is right, missing, wrong or user-defined."""
    value = rng.random()
    for charset, share in (
        ("missing", rates.missing[is_other]), ("user-defined", USER_DEFINED_SHARE), ("wrong", rates.wrong[is_other]),
    ):  # fmt: skip
        if value < share:
            return charset
        value -= share
    return "right"


def _escape(text: str, references: bool, rng: random.Random) -> str:
    """Return text escaped for markup; with ``references`` every character beyond ASCII becomes a reference."""
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    if not references:
        return text
    form = rng.choice(("&#{0};", "&#x{0:x};"))
    return "".join(c if c.isascii() else _format_reference(ord(c), form) for c in text)


def _format_reference(point: int, form: str) -> str:
    """Return the named reference of a code point, or a numeric one."""
    return f"&{codepoint2name[point]};" if point in codepoint2name else form.format(point)


def _encode_page(page: str, encoding: str) -> bytes:
    """Return the bytes of a page. Characters that the encoding lacks become references; with table encodings whole lines do."""
    if encoding.startswith(PREFIX):
        return page.encode("cp1252" if encoding == UNKNOWN_FONT else get_font_codec(encoding), "xmlcharrefreplace")
    codec = get_codec(encoding)
    if codec == "ascii":
        lines = ((line, encode_line(line, encoding)) for line in page.split("\n"))
        return b"\n".join(line.encode(codec, "xmlcharrefreplace") if raw is None else raw for line, raw in lines)
    return substitute_missing(page, encoding).encode(codec, "xmlcharrefreplace")
