"""Chances of links: the kernel beside its twin, and beside what a Verdict on the same address says."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.twins import fuse as twin
from webtongue import Identifier, Inlink, Page, _kernel

IDENT = Identifier()


def test_kernel_equals_twin() -> None:
    chance = random.Random(4)
    numbers = {f"k{i}": tuple(sorted(chance.sample(range(40), chance.randrange(1, 4)))) for i in range(20)}
    keys = [*numbers, "unknown"]
    for _ in range(300):
        said = [
            {key: chance.uniform(-4, 9) for key in chance.sample(keys, chance.randrange(6))}
            for _ in range(chance.randrange(4))
        ]
        weights, most = [chance.uniform(0.2, 1.2) for _ in said], [chance.uniform(1, 6) for _ in said]
        alone = {key: chance.uniform(-5, 5) for key in chance.sample(keys, chance.randrange(12))}
        words = {number: chance.uniform(0, 3) for number in chance.sample(range(40), chance.randrange(3))}
        priors = np.array([chance.random() for _ in range(40)])
        wanted = [chance.sample(range(40), 3), [7]]
        arguments = (numbers, alone, said, weights, most, chance.uniform(2, 8), words, priors, wanted)
        assert _kernel.chances(*arguments) == pytest.approx(twin.chances(*arguments)), arguments


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
def test_chances_are_those_of_a_verdict(url: str, inlinks: tuple[Inlink, ...], host: dict[str, float] | None) -> None:
    names = ["de", "is", "fo", "fr", "it", "en"]
    found = IDENT.chances(names).of([Page(b"", url, inlinks=inlinks, host=host)])[0]
    verdict = IDENT.identify_url(url, inlinks=inlinks or None, host=host)
    said = {guess.label: guess.probability for guess in verdict.guesses}
    for name in names:
        of_verdict = sum(said.get(label, 0.0) for label in IDENT.labels_of([name]))
        assert found[name] == pytest.approx(of_verdict, abs=0.06), (name, found, said)


def test_words_of_a_link_are_heard() -> None:
    page = Page(b"", "http://example.com/12345", inlinks=(Inlink("https://example.com/", "en", 0.99),))
    plain, with_words = IDENT.chances(["hu"]).of([page, page], ["", "A város könyvtárának nyitvatartása"])
    assert with_words["hu"] > 3 * plain["hu"]


def test_sources_that_are_not_listened_to_say_nothing() -> None:
    page = Page(b"", "http://xq17.com/1", inlinks=(Inlink("https://example.de/", "de"),), host={"pol": 50.0})
    deaf = Identifier(evidence=()).chances(["hu", "de", "pl"]).of([page])[0]
    none = Identifier(evidence=()).chances(["hu", "de", "pl"]).of([Page(b"", "http://example.com/")])[0]
    assert deaf == none
    assert IDENT.chances(["pl"]).of([page])[0]["pl"] > deaf["pl"]
