"""The model that detects encodings by byte n-grams: mapped into memory once, immutable."""

from __future__ import annotations

import json
import math
from array import array
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from webtongue import _kernel, files
from webtongue.charset.languages import encoding_languages
from webtongue.errors import ModelError
from webtongue.policy import LOG_SCALE

__all__ = ["ByteModel", "load", "offsets_for", "prior_offsets", "web_shares"]

DEFAULT = files.MODELS / "encodings.wtb"

PRIOR_WEIGHT = 0.2  # weight of the logarithmic web prior: a legacy encoding is rare, yet here are its bytes
UNLISTED_LOG10_SHARE = -8.0  # share of the web's pages of encodings that no crawl statistics name
UNLISTED_PENALTY_NATS = 1.5  # further penalty of these (docs/encoding.md, "Experiments")
# How often declarations are wrong (docs/encoding.md): by the standard's precedence, in a late <meta>, by the papers' precedence.
WRONG_RATES = (0.02, 0.1, 0.3)
SOFTWARE_DEFAULTS = ("windows-1252",)  # encodings that software declares unless told otherwise
WRONG_DEFAULT_SHARE = 0.6  # share of wrong declarations that name a software default
WRONG_OTHER_SHARE = 0.05  # share of wrong declarations that name one particular other encoding
HOME_LANGUAGE_SHARE = 0.72  # share of pages in the language of the country in their URL (docs/url.md)
# Encodings that the decoder of a class decodes too.
SAME_DECODER = {"gbk": "gb18030", "iso-8859-8-i": "iso-8859-8", "cp858": "cp850", "x-user-defined": ""}


@dataclass(frozen=True)
class ByteModel:
    """A loaded model file: immutable, shared by threads."""

    path: Path
    kernel: _kernel.ByteModel

    @cached_property
    def classes(self) -> list[str]:
        """The encodings that the model can detect, by the kernel's numbers."""
        return list(self.kernel.classes)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The kernel's numbers by encoding."""
        return {name: number for number, name in enumerate(self.classes)}

    @property
    def manifest(self) -> dict[str, Any]:
        """Training data and settings of the model."""
        manifest: dict[str, Any] = json.loads(self.kernel.manifest)
        return manifest


@cache
def load(path: Path = DEFAULT) -> ByteModel:
    """Map a model file; the same path gives the same model."""
    try:
        return ByteModel(path, _kernel.ByteModel(files.map_model(path)))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} is not a usable byte model: {error}") from error


@lru_cache(512)
def offsets_for(declared: tuple[str, ...], language: str = "") -> array[int]:
    """Return what is added to the score of each encoding, in units of 1/LOG_SCALE nats.

    It sums how common the encoding is, whether it is declared (by falling reliability), and whether it was used for the language
    of the page's country.
    """
    model = load()
    nats = [offset / LOG_SCALE for offset in prior_offsets(model.classes)]
    declared_nats: dict[int, float] = {}
    for name, wrong_rate in zip(declared, WRONG_RATES, strict=False):
        number = model.numbers.get(SAME_DECODER.get(name, name))
        if number is not None:
            declared_nats[number] = max(declared_nats.get(number, 0.0), _declared_nats(name, wrong_rate))
    for number, weight in declared_nats.items():
        nats[number] += weight
    if language:
        for number, name in enumerate(model.classes):
            nats[number] += _home_nats(language) * (language in encoding_languages().get(name, ()))
    return array("i", [round(LOG_SCALE * value) for value in nats])


def _declared_nats(name: str, wrong_rate: float) -> float:
    """Return the log-likelihood ratio of a declaration of an encoding, in nats."""
    share = WRONG_DEFAULT_SHARE if name in SOFTWARE_DEFAULTS else WRONG_OTHER_SHARE
    return math.log((1 - wrong_rate) / (wrong_rate * share))


@cache
def _home_nats(language: str) -> float:
    """Return the log-likelihood ratio of encodings of a country's language against others on its pages, in nats."""
    classes = load().classes
    mass = {name: math.exp(offset / LOG_SCALE) for name, offset in zip(classes, prior_offsets(classes), strict=True)}
    share = sum(mass[name] for name in mass if language in encoding_languages().get(name, ())) / sum(mass.values())
    if not share:
        return 0.0
    return math.log((HOME_LANGUAGE_SHARE / share + 1 - HOME_LANGUAGE_SHARE) * (1 - share) / (1 - HOME_LANGUAGE_SHARE))


def prior_offsets(classes: list[str]) -> array[int]:
    """Return the weighted log-prior of each encoding, in units of 1/LOG_SCALE nats."""
    return array("i", [round(LOG_SCALE * _prior_nats(name)) for name in classes])


def _prior_nats(name: str) -> float:
    shares = web_shares()
    if name not in shares:
        return PRIOR_WEIGHT * math.log(10) * UNLISTED_LOG10_SHARE - UNLISTED_PENALTY_NATS
    log10_share = max(shares[name], shares["gbk"]) if name == "gb18030" else shares[name]
    return PRIOR_WEIGHT * math.log(10) * log10_share


@cache
def web_shares() -> dict[str, float]:
    """Return decimal logarithms of the shares of the web's pages, by encoding."""
    return {name: float(power) for name, power in files.read_rows("encoding_priors.tsv")}
