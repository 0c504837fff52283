"""Published methods on the command line: answering with one, and making its model."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from webtongue import labels, methods
from webtongue.cli.sources import Named
from webtongue.errors import UsageError

__all__ = ["Choice", "by_method", "changed", "train"]

SHOWN = 5  # labels whose scores are in JSON


@dataclass(frozen=True, slots=True)
class Choice:
    """What of a corpus is learnt from."""

    commercial: bool = False
    sources: str | None = None
    labels: str | None = None
    size: int = 0


def changed(lines: list[str]) -> dict[str, Any]:
    """Settings from the command line: values are JSON, or text where they are none; dots lead inside.

    >>> changed(["profile=300", "grams.sizes=[1,2]", "grams.unit=byte"])
    {'profile': 300, 'grams': {'sizes': [1, 2], 'unit': 'byte'}}
    """
    out: dict[str, Any] = {}
    for line in lines:
        name, equals, value = line.partition("=")
        if not equals or not name:
            raise UsageError(f"a setting is name=value, not {line!r}")
        *outer, last = name.split(".")
        inner = out
        for part in outer:
            inner = inner.setdefault(part, {})
            if not isinstance(inner, dict):
                raise UsageError(f"{part} is set twice")
        try:
            inner[last] = json.loads(value)
        except ValueError:
            inner[last] = value
    return out


def by_method(
    console: Console, found: Iterable[Named], name: str, model: str | None, changes: list[str], as_json: bool
) -> None:
    """Print what a method says of pages."""
    method = methods.ready(name, Path(model) if model else None, changed(changes))
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("page", "label", "language", "score", "encoding", "why not"):
        table.add_column(heading, justify="right" if heading == "score" else "left", overflow="fold")
    for named in found:
        answer = method.answer(named.page)
        if as_json:
            scores = method.score(named.page)
            row = {
                "file": named.name,
                "method": name,
                "label": answer.label,
                "language": labels.bcp47(answer.label),
                "score": answer.score,
                "encoding": answer.encoding,
                "reason": answer.reason,
                "alternatives": list(answer.alternatives),
                "scores": dict(sorted(scores.items(), key=lambda pair: -pair[1])[:SHOWN]),
            }
            sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
        else:
            special = answer.label in labels.SPECIAL
            table.add_row(
                named.name,
                Text(answer.label, style="yellow" if special else ""),
                "" if special else labels.name(answer.label),
                "" if special else f"{answer.score:.4g}",
                answer.encoding,
                answer.reason,
            )
    if not as_json:
        console.print(table)


def train(corpus: Path, out: Path, name: str, choice: Choice, changes: list[str]) -> None:
    """Fit a method on a corpus and write its model."""
    from webtongue.methods import corpus as texts  # NumPy, and only here
    from webtongue.methods.base import settings_from

    kind = methods.method(name)
    if not kind.learns:
        raise UsageError(f"the method {name!r} goes by a table: there is nothing to train")
    settings = settings_from(kind.default_settings(), changed(changes))
    sources: list[str] = []
    if kind.of_urls:
        found = texts.read_urls(corpus)
    else:
        if not corpus.is_dir():
            raise UsageError(f"no such folder: {corpus}; a corpus is a folder of source/label.txt[.xz]")
        sources = texts.chosen_sources(corpus, _names(choice.sources), choice.commercial)
        found = texts.read(corpus, sources, _names(choice.labels), choice.size)
    fitted = kind.fit(found, settings)
    fitted.save(out, texts.described(corpus, found, sources))
    Console(stderr=True).print(
        f"{out}: {out.stat().st_size / 1e3:,.0f} KB, {len(fitted.labels)} labels from "
        f"{sum(map(len, found.values())):,} documents",
        highlight=False,
    )


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]
