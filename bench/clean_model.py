"""A model beside the shipped one, such as that of `make clean-model`: labels, accuracy of sentences, word pairs and pages.

    python bench/clean_model.py MODEL [--data DIR]

Sentences and word pairs: items in labels that both models have, all labels of a model allowed, equal priors. Pages: dev/html with
trusted labels, without their URLs, as `bench/pages.py` scores them, in labels that both models have, web priors.
"""

from __future__ import annotations

from pathlib import Path

import sets
from common import options_parser, percent
from error_kinds import accepted_labels

from webtongue import Identifier, labels
from webtongue.lab.evaluate.measures import compute_accuracy, compute_macro_f1
from webtongue.lab.evaluate.pages import is_right
from webtongue.lab.evaluate.peers import resolve_answer
from webtongue.lab.evaluate.sets import read_set
from webtongue.text.model import DEFAULT

TEXT_SETS = ("sib200_floresdev", "lingua_sentences", "lingua_word-pairs")


def score_texts(identifier: Identifier, name: str, data: Path, known: set[str]) -> str:
    """Return macro-F1 and accuracy of a set."""
    items = [item for item in read_set(name, data).items if item.label in known]
    answers, _ = identifier.classify_many([item.text for item in items])
    folded = [answer if answer in labels.SPECIAL else str(labels.fold(answer)) for answer in answers]
    resolved = [resolve_answer(answer, item.label) for answer, item in zip(folded, items, strict=True)]
    gold = [item.label for item in items]
    return f"{compute_macro_f1(gold, resolved):.3f}, {compute_accuracy(gold, resolved).value:.3f}"


def score_pages(identifier: Identifier, pages: list[tuple[bytes, frozenset[str]]]) -> str:
    """Return the share of pages with an accepted label."""
    verdicts = identifier.identify_many([raw for raw, _ in pages])
    right = sum(is_right(verdict.label, accepted) for verdict, (_, accepted) in zip(verdicts, pages, strict=True))
    return percent(right, len(pages), 2)


def main() -> None:
    parser = options_parser(__doc__)
    parser.add_argument("model", help="a model file")
    options = parser.parse_args()
    paths = {"shipped": str(DEFAULT), Path(options.model).name: options.model}
    uniform = {name: Identifier(priors="uniform", model=path) for name, path in paths.items()}
    web = {name: Identifier(model=path) for name, path in paths.items()}
    known = set.intersection(*(set(identifier.labels) for identifier in uniform.values()))
    rated = [(item.raw, accepted_labels(item.row)) for item in sets.html_pages(options.data) if item.raw]
    pages = [(raw, accepted) for raw, accepted in rated if accepted and accepted <= known | labels.SPECIAL.keys()]
    header = [
        "model",
        "labels",
        "tier 1",
        "MB",
        *(f"{name}, F1, accuracy" for name in TEXT_SETS),
        f"{len(pages):,} pages",
    ]
    print(f"{len(known)} labels in both models\n")
    print(f"| {' | '.join(header)} |\n|{' --- |' * len(header)}")
    for name, path in paths.items():
        tiers = uniform[name].tiers
        cells = [
            name,
            f"{len(tiers):,}",
            str(sum(tier == 1 for tier in tiers.values())),
            f"{Path(path).stat().st_size / 1e6:.1f}",
        ]
        cells += [score_texts(uniform[name], set_name, options.data, known) for set_name in TEXT_SETS]
        print(f"| {' | '.join([*cells, score_pages(web[name], pages)])} |", flush=True)


if __name__ == "__main__":
    main()
