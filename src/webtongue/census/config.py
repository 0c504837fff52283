"""The settings of a census, in one object that is sent to workers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from webtongue.errors import UsageError

__all__ = ["Config"]

MB = 1 << 20


@dataclass(frozen=True, slots=True)
class Config:
    """What a census reads, how it identifies pages, and what it writes.

    All values are plain data: they are written to the census and sent to workers, which create an Identifier from them.
    """

    # Reading
    max_record_bytes: int = 256 * MB  # as stored; a larger record becomes a row with a reason
    max_page_bytes: int = 16 * MB  # decompressed; of a larger page the beginning is read
    # A page over `max_page_bytes` with this many times its compressed size is a bomb. Text is 3 to 20 times.
    bomb_ratio: int = 200
    page_seconds: float = 60.0  # time limit of a record; reading is linear, so only a broken stream takes longer
    sample: float = 1.0  # share of records, chosen by digest: the same ones in every run
    prefix: str = ""  # put before every path of a list
    retries: int = 5  # repetitions of a request that a store refuses for now (403, 429, 5xx)
    url_column: str = "url"
    content_column: str = ""  # column of JSON Lines and Parquet; empty: the first of html, content and text that exists
    # Contents of rows
    crawl: str = ""
    keep_text: bool = False
    keep_links: bool = False
    second_pass: bool = True
    method: str = ""  # the published method that answers in place of the Identifier, with its manner; census() sets it
    portal: bool = False  # count one home page per server, as Cai (2009) does
    # Identification, as in Identifier
    priors: str = "web"
    languages: tuple[str, ...] | None = None
    evidence: tuple[str, ...] | None = None
    model: str | None = None
    geo: str | None = None
    # Processing
    batch_pages: int = 256
    batch_bytes: int = 8 * MB  # bytes of pages held at a time, which bounds memory
    row_group_rows: int = 1 << 16  # a scan of Parquet reads one group at a time
    min_file_bytes: int = 256 * MB  # neighbouring parts are merged into files of this size
    max_worker_bytes: int = 2048 * MB  # memory of a worker: ten times what pages need

    def __post_init__(self) -> None:
        if not 0 < self.sample <= 1:
            raise UsageError(f"a sample is a share above 0 and at most 1 (100%), not {self.sample:g}")

    def with_absolute_paths(self) -> Config:
        """Return the settings with absolute paths, for a process that was started in another folder."""
        model, geo = (path and os.path.abspath(path) for path in (self.model, self.geo))
        return replace(self, model=model, geo=geo)

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as a JSON object."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Config:
        """Return the settings of a JSON object; unknown names, as those of a later release, are ignored."""
        known: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in values.items()
            if name in cls.__dataclass_fields__
        }
        return cls(**known)
