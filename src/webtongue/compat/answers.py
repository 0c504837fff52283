"""Answers of webtongue as the codes and scores of other packages; every module of this package uses it."""

from __future__ import annotations

from collections.abc import Mapping

from webtongue import Verdict, labels

__all__ = ["NORWEGIAN", "rank_codes", "rank_labels", "spell_label"]

NORWEGIAN = {"nob": "no"}  # most packages have one code for Bokmål and for Norwegian as a whole


def rank_labels(verdict: Verdict) -> list[tuple[str, float]]:
    """Return labels with probabilities, best first; ``zxx`` alone for what is not language, ``und`` alone for no guess.

    >>> rank_labels(Verdict("und", 0.0))
    [('und', 0.0)]
    """
    if verdict.label == "zxx":
        return [("zxx", verdict.confidence)]
    guesses = [(guess.label, guess.probability) for guess in verdict.guesses]
    if verdict.label not in labels.SPECIAL:
        others = [guess for guess in guesses if guess[0] != verdict.label]
        return [(verdict.label, verdict.confidence), *others]
    return guesses or [("und", 0.0)]


def spell_label(label: str, spellings: Mapping[str, str]) -> str:
    """Return the code of a label: by ``spellings`` of the label or its language, else ISO 639-1, else ISO 639-3.

    >>> spell_label("zho_Hant", {"zho_Hant": "zh-tw"}), spell_label("srp_Latn", {}), spell_label("nob_Latn", NORWEGIAN)
    ('zh-tw', 'sr', 'no')
    """
    code = spellings.get(label) or spellings.get(label.partition("_")[0])
    return code or labels.bcp47(label).partition("-")[0]


def rank_codes(verdict: Verdict, spellings: Mapping[str, str]) -> list[tuple[str, float]]:
    """Return codes with probabilities, best first; those of labels with the same code are added up."""
    totals: dict[str, float] = {}
    for label, probability in rank_labels(verdict):
        code = spell_label(label, spellings)
        totals[code] = totals.get(code, 0.0) + probability
    return sorted(totals.items(), key=lambda item: -item[1])
