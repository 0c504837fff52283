"""Who overruled whom is said where text and other evidence disagree, and nothing where they agree."""

from __future__ import annotations

import pytest

from webtongue import Identifier
from webtongue.evidence.conflict import describe_conflict

IDENT = Identifier()
CLEAR = "The library opens at nine and closes at six on all days of the week."


@pytest.mark.parametrize(
    ("page", "url", "sentence"),
    [
        (f"<html lang=de><p>{CLEAR}", None, "the text overrules the declared language (German)"),
        (
            f"<html lang=de><p>{CLEAR}",
            "https://example.de/",
            "the text overrules the declared language (German) and the URL (German)",
        ),
        (
            "<html lang=is><p>Halló",
            "https://example.is/",
            "the declared language and the URL overrule the text (Hungarian)",
        ),
        ("<html lang=is><p>Halló", None, "the declared language overrules the text (Hungarian)"),
        (f"<html lang=en><p>{CLEAR}", "https://example.co.uk/", ""),
        ("<html lang=hu><p>Halló", None, ""),
        (f"<p>{CLEAR}", None, ""),
        ("<html lang=de><p>1234", None, ""),
    ],
)
def test_conflicts_are_described(page: str, url: str | None, sentence: str) -> None:
    assert describe_conflict(IDENT.identify(page.encode(), url)) == sentence
