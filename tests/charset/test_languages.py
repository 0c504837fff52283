"""The table of encodings and languages."""

from __future__ import annotations

from webtongue import labels
from webtongue.charset.detection import byte_model
from webtongue.charset.languages import encoding_languages, is_used_for, language_of_encoding
from webtongue.charset.names import known_labels


def test_encodings_of_a_single_language() -> None:
    assert language_of_encoding("GB2312") == "zho_Hans"
    assert language_of_encoding("x-sjis") == "jpn_Jpan"
    assert language_of_encoding("us-ascii") == "eng_Latn"
    assert language_of_encoding("x-mac-ukrainian") == "ukr_Cyrl"
    for name in ("utf-8", "iso-8859-1", "windows-1252", "koi8-r", "windows-1251", "x-mac-cyrillic", "nonsense"):
        assert language_of_encoding(name) == ""


def test_the_table_names_labels_and_at_least_72_encodings() -> None:
    named = {name: language_of_encoding(name) for name in known_labels()}
    assert all(labels.parse(label) for label in named.values() if label)
    assert sum(bool(label) for label in named.values()) >= 72


def test_every_class_of_the_model_has_languages() -> None:
    assert set(byte_model.load().classes) <= set(encoding_languages())


def test_a_script_is_part_of_a_language() -> None:
    assert is_used_for("srp_Latn", "windows-1250") and not is_used_for("srp_Cyrl", "iso-8859-2")
    assert is_used_for("rus_Cyrl", "koi8-r") and not is_used_for("rus_Cyrl", "windows-1252")
