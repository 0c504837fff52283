"""Measures of quality, and hashes that find duplicates and near duplicates."""

from __future__ import annotations

import random

import pytest

from webtongue.content import ContentBlock
from webtongue.content.duplicates import minhash_bands
from webtongue.content.quality import Quality, measure_quality, measure_text

VOCABULARY = [f"word{number}" for number in range(2000)]


def test_measures_of_blocks() -> None:
    blocks = [
        ContentBlock("paragraph", "the cat and the dog"),
        ContentBlock("item", "#####"),
        ContentBlock("item", "#####"),
    ]
    assert measure_quality(blocks, "eng_Latn") == Quality(
        29, 5, round(10 / 29, 4), 0.6, round(5 / 29, 4), round(10 / 29, 4)
    )


def test_languages_without_stop_words() -> None:
    assert measure_text("你好，世界", "zho_Hans").stop_word_share is None
    assert measure_text("", "eng_Latn") == Quality(0, 0, 0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "text",
    [
        "«Það er gott,» sagði hún – já!",
        "हिन्दी में लिखा गया वाक्य।",
        "สวัสดีครับ",
        "שָׁלוֹם עֲלֵיכֶם",
        "مرحبا، كيف الحال؟",
        "今日は、いい天気です。",
    ],
)
def test_letters_marks_and_punctuation_of_all_scripts_are_no_symbols(text: str) -> None:
    assert measure_text(text, "und").symbol_share == 0


def words(count: int, seed: int) -> list[str]:
    return random.Random(seed).choices(VOCABULARY, k=count)


def test_near_duplicates_share_a_band() -> None:
    hits = 0
    for seed in range(40):
        text = words(400, seed)
        changed = list(text)
        changed[seed * 9] = "changed"  # 10 of 401 grams differ
        hits += bool(set(minhash_bands(" ".join(text))) & set(minhash_bands(" ".join(changed))))
    assert hits >= 39


def test_other_texts_share_no_band() -> None:
    bands = [set(minhash_bands(" ".join(words(300, seed)))) for seed in range(60)]
    assert len(set.union(*bands)) == sum(map(len, bands))


def test_case_space_and_punctuation_do_not_matter() -> None:
    text = " ".join(words(50, 1))
    assert minhash_bands(text) == minhash_bands(text.upper().replace(" ", ",\n "))
    assert minhash_bands("Short text") == minhash_bands("short  text!") != minhash_bands("short texts")


def test_scripts_without_spaces() -> None:
    text = "老渡船每天过河六次到了夏天船上总是挤满了人许多人只好在岸边等下一班" * 3
    assert len(minhash_bands(text)) == 8 and set(minhash_bands(text)) & set(minhash_bands(text + "好"))


def test_bands_are_deterministic() -> None:
    assert minhash_bands("a b c d e f g h i j k l m n o p")[0] == 2012709037234621447
