"""The flow of one page through the stages, in one direction:

Page -> markup -> charset (fonts) -> text -> evidence -> combine -> Analysis

The kernel runs the stages that only loop over bytes (native/page/flow.cpp); it finishes most pages. The functions here continue
where it stops.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from webtongue import _kernel, explain, fonts
from webtongue.analysis import Analysis
from webtongue.charset import detection
from webtongue.charset.decoding import ASCII, DECODED_BY_CALLER, NOT_DECODED, VALID_UTF8, Decoding
from webtongue.charset.detection.mojibake import Repair, find_repair, may_be_mojibake
from webtongue.evidence.combine import apply_hints
from webtongue.markup import Markup, Syntax, read_text
from webtongue.markup import read as read_markup
from webtongue.markup.declarations import UNDECLARED, Declared, DeclaredEncoding
from webtongue.markup.documents import MAX_TEXT_CHARS, is_json, read_mail, readable_text
from webtongue.markup.rescan import repair_text
from webtongue.markup.sniff import (
    Sniffed,
    blank_wrong_bom,
    detect_transcoding,
    explain_no_text,
    parse_media_type,
    transcode,
)
from webtongue.model_set import Models
from webtongue.packing import unpack
from webtongue.page import Page
from webtongue.policy import LOG_SCALE, PAGE
from webtongue.read_page import ReadPage
from webtongue.records import dataclass, replace
from webtongue.text import REASONS
from webtongue.verdict import Lazy, Reason, Verdict

__all__ = ["analyze", "analyze_text", "finish", "identify_text", "second_pass"]

DONE, PROBE, NO_TEXT, ENCODING, FONT, DOCUMENT = range(6)  # stages at which the kernel stops (native/page/flow.hpp)
REPAIR_SAMPLE_BYTES = 1 << 16  # bytes of a page that are checked for mojibake


@dataclass(frozen=True, slots=True)
class _DecodedPart:
    """The text of a part of a mail, its decoding, and whether its bytes stand in the mail as they are."""

    text: str
    decoding: Decoding
    is_verbatim: bool


Answer = tuple[str, float, str, bool, int, int, str, float]  # the kernel's answer: see _verdict


def analyze(page: Page, models: Models) -> Analysis:
    """Return the analysis of a page."""
    media = parse_media_type(page.content_type) if page.headers else 0
    return finish(page, models.flow.analyse(page.raw, media, False, False), models)


def analyze_text(page: Page, models: Models) -> Analysis:
    """Return the analysis of UTF-8 text in which nothing is markup; the same answer as :func:`identify_text`."""
    string = page.raw.decode("utf-8", "replace")
    if len(string) > PAGE.short_text_chars:
        return _analyze_long_text(page, models)
    verdict, reading, repair = _read_short_text(string, models)
    markup = read_text(page)
    state = ReadPage(
        page, models, DECODED_BY_CALLER, repair_text(markup, repair) if repair else markup, declared=UNDECLARED
    )
    state.reading, state.is_repaired = reading, repair is not None
    return Analysis(page, verdict, state)


def identify_text(string: str, models: Models) -> Verdict:
    """Return the verdict on a decoded text."""
    if len(string) > PAGE.short_text_chars:
        return _analyze_long_text(Page(string.encode("utf-8", "replace")), models).verdict
    return _read_short_text(string, models)[0]


def identify_texts(strings: Sequence[str], models: Models) -> list[Verdict]:
    """Return the verdicts on decoded texts; the kernel reads the short ones in one call, without the GIL."""
    short = [string for string in strings if len(string) <= PAGE.short_text_chars]
    try:
        readings = iter(models.flow.read_texts(short))
    except UnicodeEncodeError:  # lone surrogates in one of them
        return [identify_text(string, models) for string in strings]
    return [
        _continue_short_text(string, next(readings), models)[0]
        if len(string) <= PAGE.short_text_chars
        else identify_text(string, models)
        for string in strings
    ]


def _analyze_long_text(page: Page, models: Models) -> Analysis:
    return finish(page, models.flow.analyse(page.raw, 0, True, True), models, DECODED_BY_CALLER)


def _read_short_text(string: str, models: Models, original: str = "") -> tuple[Verdict, _kernel.Reading, Repair | None]:
    """Return the verdict on a short text, its reading, and the repair of mojibake in it, if there was any.

    In mail, code and data only what people wrote is read (``markup.documents``); ``original`` is then the whole text.
    """
    try:
        reading_and_answer = models.flow.read_text(string)
    except UnicodeEncodeError:  # lone surrogates
        return _read_short_text(string.encode("utf-8", "replace").decode(), models)
    return _continue_short_text(string, reading_and_answer, models, original)


def _continue_short_text(
    string: str, reading_and_answer: tuple[_kernel.Reading, Answer] | None, models: Models, original: str = ""
) -> tuple[Verdict, _kernel.Reading, Repair | None]:
    """Return the same as :func:`_read_short_text`, after the kernel has read the text."""
    kernel, decoding = models.text.kernel, DECODED_BY_CALLER
    if reading_and_answer is None:  # the text may be font-encoded
        converted, decoding = fonts.convert_text(string, models.text)
        reading_and_answer = kernel.read_and_answer(converted, _text_log_confidence(decoding))
    reading, answer = reading_and_answer
    is_data = REASONS[answer[5]] is Reason.NOT_LANGUAGE or is_json(string)
    if is_data and not original and (text := _readable_text(string.encode(), models)):
        inner = _read_short_text(text[: PAGE.short_text_chars], models, string)
        if inner[0].reliable:
            return inner
    repair = find_repair(string, models.text) if may_be_mojibake(reading) else None
    if repair:
        decoding = _repaired_decoding(decoding, repair)
        reading, answer = kernel.read_and_answer(repair(string), _text_log_confidence(decoding))
    reason = REASONS[answer[5]] if string.strip() else Reason.EMPTY
    details = Lazy(explain.text, original or string, decoding, reading, reason, models.text)
    return _verdict(answer, decoding, details, reason), reading, repair


def _readable_text(raw: bytes, models: Models) -> str:
    """Return the text inside mail, JSON or source code."""
    return "\n".join(part.text for part in _mail_parts(raw, models)).strip() or readable_text(raw)


def finish(page: Page, scanned: _kernel.Analysis, models: Models, decoding: Decoding | None = None) -> Analysis:
    """Return the analysis of a page, continued where the kernel stopped; ``decoding`` is set for text decoded by the caller."""
    source, encoding, bom = page.raw, "", "utf-8"
    if scanned.stop == PROBE:
        encoding, bom = detect_transcoding(page.raw)
        source = transcode(page.raw, encoding) if encoding else blank_wrong_bom(page.raw, bom)
        scanned = models.flow.analyse(source, parse_media_type(page.content_type), True, False)
    if scanned.stop == NO_TEXT:
        return _without_text(page, explain_no_text(page, source, scanned.no_text, scanned.signature), bom, models)
    if scanned.stop in (DOCUMENT, ENCODING):
        unicode = decoding or (_unicode(scanned, encoding) if scanned.stop == DOCUMENT else None)
        if analysis := _read_mail(page, models, unicode) or _read_data(page, models, unicode):
            return analysis
    declared = None if decoding is None else UNDECLARED
    if scanned.stop in (DONE, DOCUMENT):
        decoding = decoding or _unicode(scanned, encoding)
        return _read(ReadPage(page, models, decoding, scanned, source, bom, encoding, declared), scanned.reading)
    markup = Markup(page, source, Syntax(scanned.syntax), scanned.scan, bom, encoding)
    if decoding is not None:
        match = fonts.detect_page_font(markup, models.text)
        markup, decoding = fonts.convert_page(markup, match) if match else (markup, decoding)
    else:
        markup, decoding = detection.decode_page(markup, models.text)
    return _read(ReadPage(page, models, decoding, markup, declared=declared))


def _read_mail(page: Page, models: Models, decoding: Decoding | None) -> Analysis | None:
    """Return the analysis of the text parts of a mail; None if the page is no mail or has no text.

    ``decoding`` is that of a mail in Unicode; a part in another encoding that stands in the mail as it is has its own.
    """
    parts = _mail_parts(page.raw, models)
    for part in parts:
        if decoding is None or (part.is_verbatim and part.decoding.encoding != VALID_UTF8.encoding):
            decoding = part.decoding
    return _read_inner("\n".join(part.text for part in parts), page, models, decoding or VALID_UTF8)


def _mail_parts(raw: bytes, models: Models) -> list[_DecodedPart]:
    """Return the text parts of a mail, each decoded like a page with its Content-Type; none if it is no mail.

    A subject that is longer than the text counts too; others are often in another language.
    """
    mail = read_mail(raw)
    if mail is None:
        return []
    decoded: list[_DecodedPart] = []
    for part in mail.parts:
        scanned = read_markup(Page(part.raw, headers={"content-type": part.content_type}))
        markup, decoding = detection.decode_page(scanned, models.text)
        if text := markup.text.strip():
            decoded.append(_DecodedPart(text, decoding, part.is_verbatim))
    if len(mail.subject) > sum(len(part.text) for part in decoded):
        decoded.insert(0, _DecodedPart(mail.subject, VALID_UTF8, False))
    return decoded


def _read_data(page: Page, models: Models, decoding: Decoding | None) -> Analysis | None:
    """Return the analysis of the text inside JSON or source code in Unicode; None if its language is not reliable."""
    analysis = _read_inner(readable_text(page.raw), page, models, decoding) if decoding else None
    return analysis if analysis is not None and analysis.verdict.reliable else None


def _read_inner(text: str, page: Page, models: Models, decoding: Decoding) -> Analysis | None:
    """Return the analysis of the text inside a document; None if there is none."""
    raw = text[:MAX_TEXT_CHARS].strip().encode("utf-8", "replace")
    if not raw:
        return None
    scanned = models.flow.analyse(raw, 0, True, True)
    is_read = scanned.stop in (DONE, DOCUMENT) and not _text_log_confidence(decoding)
    state = ReadPage(page, models, decoding, scanned, raw, "utf-8", declared=UNDECLARED, is_inner=True)
    return _read(state, scanned.reading if is_read else None)


def _read(state: ReadPage, reading: _kernel.Reading | None = None) -> Analysis:
    """Return the analysis of a scanned and decoded page; ``reading`` is the kernel's reading of its text, if there is one."""
    models = state.models
    log_confidence = _text_log_confidence(state.decoding)
    reading = reading or models.flow.read(state.scan, -1, log_confidence, [])
    if may_be_mojibake(reading) and (repair := _find_page_repair(state, models)):
        log_confidence, reading = _repair(state, repair)
    if not reading.settled and state.weighed:
        reread = partial(_reread, models, state.scan, log_confidence)
        reading = apply_hints(reading, state.weighed, models.flow, models.evidence, reread)
    state.is_certain_text = log_confidence == 0
    answer = models.text.kernel.answer(reading)
    reason = REASONS[answer[5]]
    if answer[0] == "und":
        if not state.source.strip():
            reason = Reason.EMPTY
        if reading.letters and state.decoding.confidence < 1:  # decoded text that resembles no language
            state.decoding = replace(state.decoding, confidence=PAGE.unreadable_encoding)
    state.reading, state.reason = reading, reason
    details = Lazy(explain.page, state, segments=explain.segments_of)
    return Analysis(state.page, _verdict(answer, state.decoding, details, reason), state)


def _repair(state: ReadPage, repair: Repair) -> tuple[int, _kernel.Reading]:
    """Replace mojibake by the repaired text; return its log-probability and its reading."""
    assert state.markup is not None
    state.replace_markup(repair_text(state.markup, repair))
    state.decoding, state.is_repaired = _repaired_decoding(state.decoding, repair), True
    log_confidence = _text_log_confidence(state.decoding)
    return log_confidence, state.models.flow.read(state.scan, -1, log_confidence, [])


def _reread(models: Models, scan: _kernel.Scan, log_confidence: int, main: int, labels: list[int]) -> _kernel.Reading:
    return models.flow.read(scan, main, log_confidence, labels)


def second_pass(packed: bytes, page: Page, encoding: str, models: Models) -> Analysis:
    """Return the analysis of a packed page with the evidence that ``page`` has now; the bytes of ``page`` are not read.

    The census calls it after all pages were read, the crawler when a new link to a short page is found. Raise ValueError if the
    bytes were not packed by this release and model.
    """
    declarations, reading, scan = unpack(packed, models)
    declared = Declared("", DeclaredEncoding(), (), declarations)
    state = ReadPage(page, models, Decoding(encoding, 1.0, "packed"), declared=declared)
    if state.weighed:
        reread = None if scan is None else partial(_reread, models, scan, 0)
        reading = apply_hints(reading, state.weighed, models.flow, models.evidence, reread)
    answer = models.text.kernel.answer(reading)
    state.reading, state.reason = reading, REASONS[answer[5]]
    return Analysis(page, _verdict(answer, state.decoding, Lazy(explain.page, state), state.reason), state)


def _find_page_repair(state: ReadPage, models: Models) -> Repair | None:
    sample = state.scan.slice(0, REPAIR_SAMPLE_BYTES)
    return None if sample.isascii() else find_repair(sample.decode("utf-8", "ignore"), models.text)


def _repaired_decoding(decoding: Decoding, repair: Repair) -> Decoding:
    """Return the decoding of a text whose mojibake was repaired."""
    how = f"{decoding.reason}, text decoded with a wrong encoding before and repaired here ({repair})"
    return replace(decoding, reason=how, text_confidence=min(decoding.text_confidence, repair.confidence))


def _text_log_confidence(decoding: Decoding) -> int:
    """Return the log-probability that the text was decoded correctly, in 1/LOG_SCALE nats; 0 if it is certain."""
    confidence = decoding.text_confidence
    if decoding.confidence < PAGE.guessed_encoding:
        confidence = min(confidence, decoding.confidence)
    return math.floor(LOG_SCALE * math.log(max(confidence, PAGE.min_encoding_confidence))) if confidence < 1 else 0


def _without_text(page: Page, kind: Sniffed, bom: str, models: Models) -> Analysis:
    state = ReadPage(page, models, NOT_DECODED, bom=bom)
    verdict = Verdict("zxx", 1.0, reason=kind.reason, details=explain.no_text(kind.why, state.declared))
    return Analysis(page, verdict, state)


def _unicode(scanned: _kernel.Analysis, encoding: str) -> Decoding:
    return Decoding(encoding, 1.0, "bytes") if encoding else VALID_UTF8 if scanned.multibyte else ASCII


def _verdict(answer: Answer, decoding: Decoding, details: Lazy, reason: Reason) -> Verdict:
    label, confidence, script, reliable, tier, _, group, group_confidence = answer
    return Verdict(
        label,
        confidence,
        script,
        decoding.encoding,
        decoding.confidence,
        reliable,
        reason,
        tier,
        group,
        group_confidence,
        details,
    )
