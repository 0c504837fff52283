"""Languages of pages by country: by the servers of WARC files, and by the domains of labelled URLs.

    python bench/country.py --data ../shared/data [--geo FILE.mmdb]

First, pages with a country by IP address and a language by text, one for each address and host: is it a language of the country?
Then, log P(country | language) / P(country) of the domains of labelled URLs, beside three estimates of how much of a language is
written in a country: by the share of speakers in its population, by their number, and by their part of its GDP.
Domains stand for servers here, so that pages of others that a country hosts are not counted.
"""

from __future__ import annotations

import gzip
import json
import lzma
import math
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from common import options_parser

import webtongue
from webtongue import labels
from webtongue.evidence.country import HOME_SHARE, HOSTING_COUNTRIES, MAX_NATS
from webtongue.evidence.geo import Geo, load_geo
from webtongue.reference.countries import GENERIC_CODES, country_of_tld, languages_of
from webtongue.reference.web_shares import web_powers

RECORD_START = re.compile(rb"^WARC/1\.\d\r?\n", re.MULTILINE)
MIN_BODY_BYTES = 200  # shorter bodies are ignored
MIN_DOMAINS = 100  # languages with fewer domains are ignored
MIN_COUNTRY_SHARE = 3e-4  # of all pages; countries with fewer have too few domains
RATIO_WITHOUT_DOMAIN = 0.05  # of a language without a domain in the country


def decompress_file(path: Path) -> bytes:
    """Return the content of a file; of a gzip file with a damaged member, what precedes the damage."""
    raw, content = path.read_bytes(), b""
    while raw[:2] == b"\x1f\x8b":
        stream = zlib.decompressobj(31)
        try:
            content += stream.decompress(raw)
        except zlib.error:
            break
        raw = stream.unused_data
    return content or raw


def iter_responses(raw: bytes) -> Iterator[tuple[str, str, bytes]]:
    """Yield IP address, URL and body of the response records."""
    for record in RECORD_START.split(raw)[1:]:
        head, _, rest = record.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode("utf-8", "replace").splitlines() if ": " in line)
        headers = {name.lower(): value.strip() for name, value in fields.items()}
        http, _, body = rest.partition(b"\r\n\r\n")
        if headers.get("warc-type") == "response" and "warc-ip-address" in headers and http[:5] == b"HTTP/":
            yield headers["warc-ip-address"], headers.get("warc-target-uri", ""), decode_body(http.lower(), body)


def decode_body(head: bytes, body: bytes) -> bytes:
    """Return a body without chunked transfer encoding and gzip."""
    if b"transfer-encoding: chunked" in head:
        body = re.sub(rb"(?:^|\r\n)[0-9a-fA-F]+\r\n", b"", body)
    if body[:2] == b"\x1f\x8b":
        try:
            body = gzip.decompress(body)
        except (OSError, EOFError, zlib.error):
            return b""
    return body


def iter_pages(folder: Path, geo: Geo) -> Iterator[tuple[str, str, str]]:
    """Yield host, country and label of one page for each IP address and host."""
    seen: set[tuple[str, str]] = set()
    for path in sorted(folder.glob("*/*")):
        if not path.is_file():
            continue
        for ip, url, body in iter_responses(decompress_file(path)):
            host, country = urlsplit(url).hostname or "", geo.locate(ip).country
            if (ip, host) in seen or not country or len(body) < MIN_BODY_BYTES:
                continue
            verdict = webtongue.identify(body)
            if verdict.reliable:
                seen.add((ip, host))
                yield host, country, verdict.label


def report_servers(folder: Path, geo: Geo) -> None:
    counts = {True: Counter[bool](), False: Counter[bool]()}
    for host, country, label in iter_pages(folder, geo):
        official_by_language = {
            entry.label[:3]: entry.official for entry in sorted(languages_of(country), key=lambda entry: entry.official)
        }
        is_official = official_by_language.get(label[:3], False)
        counts[country in HOSTING_COUNTRIES][is_official] += 1
        kind = "official" if is_official else "spoken" if label[:3] in official_by_language else "foreign"
        print(f"{country}  {label}  {kind:8}  {host}")
    for hosting, by_official in counts.items():
        kind = "hosting countries" if hosting else "other countries"
        print(f"{kind}: {by_official[True]} of {by_official.total()} pages in an official language of the country")
    print(geo.attribution)


def country_shares(path: Path) -> dict[tuple[str, str], float]:
    """Return P(country | language) of the domains with a country code, each counted once for a language, gold labels only."""
    pairs: set[tuple[str, str]] = set()
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            _, language, quality, _, domain = line.rstrip("\n").split("\t")
            label = labels.parse(language)
            if quality == "gold" and label is not None:
                pairs.add((labels.fold(label).language, domain))
    domains_by_language = Counter(language for language, _ in pairs)
    counts: Counter[tuple[str, str]] = Counter()
    for language, domain in pairs:
        name = domain.rpartition(".")[2]
        if (
            domains_by_language[language] >= MIN_DOMAINS
            and language in web_powers()
            and name not in GENERIC_CODES
            and country_of_tld(name)
        ):
            counts[country_of_tld(name), language] += 1
    totals = Counter[str]()
    for (_, language), count in counts.items():
        totals[language] += count
    return {(country, language): count / totals[language] for (country, language), count in counts.items()}


def speaker_shares(country: str) -> dict[str, float]:
    shares: dict[str, float] = {}
    for entry in languages_of(country):
        shares[entry.label[:3]] = max(entry.share, shares.get(entry.label[:3], 0.0))
    return shares


def estimate_by_size(size: Callable[[str], float], countries: list[str]) -> Callable[[str, str], float]:
    """Return P(country | language) / P(country) if each country writes as much as its size says."""
    amounts = {(c, language): share * size(c) for c in countries for language, share in speaker_shares(c).items()}
    totals: defaultdict[str, float] = defaultdict(float)
    for (_, language), amount in amounts.items():
        totals[language] += amount
    country_totals: defaultdict[str, float] = defaultdict(float)
    for (country, language), amount in amounts.items():
        country_totals[country] += (
            10 ** web_powers().get(language, -math.inf) * amount / totals[language] if amount else 0
        )
    return lambda c, language: amounts[c, language] / totals[language] / country_totals[c] if country_totals[c] else 0.0


def report_estimates(data: Path) -> None:
    facts = json.loads((data / "geo" / "territoryInfo.json").read_text("utf-8"))["supplemental"]["territoryInfo"]
    countries = [country for country in facts if languages_of(country)]
    estimates = {
        "share of people": lambda c, language: (
            speaker_shares(c)[language] / sum(speaker_shares(c).values()) / 10 ** web_powers()[language]
        ),
        "speakers": estimate_by_size(lambda c: float(facts[c]["_population"]), countries),
        "earnings": estimate_by_size(lambda c: float(facts[c]["_gdp"]), countries),
    }
    measured = country_shares(data / "url" / "train.tsv.xz")
    languages = sorted({language for _, language in measured})
    weight = {language: 10 ** web_powers()[language] for language in languages}
    country_totals: defaultdict[str, float] = defaultdict(float)
    for (country, language), share in measured.items():
        country_totals[country] += weight[language] / sum(weight.values()) * share
    errors: dict[tuple[str, bool], list[float]] = {}
    for country in sorted(country for country, share in country_totals.items() if share >= MIN_COUNTRY_SHARE):
        official = {entry.label[:3] for entry in languages_of(country) if entry.official}
        for language in set(speaker_shares(country)) & set(languages):
            if not speaker_shares(country)[language]:
                continue
            ratio = measured.get((country, language), 0.0) / country_totals[country]
            measured_nats = min(MAX_NATS, math.log(max(RATIO_WITHOUT_DOMAIN, ratio)))
            for name, estimate in estimates.items():
                nats = math.log(HOME_SHARE * estimate(country, language) + 1 - HOME_SHARE)
                estimated_nats = min(MAX_NATS, max(0.0, nats))
                errors.setdefault((name, language in official), []).append(estimated_nats - measured_nats)
    for (name, is_official), values in sorted(errors.items(), key=lambda item: not item[0][1]):
        mean_size, mean = sum(map(abs, values)) / len(values), sum(values) / len(values)
        kind = "official" if is_official else "other"
        print(f"{kind:8}  {name:15}  {len(values):3} pairs  off by {mean_size:.2f} nats, too much by {mean:+.2f}")


def main() -> None:
    parser = options_parser(__doc__)
    parser.add_argument("--geo", type=Path, help="IP-to-country file in MMDB format (default: that of the package)")
    options = parser.parse_args()
    geo = load_geo(options.geo)
    if geo is None:
        parser.error("no IP-to-country file: install the package in geo/ or give --geo FILE")
    report_servers(options.data / "warc", geo)
    report_estimates(options.data)


if __name__ == "__main__":
    main()
