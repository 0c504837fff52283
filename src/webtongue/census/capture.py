"""A record of a crawl as a reader returns it, from which a row of a census is built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from webtongue.page import NO_HEADERS, Inlink

__all__ = ["Capture", "Problem", "Status"]


class Status(StrEnum):
    """The outcome for a record."""

    IDENTIFIED = "identified"
    SKIPPED = "skipped"  # a type without text, such as an image or an archive
    REVISIT = "revisit"  # the page was unchanged and is not in the record
    FAILED = "failed"  # `problem` is the reason


class Problem(StrEnum):
    """The reason why a record, or a part of a file, could not be used."""

    NONE = ""
    DAMAGED = "damaged"  # bytes that are no record
    CUT = "cut"  # the file ends within a record
    TOO_LARGE = "too_large"  # the record has more bytes than allowed
    BOMB = "bomb"  # the data decompresses to far more than its size
    BAD_HTTP = "bad_http"  # no HTTP response in a response record
    BAD_CODING = "bad_coding"  # a content or transfer encoding that cannot be decoded
    UNKNOWN_CODING = "unknown_coding"
    BAD_ROW = "bad_row"  # a line that is not JSON, or a row without a page
    UNREADABLE = "unreadable"  # a file that cannot be opened or read to its end
    TIMEOUT = "timeout"  # the page took longer than allowed
    CRASH = "crash"  # the page ended the process that read it
    CHARACTERS_LOST = "characters_lost"  # question marks in place of characters (Cai 2009, 5.1.3)


@dataclass(slots=True)
class Capture:
    """A response, resource, revisit or conversion record, a saved page, a row of a table, or bytes that could not be read."""

    url: str = ""
    # response, resource, revisit, conversion, page (saved, or a row of a table), damaged (no record)
    record_type: str = "response"
    body: bytes | None = None  # the decoded payload, None if there is none or it was not read
    headers: Mapping[str, str] = field(default_factory=lambda: NO_HEADERS)  # headers of the HTTP response
    fetch_status: int = 200
    fetch_time: int = 0  # milliseconds since 1970, UTC; 0 if unknown
    mime_type: str = ""  # as declared, in lower case, without parameters
    ip: str = ""
    country: str = ""  # if the input has it
    inlinks: tuple[Inlink, ...] = ()  # links to the page, if the input has them
    host: Mapping[str, float] | None = None  # other pages of the host by language, if the input has them
    digest: str = ""  # digest of the payload, as in the record, without the prefix of SHA-1
    truncated: str = ""  # in the words of Common Crawl: length, time, disconnect, unspecified
    filename: str = ""
    offset: int = 0  # offset of the first stored byte of the record
    length: int = 0  # length of the record as stored, 0 if unknown
    is_text: bool = False  # whether the body is extracted text in UTF-8, not a page
    status: Status = Status.IDENTIFIED  # the outcome, unless there is a problem
    problem: Problem = Problem.NONE
    detail: str = ""  # a description of the problem
