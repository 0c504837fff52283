"""Make the small models of the published methods that ship with the package: `python tools/weights/make_methods.py [--data DIR]`.

The hundred commonest languages of the web that have a declaration of human rights; of each some 12,000 characters of it and of
everyday sentences, from sources whose terms allow any use. `suzuki` has every language with a declaration and learns from nothing
else, as in Chew 2011; `tld` has addresses. The same data give the same bytes.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from webtongue import files, labels, methods
from webtongue.methods.corpus import Corpus, described, read, read_urls
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
OF_PAGES_AND_URLS = ("nfc_tld",)  # needs pages whose addresses are known, which the training text has not
URLS = Path("url", "train.tsv.xz")


def common_labels(folder: Path) -> list[str]:
    """Labels of the web's commonest languages that the first source has, in all their scripts."""
    there: dict[str, list[str]] = {}
    for entry in entries(folder):
        if entry.source == SOURCES[0]:
            there.setdefault(entry.label.partition("_")[0], []).append(entry.label)
    rows = files.rows("priors.tsv")
    known = [labels.fold(label).language for language, _ in rows if (label := labels.parse(language)) is not None]
    return [label for language in known for label in there.get(language, [])][:LABELS]


def corpus_of(name: str, data: Path) -> tuple[Corpus, dict[str, Any]]:
    """What a method learns from, and words on it for the manifest."""
    if name == "tld":
        corpus: Corpus = read_urls(data / URLS)
        count = sum(map(len, corpus.values()))
        return corpus, {"labels": len(corpus), "documents": count, "sources": {"url": ["addresses of crawls"]}}
    folder = data / "train"
    sources = SOURCES[:1] if name == "suzuki" else SOURCES
    corpus = read(folder, sources, None if name == "suzuki" else common_labels(folder), SIZE)
    return corpus, described(folder, corpus, sources) | {"characters_of_a_label": SIZE}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("names", nargs="*", default=sorted(set(methods.NAMES) - set(OF_PAGES_AND_URLS)))
    chosen = parser.parse_args()
    methods.SHIPPED.mkdir(exist_ok=True)
    path = methods.SHIPPED / "manifest.json"
    before = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    manifest = {name: about for name, about in before.items() if (methods.SHIPPED / name).is_file()}
    for name in chosen.names:
        kind = methods.method(name)
        if not kind.learns:
            continue
        corpus, about = corpus_of(name, chosen.data)
        fitted = kind.fit(corpus, SMALLER.get(name))
        if isinstance(fitted, Linear):
            fitted = replace(fitted, weights=fitted.weights.astype(np.float16))
        model = methods.SHIPPED / f"{name}{methods.SUFFIX}"
        fitted.save(model, about)
        manifest[model.name] = about | {"bytes": model.stat().st_size}
        print(f"{name}: {model.stat().st_size:,} bytes, {len(fitted.labels)} labels")
    path.write_text(json.dumps(manifest, ensure_ascii=False, indent=1, sort_keys=True) + "\n", "utf-8")
    print(f"all: {sum(about['bytes'] for about in manifest.values()):,} bytes")


if __name__ == "__main__":
    main()
