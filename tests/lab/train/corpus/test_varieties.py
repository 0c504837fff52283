"""Text of varieties, made from that of their standard."""

from __future__ import annotations

import random
from pathlib import Path

from webtongue import labels
from webtongue.lab.train.corpus.read import Corpus
from webtongue.lab.train.corpus.varieties import SOURCE, Rules, add_varieties, read_rules


def rules_of(*rows: tuple[str, str, float]) -> Rules:
    rules = Rules()
    for base, form, often in rows:
        rules.add(base, form, often)
    return rules


def test_two_words_come_before_one_and_words_before_their_ends() -> None:
    rules = rules_of(
        ("tko je", "ko je", 1),
        ("tko", "who", 1),
        ("*irati", "*isati", 1),
        ("studirati", "učiti", 1),
        ("euro*", "evro*", 1),
    )
    text, replaced, words = rules.apply("Tko je tko? Reagirati, studirati, europski.", random.Random(1))
    assert text == "Ko je who? Reagisati, učiti, evropski."
    assert (replaced, words) == (5, 6)


def test_a_word_that_is_spared_does_not_fall_to_a_rule_for_ends() -> None:
    rules = rules_of(("kvalitet", "never", 0.0), ("*tet", "*teta", 1))
    assert rules.apply("kvalitet univerzitet", random.Random(1))[0] == "kvalitet univerziteta"


def test_a_joined_and_stays_on_the_arabic_word_and_vowel_signs_go() -> None:
    rules = rules_of(("الذي", "اللي", 1))
    assert rules.apply("والّذي", random.Random(1))[0] == "واللي"


def test_alternatives_are_all_drawn() -> None:
    rules = rules_of(("sutra", "za sutra", 0.5), ("sutra", "ujutro", 0.5))
    drawn = {rules.apply("sutra", random.Random(seed))[0] for seed in range(40)}
    assert drawn == {"sutra", "za sutra", "ujutro"}


def test_made_lines_join_a_variety_that_is_in_the_corpus() -> None:
    rules = {("bos_Latn", "hrv_Latn"): rules_of(("tisuća", "hiljada", 1), ("tjedan", "sedmica", 1))}
    rules["mag_Deva", "hin_Deva"] = rules_of(("है", "हइ", 1), ("और", "आउ", 1))
    lines = ["Tisuća ljudi svaki tjedan.", "Ništa od toga ovdje.", "Tjedan i tisuća dana."]
    corpus = Corpus(
        {("news", "hrv_Latn"): lines, ("words", "hrv_Latn"): ["tjedan tisuća"], ("ui", "bos_Latn"): ["Sedmica"]}
    )
    add_varieties(corpus, rules)
    generated = sorted(corpus.lines[SOURCE, "bos_Latn"])
    assert generated == [
        "Hiljada ljudi svaki sedmica.",
        "Ništa od toga ovdje.",
        "Sedmica i hiljada dana.",
    ]  # the second is both
    hindi = Corpus({("news", "hin_Deva"): ["यह है और वह है", "घर"], ("ui", "mag_Deva"): ["घर"]})
    add_varieties(hindi, rules)
    assert hindi.lines[SOURCE, "mag_Deva"] == ["यह हइ आउ वह हइ"]
    without_base = Corpus({("news", "hrv_Latn"): lines})
    add_varieties(without_base, rules)
    assert list(without_base.lines) == [("news", "hrv_Latn")]


def test_shipped_rules_are_whole() -> None:
    rules = read_rules()
    assert {base for _, base in rules} == {"ara_Arab", "hin_Deva", "hrv_Latn", "srp_Latn"}
    for variety, base in rules:
        assert str(labels.parse(variety)) == variety and variety[-4:] == base[-4:]


def test_rules_change_their_form(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text("arz_Arab\tara_Arab\tالآن\tدلوقتي|دلوقت\t1\n", "utf-8")
    replaced = read_rules(tmp_path)["arz_Arab", "ara_Arab"].apply("الآن", random.Random(0))[0]
    assert replaced in ("دلوقتي", "دلوقت")
    for of_pair in read_rules().values():
        for forms in (of_pair.words, of_pair.begins, of_pair.ends):
            assert not any(form == base for base, drawn in forms.items() for form, _ in drawn)
