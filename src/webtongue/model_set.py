"""The loaded models of all stages, with an Identifier's settings."""

from __future__ import annotations

from webtongue import _kernel, fonts
from webtongue.evidence.combine import EvidenceConfig
from webtongue.markup import noise
from webtongue.markup.declarations import encoding_labels
from webtongue.markup.sniff import FORMATS
from webtongue.records import dataclass
from webtongue.text import TextReader

__all__ = ["Models", "load_models"]


@dataclass(frozen=True, slots=True)
class Models:
    """The models that a page is analysed with: immutable, shared by threads."""

    text: TextReader
    flow: _kernel.Flow  # scanner, fonts and text model as one kernel object
    evidence: EvidenceConfig


def load_models(text: TextReader, evidence: EvidenceConfig) -> Models:
    """Return the models of all stages for a text model and a set of evidence sources."""
    flow = _kernel.Flow(text.kernel, fonts.load(), noise.common_strings(), FORMATS, encoding_labels())
    return Models(text, flow, evidence)
