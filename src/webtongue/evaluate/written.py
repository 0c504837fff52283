"""What experiments found, written into the documents: regions of Markdown that a command fills, and by which code and models.

A document has a place for each paper, between two comments. What stands there is written by `webtongue reproduce PAPER
--write`, and says with which version, models and code: a test compares these with what is there, so that figures cannot
outlive what printed them.
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
from webtongue.evaluate.tables import Claim, Exempt, Found, Table, shown

__all__ = ["Stamp", "filled", "missing", "region", "stamp", "written"]

PACKAGE = Path(webtongue.__file__).parent
METHODS = "webtongue.methods"
MODELS = ("text.wtm", "url.wtu", "encodings.wtb", "fonts.wtf")  # and those of methods
DIGITS = 12  # of a digest
AS_ABOVE, MADE_AS_ABOVE = "Data as above.", "Generated: as above."


@dataclass(frozen=True, slots=True)
class Stamp:
    """By what figures were made. Code is that of the experiment and of the methods it uses; comments and layout do not count."""

    version: str
    models: str
    code: str

    def __str__(self) -> str:
        return f"webtongue {self.version}, models {self.models}, code {self.code}"


def stamp(paper: Path) -> Stamp:
    """Of an experiment as it is now."""
    models = hashlib.sha256()
    folder = PACKAGE / "models"
    for path in [*(folder / name for name in MODELS), *sorted((folder / "methods").glob("*.wtp"))]:
        models.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    code = hashlib.sha256()
    for path in sorted(_modules(paper), key=lambda path: path.name):
        code.update(path.name.encode() + ast.dump(_bare(path)).encode())
    return Stamp(webtongue.__version__, models.hexdigest()[:DIGITS], code.hexdigest()[:DIGITS])


def _modules(paper: Path) -> set[Path]:
    """The experiment, its siblings that it imports, and the methods, with what these import in turn."""
    found: set[Path] = set()
    waiting = [paper]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imported(path, paper.parent)
    return found


def _imported(path: Path, folder: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            sibling = folder / f"{name}.py"
            inside = PACKAGE / "methods" / f"{name.removeprefix(METHODS + '.')}.py"
            if sibling.is_file():
                yield sibling
            elif name == METHODS:  # the list of all of them
                yield from (PACKAGE / "methods").glob("*.py")
            elif name.startswith(METHODS + ".") and inside.is_file():
                yield inside


def _bare(path: Path) -> ast.Module:
    """The code of a module without its docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return tree


def missing(published: Sequence[str], found: Sequence[Found]) -> list[str]:
    """Tables and figures of a paper that nothing found stands for."""
    there = {name for one in found if not isinstance(one, Claim) for name in one.of}
    return [name for name in published if name not in there]


def written(found: Sequence[Found]) -> str:
    """All that was found, as Markdown: tables in their order, then comparisons, then what was not made."""
    said: set[str] = set()
    tables = [_table(one, said) for one in found if isinstance(one, Table)]
    claims = [_claim(one) for one in found if isinstance(one, Claim)]
    exempt = [f"- {', '.join(one.of)}: {one.reason}" for one in found if isinstance(one, Exempt)]
    parts = [*tables]
    if claims:
        parts.append("**What the paper says, and whether it comes out here**\n\n" + "\n".join(claims))
    if exempt:
        parts.append("**Not made**\n\n" + "\n".join(exempt))
    return "\n\n".join(parts)


def _table(table: Table, said: set[str]) -> str:
    """A table with its words; those that stand below an earlier one are not said in full again."""
    of = f" ({', '.join(table.of)})" if table.of else ""
    lines = [
        f"**{_cell(table.title)}**{of}",
        "",
        _row(table.columns),
        _row(["---", *["---:"] * (len(table.columns) - 1)]),
    ]
    lines += [_row([shown(cell) for cell in row]) for row in table.rows]
    for words, again in ((table.note, AS_ABOVE), (table.generated and f"Generated: {table.generated}", MADE_AS_ABOVE)):
        if words:
            lines += ["", again if words in said else _cell(words)]
            said.add(words)
    return "\n".join(lines)


def _claim(claim: Claim) -> str:
    said = "Holds" if claim.holds else "**Does not hold**"
    why = "" if claim.holds else f" {claim.why or 'Not explained'}."
    return _cell(f"- {said}: {claim.text} ({claim.figures}).{why}").replace("..", ".")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_cell(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("<", "&lt;")


def _marks(name: str) -> tuple[str, str]:
    return f"<!-- {name}: written by the command, not by hand -->", f"<!-- end of {name} -->"


def region(document: str, name: str) -> str | None:
    """What stands in a document's place of that name; None where it has no such place."""
    begin, end = _marks(name)
    _, there, rest = document.partition(begin)
    return rest.partition(end)[0].strip() if there else None


def filled(document: str, name: str, text: str) -> str:
    """The document with something else in one of its places."""
    begin, end = _marks(name)
    if region(document, name) is None or end not in document:
        raise UsageError(f"no place for {name} in the document: it needs the lines {begin} and {end}")
    before, _, rest = document.partition(begin)
    return f"{before}{begin}\n\n{text}\n\n{end}{rest.partition(end)[2]}"
