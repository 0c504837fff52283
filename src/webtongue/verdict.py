"""What is said of a page, and why."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from webtongue import labels

__all__ = ["Evidence", "Guess", "Segment", "Verdict"]

FIELDS = ("label", "confidence", "script", "encoding", "encoding_confidence", "reliable", "reason", "tier")


@dataclass(frozen=True, slots=True)
class Guess:
    """A label and the probability that it is right."""

    label: str
    probability: float

    @property
    def language(self) -> str:
        """The label as the shortest BCP 47 tag."""
        return labels.bcp47(self.label)


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a page in one language: offsets into the page's bytes, and its share of the text."""

    begin: int
    end: int
    label: str
    share: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one source said: ``value`` in its own words, ``label`` in ours (empty: not understood), and its weight."""

    source: str
    value: str
    label: str = ""
    weight: float = 0.0


class Details(Protocol):
    """What a Verdict works out only when asked: it costs more than the verdict itself."""

    def guesses(self) -> tuple[Guess, ...]: ...
    def segments(self) -> tuple[Segment, ...]: ...
    def evidence(self) -> tuple[Evidence, ...]: ...
    def declared_language(self) -> str: ...
    def declared_encoding(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Stored:
    """Details that were worked out before, as in a Verdict that was pickled or read from JSON."""

    found: tuple[tuple[Guess, ...], tuple[Segment, ...], tuple[Evidence, ...], str, str] = ((), (), (), "", "")

    def guesses(self) -> tuple[Guess, ...]:
        return self.found[0]

    def segments(self) -> tuple[Segment, ...]:
        return self.found[1]

    def evidence(self) -> tuple[Evidence, ...]:
        return self.found[2]

    def declared_language(self) -> str:
        return self.found[3]

    def declared_encoding(self) -> str:
        return self.found[4]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The language, script and encoding of a page, how sure each is, and on what grounds.

    ``label`` is ``und`` where there is too little to say, ``mul`` where no language holds the page and ``zxx`` where the
    bytes are not language; ``reason`` then says why, and ``script`` is that of the letters where it is ``und``. ``tier`` is how
    far the label can be trusted: 1 verified on modern text, 2 plausible, 3 known from scripture or declarations only, 0 where
    no label is answered.

    >>> Verdict("srp_Latn", 0.93, "Latn", "utf-8", 1.0).language
    'sr-Latn'
    """

    label: str
    confidence: float
    script: str = ""
    encoding: str = ""
    encoding_confidence: float = 0.0
    reliable: bool = False
    reason: str = ""
    tier: int = 0
    details: Details = field(default=Stored(), repr=False, compare=False)

    @property
    def language(self) -> str:
        """The label as the shortest BCP 47 tag."""
        return labels.bcp47(self.label)

    @property
    def guesses(self) -> tuple[Guess, ...]:
        """Ranked labels with their probabilities."""
        return self.details.guesses()

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Where each language of the page is."""
        return self.details.segments()

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What each source said, whether or not it was followed."""
        return self.details.evidence()

    @property
    def declared_language(self) -> str:
        """The label that the page or its server declares, empty if none or not understood."""
        return self.details.declared_language()

    @property
    def declared_encoding(self) -> str:
        """The encoding that the page or its server declares, by its WHATWG name, empty if none."""
        return self.details.declared_encoding()

    @property
    def agrees(self) -> bool | None:
        """Whether the declared language is the one found; None where either is missing."""
        declared = self.declared_language
        if not declared or self.label in ("und", "zxx"):
            return None
        return declared.split("_")[0] == self.label.split("_")[0]

    @property
    def encoding_agrees(self) -> bool | None:
        """Whether the declared encoding is the one found; None where either is missing."""
        declared = self.declared_encoding
        return declared == self.encoding if declared and self.encoding else None

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it.

        >>> Verdict("und", 0.0, reason="empty").to_dict()["reason"]
        'empty'
        """
        return {
            "label": self.label,
            "language": self.language,
            "script": self.script,
            "confidence": round(self.confidence, 6),
            "reliable": self.reliable,
            "tier": self.tier,
            "encoding": self.encoding,
            "encoding_confidence": round(self.encoding_confidence, 6),
            "reason": self.reason,
            "declared_language": self.declared_language,
            "declared_encoding": self.declared_encoding,
            "agrees": self.agrees,
            "encoding_agrees": self.encoding_agrees,
            "guesses": [{"label": g.label, "probability": round(g.probability, 6)} for g in self.guesses],
            "segments": [
                {"begin": s.begin, "end": s.end, "label": s.label, "share": round(s.share, 6)} for s in self.segments
            ],
            "evidence": [
                {"source": e.source, "value": e.value, "label": e.label, "weight": round(e.weight, 6)}
                for e in self.evidence
            ],
        }

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Verdict:
        """The inverse of :meth:`to_dict`; unknown keys are ignored."""
        stored = Stored(
            (
                tuple(Guess(g["label"], g["probability"]) for g in row.get("guesses", ())),
                tuple(Segment(s["begin"], s["end"], s["label"], s["share"]) for s in row.get("segments", ())),
                tuple(Evidence(e["source"], e["value"], e["label"], e["weight"]) for e in row.get("evidence", ())),
                row.get("declared_language", ""),
                row.get("declared_encoding", ""),
            )
        )
        return cls(**{name: row[name] for name in FIELDS if name in row}, details=stored)

    def __reduce__(self) -> tuple[Any, ...]:
        found = (self.guesses, self.segments, self.evidence, self.declared_language, self.declared_encoding)
        return (Verdict, (*(getattr(self, name) for name in FIELDS), Stored(found)))
