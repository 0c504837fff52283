"""The settings of an extraction, in one object that is sent to workers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from webtongue import Identifier
from webtongue.errors import UsageError

__all__ = ["ExtractConfig", "create_extract_config"]


@dataclass(frozen=True, slots=True)
class ExtractConfig:
    """The languages to extract, as labels, and how much of their pages is kept."""

    labels: tuple[str, ...]
    min_confidence: float = 0.9  # for corpora, in which a wrong page costs more than a lost one
    min_characters: int = 1  # of the text that remains
    boilerplate: bool = False  # keep menus, single links, notices, and lines that other pages of the host had
    duplicates: bool = False  # keep texts that were written before
    prefilter: bool = True  # reject pages that cannot contain the languages before identifying them


def create_extract_config(languages: Sequence[str], ident: Identifier, **settings: float | bool) -> ExtractConfig:
    """Return the settings for ``languages``, which are tags, labels or groups; raise UsageError for bad values."""
    config = ExtractConfig(tuple(ident.labels_of(languages)), **settings)  # type: ignore[arg-type]
    if not 0 <= config.min_confidence <= 1 or math.isnan(config.min_confidence):
        raise UsageError(f"a confidence is a probability from 0 to 1, not {config.min_confidence:g}")
    return config
