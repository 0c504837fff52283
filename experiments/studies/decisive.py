"""The effect of decisive features: look-alikes of held-out sources, classified without and with them.

    python experiments/studies/decisive.py [--data DIR] [--work DIR] [--group NAME ...] [--trust T ...]

The sources are split into four parts. For each part, a model of the labels of all groups is trained and decisive features are
selected without its sources; then the kernel classifies the held-out text: units of 80 to 200 characters and documents of ten
units. "Restricted" is among the labels of the group, "open" among those of all groups; the loss is that of the restricted
probabilities, in nats. Figures are means over sources, then over labels. `data/decisive/groups.tsv` has the kinds and the trust
with the best figures; groups without a gain are not in it."""

from __future__ import annotations

import random
from array import array
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import corpora
import numpy as np
from numpy.typing import NDArray

from webtongue import _kernel
from webtongue.files import pack, unpack
from webtongue.lab.train.corpus.audit import audit
from webtongue.lab.train.corpus.pack import pack_lines, script_name
from webtongue.lab.train.corpus.read import SCRIPTURE, SYNTHETIC, Corpus, read_corpus
from webtongue.lab.train.text.config import TrainConfig
from webtongue.lab.train.text.decisive import DecisiveConfig, find_decisive, split_units
from webtongue.lab.train.text.file import MAGIC, SECTIONS, VERSION, LookAlikes, pack_decisive
from webtongue.lab.train.text.look_alikes import KINDS, Group, read_groups
from webtongue.policy import LOG_SCALE

PARTS = 4
SEED = 5
MAX_UNITS = 150  # of each held-out source
MAX_DOCUMENTS = 30
MIN_UNITS = 40  # sources with fewer are not used
CONFIG = TrainConfig(passes=4, rows=200_000, lines=40_000, decisive=False)
NEVER = -11.0  # log-probability of a label that is not among the guesses
IMPOSSIBLE = -1_000_000  # log prior, 1/1024 nats
MAX_GUESSES = 16


@dataclass(frozen=True, slots=True)
class HeldOutText:
    """Text of one label from a source that neither the model nor the features have seen."""

    label: str
    units: list[str]
    documents: list[str]


def split_sources(corpus: Corpus) -> list[set[str]]:
    sources = sorted({source for source, _ in corpus.lines})
    random.Random(SEED).shuffle(sources)
    return [set(sources[i::PARTS]) for i in range(PARTS)]


def iter_held_out(corpus: Corpus, part: set[str], group: Group, known: set[str]) -> Iterator[HeldOutText]:
    for (source, label), lines in sorted(corpus.lines.items()):
        if source not in part - SCRIPTURE - SYNTHETIC - {"udhr"} or label not in known & set(group.labels):
            continue
        units = split_units(lines, script_name(label) == "Hani", DecisiveConfig())
        if len(units) >= MIN_UNITS:
            documents = [" ".join(units[i : i + 10]) for i in range(0, len(units) - 9, 10)]
            yield HeldOutText(
                label, random.Random(SEED).sample(units, min(MAX_UNITS, len(units))), documents[:MAX_DOCUMENTS]
            )


def load_with_features(path: Path, groups: list[LookAlikes]) -> _kernel.LanguageModel:
    sections = unpack(path, MAGIC, VERSION, SECTIONS)
    sections |= pack_decisive(sections["labels"].decode().split("\n"), groups)
    return _kernel.LanguageModel(np.frombuffer(pack(MAGIC, VERSION, sections), np.uint8))


def log_probabilities(
    model: _kernel.LanguageModel, texts: list[str], allowed: set[str], decisive: bool
) -> NDArray[np.float64]:
    """Return log-probabilities of all labels of the model, with a row for each text."""
    likely = array("i", [0 if label in allowed else IMPOSSIBLE for label in model.labels])
    priors = _kernel.Priors(model, likely, None)
    ids, logs, _, _ = model.rank_many(*pack_lines(texts), MAX_GUESSES, decisive=decisive, priors=priors)
    logs_by_label = np.full((len(texts), len(likely)), NEVER)
    format_row, rank = np.nonzero(ids >= 0)
    logs_by_label[format_row, ids[format_row, rank]] = np.maximum(logs[format_row, rank] / LOG_SCALE, NEVER)
    return logs_by_label


Figures = dict[str, dict[str, list[float]]]  # measure: label: a figure for each source


def add_figures(
    model: _kernel.LanguageModel, text: HeldOutText, group: Group, decisive: bool, figures: Figures
) -> None:
    gold = model.labels.index(text.label)
    for name, texts in (("units", text.units), ("documents", text.documents)):
        if not texts:
            continue
        restricted = log_probabilities(model, texts, set(group.labels), decisive)
        figures[name][text.label].append(float(np.mean(restricted.argmax(axis=1) == gold)))
        figures[f"loss of {name}"][text.label].append(float(np.mean(-restricted[:, gold])))
        if name == "units":
            open_logs = log_probabilities(model, texts, set(model.labels), decisive)
            figures["open"][text.label].append(float(np.mean(open_logs.argmax(axis=1) == gold)))


def mean_over_labels(values_by_label: dict[str, list[float]]) -> float:
    return float(np.mean([np.mean(values) for values in values_by_label.values()]))


def format_row(name: str, figures_by_name: Figures, features: int) -> str:
    shares = [
        f"{mean_over_labels(figures_by_name[m]):.1%}" if figures_by_name[m] else ""
        for m in ("units", "open", "documents")
    ]
    losses = [
        f"{mean_over_labels(figures_by_name[m]):.3f}" if figures_by_name[m] else ""
        for m in ("loss of units", "loss of documents")
    ]
    return f"| {name} | {features} | {' | '.join(shares + losses)} |"


def measure(group: Group, corpus: Corpus, parts: list[set[str]], work: Path, trusts: list[float]) -> None:
    figures_by_name: dict[str, Figures] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    features = 0
    for number, part in enumerate(parts):
        path = work / f"part{number}.wtm"
        plain = load_with_features(path, [])
        texts = list(iter_held_out(corpus, part, group, set(plain.labels)))
        rest = Corpus({place: lines for place, lines in corpus.lines.items() if place[0] not in part}).group_by_label()
        kept = {label: rest[label] for label in group.labels if label in rest and label in plain.labels}
        decisive = find_decisive(kept, group, DecisiveConfig())
        if decisive is None:
            continue
        features = max(features, len(decisive.keys))
        for text in texts:
            add_figures(plain, text, group, False, figures_by_name["without"])
        for trust in trusts:
            model = load_with_features(path, [replace(decisive, trust=trust)])
            for text in texts:
                add_figures(model, text, group, True, figures_by_name[f"trust {trust}"])
    for name, figures in figures_by_name.items():
        print(format_row(f"{group.name}: {name}", figures, 0 if name == "without" else features), flush=True)
        print(
            "   ",
            *(f"{label} {np.mean(values_by_label):.1%}" for label, values_by_label in figures["units"].items()),
            flush=True,
        )


def main() -> None:
    parser = corpora.options_parser("decisive", __doc__)
    parser.add_argument("--group", action="append", help="only these groups")
    parser.add_argument("--trust", action="append", type=float, help="trust instead of the group's own")
    parser.add_argument("--kinds", help="kinds instead of the group's own: grams, words, pairs, separated by commas")
    options = parser.parse_args()
    labels = {label for group in read_groups() for label in group.labels}
    corpus, _ = audit(read_corpus(options.data / "train", labels=labels))
    parts = split_sources(corpus)
    for number, part in enumerate(parts):
        path = options.work / f"part{number}.wtm"
        if not path.exists():
            rest = Corpus({place: lines for place, lines in corpus.lines.items() if place[0] not in part})
            corpora.train(rest, path, CONFIG)
    print("| group | features | restricted | open | documents | loss | loss of documents |\n|" + " --- |" * 7)
    for group in read_groups():
        if options.group and group.name not in options.group:
            continue
        kinds = sum(KINDS[kind] for kind in options.kinds.split(",")) if options.kinds else group.kinds
        measure(replace(group, kinds=kinds), corpus, parts, options.work, options.trust or [group.trust])


if __name__ == "__main__":
    main()
