"""The flow in one screen: a page goes through the stages, one way, and comes out as a Verdict.

Page -> markup -> coding (fonts) -> text -> hints -> Verdict
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from webtongue import _kernel, coding, fonts, labels, markup, text
from webtongue.coding import Decoded, Decoding
from webtongue.encodings.codecs import decode as decode_bytes
from webtongue.encodings.codecs import single_byte_table
from webtongue.encodings.repair import repair
from webtongue.hints.declared import LANGUAGE, declared_encoding, declared_language
from webtongue.markup import Markup, Syntax, noise
from webtongue.page import Page
from webtongue.text import Reading
from webtongue.text.model import Reader
from webtongue.text.segments import segments_of
from webtongue.url.baselines import COUNTRY_LANGUAGE, tld
from webtongue.verdict import Evidence, Guess, Segment, Verdict

__all__ = ["decode_source", "detect", "identify", "identify_text"]

UNREADABLE = 0.3  # confidence in a declared encoding in which the text fits no language
DECODED = Decoding("", 1.0, "decoded by the caller")
GUESSED = 0.5  # confidence in an encoding below which it is a guess
NO_FONT = 0.9  # chance of an old encoding from which on a text that may be a font's is read in it too
BOM = "\ufeff"
TWICE = "its text read in a wrong encoding before and put right here"
GLANCE = 256  # bytes of a text that detect() takes the language of
SHORT = 600  # characters of a text that is read whole, as one piece; longer ones are sampled like a page


def identify(page: Page | bytes, reader: Reader) -> Verdict:
    """Say what a page is in. Most need nothing special and go through all stages in one call of the kernel."""
    raw = page if isinstance(page, bytes) else b"" if page.headers else page.raw
    seen = reader.brief.read_page(raw, fonts.load(), noise.common())
    if seen is None:
        return judge(*decode(markup.read(_whole(page)), reader), reader)
    syntax, scan, found, answer, ascii_only = seen
    if answer is not None:
        label, confidence, script, reliable, tier = answer
        details = Straight(page, syntax, scan, found, ascii_only, reader)
        return Verdict(label, confidence, script, "utf-8", 1.0, reliable, "", tier, details)
    scanned = [Markup(_whole(page), raw, Syntax(syntax), scan)]
    if found is not None:
        return judge(scanned.pop(), _unicode(ascii_only), reader, found)
    del seen, scan  # let go of before the page is scanned again: two scans of a huge page would be too much memory
    return judge(*decode(scanned.pop(), reader), reader)


def identify_text(string: str, reader: Reader) -> Verdict:
    """Say what a decoded text is in."""
    if len(string) > SHORT:
        page = Page(string.encode("utf-8", "replace"))
        scanned = markup.read_text(page)
        return judge(*(fonts.read(scanned, reader) or (scanned, DECODED)), reader)
    try:
        string, font = fonts.convert_text(string, reader)
    except UnicodeEncodeError:  # lone surrogates
        return identify_text(string.encode("utf-8", "replace").decode(), reader)
    brief = reader.brief.read(string)
    if brief is None:
        reading = text.judge(reader, reader.read_text(string))
        if reading.found.misread and (fixed := repair(string)) != string:
            return identify_text(fixed, reader)
        return _verdict(reading, font, 1.0, FoundInText(string, font, reader))
    label, confidence, script, reliable, tier = brief
    return Verdict(label, confidence, script, font, 1.0, reliable, "", tier, FoundInText(string, font, reader))


def judge(scanned: Markup, decoding: Decoding, reader: Reader, found: Any = None) -> Verdict:
    """From what was scanned, and what was read of it if it was read already, to what is said of it."""
    if scanned.syntax is Syntax.NONE:
        return Verdict("zxx", 1.0, reason=scanned.reason, details=Found(scanned, decoding, None, reader))
    if found is None:
        noise.mark(scanned.scan)
        found = reader.read_page(scanned.scan)
    reading = text.judge(reader, found)
    if reading.found.misread:
        scanned, decoding = markup.repaired(scanned), replace(decoding, how=f"{decoding.how}, {TWICE}")
        reading = text.judge(reader, reader.read_page(scanned.scan))
    if reading.label == "und" and not scanned.source.strip():
        reading = replace(reading, reason="empty")
    # Declared, yet it reads like nothing.
    if reading.label == "und" and reading.found.letters and decoding.confidence < 1:
        decoding = replace(decoding, confidence=UNREADABLE)
    if decoding.confidence < GUESSED:  # a text read in a guessed encoding is no surer than the guess
        reading = replace(reading, confidence=reading.confidence * decoding.confidence, reliable=False)
    return _verdict(reading, decoding.encoding, decoding.confidence, Found(scanned, decoding, reading, reader))


def decode(scanned: Markup, reader: Reader | None = None) -> tuple[Markup, Decoding]:
    """The page with its text in UTF-8. Only a page that is not valid UTF-8 pays for what this stage can do.

    Without a reader the bytes alone decide. With one, text that looks like a font's is converted if it reads like a language
    then, and where bytes leave doubt the encoding is the one that reads like a language.
    """
    decoding, held = _decide(scanned, reader)
    if reader is not None and (found := _drawn(scanned, decoding, reader)):
        return found
    if held is None:
        return scanned, decoding
    scanned = replace(scanned, scan=None)  # three scans at a time would be too much memory on a huge page
    if single_byte_table(decoding.encoding) is not None:
        held = None  # read by its table while it is scanned once more
    return markup.read_as(scanned, decoding.encoding, held), decoding


def decode_source(page: Page, reader: Reader) -> Decoded:
    """The whole source of a page as text, markup and all."""
    scanned = markup.read(page)
    if scanned.syntax is Syntax.NONE:
        return Decoded("", "", 0.0)
    decoding, _ = _decide(scanned, reader)
    if drawn := _drawn(scanned, decoding, reader):
        converted, decoding = drawn
        source = decode_bytes(scanned.source, converted.read_as or "utf-8").removeprefix(BOM)
        return Decoded(fonts.convert_source(source, converted.font), decoding.encoding, decoding.confidence)
    if scanned.transcoded:
        return Decoded(
            scanned.source.decode("utf-8", "replace").removeprefix(BOM), decoding.encoding, decoding.confidence
        )
    if decoding.how == "ASCII only" and not page.raw.isascii():  # what is not ASCII is in scripts, comments, addresses
        decoding = coding.choose(*_kernel.check_utf8(page.raw)) or _detect(page.raw, scanned, reader)
    text = decode_bytes(page.raw, decoding.encoding).removeprefix(BOM)
    misread = decoding.encoding == "utf-8" and _kernel.looks_misread(scanned.scan)
    return Decoded(text, decoding.encoding, decoding.confidence, repair(text) if misread else "")


def detect(page: Page, reader: Reader) -> tuple[Decoding, str]:
    """The encoding of a page and the label of some of its text, by the shortest way."""
    scanned = markup.read(page)
    if scanned.syntax is Syntax.NONE:
        return Decoding("", 0.0, ""), "zxx"
    decoding, held = _decide(scanned, reader)
    if drawn := _drawn(scanned, decoding, reader):
        return drawn[1], reader.brief.classify(drawn[0].scan.slice(0, GLANCE).decode("utf-8", "ignore")) or "und"
    some = (held or scanned.scan).slice(0, GLANCE)
    label = reader.brief.classify(decode_bytes(some, decoding.encoding) if held else some.decode("utf-8", "ignore"))
    return decoding, label or "und"


def _decide(scanned: Markup, reader: Reader | None) -> tuple[Decoding, Any]:
    """The encoding, and the page with its references held back where it has to be scanned again."""
    if scanned.syntax is Syntax.NONE:
        return Decoding("", 0.0, ""), None
    errors, multibyte = scanned.scan.check_utf8()
    decoding = coding.choose(errors, multibyte, scanned.transcoded)
    if decoding is not None and (not errors or scanned.transcoded):
        return decoding, None
    held = markup.hold_references(scanned)
    return decoding or _detect(held, scanned, reader), held


def _drawn(scanned: Markup, decoding: Decoding, reader: Reader) -> tuple[Markup, Decoding] | None:
    """The page as a font draws it, if one does; bytes that surely read like a language in an old encoding are not a font's."""
    if scanned.syntax is Syntax.NONE or not (found := fonts.read(scanned, reader)):
        return None
    if scanned.transcoded or decoding.encoding in ("utf-8", coding.FALLBACK) or decoding.confidence < NO_FONT:
        return found
    sample = markup.hold_references(scanned).slice(0, SHORT)
    reading = text.judge(reader, reader.read_text(decode_bytes(sample, decoding.encoding)))
    return None if reading.reliable else found


def _detect(text: Any, scanned: Markup, reader: Reader | None) -> Decoding:
    """An old encoding by its bytes and, where these leave doubt, by what reads like a language."""
    url = scanned.page.url
    found = coding.detect(text, declared(scanned), COUNTRY_LANGUAGE.get(tld(url), "") if url else "")
    if reader is None or found.confidence >= coding.DOUBT:
        return found
    return coding.arbitrate(found, text, reader.read_text)


def declared(scanned: Markup) -> tuple[str, ...]:
    """What page and server declare as the encoding, the weightiest first."""
    claimed = declared_encoding(scanned)
    return (claimed.whatwg, claimed.late, claimed.paper)


def _whole(page: Page | bytes) -> Page:
    return Page(page) if isinstance(page, bytes) else page


def _unicode(ascii_only: bool) -> Decoding:
    return coding.ASCII if ascii_only else coding.VALID


def _verdict(reading: Reading, encoding: str, sure: float, details: Found | FoundInText) -> Verdict:
    return Verdict(
        reading.label,
        reading.confidence,
        reading.script,
        encoding,
        sure,
        reading.reliable,
        reading.reason,
        reading.tier,
        details,
    )


@dataclass(frozen=True, slots=True)
class FoundInText:
    """What a Verdict on a short text explains itself by: the text, which is read again when asked."""

    string: str
    font: str
    reader: Reader

    def reading(self) -> Reading:
        return text.judge(self.reader, self.reader.read_text(self.string))

    def guesses(self) -> tuple[Guess, ...]:
        return tuple(Guess(label, probability) for label, probability in self.reading().guesses)

    def segments(self) -> tuple[Segment, ...]:
        """The whole text, if anything could be said of it."""
        reading = self.reading()
        return (Segment(0, len(self.string.encode()), reading.label, 1.0),) if reading.tier else ()

    def evidence(self) -> tuple[Evidence, ...]:
        drawn = (Evidence("bytes", f"{self.font}: drawn by a font, converted"),) if self.font else ()
        return (_text_evidence(self.reading()), *drawn)

    def declared_language(self) -> str:
        return ""

    def declared_encoding(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Found:
    """The stages' results, from which a Verdict on a page explains itself."""

    markup: Markup
    decoding: Decoding
    reading: Reading | None
    reader: Reader

    def guesses(self) -> tuple[Guess, ...]:
        found = self.reading.guesses if self.reading else ()
        return tuple(Guess(label, probability) for label, probability in found)

    def segments(self) -> tuple[Segment, ...]:
        if self.reading is None or self.reading.label in ("zxx", "und"):
            return ()
        return segments_of(self.reader.model, self.reading.found)

    def evidence(self) -> tuple[Evidence, ...]:
        """The text first, then the encoding, then every claim; claims are heard, not yet weighed."""
        out = []
        if self.reading is not None:
            out.append(_text_evidence(self.reading))
            out.append(Evidence("bytes", f"{self.decoding.encoding}: {self.decoding.how}"))
        for claim in self.markup.claims:
            label = next(iter(labels.declared(claim.value).labels), "") if claim.kind in LANGUAGE else ""
            out.append(Evidence(claim.kind, f"{claim.value} {claim.href}".strip(), label))
        return tuple(out)

    def declared_language(self) -> str:
        found = declared_language(self.markup.claims)
        return found.labels[0] if found and found.labels else ""

    def declared_encoding(self) -> str:
        return declared_encoding(self.markup).best


@dataclass(frozen=True, slots=True)
class Straight:
    """What the kernel found on a page that needed nothing special; the stages' results are made when asked for."""

    page: Page | bytes
    syntax: int
    scan: Any
    found: Any
    ascii_only: bool
    reader: Reader

    @property
    def markup(self) -> Markup:
        page = _whole(self.page)
        return Markup(page, page.raw, Syntax(self.syntax), self.scan)

    def whole(self) -> Found:
        return Found(self.markup, _unicode(self.ascii_only), text.judge(self.reader, self.found), self.reader)

    def guesses(self) -> tuple[Guess, ...]:
        return self.whole().guesses()

    def segments(self) -> tuple[Segment, ...]:
        return segments_of(self.reader.model, self.found)

    def evidence(self) -> tuple[Evidence, ...]:
        return self.whole().evidence()

    def declared_language(self) -> str:
        return self.whole().declared_language()

    def declared_encoding(self) -> str:
        return self.whole().declared_encoding()


def _text_evidence(reading: Reading) -> Evidence:
    said = ", ".join(f"{label} {probability:.3f}" for label, probability in reading.guesses[:3])
    value = f"{reading.found.letters} letters read: {said or reading.reason}"
    return Evidence("text", value, reading.label if reading.tier else "", reading.confidence)
