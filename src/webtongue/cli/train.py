"""``webtongue train``: a corpus in, a model file out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from webtongue.cli.terminal import complain, shown
from webtongue.errors import UsageError

__all__ = ["command"]


def command(
    corpus: Annotated[
        Path, typer.Argument(metavar="CORPUS", help="A folder of source/label.txt[.xz], a segment a line.")
    ],
    out: Annotated[Path, typer.Option("--output", "-o", help="Where the model goes; manifest and audit beside it.")],
    words: Annotated[
        list[Path] | None,
        typer.Option("--words", help="A folder of word lists, label.tsv[.xz]: word and frequency; may be repeated."),
    ] = None,
    also: Annotated[
        list[Path] | None, typer.Option("--also", help="A further CORPUS, with sources of its own; may be repeated.")
    ] = None,
    commercial: Annotated[
        bool, typer.Option("--commercial", help="Leave out sources whose terms forbid commercial use or derivatives.")
    ] = False,
    method: Annotated[str | None, typer.Option(help="A published method, such as nfc, in place of ours.")] = None,
    source: Annotated[str | None, typer.Option(help="Only these sources, with commas.")] = None,
    label: Annotated[str | None, typer.Option(help="Only these labels, with commas.")] = None,
    size: Annotated[int, typer.Option(min=0, help="Most characters of a label; 0: all.")] = 0,
    changes: Annotated[list[str] | None, typer.Option("--set", help="A setting of the method, name=value.")] = None,
    encodings: Annotated[
        bool, typer.Option("--encodings", help="Train the model of encodings instead of the one of languages.")
    ] = False,
) -> None:
    """Train a language model: audit, count, fit, calibrate, write. The same corpus gives the same bytes."""
    if method is not None:
        if words or also or encodings:
            raise UsageError("--words, --also and --encodings are of our own models, not of a published method")
        from webtongue.cli.methods import Choice
        from webtongue.cli.methods import train as by_method

        by_method(corpus, out, method, Choice(commercial, source, label, size), changes or [])
        return
    if source or label or size or changes:
        raise UsageError("--source, --label, --size and --set go with --method: our own model is trained on everything")
    if encodings and (words or also):
        raise UsageError("--words and --also are for the model of languages: --encodings has no use for them")
    for folder in (corpus, *(also or [])):
        if not folder.is_dir():
            raise UsageError(f"no such folder: {folder}; a corpus is a folder of source/label.txt[.xz]")
    for lists in words or []:
        if not lists.is_dir():
            raise UsageError(f"no such folder: {lists}; word lists are files label.tsv[.xz]")
    if encodings:
        _encodings(corpus, out, commercial)
    else:
        _languages(corpus, out, commercial, words or [], also or [])


def _encodings(corpus: Path, out: Path, commercial: bool) -> None:
    from webtongue.train.encodings.train import train as train_encodings

    console = Console(stderr=True)
    train_encodings(corpus, out, commercial=commercial, progress=lambda step: console.log(_text(step, console)))


def _languages(corpus: Path, out: Path, commercial: bool, words: list[Path], also: list[Path]) -> None:
    from webtongue.train.text.config import TrainConfig
    from webtongue.train.text.train import train  # NumPy, and only here

    console = Console(stderr=True)
    with console.status("reading") as status:

        def progress(step: str) -> None:
            status.update(_text(step, console))
            console.log(_text(step, console))

        report = train(corpus, out, TrainConfig(commercial=commercial), progress, words, also)
    complain(f"{out}: {out.stat().st_size / 1e6:.1f} MB, from {report.lines_after:,} of {report.lines_before:,} lines")


def _text(step: str, console: Console) -> Text:
    """A step as text: names of folders and files are in it."""
    return Text(shown(step, console.encoding))
