"""What is counted, against counting by hand."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtongue import Page
from webtongue.errors import UsageError
from webtongue.lab.methods.corpus import count_corpus
from webtongue.lab.methods.grams import MAX_DOCUMENT_CHARS, Grams, Vocabulary, keep_letters


def test_padded_words_of_seed_002() -> None:
    """Section 2.1.3: CENSUS has 7 bi-grams, tri-grams and quad-grams."""
    assert Grams(sizes=(2,), edges="pad").names("CENSUS") == [" C", "CE", "EN", "NS", "SU", "US", "S "]
    assert Grams(sizes=(4,), edges="pad").names("CENSUS") == [" CEN", "CENS", "ENSU", "NSUS", "SUS ", "US  ", "S   "]
    assert Grams(sizes=(1,), edges="pad").names("ab c") == ["a", "b", "c"]
    assert Grams(sizes=(2,), edges="pad").names("ab c") == [" a", "ab", "b ", " c", "c "]


def test_a_ring_has_as_many_grams_as_characters() -> None:
    """Hayati 2004, section 3.1; its own example leaves ' qu' out."""
    for size in range(1, 6):
        assert len(Grams(sizes=(size,), edges="wrap").names("the quick")) == 9
    assert Grams(sizes=(5,), edges="wrap").names("ab") == ["ababa", "babab"]


def test_marks_belong_to_letters() -> None:
    assert keep_letters("हिन्दी 24") == "हिन्दी"
    assert keep_letters("l'eau—x_1") == "l eau x"


def test_bytes_are_taken_as_they_are() -> None:
    assert Grams(unit="byte", sizes=(2,)).names(b"1\xff2") == ["1\xff", "\xff2"]
    assert Grams(unit="byte", sizes=(1,)).names("ä") == ["\xc3", "\xa4"]
    assert Grams(unit="byte", sizes=(1,)).names(Page(b"<b>\xe4</b>")) == ["\xe4"]


def test_a_document_is_counted_up_to_a_length() -> None:
    assert len(Grams(sizes=(1,)).keys("a" * (MAX_DOCUMENT_CHARS + 5))) == MAX_DOCUMENT_CHARS
    assert len(Grams(unit="byte", sizes=(1,)).keys(b"a" * (MAX_DOCUMENT_CHARS + 5))) == MAX_DOCUMENT_CHARS


def test_words() -> None:
    words = Grams(unit="word", fold=True)
    assert words.names("The cat, the dog.") == ["the", "cat", "the", "dog"]
    assert sorted(words.count("The cat, the dog.").counts.tolist()) == [1, 1, 2]


@given(
    st.text(max_size=40),
    st.sampled_from(["character", "byte", "word"]),
    st.sampled_from(["plain", "wrap", "pad"]),
    st.booleans(),
)
def test_keys_stand_for_names(text: str, unit: str, edges: str, letters: bool) -> None:
    grams = Grams(unit=unit, sizes=(1, 3), edges=edges, letters=letters)
    names = grams.names(text)
    keys = grams.keys(text)
    assert len(keys) == len(names)
    assert grams.keys_of(names).tolist() == keys.tolist()
    counted = grams.count(text)
    assert Counter({names[first]: n for first, n in zip(counted.firsts, counted.counts, strict=True)}) == Counter(names)
    assert all(names.index(names[first]) == first for first in counted.firsts)


def test_a_vocabulary_knows_its_own() -> None:
    vocabulary = Vocabulary(Grams(sizes=(1, 2)), ("b", "ab", "zz"))
    numbers, counts, all_of_it = vocabulary.count("abab")
    assert dict(zip(numbers.tolist(), counts.tolist(), strict=True)) == {0: 2, 1: 2}
    assert all_of_it.total == 4 + 3
    assert Vocabulary(Grams(), ()).find(np.array([1], np.uint64)).tolist() == [-1]


def test_a_table_counts_documents() -> None:
    counts = count_corpus({"b": ["aab"], "a": ["ab", "b"], "none": []}, Grams(sizes=(1,)))
    assert counts.labels == ("a", "b")
    names = counts.names(np.arange(2))
    a, b = names.index("a"), names.index("b")
    assert counts.matrix[:, [a, b]].toarray().tolist() == [[1, 1], [0, 1], [2, 1]]
    assert counts.sum_by_label()[:, [a, b]].toarray().tolist() == [[1, 2], [2, 1]]
    assert counts.totals.tolist() == [2, 1, 3]
    assert counts.names(counts.top(1)) == ("a",)  # 1/3 + 2/3 = 2/3 + 1/3: the first to occur


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(UsageError, match="unit"):
        Grams(unit="syllable")
    for sizes in ((), (0,), (17,), ("3",)):
        with pytest.raises(UsageError, match="sizes"):
            Grams(sizes=sizes)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="document"):
        Grams().count(3)  # type: ignore[arg-type]
