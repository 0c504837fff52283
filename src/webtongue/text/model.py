"""The language model as the flow holds it: mapped into memory once, with the priors and limits of an Identifier."""

from __future__ import annotations

import json
import math
import mmap
import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from webtongue import _kernel, files, labels
from webtongue.errors import ModelError, UsageError
from webtongue.hints.shares import web_powers
from webtongue.text.reasons import UNANSWERED
from webtongue.text.thresholds import NATS, THRESHOLDS

__all__ = ["NATS", "TextModel", "TextReader", "asked_labels", "load", "reader"]

BOILERPLATE = "eng_Latn"  # what servers and authoring tools write their notices, forms and default titles in
DEFAULT = files.MODELS / "text.wtm"

# Share of the web's pages, as a power of ten, for labels that no crawl statistics name: by tier.
RARE = {1: -6.5, 2: -7.0, 3: -7.5}
COMMON = -3.5  # powers of ten: the 55 or so languages with more of the web than this are all common
SOFT = 0.3  # how much of the difference between two common languages is taken over
# What a label in another than its language's usual script has of the language's share, as a power of ten.
OTHER_SCRIPT = -2.0
SCRIPT_SHARES = {"srp_Latn": -0.3, "srp_Cyrl": -0.3, "zho_Hant": -0.7, "uzb_Cyrl": -0.5, "kaz_Latn": -2.5}
# Languages that few write in Latin letters, and hardly anybody a page: no statistics count them, so these are judgements.
SCRIPT_SHARES |= dict.fromkeys(("zho_Latn", "jpn_Latn", "kor_Latn"), -4.0) | dict.fromkeys(
    ("rus_Latn", "ukr_Latn"), -3.5
)
SCRIPT_SHARES |= dict.fromkeys(("bul_Latn", "ell_Latn", "hye_Latn", "kat_Latn"), -3.0)


@dataclass(frozen=True)
class TextModel:
    """A loaded model file: immutable, shared by threads."""

    path: Path
    memory: mmap.mmap
    kernel: _kernel.LanguageModel

    @cached_property
    def labels(self) -> list[str]:
        """Every label that can be answered, by the kernel's numbers."""
        return list(self.kernel.labels)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The inverse."""
        return {label: number for number, label in enumerate(self.labels)}

    @cached_property
    def tiers(self) -> list[int]:
        """What each label learnt from: 1 much modern text, 2 some, 3 hardly any beside scripture."""
        return list(self.kernel.tiers)

    @cached_property
    def groups(self) -> list[str]:
        """The look-alike group of each label, empty where it has none."""
        return [labels.group(label) or "" for label in self.labels]

    @property
    def manifest(self) -> dict[str, Any]:
        """Where the model comes from: sources, licences, settings, checksum."""
        found: dict[str, Any] = json.loads(self.kernel.manifest)
        return found


@dataclass(frozen=True, slots=True)
class Names:
    """What the kernel's numbers are called; the last of each list is for -1: no label, no group."""

    labels: list[str]
    languages: list[str]  # BCP 47
    scripts: list[str]
    groups: list[str]
    alone: list[tuple[tuple[str, float], ...]]  # the languages of a page that has but one


@dataclass(frozen=True, slots=True)
class TextReader:
    """A model with priors, limits and thresholds: what the text stage calls."""

    model: TextModel
    priors: _kernel.Priors
    log_priors: array[int]  # the same by label, 1/1024 nats
    kernel: _kernel.TextReader
    names: Names
    asked: array[int] | None = None  # which labels a list of languages has; None: all

    def read_text(self, text: str | bytes) -> _kernel.Reading:
        """Read all of a short text."""
        return self.kernel.read(text)


@cache
def load(path: Path = DEFAULT) -> TextModel:
    """Map a model file; the same path gives the same model."""
    try:
        memory = files.contents(path)
        return TextModel(path, memory, _kernel.LanguageModel(memory))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} is not a model that can be used: {error}") from error


def reader(model: TextModel, priors: str | Mapping[str, float], languages: Iterable[str] | None) -> TextReader:
    """A model made ready: priors as log-probabilities, and which labels may be answered. All others are scored too, so that
    text in none of the languages asked for is not forced into one."""
    nats = _nats(model, priors)
    asked = None if languages is None else _asked(model, list(languages))
    if asked is not None:
        nats = _limited(model, nats, asked)
    log_priors = array("i", [round(NATS * value) for value in nats])
    ready = _kernel.Priors(model.kernel, log_priors, asked)
    names = sorted(set(model.groups) - {""})
    numbers = [names.index(group) if group else -1 for group in model.groups]
    boilerplate = model.numbers.get(BOILERPLATE, -1)
    if asked is not None and boilerplate >= 0 and not asked[boilerplate]:
        boilerplate = -1
    policy = THRESHOLDS.policy(numbers, boilerplate)
    return TextReader(
        model, ready, log_priors, _kernel.TextReader(model.kernel, ready, policy, names, UNANSWERED), _names(model, names),
        asked,
    )  # fmt: skip


def _names(model: TextModel, groups: list[str]) -> Names:
    return Names(
        [*model.labels, ""],
        [*map(labels.bcp47, model.labels), ""],
        [*(label.partition("_")[2] for label in model.labels), ""],
        [*groups, ""],
        [*(((label, 1.0),) for label in model.labels), ()],
    )


def _nats(model: TextModel, priors: str | Mapping[str, float]) -> list[float]:
    if isinstance(priors, Mapping):
        weights = {str(labels.fold(known_label(name))): weight_of(name, weight) for name, weight in priors.items()}
        if not any(weights.values()):
            raise UsageError("priors are weights of 0 and more, one of them above 0")
        least = max(min(w for w in weights.values() if w > 0) / 1000, sys.float_info.min)
        return [math.log(max(weights.get(label, least), least)) for label in model.labels]
    if priors == "uniform":
        return [0.0] * len(model.labels)
    if priors == "web":
        powers = (_power(label, tier) for label, tier in zip(model.labels, model.tiers, strict=True))
        return [math.log(10) * _softened(power) for power in powers]
    raise UsageError(f"priors are 'web', 'uniform' or a mapping of labels to weights, not {priors!r}")


def _softened(power: float) -> float:
    """Among common languages a page's own text decides; the whole weight of the statistics is against rare ones."""
    common = max(power, COMMON)
    return SOFT * common + (power - common)


def _power(label: str, tier: int) -> float:
    """How common a label is on the web, as a power of ten."""
    language, _, script = label.partition("_")
    share = web_powers().get(language, RARE.get(tier, RARE[3]))
    if label in SCRIPT_SHARES:
        return share + SCRIPT_SHARES[label]
    usual = labels.parse(language)
    return share if usual is None or usual.script == script else share + OTHER_SCRIPT


def _limited(model: TextModel, nats: list[float], asked: array[int]) -> list[float]:
    """Priors where some labels are asked for: the likeliest of the others is so much behind the likeliest of them."""
    ahead = max(nats) - max(value for value, wanted in zip(nats, asked, strict=True) if wanted)
    alike = {group for group, wanted in zip(model.groups, asked, strict=True) if wanted} - {""}
    behind = {True: ahead + THRESHOLDS.outside_alike, False: ahead + THRESHOLDS.outside}
    return [
        value if wanted else value - behind[group in alike]
        for value, wanted, group in zip(nats, asked, model.groups, strict=True)
    ]


def _asked(model: TextModel, languages: list[str]) -> array[int]:
    """A byte for each label: asked for by itself, by its language in any script, or by its group."""
    wanted = {labels.fold(known_label(name)) for name in languages}
    whole = {str(w) for w in wanted}
    plain = {labels.fold(known_label(name)).language for name in languages if "_" not in name and "-" not in name}
    if not wanted:
        raise UsageError("languages is a list of labels or tags with at least one in it, or None for all")
    grouped = {member for name in languages for member in labels.members(name)}
    mask = array("B", [_is_asked(label, whole | grouped, plain) for label in model.labels])
    if not any(mask):
        raise UsageError(f"none of these languages is in the model: {', '.join(languages)}")
    return mask


def asked_labels(model: TextModel, languages: Sequence[str]) -> list[str]:
    """The labels of a model that tags, labels or groups name."""
    return [label for label, wanted in zip(model.labels, _asked(model, list(languages)), strict=True) if wanted]


def _is_asked(label: str, labels_: set[str], languages: set[str]) -> bool:
    return label in labels_ or label.partition("_")[0] in languages


def weight_of(name: str, weight: float) -> float:
    """A weight among priors, refused with a sentence if it is none."""
    try:
        found = float(weight) if not isinstance(weight, str | bool) else math.nan
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not math.isfinite(found) or found < 0:
        raise UsageError(f"the prior of {name!r} is a number of 0 and more, not {str(weight)[:40]}")
    return found


def known_label(name: str) -> labels.Label:
    """A label or tag as a caller wrote it, refused with a sentence if it names no language."""
    found = labels.parse(name) if isinstance(name, str) else None
    if found is None or found.language in labels.SPECIAL:
        raise UsageError(f"not a language: {name!r}; use a BCP 47 tag ('sr-Latn') or a label ('srp_Latn')")
    return found
