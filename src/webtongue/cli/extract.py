"""``webtongue extract``: the text of a crawl that is in the wanted languages."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from webtongue.census.config import Config
from webtongue.census.extract import Tally, extract, texts, wanted_of
from webtongue.census.rows import identifier
from webtongue.cli.census import (
    ContentColumn,
    Inputs,
    LargestPage,
    LargestRecord,
    Model,
    PageSeconds,
    Prefix,
    Retries,
    Sample,
    UrlColumn,
    Workers,
    share_of,
)
from webtongue.cli.exits import UNREAD, Ended
from webtongue.cli.known import Evidence, Geo, names_of, sources_of
from webtongue.cli.progress import Bar, counted
from webtongue.cli.sizes import size_of
from webtongue.cli.terminal import complain, json_line
from webtongue.errors import UsageError

__all__ = ["command"]

STDOUT = "-"
CHOICES = {"keep": True, "drop": False}


Language: TypeAlias = Annotated[
    str, typer.Option("--language", "-l", metavar="LANGS", help="Wanted, such as 'is,fo'; labels and groups too.")
]
Out: TypeAlias = Annotated[
    str, typer.Option("--out", "-o", metavar="OUT", help="A folder, a .jsonl or .parquet file, or - for lines of JSON.")
]
MinConfidence: TypeAlias = Annotated[float, typer.Option(min=0, max=1, help="Of a page, or of a stretch of one.")]
MinCharacters: TypeAlias = Annotated[int, typer.Option(min=1, help="Of the text that is left of a page.")]
Boilerplate: TypeAlias = Annotated[
    str, typer.Option(metavar="keep|drop", help="Menus, lone links, notices, lines of other pages of a host.")
]
Duplicates: TypeAlias = Annotated[str, typer.Option(metavar="keep|drop", help="Texts that came before.")]
Format: TypeAlias = Annotated[
    str | None, typer.Option("--format", metavar="jsonl|parquet", help="jsonl, if the name of a file says nothing.")
]
Everything: TypeAlias = Annotated[
    bool, typer.Option("--identify-all", help="Identify every page: nothing is refused at a first look.")
]


def command(
    inputs: Inputs,
    language: Language,
    out: Out,
    min_confidence: MinConfidence = 0.9,
    min_characters: MinCharacters = 1,
    boilerplate: Boilerplate = "drop",
    duplicates: Duplicates = "drop",
    form: Format = None,
    everything: Everything = False,
    workers: Workers = None,
    prefix: Prefix = "",
    sample: Sample = "100%",
    url_column: UrlColumn = "url",
    content_column: ContentColumn = "",
    largest_record: LargestRecord = "256M",
    largest_page: LargestPage = "16M",
    page_seconds: PageSeconds = 60.0,
    retries: Retries = 5,
    evidence: Evidence = None,
    geo: Geo = None,
    model: Model = None,
) -> None:
    """Write the text of pages, or of stretches of mixed pages, that is in the wanted languages: UTF-8, a line a block.

    A first look at a page's bytes refuses most of those that hold no wanted language, several times as fast as they are identified.
    """
    heard = sources_of(evidence)
    config = Config(
        largest_record=size_of(largest_record), largest_page=size_of(largest_page), page_seconds=page_seconds,
        sample=share_of(sample), prefix=prefix, retries=retries, url_column=url_column, content_column=content_column,
        evidence=None if heard is None else tuple(heard), model=model, geo=geo,
    )  # fmt: skip
    wanted = wanted_of(
        names_of(language) or [], identifier(config), min_confidence=min_confidence, min_characters=min_characters,
        boilerplate=_choice("--boilerplate", boilerplate), duplicates=_choice("--duplicates", duplicates),
        first_look=not everything,
    )  # fmt: skip
    if out == STDOUT:
        if form not in (None, "jsonl"):
            raise UsageError("standard output gets lines of JSON: give a file or a folder for another format")
        if workers is not None:
            raise UsageError(
                "--workers is for files: what goes to standard output is read in its order, by one process"
            )
        tally = Tally()
        for row in counted(texts(inputs, wanted, config, tally), "texts"):
            sys.stdout.write(json_line(row.to_dict()))
    else:
        with Bar() as bar:
            done = extract(inputs, Path(out), wanted, config, form=form, workers=workers, watch=bar.watch, said=bar.say)
        tally = done.tally
    complain(_summary(tally))
    _end(tally)


def _choice(option: str, word: str) -> bool:
    if word not in CHOICES:
        raise UsageError(f"{option} is keep or drop, not {word!r}")
    return CHOICES[word]


def _summary(tally: Tally) -> str:
    """What became of everything, in one sentence: on standard error, whatever goes to standard output."""
    parts = [
        f"{tally.captures:,} captures",
        f"{tally.refused:,} refused at a first look",
        f"{tally.identified:,} identified",
        f"{tally.rows:,} texts written ({tally.characters:,} characters)",
    ]
    for count, words in (
        (tally.duplicates, "were there before"),
        (tally.short, "had too little text"),
        (tally.damaged, "damaged records"),
    ):
        if count:
            parts.append(f"{count:,} {words}")
    return ", ".join(parts)


def _end(tally: Tally) -> None:
    if not tally.captures:
        raise Ended(UNREAD, "there was no capture to read")
    if tally.unreadable:
        some = tally.unreadable
        raise Ended(UNREAD, f"{some:,} input{'s' * (some != 1)} could not be read to the end")
