"""Pack lines of text for the kernel: one bytes object and the offsets at which lines start."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from webtongue import _kernel

# ISO 15924 scripts of labels that Unicode has under another name, or divides otherwise.
UNICODE_SCRIPTS = {"Hans": "Hani", "Hant": "Hani", "Jpan": "Hani", "Kore": "Hang"}


def pack_lines(lines: Sequence[str]) -> tuple[bytes, NDArray[np.uint64]]:
    """Return all lines end to end and n + 1 offsets; lone surrogates are dropped.

    >>> pack_lines(["ab", "c"])[0]
    b'abc'
    """
    encoded = [line.encode("utf-8", "ignore") for line in lines]
    offsets = np.zeros(len(encoded) + 1, np.uint64)
    offsets[1:] = np.cumsum([len(line) for line in encoded], dtype=np.uint64)
    return b"".join(encoded), offsets


def script_name(label: str) -> str:
    """Return the Unicode script of a label's text: 'zho_Hans' -> 'Hani'."""
    script = label.partition("_")[2]
    return UNICODE_SCRIPTS.get(script, script)


def script_group(label: str) -> int:
    """Return the kernel's id of the script group of a label."""
    return int(_kernel.script_group(script_name(label)))
