"""What a new user types first: a text, a file or a URL in place of a command, and formats that hold no text of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import process

TEXT = "Wie spät ist es?"


def test_a_text_or_a_file_in_place_of_a_command_is_identified(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<html lang=fi><p>Kirjasto on avoinna joka päivä paitsi sunnuntaisin.", "utf-8")
    by_text, by_file = process(TEXT), process(str(page))
    assert by_text.code == by_file.code == 0
    assert "deu_Latn" in by_text.out and "so it is read as a text" in by_text.err
    assert "fin_Latn" in by_file.out and by_file.err == ""


@pytest.mark.parametrize("words", [("identify", TEXT), ("identify", "Wie", "spät", "ist", "es?")])
def test_words_that_are_no_files_are_a_text(words: tuple[str, ...]) -> None:
    assert "deu_Latn" in process(*words).out


def test_a_text_may_begin_with_a_host_name() -> None:
    assert "deu_Latn" in process("www.example.org ist eine sehr gute Seite über das Wetter").out


@pytest.mark.parametrize(
    "url", ["https://example.org/", "http://example.org/page.html", "www.example.org", "ftp://example.org/a"]
)
@pytest.mark.parametrize("words", [(), ("identify",), ("identify", "--json"), ("decode",)])
def test_urls_are_not_fetched_and_the_message_says_how(url: str, words: tuple[str, ...]) -> None:
    done = process(*words, url)
    assert (done.code, done.out) == (2, "")
    assert (
        f"nothing is fetched: curl -sL '{url}' | webtongue {'decode' if 'decode' in words else 'identify'} -"
        in done.err
    )


def test_a_missing_file_is_no_text() -> None:
    done = process("identify", "missing.html")
    assert done.code == 1 and "No such file" in done.out


def test_an_empty_argument_is_an_empty_text() -> None:
    done = process("")
    assert (done.code, done.err) == (2, "webtongue: empty text: give a file, a folder or a text\n")


def test_a_mistyped_command_is_suggested() -> None:
    assert (
        process("identfy", "page.html").err
        == "webtongue: there is no command 'identfy': did you mean webtongue identify?\n"
    )


def test_help_says_that_a_command_can_be_left_out() -> None:
    assert "in place of a command" in process("--help").out
