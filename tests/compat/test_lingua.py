"""webtongue.compat.lingua beside lingua."""

from __future__ import annotations

from typing import Any

import pytest

from tests.compat.comparing import CODE, LONG, SENTENCES, WITHOUT_LETTERS, assert_accepts, outcome, require
from webtongue.compat import lingua as ours

CODES = ("EN", "DE", "FR", "ES", "RU", "JA")


@pytest.fixture(scope="module")
def theirs() -> Any:
    return require("lingua")


@pytest.fixture(scope="module")
def their_detector(theirs: Any) -> Any:
    codes = [theirs.IsoCode639_1.from_str(code) for code in CODES]
    return theirs.LanguageDetectorBuilder.from_iso_codes_639_1(*codes).with_low_accuracy_mode().build()


@pytest.fixture(scope="module")
def detector() -> ours.LanguageDetector:
    codes = [ours.IsoCode639_1.from_str(code) for code in CODES]
    return ours.LanguageDetectorBuilder.from_iso_codes_639_1(*codes).with_low_accuracy_mode().build()


def public_names(thing: Any) -> set[str]:
    return {name for name in dir(thing) if not name.startswith("_")}


@pytest.mark.parametrize("name", ["LanguageDetector", "LanguageDetectorBuilder"])
def test_signatures(theirs: Any, name: str) -> None:
    for method in public_names(getattr(theirs, name)):
        assert_accepts(getattr(getattr(ours, name), method), getattr(getattr(theirs, name), method))


@pytest.mark.parametrize("name", ["Language", "IsoCode639_1", "IsoCode639_3", "ConfidenceValue", "DetectionResult"])
def test_types_have_the_names_of_lingua(theirs: Any, name: str) -> None:
    mine = getattr(ours, name)
    named_later = {"name", *getattr(mine, "__dataclass_fields__", ())}  # by instances
    assert not {member for member in public_names(getattr(theirs, name)) - named_later if not hasattr(mine, member)}


def test_languages_codes_and_scripts(theirs: Any) -> None:
    for theirs_one in theirs.Language.all():
        mine = ours.Language.from_str(theirs_one.name)
        assert str(mine) == repr(mine) == str(theirs_one)
        for code in ("iso_code_639_1", "iso_code_639_3"):
            assert str(getattr(mine, code)) == str(getattr(theirs_one, code))
            assert getattr(ours.Language, f"from_{code}")(getattr(mine, code)) is mine
    for method in public_names(theirs.Language):
        if method.startswith("all"):
            assert sorted(map(str, getattr(ours.Language, method)())) == sorted(
                map(str, getattr(theirs.Language, method)())
            )
    assert list(map(str, sorted(ours.Language.all()))) == list(map(str, sorted(theirs.Language.all())))
    for module in (ours, theirs):
        with pytest.raises(ValueError, match="not found"):
            module.IsoCode639_1.from_str("zz")


def test_every_language_is_in_the_model() -> None:
    for language in ours.Language:
        assert ours.LanguageDetectorBuilder.from_languages(language).build()


@pytest.mark.parametrize("code", [code.lower() for code in CODES])
def test_same_languages_and_types(detector: ours.LanguageDetector, their_detector: Any, code: str) -> None:
    text = SENTENCES[code]
    assert str(detector.detect_language_of(text)) == str(their_detector.detect_language_of(text))
    mine, other = (d.compute_language_confidence_values(text) for d in (detector, their_detector))
    assert len(mine) == len(other) == len(CODES)
    assert str(mine[0].language) == str(other[0].language) and type(mine[0].value) is type(other[0].value)
    assert sum(value.value for value in mine) == pytest.approx(1)
    assert detector.compute_language_confidence(text, mine[0].language) == mine[0].value > 0.9
    assert detector.compute_language_confidence(text, ours.Language.ZULU) == 0.0


@pytest.mark.parametrize("text", [*WITHOUT_LETTERS, LONG, None, b"bytes", 5])
def test_same_outcome_for_odd_input(detector: ours.LanguageDetector, their_detector: Any, text: Any) -> None:
    for method in ("compute_language_confidence_values", "detect_multiple_languages_of"):
        mine, other = (outcome(lambda d=d: getattr(d, method)(text)) for d in (detector, their_detector))  # noqa: B023
        assert mine == other
    if isinstance(text, str) and text is not LONG:
        assert detector.detect_language_of(text) is their_detector.detect_language_of(text) is None
        assert detector.detect_multiple_languages_of(text) == their_detector.detect_multiple_languages_of(text) == []
        assert {value.value for value in detector.compute_language_confidence_values(text)} == {0.0}


def test_parts_of_a_text(detector: ours.LanguageDetector, their_detector: Any) -> None:
    text = f"{SENTENCES['de']} {SENTENCES['ru']} {SENTENCES['en']}"
    mine, other = (d.detect_multiple_languages_of(text) for d in (detector, their_detector))
    for result in ("start_index", "end_index", "word_count"):
        assert type(getattr(mine[0], result)) is type(getattr(other[0], result)) is int
    assert str(mine[0].language) == str(other[0].language)
    for part, code in zip(mine, ("de", "ru", "en"), strict=True):
        assert SENTENCES[code] in text[part.start_index : part.end_index]
        assert part.word_count == len(SENTENCES[code].split())


def test_single_words_are_answered(detector: ours.LanguageDetector) -> None:
    words = {"bibliothèque": "FRENCH", "Straße": "GERMAN", "библиотека": "RUSSIAN", "hello": "ENGLISH"}
    assert {word: detector.detect_language_of(word).name for word in words} == words  # type: ignore[union-attr]


def test_other_languages_and_code_are_none(detector: ours.LanguageDetector) -> None:
    """Where lingua answers one of its languages."""
    assert detector.detect_language_of(SENTENCES["hu"]) is None
    assert detector.detect_language_of(CODE) is None


def test_calls_for_many_texts(detector: ours.LanguageDetector) -> None:
    texts = [SENTENCES["fr"], "123", SENTENCES["es"]]
    german = ours.Language.GERMAN
    for many, one in (
        (detector.detect_languages_in_parallel_of(texts), detector.detect_language_of),
        (detector.compute_language_confidence_values_in_parallel(texts), detector.compute_language_confidence_values),
        (detector.detect_multiple_languages_in_parallel_of(texts), detector.detect_multiple_languages_of),
        (
            detector.compute_language_confidence_in_parallel(texts, german),
            lambda text: detector.compute_language_confidence(text, german),
        ),
    ):
        assert many == [one(text) for text in texts]
    detector.unload_language_models()
    assert detector.detect_language_of(texts[0]) is ours.Language.FRENCH


def test_minimum_distance() -> None:
    builder = ours.LanguageDetectorBuilder.from_languages(ours.Language.DANISH, ours.Language.BOKMAL)
    assert builder.build().detect_language_of("Kontakt") is not None
    assert builder.with_minimum_relative_distance(0.9).build().detect_language_of("Kontakt") is None


def test_same_errors_of_the_builder(theirs: Any) -> None:
    for module in (ours, theirs):
        builder = module.LanguageDetectorBuilder
        with pytest.raises(ValueError, match="at least 1 language"):
            builder.from_languages()
        with pytest.raises(ValueError, match="Minimum relative distance"):
            builder.from_all_languages().with_minimum_relative_distance(1.5)
