"""The flow in one screen: a page goes through the stages, one way, and comes out as a Verdict.

Page -> markup -> coding -> text -> hints -> Verdict
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from webtongue import coding, labels, markup, text
from webtongue.coding import Decoding
from webtongue.hints.declared import LANGUAGE, declared_encoding, declared_language
from webtongue.markup import Markup, Syntax, noise
from webtongue.page import Page
from webtongue.text import Reading
from webtongue.verdict import Evidence, Guess, Segment, Verdict

__all__ = ["identify", "identify_text"]

ENOUGH_LETTERS = 20  # for an answer that rests on the script alone to be called reliable


def identify(page: Page) -> Verdict:
    """Say what a page is in."""
    return judge(*decode(markup.read(page)))


def identify_text(page: Page) -> Verdict:
    """Say what a page of decoded text is in."""
    return judge(*decode(markup.read_text(page)))


def judge(scanned: Markup, decoding: Decoding) -> Verdict:
    """From what was scanned to what is said of it."""
    if scanned.syntax is Syntax.NONE:
        return Verdict("zxx", 1.0, reason=scanned.reason, details=Found(scanned, decoding, None))
    noise.mark(scanned.scan)
    reading = text.read(scanned.scan)
    return conclude(scanned, decoding, reading)


def decode(scanned: Markup) -> tuple[Markup, Decoding]:
    """The page with its text in UTF-8. Only a page that is not valid UTF-8 pays for what this stage can do."""
    if scanned.syntax is Syntax.NONE:
        return scanned, Decoding("", 0.0, "")
    errors, multibyte = scanned.scan.check_utf8()
    if not errors or scanned.transcoded:
        return scanned, coding.choose(b"", 0 if scanned.transcoded else errors, multibyte, (), scanned.transcoded)
    claimed = declared_encoding(scanned)
    declared = (claimed.whatwg, claimed.late, claimed.paper)
    decoding = coding.choose(scanned.source[: coding.SAMPLE], errors, multibyte, declared)
    scanned = replace(scanned, scan=None)  # two scans at a time would be too much memory on a huge page
    return markup.read_as(scanned, decoding.encoding), decoding


def conclude(scanned: Markup, decoding: Decoding, reading: Reading) -> Verdict:
    """The verdict that the text alone supports."""
    guesses = tuple(Guess(label, probability) for label, probability in reading.guesses)
    label, confidence = (guesses[0].label, guesses[0].probability) if guesses else ("und", 0.0)
    reason = reading.reason if scanned.source.strip() else "empty"
    return Verdict(
        label=label,
        confidence=confidence,
        script=label.partition("_")[2] or reading.script,
        encoding=decoding.encoding,
        encoding_confidence=decoding.confidence,
        reliable=bool(guesses) and reading.letters >= ENOUGH_LETTERS,
        reason=reason,
        guesses=guesses,
        details=Found(scanned, decoding, reading),
    )


@dataclass(frozen=True, slots=True)
class Found:
    """The stages' results, from which a Verdict explains itself."""

    markup: Markup
    decoding: Decoding
    reading: Reading | None

    def segments(self) -> tuple[Segment, ...]:
        """One stretch for the whole page, as long as the text is read as a whole."""
        if self.reading is None or not self.reading.guesses:
            return ()
        return (Segment(0, len(self.markup.page.raw), self.reading.guesses[0][0], 1.0),)

    def evidence(self) -> tuple[Evidence, ...]:
        """The text first, then the encoding, then every claim; claims are heard, not yet weighed."""
        out = []
        if self.reading is not None:
            label, weight = self.reading.guesses[0] if self.reading.guesses else ("", 0.0)
            out.append(Evidence("script", f"{self.reading.script} ({self.reading.letters} letters)", label, weight))
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
