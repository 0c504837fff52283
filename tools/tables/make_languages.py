"""Write docs/languages.md: a card for every label of the shipped model.

    python tools/tables/make_languages.py [--data ../shared/data]

From the model's manifest: training text by source, tier. From the dev set sib200_floresdev, where it has the label: F1
(all labels open, equal priors) and what the label is taken for. Without the data folder the cards have no F1.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections import Counter, defaultdict
from pathlib import Path

from webtongue import Identifier, labels

TARGET = Path(__file__).parents[2] / "docs" / "languages.md"
SET = "dev/text/sib200_floresdev.jsonl.xz"
TIERS = {1: "much modern text", 2: "some modern text", 3: "hardly any modern text beside scripture"}


def scores(ident: Identifier, data: Path) -> tuple[dict[str, float], dict[str, Counter[str]]]:
    """F1 by label, and for each label what its texts were taken for."""
    path = data / SET
    if not path.is_file():
        return {}, {}
    with lzma.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    gold = [str(labels.fold(row["label"])) for row in rows]
    known = set(ident.labels)
    kept = [(row["text"], label) for row, label in zip(rows, gold, strict=True) if label in known]
    got, _ = ident.classify_many([text for text, _ in kept])
    right, said, there = Counter[str](), Counter[str](), Counter[str]()
    confused: dict[str, Counter[str]] = defaultdict(Counter)
    for (_, label), answer in zip(kept, got, strict=True):
        there[label] += 1
        said[answer] += 1
        right[label] += label == answer
        if label != answer:
            confused[label][answer] += 1
    return {label: 2 * right[label] / (said[label] + there[label]) for label in there}, confused


def card(label: str, tier: int, sources: dict[str, int], f1: float | None, confused: Counter[str]) -> str:
    text = ", ".join(f"{source} {size / 1000:,.0f}" for source, size in sorted(sources.items(), key=lambda s: -s[1]))
    taken = ", ".join(f"{other} {n}" for other, n in confused.most_common(3))
    return f"| `{label}` | {labels.name(label)} | {tier} | {text} | {'' if f1 is None else f'{f1:.3f}'} | {taken} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default="../shared/data", type=Path)
    ident = Identifier(priors="uniform")
    f1, confused = scores(ident, parser.parse_args().data)
    by_label: dict[str, dict[str, int]] = defaultdict(dict)
    for source, sizes in ident.reader.model.manifest.get("sources", {}).items():
        for label, size in sizes.items():
            by_label[label][source] = size
    tiers = ident.tiers
    counts = Counter(tiers.values())
    lines = [
        "# Languages",
        "",
        f"The {len(tiers)} labels of the shipped model: "
        + "; ".join(f"{counts[t]} {TIERS[t]} (tier {t})" for t in (1, 2, 3))
        + ".",
        "Training text in kB by source; F1 and confusions on the dev set sib200_floresdev, all labels open, equal priors.",
        "Written by `python tools/tables/make_languages.py`.",
        "",
        "| label | language | tier | training text, kB | F1 | taken for |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    lines += [
        card(label, tiers[label], by_label[label], f1.get(label), confused.get(label, Counter()))
        for label in sorted(tiers)
    ]
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if f1:
        print(f"{len(tiers)} cards; macro-F1 over {len(f1)} labels of {SET}: {sum(f1.values()) / len(f1):.4f}")


if __name__ == "__main__":
    main()
