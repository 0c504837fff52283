"""The reader of MMDB files, beside the reader of their publisher."""

from __future__ import annotations

import io
import ipaddress
import random
from typing import Any

import pytest

from tests.evidence.mmdb import mmdb
from webtongue.errors import UnreadableFile
from webtongue.evidence.geo import DEFAULT_PATH, read_database
from webtongue.reference.mmdb import MARKER, MmdbReader

maxminddb = pytest.importorskip("maxminddb", reason="the oracle is maxminddb (extra dev)")

RECORDS: dict[str, Any] = {
    "61.65.0.0/16": {
        "country": {"iso_code": "TW", "names": {"en": "Taiwan", "ja": "台湾"}},
        "subdivisions": [1, [], {}],
    },
    "10.0.0.0/8": {"country_code": "NO", "long": "x" * 400, "longer": "é" * 30_000},
    "192.0.2.128/25": 0,
    "2a00:1450::/32": {"geoname_id": 2**32 - 1},
    "2001:db8::1/128": "text",
}


def oracle(raw: bytes) -> Any:
    return maxminddb.open_database(io.BytesIO(raw), maxminddb.MODE_FD)


def random_addresses(seed: int, count: int) -> list[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    rng = random.Random(seed)
    ipv6 = [ipaddress.IPv6Address(rng.getrandbits(61) | 1 << 125) for _ in range(count)]
    near = [ipaddress.IPv6Address((0x2A << 120) + rng.getrandbits(120)) for _ in range(count)]
    return [*(ipaddress.IPv4Address(rng.getrandbits(32)) for _ in range(count)), *ipv6, *near]


@pytest.mark.parametrize("size", [24, 28, 32])
@pytest.mark.parametrize("version", [4, 6])
def test_records_and_prefixes_equal_the_oracle(size: int, version: int) -> None:
    networks = {name: record for name, record in RECORDS.items() if version == 6 or ":" not in name}
    raw = mmdb(networks, version=version, size=size)
    reader, expected = MmdbReader(raw), oracle(raw)
    addresses = [ipaddress.ip_network(name)[0] for name in networks] + [ipaddress.ip_address("8.8.8.8")]
    for address in addresses:
        assert reader.find(address) == expected.get_with_prefix_len(address)


def test_the_shipped_table_equals_the_oracle() -> None:
    raw = read_database(DEFAULT_PATH)
    reader, expected = MmdbReader(raw), oracle(raw)
    for address in random_addresses(3, 1000):
        assert reader.find(address) == expected.get_with_prefix_len(address), address
    assert reader.metadata["database_type"] == expected.metadata().database_type


def test_ipv4_networks_equal_the_oracle() -> None:
    raw = mmdb(RECORDS)
    wanted = [
        (int(network.network_address), network.num_addresses, record)
        for network, record in oracle(raw)
        if network.version == 4
    ]
    assert list(MmdbReader(raw).ipv4_networks()) == wanted != []


def test_a_file_of_ipv4_has_no_ipv6() -> None:
    reader = MmdbReader(mmdb({"61.65.0.0/16": "x"}, version=4))
    with pytest.raises(UnreadableFile, match="IPv6"):
        reader.find(ipaddress.ip_address("2a00::1"))
    assert list(reader.ipv4_networks()) == [(61 << 24 | 65 << 16, 1 << 16, "x")]


def test_damaged_files_raise_one_error() -> None:
    rng = random.Random(7)
    good = mmdb({name: record for name, record in RECORDS.items() if name != "10.0.0.0/8"})
    for _ in range(3000):
        raw = bytearray(good)
        for _ in range(rng.choice((1, 3, 20))):
            raw[rng.randrange(len(raw))] = rng.randrange(256)
        if rng.random() < 0.2:
            del raw[rng.randrange(len(raw)) :]
        try:
            reader = MmdbReader(bytes(raw))
            reader.find(ipaddress.ip_address("61.65.0.1"))
            reader.find(ipaddress.ip_address("2001:db8::1"))
        except UnreadableFile:
            continue


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        (b"\x20\x00", "nested"),  # a pointer to itself
        (b"\x1f\x04\xff\xff\xff" + b"\x01\x04" * 9000, "too large"),  # an array of millions of arrays
        (b"\xe1\xe0\x41x", "key is not text"),
        (b"\x41x", "not a map"),
        (b"\xe0", "does not describe"),
        (b"", "outside"),
        (b"\x00\xf0", "unknown type"),
    ],
)
def test_hostile_metadata(metadata: bytes, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message):
        MmdbReader(bytes(100) + MARKER + metadata)
