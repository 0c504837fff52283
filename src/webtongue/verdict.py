"""The answer for a page, and its explanation."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Any, NamedTuple

from webtongue import labels, schema
from webtongue.records import dataclass, document_fields, field

__all__ = ["Evidence", "Explanation", "Guess", "Lazy", "Reason", "Segment", "Verdict"]


class Reason(StrEnum):
    """Why no language is answered; empty if one is. docs/answers.md explains each, and why an answer is not reliable."""

    NONE = ""
    # und: too little evidence
    MISSING = "missing"  # no page was given
    NOT_BYTES = "not_bytes"  # the given value is no page
    UNREADABLE = "unreadable"  # the file or stream could not be read
    EMPTY = "empty"
    NO_LETTERS = "no_letters"
    TOO_SHORT = "too_short"
    UNKNOWN_SCRIPT = "unknown_script"
    TOO_RARE = "too_rare"  # a rare language would need more text than there is
    UNKNOWN_LANGUAGE = "unknown_language"  # the text fits no language of the model
    NOT_ASKED = "not_asked"  # in none of the languages of the allowlist
    MISREAD = "misread"  # mojibake that could not be repaired
    # zxx: the bytes are not language
    BINARY = "binary"
    MEDIA_TYPE = "media_type"
    NOT_LANGUAGE = "not_language"  # code, data, numbers, lists
    PLACEHOLDER_TEXT = "placeholder_text"  # lorem ipsum
    # mul: no language has most of the page
    SEVERAL_LANGUAGES = "several_languages"
    TWO_LANGUAGES = "two_languages"
    # und, for URLs
    NOT_A_URL = "not_a_url"
    NOT_A_PAGE = "not_a_page"
    SAYS_NOTHING = "says_nothing"
    NOT_TEXT = "not_text"
    TOO_LONG = "too_long"
    USER_NAME = "user_name"
    IPV6_HOST = "ipv6_host"


class Guess(NamedTuple):
    """A label and the probability that it is right."""

    label: str
    probability: float

    @property
    def language(self) -> str:
        """The label as the shortest BCP 47 tag."""
        return labels.bcp47(self.label)


document_fields(
    Guess,
    label="A label of the model.",
    probability="The probability that the label is right, 0 to 1.",
)


class Segment(NamedTuple):
    """A span of a page in one language."""

    begin: int
    end: int
    label: str
    share: float


document_fields(
    Segment,
    begin="The offset of the first byte in the page's bytes, or in the UTF-8 of a text.",
    end="The offset after the last byte.",
    label="The label of the span.",
    share="The share of the span in the text of the page, 0 to 1.",
)


class Evidence(NamedTuple):
    """The evidence of one source."""

    source: str
    value: str
    label: str = ""
    weight: float = 0.0


document_fields(
    Evidence,
    source="The name of the source: `text`, `prior`, or a source of docs/evidence.md.",
    value="What the source has, as a quotation or in words.",
    label="The label that the evidence supports; empty for none.",
    weight="Its contribution to the answer against the runner-up, in bits.",
)


@dataclass(frozen=True, slots=True)
class Explanation:
    """The fields of a Verdict that are computed on demand, since they cost more than the verdict itself."""

    why: str = ""
    languages: tuple[tuple[str, float], ...] = ()
    guesses: tuple[Guess, ...] = ()
    segments: tuple[Segment, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    declared_language: str = ""
    declared_encoding: str = ""
    country: str = ""  # country of the server, if it is known


class Lazy:
    """An explanation that is computed by the first call, which releases the arguments.

    ``segments`` takes the same arguments and computes the segments alone, which are cheap and needed most often.
    """

    __slots__ = ("_segments", "_state")

    def __init__(
        self,
        make: Callable[..., Explanation],
        *arguments: Any,
        segments: Callable[..., tuple[Segment, ...]] | None = None,
    ) -> None:
        self._state: Explanation | tuple[Any, ...] = (make, arguments)
        self._segments: Callable[..., tuple[Segment, ...]] | tuple[Segment, ...] | None = segments

    def segments(self) -> tuple[Segment, ...]:
        """Return the segments without computing the rest."""
        state, segments = self._state, self._segments
        if isinstance(segments, tuple):
            return segments
        if isinstance(state, tuple) and segments is not None:
            computed = self._segments = segments(*state[1])
            return computed
        return self.get().segments

    def get(self) -> Explanation:
        """Return the explanation. Two threads that call this at the same time get equal explanations."""
        state = self._state
        if isinstance(state, tuple):
            make, arguments = state
            state = self._state = make(*arguments)
        return state


NO_EXPLANATION = Explanation()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The language, script and encoding of a page, with confidences and an explanation.

    ``label`` is the page's main language. It is ``und`` if there is too little evidence, ``mul`` if no language has most of the
    page, and ``zxx`` if the bytes are not language; ``reason`` is then a code and ``why`` a sentence, and ``script`` of ``und`` is
    the script of the letters. ``group`` is the look-alike group of the label, and ``group_confidence`` the probability that one of
    its members is right (``confidence`` without a group). ``tier`` is the training text of the label: 1 much modern text, 2 some, 3
    hardly any beside scripture, 0 if no language is answered.

    >>> verdict = Verdict("srp_Latn", 0.93, "Latn", "utf-8", 1.0, reliable=True)
    >>> verdict
    <Verdict sr-Latn (Serbian (Latin)), 93.0%>
    >>> verdict.label, verdict.name
    ('srp_Latn', 'Serbian (Latin)')
    """

    _FIELD_DOCS = schema.DESCRIPTIONS | {"details": "The fields that are computed on demand, or how to compute them."}

    label: str
    confidence: float
    script: str = ""
    encoding: str = ""
    encoding_confidence: float = 0.0
    reliable: bool = False
    reason: Reason = Reason.NONE
    tier: int = 0
    group: str = ""
    group_confidence: float = 0.0
    details: Explanation | Lazy = field(default=NO_EXPLANATION, repr=False, compare=False)

    @property
    def language(self) -> str:
        """The label as the shortest BCP 47 tag."""
        return labels.bcp47(self.label)

    @property
    def name(self) -> str:
        """The English name of the language, with its script if that is not the usual one."""
        return labels.name(self.label)

    def __repr__(self) -> str:
        mark = "" if self.reliable or self.reason else ", not reliable"
        return f"<Verdict {self.language} ({self.name}), {str(self.reason) or f'{self.confidence:.1%}'}{mark}>"

    def _repr_html_(self) -> str:
        """Return a small table for notebooks."""
        from html import escape

        confidence = "" if self.reason else f"{self.confidence:.1%}{'' if self.reliable else ', not reliable'}"
        rows = {
            "language": f"{self.name} ({self.language})", "label": self.label, "confidence": confidence, "why": self.why,
            "encoding": self.encoding, "declared": " ".join(filter(None, (self.declared_language, self.declared_encoding))),
        }  # fmt: skip
        cells = [f"<tr><th>{name}</th><td>{escape(value)}</td></tr>" for name, value in rows.items() if value]
        return f"<table>{''.join(cells)}</table>"

    @property
    def explanation(self) -> Explanation:
        """The fields that are computed on demand."""
        details = self.details
        return details.get() if isinstance(details, Lazy) else details

    @property
    def why(self) -> str:
        """Why no language is answered, or why the answer is not reliable, in a sentence; empty for a reliable answer."""
        return self.explanation.why

    @property
    def languages(self) -> tuple[tuple[str, float], ...]:
        """Every language with 5% of the running text or more and its share, the largest first; look-alikes count as one."""
        return self.explanation.languages

    @property
    def guesses(self) -> tuple[Guess, ...]:
        """Ranked labels with their probabilities."""
        return self.explanation.guesses

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Where each language of the page is."""
        details = self.details
        return details.segments() if isinstance(details, Lazy) else details.segments

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The evidence of each source, whether or not it supports the answer."""
        return self.explanation.evidence

    @property
    def declared_language(self) -> str:
        """The label that the page or its server declares; empty if none, or if it names no language."""
        return self.explanation.declared_language

    @property
    def declared_encoding(self) -> str:
        """The encoding that the page or its server declares, by its WHATWG name, empty if none."""
        return self.explanation.declared_encoding

    @property
    def country(self) -> str:
        """The country of the server, ISO 3166, given by the caller or looked up by IP address; empty if unknown."""
        return self.explanation.country

    @property
    def agrees(self) -> bool | None:
        """Whether the declared language is the answer, with its script if it declares one; None if either is missing."""
        return language_agrees(self.declared_language, self.label)

    @property
    def encoding_agrees(self) -> bool | None:
        """Whether the declared encoding is the answer; None if either is missing."""
        return encoding_agrees(self.declared_encoding, self.encoding)

    def detached(self) -> Verdict:
        """Return this Verdict with its explanation computed, so that it no longer refers to its page."""
        self.explanation  # noqa: B018
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return all fields as JSON values, by the schema of docs/schema.md.

        >>> Verdict("und", 0.0, reason=Reason.EMPTY).to_dict()["reason"]
        'empty'
        """
        return {"schema": schema.VERSION, **{field.name: self._json_value(field) for field in schema.FIELDS}}

    def _json_value(self, field: schema.Field) -> Any:
        value = self._plain_value(field)
        return list(schema.structs(field.name, value)) if field.kind is None else value

    def _plain_value(self, field: schema.Field) -> Any:
        value = getattr(self, field.name)
        return str(value) if field.kind is schema.STRING else value

    def to_row(self) -> dict[str, Any]:
        """Return the values of the columns of ``identify_batch``, by name."""
        return {field.name: self._plain_value(field) for field in schema.BATCH_FIELDS}

    def to_json(self) -> str:
        """Return one line of JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Verdict:
        """Return the Verdict that :meth:`to_dict` describes; unknown keys are ignored."""
        members = {
            name: tuple(make(*(item[key] for key, _ in schema.STRUCTS[name])) for item in row.get(name, ()))
            for name, make in MEMBERS.items()
        }
        lazy = {name: row[name] for name in LAZY_FIELDS if name in row} | members
        own = {name: row[name] for name in OWN_FIELDS if name in row} | {"reason": Reason(row.get("reason", ""))}
        return cls(**own, details=Explanation(**lazy))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Verdict, (*(getattr(self, name) for name in OWN_FIELDS), self.explanation))


# The fields that a Verdict stores, the types of list members, and the fields that are computed on demand.
OWN_FIELDS = tuple(field.name for field in fields(Verdict) if field.name != "details")
MEMBERS: dict[str, Callable[..., Any]] = {
    "languages": lambda label, share: (label, share), "guesses": Guess, "segments": Segment, "evidence": Evidence,
}  # fmt: skip
LAZY_FIELDS = tuple(field.name for field in fields(Explanation) if field.name not in MEMBERS)


def language_agrees(declared: str, label: str) -> bool | None:
    """Return True if a declared label is the answer; None if either is missing.

    The declared script counts if it is not the language's usual one, since it is then explicit (``zh-TW``, ``sr-Latn``).

    >>> language_agrees("zho_Hant", "zho_Hans"), language_agrees("srp_Cyrl", "srp_Latn")
    (False, True)
    """
    if not declared or label in labels.WITHOUT_TEXT:
        return None
    return declared == label or (declared[:3] == label[:3] and declared[4:] == labels.usual_script(declared[:3]))


def encoding_agrees(declared: str, encoding: str) -> bool | None:
    """Return True if a declared encoding is the answer; None if either is missing."""
    return declared == encoding if declared and encoding else None
