"""Keeps the crawler out of private networks, whatever host name, IP notation or redirect leads there.

The resolver checks every IP address, and Twisted connects to the addresses that the resolver returns without asking DNS again:
the address that is checked is the address that is connected to. GuardMiddleware checks the IP address of each response too, for
connections that another resolver made.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IHostnameResolver, IResolutionReceiver
from zope.interface import implementer

from webtongue.crawl.config import Config
from webtongue.errors import UsageError

__all__ = ["ANY_HOST", "PRIVATE_NETWORK", "GuardedResolver", "is_public", "name_error", "parse_connect_to"]

logger = logging.getLogger(__name__)

ANY_HOST = "*"
MAX_REFUSED_HOSTS = 1 << 16  # bounds memory
PRIVATE_NETWORK = "the host is in a private network"
IP = ipaddress.IPv4Address | ipaddress.IPv6Address
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # RFC 6052: a gateway connects to the IPv4 address in the low bits
IPV4_COMPATIBLE = ipaddress.IPv6Network("::/96")  # the deprecated form of an IPv4-mapped address
IPV4_MASK = (1 << 32) - 1


def name_error(error: BaseException, url: str) -> str:
    """Return the reason of a failed request: the class of the error, or that the host is in a private network."""
    from twisted.internet import reactor

    resolver, name = getattr(reactor, "nameResolver", None), type(error).__name__
    if name == "CannotResolveHostError" and isinstance(resolver, GuardedResolver):
        return PRIVATE_NETWORK if urlsplit(url).hostname in resolver.refused_hosts else name
    return name


def is_public(text: str) -> bool:
    """Return True if an IP address belongs to the public internet.

    >>> [is_public(ip) for ip in ("192.0.43.10", "10.0.0.1", "127.0.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1")]
    [True, False, False, False, False, False]
    >>> [is_public(ip) for ip in ("2606:2800:220:1::1", "::1", "::ffff:10.0.0.1", "fe80::1%eth0", "fd00::1", "64:ff9b::7f00:1")]
    [True, False, False, False, False, False]
    """
    try:
        ip = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    embedded = _extract_ipv4(ip)
    if isinstance(ip, ipaddress.IPv6Address) and (ip.ipv4_mapped or ip in NAT64):
        return _is_global(embedded[0])  # only another notation of the IPv4 address
    return all(_is_global(part) for part in (ip, *embedded))


def _is_global(ip: IP) -> bool:
    is_local = isinstance(ip, ipaddress.IPv6Address) and ip.is_site_local
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified or is_local)


def _extract_ipv4(ip: IP) -> list[IP]:
    """Return the IPv4 addresses that are embedded in an IPv6 address."""
    if isinstance(ip, ipaddress.IPv4Address):
        return []
    embedded: list[IP | None] = [ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ())]
    if ip in NAT64 or (ip in IPV4_COMPATIBLE and int(ip) > 1):
        embedded.append(ipaddress.IPv4Address(int(ip) & IPV4_MASK))
    return [part for part in embedded if part is not None]


def parse_connect_to(text: str) -> dict[str, tuple[str, int]]:
    """Return IP address and port by host name, to use instead of DNS. Port 0 stands for the port of the URL.

    >>> parse_connect_to("*=127.0.0.1:8080, intern.example=10.0.0.1")
    {'*': ('127.0.0.1', 8080), 'intern.example': ('10.0.0.1', 0)}
    """
    overrides = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        host, equals, target = part.rpartition("=")
        ip, colon, port = target.rpartition(":")
        ip, port = (ip, port) if colon and port.isdigit() else (target, "0")
        try:
            ipaddress.ip_address(ip)
        except ValueError:
            raise UsageError(f"connect_to maps hosts to IP addresses, such as *=127.0.0.1:8080, not {part!r}") from None
        overrides[host.strip().lower() if equals else ANY_HOST] = ip, int(port)
    return overrides


@implementer(IResolutionReceiver)
class _FilteringReceiver:
    """Passes on the IP addresses of a host that may be connected to."""

    def __init__(self, receiver: Any, guard: GuardedResolver, host: str) -> None:
        self._receiver, self._guard, self._host = receiver, guard, host

    def resolutionBegan(self, resolution: Any) -> None:
        self._receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Any) -> None:
        if self._guard.may_connect(address.host, self._host):
            self._receiver.addressResolved(address)

    def resolutionComplete(self) -> None:
        self._receiver.resolutionComplete()


@implementer(IHostnameResolver)
class GuardedResolver:
    """A resolver for TWISTED_DNS_RESOLVER that returns no IP address of a private network unless that is allowed."""

    def __init__(self, reactor: Any, allow_private: bool, overrides: Mapping[str, tuple[str, int]]) -> None:
        self._reactor = reactor
        self._original = reactor.nameResolver
        self.refused = 0  # IP addresses that were not passed on
        self.refused_hosts: set[str] = set()
        self._allow_private = allow_private
        self._overrides = overrides

    @classmethod
    def from_crawler(cls, crawler: Any, reactor: Any) -> GuardedResolver:
        config = Config.from_settings(crawler.settings)
        return cls(reactor, config.allow_private, parse_connect_to(config.connect_to))

    def install_on_reactor(self) -> None:
        self._reactor.installNameResolver(self)

    def may_connect(self, ip: str, host: str) -> bool:
        """Return True if an IP address of a host may be connected to; count it otherwise."""
        if self._allow_private or is_public(ip):
            return True
        self.refused += 1
        if len(self.refused_hosts) < MAX_REFUSED_HOSTS:
            self.refused_hosts.add(host.lower())
        logger.warning("webtongue: no connection to %s, which is in a private network", ip)
        return False

    def resolveHostName(
        self,
        resolutionReceiver: Any,
        hostName: str,
        portNumber: int = 0,
        addressTypes: Sequence[Any] | None = None,
        transportSemantics: str = "TCP",
    ) -> Any:
        """Resolve a host name or an IP address in any notation; Twisted calls this for every connection."""
        filtering = _FilteringReceiver(resolutionReceiver, self, hostName)
        override = self._overrides.get(hostName.lower())
        receiver: Any = filtering
        if override is None and not _is_local(hostName):
            # The override for all hosts may lead to a private network: the user asked for it.
            override, receiver = self._overrides.get(ANY_HOST), resolutionReceiver
        if override is None:
            return self._original.resolveHostName(filtering, hostName, portNumber, addressTypes, transportSemantics)
        ip, port = override
        address_class = IPv6Address if ":" in ip else IPv4Address
        receiver.resolutionBegan(self)
        receiver.addressResolved(address_class("TCP", ip, port or portNumber))
        receiver.resolutionComplete()
        return resolutionReceiver

    @property
    def name(self) -> str:
        return "webtongue"

    def cancel(self) -> None:
        """Do nothing: an override is resolved at once."""


def _is_local(host: str) -> bool:
    """Return True for localhost and for IP addresses in any notation that getaddrinfo takes (127.1, 0x7f.1, 2130706433)."""
    last = host.rstrip(".").rpartition(".")[2].lower()
    return ":" in host or last.isdigit() or last.startswith("0x") or last == "localhost"
