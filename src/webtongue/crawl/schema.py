"""The tables of a journal: creates them, and refuses a journal with other tables or of another version."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from webtongue.errors import UsageError

__all__ = ["PRAGMAS", "VERSION", "check_schema", "create_tables"]

VERSION = 2  # stored as SQLite's user_version; journals of version 1 have 0 there
SCHEMA = Path(__file__).with_name("journal.sql")
PRAGMAS = (
    "trusted_schema = OFF",  # a journal may come from someone else
    "cell_size_check = ON",
    "journal_mode = WAL",
    "synchronous = NORMAL",
    "cache_size = -16384",  # KB
)


def create_tables(db: sqlite3.Connection) -> None:
    """Create the tables of an empty journal in one transaction."""
    db.executescript(f"BEGIN; {SCHEMA.read_text('utf-8')} PRAGMA user_version = {VERSION}; COMMIT")


def check_schema(db: sqlite3.Connection, path: str) -> None:
    """Raise UsageError unless version and tables are exactly ours: foreign views and triggers would run with our statements."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version != VERSION:
        raise UsageError(
            f"{path} is not the journal of a crawl in the format of this release (version {VERSION}): "
            "resume it with the release that wrote it, or start a new crawl"
        )
    query = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    expected = sqlite3.connect(":memory:")
    try:
        expected.executescript(SCHEMA.read_text("utf-8"))
        if set(db.execute(query).fetchall()) != set(expected.execute(query).fetchall()):
            raise UsageError(f"{path} is not the journal of a crawl: its tables differ")
    finally:
        expected.close()
