"""Pages served from a country, and whether they are in a language of it: the WARC files' own addresses.

    python bench/country.py --data ../shared/data [--geo FILE.mmdb]

One page an address and host: ``pages`` are those with a language by their text and a country by their address.
"""

from __future__ import annotations

import argparse
import gzip
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import webtongue
from webtongue.hints.country import languages_of
from webtongue.hints.geo import Geo, load_geo
from webtongue.hints.server import HOSTING

START = re.compile(rb"^WARC/1\.\d\r?\n", re.MULTILINE)
LEAST = 200  # bytes of a body: shorter ones say nothing


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--geo", type=Path)
    arguments = parser.parse_args()
    geo = load_geo(arguments.geo)
    if geo is None:
        parser.error("no file of countries: pip install ./geo, or --geo FILE")
    counts = {True: [0, 0], False: [0, 0]}
    for host, country, label in pages(arguments.data / "warc", geo):
        own = any(one.label == label for one in languages_of(country))
        official = any(one.label == label and one.official for one in languages_of(country))
        counts[country in HOSTING][official] += 1
        print(f"{country}  {label}  {'official' if official else 'spoken' if own else 'foreign':8}  {host}")
    for hosting, (other, official) in counts.items():
        kind = "hosting countries" if hosting else "other countries"
        print(f"{kind}: {official} of {official + other} pages in an official language of the country")
    print(geo.attribution)


if __name__ == "__main__":
    main()
