"""What is known of pages by country: the WARC files' own addresses, and the domains of labelled URLs.

    python bench/country.py --data ../shared/data [--geo FILE.mmdb]

First, pages with a country by their address and a language by their text, one an address and host: is it a language of the country?
Then, how far log P(country | language) / P(country), as the domains of labelled URLs have it, is from what three guesses at the
part of a language that is written in a country let expect: the speakers' share of the country's people, their number, their part
of what the country earns. Domains stand for servers here, so the pages of others that a country hosts are not in it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import webtongue
from webtongue import labels
from webtongue.hints.country import GENERIC_CODES, country_of_tld, languages_of
from webtongue.hints.geo import Geo, load_geo
from webtongue.hints.server import AT_HOME, HOSTING, MOST
from webtongue.hints.shares import web_powers

START = re.compile(rb"^WARC/1\.\d\r?\n", re.MULTILINE)
LEAST = 200  # bytes of a body: shorter ones say nothing
FEWEST = 100  # domains of a language
SMALLEST = 3e-4  # of all pages: countries with fewer have too few domains here
NONE_SEEN = 0.05  # the ratio of a language without a domain in the country


def unpacked(path: Path) -> bytes:
    """A file's bytes; of a damaged member of a gzip file what comes before the damage."""
    raw, out = path.read_bytes(), b""
    while raw[:2] == b"\x1f\x8b":
        stream = zlib.decompressobj(31)
        try:
            out += stream.decompress(raw)
        except zlib.error:
            break
        raw = stream.unused_data
    return out or raw


def responses(raw: bytes) -> Iterator[tuple[str, str, bytes]]:
    """Address, URL and body of the records that are answers of a server."""
    for record in START.split(raw)[1:]:
        head, _, rest = record.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode("utf-8", "replace").splitlines() if ": " in line)
        named = {name.lower(): value.strip() for name, value in fields.items()}
        http, _, body = rest.partition(b"\r\n\r\n")
        if named.get("warc-type") == "response" and "warc-ip-address" in named and http[:5] == b"HTTP/":
            yield named["warc-ip-address"], named.get("warc-target-uri", ""), plain(http.lower(), body)


def plain(head: bytes, body: bytes) -> bytes:
    """A body without its transfer and content encoding, as far as that is gzip."""
    if b"transfer-encoding: chunked" in head:
        body = re.sub(rb"(?:^|\r\n)[0-9a-fA-F]+\r\n", b"", body)
    if body[:2] == b"\x1f\x8b":
        try:
            body = gzip.decompress(body)
        except (OSError, EOFError, zlib.error):
            return b""
    return body


def pages(folder: Path, geo: Geo) -> Iterator[tuple[str, str, str]]:
    """Host, country and label of one page an address and host."""
    seen: set[tuple[str, str]] = set()
    for path in sorted(folder.glob("*/*")):
        if not path.is_file():
            continue
        for ip, url, body in responses(unpacked(path)):
            host, country = urlsplit(url).hostname or "", geo.locate(ip).country
            if (ip, host) in seen or not country or len(body) < LEAST:
                continue
            verdict = webtongue.identify(body)
            if verdict.reliable:
                seen.add((ip, host))
                yield host, country, verdict.label


def addresses(folder: Path, geo: Geo) -> None:
    counts = {True: Counter[bool](), False: Counter[bool]()}
    for host, country, label in pages(folder, geo):
        spoken = {one.label[:3]: one.official for one in sorted(languages_of(country), key=lambda one: one.official)}
        official = spoken.get(label[:3], False)
        counts[country in HOSTING][official] += 1
        print(
            f"{country}  {label}  {'official' if official else 'spoken' if label[:3] in spoken else 'foreign':8}  {host}"
        )
    for hosting, by in counts.items():
        kind = "hosting countries" if hosting else "other countries"
        print(f"{kind}: {by[True]} of {by.total()} pages in an official language of the country")
    print(geo.attribution)


def domains(path: Path) -> dict[tuple[str, str], float]:
    """P(country | language) of the domains with a country's code, one a language and domain, gold labels only."""
    seen: set[tuple[str, str]] = set()
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            _, language, quality, _, domain = line.rstrip("\n").split("\t")
            label = labels.parse(language)
            if quality == "gold" and label is not None:
                seen.add((labels.fold(label).language, domain))
    all_of = Counter(language for language, _ in seen)
    counts: Counter[tuple[str, str]] = Counter()
    for language, domain in seen:
        name = domain.rpartition(".")[2]
        if (
            all_of[language] >= FEWEST
            and language in web_powers()
            and name not in GENERIC_CODES
            and country_of_tld(name)
        ):
            counts[country_of_tld(name), language] += 1
    totals = Counter[str]()
    for (_, language), count in counts.items():
        totals[language] += count
    return {(country, language): count / totals[language] for (country, language), count in counts.items()}


def shares(country: str) -> dict[str, float]:
    out: dict[str, float] = {}
    for one in languages_of(country):
        out[one.label[:3]] = max(one.share, out.get(one.label[:3], 0.0))
    return out


def guessed(size: Callable[[str], float], countries: list[str]) -> Callable[[str, str], float]:
    """P(country | language) / P(country), of what is written at home, where a country writes as much as its size."""
    amounts = {(c, language): share * size(c) for c in countries for language, share in shares(c).items()}
    totals = Counter[str]()
    for (_, language), amount in amounts.items():
        totals[language] += amount
    served = Counter[str]()
    for (country, language), amount in amounts.items():
        served[country] += 10 ** web_powers().get(language, -math.inf) * amount / totals[language] if amount else 0
    return lambda c, language: amounts[c, language] / totals[language] / served[c] if served[c] else 0.0


def compare(data: Path) -> None:
    facts = json.loads((data / "geo" / "territoryInfo.json").read_text("utf-8"))["supplemental"]["territoryInfo"]
    countries = [country for country in facts if languages_of(country)]
    guesses = {
        "share of people": lambda c, language: (
            shares(c)[language] / sum(shares(c).values()) / 10 ** web_powers()[language]
        ),
        "speakers": guessed(lambda c: float(facts[c]["_population"]), countries),
        "earnings": guessed(lambda c: float(facts[c]["_gdp"]), countries),
    }
    found = domains(data / "url" / "train.tsv.xz")
    languages = sorted({language for _, language in found})
    weight = {language: 10 ** web_powers()[language] for language in languages}
    served = Counter[str]()
    for (country, language), part in found.items():
        served[country] += weight[language] / sum(weight.values()) * part
    errors: dict[tuple[str, bool], list[float]] = {}
    for country in sorted(country for country, share in served.items() if share >= SMALLEST):
        official = {one.label[:3] for one in languages_of(country) if one.official}
        for language in set(shares(country)) & set(languages):
            if not shares(country)[language]:
                continue
            seen = min(MOST, math.log(max(NONE_SEEN, found.get((country, language), 0.0) / served[country])))
            for name, guess in guesses.items():
                said = min(MOST, max(0.0, math.log(AT_HOME * guess(country, language) + 1 - AT_HOME)))
                errors.setdefault((name, language in official), []).append(said - seen)
    for (name, official), values in sorted(errors.items(), key=lambda item: not item[0][1]):
        size, mean = sum(map(abs, values)) / len(values), sum(values) / len(values)
        kind = "official" if official else "other"
        print(f"{kind:8}  {name:15}  {len(values):3} pairs  off by {size:.2f} nats, too much by {mean:+.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--geo", type=Path)
    arguments = parser.parse_args()
    geo = load_geo(arguments.geo)
    if geo is None:
        parser.error("no file of countries: pip install ./geo, or --geo FILE")
    addresses(arguments.data / "warc", geo)
    compare(arguments.data)


if __name__ == "__main__":
    main()
