"""Language labels: the internal form, BCP 47, and the forms that pages write.

The internal form is ``iso639-3_Script`` (``srp_Cyrl``), the public one BCP 47 (``sr``). Pages write any form:
``en_us``, ``deutsch``, ``iw``, ``zh-min-nan``, ``{{lang}}``. All conversions are in this module, and so is the table that folds
individual codes into those that the web uses, so that the answers of two systems can be compared.

>>> parse("sr-Latn-RS"), bcp47("zho_Hant"), str(fold("cmn_Hans")), group("hrv_Latn")
(Label(language='srp', script='Latn'), 'zh-Hant', 'zho_Hans', 'hbs')
>>> parse_declared("deutsch, en_US").labels
('deu_Latn', 'eng_Latn')

The tables in ``data/`` are written by ``tools/tables/make_labels.py``. Each is loaded in one pass when it is first needed.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from webtongue.files import read_rows
from webtongue.records import dataclass, replace

__all__ = [
    "SPECIAL",
    "WITHOUT_TEXT",
    "DeclaredLanguages",
    "Label",
    "bcp47",
    "fold",
    "folded_codes",
    "group",
    "members",
    "name",
    "parse",
    "parse_declared",
    "usual_script",
]

# Labels that name no language.
SPECIAL = {
    "und": "Undetermined",
    "zxx": "No linguistic content",
    "mul": "Multiple languages",
}
WITHOUT_TEXT = frozenset({"und", "zxx"})  # labels of pages without text in any language

MAX_TAG_CHARS = 64  # BCP 47 requires 35; names such as "Brazilian Portuguese" are shorter, too
MAX_DECLARED_CHARS = 200  # a declared value names its language in its first words or not at all
MAX_LIST_ITEMS = 32  # a longer list is not a declaration
NO_LANGUAGE = "-"  # target of an alias that names no language

# Script names that glibc writes after "@".
MODIFIERS = {"latin": "Latn", "cyrillic": "Cyrl", "iqtelif": "Latn", "devanagari": "Deva", "arabic": "Arab"}
# Subtags of five to eight letters that may directly follow a language; any other is part of a word ("is-loading").
VARIANTS = frozenset(
    "formal informal simple basic posix valencia tarask taraskievica polyton monoton arevela arevmda ekavsk ijekavsk "
    "fonipa pinyin wadegile jyutping oxendict scouse scotland unifon rozaj nedis academy luna1918 petr1708 heploc "
    "hepburn colb1945 ao1990 abl1943 aluku ndyuka pamaka fascia fodom gherd valbadia grclass grital lengadoc provenc "
    "gascon auvern lemosin vivaraup nicard vallader puter rumgr surmiran sursilv sutsilv lsg standard legacy".split()
)
MACHINE_VALUES = frozenset({"NaN"})  # written by a script that failed; in lower case it is the code of Min Nan

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
        return _join(self.language, self.script)


@dataclass(frozen=True, slots=True)
class DeclaredLanguages:
    """The languages that a declared value names.

    ``labels`` are folded and in the order of the value; ``unknown`` are the parts that name no language.
    """

    raw: str
    labels: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """Return True if at least one part names a language."""
        return bool(self.labels)


def parse(text: str) -> Label | None:
    """Return the label that one tag, code or name stands for, in any form; None if it names no language.

    The language is the one that was named: use ``fold`` to get the code that the web uses. A missing script is that of the
    region, or the usual one of the language.

    >>> [str(parse(form)) for form in ("zh-TW", "zh", "iw", "sh", "sr@latin", "Français", "cmn")]
    ['zho_Hant', 'zho_Hans', 'heb_Hebr', 'hbs_Latn', 'srp_Latn', 'fra_Latn', 'cmn_Hans']
    >>> parse("lorem ipsum") is None
    True
    """
    return _parse(text) if len(text) <= MAX_TAG_CHARS else None


@lru_cache(maxsize=4096)
def _parse(text: str) -> Label | None:
    language, _, script = text.partition("_")
    if script in _script_names() and language in _languages():
        return Label(language, script)
    form = unicodedata.normalize("NFC", text).strip().lower().translate(_DASHES)
    form, _, modifier = form.partition("@")
    form = form.partition(".")[0].strip("-")
    return _parse_name(form) or _parse_tag(form, MODIFIERS.get(modifier, ""))


def bcp47(label: Label | str) -> str:
    """Return the shortest BCP 47 tag of a label, without the script if it is the usual one.

    >>> [bcp47(label) for label in ("srp_Cyrl", "srp_Latn", "zho_Hans", "eng_Latn", "und")]
    ['sr', 'sr-Latn', 'zh', 'en', 'und']
    """
    language, script = _split(label)
    row = _languages().get(language)
    if row is None:
        return language
    subtag = row[1] or language
    return f"{subtag}-{script}" if script and script != row[2] else subtag


def fold(label: Label | str) -> Label:
    """Return the label that the web uses for a language: ``cmn`` becomes ``zho``, ``pes`` becomes ``fas``.

    Varieties with a written norm of their own stay apart (``nno``, ``yue``, ``arz``); folding twice changes nothing.

    >>> str(fold("zsm_Latn")), str(fold("nor_Latn")), str(fold("arz_Arab"))
    ('msa_Latn', 'nob_Latn', 'arz_Arab')
    """
    return Label(*_fold(*_split(label)))


def _fold(language: str, script: str) -> tuple[str, str]:
    folds = _folds()
    language = folds.get(language, language)
    script = folds.get(f"_{script}", f"_{script}")[1:]
    target = folds.get(f"{language}_{script}", "")
    return (target[:3], target[4:]) if target else (language, script)


def folded_codes() -> dict[str, str]:
    """Return the code that the web uses for every ISO 639-3 code, most often the same one."""
    folds = _folds()
    return {code: folds.get(code, code) for code in _languages()}


def usual_script(language: str) -> str:
    """Return the script that a language is usually written in; empty for an unknown code and for sign languages."""
    return _languages().get(language, NO_ROW)[2]


def group(label: Label | str) -> str | None:
    """Return the look-alike group of a label, named by the ISO 639 code that spans it; None if it has no look-alikes.

    >>> group("nno_Latn"), group("srp_Latn"), group("srp_Cyrl")
    ('nor', 'hbs', None)
    """
    language, script = _fold(*_split(label))
    return _groups().get(f"{language}_{script}")


def members(group: str) -> tuple[str, ...]:
    """Return the labels of a look-alike group; empty for an unknown name.

    >>> members("nor")
    ('nob_Latn', 'nno_Latn')
    """
    return tuple(label for label, own_group in _groups().items() if own_group == group)


def name(label: Label | str) -> str:
    """Return the English name of a label, with its script if that is not the usual one.

    >>> name("srp_Cyrl"), name("srp_Latn"), name("und")
    ('Serbian', 'Serbian (Latin)', 'Undetermined')
    """
    language, script = _split(label)
    _, _, usual, english = _languages().get(language, NO_ROW)
    if not english:
        return SPECIAL.get(language, language)
    return english if script in ("", usual) else f"{english} ({_script_names().get(script, script)})"


def parse_declared(value: str) -> DeclaredLanguages:
    """Read a declared language as pages write it: any form, lists, quotes, unfilled templates. Never raises.

    Codes that are more often file types or words than languages (``all``, ``css``) are ignored here, though ``parse`` knows
    them. A part of several words names languages only if each of its words does.

    >>> parse_declared("de-AT, en;q=0.8").labels, parse_declared("{{lang}}").unknown, parse_declared("en fr").labels
    (('deu_Latn', 'eng_Latn'), ('{{lang}}',), ('eng_Latn', 'fra_Latn'))
    """
    return (
        _parse_declared(value)
        if len(value) <= MAX_DECLARED_CHARS
        else replace(_parse_declared(value[:MAX_DECLARED_CHARS]), raw=value)
    )


@lru_cache(maxsize=4096)
def _parse_declared(value: str) -> DeclaredLanguages:
    text = _JUNK.sub(" ", value).strip()
    if not text:
        return DeclaredLanguages(value)
    if _PLACEHOLDER.search(text) or text in MACHINE_VALUES:
        return DeclaredLanguages(value, (), (text,))
    label = _parse_plausible(_unwrap(text))
    if label is not None:
        return DeclaredLanguages(value, (str(fold(label)),))
    labels: list[str] = []
    unknown: list[str] = []
    for item in _split_list(text):
        parsed = _parse_words(item)
        labels += [str(fold(label)) for label in parsed]
        if not parsed:
            unknown.append(item)
    if not labels and not unknown:
        unknown.append(text)
    return DeclaredLanguages(value, tuple(dict.fromkeys(labels)), tuple(dict.fromkeys(unknown)))


def _split_list(text: str) -> list[str]:
    """Return the items of a list without quality values; items of quality 0 are left out, since the page rejects them."""
    items: list[str] = []
    for chunk in _LIST.split(text)[:MAX_LIST_ITEMS]:
        item = _unwrap(chunk)
        quality = _QUALITY.match(item)
        if quality is None and item:
            items.append(item)
        elif quality and items and quality[1] and not quality[1].strip("0."):
            items.pop()
    return items


def _parse_words(item: str) -> list[Label]:
    """Return the languages of a list item: the item itself, or each of its words if all of them name a language."""
    label = _parse_plausible(item)
    if label is not None:
        return [label]
    words = item.split()
    if len(words) > 1 and len(words[0]) > 3 and all(len(word) == 2 for word in words[1:]):
        label = _parse_plausible("-".join(words))  # "English UK": a region, not Ukrainian
        return [label] if label else []
    parsed = [_parse_plausible(word.strip(_WRAPPING)) for word in words if word.lower() not in _FILLERS]
    return [label for label in parsed if label] if all(parsed) else []


def _unwrap(text: str) -> str:
    unquoted = text.strip().strip("\"'`“”„‘’«»\\")
    return _KEY.sub("", unquoted).strip(_WRAPPING.replace(")", "").replace("*", ""))


def _parse_plausible(text: str) -> Label | None:
    """Return what ``parse`` returns, but None for codes that mean something else on pages."""
    if not text or _aliases().get(text.lower()) == NO_LANGUAGE:
        return None
    return parse(text)


def _join(language: str, script: str) -> str:
    return f"{language}_{script}" if script else language


def _split(label: Label | str) -> tuple[str, str]:
    """Return language and script of a label, or of a text in any form that ``parse`` reads."""
    if isinstance(label, str):
        language, _, script = label.partition("_")
        if script in _script_names() and language in _languages():
            return language, script
        parsed = parse(label)
        if parsed is None:
            raise ValueError(f"{label[:MAX_TAG_CHARS]!r} is no language label; write it like 'srp_Cyrl' or 'sr-Cyrl'")
        label = parsed
    return label.language, label.script


def _parse_name(form: str) -> Label | None:
    """Return a language by its name, with or without the text in brackets: "Chinese (Traditional)", "English (US)"."""
    plain = " ".join(re.sub(r"[(),（）\[\]]", " ", form).split())
    for key in (plain, _BRACKETED.sub(" ", form).strip()):
        target = _aliases().get(key) if len(key) > 3 or not key.isascii() else None
        if target:
            return _parse_target(target)
    return None


def _parse_target(target: str) -> Label | None:
    """Return the target of an alias: a label, or a language in its usual script; None for NO_LANGUAGE."""
    language, _, script = target.partition("_")
    if language in SPECIAL:
        return Label(language)
    return Label(language, script or usual_script(language)) if language in _languages() else None


def _parse_tag(form: str, script: str) -> Label | None:
    """Return a language by its tag: the longest known prefix, then script, region and variants."""
    subtags = [subtag for subtag in form.split("-") if subtag]
    if not subtags:
        return None
    label, prefix_length = _parse_prefix(subtags)
    if label is None or label.language in SPECIAL:
        return label
    region = ""
    for i, subtag in enumerate(subtags[prefix_length:]):
        if len(subtag) == 1:  # an extension or private use follows, which does not concern the language
            break
        if len(subtag) == 4 and subtag.title() in _script_names():
            script = subtag.title()
        elif len(subtag) == 2 or (len(subtag) == 3 and subtag.isdigit()):
            region = subtag
        elif subtag not in VARIANTS and (i == 0 or not re.fullmatch(r"[a-z0-9]{3,8}", subtag)):
            return None
    if not script and region:
        alias = f"{bcp47(Label(label.language))}-{region}"
        label = _parse_target(_aliases().get(alias, NO_LANGUAGE)) or label
    return Label(label.language, script or label.script)


def _parse_prefix(subtags: list[str]) -> tuple[Label | None, int]:
    """Return the language that a tag begins with and its number of subtags: ``zh-min-nan`` has three."""
    for length in range(min(3, len(subtags)), 0, -1):
        target = _aliases().get("-".join(subtags[:length]), NO_LANGUAGE)
        if target != NO_LANGUAGE:
            return _parse_target(target), length
    first = subtags[0]
    if first in SPECIAL or first == "mis":
        return Label("und" if first == "mis" else first), 1
    code = _short_codes().get(first, first) if len(first) in (2, 3) else ""
    return (Label(code, usual_script(code)), 1) if code in _languages() else (None, 0)


NO_ROW = ("", "", "", "")  # the row of a code that is not in the language table


@cache
def _languages() -> dict[str, list[str] | tuple[str, str, str, str]]:
    """Return the rows of the language table by code: code, BCP 47 subtag if shorter, usual script, English name."""
    return {row[0]: row for row in read_rows("labels.tsv")}


@cache
def _short_codes() -> dict[str, str]:
    return {row[1]: code for code, row in _languages().items() if len(row[1]) == 2}


@cache
def _script_names() -> dict[str, str]:
    return dict(read_rows("scripts.tsv"))


@cache
def _aliases() -> dict[str, str]:
    return dict(read_rows("language_aliases.tsv"))


@cache
def _folds() -> dict[str, str]:
    return dict(read_rows("folds.tsv"))


@cache
def _groups() -> dict[str, str]:
    return {label: group for group, labels in read_rows("groups.tsv") for label in labels.split(" ")}
