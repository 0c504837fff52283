"""Local and remote files as seekable byte streams that survive network errors.

A request that a store refuses for now (403, 429, 5xx) or breaks off is repeated with increasing delays, and reading continues at
the byte where it stopped. Remote files are those of fsspec: ``s3://``, ``https://``, ``memory://``; settings such as anonymous
access come from fsspec's own configuration and environment (``FSSPEC_S3_ANON=true``).
"""

from __future__ import annotations

import io
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, TypeVar, cast

from webtongue.census.config import Config
from webtongue.errors import MissingExtra, UnreadableFile
from webtongue.files import open_regular_file

__all__ = [
    "STDIN", "RewindableStream", "Sleep", "is_remote", "list_files", "open_input", "open_stdin", "open_store", "read_range",
    "retry",
]  # fmt: skip

STDIN = "-"
FIRST_DELAY_SECONDS, MAX_DELAY_SECONDS = 0.5, 60.0  # the delay doubles with every attempt
BUFFER_BYTES = 1 << 18
BLOCK_BYTES = 1 << 23  # bytes of a request, which takes about 50 ms whatever its size
MAX_REWIND_BYTES = 1 << 24  # bytes of standard input that are kept: more than a damaged record has
RETRIED_STATUSES = frozenset(
    (403, 408, 425, 429)
)  # and all from 500 on; Common Crawl sends 403 to clients that are too fast
NETWORK_PACKAGES = frozenset(("aiohttp", "aiobotocore", "botocore", "urllib3"))  # their errors are connection errors

Sleep = Callable[[float], None]
T = TypeVar("T")


def is_remote(path: str) -> bool:
    """Return True if a path is a URL for fsspec.

    >>> is_remote("s3://bucket/a.warc.gz"), is_remote("a.warc.gz"), is_remote("file:///a.warc.gz")
    (True, False, False)
    """
    return "://" in path and not path.startswith("file://")


def open_input(path: str, config: Config, sleep: Sleep = time.sleep) -> BinaryIO:
    """Open a local or remote file; raise OSError if it cannot be read."""
    if is_remote(path):
        return io.BufferedReader(_RemoteFile(path, config.retries, sleep), BUFFER_BYTES)
    return open_regular_file(path.removeprefix("file://"))


def list_files(path: str, config: Config, sleep: Sleep = time.sleep) -> Iterator[tuple[str, int]]:
    """Yield the URLs below a URL that ends with a slash, sorted, with their sizes."""
    store, inner_path = open_store(path)
    entries: dict[str, Any] = retry(lambda: store.find(inner_path, detail=True), config.retries, sleep)
    for name in sorted(entries):
        yield store.unstrip_protocol(name), int(entries[name].get("size") or 0)


def read_range(path: str, begin: int, length: int, config: Config, sleep: Sleep = time.sleep) -> bytes:
    """Return a range of a local or remote file, by one request for exactly these bytes."""
    if not is_remote(path):
        with open_regular_file(path.removeprefix("file://")) as file:
            file.seek(begin)
            return file.read(length)
    store, inner_path = open_store(path)
    data: bytes = retry(lambda: store.cat_file(inner_path, start=begin, end=begin + length), config.retries, sleep)
    if len(data) > length:
        raise UnreadableFile("the store serves only whole files, not ranges")
    return data


def open_store(path: str) -> tuple[Any, str]:
    """Return the file system of a URL and the path within it."""
    try:
        import fsspec
    except ImportError:
        raise MissingExtra("fsspec", "census") from None
    settings: dict[str, Any] = {}
    if path.startswith(("http://", "https://")):
        settings["client_kwargs"] = {"auto_decompress": False}  # archives are read as stored
    try:
        store, inner_path = fsspec.core.url_to_fs(path, **settings)
    except ImportError as error:
        raise MissingExtra(error.name or path.partition(":")[0], "census") from None
    except Exception as error:  # every store has errors of its own
        raise UnreadableFile(f"{type(error).__name__}: {error}") from None
    return store, inner_path


class _RemoteFile(io.RawIOBase):
    """A remote file. If its store serves no ranges, the file is read from the start up to the position."""

    def __init__(self, path: str, retries: int, sleep: Sleep) -> None:
        self._store, self._path = open_store(path)
        self._retries, self._sleep = retries, sleep
        self._position = 0
        self._is_stream = False  # whether the store serves no ranges
        self._file: Any = None
        self._size: int | None = None
        self._retry(self._open)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence == io.SEEK_END:
            while self._size is None and (chunk := self.read(BUFFER_BYTES)) is not None:
                self._size = self._position if not chunk else None  # the store does not tell the size
            offset += self._size or 0
        elif whence == io.SEEK_CUR:
            offset += self._position
        self._position = offset
        return offset

    def readinto(self, buffer: Any) -> int:
        chunk = self._retry(lambda: self._read(len(buffer)))
        buffer[: len(chunk)] = chunk
        self._position += len(chunk)
        return len(chunk)

    def close(self) -> None:
        self._close_file()
        super().close()

    def _open(self) -> None:
        if self._file is None:
            settings = {"block_size": 0} if self._is_stream else {"block_size": BLOCK_BYTES, "cache_type": "readahead"}
            self._file = self._store.open(self._path, "rb", **settings)
            size = getattr(self._file, "size", None)
            self._size = self._size if size is None else int(size)
            self._is_stream = self._is_stream or size is None  # a file of unknown size is a stream

    def _read(self, count: int) -> bytes:
        self._open()
        if self._size is not None and self._position >= self._size:
            return b""
        if self._file.tell() != self._position:
            self._seek_file()
        chunk: bytes = self._file.read(count)
        if not chunk and self._size is not None:
            raise ConnectionError(f"the connection was lost at byte {self._position:,} of {self._size:,}")
        return chunk

    def _seek_file(self) -> None:
        if not self._is_stream:
            self._file.seek(self._position)
            return
        if self._file.tell() > self._position:
            self._close_file()
            self._open()
        while (missing := self._position - self._file.tell()) > 0:
            if not self._file.read(min(missing, BUFFER_BYTES)):
                raise ConnectionError(f"the connection was lost before byte {self._position:,}")

    def _close_file(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except Exception:  # the connection is already lost
                return

    def _retry(self, action: Callable[[], T]) -> T:
        def recover(error: Exception) -> None:
            self._close_file()
            if _is_range_error(error):
                self._is_stream = True

        return retry(action, self._retries, self._sleep, recover)


def retry(action: Callable[[], T], retries: int, sleep: Sleep, recover: Callable[[Exception], None] | None = None) -> T:
    """Return the result of an action on the network, repeated up to ``retries`` times if it fails for now."""
    for attempt in range(retries + 1):
        try:
            return action()
        except MissingExtra:
            raise
        except Exception as error:  # every store has errors of its own
            delay = _retry_delay(error, attempt)
            if delay < 0 or attempt == retries:
                raise UnreadableFile(_describe(error)) from error
            if recover is not None:
                recover(error)
            sleep(delay)
    raise AssertionError("not reached")


def _is_range_error(error: BaseException) -> bool:
    return isinstance(error, ValueError) and "range" in str(error)


def _retry_delay(error: BaseException, attempt: int) -> float:
    """Return the seconds to wait before an action is repeated, -1 if that is of no use."""
    if _is_range_error(error):
        return 0.0  # the next attempt reads a stream
    status, retry_after = _http_status(error)
    if not (status in RETRIED_STATUSES or status >= 500 if status else _is_temporary(error)):
        return -1.0
    jitter = random.uniform(0.5, 1.5)  # so that workers do not repeat their requests at the same time
    delay: float = min(FIRST_DELAY_SECONDS * 2**attempt, MAX_DELAY_SECONDS) * jitter
    return max(delay, min(retry_after, MAX_DELAY_SECONDS))


def _is_temporary(error: BaseException) -> bool:
    """Return True for a connection error without an HTTP status. fsspec raises FileNotFoundError for some of them."""
    if isinstance(error, FileNotFoundError) and error.__cause__ is not None:
        cause = error.__cause__
        return isinstance(cause, OSError | TimeoutError) or type(cause).__module__.partition(".")[0] in NETWORK_PACKAGES
    permanent = FileNotFoundError | IsADirectoryError | NotADirectoryError | ValueError | TypeError
    return not isinstance(error, permanent)


def _http_status(error: BaseException | None) -> tuple[int, float]:
    """Return the HTTP status of an error and the seconds of its Retry-After header; 0 if there is none."""
    while error is not None:
        status = getattr(error, "status", 0)
        response = getattr(error, "response", None)
        if isinstance(response, dict):  # S3
            status = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        if isinstance(status, int) and status:
            headers = getattr(error, "headers", None) or {}
            retry_after = str(headers.get("Retry-After", ""))
            return status, float(retry_after) if retry_after.isdecimal() else 0.0
        error = error.__cause__ or error.__context__
    return 0, 0.0


def _describe(error: BaseException) -> str:
    status, _ = _http_status(error)
    message = str(error).partition("\n")[0][:200] or type(error).__name__
    return f"the server answers {status}" if status else message


class RewindableStream(io.RawIOBase):
    """A stream that keeps its last bytes, so that a reader can go back after damage.

    It is not ``seekable``, because it cannot go back further.
    """

    def __init__(self, stream: BinaryIO, max_rewind_bytes: int = MAX_REWIND_BYTES) -> None:
        self._stream, self._max_rewind_bytes = stream, max_rewind_bytes
        self._kept = bytearray()
        self._base = self._position = 0

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence != io.SEEK_SET or not self._base <= offset <= self._base + len(self._kept):
            raise io.UnsupportedOperation("this stream cannot be rewound that far")
        self._position = offset
        return offset

    def read(self, size: int = -1) -> bytes:
        start = self._position - self._base
        chunk = bytes(self._kept[start : start + size if size >= 0 else None])
        if not chunk and size:
            chunk = self._stream.read(size) or b""
            self._kept += chunk
            excess = len(self._kept) - self._max_rewind_bytes
            if excess > self._max_rewind_bytes:  # seldom, because deleting copies the rest
                del self._kept[:excess]
                self._base += excess
        self._position += len(chunk)
        return chunk


def open_stdin() -> BinaryIO:
    """Return standard input as a stream of bytes."""
    if sys.stdin is None or sys.stdin.closed:
        raise UnreadableFile("standard input is closed")
    return cast(BinaryIO, sys.stdin.buffer)
