"""How often text in a language that the model does not know is reliably answered as another one.

    python experiments/studies/held_out_labels.py [--data DIR] [--work DIR] [--model FILE]

One model is trained without 100 labels and without all labels of 5 scripts (fixed seed), and without one source of every label
that has enough others. Then it classifies the text of those labels, which should not get a language, and of those sources, which
is new text of known languages and should not be refused. A text is *refused* (und, zxx), answered *with doubt* (not reliable), or
*forced*: reliably answered in a wrong language. Labels whose text is similar to that of a known one (relatives.py) are counted
apart, by text and by family tree."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import corpora
import left_out_sources
import relatives

from webtongue import Identifier
from webtongue.lab.train.corpus.audit import audit
from webtongue.lab.train.corpus.read import GENERATED, Corpus
from webtongue.lab.train.text.config import TrainConfig
from webtongue.verdict import Reason

SEED = 7
HELD_OUT_LABELS = 100
SCRIPTS = ("Cher", "Thaa", "Olck", "Cans", "Tibt")
LINES_PER_LABEL = 30
MIN_LINE_CHARS = 60  # shorter lines are not used
REFUSED_LABELS = ("und", "zxx")
LONG_TEXT_LINES = 12  # sampled like pages

Items = list[tuple[str, str]]  # text, label


def choose_labels(folder: Path) -> set[str]:
    known = sorted({path.name.split(".")[0] for path in folder.glob("*/*.txt.xz")})
    out = set(random.Random(SEED).sample([label for label in known if not label.endswith(SCRIPTS)], HELD_OUT_LABELS))
    return out | {label for label in known if label.endswith(SCRIPTS)}


def split(corpus: Corpus, without: set[str]) -> tuple[Corpus, dict[str, list[str]], dict[str, list[str]]]:
    """Return the training text, the lines of the held-out labels, and those of the held-out sources."""
    unknown = {label: lines for label in without if (lines := lines_of_label(corpus, label))}
    training = Corpus({place: lines for place, lines in corpus.lines.items() if place[1] not in without})
    training, held_out = left_out_sources.hold_out_sources(audit(training)[0])
    known = {label: lines for label, (_, lines) in held_out.items()}
    return training, unknown, known


def lines_of_label(corpus: Corpus, label: str) -> list[str]:
    places = [place for place in sorted(corpus.lines) if place[1] == label and place[0] not in GENERATED]
    return [line for place in places for line in corpus.lines[place]]


def sample_texts(lines: dict[str, list[str]]) -> tuple[Items, Items]:
    """Return lines, and texts of several lines."""
    short: Items = []
    long: Items = []
    for label, all_lines in sorted(lines.items()):
        rng = random.Random(f"{SEED}/{label}")
        usable = [line for line in all_lines if len(line) >= MIN_LINE_CHARS]
        short += [(line, label) for line in rng.sample(usable, min(LINES_PER_LABEL, len(usable)))]
        if len(all_lines) >= LONG_TEXT_LINES:
            starts = [rng.randrange(len(all_lines) - LONG_TEXT_LINES + 1) for _ in range(LINES_PER_LABEL // 5)]
            long += [("\n".join(all_lines[start : start + LONG_TEXT_LINES]), label) for start in starts]
    return short, long


def format_share(count: Counter[str], name: str) -> str:
    return f"{name} {count[name] / max(1, count.total()):.1%}"


def report_unknown(ident: Identifier, items: Items, groups: dict[str, set[str]]) -> None:
    """Print the shares of answers for text in unknown languages."""
    verdicts = [(label, ident.identify_text(text)) for text, label in items]
    for name, labels in groups.items():
        count: Counter[str] = Counter()
        forced: Counter[tuple[str, str]] = Counter()
        for label, verdict in verdicts:
            if label in labels:
                kind = "refused" if verdict.label in REFUSED_LABELS else "forced" if verdict.reliable else "with doubt"
                count[kind] += 1
                forced[label, verdict.label] += kind == "forced"
        frequent = ", ".join(f"{label}->{answer} {n}" for (label, answer), n in forced.most_common(8) if n)
        shares = ", ".join(format_share(count, kind) for kind in ("refused", "with doubt", "forced"))
        print(f"  {name}: {count.total()} texts of {len(labels)} labels: {shares}  [{frequent}]", flush=True)
    named = [label.endswith(verdict.script or "?") for label, verdict in verdicts if label.endswith(SCRIPTS)]
    print(f"  scripts without a label: {sum(named)} of {len(named)} texts have their script named", flush=True)


def report_known(ident: Identifier, items: Items) -> None:
    """Print what is refused of new text in known languages whose best guess is right."""
    count: Counter[str] = Counter()
    for text, label in items:
        verdict = ident.identify_text(text)
        best = verdict.guesses[0].label if verdict.guesses else ""
        if best == label:
            kind = "unknown" if verdict.reason is Reason.UNKNOWN_LANGUAGE else "refused otherwise"
            count[kind if verdict.label in REFUSED_LABELS else "reliable" if verdict.reliable else "with doubt"] += 1
    shares = ", ".join(format_share(count, kind) for kind in ("unknown", "refused otherwise", "with doubt", "reliable"))
    print(f"  new text of known labels, best guess right: {count.total()} texts: {shares}", flush=True)


def main() -> None:
    parser = corpora.options_parser("held_out_labels", __doc__)
    parser.add_argument("--model", type=Path, help="a trained model (default model.wtm in the work folder)")
    options = parser.parse_args()
    model = options.model or options.work / "model.wtm"
    training, unknown, known = split(corpora.read_all(options), choose_labels(options.data / "train"))
    if not model.exists():
        corpora.train(training, model, TrainConfig())
    names = {label for _, label in training.lines}
    look_alikes, related = (
        relatives.find_similar(options.data / "train", unknown, names),
        relatives.find_related(unknown, names),
    )
    groups = {
        "all": set(unknown),
        "no label alike": set(unknown) - look_alikes,
        "nor kin": set(unknown) - look_alikes - related,
        "alike": look_alikes,
        "scripts": {label for label in unknown if label.endswith(SCRIPTS)},
    }
    for priors in ("web", "uniform"):
        ident = Identifier(priors=priors, model=str(model))
        for name, unknown_items, known_items in zip(
            ("lines", "long texts"), sample_texts(unknown), sample_texts(known), strict=True
        ):
            print(f"{priors} priors, {name}")
            report_unknown(ident, unknown_items, groups)
            report_known(ident, known_items)


if __name__ == "__main__":
    main()
