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
        (f"<html lang=de><p>{CLEAR}", None, "the text overrules declared (deu)"),
        (f"<html lang=de><p>{CLEAR}", "https://example.de/", "the text overrules declared (deu) and url (deu)"),
        ("<html lang=is><p>Halló", "https://example.is/", "declared and url overrule the text (hun_Latn)"),
        ("<html lang=is><p>Halló", None, "declared overrules the text (hun_Latn)"),
        (f"<html lang=en><p>{CLEAR}", "https://example.co.uk/", ""),
        ("<html lang=hu><p>Halló", None, ""),
        (f"<p>{CLEAR}", None, ""),
        ("<html lang=de><p>1234", None, ""),
    ],
)
def test_conflicts_are_described(page: str, url: str | None, sentence: str) -> None:
    assert describe_conflict(IDENT.identify(page.encode(), url)) == sentence
