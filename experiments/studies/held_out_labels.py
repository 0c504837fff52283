"""How often text in a language that the model does not know is forced into one that it knows.

    python experiments/studies/held_out_labels.py [--data DIR] [--work DIR] [--model FILE]

One model is trained without 100 labels and without all labels of 5 scripts (fixed seed), and without one source of every
label that can spare one. Then it reads the text of those labels, which it must not force into a language, and of those
sources, which is new text of languages it knows and must not be refused. A text is *refused* (und, zxx), answered *with doubt*
(not reliable), or *forced*: reliably in a language that it is not in. Labels whose text is like that of a known one
(relatives.py) are counted apart, by text and by family tree.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import corpora
import left_out_sources
import relatives

from webtongue import Identifier
from webtongue.train.corpus.audit import audit
from webtongue.train.corpus.read import MADE, Corpus
from webtongue.train.text.config import TrainConfig
from webtongue.verdict import Reason

SEED = 7
LABELS = 100
SCRIPTS = ("Cher", "Thaa", "Olck", "Cans", "Tibt")
LINES = 30  # lines of each label
LEAST = 60  # characters of a line that is read
REFUSED = ("und", "zxx")
LONG = 12  # lines that make a long text, sampled as pages are

Items = list[tuple[str, str]]  # text, label


def choose(folder: Path) -> set[str]:
    known = sorted({path.name.split(".")[0] for path in folder.glob("*/*.txt.xz")})
    out = set(random.Random(SEED).sample([label for label in known if not label.endswith(SCRIPTS)], LABELS))
    return out | {label for label in known if label.endswith(SCRIPTS)}


def split(corpus: Corpus, without: set[str]) -> tuple[Corpus, dict[str, list[str]], dict[str, list[str]]]:
    """What is trained on; the lines of the labels left out; and those of the sources left out."""
    unknown = {label: lines for label in without if (lines := joined(corpus, label))}
    rest = Corpus({place: lines for place, lines in corpus.lines.items() if place[1] not in without})
    rest, taken = left_out_sources.leave_out(audit(rest)[0])
    known = {label: lines for label, (_, lines) in taken.items()}
    return rest, unknown, known


def joined(corpus: Corpus, label: str) -> list[str]:
    places = [place for place in sorted(corpus.lines) if place[1] == label and place[0] not in MADE]
    return [line for place in places for line in corpus.lines[place]]


def texts(lines: dict[str, list[str]]) -> tuple[Items, Items]:
    """Lines, and texts of several."""
    short: Items = []
    long: Items = []
    for label, all_lines in sorted(lines.items()):
        rnd = random.Random(f"{SEED}/{label}")
        enough = [line for line in all_lines if len(line) >= LEAST]
        short += [(line, label) for line in rnd.sample(enough, min(LINES, len(enough)))]
        if len(all_lines) >= LONG:
            starts = [rnd.randrange(len(all_lines) - LONG + 1) for _ in range(LINES // 5)]
            long += [("\n".join(all_lines[start : start + LONG]), label) for start in starts]
    return short, long


def share(count: Counter[str], name: str) -> str:
    return f"{name} {count[name] / max(1, count.total()):.1%}"


def report(ident: Identifier, items: Items, groups: dict[str, set[str]]) -> None:
    """Unknown text: what becomes of each."""
    verdicts = [(label, ident.identify_text(text)) for text, label in items]
    for name, labels in groups.items():
        count: Counter[str] = Counter()
        forced: Counter[tuple[str, str]] = Counter()
        for label, verdict in verdicts:
            if label in labels:
                kind = "refused" if verdict.label in REFUSED else "forced" if verdict.reliable else "with doubt"
                count[kind] += 1
                forced[label, verdict.label] += kind == "forced"
        most = ", ".join(f"{label}->{got} {n}" for (label, got), n in forced.most_common(8) if n)
        shares = ", ".join(share(count, kind) for kind in ("refused", "with doubt", "forced"))
        print(f"  {name}: {count.total()} texts of {len(labels)} labels: {shares}  [{most}]", flush=True)
    named = [label.endswith(verdict.script or "?") for label, verdict in verdicts if label.endswith(SCRIPTS)]
    print(f"  scripts without a label: {sum(named)} of {len(named)} texts have their script named", flush=True)


def report_known(ident: Identifier, items: Items) -> None:
    """New text of known languages: what is lost of what would be named rightly."""
    count: Counter[str] = Counter()
    for text, label in items:
        verdict = ident.identify_text(text)
        best = verdict.guesses[0].label if verdict.guesses else ""
        if best == label:
            kind = "unknown" if verdict.reason is Reason.UNKNOWN_LANGUAGE else "refused otherwise"
            count[kind if verdict.label in REFUSED else "reliable" if verdict.reliable else "with doubt"] += 1
    shares = ", ".join(share(count, kind) for kind in ("unknown", "refused otherwise", "with doubt", "reliable"))
    print(f"  new text of known labels, best guess right: {count.total()} texts: {shares}", flush=True)


def main() -> None:
    parser = corpora.parser("held_out_labels", __doc__)
    parser.add_argument("--model", type=Path, help="trained before; default: model.wtm in the work folder")
    options = parser.parse_args()
    model = options.model or options.work / "model.wtm"
    rest, unknown, known = split(corpora.read_all(options), choose(options.data / "train"))
    if not model.exists():
        corpora.train(rest, model, TrainConfig())
    names = {label for _, label in rest.lines}
    alike, kin = relatives.alike(options.data / "train", unknown, names), relatives.kin(unknown, names)
    groups = {
        "all": set(unknown),
        "no label alike": set(unknown) - alike,
        "nor kin": set(unknown) - alike - kin,
        "alike": alike,
        "scripts": {label for label in unknown if label.endswith(SCRIPTS)},
    }
    for priors in ("web", "uniform"):
        ident = Identifier(priors=priors, model=str(model))
        for name, of_unknown, of_known in zip(("lines", "long texts"), texts(unknown), texts(known), strict=True):
            print(f"{priors} priors, {name}")
            report(ident, of_unknown, groups)
            report_known(ident, of_known)


if __name__ == "__main__":
    main()
