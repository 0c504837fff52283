"""``webtongue extract``: write the text of a crawl that is in given languages."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from webtongue import labels
from webtongue.census.config import Config
from webtongue.census.extract import ExtractCounts, ExtractResult, create_extract_config, extract, extract_texts
from webtongue.census.extract.formats import FORMATS
from webtongue.census.rows import create_identifier
from webtongue.cli.census import describe_skipped_folders
from webtongue.cli.console import Terminal
from webtongue.cli.engine import EngineOptions
from webtongue.cli.errors import EXIT_FAILED, CommandExit, make_interrupt_exit
from webtongue.cli.options import EvidenceOptions, Inputs, Model, ReadingOptions, Workers, parse_names, parse_size
from webtongue.cli.parameters import Option
from webtongue.cli.progress import CensusProgress, show_count
from webtongue.cli.terminal import format_json_line
from webtongue.errors import UsageError
from webtongue.records import dataclass

__all__ = ["command"]

STDOUT = "-"
MARKDOWN = "markdown"
CHOICES = {"keep": True, "drop": False}
MAX_LANGUAGES_SHOWN = 20
OTHER = ": types without text, other statuses, revisits"


@dataclass(frozen=True, slots=True)
class TextOptions:
    """Options that choose the text of a page."""

    min_confidence: Annotated[
        float, Option(min=0, max=1, help="Least confidence of a page, or of the part of a page in one language.")
    ] = 0.9
    boilerplate: Annotated[
        str, Option(metavar="keep|drop", help="Menus, single links, side bars, banners and notices.")
    ] = "drop"
    host_lines: Annotated[str, Option(metavar="keep|drop", help="Lines that an earlier page of the same host had.")] = (
        "drop"
    )
    duplicates: Annotated[str, Option(metavar="keep|drop", help="Texts that repeat an earlier one.")] = "drop"
    near_duplicates: Annotated[
        str,
        Option(metavar="keep|drop", help="Texts that share most of their 5-grams of words with an earlier one."),
    ] = "keep"
    markdown: Annotated[
        bool, Option("--markdown", help="Write headings, lists, tables, quotations and code as Markdown.")
    ] = False
    identify_all: Annotated[bool, Option("--identify-all", help="Identify every page, without the fast filter.")] = (
        False
    )

    def settings(self) -> dict[str, float | bool]:
        """Return the values under the names that `create_extract_config` uses."""
        return {
            "min_confidence": self.min_confidence,
            "markdown": self.markdown,
            "prefilter": not self.identify_all,
            **{
                name: _parse_choice(f"--{name.replace('_', '-')}", getattr(self, name))
                for name in ("boilerplate", "host_lines", "duplicates", "near_duplicates")
            },
        }


@dataclass(frozen=True, slots=True)
class QualityOptions:
    """Options that drop texts by measures of their quality, which are columns too."""

    min_characters: Annotated[int, Option(min=1, help="Least number of characters of a text.")] = 1
    max_symbols: Annotated[
        float, Option(min=0, max=1, help="Largest share of characters that are symbols, such as .1.")
    ] = 1.0
    min_stop_words: Annotated[
        float,
        Option(min=0, max=1, help="Least share of words that are the commonest of the language, such as .1."),
    ] = 0.0
    max_repeated_lines: Annotated[
        float, Option(min=0, max=1, help="Largest share of characters in repeated lines, such as .3.")
    ] = 1.0
    max_lists: Annotated[float, Option(min=0, max=1, help="Largest share of characters in lists, such as .9.")] = 1.0

    def settings(self) -> dict[str, float | bool]:
        """Return the values under the names that `create_extract_config` uses."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """Options for the files that are written."""

    out: Annotated[
        str,
        Option(
            "--output",
            "-o",
            metavar="OUT",
            help="A folder, a file (.jsonl, .jsonl.gz, .jsonl.zst, .parquet), a URL of either, or - for lines of JSON.",
        ),
    ]
    file_format: Annotated[
        str | None,
        Option(
            "--format",
            metavar="jsonl[.gz|.zst]|parquet|markdown",
            help="Default: by the file's name, or jsonl. markdown is --markdown.",
        ),
    ] = None
    shard_size: Annotated[
        str, Option(metavar="SIZE", help="Start a new file in a folder after so many bytes, uncompressed.")
    ] = "1G"
    resume: Annotated[bool, Option("--resume", help="Continue an extraction that was stopped.")] = False
    force: Annotated[bool, Option("--force", help="Replace an earlier extraction.")] = False


def command(
    inputs: Inputs,
    language: Annotated[
        list[str] | None,
        Option("--language", "-l", metavar="LANGS", help="Languages, labels or groups, such as 'is,fo', or all."),
    ] = None,
    languages_from: Annotated[Path | None, Option(metavar="FILE", help="A file with a language in each line.")] = None,
    *,
    output_options: OutputOptions,
    text_options: TextOptions,
    quality_options: QualityOptions,
    workers: Workers = None,
    reading_options: ReadingOptions,
    evidence_options: EvidenceOptions,
    model: Model = None,
    engine_options: EngineOptions,
) -> None:
    """Write the text of pages, or of parts of mixed pages, that is in the given languages: UTF-8, a line for each block.

    A filter on the bytes of a page rejects most pages in other languages several times faster than identifying them. An extraction
    that was stopped continues with --resume.
    """
    start = time.monotonic()
    config = Config(**reading_options.settings(), **evidence_options.settings(), model=model)
    file_format, is_markdown = _split_format(output_options.file_format)
    settings = (
        text_options.settings()
        | quality_options.settings()
        | {"shard_bytes": parse_size(output_options.shard_size), "markdown": is_markdown or text_options.markdown}
    )
    extract_config = create_extract_config(
        _read_languages(language, languages_from), create_identifier(config), **settings
    )
    skipped: list[str] = []
    if output_options.out == STDOUT:
        _check_stdout(output_options, file_format, workers, engine_options)
        counts = ExtractCounts()
        for row in show_count(extract_texts(inputs, extract_config, config, counts, skipped.append), "texts"):
            sys.stdout.write(format_json_line(row.to_dict()))
        result = ExtractResult(counts, (), captures_read=counts.captures)
    else:
        try:
            with CensusProgress() as progress:
                result = extract(
                    inputs, output_options.out, extract_config, config, file_format=file_format,
                    resume=output_options.resume, force=output_options.force, engine=engine_options.create(workers),
                    scratch=engine_options.scratch,
                    on_progress=progress.update, on_stage=progress.show_stage, on_skipped=skipped.append,
                )  # fmt: skip
        except KeyboardInterrupt as stop:
            raise make_interrupt_exit(stop, "finished parts are kept: --resume continues from them") from None
    _print_summary(result, time.monotonic() - start, skipped)
    counts = result.counts
    if not counts.captures:
        raise CommandExit(EXIT_FAILED, "the inputs contain no capture")
    if count := counts.unreadable:
        raise CommandExit(EXIT_FAILED, f"{count:,} input{'s' * (count != 1)} could not be read to the end")


def _read_languages(names: list[str] | None, path: Path | None) -> Sequence[str]:
    """Return the languages of an option, a file or both."""
    if names is None and path is None:
        raise UsageError(
            "choose languages with --language, such as --language is,fo, or all of them with --language all"
        )
    languages = [] if names is None else list(parse_names(names))
    if path is not None:
        try:
            lines = path.read_text("utf-8").splitlines()
        except OSError as error:
            raise UsageError(f"{path} is not a file of languages: {error.strerror}") from None
        except UnicodeDecodeError:
            raise UsageError(f"{path} is not a file of languages: it is not UTF-8") from None
        languages += [name for line in lines if (name := line.partition("#")[0].strip())]
    if not languages:
        raise UsageError(f"{path} names no language: write one in each line")
    return languages


def _split_format(name: str | None) -> tuple[str | None, bool]:
    """Return the format of files, and whether ``--format`` asks for the text as Markdown, which is no format of files."""
    if name not in (None, *FORMATS, MARKDOWN):
        raise UsageError(f"a format is one of {', '.join(FORMATS)}, or markdown for the text as Markdown, not {name!r}")
    return (None, True) if name == MARKDOWN else (name, False)


def _check_stdout(
    options: OutputOptions, file_format: str | None, workers: int | None, engine_options: EngineOptions
) -> None:
    """Raise UsageError for options that need files."""
    if file_format not in (None, "jsonl"):
        raise UsageError("standard output gets lines of JSON: name a file or a folder for another format")
    if workers is not None:
        raise UsageError("--workers is for files: one process writes to standard output, in the order of the inputs")
    if options.resume or options.force:
        raise UsageError("--resume and --force are for files: name one, or a folder")
    if engine_options != EngineOptions():
        raise UsageError("--engine, --master, --conf and --scratch are for files: name one, or a folder")


def _parse_choice(option: str, word: str) -> bool:
    if word not in CHOICES:
        raise UsageError(f"{option} is keep or drop, not {word!r}")
    return CHOICES[word]


def _print_summary(result: ExtractResult, seconds: float, skipped: Sequence[str]) -> None:
    """Print the counts of captures and texts, and those of the largest languages, on standard error."""
    if sys.stderr is None:
        return
    terminal = Terminal(file=sys.stderr)
    counts = result.counts
    lines = [("captures", f"{counts.captures:,}")]
    for name, count in (
        ("other", counts.other),
        ("damaged", counts.damaged + counts.unreadable),
        ("rejected by filter", counts.refused),
        ("identified", counts.identified),
    ):
        if count or name == "identified":
            lines.append((f"  {name}", f"{count:,}{OTHER if name == 'other' else ''}"))
    lines.append(("texts", f"{counts.texts:,} in the chosen languages"))
    for name, count in (
        ("duplicates", counts.duplicates),
        ("near duplicates", counts.near_duplicates),
        ("poor quality", counts.poor),
        ("too little left", counts.short),
    ):
        if count:
            lines.append((f"  {name}", f"{count:,}"))
    lines.append(("  written", f"{counts.rows:,}, {counts.characters:,} characters"))
    if result.shards:
        lines.append(("files", f"{len(result.shards):,}"))
    if counts.languages:
        lines.append(("labels", f"{len(counts.languages):,}"))
    largest = sorted(counts.languages.items(), key=lambda entry: (-entry[1][0], entry[0]))
    for label, (rows, characters) in largest[:MAX_LANGUAGES_SHOWN]:
        lines.append((f"  {label}", f"{rows:,}, {characters:,} characters, {labels.name(label)}"))
    if len(largest) > MAX_LANGUAGES_SHOWN:
        lines.append(("", f"and {len(largest) - MAX_LANGUAGES_SHOWN:,} more labels"))
    lines += [("not read", terminal.escape(f"{name}: {reason}")) for name, reason in counts.unread]
    if counts.unreadable > len(counts.unread):
        lines.append(("", f"and {counts.unreadable - len(counts.unread):,} more"))
    if skipped:
        lines.append(("left out", terminal.escape(describe_skipped_folders(skipped))))
    if result.captures_read < counts.captures:
        lines.append(("done before", f"{counts.captures - result.captures_read:,} captures"))
    if result.captures_read:
        lines.append(("speed", f"{result.captures_read / max(seconds, 1e-9):,.0f} pages/s"))
    terminal.write_pairs(lines)
