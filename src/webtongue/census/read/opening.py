"""Files here and elsewhere as streams of bytes that can be read on, and gone back in, whatever a network does.

A store that refuses for now (403, 429, 5xx) or breaks off is asked again, later and later, and reading goes on at the byte
where it stopped. Addresses are fsspec's: ``s3://``, ``https://``, ``memory://``; settings such as anonymous access come
from fsspec's own configuration and environment (``FSSPEC_S3_ANON=true``).
"""

from __future__ import annotations

import io
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, TypeVar, cast

from webtongue.census.config import Config
from webtongue.errors import MissingExtra
from webtongue.files import Unreadable, ordinary

__all__ = ["STDIN", "Rewindable", "Sleep", "is_remote", "listed", "opened", "stretch"]

STDIN = "-"
FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0  # seconds before a store is asked again: twice as long every time
BUFFER = 1 << 18  # bytes of an address read at a time at least
BLOCK = 1 << 23  # bytes asked of a store at a time: requests take some 50 ms whatever their size
REMEMBERED = 1 << 24  # bytes of standard input that can be gone back: more than a damaged record has
ASKED_AGAIN = frozenset(
    (403, 408, 425, 429)
)  # and all from 500 on; Common Crawl answers 403 to those who are too quick

NETWORKS = frozenset(
    ("aiohttp", "aiobotocore", "botocore", "urllib3")
)  # packages whose errors are those of connections

Sleep = Callable[[float], None]
T = TypeVar("T")


def is_remote(path: str) -> bool:
    """Whether a path is an address for fsspec.

    >>> is_remote("s3://bucket/a.warc.gz"), is_remote("a.warc.gz"), is_remote("file:///a.warc.gz")
    (True, False, False)
    """
    return "://" in path and not path.startswith("file://")


def opened(path: str, config: Config, sleep: Sleep = time.sleep) -> BinaryIO:
    """A file, or what is at an address, as a stream. Raises OSError where there is nothing to be read."""
    if is_remote(path):
        return io.BufferedReader(_Remote(path, config.retries, sleep), BUFFER)
    return ordinary(path.removeprefix("file://"))


def listed(path: str, config: Config, sleep: Sleep = time.sleep) -> Iterator[tuple[str, int]]:
    """The addresses below one that ends with a slash, in their order, with their sizes."""
    store, inside = _store(path)
    found: dict[str, Any] = _patiently(lambda: store.find(inside, detail=True), config.retries, sleep)
    for name in sorted(found):
        yield store.unstrip_protocol(name), int(found[name].get("size") or 0)


def stretch(path: str, begin: int, length: int, config: Config, sleep: Sleep = time.sleep) -> bytes:
    """Some bytes from within a file or what is at an address, by one request for no more than these."""
    if not is_remote(path):
        with ordinary(path.removeprefix("file://")) as file:
            file.seek(begin)
            return file.read(length)
    store, inside = _store(path)
    found: bytes = _patiently(lambda: store.cat_file(inside, start=begin, end=begin + length), config.retries, sleep)
    if len(found) > length:
        raise Unreadable("the store gives whole files only, not a part of one")
    return found


def _store(path: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError:
        raise MissingExtra("fsspec", "remote") from None
    settings: dict[str, Any] = {}
    if path.startswith(("http://", "https://")):
        settings["client_kwargs"] = {"auto_decompress": False}  # an archive is wanted as it is stored
    try:
        store, inside = fsspec.core.url_to_fs(path, **settings)
    except ImportError as error:
        raise MissingExtra(error.name or path.partition(":")[0], "remote") from None
    except Exception as error:  # stores of all makes raise what they like
        raise Unreadable(f"{type(error).__name__}: {error}") from None
    return store, inside


class _Remote(io.RawIOBase):
    """What is at an address. Where a store cannot give a part of a file, it is read from the beginning up to there."""

    def __init__(self, path: str, retries: int, sleep: Sleep) -> None:
        self._store, self._path = _store(path)
        self._retries, self._sleep = retries, sleep
        self._at = 0
        self._streamed = False
        self._file: Any = None
        self._size: int | None = None
        self._patiently(self._open)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence == io.SEEK_END:
            while self._size is None and (piece := self.read(BUFFER)) is not None:
                self._size = self._at if not piece else None  # nobody says how long it is
            offset += self._size or 0
        elif whence == io.SEEK_CUR:
            offset += self._at
        self._at = offset
        return offset

    def readinto(self, buffer: Any) -> int:
        piece = self._patiently(lambda: self._read(len(buffer)))
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)

    def close(self) -> None:
        self._drop()
        super().close()

    def _open(self) -> None:
        if self._file is None:
            settings = {"block_size": 0} if self._streamed else {"block_size": BLOCK, "cache_type": "readahead"}
            self._file = self._store.open(self._path, "rb", **settings)
            size = getattr(self._file, "size", None)
            self._size = self._size if size is None else int(size)
            self._streamed = self._streamed or size is None  # a file of unknown size is given as a stream

    def _read(self, count: int) -> bytes:
        self._open()
        if self._size is not None and self._at >= self._size:
            return b""
        if self._file.tell() != self._at:
            self._go()
        piece: bytes = self._file.read(count)
        if not piece and self._size is not None:
            raise ConnectionError(f"broke off at byte {self._at:,} of {self._size:,}")
        return piece

    def _go(self) -> None:
        """Bring the file to where reading is to go on."""
        if not self._streamed:
            self._file.seek(self._at)
            return
        if self._file.tell() > self._at:
            self._drop()
            self._open()
        while (missing := self._at - self._file.tell()) > 0:
            if not self._file.read(min(missing, BUFFER)):
                raise ConnectionError(f"broke off before byte {self._at:,}")

    def _drop(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except Exception:  # of a connection that is broken already
                return

    def _patiently(self, act: Callable[[], T]) -> T:
        def again(error: Exception) -> None:
            self._drop()
            if isinstance(error, ValueError) and "range" in str(error):
                self._streamed = True

        return _patiently(act, self._retries, self._sleep, again)


def _patiently(act: Callable[[], T], retries: int, sleep: Sleep, again: Callable[[Exception], None] | None = None) -> T:
    """Do something that a network may refuse for now, up to so many times more."""
    for attempt in range(retries + 1):
        try:
            return act()
        except MissingExtra:
            raise
        except Exception as error:  # every store has its own
            wait = _wait(error, attempt)
            if wait < 0 or attempt == retries:
                raise Unreadable(_why(error)) from error
            if again is not None:
                again(error)
            sleep(wait)
    raise AssertionError("not reached")


def _wait(error: BaseException, attempt: int) -> float:
    """Seconds until something is tried again, -1 where that is of no use."""
    status, after = _status(error)
    if isinstance(error, ValueError) and "range" in str(error):
        return 0.0  # it is tried in another way
    if not (status in ASKED_AGAIN or status >= 500 if status else _is_passing(error)):
        return -1.0
    wait: float = min(FIRST_WAIT * 2**attempt, LONGEST_WAIT) * random.uniform(
        0.5, 1.5
    )  # so that workers do not come all at once
    return max(wait, min(after, LONGEST_WAIT))


def _is_passing(error: BaseException) -> bool:
    """Whether an error without a status is one of a connection. fsspec says of those too that a file is not found."""
    if isinstance(error, FileNotFoundError) and error.__cause__ is not None:
        cause = error.__cause__
        return isinstance(cause, OSError | TimeoutError) or type(cause).__module__.partition(".")[0] in NETWORKS
    lasting = FileNotFoundError | IsADirectoryError | NotADirectoryError | ValueError | TypeError
    return not isinstance(error, lasting)


def _status(error: BaseException | None) -> tuple[int, float]:
    """The HTTP status behind an error, and the seconds that a server asks to wait; 0 where there is none."""
    while error is not None:
        status = getattr(error, "status", 0)
        response = getattr(error, "response", None)
        if isinstance(response, dict):  # S3's
            status = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        if isinstance(status, int) and status:
            headers = getattr(error, "headers", None) or {}
            said = str(headers.get("Retry-After", ""))
            return status, float(said) if said.isdecimal() else 0.0
        error = error.__cause__ or error.__context__
    return 0, 0.0


def _why(error: BaseException) -> str:
    status, _ = _status(error)
    said = str(error).partition("\n")[0][:200] or type(error).__name__
    return f"the server answers {status}" if status else said


class Rewindable(io.RawIOBase):
    """A stream that is read once, with as much of what was read remembered as damage makes one go back.

    It says that it is not seekable, since it is only so a little.
    """

    def __init__(self, stream: BinaryIO, remembered: int = REMEMBERED) -> None:
        self._stream, self._remembered = stream, remembered
        self._kept = bytearray()
        self._base = self._at = 0

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence != io.SEEK_SET or not self._base <= offset <= self._base + len(self._kept):
            raise io.UnsupportedOperation("this stream cannot be gone back in so far")
        self._at = offset
        return offset

    def read(self, size: int = -1) -> bytes:
        start = self._at - self._base
        piece = bytes(self._kept[start : start + size if size >= 0 else None])
        if not piece and size:
            piece = self._stream.read(size) or b""
            self._kept += piece
            excess = len(self._kept) - self._remembered
            if excess > self._remembered:  # seldom: to move what is kept takes time
                del self._kept[:excess]
                self._base += excess
        self._at += len(piece)
        return piece


def standard_input() -> BinaryIO:
    """The bytes of standard input, as they come."""
    if sys.stdin is None or sys.stdin.closed:
        raise Unreadable("standard input is closed")
    return cast(BinaryIO, sys.stdin.buffer)
