"""Damage: no bytes raise an exception, what is well before and after is found, and every stretch is told once with its place."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.census.making import arc_record, http, member, record, response, warc, warcinfo, zst
from tests.census.read.reading import captures, crawl, text
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


def flip(data: bytearray, at: int, chosen: random.Random) -> tuple[int, int]:
    data[at] ^= 1 << chosen.randrange(8)
    return at + 1, 0


def scribble(data: bytearray, at: int, chosen: random.Random) -> tuple[int, int]:
    end = min(at + chosen.randrange(1, 50), len(data))
    data[at:end] = chosen.randbytes(end - at)
    return end, 0


def blank(data: bytearray, at: int, chosen: random.Random) -> tuple[int, int]:
    end = min(at + chosen.randrange(1, 3000), len(data))
    data[at:end] = bytes(end - at)
    return end, 0


def take(data: bytearray, at: int, chosen: random.Random) -> tuple[int, int]:
    end = min(at + chosen.randrange(1, 3000), len(data))
    del data[at:end]
    return end, at - end


def put(data: bytearray, at: int, chosen: random.Random) -> tuple[int, int]:
    noise = chosen.randbytes(chosen.randrange(1, 3000))
    data[at:at] = noise
    return at + 1, len(noise)


def cut(data: bytearray, at: int, chosen: random.Random) -> tuple[int, int]:
    end = len(data)
    del data[at:]
    return end, 0


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("form", ["warc", "arc"])
def test_what_is_not_touched_is_found(form: str, packing: str) -> None:
    """Each spoiling is (where the touched bytes end, how far the rest moved). Of every record that has no touched byte, the same
    capture must be there, at its place, once."""
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
        spoil = chosen.choice((flip, flip, scribble, blank, take, put, cut))
        end, moved = spoil(data, begin, chosen)
        found = captures(bytes(data), form)
        by_place = {capture.offset: capture for capture in found if capture.record_type != "damaged"}
        assert len(by_place) == sum(capture.record_type != "damaged" for capture in found), (seed, spoil)
        at = 0
        for part in parts:
            touched = at < end and at + len(part) > begin
            if at in good and not touched:
                place = at if at + len(part) <= begin else at + moved
                assert by_place[place].body == good[at].body, (seed, spoil)
            at += len(part)


@pytest.mark.parametrize("gz", [True, False])
def test_a_damaged_stretch_is_told_once_with_its_place(gz: bool) -> None:
    parts = [member(each) if gz else each for each in crawl(6)]
    for index in (0, 2, 4, len(parts)):
        at = sum(map(len, parts[:index]))
        noise = b"these bytes are no record\n" * 9
        found = captures(b"".join(parts[:index]) + noise + b"".join(parts[index:]))
        [damage] = [capture for capture in found if capture.record_type == "damaged"]
        assert (damage.offset, damage.length, damage.problem) == (at, len(noise), Problem.DAMAGED)
        assert (damage.status, damage.filename, damage.url) == (Status.FAILED, "x", "")
        assert len(found) == 7


def test_a_damaged_member_keeps_its_address() -> None:
    packed = [member(response(f"{URL}{number}", text(number, 9000))) for number in range(3)]
    spoilt = bytearray(packed[1])
    spoilt[len(spoilt) // 2] ^= 0x40
    first, damage, last = captures(packed[0] + bytes(spoilt) + packed[2])
    assert (first.url, last.url) == (f"{URL}0", f"{URL}2")
    assert (damage.record_type, damage.url, damage.offset, damage.length) == (
        "damaged",
        f"{URL}1",
        len(packed[0]),
        len(spoilt),
    )
    assert damage.detail.startswith("damaged gzip")


def test_a_wrong_checksum_is_damage() -> None:
    packed = [member(response(f"{URL}{number}", text(number, 200_000))) for number in range(2)]
    for index in (0, 1):
        spoilt = [bytearray(each) for each in packed]
        spoilt[index][-6] ^= 1
        found = captures(b"".join(map(bytes, spoilt)))
        assert [capture.record_type for capture in found] == ["damaged" if at == index else "response" for at in (0, 1)]


def lying(length: object, url: str = URL + "lie", body: bytes = b"<p>Salve") -> bytes:
    return response(url, body, content_length=length)


@pytest.mark.parametrize("gz", [True, False])
@pytest.mark.parametrize(
    "length", [0, 20, 60, 4000, 10**8, 10**17, 10**30, -1, "very lengthy", "", None, "0x20", "+60"]
)
def test_records_that_lie_on_their_length_harm_nobody_else(length: object, gz: bool) -> None:
    good = [response(f"{URL}{number}", text(number, 500)) for number in range(6)]
    for index in (0, 3, 6):
        found = captures(warc([*good[:index], lying(length), *good[index:]], gz))
        urls = [capture.url for capture in found if capture.url not in ("", URL + "lie")]
        assert urls == [f"{URL}{number}" for number in range(6)]
        assert [capture.body for capture in found if capture.url in urls] == [text(number, 500) for number in range(6)]
        lies = [capture for capture in found if capture.url in ("", URL + "lie")]
        assert any(capture.problem or capture.truncated for capture in lies)


def test_one_lie_after_the_other_takes_no_longer_than_the_file() -> None:
    """Each claims what a reader keeps, so that to read each again from its end would take the square of the file's size."""
    for length in (10**7, 10**9, 10**12):
        for gz in (True, False):
            found = captures(warc((lying(length, f"{URL}{number}") for number in range(400)), gz))
            assert [capture.url for capture in found] == [f"{URL}{number}" for number in range(400)]


def last(found: list[Capture]) -> Capture:
    return found[-1]


@pytest.mark.parametrize("gz", [True, False])
def test_a_file_that_breaks_off(gz: bool) -> None:
    """What came of a page is kept if its head is whole."""
    body = text(5, 40_000)
    parts = [each if not gz else member(each) for each in (response(URL + "1"), response(URL + "2", body))]
    whole = b"".join(parts)
    for missing in (1, 5, 20, 1000, len(parts[1]) // 2):
        found = captures(whole[:-missing])
        assert [capture.url for capture in found] == [URL + "1", URL + "2"]
        page = last(found)
        assert page.body is not None
        assert body.startswith(page.body)
        assert page.truncated == ("" if page.body == body else "disconnect")
    head = len(parts[0]) + (300 if not gz else 40)
    page = last(captures(whole[:head]))
    assert (page.problem, page.body) == (Problem.CUT, None)
    for few in (1, 2, 3, 9):
        page = last(captures(whole[: len(parts[0]) + few]))
        assert (page.record_type, page.offset) == ("damaged", len(parts[0]))


def test_damage_within_a_file_packed_as_a_whole() -> None:
    """All before it is found, and that there is damage is told."""
    data = bytearray(member(warc(crawl(30), gz=False)))
    good = captures(bytes(data))
    middle = len(data) // 2
    del data[middle : middle + 3000]
    found = captures(bytes(data))
    assert found[:5] == good[:5]
    assert last(found).record_type == "damaged"
    again = captures(bytes(data) + member(response(URL)))  # another file behind it
    assert (again[-2].record_type, last(again).url) == ("damaged", URL)
    for part in (0.2, 0.5, 0.9):
        cut_off = captures(bytes(data[: int(len(data) * part)]))
        assert (cut_off[0], last(cut_off).truncated or last(cut_off).problem) == (good[0], "disconnect")


def test_any_bytes_at_all() -> None:
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
                found = captures(data, form)
                assert all(capture.problem for capture in found), seed
                assert found or not data.strip(b"\r\n") or data[:2] == b"\x1f\x8b"
    for magic in (b"\x5d\x2a\x4d\x18", b"\x50\x2a\x4d\x18"):
        assert all(capture.problem for size in (b"\x00" * 4, b"\xff" * 4) for capture in captures(magic + size))


def test_an_empty_file_is_told() -> None:
    [found] = captures(b"")
    assert (found.problem, found.detail) == (Problem.UNREADABLE, "it is empty")


def test_records_without_a_page_are_no_damage() -> None:
    assert captures(warc([warcinfo(), record("metadata", b"", URL), record("unheard-of", b"x", URL)])) == []
