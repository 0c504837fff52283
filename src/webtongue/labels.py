"""Labels of languages, and what pages write where a label should be.

Inside, a language is ``iso639-3_Script`` (``srp_Cyrl``); outside it is BCP 47 (``sr``); on pages it is anything at all:
``en_us``, ``deutsch``, ``iw``, ``zh-min-nan``, ``{{lang}}``. This module is the one place where these meet, and holds
the one table that folds individual codes into those of web custom, so that two systems' answers can be compared.

>>> parse("sr-Latn-RS"), bcp47("zho_Hant"), str(fold("cmn_Hans")), group("hrv_Latn")
(Label(language='srp', script='Latn'), 'zh-Hant', 'zho_Hans', 'hbs')
>>> declared("deutsch, en_US").labels
('deu_Latn', 'eng_Latn')

The tables are written by ``tools/tables/make_labels.py``, lie in ``data/`` and are read when first asked for.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache

from webtongue.files import rows

__all__ = ["SPECIAL", "Declared", "Label", "bcp47", "declared", "fold", "group", "members", "name", "parse"]

SPECIAL = {"und": "Undetermined", "zxx": "No linguistic content", "mul": "Multiple languages"}

LONGEST_TAG = 64  # BCP 47 asks for room for 35 characters; names such as "Brazilian Portuguese" need no more either
LONGEST_VALUE = 200  # a declared value says its language within its first words or not at all
MOST_PARTS = 32  # a list longer than this is not a declaration

# glibc's way to name a script, after "@".
MODIFIERS = {"latin": "Latn", "cyrillic": "Cyrl", "iqtelif": "Latn", "devanagari": "Deva", "arabic": "Arab"}
# Subtags of five to eight letters that may follow a language at once; any other makes a word of it ("is-loading").
VARIANTS = frozenset(
    "formal informal simple basic posix valencia tarask taraskievica polyton monoton arevela arevmda ekavsk ijekavsk "
    "fonipa pinyin wadegile jyutping oxendict scouse scotland unifon rozaj nedis academy luna1918 petr1708 heploc "
    "hepburn colb1945 ao1990 abl1943 aluku ndyuka pamaka fascia fodom gherd valbadia grclass grital lengadoc provenc "
    "gascon auvern lemosin vivaraup nicard vallader puter rumgr surmiran sursilv sutsilv lsg standard legacy".split()
)
MACHINE_VALUES = frozenset({"NaN"})  # spelt so by a script that failed; in lower case it is Min Nan

_DASHES = str.maketrans("_‐‑–—", "-----")
_WRAPPING = " \t\r\n\f\v\"'`´“”„‘’«»<>[](){}\\.,;:=|/!?*+-_~^#"
_JUNK = re.compile(
    r"<!\[CDATA\[|\]\]>|<!--|-->|&(?:quot|apos|nbsp|#34|#39);"
    r"|[\x00\xa0\xad\u200b-\u200f\u2028-\u202e\u2060\ufeff]"
)
_PLACEHOLDER = re.compile(
    r"\{\{|\}\}|\{%|\$\{|#\{|<[?%$/a-zA-Z!]|%\w*%|\[\[|\$\w|@\w+@|@\{|__\w+__|\(\)|://|^%|^\{\w*\}?$"
)
_KEY = re.compile(r"^\s*(?:content-)?(?:lang|language|langue|sprache|idioma|lingua|locale|hl)\s*[:=]\s*", re.IGNORECASE)
_QUALITY = re.compile(r"^q\s*=\s*([0-9.]*)", re.IGNORECASE)
_LIST = re.compile(r"[,;|/、，；\r\n]+")
_BRACKETED = re.compile(r"\s*[(\[（][^)\]）]*[)\]）]?\s*")
_FILLERS = frozenset({"and", "und", "&", "-", "+", "language", "lang", "only", "version", "язык"})


@dataclass(frozen=True, slots=True, order=True)
class Label:
    """A language as written in one script. ``script`` is empty for ``und``, ``zxx``, ``mul`` and sign languages.

    >>> str(Label("srp", "Cyrl"))
    'srp_Cyrl'
    """

    language: str
    script: str = ""

    def __str__(self) -> str:
        return f"{self.language}_{self.script}" if self.script else self.language


@dataclass(frozen=True, slots=True)
class Declared:
    """What a page says its language is, and how much of that was understood.

    ``labels`` are folded and in the order of the page; ``unknown`` are the parts that name no language.
    """

    raw: str
    labels: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        """Whether at least one part was understood."""
        return bool(self.labels)


@dataclass(frozen=True, slots=True)
class _Language:
    short: str
    script: str
    name: str


def parse(text: str) -> Label | None:
    """The label that one tag, code or name stands for, in whatever form; None where it stands for none.

    The language stays the one that was named: folding to web custom is another step, ``fold``. A script that is not
    said is that of the region, or the usual one of the language.

    >>> [str(parse(form)) for form in ("zh-TW", "zh", "iw", "sh", "sr@latin", "Français", "cmn")]
    ['zho_Hant', 'zho_Hans', 'heb_Hebr', 'hbs_Latn', 'srp_Latn', 'fra_Latn', 'cmn_Hans']
    >>> parse("lorem ipsum") is None
    True
    """
    return _parse(text) if len(text) <= LONGEST_TAG else None


@lru_cache(maxsize=4096)
def _parse(text: str) -> Label | None:
    code, _, script = text.partition("_")
    if len(code) == 3 and script in _scripts() and _language(code):
        return Label(code, script)
    form = unicodedata.normalize("NFC", text).strip().lower().translate(_DASHES)
    form, _, modifier = form.partition("@")
    form = form.partition(".")[0].strip("-")
    return _named(form) or _tagged(form, MODIFIERS.get(modifier, ""))


def bcp47(label: Label | str) -> str:
    """The shortest BCP 47 tag of a label: the script is left out where it is the usual one.

    >>> [bcp47(label) for label in ("srp_Cyrl", "srp_Latn", "zho_Hans", "eng_Latn", "und")]
    ['sr', 'sr-Latn', 'zh', 'en', 'und']
    """
    label = _label(label)
    known = _language(label.language)
    if known is None or not label.script:
        return known.short if known else label.language
    return known.short if label.script == known.script else f"{known.short}-{label.script}"


def fold(label: Label | str) -> Label:
    """The label under which web custom files a language: ``cmn`` is ``zho``, ``pes`` is ``fas``.

    Varieties with a written norm of their own stay apart (``nno``, ``yue``, ``arz``); folding twice changes nothing.

    >>> str(fold("zsm_Latn")), str(fold("nor_Latn")), str(fold("arz_Arab"))
    ('msa_Latn', 'nob_Latn', 'arz_Arab')
    """
    label = _label(label)
    folds = _folds()
    language = folds.get(label.language, label.language)
    script = folds.get(f"_{label.script}", f"_{label.script}")[1:]
    folded = Label(language, script)
    to = folds.get(str(folded))
    return Label(*to.split("_")) if script and to else folded


def group(label: Label | str) -> str | None:
    """The look-alike group of a label, named by the ISO 639 code that spans it: an honest answer when members tie.

    >>> group("nno_Latn"), group("srp_Latn"), group("srp_Cyrl")
    ('nor', 'hbs', None)
    """
    return _groups().get(str(fold(label)))


def members(group: str) -> tuple[str, ...]:
    """The labels of a look-alike group; empty for a name that is none.

    >>> members("nor")
    ('nob_Latn', 'nno_Latn')
    """
    return tuple(label for label, of in _groups().items() if of == group)


def name(label: Label | str) -> str:
    """The English name of a label, with its script where that is not the usual one.

    >>> name("srp_Cyrl"), name("srp_Latn"), name("und")
    ('Serbian', 'Serbian (Latin)', 'Undetermined')
    """
    label = _label(label)
    known = _language(label.language)
    if known is None:
        return SPECIAL.get(label.language, label.language)
    if label.script in ("", known.script):
        return known.name
    return f"{known.name} ({_scripts().get(label.script, label.script)})"


def declared(value: str) -> Declared:
    """Read a declared language as pages write it: any form, lists, quotes, leftovers of templates. Never raises.

    Codes that are more often file types or words than languages (``all``, ``css``) are not believed here, though
    ``parse`` knows them. Within a part, words stand for a language only if all of them do.

    >>> declared("de-AT, en;q=0.8").labels, declared("{{lang}}").unknown, declared("en fr").labels
    (('deu_Latn', 'eng_Latn'), ('{{lang}}',), ('eng_Latn', 'fra_Latn'))
    """
    text = _JUNK.sub(" ", value[:LONGEST_VALUE]).strip()
    if not text:
        return Declared(value)
    if _PLACEHOLDER.search(text) or text in MACHINE_VALUES:
        return Declared(value, (), (text,))
    whole = _believed(_unwrapped(text))
    if whole is not None:
        return Declared(value, (str(fold(whole)),))
    labels: list[str] = []
    unknown: list[str] = []
    for part in _parts(text):
        found = _words(part)
        labels += [str(fold(label)) for label in found]
        if not found:
            unknown.append(part)
    if not labels and not unknown:
        unknown.append(text)
    return Declared(value, tuple(dict.fromkeys(labels)), tuple(dict.fromkeys(unknown)))


def _parts(text: str) -> list[str]:
    """The members of a list, without quality values; a member of quality 0 is one the page refuses."""
    parts: list[str] = []
    for piece in _LIST.split(text)[:MOST_PARTS]:
        part = _unwrapped(piece)
        quality = _QUALITY.match(part)
        if quality is None and part:
            parts.append(part)
        elif quality and parts and quality[1] and not quality[1].strip("0."):
            parts.pop()
    return parts


def _words(part: str) -> list[Label]:
    """The languages of one member of a list: itself, or each of its words, or none if one of them names no language."""
    whole = _believed(part)
    if whole is not None:
        return [whole]
    words = part.split()
    if len(words) > 1 and len(words[0]) > 3 and all(len(word) == 2 for word in words[1:]):
        whole = _believed("-".join(words))  # "English UK": a region, not Ukrainian
        return [whole] if whole else []
    found = [_believed(word.strip(_WRAPPING)) for word in words if word.lower() not in _FILLERS]
    return [label for label in found if label] if all(found) else []


def _unwrapped(text: str) -> str:
    opened = text.strip().strip("\"'`“”„‘’«»\\")
    return _KEY.sub("", opened).strip(_WRAPPING.replace(")", "").replace("*", ""))


def _believed(text: str) -> Label | None:
    """``parse``, but for codes that on pages mean something else."""
    if not text or _forms().get(text.lower()) == "-":
        return None
    return parse(text)


def _label(label: Label | str) -> Label:
    """Functions of labels take their text too, in any form that ``parse`` reads."""
    if isinstance(label, Label):
        return label
    found = parse(label)
    if found is None:
        raise ValueError(f"{label[:LONGEST_TAG]!r} is no language label; write it like 'srp_Cyrl' or 'sr-Cyrl'")
    return found


def _named(form: str) -> Label | None:
    """A language by its name, with or without what stands in brackets: "Chinese (Traditional)", "English (US)"."""
    whole = " ".join(re.sub(r"[(),（）\[\]]", " ", form).split())
    for key in (whole, _BRACKETED.sub(" ", form).strip()):
        target = _forms().get(key) if len(key) > 3 or not key.isascii() else None
        if target:
            return _target(target)
    return None


def _target(target: str) -> Label | None:
    """A target of the table of forms: a label, a language in its usual script, or "-" for no language."""
    language, _, script = target.partition("_")
    if language in SPECIAL:
        return Label(language)
    known = _language(language)
    return Label(language, script or known.script) if known else None


def _tagged(form: str, script: str) -> Label | None:
    """A language by its tag: the longest listed beginning, then script, region and variants."""
    subtags = [subtag for subtag in form.split("-") if subtag]
    if not subtags:
        return None
    label, used = _beginning(subtags)
    if label is None or label.language in SPECIAL:
        return label
    region = ""
    for at, subtag in enumerate(subtags[used:]):
        if len(subtag) == 1:  # an extension or private use follows; it says nothing about the language
            break
        if len(subtag) == 4 and subtag.title() in _scripts():
            script = subtag.title()
        elif len(subtag) == 2 or (len(subtag) == 3 and subtag.isdigit()):
            region = subtag
        elif subtag not in VARIANTS and (at == 0 or not re.fullmatch(r"[a-z0-9]{3,8}", subtag)):
            return None
    if not script and region:
        label = _target(_forms().get(f"{bcp47(Label(label.language))}-{region}", "-")) or label
    return Label(label.language, script or label.script)


def _beginning(subtags: list[str]) -> tuple[Label | None, int]:
    """The language that a tag opens with and the number of subtags it takes: ``zh-min-nan`` takes three."""
    for used in range(min(3, len(subtags)), 0, -1):
        key = "-".join(subtags[:used])
        target = _forms().get(key, "-")
        if target != "-":
            return _target(target), used
    first = subtags[0]
    if first in SPECIAL or first == "mis":
        return Label("und" if first == "mis" else first), 1
    code = _shorts().get(first, first) if len(first) in (2, 3) else ""
    known = _language(code)
    return (Label(code, known.script), 1) if known else (None, 0)


@cache
def _languages() -> dict[str, list[str]]:
    """The rows of the table by code: code, short code, script, name."""
    return {row[0]: row for row in rows("labels.tsv")}


@lru_cache(maxsize=2048)
def _language(code: str) -> _Language | None:
    row = _languages().get(code)
    if row is None:
        return None
    _, short, script, name = row
    return _Language(short or code, script, name)


@cache
def _shorts() -> dict[str, str]:
    return {row[1]: code for code, row in _languages().items() if len(row[1]) == 2}


@cache
def _scripts() -> dict[str, str]:
    return dict(rows("scripts.tsv"))


@cache
def _forms() -> dict[str, str]:
    return dict(rows("wild.tsv"))


@cache
def _folds() -> dict[str, str]:
    return dict(rows("folds.tsv"))


@cache
def _groups() -> dict[str, str]:
    return {label: group for group, labels in rows("groups.tsv") for label in labels.split(" ")}
