"""The array decoder of ISO 2022 equals one that goes escape by escape."""

from __future__ import annotations

import random

import pytest

from tests.twins.charset import iso2022 as twin
from webtongue.charset import iso2022

ESCAPES = [escape.sequence for escape in iso2022.ESCAPES]
FREQUENT = [b"\x1b", b"\x1b$", b"\x1bN", b"\x1b.A", b"\x0e", b"\x0f", b"\x1b(B"] * 4
SPELLED_SYLLABLE = b"$T$($G$1"  # a Hangul syllable in letters


def random_fragment(r: random.Random) -> bytes:
    kind = r.random()
    if kind < 0.35:
        return r.choice(ESCAPES + FREQUENT)
    if kind < 0.75:
        return b"".join(bytes([r.choice(b"$0%#"), r.choice(b'"!#%&')]) for _ in range(r.randrange(6)))
    if kind < 0.85:
        return bytes(r.randrange(0x21, 0x7F) for _ in range(r.randrange(5)))
    if kind < 0.9:
        return r.randbytes(r.randrange(4))
    if kind < 0.95:
        return r.choice([b" ", b"\n", b"<p>", b"abc"])
    return bytes(b if r.random() < 0.9 else r.randrange(0x21, 0x7F) for b in SPELLED_SYLLABLE * r.randrange(1, 3))


def random_page(r: random.Random) -> bytes:
    if r.random() < 0.2:  # mostly single shifts, which may overlap
        return b"".join(r.choice([b"\x1bN", b"\x1b", b"N", b"!", b"\x0e", b"\x1b.F"]) for _ in range(r.randrange(30)))
    return b"".join(random_fragment(r) for _ in range(r.randrange(40)))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("size", [17, 50, 1 << 16])
def test_equals_its_twin(seed: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(iso2022, "CHUNK_BYTES", size)
    r = random.Random(seed)
    for _ in range(60):
        raw = random_page(r)
        assert iso2022.decode(raw).decode() == twin.decode(raw), raw


@pytest.mark.parametrize("seed", range(5))
def test_offsets_of_characters_rise(seed: int) -> None:
    r = random.Random(seed)
    for _ in range(100):
        raw = random_page(r)
        at = [int(i) for chunk in iso2022.decode_chunks(raw) for i in chunk.offsets]
        assert sorted(set(at)) == at
        assert not at or 0 <= at[0] <= at[-1] < len(raw)


def test_every_pair_of_every_set() -> None:
    """Decode each row of each set as a run."""
    for name in "@ABCDGOPQ":
        for row in range(0x21, 0x7F):
            raw = b"\x1b$(" + name.encode() + b" ".join(bytes((row, cell)) for cell in range(0x21, 0x7F))
            assert iso2022.decode(raw).decode() == twin.decode(raw)


@pytest.mark.parametrize("codec", ["iso2022_jp", "iso2022_jp_1", "iso2022_jp_2", "iso2022_jp_3", "iso2022_jp_ext"])
def test_text_encoded_by_python_is_decoded(codec: str) -> None:
    text = "<p>吾輩は猫である。カ゚タカナ</p>\n" if codec == "iso2022_jp_3" else "<p>吾輩は猫である。カタカナ</p>\n"
    assert iso2022.decode((text * 5000).encode(codec)).decode() == text * 5000


def test_hangul_syllable_spelled_in_letters() -> None:
    assert iso2022.decode(b"\x1b$)C\x0e0!" + SPELLED_SYLLABLE + b"0!\x0f").decode() == "가똠가"


def test_names_of_designated_sets() -> None:
    for escape in iso2022.ESCAPES:
        assert iso2022.designated_sets(b"x" * 9 + escape.sequence) == {escape.name} - {""}
        assert iso2022.designated_sets(escape.sequence[:-1]) == set()
    assert iso2022.designated_sets(b"x" * (iso2022.CHUNK_BYTES - 1) + b"\x1b$B") == {"B"}


@pytest.mark.parametrize("seed", range(40))
def test_plain_japanese_pages_equal_the_twin(seed: int) -> None:
    """Pages without other sets are decoded by Python's codec, except where a code is unassigned or a pair is cut."""
    rnd = random.Random(seed)
    parts = [b"\x1b$B", b"\x1b(B", b"0!", b'$"', b"<p>", b"\n", b" ", b"\x7f", b"\\", b"~", b"|~", b"x"]
    weights = [3, 3, 9, 9, 2, 1, 0.2, 0.1, 0.2, 0.2, 0.1, 0.3]
    raw = b"".join(rnd.choices(parts, weights, k=rnd.randint(1, 60)))
    assert iso2022.decode(raw).decode() == twin.decode(raw)
    assert iso2022.designated_sets(raw) == ({"B"} if b"\x1b$B" in raw else set())
    chunks = iso2022.decode_chunks(raw)
    assert "".join(chr(point) for chunk in chunks for point in chunk.points) == iso2022.decode(raw).decode()
