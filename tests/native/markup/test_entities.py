"""Character references: the kernel equals its twin and Python's converter."""

from __future__ import annotations

import html
from html.entities import html5

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.native.fragments import markup
from tests.twins.markup import entities
from webtongue import _kernel

names = st.sampled_from(sorted(html5)).map(lambda name: "&" + name)
numbers = st.one_of(
    st.integers(0, 0x120000).map("&#{};".format),
    st.integers(0, 0x120000).map("&#x{:X}".format),
    st.integers(0, 300).map("&#{}".format),
    st.integers(2**31, 2**70).map("&#{};".format),
)
cut = names.flatmap(lambda name: st.integers(1, len(name)).map(lambda n: name[:n]))
references = st.lists(st.one_of(names, numbers, cut, st.sampled_from(list("&;=#x09azAé中 \n"))), max_size=12).map(
    "".join
)


@settings(max_examples=1500)
@given(text=references)
@example(text="&#13;&#0;&#x80;&#xFFFE;&#xB;")
def test_text_equals_python_unescape(text: str) -> None:
    assert _kernel.unescape(text.encode(), False).decode() == html.unescape(text)


@settings(max_examples=1500)
@given(raw=references.map(str.encode) | markup(15) | st.binary(max_size=40), in_attribute=st.booleans())
def test_unescape_equals_its_twin(raw: bytes, in_attribute: bool) -> None:
    assert _kernel.unescape(raw, in_attribute) == entities.unescape(raw, in_attribute)


def test_every_name_and_every_number() -> None:
    for name, value in html5.items():
        assert _kernel.unescape(f"&{name}".encode(), False).decode() == value
        assert _kernel.unescape(f"&{name} x".encode(), True).decode() == value + " x"
    text = " ".join(f"&#{n};&#x{n:x};" for n in [*range(0x3000), *range(0xD7F0, 0xE010), *range(0x10FFF0, 0x110010)])
    assert _kernel.unescape(text.encode(), False).decode() == html.unescape(text)


@pytest.mark.parametrize(
    ("raw", "text", "attribute"),
    [
        ("&copy2", "©2", "&copy2"),
        ("&copy=2", "©=2", "&copy=2"),
        ("&copy;=2", "©=2", "©=2"),
        ("&copy é", "© é", "© é"),
        ("&notit;", "¬it;", "&notit;"),
        ("?a&lt", "?a<", "?a<"),
    ],
)
def test_references_in_attributes(raw: str, text: str, attribute: str) -> None:
    assert _kernel.unescape(raw.encode(), False).decode() == text
    assert _kernel.unescape(raw.encode(), True).decode() == attribute
