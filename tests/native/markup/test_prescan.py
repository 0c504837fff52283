"""The prescan equals the steps of the standard."""

from __future__ import annotations

from array import array

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.native.fragments import markup
from tests.twins.markup import prescan as twin
from webtongue import _kernel

LABELS = [b"utf-8", b"koi8-r", b"utf-16", b"x-user-defined", b"latin1"]
KNOWN = array("Q", sorted(_kernel.hash_lower(label) for label in LABELS))

heads = st.lists(
    st.sampled_from(
        [
            b"<meta ", b"<META/", b"<metax ", b"</meta ", b">", b"/>", b"charset=utf-8", b"charset = 'KOI8-R '", b'charset="no"',
            b"charset", b"http-equiv=content-type ", b"http-equiv='refresh'", b"content='text/html; charset=utf-8' ",
            b'content="charset=\'latin1\'"', b"content=charset=koi8-r", b"content='charset=nope'", b" ", b"\n", b"=", b'"', b"'",
            b"<!--", b"-->", b"<!-->", b"<!x>", b"<?y>", b"</1", b"<p a='", b"<script>", b"<a href=x>", b"x",
            b"<?xml version='1.0' encoding='utf-16'?>", b'<?xml encoding = "koi8-r" ', b"<?xml encoding='a b'>", b"encoding",
        ]
    ),
    max_size=14,
).map(b"".join)  # fmt: skip


@settings(max_examples=2500)
@given(head=heads | markup(20) | st.binary(max_size=60))
@example(head=b"<?xml version='1.0' encoding='utf-16'?><meta charset=koi8-r")
def test_prescan_equals_its_twin(head: bytes) -> None:
    assert _kernel.prescan(head, KNOWN) == twin.prescan(head, set(LABELS))


@settings(max_examples=800)
@given(
    content=st.lists(
        st.sampled_from([b"charset", b"CharSet", b"=", b" ", b";", b'"', b"'", b"utf-8", b"x", b"text/html", b"\xff"]),
        max_size=10,
    ).map(b"".join)
)
def test_charset_in_a_content_type(content: bytes) -> None:
    assert _kernel.charset_in(content) == (twin.charset_in(content) or b"")
