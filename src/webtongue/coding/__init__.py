"""The second stage: which encoding, and the page's text in UTF-8."""

from __future__ import annotations

from webtongue.coding.decode import decide, decode, drawn, guess
from webtongue.coding.detect import choose, detect

__all__ = ["choose", "decide", "decode", "detect", "drawn", "guess"]
