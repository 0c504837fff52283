"""``webtongue train``: train a model on a corpus."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from rich.text import Text

from webtongue.cli.console import Terminal
from webtongue.cli.parameters import Argument, Option
from webtongue.cli.terminal import print_stderr
from webtongue.errors import UsageError

__all__ = ["command"]


def command(
    corpus: Annotated[
        Path,
        Argument(
            metavar="CORPUS",
            help="A folder of source/label.txt[.xz], one segment on a line; for --method also label/*.txt|html, .jsonl or .tsv.",
        ),
    ],
    out: Annotated[Path, Option("--output", "-o", help="The model file; manifest and audit are written beside it.")],
    words: Annotated[
        list[Path] | None,
        Option("--words", help="A folder of word lists, label.tsv[.xz]: word and frequency; repeatable."),
    ] = None,
    also: Annotated[
        list[Path] | None, Option("--also", help="A further CORPUS, with other sources; repeatable.")
    ] = None,
    commercial: Annotated[
        bool, Option("--commercial", help="Leave out sources that forbid commercial use or derivatives.")
    ] = False,
    method: Annotated[str | None, Option(help="Train a published method, such as nfc.")] = None,
    source: Annotated[str | None, Option(help="Only these sources, separated by commas.")] = None,
    label: Annotated[str | None, Option(help="Only these labels, separated by commas.")] = None,
    size: Annotated[int, Option(min=0, help="Maximum of characters of a label; 0: all.")] = 0,
    changes: Annotated[list[str] | None, Option("--set", help="A setting of the method, name=value.")] = None,
    encoding: Annotated[
        str, Option(help="The encoding of CORPUS with --method, such as euc-jp, or auto; default: UTF-8.")
    ] = "",
    encodings: Annotated[
        bool, Option("--encodings", help="Train the encoding model instead of the language model.")
    ] = False,
) -> None:
    """Train a language model: audit, count, fit, calibrate, write. The same corpus gives the same file."""
    if method is not None:
        if words or also or encodings:
            raise UsageError("--words, --also and --encodings do not apply to a published method")
        from webtongue.cli.methods import CorpusSelection, train_method

        train_method(corpus, out, method, CorpusSelection(commercial, source, label, size, encoding), changes or [])
        return
    if source or label or size or changes or encoding:
        raise UsageError(
            "--source, --label, --size, --encoding and --set need --method: other models are trained on the whole corpus"
        )
    if encodings and (words or also):
        raise UsageError("--words and --also are for the language model: they do not apply to --encodings")
    for folder in (corpus, *(also or [])):
        if not folder.is_dir():
            hint = ", and other layouts are for --method" if folder.exists() else ""
            raise UsageError(f"no such folder: {folder}; a corpus is a folder of source/label.txt[.xz]{hint}")
    for lists in words or []:
        if not lists.is_dir():
            raise UsageError(f"no such folder: {lists}; word lists are files label.tsv[.xz]")
    if encodings:
        _train_encodings(corpus, out, commercial)
    else:
        _train_languages(corpus, out, commercial, words or [], also or [])


def _train_encodings(corpus: Path, out: Path, commercial: bool) -> None:
    from webtongue.lab.train.encodings.train import train

    train(corpus, out, commercial=commercial, progress=_open_log())


def _train_languages(corpus: Path, out: Path, commercial: bool, words: list[Path], also: list[Path]) -> None:
    from webtongue.lab.train.text.config import TrainConfig
    from webtongue.lab.train.text.train import train  # imports NumPy

    report = train(corpus, out, TrainConfig(commercial=commercial), _open_log(), words, also)
    lines = f"{report.lines_after:,} of {report.lines_before:,} lines"
    print_stderr(f"{out}: {out.stat().st_size / 1e6:.1f} MB, from {lines}")


def _open_log() -> Callable[[str], None]:
    """Return a function that logs a step on standard error; the names of files in it are escaped."""
    terminal = Terminal(file=sys.stderr)
    return lambda step: terminal.log(Text(terminal.escape(step)))
