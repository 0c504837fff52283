"""WARC files: captures of records, for any compression and any range of a file."""

from __future__ import annotations

import base64
import hashlib
import io
import random
from itertools import pairwise
from pathlib import Path

import pytest
import zstandard
from warcio.archiveiterator import ArchiveIterator

from tests.census.archive_records import (
    conversion,
    http,
    member,
    record,
    request,
    resource,
    response,
    revisit,
    warc,
    warcinfo,
    zst,
)
from tests.census.read.helpers import captures, crawl, text
from webtongue.census.capture import Capture, Problem, Status
from webtongue.census.config import Config
from webtongue.census.items import Source
from webtongue.census.read import read

URL = "https://example.org/a"


def only(data: bytes, **config: object) -> Capture:
    [result] = captures(data, **config)
    return result


def test_a_response() -> None:
    body = "<p>Góðan dag".encode()
    headers = {"content-TYPE": "Text/HTML; charset=utf-8", "Content-Language": "is", "X-Other": "no"}
    packed = warc([response(URL, body, headers, 404, "192.0.2.9", payload_digest="sha1:ABC")])
    result = only(packed)
    assert (result.url, result.record_type, result.body, result.fetch_status) == (URL, "response", body, 404)
    assert result.headers == {"content-type": "Text/HTML; charset=utf-8", "content-language": "is"}
    assert (result.mime_type, result.ip, result.digest) == ("text/html", "192.0.2.9", "ABC")
    assert (result.fetch_time, result.filename, result.offset, result.length) == (1716004800000, "x", 0, len(packed))
    assert (result.status, result.problem, result.truncated, result.is_text) == (
        Status.IDENTIFIED,
        Problem.NONE,
        "",
        False,
    )


def test_resource_conversion_and_revisit_records() -> None:
    records = [
        warcinfo(),
        request(URL),
        record("metadata", b"via: x\r\n", URL, "application/warc-fields"),
        resource(URL + "/r", b"<p>r"),
        conversion(URL + "/c", "ein Text", block_digest="sha1:DEF"),
        revisit(URL + "/v", payload_digest="sha1:GHI"),
    ]
    of_resource, of_text, of_revisit = captures(warc(records))
    assert (of_resource.record_type, of_resource.body, of_resource.mime_type) == ("resource", b"<p>r", "text/html")
    assert (of_text.record_type, of_text.body, of_text.is_text, of_text.digest) == (
        "conversion",
        b"ein Text",
        True,
        "DEF",
    )
    assert (of_revisit.status, of_revisit.body, of_revisit.digest) == (Status.REVISIT, None, "GHI")
    assert of_revisit.fetch_status == 200


def test_the_digest_is_stated_or_that_of_the_raw_body() -> None:
    body = b"5\r\nhello\r\n0\r\n\r\n"
    chunked = {"Content-Type": "text/html", "Transfer-Encoding": "chunked"}
    expected = base64.b32encode(hashlib.sha1(body).digest()).decode()
    assert only(warc([response(URL, body, chunked)])).digest == expected
    assert only(warc([response(URL, body, payload_digest="sha256:abc")])).digest == "sha256:abc"
    assert only(warc([response(URL, body, payload_digest="SHA1:ABC")])).digest == "ABC"


def test_types_without_text_are_skipped() -> None:
    for mime in ("image/png", "application/pdf", "video/mp4", "text/css", "application/zip"):
        result = only(warc([response(URL, b"\x89PNG", {"Content-Type": mime})]))
        assert (result.status, result.body, result.mime_type) == (Status.SKIPPED, None, mime)
    octets = {"Content-Type": "application/octet-stream"}
    assert only(warc([response(URL + ".iso?x=1", b"CD001", octets)])).status is Status.SKIPPED
    assert only(warc([response(URL, b"<p>", octets)])).body == b"<p>"
    assert only(warc([response(URL + ".zip", b"<p>", {})])).body == b"<p>"  # the identifier decides
    assert (
        only(warc([record("response", b"20240518\nexample.org. A", "dns:example.org", "text/dns")])).status
        is Status.SKIPPED
    )


def test_urls_in_brackets_and_fields_in_any_case() -> None:
    assert only(warc([response(f"<{URL}>")])).url == URL
    shouting = (
        response(URL).replace(b"WARC-Target-URI", b"warc-target-uri").replace(b"WARC-IP-Address", b"WARC-Ip-ADDRESS")
    )
    assert (only(warc([shouting])).url, only(warc([shouting])).ip) == (URL, "192.0.2.7")
    folded = response(URL).replace(b"WARC-Target-URI: ", b"WARC-Target-URI:\r\n  ")
    assert [only(warc([folded], gz)).url for gz in (True, False)] == [URL, URL]
    assert [capture.url for capture in captures(warc([folded] * 3))] == [URL] * 3


def test_bare_line_feeds_end_lines() -> None:
    """Some tools write such files, and fastwarc skips them silently."""
    good = [response(f"{URL}/{number}") for number in range(3)]
    fed = b"".join(
        response(f"{URL}/lf").partition(b"\r\n\r\n")[0].replace(b"\r\n", b"\n") + b"\n\n" + http(b"<p>Salve") + b"\n\n"
        for _ in "x"
    )
    for records in ([fed], [*good, fed], [good[0], fed, good[1], good[2]]):
        for gz in (True, False):
            result = captures(warc(records, gz))
            assert len(result) == len(records)
            assert all(capture.body == b"<p>Salve" and not capture.problem for capture in result)


def test_truncation_is_reported() -> None:
    assert only(warc([response(URL, truncated="length")])).truncated == "length"
    assert only(warc([response(URL, truncated="")])).truncated == "unspecified"
    assert only(warc([response(URL, segment_number=1)])).truncated == "unspecified"
    assert only(warc([response(URL, b"x" * 3000)]), max_page_bytes=2000).truncated == "length"
    assert only(warc([response(URL, b"x" * 3000)]), max_page_bytes=2000).body == b"x" * 2000


def test_a_response_without_http_is_a_problem() -> None:
    for content in (b"", b"SSH-2.0-OpenSSH\r\n", b"<p>no head", b"HTTP/1.1 abc\r\n\r\n"):
        result = only(warc([record("response", content, URL, "application/http; msgtype=response")]))
        assert (result.status, result.problem, result.body) == (Status.FAILED, Problem.BAD_HTTP, None)


def test_a_sample_is_chosen_by_digest() -> None:
    records = [response(f"{URL}/{number}", b"page %d" % number) for number in range(400)]
    records += [response(f"{URL}/again/{number}", b"page %d" % number) for number in range(400)]
    whole = {capture.digest for capture in captures(warc(records))}
    tenth = captures(warc(records), sample=0.1)
    assert 20 < len(tenth) // 2 < 70
    assert {capture.digest for capture in tenth[: len(tenth) // 2]} == {
        capture.digest for capture in tenth[len(tenth) // 2 :]
    }
    assert (
        {capture.digest for capture in tenth}
        < {capture.digest for capture in captures(warc(records), sample=0.5)}
        < whole
    )
    given = warc([response(f"{URL}/{number}", payload_digest=f"sha1:{number}") for number in range(400)])
    few = captures(given, sample=0.1)
    assert 20 < len(few) < 70
    assert few == [capture for capture in captures(given) if capture.digest in {each.digest for each in few}]


def bodies(result: list[Capture]) -> list[tuple[str, bytes | None, str]]:
    return [(capture.url, capture.body, str(capture.problem)) for capture in result]


@pytest.fixture(scope="module")
def records() -> list[bytes]:
    return crawl()


@pytest.fixture(scope="module")
def expected(records: list[bytes]) -> list[tuple[str, bytes | None, str]]:
    result = bodies(captures(warc(records)))
    assert [url for url, _, _ in result] == [f"https://example.org/{number}" for number in range(12)]
    assert all(body and body.startswith(b"<p>page") for _, body, _ in result)
    return result


def test_records_do_not_depend_on_compression(
    records: list[bytes], expected: list[tuple[str, bytes | None, str]]
) -> None:
    plain = warc(records, gz=False)
    dictionary = zstandard.train_dictionary(
        4096, [record[at : at + 200] for record in records for at in range(0, 3000, 100)]
    ).as_bytes()
    halves = [plain[at : at + 1000] for at in range(0, len(plain), 1000)]
    odd = b"".join(member(each) + (member(b"") if number % 3 == 0 else b"") for number, each in enumerate(records))
    extra = b"".join(
        b"\x1f\x8b\x08\x04" + each[4:10] + b"\x06\x00sl\x02\x00ab" + each[10:] for each in map(member, records)
    )
    files = {
        "plain": plain,
        "as a whole": member(plain),
        "cut anywhere": b"".join(map(member, halves)),
        "empty members": odd,
        "gzip with extra fields": extra,
        "two at a time": b"".join(member(b"".join(records[at : at + 2])) for at in range(0, len(records), 2)),
        "without line ends": b"".join(member(each.removesuffix(b"\r\n\r\n")) for each in records),
        "zstd": zst(records),
        "zstd as a whole": zst([plain]),
        "zstd with a dictionary": zst(records, dictionary),
        "zstd with a packed dictionary": zst(records, dictionary, packed=True),
    }
    assert {name: bodies(captures(data)) for name, data in files.items()} == dict.fromkeys(files, expected)


@pytest.mark.parametrize("gz", [True, False])
def test_offsets_and_lengths_equal_those_of_warcio(records: list[bytes], gz: bool) -> None:
    """By the standard, the two line ends after a record belong to it; warcio excludes them in plain files."""
    data = warc(records, gz)
    theirs = []
    archive = ArchiveIterator(io.BytesIO(data))
    for each in archive:
        if each.rec_type == "response":
            archive.read_to_end(each)
            theirs.append((archive.get_record_offset(), archive.get_record_length() + (0 if gz else 4)))
    assert [(capture.offset, capture.length) for capture in captures(data)] == theirs


def test_any_ranges_give_every_record_once() -> None:
    """Also if a range starts within damage, and if a page contains bytes that look like a member."""
    good = [
        *crawl(20),
        response("https://example.org/odd", b"<p>\x1f\x8b\x08\x00" * 20),
        response("https://example.org/last"),
    ]
    data = warc(good)
    broken = bytearray(data)
    for place in (2000, 2001, len(data) // 2):
        broken[place] ^= 0x55
    broken[len(data) // 3 : len(data) // 3] = b"no member at all" * 30
    chosen = random.Random(1)
    for file in (data, bytes(broken)):
        whole = captures(file)
        for parts in (2, 3, 7, 40):
            for _ in range(8):
                cuts = sorted({0, len(file), *(chosen.randrange(1, len(file)) for _ in range(parts - 1))})
                result = [c for begin, end in pairwise(cuts) for c in captures(file, begin=begin, end=end)]
                assert result == whole


def test_ranges_can_start_at_a_member() -> None:
    records = crawl(4)
    sizes = [len(member(each)) for each in records]
    data = warc(records)
    for cut in (sum(sizes[:3]), sum(sizes[:3]) + 1, sum(sizes[:3]) - 1):
        assert captures(data, end=cut) + captures(data, begin=cut, end=len(data)) == captures(data)


def test_the_format_is_detected_by_content(tmp_path: Path) -> None:
    path = tmp_path / "a.arc.gz"
    path.write_bytes(warc([response(URL)]))
    assert [capture.url for capture in read(Source(str(path), "arc"), Config())] == [URL]


def test_both_readers_give_equal_captures() -> None:
    """The last record is read by RecordReader, the others by fastwarc: both must give the same capture."""
    odd = [
        response(URL, text(1, 3000), {"Content-Type": "text/html"}, 301),
        response(URL, b"", {}),
        resource(URL, b"\x00\x01", "application/x-unknown"),
        revisit(URL, refers_to_target_uri=URL),
        conversion(URL, "text", "application/json"),
        record("response", b"", URL, "text/dns"),
        record("response", http(b"<p>no type"), URL),
        record("resource", http(b"<p>http within"), URL, "application/http"),
        record("RESPONSE", http(b"<p>loud"), URL, "application/http"),
    ]
    for each in odd:
        for gz in (True, False):
            first, last = (
                captures(warc(records, gz))[which] for records, which in (([each, warcinfo()], 0), ([each], -1))
            )
            assert first == last
