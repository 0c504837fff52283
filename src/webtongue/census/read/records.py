"""Records of an archive, one after the other, whatever is wrong with it: the careful reader behind WARC and ARC.

A record says how long it is, and may lie. So it counts only where the next one, the next member or the end of the file follows;
else the next record is searched for, first within what this one claims. Every stretch that is no record is reported once,
with its offset. What a record holds is kept up to a bound, and nothing else grows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from os import SEEK_END
from typing import BinaryIO

from webtongue.census.capture import Problem
from webtongue.census.read.members import next_member
from webtongue.census.read.unpack import Packing, Unpacked

__all__ = ["NO_FIELDS", "Bytes", "Damage", "Form", "Head", "Record", "Records"]

PIECE = 1 << 18  # bytes of a record's content read, or passed over, at a time
# Unpacked bytes of one record that are passed over; then the next member is searched for. A bomb would take hours.
LONGEST_PASSED = 1 << 30
BLANK = re.compile(rb"[\r\n]*")
NO_FIELDS: Mapping[bytes, bytes] = {}

Bytes = bytes | bytearray


@dataclass(slots=True)
class Head:
    """What stands before the content of a record: its fields by their names in lower case, and its size as they say it."""

    fields: Mapping[bytes, bytes]
    size: int
    start: int  # where its content begins


@dataclass(frozen=True, slots=True)
class Form:
    """A format of archives, as functions of bytes and a place in them."""

    begins: Callable[[Bytes, int], bool]  # whether a record begins there
    find: Callable[[Bytes, int, int], int]  # where one begins at or after it and before another, -1 where none does
    head: Callable[[Bytes, int], Head | None]  # of the record that begins there; None where the head has no end yet
    longest_head: int
    opening: int  # bytes that are enough to see that a record begins


@dataclass(slots=True)
class Record:
    """A record and what it holds: ``content`` is its beginning, all of it if it is not longer than a reader keeps.

    ``cut``: it ends before it should, since the file does or since its length is a lie.
    """

    fields: Mapping[bytes, bytes]
    content: bytes
    size: int
    offset: int
    length: int = 0  # as stored; 0 where it shares its member with others
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Damage:
    """A stretch of a file that is no record."""

    offset: int
    length: int
    detail: str
    problem: Problem = Problem.DAMAGED
    # Of the record that it was, if they were read.
    fields: Mapping[bytes, bytes] = field(default_factory=lambda: NO_FIELDS)

    def goes_on(self, other: Damage) -> bool:
        """Whether another stretch follows this one at once, and neither is known to have been a record."""
        return self.offset + self.length == other.offset and not self.fields and not other.fields


class Records:
    """The records of a file from an offset on; those that begin at ``end`` or later are left out.

    ``next_at`` is the offset of the next record, if all was well with the last one and it had a member for itself, or the
    file is plain; else -1. A faster reader may go on from there.
    """

    def __init__(self, file: BinaryIO, packing: Packing, form: Form, begin: int, end: int, keep: int) -> None:
        self._file, self._packing, self._form, self._end, self._keep = file, packing, form, end, keep
        self._held = Unpacked(file, packing, begin)
        self._done = False
        self._last = -1  # offset of what was reported last
        self.next_at = -1

    def __iter__(self) -> Iterator[Record | Damage]:
        stretch: Damage | None = None  # held, since what follows may belong to it
        while not self._done:
            found = self._next()
            if found is None:
                continue
            self._last = found.offset
            if isinstance(found, Damage) and stretch is not None and stretch.goes_on(found):
                stretch = replace(stretch, length=stretch.length + found.length)
                continue
            if stretch is not None:
                yield stretch
            stretch = found if isinstance(found, Damage) else None
            if isinstance(found, Record):
                yield found
        if stretch is not None:
            yield stretch

    def _next(self) -> Record | Damage | None:
        self.next_at = -1
        held, form = self._held, self._form
        held.drop(self._blank(0))
        if not held.have(1):
            return self._at_end()
        here = held.offset()
        held.have(form.opening)
        if not form.begins(held.data, 0):
            return self._search(0, here, "bytes that are no record")
        if self._end and here >= self._end:
            self._done = True
            return None
        head = form.head(held.data, 0)
        while head is None:
            if len(held.data) >= form.longest_head:
                # A good record within these bytes would end its head within them too, unless it began near their end.
                begin = max(1, len(held.data) - form.longest_head // 8)
                return self._search(begin, here, "a head of a record without end")
            if not held.have(len(held.data) + 1):
                return self._search(1, here, "the file ends within the head of a record", Problem.CUT)
            head = form.head(held.data, 0)
        if self._next_fit(0, head.start - 1) >= 0:
            return self._search(1, here, "bytes that are no record")  # they run into the next one
        return self._record(head, here) if head.size <= self._keep else self._long_record(head, here)

    def _at_end(self) -> Damage | None:
        """No bytes are left: by damage, within a member of which nothing came out, or since the file is at its end."""
        held = self._held
        if held.fault:
            return self._beyond(held.fault_at, held.fault)
        if held.cut and held.member > self._last:
            return self._beyond(held.member, "the file ends within a member", Problem.CUT)
        self._done = True
        return None

    def _record(self, head: Head, here: int) -> Record | Damage:
        """A record that is held as a whole."""
        held, start, end = self._held, head.start, head.start + head.size
        alone = held.begins(0)
        filled = self._fill(start, end)
        after = self._blank(filled)
        follows = self._follows(filled, after)
        cut = filled < end
        if held.fault and len(held.data) <= after and (held.fault_at == here if alone else cut):
            return self._beyond(here, held.fault, fields=head.fields)
        if cut and len(held.data) <= after and (damage := self._swallowing(head, here)):
            return damage
        if cut or not follows:
            inner = self._form.find(held.data, start, filled)
            if inner >= 0:
                filled = after = inner
                cut = follows = True
        content = held.copied(start, filled)
        ends = not held.have(after + 1)
        alone = alone and (ends or held.begins(after))
        plain = self._packing is Packing.PLAIN
        length = (held.end if ends else held.offset(after)) - here if alone or plain else 0
        if (alone or plain) and follows and not cut and not ends:
            self.next_at = held.offset(after)
        held.drop(after)
        return Record(head.fields, content, head.size, here, length, cut)

    def _long_record(self, head: Head, here: int) -> Record | Damage:
        """A record of which only the beginning is kept."""
        held = self._held
        if self._packing is Packing.PLAIN and self._file.seekable():
            return self._leapt(head, here)
        filled = self._fill(head.start, head.start + self._keep)
        content = held.copied(head.start, filled)
        alone = held.begins(0)
        held.drop(filled)
        passed = self._pass(head.size - len(content)) + len(content)
        if passed < head.size and held.fault:
            return self._beyond(here, held.fault, fields=head.fields)
        if passed < head.size and (damage := self._swallowing(head, here)):
            return damage
        if passed < head.size and passed >= LONGEST_PASSED:
            self._go_to(next_member(self._file, self._packing, here + 1, self._begins))
        held = self._held
        after = self._blank(0)
        ends = not held.have(after + 1)
        length = (held.end if ends else held.offset(after)) - here if alone and (ends or held.begins(after)) else 0
        return Record(head.fields, content, head.size, here, length, passed < min(head.size, LONGEST_PASSED))

    def _swallowing(self, head: Head, here: int) -> Damage | None:
        """The damage to a record with which the file seems to end, where others were taken for a part of it; else None."""
        further = self._further(here) if self._held.cut else -1
        if further < 0:
            return None
        self._go_to(further)
        return Damage(here, further - here, "a damaged member", fields=head.fields)

    def _leapt(self, head: Head, here: int) -> Record:
        """A long record of a plain file: where it should end is looked at, and only if nothing good is there the next is searched.

        Its content is read last, so that a lie costs no more than the search.
        """
        start = self._held.offset(head.start)
        end = start + head.size
        size = self._file.seek(0, SEEK_END)
        before, self._held = self._held, Unpacked(self._file, self._packing, min(end, size))
        after = self._blank(0)
        until, cut = self._held.offset(after), False
        if end > size or not self._follows(0, after):
            self._file.seek(before.end)
            self._held = before
            before.drop(head.start - 1)
            found = here + self._search(1, here, "").length
            until, cut = min(found, end), found < end  # beyond its end it is as it says, and what follows is not
        self._file.seek(start)
        content = self._file.read(min(head.size, until - start, self._keep))
        self._go_to(until)
        return Record(head.fields, content, head.size, here, until - here, cut)

    def _search(self, index: int, here: int, detail: str, problem: Problem = Problem.DAMAGED) -> Damage:
        """Go to the first record that begins at a byte or after it, and report what lies between."""
        held, form = self._held, self._form
        while True:
            size = len(held.data)
            member, found = self._next_fit(index - 1, size), form.find(held.data, index, len(held.data))
            if member >= 0 or found >= 0:
                held.drop(found if member < 0 or 0 <= found < member else member)
                return Damage(here, held.offset() - here, detail)
            if not held.have(size + 1):
                if held.fault or held.cut:
                    return self._beyond(here, detail, problem)
                self._done = True
                return Damage(here, held.end - here, detail, problem)
            index = max(index, size - form.opening)  # as much is looked at again as a record may need to be seen
            dropped = max(index - 1, 0)
            held.drop(dropped)
            index -= dropped

    def _beyond(
        self, here: int, detail: str, problem: Problem = Problem.DAMAGED, fields: Mapping[bytes, bytes] = NO_FIELDS
    ) -> Damage:
        """Go to the next member that can be unpacked and begins with a record, and report what lies between."""
        further = self._further(here)
        end = further if further >= 0 else self._file.tell()
        self._go_to(further)
        return Damage(here, end - here, detail, Problem.DAMAGED if further >= 0 else problem, fields)

    def _further(self, here: int) -> int:
        """The offset of the next member that begins with a record, after the one that is damaged; -1 where none is left."""
        held = self._held
        damaged = held.fault_at if held.fault else held.member
        return next_member(self._file, self._packing, max(damaged, here) + 1, self._begins)

    def _go_to(self, offset: int) -> None:
        self._done = offset < 0
        if offset >= 0:
            self._held = Unpacked(self._file, self._packing, offset)

    def _blank(self, index: int) -> int:
        """Where the line ends that follow a record end: at something else, or where a member begins."""
        held = self._held
        while held.have(index + 1):
            found = BLANK.match(held.data, index)
            assert found is not None  # it matches nothing too
            member = held.member_after(index)
            if 0 <= member <= found.end():
                return member
            if found.end() < len(held.data):
                return found.end()
            index = found.end()
        return index

    def _fill(self, start: int, end: int) -> int:
        """Have bytes up to an end; returns how far they go: to that end, to the next record's member, or as far as there are."""
        held, at = self._held, start
        while at < end:
            there = held.have(min(at + PIECE, end))
            until = min(len(held.data), end)
            member = self._next_fit(at - 1, until - 1)
            if member >= 0:
                return member
            if not there:
                return until
            at = until
        return end

    def _pass(self, count: int) -> int:
        """Drop so many bytes, or fewer where a record's member begins before or nothing is left; returns how many."""
        passed = 0
        while passed < min(count, LONGEST_PASSED):
            end = self._fill(0, min(PIECE, count - passed))
            if not end:
                break
            self._held.drop(end)
            passed += end
        return passed

    def _follows(self, end: int, after: int) -> bool:
        """Whether what a record should be followed by is there: another, a new member, or nothing."""
        if not self._held.have(after + 1) or self._fits(after):
            return True
        return 0 <= self._held.member_after(end - 1) <= after

    def _next_fit(self, after: int, until: int) -> int:
        """Where the first member begins that holds a record, after a byte and at most at another; -1 where none does."""
        member = self._held.member_after(after)
        while 0 <= member <= until and not self._fits(member):
            member = self._held.member_after(member)
        return member if member <= until else -1

    def _fits(self, index: int) -> bool:
        """Whether a record begins at a byte."""
        self._held.have(index + self._form.opening)
        return self._form.begins(self._held.data, index)

    def _begins(self, opening: bytes) -> bool:
        return self._form.begins(opening, 0)
