"""Noise flags equal their twin's on any text."""

from __future__ import annotations

import unicodedata

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.twins.markup import noise
from webtongue import _kernel

COMMON = ["Home Page", "accueil", "主页", "Read more »"]
NOTICES = ["404 Not Found", "nginx"]
USES, REQUESTS = ["we use", "verwenden"], ["accept", "同意"]
FOLDED, NOTICED = ({noise.fold(s.encode()) for s in some} for some in (COMMON, NOTICES))

# Unassigned in the standard library's version of Unicode and assigned in the kernel's, or the other way: not compared.
known = st.characters(max_codepoint=0xFFFF, exclude_categories=("Cn", "Cs", "Cc"))
lines = st.lists(
    st.one_of(
        st.sampled_from([*COMMON, *NOTICES, "Not found 2", "nginx/1.18", "n/ginx", "nginx/x/y", "not found /", "/nginx", "Cookies?", "cooKIE", "our cookies", "kookie cook", "We use cookies", "Cookies verwenden wir", "we use it " + "x" * 80 + " cookies", "We use cookies, accept them", "Accept", "OK", "ok!", "同意", "accept " * 7, "home page!", "HOME PAGE", "12 345", "3.5%", "***", "what?", "W?rter", "???", "a?b", "é?é", "?",
                         "\ufffd", "\ufffdbc", "one two three four five six seven \ufffd", "x" * 70, "٣٤"]),
        st.text(known, min_size=1, max_size=12),
    ).map(lambda s: " ".join(s.split())).filter(bool),
    max_size=12,
)  # fmt: skip


@settings(max_examples=1200)
@given(lines=lines)
@example(lines=["a", "a", "b"])
def test_noise_equals_its_twin(lines: list[str]) -> None:
    scan = _kernel.scan("\n\n".join(lines).encode(), 3, False, True)
    blocks = scan.text.split(b"\n") if scan.text else []
    scan.mark_noise(_kernel.CommonStrings(COMMON, NOTICES, USES, REQUESTS))
    consent = noise.consent(blocks, [word.encode() for word in USES], [word.encode() for word in REQUESTS])
    expected = [flags | banner for flags, banner in zip(noise.flags(blocks, FOLDED, NOTICED), consent, strict=True)]
    assert scan.blocks()[5].tolist() == expected


def test_a_banner_is_marked_in_a_short_text_only() -> None:
    for repeats, flag in ((1, noise.CONSENT), (400, 0)):
        blocks = ["We use cookies", "Accept", *(f"The library is open {i}" for i in range(repeats))]
        scan = _kernel.scan("\n\n".join(blocks).encode(), 3, False, True)
        scan.mark_noise(_kernel.CommonStrings(COMMON, NOTICES, USES, REQUESTS))
        assert scan.blocks()[5].tolist() == [flag, flag] + [0] * repeats


@settings(max_examples=400)
@given(raw=st.binary(max_size=40))
def test_hashes_ignore_case(raw: bytes) -> None:
    assert _kernel.hash_lower(raw) == _kernel.hash_lower(raw.lower())


def test_letters_are_those_of_unicode() -> None:
    """A block of one character is numbers or symbols if and only if the character is no letter or mark."""
    codes = [
        c for c in range(0xA1, 0x20000) if unicodedata.category(chr(c)) not in ("Cn", "Cs", "Cc", "Co") and c != 0xFFFD
    ]
    wrong = []
    for start in range(0, len(codes), 1000):  # fewer than the cap on blocks
        part = codes[start : start + 1000]
        scan = _kernel.scan("\n\n".join(map(chr, part)).encode(), 3, False, True)
        scan.mark_noise(_kernel.CommonStrings([], [], [], []))
        flags = scan.blocks()[5].tolist()
        wrong += [hex(c) for c, f in zip(part, flags, strict=True) if bool(f & 3) == noise.is_letter(chr(c))]
    assert not wrong
