"""The prefilter rejects pages without a wanted language by their bytes."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.inputs import random_page
from tests.quality.sentences import SENTENCES
from webtongue import Identifier, ModelError, Page
from webtongue.text.prefilter import (
    CHUNK_BYTES,
    MIN_WEIGHT,
    WEIGHT_LEVELS,
    WORD_MASKS,
    Prefilter,
    WeightTable,
    load,
    prefilter,
    table_indices,
)

ENGLISH = (
    "My neighbour repairs old bicycles in his garage and sells them again in spring. We missed the last bus because the meeting "
    "took much longer than anyone had planned."
)
ICELANDIC = (
    "Nágranni minn gerir við gömul reiðhjól í bílskúrnum sínum og selur þau aftur á vorin. Við misstum af síðasta strætisvagninum "
    "af því að fundurinn stóð miklu lengur en nokkur hafði ætlað."
)
GEORGIAN = "ჩემი მეზობელი ძველ ველოსიპედებს თავის ავტოფარეხში არემონტებს და გაზაფხულზე ისევ ყიდის."
RUSSIAN = (
    "Мой сосед чинит старые велосипеды в своём гараже и весной снова их продаёт, а мы опоздали на последний автобус."
)
JAPANESE = (
    "隣の人は古い自転車をガレージで直して、春になるとまた売っています。会議が長引いて最終のバスに乗り遅れました。"
)
FURNITURE = (
    '<div class="row"><a href="/a/b-1.html" title="x"></a><script>var a = window.b || {};</script></div>\n' * 120
)


def page(text: str, encoding: str = "utf-8", url: str | None = None, furniture: str = FURNITURE) -> Page:
    """A long page with a text in the midst of its markup."""
    body = f"<html><head><title>x</title></head>{furniture}<p>{text}</p>{furniture}"
    return Page(body.encode(encoding, "xmlcharrefreplace"), url)


@pytest.fixture(scope="module")
def ident() -> Identifier:
    return Identifier()


@pytest.mark.parametrize(
    ("language", "text", "encoding"),
    [
        ("is", ICELANDIC, "utf-8"),
        ("is", ICELANDIC, "iso-8859-1"),
        ("is", ICELANDIC, "ascii"),  # by references
        ("is", ICELANDIC.replace("ð", "d").replace("þ", "th").replace("á", "a").replace("í", "i"), "utf-8"),
        ("is", ICELANDIC.upper(), "utf-8"),
        ("is", ICELANDIC, "utf-16"),
        ("ka-Geor", GEORGIAN, "utf-8"),
        ("ka-Geor", GEORGIAN, "ascii"),
        ("ru-Cyrl", RUSSIAN, "utf-8"),
        ("ru-Cyrl", RUSSIAN, "cp1251"),
        ("ru-Cyrl", RUSSIAN, "koi8-r"),
        ("ja-Jpan", JAPANESE, "utf-8"),
        ("ja-Jpan", JAPANESE, "shift_jis"),
        ("ja-Jpan", JAPANESE, "euc_jp"),
        ("ja-Jpan", JAPANESE, "iso2022_jp"),
        ("en", ENGLISH, "utf-8"),
    ],
)
def test_text_in_a_wanted_language_passes(ident: Identifier, language: str, text: str, encoding: str) -> None:
    assert ident.prefilter([language]).may_hold(page(text, encoding))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("is", ENGLISH),
        ("is", RUSSIAN),
        ("ka-Geor", ENGLISH),
        ("ka-Geor", RUSSIAN),
        ("ka-Geor", ICELANDIC),
        ("sw", ENGLISH),
    ],
)
def test_other_text_is_refused(ident: Identifier, language: str, text: str) -> None:
    assert not ident.prefilter([language]).may_hold(page(text))


def test_one_text_among_many_is_enough(ident: Identifier) -> None:
    """Wherever it stands: at the end of a page of megabytes, and across the edge of what is looked at together."""
    look = ident.prefilter(["is"])
    filler = FURNITURE * 120
    for size in (0, CHUNK_BYTES - 90, CHUNK_BYTES - 40, CHUNK_BYTES, 2 * CHUNK_BYTES):
        raw = (filler.encode() * 2)[:size]
        assert look.may_hold(Page(raw + ICELANDIC.encode() + filler.encode()))
    assert not look.may_hold(Page((filler * 2).encode()))


def test_several_languages_at_once(ident: Identifier) -> None:
    look = ident.prefilter(["is", "ka-Geor", "ja-Jpan"])
    assert [look.may_hold(page(text)) for text in (ICELANDIC, GEORGIAN, JAPANESE, ENGLISH)] == [True, True, True, False]


def test_tables_of_many_languages_are_merged() -> None:
    names = [name for name in load().numbers if name.endswith("_Latn")][:40]
    look = prefilter([*names, "isl_Latn", "kat_Geor"])
    assert look.tables is not None and len(look.tables) <= 7
    assert look.may_hold(page(ICELANDIC)) and look.may_hold(page(GEORGIAN))


def test_hints_for_a_language_keep_a_page(ident: Identifier) -> None:
    look = ident.prefilter(["is"])
    passing = [
        page(ENGLISH, url="https://example.is/"),
        page(ENGLISH, url="https://example.com/is/about"),
        page(ENGLISH, url="https://is.example.com/"),
        page(ENGLISH, url="https://example.com/?lang=is"),
        Page(page(ENGLISH).raw.replace(b"<html>", b'<html lang="is">')),
        Page(page(ENGLISH).raw.replace(b"<html>", b"<html lang=is>")),
        Page(page(ENGLISH).raw.replace(b"<head>", b"<head><meta property='og:locale' content='is_IS'>")),
        Page(page(ENGLISH).raw, headers={"Content-Language": "en, is-IS"}),
    ]
    refused = [
        page(ENGLISH, url="https://example.com/this-island/"),
        page(ENGLISH, url="https://example.co.uk/"),
        Page(page(ENGLISH).raw.replace(b"<html>", b'<html lang="en">')),
        Page(page(ENGLISH).raw, headers={"Content-Language": "en", "Content-Type": "text/html"}),
    ]
    assert all(map(look.may_hold, passing))
    assert not any(map(look.may_hold, refused))


def test_small_pages_pass(ident: Identifier) -> None:
    assert ident.prefilter(["is"]).may_hold(Page(b"<p>Hello there</p>"))
    assert ident.prefilter(["is"]).may_hold(Page(b""))


def test_a_language_without_a_table_lets_all_pages_pass() -> None:
    untold = prefilter(["isl_Latn", "lad_Hebr"])
    assert untold.tables is None
    assert untold.may_hold(page(ENGLISH))


@pytest.mark.parametrize("label", SENTENCES)
def test_three_sentences_are_enough_to_pass(ident: Identifier, label: str) -> None:
    look = ident.prefilter([label])
    assert look.tables is not None
    assert look.may_hold(page(" ".join(SENTENCES[label])))


def test_pages_identified_in_the_language_are_rarely_refused(ident: Identifier) -> None:
    """Pages of all kinds, mixed and damaged: what is identified with some confidence passes the filter for its label, but for one
    in a hundred. Those in encodings that nobody wrote a language in (Korean in GB 18030) are left out."""
    filters: dict[str, Prefilter] = {}
    lost = []
    count = 0
    for seed in range(500):
        raw = random_page(random.Random(seed))
        verdict = ident.identify(raw)
        if verdict.reliable and "_" in verdict.label and verdict.encoding.startswith(("utf-8", "utf-16", "utf-32")):
            count += 1
            language_filter = filters.setdefault(verdict.label, prefilter([verdict.label]))
            if not language_filter.may_hold(Page(raw)):
                lost.append((seed, verdict.label))
    assert count > 100 and len(filters) > 10
    assert len(lost) <= count / 100, lost


def max_sum_twin(raw: bytes, table: WeightTable) -> int:
    """The readable twin: the highest sum of sixteen words that begin at a multiple of eight."""
    kind = WORD_MASKS[table.mask]
    weights = []
    for at in range(0, len(raw) // 4 * 4, 4):
        word = int.from_bytes(raw[at : at + 4], "little") & kind.keep | kind.set
        weights.append(int(table.weights[(word * 0x9E3779B1 & 0xFFFFFFFF) >> 16]) + MIN_WEIGHT)
    eights = [sum(weights[at : at + 8]) for at in range(0, len(weights) // 8 * 8, 8)]
    return max((a + b for a, b in pairwise(eights)), default=16 * MIN_WEIGHT)


@pytest.mark.parametrize("label", ["isl_Latn", "kat_Geor", "jpn_Jpan"])
def test_sums_equal_the_twin(label: str) -> None:
    table = load().table(label)
    chance = np.random.default_rng(5)
    for size in (0, 3, 31, 63, 64, 65, 96, 127, 128, 1000, 4099):
        raw = chance.integers(0, 256, size, np.uint8).tobytes()
        raw = raw[: size // 2] + (ICELANDIC + JAPANESE).encode()[: size - size // 2]
        words = np.frombuffer(raw, "<u4", len(raw) // 4)
        assert table.max_sum(table_indices(words, WORD_MASKS[table.mask])) == max_sum_twin(raw, table)


def test_tables_have_known_levels_only() -> None:
    table = load().table("isl_Latn")
    assert set(np.unique(table.weights).tolist()) <= {level - MIN_WEIGHT for level in WEIGHT_LEVELS}
    assert 8 * (WEIGHT_LEVELS[-1] - MIN_WEIGHT) < 256  # eight of them fit a byte


def test_a_damaged_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.wtp"
    path.write_bytes(b"WTP\r\n\x1a\n\0" + bytes(64))
    with pytest.raises(ModelError, match="cannot be used as a prefilter"):
        load(path)
