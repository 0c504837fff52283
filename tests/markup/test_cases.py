"""Markup and declarations, case by case."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cases import load, raw
from webtongue import markup
from webtongue.page import Page


def normalize(text: str) -> str:
    """Return a text with spaces for no-break spaces and without soft hyphens."""
    lines = text.replace("\u00ad", "").replace("\u00a0", " ").split("\n")
    return "\n".join(folded for line in lines if (folded := " ".join(line.split(" ")).strip(" ")))


def fold(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.split("\n") if line.strip())


@pytest.mark.parametrize("case", load("markup.jsonl"))
def test_text(case: dict[str, Any]) -> None:
    page = raw(case)
    if b"\0" in page:
        page = b" " * 500 + page  # a page of three bytes with a NUL among them would be binary data
    assert fold(normalize(markup.read(Page(page, headers={"content-type": "text/html"})).text)) == fold(
        normalize(case["text"])
    )


@pytest.mark.parametrize("case", load("declarations.jsonl"))
def test_declarations(case: dict[str, Any]) -> None:
    headers = case.get("headers", {})
    page = Page(raw(case), url=case.get("url"), headers=headers)
    got = [{"kind": d.kind, "value": f"{d.value} {d.href}".strip()} for d in markup.read(page).declarations]
    assert got == case["declarations"]
