"""The demo crawl: written again it is the same, it holds what examples/README.md promises, and its truth is what is found."""

from __future__ import annotations

import base64
import hashlib
import io
import ipaddress
import re
import subprocess
import sys
import zlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.cases import rows
from webtongue import Identifier

warcio = pytest.importorskip("warcio.archiveiterator", reason="warcio (extra dev) reads the records")

EXAMPLES = Path(__file__).parents[1] / "examples"
FILES = ("crawl.warc.gz", "crawl.mmdb", "crawl.jsonl")
TRUTH = rows(EXAMPLES / "crawl.jsonl")
WHOLE = [row for row in TRUTH if row.get("problem") not in {"damaged", "bad_http"}]
PAGES = [row for row in WHOLE if row.get("label") and not row.get("problem")]
SHORT = [row for row in PAGES if row["tests"].startswith("a word or two")]
DOCUMENTATION = [
    ipaddress.ip_network(n) for n in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
]
# Names under "example", as RFC 2606 has it, and under the country codes and others that the examples use.
HOST = re.compile(
    r"([a-z0-9-]+\.)*example(\.(com|org|net|[a-z]{2}|(com?|ne|in|maori)\.[a-z]{2}|cat|gal|eus|frl|scot|cymru))?"
)
# What is answered otherwise than the truth has it, and why.
KNOWN = {
    "https://town.example.org/robots.txt": "the words of robots.txt are English ones, so it is not seen to be no language",
    "https://gorod.example.ru/robots.txt": "the same, and the address speaks for Russian",
}


@dataclass(frozen=True)
class Read:
    """A record as warcio reads it."""

    kind: str
    url: str
    ip: str
    status: int
    digest: str
    headers: dict[str, str]
    body: bytes


Page = tuple[dict[str, Any], Read, bytes]  # the truth, the record, its body with codings undone


@pytest.fixture(scope="module")
def archive() -> bytes:
    return (EXAMPLES / "crawl.warc.gz").read_bytes()


@pytest.fixture(scope="module")
def records(archive: bytes) -> dict[int, Read]:
    """Every record that is no broken one, by its offset."""
    return {row["offset"]: read(archive[row["offset"] : row["offset"] + row["length"]]) for row in WHOLE}


def read(stored: bytes) -> Read:
    record = next(iter(warcio.ArchiveIterator(io.BytesIO(stored))))
    http = record.http_headers
    headers = dict(http.headers) if http else {"Content-Type": record.rec_headers.get_header("Content-Type")}
    return Read(
        kind=record.rec_type,
        url=record.rec_headers.get_header("WARC-Target-URI"),
        ip=record.rec_headers.get_header("WARC-IP-Address") or "",
        status=int(http.get_statuscode()) if http else 0,
        digest=record.rec_headers.get_header("WARC-Payload-Digest") or "",
        headers=headers,
        body=record.raw_stream.read(),
    )


def payload(found: Read) -> bytes:
    """A body with its codings undone, where they are there."""
    body, coding = unchunked(found), found.headers.get("Content-Encoding")
    if coding == "br":
        return bytes(pytest.importorskip("brotli").decompress(body))
    if coding == "zstd":
        return bytes(pytest.importorskip("zstandard").ZstdDecompressor().decompress(body))
    if coding == "gzip" and body.startswith(b"\x1f\x8b"):
        return zlib.decompress(body, 31)
    if coding == "deflate":
        return zlib.decompress(body, 15 if body[0] & 15 == 8 else -15)
    return body


def unchunked(found: Read) -> bytes:
    """A body without the marks of chunks, where they are there."""
    size, body, out, at = re.compile(rb"([0-9a-f]+)\r\n"), found.body, b"", 0
    if found.headers.get("Transfer-Encoding") != "chunked" or not size.match(body):
        return body
    while match := size.match(body, at):
        end = match.end() + int(match[1], 16)
        out, at = out + body[match.end() : end], end + 2
    return out


@pytest.fixture(scope="module")
def pages(records: dict[int, Read]) -> list[Page]:
    return [(row, records[row["offset"]], payload(records[row["offset"]])) for row in PAGES]


def columns(pages: list[Page]) -> dict[str, list[Any]]:
    return {
        "raw": [body for _, _, body in pages],
        "url": [found.url for _, found, _ in pages],
        "headers": [found.headers for _, found, _ in pages],
        "ip": [found.ip for _, found, _ in pages],
    }


@pytest.fixture(scope="module")
def answers(pages: list[Page]) -> dict[str, Any]:
    pytest.importorskip("maxminddb", reason="countries need the extra geo")
    return Identifier(geo=EXAMPLES / "crawl.mmdb").identify_batch(columns(pages))


def test_the_script_writes_the_same_bytes(tmp_path: Path) -> None:
    if "ng" in zlib.ZLIB_RUNTIME_VERSION:
        pytest.skip("zlib-ng packs the same records into other bytes")
    subprocess.run([sys.executable, EXAMPLES / "make_crawl.py", "--out", tmp_path], check=True, capture_output=True)
    assert [name for name in FILES if (tmp_path / name).read_bytes() != (EXAMPLES / name).read_bytes()] == []


def test_size() -> None:
    assert (EXAMPLES / "crawl.warc.gz").stat().st_size < 700_000


def test_it_holds_what_is_promised() -> None:
    html = [row for row in PAGES if len(row["label"]) > 3 and row.get("status") == 200]
    assert len(TRUTH) >= 650
    assert len(html) >= 600
    assert len({row["label"].partition("_")[0] for row in html}) >= 90
    assert len({row["label"].partition("_")[2] for row in html}) >= 25
    assert len({row["encoding"] for row in PAGES if "encoding" in row}) >= 30
    assert len({row["country"] for row in TRUTH if "country" in row}) >= 85
    assert {row["record"] for row in TRUTH} == {"response", "revisit", "resource", "conversion", "damaged"}
    assert {row.get("status") for row in TRUTH} >= {200, 301, 302, 308, 403, 404, 500, 503}
    assert {row.get("problem") for row in TRUTH} == {
        None,
        "damaged",
        "bomb",
        "bad_http",
        "bad_coding",
        "unknown_coding",
    }
    assert {row["label"] for row in PAGES} >= {"und", "zxx", "mul"}
    assert min(Counter(row["label"] for row in html).values()) >= 2


def test_the_readme_counts_right() -> None:
    found = [row for row in PAGES if len(row["label"]) > 3 and row.get("status") == 200]
    labels = {row["label"] for row in found}
    languages, scripts = ({label.split("_")[part] for label in labels} for part in (0, 1))
    hosts = {urlsplit(row["url"]).hostname for row in TRUTH if row.get("url", "").startswith("http")}
    countries = {row["country"] for row in TRUTH if "country" in row}
    encodings = {row["encoding"] for row in TRUTH if "encoding" in row and "font" not in row["encoding"]}
    words = (
        f"{len(TRUTH)} captures of {len(hosts)} hosts with servers in {len(countries)} countries, "
        f"{(EXAMPLES / FILES[0]).stat().st_size / 1000:.0f} kB. {len(found)} pages of status 200 are in a language: "
        f"{len(languages)} languages, {len(labels)} labels, {len(scripts)} scripts, {len(encodings)} encodings and two fonts. "
        f"{sum(row.get('clear', False) for row in TRUTH)} captures are *clear*"
    )
    assert words in " ".join((EXAMPLES / "README.md").read_text("utf-8").split())


def test_every_language_file_is_whole() -> None:
    for path in sorted((EXAMPLES / "crawl" / "texts").glob("*.txt")):
        name, tag, menu, *lines = path.read_text("utf-8").splitlines()
        assert (name[:6], tag[:5], menu[:6]) == ("name: ", "tag: ", "menu: "), path.name
        assert len(lines) >= 4 and len(lines) % 2 == 0, path.name
        assert all(line.startswith("# ") for line in lines[::2]), path.name
        assert not any(line.startswith("#") or line != line.strip() or "\ufffd" in line for line in lines[1::2]), (
            path.name
        )


def test_addresses_are_nobodys(records: dict[int, Read]) -> None:
    for found in records.values():
        host = urlsplit(found.url.removeprefix("dns:")).hostname
        if host and not host.startswith("192.0.2."):
            assert HOST.fullmatch(host), found.url
        if found.ip not in {"", "localhost"}:
            assert any(ipaddress.ip_address(found.ip) in network for network in DOCUMENTATION), found.url


def test_warcio_reads_every_record(records: dict[int, Read]) -> None:
    for row in WHOLE:
        found = records[row["offset"]]
        assert (found.kind, found.url) == (row["record"], row["url"])
        assert found.status == row.get("status", 0) or found.url.startswith("dns:"), found.url
        if found.kind == "response" and "greedy" not in found.url:  # which claims the two line ends behind it too
            sent = hashlib.sha1(unchunked(found)).digest()
            assert found.digest == "sha1:" + base64.b32encode(sent).decode(), found.url


def test_records_follow_each_other(archive: bytes) -> None:
    """From one record of the truth to the next there is nothing but whole members: requests and the like."""
    ends = 0
    for row in TRUTH:
        between = archive[ends : row["offset"]]
        while between:
            unpacking = zlib.decompressobj(31)
            assert unpacking.decompress(between).startswith(b"WARC/1.1\r\nWARC-Type: ")
            assert unpacking.eof
            between = unpacking.unused_data
        ends = row["offset"] + row["length"]
    assert ends == len(archive)


def test_encodings_are_true(pages: list[Page]) -> None:
    for row, _, body in pages:
        if "encoding" in row and "font" not in row["encoding"] and not row["tests"].startswith("cut off"):
            body.decode({"windows-874": "cp874", "ibm866": "cp866"}.get(row["encoding"], row["encoding"]))


def test_a_bomb_is_one(records: dict[int, Read]) -> None:
    row = next(row for row in TRUTH if row.get("problem") == "bomb")
    assert len(payload(records[row["offset"]])) == 48 << 20
    assert row["length"] < 1000


def test_broken_records_are_broken(archive: bytes) -> None:
    broken = {
        row.get("url", ""): archive[row["offset"] : row["offset"] + row["length"]]
        for row in TRUTH
        if row.get("problem") == "damaged"
    }
    assert len(broken) == 3
    assert not broken[""].startswith(b"\x1f\x8b")
    with pytest.raises(zlib.error):
        zlib.decompress(broken["https://hurt.example.net/"], 31)
    assert b"Content-Length: about a page" in zlib.decompress(broken["https://words.example.net/"], 31)


def test_truth_is_found(pages: list[Page], answers: dict[str, Any]) -> None:
    """Every page but the shortest, which only a whole crawl can tell: no error that is not listed, none that is believed."""
    short = {row["url"] for row in SHORT}
    wrong = {
        row["url"]: label for (row, _, _), label in zip(pages, answers["label"], strict=True) if label != row["label"]
    }
    assert {url: label for url, label in wrong.items() if url not in short and url not in KNOWN} == {}
    assert set(KNOWN) <= set(wrong), "a known failure that is none any more"
    reliable = {row["url"] for (row, _, _), sure in zip(pages, answers["reliable"], strict=True) if sure}
    assert not reliable & set(wrong)
    clear = {row["url"] for row in PAGES if row.get("clear")}
    assert len(clear) >= 550 and len(clear - reliable) <= 0.05 * len(clear)


def test_languages_of_mixed_pages_are_found(pages: list[Page], answers: dict[str, Any]) -> None:
    for (row, _, _), found in zip(pages, answers["languages"], strict=True):
        if "languages" in row:
            assert {label for label, _ in found} == set(row["languages"]), row["url"]


def test_countries_are_found(pages: list[Page], answers: dict[str, Any]) -> None:
    for (row, _, _), country, reason in zip(pages, answers["country"], answers["reason"], strict=True):
        if reason not in {"binary", "media_type"}:  # of which nothing more is asked
            assert country == row.get("country", ""), row["url"]


def test_encodings_are_found(pages: list[Page], answers: dict[str, Any]) -> None:
    """By what they make of the bytes: two encodings that make the same are the same here."""
    for (row, _, body), found in zip(pages, answers["encoding"], strict=True):
        if row.get("clear") and found != row["encoding"]:
            assert body.decode(found, "replace") == body.decode(row["encoding"], "replace"), row["url"]


def test_short_pages_need_the_crawl(pages: list[Page], answers: dict[str, Any]) -> None:
    """Alone some are wrong and none is sure; with their hosts and the pages that link to them nearly all are right."""
    alone = [
        (row["label"] == label, sure)
        for (row, _, _), label, sure in zip(pages, answers["label"], answers["reliable"], strict=True)
        if row in SHORT
    ]
    assert len(alone) >= 50 and not any(sure for _, sure in alone)
    assert 0.5 < sum(right for right, _ in alone) / len(alone) < 0.8
    short = [page for page in pages if page[0] in SHORT]
    known = columns(short) | {
        "host": [hosts_of(row) for row, _, _ in short],
        "inlinks": [links_to(row, pages) for row, _, _ in short],
    }
    settled = Identifier(geo=EXAMPLES / "crawl.mmdb").identify_batch(known)["label"]
    right = [row["label"] == label for (row, _, _), label in zip(short, settled, strict=True)]
    assert sum(right) >= 0.95 * len(right)


def hosts_of(row: dict[str, Any]) -> dict[str, int]:
    host = urlsplit(row["url"]).hostname
    return dict(
        Counter(other["label"] for other in PAGES if other.get("clear") and urlsplit(other["url"]).hostname == host)
    )


def links_to(row: dict[str, Any], pages: list[Page]) -> list[dict[str, str]]:
    link = re.compile(b'<a href="' + re.escape(row["url"].encode()) + b'"')
    return [
        {"url": other["url"], "language": other["label"]}
        for other, _, body in pages
        if other.get("clear") and link.search(body)
    ]
