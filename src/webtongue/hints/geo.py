"""The country of an internet address, from any file in MaxMind's format (MMDB).

MaxMind, DB-IP and IPinfo publish such files; their records differ, and all of their layouts are read. ``maxminddb`` reads the
format. It maps the file, and a file that is cut under its map ends the process, so what it maps is a private copy that
nobody else can open: unpacked where the file is packed, unlinked as soon as it is mapped, shared by all who ask for the same file.
"""

from __future__ import annotations

import gzip
import io
import ipaddress
import lzma
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, BinaryIO

from webtongue.errors import MissingExtra, UsageError
from webtongue.hints.addresses import LONGEST, Address, carried, fault, kind
from webtongue.hints.country import is_country

__all__ = ["ENVIRONMENT", "Geo", "Located", "contents", "load_geo"]

ENVIRONMENT = "WEBTONGUE_GEO"  # a path, for those who do not call from Python
LARGEST = 1 << 29  # bytes of a file, unpacked: files of cities have 150 MB, of countries 10
REMEMBERED = 4096  # addresses of one file; a crawl asks for the same hosts again and again
FILES = 4  # that are kept open in one process
PACKED: dict[bytes, Callable[[BinaryIO], Any]] = {b"\xfd7zXZ\x00": lzma.open, b"\x1f\x8b": gzip.open}
# Whom a file's own description names, and the words they ask for where their data is shown.
ATTRIBUTIONS = {
    "db-ip": "IP Geolocation by DB-IP (https://db-ip.com)",
    "dbip": "IP Geolocation by DB-IP (https://db-ip.com)",
    "ipinfo": "IP address data powered by IPinfo (https://ipinfo.io)",
    "geolite": "This product includes GeoLite Data created by MaxMind, available from https://www.maxmind.com",
    "geoip2": "This product includes data created by MaxMind, available from https://www.maxmind.com",
}


@dataclass(frozen=True, slots=True)
class Located:
    """The country of an address (ISO 3166), or why it is not known."""

    country: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Opened:
    """A file that is open: how its addresses are looked up, and whose it is."""

    locate: Callable[[str], Located]
    attribution: str


@dataclass(frozen=True, slots=True)
class Geo:
    """A file of countries by address. Immutable, safe in threads, and pickled by its path."""

    path: Path
    _opened: _Opened = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", Path(self.path).absolute())
        object.__setattr__(self, "_opened", _open(self.path))

    def __reduce__(self) -> tuple[type[Geo], tuple[Path]]:
        return Geo, (self.path,)

    @property
    def attribution(self) -> str:
        """What its makers ask to be said, with a link, wherever its answers are shown; empty for a file that does not name them."""
        return self._opened.attribution

    def locate(self, ip: str) -> Located:
        """The country of an address, IPv4 or IPv6. Never raises: what cannot be looked up has a reason.

        IPv6 addresses with an IPv4 address inside (``::ffff:61.65.0.245``) are looked up by that.
        """
        ip = ip.strip() if isinstance(ip, str) else ""
        return self._opened.locate(ip) if len(ip) <= LONGEST else Located(reason=fault(ip))


def load_geo(path: str | os.PathLike[str] | None = None) -> Geo | None:
    """The file at a path, else the one that WEBTONGUE_GEO names, else that of the package webtongue-geo, else None.

    A file that was named and cannot be used is an error (UsageError); that none was named is not.
    """
    if path is None:
        path = os.environ.get(ENVIRONMENT) or None
    if path is not None:
        return Geo(Path(path))
    try:
        import webtongue_geo
    except ImportError:
        return None
    return Geo(webtongue_geo.path())


def _open(path: Path) -> _Opened:
    """The file at a path as it is now: one that was written anew is opened anew."""
    try:
        path = path.resolve()
        if not path.is_file():
            raise FileNotFoundError("there is no such file" if not path.exists() else "it is not a file")
        found = path.stat()
    except (OSError, ValueError, RuntimeError) as error:
        raise UsageError(_refusal(path, error)) from None
    return _opened(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=FILES)
def _opened(path: Path, _changed: int, _size: int) -> _Opened:
    try:
        import maxminddb
    except ImportError:
        raise MissingExtra("maxminddb", "geo") from None
    try:
        reader = _reader(contents(path))
        said = f"{reader.metadata().database_type} {reader.metadata().description}".lower()
    except maxminddb.InvalidDatabaseError:
        raise UsageError(_refusal(path, "it is of another kind or damaged")) from None
    except Exception as error:  # whatever unpacking or the reader makes of a damaged file
        raise UsageError(_refusal(path, error)) from None
    whose = next((words for name, words in ATTRIBUTIONS.items() if name in f"{said} {path.name.lower()}"), "")
    return _Opened(lru_cache(maxsize=REMEMBERED)(partial(_located, reader)), whose)


def _refusal(path: Path, error: object) -> str:
    return f"{path}: cannot be read as an MMDB file of countries ({error}); give one of MaxMind, DB-IP or IPinfo"


def contents(path: Path) -> bytes:
    """A file's bytes, unpacked where it is packed with xz or gzip; ValueError for more than anybody's file has."""
    with path.open("rb") as file:
        head = file.read(max(map(len, PACKED)))
        file.seek(0)
        opener = next((opener for magic, opener in PACKED.items() if head.startswith(magic)), None)
        raw: bytes = (opener(file) if opener else file).read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise ValueError(f"it has more than {LARGEST >> 20} MB")
    return raw


def _reader(raw: bytes) -> Any:
    """A reader of a private copy; of the bytes themselves where a copy cannot be mapped (no room for it, Windows)."""
    import maxminddb

    try:
        with tempfile.NamedTemporaryFile(prefix="webtongue-", suffix=".mmdb") as file:
            file.write(raw)
            file.flush()
            return maxminddb.open_database(file.name)
    except OSError:
        return maxminddb.open_database(io.BytesIO(raw), maxminddb.MODE_FD)


def _located(reader: Any, text: str) -> Located:
    """Look up first: a file may know private addresses. The reasons are for what it does not know."""
    try:
        address: Address = ipaddress.ip_address(text)
    except ValueError:
        return Located(reason=fault(text))
    if "%" in text:
        return Located(reason=fault(text))
    address = carried(address) or address
    found = _entry(reader, address)
    return found if found.country or found.reason else Located(reason=kind(address) or "no entry for this address")


def _entry(reader: Any, address: Address) -> Located:
    """What the file has for an address; neither country nor reason where it has nothing."""
    try:
        record = reader.get(address)
    except ValueError:  # IPv6 asked of a file of IPv4 alone
        return Located(reason="the file has no addresses of IPv6") if address.version == 6 else Located()
    except (
        Exception
    ) as error:  # a damaged file: whatever the reader makes of it, this page has no country and that is all
        return Located(reason=f"the file is damaged here ({type(error).__name__})")
    code = _code(record)
    if not code:
        return Located()
    if not is_country(code):
        return Located(reason=f"the file says {code[:LONGEST]!r}, which is no country")
    return Located(code.upper())


def _code(record: object) -> str:
    """The code of a country in a record of any maker's layout, empty where it has none.

    MaxMind and some of DB-IP: ``country.iso_code``, else ``registered_country.iso_code``; DB-IP: ``country_code``; IPinfo:
    ``country`` or ``country_code`` as text (where ``country`` is a name, the code stands beside it).
    """
    if not isinstance(record, Mapping):
        return ""
    nested = (record.get(name) for name in ("country", "registered_country", "represented_country"))
    said = [entry.get("iso_code") for entry in nested if isinstance(entry, Mapping)]
    said += [record.get("country_code"), record.get("country")]
    texts = [text.strip() for text in said if isinstance(text, str) and text.strip()]
    return next((text for text in texts if is_country(text)), texts[0] if texts else "")
