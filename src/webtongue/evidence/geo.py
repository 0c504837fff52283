"""The country of an IP address, from any file in MaxMind's format (MMDB).

MaxMind, DB-IP and IPinfo publish such files; their records differ, and all of their layouts are read. A file is read into memory,
decompressed if it is compressed, and shared by all users of the same file. DB-IP's table of countries is part of the package.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path

from webtongue.errors import UnreadableFile, UsageError
from webtongue.files import DATA
from webtongue.records import dataclass, field
from webtongue.reference.countries import is_country
from webtongue.reference.ip import MAX_IP_CHARS, Address, describe_invalid, describe_special, embedded_ipv4
from webtongue.reference.mmdb import MmdbReader

__all__ = ["DEFAULT_PATH", "ENVIRONMENT", "Geo", "Located", "country_code", "load_geo", "read_database"]

DEFAULT_PATH = DATA / "dbip-country-lite-2026-06.mmdb.xz"
ENVIRONMENT = "WEBTONGUE_GEO"  # environment variable with the path of a file
MAX_FILE_BYTES = 1 << 29  # decompressed; files of cities have 150 MB, of countries 10 MB
MAX_CACHED_IPS = 4096  # a crawl looks up the same hosts again and again
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


def load_geo(path: str | os.PathLike[str] | None = None) -> Geo:
    """Return the file at a path, else the one that WEBTONGUE_GEO names, else that of the package.

    Raise UsageError for a file that cannot be used.
    """
    if path is None:
        path = os.environ.get(ENVIRONMENT) or DEFAULT_PATH
    return Geo(Path(path))


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
        reader = MmdbReader(read_database(path))
    except Exception as error:  # decompression raises many types for a damaged file
        raise UsageError(_error_text(path, error)) from None
    description = f"{reader.metadata.get('database_type')} {reader.metadata.get('description')}".lower()
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


def _locate(reader: MmdbReader, text: str) -> Located:
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


def _look_up(reader: MmdbReader, address: Address) -> Located:
    """Return the file's entry for an address, with neither country nor reason if it has none."""
    if address.version == 6 and reader.ip_version == 4:
        return Located(reason="the file has no addresses of IPv6")
    try:
        record, prefix_bits = reader.find(address)
    except UnreadableFile as error:  # the page then has no country
        return Located(reason=f"the file is damaged here ({error})")
    code = country_code(record)
    if not code:
        return Located()
    if not is_country(code):
        return Located(reason=f"the file says {code[:MAX_IP_CHARS]!r}, which is no country")
    return Located(code.upper(), network=str(ipaddress.ip_network((address, prefix_bits), strict=False)))


def country_code(record: object) -> str:
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
