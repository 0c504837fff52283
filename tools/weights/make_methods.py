"""Make the small models of the published methods that ship with the package: `python tools/weights/make_methods.py [--data DIR]`.

The hundred commonest languages of the web that have a declaration of human rights; of each some 12,000 characters of it and of
everyday sentences, from sources whose terms allow any use. The same data give the same bytes.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from webtongue import files, labels, methods
from webtongue.methods.corpus import described, read
from webtongue.methods.grams import Grams
from webtongue.methods.kikui import KikuiSettings
from webtongue.methods.linear import Linear, MaxEntropySettings, SvmSettings
from webtongue.methods.markov import MarkovSettings
from webtongue.methods.naive_bayes import NaiveBayesSettings
from webtongue.methods.nfc import NfcSettings
from webtongue.methods.relative_entropy import RelativeEntropySettings
from webtongue.train.corpus.read import entries

SOURCES = ("udhr", "tatoeba", "commonvoice")
LABELS = 100
SIZE = 12_000  # characters of a label

# Smaller than a method's own settings, where those would make a file of more than a few hundred KB; NFC has thirty n-grams a
# language, a third of what it had for eleven.
SMALLER = {
    "kikui": KikuiSettings(classes=600),
    "nfc": NfcSettings(features=3000),
    "markov": MarkovSettings(order=2, least=4),
    "naive_bayes": NaiveBayesSettings(features=9000),
    "relative_entropy": RelativeEntropySettings(features=9000),
    "max_entropy": MaxEntropySettings(Grams(sizes=(1, 2)), features=700),
    "svm": SvmSettings(Grams(sizes=(1, 2)), features=700),
}
TOO_LARGE = ("suzuki",)  # methods whose model would take a megabyte: byte trigrams in every encoding


def common_labels(folder: Path) -> list[str]:
    """Labels of the web's commonest languages that the first source has, in all their scripts."""
    there: dict[str, list[str]] = {}
    for entry in entries(folder):
        if entry.source == SOURCES[0]:
            there.setdefault(entry.label.partition("_")[0], []).append(entry.label)
    rows = files.rows("priors.tsv")
    known = [labels.fold(label).language for language, _ in rows if (label := labels.parse(language)) is not None]
    return [label for language in known for label in there.get(language, [])][:LABELS]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("names", nargs="*", default=sorted(set(methods.NAMES) - set(TOO_LARGE)))
    chosen = parser.parse_args()
    folder = chosen.data / "train"
    corpus = read(folder, SOURCES, common_labels(folder), SIZE)
    about = described(folder, corpus, SOURCES) | {"characters_of_a_label": SIZE}
    methods.SHIPPED.mkdir(exist_ok=True)
    for name in chosen.names:
        kind = methods.method(name)
        if kind.of_urls or not kind.learns:
            continue
        path = methods.SHIPPED / f"{name}{methods.SUFFIX}"
        fitted = kind.fit(corpus, SMALLER.get(name))
        if isinstance(fitted, Linear):
            fitted = replace(fitted, weights=fitted.weights.astype(np.float16))
        fitted.save(path, about)
        print(f"{name}: {path.stat().st_size:,} bytes, {len(fitted.labels)} labels")
    files = {path.name: path.stat().st_size for path in sorted(methods.SHIPPED.glob(f"*{methods.SUFFIX}"))}
    manifest = json.dumps(about | {"files": files}, ensure_ascii=False, indent=1, sort_keys=True)
    (methods.SHIPPED / "manifest.json").write_text(manifest + "\n", "utf-8")
    print(f"all: {sum(files.values()):,} bytes")


if __name__ == "__main__":
    main()
