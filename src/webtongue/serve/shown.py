"""The structures of answers, for the OpenAPI document; a test holds the answers to them."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

__all__ = ["SHOWN", "Card", "Decoded", "Detected", "Health", "LibreLanguage", "Segmented", "Verdict"]


class Share(Struct):
    """A language and its share of the text."""

    label: str
    share: float


class Guess(Struct):
    """A label and the probability that it is right."""

    label: str
    probability: float


class Segment(Struct):
    """A stretch in one language: offsets into the page's bytes, and its share of the text."""

    begin: int
    end: int
    label: str
    share: float


class Evidence(Struct):
    """What one source said, and what it did for the first guess against the second, in bits."""

    source: str
    value: str
    label: str
    weight: float


class Piece(Struct):
    """Text of one language; the label is empty where none is said."""

    text: str
    label: str


class TextBlock(Struct):
    """A block of a page's text."""

    kind: str
    pieces: list[Piece]


class Gram(Struct):
    """A word or n-gram, a space for each end of a word, and what it says for the first guess against the second, in bits."""

    gram: str
    bits: float
    word: bool


class Spoken(Struct):
    """A country where a language is spoken, the share of its people who use it, and whether it is official there."""

    country: str
    name: str
    share: float
    official: bool


class Card(Struct):
    """A label that can be answered: names in English and in itself, script, tier, look-alikes, where it is spoken."""

    label: str
    language: str
    name: str
    own_name: str
    script: str
    script_name: str
    direction: str
    tier: int
    group: str
    countries: list[Spoken]


class Explanation(Struct):
    """What a person wants to see: the text by segments, and what told the first guess from the second."""

    text: list[TextBlock]
    cut: bool
    misread: bool
    first: str
    second: str
    telling: list[Gram]
    names: dict[str, Card]


class Verdict(Struct):
    """What a page is in. The last fields are there where ``explain`` asks for them; docs/schema.md explains all."""

    schema: int
    label: str
    language: str
    script: str
    confidence: float
    reliable: bool
    tier: int
    group: str
    group_confidence: float
    languages: list[Share]
    encoding: str
    encoding_confidence: float
    reason: str
    why: str
    declared_language: str
    declared_encoding: str
    agrees: bool | None
    encoding_agrees: bool | None
    country: str
    guesses: list[Guess] | UnsetType = UNSET
    segments: list[Segment] | UnsetType = UNSET
    evidence: list[Evidence] | UnsetType = UNSET
    explanation: Explanation | UnsetType = UNSET
    country_source: str | UnsetType = UNSET


class Segmented(Struct):
    """Where each language is, and the text by segments."""

    schema: int
    label: str
    language: str
    languages: list[Share]
    segments: list[Segment]
    text: list[TextBlock]
    cut: bool


class Decoded(Struct):
    """A page's source as text."""

    text: str
    encoding: str
    confidence: float


class Detected(Struct):
    """LibreTranslate's guess, in percent."""

    confidence: float
    language: str


class LibreLanguage(Struct):
    """LibreTranslate's language."""

    code: str
    name: str
    targets: list[str]


class Health(Struct):
    """How the service is."""

    status: str


SHOWN = (Verdict, Segmented, Decoded, Card, Detected, LibreLanguage, Health)
