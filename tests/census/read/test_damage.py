"""Damaged archives raise no exception, intact records around damage are read, and damage is reported once with its offset."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.census.archive_records import arc_record, http, member, record, response, warc, warcinfo, zst
from tests.census.read.helpers import captures, crawl, text
from webtongue.census.capture import Capture, Problem, Status

URL = "https://example.org/"
Pack = Callable[[bytes], bytes]
PACKINGS: dict[str, Pack] = {"gzip": member, "plain": bytes, "zstd": lambda each: zst([each])}


def arc_crawl(pages: int, seed: int) -> list[bytes]:
    sizes = random.Random(seed).choices((0, 10, 300, 5000, 70_000), k=pages)
    return [
        arc_record(f"{URL}{number}", http(b"<p>page %d " % number + text(seed + number, size)), version=1 + number % 2)
        for number, size in enumerate(sizes)
    ]


def flip_bit(data: bytearray, at: int, chosen: random.Random) -> tuple[int, int]:
    data[at] ^= 1 << chosen.randrange(8)
    return at + 1, 0


def overwrite(data: bytearray, at: int, chosen: random.Random) -> tuple[int, int]:
    end = min(at + chosen.randrange(1, 50), len(data))
    data[at:end] = chosen.randbytes(end - at)
    return end, 0


def zero(data: bytearray, at: int, chosen: random.Random) -> tuple[int, int]:
    end = min(at + chosen.randrange(1, 3000), len(data))
    data[at:end] = bytes(end - at)
    return end, 0


def delete(data: bytearray, at: int, chosen: random.Random) -> tuple[int, int]:
    end = min(at + chosen.randrange(1, 3000), len(data))
    del data[at:end]
    return end, at - end


def insert(data: bytearray, at: int, chosen: random.Random) -> tuple[int, int]:
    noise = chosen.randbytes(chosen.randrange(1, 3000))
    data[at:at] = noise
    return at + 1, len(noise)


def truncate(data: bytearray, at: int, chosen: random.Random) -> tuple[int, int]:
    end = len(data)
    del data[at:]
    return end, 0


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("form", ["warc", "arc"])
def test_undamaged_records_are_read(form: str, packing: str) -> None:
    """Each damage function returns the end of the changed bytes and the shift of the rest. Every record without a changed byte must
    give the same capture, at its offset, once."""
    for seed in range(60):
        chosen = random.Random(seed)
        records = (
            crawl(8, seed)
            if form == "warc"
            else [arc_record("filedesc://a.arc", b"1 0 x\n", "text/plain"), *arc_crawl(8, seed)]
        )
        parts = [PACKINGS[packing](each) for each in records]
        data = bytearray(b"".join(parts))
        good = {capture.offset: capture for capture in captures(bytes(data), form)}
        assert len(good) == 8
        begin = chosen.randrange(len(data))
        damage_function = chosen.choice((flip_bit, flip_bit, overwrite, zero, delete, insert, truncate))
        end, moved = damage_function(data, begin, chosen)
        result = captures(bytes(data), form)
        by_place = {capture.offset: capture for capture in result if capture.record_type != "damaged"}
        assert len(by_place) == sum(capture.record_type != "damaged" for capture in result), (seed, damage_function)
        at = 0
        for part in parts:
            touched = at < end and at + len(part) > begin
            if at in good and not touched:
                place = at if at + len(part) <= begin else at + moved
                assert by_place[place].body == good[at].body, (seed, damage_function)
            at += len(part)


@pytest.mark.parametrize("gz", [True, False])
def test_damaged_bytes_are_reported_once_with_their_offset(gz: bool) -> None:
    parts = [member(each) if gz else each for each in crawl(6)]
    for index in (0, 2, 4, len(parts)):
        at = sum(map(len, parts[:index]))
        noise = b"these bytes are no record\n" * 9
        result = captures(b"".join(parts[:index]) + noise + b"".join(parts[index:]))
        [damage] = [capture for capture in result if capture.record_type == "damaged"]
        assert (damage.offset, damage.length, damage.problem) == (at, len(noise), Problem.DAMAGED)
        assert (damage.status, damage.filename, damage.url) == (Status.FAILED, "x", "")
        assert len(result) == 7


def test_a_damaged_member_keeps_its_url() -> None:
    packed = [member(response(f"{URL}{number}", text(number, 9000))) for number in range(3)]
    damage_functiont = bytearray(packed[1])
    damage_functiont[len(damage_functiont) // 2] ^= 0x40
    first, damage, last = captures(packed[0] + bytes(damage_functiont) + packed[2])
    assert (first.url, last.url) == (f"{URL}0", f"{URL}2")
    assert (damage.record_type, damage.url, damage.offset, damage.length) == (
        "damaged",
        f"{URL}1",
        len(packed[0]),
        len(damage_functiont),
    )
    assert damage.detail.startswith("damaged gzip")


def test_a_wrong_checksum_is_damage() -> None:
    packed = [member(response(f"{URL}{number}", text(number, 200_000))) for number in range(2)]
    for index in (0, 1):
        damage_functiont = [bytearray(each) for each in packed]
        damage_functiont[index][-6] ^= 1
        result = captures(b"".join(map(bytes, damage_functiont)))
        assert [capture.record_type for capture in result] == [
            "damaged" if at == index else "response" for at in (0, 1)
        ]


def lying(length: object, url: str = URL + "lie", body: bytes = b"<p>Salve") -> bytes:
    return response(url, body, content_length=length)


@pytest.mark.parametrize("gz", [True, False])
@pytest.mark.parametrize(
    "length", [0, 20, 60, 4000, 10**8, 10**17, 10**30, -1, "very lengthy", "", None, "0x20", "+60"]
)
def test_a_wrong_length_affects_no_other_record(length: object, gz: bool) -> None:
    good = [response(f"{URL}{number}", text(number, 500)) for number in range(6)]
    for index in (0, 3, 6):
        result = captures(warc([*good[:index], lying(length), *good[index:]], gz))
        urls = [capture.url for capture in result if capture.url not in ("", URL + "lie")]
        assert urls == [f"{URL}{number}" for number in range(6)]
        assert [capture.body for capture in result if capture.url in urls] == [text(number, 500) for number in range(6)]
        lies = [capture for capture in result if capture.url in ("", URL + "lie")]
        assert any(capture.problem or capture.truncated for capture in lies)


def test_many_wrong_lengths_are_read_in_linear_time() -> None:
    """Each record states the length that a reader keeps, so reading each again from its end would take quadratic time."""
    for length in (10**7, 10**9, 10**12):
        for gz in (True, False):
            result = captures(warc((lying(length, f"{URL}{number}") for number in range(400)), gz))
            assert [capture.url for capture in result] == [f"{URL}{number}" for number in range(400)]


def last(result: list[Capture]) -> Capture:
    return result[-1]


@pytest.mark.parametrize("gz", [True, False])
def test_a_cut_file_keeps_its_last_page(gz: bool) -> None:
    """The beginning of a page is kept if its HTTP head is complete."""
    body = text(5, 40_000)
    parts = [each if not gz else member(each) for each in (response(URL + "1"), response(URL + "2", body))]
    whole = b"".join(parts)
    for missing in (1, 5, 20, 1000, len(parts[1]) // 2):
        result = captures(whole[:-missing])
        assert [capture.url for capture in result] == [URL + "1", URL + "2"]
        page = last(result)
        assert page.body is not None
        assert body.startswith(page.body)
        assert page.truncated == ("" if page.body == body else "disconnect")
    head = len(parts[0]) + (300 if not gz else 40)
    page = last(captures(whole[:head]))
    assert (page.problem, page.body) == (Problem.CUT, None)
    for few in (1, 2, 3, 9):
        page = last(captures(whole[: len(parts[0]) + few]))
        assert (page.record_type, page.offset) == ("damaged", len(parts[0]))


def test_damage_in_a_file_compressed_as_a_whole() -> None:
    """All records before the damage are read, and the damage is reported."""
    data = bytearray(member(warc(crawl(30), gz=False)))
    good = captures(bytes(data))
    middle = len(data) // 2
    del data[middle : middle + 3000]
    result = captures(bytes(data))
    assert result[:5] == good[:5]
    assert last(result).record_type == "damaged"
    again = captures(bytes(data) + member(response(URL)))  # another file behind it
    assert (again[-2].record_type, last(again).url) == ("damaged", URL)
    for part in (0.2, 0.5, 0.9):
        cut_off = captures(bytes(data[: int(len(data) * part)]))
        assert (cut_off[0], last(cut_off).truncated or last(cut_off).problem) == (good[0], "disconnect")


def test_any_bytes_are_read_without_errors() -> None:
    chosen = random.Random(3)
    for seed in range(60):
        noise = chosen.randbytes(chosen.choice((0, 1, 2, 7, 100, 5000)))
        for data in (
            noise,
            b"WARC/1.0\r\n" + noise,
            b"WARC/",
            b"\x1f\x8b\x08" + noise,
            b"\x28\xb5\x2f\xfd" + noise,
            member(noise),
        ):
            for form in ("warc", "arc"):
                result = captures(data, form)
                assert all(capture.problem for capture in result), seed
                assert result or not data.strip(b"\r\n") or data[:2] == b"\x1f\x8b"
    for magic in (b"\x5d\x2a\x4d\x18", b"\x50\x2a\x4d\x18"):
        assert all(capture.problem for size in (b"\x00" * 4, b"\xff" * 4) for capture in captures(magic + size))


def test_an_empty_file_is_reported() -> None:
    [result] = captures(b"")
    assert (result.problem, result.detail) == (Problem.UNREADABLE, "it is empty")


def test_records_without_a_page_are_not_damage() -> None:
    assert captures(warc([warcinfo(), record("metadata", b"", URL), record("unheard-of", b"x", URL)])) == []


@pytest.mark.parametrize("kind", ["request", "too large", "long"])
def test_a_record_ends_where_the_next_member_starts(kind: str) -> None:
    """A length that ends where another record ends looks right, and would lose all records between."""
    pages = [response(f"https://example.org/{number}", b"<p>page %d" % number) for number in range(6)]
    settings = {"request": {}, "too large": {"max_record_bytes": 140}, "long": {"max_page_bytes": 10}}[kind]
    expected = [f"https://example.org/{number}" for number in range(6)]
    if kind != "request":
        expected.insert(2, "https://example.org/liar")
    begin = 5 if kind == "request" else 150
    for length in range(begin, 1500):
        if kind == "request":
            liar = record("request", b"GET /", "https://example.org/liar", "application/http", content_length=length)
        else:
            liar = response("https://example.org/liar", b"<p>liar", content_length=length)
        result = captures(warc([*pages[:2], liar, *pages[2:]]), **settings)
        assert [capture.url for capture in result if capture.record_type == "response"] == expected, length


def test_a_capture_is_built_once_per_record(monkeypatch: pytest.MonkeyPatch) -> None:
    from webtongue.census.read import warc as reader

    made: list[str] = []
    captured = reader.build_capture

    def counting(kind: str, result: Any, url: str, *rest: Any) -> Any:
        made.append(url)
        return captured(kind, result, url, *rest)

    monkeypatch.setattr(reader, "build_capture", counting)
    pages = [response(f"https://example.org/{number}", b"<p>page %d" % number) for number in range(5)]
    for count in (1, 5):
        for gz in (True, False):
            made.clear()
            result = captures(warc(pages[:count], gz))
            assert [capture.url for capture in result] == made == [f"https://example.org/{n}" for n in range(count)]
            assert all(capture.length for capture in result)
