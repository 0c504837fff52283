"""The names that the modules of webtongue.compat show."""

from __future__ import annotations

from importlib import import_module

import pytest

from webtongue import compat


def test_dir_shows_the_modules() -> None:
    assert dir(compat) == compat.__all__
    with pytest.raises(AttributeError, match="has no attribute 'cld3'"):
        compat.cld3  # noqa: B018


@pytest.mark.parametrize("name", [*compat.__all__, "langdetect.lang_detect_exception"])
def test_dir_shows_public_names_only(name: str) -> None:
    module = import_module(f"webtongue.compat.{name}")
    assert dir(module) == sorted(module.__all__)
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


def test_the_exception_of_langdetect_has_the_path_that_programs_import() -> None:
    theirs = pytest.importorskip("langdetect.lang_detect_exception")
    ours = import_module("webtongue.compat.langdetect.lang_detect_exception")
    assert set(ours.__all__) <= set(dir(theirs))
    with pytest.raises(ours.LangDetectException):
        compat.langdetect.detect("123")
