"""``webtongue extract``: write the text of a crawl that is in given languages."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from webtongue.census.config import Config
from webtongue.census.extract import ExtractCounts, create_extract_config, extract, extract_texts
from webtongue.census.rows import create_identifier
from webtongue.cli.census import describe_skipped_folders
from webtongue.cli.errors import EXIT_FAILED, CommandExit
from webtongue.cli.options import EvidenceOptions, Inputs, Model, ReadingOptions, Workers, parse_names
from webtongue.cli.progress import CensusProgress, show_count
from webtongue.cli.terminal import format_json_line, print_stderr
from webtongue.errors import UsageError

__all__ = ["command"]

STDOUT = "-"
CHOICES = {"keep": True, "drop": False}


@dataclass(frozen=True, slots=True)
class TextOptions:
    """Options that choose the text of a page."""

    min_confidence: Annotated[
        float, typer.Option(min=0, max=1, help="Least confidence of a page, or of the part of a page in one language.")
    ] = 0.9
    min_characters: Annotated[int, typer.Option(min=1, help="Least number of characters of a text.")] = 1
    boilerplate: Annotated[
        str, typer.Option(metavar="keep|drop", help="Menus, single links, notices, lines repeated on a host.")
    ] = "drop"
    duplicates: Annotated[str, typer.Option(metavar="keep|drop", help="Texts that repeat an earlier one.")] = "drop"
    identify_all: Annotated[
        bool, typer.Option("--identify-all", help="Identify every page, without the fast filter.")
    ] = False

    def settings(self) -> dict[str, float | bool]:
        """Return the values under the names that `create_extract_config` uses."""
        return {
            "min_confidence": self.min_confidence,
            "min_characters": self.min_characters,
            "boilerplate": _parse_choice("--boilerplate", self.boilerplate),
            "duplicates": _parse_choice("--duplicates", self.duplicates),
            "prefilter": not self.identify_all,
        }


def command(
    inputs: Inputs,
    language: Annotated[
        str,
        typer.Option("--language", "-l", metavar="LANGS", help="Languages, labels or groups, such as 'is,fo'."),
    ],
    out: Annotated[
        str,
        typer.Option("--out", "-o", metavar="OUT", help="A folder, a .jsonl or .parquet file, or - for lines of JSON."),
    ],
    *,
    text_options: TextOptions,
    form: Annotated[
        str | None, typer.Option("--format", metavar="jsonl|parquet", help="Default: by the file's name, or jsonl.")
    ] = None,
    workers: Workers = None,
    reading_options: ReadingOptions,
    evidence_options: EvidenceOptions,
    model: Model = None,
) -> None:
    """Write the text of pages, or of parts of mixed pages, that is in the given languages: UTF-8, a line for each block.

    A filter on the bytes of a page rejects most pages in other languages several times faster than identifying them.
    """
    config = Config(**reading_options.settings(), **evidence_options.settings(), model=model)
    extract_config = create_extract_config(parse_names(language), create_identifier(config), **text_options.settings())
    skipped: list[str] = []
    if out == STDOUT:
        if form not in (None, "jsonl"):
            raise UsageError("standard output gets lines of JSON: name a file or a folder for another format")
        if workers is not None:
            raise UsageError(
                "--workers is for files: one process writes to standard output, in the order of the inputs"
            )
        counts = ExtractCounts()
        for row in show_count(extract_texts(inputs, extract_config, config, counts, skipped.append), "texts"):
            sys.stdout.write(format_json_line(row.to_dict()))
    else:
        with CensusProgress() as progress:
            counts = extract(
                inputs, Path(out), extract_config, config, file_format=form, workers=workers,
                on_progress=progress.update, on_stage=progress.show_stage, on_skipped=skipped.append,
            ).counts  # fmt: skip
    print_stderr(_format_summary(counts))
    if skipped:
        print_stderr(f"left out: {describe_skipped_folders(skipped)}")
    if not counts.captures:
        raise CommandExit(EXIT_FAILED, "the inputs contain no capture")
    if count := counts.unreadable:
        raise CommandExit(EXIT_FAILED, f"{count:,} input{'s' * (count != 1)} could not be read to the end")


def _parse_choice(option: str, word: str) -> bool:
    if word not in CHOICES:
        raise UsageError(f"{option} is keep or drop, not {word!r}")
    return CHOICES[word]


def _format_summary(counts: ExtractCounts) -> str:
    parts = [
        f"{counts.captures:,} captures",
        f"{counts.refused:,} rejected by the filter",
        f"{counts.identified:,} identified",
        f"{counts.rows:,} texts written ({counts.characters:,} characters)",
    ]
    for count, text in (
        (counts.duplicates, "duplicates"),
        (counts.short, "with too little text"),
        (counts.damaged, "damaged records"),
    ):
        if count:
            parts.append(f"{count:,} {text}")
    return ", ".join(parts)
