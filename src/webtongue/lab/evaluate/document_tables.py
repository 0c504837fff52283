"""Write results of experiments into regions of Markdown documents, with a stamp of the code and models that computed them.

A document has a region for each paper, between two comments. `webtongue reproduce PAPER --write` fills it, with the version, models
and code: a test compares these with the current ones, so that outdated figures are noticed.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import webtongue
from webtongue.errors import UsageError
from webtongue.lab.evaluate.tables import Claim, Exempt, Result, Table, format_cell

__all__ = ["Stamp", "compute_stamp", "fill_region", "find_missing", "format_results", "read_region"]

PACKAGE = Path(webtongue.__file__).parent
METHODS = "webtongue.lab.methods"
MODELS = ("text.wtm", "url.wtu", "encodings.wtb", "fonts.wtf")  # in addition to those of methods
DIGEST_DIGITS = 12  # of a digest
SAME_NOTE, SAME_GENERATED = "Data as above.", "Generated: as above."


@dataclass(frozen=True, slots=True)
class Stamp:
    """What figures were computed with. Code is that of the experiment and of the methods it uses, without comments and layout."""

    version: str
    models: str
    code: str

    def __str__(self) -> str:
        return f"webtongue {self.version}, models {self.models}, code {self.code}"


def compute_stamp(paper: Path) -> Stamp:
    """Return the stamp of an experiment with the current code and models."""
    models = hashlib.sha256()
    folder = PACKAGE / "models"
    for path in [*(folder / name for name in MODELS), *sorted((folder / "methods").glob("*.wtp"))]:
        models.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    code = hashlib.sha256()
    for path in sorted(_collect_modules(paper), key=lambda path: path.name):
        code.update(path.name.encode() + ast.dump(_parse_without_docstrings(path)).encode())
    return Stamp(webtongue.__version__, models.hexdigest()[:DIGEST_DIGITS], code.hexdigest()[:DIGEST_DIGITS])


def _collect_modules(paper: Path) -> set[Path]:
    """Return the files of the experiment, of the siblings and methods that it imports, and of their imports in turn."""
    modules: set[Path] = set()
    queue = [paper]
    while queue:
        path = queue.pop()
        if path not in modules:
            modules.add(path)
            queue += _iter_imports(path, paper.parent)
    return modules


def _iter_imports(path: Path, folder: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            sibling = folder / f"{name.rpartition('.')[2]}.py"
            inside = PACKAGE / "lab" / "methods" / f"{name.removeprefix(METHODS + '.')}.py"
            if sibling.is_file():
                yield sibling
            elif name == METHODS:  # the registry of all methods
                yield from (PACKAGE / "lab" / "methods").glob("*.py")
            elif name.startswith(METHODS + ".") and inside.is_file():
                yield inside


def _parse_without_docstrings(path: Path) -> ast.Module:
    """Return the syntax tree of a module without its docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return tree


def find_missing(published: Sequence[str], results: Sequence[Result]) -> list[str]:
    """Return the tables and figures of a paper that no result reproduces."""
    covered = {name for result in results if not isinstance(result, Claim) for name in result.reproduces}
    return [name for name in published if name not in covered]


def format_results(results: Sequence[Result]) -> str:
    """Return all results as Markdown: tables in their order, then claims, then exempt tables and figures."""
    notes: set[str] = set()
    tables = [_format_table(result, notes) for result in results if isinstance(result, Table)]
    claims = [_format_claim(result) for result in results if isinstance(result, Claim)]
    exempt = [f"- {', '.join(result.reproduces)}: {result.reason}" for result in results if isinstance(result, Exempt)]
    parts = [*tables]
    if claims:
        parts.append("**What the paper says, and whether it comes out here**\n\n" + "\n".join(claims))
    if exempt:
        parts.append("**Not made**\n\n" + "\n".join(exempt))
    return "\n\n".join(parts)


def _format_table(table: Table, notes: set[str]) -> str:
    """Return a table with its notes; a note that stands below an earlier table is abbreviated."""
    reproduced = f" ({', '.join(table.reproduces)})" if table.reproduces else ""
    lines = [
        f"**{_format_cell(table.title)}**{reproduced}",
        "",
        _format_row(table.columns),
        _format_row(["---", *["---:"] * (len(table.columns) - 1)]),
    ]
    lines += [_format_row([format_cell(cell) for cell in row]) for row in table.rows]
    for note, short_note in (
        (table.note, SAME_NOTE),
        (table.generated and f"Generated: {table.generated}", SAME_GENERATED),
    ):
        if note:
            lines += ["", short_note if note in notes else _format_cell(note)]
            notes.add(note)
    return "\n".join(lines)


def _format_claim(claim: Claim) -> str:
    outcome = "Holds" if claim.holds else "**Does not hold**"
    why = "" if claim.holds else f" {claim.why or 'Not explained'}."
    return _format_cell(f"- {outcome}: {claim.text} ({claim.figures}).{why}").replace("..", ".")


def _format_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_format_cell(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def _format_cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("<", "&lt;")


def _make_markers(name: str) -> tuple[str, str]:
    return f"<!-- {name}: written by the command, not by hand -->", f"<!-- end of {name} -->"


def read_region(document: str, name: str) -> str | None:
    """Return the contents of a region of a document, or None if it has no such region."""
    begin, end = _make_markers(name)
    _, separator, rest = document.partition(begin)
    return rest.partition(end)[0].strip() if separator else None


def fill_region(document: str, name: str, text: str) -> str:
    """Return the document with new contents of a region."""
    begin, end = _make_markers(name)
    if read_region(document, name) is None or end not in document:
        raise UsageError(f"the document has no region for {name}: add the lines {begin} and {end}")
    before, _, rest = document.partition(begin)
    return f"{before}{begin}\n\n{text}\n\n{end}{rest.partition(end)[2]}"
