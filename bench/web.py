"""Accuracy, reliability and calibration on text of the web and on sentences, with web priors and with equal priors.

    python bench/web.py [SET ...] [--priors web,uniform] [--url] [--data ../shared/data] [--errors 0]

Sets are files of dev/web and dev/text. An item may have several right labels. Labels of both sides are folded as
webtongue.lab.evaluate does; an answer that is one of the right labels counts as the first of them in macro-F1. Labels of
dev/web name languages: any script is right, and so is any Arabic for Arabic. Items without a label of the model are left out unless
--all is given. ECE is the calibration error of answers to texts of 50 characters and more, `excess` what of it sampling does not
explain. With --url the address of an item is given too.
"""

from __future__ import annotations

import json
import lzma
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import sets
from common import options_parser

from webtongue import Identifier, labels
from webtongue.lab.evaluate import measures
from webtongue.lab.evaluate.measures import Share
from webtongue.lab.evaluate.peers import resolve_answer

WEB = (
    "hplt3_judged hplt3_confirmed fastspell_gold paracrawl_sent mastodon_ui wordpress_ui tweetlid2014 informal itdi2022 "
    "markdown_readmes"
).split()
TEXT = "sib200_floresdev lingua_sentences lingua_word-pairs eld_tweets dsl2015".split()
PRIORS = ("web", "uniform")
ARABIC = "ara"
MIN_ECE_CHARS = 50
RESAMPLES = 50  # of the error that sampling alone gives


@dataclass(frozen=True, slots=True)
class Item:
    """A text, its right labels and its address, which is empty if unknown."""

    text: str
    accepted: tuple[str, ...]
    url: str


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer beside the gold label: equal if the answer is one of the right labels."""

    gold: str
    label: str
    confidence: float
    is_reliable: bool
    characters: int

    @property
    def is_right(self) -> bool:
        return self.gold == self.label


def read_items(path: Path, known: frozenset[str] | None) -> list[Item]:
    """Return the items of a set that have a label, and one of ``known`` labels unless that is None."""
    items = []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            names = row["label"] if isinstance(row["label"], list) else [row["label"] or ""]
            accepted = tuple(str(labels.fold(label)) for name in names if (label := labels.parse(name)) is not None)
            if accepted and (known is None or known & {*accepted}):
                items.append(Item(row["text"], accepted, row.get("url", "")))
    return items


def fold_language(label: str) -> str:
    """Return the language of a label, which is one for all varieties of Arabic."""
    return ARABIC if label not in labels.SPECIAL and labels.group(label) == ARABIC else label.partition("_")[0]


def is_accepted(label: str, gold: str, exact: bool) -> bool:
    """Return True if a label is right: equal to gold, or unless ``exact`` in the same language."""
    return resolve_answer(label, gold) == gold if exact else fold_language(label) == fold_language(gold)


def answer_item(identifier: Identifier, item: Item, exact: bool, with_url: bool) -> Answer:
    """Return the answer to an item; one of its right labels counts as the first of them."""
    is_page = with_url and item.url
    verdict = identifier.identify(item.text.encode(), item.url) if is_page else identifier.identify_text(item.text)
    label = verdict.label if verdict.label in labels.SPECIAL else str(labels.fold(verdict.label))
    answer = item.accepted[0] if any(is_accepted(label, gold, exact) for gold in item.accepted) else label
    # Where any label of a look-alike group is right, the probability of the group is what is claimed.
    is_group = bool(verdict.group) and all(labels.group(gold) == verdict.group for gold in item.accepted)
    confidence = verdict.group_confidence if is_group and len(item.accepted) > 1 else verdict.confidence
    return Answer(item.accepted[0], answer, confidence, verdict.reliable, len(item.text))


def compute_excess(answers: list[Answer], error: float) -> float:
    """Return the calibration error beyond that of answers whose confidence is exact."""
    rng = random.Random(1)
    confidences = [answer.confidence for answer in answers]
    simulated = [
        measures.compute_calibration_error(confidences, [rng.random() < confidence for confidence in confidences])
        for _ in range(RESAMPLES)
    ]
    return max(0.0, error - sum(simulated) / len(simulated))


def format_share(share: Share) -> str:
    return f"{100 * share.value:5.1f} [{100 * share.low:5.1f} {100 * share.high:5.1f}]"


def report(name: str, priors: str, answers: list[Answer]) -> str:
    """Return the row of a set."""
    gold, given = [answer.gold for answer in answers], [answer.label for answer in answers]
    low, high = measures.compute_macro_f1_interval(gold, given)
    reliable = [answer for answer in answers if answer.is_reliable]
    long = [answer for answer in answers if answer.characters >= MIN_ECE_CHARS and answer.label not in labels.SPECIAL]
    error = measures.compute_calibration_error([a.confidence for a in long], [a.is_right for a in long])
    return (
        f"{name:18} {priors:8} {len(answers):6} "
        f"{format_share(measures.compute_accuracy(gold, given))}  "
        f"{100 * measures.compute_macro_f1(gold, given):5.1f} [{100 * low:5.1f} {100 * high:5.1f}]  "
        f"{100 * len(reliable) / max(1, len(answers)):5.1f} "
        f"{format_share(Share(sum(answer.is_right for answer in reliable), len(reliable)))}  "
        f"{100 * sum(label in labels.SPECIAL for label in given) / max(1, len(given)):5.1f} "
        f"{error:.3f} {compute_excess(long, error):.3f}"
    )


def main() -> None:
    parser = options_parser(__doc__)
    parser.add_argument("names", nargs="*", metavar="SET", help="sets (default: all)")
    parser.add_argument("--priors", default=",".join(PRIORS), help="priors, separated by commas")
    parser.add_argument("--model", help="a model file in place of the shipped one")
    parser.add_argument("--url", action="store_true", help="give the addresses of items too")
    parser.add_argument("--all", action="store_true", help="also items without a label of the model")
    parser.add_argument("--errors", type=int, default=0, help="confusions shown for each set")
    options = parser.parse_args()
    folder = sets.require_folder(options.data / "dev")
    identifiers = {priors: Identifier(priors=priors, model=options.model) for priors in options.priors.split(",")}
    known = None if options.all else frozenset(next(iter(identifiers.values())).labels)
    print(
        f"{'set':18} {'priors':8} {'items':>6} {'accuracy':19}  {'macro-F1':19}  {'reliable, of which right':25}  "
        f"{'no language':>11} ECE excess"
    )
    for name in options.names or [*WEB, *TEXT]:
        path = next(path for part in ("web", "text") if (path := folder / part / f"{name}.jsonl.xz").is_file())
        items = read_items(path, known)
        for priors, identifier in identifiers.items():
            answers = [answer_item(identifier, item, path.parent.name == "text", options.url) for item in items]
            print(report(name, priors, answers), flush=True)
            confusions = Counter((answer.gold, answer.label) for answer in answers if not answer.is_right)
            for (gold, label), count in confusions.most_common(options.errors):
                print(f"    {gold} as {label}: {count}")


if __name__ == "__main__":
    main()
