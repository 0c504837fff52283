"""The model that tells codings by their bytes, as the flow holds it: mapped into memory once, immutable."""

from __future__ import annotations

import json
import math
from array import array
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from webtongue import _kernel, files
from webtongue.encodings.languages import encoding_languages
from webtongue.errors import ModelError

__all__ = ["NATS", "ByteModel", "common_offsets", "load", "offsets_for", "shares"]

NATS = 1024  # the kernel's log-probabilities are in 1/1024 nats
DEFAULT = files.MODELS / "encodings.wtb"

SOFT = 0.2  # how much of the web's prior is taken over: an old encoding is rare, yet here are its bytes
RARE = -8.0  # share of the web's pages, as a power of ten, of encodings that no crawl statistics name
UNUSED = 1.5  # nats that these must earn beyond it (docs/encoding.md, "Tried")
# How often what is declared is wrong (docs/encoding.md): by the standard's precedence, in a late <meta>, by the papers' precedence.
WRONG = (0.02, 0.1, 0.3)
DEFAULTS = ("windows-1252",)  # encodings that software declares without being asked
BY_DEFAULT = 0.6  # share of wrong declarations that name one of the defaults
BY_ERROR = 0.05  # share of wrong declarations that name any one other encoding
AT_HOME = 0.72  # share of pages in the language of the country that their URL names (docs/url.md)
# Read by the same decoder as the class.
SAME = {"gbk": "gb18030", "iso-8859-8-i": "iso-8859-8", "cp858": "cp850", "x-user-defined": ""}


@dataclass(frozen=True)
class ByteModel:
    """A loaded model file: immutable, shared by threads."""

    path: Path
    kernel: _kernel.ByteModel

    @cached_property
    def classes(self) -> list[str]:
        """What can be answered, by the kernel's numbers."""
        return list(self.kernel.classes)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The inverse."""
        return {name: number for number, name in enumerate(self.classes)}

    @property
    def manifest(self) -> dict[str, Any]:
        """Where the model comes from."""
        found: dict[str, Any] = json.loads(self.kernel.manifest)
        return found


@cache
def load(path: Path = DEFAULT) -> ByteModel:
    """Map a model file; the same path gives the same model."""
    try:
        return ByteModel(path, _kernel.ByteModel(files.contents(path)))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} is not a byte model that can be used: {error}") from error


@lru_cache(4096)
def offsets_for(declared: tuple[str, ...], language: str = "") -> array[int]:
    """What is added to each encoding's score: how common it is, what is declared (by falling weight), and whether it was
    used for the language of the country that the page is from."""
    model = load()
    nats = [offset / NATS for offset in common_offsets(model.classes)]
    said: dict[int, float] = {}
    for name, wrong in zip(declared, WRONG, strict=False):
        number = model.numbers.get(SAME.get(name, name))
        if number is not None:
            said[number] = max(said.get(number, 0.0), _declared(name, wrong))
    for number, weight in said.items():
        nats[number] += weight
    if language:
        for number, name in enumerate(model.classes):
            nats[number] += _at_home(language) * (language in encoding_languages().get(name, ()))
    return array("i", [round(NATS * value) for value in nats])


def _declared(name: str, wrong: float) -> float:
    """How much likelier an encoding is when it is declared, in nats."""
    return math.log((1 - wrong) / (wrong * (BY_DEFAULT if name in DEFAULTS else BY_ERROR)))


@cache
def _at_home(language: str) -> float:
    """How much likelier encodings of a country's language are than others on its pages, in nats."""
    classes = load().classes
    mass = {name: math.exp(offset / NATS) for name, offset in zip(classes, common_offsets(classes), strict=True)}
    share = sum(mass[name] for name in mass if language in encoding_languages().get(name, ())) / sum(mass.values())
    if not share:
        return 0.0
    return math.log((AT_HOME / share + 1 - AT_HOME) * (1 - share) / (1 - AT_HOME))


def common_offsets(classes: list[str]) -> array[int]:
    """What is added for how common each encoding is on the web."""
    return array("i", [round(NATS * _commonness(name)) for name in classes])


def _commonness(name: str) -> float:
    if name not in shares():
        return SOFT * math.log(10) * RARE - UNUSED
    own = shares()[name]
    return SOFT * math.log(10) * (max(own, shares()["gbk"]) if name == "gb18030" else own)


@cache
def shares() -> dict[str, float]:
    """Encodings' shares of the web's pages, as powers of ten."""
    return {name: float(power) for name, power in files.rows("encoding_priors.tsv")}
