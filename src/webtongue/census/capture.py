"""One record of a crawl as a reader gives it: what the rows of a census are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from webtongue.page import NO_HEADERS

__all__ = ["Capture", "Problem", "Status"]


class Status(StrEnum):
    """What became of a record."""

    IDENTIFIED = "identified"
    SKIPPED = "skipped"  # of a type that holds no text: an image, an archive
    REVISIT = "revisit"  # says that a page was as before, and does not hold it
    FAILED = "failed"  # `problem` says why


class Problem(StrEnum):
    """Why a record, or a stretch of a file, could not be used."""

    NONE = ""
    DAMAGED = "damaged"  # bytes that are no record where one should be
    CUT = "cut"  # the file ends within a record
    TOO_LARGE = "too_large"  # more bytes than a record may have
    BOMB = "bomb"  # unpacks to far more than it has
    BAD_HTTP = "bad_http"  # no HTTP response where one should be
    BAD_CODING = "bad_coding"  # a content or transfer coding that could not be undone
    UNKNOWN_CODING = "unknown_coding"
    BAD_ROW = "bad_row"  # a line or row that is none: not JSON, no page in it
    UNREADABLE = "unreadable"  # a file that could not be opened or read to its end
    TIMEOUT = "timeout"  # took longer than a page may take
    CRASH = "crash"  # ended the process that read it
    CHARACTERS_LOST = "characters_lost"  # question marks in place of characters (Cai 2009, 5.1.3)


@dataclass(slots=True)
class Capture:
    """A response, resource, revisit or conversion record, a saved page, or a row of a table; or a stretch that could not be read.

    ``body`` is the payload with its codings undone, None where there is none or it was not read. ``is_text``: it is plain text
    (UTF-8) that somebody extracted, not a page. ``status`` and ``problem`` say what a reader knows; the rest is for rows.py.
    """

    url: str = ""
    # response, resource, revisit, conversion, page (a saved one, a row of a table), damaged (no record)
    record_type: str = "response"
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=lambda: NO_HEADERS)  # of the HTTP response
    fetch_status: int = 200
    fetch_time: int = 0  # milliseconds since 1970, UTC; 0: not known
    mime_type: str = ""  # as declared, in lower case, without parameters
    ip: str = ""
    country: str = ""  # where whoever made the input knows it
    digest: str = ""  # of the payload, as the record has it, without the name of the algorithm if that is SHA-1
    truncated: str = ""  # Common Crawl's words: length, time, disconnect, unspecified
    filename: str = ""
    offset: int = 0  # in the file, of the record's first byte as it is stored (packed)
    length: int = 0  # of the record as it is stored, 0 where that is not known
    is_text: bool = False
    status: Status = Status.IDENTIFIED  # what it is to become, unless `problem` is set
    problem: Problem = Problem.NONE
    detail: str = ""  # a sentence on the problem
