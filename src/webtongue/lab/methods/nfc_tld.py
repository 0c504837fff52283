"""NFC and the top level domain together, as a naive Bayes classifier (Hayati 2004, sections 5.2 and 7, where it is future work).

    log P(language | text, domain) = log P(language | text) + log P(domain | language) + a constant

The naive assumption is that text and domain are independent given the language. NFC gives cosines, not probabilities, so
P(language | text) is taken as proportional to exp(sharpness x cosine). The sharpness maximises the likelihood of training
documents left out of a second NFC, for several lengths, since cosines of long texts are more reliable. The paper's rule where NFC
"has low confidence" is the setting ``manner``: confidence is the probability of NFC's best language.

Documents are Pages with their URLs. Training documents without a URL train the text only, and those without text the domain only,
so that the two may come from different collections.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import UsageError
from webtongue.lab.methods.base import Method
from webtongue.lab.methods.corpus import Corpus
from webtongue.lab.methods.document import Document, read_text
from webtongue.lab.methods.domains import Tld, TldSettings
from webtongue.lab.methods.grams import Grams, keep_letters
from webtongue.lab.methods.nfc import Nfc, NfcSettings
from webtongue.page import Page

__all__ = ["NfcTld", "NfcTldSettings", "softmax"]

MANNERS = ("always", "in_doubt", "instead")
# Lengths for which a sharpness is fitted; between them it is interpolated.
TEXT_LETTERS = (12, 25, 50, 100, 200, 400, 800)
SHARPNESS_GRID = 2.0 ** np.arange(0, 9.25, 0.25)  # candidates: 1 nearly ignores the text, 400 trusts it fully


@dataclass(frozen=True, slots=True)
class NfcTldSettings:
    """``manner``: "always" uses the domain of every page, "in_doubt" where NFC's confidence is below ``border``, and "instead"
    answers there by the domain only. ``added`` is added to the count of every domain, seen or not."""

    grams: Grams = field(default_factory=lambda: Grams(sizes=(3,), edges="wrap"))
    features: int = 1000
    level: str = "top"
    manner: str = "always"
    border: float = 0.9
    added: float = 1.0

    def __post_init__(self) -> None:
        if self.manner not in MANNERS:
            raise UsageError(f"manner must be one of {', '.join(MANNERS)}, not {self.manner}")
        TldSettings(self.level)  # raises UsageError for an unknown level


@dataclass(frozen=True)
class NfcTld(Method):
    """``names`` and ``counts`` belong to NFC, ``domains`` and ``domain_counts`` to the top level domains. Scores are log
    probabilities."""

    name: ClassVar[str] = "nfc_tld"
    reads: ClassVar[frozenset[str]] = frozenset({"url"})
    corpus_name: ClassVar[str] = "PAGES.jsonl"
    answer_settings: ClassVar[frozenset[str]] = frozenset({"manner", "border", "added"})

    settings: NfcTldSettings
    names: tuple[str, ...]
    counts: NDArray[np.uint32]
    domains: tuple[str, ...]
    domain_counts: NDArray[np.uint32]  # domains x labels
    addresses: NDArray[np.uint32]  # training documents of each label with a URL
    sharpness: NDArray[np.float64]  # for each of LENGTHS

    @classmethod
    def learn(cls, corpus: Corpus, settings: NfcTldSettings) -> Self:
        addressed = {label: [d for d in documents if _get_url(d)] for label, documents in corpus.items()}
        if not any(addressed.values()):
            raise UsageError(
                "nfc_tld is trained on pages with their URLs, and none has one: give a .jsonl file of label, url and text or html, "
                "or use nfc, which needs no URLs"
            )
        texts = {label: [d for d in documents if not _is_empty(d)] for label, documents in corpus.items()}
        nfc = Nfc.fit(texts, NfcSettings(settings.grams, settings.features))
        tld = Tld.fit({label: addressed.get(label, []) for label in corpus}, TldSettings(settings.level))
        number = {label: i for i, label in enumerate(tld.labels)}
        counts = np.zeros((len(tld.domains), len(nfc.labels)), np.uint32)
        for i, label in enumerate(nfc.labels):
            if label in number:
                counts[:, i] = tld.counts[:, number[label]]
        addresses = np.array([len(addressed.get(label, [])) for label in nfc.labels], np.uint32)
        return cls(
            settings,
            nfc.labels,
            nfc.names,
            nfc.counts,
            tld.domains,
            counts,
            addresses,
            fit_sharpness(texts, nfc.settings),
        )

    def check(self) -> None:
        super().check()
        self.nfc.check()
        self.tld.check()
        if self.addresses.shape != (len(self.labels),) or self.sharpness.shape != (len(TEXT_LETTERS),):
            raise ValueError("the shapes of addresses or sharpness do not match labels and lengths")

    @cached_property
    def nfc(self) -> Nfc:
        return Nfc(NfcSettings(self.settings.grams, self.settings.features), self.labels, self.names, self.counts)

    @cached_property
    def tld(self) -> Tld:
        return Tld(TldSettings(self.settings.level), self.labels, self.domains, self.domain_counts)

    def score_text(self, document: Document) -> NDArray[np.float64] | None:
        """Return the probability of each label by the text, or None if it has no known n-gram."""
        cosines = self.nfc.row(document)
        if cosines is None:
            return None
        length = max(1, len(keep_letters(read_text(document))))
        return softmax(cosines, float(np.interp(np.log(length), np.log(TEXT_LETTERS), self.sharpness)))

    def score_domain(self, document: Document) -> NDArray[np.float64] | None:
        """Return log P(domain | label), or None if the document has no URL or an unknown domain."""
        counts = self.tld.row(Page(b"", _get_url(document)))
        if counts is None:
            return None
        added = self.settings.added
        logs: NDArray[np.float64] = np.log(
            (counts + added) / (self.addresses + added * (len(self.domains) + 1)) + 1e-300
        )
        return logs

    def row(self, document: Document) -> NDArray[np.float64] | None:
        text, domain = self.score_text(document), self.score_domain(document)
        if text is None or domain is None:
            return domain if text is None else np.log(text)
        manner = self.settings.manner
        if manner != "always" and text.max() >= self.settings.border:
            return np.log(text)
        both: NDArray[np.float64] = domain if manner == "instead" else np.log(text) + domain
        return both


def fit_sharpness(texts: Corpus, settings: NfcSettings) -> NDArray[np.float64]:
    """Return the likeliest sharpness for each length: NFC is fitted on every other document and tested on the others, cut."""
    training = {label: documents[::2] for label, documents in texts.items()}
    nfc = Nfc.fit(training, settings)
    test_texts = [(label, keep_letters(read_text(d))) for label in nfc.labels for d in texts[label][1::2]]
    test_texts = test_texts or [(label, keep_letters(read_text(d))) for label in nfc.labels for d in texts[label]]
    return np.array([_find_likeliest(nfc, test_texts, length) for length in TEXT_LETTERS])


def _find_likeliest(nfc: Nfc, test_texts: Sequence[tuple[str, str]], length: int) -> float:
    right, rows = [], []
    for label, text in test_texts:
        row = nfc.row(text[:length])
        if row is not None:
            right.append(nfc.labels.index(label))
            rows.append(row)
    if not rows:
        return float(SHARPNESS_GRID[0])
    cosines = np.array(rows)
    likelihoods = [np.log(softmax(cosines, sharp)[np.arange(len(right)), right]).sum() for sharp in SHARPNESS_GRID]
    return float(SHARPNESS_GRID[int(np.argmax(likelihoods))])


def softmax(cosines: NDArray[np.float64], factor: float) -> NDArray[np.float64]:
    """Return probabilities proportional to exp(factor x cosine), none of them zero.

    >>> softmax(np.array([0.5, 0.5, 0.0]), 0.0).round(2).tolist()
    [0.33, 0.33, 0.33]
    """
    powers = np.exp(factor * (cosines - cosines.max(-1, keepdims=True)))
    probabilities: NDArray[np.float64] = powers / powers.sum(-1, keepdims=True)
    return np.maximum(probabilities, 1e-300)


def _get_url(document: Document) -> str:
    return (document.url or "") if isinstance(document, Page) else ""


def _is_empty(document: Document) -> bool:
    return not (document.raw if isinstance(document, Page) else document)
