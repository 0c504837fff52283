"""Explanations of answers for people: the text by language, and the features that distinguish the first two guesses."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from webtongue import Analysis, Block, Identifier, Segment, Verdict, labels
from webtongue.evidence.conflict import describe_conflict
from webtongue.serve.label_info import describe_label

__all__ = ["explain_analysis", "explain_url", "text_blocks"]

MAX_TEXT_CHARS = 20_000  # about ten screens of text in an explanation
MAX_FEATURES = 24


def explain_analysis(analysis: Analysis, ident: Identifier) -> dict[str, Any]:
    """Return the explanation of a page or text."""
    blocks, is_cut = text_blocks(analysis)
    text = "\n".join("".join(piece["text"] for piece in block["pieces"]) for block in blocks)
    first, second = _two_guesses(analysis.verdict)
    second = second or (ident.runner_up(text, first) if first else "")
    features = ident.top_features(text, first, second, MAX_FEATURES) if second else ()
    return _explanation(analysis.verdict, ident, first, second) | {
        "text": blocks,
        "cut": is_cut,
        "repaired": analysis.is_repaired,
        "features": [{"gram": feature.gram, "bits": feature.bits, "word": feature.is_word} for feature in features],
    }


def explain_url(verdict: Verdict, ident: Identifier) -> dict[str, Any]:
    """Return the explanation of a URL-only answer, which has no text."""
    return _explanation(verdict, ident, *_two_guesses(verdict))


def _two_guesses(verdict: Verdict) -> tuple[str, str]:
    """Return the first guess and the second; empty where there is none."""
    first, second, *_ = (*(guess.label for guess in verdict.guesses), "", "")
    return first, second


def _explanation(verdict: Verdict, ident: Identifier, first: str, second: str) -> dict[str, Any]:
    """Return an explanation without text, with the names of all labels in the verdict."""
    mentioned = [first, second, *(label for label, _ in verdict.languages), *(s.label for s in verdict.segments)]
    mentioned += [guess.label for guess in verdict.guesses] + [source.label for source in verdict.evidence]
    tiers = ident.tiers
    names = {
        label: describe_label(label, tiers.get(label, 0))
        for label in dict.fromkeys(mentioned)
        if label and label not in labels.SPECIAL
    }
    return {
        "text": [], "cut": False, "repaired": False, "first": first, "second": second, "features": [], "names": names,
        "conflict": describe_conflict(verdict),
    }  # fmt: skip


def text_blocks(analysis: Analysis) -> tuple[list[dict[str, Any]], bool]:
    """Return the first blocks of a page's text, each as pieces of one language, and whether text is left out."""
    segments = sorted(analysis.segments)
    blocks: list[dict[str, Any]] = []
    size = 0
    for block in analysis.iter_blocks():
        if size + len(block.text) > MAX_TEXT_CHARS:
            block = _truncate(block, MAX_TEXT_CHARS - size)
        pieces = _merge(_iter_pieces(analysis.page.raw, block, segments))
        if pieces:
            blocks.append({"kind": block.kind, "pieces": pieces})
        size += len(block.text)
        if size >= MAX_TEXT_CHARS:
            return blocks, True
    return blocks, False


def _truncate(block: Block, size: int) -> Block:
    """Return the first characters of a block, with its byte range cut in proportion."""
    end = block.begin + round(size / len(block.text) * (block.end - block.begin))
    return Block(block.text[:size], block.kind, block.lang, block.begin, end)


def _iter_pieces(raw: bytes, block: Block, segments: Sequence[Segment]) -> Iterator[tuple[str, str]]:
    """Yield pieces of a block with their labels.

    A block that equals the page's bytes in UTF-8 is cut at the borders of segments, others at the ends of sentences.
    """
    if raw[block.begin : block.end] == block.text.encode("utf-8", "replace"):
        borders = {border for s in segments for border in (s.begin, s.end) if block.begin < border < block.end}
        for begin, end in pairwise(sorted({block.begin, block.end} | borders)):
            yield raw[begin:end].decode("utf-8", "replace"), _label_at((begin + end) // 2, segments)
        return
    sentences = block.sentences()
    for number, sentence in enumerate(sentences):
        space = " " if number + 1 < len(sentences) else ""
        yield sentence.text + space, _label_at((sentence.begin + sentence.end) // 2, segments)


def _label_at(offset: int, segments: Sequence[Segment]) -> str:
    i = bisect_right(segments, offset, key=lambda s: s.begin) - 1
    return segments[i].label if i >= 0 and offset < segments[i].end else ""


def _merge(pieces: Iterator[tuple[str, str]]) -> list[dict[str, str]]:
    """Return pieces with neighbours of one label merged; a piece without text joins the piece before it."""
    merged: list[dict[str, str]] = []
    for text, label in pieces:
        if merged and (merged[-1]["label"] == label or not text.strip()):
            merged[-1]["text"] += text
        elif text:
            merged.append({"text": text, "label": label})
    return merged
