"""webtongue.compat.langid beside langid and py3langid."""

from __future__ import annotations

from typing import Any

import pytest

from tests.compat.comparing import (
    CHINESE,
    CODE,
    LONG,
    NORWEGIAN,
    SENTENCES,
    WITHOUT_LETTERS,
    assert_accepts,
    outcome,
    require,
)
from webtongue import UsageError
from webtongue.compat import langid as ours


@pytest.fixture(params=["langid", "py3langid"])
def theirs(request: pytest.FixtureRequest) -> Any:
    return require(request.param)


def test_signatures(theirs: Any) -> None:
    for name in ("classify", "rank", "set_languages"):
        assert_accepts(getattr(ours, name), getattr(theirs, name))
        assert_accepts(getattr(ours.LanguageIdentifier, name), getattr(theirs.langid.LanguageIdentifier, name))
    for name in ("from_modelstring", "from_modelpath", "from_model_file"):
        if hasattr(theirs.langid.LanguageIdentifier, name):
            assert_accepts(getattr(ours.LanguageIdentifier, name), getattr(theirs.langid.LanguageIdentifier, name))


@pytest.mark.parametrize("code", SENTENCES)
def test_same_codes_and_types(theirs: Any, code: str) -> None:
    for text in (SENTENCES[code], SENTENCES[code].encode()):
        mine, other = ours.classify(text), theirs.classify(text)
        assert (type(mine), type(mine[1]), mine[0]) == (type(other), type(other[1]), other[0])
        assert mine[0] == code
    ranked = ours.rank(SENTENCES[code])
    assert type(ranked) is type(theirs.rank(SENTENCES[code]))
    assert [type(item) for item in ranked] == [tuple] * len(ranked)
    assert ranked[0] == ours.classify(SENTENCES[code])
    assert [score for _, score in ranked] == sorted((score for _, score in ranked), reverse=True)
    assert set(ours.LanguageIdentifier().labels) <= dict(ranked).keys()


@pytest.mark.parametrize("text", [*WITHOUT_LETTERS, b"\xff\xfe broken \x80", LONG, CODE, None, 5])
def test_same_outcome_for_odd_input(theirs: Any, text: Any) -> None:
    assert outcome(lambda: ours.classify(text)) == outcome(lambda: theirs.classify(text))


def test_chinese_and_norwegian(theirs: Any) -> None:
    assert {ours.classify(text)[0] for text in CHINESE.values()} == {"zh"}
    assert ours.classify(NORWEGIAN)[0] == theirs.classify(NORWEGIAN)[0] == "no"


def test_text_without_language_is_not_english() -> None:
    identifier = ours.LanguageIdentifier.from_modelstring(ours.model, norm_probs=True)
    assert identifier.classify("123") == ("und", 0.0)
    assert identifier.classify(CODE)[0] == "zxx"
    assert ours.classify("123")[1] < -20


def test_probabilities() -> None:
    identifier = ours.LanguageIdentifier.from_model_file(ours.MODEL_FILE, norm_probs=True)
    assert 0.99 < identifier.classify(SENTENCES["en"])[1] <= 1.0
    assert sum(probability for _, probability in identifier.rank("Haus")) == pytest.approx(1, abs=0.05)
    assert ours.LanguageIdentifier(norm_probs=True, min_confidence=0.999).classify("hello")[0] == "und"
    with pytest.raises(ValueError, match="norm_probs"):
        ours.LanguageIdentifier(min_confidence=0.5)


def test_set_languages() -> None:
    identifier = ours.LanguageIdentifier(norm_probs=True)
    identifier.set_languages(["da", "no", "sv"])
    assert identifier.labels == ["da", "no", "sv"]
    assert identifier.classify(NORWEGIAN)[0] == "no"
    assert {code for code, _ in identifier.rank(NORWEGIAN)} == {"da", "no", "sv"}
    identifier.set_languages()
    assert identifier.classify(SENTENCES["fi"])[0] == "fi"


@pytest.mark.parametrize("langs", [["en", "xx"], "en", []])
def test_same_errors_of_set_languages(theirs: Any, langs: Any) -> None:
    identifier = ours.LanguageIdentifier()
    with pytest.raises(ValueError):
        identifier.set_languages(langs)
    with pytest.raises(ValueError):
        try:
            theirs.set_languages(langs)
            theirs.classify("text")  # an empty list fails here
        finally:
            theirs.set_languages(None)


def test_functions_of_the_module_share_their_languages() -> None:
    try:
        ours.set_languages(["de", "nl"])
        assert ours.classify(SENTENCES["de"])[0] == "de"
        assert ours.classify(SENTENCES["ja"])[0] == "und"
    finally:
        ours.set_languages(None)
    assert ours.classify(SENTENCES["ja"])[0] == "ja"


def test_models_of_langid_are_refused() -> None:
    with pytest.raises(UsageError, match=r"webtongue\.compat\.langid\.model"):
        ours.LanguageIdentifier.from_modelstring(b"QlpoOTFBWSZTWV")
