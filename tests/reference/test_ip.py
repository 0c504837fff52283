"""Numbers of addresses, and what addresses are that no country has."""

from __future__ import annotations

import ipaddress
import random

import pytest

from webtongue.reference.ip import describe_invalid, describe_special, embedded_ipv4, ip_address, ip_number

# Cai 2009, table 3-1.
TABLE = (
    ("61.56.0.0", 1027080192), ("61.67.255.255", 1027866623), ("61.14.132.16", 1024361488), ("61.14.132.31", 1024361503),
    ("62.13.160.0", 1041080320), ("62.13.191.255", 1041088511), ("62.23.36.32", 1041703968), ("62.23.36.55", 1041703991),
    ("217.146.16.0", 3650228224), ("217.146.17.255", 3650228735), ("61.65.0.245", 1027670261), ("0.0.0.0", 0),
    ("255.255.255.255", 4294967295),
)  # fmt: skip


@pytest.mark.parametrize(("address", "number"), TABLE)
def test_numbers_of_the_paper(address: str, number: int) -> None:
    assert ip_number(address) == number
    assert ip_address(number) == address


def test_numbers_are_those_of_the_standard_library() -> None:
    chance = random.Random(1)
    for _ in range(500):
        number = chance.randrange(1 << 32)
        assert ip_address(number) == str(ipaddress.IPv4Address(number))
        assert ip_number(ip_address(number)) == number


@pytest.mark.parametrize("bad", ["", "1.2.3", "1.2.3.256", "::1", "a.b.c.d", "1.2.3.4.5", "-1.2.3.4"])
def test_no_number(bad: str) -> None:
    with pytest.raises(ValueError):
        ip_number(bad)


@pytest.mark.parametrize("bad", [-1, 1 << 32, 1 << 64])
def test_no_address(bad: int) -> None:
    with pytest.raises(ValueError, match="4294967295"):
        ip_address(bad)


KINDS = {
    "10.0.0.1": "private", "192.168.1.1": "private", "172.16.0.1": "private", "fd00::1": "private", "127.0.0.1": "machine itself",
    "::1": "machine itself", "169.254.1.1": "one network", "fe80::1": "one network", "224.0.0.1": "group", "ff02::1": "group",
    "192.0.2.1": "documentation", "198.51.100.9": "documentation", "203.0.113.1": "documentation", "2001:db8::5": "documentation",
    "3fff::1": "documentation", "100.64.0.1": "share", "240.0.0.1": "reserved", "0.0.0.0": "no address", "::": "no address",
    "255.255.255.255": "reserved",
}  # fmt: skip


@pytest.mark.parametrize("address", KINDS)
def test_kinds(address: str) -> None:
    assert KINDS[address] in describe_special(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "61.65.0.245", "2a00:1450::1", "192.0.3.1"])
def test_public_addresses_are_of_no_kind(address: str) -> None:
    assert describe_special(ipaddress.ip_address(address)) == ""


@pytest.mark.parametrize(
    "address", ["::ffff:61.65.0.245", "64:ff9b::61.65.0.245", "2002:3d41:f5::1", "2002:3d41:00f5::", "::FFFF:3d41:f5"]
)
def test_addresses_inside(address: str) -> None:
    assert str(embedded_ipv4(ipaddress.ip_address(address))) == "61.65.0.245"


@pytest.mark.parametrize("address", ["8.8.8.8", "2a00:1450::1", "::1", "64:ff9c::1"])
def test_nothing_inside(address: str) -> None:
    assert embedded_ipv4(ipaddress.ip_address(address)) is None


FAULTS = {
    "": "empty", "1.2.3.4:80": "port", "[::1]:443": "port", "[2a00::1]:1": "port", "fe80::1%eth0": "zone", "[fe80::1%2]": "zone",
    "1.2.3.4:": "not an", ":80": "not an", "::1:80:x": "not an", "[::1]": "not an", "%": "not an", "a%b": "not an",
    "example.org:80": "not an", "1.2.3.4/24": "not an", "x" * 100_000: "not an", "1:" * 50_000 + "80": "not an",
}  # fmt: skip


@pytest.mark.parametrize("text", FAULTS)
def test_faults(text: str) -> None:
    assert FAULTS[text] in describe_invalid(text)
