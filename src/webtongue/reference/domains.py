"""Hosts and registered domains of URLs, which tell whether two pages belong to one site."""

from __future__ import annotations

from functools import cache, lru_cache

from webtongue import _kernel, files

__all__ = ["SUFFIXES", "host_of", "registered_domain", "site_of", "suffixes"]

SUFFIXES = files.DATA / "suffixes.txt"
MAX_CACHED_HOSTS = 4096  # a crawl asks for the same hosts again and again


def host_of(url: str) -> str:
    """Return the host of a URL in lower case, a name or an IP address; empty if it has none.

    >>> host_of("https://WWW.Example.co.uk:8080/a"), host_of("http://192.0.2.1/"), host_of("mailto:x")
    ('www.example.co.uk', '192.0.2.1', '')
    """
    host = _kernel.split_url(url.encode("utf-8", "replace"))[2]
    return host.lower().decode("utf-8", "replace")


def registered_domain(url: str) -> str:
    """Return the registered domain of a URL by the Public Suffix List with its private suffixes; empty if it has none.

    >>> registered_domain("http://chu.cam.ac.uk/")
    'cam.ac.uk'
    """
    _, numeric, host, _, _ = _kernel.split_url(url.encode("utf-8", "replace"))
    return "" if numeric or not host else _registered(host.lower())


def site_of(url: str) -> tuple[str, str]:
    """Return host and registered domain of a URL; for an IP address both are the host.

    >>> site_of("http://chu.cam.ac.uk/"), site_of("http://192.0.2.1/")
    (('chu.cam.ac.uk', 'cam.ac.uk'), ('192.0.2.1', '192.0.2.1'))
    """
    _, numeric, raw, _, _ = _kernel.split_url(url.encode("utf-8", "replace"))
    raw = raw.lower()
    host = raw.decode("utf-8", "replace")
    return host, host if numeric or not raw else _registered(raw)


@lru_cache(maxsize=MAX_CACHED_HOSTS)
def _registered(host: bytes) -> str:
    suffix = suffixes().find(host)
    name = host[: max(0, suffix - 1)].rpartition(b".")[2]
    return str((name + host[suffix - 1 :] if suffix else host).decode("utf-8", "replace"))


@cache
def suffixes() -> _kernel.Suffixes:
    """Return the shipped Public Suffix List."""
    return _kernel.Suffixes(SUFFIXES.read_bytes())
