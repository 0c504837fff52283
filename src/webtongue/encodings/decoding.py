"""Which encoding a page is in, and what it says once decoded: the results that stages hand on."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ASCII", "VALID", "Decoded", "Decoding"]


@dataclass(frozen=True, slots=True)
class Decoded:
    """A page's whole source as text; ``repaired`` is the same put right, where it had been read in a wrong encoding before."""

    text: str
    encoding: str
    confidence: float
    repaired: str = ""


@dataclass(frozen=True, slots=True)
class Decoding:
    """Which encoding a page is in, how sure that is, and what said so; what else it may be, with probabilities."""

    encoding: str
    confidence: float
    how: str
    others: tuple[tuple[str, float], ...] = ()


VALID = Decoding("utf-8", 1.0, "valid UTF-8")
ASCII = Decoding("utf-8", 1.0, "ASCII only")
