"""webtongue's own URL model, fitted on the folds of an experiment by the recipe of the shipped one, for five languages only.

The shipped model was trained on the list that these experiments use, so it cannot be measured on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from webtongue.lab.methods.url_features import FIVE_LANGUAGES
from webtongue.lab.train.url.config import UrlConfig
from webtongue.lab.train.url.features import extract_features, keep_text_features, select_rows
from webtongue.lab.train.url.invented import find_coining_words
from webtongue.lab.train.url.mix import score_channels
from webtongue.lab.train.url.rows import UrlRow, assign_folds
from webtongue.lab.train.url.synthetic_urls import generate_urls
from webtongue.lab.train.url.train import Corpus, fit_corpus, fit_mix_on_held_out
from webtongue.reference.countries import tld
from webtongue.url.tld import GENERIC

__all__ = ["FROM_TEXT", "UrlModel"]

FROM_TEXT = UrlConfig().made  # additional training URLs of a language, generated from running text
INVENTED_NAMES_PER_URL = 0.05  # the ratio of the shipped model


@dataclass(frozen=True, slots=True)
class UrlModel:
    """The features and settings of a fit, made once for all folds."""

    corpus: Corpus
    config: UrlConfig

    @classmethod
    def build(cls, rows: Sequence[UrlRow], data: Path) -> UrlModel:
        """Return the features of the URLs and of URLs generated from text."""
        config = replace(UrlConfig(), invented=int(INVENTED_NAMES_PER_URL * len(rows)))
        text_urls = [generate_urls(data / "train", language, config.made) for language in FIVE_LANGUAGES]
        domains: dict[str, int] = {}
        corpus = Corpus(
            list(FIVE_LANGUAGES),
            list(rows),
            np.array([FIVE_LANGUAGES.index(row.language) for row in rows], np.uint16),
            np.array([tld(row.url) in GENERIC for row in rows]),
            np.array([domains.setdefault(row.domain, len(domains)) for row in rows], np.int64),
            extract_features([row.url for row in rows]),
            keep_text_features(extract_features([url for urls in text_urls for url in urls])),
            np.repeat(np.arange(len(FIVE_LANGUAGES)), [len(urls) for urls in text_urls]).astype(np.uint16),
            find_coining_words(text_urls[0]),
        )
        return cls(corpus, config)

    def answers(self, train: NDArray[np.int64], test: NDArray[np.int64]) -> NDArray[np.str_]:
        """Return the language of each test row: the parts are weighed on a tenth of the training domains, then fitted on all."""
        corpus, config = self.corpus, self.config
        in_tenth = assign_folds([corpus.rows[i].domain for i in train], config.folds) == 0
        inner, held_out = train[~in_tenth], train[in_tenth]
        mix = fit_mix_on_held_out(fit_corpus(corpus, inner, config, _ignore_progress), corpus, inner, held_out, config)
        fitted = fit_corpus(corpus, train, config, _ignore_progress)
        voices = score_channels(fitted.fit, select_rows(fitted.rows, test))
        logits = mix.logits(voices, corpus.real.url_types[test], mix.bias(fitted.fit.bias, fitted.priors))
        return np.asarray(np.array(FIVE_LANGUAGES)[logits.argmax(1)])


def _ignore_progress(_: str) -> None:
    """Discard the progress messages of a fit."""
