"""INLINKS over NFC (Hayati 2004, algorithm 5.5): a short page has the language of most pages that link to it.

A document is a Page with its ``inlinks``, of which those with a known language vote; other documents are answered by NFC. The model
is that of NFC.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from webtongue import labels
from webtongue.lab.methods.base import UND, Answer
from webtongue.lab.methods.document import Document, read_text
from webtongue.lab.methods.hayati import MAX_INLINKS, MIN_LENGTH, majority
from webtongue.lab.methods.nfc import Nfc, NfcSettings
from webtongue.page import Page

__all__ = ["Inlinks", "InlinksSettings"]


@dataclass(frozen=True, slots=True)
class InlinksSettings(NfcSettings):
    """Pages longer than ``min_length`` characters are answered by their text; of the others the first ``max_inlinks`` links vote.

    Links win a tie (section 5.6), or the page's own guess with ``own_wins``; one link can then never change an answer.
    """

    min_length: int = MIN_LENGTH
    max_inlinks: int = MAX_INLINKS
    own_wins: bool = False


@dataclass(frozen=True)
class Inlinks(Nfc):
    """NFC, and the languages of linking pages for short pages."""

    name: ClassVar[str] = "inlinks"
    model_of: ClassVar[str] = "nfc"
    reads: ClassVar[frozenset[str]] = frozenset({"inlinks"})
    answer_settings: ClassVar[frozenset[str]] = frozenset({"min_length", "max_inlinks", "own_wins"})

    settings: InlinksSettings

    def answer(self, document: Document) -> Answer:
        """Return the language that most links and the page's own guess have; the score is its share of these votes."""
        own = super().answer(document)
        votes = self._list_votes(document)
        if not votes:
            return own
        own_votes = [] if own.label == UND else [own.label]
        all_votes = [*own_votes, *votes] if self.settings.own_wins else [*votes, *own_votes]
        label = majority(all_votes)
        others = tuple(other for other in dict.fromkeys(all_votes) if other != label)
        return replace(own, label=label, score=all_votes.count(label) / len(all_votes), reason="", alternatives=others)

    def _list_votes(self, document: Document) -> list[str]:
        """Return the languages of the first linking pages; none for a page that is long enough by itself."""
        if not isinstance(document, Page) or len(read_text(document)) > self.settings.min_length:
            return []
        parsed = [labels.parse(link.language) for link in document.inlinks if link.language]
        return [str(labels.fold(label)) for label in parsed if label is not None][: self.settings.max_inlinks]
