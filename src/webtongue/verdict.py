"""What is said of a page, and why."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from webtongue import labels

__all__ = ["SCHEMA", "Evidence", "Explanation", "Guess", "Lazy", "Reason", "Segment", "Verdict"]

SCHEMA = 2  # version of what to_dict, columns and pickles hold; docs/schema.md has the fields and what changed
FIELDS = (
    "label", "confidence", "script", "encoding", "encoding_confidence", "reliable", "reason", "tier", "group",
    "group_confidence",
)  # fmt: skip


class Reason(StrEnum):
    """Why no language is answered; empty where one is. docs/answers.md explains each."""

    NONE = ""
    # und: there is too little to say
    MISSING = "missing"  # no page was given
    NOT_BYTES = "not_bytes"  # something was given that is no page
    UNREADABLE = "unreadable"  # the file or stream could not be read
    EMPTY = "empty"
    NO_LETTERS = "no_letters"
    TOO_SHORT = "too_short"
    UNKNOWN_SCRIPT = "unknown_script"
    TOO_RARE = "too_rare"  # a rare language would need more text than there is
    UNKNOWN_LANGUAGE = "unknown_language"
    NOT_ASKED = "not_asked"  # in none of the languages that were asked for
    MISREAD = "misread"  # text that was decoded wrongly before and could not be put right
    # zxx: the bytes are not language
    BINARY = "binary"
    MEDIA_TYPE = "media_type"
    NOT_LANGUAGE = "not_language"  # code, data, numbers, lists
    # mul: no language holds the page
    SEVERAL_LANGUAGES = "several_languages"
    TWO_LANGUAGES = "two_languages"
    # und, of URLs
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


class Segment(NamedTuple):
    """A stretch of a page in one language: offsets into the page's bytes, and its share of the text."""

    begin: int
    end: int
    label: str
    share: float


class Evidence(NamedTuple):
    """What one source said: ``value`` in its own words, ``label`` in ours (empty: not understood), and what it did for the answer
    against its nearest rival, in bits."""

    source: str
    value: str
    label: str = ""
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a Verdict works out only when asked: it costs more than the verdict itself."""

    why: str = ""
    languages: tuple[tuple[str, float], ...] = ()
    guesses: tuple[Guess, ...] = ()
    segments: tuple[Segment, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    declared_language: str = ""
    declared_encoding: str = ""
    country: str = ""  # of the server, where it is known


class Lazy:
    """An explanation that is worked out when it is first asked for; what it is worked out from is let go of then.

    ``segments``, of the same arguments, works out the segments alone: they are what most ask for, and cheap beside the rest.
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
        """The segments, the rest left as it is."""
        state, found = self._state, self._segments
        if isinstance(found, tuple):
            return found
        if isinstance(state, tuple) and found is not None:
            segments = self._segments = found(*state[1])
            return segments
        return self.get().segments

    def get(self) -> Explanation:
        """The explanation; two threads that ask at once get equal ones."""
        state = self._state
        if isinstance(state, tuple):
            make, arguments = state
            state = self._state = make(*arguments)
        return state


NOTHING = Explanation()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The language, script and encoding of a page, how sure each is, and on what grounds.

    ``label`` is the page's main language. It is ``und`` where there is too little to say, ``mul`` where no language holds the
    page and ``zxx`` where the bytes are not language; ``reason`` is then a code for why and ``why`` a sentence, and ``script`` is
    that of the letters where it is ``und``. ``group`` names the look-alikes that the label is one of, and
    ``group_confidence`` is the probability that one of them is right (that of the label itself where it has no look-alikes).
    ``tier`` is what the label learnt from: 1 much modern text, 2 some, 3 hardly any beside scripture, 0 where no language is
    answered.

    >>> Verdict("srp_Latn", 0.93, "Latn", "utf-8", 1.0).language
    'sr-Latn'
    """

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
    details: Explanation | Lazy = field(default=NOTHING, repr=False, compare=False)

    @property
    def language(self) -> str:
        """The label as the shortest BCP 47 tag."""
        return labels.bcp47(self.label)

    @property
    def explanation(self) -> Explanation:
        """Everything that is worked out only when asked for."""
        details = self.details
        return details.get() if isinstance(details, Lazy) else details

    @property
    def why(self) -> str:
        """Why no language is answered, in a sentence; empty where one is."""
        return self.explanation.why

    @property
    def languages(self) -> tuple[tuple[str, float], ...]:
        """Every language that holds 5% of the running text or more with its share, the largest first; look-alikes are one."""
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
        """What each source said, whether or not it was followed."""
        return self.explanation.evidence

    @property
    def declared_language(self) -> str:
        """The label that the page or its server declares, empty if none or not understood."""
        return self.explanation.declared_language

    @property
    def declared_encoding(self) -> str:
        """The encoding that the page or its server declares, by its WHATWG name, empty if none."""
        return self.explanation.declared_encoding

    @property
    def country(self) -> str:
        """The country of the server, ISO 3166, where the caller gave it or its address was found in a table; else empty."""
        return self.explanation.country

    @property
    def agrees(self) -> bool | None:
        """Whether the declared language is the one found, its script too where it says one; None where either is missing."""
        return language_agrees(self.declared_language, self.label)

    @property
    def encoding_agrees(self) -> bool | None:
        """Whether the declared encoding is the one found; None where either is missing."""
        return encoding_agrees(self.declared_encoding, self.encoding)

    def detached(self) -> Verdict:
        """This Verdict, fully worked out: it no longer holds its page."""
        self.explanation  # noqa: B018
        return self

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it: the schema of docs/schema.md.

        >>> Verdict("und", 0.0, reason=Reason.EMPTY).to_dict()["reason"]
        'empty'
        """
        e = self.explanation
        return {
            "schema": SCHEMA,
            "label": self.label,
            "language": labels.bcp47(self.label),
            "script": self.script,
            "confidence": self.confidence,
            "reliable": self.reliable,
            "tier": self.tier,
            "group": self.group,
            "group_confidence": self.group_confidence,
            "languages": [{"label": label, "share": share} for label, share in e.languages],
            "encoding": self.encoding,
            "encoding_confidence": self.encoding_confidence,
            "reason": self.reason.value,
            "why": e.why,
            "declared_language": e.declared_language,
            "declared_encoding": e.declared_encoding,
            "agrees": language_agrees(e.declared_language, self.label),
            "encoding_agrees": encoding_agrees(e.declared_encoding, self.encoding),
            "country": e.country,
            "guesses": [{"label": label, "probability": chance} for label, chance in e.guesses],
            "segments": [
                {"begin": begin, "end": end, "label": label, "share": share} for begin, end, label, share in e.segments
            ],
            "evidence": [
                {"source": source, "value": value, "label": label, "weight": weight}
                for source, value, label, weight in e.evidence
            ],
        }

    def to_json(self) -> str:
        """One line of JSON: what ``json.dumps(self.to_dict(), ensure_ascii=False)`` gives, in a third of the time."""
        e = self.explanation
        return (
            f'{{"schema": {SCHEMA}, "label": {_quoted(self.label)}, "language": {_quoted(labels.bcp47(self.label))}, '
            f'"script": {_quoted(self.script)}, '
            f'"confidence": {self.confidence!r}, "reliable": {_WORDS[self.reliable]}, "tier": {self.tier}, '
            f'"group": {_quoted(self.group)}, "group_confidence": {self.group_confidence!r}, "languages": ['
            + ", ".join([f'{{"label": {_quoted(label)}, "share": {share!r}}}' for label, share in e.languages])
            + f'], "encoding": {_quoted(self.encoding)}, "encoding_confidence": {self.encoding_confidence!r}, '
            f'"reason": {_quoted(self.reason.value)}, "why": {_quoted(e.why)}, '
            f'"declared_language": {_quoted(e.declared_language)}, "declared_encoding": {_quoted(e.declared_encoding)}, '
            f'"agrees": {_WORDS[language_agrees(e.declared_language, self.label)]}, '
            f'"encoding_agrees": {_WORDS[encoding_agrees(e.declared_encoding, self.encoding)]}, '
            f'"country": {_quoted(e.country)}, "guesses": ['
            + ", ".join([f'{{"label": {_quoted(label)}, "probability": {chance!r}}}' for label, chance in e.guesses])
            + '], "segments": ['
            + ", ".join(
                [
                    f'{{"begin": {begin}, "end": {end}, "label": {_quoted(label)}, "share": {share!r}}}'
                    for begin, end, label, share in e.segments
                ]
            )
            + '], "evidence": ['
            + ", ".join(
                [
                    f'{{"source": {_quoted(source)}, "value": {_quoted(value)}, "label": {_quoted(label)}, "weight": {weight!r}}}'
                    for source, value, label, weight in e.evidence
                ]
            )
            + "]}"
        )

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Verdict:
        """The inverse of :meth:`to_dict`; unknown keys are ignored."""
        details = Explanation(
            row.get("why", ""),
            tuple((held["label"], held["share"]) for held in row.get("languages", ())),
            tuple(Guess(g["label"], g["probability"]) for g in row.get("guesses", ())),
            tuple(Segment(s["begin"], s["end"], s["label"], s["share"]) for s in row.get("segments", ())),
            tuple(Evidence(e["source"], e["value"], e["label"], e["weight"]) for e in row.get("evidence", ())),
            row.get("declared_language", ""),
            row.get("declared_encoding", ""),
            row.get("country", ""),
        )
        values = {name: row[name] for name in FIELDS if name in row} | {"reason": Reason(row.get("reason", ""))}
        return cls(**values, details=details)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Verdict, (*(getattr(self, name) for name in FIELDS), self.explanation))


_WORDS = {True: "true", False: "false", None: "null"}
_quoted = json.encoder.encode_basestring  # a JSON string, written in C


def language_agrees(declared: str, label: str) -> bool | None:
    """Whether a declared label names what was found; None where either is missing.

    Scripts count where the declared one is not the language's usual one, since it was said then (``zh-TW``, ``sr-Latn``).

    >>> language_agrees("zho_Hant", "zho_Hans"), language_agrees("srp_Cyrl", "srp_Latn")
    (False, True)
    """
    if not declared or label in ("und", "zxx"):
        return None
    return declared == label or (declared[:3] == label[:3] and declared[4:] == _usual_script(declared[:3]))


def _usual_script(language: str) -> str:
    found = labels.parse(language)
    return "" if found is None else found.script


def encoding_agrees(declared: str, encoding: str) -> bool | None:
    """Whether a declared encoding is the one that was found; None where either is missing."""
    return declared == encoding if declared and encoding else None
