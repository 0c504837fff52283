"""The published methods, each as its paper says, behind one interface.

>>> from webtongue import methods
>>> methods.method("rank_order").name
'rank_order'

    model = methods.method("nfc").fit({"eng_Latn": [...], "deu_Latn": [...]})
    model.score("Wie spät ist es?")      # {'deu_Latn': 0.31, 'eng_Latn': 0.12}
    model.save(Path("my.wtp")); methods.load(Path("my.wtp"))
    methods.ready("nfc")                 # the small model that ships with the package

docs/methods.md says how each was read, and how well it does.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from webtongue.errors import ModelError, UsageError
from webtongue.files import MODELS
from webtongue.methods.base import Answer, Method, read_file
from webtongue.methods.document import Document

__all__ = ["NAMES", "Answer", "Document", "Method", "load", "method", "ready"]

SHIPPED = MODELS / "methods"
SUFFIX = ".wtp"

# Name -> the class in the module of the same name, or module and class; imported when asked for.
NAMES: dict[str, str] = {
    "cctld": "domains.Cctld",
    "cctld_plus": "domains.CctldPlus",
    "common_words": "CommonWords",
    "composite": "Composite",
    "decision_tree": "DecisionTree",
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
}


def method(name: str) -> type[Method]:
    """The class of a method."""
    if name not in NAMES:
        raise UsageError(f"no method {name!r}; there are {', '.join(sorted(NAMES))}")
    module, _, kind = NAMES[name].rpartition(".")
    found: type[Method] = getattr(import_module(f"webtongue.methods.{module or name}"), kind)
    return found


def load(path: Path) -> Method:
    """A model file of any method."""
    name = read_file(path)[0]["method"]
    if name not in NAMES:
        raise ModelError(f"{path}: a model of {name!r}, which this release does not know")
    return method(name).load(path)


def ready(name: str, model: Path | None = None, settings: Mapping[str, Any] | None = None) -> Method:
    """A method to be used at once: from a file, with the small model that ships with the package, or as it is.

    ``settings`` change those that answering goes by, such as a border; UsageError for one of fitting, which would do nothing.
    """
    kind = method(name)
    shipped = SHIPPED / f"{name}{SUFFIX}"
    if model is not None:
        found = kind.load(model)
    elif not kind.learns:
        found = kind.fit({})
    elif shipped.is_file():
        found = kind.load(shipped)
    else:
        raise ModelError(
            f"no model of {name!r} ships with the package: make one with "
            f"`webtongue train --method {name} CORPUS -o {name}{SUFFIX}` and give it with --model {name}{SUFFIX}"
        )
    return found.with_settings(settings) if settings else found
