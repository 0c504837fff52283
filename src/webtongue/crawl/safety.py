"""What a crawler must not be led into: private networks, by whatever name, number, redirect or trick.

Names and numbers are resolved here, and what is handed on is connected to as it is, without another look at DNS: the address that
is judged is the address that is connected to. A second check, on the response, holds for connections that others made.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IHostnameResolver, IResolutionReceiver
from zope.interface import implementer

from webtongue.crawl.config import Config
from webtongue.errors import UsageError

__all__ = ["ANY_NAME", "GuardedResolver", "is_public", "targets_of"]

logger = logging.getLogger(__name__)

ANY_NAME = "*"
IP = ipaddress.IPv4Address | ipaddress.IPv6Address
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # whose addresses a gateway takes for the IPv4 address in them
COMPATIBLE = ipaddress.IPv6Network("::/96")  # the deprecated form of a mapped address
LOW = (1 << 32) - 1


def is_public(text: str) -> bool:
    """Whether an address is one of the open internet.

    >>> [is_public(ip) for ip in ("192.0.43.10", "10.0.0.1", "127.0.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1")]
    [True, False, False, False, False, False]
    >>> [is_public(ip) for ip in ("2606:2800:220:1::1", "::1", "::ffff:10.0.0.1", "fe80::1%eth0", "fd00::1", "64:ff9b::7f00:1")]
    [True, False, False, False, False, False]
    """
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    inside = _inside(found)
    if isinstance(found, ipaddress.IPv6Address) and (found.ipv4_mapped or found in NAT64):
        return _is_open(inside[0])  # only another way to write it
    return all(_is_open(one) for one in (found, *inside))


def _is_open(address: IP) -> bool:
    local = isinstance(address, ipaddress.IPv6Address) and address.is_site_local
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified or local)


def _inside(address: IP) -> list[IP]:
    """IPv4 addresses that an IPv6 address stands for."""
    if isinstance(address, ipaddress.IPv4Address):
        return []
    found: list[IP | None] = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in NAT64 or (address in COMPATIBLE and int(address) > 1):
        found.append(ipaddress.IPv4Address(int(address) & LOW))
    return [one for one in found if one is not None]


def targets_of(text: str) -> dict[str, tuple[str, int]]:
    """Where names lead instead of where DNS says: address and port by name, port 0 for the one that is asked for.

    >>> targets_of("*=127.0.0.1:8080, intern.example=10.0.0.1")
    {'*': ('127.0.0.1', 8080), 'intern.example': ('10.0.0.1', 0)}
    """
    out = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, place = part.rpartition("=")
        ip, colon, port = place.rpartition(":")
        ip, port = (ip, port) if colon and port.isdigit() else (place, "0")
        try:
            ipaddress.ip_address(ip)
        except ValueError:
            raise UsageError(f"names lead to addresses: *=127.0.0.1:8080, not {part!r}") from None
        out[name.strip().lower() if equals else ANY_NAME] = ip, int(port)
    return out


@implementer(IResolutionReceiver)
class _Judge:
    """Hands on the addresses that may be connected to, and counts the others."""

    def __init__(self, receiver: Any, guard: GuardedResolver) -> None:
        self._receiver, self._guard = receiver, guard

    def resolutionBegan(self, resolution: Any) -> None:
        self._receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Any) -> None:
        if self._guard.may_connect(address.host):
            self._receiver.addressResolved(address)

    def resolutionComplete(self) -> None:
        self._receiver.resolutionComplete()


@implementer(IHostnameResolver)
class GuardedResolver:
    """A resolver for Scrapy's setting TWISTED_DNS_RESOLVER that gives no address of a private network, unless that is allowed."""

    def __init__(self, reactor: Any, allow_private: bool, targets: Mapping[str, tuple[str, int]]) -> None:
        self._reactor = reactor
        self._original = reactor.nameResolver
        self.refused = 0
        self._allow_private = allow_private
        self._targets = targets

    @classmethod
    def from_crawler(cls, crawler: Any, reactor: Any) -> GuardedResolver:
        config = Config.from_settings(crawler.settings)
        return cls(reactor, config.allow_private, targets_of(config.connect_to))

    def install_on_reactor(self) -> None:
        self._reactor.installNameResolver(self)

    def may_connect(self, ip: str) -> bool:
        """Whether an address may be connected to; one that may not is counted."""
        if self._allow_private or is_public(ip):
            return True
        self.refused += 1
        logger.warning("webtongue: no connection to %s, which is an address of a private network", ip)
        return False

    def resolveHostName(
        self,
        resolutionReceiver: Any,
        hostName: str,
        portNumber: int = 0,
        addressTypes: Sequence[Any] | None = None,
        transportSemantics: str = "TCP",
    ) -> Any:
        """What Twisted asks for every connection, of names and of numbers in any form."""
        judge = _Judge(resolutionReceiver, self)
        target = self._targets.get(hostName.lower())
        receiver: Any = judge
        if target is None and not _is_local(hostName):
            target, receiver = self._targets.get(ANY_NAME), resolutionReceiver  # a rehearsal: it was asked for
        if target is None:
            return self._original.resolveHostName(judge, hostName, portNumber, addressTypes, transportSemantics)
        ip, port = target
        kind = IPv6Address if ":" in ip else IPv4Address
        receiver.resolutionBegan(self)
        receiver.addressResolved(kind("TCP", ip, port or portNumber))
        receiver.resolutionComplete()
        return resolutionReceiver

    @property
    def name(self) -> str:
        return "webtongue"

    def cancel(self) -> None:
        """Nothing is waited for where a name is in the table."""


def _is_local(host: str) -> bool:
    """Whether a host is an address, in any form that getaddrinfo takes for one (127.1, 0x7f.1, 2130706433), or this machine."""
    last = host.rstrip(".").rpartition(".")[2].lower()
    return ":" in host or last.isdigit() or last.startswith("0x") or last == "localhost"
