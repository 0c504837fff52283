"""Markup and declarations, case by case."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cases import load, raw
from webtongue import markup
from webtongue.page import Page


def as_read(text: str) -> str:
    """As a reader sees it: no-break spaces are spaces, soft hyphens are nothing."""
    lines = text.replace("\u00ad", "").replace("\u00a0", " ").split("\n")
    return "\n".join(folded for line in lines if (folded := " ".join(line.split(" ")).strip(" ")))


def fold(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.split("\n") if line.strip())


@pytest.mark.parametrize("case", load("markup.jsonl"))
def test_text(case: dict[str, Any]) -> None:
    page = raw(case)
    if b"\0" in page:
        page = b" " * 500 + page  # a page of three bytes with a NUL among them would be binary data
    assert fold(as_read(markup.read(Page(page, headers={"content-type": "text/html"})).text)) == fold(
        as_read(case["text"])
    )


@pytest.mark.parametrize("case", load("declarations.jsonl"))
def test_claims(case: dict[str, Any]) -> None:
    headers = case.get("headers", {})
    page = Page(raw(case), url=case.get("url"), headers=headers)
    got = [{"kind": c.kind, "value": f"{c.value} {c.href}".strip()} for c in markup.read(page).claims]
    assert got == case["declarations"]
