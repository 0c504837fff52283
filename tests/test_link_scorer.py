"""Tests that link scores equal the probabilities of Verdicts on the same URLs."""

from __future__ import annotations

import pytest

from webtongue import Identifier, Inlink, Page

IDENT = Identifier()


@pytest.mark.parametrize(
    ("url", "inlinks", "host"),
    [
        ("http://www.garten-und-haus.de/aktuelles/", (), None),
        ("http://www.garten-und-haus.com/", (Inlink("https://example.de/", "de", 0.98),), {"deu": 4.0}),
        ("https://example.org/4711", (Inlink("https://example.is/", "is", 0.9),), None),
        ("https://bakari.fo/tidindi/", (Inlink("https://example.fo/", "fo", 0.9),), {"fao": 5.0, "eng": 1.0}),
        ("https://example.com/fr/actualites", (Inlink("https://example.com/", "en", 0.9, hreflang="fr"),), None),
        ("http://shop.example.com/?id=3", (), {"ita": 9.0}),
    ],
)
def test_scores_equal_the_probabilities_of_a_verdict(
    url: str, inlinks: tuple[Inlink, ...], host: dict[str, float] | None
) -> None:
    names = ["de", "is", "fo", "fr", "it", "en"]
    scores = IDENT.link_scorer(names).score([Page(b"", url, inlinks=inlinks, host=host)])[0]
    verdict = IDENT.identify_url(url, inlinks=inlinks or None, host=host)
    guesses = {guess.label: guess.probability for guess in verdict.guesses}
    for name in names:
        probability = sum(guesses.get(label, 0.0) for label in IDENT.labels_of([name]))
        assert scores[name] == pytest.approx(probability, abs=0.06), (name, scores, guesses)


def test_anchor_text_changes_scores() -> None:
    page = Page(b"", "http://example.com/12345", inlinks=(Inlink("https://example.com/", "en", 0.99),))
    plain, with_words = IDENT.link_scorer(["hu"]).score([page, page], ["", "A város könyvtárának nyitvatartása"])
    assert with_words["hu"] > 3 * plain["hu"]


def test_disabled_sources_do_not_change_scores() -> None:
    page = Page(b"", "http://xq17.com/1", inlinks=(Inlink("https://example.de/", "de"),), host={"pol": 50.0})
    deaf = Identifier(evidence=()).link_scorer(["hu", "de", "pl"]).score([page])[0]
    none = Identifier(evidence=()).link_scorer(["hu", "de", "pl"]).score([Page(b"", "http://example.com/")])[0]
    assert deaf == none
    assert IDENT.link_scorer(["pl"]).score([page])[0]["pl"] > deaf["pl"]
