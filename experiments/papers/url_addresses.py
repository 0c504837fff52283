"""The countries of the servers of URLs: by the addresses that a list gives, or by addresses drawn from countries' real blocks.

A list gives addresses in ``url/addresses.tsv.xz`` beside it, a host and its address a line. Ours has none, so one is drawn for
each host:

- a host under the domain of a country of table I stands in that country with a chance of AT_HOME;
- any other stands in a country of one of the five languages, or of none, at rates that depend on the host's own language. They
  are such that hosts spread over countries as table VIII says if as many are under countries' domains as table VI says;
- the address is drawn evenly from all IPv4 addresses that the file of countries has for the country, or for all of the language's.

The draw depends on the host's name alone: the same host has the same address in every run and sample.
"""

from __future__ import annotations

import ipaddress
import lzma
import random
import tempfile
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from baykan_figures import CONFUSION_CCTLD, CONFUSION_IP

from webtongue.errors import MissingExtra
from webtongue.hints.country import TABLE_I, country_of_tld, tld
from webtongue.hints.geo import Geo, contents, load_geo
from webtongue.train.url.rows import UrlRow
from webtongue.url.features import FIVE

__all__ = ["AT_HOME", "RULE", "Blocks", "Placed", "placed", "rates"]

# Of hosts under a country's domain, those that stand there. The paper does not say it; the share under which recall of ccTLD and
# of IP agree between ODP + SER (tables V and VII) and Flash pages (table XVI) is 0.39 for French, 0.75 for Spanish and 0.98 for
# Italian. For English and German the two sets cannot be had by any one share.
AT_HOME = 0.7
OTHER = ""  # a country of none of the five languages
AMERICAN = frozenset({"edu", "gov", "mil"})  # in table I, though no country's code
LANGUAGES = {country_of_tld(code): language for code, language in TABLE_I.items() if country_of_tld(code)}
RULE = (
    f"no URL of the list has an address: each host's is drawn from the real IPv4 blocks of a country. A host under a country's "
    f"domain stands there with a chance of {AT_HOME:g}; others by the rates of tables VI and VIII of the paper. So what IP says by "
    "itself follows from the paper's own figures and confirms nothing; what it adds to a URL is drawn without regard to its words"
)


@dataclass(frozen=True, slots=True)
class Placed:
    """The country of each URL's server, empty where unknown, and how it is known: empty for addresses of the list itself."""

    countries: tuple[str, ...]
    generated: str
    attribution: str


@dataclass(frozen=True, slots=True)
class Blocks:
    """Blocks of addresses by country: their first addresses, and how many addresses there are up to the end of each."""

    first: dict[str, list[int]]
    ends: dict[str, list[int]]

    @classmethod
    def of(cls, networks: Iterable[tuple[str, int, int]]) -> Blocks:
        """From countries, first addresses and sizes."""
        first: defaultdict[str, list[int]] = defaultdict(list)
        sizes: defaultdict[str, list[int]] = defaultdict(list)
        for country, start, size in networks:
            first[country].append(start)
            sizes[country].append(size)
        return cls(dict(first), {country: list(accumulate(found)) for country, found in sizes.items()})

    def count(self, country: str) -> int:
        return self.ends[country][-1] if country in self.ends else 0

    def draw(self, countries: Sequence[str], chance: random.Random) -> str:
        """An address of these countries, each as likely as any other; empty where they have none."""
        counts = list(accumulate(self.count(country) for country in countries))
        if not counts or not counts[-1]:
            return ""
        at = chance.randrange(counts[-1])
        which = bisect_right(counts, at)
        country, at = countries[which], at - (counts[which - 1] if which else 0)
        ends = self.ends[country]
        block = bisect_right(ends, at)
        return str(ipaddress.IPv4Address(self.first[country][block] + at - (ends[block - 1] if block else 0)))


def read_blocks(path: Path) -> Blocks:
    """The IPv4 blocks of a file in MMDB form, which come first in it."""
    import maxminddb

    def found(reader: Iterable[tuple[ipaddress.IPv4Network, dict[str, Any]]]) -> Iterable[tuple[str, int, int]]:
        for network, record in reader:
            if network.version != 4:
                return
            code = record.get("country_code") or (record.get("country") or {}).get("iso_code") or ""
            yield code, int(network.network_address), 1 << (network.max_prefixlen - network.prefixlen)

    with tempfile.NamedTemporaryFile(suffix=".mmdb") as file:
        file.write(contents(path))
        file.flush()
        with maxminddb.open_database(file.name) as reader:
            return Blocks.of(found(reader))


def rates(language: str) -> dict[str, float]:
    """Where hosts of a language stand that no country's domain places: languages of countries and their chances."""
    here = dict(zip(FIVE, CONFUSION_IP[language], strict=True))
    under = dict(zip(FIVE, CONFUSION_CCTLD[language], strict=True))
    left = {g: max(0.0, here[g] - AT_HOME * under[g]) for g in FIVE} | {OTHER: max(0.0, 100.0 - sum(here.values()))}
    return {g: share / sum(left.values()) for g, share in left.items()}


def home_country(url: str) -> str:
    """The country of a domain of table I."""
    found = tld(url)
    return "US" if found in AMERICAN else country_of_tld(found) if found in TABLE_I else ""


def drawn(url: str, host: str, language: str, blocks: Blocks) -> str:
    """An address for a host of a language, by the rule above."""
    chance = random.Random(host)
    home = home_country(url)
    if home and chance.random() < AT_HOME:
        return blocks.draw([home], chance)
    at = rates(language)
    spoken = chance.choices(list(at), list(at.values()))[0]
    return blocks.draw([country for country in blocks.ends if LANGUAGES.get(country, OTHER) == spoken], chance)


def host_of(url: str) -> str:
    return (url.partition("://")[2] or url).partition("/")[0].lower()


def given(data: Path) -> dict[str, str]:
    """The addresses of a list's hosts, empty where the list has none."""
    path = data / "url" / "addresses.tsv.xz"
    if not path.is_file():
        return {}
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return dict(line.rstrip("\n").split("\t")[:2] for line in file if "\t" in line)


def placed(data: Path, rows: Sequence[UrlRow], geo: Geo | None = None) -> Placed:
    """Where the servers of URLs stand."""
    geo = geo or load_geo()
    if geo is None:
        raise MissingExtra("webtongue-geo", "geo")
    hosts = [host_of(row.url) for row in rows]
    addresses = given(data)
    rule = "" if addresses else RULE
    if not addresses:
        blocks = read_blocks(geo.path)
        spoken: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for host, row in zip(hosts, rows, strict=True):
            spoken[host][row.language] += 1
        for host, row in zip(hosts, rows, strict=True):
            if host not in addresses:
                addresses[host] = drawn(row.url, host, spoken[host].most_common(1)[0][0], blocks)
    countries = {host: geo.locate(addresses[host]).country if addresses.get(host) else "" for host in set(hosts)}
    return Placed(tuple(countries[host] for host in hosts), rule, geo.attribution)
