"""webtongue's own URL model, fitted on the folds of an experiment by the recipe of the shipped one, for five languages only.

The shipped model has read the list that these experiments are made of, so it cannot be measured on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from webtongue.hints.country import tld
from webtongue.train.url.config import UrlConfig
from webtongue.train.url.features import chosen, features_of, text_only
from webtongue.train.url.invented import coining_words
from webtongue.train.url.mix import voices_of
from webtongue.train.url.rows import UrlRow, fold_of
from webtongue.train.url.text import made_urls
from webtongue.train.url.train import Corpus, fit_corpus, mix_on
from webtongue.url.baselines import GENERIC
from webtongue.url.features import FIVE

__all__ = ["FROM_TEXT", "UrlModel"]

FROM_TEXT = UrlConfig().made  # URLs made of running text that a language's model reads besides
INVENTED = 0.05  # invented names for each URL, as many as the shipped model was given


@dataclass(frozen=True, slots=True)
class UrlModel:
    """What fitting needs, made once for all folds."""

    corpus: Corpus
    config: UrlConfig

    @classmethod
    def of(cls, rows: Sequence[UrlRow], data: Path) -> UrlModel:
        config = replace(UrlConfig(), invented=int(INVENTED * len(rows)))
        made = [made_urls(data / "train", language, config.made) for language in FIVE]
        domains: dict[str, int] = {}
        corpus = Corpus(
            list(FIVE),
            list(rows),
            np.array([FIVE.index(row.language) for row in rows], np.uint16),
            np.array([tld(row.url) in GENERIC for row in rows]),
            np.array([domains.setdefault(row.domain, len(domains)) for row in rows], np.int64),
            features_of([row.url for row in rows]),
            text_only(features_of([url for urls in made for url in urls])),
            np.repeat(np.arange(len(FIVE)), [len(urls) for urls in made]).astype(np.uint16),
            coining_words(made[0]),
        )
        return cls(corpus, config)

    def answers(self, train: NDArray[np.int64], test: NDArray[np.int64]) -> NDArray[np.str_]:
        """The language of each test row: fitted, parts weighed on a tenth of the training domains, fitted again on all."""
        corpus, config = self.corpus, self.config
        tenth = fold_of([corpus.rows[i].domain for i in train], config.folds) == 0
        inner, held = train[~tenth], train[tenth]
        mix = mix_on(fit_corpus(corpus, inner, config, _silent), corpus, inner, held, config)
        fitted = fit_corpus(corpus, train, config, _silent)
        said = voices_of(fitted.fit, chosen(fitted.rows, test))
        logits = mix.logits(said, corpus.real.settings[test], mix.bias(fitted.fit.bias, fitted.priors))
        return np.array(FIVE)[logits.argmax(1)]


def _silent(_: str) -> None:
    """Progress of a fit, of which there are many here."""
