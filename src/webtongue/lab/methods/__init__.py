"""Published methods of language identification, each as its paper describes it, behind one interface.

>>> from webtongue.lab import methods
>>> methods.method("rank_order").name
'rank_order'

    model = methods.method("nfc").fit({"eng_Latn": [...], "deu_Latn": [...]})
    model.score("Wie spät ist es?")      # {'deu_Latn': 0.31, 'eng_Latn': 0.12}
    model.save(Path("my.wtp")); methods.load(Path("my.wtp"))
    methods.ready("nfc")                 # the small model that ships with the package

docs/methods.md says how each paper was interpreted, and how accurate each method is.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from webtongue.errors import ModelError, UsageError
from webtongue.files import MODELS
from webtongue.lab.methods.base import Answer, Method, read_file
from webtongue.lab.methods.document import Document

__all__ = ["NAMES", "Answer", "Document", "Method", "load", "method", "ready"]

SHIPPED = MODELS / "methods"
SUFFIX = ".wtp"

# Name -> the class in the module of the same name, or module and class; imported on demand.
NAMES: dict[str, str] = {
    "cctld": "domains.Cctld",
    "cctld_plus": "domains.CctldPlus",
    "common_words": "CommonWords",
    "composite": "Composite",
    "decision_tree": "DecisionTree",
    "inlinks": "Inlinks",
    "ip": "domains.Ip",
    "kikui": "Kikui",
    "markov": "Markov",
    "martins_silva": "MartinsSilva",
    "max_entropy": "linear.MaxEntropy",
    "naive_bayes": "NaiveBayes",
    "nfc": "Nfc",
    "nfc_tld": "NfcTld",
    "rank_order": "RankOrder",
    "relative_entropy": "RelativeEntropy",
    "suzuki": "Suzuki",
    "svm": "linear.Svm",
    "tld": "domains.Tld",
    "url": "Url",
}


def method(name: str) -> type[Method]:
    """Return the class of a method."""
    if name not in NAMES:
        raise UsageError(f"no method {name!r}; known methods are {', '.join(sorted(NAMES))}")
    module, _, class_name = NAMES[name].rpartition(".")
    method_class: type[Method] = getattr(import_module(f"webtongue.lab.methods.{module or name}"), class_name)
    return method_class


def load(path: Path) -> Method:
    """Return the model in a file of any method."""
    name = read_file(path)[0]["method"]
    if name not in NAMES:
        raise ModelError(f"{path}: a model of the method {name!r}, which this release does not have")
    return method(name).load(path)


def ready(name: str, model: Path | None = None, settings: Mapping[str, Any] | None = None) -> Method:
    """Return a fitted method: from a file, from the small model that ships with the package, or without a model if it needs none.

    ``settings`` override settings of answering, such as a border. Raise UsageError for a setting of fitting, which would have no
    effect.
    """
    method_class = method(name)
    shipped = SHIPPED / f"{method_class.model_of or name}{SUFFIX}"
    if model is not None:
        fitted = method_class.load(model)
    elif not method_class.learns:
        fitted = method_class.fit({})
    elif shipped.is_file():
        fitted = method_class.load(shipped)
    else:
        raise ModelError(
            f"no model of {name!r} ships with the package: train one with `webtongue train --method {name} "
            f"{method_class.corpus_name} -o {name}{SUFFIX}` and pass it with --model {name}{SUFFIX}, or to evaluate with --method "
            f"{name}{SUFFIX}"
        )
    return fitted.with_settings(settings) if settings else fitted
