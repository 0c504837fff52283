"""Content encodings are decoded if the body has them, ignored if only the header does, and bounded in size."""

from __future__ import annotations

import gzip
import random
import zlib

import brotli
import pytest
import zstandard

from tests.census.read.helpers import text
from webtongue.census.capture import Problem
from webtongue.census.config import Config
from webtongue.census.read.content_encoding import DecodedBody, decode_body

PAGE = "<html lang=is><title>Veður</title><p>Í dag er hlýtt og bjart um allt land.".encode() * 40
SMALL = Config(max_page_bytes=100_000)


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
def test_each_encoding_is_decoded(name: str) -> None:
    packed = PACKERS[name](PAGE)
    assert decode_body(packed, "", name, SMALL) == DecodedBody(PAGE)
    assert decode_body(packed, "", f" {name.upper()} ", SMALL) == DecodedBody(PAGE)
    assert decode_body(chunked(packed), "chunked", name, SMALL) == DecodedBody(PAGE)
    assert decode_body(b"", "chunked", name, SMALL) == DecodedBody(b"")


@pytest.mark.parametrize("name", [*PACKERS, "compress", "unheard-of", "identity", "utf-8", ""])
def test_a_body_that_was_stored_decoded_is_unchanged(name: str) -> None:
    """This is frequent in archives: crawlers store the decoded body and keep the header."""
    for body in (
        PAGE,
        b"<",
        b"a",
        "Þetta er texti".encode(),
        PAGE.decode().encode("iso-8859-1"),
        b"12\na page that starts with a number",
    ):
        assert decode_body(body, "", name, SMALL) == DecodedBody(body)
        assert decode_body(body, "chunked", name, SMALL) == DecodedBody(body)


def test_deflate_has_three_forms() -> None:
    for packed in (zlib.compress(PAGE), raw_deflate(PAGE), gzip.compress(PAGE)):
        assert decode_body(packed, "", "deflate", SMALL) == DecodedBody(PAGE)


def test_several_encodings_are_decoded_in_reverse_order() -> None:
    assert decode_body(gzip.compress(brotli.compress(PAGE, quality=4)), "", "br, gzip", SMALL) == DecodedBody(PAGE)
    assert decode_body(chunked(gzip.compress(zlib.compress(PAGE))), "gzip, chunked", "deflate", SMALL) == DecodedBody(
        PAGE
    )
    result = decode_body(PAGE, "", "gzip," * 5 + "gzip", SMALL)
    assert (result.problem, result.body) == (Problem.BAD_CODING, b"")


def test_all_gzip_members_are_decoded_and_trailing_bytes_ignored() -> None:
    assert decode_body(
        gzip.compress(b"<p>a") + gzip.compress(b"<p>b") + b"\x00trailing", "", "gzip", SMALL
    ) == DecodedBody(b"<p>a<p>b")


def test_an_unknown_encoding_is_a_problem() -> None:
    assert decode_body(b"\x1f\x9d\x90\x00\x01\x02", "", "compress", SMALL).problem is Problem.UNKNOWN_CODING
    assert decode_body(random.Random(1).randbytes(100), "", "dcb", SMALL).problem is Problem.UNKNOWN_CODING


@pytest.mark.parametrize("name", PACKERS)
def test_a_cut_or_damaged_body_keeps_its_beginning(name: str) -> None:
    """The decoded beginning is kept and marked as cut; if there is none, the encoding is the problem."""
    page = text(1, 90_000)
    packed = PACKERS[name](page)
    half = len(packed) // 2
    result = decode_body(packed[:half], "", name, SMALL)
    assert result.is_cut if result.body else result.problem is Problem.BAD_CODING
    assert page.startswith(result.body)
    result = decode_body(packed[:half] + bytes(40) + packed[half + 40 :], "", name, SMALL)
    if name in ("br", "zstd"):  # without a checksum, damage may not be detected
        assert len(result.body) <= SMALL.max_page_bytes
    else:
        assert result.is_cut
        assert page.startswith(result.body[: len(page) // 3])
    broken = decode_body(packed[:6] + b"\xff\x00\xff\x01" * 9, "", name, SMALL)
    assert broken.problem is Problem.BAD_CODING or broken.is_cut


def test_chunks_in_the_forms_that_servers_send() -> None:
    for end in (b"\r\n", b"\n"):
        assert decode_body(chunked(PAGE, 700, end), "chunked", "", SMALL) == DecodedBody(PAGE)
    assert decode_body(b"5;name=value\r\nhello\r\n0 \r\nTrailer: x\r\n\r\n", "chunked", "", SMALL) == DecodedBody(
        b"hello"
    )
    assert decode_body(b"00005 \r\nhello\r\n0\r\n\r\n", "CHUNKED", "", SMALL) == DecodedBody(b"hello")
    assert decode_body(b"5\r\nhello\r\n5\r\nwor", "chunked", "", SMALL) == DecodedBody(b"hellowor", is_cut=True)
    assert decode_body(b"5\r\nhello\r\n", "chunked", "", SMALL) == DecodedBody(b"hello", is_cut=True)
    assert decode_body(b"5\r\nhello\r\nno size", "chunked", "", SMALL) == DecodedBody(b"hello", is_cut=True)
    assert decode_body(b"5\r\nhello\r\n3\r\nworld\r\n", "chunked", "", SMALL) == DecodedBody(b"hellowor", is_cut=True)
    assert decode_body(b"5\r\nhello world", "chunked", "", SMALL) == DecodedBody(b"5\r\nhello world")
    assert decode_body(b"ffffffffffffffff\r\nhello", "chunked", "", SMALL) == DecodedBody(b"hello", is_cut=True)


def test_the_beginning_of_a_long_page_is_kept() -> None:
    page = text(2, 250_000)
    for packed, coding in (
        (gzip.compress(page), "gzip"),
        (brotli.compress(page), "br"),
        (zstandard.compress(page), "zstd"),
    ):
        assert decode_body(packed, "", coding, SMALL) == DecodedBody(page[:100_000], is_cut=True)
    assert decode_body(chunked(page), "chunked", "", SMALL) == DecodedBody(page[:100_000], is_cut=True)


@pytest.mark.parametrize("name", PACKERS)
def test_a_bomb_is_a_problem(name: str) -> None:
    packed = PACKERS[name](bytes(1 << 25))
    assert len(packed) < 1 << 16
    result = decode_body(packed, "", name, Config(max_page_bytes=1 << 23, bomb_ratio=100))
    assert (result.problem, result.body) == (Problem.BOMB, b"")
    assert "decode to" in result.detail
    nested = decode_body(gzip.compress(packed), "", f"{name}, gzip", Config(max_page_bytes=1 << 23))
    assert nested.problem is Problem.BOMB


def test_random_bytes_with_any_encoding_are_harmless() -> None:
    chosen = random.Random(7)
    starts = (b"", b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd", b"\x78\x9c", b"5\r\n", b"\x1f\x8b\x08\x1f")
    for _ in range(1500):
        body = chosen.choice(starts) + chosen.randbytes(chosen.choice((0, 1, 10, 1000)))
        names = ", ".join(
            chosen.choices([*PACKERS, "chunked", "x", "identity", "\x00", "gzip;q=1"], k=chosen.randrange(4))
        )
        result = decode_body(body, chosen.choice(("", "chunked", "gzip, chunked")), names, SMALL)
        assert len(result.body) <= SMALL.max_page_bytes
        assert not result.problem or (result.detail and not result.body)
