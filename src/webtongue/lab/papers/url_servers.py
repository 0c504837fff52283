"""Find the countries of the servers of URLs, by the IP addresses in a list or by addresses drawn from countries' real blocks.

A list gives addresses in ``url/addresses.tsv.xz`` beside it, one host and its address on each line. Our list has none, so one
address is drawn for each host:

- a host under the domain of a country of table I is in that country with a probability of AT_HOME;

- any other host is in a country of one of the five languages, or of none, at rates that depend on the host's language. By these
rates hosts spread over countries as in table VIII if as many are under countries' domains as in table VI;

- the address is drawn uniformly from all IPv4 addresses that the country database has for the country, or for all countries of
the language.

The draw depends on the host's name alone: a host has the same address in every run and sample.
"""

from __future__ import annotations

import ipaddress
import lzma
import random
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from webtongue.evidence.geo import Geo, country_code, load_geo, read_database
from webtongue.lab.methods.url_features import FIVE_LANGUAGES
from webtongue.lab.papers.baykan_published import CONFUSION_CCTLD, CONFUSION_IP
from webtongue.lab.train.url.rows import UrlRow
from webtongue.reference.countries import TABLE_I, country_of_tld, tld
from webtongue.reference.mmdb import MmdbReader

__all__ = ["AT_HOME", "RULE", "AddressBlocks", "ServerCountries", "country_rates", "locate_servers"]

STAMPED = ("src/webtongue/data/dbip-country-lite-2026-06.mmdb.xz",)  # the country database decides where addresses are

# Share of the hosts under a country's domain that are in this country. The paper does not give it; the share for which recall of
# ccTLD and of IP agree between ODP + SER (tables V and VII) and Flash pages (table XVI) is 0.39 for French, 0.75 for Spanish and
# 0.98 for Italian. For English and German no single share fits both sets.
AT_HOME = 0.7
OTHER = ""  # stands for countries of none of the five languages
AMERICAN = frozenset({"edu", "gov", "mil"})  # listed in table I, though they are no country codes
LANGUAGE_BY_COUNTRY = {country_of_tld(code): language for code, language in TABLE_I.items() if country_of_tld(code)}
RULE = (
    "no URL of the list has an address: each host's is drawn from the real IPv4 blocks of a country. A host under a "
    f"country's domain is in that country with a probability of {AT_HOME:g}; others follow the rates of tables VI and "
    "VIII of the paper. So the accuracy of IP alone follows from the paper's own figures and confirms nothing; what "
    "it adds to a URL is independent of the URL's words"
)


@dataclass(frozen=True, slots=True)
class ServerCountries:
    """The country of each URL's server, empty where unknown, and the rule by which addresses were generated, empty for real
    ones."""

    countries: tuple[str, ...]
    generated: str
    attribution: str


@dataclass(frozen=True, slots=True)
class AddressBlocks:
    """IPv4 blocks by country: their first addresses, and the cumulative number of addresses up to the end of each block."""

    first: dict[str, list[int]]
    ends: dict[str, list[int]]

    @classmethod
    def from_networks(cls, networks: Iterable[tuple[str, int, int]]) -> AddressBlocks:
        """Return the blocks of networks given as country, first address and size."""
        first: defaultdict[str, list[int]] = defaultdict(list)
        sizes: defaultdict[str, list[int]] = defaultdict(list)
        for country, start, size in networks:
            first[country].append(start)
            sizes[country].append(size)
        return cls(dict(first), {country: list(accumulate(block_sizes)) for country, block_sizes in sizes.items()})

    def count(self, country: str) -> int:
        """Return the number of addresses of a country."""
        return self.ends[country][-1] if country in self.ends else 0

    def draw(self, countries: Sequence[str], rng: random.Random) -> str:
        """Return a random address of these countries, each equally likely, or an empty string where they have none."""
        counts = list(accumulate(self.count(country) for country in countries))
        if not counts or not counts[-1]:
            return ""
        offset = rng.randrange(counts[-1])
        index = bisect_right(counts, offset)
        country, offset = countries[index], offset - (counts[index - 1] if index else 0)
        ends = self.ends[country]
        block = bisect_right(ends, offset)
        return str(ipaddress.IPv4Address(self.first[country][block] + offset - (ends[block - 1] if block else 0)))


def read_blocks(path: Path) -> AddressBlocks:
    """Return the IPv4 blocks of an MMDB file."""
    networks = MmdbReader(read_database(path)).ipv4_networks()
    return AddressBlocks.from_networks((country_code(record), first, size) for first, size, record in networks)


def country_rates(language: str) -> dict[str, float]:
    """Return the probability of each language's countries for hosts that no country's domain places."""
    by_ip = dict(zip(FIVE_LANGUAGES, CONFUSION_IP[language], strict=True))
    by_domain = dict(zip(FIVE_LANGUAGES, CONFUSION_CCTLD[language], strict=True))
    remaining = {g: max(0.0, by_ip[g] - AT_HOME * by_domain[g]) for g in FIVE_LANGUAGES} | {
        OTHER: max(0.0, 100.0 - sum(by_ip.values()))
    }
    return {g: share / sum(remaining.values()) for g, share in remaining.items()}


def home_country(url: str) -> str:
    """Return the country of a URL's domain by table I."""
    domain = tld(url)
    return "US" if domain in AMERICAN else country_of_tld(domain) if domain in TABLE_I else ""


def draw_address(url: str, host: str, language: str, blocks: AddressBlocks) -> str:
    """Return an address for a host of a language, drawn by the rule above."""
    rng = random.Random(host)
    home = home_country(url)
    if home and rng.random() < AT_HOME:
        return blocks.draw([home], rng)
    rates_by_language = country_rates(language)
    drawn_language = rng.choices(list(rates_by_language), list(rates_by_language.values()))[0]
    return blocks.draw(
        [country for country in blocks.ends if LANGUAGE_BY_COUNTRY.get(country, OTHER) == drawn_language], rng
    )


def parse_host(url: str) -> str:
    """Return the host of a URL in lower case."""
    return (url.partition("://")[2] or url).partition("/")[0].lower()


def read_addresses(data: Path) -> dict[str, str]:
    """Return the addresses of the hosts of a list, empty where the list has none."""
    path = data / "url" / "addresses.tsv.xz"
    if not path.is_file():
        return {}
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return dict(line.rstrip("\n").split("\t")[:2] for line in file if "\t" in line)


def locate_servers(data: Path, rows: Sequence[UrlRow], geo: Geo | None = None) -> ServerCountries:
    """Return the countries of the servers of URLs."""
    geo = geo or load_geo()
    hosts = [parse_host(row.url) for row in rows]
    addresses = read_addresses(data)
    rule = "" if addresses else RULE
    if not addresses:
        blocks = read_blocks(geo.path)
        languages: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for host, row in zip(hosts, rows, strict=True):
            languages[host][row.language] += 1
        for host, row in zip(hosts, rows, strict=True):
            if host not in addresses:
                addresses[host] = draw_address(row.url, host, languages[host].most_common(1)[0][0], blocks)
    countries = {host: geo.locate(addresses[host]).country if addresses.get(host) else "" for host in set(hosts)}
    return ServerCountries(tuple(countries[host] for host in hosts), rule, geo.attribution)
