"""Encoding labels: the standard's, other spellings, encodings outside it."""

from __future__ import annotations

import codecs
import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtongue.charset import names as labels
from webtongue.charset.names import Encoding, resolve

STANDARD = labels._encodings(True)
ALL = labels._encodings(False)


def test_doctests():
    assert doctest.testmod(labels).failed == 0


def test_all_labels_of_the_standard_are_known():
    assert len(STANDARD) == 228
    assert len({encoding.name for encoding in STANDARD.values()}) == 40
    assert all(encoding.whatwg for encoding in STANDARD.values())


def test_standard_labels_equal_webencodings():
    reference = pytest.importorskip("webencodings.labels")
    assert {label: encoding.name for label, encoding in STANDARD.items()} == reference.LABELS


@pytest.mark.parametrize(
    ("label", "name", "codec"),
    [
        ("utf-8", "utf-8", "utf-8"), ("UTF8", "utf-8", "utf-8"), ("unicode-1-1-utf-8", "utf-8", "utf-8"),
        ("latin1", "windows-1252", "cp1252"), ("us-ascii", "windows-1252", "cp1252"),
        ("iso-8859-1", "windows-1252", "cp1252"), ("iso-8859-9", "windows-1254", "cp1254"),
        ("shift_jis", "shift_jis", "cp932"), ("x-sjis", "shift_jis", "cp932"), ("euc-kr", "euc-kr", "cp949"),
        ("ks_c_5601-1987", "euc-kr", "cp949"), ("gb2312", "gbk", "gb18030"), ("gbk", "gbk", "gb18030"),
        ("gb18030", "gb18030", "gb18030"), ("big5", "big5", "big5hkscs"), ("big5-hkscs", "big5", "big5hkscs"),
        ("iso-8859-8-i", "iso-8859-8-i", "iso8859-8"), ("logical", "iso-8859-8-i", "iso8859-8"),
        ("tis-620", "windows-874", "cp874"), ("iso-8859-11", "windows-874", "cp874"), ("ibm866", "ibm866", "cp866"),
        ("mac", "macintosh", "mac-roman"), ("x-mac-cyrillic", "x-mac-cyrillic", "mac-cyrillic"),
        ("utf-16", "utf-16le", "utf-16-le"), ("unicodefffe", "utf-16be", "utf-16-be"),
        ("x-user-defined", "x-user-defined", None), ("replacement", "replacement", None),
    ],
)  # fmt: skip
def test_labels_of_the_standard(label, name, codec):
    assert resolve(label) == resolve(label, standard=True) == Encoding(name, True, codec)


@pytest.mark.parametrize(
    ("label", "name", "codec"),
    [
        ("win-1251", "windows-1251", "cp1251"), ("windows1252", "windows-1252", "cp1252"),
        ("shiftjis", "shift_jis", "cp932"), ("euc_jp", "euc-jp", "euc_jp"), ("cp936", "gbk", "gb18030"),
        ("koi8r", "koi8-r", "koi8-r"), ("utf_8", "utf-8", "utf-8"), ('"utf-8"', "utf-8", "utf-8"),
        ("utf-8;", "utf-8", "utf-8"), ("cp949", "euc-kr", "cp949"), ("tis620-0", "windows-874", "cp874"),
    ],
)  # fmt: skip
def test_other_spellings_are_accepted_outside_the_standard(label, name, codec):
    assert resolve(label) == Encoding(name, True, codec)
    assert resolve(label, standard=True) is None


@pytest.mark.parametrize(
    ("label", "name", "codec"),
    [
        ("utf-7", "utf-7", "utf-7"), ("utf-32", "utf-32", "utf-32"), ("utf-32le", "utf-32le", "utf-32-le"),
        ("johab", "johab", "johab"), ("viscii", "viscii", None), ("x-viet-vps", "vps", None), ("tcvn", "tcvn", None),
        ("tscii", "tscii", None), ("armscii-8", "armscii-8", None), ("geostd8", "geostd8", None),
        ("kz1048", "kz1048", "kz1048"), ("ptcp154", "ptcp154", "ptcp154"), ("cp437", "cp437", "cp437"),
        ("ibm850", "cp850", "cp850"), ("cp1125", "cp1125", "cp1125"), ("mik", "mik", None), ("iscii", "x-iscii-de", None),
        ("x-mac-greek", "mac-greek", "mac-greek"), ("x-mac-ce", "mac-ce", "mac-latin2"),
    ],
)  # fmt: skip
def test_encodings_outside_the_standard(label, name, codec):
    assert resolve(label) == Encoding(name, False, codec)
    assert resolve(label, standard=True) is None


@pytest.mark.parametrize("label", ["iso-2022-kr", "csiso2022kr", "iso-2022-cn", "iso-2022-cn-ext", "hz-gb-2312"])
def test_encodings_rejected_by_browsers_are_resolved(label):
    assert resolve(label, standard=True) == Encoding("replacement", True, None)
    assert not resolve(label).whatwg


@pytest.mark.parametrize(
    "label", ["", " ", "utf", "utf-9", "none", "binary", "\u212aoi8-r", "\xa0utf-8", "\x0butf-8", "u" * 10**6]
)
def test_unknown_labels(label):
    assert resolve(label, standard=True) is None
    if label != "utf":
        assert resolve(label) is None


def test_only_ascii_whitespace_and_case_are_ignored():
    assert resolve("\t\n\f\r UTF-8 \r\n") == resolve(b" Utf-8\x0c", standard=True) == Encoding("utf-8", True, "utf-8")


def test_python_has_every_codec():
    for encoding in ALL.values():
        if encoding.codec is not None:
            assert codecs.lookup(encoding.codec).name


def test_each_encoding_name_is_a_label():
    for encoding in ALL.values():
        assert resolve(encoding.name) == encoding


@given(st.one_of(st.text(max_size=80), st.binary(max_size=80)))
def test_never_raises(label):
    for standard in (False, True):
        encoding = resolve(label, standard=standard)
        assert encoding is None or encoding.name in ALL
