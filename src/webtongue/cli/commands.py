"""The commands by name. Each is imported when it is called: help and version need none of them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

__all__ = ["COMMANDS", "load_command"]

# The module of the same name in this package has the command.
COMMANDS = {
    "identify": "Identify the language of pages, with a confidence.",
    "url": "Identify the language of pages by their URLs alone.",
    "decode": "Write pages as UTF-8, whatever their encoding.",
    "crawl": "Fetch pages in given languages, the likeliest links first.",
    "census": "Identify every capture of a crawl: WARC in, Parquet out.",
    "estimate": "Estimate the census of a crawl from its index and a few fetched records.",
    "audit": "Judge a sample of the answers of a census, on a page of this machine.",
    "extract": "Write the text of a crawl that is in given languages.",
    "search": "Find pages of a census by their text.",
    "tables": "Print the tables of a census.",
    "sql": "Query a census in SQL.",
    "compare": "Print what changed from one census to another.",
    "report": "Write the report of a census: one page of maps, charts and tables.",
    "serve": "Answer over HTTP, with a page that shows the evidence.",
    "languages": "List the languages that can be identified.",
    "train": "Train a language model.",
    "evaluate": "Score webtongue and other installed identifiers on the same items.",
    "reproduce": "Repeat the experiments of a paper.",
}


def load_command(name: str) -> Callable[..., None]:
    """Import a command and return it with one parameter for each of its options."""
    from webtongue.cli.options import expand_groups

    return expand_groups(import_module(f"webtongue.cli.{name}").command)
