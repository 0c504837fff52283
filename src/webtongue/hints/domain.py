"""Hosts and registered domains of addresses: which pages are of one site."""

from __future__ import annotations

from functools import cache

from webtongue import _kernel, files

__all__ = ["SUFFIXES", "host_of", "registered_domain", "suffixes"]

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
    host = host.lower()
    if numeric or not host:
        return ""
    suffix = suffixes().find(host)
    own = host[: max(0, suffix - 1)].rpartition(b".")[2]
    return str((own + host[suffix - 1 :] if suffix else host).decode("utf-8", "replace"))


@cache
def suffixes() -> _kernel.Suffixes:
    """The shipped Public Suffix List."""
    return _kernel.Suffixes(SUFFIXES.read_bytes())
