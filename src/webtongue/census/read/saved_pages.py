"""Saved pages, a file each; a page list in their folder (``index.jsonl``, page_list.py) may hold their URLs, headers and more."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Any

from webtongue.census.capture import Capture, Problem, Status
from webtongue.census.config import Config
from webtongue.census.read.captures import MAX_URL_CHARS, is_sampled, unreadable_capture
from webtongue.census.read.media import is_binary_name
from webtongue.census.read.page_columns import capture_of_row, fail_row, set_page
from webtongue.census.read.remote_io import Sleep, open_input
from webtongue.files import error_text
from webtongue.page_list import entries, path_of

__all__ = ["read_page", "read_page_list"]

# The comment that browsers write at the top of a page that they save.
SAVED_FROM = re.compile(rb"<!--\s*saved from url=\(\d{1,6}\)([^\s>]{1,4096})\s*-->")
MAX_COMMENT_OFFSET = 2048


def read_page(
    path: str, name: str, config: Config, sleep: Sleep, row: Mapping[str, Any] | None = None
) -> Iterator[Capture]:
    """Read a saved page, with the columns of its row in a page list; nothing if it is not in the sample."""
    capture = capture_of_row(row or {}, name, 0)
    try:
        with open_input(path, config, sleep) as file:
            body = file.read(config.max_page_bytes + 1)
    except (OSError, ValueError) as error:  # a name that no file can have is a ValueError
        yield fail_row(capture, error_text(error), Problem.UNREADABLE)
        return
    capture.length = len(body)
    if not capture.url and (match := SAVED_FROM.search(body, 0, MAX_COMMENT_OFFSET)):
        capture.url = match[1].decode("utf-8", "replace")[:MAX_URL_CHARS]
    set_page(capture, body, config, is_complete=len(body) <= config.max_page_bytes)
    if not capture.mime_type and is_binary_name(name):
        capture.status, capture.body = Status.SKIPPED, None
    if config.sample == 1 or is_sampled(capture.digest or name, config.sample):
        yield capture


def read_page_list(
    path: str, name: str, config: Config, sleep: Sleep, begin: int = 0, end: int = 0
) -> Iterator[Capture]:
    """Read the pages of a page list, in order: those of the lines that start between two offsets."""
    folder, folder_name = os.path.dirname(path), name.rpartition("/")[0]
    try:
        with open_input(path, config, sleep) as file:
            for entry in entries(file, begin, end):
                if entry.error:
                    yield fail_row(capture_of_row(entry.keys, name, entry.offset), entry.error)
                    continue
                try:
                    page_path = path_of(folder, entry)
                except (OSError, ValueError) as error:
                    yield fail_row(capture_of_row(entry.keys, name, entry.offset), error_text(error))
                    continue
                yield from read_page(page_path, posixpath.join(folder_name, entry.file), config, sleep, entry.keys)
    except (OSError, ValueError) as error:
        yield unreadable_capture(name, error_text(error))
