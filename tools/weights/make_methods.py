"""Write the small models of the published methods that ship with the package: `python tools/weights/make_methods.py [--data DIR]`.

They know the hundred most common languages of the web that have a translation of the Universal Declaration of Human Rights, with
about 12,000 characters of it and of everyday sentences. The manifest has the terms of each source: the compilation of Tatoeba is under
a non-commercial licence. `suzuki` knows every language with a translation of 2,000 bytes or more and learns from nothing else, as in
Chew 2011, with one Chinese as there; `tld` learns from URLs. The same data give the same bytes."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from webtongue import files, labels
from webtongue.lab import methods
from webtongue.lab.methods.base import override_settings
from webtongue.lab.methods.corpus import Corpus, describe_corpus, read_documents, read_labelled_documents
from webtongue.lab.methods.grams import Grams
from webtongue.lab.methods.kikui import KikuiSettings
from webtongue.lab.methods.linear import Linear, MaxEntropySettings, SvmSettings
from webtongue.lab.methods.markov import MarkovSettings
from webtongue.lab.methods.naive_bayes import NaiveBayesSettings
from webtongue.lab.methods.nfc import NfcSettings
from webtongue.lab.methods.relative_entropy import RelativeEntropySettings
from webtongue.lab.papers.chew_languages import fold_language
from webtongue.lab.train.corpus.read import iter_files

SOURCES = ("udhr", "tatoeba", "commonvoice")
MAX_LABELS = 100
CHARS_PER_LABEL = 12_000
CHINESE = "zho"

# Smaller settings for methods whose defaults give files of more than a few hundred KB. NFC has ninety trigrams for each language, as
# many as the 1,000 for the paper's eleven languages: Fisher's criterion prefers those of scripts with one language, so that of 3,000
# only 693 are in Latin letters, for 54 of 99 labels.
SETTINGS = {
    "kikui": KikuiSettings(classes=600),
    "nfc": NfcSettings(features=9000),
    "markov": MarkovSettings(order=2, least=4),
    "naive_bayes": NaiveBayesSettings(features=9000),
    "relative_entropy": RelativeEntropySettings(features=9000),
    "max_entropy": MaxEntropySettings(Grams(sizes=(1, 2)), features=700),
    "svm": SvmSettings(Grams(sizes=(1, 2)), features=700),
}
NOT_SHIPPED = ("nfc_tld", "inlinks")  # needs pages with URLs, which the training text lacks; has the model of nfc
URLS = Path("url", "train.tsv.xz")


def common_labels(folder: Path) -> list[str]:
    """Return the labels of the most common languages of the web that the first source has, in all their scripts."""
    labels_by_language: dict[str, list[str]] = {}
    for file in iter_files(folder):
        if file.source == SOURCES[0]:
            labels_by_language.setdefault(file.label.partition("_")[0], []).append(file.label)
    rows = files.read_rows("priors.tsv")
    languages = [labels.fold(label).language for language, _ in rows if (label := labels.parse(language)) is not None]
    return [label for language in languages for label in labels_by_language.get(language, [])][:MAX_LABELS]


def read_corpus(name: str, data: Path) -> tuple[Corpus, dict[str, Any]]:
    """Return the corpus of a method, and its description for the manifest."""
    if name == "tld":
        corpus: Corpus = read_labelled_documents(data / URLS, of_urls=True)[0]
        count = sum(map(len, corpus.values()))
        return corpus, {"labels": len(corpus), "documents": count, "sources": {"url": ["addresses of crawls"]}}
    folder = data / "train"
    if name == "suzuki":
        return read_declarations(folder)
    corpus = read_documents(folder, SOURCES, common_labels(folder), CHARS_PER_LABEL)
    return corpus, describe_corpus(folder, corpus, SOURCES) | {"characters_of_a_label": CHARS_PER_LABEL}


def read_declarations(folder: Path) -> tuple[Corpus, dict[str, Any]]:
    """Return the Declaration in all languages, with one Chinese: models of varieties in Chinese characters, which chew2011 counts as
    Chinese, would take sentences of it from each other."""
    corpus = read_documents(folder, SOURCES[:1], None, CHARS_PER_LABEL)
    varieties = [label for label in corpus if fold_language(label) == CHINESE and not label.startswith(f"{CHINESE}_")]
    corpus = {label: documents for label, documents in corpus.items() if label not in varieties}
    description = describe_corpus(folder, corpus, SOURCES[:1])
    return corpus, description | {"characters_of_a_label": CHARS_PER_LABEL, "varieties_left_out": sorted(varieties)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("names", nargs="*", default=sorted(set(methods.NAMES) - set(NOT_SHIPPED)))
    options = parser.parse_args()
    methods.SHIPPED.mkdir(exist_ok=True)
    path = methods.SHIPPED / "manifest.json"
    previous = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    manifest = {name: description for name, description in previous.items() if (methods.SHIPPED / name).is_file()}
    for name in options.names:
        kind = methods.method(name)
        if not kind.learns:
            continue
        corpus, description = read_corpus(name, options.data)
        settings = SETTINGS.get(name) or override_settings(kind.default_settings(), kind.training_settings)
        left_out = kind.find_left_out(corpus, settings)
        if left_out:
            description["left_out"] = left_out
            print(
                f"{name}: left out, too short: {', '.join(f'{label} ({size:,} bytes)' for label, size in left_out.items())}"
            )
        fitted = kind.fit(corpus, settings)
        if isinstance(fitted, Linear):
            fitted = replace(fitted, weights=fitted.weights.astype(np.float16))
        model = methods.SHIPPED / f"{name}{methods.SUFFIX}"
        fitted.save(model, description)
        manifest[model.name] = description | {"bytes": model.stat().st_size}
        print(f"{name}: {model.stat().st_size:,} bytes, {len(fitted.labels)} labels")
    path.write_text(json.dumps(manifest, ensure_ascii=False, indent=1, sort_keys=True) + "\n", "utf-8")
    print(f"all: {sum(description['bytes'] for description in manifest.values()):,} bytes")


if __name__ == "__main__":
    main()
