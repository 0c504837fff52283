"""Test cases in JSON Lines files, with known failures and their reasons."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parent / "data"
PAGES = Path(__file__).parents[1] / "examples" / "pages"


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def load(name: str) -> list[Any]:
    """Return cases as pytest parameters; those in known_failures.jsonl must fail until they are removed from it."""
    known = {row["name"]: row["reason"] for row in rows(DATA / "known_failures.jsonl") if row["file"] == name}
    cases = rows(DATA / name)
    unknown = set(known) - {case["name"] for case in cases}
    assert not unknown, f"known failures of {name} that are no cases: {unknown}"
    return [
        pytest.param(
            case,
            id=case["name"],
            marks=[pytest.mark.xfail(reason=known[case["name"]], strict=True)] if case["name"] in known else [],
        )
        for case in cases
    ]


def raw(case: dict[str, Any]) -> bytes:
    return bytes.fromhex(case["hex"]) if "hex" in case else str(case["html"]).encode()
