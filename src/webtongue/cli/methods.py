"""Published methods on the command line: identify pages with one, and train its model."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.text import Text

from webtongue import labels
from webtongue.census.rows import MethodAnswer
from webtongue.cli.console import Column, StreamedTable, Terminal
from webtongue.cli.identify import Tally, build_row
from webtongue.cli.progress import show_count
from webtongue.cli.sources import Item
from webtongue.cli.terminal import format_json_line, print_stderr
from webtongue.errors import UsageError
from webtongue.lab import methods
from webtongue.lab.methods.composite import Composite
from webtongue.page import Page
from webtongue.verdict import Reason

__all__ = ["Answers", "CorpusSelection", "identify_with_method", "parse_settings", "train_method"]

MAX_SCORES = 5  # labels whose scores are in JSON
COLUMNS = (
    Column("page", 12, 48, growth=2, cut_middle=True),
    Column("label", 8, 8),
    Column("score", 10, 10),
    Column("encoding", 13, 15),
    Column("language", 16, 24),
)


@dataclass(frozen=True, slots=True)
class CorpusSelection:
    """The part of a corpus that a method is trained on; ``size`` is the maximum of characters of a label, 0 for all."""

    commercial: bool = False
    sources: str | None = None
    labels: str | None = None
    size: int = 0


def parse_settings(lines: list[str]) -> dict[str, Any]:
    """Return settings from the command line; values are JSON, or else text, and dots in names are levels.

    >>> parse_settings(["profile=300", "grams.sizes=[1,2]", "grams.unit=byte"])
    {'profile': 300, 'grams': {'sizes': [1, 2], 'unit': 'byte'}}
    """
    settings: dict[str, Any] = {}
    for line in lines:
        name, equals, value = line.partition("=")
        if not equals or not name:
            raise UsageError(f"a setting is name=value, not {line!r}")
        *path, last = name.split(".")
        level = settings
        for part in path:
            level = level.setdefault(part, {})
            if not isinstance(level, dict):
                raise UsageError(f"{part} is set twice")
        try:
            level[last] = json.loads(value)
        except ValueError:
            level[last] = value
    return settings


def identify_with_method(
    source: Iterable[Item], name: str, model: str | None, changes: list[str], as_json: bool
) -> None:
    """Print the answers of a published method on pages."""
    method = methods.ready(name, Path(model) if model else None, parse_settings(changes))
    tally = Tally()
    answers = tally.count_answers(show_count(((item, _identify(method, item)) for item in source), "pages"))
    if as_json:
        for item, answer in answers:
            sys.stdout.write(format_json_line(build_row(item, _build_answer(method, name, item, answer))))
    else:
        _print_answers(answers)
    tally.check()


class Answers:
    """A published method for a census: returns the labels of pages and the approach that decided. Pickled by its settings."""

    def __init__(self, name: str, manner: str | None = None) -> None:
        if manner is not None and name != "composite":
            raise UsageError("--manner is an option of the method composite only")
        self._name, self._manner = name, manner
        self._method = methods.ready(name, None, {"manner": manner} if manner else {})

    def __reduce__(self) -> tuple[Any, ...]:
        return Answers, (self._name, self._manner)

    def __call__(self, pages: Sequence[Page]) -> list[MethodAnswer]:
        """Return the answer on each page."""
        answers = self._method.answer_many(pages)
        return [
            MethodAnswer(answer.label, self._find_approach(page, answer.label), answer.reason)
            for page, answer in zip(pages, answers, strict=True)
        ]

    def _find_approach(self, page: Page, label: str) -> str:
        """Return the first approach that has an answer, which is the identified type of Cai 2009."""
        if label == "und" or not isinstance(self._method, Composite):
            return "" if label == "und" else self._name
        *first, last = self._method.settings.approaches
        return next((name for name in first if self._method.answer_by(name, page).label != "und"), last)


def _identify(method: methods.Method, item: Item) -> methods.Answer:
    return methods.Answer("und", reason=item.trouble) if item.page is None else method.answer(item.page)


def _build_answer(method: methods.Method, name: str, item: Item, answer: methods.Answer) -> dict[str, Any]:
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
        "scores": dict(sorted(scores.items(), key=lambda pair: -pair[1])[:MAX_SCORES]),
    }


def _print_answers(answers: Iterable[tuple[Item, methods.Answer]]) -> None:
    terminal = Terminal()
    table = StreamedTable(COLUMNS, terminal)
    for item, answer in answers:
        page = terminal.escape(item.name)
        if answer.label in labels.SPECIAL:
            table.print_row({"page": page, "label": Text(answer.label, "yellow")}, rest=terminal.escape(answer.reason))
            continue
        cells = {"page": page, "label": answer.label, "score": f"{answer.score:.4g}"}
        cells |= {"encoding": terminal.escape(answer.encoding), "language": labels.name(answer.label)}
        table.print_row(cells)


def train_method(corpus: Path, out: Path, name: str, selection: CorpusSelection, changes: list[str]) -> None:
    """Fit a method on a corpus and write its model."""
    from webtongue.lab.methods import corpus as texts  # imports NumPy
    from webtongue.lab.methods.base import override_settings

    kind = methods.method(name)
    if not kind.learns:
        raise UsageError(f"the method {name!r} uses a fixed table: there is nothing to train")
    settings = override_settings(kind.default_settings(), parse_settings(changes))
    sources: list[str] = []
    if kind.reads_urls:
        documents = texts.read_urls(corpus)
    else:
        if not corpus.is_dir():
            raise UsageError(f"no such folder: {corpus}; a corpus is a folder of source/label.txt[.xz]")
        sources = texts.select_sources(corpus, _parse_list(selection.sources), selection.commercial)
        documents = texts.read_documents(corpus, sources, _parse_list(selection.labels), selection.size)
    fitted = kind.fit(documents, settings)
    fitted.save(out, texts.describe_corpus(corpus, documents, sources))
    print_stderr(
        f"{out}: {out.stat().st_size / 1e3:,.0f} KB, {len(fitted.labels)} labels from "
        f"{sum(map(len, documents.values())):,} documents"
    )


def _parse_list(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]
