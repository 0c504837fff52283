"""A page judged again without its bytes, when more is known of it: a census does so once it knows the whole crawl.

What is kept of a page is its reading, packed by the kernel, and the languages that it declares. Hints are made and weighed by the
functions that judged it first (fuse.py), and the decision is the same one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webtongue import _kernel, fuse
from webtongue.hints.declared import Declared, DeclaredEncoding, LanguageClaim
from webtongue.labels import LONGEST_TAG
from webtongue.page import Page
from webtongue.pipeline import Stages
from webtongue.text import REASONS
from webtongue.verdict import Reason

__all__ = ["JudgedAgain", "judge_again", "keep"]

SIZE = 2  # bytes that say how long the declared languages are
MOST_CLAIMS = 64  # declared languages that are kept: a sound page has three


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


def keep(reading: _kernel.Reading, languages: Sequence[LanguageClaim], flow: _kernel.Flow) -> bytes:
    """What a second look needs of a page that was read, in some hundred bytes."""
    claims = [[claim.form, claim.key, claim.raw[:LONGEST_TAG]] for claim in languages[:MOST_CLAIMS]]
    said = json.dumps(claims, separators=(",", ":")).encode() if claims else b""
    return len(said).to_bytes(SIZE, "little") + said + flow.pack(reading)


def judge_again(kept: bytes, page: Page, encoding: str, by: Stages) -> JudgedAgain:
    """The answer with all that is known of a page now; its bytes are not asked for, its URL, country, links and host are.

    ValueError where the bytes were not kept by this release and model.
    """
    size = int.from_bytes(kept[:SIZE], "little")
    reading = by.flow.unpack(kept[SIZE + size :])
    claims = _claims(kept[SIZE : SIZE + size])
    hints = fuse.hear(page, Declared("", DeclaredEncoding(), (), claims), encoding, by.fusion)
    factor = fuse.factor(reading, by.fusion.by)
    if hints:
        reading = fuse.weigh(reading, hints, by.flow, by.fusion, None)
    label, confidence, script, reliable, tier, number, group, group_confidence = by.text.kernel.answer(reading)
    return JudgedAgain(
        label, confidence, script, reliable, tier, REASONS[number], group, group_confidence,
        by.text.kernel.languages(reading), fuse.bits(reading, hints, by.fusion, factor),
    )  # fmt: skip


def _claims(said: bytes) -> tuple[LanguageClaim, ...]:
    try:
        found = json.loads(said) if said else []
        return tuple(LanguageClaim(str(form), str(key), str(raw)) for form, key, raw in found[:MOST_CLAIMS])
    except (TypeError, KeyError, RecursionError) as error:  # what json.loads refuses is a ValueError already
        raise ValueError("not the languages that a page declares") from error
