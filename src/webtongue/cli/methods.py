"""Published methods on the command line: identify pages with one, and train its model."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from webtongue import labels
from webtongue.cli.identify import Tally, build_row
from webtongue.cli.progress import show_count
from webtongue.cli.sources import Item
from webtongue.cli.streamed_table import Column, StreamedTable, Styled, open_terminal
from webtongue.cli.terminal import format_json_line, print_stderr
from webtongue.errors import UsageError
from webtongue.lab import methods
from webtongue.records import dataclass
from webtongue.verdict import Reason

__all__ = ["CorpusSelection", "MethodChoice", "identify_with_method", "parse_settings", "train_method"]

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
    """The part of a corpus that a method is trained on; ``size`` is the maximum of characters of a label, 0 for all.

    ``encoding`` is that of its files; empty is UTF-8.
    """

    commercial: bool = False
    sources: str | None = None
    labels: str | None = None
    size: int = 0
    encoding: str = ""


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


@dataclass(frozen=True, slots=True)
class MethodChoice:
    """A published method, its model file and changed settings, as given on the command line."""

    name: str
    model: str | None
    changes: list[str]

    def load(self) -> methods.Method:
        """Return the fitted method."""
        return methods.ready(self.name, Path(self.model) if self.model else None, parse_settings(self.changes))

    def check_options(self, given: set[str]) -> None:
        """Raise UsageError if a page is described by something that the method does not read."""
        unused = sorted(given - methods.method(self.name).reads)
        if unused:
            users = [name for name in sorted(methods.NAMES) if unused[0] in methods.method(name).reads]
            option = f"--{unused[0].removesuffix('s')}"
            advice = f"methods that read it: {', '.join(users)}" if users else "no published method reads it"
            raise UsageError(f"the method {self.name!r} does not read {option}: leave it out ({advice})")


def identify_with_method(source: Iterable[Item], choice: MethodChoice, as_json: bool) -> None:
    """Print the answers of a published method on pages."""
    method = choice.load()
    tally = Tally()
    answers = tally.count_answers(show_count(((item, _identify(method, item)) for item in source), "pages"))
    if as_json:
        for item, answer in answers:
            sys.stdout.write(format_json_line(build_row(item, _build_answer(method, choice.name, item, answer))))
    else:
        _print_answers(answers)
    tally.check()


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
    terminal = open_terminal()
    table = StreamedTable(COLUMNS, terminal)
    for item, answer in answers:
        page = terminal.escape(item.name)
        if answer.label in labels.SPECIAL:
            table.print_row(
                {"page": page, "label": Styled(answer.label, "yellow")}, rest=terminal.escape(answer.reason)
            )
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
    settings = override_settings(kind.default_settings(), {**kind.training_settings, **parse_settings(changes)})
    documents, sources = _read_training(corpus, kind, selection)
    fitted = kind.fit(documents, settings)
    left_out = kind.find_left_out(documents, settings)
    if left_out:
        print_stderr(
            f"left out, too short: {', '.join(f'{label} ({size:,} bytes)' for label, size in left_out.items())}"
        )
    fitted.save(out, texts.describe_corpus(corpus, documents, sources) | ({"left_out": left_out} if left_out else {}))
    print_stderr(
        f"{out}: {out.stat().st_size / 1e3:,.0f} KB, {len(fitted.labels)} labels from "
        f"{sum(map(len, documents.values())):,} documents"
    )


def _read_training(
    corpus: Path, kind: type[methods.Method], selection: CorpusSelection
) -> tuple[dict[str, list[methods.Document]], list[str]]:
    """Return the documents of a corpus by label, and its sources if it has any."""
    from webtongue.lab import documents
    from webtongue.lab.methods import corpus as texts  # imports NumPy

    names = _parse_labels(selection.labels)
    documents.check_encoding(selection.encoding)
    if corpus.is_dir() and documents.find_layout(corpus) == documents.SOURCE_FOLDERS and not kind.reads_urls:
        _report_ignored(documents.list_ignored_files(corpus))
        sources = texts.select_sources(corpus, _parse_list(selection.sources), selection.commercial)
        read = partial(documents.read_text_lines, encoding=selection.encoding)
        selected = texts.read_documents(corpus, sources, names, selection.size, read_lines=read)
        _check_labels(corpus, names, selected)
        return selected, sources
    if selection.sources or selection.commercial:
        raise UsageError(f"{corpus}: --source and --commercial need a folder of {documents.SOURCE_FOLDERS}")
    labelled, collection = texts.read_labelled_documents(
        corpus, selection.encoding, names, selection.size, of_urls=kind.reads_urls
    )
    if collection.skipped:
        print_stderr(f"{collection.skipped:,} documents were left out: their labels are no languages")
    _report_ignored(collection.ignored)
    _check_labels(corpus, names, labelled)
    return labelled, []


def _check_labels(corpus: Path, requested: list[str] | None, available: Iterable[str]) -> None:
    missing = sorted(set(requested or ()) - set(available))
    if missing:
        raise UsageError(f"no text in {', '.join(missing)} in {corpus}")


def _report_ignored(files: tuple[str, ...]) -> None:
    if files:
        print_stderr(f"{len(files):,} files were left out, which are no documents of a label, such as {files[0]}")


def _parse_labels(text: str | None) -> list[str] | None:
    """Return the folded labels of a list; raise UsageError for one that is no language."""
    names = _parse_list(text)
    parsed = [labels.parse(name) for name in names or ()]
    wrong = [name for name, label in zip(names or (), parsed, strict=True) if label is None]
    if wrong:
        raise UsageError(f"--label {wrong[0]}: not a language; give a code such as en, eng or eng_Latn")
    return None if names is None else [str(labels.fold(label)) for label in parsed if label is not None]


def _parse_list(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]
