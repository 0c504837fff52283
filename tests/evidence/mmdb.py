"""A small writer of MMDB files, as the format's specification has it: a tree of bits, records, metadata."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any

MARKER = b"\xab\xcd\xefMaxMind.com"
GAP = bytes(16)
STRING, MAP, UINT16, UINT32, UINT64, ARRAY = 2, 7, 5, 6, 9, 11


def control(kind: int, size: int) -> bytes:
    assert size < 65_821
    head, more = (
        (size, b"") if size < 29 else (29, bytes([size - 29])) if size < 285 else (30, (size - 285).to_bytes(2, "big"))
    )
    return bytes([kind << 5 | head]) + more if kind < 8 else bytes([head, kind - 7]) + more


def encoded(value: Any) -> bytes:
    if isinstance(value, str):
        raw = value.encode()
        return control(STRING, len(raw)) + raw
    if isinstance(value, Mapping):
        return control(MAP, len(value)) + b"".join(encoded(k) + encoded(v) for k, v in value.items())
    if isinstance(value, list):
        return control(ARRAY, len(value)) + b"".join(map(encoded, value))
    return number(value, UINT32)


def number(value: int, kind: int) -> bytes:
    raw = value.to_bytes((value.bit_length() + 7) // 8, "big")
    return control(kind, len(raw)) + raw


class Tree:
    """Nodes of two branches each: a node's number, or ``~offset`` of a record, or None for nothing."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.nodes: list[list[int | None]] = [[None, None]]

    def add(self, network: str, offset: int) -> None:
        net = ipaddress.ip_network(network)
        bits, width, length = int(net.network_address), net.max_prefixlen, net.prefixlen
        if net.version == 4 and self.version == 6:
            width, length = 128, length + 96
        node = 0
        for depth in range(length - 1):
            bit = bits >> (width - 1 - depth) & 1
            below = self.nodes[node][bit]
            if below is None:
                self.nodes.append([None, None])
                below = self.nodes[node][bit] = len(self.nodes) - 1
            assert below >= 0, "networks may not overlap"
            node = below
        self.nodes[node][bits >> (width - length) & 1] = ~offset

    def packed(self, size: int) -> bytes:
        count = len(self.nodes)

        def pointed(branch: int | None) -> int:
            return count if branch is None else branch if branch >= 0 else count + len(GAP) + ~branch

        out = bytearray()
        for left, right in ((pointed(a), pointed(b)) for a, b in self.nodes):
            if size == 28:
                out += (
                    (left & 0xFFFFFF).to_bytes(3, "big")
                    + bytes([left >> 24 << 4 | right >> 24])
                    + (right & 0xFFFFFF).to_bytes(3, "big")
                )
            else:
                out += left.to_bytes(size // 8, "big") + right.to_bytes(size // 8, "big")
        return bytes(out)


def mmdb(networks: Mapping[str, Any], *, version: int = 6, size: int = 24, kind: str = "Test-Country") -> bytes:
    """A file with a record for each network; IPv4 networks lie in the lowest 32 bits of IPv6, as makers have them."""
    tree, data = Tree(version), bytearray()
    for network, record in networks.items():
        tree.add(network, len(data))
        data += encoded(record)
    facts = {
        "binary_format_major_version": number(2, UINT16),
        "binary_format_minor_version": number(0, UINT16),
        "build_epoch": number(1_700_000_000, UINT64),
        "database_type": encoded(kind),
        "description": encoded({"en": kind}),
        "ip_version": number(version, UINT16),
        "languages": encoded(["en"]),
        "node_count": number(len(tree.nodes), UINT32),
        "record_size": number(size, UINT16),
    }
    metadata = control(MAP, len(facts)) + b"".join(encoded(name) + fact for name, fact in facts.items())
    return tree.packed(size) + GAP + bytes(data) + MARKER + metadata
