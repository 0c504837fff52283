"""Many pages in one request: JSON Lines in, JSON Lines out, in their order, a chunk of lines at a time.

Lines are read while answers are written: neither side holds more than a chunk. A line that makes no sense is answered by an error
in its place; what ends the whole (a stream that is too long or too slow) is the last line.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from webtongue import Identifier, Page
from webtongue.batch import NUMBERS
from webtongue.serve.answers import credit_of, identified, row_of
from webtongue.serve.asked import AskedLine, decoded, text_of
from webtongue.serve.bodies import parts
from webtongue.serve.http import Request
from webtongue.serve.problems import Problem
from webtongue.serve.work import Workshop

__all__ = ["Chunk", "answers", "chunks"]

CHUNK_LINES = 512
CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some lines, the number of the first, and what ended the stream after them, if something did."""

    first: int
    lines: Sequence[bytes | Problem]
    problem: Problem | None = None


async def chunks(request: Request, workshop: Workshop) -> AsyncIterator[Chunk]:
    """Lines in chunks: as soon as a chunk is full, or nothing more is here for now."""
    reader = _Lines(workshop.limits.line)
    number, done, size = 1, [], 0
    try:
        async for part in parts(request, workshop):
            workshop.hold(len(part))
            request.held += len(part)
            for line in reader.add(part):
                done.append(line)
                size += len(line) if isinstance(line, bytes) else 0
                if len(done) >= CHUNK_LINES or size >= CHUNK_BYTES:
                    yield Chunk(number, done)
                    number, done, size = number + len(done), [], 0
                    if number > workshop.limits.lines:
                        raise Problem("too-large", f"a batch has at most {workshop.limits.lines:,} lines here")
            workshop.hold(reader.size + size - request.held)
            request.held = reader.size + size
        done += reader.rest()
        yield Chunk(number, done)
    except Problem as problem:
        yield Chunk(number, done, problem)


class _Lines:
    """Bytes cut into lines; of a line that is too long only its length is kept."""

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self.size = 0
        self._begun: list[bytes] = []

    def add(self, part: bytes) -> list[bytes | Problem]:
        """The lines that end in this part."""
        *ends, rest = part.split(b"\n")
        out: list[bytes | Problem] = []
        for end in ends:
            self._more(end)
            out += self.rest()
        self._more(rest)
        return out

    def _more(self, part: bytes) -> None:
        self.size += len(part)
        if self.size > self.longest:
            self._begun = []
        elif part:
            self._begun.append(part)

    def rest(self) -> list[bytes | Problem]:
        """The line that has begun, if it says anything."""
        size, begun = self.size, self._begun
        self.size, self._begun = 0, []
        if size > self.longest:
            return [Problem("too-large", f"a line has at most {self.longest:,} bytes here, this one {size:,}")]
        line = b"".join(begun).strip()
        return [line] if line else []


@dataclass(frozen=True, slots=True)
class Line:
    """A line that makes sense."""

    asked: AskedLine
    page: Page


def answers(chunk: Chunk, explain: bool, ident: Identifier) -> tuple[bytes, tuple[str, ...]]:
    """The answers to a chunk as lines of JSON, and the labels in them."""
    found = [_line(line, number) for number, line in enumerate(chunk.lines, chunk.first)]
    plain = [line for line in found if isinstance(line, Line) and _is_plain(line, explain)]
    together = iter(_together(plain, ident))
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(found, chunk.first):
        if isinstance(line, Problem):
            rows.append({"line": number, "error": line.to_dict()})
            continue
        row = next(together) if _is_plain(line, explain) else _alone(line, explain, ident)
        if line.asked.id is not None:
            row["id"] = line.asked.id
        rows.append(row)
    if chunk.problem is not None:
        rows.append({"line": chunk.first + len(rows), "error": chunk.problem.to_dict()})
    named = tuple(row["label"] for row in rows if "label" in row)
    return b"".join([msgspec.json.encode(row) + b"\n" for row in rows]), named


def _line(line: bytes | Problem, number: int) -> Line | Problem:
    if isinstance(line, Problem):
        return line
    try:
        asked = decoded(line, AskedLine, number)
        return Line(asked, asked.page())
    except Problem as problem:
        return problem


def _is_plain(line: Line, explain: bool) -> bool:
    """Whether its row is all that is asked for, and it is a page: these are answered together."""
    return not (explain or line.asked.explain) and text_of(line.asked) is None


def _alone(line: Line, explain: bool, ident: Identifier) -> dict[str, Any]:
    found = identified(line.page, text_of(line.asked), explain or line.asked.explain, ident)
    found.pop("explanation", None)
    return found


def _together(lines: Sequence[Line], ident: Identifier) -> Iterator[dict[str, Any]]:
    if not lines:
        return
    columns: dict[str, Any] = {"raw": [line.page.raw for line in lines]}
    for name in ("url", "headers", "ip", "country", "inlinks", "host"):
        values = [getattr(line.page, name) for line in lines]
        if any(values):
            columns[name] = [value or None for value in values]
    out = ident.identify_batch(columns, 1)
    for name in NUMBERS:
        out[name] = out[name].tolist()
    for line, row in zip(lines, zip(*out.values(), strict=True), strict=True):
        yield row_of(dict(zip(out, row, strict=True))) | credit_of(line.page, ident)
