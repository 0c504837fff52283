"""Detect the encoding of a page and decode its text: the second stage of the pipeline."""

from __future__ import annotations

from webtongue.charset.detection.decode import convert_font, decode_page, detect_encoding, guess_legacy
from webtongue.charset.detection.detect import decide_utf8, detect_legacy

__all__ = ["convert_font", "decide_utf8", "decode_page", "detect_encoding", "detect_legacy", "guess_legacy"]
