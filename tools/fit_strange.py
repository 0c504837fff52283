"""Fit the weights of native/strange.cpp and write ``native/tables/strange.inc``: unknown languages against new text of known ones.

    python experiments/held_out_labels.py && python experiments/left_out_sources.py   # the two models
    python tools/fit_strange.py [--data ../shared/data] [--held MODEL] [--left MODEL]

Unknown is text of the labels that the first model never saw. Known is text of sources that the second never saw, of labels
it knows and names rightly: new text, as the web has it, and not what was learnt. Logistic regression by Newton's method, then
the bias is moved until the wanted share of known text is above 0.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "experiments"))
import held_out_labels  # noqa: E402
import left_out_sources  # noqa: E402

from webtongue import Identifier, _kernel  # noqa: E402
from webtongue.train.audit import audit  # noqa: E402
from webtongue.train.corpus import read_corpus  # noqa: E402
from webtongue.train.sample import SampleConfig, snippet  # noqa: E402

OUT = ROOT / "native" / "tables" / "strange.inc"
SEED = 5
SHAPE = SampleConfig(shortest=40, longest=300)
SNIPPETS = 12  # a label
LOST = 0.005  # of known new text above 0
RIDGE = 1e-3
SCALE = 1024


def rows(ident: Identifier, items: list[tuple[str, str]]) -> tuple[NDArray[np.float64], list[tuple[str, str]]]:
    """The features of each text that has them, and (its label, the answer)."""
    out, said = [], []
    names = ident.reader.model.labels
    for text, label in items:
        found = ident.reader.read_text(text)
        values = _kernel.strange_features(ident.reader.model.kernel, found)
        if values:
            out.append(values)
            said.append((label, names[found.guesses(1)[0][0]]))
    return np.array(out, float) / 1024, said


def fit(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights, the bias first."""
    x = np.c_[np.ones(len(x)), x]
    w = np.zeros(x.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-x @ w))
        w += np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + RIDGE * np.eye(len(w)), x.T @ (y - p) - RIDGE * w)
    return w


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=Path("../shared/data"), type=Path)
    parser.add_argument("--held", default=Path("build/held_out_labels/model.wtm"), type=Path)
    parser.add_argument("--left", default=Path("build/left_out_sources/model.wtm"), type=Path)
    options = parser.parse_args()
    corpus = options.data / "train"
    rnd = random.Random(SEED)
    without = sorted(held_out_labels.choose(corpus))
    lines = {label: held_out_labels.lines_of(corpus, label) for label in without}
    unknown = [(snippet(lines[label], rnd, SHAPE), label) for label in without if lines[label] for _ in range(SNIPPETS)]
    _, taken = left_out_sources.leave_out(audit(read_corpus(corpus))[0])
    known = [(snippet(text, rnd, SHAPE), label) for label, (_, text) in sorted(taken.items()) for _ in range(SNIPPETS)]
    sets = []
    for priors in ("web", "uniform"):
        x0, said0 = rows(Identifier(priors=priors, model=str(options.held)), unknown)
        x1, said1 = rows(Identifier(priors=priors, model=str(options.left)), known)
        far = np.array([not held_out_labels.related(*pair) for pair in said0])
        right = np.array([label == answer for label, answer in said1])
        print(f"{priors}: {far.sum()} unknown texts, {right.sum()} known ones ({right.mean():.1%} named rightly)")
        sets.append((x0[far], x1[right]))
    x0, x1 = (np.concatenate(parts) for parts in zip(*sets, strict=True))
    w = fit(np.concatenate([x0, x1]), np.concatenate([np.ones(len(x0)), np.zeros(len(x1))]))
    w[0] -= np.quantile(np.c_[np.ones(len(x1)), x1] @ w, 1 - LOST)
    for (a, b), priors in zip(sets, ("web", "uniform"), strict=True):
        above = [float((np.c_[np.ones(len(part)), part] @ w > 0).mean()) for part in (a, b)]
        print(f"{priors}: rejected {above[0]:.1%} of unknown, {above[1]:.2%} of known text")
    units = [round(float(value) * 100 * SCALE) for value in w]
    OUT.write_text(
        "// Written by tools/fit_strange.py: weights in the order of strange_features.\n"
        f"constexpr int64_t STRANGE_BIAS = {units[0]};\n"
        f"constexpr int64_t STRANGE_WEIGHTS[kStrangeFeatures] = {{{', '.join(map(str, units[1:]))}}};\n",
        "ascii",
    )


if __name__ == "__main__":
    main()
