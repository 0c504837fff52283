"""``webtongue train``: a corpus in, a model file out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from webtongue.cli.methods import Choice
from webtongue.cli.methods import train as by_method
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
        by_method(corpus, out, method, Choice(commercial, source, label, size), changes or [])
        return
    if source or label or size or changes:
        raise UsageError("--source, --label, --size and --set go with --method: our own model is trained on everything")
    if not corpus.is_dir():
        raise UsageError(f"no such folder: {corpus}; a corpus is a folder of source/label.txt[.xz]")
    if encodings:
        from webtongue.train.encodings.train import train as train_encodings

        train_encodings(corpus, out, commercial=commercial, progress=Console(stderr=True).log)
        return
    for further in also or []:
        if not further.is_dir():
            raise UsageError(f"no such folder: {further}; a corpus is a folder of source/label.txt[.xz]")
    for lists in words or []:
        if not lists.is_dir():
            raise UsageError(f"no such folder: {lists}; word lists are files label.tsv[.xz]")
    from webtongue.train.text.config import TrainConfig
    from webtongue.train.text.train import train  # NumPy, and only here

    console = Console(stderr=True)
    with console.status("reading") as status:

        def progress(step: str) -> None:
            status.update(step)
            console.log(step)

        report = train(corpus, out, TrainConfig(commercial=commercial), progress, words or [], also or [])
    console.print(
        f"{out}: {out.stat().st_size / 1e6:.1f} MB, from {report.lines_after:,} of {report.lines_before:,} lines"
    )
