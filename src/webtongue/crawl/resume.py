"""The settings of a resumed crawl: read from its journal, which may come from someone else, and checked."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from webtongue.crawl.config import Config
from webtongue.crawl.schema import check_schema
from webtongue.errors import UsageError

__all__ = ["merge_config", "read_config"]


def _unlimited_if_zero(value: float) -> float:
    return value or math.inf


# Settings that limit what a crawl does to servers and to this machine, with a function that grows as they get looser.
LOOSENESS: dict[str, Callable[[Any], float]] = {
    "allow_private": float,
    "obey_robots": lambda value: -float(value),
    "delay": lambda value: -value,
    "concurrency": float,
    "timeout": float,
    "redirects": float,
    "retries": float,
    "robots_retry_delay": lambda value: -value,
    "max_page_bytes": float,
    "max_header_bytes": float,
    "max_url_chars": float,
    "max_page_links": float,
    "host_pages": _unlimited_if_zero,
    "domain_pages": _unlimited_if_zero,
}
# Options of the command that are not named like the setting; settings without an option have the name of the field.
OPTIONS = {
    "obey_robots": "--ignore-robots",
    "allow_private": "--allow-private",
    "max_page_bytes": "--largest-page {}",
    "robots_retry_delay": "robots_retry_delay={}",
    "max_header_bytes": "max_header_bytes={}",
    "max_url_chars": "max_url_chars={}",
    "max_page_links": "max_page_links={}",
}


def read_config(journal: Path) -> Config:
    """Return the settings that a crawl was started with."""
    db = sqlite3.connect(journal)
    try:
        check_schema(db, str(journal))
        row = db.execute("SELECT value FROM metadata WHERE name = 'config'").fetchone()
        return Config.from_dict(json.loads(row[0]))
    except UsageError as error:
        if str(error).startswith(str(journal)):
            raise
        raise UsageError(f"{journal} is not the journal of a crawl: {error}") from error
    except (sqlite3.DatabaseError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise UsageError(f"{journal} is not the journal of a crawl") from error
    finally:
        db.close()


def merge_config(stored: Config, given: Config, journal: str) -> Config:
    """Return the stored settings, with files, ``max_pages`` and ``connect_to`` from those given now.

    Raise UsageError if a stored setting is looser than the one given now: it has to be given again.
    """
    for name, looseness in LOOSENESS.items():
        if looseness(getattr(stored, name)) > looseness(getattr(given, name)):
            raise _looser_error(journal, name, getattr(stored, name))
    if stored.user_agent != given.user_agent:
        raise _looser_error(journal, "user_agent", stored.user_agent)
    return replace(
        stored, max_pages=given.max_pages, journal=journal, archive=given.archive, connect_to=given.connect_to
    )


def _looser_error(journal: str, name: str, value: Any) -> UsageError:
    option = OPTIONS.get(name, f"--{name.replace('_', '-')} {{}}")
    shown = option.format(value if isinstance(value, int | float) else repr(value))
    return UsageError(f"{journal} was started with {shown}: give it again with --resume to keep it")
