"""Tokens of a URL, as in Baykan, Henzinger and Weber (2013) and as in the kernel.

>>> paper_tokens("http://vldb.org/vldb_journal/")
['vldb', 'org', 'vldb', 'journal']
>>> tokens("https://www.example.de/%C3%9Cber-uns/StellenAngebote.html?lang=de")
['www', 'example', 'uber', 'uns', 'stellen', 'angebote', 'html', 'lang', 'de']
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote, unquote_plus

from webtongue import _kernel
from webtongue.reference.domains import registered_domain, suffixes

__all__ = ["SPECIAL", "allgrams", "grams_from_url", "grams_from_word", "paper_tokens", "registered_domain", "tokens"]

SPECIAL = frozenset({"www", "index", "html", "htm", "http", "https"})
LETTERS = re.compile(r"[^\W\d_]+")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
SCHEME = re.compile(r"^[a-z][a-z0-9+.\-]*://")


def paper_tokens(url: str) -> list[str]:
    """Return the runs of two and more ASCII letters, without www, index, html, htm, http and https (section 2.1)."""
    return [token for token in re.findall(r"[a-z]+", url.lower()) if len(token) >= 2 and token not in SPECIAL]


def grams_from_word(url: str, orders: range) -> list[str]:
    """Return the n-grams of the paper's tokens, with their ends marked.

    >>> grams_from_word("http://weather", range(3, 4))
    ['_we', 'wea', 'eat', 'ath', 'the', 'her', 'er_']
    """
    grams = []
    for token in paper_tokens(url):
        marked = f"_{token}_"
        grams += [marked[i : i + n] for n in orders for i in range(len(marked) - n + 1)]
    return grams


def grams_from_url(url: str, orders: range) -> list[str]:
    """Return the n-grams of a URL's letters, all other characters removed.

    >>> "yde" in grams_from_url("http://www.hi-fly.de", range(3, 4))
    True
    """
    letters = re.sub(r"[^a-z]", "", SCHEME.sub("", url.lower()))
    return [letters[i : i + n] for n in orders for i in range(len(letters) - n + 1)]


def allgrams(url: str) -> list[str]:
    """Return the 3- to 7-grams from words, the best features of the paper."""
    return grams_from_word(url, range(3, 8))


def tokens(url: str) -> list[str]:
    """Return the words of a URL without its suffix: percent-decoded, camelCase split, lower case, without diacritics."""
    reason, numeric, host, path, query = _kernel.split_url(url.encode("utf-8", "replace"))
    if reason:
        return []
    names = "" if numeric else _names(host.lower())
    parts = [names, unquote(path.decode("utf-8", "replace")), unquote_plus(query.decode("utf-8", "replace"))]
    words = [word for part in parts for run in LETTERS.findall(part) for word in CAMEL.split(run)]
    return [word for word in map(_strip_marks, words) if len(word) >= 2]


def _names(host: bytes) -> str:
    """Return a host without its suffix, IDN labels decoded."""
    labels = host[: max(0, suffixes().find(host) - 1)].decode("utf-8", "replace").split(".")
    names = []
    for label in labels:
        try:
            names.append(label[4:].encode("ascii").decode("punycode") if label.startswith("xn--") else label)
        except UnicodeError:
            names.append(label)
    return ".".join(names)


def _strip_marks(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(c))
