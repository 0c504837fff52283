"""Hooks of mkdocs.yml: write the reference of the command line, and make links to files outside of docs/ plain text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import typer

from webtongue.cli.commands import COMMANDS, load_command
from webtongue.cli.typer_application import declare_for_typer

__all__ = ["on_page_markdown", "write_reference"]

ROOT = Path(__file__).parent.parent
PLACE = "<!-- commands -->"  # in docs/cli.md
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return the source of a page with the reference filled in and links that leave docs/ as their text."""
    folder = (ROOT / "docs" / page.file.src_uri).parent

    def convert(match: re.Match[str]) -> str:
        target = (folder / match.group(2)).resolve()
        return match.group(0) if target.is_relative_to(ROOT / "docs") or not target.exists() else match.group(1)

    markdown = markdown.replace(PLACE, write_reference()) if PLACE in markdown else markdown
    return LINK.sub(convert, markdown)


def write_reference() -> str:
    """Return a section for each command: its help, its usage and its options, as ``--help`` prints them."""
    return "\n\n".join(_write_command(name) for name in COMMANDS)


def _write_command(name: str) -> str:
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name)(declare_for_typer(load_command(name)))
    command = typer.main.get_command(app)
    context = command.make_context(name, [], resilient_parsing=True)
    usage = " ".join(["webtongue", name, *command.collect_usage_pieces(context)])
    rows = [record for parameter in command.get_params(context) if (record := _describe(parameter, context))]
    lines = [f"| `{names}` | {_escape(text)} |" for names, text in rows]
    table = ["", "| option | meaning |", "| --- | --- |", *lines] if lines else []
    return "\n".join([f"## {name}", "", _escape(command.help or ""), "", "```text", usage, "```", *table])


def _describe(parameter: Any, context: Any) -> tuple[str, str] | None:
    """Return the names and the help of a parameter."""
    if parameter.param_type_name == "argument":
        return parameter.metavar or parameter.name.upper(), parameter.help or ""
    names, text = parameter.get_help_record(context) or ("", "")
    return (names, text) if names else None


def _escape(text: str) -> str:
    return re.sub(r"\s*\n\s*(?!\n)", " ", text.strip()).replace("|", "\\|").replace("<", "&lt;").replace("[", "\\[")
