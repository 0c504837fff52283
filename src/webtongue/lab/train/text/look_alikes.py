"""Read `data/decisive`: groups of look-alike labels, and the signs by which grammars distinguish them.

`groups.tsv`: name, kinds of features that distinguish its labels (grams, words, pairs), factor on their weights, labels.
`signs.tsv`: labels that use the forms, then the forms: words, pairs of words, or characters; a form is evidence against the other
labels of the group. A `_` at the start or end of a form is a word boundary: `_abc` begins a word, `abc_` ends one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from webtongue.files import DATA, read_rows
from webtongue.lab.train.corpus.pack import script_name

__all__ = ["Group", "Sign", "compute_key", "read_groups", "read_signs"]

FOLDER = DATA / "decisive"
KINDS = {"grams": 1, "words": 2, "pairs": 4}  # as in native/text/decisive_keys.hpp
ALL_KINDS = sum(KINDS.values())
MASK = (1 << 64) - 1
# As in native/text/features.hpp.
GRAM_SEED, WORD_SEED, PAIR_SEED = 0x6A09E667F3BCC909, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B
STEP_MULTIPLIER, FINAL_MULTIPLIER = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
MAX_GRAM_CHARS = 4


@dataclass(frozen=True, slots=True)
class Group:
    """Labels that are often confused with each other."""

    name: str
    kinds: int
    trust: float
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sign:
    """A form that some labels use and their look-alikes do not."""

    labels: tuple[str, ...]
    form: str


@cache
def read_groups(folder: Path = FOLDER) -> tuple[Group, ...]:
    """Return the groups of `groups.tsv`."""
    return tuple(
        Group(name, sum(KINDS[kind] for kind in kinds.split()), float(trust), tuple(labels.split()))
        for name, kinds, trust, labels in read_rows((folder / "groups.tsv").absolute())
    )


@cache
def read_signs(folder: Path = FOLDER) -> tuple[Sign, ...]:
    """Return the signs of `signs.tsv`."""
    return tuple(
        Sign(tuple(labels.split()), form)
        for labels, forms in read_rows((folder / "signs.tsv").absolute())
        for form in forms.split("|")
    )


def compute_key(form: str, label: str) -> int:
    """Return the kernel's key of a lower-case form.

    >>> compute_key("kerana", "msa_Latn") != compute_key("karena", "ind_Latn")
    True
    """
    if script_name(label) == "Hani":
        return _hash_form(GRAM_SEED, form)
    if form.startswith("_") or form.endswith("_"):
        return _hash_gram(form.replace("_", " "))
    if " " in form:
        return _hash_form(PAIR_SEED, form)
    return _hash_form(WORD_SEED, form) if len(form) + 2 > MAX_GRAM_CHARS else _hash_gram(f" {form} ")


def _hash_gram(form: str) -> int:
    if len(form) > MAX_GRAM_CHARS:
        raise ValueError(
            f"data/decisive/signs.tsv: {form!r} has more than {MAX_GRAM_CHARS} characters, the longest n-gram"
        )
    return _hash_form(GRAM_SEED, form)


def _hash_form(seed: int, form: str) -> int:
    state = seed
    for code in map(ord, form):
        state = ((state ^ code) * STEP_MULTIPLIER) & MASK
    state = ((state ^ (state >> 32)) * FINAL_MULTIPLIER) & MASK
    return state ^ (state >> 32)


def map_sign_keys(group: Group) -> dict[int, tuple[int, ...]]:
    """Return key -> numbers of labels in the group, for the signs that distinguish labels of the group."""
    labels_by_key: dict[int, set[int]] = {}
    for sign in read_signs():
        numbers = {i for i, label in enumerate(group.labels) if label in sign.labels}
        if numbers:
            labels_by_key.setdefault(compute_key(sign.form, group.labels[min(numbers)]), set()).update(numbers)
    return {key: tuple(sorted(numbers)) for key, numbers in labels_by_key.items() if len(numbers) < len(group.labels)}
