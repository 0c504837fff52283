"""Tokens of a URL: as Baykan, Henzinger and Weber (2013) cut them, and as the kernel does.

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
from webtongue.hints.domain import registered_domain, suffixes

__all__ = ["SPECIAL", "allgrams", "grams_from_url", "grams_from_word", "paper_tokens", "registered_domain", "tokens"]

SPECIAL = frozenset({"www", "index", "html", "htm", "http", "https"})
LETTERS = re.compile(r"[^\W\d_]+")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
SCHEME = re.compile(r"^[a-z][a-z0-9+.\-]*://")


def paper_tokens(url: str) -> list[str]:
    """Runs of ASCII letters of two and more, without www, index, html, htm, http and https (section 2.1)."""
    found = re.findall(r"[a-z]+", url.lower())
    return [token for token in found if len(token) >= 2 and token not in SPECIAL]


def grams_from_word(url: str, orders: range) -> list[str]:
    """N-grams of the paper's tokens, whose ends are marked.

    >>> grams_from_word("http://weather", range(3, 4))
    ['_we', 'wea', 'eat', 'ath', 'the', 'her', 'er_']
    """
    out = []
    for token in paper_tokens(url):
        marked = f"_{token}_"
        out += [marked[i : i + n] for n in orders for i in range(len(marked) - n + 1)]
    return out


def grams_from_url(url: str, orders: range) -> list[str]:
    """N-grams of the letters of a URL with everything else left out.

    >>> "yde" in grams_from_url("http://www.hi-fly.de", range(3, 4))
    True
    """
    letters = re.sub(r"[^a-z]", "", SCHEME.sub("", url.lower()))
    return [letters[i : i + n] for n in orders for i in range(len(letters) - n + 1)]


def allgrams(url: str) -> list[str]:
    """3- to 7-grams from words: the paper's best."""
    return grams_from_word(url, range(3, 8))


def tokens(url: str) -> list[str]:
    """Our words: percent-decoded, camelCase cut, lower case, Latin letters without marks; the suffix left out."""
    reason, numeric, host, path, query = _kernel.split_url(url.encode("utf-8", "replace"))
    if reason:
        return []
    names = "" if numeric else _names(host.lower())
    parts = [names, unquote(path.decode("utf-8", "replace")), unquote_plus(query.decode("utf-8", "replace"))]
    found = [word for part in parts for run in LETTERS.findall(part) for word in CAMEL.split(run)]
    return [word for word in map(_plain, found) if len(word) >= 2]


def _names(host: bytes) -> str:
    """The host without its suffix, IDN labels decoded."""
    kept = host[: max(0, suffixes().find(host) - 1)].decode("utf-8", "replace").split(".")
    out = []
    for label in kept:
        try:
            out.append(label[4:].encode("ascii").decode("punycode") if label.startswith("xn--") else label)
        except UnicodeError:
            out.append(label)
    return ".".join(out)


def _plain(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(c))
