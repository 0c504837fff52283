"""NFC and the top level domain as naive Bayes, by hand."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from tests.lab.methods.texts import ADDRESSED, CORPUS, NEW
from webtongue import Page, UsageError
from webtongue.lab.methods.domains import Tld, TldSettings
from webtongue.lab.methods.nfc import Nfc
from webtongue.lab.methods.nfc_tld import TEXT_LETTERS, NfcTld, NfcTldSettings, softmax

GREEK = Page(b"la casa", "https://www.example.gr/")  # Italian words at a Greek address


@pytest.fixture(scope="module")
def model() -> NfcTld:
    return NfcTld.fit(ADDRESSED)


def test_text_and_domain_are_multiplied(model: NfcTld) -> None:
    """Each label has five addresses of six domains, four under its own and one under .com: P(gr | ell) = (4 + 1) / (5 + 6)."""
    assert model.domains == ("com", "de", "gr", "it", "uk")
    text = model.score_text(GREEK)
    assert text is not None
    probability = {label: (5 if label == "ell_Grek" else 1) / 11 for label in model.labels}
    by_hand = [log(p) + log(probability[label]) for label, p in zip(model.labels, text.tolist(), strict=True)]
    assert model.row(GREEK) == pytest.approx(by_hand)


def test_probabilities_are_those_of_the_cosines(model: NfcTld) -> None:
    cosines = Nfc.fit(CORPUS).row("la casa")
    assert cosines is not None
    sharp = float(np.interp(log(7), np.log(TEXT_LETTERS), model.sharpness))
    assert model.score_text("la casa") == pytest.approx(softmax(cosines, sharp))


def test_text_without_an_address_is_nfc(model: NfcTld) -> None:
    nfc = Nfc.fit(CORPUS)
    for text in NEW.values():
        assert model.answer(text).label == nfc.answer(text).label == model.answer(Page(text.encode())).label


def test_an_address_without_text_is_the_domain(model: NfcTld) -> None:
    assert model.answer(Page(b"", "https://example.gr/")).label == "ell_Grek"
    assert model.answer(Page(b"", "https://example.nowhere/")).label == "und"


def test_manners(model: NfcTld) -> None:
    """In doubt alone, which a border of 0 never is and one above 1 always."""
    by_text = model.score_text(GREEK)
    assert by_text is not None
    never, always, instead = (
        model.with_settings({"manner": manner, "border": border})
        for manner, border in (("in_doubt", 0.0), ("in_doubt", 1.1), ("instead", 1.1))
    )
    assert never.row(GREEK) == pytest.approx(np.log(by_text))
    assert always.row(GREEK) == pytest.approx(model.row(GREEK))
    assert instead.answer(GREEK).label == "ell_Grek" != never.answer(GREEK).label
    with pytest.raises(UsageError, match="manner"):
        NfcTldSettings(manner="sometimes")
    with pytest.raises(UsageError, match="level"):
        NfcTldSettings(level="bottom")


def test_texts_and_addresses_may_come_apart() -> None:
    """Pages of which only the address is known teach no text, and texts without one no domain."""
    assert NfcTld.fit(ADDRESSED).names == Nfc.fit(CORPUS).names
    with pytest.raises(UsageError, match="pages with their URLs"):
        NfcTld.fit(CORPUS)


def test_texts_that_say_nothing_are_not_believed() -> None:
    """The same documents under two labels: any sharpness above the least would be sure of what is a matter of chance."""
    same = {label: [*CORPUS["eng_Latn"], *CORPUS["deu_Latn"]] for label in ("eng_Latn", "deu_Latn")}
    mixed = {
        "eng_Latn": same["eng_Latn"][::-1], "deu_Latn": same["deu_Latn"], "ita_Latn": [Page(b"", "https://example.it/")],
    }  # fmt: skip
    assert (NfcTld.fit(mixed).sharpness < NfcTld.fit(ADDRESSED).sharpness).all()


def test_suffixes_are_domains_of_their_own() -> None:
    """Hayati 2004 after algorithm 5.2: co.uk and ac.uk."""
    corpus = {
        "eng_Latn": ["http://a.co.uk/", "http://b.co.uk/", "http://c.uk/"],
        "cym_Latn": ["http://a.ac.uk/", "http://b.ac.uk/"],
    }
    top, suffix = Tld.fit(corpus), Tld.fit(corpus, TldSettings("suffix"))
    assert top.domains == ("uk",) and suffix.domains == ("ac.uk", "co.uk", "uk")
    assert top.answer("http://x.ac.uk/").label == "eng_Latn"
    assert suffix.answer("http://x.ac.uk/").label == "cym_Latn"
    assert suffix.score("http://x.org.uk/") == top.score("http://x.org.uk/")  # not in training: by its top level domain
    assert suffix.answer("http://192.0.2.1/").label == suffix.answer("http://x.fr/").label == "und"
