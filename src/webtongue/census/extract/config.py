"""The settings of an extraction, in one object that is sent to workers."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from webtongue import Identifier
from webtongue.content.quality import QualityLimits
from webtongue.errors import UsageError

__all__ = ["ALL_LANGUAGES", "ExtractConfig", "create_extract_config"]

ALL_LANGUAGES = "all"
MAX_LABELS_SHOWN = 50
SHARES = ("min_confidence", "max_symbols", "min_stop_words", "max_repeated_lines", "max_lists")


@dataclass(frozen=True, slots=True)
class ExtractConfig:
    """The languages to extract, as labels, how much of their pages is kept, and the size of files."""

    labels: tuple[str, ...]
    min_confidence: float = 0.9  # for corpora, in which a wrong page costs more than a lost one
    min_characters: int = 1  # minimum length of the text that remains
    max_symbols: float = 1.0  # shares of Quality; these limits exclude nothing
    min_stop_words: float = 0.0
    max_repeated_lines: float = 1.0
    max_lists: float = 1.0
    boilerplate: bool = False  # keep menus, single links, notices
    host_lines: bool = False  # keep lines that other pages of the host had
    duplicates: bool = False  # keep texts that were written before
    near_duplicates: bool = True  # keep texts that are nearly equal to one that was written before
    markdown: bool = False  # write headings, lists, tables, quotations and code as Markdown
    prefilter: bool = True  # reject pages that cannot contain the languages before identifying them
    shard_bytes: int = 1 << 30  # uncompressed rows of a file; a shard ends with the row that reaches this size

    @property
    def limits(self) -> QualityLimits:
        """The limits of quality, except the number of characters, which is known when repeated lines are removed."""
        return QualityLimits(0, self.max_symbols, self.min_stop_words, self.max_repeated_lines, self.max_lists)

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as a JSON object, with a hash of the labels if they are many."""
        names = ",".join(self.labels)
        digest = hashlib.blake2b(names.encode(), digest_size=8).hexdigest()
        is_short = len(self.labels) <= MAX_LABELS_SHOWN
        return asdict(self) | {"labels": names if is_short else f"{len(self.labels)} labels, {digest}"}


def create_extract_config(languages: Sequence[str], ident: Identifier, **settings: float | bool) -> ExtractConfig:
    """Return the settings for ``languages``, which are tags, labels, groups or "all"; raise UsageError for bad values."""
    is_all = ALL_LANGUAGES in languages
    labels = ident.labels if is_all else ident.labels_of(languages)
    config = ExtractConfig(tuple(labels), **{**settings, **({"prefilter": False} if is_all else {})})  # type: ignore[arg-type]
    for name in SHARES:
        value = getattr(config, name)
        if not 0 <= value <= 1 or math.isnan(value):
            raise UsageError(f"{name.replace('_', ' ')} is a share from 0 to 1, not {value:g}")
    if config.shard_bytes < 1:
        raise UsageError("the size of a shard is at least one byte")
    return config
