"""The settings of a census, in one object that travels to workers."""

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
    """What is read and how, and by which settings pages are identified. Everything in it is plain data: it is written to the
    census it made, and sent to workers, which make the Identifier themselves."""

    # Reading.
    largest_record: int = 256 * MB  # bytes of a record as stored: a larger one is a row with a reason
    largest_page: int = 16 * MB  # bytes of a page once unpacked: of a longer one the beginning is read
    # A page that is over `largest_page` and has so many times its packed size is a bomb: text has 3 to 20 times.
    bomb_ratio: int = 200
    page_seconds: float = 60.0  # that one record may take: reading is linear, so only a broken stream takes longer
    sample: float = 1.0  # share of records, by digest: the same ones every time
    prefix: str = ""  # before every path of a list
    retries: int = 5  # of a request that a store refuses for now (403, 429, 5xx)
    url_column: str = "url"
    content_column: str = ""  # of JSON Lines and Parquet; empty: html, content or text, whichever is there
    # What rows hold beside the answer.
    crawl: str = ""
    keep_text: bool = False
    keep_links: bool = False
    settle: bool = True
    portal: bool = False  # the unit of Cai 2009: one home page a server
    # How pages are identified: as Identifier takes it.
    priors: str = "web"
    languages: tuple[str, ...] | None = None
    evidence: tuple[str, ...] | None = None
    model: str | None = None
    geo: str | None = None
    # The working of it.
    batch_pages: int = 256
    batch_bytes: int = 8 * MB  # of pages held at a time: bounds memory
    group_rows: int = 1 << 16  # rows of a group in Parquet: what a scan reads at once
    file_bytes: int = 256 * MB  # of a file of rows at least, where parts are so many that they are put together
    worker_bytes: int = 2048 * MB  # of memory that a worker may take: ten times what pages need

    def __post_init__(self) -> None:
        if not 0 < self.sample <= 1:
            raise UsageError(f"a sample is a share above 0 and at most 1 (100%), not {self.sample:g}")

    def placed(self) -> Config:
        """The same for a process that was started elsewhere: files that it names by whole paths."""
        model, geo = (path and os.path.abspath(path) for path in (self.model, self.geo))
        return replace(self, model=model, geo=geo)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Config:
        """The inverse; what a later release added is left out."""
        known: dict[str, Any] = {}
        for name, value in row.items():
            if name in cls.__dataclass_fields__:
                known[name] = tuple(value) if isinstance(value, list) else value
        return cls(**known)
