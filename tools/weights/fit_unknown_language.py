"""Fit the weights of native/text/unknown_language.cpp and write ``native/tables/unknown_language.inc``: unknown languages against new text of known ones.

    python experiments/studies/held_out_labels.py   # the model
    python tools/weights/fit_unknown_language.py [--data ../shared/data] [--model MODEL]

Unknown is text of labels that the model never saw and that no label is like (experiments/studies/relatives.py); known is text of
sources that it never saw, of labels that it knows and names rightly: new text, as the web has it, and not what was learnt.
Logistic regression by Newton's method, then the bias is moved until the wanted share of known text is above 0. What is
printed was refused by weights fitted without its label.
"""

from __future__ import annotations

import random
import re
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "experiments" / "studies"))
import corpora  # noqa: E402
import held_out_labels  # noqa: E402
import relatives  # noqa: E402

from webtongue import Identifier, _kernel, labels  # noqa: E402
from webtongue.text.reasons import REASONS  # noqa: E402
from webtongue.train.corpus.sample import SampleConfig, plain_letters, snippet  # noqa: E402
from webtongue.verdict import Reason  # noqa: E402

OUT = ROOT / "native" / "tables" / "unknown_language.inc"
SEED = 5
SHAPE = SampleConfig(shortest=40, longest=600)
SNIPPETS = 48  # snippets of each label
PRIORS = ("web", "uniform")
KINDS = ("short, tier 1", "short, others", "middling, tier 1", "middling, others", "long, tier 1", "long, others")
LOST = (0.002, 0.006) * 3  # share of known new text that may be above 0 under equal priors, by kind
MIDDLING, LONG = 192, 576  # features from which a text is of middling length, or long
LOOKED_AT = 0.2  # share of known new text that is read again
FIRST = 7  # features of the first look
# Which way each feature may speak, in the order of UnknownFeature: what is known better never speaks for an unknown language.
SIGNS = np.array([-1, 1, -1, 1, 0, -1, 1, -1, -1, -1, 1])
FOLDS = 5
RIDGE = 1e-2
SCALE = 1024
NAME = re.compile(r"(?<=[^\W\d_] )[A-ZÀ-Ž][^\W\d_]{2,}")

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rows:
    """Features of texts, the fold that the label of each is in, and which weights it goes by: as in unknown_score()."""

    x: Floats
    fold: NDArray[np.int64]
    kind: NDArray[np.int64]

    def take(self, which: NDArray[np.bool_]) -> Rows:
        return Rows(self.x[which], self.fold[which], self.kind[which])


def as_typed(text: str, names: list[str], rnd: random.Random) -> str:
    """As messages are written: names, tags, users and links between the words, letters wrong or without their marks."""
    words = text.split(" ")
    for i, word in enumerate(words):
        if len(word) > 3 and rnd.random() < 0.08:
            at = rnd.randrange(1, len(word) - 1)
            words[i] = word[:at] + rnd.choice(("", word[at] * 2, word[at + 1] + word[at])) + word[at + 1 :]
    for _ in range(int(len(words) * rnd.uniform(0.0, 0.5))):
        name = rnd.choice(names)
        forms = (
            name,
            name,
            name,
            f"#{name.lower()}",
            f"@{name.lower()}_{rnd.randrange(99)}",
            f"http://t.co/{name[:6]}",
        )
        words.insert(rnd.randrange(len(words) + 1), rnd.choice(forms))
    out = " ".join(words)
    return plain_letters(out, spelt=False) if rnd.random() < 0.2 else out


def ciphered(text: str, rnd: random.Random) -> str:
    """Letters exchanged for each other: as far from any language as text drawn by a font is."""
    letters = sorted({char for char in text.lower() if char.isalpha()})
    return text.lower().translate(str.maketrans(dict(zip(letters, rnd.sample(letters, len(letters)), strict=True))))


def snippets(lines: dict[str, list[str]], names: list[str]) -> Iterator[tuple[str, str]]:
    """(text, label); with names, every second as people type, and without, every sixth ciphered."""
    for label, text in sorted(lines.items()):
        rnd = random.Random(f"{SEED}/{label}")
        for i in range(SNIPPETS):
            cut = snippet(text, rnd, SHAPE)
            if names and i % 2 == 0:
                cut = as_typed(cut, names, rnd)
            if not names and i % 6 == 0:
                cut = ciphered(cut, rnd)
            yield cut, label


def read(ident: Identifier, lines: dict[str, list[str]], names: list[str]) -> Rows:
    """What the model makes of snippets; with names they are known text, and those named wrongly are left out."""
    reader = ident.reader
    values, folds, kinds = [], [], []
    for text, label in snippets(lines, names):
        found = reader.read_text(text)
        if REASONS[found.reason] in (Reason.NOT_LANGUAGE, Reason.TOO_RARE, Reason.MISREAD):  # decided before
            continue
        row = _kernel.unknown_features(reader.kernel, text)
        if not row or (names and not same(reader.model.labels[found.guesses(1)[0][0]], label)):
            continue
        values.append(row)
        folds.append(zlib.crc32(label.encode()) % FOLDS)
        kinds.append(
            (reader.model.tiers[found.guesses(1)[0][0]] > 1)
            + 2 * (found.features >= MIDDLING)
            + 2 * (found.features >= LONG)
        )
    return Rows(np.array(values, float) / 1024, np.array(folds), np.array(kinds))


def same(one: str, other: str) -> bool:
    """Labels of a group count as one: text hardly tells them apart."""
    return one == other or (labels.group(one) is not None and labels.group(one) == labels.group(other))


def joined(parts: list[Rows]) -> Rows:
    return Rows(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("x", "fold", "kind")))


def fit(unknown: Floats, known: Floats, bounds: Floats, lost: float) -> Floats:
    """Weights, the bias first; those of the wrong sign become 0. Then the bias is moved until `bounds` lose that much."""
    use = np.ones(unknown.shape[1], bool)
    while True:
        w = np.zeros(len(use) + 1)
        w[np.r_[True, use]] = regress(unknown[:, use], known[:, use])
        wrong = w[1:] * SIGNS[: len(use)] < 0
        if not wrong.any():
            break
        use[np.argmin(w[1:] * SIGNS[: len(use)] * known.std(axis=0))] = False
    w[0] -= np.quantile(score(w, bounds), 1 - lost)
    return w


def regress(unknown: Floats, known: Floats) -> Floats:
    """Logistic regression; both sides weigh the same."""
    x = np.c_[np.ones(len(unknown) + len(known)), np.concatenate([unknown, known])]
    y = np.repeat([1.0, 0.0], [len(unknown), len(known)])
    each = np.repeat([1 / len(unknown), 1 / len(known)], [len(unknown), len(known)]) * len(x) / 2
    spread = np.r_[1.0, x[:, 1:].std(axis=0) + 1e-9]
    x /= spread
    w = np.zeros(x.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        hessian = (x * (each * p * (1 - p))[:, None]).T @ x + RIDGE * np.eye(len(w))
        w += np.linalg.solve(hessian, x.T @ (each * (y - p)) - RIDGE * w)
    return np.asarray(w / spread)


def fit_kinds(unknown: Rows, known: Rows, bounds: Rows, features: int, lost: tuple[float, ...]) -> list[Floats]:
    return [
        fit(*(rows.x[rows.kind == kind, :features] for rows in (unknown, known, bounds)), lost[kind])
        for kind in range(len(KINDS))
    ]


def score(w: Floats, x: Floats) -> Floats:
    return np.asarray(np.c_[np.ones(len(x)), x] @ w)


def refused(weights: list[Floats], rows: Rows) -> NDArray[np.bool_]:
    every = np.stack([score(w, rows.x) for w in weights])
    return np.asarray(every[rows.kind, np.arange(len(rows.kind))] > 0)


def table(name: str, size: str, weights: list[Floats]) -> str:
    lists = ("{" + ", ".join(str(round(float(value) * 100 * SCALE)) for value in w) + "}" for w in weights)
    return f"constexpr int64_t {name}[{len(KINDS)}][{size} + 1] = {{\n    " + ",\n    ".join(lists) + "};\n"


def fit_all(unknown: list[Rows], known: list[Rows]) -> str:
    """The table, from rows by priors; prints what weights fitted on other labels refuse."""
    every = joined(unknown), joined(known), known[PRIORS.index("uniform")]
    size = len(every[0].x[0])
    tried = [fit_kinds(*(rows.take(rows.fold != fold) for rows in every), size, LOST) for fold in range(FOLDS)]
    for priors, *sides in zip(PRIORS, unknown, known, strict=True):
        for name, rows in zip(("unknown", "known"), sides, strict=True):
            above = np.zeros(len(rows.x), bool)
            for fold, weights in enumerate(tried):
                above[rows.fold == fold] = refused(weights, rows.take(rows.fold == fold))
            by_kind = ", ".join(f"{kind} {above[rows.kind == i].mean():.2%}" for i, kind in enumerate(KINDS))
            print(f"{priors}: refused {above.mean():.2%} of {len(above)} {name} texts: {by_kind}")
    return (
        "// Written by tools/weights/fit_unknown_language.py: the bias, then weights in the order of UnknownFeature, for\n"
        f"// {'; '.join(KINDS)}.\n"
        + table("FIRST_WEIGHTS", "kFirstLook", fit_kinds(*every, FIRST, (LOOKED_AT,) * len(KINDS)))
        + table("UNKNOWN_WEIGHTS", "kUnknownFeatures", fit_kinds(*every, size, LOST))
    )


def names_in(lines: dict[str, list[str]]) -> list[str]:
    """Words with a capital inside lines in Latin script, of all labels alike."""
    out: list[str] = []
    for label, text in sorted(lines.items()):
        if label.endswith("_Latn"):
            some = random.Random(label).sample(text, min(200, len(text)))
            out += [name for line in some for name in NAME.findall(line)]
    return out


def main() -> None:
    parser = corpora.parser("held_out_labels", __doc__)
    parser.add_argument("--model", default=Path("build/held_out_labels/model.wtm"), type=Path)
    options = parser.parse_args()
    without = held_out_labels.choose(options.data / "train")
    rest, unknown, known = held_out_labels.split(corpora.read_all(options), without)
    alike = relatives.alike(options.data / "train", unknown, {label for _, label in rest.lines})
    far = {label: lines for label, lines in unknown.items() if label not in alike}
    idents = [Identifier(priors=priors, model=str(options.model)) for priors in PRIORS]
    sides = [read(ident, far, []) for ident in idents], [read(ident, known, names_in(known)) for ident in idents]
    OUT.write_text(fit_all(*sides), "ascii")


if __name__ == "__main__":
    main()
