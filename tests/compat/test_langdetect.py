"""webtongue.compat.langdetect beside langdetect."""

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
from webtongue import WebtongueError
from webtongue.compat import langdetect as ours


@pytest.fixture(scope="module")
def theirs() -> Any:
    module = require("langdetect")
    module.DetectorFactory.seed = 0
    return module


@pytest.mark.parametrize("name", ["detect", "detect_langs", "LangDetectException", "DetectorFactory"])
def test_signatures(theirs: Any, name: str) -> None:
    if name == "DetectorFactory":
        assert ours.DetectorFactory.seed is None
        ours.DetectorFactory.seed = 0
    else:
        assert_accepts(getattr(ours, name), getattr(theirs, name))


@pytest.mark.parametrize("code", SENTENCES)
def test_same_codes_and_types(theirs: Any, code: str) -> None:
    text = SENTENCES[code]
    assert ours.detect(text) == theirs.detect(text) == code
    mine, other = ours.detect_langs(text)[0], theirs.detect_langs(text)[0]
    assert (mine.lang, type(mine.prob)) == (other.lang, type(other.prob))
    assert repr(mine).startswith(f"{code}:") and mine.prob > 0.9


def test_codes_that_langdetect_spells_its_own_way(theirs: Any) -> None:
    assert ours.detect(CHINESE["Hans"]) == theirs.detect(CHINESE["Hans"]) == "zh-cn"
    assert ours.detect(CHINESE["Hant"]) == "zh-tw"  # langdetect says Korean of this sentence
    assert ours.detect(NORWEGIAN) == theirs.detect(NORWEGIAN) == "no"


@pytest.mark.parametrize("text", [*WITHOUT_LETTERS, None, b"bytes", 5, LONG])
def test_same_outcome_for_odd_input(theirs: Any, text: Any) -> None:
    for name in ("detect", "detect_langs"):
        assert outcome(lambda: getattr(ours, name)(text)) == outcome(lambda: getattr(theirs, name)(text))  # noqa: B023


def test_the_exception_has_langdetects_code(theirs: Any) -> None:
    with pytest.raises(WebtongueError) as caught:
        ours.detect("123")
    with pytest.raises(theirs.LangDetectException) as expected:
        theirs.detect("123")
    assert isinstance(caught.value, ours.LangDetectException)
    assert caught.value.get_code() == expected.value.get_code() == ours.ErrorCode.CantDetectError


def test_code_has_no_language() -> None:
    with pytest.raises(ours.LangDetectException):
        ours.detect(CODE)


def test_languages_beyond_those_of_langdetect() -> None:
    assert ours.detect("Hvar er bókasafnið og hvenær er það opið?") == "is"
    assert ours.detect("E puta ana te whare pukapuka ia rā, ā, he kore utu te tomokanga mō te katoa.") == "mi"


def test_languages_are_ordered_by_probability() -> None:
    assert sorted([ours.Language("de", 0.7), ours.Language("nl", 0.2)])[0].lang == "nl"
