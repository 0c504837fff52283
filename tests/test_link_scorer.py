"""Tests that link scores equal the probabilities of Verdicts on the same URLs."""

from __future__ import annotations

import random

import pytest

from tests.twins.evidence import combine as twin
from webtongue import Identifier, Inlink, Page
from webtongue.evidence.host import host_hint
from webtongue.evidence.links import links_hint
from webtongue.link_scorer import share_scripts
from webtongue.url_only import url_nats

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


def random_page(rnd: random.Random) -> Page:
    """Return a page with some of the evidence that a crawler has of a link."""
    domain = rnd.choice(
        ["example.is", "example.com", "blog.example.fo", "xn--mgbh0fb.example", "garten.de", "192.0.2.1"]
    )
    path = rnd.choice(["", "en/", "nachrichten/wirtschaft", "4711.html?lang=fr", "%D9%85%D9%83%D8%AA%D8%A8"])
    url = rnd.choice([f"https://{domain}/{path}"] * 5 + ["no url", ""])
    sources = ["https://example.is/from", "https://example.org/from", "https://garten.de/from"]
    inlinks = tuple(
        Inlink(rnd.choice(sources), rnd.choice(["is", "de", "zh-Hant", ""]), rnd.choice([0.5, 0.99]))
        for _ in range(rnd.choice([0, 1, 1, 2, 3]))
    )
    host = rnd.choice([None, {"isl": 3.0}, {"deu": 1.0, "eng": 40.0}, {"nothing": 1.0}])
    return Page(b"", url, inlinks=inlinks, host=host)


def test_scores_equal_the_twin() -> None:
    """The kernel scores all links in one call; the twin adds up the same evidence page by page, from dictionaries."""
    rnd = random.Random(7)
    names = ["de", "is", "zh", "kw"]
    scorer = IDENT.link_scorer(names)
    config = scorer.config.evidence
    groups = [[config.text.model.numbers[label] for label in IDENT.labels_of([name])] for name in names]
    codes = {label[:3] for name in names for label in IDENT.labels_of([name])}
    unmentioned = dict.fromkeys([*scorer.config.label_of, *sorted(codes - set(scorer.config.label_of))], 0.0)
    pages = [random_page(rnd) for _ in range(200)]
    site_cap = config.weights.max_site_nats
    for page, scores in zip(pages, scorer.score(pages), strict=True):
        hints = [links_hint(page.inlinks, None, page.url)] if page.inlinks else []
        by_host = host_hint(page.host, config.weights.host) if page.host else None
        hints += [by_host] if by_host else []
        base = unmentioned | url_nats(page.url or "", scorer.config, is_url_only=not hints)
        priors = share_scripts(scorer.config.log_priors if hints else scorer.config.url_only_priors, scorer.config)
        rows = [(dict(hint.nats), *config.limits[hint.source]) for hint in hints]
        expected = twin.group_probabilities(config.labels_by_key, site_cap, rows, base, {}, priors, groups)
        assert list(scores.values()) == pytest.approx(expected, abs=1e-9)


def test_a_batch_gives_the_scores_of_single_links() -> None:
    rnd = random.Random(8)
    pages, anchors = [random_page(rnd) for _ in range(30)], [rnd.choice(["", "Nachrichten"]) for _ in range(30)]
    scorer = IDENT.link_scorer(["de", "is"])
    assert scorer.score(pages, anchors) == [
        scorer.score([page], [anchor])[0] for page, anchor in zip(pages, anchors, strict=True)
    ]
    assert scorer.score([]) == []
