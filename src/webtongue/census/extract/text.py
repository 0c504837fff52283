"""Select the text of a page in chosen languages: a line for each block, without boilerplate and blocks in other languages."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from webtongue import Analysis, Block, Identifier, Segment, Verdict, labels

__all__ = ["PageText", "find_texts", "select_lines"]

INVISIBLE_KINDS = frozenset({"alt", "meta"})
MENU_KINDS = frozenset({"navigation", "link", "title"})  # a title repeats the name of the site and the first heading
BOILERPLATE_NOISE = frozenset({"numbers", "symbols", "common", "repeated", "notice", "consent"})
FIRST_EAST_ASIAN = "\u2e80"
MIN_BLOCK_LETTERS = 40  # of a block that is identified by itself
# Compared with the lines of trafilatura on dev pages, these limits raise precision from 45 to 57%, and lower recall from 56 to 51%.
MIN_RUNNING_LETTERS = 80  # of a line of running text
MAX_LINE_DISTANCE = 5  # between running text and a short line that belongs to it


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page in one language, with its byte ranges and blocks."""

    label: str
    confidence: float
    reliable: bool
    tier: int
    segments: tuple[Segment, ...]
    blocks: tuple[Block, ...]


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


def select_lines(text: PageText, boilerplate: bool) -> list[str]:
    """Return a line for each block; ``boilerplate`` keeps menus, single links, notices and stray lines."""
    excluded = INVISIBLE_KINDS if boilerplate else INVISIBLE_KINDS | MENU_KINDS
    lines = [
        (block.kind, line)
        for block in text.blocks
        if block.kind not in excluded and (boilerplate or not BOILERPLATE_NOISE.intersection(block.noise))
        if (line := " ".join(block.text.split()))
    ]
    return [line for _, line in lines] if boilerplate else _running_lines(lines)


def _running_lines(lines: Sequence[tuple[str, str]]) -> list[str]:
    """Return the lines of running text with headings before and short lines within; all lines of a page without running text."""
    is_running = [_count_letters(line) >= MIN_RUNNING_LETTERS for _, line in lines]
    if not any(is_running):
        return [line for _, line in lines]
    return [
        line
        for i, (kind, line) in enumerate(lines)
        if is_running[i]
        or (
            any(is_running[i + 1 : i + 1 + MAX_LINE_DISTANCE])
            and (kind == "heading" or any(is_running[max(0, i - MAX_LINE_DISTANCE) : i]))
        )
    ]


def _count_letters(line: str) -> int:
    """Return the length of a line, in which an East Asian character counts as three letters."""
    return len(line) + 2 * sum(char >= FIRST_EAST_ASIAN for char in line) if not line.isascii() else len(line)


def _segments(verdict: Verdict, label: str) -> tuple[Segment, ...]:
    return tuple(segment for segment in verdict.segments if segment.label == label)


def _blocks_in(labelled: Sequence[tuple[Block, str]], label: str) -> Iterator[Block]:
    """Yield the blocks in a language or in a look-alike of it: no line of a Croatian page is Bosnian."""
    group = labels.group(label)
    for block, block_label in labelled:
        if block_label == label or (group is not None and labels.group(block_label) == group):
            yield block


def _label_blocks(analysis: Analysis, ident: Identifier) -> list[tuple[Block, str]]:
    """Return every block with its language.

    All blocks of a page in one language have that language. On other pages, long blocks are identified by themselves, and short
    ones have the language of the segment that they are in, if it is one of the languages of the page.
    """
    verdict, blocks = analysis.verdict, analysis.blocks
    segments = sorted(verdict.segments)
    page_labels = [label for label, _ in analysis.languages]
    main = verdict.label if verdict.label != "mul" else page_labels[0] if page_labels else ""
    if {segment.label for segment in segments} <= {main}:
        return [(block, main) for block in blocks]
    begins = [segment.begin for segment in segments]
    labelled = []
    for block in _split_blocks(blocks, segments):
        segment_label = segments[max(bisect_right(begins, block.begin) - 1, 0)].label
        own = ident.identify_text(block.text) if _count_letters(block.text) >= MIN_BLOCK_LETTERS else None
        inherited = segment_label if segment_label in page_labels else main
        labelled.append((block, own.label if own and own.reliable else inherited))
    return labelled


def _split_blocks(blocks: Sequence[Block], segments: Sequence[Segment]) -> Iterator[Block]:
    """Yield blocks; those with several segments are split into sentences."""
    begins = [segment.begin for segment in segments]
    for block in blocks:
        if bisect_right(begins, block.begin) < bisect_right(begins, block.end - 1):
            yield from block.sentences()
        else:
            yield block
