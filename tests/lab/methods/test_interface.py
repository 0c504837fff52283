"""What every method does alike: fit, score, save, load, and bear anything."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.lab.methods.texts import ADDRESSED, CORPUS, NEW
from webtongue import ModelError, Page, UsageError
from webtongue.files import pack
from webtongue.lab import methods
from webtongue.lab.methods.base import MAGIC, VERSION, override_settings, read_file
from webtongue.lab.methods.common_words import CommonWordsSettings

TEXT_METHODS = sorted(name for name in methods.NAMES if not methods.method(name).reads_urls)
SETTINGS = {"common_words": CommonWordsSettings(least=1)}  # twelve sentences are too few for others
CORPORA = {"nfc_tld": ADDRESSED}  # methods that learn from more than text


def fit(name: str) -> methods.Method:
    return methods.method(name).fit(CORPORA.get(name, CORPUS), SETTINGS.get(name))


@pytest.fixture(scope="module", params=TEXT_METHODS)
def fitted(request: pytest.FixtureRequest) -> methods.Method:
    return fit(request.param)


def test_tells_languages_apart(fitted: methods.Method) -> None:
    """A tree that was grown on twelve sentences asks one question a language: it is held to those sentences."""
    if fitted.name == "decision_tree":
        assert all(fitted.answer(text).label == label for label, texts in CORPUS.items() for text in texts)
        return
    assert {label: fitted.answer(text).label for label, text in NEW.items()} == {label: label for label in NEW}


def test_scores_are_of_every_label(fitted: methods.Method) -> None:
    scores = fitted.score(NEW["deu_Latn"])
    assert tuple(scores) == fitted.labels
    rows = fitted.score_many([NEW["deu_Latn"], ""])
    assert rows[0].tolist() == list(scores.values())
    assert np.isnan(rows[1]).all() and fitted.score("") == {}


def test_reads_pages(fitted: methods.Method) -> None:
    page = Page(f"<title>x</title><p>{CORPUS['deu_Latn'][0]}".encode())
    assert fitted.answer(page).label == "deu_Latn"


def test_saved_and_loaded(fitted: methods.Method, tmp_path: Path) -> None:
    path = tmp_path / "model.wtp"
    fitted.save(path, {"made": "here"})
    first = path.read_bytes()
    again = methods.load(path)
    assert type(again) is type(fitted) and again.settings == fitted.settings
    assert all(again.score(text) == fitted.score(text) for text in NEW.values())
    again.save(path, {"made": "here"})
    assert path.read_bytes() == first
    fit(fitted.name).save(path, {"made": "here"})
    assert path.read_bytes() == first


@pytest.mark.parametrize(
    "document", ["", " ", "1234", "\ud800\x00", b"", b"\xff\xfe\x00", b"\x00" * 50, Page(b"%PDF-1.4")]
)
def test_any_document_is_answered(fitted: methods.Method, document: methods.Document) -> None:
    answer = fitted.answer(document)
    assert answer.label in ("und", *CORPUS)
    assert (answer.label == "und") == bool(answer.reason)


def test_wrong_types_are_refused(fitted: methods.Method) -> None:
    with pytest.raises(TypeError):
        fitted.score(7)  # type: ignore[arg-type]


def test_damaged_files_are_refused(fitted: methods.Method, tmp_path: Path) -> None:
    path = tmp_path / "model.wtp"
    fitted.save(path)
    raw = path.read_bytes()
    for damaged in (b"", raw[:-1], raw[:200] + bytes([raw[200] ^ 1]) + raw[201:], b"x" + raw[1:]):
        path.write_bytes(damaged)
        with pytest.raises(ModelError):
            methods.load(path)
    with pytest.raises(ModelError):
        methods.load(tmp_path / "nowhere.wtp")


@pytest.mark.parametrize(
    "change",
    [
        lambda head: head["settings"].update(magic=1),
        lambda head: head["arrays"].update(more=["<f8", [0]]),
        lambda head: head["arrays"].popitem(),
        lambda head: head["arrays"].update({name: ["|O", shape] for name, (_, shape) in head["arrays"].items()}),
        lambda head: head["arrays"].update({name: ["<i2", shape] for name, (_, shape) in head["arrays"].items()}),
        lambda head: head["arrays"].update({name: [kind, [-1, 3]] for name, (kind, _) in head["arrays"].items()}),
        lambda head: head["arrays"].update({name: [kind, [10**12]] for name, (kind, _) in head["arrays"].items()}),
        lambda head: head.update(arrays=[]),
        lambda head: head.update(settings=None),
        lambda head: head.pop("method"),
    ],
)
def test_forged_files_are_refused(fitted: methods.Method, tmp_path: Path, change: Callable[[Any], object]) -> None:
    """Files with a right checksum whose parts are not those of the method."""
    path = tmp_path / "model.wtp"
    fitted.save(path)
    head, body = read_file(path)
    if not head["arrays"]:
        pytest.skip("a method without arrays")
    change(head)
    path.write_bytes(pack(MAGIC, VERSION, {"head": json.dumps(head).encode(), "body": body}))
    with pytest.raises(ModelError):
        methods.load(path)


def test_a_model_is_of_its_method(tmp_path: Path) -> None:
    path = tmp_path / "model.wtp"
    fit("rank_order").save(path)
    other = next(name for name in TEXT_METHODS if name != "rank_order")
    with pytest.raises(ModelError, match="rank_order"):
        methods.method(other).load(path)


def test_what_is_not_there_says_what_to_do() -> None:
    with pytest.raises(UsageError, match="rank_order"):
        methods.method("magic")


def test_settings_are_checked() -> None:
    defaults = methods.method("rank_order").default_settings()
    assert override_settings(defaults, {"profile": 300, "grams": {"sizes": [1, 2]}}).grams.sizes == (1, 2)
    for wrong in ({"profil": 3}, {"profile": "3"}, {"grams": 3}, {"grams": {"size": 3}}):
        with pytest.raises(UsageError):
            override_settings(defaults, wrong)
