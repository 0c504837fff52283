"""webtongue.compat.pycld2 beside pycld2."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

from tests.compat.comparing import CHINESE, CODE, HEBREW, LONG, NORWEGIAN, SENTENCES, WITHOUT_LETTERS, outcome, require
from webtongue import WebtongueError
from webtongue.compat import pycld2 as ours


@pytest.fixture(scope="module")
def theirs() -> Any:
    return require("pycld2")


def shape(answer: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the types in an answer."""
    return (*map(type, answer[:2]), *(tuple(map(type, detail)) for detail in answer[2]), *map(type, answer[3:]))


def test_signature(theirs: Any) -> None:
    """pycld2's function has no signature that Python can read: its documentation has the names in their order."""
    documented = re.findall(r"^    (\w+): +(?:str|bool)", theirs.detect.__doc__.partition("Returns:")[0], re.MULTILINE)
    assert list(inspect.signature(ours.detect).parameters) == documented


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("code", SENTENCES)
def test_same_codes_names_and_types(theirs: Any, code: str, plain: bool) -> None:
    for text in (SENTENCES[code], SENTENCES[code].encode()):
        mine, other = ours.detect(text, plain, returnVectors=True), theirs.detect(text, plain, returnVectors=True)
        assert shape(mine) == shape(other)
        assert mine[2][0][:2] == other[2][0][:2]
        assert mine[0] is other[0] is True
        assert mine[2][1:] == other[2][1:] == (ours.UNKNOWN,) * 2
        assert abs(mine[1] - other[1]) <= 4
        assert mine[3] == ((0, len(SENTENCES[code].encode()), *mine[2][0][:2]),)


@pytest.mark.parametrize("text", [*CHINESE.values(), HEBREW, NORWEGIAN])
def test_codes_and_names_of_cld2(theirs: Any, text: str) -> None:
    assert ours.detect(text)[2][0][:2] == theirs.detect(text)[2][0][:2]


def test_names_and_codes_are_those_of_cld2(theirs: Any) -> None:
    """Of languages that both know; Akan, Bihari and Hmong are answered as one of their languages, Pig Latin is not a language."""
    detected = {(name, dict(theirs.LANGUAGES)[name]) for name in theirs.DETECTED_LANGUAGES}
    missing = {name for name, _ in detected - set(ours.LANGUAGES)}
    assert missing == {"AKAN", "BIHARI", "HMONG", "NAURU", "ZHUANG", "X_PIG_LATIN"}
    assert set(ours.ENCODINGS) == set(theirs.ENCODINGS)
    assert {name for name, _ in ours.LANGUAGES} == set(ours.DETECTED_LANGUAGES)


@pytest.mark.parametrize("text", [*WITHOUT_LETTERS, CODE, LONG, None, 5, bytearray(b"abc"), "\ud800"])
def test_same_outcome_for_odd_input(theirs: Any, text: Any) -> None:
    assert outcome(lambda: ours.detect(text)) == outcome(lambda: theirs.detect(text))


@pytest.mark.parametrize("text", WITHOUT_LETTERS)
def test_text_without_letters(theirs: Any, text: str) -> None:
    assert ours.detect(text, returnVectors=True) == theirs.detect(text, returnVectors=True)


@pytest.mark.parametrize("raw", [b"abc \xff", "Grüße".encode("latin-1"), b"\xed\xa0\x80"])
def test_bytes_that_are_not_utf8(theirs: Any, raw: bytes) -> None:
    with pytest.raises(theirs.error) as expected:
        theirs.detect(raw)
    with pytest.raises(ours.error) as caught:
        ours.detect(raw)
    assert str(caught.value) == str(expected.value)
    assert isinstance(caught.value, WebtongueError)


def test_control_characters_are_no_error() -> None:
    assert ours.detect(SENTENCES["de"] + "\x01")[2][0][1] == "de"


def test_markup_is_read_in_pages_only() -> None:
    page = f"<title>{SENTENCES['de']}</title><p lang=de>{SENTENCES['de']}"
    assert ours.detect(page)[1] < ours.detect(page, isPlainText=True)[1]


def test_vectors_of_two_languages() -> None:
    parts = [f"<p>{SENTENCES[code] * 2}</p>" for code in ("ru", "en")]
    _, _, details, vectors = ours.detect("".join(parts), returnVectors=True)
    assert {detail[1] for detail in details[:2]} == {"en", "ru"}
    assert sum(detail[2] for detail in details) == pytest.approx(100, abs=1)
    raw = "".join(parts).encode()
    assert [vector[3] for vector in vectors] == ["ru", "en"]
    for (start, length, *_), code in zip(vectors, ("ru", "en"), strict=True):
        assert SENTENCES[code] in raw[start : start + length].decode()


AMBIGUOUS = "Trenutno nedostupno"


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize(
    "hints",
    [
        {"hintTopLevelDomain": "hr"},
        {"hintLanguage": "hr"},
        {"hintLanguage": "CROATIAN"},
        {"hintLanguageHTTPHeaders": "hr,en"},
    ],
)
def test_hints_raise_the_score(hints: dict[str, str], plain: bool) -> None:
    without, with_hint = (
        ours.detect(AMBIGUOUS, plain, bestEffort=True),
        ours.detect(AMBIGUOUS, plain, bestEffort=True, **hints),
    )
    assert with_hint[2][0][:2] == ("CROATIAN", "hr")
    assert with_hint[2][0][3] > without[2][0][3] + 100


def test_an_encoding_is_a_hint_to_its_language() -> None:
    assert ours.detect("東京都", hintEncoding="JAPANESE_SHIFT_JIS", bestEffort=True)[2][0][1] == "ja"
    assert ours.detect("東京都", hintEncoding="CHINESE_BIG5", bestEffort=True)[2][0][1] == "zh-Hant"
    assert ours.detect(AMBIGUOUS, hintEncoding="UTF8") == ours.detect(AMBIGUOUS)


@pytest.mark.parametrize("hints", [{"hintLanguage": "xx"}, {"hintEncoding": "zzz"}, {"unknown": 1}])
def test_same_errors_of_hints(theirs: Any, hints: dict[str, Any]) -> None:
    assert outcome(lambda: ours.detect("text", **hints)) == outcome(lambda: theirs.detect("text", **hints))


def test_best_effort_answers_short_text() -> None:
    assert ours.detect("Kontakt")[2][0] == ours.UNKNOWN
    assert ours.detect("Kontakt", bestEffort=True)[2][0][2] == 100
