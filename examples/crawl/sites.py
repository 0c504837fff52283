"""The sites of the demo crawl, a line each in sites.jsonl: host, country, languages, encoding, and what they declare of it."""

from __future__ import annotations

import hashlib
import ipaddress
import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from crawl.texts import Language

__all__ = ["Site", "address", "country_networks", "number_of", "path_of", "sites"]

FILE = Path(__file__).parent / "sites.jsonl"
# Each has eight addresses of the networks that RFC 5737 keeps for documentation, in this order, and a /48 of RFC 3849's.
COUNTRIES = (
    "AD AE AL AM AR AT AU AZ BA BD BE BG BR BY CA CH CL CN CY CZ DE DK EE EG ES ET FI FO FR GB GE GR HK HR HT HU ID IE IL IN IR "
    "IS IT JP KE KG KH KR KZ LA LK LT LU LV MA MD ME MK MM MN MT MX MY NG NL NO NP NZ PH PK PL PT RO RS RU SA SE SG SI SK SO TH TJ "
    "TR TW TZ UA US UZ VN ZA"
).split()
DOCUMENTATION = ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24")
DOCUMENTATION_V6 = ipaddress.IPv6Network("2001:db8::/32")
UNKNOWN = "203.0.113.250"  # in a network that the toy MMDB leaves out
HOSTS_OF_A_NETWORK = 6
# Letters that do not come apart into a base and a mark.
FOLDED = str.maketrans(
    {"æ": "ae", "ø": "o", "œ": "oe", "ð": "d", "þ": "th", "ß": "ss", "ł": "l", "ı": "i", "đ": "d", "ə": "e"}
)


@dataclass(frozen=True, slots=True)
class Site:
    """A host. ``None`` for a declaration: the right one; empty: none."""

    host: str
    at: str  # country of its server
    labels: tuple[str, ...]
    tests: str
    pages: tuple[int, ...] = ()  # topics; empty: all that the language has
    encoding: str = "utf-8"  # Python's name
    name: str = ""  # WHATWG's, where that is another
    bom: bool = False
    meta: str | None = None  # charset in the page
    http: str | None = None  # charset in the header
    lang: str | None = None
    content_language: bool = False
    style: str = "modern"  # old, bare
    path: str = "slug"  # number, native, query
    coding: str = ""
    chunked: bool = False
    v6: bool = False
    short: dict[str, str] = field(default_factory=dict)  # pages of a word or two

    @property
    def root(self) -> str:
        return f"{'http' if self.style == 'old' else 'https'}://{self.host}"

    @property
    def whatwg(self) -> str:
        return self.name or self.encoding


def sites() -> list[Site]:
    return [_site(json.loads(line)) for line in FILE.read_text("utf-8").splitlines()]


def _site(row: dict[str, Any]) -> Site:
    labels = row["labels"]
    row["labels"] = tuple(labels) if isinstance(labels, list) else (labels,)
    row["pages"] = tuple(row.get("pages", ()))
    return Site(**row)


def number_of(*parts: object) -> int:
    """A number that looks random and is the same for the same parts."""
    return int.from_bytes(hashlib.sha256(" ".join(map(str, parts)).encode()).digest()[:6], "big")


def country_networks() -> Iterator[tuple[str, str]]:
    """Networks and their countries, as the toy MMDB has them."""
    v4 = [small for network in DOCUMENTATION for small in ipaddress.ip_network(network).subnets(new_prefix=29)]
    v6 = DOCUMENTATION_V6.subnets(new_prefix=48)
    for country, small, large in zip(COUNTRIES, v4, v6, strict=False):
        yield str(small), country
        yield str(large), country


def address(host: str, country: str, *, v6: bool = False) -> str:
    """The address of a host: several share one, as they do on the web."""
    if not country:
        return UNKNOWN
    networks = [network for network, where in country_networks() if where == country]
    network = ipaddress.ip_network(networks[v6])
    return str(network[1 + number_of("address", host) % HOSTS_OF_A_NETWORK])


def path_of(site: Site, language: Language, place: int, topic: int) -> str:
    """Of the page at a place of its site; the first one is its front page."""
    several = len(site.labels) > 1
    front = place == 0
    if site.path == "query":
        return f"/?lang={language.tag}" + ("" if front else f"&page={place + 1}")
    folder = f"/{language.tag.lower()}/" if several and (language.label != site.labels[0] or not front) else "/"
    if front:
        return folder
    heading = language.headings[topic]
    if site.path == "native":
        return folder + quote(heading.lower().replace(" ", "-"))
    if site.path == "number" or not (slug := _slug(heading)):
        return f"{folder}{place + 1}.html"
    return folder + slug + (".html" if site.style == "old" else "")


def _slug(heading: str) -> str:
    plain = unicodedata.normalize("NFKD", heading.lower().translate(FOLDED))
    return re.sub(r"[^a-z0-9]+", "-", plain.encode("ascii", "ignore").decode()).strip("-")
