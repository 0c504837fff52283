"""Identify the language by top level domain or server country only (Baykan 2013, table I; Hayati 2004, algorithm 5.2).

A document is a Page with its URL, or a str that is a URL. The tables are those of `webtongue.url.tld`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue import labels
from webtongue.errors import UsageError
from webtongue.evidence.geo import load_geo
from webtongue.lab.methods.base import Method
from webtongue.lab.methods.corpus import Corpus
from webtongue.lab.methods.document import Document, get_url, to_page
from webtongue.reference.countries import TABLE_I, tld
from webtongue.reference.domains import host_of, suffixes
from webtongue.url.tld import by_cctld, by_cctld_plus, by_country

__all__ = ["Cctld", "CctldPlus", "Ip", "Tld", "TldSettings", "list_domains"]

LEVELS = ("top", "suffix")


@dataclass(frozen=True, slots=True)
class NoSettings:
    """Nothing to set."""


@dataclass(frozen=True, slots=True)
class IpSettings:
    countries: str = ""  # an MMDB file of countries by IP, such as DB-IP's; empty for the default of `evidence.geo`


@dataclass(frozen=True)
class TableMethod(Method):
    """Base class of methods that look the language up in a fixed table, and learn nothing."""

    reads_urls: ClassVar[bool] = True
    reads: ClassVar[frozenset[str]] = frozenset({"url"})
    learns: ClassVar[bool] = False

    settings: NoSettings | IpSettings

    @classmethod
    def learn(cls, corpus: Corpus, settings: Any) -> Self:
        labels_of_table = sorted({str(labels.fold(language)) for language in TABLE_I.values()})
        return cls(settings, tuple(labels_of_table))

    @abstractmethod
    def language(self, document: Document) -> str:
        """Return the language by the table, empty if it has none."""

    def row(self, document: Document) -> NDArray[np.float64] | None:
        language = self.language(document)
        return np.array([float(label.startswith(language)) for label in self.labels]) if language else None


@dataclass(frozen=True)
class Cctld(TableMethod):
    """The language of the country of the top level domain."""

    name: ClassVar[str] = "cctld"

    settings: NoSettings

    def language(self, document: Document) -> str:
        return by_cctld(get_url(document))


@dataclass(frozen=True)
class CctldPlus(TableMethod):
    """The same, with .com and .org counted as English."""

    name: ClassVar[str] = "cctld_plus"

    settings: NoSettings

    def language(self, document: Document) -> str:
        return by_cctld_plus(get_url(document))


@dataclass(frozen=True)
class Ip(TableMethod):
    """The language of the country of the server; a document is a Page with its ``ip``, or a str that is an IP."""

    name: ClassVar[str] = "ip"
    reads: ClassVar[frozenset[str]] = frozenset({"ip"})

    settings: IpSettings

    def find_missing(self, document: Document) -> str:
        """Return a sentence if the page has no IP."""
        return (
            "" if isinstance(document, str) or to_page(document).ip else "the page has no IP, which this method reads"
        )

    def language(self, document: Document) -> str:
        address = document if isinstance(document, str) else to_page(document).ip
        if not address:
            return ""
        geo = load_geo(self.settings.countries or None)
        return by_country(geo.locate(address).country)


@dataclass(frozen=True, slots=True)
class TldSettings:
    """``level``: "top" is the part after the last period, as published; "suffix" distinguishes co.uk from ac.uk, as the paper
    proposes, by the Public Suffix List with its private part (blogspot.com). An unseen suffix counts as its top level domain."""

    level: str = "top"

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise UsageError(f"level must be {' or '.join(LEVELS)}, not {self.level}")


@dataclass(frozen=True)
class Tld(Method):
    """The most common language of each top level domain in training (Hayati 2004, algorithm 5.2)."""

    name: ClassVar[str] = "tld"
    reads_urls: ClassVar[bool] = True
    reads: ClassVar[frozenset[str]] = frozenset({"url"})

    settings: TldSettings
    domains: tuple[str, ...]
    counts: NDArray[np.uint32]  # domains x labels

    @classmethod
    def learn(cls, corpus: Corpus, settings: TldSettings) -> Self:
        known_labels = tuple(sorted(label for label in corpus if corpus[label]))
        counters = [
            Counter(name for document in corpus[label] for name in list_domains(get_url(document), settings.level))
            for label in known_labels
        ]
        domains = tuple(sorted({domain for counter in counters for domain in counter}))
        counts = np.array([[counter[domain] for counter in counters] for domain in domains], np.uint32)
        return cls(settings, known_labels, domains, counts.reshape(len(domains), len(known_labels)))

    def check(self) -> None:
        super().check()
        if self.counts.shape != (len(self.domains), len(self.labels)):
            raise ValueError("the shape of counts is not domains x labels")

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {domain: number for number, domain in enumerate(self.domains)}

    def row(self, document: Document) -> NDArray[np.float64] | None:
        for domain in list_domains(get_url(document), self.settings.level):
            if domain in self.numbers:
                row: NDArray[np.float64] = self.counts[self.numbers[domain]].astype(np.float64)
                return row
        return None


def list_domains(url: str, level: str) -> list[str]:
    """Return the domains under which a URL is counted, the most specific first; none if its host is an IP.

    >>> list_domains("http://www.cam.ac.uk/", "top"), list_domains("http://www.cam.ac.uk/", "suffix")
    (['uk'], ['ac.uk', 'uk'])
    >>> list_domains("http://192.0.2.1/", "top")
    []
    """
    top = tld(url)
    if not top or level == "top":
        return [top] if top else []
    host = host_of(url).encode()
    suffix = host[suffixes().find(host) :].decode()
    return [suffix, top] if suffix != top else [top]
