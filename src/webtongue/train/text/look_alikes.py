"""Groups of look-alikes and the signs that grammars name for them: what `data/decisive` says.

`groups.tsv`: name, kinds of features that tell its labels apart (grams, words, pairs), how far they are trusted, the labels.
`signs.tsv`: labels that write so, then the forms: words, two words, or characters; a form of another label of the group speaks
against it. A `_` at an end of a form is the edge of a word: `_abc` begins one, `abc_` ends one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from webtongue.files import DATA, rows
from webtongue.train.corpus.pack import script_name

__all__ = ["Group", "Sign", "key_of", "read_groups", "read_signs"]

FOLDER = DATA / "decisive"
KINDS = {"grams": 1, "words": 2, "pairs": 4}  # as in native/text/decisive_keys.hpp
ALL_KINDS = sum(KINDS.values())
MASK = (1 << 64) - 1
SEED, WORD, PAIR = 0x6A09E667F3BCC909, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B  # as in native/text/features.hpp
STEP, LAST = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
LONGEST_GRAM = 4


@dataclass(frozen=True, slots=True)
class Group:
    """Labels that are taken for each other."""

    name: str
    kinds: int
    trust: float
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sign:
    """A form that some labels write and their look-alikes do not."""

    labels: tuple[str, ...]
    form: str


@cache
def read_groups(folder: Path = FOLDER) -> tuple[Group, ...]:
    return tuple(
        Group(name, sum(KINDS[kind] for kind in kinds.split()), float(trust), tuple(labels.split()))
        for name, kinds, trust, labels in rows((folder / "groups.tsv").absolute())
    )


@cache
def read_signs(folder: Path = FOLDER) -> tuple[Sign, ...]:
    return tuple(
        Sign(tuple(labels.split()), form)
        for labels, forms in rows((folder / "signs.tsv").absolute())
        for form in forms.split("|")
    )


def key_of(form: str, label: str) -> int:
    """The kernel's key of a form, in lower case.

    >>> key_of("kerana", "msa_Latn") != key_of("karena", "ind_Latn")
    True
    """
    if script_name(label) == "Hani":
        return _key(SEED, form)
    if form.startswith("_") or form.endswith("_"):
        return _gram(form.replace("_", " "))
    if " " in form:
        return _key(PAIR, form)
    return _key(WORD, form) if len(form) + 2 > LONGEST_GRAM else _gram(f" {form} ")


def _gram(form: str) -> int:
    if len(form) > LONGEST_GRAM:
        raise ValueError(f"data/decisive: {form!r} is longer than the n-grams that the kernel reads")
    return _key(SEED, form)


def _key(seed: int, form: str) -> int:
    state = seed
    for code in map(ord, form):
        state = ((state ^ code) * STEP) & MASK
    state = ((state ^ (state >> 32)) * LAST) & MASK
    return state ^ (state >> 32)


def signs_of(group: Group) -> dict[int, tuple[int, ...]]:
    """Key -> labels, by their number in the group, of the signs that tell the group's labels apart."""
    out: dict[int, set[int]] = {}
    for sign in read_signs():
        own = {i for i, label in enumerate(group.labels) if label in sign.labels}
        if own:
            out.setdefault(key_of(sign.form, group.labels[min(own)]), set()).update(own)
    return {key: tuple(sorted(own)) for key, own in out.items() if len(own) < len(group.labels)}
