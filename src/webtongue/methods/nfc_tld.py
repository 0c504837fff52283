"""NFC and the top level domain together, as a naive Bayes classifier (Hayati 2004, sections 5.2 and 7, where it is future work).

    log P(language | text, domain) = log P(language | text) + log P(domain | language) + a constant

Given its language, a page's text says nothing of its domain: that is what is naive. NFC gives cosines, no probabilities, so they
are turned into some: P(language | text) is proportional to exp(sharpness x cosine). The sharpness is the likeliest one on training
documents that a second NFC, made for this alone, has not learnt from, for several lengths, since the cosines of a long text say
more. What the paper asks for where NFC "has low confidence" is a manner: confidence is the probability of NFC's best language.

Documents are Pages with their addresses. Of training documents, those without an address teach text alone and those without text
the domain alone, so that the two may come from different collections.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import UsageError
from webtongue.methods.base import Method
from webtongue.methods.corpus import Corpus
from webtongue.methods.document import Document, text_of
from webtongue.methods.domains import Tld, TldSettings
from webtongue.methods.grams import Grams, letters_only
from webtongue.methods.nfc import Nfc, NfcSettings
from webtongue.page import Page

__all__ = ["NfcTld", "NfcTldSettings", "softmax"]

MANNERS = ("always", "in_doubt", "instead")
LENGTHS = (12, 25, 50, 100, 200, 400, 800)  # letters for which a sharpness is found; between them it is interpolated
SHARPNESS = 2.0 ** np.arange(0, 9.25, 0.25)  # what is tried: 1 is nearly blind to the text, 400 believes all of it


@dataclass(frozen=True, slots=True)
class NfcTldSettings:
    """``manner``: "always" asks the domain of every page, "in_doubt" where NFC's confidence is below ``border``, and "instead"
    answers there by the domain alone. ``added``: what is added to the count of every domain, seen or not."""

    grams: Grams = field(default_factory=lambda: Grams(sizes=(3,), edges="wrap"))
    features: int = 1000
    level: str = "top"
    manner: str = "always"
    border: float = 0.9
    added: float = 1.0

    def __post_init__(self) -> None:
        if self.manner not in MANNERS:
            raise UsageError(f"a manner is {', '.join(MANNERS)}, not {self.manner}")
        TldSettings(self.level)  # refuses what is no level


@dataclass(frozen=True)
class NfcTld(Method):
    """``names`` and ``counts`` are NFC's, ``domains`` and ``domain_counts`` those of the top level domains. Scores are logarithms
    of probabilities."""

    name: ClassVar[str] = "nfc_tld"
    answering: ClassVar[frozenset[str]] = frozenset({"manner", "border", "added"})

    settings: NfcTldSettings
    names: tuple[str, ...]
    counts: NDArray[np.uint32]
    domains: tuple[str, ...]
    domain_counts: NDArray[np.uint32]  # domains x labels
    addresses: NDArray[np.uint32]  # training documents of each label that have one
    sharpness: NDArray[np.float64]  # for each of LENGTHS

    @classmethod
    def learn(cls, corpus: Corpus, settings: NfcTldSettings) -> Self:
        addressed = {label: [d for d in documents if _address(d)] for label, documents in corpus.items()}
        if not any(addressed.values()):
            raise UsageError(
                "nfc_tld learns from Pages with their url, and none has one: fit it in Python with some, or take nfc, which needs "
                "no address"
            )
        texts = {label: [d for d in documents if not _empty(d)] for label, documents in corpus.items()}
        nfc = Nfc.fit(texts, NfcSettings(settings.grams, settings.features))
        tld = Tld.fit({label: addressed.get(label, []) for label in corpus}, TldSettings(settings.level))
        number = {label: i for i, label in enumerate(tld.labels)}
        counts = np.zeros((len(tld.domains), len(nfc.labels)), np.uint32)
        for i, label in enumerate(nfc.labels):
            if label in number:
                counts[:, i] = tld.counts[:, number[label]]
        addresses = np.array([len(addressed.get(label, [])) for label in nfc.labels], np.uint32)
        return cls(
            settings, nfc.labels, nfc.names, nfc.counts, tld.domains, counts, addresses, sharpness(texts, nfc.settings)
        )

    def check(self) -> None:
        super().check()
        self.nfc.check()
        self.tld.check()
        if self.addresses.shape != (len(self.labels),) or self.sharpness.shape != (len(LENGTHS),):
            raise ValueError("addresses or sharpness are not those of labels and lengths")

    @cached_property
    def nfc(self) -> Nfc:
        return Nfc(NfcSettings(self.settings.grams, self.settings.features), self.labels, self.names, self.counts)

    @cached_property
    def tld(self) -> Tld:
        return Tld(TldSettings(self.settings.level), self.labels, self.domains, self.domain_counts)

    def by_text(self, document: Document) -> NDArray[np.float64] | None:
        """The probability of each label by the text; None where NFC knows nothing of it."""
        cosines = self.nfc.row(document)
        if cosines is None:
            return None
        length = max(1, len(letters_only(text_of(document))))
        return softmax(cosines, float(np.interp(np.log(length), np.log(LENGTHS), self.sharpness)))

    def by_domain(self, document: Document) -> NDArray[np.float64] | None:
        """The logarithm of P(domain | label); None where the document has no address or its domain is not known."""
        counts = self.tld.row(Page(b"", _address(document)))
        if counts is None:
            return None
        added = self.settings.added
        chances: NDArray[np.float64] = np.log(
            (counts + added) / (self.addresses + added * (len(self.domains) + 1)) + 1e-300
        )
        return chances

    def row(self, document: Document) -> NDArray[np.float64] | None:
        text, domain = self.by_text(document), self.by_domain(document)
        if text is None or domain is None:
            return domain if text is None else np.log(text)
        manner = self.settings.manner
        if manner != "always" and text.max() >= self.settings.border:
            return np.log(text)
        both: NDArray[np.float64] = domain if manner == "instead" else np.log(text) + domain
        return both


def sharpness(texts: Corpus, settings: NfcSettings) -> NDArray[np.float64]:
    """The likeliest sharpness for each of LENGTHS: NFC learns every other document, the rest are cut and asked."""
    half = {label: documents[::2] for label, documents in texts.items()}
    nfc = Nfc.fit(half, settings)
    asked = [(label, letters_only(text_of(d))) for label in nfc.labels for d in texts[label][1::2]]
    asked = asked or [(label, letters_only(text_of(d))) for label in nfc.labels for d in texts[label]]
    return np.array([_likeliest(nfc, asked, length) for length in LENGTHS])


def _likeliest(nfc: Nfc, asked: Sequence[tuple[str, str]], length: int) -> float:
    right, rows = [], []
    for label, text in asked:
        row = nfc.row(text[:length])
        if row is not None:
            right.append(nfc.labels.index(label))
            rows.append(row)
    if not rows:
        return float(SHARPNESS[0])
    cosines = np.array(rows)
    found = [np.log(softmax(cosines, sharp)[np.arange(len(right)), right]).sum() for sharp in SHARPNESS]
    return float(SHARPNESS[int(np.argmax(found))])


def softmax(cosines: NDArray[np.float64], sharp: float) -> NDArray[np.float64]:
    """Probabilities in proportion to exp(sharp x cosine), none of them zero.

    >>> softmax(np.array([0.5, 0.5, 0.0]), 0.0).round(2).tolist()
    [0.33, 0.33, 0.33]
    """
    powers = np.exp(sharp * (cosines - cosines.max(-1, keepdims=True)))
    chances: NDArray[np.float64] = powers / powers.sum(-1, keepdims=True)
    return np.maximum(chances, 1e-300)


def _address(document: Document) -> str:
    return (document.url or "") if isinstance(document, Page) else ""


def _empty(document: Document) -> bool:
    return not (document.raw if isinstance(document, Page) else document)
