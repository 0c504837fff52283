"""Decisive features: those planted are found, those of one source or one kind of text are not, and what is shipped is sound."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from webtongue import _kernel, labels
from webtongue.lab.train.corpus.pack import pack_lines
from webtongue.lab.train.text.decisive import DecisiveConfig, find_decisive, split_units, sum_weights
from webtongue.lab.train.text.file import MAX_LOOK_ALIKES
from webtongue.lab.train.text.look_alikes import (
    ALL_KINDS,
    KINDS,
    Group,
    compute_key,
    map_sign_keys,
    read_groups,
    read_signs,
)

COMMON = "sol luna mar tierra cielo camino puerta ventana mesa libro papel agua fuego viento piedra flor".split()
GROUP = Group("made", KINDS["words"] + KINDS["pairs"], 1.0, ("spa_Latn", "ast_Latn"))


def made_text(words: list[str], odd: list[str], seed: str) -> list[str]:
    """Lines of words that all share, one in three with a word of the label's own, all with one of the source's."""
    rnd = random.Random(seed)
    lines = []
    for _ in range(200):
        line = rnd.choices(COMMON, k=14) + rnd.choices(odd, k=1)
        if rnd.random() < 0.35:
            line[rnd.randrange(10)] = rnd.choice(words)
        lines.append(" ".join(line))
    return lines


def two_labels() -> dict[str, dict[str, list[str]]]:
    words_by_label = {"spa_Latn": ["primero", "segundo"], "ast_Latn": ["primeru", "segundu"]}
    return {
        label: {
            source: made_text(words, [f"{source}{label[:3]}"], f"{label}/{source}")
            for source in ("one", "two", "three")
        }
        for label, words in words_by_label.items()
    }


def test_planted_words_are_found_and_tell_new_text() -> None:
    group = find_decisive(two_labels(), GROUP, DecisiveConfig())
    assert group is not None
    place = {int(key): weights for key, weights in zip(group.keys, group.weights, strict=True)}
    for word, own in (("primero", 0), ("segundo", 0), ("primeru", 1), ("segundu", 1)):
        assert place[compute_key(word, "spa_Latn")].argmax() == own
        assert place[compute_key(word, "spa_Latn")].max() > 0.5
    sums = sum_weights(group, ["mar y primeru", "mar y primero", "mar y mar"])
    assert sums.argmax(axis=1)[:2].tolist() == [1, 0]
    assert abs(sums[2, 0] - sums[2, 1]) < 0.5


def test_a_word_of_one_source_is_not_believed() -> None:
    group = find_decisive(two_labels(), GROUP, DecisiveConfig())
    assert group is not None
    assert compute_key("onespa", "spa_Latn") not in set(group.keys.tolist())


def test_the_same_text_gives_the_same_features() -> None:
    one, two = (find_decisive(two_labels(), GROUP, DecisiveConfig()) for _ in range(2))
    assert one is not None and two is not None
    assert one.keys.tolist() == two.keys.tolist()
    assert one.weights.tolist() == two.weights.tolist()


def test_a_label_alone_has_no_look_alikes() -> None:
    assert find_decisive({"spa_Latn": two_labels()["spa_Latn"]}, GROUP, DecisiveConfig()) is None
    assert find_decisive({}, GROUP, DecisiveConfig()) is None


def test_units_are_of_one_length() -> None:
    config = DecisiveConfig()
    cut = split_units(["kort"] * 100 + ["ord " * 300, "x" * 1000], False, config)
    assert all(config.min_unit_chars <= len(unit) <= config.max_unit_chars for unit in cut[:-1])
    assert split_units([], True, config) == []


@pytest.mark.parametrize(
    ("form", "label", "kind", "text"),
    [
        ("kerana", "msa_Latn", "words", "kerana"),
        ("ko", "srp_Latn", "words", "Ko"),
        ("æ", "dan_Latn", "words", "æ"),
        ("da li", "srp_Latn", "pairs", "Da li?"),
        ("не", "srp_Cyrl", "words", "Не"),
    ],
)
def test_keys_are_the_kernels(form: str, label: str, kind: str, text: str) -> None:
    kernel_keys = _kernel.line_keys(*pack_lines([text]), KINDS[kind])[0]
    assert kernel_keys.tolist() == [compute_key(form, label)]


def test_keys_of_characters_and_endings() -> None:
    assert compute_key("唔係", "yue_Hant") in _kernel.line_keys(*pack_lines(["佢唔係人"]), ALL_KINDS)[0].tolist()
    assert compute_key("iti_", "msa_Latn") in _kernel.line_keys(*pack_lines(["universiti"]), KINDS["grams"])[0].tolist()
    with pytest.raises(ValueError, match="more than 4 characters"):
        compute_key("ositi_", "msa_Latn")


def test_what_is_shipped_is_sound() -> None:
    groups = read_groups()
    named = [label for group in groups for label in group.labels]
    assert len(named) == len(set(named)), "a label is in one group"
    for group in groups:
        assert 2 <= len(group.labels) <= MAX_LOOK_ALIKES
        assert all(str(labels.parse(label)) == label for label in group.labels), group.name
        assert 0 < group.trust <= 2
    for sign in read_signs():
        assert sign.form == sign.form.lower()
        compute_key(sign.form, sign.labels[0])


def test_signs_of_several_labels_are_joined(tmp_path: Path) -> None:
    group = next(group for group in read_groups() if "hrv_Latn" in group.labels)
    signs = map_sign_keys(group)
    which = {label: number for number, label in enumerate(group.labels)}
    assert signs[compute_key("tjedan", "hrv_Latn")] == (which["hrv_Latn"],)
    assert set(signs[compute_key("šta", "hrv_Latn")]) == {which["bos_Latn"], which["srp_Latn"]}
    assert all(0 < len(own) < len(group.labels) for own in signs.values())
    assert np.unique(list(signs)).size == len(signs)
