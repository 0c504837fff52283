"""Tests of the container of model files: damaged files of all four models are refused with a message."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import webtongue.charset.detection.byte_model
import webtongue.fonts.detect
import webtongue.reference.domains
import webtongue.text.model
import webtongue.url.model
from webtongue import ModelError, _kernel, files
from webtongue.lab.train.text.file import INFO

LOAD: dict[str, Callable[[Path], Any]] = {
    "text.wtm": webtongue.text.model.load,
    "url.wtu": webtongue.url.model.load,
    "encodings.wtb": webtongue.charset.detection.byte_model.load,
    "fonts.wtf": webtongue.fonts.detect.load,
}
OPEN: dict[str, Callable[[Any], Any]] = {
    "text.wtm": _kernel.LanguageModel,
    "url.wtu": webtongue.url.model.open_kernel,
    "encodings.wtb": _kernel.ByteModel,
    "fonts.wtf": _kernel.FontDetector,
}
SHIPPED = {name: (files.MODELS / name).read_bytes() for name in LOAD}


def parts_of(name: str) -> list[bytes]:
    raw = SHIPPED[name]
    _, _, count, _, _ = files.HEADER.unpack_from(raw)
    places = files.SECTION.iter_unpack(raw[files.HEADER.size : files.HEADER.size + files.SECTION.size * count])
    return [raw[at : at + size] for at, size in places]


def packed(name: str, parts: list[bytes]) -> bytes:
    magic, version, _, _, _ = files.HEADER.unpack_from(SHIPPED[name])
    return files.pack(magic, version, {str(number): part for number, part in enumerate(parts)})


def changed(name: str, section: int, change: Callable[[bytes], bytes]) -> bytes:
    """A sound container in which one section is another."""
    parts = parts_of(name)
    parts[section] = change(parts[section])
    return packed(name, parts)


def refused(raw: bytes, name: str, path: Path, sentence: str) -> None:
    path.write_bytes(raw)
    with pytest.raises(ModelError, match=sentence):
        LOAD[name](path)


def put(at: int, value: bytes) -> Callable[[bytes], bytes]:
    return lambda raw: raw[:at] + value + raw[at + len(value) :]


@pytest.mark.parametrize("name", LOAD)
def test_a_valid_file_opens_at_any_offset(name: str, tmp_path: Path) -> None:
    assert packed(name, parts_of(name)) == SHIPPED[name]
    (tmp_path / name).write_bytes(SHIPPED[name])
    LOAD[name](tmp_path / name)


@pytest.mark.parametrize("name", LOAD)
def test_a_flipped_bit_is_detected_when_a_file_is_read(name: str, tmp_path: Path) -> None:
    raw = bytearray(SHIPPED[name])
    raw[len(raw) // 2] ^= 4
    refused(bytes(raw), name, tmp_path / name, "checksum")


@pytest.mark.parametrize("name", LOAD)
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda raw: b"", "not a webtongue model|empty"),
        (lambda raw: raw[:40], "cut"),
        (lambda raw: raw[:-1], "cut"),
        (lambda raw: raw + b"\0", "cut"),
        (put(0, b"X"), "of this kind"),
        (put(8, b"\x09"), "another release"),
        (put(12, b"\x01"), "another release"),
        (put(16, b"\xff" * 8), "cut"),
        (put(32, struct.pack("<Q", 65)), "outside the file"),
        (put(32, struct.pack("<Q", 1 << 63)), "outside the file"),
        (put(40, struct.pack("<Q", (1 << 64) - 64)), "outside the file"),
    ],
)
def test_damaged_headers_are_refused(name: str, change: Callable[[bytes], bytes], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        OPEN[name](np.frombuffer(change(SHIPPED[name]), np.uint8))


def test_memory_must_be_aligned() -> None:
    for name, raw in SHIPPED.items():
        room = np.zeros(len(raw) + 64, np.uint8)
        start = -room.ctypes.data % 16 + 8
        room[start : start + len(raw)] = np.frombuffer(raw, np.uint8)
        with pytest.raises(ValueError, match="multiple of 16"):
            OPEN[name](room[start : start + len(raw)])


@pytest.mark.parametrize("name", LOAD)
def test_every_section_has_its_size(name: str) -> None:
    parts = parts_of(name)
    for section in range(len(parts) - 1):  # a manifest may be anything
        for part in (b"", parts[section][:-1], parts[section] + b"\n\n"):
            raw = packed(name, [*parts[:section], part, *parts[section + 1 :]])
            if name == "encodings.wtb" and section in (10, 12) and not part:
                continue  # contexts and costs may be missing
            try:
                OPEN[name](np.frombuffer(raw, np.uint8))
            except ValueError as error:
                assert " " in str(error)
            else:  # longer tables, and names whose last letter is gone, do no harm
                assert part or (name, section) == ("text.wtm", 4)


def with_info(field: str, value: int) -> bytes:
    infos = np.frombuffer(parts_of("text.wtm")[2], INFO).copy()
    infos[field][7] = value
    return changed("text.wtm", 2, lambda _: infos.tobytes())


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (with_info("tier", 0), "tier"),
        (with_info("tier", 4), "tier"),
        (with_info("script", 200), "script"),
        (with_info("slot", 4000), "place of its own"),
        (with_info("slot", int(np.frombuffer(parts_of("text.wtm")[2], INFO)["slot"][8])), "place of its own"),
        (changed("text.wtm", 0, lambda raw: raw.replace(b"eng_Latn", b"deu_Latn")), "twice"),
        (changed("text.wtm", 0, lambda raw: raw.replace(b"eng_Latn", b"")), "empty"),
        (changed("text.wtm", 0, lambda raw: raw.replace(b"eng_Latn", b"en\xff_Latn")), "ASCII"),
        (changed("text.wtm", 0, lambda raw: raw.replace(b"eng_Latn", b"English!")), "eng_Latn"),
        (changed("text.wtm", 1, lambda raw: raw.replace(b"Latn", b"Latx")), "script"),
        (changed("text.wtm", 8, put(0, b"\xff" * 4)), "scale"),
        (changed("text.wtm", 9, put(0, b"\0" * 4)), "exponentials"),
        (changed("text.wtm", 10, put(0, b"\x01")), "logarithms"),
        (changed("text.wtm", 10, put(1020, b"\xff" * 4)), "logarithms"),
    ],
)
def test_fields_of_the_text_model(raw: bytes, sentence: str, tmp_path: Path) -> None:
    refused(raw, "text.wtm", tmp_path / "model.wtm", sentence)


@pytest.mark.parametrize(
    ("name", "section", "change", "sentence"),
    [
        ("url.wtu", 0, lambda raw: raw.replace(b"eng_Latn", b"deu_Latn"), "twice"),
        ("url.wtu", 0, lambda raw: raw.replace(b"eng_Latn", b"eng"), "eng_Latn"),
        ("url.wtu", 1, put(0, struct.pack("<i", -(1 << 31))), "too large"),
        ("url.wtu", 2, put(8, struct.pack("<i", 1 << 30)), "too large"),
        ("url.wtu", 3, put(8, b"\xff" * 4), "scale"),
        ("url.wtu", 3, put(8, struct.pack("<I", 1 << 20)), "weighs too much"),
        ("url.wtu", 6, put(8, b"\xff" * 4), "scale"),
        ("url.wtu", 7, put(16, b"\xff" * 4), "exponentials"),
        ("url.wtu", 8, put(0, b"\xff" * 4), "logarithms"),
        ("encodings.wtb", 0, lambda raw: raw.replace(b"koi8-r", b"koi8-u"), "twice"),
        ("encodings.wtb", 0, lambda raw: raw.replace(b"koi8-r", b"koi8 r"), "ASCII"),
        ("encodings.wtb", 1, put(65, b"\0"), "maps a byte to 0"),
        ("encodings.wtb", 1, put(256, b"\xff"), "more than 4 bytes"),
        ("encodings.wtb", 1, put(260, b"\xff" * 4), "n-grams"),
        ("encodings.wtb", 1, put(260, b"\0" * 4), "n-grams"),
        ("encodings.wtb", 2, put(0, struct.pack("<i", 1 << 30)), "too large"),
        ("encodings.wtb", 5, put(0, b"\xff" * 4), "scale"),
        ("encodings.wtb", 6, put(0, b"\x09"), "kind"),
        ("encodings.wtb", 11, put(0, b"\xff" * 4), "scale"),
        ("fonts.wtf", 0, lambda raw: raw.replace(b"preeti", b"nudi"), "twice"),
        ("fonts.wtf", 0, lambda raw: b"ordinary", "names"),
        ("fonts.wtf", 2, put(0, b"\x80"), "class"),
    ],
)
def test_fields_of_the_other_models(
    name: str, section: int, change: Callable[[bytes], bytes], sentence: str, tmp_path: Path
) -> None:
    refused(changed(name, section, change), name, tmp_path / name, sentence)
