"""The table of codes (``data/url_codes.tsv``): codes and names of languages, top level domains and scripts as evidence in a URL."""

from __future__ import annotations

import math
from functools import cache

from webtongue import files, labels
from webtongue.files import read_rows
from webtongue.policy import LOG_SCALE

__all__ = ["CODES", "PLACES", "label_priors", "table_labels", "web_share", "web_shares"]

CODES = files.DATA / "url_codes.tsv"
# The places in a URL where a language may be named, in the order of UrlPlace (native/url/codes.hpp) and of the table's columns.
PLACES = ("label", "first", "later", "dot", "ending", "tail", "start", "language_key", "value")
UNLISTED_SHARE = 1e-7  # share of the web's pages of a language without crawl statistics
LABEL_FORMS = frozenset({"code", "long", "name", "country", "locale", "tld", "script"})


@cache
def web_shares() -> dict[str, float]:
    """Return the share of the web's pages of each folded language; the shares sum to one."""
    shares: dict[str, float] = {}
    for code, log in read_rows("priors.tsv"):
        parsed = labels.parse(code)
        language = labels.fold(parsed).language if parsed else code
        shares[language] = shares.get(language, 0.0) + 10 ** float(log)
    total = sum(shares.values())
    return {language: share / total for language, share in shares.items()}


def web_share(language: str) -> float:
    """Return the share of the web's pages of a folded language, a small one for a language without statistics."""
    return web_shares().get(language, UNLISTED_SHARE)


def table_labels() -> list[str]:
    """Return the labels of the table, in its order."""
    return list(dict.fromkeys(row[2] for row in read_rows("url_codes.tsv") if row[1] in LABEL_FORMS))


def label_priors() -> tuple[list[str], list[int]]:
    """Return the labels of the table and their log priors in 1/1024 nats."""
    names = table_labels()
    return names, [round(LOG_SCALE * math.log(web_share(label[:3]))) for label in names]
