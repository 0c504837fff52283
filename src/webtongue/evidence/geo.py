"""The country of an IP address, from any file in MaxMind's format (MMDB).

MaxMind, DB-IP and IPinfo publish such files; their records differ, and all of their layouts are read. ``maxminddb`` maps the file
into memory, and a mapped file that is truncated ends the process. So it maps a private copy: decompressed if the file is
compressed, unlinked as soon as it is mapped, and shared by all users of the same file.
"""

from __future__ import annotations

import io
import ipaddress
import os
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from webtongue.errors import MissingExtra, UsageError
from webtongue.records import dataclass, field
from webtongue.reference.countries import is_country
from webtongue.reference.ip import MAX_IP_CHARS, Address, describe_invalid, describe_special, embedded_ipv4

__all__ = ["ENVIRONMENT", "Geo", "Located", "load_geo", "read_database"]

ENVIRONMENT = "WEBTONGUE_GEO"  # environment variable with the path of a file
MAX_FILE_BYTES = 1 << 29  # decompressed; files of cities have 150 MB, of countries 10 MB
MAX_CACHED_IPS = 4096  # of one file; a crawl looks up the same hosts again and again
MAX_OPEN_FILES = 4  # in one process
COMPRESSORS = {b"\xfd7zXZ\x00": "lzma", b"\x1f\x8b": "gzip"}  # modules by the first bytes of a file
# The attribution that each publisher requires, by a word of the file's own description.
ATTRIBUTIONS = {
    "db-ip": "IP Geolocation by DB-IP (https://db-ip.com)",
    "dbip": "IP Geolocation by DB-IP (https://db-ip.com)",
    "ipinfo": "IP address data powered by IPinfo (https://ipinfo.io)",
    "geolite": "This product includes GeoLite Data created by MaxMind, available from https://www.maxmind.com",
    "geoip2": "This product includes data created by MaxMind, available from https://www.maxmind.com",
}


@dataclass(frozen=True, slots=True)
class Located:
    """The country of an IP address (ISO 3166), or the reason why it is not known; ``network`` is the range of the file's entry."""

    country: str = ""
    reason: str = ""
    network: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class _OpenFile:
    """An open file: its lookup function and its attribution."""

    locate: Callable[[str], Located]
    attribution: str


@dataclass(frozen=True, slots=True)
class Geo:
    """A file of countries by IP address. Immutable, thread-safe, and pickled by its path."""

    path: Path
    _file: _OpenFile = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", Path(self.path).absolute())
        object.__setattr__(self, "_file", _open(self.path))

    def __reduce__(self) -> tuple[type[Geo], tuple[Path]]:
        return Geo, (self.path,)

    @property
    def attribution(self) -> str:
        """The attribution with a link that its publisher requires wherever its data is shown; empty for an unknown publisher."""
        return self._file.attribution

    def locate(self, ip: str) -> Located:
        """Return the country of an IPv4 or IPv6 address, or the reason why it is not known. Never raises.

        An IPv6 address that contains an IPv4 address (``::ffff:61.65.0.245``) is looked up by the latter.
        """
        ip = ip.strip() if isinstance(ip, str) else ""
        return self._file.locate(ip) if len(ip) <= MAX_IP_CHARS else Located(reason=describe_invalid(ip))


def load_geo(path: str | os.PathLike[str] | None = None) -> Geo | None:
    """Return the file at a path, or the one that WEBTONGUE_GEO names, or that of the package webtongue-geo, or None.

    Raise UsageError for a named file that cannot be used.
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


def _open(path: Path) -> _OpenFile:
    """Return the file at a path, opened again if it changed."""
    try:
        path = path.resolve()
        if not path.is_file():
            raise FileNotFoundError("there is no such file" if not path.exists() else "it is not a file")
        status = path.stat()
    except (OSError, ValueError, RuntimeError) as error:
        raise UsageError(_error_text(path, error)) from None
    return _open_version(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=MAX_OPEN_FILES)
def _open_version(path: Path, _modified: int, _size: int) -> _OpenFile:
    try:
        import maxminddb
    except ImportError:
        raise MissingExtra("maxminddb", "geo") from None
    try:
        reader = _open_reader(read_database(path))
        description = f"{reader.metadata().database_type} {reader.metadata().description}".lower()
    except maxminddb.InvalidDatabaseError:
        raise UsageError(_error_text(path, "it is of another kind or damaged")) from None
    except Exception as error:  # decompression and the reader raise many types for a damaged file
        raise UsageError(_error_text(path, error)) from None
    names = f"{description} {path.name.lower()}"
    attribution = next((text for name, text in ATTRIBUTIONS.items() if name in names), "")
    return _OpenFile(lru_cache(maxsize=MAX_CACHED_IPS)(partial(_locate, reader)), attribution)


def _error_text(path: Path, error: object) -> str:
    return f"{path}: cannot be read as an MMDB file of countries ({error}); give one of MaxMind, DB-IP or IPinfo"


def read_database(path: Path) -> bytes:
    """Return a file's bytes, decompressed if it is compressed with xz or gzip. Raise ValueError above MAX_FILE_BYTES."""
    with path.open("rb") as file:
        head = file.read(max(map(len, COMPRESSORS)))
        file.seek(0)
        module = next((name for magic, name in COMPRESSORS.items() if head.startswith(magic)), None)
        raw: bytes = (import_module(module).open(file) if module else file).read(MAX_FILE_BYTES + 1)
    if len(raw) > MAX_FILE_BYTES:
        raise ValueError(f"it has more than {MAX_FILE_BYTES >> 20} MB")
    return raw


def _open_reader(raw: bytes) -> Any:
    """Return a reader of a private copy, or of the bytes themselves where a copy cannot be mapped (disk full, Windows)."""
    import tempfile

    import maxminddb

    try:
        with tempfile.NamedTemporaryFile(prefix="webtongue-", suffix=".mmdb") as file:
            file.write(raw)
            file.flush()
            return maxminddb.open_database(file.name)
    except OSError:
        return maxminddb.open_database(io.BytesIO(raw), maxminddb.MODE_FD)


def _locate(reader: Any, text: str) -> Located:
    """Return the country of an IP address. Special addresses are looked up, too: a file may have entries for private networks."""
    try:
        address: Address = ipaddress.ip_address(text)
    except ValueError:
        return Located(reason=describe_invalid(text))
    if "%" in text:
        return Located(reason=describe_invalid(text))
    address = embedded_ipv4(address) or address
    located = _look_up(reader, address)
    if located.country or located.reason:
        return located
    return Located(reason=describe_special(address) or "no entry for this address")


def _look_up(reader: Any, address: Address) -> Located:
    """Return the file's entry for an address, with neither country nor reason if it has none."""
    try:
        record, prefix_bits = reader.get_with_prefix_len(address)
    except ValueError:  # an IPv6 address in a file that has IPv4 only
        return Located(reason="the file has no addresses of IPv6") if address.version == 6 else Located()
    except Exception as error:  # the reader raises many types for a damaged file; the page then has no country
        return Located(reason=f"the file is damaged here ({type(error).__name__})")
    code = _country_code(record)
    if not code:
        return Located()
    if not is_country(code):
        return Located(reason=f"the file says {code[:MAX_IP_CHARS]!r}, which is no country")
    return Located(code.upper(), network=str(ipaddress.ip_network((address, prefix_bits), strict=False)))


def _country_code(record: object) -> str:
    """Return the country code in a record of any publisher's layout; empty if it has none.

    MaxMind and some of DB-IP: ``country.iso_code``, else ``registered_country.iso_code``; DB-IP: ``country_code``; IPinfo:
    ``country`` or ``country_code`` as text (if ``country`` is a name, the code is in the other field).
    """
    if not isinstance(record, Mapping):
        return ""
    nested = (record.get(name) for name in ("country", "registered_country", "represented_country"))
    values = [entry.get("iso_code") for entry in nested if isinstance(entry, Mapping)]
    values += [record.get("country_code"), record.get("country")]
    texts = [text.strip() for text in values if isinstance(text, str) and text.strip()]
    return next((text for text in texts if is_country(text)), texts[0] if texts else "")
