"""IP addresses: their numbers, and why an address has no country."""

from __future__ import annotations

import ipaddress
from ipaddress import IPv4Address, IPv6Address

__all__ = [
    "MAX_IP_CHARS",
    "Address",
    "describe_invalid",
    "describe_special",
    "embedded_ipv4",
    "ip_address",
    "ip_number",
]

Address = IPv4Address | IPv6Address

MAX_IP_CHARS = 64  # an IPv6 address has at most 45, plus zone and port
MAX_IPV4 = 2**32 - 1
DOCUMENTATION = tuple(
    ipaddress.ip_network(net)
    for net in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20")
)
SHARED = ipaddress.ip_network("100.64.0.0/10")  # carrier-grade NAT, RFC 6598
NAT64 = ipaddress.ip_network("64:ff9b::/96")  # IPv4 in IPv6, RFC 6052


def ip_number(address: str) -> int:
    """Return the number of an IPv4 address W.X.Y.Z, 256³·W + 256²·X + 256·Y + Z (Cai 2009, formulas 1 to 3 and table 3-1).

    Ranges of addresses are ranges of numbers, which a database compares faster than text. Raise ValueError for any other text.

    >>> ip_number("61.65.0.245"), ip_number("61.56.0.0"), ip_number("61.67.255.255")
    (1027670261, 1027080192, 1027866623)
    """
    return int(IPv4Address(address))


def ip_address(number: int) -> str:
    """Return the IPv4 address of a number, the inverse of ``ip_number``. Raise ValueError for a number out of range.

    >>> ip_address(1027670261), ip_address(3650228735)
    ('61.65.0.245', '217.146.17.255')
    """
    if not 0 <= number <= MAX_IPV4:
        raise ValueError(f"numbers of IPv4 addresses are 0 to {MAX_IPV4}, not {number}")
    return str(IPv4Address(number))


def embedded_ipv4(address: Address) -> IPv4Address | None:
    """Return the IPv4 address in an IPv6 address that is mapped, translated (NAT64) or tunnelled (6to4); otherwise None.

    >>> embedded_ipv4(ipaddress.ip_address("::ffff:61.65.0.245")), embedded_ipv4(ipaddress.ip_address("2001:db8::1"))
    (IPv4Address('61.65.0.245'), None)
    """
    if isinstance(address, IPv4Address):
        return None
    if address in NAT64:
        return IPv4Address(address.packed[-4:])
    return address.ipv4_mapped or address.sixtofour


def describe_special(address: Address) -> str:
    """Return what kind of address belongs to no country; empty for an ordinary address.

    >>> [describe_special(ipaddress.ip_address(ip)) for ip in ("10.1.2.3", "::1", "192.0.2.7", "8.8.8.8")]
    ['a private address', 'an address of the machine itself', 'an address for documentation', '']
    """
    if address.is_unspecified:
        return "no address of a machine"
    if address.is_loopback:
        return "an address of the machine itself"
    if address.is_link_local:
        return "an address of one network only"
    if address.is_multicast:
        return "an address of a group of machines"
    if any(address in net for net in DOCUMENTATION):
        return "an address for documentation"
    if address in SHARED:
        return "an address that a provider's customers share"
    if address.is_reserved:
        return "a reserved address"
    return "a private address" if address.is_private else ""


def describe_invalid(text: str) -> str:
    """Return why a text is no IP address.

    >>> [describe_invalid(text) for text in ("", "61.65.0.245:80", "fe80::1%eth0", "example.org", "61.65.0.256")]
    ['empty', 'an address with a port', 'an address with a zone', 'not an address', 'not an address']
    """
    if not text:
        return "empty"
    if len(text) <= MAX_IP_CHARS and "%" in text and _is_address(text.partition("%")[0].strip("[]")):
        return "an address with a zone"
    host, _, port = text.rpartition(":")
    bare = host[1:-1] if host[:1] == "[" and host[-1:] == "]" else host if host.count(":") == 0 else ""
    if len(text) <= MAX_IP_CHARS and port.isdecimal() and _is_address(bare):
        return "an address with a port"
    return "not an address"


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
