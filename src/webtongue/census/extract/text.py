"""Which of a page's text is in a wanted language: blocks as lines, those in other languages and the boilerplate left out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from webtongue import Contents, Identifier, Segment, Verdict, labels
from webtongue.contents import Block, sentences

__all__ = ["Part", "lines_of", "parts_of"]

UNSEEN = frozenset({"alt", "meta"})  # what no reader of the page sees
MENU = frozenset({"navigation", "link", "title"})  # a title is the name of the site, and the first heading once more
NOISE = frozenset({"numbers", "symbols", "common", "repeated", "notice", "consent"})
EAST_ASIAN = "\u2e80"  # the first character of these scripts
ENOUGH = 40  # letters of a block that may say for itself what it is in
# Of lines beside trafilatura's on dev pages 57% are its own with these, 45% without; of its lines 51% are found in place of 56%.
LONG = 80  # letters of a line that is running text
NEAR = 5  # lines within which a short one belongs to it


@dataclass(frozen=True, slots=True)
class Part:
    """Text of a page in one wanted language: where it stands in the page, and its blocks."""

    label: str
    confidence: float
    reliable: bool
    tier: int
    segments: tuple[Segment, ...]
    blocks: tuple[Block, ...]


def parts_of(found: Contents, wanted: Collection[str], least: float, ident: Identifier) -> Iterator[Part]:
    """What a page has in wanted languages, each of them apart. ``least`` is the confidence below which nothing is taken.

    The page's own language is as sure as the verdict. Another one that holds a twentieth of the text or more is as sure as its
    stretches are, read alone: of a few lines among others a verdict says no more than that they are there.
    """
    verdict = found.verdict
    held = [label for label, _ in found.languages if label in wanted and label != verdict.label]
    main = verdict.label in wanted and verdict.confidence >= least
    if not main and not held:
        return
    judged = _judged(found, ident)
    if main:
        yield Part(
            verdict.label, verdict.confidence, verdict.reliable, verdict.tier,
            _segments(verdict, verdict.label), tuple(_in(judged, verdict.label)),
        )  # fmt: skip
    for label in held:
        blocks = tuple(_in(judged, label))
        alone = ident.identify_text("\n".join(block.text for block in blocks))
        if alone.label == label and alone.reliable and alone.confidence >= least:
            yield Part(label, alone.confidence, True, alone.tier, _segments(verdict, label), blocks)


def lines_of(part: Part, boilerplate: bool) -> list[str]:
    """The text, a line a block; ``boilerplate``: menus, lone links, what pages of every language have and stray lines are kept."""
    left_out = UNSEEN if boilerplate else UNSEEN | MENU
    found = [
        (block.kind, line)
        for block in part.blocks
        if block.kind not in left_out and (boilerplate or not NOISE.intersection(block.noise))
        if (line := " ".join(block.text.split()))
    ]
    return [line for _, line in found] if boilerplate else _running(found)


def _running(found: Sequence[tuple[str, str]]) -> list[str]:
    """Lines that are running text, and short ones among them: a heading before it, an item within it. A page that has none is a
    list or a poem, and stays as it is."""
    long = [_letters(line) >= LONG for _, line in found]
    if not any(long):
        return [line for _, line in found]
    return [
        line
        for i, (kind, line) in enumerate(found)
        if long[i] or (any(long[i + 1 : i + 1 + NEAR]) and (kind == "heading" or any(long[max(0, i - NEAR) : i])))
    ]


def _letters(line: str) -> int:
    """Characters, of which those of East Asia say as much as three letters."""
    return len(line) + 2 * sum(char >= EAST_ASIAN for char in line) if not line.isascii() else len(line)


def _segments(verdict: Verdict, label: str) -> tuple[Segment, ...]:
    return tuple(segment for segment in verdict.segments if segment.label == label)


def _in(judged: Sequence[tuple[Block, str]], label: str) -> Iterator[Block]:
    """Blocks in a language, or in one that looks like it: where a page is Croatian, no line of it is Bosnian."""
    group = labels.group(label)
    for block, own in judged:
        if own == label or (group is not None and labels.group(own) == group):
            yield block


def _judged(found: Contents, ident: Identifier) -> list[tuple[Block, str]]:
    """Every block with its language. Of a page in one language that is the page's; else a block that has enough to say decides
    for itself, and of the others the stretch that they stand in, if its language holds some of the page."""
    verdict, blocks = found.verdict, found.blocks
    segments = sorted(verdict.segments)
    held = [label for label, _ in found.languages]
    page = verdict.label if verdict.label != "mul" else held[0] if held else ""
    if {segment.label for segment in segments} <= {page}:
        return [(block, page) for block in blocks]
    begins = [segment.begin for segment in segments]
    out = []
    for block in _cut(blocks, segments):
        around = segments[max(bisect_right(begins, block.begin) - 1, 0)].label
        own = ident.identify_text(block.text) if _letters(block.text) >= ENOUGH else None
        out.append((block, own.label if own and own.reliable else around if around in held else page))
    return out


def _cut(blocks: Sequence[Block], segments: Sequence[Segment]) -> Iterator[Block]:
    """Blocks, those that several stretches stand in sentence by sentence."""
    inside = [segment.begin for segment in segments]
    for block in blocks:
        if bisect_right(inside, block.begin) < bisect_right(inside, block.end - 1):
            yield from sentences(block)
        else:
            yield block
