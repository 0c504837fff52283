"""ARC files of both versions, with any compression, compared with warcio."""

from __future__ import annotations

import io

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.census.archive_records import arc, arc_record, http, member
from tests.census.read.helpers import captures, text
from webtongue.census.capture import Problem, Status

URL = "http://example.org/"


@pytest.mark.parametrize("version", [1, 2])
def test_a_record(version: int) -> None:
    data = arc([arc_record(URL, http(b"<p>Salve", status=404), version=version)])
    [result] = captures(data, "arc")
    assert (result.url, result.record_type, result.body, result.fetch_status) == (URL, "response", b"<p>Salve", 404)
    assert (result.ip, result.fetch_time, result.mime_type) == ("192.0.2.7", 1209588505000, "text/html")
    assert len(result.digest) == 32
    assert result.offset + result.length == len(data)


def test_records_equal_those_of_warcio_for_any_compression() -> None:
    records = [
        arc_record(f"{URL}{number}", http(text(number, 50 * number)), version=1 + number % 2) for number in range(20)
    ]
    plain = arc(records, gz=False)
    expected = [(f"{URL}{number}", text(number, 50 * number)) for number in range(20)]
    for data in (
        plain,
        arc(records),
        member(plain),
        b"".join(member(plain[at : at + 99]) for at in range(0, len(plain), 99)),
    ):
        assert [(capture.url, capture.body) for capture in captures(data, "arc")] == expected
    first = records[::2]  # warcio reads only version 1
    for data in (arc(first), arc(first, gz=False)):
        theirs = ArchiveIterator(io.BytesIO(data))
        result = [
            (each.rec_headers.get_header("uri"), each.content_stream().read(), theirs.get_record_offset())
            for each in theirs
            if each.rec_type == "response"
        ]
        assert [(capture.url, capture.body, capture.offset) for capture in captures(data, "arc")] == result


def test_irregular_record_lines_are_read() -> None:
    spaces = URL + "a b 20080430204825 c"
    records = [
        arc_record(spaces, http(b"<p>1")),
        arc_record(URL, http(b"<p>2"), mime="text/html; charset=utf-8"),
        arc_record(URL, http(b"<p>3"), mime=""),
        arc_record(URL, http(b"<p>4"), ip="-"),
        arc_record(URL, http(b"<p>5"), ip="2001:db8::1"),
        arc_record(URL, http(b"<p>6"), date="200804302048"),
    ]
    result = captures(arc(records, gz=False), "arc")
    assert [capture.body for capture in result] == [b"<p>%d" % number for number in range(1, 7)]
    assert result[0].url == spaces
    assert [capture.ip for capture in result[3:5]] == ["", "2001:db8::1"]


def test_records_without_a_page() -> None:
    records = [
        arc_record("dns:example.org", b"20080430204825\nexample.org. 60 IN A 192.0.2.7\n", "text/dns"),
        arc_record(URL, b"SSH-2.0-OpenSSH\r\n", "no-type"),
        arc_record(URL + "a.png", http(b"\x89PNG", {"Content-Type": "image/png"}), "image/png"),
    ]
    names, no_http, image = captures(arc(records), "arc")
    assert (names.status, names.fetch_status) == (Status.SKIPPED, 0)
    assert no_http.problem is Problem.BAD_HTTP
    assert (image.status, image.body) == (Status.SKIPPED, None)


def test_a_sample() -> None:
    data = arc([arc_record(f"{URL}{number}", http(b"page %d" % number)) for number in range(300)])
    few = captures(data, "arc", sample=0.1)
    assert 10 < len(few) < 60
    assert few == captures(data, "arc", sample=0.1)


def test_a_file_without_a_file_description_is_arc() -> None:
    """Such a file is a part of another one."""
    assert [capture.url for capture in captures(arc_record(URL, http(b"<p>")), "warc")] == [URL]
