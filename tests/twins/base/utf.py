"""Unicode encodings, by Python's codecs; its ``replace`` drops the same bytes as the standard's decoders."""

from __future__ import annotations


def repair_utf8(raw: bytes) -> bytes:
    return raw.decode("utf-8", "replace").encode()


def check_utf8(raw: bytes) -> tuple[int, int]:
    """Ill-formed sequences, and well-formed characters beyond ASCII."""
    text = raw.decode("utf-8", "surrogateescape")
    good = sum(ord(c) >= 0x80 and not 0xDC80 <= ord(c) <= 0xDCFF for c in text)
    replaced = raw.decode("utf-8", "replace")
    return sum(c >= "\x80" for c in replaced) - good, good


def from_utf16(raw: bytes, big_endian: bool) -> bytes:
    """Unit by unit: a lone surrogate or a lone last byte is one U+FFFD (Python's codec drops differently)."""
    order = "big" if big_endian else "little"
    units = [int.from_bytes(raw[i : i + 2], order) for i in range(0, len(raw) - 1, 2)]
    out = []
    at = 0
    while at < len(units):
        pair = b"".join(u.to_bytes(2, "big") for u in units[at : at + 2])
        unit = units[at]
        if 0xD800 <= unit < 0xDC00 and at + 1 < len(units) and 0xDC00 <= units[at + 1] < 0xE000:
            out.append(pair.decode("utf-16-be"))
            at += 2
        else:
            out.append("\ufffd" if 0xD800 <= unit < 0xE000 else chr(unit))
            at += 1
    return "".join(out + ["\ufffd"] * (len(raw) % 2)).encode()


def from_utf32(raw: bytes, big_endian: bool) -> bytes:
    order = "big" if big_endian else "little"
    out = []
    for i in range(0, len(raw) - 3, 4):
        code = int.from_bytes(raw[i : i + 4], order)
        out.append("\ufffd" if code > 0x10FFFF or 0xD800 <= code < 0xE000 else chr(code))
    return "".join(out + ["\ufffd"] * bool(len(raw) % 4)).encode()
