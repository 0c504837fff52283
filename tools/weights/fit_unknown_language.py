"""Fit the weights of native/text/unknown_language.cpp and write ``native/tables/unknown_language.inc``.

    python experiments/studies/held_out_labels.py   # the model
    python tools/weights/fit_unknown_language.py [--data ../shared/data] [--model MODEL]

Unknown text is in labels that the model never saw and that resemble no other label (experiments/studies/relatives.py). Known text
is from sources that the model never saw, in labels that it knows and answers correctly: new text, not training text. The fit is a
logistic regression by Newton's method; then the bias is moved until the intended share of known text is above 0. The printed
shares are those of weights fitted without the text's label."""

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
from webtongue.lab.train.corpus.sample import SampleConfig, draw_snippet, strip_diacritics  # noqa: E402
from webtongue.text.reasons import REASONS  # noqa: E402
from webtongue.verdict import Reason  # noqa: E402

TARGET = ROOT / "native" / "tables" / "unknown_language.inc"
SEED = 5
SNIPPET_CONFIG = SampleConfig(shortest=40, longest=600)
SNIPPETS_PER_LABEL = 48
PRIORS = ("web", "uniform")
KINDS = ("short, tier 1", "short, others", "medium, tier 1", "medium, others", "long, tier 1", "long, others")
MAX_REFUSED = (0.002, 0.006) * 3  # share of known text with a score above 0 under uniform priors, by kind
MEDIUM_FEATURES, LONG_FEATURES = 192, 576  # limits of medium and long texts, in features
SECOND_LOOK_SHARE = 0.2  # share of known text that gets a second look
FIRST_LOOK_FEATURES = 7
# Allowed signs of the weights in the order of UnknownFeature: a better known text is never evidence for an unknown language.
SIGNS = np.array([-1, 1, -1, 1, 0, -1, 1, -1, -1, -1, 1])
FOLDS = 5
RIDGE = 1e-2
SCALE = 1024
NAME_PATTERN = re.compile(r"(?<=[^\W\d_] )[A-ZÀ-Ž][^\W\d_]{2,}")

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rows:
    """Features of texts, the fold of their labels, and the kind of their weights as in unknown_score()."""

    x: Floats
    fold: NDArray[np.int64]
    kind: NDArray[np.int64]

    def take(self, mask: NDArray[np.bool_]) -> Rows:
        return Rows(self.x[mask], self.fold[mask], self.kind[mask])


def type_carelessly(text: str, names: list[str], rng: random.Random) -> str:
    """Return text with typing errors, names, hashtags, users and links, and sometimes without diacritics."""
    words = text.split(" ")
    for i, word in enumerate(words):
        if len(word) > 3 and rng.random() < 0.08:
            position = rng.randrange(1, len(word) - 1)
            words[i] = (
                word[:position]
                + rng.choice(("", word[position] * 2, word[position + 1] + word[position]))
                + word[position + 1 :]
            )
    for _ in range(int(len(words) * rng.uniform(0.0, 0.5))):
        name = rng.choice(names)
        forms = (
            name,
            name,
            name,
            f"#{name.lower()}",
            f"@{name.lower()}_{rng.randrange(99)}",
            f"http://t.co/{name[:6]}",
        )
        words.insert(rng.randrange(len(words) + 1), rng.choice(forms))
    typed = " ".join(words)
    return strip_diacritics(typed, spelt_out=False) if rng.random() < 0.2 else typed


def encipher(text: str, rng: random.Random) -> str:
    """Return text with letters substituted for each other, as unlike any language as text for a legacy font."""
    letters = sorted({char for char in text.lower() if char.isalpha()})
    return text.lower().translate(str.maketrans("".join(letters), "".join(rng.sample(letters, len(letters)))))


def iter_snippets(lines: dict[str, list[str]], names: list[str]) -> Iterator[tuple[str, str]]:
    """Yield (text, label); with names, every second text is typed carelessly, without, every sixth is enciphered."""
    for label, text in sorted(lines.items()):
        rng = random.Random(f"{SEED}/{label}")
        for i in range(SNIPPETS_PER_LABEL):
            snippet = draw_snippet(text, rng, SNIPPET_CONFIG)
            if names and i % 2 == 0:
                snippet = type_carelessly(snippet, names, rng)
            if not names and i % 6 == 0:
                snippet = encipher(snippet, rng)
            yield snippet, label


def read_rows(ident: Identifier, lines: dict[str, list[str]], names: list[str]) -> Rows:
    """Return the rows of snippets; with names they are known text, and those with a wrong answer are excluded."""
    reader = ident.reader
    values, folds, kinds = [], [], []
    for text, label in iter_snippets(lines, names):
        reading = reader.read_text(text)
        if REASONS[reading.reason] in (Reason.NOT_LANGUAGE, Reason.TOO_RARE, Reason.MISREAD):  # decided earlier
            continue
        row = _kernel.unknown_features(reader.kernel, text)
        if not row or (names and not is_same_or_look_alike(reader.model.labels[reading.guesses(1)[0][0]], label)):
            continue
        values.append(row)
        folds.append(zlib.crc32(label.encode()) % FOLDS)
        kinds.append(
            (reader.model.tiers[reading.guesses(1)[0][0]] > 1)
            + 2 * (reading.features >= MEDIUM_FEATURES)
            + 2 * (reading.features >= LONG_FEATURES)
        )
    return Rows(np.array(values, float) / 1024, np.array(folds), np.array(kinds))


def is_same_or_look_alike(first: str, second: str) -> bool:
    """Return True for equal labels and for look-alikes."""
    return first == second or (labels.group(first) is not None and labels.group(first) == labels.group(second))


def join_rows(parts: list[Rows]) -> Rows:
    return Rows(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("x", "fold", "kind")))


def fit(unknown: Floats, known: Floats, bounds: Floats, refused_share: float) -> Floats:
    """Return weights with the bias first; those of a wrong sign are 0, and the bias refuses ``refused_share`` of ``bounds``."""
    use = np.ones(unknown.shape[1], bool)
    while True:
        weights = np.zeros(len(use) + 1)
        weights[np.r_[True, use]] = regress(unknown[:, use], known[:, use])
        wrong = weights[1:] * SIGNS[: len(use)] < 0
        if not wrong.any():
            break
        use[np.argmin(weights[1:] * SIGNS[: len(use)] * known.std(axis=0))] = False
    weights[0] -= np.quantile(score(weights, bounds), 1 - refused_share)
    return weights


def regress(unknown: Floats, known: Floats) -> Floats:
    """Return the weights of a logistic regression with both classes weighing the same."""
    x = np.c_[np.ones(len(unknown) + len(known)), np.concatenate([unknown, known])]
    y = np.repeat([1.0, 0.0], [len(unknown), len(known)])
    sample_weights = np.repeat([1 / len(unknown), 1 / len(known)], [len(unknown), len(known)]) * len(x) / 2
    spread = np.r_[1.0, x[:, 1:].std(axis=0) + 1e-9]
    x /= spread
    weights = np.zeros(x.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        hessian = (x * (sample_weights * p * (1 - p))[:, None]).T @ x + RIDGE * np.eye(len(weights))
        weights += np.linalg.solve(hessian, x.T @ (sample_weights * (y - p)) - RIDGE * weights)
    return np.asarray(weights / spread)


def fit_kinds(
    unknown: Rows, known: Rows, bounds: Rows, features: int, refused_share: tuple[float, ...]
) -> list[Floats]:
    weights_by_kind = []
    for kind in range(len(KINDS)):
        first, second, third = (rows.x[rows.kind == kind, :features] for rows in (unknown, known, bounds))
        weights_by_kind.append(fit(first, second, third, refused_share[kind]))
    return weights_by_kind


def score(weights: Floats, x: Floats) -> Floats:
    return np.asarray(np.c_[np.ones(len(x)), x] @ weights)


def is_refused(weights_by_kind: list[Floats], rows: Rows) -> NDArray[np.bool_]:
    scores = np.stack([score(weights, rows.x) for weights in weights_by_kind])
    return np.asarray(scores[rows.kind, np.arange(len(rows.kind))] > 0)


def format_table(name: str, size: str, weights_by_kind: list[Floats]) -> str:
    lists = (
        "{" + ", ".join(str(round(float(value) * 100 * SCALE)) for value in weights) + "}"
        for weights in weights_by_kind
    )
    return f"constexpr int64_t {name}[{len(KINDS)}][{size} + 1] = {{\n    " + ",\n    ".join(lists) + "};\n"


def fit_all(unknown: list[Rows], known: list[Rows]) -> str:
    """Return the table, and print what weights fitted on other labels refuse."""
    all_rows = join_rows(unknown), join_rows(known), known[PRIORS.index("uniform")]
    size = len(all_rows[0].x[0])
    weights_by_fold = []
    for fold in range(FOLDS):
        first, second, third = (rows.take(rows.fold != fold) for rows in all_rows)
        weights_by_fold.append(fit_kinds(first, second, third, size, MAX_REFUSED))
    for priors, *sides in zip(PRIORS, unknown, known, strict=True):
        for name, rows in zip(("unknown", "known"), sides, strict=True):
            refused = np.zeros(len(rows.x), bool)
            for fold, weights in enumerate(weights_by_fold):
                refused[rows.fold == fold] = is_refused(weights, rows.take(rows.fold == fold))
            by_kind = ", ".join(f"{kind} {refused[rows.kind == i].mean():.2%}" for i, kind in enumerate(KINDS))
            print(f"{priors}: refused {refused.mean():.2%} of {len(refused)} {name} texts: {by_kind}")
    return (
        "// Written by tools/weights/fit_unknown_language.py: the bias, then weights in the order of UnknownFeature, for\n"
        f"// {'; '.join(KINDS)}.\n"
        + format_table(
            "FIRST_WEIGHTS",
            "kScoreFeatureCount",
            fit_kinds(*all_rows, FIRST_LOOK_FEATURES, (SECOND_LOOK_SHARE,) * len(KINDS)),
        )
        + format_table("UNKNOWN_WEIGHTS", "kUnknownFeatureCount", fit_kinds(*all_rows, size, MAX_REFUSED))
    )


def find_names(lines: dict[str, list[str]]) -> list[str]:
    """Return capitalised words inside lines in Latin script, as many of each label."""
    names: list[str] = []
    for label, text in sorted(lines.items()):
        if label.endswith("_Latn"):
            sample = random.Random(label).sample(text, min(200, len(text)))
            names += [name for line in sample for name in NAME_PATTERN.findall(line)]
    return names


def main() -> None:
    parser = corpora.options_parser("held_out_labels", __doc__)
    parser.add_argument("--model", default=Path("build/held_out_labels/model.wtm"), type=Path)
    options = parser.parse_args()
    without = held_out_labels.choose_labels(options.data / "train")
    rest, unknown, known = held_out_labels.split(corpora.read_all(options), without)
    similar = relatives.find_similar(options.data / "train", unknown, {label for _, label in rest.lines})
    dissimilar = {label: lines for label, lines in unknown.items() if label not in similar}
    idents = [Identifier(priors=priors, model=str(options.model)) for priors in PRIORS]
    sides = (
        [read_rows(ident, dissimilar, []) for ident in idents],
        [read_rows(ident, known, find_names(known)) for ident in idents],
    )
    TARGET.write_text(fit_all(*sides), "ascii")


if __name__ == "__main__":
    main()
