"""Hosts and registered domains of addresses: which pages are of one site."""

from __future__ import annotations

from functools import cache

from webtongue import _kernel, files

__all__ = ["SUFFIXES", "host_of", "registered_domain", "site_of", "suffixes"]

SUFFIXES = files.DATA / "suffixes.txt"


def host_of(url: str) -> str:
    """The host of an address in lower case, names and numbers alike; empty where there is none.

    >>> host_of("https://WWW.Example.co.uk:8080/a"), host_of("http://192.0.2.1/"), host_of("mailto:x")
    ('www.example.co.uk', '192.0.2.1', '')
    """
    host = _kernel.split_url(url.encode("utf-8", "replace"))[2]
    return host.lower().decode("utf-8", "replace")


def registered_domain(url: str) -> str:
    """The name that was registered, by the Public Suffix List (private suffixes count); empty where there is none.

    >>> registered_domain("http://chu.cam.ac.uk/")
    'cam.ac.uk'
    """
    _, numeric, host, _, _ = _kernel.split_url(url.encode("utf-8", "replace"))
    return "" if numeric or not host else _registered(host.lower())


def site_of(url: str) -> tuple[str, str]:
    """Host and registered domain, the host itself where that is a number: what tells whether two pages are of one site.

    >>> site_of("http://chu.cam.ac.uk/"), site_of("http://192.0.2.1/")
    (('chu.cam.ac.uk', 'cam.ac.uk'), ('192.0.2.1', '192.0.2.1'))
    """
    _, numeric, raw, _, _ = _kernel.split_url(url.encode("utf-8", "replace"))
    raw = raw.lower()
    host = raw.decode("utf-8", "replace")
    return host, host if numeric or not raw else _registered(raw)


def _registered(host: bytes) -> str:
    suffix = suffixes().find(host)
    own = host[: max(0, suffix - 1)].rpartition(b".")[2]
    return str((own + host[suffix - 1 :] if suffix else host).decode("utf-8", "replace"))


@cache
def suffixes() -> _kernel.Suffixes:
    """The shipped Public Suffix List."""
    return _kernel.Suffixes(SUFFIXES.read_bytes())
