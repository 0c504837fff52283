"""Batches: JSON Lines in and out, in the order of the lines, processed in chunks.

Lines are read while answers are written, so that neither side holds more than a chunk. An invalid line is answered by an error in
its place. An error that ends the batch (too long, too slow) is the last line. A body that is one JSON array is refused as a whole.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from webtongue import Identifier, Page, schema
from webtongue.serve.answers import find_attribution, format_row, identify_page
from webtongue.serve.bodies import iter_body
from webtongue.serve.http import Request
from webtongue.serve.problems import Problem
from webtongue.serve.requests import BOM, BatchLine, parse_json
from webtongue.serve.worker_pool import WorkerPool

__all__ = ["Chunk", "answer_chunk", "check_is_lines", "iter_chunks"]

CHUNK_LINES = 512
CHUNK_BYTES = 1 << 20
BLANK_LINES = re.compile(rb"(?:[ \t\r]*+\n)++")  # possessive: linear on any input

NumberedLine = tuple[int, bytes | Problem]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Lines that are not blank, with their line numbers, and the problem that ended the batch after them, if any."""

    lines: Sequence[NumberedLine]
    problem: Problem | None = None
    problem_line: int = 0
    is_last: bool = False


async def iter_chunks(request: Request, pool: WorkerPool) -> AsyncIterator[Chunk]:
    """Yield the lines of a request in chunks."""
    splitter = LineSplitter(pool.limits.line_bytes)
    lines: list[NumberedLine] = []
    size = 0
    try:
        async for part in iter_body(request, pool):
            pool.reserve(request, len(part))
            for number, line in splitter.split(part):
                lines.append((number, line))
                size += len(line) if isinstance(line, bytes) else 0
                if len(lines) >= CHUNK_LINES or size >= CHUNK_BYTES:
                    yield Chunk(lines)
                    lines, size = [], 0
                    _check_number(splitter.number, pool.limits.batch_lines)
            _check_number(splitter.number, pool.limits.batch_lines)
            pool.reserve(request, splitter.size + size - request.held_bytes)
        yield Chunk(lines + splitter.flush(), is_last=True)
    except Problem as problem:
        yield Chunk(lines, problem, splitter.number, is_last=True)


def check_is_lines(first: Chunk) -> None:
    """Raise Problem if the first chunk is the whole batch and its only line is a JSON array; a line among others is answered."""
    if first.is_last and len(first.lines) == 1:
        line = first.lines[0][1]
        if isinstance(line, bytes) and line.lstrip().startswith(b"[") and line.endswith(b"]"):
            raise Problem("invalid", "send one JSON object per line (JSON Lines), not one array", pointer="")


def _check_number(number: int, limit: int) -> None:
    if number > limit:
        raise Problem("too-large", f"a batch may have at most {limit:,} lines")


class LineSplitter:
    """Splits bytes into lines; of a line above the limit only the size is kept."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.number = 1  # number of the current line
        self.size = 0  # bytes of the current line so far
        self._parts: list[bytes] = []

    def split(self, part: bytes) -> Iterator[NumberedLine]:
        """Yield the lines that end in this part."""
        begin = 0
        while True:
            if not self.size and (blank := BLANK_LINES.match(part, begin)):
                self.number += part.count(b"\n", begin, blank.end())
                begin = blank.end()
            end = part.find(b"\n", begin)
            self._append(part[begin : end if end >= 0 else len(part)])
            if end < 0:
                return
            yield from self.flush()
            self.number += 1
            begin = end + 1

    def _append(self, part: bytes) -> None:
        self.size += len(part)
        if self.size > self.max_bytes:
            self._parts = []
        elif part:
            self._parts.append(part)

    def flush(self) -> list[NumberedLine]:
        """Return the current line in a list, which is empty if the line is blank."""
        size, parts = self.size, self._parts
        self.size, self._parts = 0, []
        if size > self.max_bytes:
            detail = f"a line may have at most {self.max_bytes:,} bytes, this one has {size:,}"
            return [(self.number, Problem("too-large", detail))]
        line = b"".join(parts).removeprefix(BOM).rstrip()
        return [(self.number, line)] if line else []


@dataclass(frozen=True, slots=True)
class ParsedLine:
    """A valid line."""

    id: int | str | None
    page: Page
    text: str | None
    explain: bool

    @property
    def is_plain_page(self) -> bool:
        """Return True for a page without explanation, which identify_batch answers."""
        return self.text is None and not self.explain


def answer_chunk(chunk: Chunk, explain: bool, ident: Identifier) -> tuple[bytes, tuple[str, ...]]:
    """Return the answers to a chunk as JSON Lines, and the labels in them."""
    lines = [(number, _parse_line(line, number, explain)) for number, line in chunk.lines]
    plain_pages = [line for _, line in lines if isinstance(line, ParsedLine) and line.is_plain_page]
    batch_rows = _identify_batch(plain_pages, ident)
    rows: list[dict[str, Any]] = []
    for number, line in lines:
        if isinstance(line, Problem):
            rows.append({"line": number, "error": line.to_dict()})
            continue
        row = next(batch_rows) if line.is_plain_page else identify_page(line.page, line.text, line.explain, ident)
        row.pop("explanation", None)
        if line.id is not None:
            row["id"] = line.id
        rows.append(row)
    if chunk.problem is not None:
        rows.append({"line": chunk.problem_line, "error": chunk.problem.to_dict()})
    labels = tuple(row["label"] for row in rows if "label" in row)
    return b"".join([msgspec.json.encode(row) + b"\n" for row in rows]), labels


def _parse_line(line: bytes | Problem, number: int, explain: bool) -> ParsedLine | Problem:
    if isinstance(line, Problem):
        return line
    try:
        request = parse_json(line, BatchLine, number)
        return ParsedLine(request.id, request.to_page(), request.plain_text, explain or bool(request.explain))
    except Problem as problem:
        return problem


def _identify_batch(lines: Sequence[ParsedLine], ident: Identifier) -> Iterator[dict[str, Any]]:
    if not lines:
        return
    inputs: dict[str, Any] = {"raw": [line.page.raw for line in lines]}
    for name in schema.INPUTS[1:]:
        values = [getattr(line.page, name) or None for line in lines]
        if any(values):
            inputs[name] = values
    results = ident.identify_batch(inputs, 1)
    columns = [column if isinstance(column, list) else column.tolist() for column in results.values()]
    for line, row in zip(lines, zip(*columns, strict=True), strict=True):
        yield format_row(dict(zip(results, row, strict=True))) | find_attribution(line.page, ident)
