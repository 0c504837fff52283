"""The flow in one screen: a page goes through the stages, one way, and comes out as a Verdict.

Page -> markup -> coding (fonts) -> text -> hints -> fuse -> Verdict

The kernel takes a page through as many stages as need nothing but loops over bytes (native/page/flow.cpp), for most pages
all of them. Where it stops, the flow goes on here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from webtongue import _kernel, coding, explain, fonts, fuse
from webtongue.encodings.decoding import ASCII, VALID, Decoding
from webtongue.encodings.repair import repair
from webtongue.hints.declared import Declared, DeclaredEncoding, declared, encoding_labels, wide_declaration
from webtongue.hints.hint import Hint
from webtongue.markup import Markup, Syntax, noise
from webtongue.markup.rescan import repaired
from webtongue.markup.sniff import FORMATS, Sniffed, media_of, nothing_in, transcoded, transcoding_of
from webtongue.page import Page, content_headers
from webtongue.text import REASONS, TextReader
from webtongue.text.thresholds import NATS
from webtongue.verdict import Lazy, Reason, Verdict

__all__ = ["Answer", "Judged", "Stages", "go_on", "identify", "identify_text", "stages"]

DONE, PROBE, NOTHING, CODING, FONT = range(5)  # where the kernel stopped
MISREAD = REASONS.index(Reason.MISREAD)
UNREADABLE = 0.3  # confidence in an encoding in which the text fits no language
GUESSED = 0.5  # confidence in an encoding below which it is a guess
LEAST = 0.001  # of such a confidence
DECODED = Decoding("", 1.0, "decoded by the caller")
UNDECLARED = Declared("", DeclaredEncoding(), ())
TWICE = "its text read in a wrong encoding before and put right here"
SHORT = 600  # characters of a text that is read whole, as one piece; longer ones are sampled like a page

Answer = tuple[str, float, str, bool, int, int, str, float]  # as the kernel gives it: see _verdict


@dataclass(frozen=True, slots=True)
class Stages:
    """The models that a page goes by, made ready with an Identifier's settings."""

    text: TextReader
    flow: _kernel.Flow
    fusion: fuse.Fusion


class Judged(NamedTuple):
    """A Verdict and what was found on the way to it: what a census keeps of a page. A page without text has the first two alone."""

    verdict: Verdict
    said: Declared
    reading: _kernel.Reading | None = None
    scanned: Markup | None = None
    hints: Sequence[Hint] = ()
    factor: float = 1.0  # that hints were weighed with
    misread: bool = False  # its text was read in a wrong encoding before, and was put right


def stages(text: TextReader, fusion: fuse.Fusion) -> Stages:
    """The other stages' tables put beside the text stage's."""
    return Stages(text, _kernel.Flow(text.kernel, fonts.load(), noise.common(), FORMATS, encoding_labels()), fusion)


def identify(page: Page, by: Stages) -> Verdict:
    """Say what a page is in."""
    media = media_of(page.content_type) if page.headers else 0
    return go_on(page, by.flow.analyse(page.raw, media, False, False), by).verdict


def identify_text(string: str, by: Stages) -> Verdict:
    """Say what a decoded text is in."""
    if len(string) > SHORT:
        page = Page(string.encode("utf-8", "replace"))
        return go_on(page, by.flow.analyse(page.raw, 0, True, True), by, DECODED).verdict
    try:
        found = by.flow.read_text(string)
    except UnicodeEncodeError:  # lone surrogates
        return identify_text(string.encode("utf-8", "replace").decode(), by)
    font = ""
    if found is None:
        shown, font = fonts.convert_text(string, by.text)
        found = by.text.kernel.read_and_answer(shown)
    reading, answer = found
    if answer[5] == MISREAD and (fixed := repair(string)) != string:
        reading, answer = by.text.kernel.read_and_answer(fixed)
    reason = REASONS[answer[5]] if string.strip() else Reason.EMPTY
    return _verdict(answer, font, 1.0, Lazy(explain.text, string, font, reading, reason, by.text), reason)


def go_on(page: Page, found: _kernel.Analysis, by: Stages, decoding: Decoding | None = None) -> Judged:
    """From where the kernel stopped to what is said of a page; ``decoding`` is given for text that was decoded by the caller."""
    source, encoding, bom = page.raw, "", "utf-8"
    if found.stop == PROBE:
        encoding, bom = transcoding_of(page.raw)
        source = transcoded(page.raw, encoding) if encoding else page.raw
        found = by.flow.analyse(source, media_of(page.content_type), True, False)
    if found.stop == NOTHING:
        kind = nothing_in(page, source, found.nothing, found.signature)
        return _nothing(page, kind, bom)
    scanned = Markup(page, source, Syntax(found.syntax), found.scan, bom, encoding)
    if found.stop == DONE:
        return judge(scanned, decoding or _unicode(found, encoding), by, found.reading, is_text=decoding is not None)
    if decoding is not None:
        return judge(*(fonts.read(scanned, by.text) or (scanned, decoding)), by, is_text=True)
    return judge(*coding.decode(scanned, by.text), by)


def judge(
    scanned: Markup, decoding: Decoding, by: Stages, reading: _kernel.Reading | None = None, *, is_text: bool = False
) -> Judged:
    """From what was scanned and decoded, and read if it was read already, to what is said of it; a text declares nothing."""
    page = scanned.page
    said = UNDECLARED if is_text else said_by(page, scanned.scan, scanned.source, scanned.bom, scanned.transcoded, by)
    doubt = round(NATS * math.log(max(decoding.confidence, LEAST))) if decoding.confidence < GUESSED else 0
    reading = reading or by.flow.read(scanned.scan, -1, doubt, [])
    misread = reading.reason == MISREAD
    if misread:
        scanned, decoding = repaired(scanned), replace(decoding, how=f"{decoding.how}, {TWICE}")
        reading = by.flow.read(scanned.scan, -1, doubt, [])
    hints = None if reading.settled else fuse.hear(page, said, decoding.encoding, by.fusion)
    factor = fuse.factor(reading, by.fusion.by)
    if hints:
        scan = scanned.scan

        def again(main: int, wanted: list[int]) -> _kernel.Reading:
            return by.flow.read(scan, main, doubt, wanted)

        reading = fuse.weigh(reading, hints, by.flow, by.fusion, again)
    answer = by.text.kernel.answer(reading)
    reason = REASONS[answer[5]]
    if answer[0] == "und":
        if not scanned.source.strip():
            reason = Reason.EMPTY
        if reading.letters and decoding.confidence < 1:  # it reads like nothing
            decoding = replace(decoding, confidence=UNREADABLE)
    heard = explain.Heard(page, scanned.transcoded, decoding, said, hints, factor, by.fusion)
    details = Lazy(explain.page, heard, reading, reason, segments=explain.segments_of)
    verdict = _verdict(answer, decoding.encoding, decoding.confidence, details, reason)
    return Judged(verdict, said, reading, scanned, hints or (), factor, misread)


def said_by(page: Page, scan: _kernel.Scan, source: bytes, bom: str, transcoded: str, by: Stages) -> Declared:
    """What a page and its server declare."""
    packed = by.flow.claims(scan, source, page.raw)
    return declared(packed, *content_headers(page.headers), bom, wide_declaration(page.raw) if transcoded else "")


def _nothing(page: Page, kind: Sniffed, bom: str) -> Judged:
    said = declared(b"", *content_headers(page.headers), bom)
    return Judged(Verdict("zxx", 1.0, reason=kind.reason, details=explain.no_text(kind.why, said)), said)


def _unicode(found: _kernel.Analysis, encoding: str) -> Decoding:
    return Decoding(encoding, 1.0, "bytes") if encoding else VALID if found.multibyte else ASCII


def _verdict(answer: Answer, encoding: str, sure: float, details: Lazy, reason: Reason | None = None) -> Verdict:
    label, confidence, script, reliable, tier, number, group, group_confidence = answer
    return Verdict(
        label, confidence, script, encoding, sure, reliable, REASONS[number] if reason is None else reason, tier, group,
        group_confidence, details,
    )  # fmt: skip
