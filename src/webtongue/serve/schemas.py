"""The structures of responses, for the OpenAPI document; a test compares responses with them."""

from __future__ import annotations

from types import GenericAlias
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from webtongue import schema

__all__ = [
    "RESPONSE_TYPES",
    "SEGMENT_FIELDS",
    "DecodedPage",
    "DetectedLanguage",
    "Explanation",
    "Health",
    "LabelInfo",
    "LibreTranslateLanguage",
    "Segments",
    "Verdict",
]


class TextPiece(Struct):
    """Text of one language; the label is empty where no language is identified."""

    text: str
    label: str


class TextBlock(Struct):
    """A block of a page's text."""

    kind: str
    pieces: list[TextPiece]


class Feature(Struct):
    """A word or n-gram, in which a space is a word boundary, and its evidence for the first guess against the second in bits."""

    gram: str
    bits: float
    word: bool


class CountrySpeakers(Struct):
    """A country where a language is spoken: the share and number of its people who use it, and whether it is official there."""

    country: str
    name: str
    share: float
    official: bool
    speakers: int


class LabelInfo(Struct):
    """A label: names in English and in its own language, script, tier, look-alike group, countries where it is spoken."""

    label: str
    language: str
    name: str
    own_name: str
    script: str
    script_name: str
    direction: str
    tier: int
    group: str
    countries: list[CountrySpeakers]


class Explanation(Struct):
    """An explanation for people: the text by language, and the features that distinguish the first two guesses."""

    text: list[TextBlock]
    cut: bool
    repaired: bool
    first: str
    second: str
    features: list[Feature]
    names: dict[str, LabelInfo]
    conflict: str  # whether the text overrules other evidence or the reverse; empty where they agree


def _define_list_member(name: str, title: str) -> Any:
    """Return the structure of a list field's members."""
    return defstruct(title, [(key, kind.json) for key, kind in schema.STRUCTS[name]])


MEMBERS = {name: _define_list_member(name, f"Verdict{name.title()}") for name in schema.STRUCTS}


def _json_type(field: schema.Field) -> Any:
    if field.kind is None:
        return GenericAlias(list, (MEMBERS[field.name],))
    return field.kind.json | None if field.nullable else field.kind.json


def _struct_field(field: schema.Field) -> Any:
    """Return a field of the Verdict structure, with its description; fields outside batches are optional."""
    described = Annotated[_json_type(field), Meta(description=field.description)]  # type: ignore[valid-type]
    return (field.name, described) if field.in_batch else (field.name, described | UnsetType, UNSET)


Verdict = defstruct(
    "Verdict",
    [
        ("schema", int),
        *(_struct_field(field) for field in schema.FIELDS),
        ("explanation", Explanation | UnsetType, UNSET),
        ("country_source", str | UnsetType, UNSET),
    ],
    namespace={
        "__doc__": "The answer for a page, text or URL. Fields that are not required are present with ``explain`` only; "
        "``country_source`` where the country was looked up."
    },
    module=__name__,
)


SEGMENT_FIELDS = ("label", "language", "languages", "segments")
Segments = defstruct(
    "Segments",
    [
        ("schema", int),
        *((field.name, _json_type(field)) for field in schema.FIELDS if field.name in SEGMENT_FIELDS),
        ("text", list[TextBlock]),
        ("cut", bool),
    ],
    namespace={"__doc__": "The segments of a page or text, and its text split at their borders."},
    module=__name__,
)


class DecodedPage(Struct):
    """The source of a page as text."""

    text: str
    encoding: str
    confidence: float


class DetectedLanguage(Struct):
    """A guess as LibreTranslate returns it, with a percentage."""

    confidence: float
    language: str


class LibreTranslateLanguage(Struct):
    """A language as LibreTranslate lists it."""

    code: str
    name: str
    targets: list[str]


class Health(Struct):
    """The state of the service."""

    status: str


RESPONSE_TYPES = (Verdict, Segments, DecodedPage, LabelInfo, DetectedLanguage, LibreTranslateLanguage, Health)
