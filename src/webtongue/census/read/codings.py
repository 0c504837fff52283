"""Transfer and content codings of HTTP bodies undone, within bounds: chunked, gzip, deflate, Brotli, Zstandard, also stacked.

Archives lie about codings: many crawlers store the body unpacked and keep the header that says how it came. So a coding is
undone only where the bytes look as if it were there, and a body that is plain already is left as it is.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from webtongue.census.capture import Problem
from webtongue.census.config import Config
from webtongue.errors import MissingExtra

__all__ = ["Undone", "undo"]

MOST_CODINGS = 4  # stacked: nobody needs more than two, and each may multiply
SALVAGE_STEP = 256  # bytes of a damaged body unpacked at a time, so that little is lost before the damage
PIECE = 1 << 16  # bytes asked of a decoder at a time
BROTLI_STEP = 1 << 12  # packed bytes given to Brotli at a time, whose output is bounded
ZSTD_STEP = 1 << 9  # packed bytes unpacked at a time: a block of 128 KB may have 4 bytes, so that is 16 MB at worst
WINDOW = 1 << 23  # bytes of a Zstandard window on the web (RFC 9659)
GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
GZIP_WINDOW, ZLIB_WINDOW, RAW_WINDOW = 31, 15, -15  # how zlib is told what to expect
# What servers write there that names no coding: nothing is to be undone.
NO_CODING = frozenset(("", "identity", "none", "binary", "7bit", "8bit", "utf-8", "utf8", "text", "text/html"))
CHUNK = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\r\n]*)?(\r?\n)")
CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")  # in packed bytes soon, in text never (but ESC: ISO-2022)
LOOKED_AT = 512


@dataclass(frozen=True, slots=True)
class Undone:
    """A body with its codings undone; ``cut``: its end is missing, or more of it than a page may have."""

    body: bytes
    cut: bool = False
    problem: Problem = Problem.NONE
    detail: str = ""


@dataclass(frozen=True, slots=True)
class _Out:
    """What a decoder made: None where the bytes are not of its coding. ``whole``: the coded stream came to its end."""

    body: bytes | None
    whole: bool = True
    error: str = ""
    used: int = 0  # packed bytes that the body came from


def undo(body: bytes, transfer: str, content: str, config: Config) -> Undone:
    """A body without the codings that two headers name, at most ``config.largest_page`` bytes of it.

    >>> undo(zlib.compress(b"<p>Salve"), "", "deflate", Config()).body
    b'<p>Salve'
    >>> undo(b"<p>Salve", "", "gzip", Config()).body  # it was unpacked when it was stored, and the header kept
    b'<p>Salve'
    """
    names = [name.strip().lower() for name in (content + "," + transfer).split(",")]
    names = [name for name in names if name not in NO_CODING]
    if len(names) > MOST_CODINGS:
        return Undone(b"", problem=Problem.BAD_CODING, detail=f"{len(names)} codings, one upon the other")
    done = Undone(body)
    for name in reversed(names):
        done = _without(done, name, config)
        if done.problem:
            return done
    if len(done.body) > config.largest_page:
        return replace(done, body=done.body[: config.largest_page], cut=True)
    return done


def _without(before: Undone, name: str, config: Config) -> Undone:
    """One coding undone."""
    body = before.body
    decoder = DECODERS.get(name)
    if not body or (decoder is None and not _packed(body)):
        return before
    if decoder is None:
        return Undone(b"", problem=Problem.UNKNOWN_CODING, detail=f"a coding called {name[:40]!r}")
    out = decoder(body, config.largest_page + 1)
    if out.body is None:
        return before
    if not out.body and (out.error or not out.whole):
        why = out.error or "it ends before anything comes out"
        return Undone(b"", problem=Problem.BAD_CODING, detail=f"{name}: {why}")
    if len(out.body) > config.largest_page and len(out.body) > config.bomb_ratio * (out.used or len(body)):
        detail = f"{name}: {out.used:,} of {len(body):,} bytes unpack to {len(out.body):,}"
        return Undone(b"", problem=Problem.BOMB, detail=detail)
    return Undone(out.body, before.cut or bool(out.error) or not out.whole)


def _packed(body: bytes) -> bool:
    """Whether bytes look packed, and not like text; UTF-16 is taken for packed, which costs a page where a header lies too."""
    return CONTROLS.search(body, 0, LOOKED_AT) is not None


def _chunked(body: bytes, room: int) -> _Out:
    at = total = 0
    pieces: list[bytes] = []
    error = ""
    while total < room:
        found = CHUNK.match(body, at)
        if found is None:
            error = f"no size of a chunk but {body[at : at + 20]!r}" if at < len(body) else ""
            break
        size, start = int(found[1], 16), found.end()
        if not size:
            return _Out(b"".join(pieces))
        if not pieces and start + size > len(body) and found[2] == b"\n":
            break  # a page that begins with a number, more likely than chunks written so carelessly
        at = min(start + size, len(body))
        end = 2 if body.startswith(b"\r\n", at) else 1 if body.startswith(b"\n", at) else 0
        if not end and at < len(body):
            error = "a chunk that does not end where it says"
            if pieces:
                pieces.append(body[start:at])
            break
        pieces.append(body[start:at])
        at, total = at + end, total + len(pieces[-1])
    return _Out(b"".join(pieces), total >= room, error) if pieces else _Out(None)


def _gunzip(body: bytes, room: int) -> _Out:
    """All members of a gzip file, one after the other; what follows the last one is left out, as every tool does."""
    if not body.startswith(GZIP):
        return _Out(None)
    pieces: list[bytes] = []
    used = 0
    while body.startswith(GZIP) and room > 0:
        out, body = _inflated(body, room, GZIP_WINDOW)
        assert out.body is not None
        pieces.append(out.body)
        room, used = room - len(out.body), used + out.used
        if out.error or not out.whole:
            return _Out(b"".join(pieces), whole=False, error=out.error, used=used)
    return _Out(b"".join(pieces), used=used)


def _undeflate(body: bytes, room: int) -> _Out:
    """By the standard with a header of zlib, by many servers without, and by some it is gzip."""
    if body.startswith(GZIP):
        return _gunzip(body, room)
    if body[0] & 0x0F == 8 and int.from_bytes(body[:2], "big") % 31 == 0:
        out, _ = _inflated(body, room, ZLIB_WINDOW)
        if not out.error or _packed(body):
            return out
    raw, _ = _inflated(body, room, RAW_WINDOW)
    if (raw.error or not raw.whole) and not _packed(body):
        return _Out(None)
    return raw


def _inflated(body: bytes, room: int, window: int) -> tuple[_Out, bytes]:
    """What zlib makes of bytes, and what follows the end of the packed stream; before an error as much as comes out."""
    inflate = zlib.decompressobj(window)
    try:
        out = inflate.decompress(body, room)
        used = len(body) - len(inflate.unused_data) - len(inflate.unconsumed_tail)
        return _Out(out, inflate.eof or len(out) >= room, used=used), inflate.unused_data
    except zlib.error:
        pass
    inflate = zlib.decompressobj(window)
    pieces: list[bytes] = []
    try:
        for at in range(0, len(body), SALVAGE_STEP):
            pieces.append(inflate.decompress(body[at : at + SALVAGE_STEP], room))
            room -= len(pieces[-1])
            if room <= 0:
                break
    except zlib.error:
        pass
    return _Out(b"".join(pieces), whole=False, error="damaged"), b""


def _unbrotli(body: bytes, room: int) -> _Out:
    """Brotli has no mark of its own: what does not unpack and looks like text was not packed."""
    try:
        import brotli
    except ImportError:
        raise MissingExtra("brotli", "census") from None
    decoder = brotli.Decompressor()
    pieces: list[bytes] = []
    used, error, whole = 0, "", False
    try:
        while room > 0 and not whole:
            packed = body[used : used + BROTLI_STEP] if decoder.can_accept_more_data() else b""
            piece = decoder.process(packed, output_buffer_limit=PIECE)
            if not piece and not packed and decoder.can_accept_more_data():
                break
            pieces.append(piece)
            room, used = room - len(piece), used + len(packed)
            whole = decoder.is_finished() or room <= 0
    except brotli.error:
        error = "damaged"
    if (error or not whole) and not _packed(body):
        return _Out(None)
    return _Out(b"".join(pieces), whole, error, used)


def _unzstd(body: bytes, room: int) -> _Out:
    if not body.startswith(ZSTD):
        return _Out(None)
    try:
        import zstandard
    except ImportError:
        raise MissingExtra("zstandard", "census") from None
    unzstd = zstandard.ZstdDecompressor(max_window_size=WINDOW)
    pieces: list[bytes] = []
    decoder, at = None, 0
    try:
        while room > 0 and at < len(body) and (decoder or body.startswith(ZSTD, at)):
            decoder = decoder or unzstd.decompressobj()
            packed = body[at : at + ZSTD_STEP]
            pieces.append(decoder.decompress(packed))
            room -= len(pieces[-1])
            at += len(packed) - len(decoder.unused_data)
            decoder = None if decoder.eof else decoder
    except zstandard.ZstdError:
        return _Out(b"".join(pieces), whole=False, error="damaged")
    return _Out(b"".join(pieces), decoder is None or room <= 0, used=at)


DECODERS: dict[str, Callable[[bytes, int], _Out]] = {
    "chunked": _chunked,
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _undeflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
