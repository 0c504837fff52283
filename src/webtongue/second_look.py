"""A page judged again without its bytes, when more is known of it: a census does so once it knows the whole crawl.

What is kept of a page is the languages that it declares and its reading, packed by the kernel; of a short text, which may have to
be read once more for a language that only others speak for, the text itself. Hints are made and weighed by the functions that
judged the page first (fuse.py), and the decision is the same one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from webtongue import _kernel, fuse
from webtongue.hints.declared import Declared, DeclaredEncoding, LanguageClaim
from webtongue.labels import LONGEST_TAG
from webtongue.markup.sniff import Syntax
from webtongue.page import Page
from webtongue.pipeline import Stages
from webtongue.text import REASONS
from webtongue.verdict import Reason

__all__ = ["JudgedAgain", "judge_again", "keep", "restored"]

SIZE = 2  # bytes that say how long what follows is
HTML = Syntax.HTML
MOST_CLAIMS = 64  # declared languages that are kept: a sound page has three
SHORT = 600  # bytes of text that are kept: of a longer one, what was considered is enough
MOST_BLOCKS = 40
# How a block is written so that it is scanned as the kind that it was: by the kernel's numbers.
WRITTEN = (
    "<p>{}</p>", "<title>{}</title>", "<h1>{}</h1>", "<ul><li>{}</li></ul>", '<p><a href="#">{}</a></p>', "<nav><p>{}</p></nav>",
    '<img alt="{}">', '<meta name="description" content="{}">',
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class JudgedAgain:
    """The answer of the second look: what a Verdict has that can change, and what each source did for it, in bits."""

    label: str
    confidence: float
    script: str
    reliable: bool
    tier: int
    reason: Reason
    group: str
    group_confidence: float
    languages: tuple[tuple[str, float], ...]
    bits: Mapping[str, float]


def keep(
    reading: _kernel.Reading, languages: Sequence[LanguageClaim], flow: _kernel.Flow, scan: _kernel.Scan | None = None
) -> bytes:
    """What a second look needs of a page that was read, in some hundred bytes: with its scan, the text itself if that is short."""
    claims = [[claim.form, claim.key, claim.raw[:LONGEST_TAG]] for claim in languages[:MOST_CLAIMS]]
    said = json.dumps(claims, separators=(",", ":")).encode() if claims else b""
    page = b"" if scan is None else _rewritten(scan)
    return b"".join((_size(said), said, _size(page), page or flow.pack(reading)))


def _size(part: bytes) -> bytes:
    return len(part).to_bytes(SIZE, "little")


def _rewritten(scan: _kernel.Scan) -> bytes:
    """A page with the same blocks of text and nothing else; empty where its text is long, or would not come out the same."""
    if scan.text_size > SHORT or not 0 < scan.block_count <= MOST_BLOCKS:
        return b""
    ends, *_, kinds, _ = (column.tolist() for column in scan.blocks())
    text = scan.text
    starts = [0, *(end + 1 for end in ends[:-1])]
    blocks = [text[start:end].decode("utf-8", "replace") for start, end in zip(starts, ends, strict=True)]
    page = "".join([WRITTEN[kind].format(escape(block)) for kind, block in zip(kinds, blocks, strict=True)]).encode()
    again = _kernel.scan(page, HTML, False, True)
    same = again.text == text and again.blocks()[4].tolist() == kinds
    return page if same and len(page) < 1 << 8 * SIZE else b""


def judge_again(kept: bytes, page: Page, encoding: str, by: Stages) -> JudgedAgain:
    """The answer with all that is known of a page now; its bytes are not asked for, its URL, country, links and host are.

    ValueError where the bytes were not kept by this release and model.
    """
    claims, reading, scan = restored(kept, by)
    hints = fuse.hear(page, Declared("", DeclaredEncoding(), (), claims), encoding, by.fusion)
    factor = fuse.factor(reading, by.fusion.by)
    if hints:
        again = None if scan is None else lambda main, wanted: by.flow.read(scan, main, 0, wanted)
        reading = fuse.weigh(reading, hints, by.flow, by.fusion, again)
    label, confidence, script, reliable, tier, number, group, group_confidence = by.text.kernel.answer(reading)
    return JudgedAgain(
        label, confidence, script, reliable, tier, REASONS[number], group, group_confidence,
        by.text.kernel.languages(reading), fuse.bits(reading, hints, by.fusion, factor),
    )  # fmt: skip


def restored(kept: bytes, by: Stages) -> tuple[tuple[LanguageClaim, ...], _kernel.Reading, _kernel.Scan | None]:
    """What was kept of a page: declared languages, its reading by the text alone, and a scan of its text where that was kept."""
    said, rest = _part(kept)
    text, packed = _part(rest)
    scan = _kernel.scan(text, HTML, False, True) if text else None
    return _claims(said), by.flow.unpack(packed) if scan is None else by.flow.read(scan, -1, 0, []), scan


def _part(kept: bytes) -> tuple[bytes, bytes]:
    """The first part of what was kept, and what follows it."""
    end = SIZE + int.from_bytes(kept[:SIZE], "little")
    if len(kept) < end or len(kept) < SIZE:
        raise ValueError("not a reading that was kept")
    return kept[SIZE:end], kept[end:]


def _claims(said: bytes) -> tuple[LanguageClaim, ...]:
    try:
        found = json.loads(said) if said else []
        return tuple(LanguageClaim(str(form), str(key), str(raw)) for form, key, raw in found[:MOST_CLAIMS])
    except (TypeError, KeyError, RecursionError) as error:  # what json.loads refuses is a ValueError already
        raise ValueError("not the languages that a page declares") from error
