"""Codings of bodies: undone where they are there, left where a header lies, bounded whatever they unpack to."""

from __future__ import annotations

import gzip
import random
import zlib

import brotli
import pytest
import zstandard

from tests.census.read.reading import text
from webtongue.census.capture import Problem
from webtongue.census.config import Config
from webtongue.census.read.codings import Undone, undo

PAGE = "<html lang=is><title>Veður</title><p>Í dag er hlýtt og bjart um allt land.".encode() * 40
SMALL = Config(largest_page=100_000)


def raw_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(body) + packer.flush()


def chunked(body: bytes, size: int = 700, end: bytes = b"\r\n") -> bytes:
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x%s%s%s" % (len(piece), end, piece, end) for piece in pieces) + b"0" + end + end


PACKERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda body: brotli.compress(body, quality=4),
    "zstd": zstandard.compress,
}


@pytest.mark.parametrize("name", PACKERS)
def test_each_coding_is_undone(name: str) -> None:
    packed = PACKERS[name](PAGE)
    assert undo(packed, "", name, SMALL) == Undone(PAGE)
    assert undo(packed, "", f" {name.upper()} ", SMALL) == Undone(PAGE)
    assert undo(chunked(packed), "chunked", name, SMALL) == Undone(PAGE)
    assert undo(b"", "chunked", name, SMALL) == Undone(b"")


@pytest.mark.parametrize("name", [*PACKERS, "compress", "unheard-of", "identity", "utf-8", ""])
def test_a_body_that_was_unpacked_when_it_was_stored_is_left(name: str) -> None:
    """The rule in archives, not the exception: crawlers keep the header."""
    for body in (
        PAGE,
        b"<",
        b"a",
        "Þetta er texti".encode(),
        PAGE.decode().encode("iso-8859-1"),
        b"12\nno chunk, but a number first",
    ):
        assert undo(body, "", name, SMALL) == Undone(body)
        assert undo(body, "chunked", name, SMALL) == Undone(body)


def test_deflate_comes_in_three_ways() -> None:
    for packed in (zlib.compress(PAGE), raw_deflate(PAGE), gzip.compress(PAGE)):
        assert undo(packed, "", "deflate", SMALL) == Undone(PAGE)


def test_several_are_undone_from_the_last_to_the_first() -> None:
    assert undo(gzip.compress(brotli.compress(PAGE, quality=4)), "", "br, gzip", SMALL) == Undone(PAGE)
    assert undo(chunked(gzip.compress(zlib.compress(PAGE))), "gzip, chunked", "deflate", SMALL) == Undone(PAGE)
    found = undo(PAGE, "", "gzip," * 5 + "gzip", SMALL)
    assert (found.problem, found.body) == (Problem.BAD_CODING, b"")


def test_members_of_gzip_one_after_the_other_and_what_follows_them() -> None:
    assert undo(gzip.compress(b"<p>a") + gzip.compress(b"<p>b") + b"\x00trailing", "", "gzip", SMALL) == Undone(
        b"<p>a<p>b"
    )


def test_a_coding_that_nobody_knows() -> None:
    assert undo(b"\x1f\x9d\x90\x00\x01\x02", "", "compress", SMALL).problem is Problem.UNKNOWN_CODING
    assert undo(random.Random(1).randbytes(100), "", "dcb", SMALL).problem is Problem.UNKNOWN_CODING


@pytest.mark.parametrize("name", PACKERS)
def test_a_packed_body_that_breaks_off_or_is_damaged(name: str) -> None:
    """What comes out before is kept, and said to be cut; where nothing does, that is the problem."""
    page = text(1, 90_000)
    packed = PACKERS[name](page)
    half = len(packed) // 2
    found = undo(packed[:half], "", name, SMALL)
    assert found.cut if found.body else found.problem is Problem.BAD_CODING
    assert page.startswith(found.body)
    found = undo(packed[:half] + bytes(40) + packed[half + 40 :], "", name, SMALL)
    if name in ("br", "zstd"):  # without a sum to be checked, damage may not show
        assert len(found.body) <= SMALL.largest_page
    else:
        assert found.cut
        assert page.startswith(found.body[: len(page) // 3])
    broken = undo(packed[:6] + b"\xff\x00\xff\x01" * 9, "", name, SMALL)
    assert broken.problem is Problem.BAD_CODING or broken.cut


def test_chunks_as_servers_write_them() -> None:
    for end in (b"\r\n", b"\n"):
        assert undo(chunked(PAGE, 700, end), "chunked", "", SMALL) == Undone(PAGE)
    assert undo(b"5;name=value\r\nhello\r\n0 \r\nTrailer: x\r\n\r\n", "chunked", "", SMALL) == Undone(b"hello")
    assert undo(b"00005 \r\nhello\r\n0\r\n\r\n", "CHUNKED", "", SMALL) == Undone(b"hello")
    assert undo(b"5\r\nhello\r\n5\r\nwor", "chunked", "", SMALL) == Undone(b"hellowor", cut=True)
    assert undo(b"5\r\nhello\r\n", "chunked", "", SMALL) == Undone(b"hello", cut=True)
    assert undo(b"5\r\nhello\r\nno size", "chunked", "", SMALL) == Undone(b"hello", cut=True)
    assert undo(b"5\r\nhello\r\n3\r\nworld\r\n", "chunked", "", SMALL) == Undone(b"hellowor", cut=True)
    assert undo(b"5\r\nhello world", "chunked", "", SMALL) == Undone(b"5\r\nhello world")
    assert undo(b"ffffffffffffffff\r\nhello", "chunked", "", SMALL) == Undone(b"hello", cut=True)


def test_of_a_long_page_the_beginning_is_kept() -> None:
    page = text(2, 250_000)
    for packed, coding in (
        (gzip.compress(page), "gzip"),
        (brotli.compress(page), "br"),
        (zstandard.compress(page), "zstd"),
    ):
        assert undo(packed, "", coding, SMALL) == Undone(page[:100_000], cut=True)
    assert undo(chunked(page), "chunked", "", SMALL) == Undone(page[:100_000], cut=True)


@pytest.mark.parametrize("name", PACKERS)
def test_a_bomb_is_none_of_our_business(name: str) -> None:
    packed = PACKERS[name](bytes(1 << 25))
    assert len(packed) < 1 << 16
    found = undo(packed, "", name, Config(largest_page=1 << 23, bomb_ratio=100))
    assert (found.problem, found.body) == (Problem.BOMB, b"")
    assert "unpack to" in found.detail
    nested = undo(gzip.compress(packed), "", f"{name}, gzip", Config(largest_page=1 << 23))
    assert nested.problem is Problem.BOMB


def test_random_bytes_under_any_name_do_no_harm() -> None:
    chosen = random.Random(7)
    starts = (b"", b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd", b"\x78\x9c", b"5\r\n", b"\x1f\x8b\x08\x1f")
    for _ in range(1500):
        body = chosen.choice(starts) + chosen.randbytes(chosen.choice((0, 1, 10, 1000)))
        names = ", ".join(
            chosen.choices([*PACKERS, "chunked", "x", "identity", "\x00", "gzip;q=1"], k=chosen.randrange(4))
        )
        found = undo(body, chosen.choice(("", "chunked", "gzip, chunked")), names, SMALL)
        assert len(found.body) <= SMALL.largest_page
        assert not found.problem or (found.detail and not found.body)
