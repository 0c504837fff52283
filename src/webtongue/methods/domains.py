"""What a page's top level domain or its server says alone (Baykan 2013, table I; Hayati 2004, algorithm 5.2).

A document is a Page with its address, or a str that is a URL. The tables are those of `webtongue.url.baselines`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue import labels
from webtongue.errors import MissingExtra, ModelError, UsageError
from webtongue.hints.country import TABLE_I, tld
from webtongue.methods.base import Method
from webtongue.methods.corpus import Corpus
from webtongue.methods.document import Document, page_of, url_of
from webtongue.url.baselines import by_cctld, by_cctld_plus, by_country

__all__ = ["Cctld", "CctldPlus", "Ip", "Tld"]


@dataclass(frozen=True, slots=True)
class NoSettings:
    """Nothing to set."""


@dataclass(frozen=True, slots=True)
class IpSettings:
    countries: str = ""  # a file of countries by address in MMDB form, such as DB-IP's


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
        if not self.settings.countries:
            raise UsageError("the method 'ip' needs a file of countries by address: set countries=FILE.mmdb")
        return by_country(_country(address, self.settings.countries))


@dataclass(frozen=True)
class Tld(Method):
    """Hayati 2004, algorithm 5.2: the commonest language of each top level domain in training."""

    name: ClassVar[str] = "tld"
    of_urls: ClassVar[bool] = True

    settings: NoSettings
    domains: tuple[str, ...]
    counts: NDArray[np.uint32]  # domains x labels

    @classmethod
    def learn(cls, corpus: Corpus, settings: NoSettings) -> Self:
        known = tuple(sorted(label for label in corpus if corpus[label]))
        found = [Counter(tld(url_of(document)) for document in corpus[label]) for label in known]
        domains = tuple(sorted({domain for counter in found for domain in counter} - {""}))
        counts = np.array([[counter[domain] for counter in found] for domain in domains], np.uint32)
        return cls(settings, known, domains, counts.reshape(len(domains), len(known)))

    def check(self) -> None:
        super().check()
        if self.counts.shape != (len(self.domains), len(self.labels)):
            raise ValueError("counts are not those of domains and labels")

    def row(self, document: Document) -> NDArray[np.float64] | None:
        found = tld(url_of(document))
        if found not in self.domains:
            return None
        row: NDArray[np.float64] = self.counts[self.domains.index(found)].astype(np.float64)
        return row


@cache
def _reader(path: str) -> Any:
    try:
        import maxminddb
    except ImportError as error:
        raise MissingExtra("maxminddb", "geo") from error
    try:
        return maxminddb.open_database(path)
    except (OSError, maxminddb.InvalidDatabaseError) as error:
        raise ModelError(f"{path}: no file of countries by address ({error})") from error


def _country(address: str, path: str) -> str:
    """The country of an address, empty where it is not known or no address."""
    try:
        found = _reader(path).get(address)
    except ValueError:
        return ""
    if not isinstance(found, dict):
        return ""
    country = found.get("country_code") or (found.get("country") or {}).get("iso_code") or ""
    return str(country)
