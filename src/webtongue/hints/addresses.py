"""Internet addresses: their numbers, and what kind one is that no country has."""

from __future__ import annotations

import ipaddress
from ipaddress import IPv4Address, IPv6Address

__all__ = ["LONGEST", "carried", "fault", "ip_address", "ip_number", "kind"]

Address = IPv4Address | IPv6Address

LONGEST = 64  # characters: an address has 45 at most, a zone or a port a few more
OCTETS, OCTET = 4, 256
DOCUMENTATION = tuple(
    ipaddress.ip_network(net)
    for net in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20")
)
SHARED = ipaddress.ip_network("100.64.0.0/10")  # behind a provider's translator, RFC 6598
TRANSLATED = ipaddress.ip_network("64:ff9b::/96")  # IPv4 in IPv6, RFC 6052


def ip_number(address: str) -> int:
    """The number of an IPv4 address W.X.Y.Z, 256³·W + 256²·X + 256·Y + Z (Cai 2009, formulas 1 to 3 and table 3-1).

    Ranges of addresses are ranges of numbers, which a database compares faster than text. ValueError for what is no address.

    >>> ip_number("61.65.0.245"), ip_number("61.56.0.0"), ip_number("61.67.255.255")
    (1027670261, 1027080192, 1027866623)
    """
    number = 0
    for part in IPv4Address(address).packed:
        number = number * OCTET + part
    return number


def ip_address(number: int) -> str:
    """The IPv4 address of a number: the inverse of ``ip_number``. ValueError for a number that is none's.

    >>> ip_address(1027670261), ip_address(3650228735)
    ('61.65.0.245', '217.146.17.255')
    """
    if not 0 <= number < OCTET**OCTETS:
        raise ValueError(f"numbers of IPv4 addresses are 0 to {OCTET**OCTETS - 1}, not {number}")
    parts = []
    for _ in range(OCTETS):
        number, part = divmod(number, OCTET)
        parts.append(str(part))
    return ".".join(reversed(parts))


def carried(address: Address) -> IPv4Address | None:
    """The IPv4 address inside an IPv6 address that has one: mapped, translated (NAT64) or tunnelled (6to4).

    >>> carried(ipaddress.ip_address("::ffff:61.65.0.245")), carried(ipaddress.ip_address("2001:db8::1"))
    (IPv4Address('61.65.0.245'), None)
    """
    if isinstance(address, IPv4Address):
        return None
    if address in TRANSLATED:
        return IPv4Address(address.packed[-OCTETS:])
    return address.ipv4_mapped or address.sixtofour


def kind(address: Address) -> str:
    """What an address is that belongs to no country; empty for one that some country should have.

    >>> [kind(ipaddress.ip_address(ip)) for ip in ("10.1.2.3", "::1", "192.0.2.7", "8.8.8.8")]
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


def fault(text: str) -> str:
    """Why a text is no address.

    >>> [fault(text) for text in ("", "61.65.0.245:80", "fe80::1%eth0", "example.org", "61.65.0.256")]
    ['empty', 'an address with a port', 'an address with a zone', 'not an address', 'not an address']
    """
    if not text:
        return "empty"
    if len(text) <= LONGEST and "%" in text and _is_address(text.partition("%")[0].strip("[]")):
        return "an address with a zone"
    host, _, port = text.rpartition(":")
    bare = host[1:-1] if host[:1] == "[" and host[-1:] == "]" else host if host.count(":") == 0 else ""
    if len(text) <= LONGEST and port.isdecimal() and _is_address(bare):
        return "an address with a port"
    return "not an address"


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
