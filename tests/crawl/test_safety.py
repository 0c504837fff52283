"""IP addresses that a crawler must not connect to, in every notation."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("scrapy", reason="the crawler needs Scrapy: pip install 'webtongue[crawl]'")

from webtongue.crawl.safety import PRIVATE_NETWORK, GuardedResolver, is_public, name_error, parse_connect_to
from webtongue.errors import UsageError

PRIVATE = """
    0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.168.1.1
    198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::127.0.0.1
    ::ffff:a9fe:a9fe 64:ff9b::10.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1:: 2002:a00:1:: fc00::1 fd12::1 fe80::1 fe80::1%eth0
    fec0::1 ff02::1 2001:db8::1 2001:0:7f00:1:: 100::1 nonsense 1.2.3 999.1.1.1
""".split()
PUBLIC = "1.1.1.1 93.184.216.34 172.32.0.1 192.169.0.1 2606:4700::1111 2a00:1450::8a 64:ff9b::5db8:d822 ::ffff:93.184.216.34".split()


@pytest.mark.parametrize("ip", PRIVATE)
def test_private(ip: str) -> None:
    assert not is_public(ip)


@pytest.mark.parametrize("ip", PUBLIC)
def test_public(ip: str) -> None:
    assert is_public(ip)


class Receiver:
    def __init__(self) -> None:
        self.addresses: list[str] = []
        self.is_complete = False

    def resolutionBegan(self, resolution: Any) -> None: ...

    def addressResolved(self, address: Any) -> None:
        self.addresses.append(f"{address.host}:{address.port}")

    def resolutionComplete(self) -> None:
        self.is_complete = True


class FakeResolver:
    """A resolver with fixed answers, in place of DNS."""

    def __init__(self, *ips: str) -> None:
        self.ips = ips

    def resolveHostName(
        self, receiver: Any, name: str, port: int = 0, kinds: Any = None, semantics: str = "TCP"
    ) -> Any:
        from twisted.internet.address import IPv4Address, IPv6Address

        receiver.resolutionBegan(self)
        for ip in self.ips:
            receiver.addressResolved((IPv6Address if ":" in ip else IPv4Address)("TCP", ip, port))
        receiver.resolutionComplete()
        return receiver


class FakeReactor:
    def __init__(self, *ips: str) -> None:
        self.nameResolver = FakeResolver(*ips)


def resolve(guard: GuardedResolver, name: str) -> list[str]:
    receiver = Receiver()
    guard.resolveHostName(receiver, name, 80)
    assert receiver.is_complete
    return receiver.addresses


def test_private_answers_of_dns_are_removed() -> None:
    guard = GuardedResolver(FakeReactor("10.0.0.7", "93.184.216.34", "::1"), False, {})
    assert resolve(guard, "rebinding.example") == ["93.184.216.34:80"]
    assert guard.refused == 2 and guard.refused_hosts == {"rebinding.example"}


def test_private_hosts_and_hosts_without_an_address_have_different_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    import twisted.internet
    from scrapy.exceptions import CannotResolveHostError

    from webtongue.cli.crawl import _describe_failure

    reactor = FakeReactor("10.0.0.7")
    guard = GuardedResolver(reactor, False, {})
    reactor.nameResolver = guard  # type: ignore[assignment]
    monkeypatch.setattr(twisted.internet, "reactor", reactor, raising=False)
    assert resolve(guard, "Intern.example") == resolve(guard, "127.0.0.1") == []
    reasons = [
        name_error(CannotResolveHostError(), url)
        for url in ("http://intern.example/", "http://127.0.0.1:9/", "http://example.invalid/")
    ]
    assert reasons == [PRIVATE_NETWORK, PRIVATE_NETWORK, "CannotResolveHostError"]
    assert _describe_failure(reasons[0]) == "the host is in a private network (--allow-private connects to it)"
    assert _describe_failure(f"robots.txt could not be read: {reasons[2]}").endswith(": the host name has no address")
    assert name_error(TimeoutError(), "http://127.0.0.1:9/") == "TimeoutError"


def test_private_networks_may_be_allowed() -> None:
    assert resolve(GuardedResolver(FakeReactor("10.0.0.7"), True, {}), "intern.example") == ["10.0.0.7:80"]


def test_connect_to_applies_to_names_and_not_to_ips() -> None:
    guard = GuardedResolver(
        FakeReactor("127.0.0.1"), False, parse_connect_to("*=127.0.0.2:8080,intern.example=10.0.0.1")
    )
    assert resolve(guard, "www.beispiel.de") == ["127.0.0.2:8080"]
    assert resolve(guard, "intern.example") == []
    for host in (
        "127.0.0.1",
        "127.0.0.2",
        "localhost",
        "db.localhost.",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "::1",
    ):
        assert resolve(guard, host) == [], host


@pytest.mark.parametrize("text", ["*=nowhere", "*=127.0.0.1:x", "a=b=c", "x"])
def test_connect_to_needs_ips(text: str) -> None:
    with pytest.raises(UsageError):
        parse_connect_to(text)
