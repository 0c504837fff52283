"""Select the text of a page in chosen languages: its blocks without those in other languages."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from webtongue import Analysis, Identifier, Segment, Verdict, labels
from webtongue.content.places import PlacedBlock, placed_blocks
from webtongue.content.select import count_letters

__all__ = ["PageText", "find_texts"]

MIN_BLOCK_LETTERS = 40  # shorter blocks are not identified by themselves


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page in one language, with its byte ranges and blocks."""

    label: str
    confidence: float
    reliable: bool
    tier: int
    segments: tuple[Segment, ...]
    blocks: tuple[PlacedBlock, ...]


def find_texts(
    analysis: Analysis, wanted: Collection[str], min_confidence: float, ident: Identifier
) -> Iterator[PageText]:
    """Yield the texts of a page in the wanted languages, one for each language.

    The main language of a page has the confidence of the verdict. Another language with a twentieth of the text or more has the
    confidence of its own blocks, which are identified alone: the verdict only tells that they exist.
    """
    verdict = analysis.verdict
    others = [label for label, _ in analysis.languages if label in wanted and label != verdict.label]
    has_main = verdict.label in wanted and verdict.confidence >= min_confidence
    if not has_main and not others:
        return
    labelled = _label_blocks(analysis, ident)
    if has_main:
        yield PageText(
            verdict.label, verdict.confidence, verdict.reliable, verdict.tier,
            _segments(verdict, verdict.label), tuple(_blocks_in(labelled, verdict.label)),
        )  # fmt: skip
    for label in others:
        blocks = tuple(_blocks_in(labelled, label))
        own = ident.identify_text("\n".join(block.text for block in blocks))
        if own.label == label and own.reliable and own.confidence >= min_confidence:
            yield PageText(label, own.confidence, True, own.tier, _segments(verdict, label), blocks)


def _segments(verdict: Verdict, label: str) -> tuple[Segment, ...]:
    return tuple(segment for segment in verdict.segments if segment.label == label)


def _blocks_in(labelled: Sequence[tuple[PlacedBlock, str]], label: str) -> Iterator[PlacedBlock]:
    """Yield the blocks in a language or in a look-alike of it: no line of a Croatian page is Bosnian."""
    group = labels.group(label)
    for block, block_label in labelled:
        if block_label == label or (group is not None and labels.group(block_label) == group):
            yield block


def _label_blocks(analysis: Analysis, ident: Identifier) -> list[tuple[PlacedBlock, str]]:
    """Return every block with its language.

    All blocks of a page in one language have that language. On other pages, long blocks are identified by themselves, and short
    ones have the language of the segment that they are in, if it is one of the languages of the page.
    """
    verdict, blocks = analysis.verdict, list(placed_blocks(analysis))
    segments = sorted(verdict.segments)
    page_labels = [label for label, _ in analysis.languages]
    main = verdict.label if verdict.label != "mul" else page_labels[0] if page_labels else ""
    if {segment.label for segment in segments} <= {main}:
        return [(block, main) for block in blocks]
    begins = [segment.begin for segment in segments]
    labelled = []
    for block in _split_blocks(blocks, segments):
        segment_label = segments[max(bisect_right(begins, block.begin) - 1, 0)].label
        own = ident.identify_text(block.text) if count_letters(block.text) >= MIN_BLOCK_LETTERS else None
        inherited = segment_label if segment_label in page_labels else main
        labelled.append((block, own.label if own and own.reliable else inherited))
    return labelled


def _split_blocks(blocks: Sequence[PlacedBlock], segments: Sequence[Segment]) -> Iterator[PlacedBlock]:
    """Yield blocks; those with several segments are split into sentences."""
    begins = [segment.begin for segment in segments]
    for block in blocks:
        if bisect_right(begins, block.begin) < bisect_right(begins, block.end - 1):
            yield from block.sentences()
        else:
            yield block
