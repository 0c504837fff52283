"""Published methods on the command line: answering with one, and making its model."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webtongue import labels, methods
from webtongue.census.rows import Said
from webtongue.cli.identify import Tally, row_of
from webtongue.cli.progress import counted
from webtongue.cli.sources import Item
from webtongue.cli.table import Cell, Column, Table
from webtongue.cli.terminal import complain, json_line, screen
from webtongue.errors import UsageError
from webtongue.methods.composite import Composite
from webtongue.page import Page
from webtongue.verdict import Reason

__all__ = ["Answers", "Choice", "by_method", "changed", "train"]

SHOWN = 5  # labels whose scores are in JSON
COLUMNS = (
    Column("page", 12, 48, grow=2, middle=True),
    Column("label", 8, 8),
    Column("score", 10, 10),
    Column("encoding", 13, 15),
    Column("language", 16, 24),
)


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


def by_method(found: Iterable[Item], name: str, model: str | None, changes: list[str], as_json: bool) -> None:
    """Print what a method says of pages."""
    method = methods.ready(name, Path(model) if model else None, changed(changes))
    tally = Tally()
    answers = tally.watch(counted(((item, _answer(method, item)) for item in found), "pages"))
    if as_json:
        for item, answer in answers:
            sys.stdout.write(json_line(row_of(item, _row(method, name, item, answer))))
    else:
        _table(answers)
    tally.end()


class Answers:
    """A published method as a census takes it: pages in, labels out, and by which of its approaches. Travels by its settings."""

    def __init__(self, name: str, manner: str | None = None) -> None:
        if manner is not None and name != "composite":
            raise UsageError("--manner is of the method composite alone")
        self._name, self._manner = name, manner
        self._method = methods.ready(name, None, {"manner": manner} if manner else {})

    def __reduce__(self) -> tuple[Any, ...]:
        return Answers, (self._name, self._manner)

    def __call__(self, pages: Sequence[Page]) -> list[Said]:
        """What it says of each page."""
        found = self._method.answer_many(pages)
        return [Said(one.label, self._by(page, one.label), one.reason) for page, one in zip(pages, found, strict=True)]

    def _by(self, page: Page, label: str) -> str:
        """The first of its approaches that says so: Cai's identified type."""
        if label == "und" or not isinstance(self._method, Composite):
            return "" if label == "und" else self._name
        *first, last = self._method.settings.approaches
        return next((name for name in first if self._method.by(name, page).label != "und"), last)


def _answer(method: methods.Method, item: Item) -> methods.Answer:
    return methods.Answer("und", reason=item.trouble) if item.page is None else method.answer(item.page)


def _row(method: methods.Method, name: str, item: Item, answer: methods.Answer) -> dict[str, Any]:
    scores = {} if item.page is None else method.score(item.page)
    return {
        "method": name,
        "label": answer.label,
        "language": labels.bcp47(answer.label),
        "score": answer.score,
        "encoding": answer.encoding,
        "reason": Reason.UNREADABLE.value if item.trouble else "",
        "why": answer.reason,
        "alternatives": list(answer.alternatives),
        "scores": dict(sorted(scores.items(), key=lambda pair: -pair[1])[:SHOWN]),
    }


def _table(answers: Iterable[tuple[Item, methods.Answer]]) -> None:
    where = screen()
    table = Table(COLUMNS, where)
    for item, answer in answers:
        cells = {"page": Cell(where.shown(item.name)), "label": Cell(answer.label)}
        if answer.label in labels.SPECIAL:
            cells |= {"label": Cell(answer.label, "yellow"), "score": Cell(where.shown(answer.reason), spans=True)}
        else:
            cells |= {"score": Cell(f"{answer.score:.4g}"), "encoding": Cell(where.shown(answer.encoding))}
            cells["language"] = Cell(labels.name(answer.label))
        table.row(cells)


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
    complain(
        f"{out}: {out.stat().st_size / 1e3:,.0f} KB, {len(fitted.labels)} labels from "
        f"{sum(map(len, found.values())):,} documents"
    )


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]
