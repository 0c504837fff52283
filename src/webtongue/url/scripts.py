"""The script that a URL names for its language: ``zh-TW`` is traditional Chinese, ``sr-Latn`` is Serbian in Latin letters.

No list of URLs tells the script of a page, so that only a region or a script subtag decides; the model answers the usual script.
"""

from __future__ import annotations

import re
from functools import cache

from webtongue import labels
from webtongue.reference.countries import country_of_tld, tld
from webtongue.text.model import load as load_text_model

__all__ = ["chinese_script", "label_in_script"]

CHINESE = "zho"
TRADITIONAL_COUNTRIES = frozenset({"TW", "HK", "MO"})
SIMPLIFIED_COUNTRIES = frozenset({"CN"})
TRADITIONAL_CODE = re.compile(r"(?<![a-z])(?:zh[-_](?:tw|hk|mo|hant)|tc|cht|zht)(?![a-z])", re.I)
SIMPLIFIED_CODE = re.compile(r"(?<![a-z])(?:zh[-_](?:cn|sg|hans)|sc|chs|zhs)(?![a-z])", re.I)
SCRIPT_SUBTAG = re.compile(r"(?<![a-z])([a-z]{2,3})[-_](latn|cyrl|arab|deva)(?![a-z])", re.I)


def chinese_script(url: str) -> str:
    """Return the script of Chinese that a code, or else the top-level domain of a URL names: Hant, Hans, or nothing.

    >>> chinese_script("https://example.com/zh-hk/"), chinese_script("https://example.cn/"), chinese_script("https://example.com/")
    ('Hant', 'Hans', '')
    """
    is_traditional, is_simplified = bool(TRADITIONAL_CODE.search(url)), bool(SIMPLIFIED_CODE.search(url))
    if not is_traditional and not is_simplified:
        country = country_of_tld(tld(url))
        is_traditional, is_simplified = country in TRADITIONAL_COUNTRIES, country in SIMPLIFIED_COUNTRIES
    return "" if is_traditional == is_simplified else "Hant" if is_traditional else "Hans"


def label_in_script(label: str, url: str | None) -> str:
    """Return the label of a URL's language in the script that the URL names, if the text model has it.

    >>> label_in_script("zho_Hans", "https://example.com/zh-tw/"), label_in_script("srp_Cyrl", "https://example.com/sr-Latn-RS/")
    ('zho_Hant', 'srp_Latn')
    >>> label_in_script("deu_Latn", "https://example.com/sr-Latn-RS/")
    'deu_Latn'
    """
    language = label[:3]
    if not url or language not in _languages_in_scripts():
        return label
    script = chinese_script(url) if language == CHINESE else ""
    for code, subtag in SCRIPT_SUBTAG.findall(url):
        if labels.bcp47(label).partition("-")[0] == code.lower():
            script = subtag.title()
    named = f"{language}_{script}"
    return named if named in _languages_in_scripts()[language] else label


@cache
def _languages_in_scripts() -> dict[str, frozenset[str]]:
    """Return the labels of the languages that the text model has in several scripts."""
    by_language: dict[str, set[str]] = {}
    for label in load_text_model().labels:
        by_language.setdefault(label[:3], set()).add(label)
    return {language: frozenset(some) for language, some in by_language.items() if len(some) > 1}
