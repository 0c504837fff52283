"""The model that tells codings by their bytes, as the flow holds it: mapped into memory once, immutable."""

from __future__ import annotations

import json
import math
import mmap
from array import array
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from webtongue import _kernel
from webtongue.coding.languages import encoding_languages
from webtongue.errors import ModelError

__all__ = ["NATS", "ByteModel", "load", "offsets_for", "shares"]

NATS = 1024  # the kernel's log-probabilities are in 1/1024 nats
PACKAGE = Path(__file__).parent.parent
DEFAULT = PACKAGE / "models" / "encodings.wtb"
PRIORS = PACKAGE / "data" / "encoding_priors.tsv"

SOFT = 0.1  # how much of the web's prior is taken over: an old encoding is rare, yet here are its bytes
RARE = -8.0  # share of the web's pages, as a power of ten, of encodings that no crawl statistics name
DECLARED = (
    6.0,
    4.0,
    2.0,
)  # nats for what the standard's precedence finds, for a late <meta>, for the papers' precedence
COUNTRY = 1.5  # nats for encodings of the language of the country that a URL names
# Read by the same decoder as the class.
SAME = {"gbk": "gb18030", "iso-8859-8-i": "iso-8859-8", "cp858": "cp850", "x-user-defined": ""}


@dataclass(frozen=True)
class ByteModel:
    """A loaded model file: immutable, shared by threads."""

    path: Path
    kernel: Any

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
        with path.open("rb") as file:
            memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return ByteModel(path, _kernel.ByteModel(memory))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} is not a byte model that can be used: {error}") from error


@lru_cache(4096)
def offsets_for(declared: tuple[str, ...], language: str = "") -> array[int]:
    """What is added to each encoding's score: how common it is, what is declared (by falling weight), and whether it was
    used for the language of the country that the page is from."""
    model = load()
    nats = [SOFT * math.log(10) * _power(name) for name in model.classes]
    said: dict[int, float] = {}
    for name, weight in zip(declared, DECLARED, strict=False):
        number = model.numbers.get(SAME.get(name, name))
        if number is not None:
            said[number] = max(said.get(number, 0.0), weight)
    for number, weight in said.items():
        nats[number] += weight
    if language:
        for number, name in enumerate(model.classes):
            nats[number] += COUNTRY * (language in encoding_languages().get(name, ()))
    return array("i", [round(NATS * value) for value in nats])


def _power(name: str) -> float:
    own = shares().get(name, RARE)
    return max(own, shares()["gbk"]) if name == "gb18030" else own


@cache
def shares() -> dict[str, float]:
    """Encodings' shares of the web's pages, as powers of ten."""
    rows = (line.split("\t") for line in PRIORS.read_text("ascii").splitlines() if not line.startswith("#"))
    return {name: float(power) for name, power in rows}
