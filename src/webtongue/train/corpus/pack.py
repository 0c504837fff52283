"""Lines of text as the kernel takes them: one bytes object and the offsets at which lines start."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from webtongue import _kernel

# Labels name scripts as ISO 15924 does; these are written in more than one Unicode script, or in part of one.
WRITTEN_IN = {"Hans": "Hani", "Hant": "Hani", "Jpan": "Hani", "Kore": "Hang"}


def pack_lines(lines: Sequence[str]) -> tuple[bytes, NDArray[np.uint64]]:
    """All lines end to end and n + 1 offsets; lone surrogates are dropped.

    >>> pack_lines(["ab", "c"])[0]
    b'abc'
    """
    encoded = [line.encode("utf-8", "ignore") for line in lines]
    offsets = np.zeros(len(encoded) + 1, np.uint64)
    offsets[1:] = np.cumsum([len(line) for line in encoded], dtype=np.uint64)
    return b"".join(encoded), offsets


def script_name(label: str) -> str:
    """The Unicode script that a label's text is found under: 'zho_Hans' -> 'Hani'."""
    script = label.partition("_")[2]
    return WRITTEN_IN.get(script, script)


def script_group(label: str) -> int:
    """The kernel's id of the group of scripts the label is written in."""
    return int(_kernel.script_group(script_name(label)))
