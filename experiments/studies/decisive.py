"""What decisive features are worth: look-alikes of sources left out, read without them and with them.

    python experiments/studies/decisive.py [--data DIR] [--work DIR] [--group NAME ...] [--trust T ...]

The sources are dealt into four parts. For each part a model of all groups' labels is trained without its sources, decisive
features are found without them, and the kernel reads what was left out: units of 80 to 200 characters and documents of ten
of them. Restricted is
among the labels of the group, open among those of all groups; loss is that of the restricted probabilities, in nats. Means over
sources, then over labels. `data/decisive/groups.tsv` has the kinds and the trust that this prints best; groups that do not
gain are left out.
"""

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
from webtongue.train.container import NATS
from webtongue.train.corpus.audit import audit
from webtongue.train.corpus.pack import pack_lines, script_name
from webtongue.train.corpus.read import SCRIPTURE, SYNTHETIC, Corpus, read_corpus
from webtongue.train.text.config import TrainConfig
from webtongue.train.text.decisive import DecisiveConfig, find_decisive, units
from webtongue.train.text.file import MAGIC, SECTIONS, VERSION, LookAlikes, pack_decisive
from webtongue.train.text.look_alikes import KINDS, Group, read_groups

PARTS = 4
SEED = 5
UNITS = 150  # read of each source left out
DOCUMENTS = 30
FEWEST = 40  # units that a source must have to be read
CONFIG = TrainConfig(passes=4, rows=200_000, lines=40_000, decisive=False)
NEVER = -11.0  # log-probability of a label that is not among the guesses
IMPOSSIBLE = -1_000_000  # log prior, 1/1024 nats
MOST = 16


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Text of one label from a source that neither model nor features have seen."""

    label: str
    units: list[str]
    documents: list[str]


def parts_of(corpus: Corpus) -> list[set[str]]:
    sources = sorted({source for source, _ in corpus.lines})
    random.Random(SEED).shuffle(sources)
    return [set(sources[i::PARTS]) for i in range(PARTS)]


def left_out(corpus: Corpus, part: set[str], group: Group, known: set[str]) -> Iterator[LeftOut]:
    for (source, label), lines in sorted(corpus.lines.items()):
        if source not in part - SCRIPTURE - SYNTHETIC - {"udhr"} or label not in known & set(group.labels):
            continue
        cut = units(lines, script_name(label) == "Hani", DecisiveConfig())
        if len(cut) >= FEWEST:
            documents = [" ".join(cut[i : i + 10]) for i in range(0, len(cut) - 9, 10)]
            yield LeftOut(label, random.Random(SEED).sample(cut, min(UNITS, len(cut))), documents[:DOCUMENTS])


def with_features(path: Path, groups: list[LookAlikes]) -> _kernel.LanguageModel:
    sections = unpack(path, MAGIC, VERSION, SECTIONS)
    sections |= pack_decisive(sections["labels"].decode().split("\n"), groups)
    return _kernel.LanguageModel(np.frombuffer(pack(MAGIC, VERSION, sections), np.uint8))


def chances(model: _kernel.LanguageModel, texts: list[str], allowed: set[str], decisive: bool) -> NDArray[np.float64]:
    """Log-probabilities of all labels of the model, a row a text."""
    likely = array("i", [0 if label in allowed else IMPOSSIBLE for label in model.labels])
    priors = _kernel.Priors(model, likely, None)
    ids, logs, _, _ = model.rank_many(*pack_lines(texts), MOST, decisive=decisive, priors=priors)
    out = np.full((len(texts), len(likely)), NEVER)
    row, rank = np.nonzero(ids >= 0)
    out[row, ids[row, rank]] = np.maximum(logs[row, rank] / NATS, NEVER)
    return out


Figures = dict[str, dict[str, list[float]]]  # measure -> label -> one for each source


def read(model: _kernel.LanguageModel, text: LeftOut, group: Group, decisive: bool, into: Figures) -> None:
    gold = model.labels.index(text.label)
    for name, texts in (("units", text.units), ("documents", text.documents)):
        if not texts:
            continue
        own = chances(model, texts, set(group.labels), decisive)
        into[name][text.label].append(float(np.mean(own.argmax(axis=1) == gold)))
        into[f"loss of {name}"][text.label].append(float(np.mean(-own[:, gold])))
        if name == "units":
            every = chances(model, texts, set(model.labels), decisive)
            into["open"][text.label].append(float(np.mean(every.argmax(axis=1) == gold)))


def mean(of: dict[str, list[float]]) -> float:
    return float(np.mean([np.mean(values) for values in of.values()]))


def row(name: str, found: Figures, features: int) -> str:
    shares = [f"{mean(found[m]):.1%}" if found[m] else "" for m in ("units", "open", "documents")]
    losses = [f"{mean(found[m]):.3f}" if found[m] else "" for m in ("loss of units", "loss of documents")]
    return f"| {name} | {features} | {' | '.join(shares + losses)} |"


def measure(group: Group, corpus: Corpus, parts: list[set[str]], work: Path, trusts: list[float]) -> None:
    found: dict[str, Figures] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    features = 0
    for number, part in enumerate(parts):
        path = work / f"part{number}.wtm"
        plain = with_features(path, [])
        texts = list(left_out(corpus, part, group, set(plain.labels)))
        rest = Corpus({place: lines for place, lines in corpus.lines.items() if place[0] not in part}).of_label()
        kept = {label: rest[label] for label in group.labels if label in rest and label in plain.labels}
        decisive = find_decisive(kept, group, DecisiveConfig())
        if decisive is None:
            continue
        features = max(features, len(decisive.keys))
        for text in texts:
            read(plain, text, group, False, found["without"])
        for trust in trusts:
            model = with_features(path, [replace(decisive, trust=trust)])
            for text in texts:
                read(model, text, group, True, found[f"trust {trust}"])
    for name, figures in found.items():
        print(row(f"{group.name}: {name}", figures, 0 if name == "without" else features), flush=True)
        print("   ", *(f"{label} {np.mean(of):.1%}" for label, of in figures["units"].items()), flush=True)


def main() -> None:
    parser = corpora.parser("decisive", __doc__)
    parser.add_argument("--group", action="append", help="only these")
    parser.add_argument("--trust", action="append", type=float, help="in place of a group's own")
    parser.add_argument("--kinds", help="likewise: grams, words, pairs, with commas")
    options = parser.parse_args()
    wanted = {label for group in read_groups() for label in group.labels}
    corpus, _ = audit(read_corpus(options.data / "train", labels=wanted))
    parts = parts_of(corpus)
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
