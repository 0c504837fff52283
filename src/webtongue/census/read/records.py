"""A fault-tolerant reader of archive records, for WARC and ARC files in any state.

A record states its length, which may be wrong. It is accepted if the next record, a new member or the end of the file follows.
Otherwise the next record is searched for, first within the stated length. Every run of bytes that is no record is reported once,
with its offset. Of the content of a record, only a limited number of bytes is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from os import SEEK_END
from typing import BinaryIO

from webtongue.census.capture import Problem
from webtongue.census.read.decompress import Compression, DecompressedBuffer
from webtongue.census.read.members import find_member

__all__ = ["NO_FIELDS", "ArchiveFormat", "Bytes", "Damage", "Record", "RecordHead", "RecordReader"]

STEP_BYTES = 1 << 18  # bytes of a record's content that are read or skipped at a time
# Decompressed bytes of one record that are skipped before the next member is searched for. A bomb would take hours.
MAX_SKIPPED_BYTES = 1 << 30
LINE_ENDS = re.compile(rb"[\r\n]*")
NO_FIELDS: Mapping[bytes, bytes] = {}

Bytes = bytes | bytearray


@dataclass(slots=True)
class RecordHead:
    """The head of a record: its fields by lower-case name, and the stated size of the content."""

    fields: Mapping[bytes, bytes]
    size: int
    content_start: int  # index of the first byte of the content


@dataclass(frozen=True, slots=True)
class ArchiveFormat:
    """An archive format, as functions of a buffer and an index into it."""

    starts_record: Callable[[Bytes, int], bool]
    find_record: Callable[
        [Bytes, int, int], int
    ]  # the first record from an index on and before another; -1 if there is none
    parse_head: Callable[[Bytes, int], RecordHead | None]  # None if the head does not end within the buffer
    max_head_bytes: int
    start_bytes: int  # bytes that suffice to recognise the start of a record


@dataclass(slots=True)
class Record:
    """A record. ``content`` is all of its content, or the beginning if it is longer than a reader keeps."""

    fields: Mapping[bytes, bytes]
    content: bytes
    size: int  # as stated
    offset: int
    length: int = 0  # as stored; 0 if it shares its member with other records
    is_cut: bool = False  # whether the content is shorter than stated: the file ends, or the length is wrong


@dataclass(frozen=True, slots=True)
class Damage:
    """A run of bytes that is no record."""

    offset: int
    length: int
    detail: str
    problem: Problem = Problem.DAMAGED
    fields: Mapping[bytes, bytes] = field(
        default_factory=lambda: NO_FIELDS
    )  # head of the damaged record, if it was read

    def continues_with(self, other: Damage) -> bool:
        """Return True if the other run follows directly and neither is known to have been a record."""
        return self.offset + self.length == other.offset and not self.fields and not other.fields


class RecordReader:
    """An iterator over the records of a file that start from ``begin`` on and before ``end``.

    ``next_offset`` is the offset of the next record if the last one was intact and, in a compressed file, had a member of its
    own; else -1. A faster reader may continue there.
    """

    def __init__(
        self,
        file: BinaryIO,
        compression: Compression,
        archive_format: ArchiveFormat,
        begin: int,
        end: int,
        max_content_bytes: int,
    ) -> None:
        self._file, self._compression, self._format = file, compression, archive_format
        self._end, self._max_content_bytes = end, max_content_bytes
        self._buffer = DecompressedBuffer(file, compression, begin)
        self._is_done = False
        self._last_offset = -1  # offset of the last reported record or damage
        self.next_offset = -1

    def __iter__(self) -> Iterator[Record | Damage]:
        damage: Damage | None = None  # held back, because the next run may continue it
        while not self._is_done:
            item = self._next()
            if item is None:
                continue
            self._last_offset = item.offset
            if isinstance(item, Damage) and damage is not None and damage.continues_with(item):
                damage = replace(damage, length=damage.length + item.length)
                continue
            if damage is not None:
                yield damage
            damage = item if isinstance(item, Damage) else None
            if isinstance(item, Record):
                yield item
        if damage is not None:
            yield damage

    def _next(self) -> Record | Damage | None:
        self.next_offset = -1
        buffer, archive_format = self._buffer, self._format
        buffer.drop(self._skip_line_ends(0))
        if not buffer.fill(1):
            return self._finish()
        offset = buffer.offset()
        buffer.fill(archive_format.start_bytes)
        if not archive_format.starts_record(buffer.data, 0):
            return self._search(0, offset, "bytes that are no record")
        if self._end and offset >= self._end:
            self._is_done = True
            return None
        head = archive_format.parse_head(buffer.data, 0)
        while head is None:
            if len(buffer.data) >= archive_format.max_head_bytes:
                # The head of an intact record within these bytes would end here too, unless the record starts near their end.
                begin = max(1, len(buffer.data) - archive_format.max_head_bytes // 8)
                return self._search(begin, offset, "a record head that does not end")
            if not buffer.fill(len(buffer.data) + 1):
                return self._search(1, offset, "the file ends within the head of a record", Problem.CUT)
            head = archive_format.parse_head(buffer.data, 0)
        if self._next_record_member(0, head.content_start - 1) >= 0:
            return self._search(1, offset, "bytes that are no record")  # the head runs into the next record
        is_long = head.size > self._max_content_bytes
        return self._read_long(head, offset) if is_long else self._read(head, offset)

    def _finish(self) -> Damage | None:
        """Handle an empty buffer: at damage, within a member without output, or at the end of the file."""
        source = self._buffer.source
        if source.error:
            return self._skip_damage(source.error_offset, source.error)
        if source.is_cut and source.member_offset > self._last_offset:
            return self._skip_damage(source.member_offset, "the file ends within a member", Problem.CUT)
        self._is_done = True
        return None

    def _read(self, head: RecordHead, offset: int) -> Record | Damage:
        """Read a record whose content is kept as a whole."""
        buffer, start, end = self._buffer, head.content_start, head.content_start + head.size
        source, starts_member = buffer.source, buffer.starts_member(0)
        content_end = self._fill_content(start, end)
        after = self._skip_line_ends(content_end)
        is_followed = self._is_followed(content_end, after)
        is_cut = content_end < end
        if source.error and len(buffer.data) <= after and (source.error_offset == offset if starts_member else is_cut):
            return self._skip_damage(offset, source.error, fields=head.fields)
        if is_cut and len(buffer.data) <= after and (damage := self._find_swallowed(head, offset)):
            return damage
        if is_cut or not is_followed:
            inner = self._format.find_record(buffer.data, start, content_end)
            if inner >= 0:
                content_end = after = inner
                is_cut = is_followed = True
        content = buffer.copy(start, content_end)
        is_last = not buffer.fill(after + 1)
        has_length = self._compression is Compression.PLAIN or (
            starts_member and (is_last or buffer.starts_member(after))
        )
        length = (buffer.end_offset if is_last else buffer.offset(after)) - offset if has_length else 0
        if has_length and is_followed and not is_cut and not is_last:
            self.next_offset = buffer.offset(after)
        buffer.drop(after)
        return Record(head.fields, content, head.size, offset, length, is_cut)

    def _read_long(self, head: RecordHead, offset: int) -> Record | Damage:
        """Read a record of which only the beginning is kept."""
        buffer = self._buffer
        if self._compression is Compression.PLAIN and self._file.seekable():
            return self._read_long_plain(head, offset)
        content_end = self._fill_content(head.content_start, head.content_start + self._max_content_bytes)
        content = buffer.copy(head.content_start, content_end)
        starts_member = buffer.starts_member(0)
        buffer.drop(content_end)
        read = self._skip(head.size - len(content)) + len(content)
        if read < head.size and buffer.source.error:
            return self._skip_damage(offset, buffer.source.error, fields=head.fields)
        if read < head.size and (damage := self._find_swallowed(head, offset)):
            return damage
        if read < head.size and read >= MAX_SKIPPED_BYTES:
            self._go_to(find_member(self._file, self._compression, offset + 1, self._starts_record))
        buffer = self._buffer
        after = self._skip_line_ends(0)
        is_last = not buffer.fill(after + 1)
        has_length = starts_member and (is_last or buffer.starts_member(after))
        length = (buffer.end_offset if is_last else buffer.offset(after)) - offset if has_length else 0
        return Record(head.fields, content, head.size, offset, length, read < min(head.size, MAX_SKIPPED_BYTES))

    def _find_swallowed(self, head: RecordHead, offset: int) -> Damage | None:
        """Return the damage if a record that runs to the end of the file contains other records, else None."""
        next_offset = self._find_next_member(offset) if self._buffer.source.is_cut else -1
        if next_offset < 0:
            return None
        self._go_to(next_offset)
        return Damage(offset, next_offset - offset, "a damaged member", fields=head.fields)

    def _read_long_plain(self, head: RecordHead, offset: int) -> Record:
        """Read a long record of a plain file: check its stated end first, and search for the next record only if that is wrong.

        The content is read last, so that a wrong length costs no more than the search.
        """
        start = self._buffer.offset(head.content_start)
        end = start + head.size
        file_size = self._file.seek(0, SEEK_END)
        before, self._buffer = self._buffer, DecompressedBuffer(self._file, self._compression, min(end, file_size))
        after = self._skip_line_ends(0)
        next_offset, is_cut = self._buffer.offset(after), False
        if end > file_size or not self._is_followed(0, after):
            self._file.seek(before.end_offset)
            self._buffer = before
            before.drop(head.content_start - 1)
            next_record = offset + self._search(1, offset, "").length
            next_offset, is_cut = min(next_record, end), next_record < end  # up to its stated end the record is intact
        self._file.seek(start)
        content = self._file.read(min(head.size, next_offset - start, self._max_content_bytes))
        self._go_to(next_offset)
        return Record(head.fields, content, head.size, offset, next_offset - offset, is_cut)

    def _search(self, index: int, offset: int, detail: str, problem: Problem = Problem.DAMAGED) -> Damage:
        """Go to the first record from an index on, and return the bytes before it as damage."""
        buffer, archive_format = self._buffer, self._format
        while True:
            size = len(buffer.data)
            member = self._next_record_member(index - 1, size)
            record = archive_format.find_record(buffer.data, index, len(buffer.data))
            if member >= 0 or record >= 0:
                buffer.drop(record if member < 0 or 0 <= record < member else member)
                return Damage(offset, buffer.offset() - offset, detail)
            if not buffer.fill(size + 1):
                if buffer.source.error or buffer.source.is_cut:
                    return self._skip_damage(offset, detail, problem)
                self._is_done = True
                return Damage(offset, buffer.end_offset - offset, detail, problem)
            index = max(
                index, size - archive_format.start_bytes
            )  # the start of a record may be cut by the end of the buffer
            dropped = max(index - 1, 0)
            buffer.drop(dropped)
            index -= dropped

    def _skip_damage(
        self, offset: int, detail: str, problem: Problem = Problem.DAMAGED, fields: Mapping[bytes, bytes] = NO_FIELDS
    ) -> Damage:
        """Go to the next readable member that starts with a record, and return the bytes before it as damage."""
        next_offset = self._find_next_member(offset)
        end = next_offset if next_offset >= 0 else self._file.tell()
        self._go_to(next_offset)
        return Damage(offset, end - offset, detail, Problem.DAMAGED if next_offset >= 0 else problem, fields)

    def _find_next_member(self, offset: int) -> int:
        """Return the offset of the first member after the damaged one that starts with a record, or -1."""
        source = self._buffer.source
        damaged = source.error_offset if source.error else source.member_offset
        return find_member(self._file, self._compression, max(damaged, offset) + 1, self._starts_record)

    def _go_to(self, offset: int) -> None:
        self._is_done = offset < 0
        if offset >= 0:
            self._buffer = DecompressedBuffer(self._file, self._compression, offset)

    def _skip_line_ends(self, index: int) -> int:
        """Return the index after the line ends at an index, at most that of the start of the next member."""
        buffer = self._buffer
        while buffer.fill(index + 1):
            match = LINE_ENDS.match(buffer.data, index)
            assert match is not None  # the pattern matches the empty string
            member = buffer.member_after(index)
            if 0 <= member <= match.end():
                return member
            if match.end() < len(buffer.data):
                return match.end()
            index = match.end()
        return index

    def _fill_content(self, start: int, end: int) -> int:
        """Fill the buffer up to an index; return the end of the content: there, at the next record's member, or earlier."""
        buffer, position = self._buffer, start
        while position < end:
            is_filled = buffer.fill(min(position + STEP_BYTES, end))
            filled = min(len(buffer.data), end)
            member = self._next_record_member(position - 1, filled - 1)
            if member >= 0:
                return member
            if not is_filled:
                return filled
            position = filled
        return end

    def _skip(self, count: int) -> int:
        """Drop up to ``count`` bytes, but nothing of the next record's member; return how many were dropped."""
        skipped = 0
        while skipped < min(count, MAX_SKIPPED_BYTES):
            end = self._fill_content(0, min(STEP_BYTES, count - skipped))
            if not end:
                break
            self._buffer.drop(end)
            skipped += end
        return skipped

    def _is_followed(self, end: int, after: int) -> bool:
        """Return True if a record is followed by another record, by a new member, or by the end of the file."""
        if not self._buffer.fill(after + 1) or self._starts_record_at(after):
            return True
        return 0 <= self._buffer.member_after(end - 1) <= after

    def _next_record_member(self, after: int, until: int) -> int:
        """Return the index of the first member after one index and up to another that starts with a record, or -1."""
        member = self._buffer.member_after(after)
        while 0 <= member <= until and not self._starts_record_at(member):
            member = self._buffer.member_after(member)
        return member if member <= until else -1

    def _starts_record_at(self, index: int) -> bool:
        self._buffer.fill(index + self._format.start_bytes)
        return self._format.starts_record(self._buffer.data, index)

    def _starts_record(self, data: bytes) -> bool:
        return self._format.starts_record(data, 0)
