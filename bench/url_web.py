"""Addresses of unseen sites, dev/web/paracrawl_url: `python bench/url.py web`. Figures with intervals of 95% by resampling."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from webtongue import Identifier
from webtongue.reference.countries import is_country, tld
from webtongue.url.model import load
from webtongue.url.tld import by_main_language

DRAWS = 1000
MIN_CODE_RELIABILITY = 300  # in thousandths: an address with such a code counts as one with a code
Strings = NDArray[np.str_]


@dataclass(frozen=True, slots=True)
class Answers:
    """True and answered languages of addresses, and which answers are reliable."""

    truth: Strings
    answered: Strings
    reliable: NDArray[np.bool_]

    def among(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> Answers:
        return Answers(self.truth[rows], self.answered[rows], self.reliable[rows])


def accuracy(answers: Answers) -> float:
    return 100 * float(np.mean(answers.truth == answers.answered))


def reliable_right(answers: Answers) -> float:
    right = answers.truth == answers.answered
    return 100 * float(np.mean(right[answers.reliable])) if answers.reliable.any() else 0.0


def macro_f1(answers: Answers) -> float:
    truth, answered = answers.truth, answers.answered
    scores = []
    for language in np.unique(truth):
        right = np.sum((truth == language) & (answered == language))
        scores.append(2 * right / (np.sum(truth == language) + np.sum(answered == language)))
    return 100 * float(np.mean(scores))


def interval(figure: Callable[[Answers], float], answers: Answers) -> str:
    """Return a figure with its interval: addresses drawn again with replacement."""
    rng = np.random.default_rng(0)
    drawn = [figure(answers.among(rng.integers(0, len(answers.truth), len(answers.truth)))) for _ in range(DRAWS)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return f"{figure(answers):.1f} ({low:.1f}-{high:.1f})"


def kind_of(url: str) -> str:
    """Return what an address says by itself: a code, a country's domain, or neither."""
    if any(reliability >= MIN_CODE_RELIABILITY for _, _, reliability in load().kernel.mentions(url)):
        return "code"
    return "country's domain" if is_country(tld(url).replace("uk", "gb")) else "neither"


def by_rule(url: str) -> str:
    """Return the language of the most reliable code, or else of the country's domain: the table alone."""
    mentions = load().kernel.mentions(url)
    if mentions:
        return load().labels[max(mentions, key=lambda mention: mention[2])[1]][:3]
    return by_main_language(url) or "eng"


def web(data: Path) -> None:
    path = data / "dev" / "web" / "paracrawl_url.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    urls, truth = [row["url"] for row in rows], np.array([row["label"][:3] for row in rows])
    verdicts = Identifier().identify_urls(urls)
    ours = Answers(truth, np.array([v.label[:3] for v in verdicts]), np.array([v.reliable for v in verdicts]))
    rule = Answers(truth, np.array([by_rule(url) for url in urls]), np.zeros(len(urls), bool))
    kinds = np.array([kind_of(url) for url in urls])
    print(f"{len(urls)} addresses of unseen sites in {len(set(truth))} languages, in % with intervals of 95%")
    print(
        f"{'':18} {'n':>5} {'accuracy':>18} {'macro F1':>18} {'reliable':>9} {'right of these':>18} {'table alone':>18}"
    )
    for kind in ("all", "code", "country's domain", "neither"):
        which = np.ones(len(urls), bool) if kind == "all" else kinds == kind
        part = ours.among(which)
        print(
            f"{kind:18} {which.sum():5} {interval(accuracy, part):>18} {interval(macro_f1, part):>18} "
            f"{100 * part.reliable.mean():8.1f}% {interval(reliable_right, part):>18} {interval(accuracy, rule.among(which)):>18}"
        )
