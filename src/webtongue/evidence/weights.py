"""The weights of the evidence combiner, as ``data/evidence_weights.json`` holds them.

``tools/weights/fit_evidence.py`` writes the file. docs/evidence.md lists which of its numbers are fitted and which are judgements.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from webtongue import files
from webtongue.evidence.declared import DeclaredRates
from webtongue.evidence.host import HostTrust
from webtongue.records import dataclass

__all__ = ["HintScaling", "Weights", "load", "parse"]


@dataclass(frozen=True, slots=True)
class HintScaling:
    """How much hints count beside a text; the same struct is in native/evidence/combine.hpp."""

    list_share: float  # factor of the letters of text without running words
    letters: float  # number of letters at which hints count half, for a text that is not clear
    clear_letters: float  # the same for a text whose best label has log-odds of one nat; a quarter of it at two nats
    group_letters: float  # the same between look-alikes


@dataclass(frozen=True, slots=True)
class Weights:
    """The numbers that combine hints with the text."""

    weights: Mapping[str, float]  # factor of each source's nats
    max_nats: Mapping[str, float]  # limit of a source about the page itself, after its weight
    max_site_nats: float  # limit of each site source, and of all of them together
    scaling: HintScaling
    declared: DeclaredRates
    host: HostTrust


@cache
def load(path: Path = files.DATA / "evidence_weights.json") -> Weights:
    """Return the weights in a file, by default those that ship."""
    return parse(json.loads(path.read_text("utf-8")))


def parse(values: Mapping[str, Any]) -> Weights:
    """Return weights from the values that ``fit_evidence.py`` writes."""
    fields = {name: value for name, value in values.items() if name != "manifest"}
    types = {"scaling": HintScaling, "declared": DeclaredRates, "host": HostTrust}
    return Weights(**fields | {name: make(**fields[name]) for name, make in types.items()})
