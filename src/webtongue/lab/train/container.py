"""Write model files, and the fixed-point tables that all models use to turn log-probabilities into probabilities."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from webtongue.files import pack
from webtongue.policy import LOG_SCALE

__all__ = ["pack_probability_tables", "write_container"]


def write_container(
    path: Path,
    magic: bytes,
    version: int,
    order: Sequence[str],
    sections: Mapping[str, bytes],
    manifest: dict[str, Any],
) -> None:
    """Write the sections and the manifest in the given order; `<path>.json` beside the file holds the manifest as indented JSON."""
    sections_by_name = {**sections, "manifest": json.dumps(manifest, ensure_ascii=False, sort_keys=True).encode()}
    path.write_bytes(pack(magic, version, {name: sections_by_name[name] for name in order}))
    Path(f"{path}.json").write_text(json.dumps(manifest, ensure_ascii=False, sort_keys=True, indent=1) + "\n", "utf-8")


def pack_probability_tables() -> dict[str, bytes]:
    """Return two sections: ``exps``, exp(-n / 256) times 2^30 for n below 4096, and ``logs``, log(1 + n / 256) in 1/1024 nats."""
    return {
        "exps": np.rint(np.exp(-np.arange(4096) / 256) * 2**30).astype("<u4").tobytes(),
        "logs": np.rint(np.log1p(np.arange(256) / 256) * LOG_SCALE).astype("<u4").tobytes(),
    }
