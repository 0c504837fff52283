"""What a person wants to see of an answer: the text by segments, and what in it told the first guess from the second."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from webtongue import Identifier, Page, Segment, Verdict
from webtongue.contents import Block, Contents, sentences
from webtongue.serve.cards import card

__all__ = ["blocks_of", "contents_of", "explanation", "of_address"]

READ = 1 << 18  # bytes of a page whose text is taken apart
SHOWN = 20_000  # characters of a page's text that come back: some ten screens
TELLING = 24  # words and n-grams
UNSAID = frozenset({"", "und", "zxx", "mul"})


def explanation(page: Page, is_text: bool, verdict: Verdict, ident: Identifier) -> dict[str, Any]:
    """Of a page or text whose verdict is known."""
    contents = contents_of(page, is_text, ident)
    blocks, cut = blocks_of(page, contents, verdict.segments)
    text = "\n".join("".join(piece["text"] for piece in block["pieces"]) for block in blocks)
    first, second = _guesses(verdict)
    second = second or (ident.rival(text, first) if first else "")
    found = ident.telling(text, first, second, TELLING) if second else ()
    telling = [{"gram": t.gram, "bits": t.bits, "word": t.is_word} for t in found]
    return _explained(verdict, ident, first, second) | {
        "text": blocks, "cut": cut, "misread": contents.misread, "telling": telling,
    }  # fmt: skip


def contents_of(page: Page, is_text: bool, ident: Identifier) -> Contents:
    """The text of a page's beginning: no more is shown, and a page of a million blocks would take a gigabyte."""
    return ident.contents(page if len(page.raw) <= READ else replace(page, raw=page.raw[:READ]), is_text=is_text)


def of_address(verdict: Verdict, ident: Identifier) -> dict[str, Any]:
    """Of an address, which has no text."""
    return _explained(verdict, ident, *_guesses(verdict))


def _guesses(verdict: Verdict) -> tuple[str, str]:
    """The first guess and the second; empty where there is none."""
    first, second, *_ = (*(guess.label for guess in verdict.guesses), "", "")
    return first, second


def _explained(verdict: Verdict, ident: Identifier, first: str, second: str) -> dict[str, Any]:
    named = [first, second, *(label for label, _ in verdict.languages), *(s.label for s in verdict.segments)]
    named += [guess.label for guess in verdict.guesses] + [said.label for said in verdict.evidence]
    tiers = ident.tiers
    names = {label: card(label, tiers.get(label, 0)) for label in dict.fromkeys(named) if label not in UNSAID}
    return {
        "text": [], "cut": False, "misread": False, "first": first, "second": second, "telling": [], "names": names,
    }  # fmt: skip


def blocks_of(page: Page, contents: Contents, segments: Sequence[Segment]) -> tuple[list[dict[str, Any]], bool]:
    """Blocks of text in the order of the page, each as pieces of one language; and whether there is more of it."""
    marks = sorted(segments)
    out, size = [], 0
    for block in contents.blocks:
        if size + len(block.text) > SHOWN:
            block = _beginning(block, SHOWN - size)
        pieces = _merged(_pieces(page.raw, block, marks))
        if pieces:
            out.append({"kind": block.kind, "pieces": pieces})
        size += len(block.text)
        if size >= SHOWN:
            return out, True
    return out, len(page.raw) > READ


def _beginning(block: Block, size: int) -> Block:
    share = size / len(block.text)
    return Block(
        block.text[:size], block.kind, block.lang, block.begin, block.begin + round(share * (block.end - block.begin))
    )


def _pieces(raw: bytes, block: Block, marks: Sequence[Segment]) -> Iterator[tuple[str, str]]:
    """Where a block is its own bytes, it is cut where segments are; else by sentences, each of the segment it stands in."""
    own = block.text.encode("utf-8", "replace")
    if raw[block.begin : block.end] == own:
        inner = {mark for s in marks for mark in (s.begin, s.end) if block.begin < mark < block.end}
        for begin, end in pairwise(sorted({block.begin, block.end} | inner)):
            yield raw[begin:end].decode("utf-8", "replace"), _label_at((begin + end) // 2, marks)
        return
    found = sentences(block)
    for number, part in enumerate(found):
        space = " " if number + 1 < len(found) else ""
        yield part.text + space, _label_at((part.begin + part.end) // 2, marks)


def _label_at(place: int, marks: Sequence[Segment]) -> str:
    at = bisect_right(marks, place, key=lambda s: s.begin) - 1
    return marks[at].label if at >= 0 and place < marks[at].end else ""


def _merged(pieces: Iterator[tuple[str, str]]) -> list[dict[str, str]]:
    out: list[dict[str, str]] = []
    for text, label in pieces:
        if out and (out[-1]["label"] == label or not text.strip()):
            out[-1]["text"] += text
        elif text:
            out.append({"text": text, "label": label})
    return out
