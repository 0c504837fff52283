"""Where the command line takes pages from: files, folders, indexes, standard input. What cannot be read is an item too."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, BinaryIO

from webtongue import page_list
from webtongue.cli.terminal import escape_surrogates, escape_text
from webtongue.errors import UnreadableFile, UsageError
from webtongue.files import error_text, walk_files
from webtongue.files import open_regular_file as _file
from webtongue.page import Inlink, Page
from webtongue.page_list import INDEX, Entry
from webtongue.records import dataclass

__all__ = [
    "STDIN",
    "Item",
    "Known",
    "error_text",
    "find_text",
    "is_one",
    "items",
    "once",
    "refuse_urls",
    "standard_input",
    "texts",
]

STDIN = "-"
STREAMS = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")  # what a shell gives for <(command)
MAX_PAGE_BYTES = 1 << 26  # bytes of a page that are read; none needs more, and several are held at a time
URL = re.compile(r"(?:(?:https?|ftp)://|www\.)\S*$", re.IGNORECASE)
FILE_NAME = re.compile(r"\.[A-Za-z0-9]{1,5}$|^[^\s]*[/\\][^\s]*$|\0")  # an extension, or a path without spaces
MIN_REQUEST_BYTES = 1 << 16  # minimum number of bytes to request: some files have a size of 0 and are not empty


@dataclass(frozen=True, slots=True)
class Item:
    """A page or a text and what to call it; or ``trouble``, why it could not be read.

    ``keys`` is what JSON says of it beside the answer: its file, and what an index has. ``cut``: a very long page of which
    only the first part was read.
    """

    name: str
    keys: Mapping[str, Any]
    page: Page | None = None
    text: str = ""
    trouble: str = ""
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a page beside its bytes, and how many of them are read; ``whole``: all of them or none."""

    url: str | None = None
    headers: Mapping[str, str] | None = None
    ip: str | None = None
    country: str | None = None
    inlinks: tuple[Inlink, ...] = ()
    host: Mapping[str, float] | None = None
    limit: int = MAX_PAGE_BYTES
    whole: bool = False


def items(paths: Sequence[str], known: Known) -> Iterator[Item]:
    """The contents of the paths, read lazily: files, all files below folders (sorted), indexes, standard input.

    Files of a folder are called by their path inside it, or from where we are if there are several paths. Links to files are
    followed, links to folders inside a folder are not.
    """
    for path in paths:
        prefix = "" if len(paths) == 1 else os.path.join(os.path.dirname(path), "")
        if path == STDIN or _is_stream(path):
            yield _streamed(path, known)
        elif os.path.isdir(path):
            yield from _folder(path, prefix and os.path.join(path, ""), known)
        elif os.path.basename(path) == INDEX:
            yield from _indexed(path, prefix if os.path.dirname(path) else "", known)
        else:
            yield _item(path, path, known)


def is_one(paths: Sequence[str]) -> bool:
    """Whether the paths are those of one page."""
    return len(paths) == 1 and not os.path.isdir(paths[0]) and os.path.basename(paths[0]) != INDEX


def find_text(paths: Sequence[str]) -> str:
    """Return the arguments as a text if no file has their names and none looks like the name of a file; else an empty text.

    >>> find_text(["Wie spät ist es?"]), find_text(["Góðan", "dag"]), find_text(["missing.html"])
    ('Wie spät ist es?', 'Góðan dag', '')
    """
    is_text = not any(path == STDIN or _exists(path) or FILE_NAME.search(path) or not path.strip() for path in paths)
    return " ".join(paths) if is_text else ""


def refuse_empty(paths: Sequence[str]) -> None:
    """Raise a UsageError for an argument without a name or a text."""
    if any(not path.strip() and not _exists(path) for path in paths):
        raise UsageError("empty text: give a file, a folder or a text")


def refuse_urls(paths: Sequence[str], hint: str) -> None:
    """Raise a UsageError for a URL that is given as a file; ``hint`` has the URL as ``{url}``."""
    for path in paths:
        if path != STDIN and URL.match(path) and not _exists(path):
            raise UsageError(f"nothing is fetched: {hint.format(url=escape_text(path))}")


def _exists(path: str) -> bool:
    try:
        return os.path.lexists(path)
    except ValueError:  # a name that no file can have
        return False


def once(paths: Sequence[str]) -> None:
    """Refuse standard input that is named twice."""
    if list(paths).count(STDIN) > 1:
        raise UsageError("- is standard input, which can be read only once")


def texts(paths: Sequence[str]) -> Iterator[Item]:
    """Every line of the files as a text of its own; empty lines are left out."""
    for path in paths:
        try:
            with _opened(path) as file:
                for number, line in enumerate(page_list.lines(file), 1):
                    if line is None:
                        keys = {"file": escape_surrogates(path), "line": number}
                        yield Item(f"{path}:{number}", keys, trouble=f"longer than {page_list.MAX_LINE_BYTES >> 20} MB")
                    elif line.strip():
                        text = line.decode("utf-8", "replace").rstrip("\r\n")
                        yield Item(text, {"file": escape_surrogates(path), "line": number, "text": text}, text=text)
        except (OSError, ValueError) as error:
            yield _troubled(path, error_text(error))


def standard_input() -> BinaryIO:
    """The bytes of standard input; UnreadableFile where it is closed."""
    if sys.stdin is None or sys.stdin.closed:
        raise UnreadableFile("standard input is closed")
    if sys.stdin.isatty() and sys.stderr is not None:
        sys.stderr.write("webtongue: reading standard input up to Ctrl-D\n")
    return sys.stdin.buffer


def _is_stream(path: str) -> bool:
    return path.startswith(STREAMS) and not os.path.isfile(path)


def _streamed(path: str, known: Known) -> Item:
    try:
        with _opened(path) as file:
            raw = file.read(known.limit + 1)
        return _paged(path, raw, known)
    except OSError as error:
        return _troubled(path, error_text(error))


def _troubled(name: str, why: str, row: Entry | None = None) -> Item:
    return Item(name, _keys(name, row), trouble=why)


def _keys(name: str, row: Entry | None) -> dict[str, Any]:
    """The name, and all else that an index says."""
    return {"file": escape_surrogates(name), **({k: v for k, v in row.keys.items() if k != "file"} if row else {})}


def _folder(folder: str, prefix: str, known: Known) -> Iterator[Item]:
    listed: dict[str, Entry] = {}
    path = os.path.join(folder, INDEX)
    if os.path.lexists(path):
        try:
            with _file(path) as file:
                for row in page_list.entries(file):
                    if row.file:
                        listed[row.file] = row
                    else:
                        yield _listed(folder, prefix, row)
        except OSError as error:
            yield _troubled(prefix + INDEX, error_text(error))
    for inside, trouble in walk_files(folder):
        if trouble:
            yield _troubled(prefix + inside, trouble)
        elif inside != INDEX:
            name = inside.replace(os.sep, "/")
            yield _listed(folder, prefix, listed.pop(name, Entry(0, file=name)), known.limit, known.whole)
    for row in listed.values():
        yield _listed(folder, prefix, row, known.limit, known.whole)


def _indexed(path: str, prefix: str, known: Known) -> Iterator[Item]:
    """The pages of an index, in its order."""
    try:
        with _file(path) as file:
            for row in page_list.entries(file):
                yield _listed(os.path.dirname(path), prefix, row, known.limit, known.whole)
    except OSError as error:
        yield _troubled(path, error_text(error))


def _listed(folder: str, prefix: str, row: Entry, limit: int = MAX_PAGE_BYTES, whole: bool = False) -> Item:
    """A page of a folder with what its index says of it."""
    if not row.file:
        return _troubled(f"{prefix}{INDEX}:{row.number}", row.error, row)
    if row.error:
        return _troubled(prefix + row.file, f"{INDEX}:{row.number}: {row.error}", row)
    try:
        path = page_list.path_of(folder, row)
    except (OSError, ValueError) as error:  # a name that no file can have is a ValueError
        return _troubled(prefix + row.file, error_text(error), row)
    known = Known(row.url, row.headers, row.ip, row.country, row.inlinks, row.host, limit, whole)
    return _item(path, prefix + row.file, known, row)


def _item(path: str, name: str, known: Known, row: Entry | None = None) -> Item:
    try:
        with _file(path) as file:
            size = os.fstat(file.fileno()).st_size
            if known.whole and size > known.limit:
                raise UnreadableFile(_too_long(known))
            raw = file.read(min(max(size, MIN_REQUEST_BYTES), known.limit) + 1)
        return _paged(name, raw, known, row)
    except (OSError, ValueError) as error:  # a name that no file can have is a ValueError
        return _troubled(name, error_text(error), row)


def _paged(name: str, raw: bytes | None, known: Known, row: Entry | None = None) -> Item:
    if raw is None:
        raise UnreadableFile("nothing to be read yet")
    cut = len(raw) > known.limit
    if cut and known.whole:
        raise UnreadableFile(_too_long(known))
    if cut:
        raw = raw[: known.limit]
    page = Page(raw, known.url, known.headers or {}, known.ip, known.country, known.inlinks, known.host)
    return Item(name, _keys(name, row), page, cut=cut)


def _too_long(known: Known) -> str:
    return f"longer than {known.limit >> 20:,} MB"


def _opened(path: str) -> AbstractContextManager[BinaryIO]:
    """A file or a stream, to be read bit by bit."""
    if path == STDIN:
        return nullcontext(standard_input())
    return open(path, "rb") if _is_stream(path) else _file(path)
