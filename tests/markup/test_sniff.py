"""Detection of syntax and binary formats."""

from __future__ import annotations

import gzip
import io
import random
import tarfile
import zipfile

import pytest

from webtongue import Identifier, _kernel, identify
from webtongue.markup.sniff import ADVICE, MAGIC, RIFF, ZIP_FORMATS, Syntax, detect_wide_by_nuls, media_type_of, sniff
from webtongue.page import Page


def syntax(raw: bytes, media: str = "") -> str:
    return sniff(Page(raw, headers={"content-type": media} if media else {}), raw[:4096]).syntax.name


@pytest.mark.parametrize(
    ("raw", "media", "expected"),
    [
        (b"<!doctype html>", "", "HTML"),
        (b"<p>x", "", "HTML"),
        (b"just words", "", "TEXT"),
        (b"a <b, c> d", "text/plain", "TEXT"),
        (b"<html>", "text/plain", "HTML"),
        (b"words", "text/html; charset=utf-8", "HTML"),
        (b"<?xml version='1.0'?><html lang=en>", "", "XHTML"),
        (b"<?xml version='1.0'?><a/>", "", "XML"),
        (b"<!-- c --><rss version=2.0>", "", "XML"),
        (b"<p>x", "application/xhtml+xml", "XHTML"),
        (b"<a/>", "application/atom+xml", "XML"),
        (b"<html>", "application/pdf", "HTML"),
        (b"{}", "application/json", "NONE"),
        (b"body {}", "text/css", "NONE"),
        (b"x", "image/png", "NONE"),
        (b"<p>x", "image/png", "HTML"),
    ],
)
def test_sniff(raw: bytes, media: str, expected: str) -> None:
    assert syntax(raw, media) == expected


@pytest.mark.parametrize(("offset", "magic", "name"), MAGIC)
def test_binary_formats_have_no_language(offset: int, magic: bytes, name: str) -> None:
    v = identify(b"\0" * offset + magic + b" some bytes that follow")
    assert (v.label, v.reason, v.why.partition(":")[0]) == ("zxx", "binary", name)
    if name.endswith((" document", " archive", " data", " image")):
        assert "first" in v.why or "unpack" in v.why


@pytest.mark.parametrize(
    ("member", "name", "media_type"),
    [
        (
            "word/document.xml",
            "Word document",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ),
        ("xl/workbook.xml", "Excel document", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        (
            "ppt/presentation.xml",
            "PowerPoint document",
            "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        ),
        ("notes.txt", "zip archive", "application/zip"),
    ],
)
def test_documents_in_zip_archives_are_named(member: str, name: str, media_type: str) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(member, "Halló")
    verdict = identify(file.getvalue())
    assert verdict.why.startswith(f"{name}: ")
    assert media_type_of(verdict.why) == media_type


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_tar_archives_are_named(form: int) -> None:
    text, file = "Bókasafnið er opið alla daga vikunnar.".encode() * 50, io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=form) as archive:
        member = tarfile.TarInfo("síða.txt")
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text))
    verdict = identify(file.getvalue())
    assert verdict.why == "tar archive: unpack it and give the files inside"
    assert media_type_of(verdict.why) == "application/x-tar"


def test_binary_data() -> None:
    assert sniff(Page(b""), b"abc", True).syntax is Syntax.NONE
    assert identify(bytes(range(256)) * 8).label == "zxx"


@pytest.mark.parametrize("name", ["utf-16le", "utf-16be", "utf-32le", "utf-32be"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_wide_pages(name: str, bom: str) -> None:
    codec = name[:6] + "-" + name[6:]
    raw = (bom + "<html lang=el><p>Καλημέρα κόσμε, τι κάνετε;</p>").encode(codec)
    if not bom:
        assert detect_wide_by_nuls(_kernel.probe(raw)) == name
    v = identify(raw)
    assert (v.label, v.encoding) == ("ell_Grek", name)


@pytest.mark.parametrize("raw", [b"", b"\0", b"\0" * 100, b"abc", "Καλημέρα".encode()])
def test_not_wide(raw: bytes) -> None:
    assert detect_wide_by_nuls(_kernel.probe(raw)) == ""


@pytest.mark.parametrize(
    ("mark", "blank"),
    [(b"", b" "), (b"", b"\n"), (b"", b"\r\n\t"), (b"", b"\0"), (b"\xef\xbb\xbf", b" "), (b"\xef\xbb\xbf", b"\n")],
)
def test_leading_blanks_are_ignored(mark: bytes, blank: bytes) -> None:
    for page in (b"<!doctype html><p>x", b"<html><body>x", b"<p>x</p>"):
        assert sniff(Page(b""), mark + blank * 5000 + page).syntax is Syntax.HTML
    assert sniff(Page(b""), mark + blank * 5000 + b"<?xml version='1.0'?><a>x</a>").syntax is Syntax.XML
    verdict = identify(mark + blank * 5000 + b"<!doctype html><title>x</title><p>A line of text for the page")
    assert verdict.label == "eng_Latn"
    assert "<" not in Identifier().analyze(Page(mark + blank * 5000 + b"<!doctype html><p>x")).blocks[0].text


def test_a_short_signature_names_binary_data() -> None:
    packed = gzip.compress(random.Random(1).randbytes(4000))
    assert identify(packed).why.startswith("gzip data: ")
    assert identify(random.Random(1).randbytes(4000)).why == "binary data"


def test_an_archive_of_a_crawl_names_the_command_that_reads_it() -> None:
    record = (
        b"WARC/1.0\r\nWARC-Type: response\r\n\r\nHTTP/1.1 200 OK\r\n\r\n<p>The library is open every day of the week."
    )
    v = identify(record)
    assert (v.label, v.reason) == ("zxx", "binary") and "webtongue census" in v.why
    assert (
        identify(b"WARC/1.0 is a format for the archives of crawls, in which records follow each other.").label
        == "eng_Latn"
    )


@pytest.mark.parametrize(("name", "advice"), ADVICE.items())
def test_advice_is_about_a_known_format(name: str, advice: str) -> None:
    formats = {*(format_name for _, _, format_name in MAGIC), *ZIP_FORMATS.values(), *RIFF.values()}
    assert any(name in (known, known.rpartition(" ")[2]) for known in formats) and advice
