"""What a page's top level domain or its server says alone (Baykan 2013, table I; Hayati 2004, algorithm 5.2).

A document is a Page with its address, or a str that is a URL. The tables are those of `webtongue.url.baselines`.
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
from webtongue.hints.country import TABLE_I, tld
from webtongue.hints.domain import host_of, suffixes
from webtongue.hints.geo import load_geo
from webtongue.methods.base import Method
from webtongue.methods.corpus import Corpus
from webtongue.methods.document import Document, page_of, url_of
from webtongue.url.baselines import by_cctld, by_cctld_plus, by_country

__all__ = ["Cctld", "CctldPlus", "Ip", "Tld", "TldSettings", "domains_of"]

LEVELS = ("top", "suffix")


@dataclass(frozen=True, slots=True)
class NoSettings:
    """Nothing to set."""


@dataclass(frozen=True, slots=True)
class IpSettings:
    countries: str = (
        ""  # a file of countries by address in MMDB form, such as DB-IP's; empty is the default of `hints.geo`
    )


@dataclass(frozen=True)
class OfTable(Method):
    """A language by a table that is in the code: nothing is learnt."""

    of_urls: ClassVar[bool] = True
    learns: ClassVar[bool] = False

    settings: NoSettings | IpSettings

    @classmethod
    def learn(cls, corpus: Corpus, settings: Any) -> Self:
        known = sorted({str(labels.fold(language)) for language in TABLE_I.values()})
        return cls(settings, tuple(known))

    @abstractmethod
    def language(self, document: Document) -> str:
        """The language by the table, empty where it has none."""

    def row(self, document: Document) -> NDArray[np.float64] | None:
        found = self.language(document)
        return np.array([float(label.startswith(found)) for label in self.labels]) if found else None


@dataclass(frozen=True)
class Cctld(OfTable):
    """The language of the country that the top level domain is of."""

    name: ClassVar[str] = "cctld"

    settings: NoSettings

    def language(self, document: Document) -> str:
        return by_cctld(url_of(document))


@dataclass(frozen=True)
class CctldPlus(OfTable):
    """The same, with .com and .org counted as English."""

    name: ClassVar[str] = "cctld_plus"

    settings: NoSettings

    def language(self, document: Document) -> str:
        return by_cctld_plus(url_of(document))


@dataclass(frozen=True)
class Ip(OfTable):
    """The language of the country that the server stands in; a document is a Page with its ``ip``, or a str that is one."""

    name: ClassVar[str] = "ip"

    settings: IpSettings

    def language(self, document: Document) -> str:
        address = document if isinstance(document, str) else page_of(document).ip
        if not address:
            return ""
        geo = load_geo(self.settings.countries or None)
        if geo is None:
            raise UsageError(
                "the method 'ip' needs a file of countries by address: set countries=FILE.mmdb, or install webtongue[geo]"
            )
        return by_country(geo.locate(address).country)


@dataclass(frozen=True, slots=True)
class TldSettings:
    """``level``: "top" is the part after the rightmost period, as published; "suffix" tells co.uk from ac.uk, as she proposes, by
    the Public Suffix List (with its private part: blogspot.com). A suffix not in training counts as its top level domain."""

    level: str = "top"

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise UsageError(f"a level is {' or '.join(LEVELS)}, not {self.level}")


@dataclass(frozen=True)
class Tld(Method):
    """Hayati 2004, algorithm 5.2: the commonest language of each top level domain in training."""

    name: ClassVar[str] = "tld"
    of_urls: ClassVar[bool] = True

    settings: TldSettings
    domains: tuple[str, ...]
    counts: NDArray[np.uint32]  # domains x labels

    @classmethod
    def learn(cls, corpus: Corpus, settings: TldSettings) -> Self:
        known = tuple(sorted(label for label in corpus if corpus[label]))
        found = [
            Counter(name for document in corpus[label] for name in domains_of(url_of(document), settings.level))
            for label in known
        ]
        domains = tuple(sorted({domain for counter in found for domain in counter}))
        counts = np.array([[counter[domain] for counter in found] for domain in domains], np.uint32)
        return cls(settings, known, domains, counts.reshape(len(domains), len(known)))

    def check(self) -> None:
        super().check()
        if self.counts.shape != (len(self.domains), len(self.labels)):
            raise ValueError("counts are not those of domains and labels")

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {domain: number for number, domain in enumerate(self.domains)}

    def row(self, document: Document) -> NDArray[np.float64] | None:
        for domain in domains_of(url_of(document), self.settings.level):
            if domain in self.numbers:
                row: NDArray[np.float64] = self.counts[self.numbers[domain]].astype(np.float64)
                return row
        return None


def domains_of(url: str, level: str) -> list[str]:
    """The names that an address is counted under, the most exact first; none where it has no name.

    >>> domains_of("http://www.cam.ac.uk/", "top"), domains_of("http://www.cam.ac.uk/", "suffix")
    (['uk'], ['ac.uk', 'uk'])
    >>> domains_of("http://192.0.2.1/", "top")
    []
    """
    top = tld(url)
    if not top or level == "top":
        return [top] if top else []
    host = host_of(url).encode()
    suffix = host[suffixes().find(host) :].decode()
    return [suffix, top] if suffix != top else [top]
