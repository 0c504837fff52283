"""The sites of the demo crawl, one on each line of sites.jsonl: host, country, languages, encoding, and declarations."""

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

__all__ = ["Site", "country_networks", "hash_number", "server_ip", "sites", "url_path"]

FILE = Path(__file__).parent / "sites.jsonl"
# Each has eight addresses of the networks that RFC 5737 reserves for documentation, in this order, and a /48 of RFC 3849.
COUNTRIES = (
    "AD AE AL AM AR AT AU AZ BA BD BE BG BR BY CA CH CL CN CY CZ DE DK EE EG ES ET FI FO FR GB GE GR HK HR HT HU ID IE IL IN IR "
    "IS IT JP KE KG KH KR KZ LA LK LT LU LV MA MD ME MK MM MN MT MX MY NG NL NO NP NZ PH PK PL PT RO RS RU SA SE SG SI SK SO TH TJ "
    "TR TW TZ UA US UZ VN ZA"
).split()
DOCUMENTATION = ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24")
DOCUMENTATION_V6 = ipaddress.IPv6Network("2001:db8::/32")
UNLISTED_IP = "203.0.113.250"  # in a network that is not in the MMDB file
IPS_PER_NETWORK = 6
# Letters that do not decompose into a base letter and a mark.
SPELLINGS = str.maketrans(
    {"æ": "ae", "ø": "o", "œ": "oe", "ð": "d", "þ": "th", "ß": "ss", "ł": "l", "ı": "i", "đ": "d", "ə": "e"}
)


@dataclass(frozen=True, slots=True)
class Site:
    """A host. A declaration of ``None`` is the right one, an empty one is missing."""

    host: str
    at: str  # country of its server
    labels: tuple[str, ...]
    tests: str
    pages: tuple[int, ...] = ()  # topics; empty for the default
    encoding: str = "utf-8"  # Python's name
    name: str = ""  # WHATWG name, if it is another
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
    short: dict[str, str] = field(default_factory=dict)  # pages of one or two words

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


def hash_number(*parts: object) -> int:
    """Return a pseudo-random number that depends only on the parts."""
    return int.from_bytes(hashlib.sha256(" ".join(map(str, parts)).encode()).digest()[:6], "big")


def country_networks() -> Iterator[tuple[str, str]]:
    """Yield the networks and countries of the MMDB file."""
    v4 = [subnet for network in DOCUMENTATION for subnet in ipaddress.ip_network(network).subnets(new_prefix=29)]
    v6 = DOCUMENTATION_V6.subnets(new_prefix=48)
    for country, subnet, subnet_v6 in zip(COUNTRIES, v4, v6, strict=False):
        yield str(subnet), country
        yield str(subnet_v6), country


def server_ip(host: str, country: str, *, v6: bool = False) -> str:
    """Return the IP address of a host; several hosts share one, as on the web."""
    if not country:
        return UNLISTED_IP
    networks = [network for network, network_country in country_networks() if network_country == country]
    network = ipaddress.ip_network(networks[v6])
    return str(network[1 + hash_number("address", host) % IPS_PER_NETWORK])


def url_path(site: Site, language: Language, position: int, topic: int) -> str:
    """Return the path of a page by its position on the site; the first one is the front page."""
    is_multilingual = len(site.labels) > 1
    is_front_page = position == 0
    if site.path == "query":
        return f"/?lang={language.tag}" + ("" if is_front_page else f"&page={position + 1}")
    folder = (
        f"/{language.tag.lower()}/"
        if is_multilingual and (language.label != site.labels[0] or not is_front_page)
        else "/"
    )
    if is_front_page:
        return folder
    heading = language.headings[topic]
    if site.path == "native":
        return folder + quote(heading.lower().replace(" ", "-"))
    if site.path == "number" or not (slug := _slug(heading)):
        return f"{folder}{position + 1}.html"
    return folder + slug + (".html" if site.style == "old" else "")


def _slug(heading: str) -> str:
    plain = unicodedata.normalize("NFKD", heading.lower().translate(SPELLINGS))
    return re.sub(r"[^a-z0-9]+", "-", plain.encode("ascii", "ignore").decode()).strip("-")
