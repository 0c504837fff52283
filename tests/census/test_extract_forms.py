"""Extraction: text and Markdown have the same documents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.census.test_extract import ICELANDIC, capture, page, rows_of, run
from webtongue import Identifier
from webtongue.census.extract import create_extract_config, extract

DEMO = str(Path(__file__).parents[2] / "examples" / "crawl.warc.gz")


@pytest.fixture(scope="module")
def ident() -> Identifier:
    return Identifier()


def test_text_and_markdown_have_the_same_documents(tmp_path: Path, ident: Identifier) -> None:
    wanted = create_extract_config(["all"], ident)
    written, counts = [], []
    for markdown in (False, True):
        path = tmp_path / f"{markdown}.jsonl"
        counts.append(extract([DEMO], path, replace(wanted, markdown=markdown), workers=1).counts)
        written.append(rows_of(path))
    plain, marked = ([(row["url"], row["label"], row["words"]) for row in rows] for rows in written)
    assert plain == marked
    assert counts[0].short == counts[1].short > 0
    assert [any(row["text"].startswith("# ") for row in rows) for rows in written] == [False, True]


def test_a_repeated_line_is_recognised_in_another_structure(ident: Identifier) -> None:
    """A heading of one page is a paragraph of the next."""
    pages = [
        capture(page(*ICELANDIC[:3]), "https://www.example.com/1"),
        capture(f"<h2>{ICELANDIC[0]}</h2>{page(*ICELANDIC[3:])}", "https://www.example.com/2"),
    ]
    for markdown in (False, True):
        first, second = run(pages, ident, markdown=markdown)[0]
        assert ICELANDIC[0] in first.text and ICELANDIC[0] not in second.text


def test_the_least_size_is_that_of_the_plain_text(ident: Identifier) -> None:
    html = page(*ICELANDIC).replace("<p>", "<blockquote>").replace("</p>", "</blockquote>")
    size = len("\n".join(ICELANDIC))
    for markdown in (False, True):
        for least, rows in ((size, 1), (size + 1, 0)):
            result, counts = run([capture(html)], ident, markdown=markdown, min_characters=least)
            assert (len(result), counts.short) == (rows, 1 - rows)
