"""The language model of the text stage: mapped into memory once, with the priors and the allowlist of an Identifier."""

from __future__ import annotations

import json
import math
import mmap
import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from webtongue import _kernel, files, labels
from webtongue.errors import ModelError, UsageError
from webtongue.policy import LOG_SCALE, TEXT, kernel_policy
from webtongue.records import dataclass
from webtongue.reference.web_shares import web_powers
from webtongue.text.reasons import UNANSWERED

__all__ = ["TextModel", "TextReader", "allowed_labels", "load", "reader"]

BOILERPLATE_LABEL = "eng_Latn"  # language of the notices, forms and default titles of servers and authoring tools
DEFAULT = files.MODELS / "text.wtm"

# Shares of the web's pages, as powers of ten. By tier, the share of labels without crawl statistics:
RARE_POWERS = {1: -6.5, 2: -7.0, 3: -7.5}
COMMON_POWER = -3.5  # a language with a larger share is common; about 55 languages are
COMMON_SLOPE = 0.3  # factor of the difference between two common languages
# Factors, as powers of ten, of the language's share for labels in an unusual script of the language.
OTHER_SCRIPT_POWER = -2.0
SCRIPT_POWERS = {"srp_Latn": -0.3, "srp_Cyrl": -0.3, "zho_Hant": -0.7, "uzb_Cyrl": -0.5, "kaz_Latn": -2.5}
# Languages with hardly any pages in Latin letters. There are no statistics, so that these are judgements.
SCRIPT_POWERS |= dict.fromkeys(("zho_Latn", "jpn_Latn", "kor_Latn"), -4.0) | dict.fromkeys(
    ("rus_Latn", "ukr_Latn"), -3.5
)
SCRIPT_POWERS |= dict.fromkeys(("bul_Latn", "ell_Latn", "hye_Latn", "kat_Latn"), -3.0)
MAX_QUOTED_CHARS = 40  # characters of a wrong argument that an error message quotes


@dataclass(frozen=True)
class TextModel:
    """A loaded model file: immutable, shared by threads."""

    path: Path
    memory: mmap.mmap
    kernel: _kernel.LanguageModel

    @cached_property
    def labels(self) -> list[str]:
        """The labels that can be answered, in the order of the kernel's label numbers."""
        return list(self.kernel.labels)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each label."""
        return {label: number for number, label in enumerate(self.labels)}

    @cached_property
    def tiers(self) -> list[int]:
        """The training text of each label: 1 much modern text, 2 some, 3 hardly any beside scripture."""
        return list(self.kernel.tiers)

    @cached_property
    def groups(self) -> list[str]:
        """The look-alike group of each label; empty for a label without look-alikes."""
        return [labels.group(label) or "" for label in self.labels]

    @property
    def manifest(self) -> dict[str, Any]:
        """The origin of the model: sources, licences, settings, checksum."""
        manifest: dict[str, Any] = json.loads(self.kernel.manifest)
        return manifest


@dataclass(frozen=True, slots=True)
class Names:
    """Names by the kernel's numbers; the last item of each list is the empty name for -1, no label or group."""

    labels: list[str]
    languages: list[str]  # BCP 47
    scripts: list[str]
    groups: list[str]
    single_language: list[tuple[tuple[str, float], ...]]  # `Verdict.languages` of a page in this label alone


@dataclass(frozen=True, slots=True)
class TextReader:
    """A language model with priors, an allowlist and a policy: the interface of the text stage."""

    model: TextModel
    priors: _kernel.Priors
    log_priors: array[int]  # the same by label number, in 1/1024 nats
    kernel: _kernel.TextReader
    names: Names
    allowed: array[int] | None = None  # 1 for each label of the allowlist; None without an allowlist

    def prior_nats(self, label: int, reading: _kernel.Reading) -> float:
        """Return the faded log prior of a label, as it was used in a reading, in nats."""
        return self.priors.faded(self.log_priors[label], reading.prior_weight) / LOG_SCALE

    def read_text(self, text: str | bytes) -> _kernel.Reading:
        """Return the reading of a whole text."""
        return self.kernel.read(text)


@cache
def load(path: Path = DEFAULT) -> TextModel:
    """Return the model in a file, which is mapped into memory once."""
    try:
        memory = files.map_model(path)
        return TextModel(path, memory, _kernel.LanguageModel(memory, _word_labels() if path == DEFAULT else []))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} cannot be used as a text model: {error}") from error


def _word_labels() -> list[str]:
    """Return the labels of the shipped model whose look-alikes are distinguished by words and pairs of words, not by n-grams."""
    groups = files.read_rows(files.DATA / "decisive" / "groups.tsv")
    return [labels.split()[0] for _, kinds, _, labels in groups if "grams" not in kinds.split()]


def reader(model: TextModel, priors: str | Mapping[str, float], languages: Iterable[str] | None) -> TextReader:
    """Return a model with priors and an allowlist of languages.

    Labels outside the allowlist are scored too, so that text in another language is not forced into an allowed one.
    """
    nats = _prior_nats(model, priors)
    allowed = None if languages is None else _allowlist(model, list(languages))
    if allowed is not None:
        nats = _lower_outside(model, nats, allowed)
    log_priors = array("i", [round(LOG_SCALE * value) for value in nats])
    kernel_priors = _kernel.Priors(model.kernel, log_priors, allowed, TEXT.prior_fade)
    groups = sorted(set(model.groups) - {""})
    group_numbers = [groups.index(group) if group else -1 for group in model.groups]
    boilerplate = model.numbers.get(BOILERPLATE_LABEL, -1)
    if allowed is not None and boilerplate >= 0 and not allowed[boilerplate]:
        boilerplate = -1
    policy = kernel_policy(group_numbers, boilerplate)
    kernel = _kernel.TextReader(model.kernel, kernel_priors, policy, groups, UNANSWERED)
    return TextReader(model, kernel_priors, log_priors, kernel, _names(model, groups), allowed)


def _names(model: TextModel, groups: list[str]) -> Names:
    return Names(
        [*model.labels, ""],
        [*map(labels.bcp47, model.labels), ""],
        [*[label.partition("_")[2] for label in model.labels], ""],
        [*groups, ""],
        [*[((label, 1.0),) for label in model.labels], ()],
    )


def _prior_nats(model: TextModel, priors: str | Mapping[str, float]) -> list[float]:
    """Return the log prior of each label, in nats up to a constant."""
    if isinstance(priors, Mapping):
        weights = {
            str(labels.fold(parse_language(name))): parse_weight(name, weight) for name, weight in priors.items()
        }
        if not any(weights.values()):
            raise UsageError("priors are weights of 0 and more, at least one of them above 0")
        floor = max(min(w for w in weights.values() if w > 0) / 1000, sys.float_info.min)
        return [math.log(max(weights.get(label, floor), floor)) for label in model.labels]
    if priors == "uniform":
        return [0.0] * len(model.labels)
    if priors == "web":
        return _web_nats(model)
    raise UsageError(f"priors are 'web', 'uniform' or a mapping of labels to weights, not {priors!r}")


def _web_nats(model: TextModel) -> list[float]:
    """Return log priors by how common labels are on the web.

    Differences between common languages are scaled down, since the text decides between them; those of rare languages are not.
    """
    shares = web_powers()
    nats = []
    for label, tier in zip(model.labels, model.tiers, strict=True):
        language, _, script = label.partition("_")
        power = shares.get(language, RARE_POWERS.get(tier, RARE_POWERS[3]))
        if label in SCRIPT_POWERS:
            power += SCRIPT_POWERS[label]
        elif script != (labels.usual_script(language) or script):
            power += OTHER_SCRIPT_POWER
        common = max(power, COMMON_POWER)
        nats.append(math.log(10) * (COMMON_SLOPE * common + (power - common)))
    return nats


def _lower_outside(model: TextModel, nats: list[float], allowed: array[int]) -> list[float]:
    """Return log priors with labels outside the allowlist lowered.

    The commonest label outside the allowlist is then a fixed distance behind the commonest allowed label.
    """
    lead = max(nats) - max(value for value, is_allowed in zip(nats, allowed, strict=True) if is_allowed)
    look_alikes = {group for group, is_allowed in zip(model.groups, allowed, strict=True) if is_allowed} - {""}
    penalty = {True: lead + TEXT.outside_look_alike_nats, False: lead + TEXT.outside_nats}
    return [
        value if is_allowed else value - penalty[group in look_alikes]
        for value, is_allowed, group in zip(nats, allowed, model.groups, strict=True)
    ]


def _allowlist(model: TextModel, languages: list[str]) -> array[int]:
    """Return 1 for each label that is named by itself, by its language in any script, or by its look-alike group."""
    if not languages:
        raise UsageError("languages is a list of labels or tags with at least one item, or None for all languages")
    named = {str(labels.fold(parse_language(name))) for name in languages}
    named |= {member for name in languages for member in labels.members(name)}
    any_script = {
        labels.fold(parse_language(name)).language for name in languages if "_" not in name and "-" not in name
    }
    mask = array("B", [label in named or label.partition("_")[0] in any_script for label in model.labels])
    if not any(mask):
        raise UsageError(f"none of these languages is in the model: {', '.join(languages)}")
    return mask


def allowed_labels(model: TextModel, languages: Sequence[str]) -> list[str]:
    """Return the labels of a model that tags, labels or groups name."""
    return [
        label for label, is_allowed in zip(model.labels, _allowlist(model, list(languages)), strict=True) if is_allowed
    ]


def parse_weight(name: str, weight: float) -> float:
    """Return the weight of a language among priors; raise UsageError unless it is a finite number of 0 or more."""
    try:
        value = float(weight) if not isinstance(weight, str | bool) else math.nan
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not math.isfinite(value) or value < 0:
        raise UsageError(f"the prior of {name!r} is a number of 0 and more, not {str(weight)[:MAX_QUOTED_CHARS]}")
    return value


def parse_language(name: str) -> labels.Label:
    """Return the label that a caller's tag, code or name stands for; raise UsageError if it names no language."""
    label = labels.parse(name) if isinstance(name, str) else None
    if label is None or label.language in labels.SPECIAL:
        forms = "a BCP 47 tag ('sr-Latn'), a label ('srp_Latn') or an English name ('Serbian')"
        raise UsageError(f"not a language: {name!r}; use {forms}")
    return label
