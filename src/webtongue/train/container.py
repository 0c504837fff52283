"""What all model files share: how they are written, and the tables that turn logs into probabilities in fixed point."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from webtongue.files import pack

__all__ = ["NATS", "probability_tables", "write"]

NATS = 1024  # units of a nat in all log-probabilities


def write(
    path: Path,
    magic: bytes,
    version: int,
    sections: Sequence[str],
    parts: Mapping[str, bytes],
    manifest: dict[str, Any],
) -> None:
    """Packs the parts and the manifest in the order of ``sections``; `<path>.json` beside the file is for people."""
    whole = {**parts, "manifest": json.dumps(manifest, ensure_ascii=False, sort_keys=True).encode()}
    path.write_bytes(pack(magic, version, {name: whole[name] for name in sections}))
    Path(f"{path}.json").write_text(json.dumps(manifest, ensure_ascii=False, sort_keys=True, indent=1) + "\n", "utf-8")


def probability_tables() -> dict[str, bytes]:
    """``exps``: powers of e by quarters of a 1/1024 nat, times 2 to the power of 30; ``logs``: nats of 1 + n/256."""
    return {
        "exps": np.rint(np.exp(-np.arange(4096) / 256) * 2**30).astype("<u4").tobytes(),
        "logs": np.rint(np.log1p(np.arange(256) / 256) * NATS).astype("<u4").tobytes(),
    }
