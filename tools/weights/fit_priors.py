"""Compare how fast priors may fade (policy.TextPolicy.prior_half_features, prior_fade_fits), and what a rare label needs.

    python experiments/studies/held_out_labels.py   # the model, and which sources it has not seen
    python tools/weights/fit_priors.py [--data ../shared/data] [--model MODEL] [--snippets 200000]

Two sides are read with every setting, through the whole text stage. New text: sources that the model never saw, cut to several lengths, of
languages among the hundred largest of the web and of all others. Large languages: the snippets of bench/false_positives.py, of which none
may be called a rare language. Printed: the share of new text that is named rightly, small / large languages by length, and wrong rare
answers in 10,000 snippets. The setting that names most small languages within one wrong rare answer in 10,000 is the one to take.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "experiments" / "studies"), str(ROOT / "bench")]
import corpora  # noqa: E402
import false_positives  # noqa: E402
import held_out_labels  # noqa: E402

from webtongue import Identifier, _kernel, policy  # noqa: E402
from webtongue.lab.train.corpus.sample import SampleConfig, draw_snippet  # noqa: E402
from webtongue.policy import LOG_SCALE, TextPolicy  # noqa: E402
from webtongue.text.reasons import UNANSWERED  # noqa: E402

SEED = 11
LENGTHS = (16, 30, 60, 120, 250, 500)
EACH = 6  # snippets of a label and length
HALVES = (30, 45, 60, 90, 140, 10**9)
FITS = ((0.6, 0.85), (0.7, 0.9), (0.8, 1.0))
RARE_SCALES = (5.0, 8.0, 12.0)


@dataclass(frozen=True, slots=True)
class NewText:
    """A snippet of a source that the model has not seen."""

    text: str
    label: str
    length: int


def make_reader(identifier: Identifier, text_policy: TextPolicy) -> _kernel.TextReader:
    """Return the text stage of an identifier under another policy."""
    reader = identifier.reader
    priors = _kernel.Priors(reader.model.kernel, reader.log_priors, None, text_policy.prior_fade)
    groups = reader.names.groups[:-1]
    numbers = [groups.index(group) if group else -1 for group in reader.model.groups]
    kernel_policy = policy.kernel_policy(numbers)
    kernel_policy.rare_scale = round(text_policy.rare_scale_nats * LOG_SCALE)
    return _kernel.TextReader(reader.model.kernel, priors, kernel_policy, groups, UNANSWERED)


def draw_new_text(known: dict[str, list[str]], labels: set[str]) -> list[NewText]:
    """Return snippets of every label and length."""
    rng = random.Random(SEED)
    return [
        NewText(draw_snippet(lines, rng, SampleConfig(shortest=length, longest=length + 1)), label, length)
        for label, lines in sorted(known.items())
        if label in labels
        for length in LENGTHS
        for _ in range(EACH)
    ]


def report(
    kernel: _kernel.TextReader, texts: list[NewText], snippets: list[false_positives.Snippet], common: frozenset[str]
) -> str:
    """Return the figures of one setting."""
    right: dict[tuple[int, bool], list[bool]] = defaultdict(list)
    answers, _ = kernel.classify_many([item.text for item in texts])
    for item, answer in zip(texts, answers, strict=True):
        right[item.length, item.label.partition("_")[0] in common].append(answer == item.label)
    shares = " ".join(
        f"{length}: {_percent(right[length, False])}/{_percent(right[length, True])}" for length in LENGTHS
    )
    answers, confidences = kernel.classify_many([snippet.text for snippet in snippets])
    wrong = 0
    for snippet, label, confidence in zip(snippets, answers, confidences, strict=True):
        given = false_positives.Answer(snippet, label, confidence)
        is_rare = label not in false_positives.NOT_A_LANGUAGE and label.partition("_")[0] not in common
        wrong += is_rare and not given.is_right and not given.is_close_relative
    return f"{shares}  wrong rare {1e4 * wrong / len(snippets):.2f}"


def _percent(values: list[bool]) -> str:
    return f"{100 * sum(values) / max(1, len(values)):.1f}"


def main() -> None:
    parser = corpora.options_parser("held_out_labels", __doc__)
    parser.add_argument("--model", default=Path("build/held_out_labels/model.wtm"), type=Path)
    parser.add_argument("--snippets", default=200_000, type=int)
    options = parser.parse_args()
    identifier = Identifier(model=str(options.model))
    _, _, known = held_out_labels.split(
        corpora.read_all(options), held_out_labels.choose_labels(options.data / "train")
    )
    texts = draw_new_text(known, set(identifier.labels))
    generator = false_positives.SnippetGenerator(false_positives.read_lines(options.data), SEED)
    snippets = [generator.make() for _ in range(options.snippets)]
    common = false_positives.common_languages(options.data)
    for half, fits, scale in product(HALVES, FITS, RARE_SCALES):
        text_policy = replace(policy.TEXT, prior_half_features=half, prior_fade_fits=fits, rare_scale_nats=scale)
        figures = report(make_reader(identifier, text_policy), texts, snippets, common)
        print(f"half {half} fits {fits} rare scale {scale}  {figures}", flush=True)


if __name__ == "__main__":
    main()
