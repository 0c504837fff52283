"""Countries of IP addresses: every publisher's layout, damaged files, and invalid addresses."""

from __future__ import annotations

import gzip
import lzma
import pickle
import random
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.evidence.mmdb import mmdb
from webtongue.errors import UsageError
from webtongue.evidence import geo as geo_module
from webtongue.evidence.geo import DEFAULT_PATH, ENVIRONMENT, Geo, load_geo
from webtongue.reference.countries import is_country

LAYOUTS: dict[str, dict[str, Any]] = {
    "maxmind": {"continent": {"code": "EU"}, "country": {"iso_code": "IS", "geoname_id": 2629691, "names": {"en": "Iceland"}}},
    "maxmind registered": {"continent": {"code": "EU"}, "registered_country": {"iso_code": "IS"}},
    "dbip": {"country_code": "IS"},
    "dbip nested": {"country": {"iso_code": "IS"}, "city": {"names": {"en": "Reykjavík"}}},
    "ipinfo": {"country": "IS", "continent": "EU"},
    "ipinfo names": {"country": "Iceland", "country_code": "IS", "asn": "AS1"},
    "lower case": {"country_code": "is"},
}  # fmt: skip
NETWORKS = {
    "61.65.0.0/16": {"country_code": "TW"},
    "10.0.0.0/8": {"country_code": "NO"},
    "2a00:1450::/32": {"country_code": "IE"},
}


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def written(raw: bytes, name: str = "countries.mmdb") -> Path:
        (tmp_path / name).write_bytes(raw)
        return tmp_path / name

    return written


@pytest.fixture
def small(write: Any) -> Geo:
    return Geo(write(mmdb(NETWORKS)))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("size", [24, 28, 32])
def test_layouts(write: Any, layout: str, size: int) -> None:
    geo = Geo(write(mmdb({"185.112.144.0/22": LAYOUTS[layout], "2a00::/16": LAYOUTS[layout]}, size=size)))
    for ip in (
        "185.112.144.1",
        "::ffff:185.112.144.1",
        "2002:b970:9001::",
        "64:ff9b::185.112.144.1",
        "2a00::1",
        " 2A00::1\n",
    ):
        assert geo.locate(ip) == geo_module.Located("IS")


def test_the_first_country_counts(write: Any) -> None:
    """MaxMind's country is where the address is, the registered country where its owner is."""
    both = {"country": {"iso_code": "FO"}, "registered_country": {"iso_code": "DK"}}
    assert Geo(write(mmdb({"8.0.0.0/8": both}))).locate("8.8.8.8").country == "FO"


def test_the_file_comes_first(small: Geo) -> None:
    assert small.locate("10.1.2.3").country == "NO"
    assert small.locate("192.168.1.1").reason == "a private address"
    assert small.locate("8.8.8.8").reason == "no entry for this address"


def test_a_file_of_ipv4(write: Any) -> None:
    old = Geo(write(mmdb({"61.65.0.0/16": {"country_code": "TW"}}, version=4)))
    assert old.locate("61.65.0.245").country == old.locate("::ffff:61.65.0.245").country == "TW"
    assert "IPv6" in old.locate("2a00::1").reason


@pytest.mark.parametrize(
    "record",
    [
        {}, {"country_code": "AP"}, {"country_code": "EU"}, {"country_code": ""}, {"country": {}}, {"country": {"iso_code": 7}}, "IS", [],
        ["IS"], 7, {"country": ["IS"]}, {"country_code": "x" * 5000}, {"country": {"names": {"en": "Iceland"}}}, {"country": "Iceland"},
    ],
)  # fmt: skip
def test_records_without_a_country(write: Any, record: Any) -> None:
    located = Geo(write(mmdb({"8.0.0.0/8": record}))).locate("8.8.8.8")
    assert located.country == ""
    assert 0 < len(located.reason) < 120


GARBAGE: tuple[Any, ...] = (
    "", " ", "x", "1.2.3", "1.2.3.4.5", "999.1.1.1", "1.2.3.4:80", "[::1]:80", "fe80::1%eth0", "localhost", "example.org", "0x7f.0.0.1",
    "١.٢.٣.٤", "1。2。3。4", "::g", ":" * 70, "9" * 100_000, "\x00", "1.2.3.4\x00", "\ud800", None, 7, 3.5, b"8.8.8.8", [], object(),
    "127.0.0.1", "::", "fe80::", "255.255.255.255", "01.02.03.04", "1.2.3.4/8", "%", "61.65.0.245%1",
)  # fmt: skip


@pytest.mark.parametrize("ip", GARBAGE, ids=lambda ip: repr(ip)[:20])
def test_invalid_addresses_have_a_reason(small: Geo, ip: Any) -> None:
    located = small.locate(ip)
    assert located.country == ""
    assert 0 < len(located.reason) < 120


def test_generated_garbage(small: Geo) -> None:
    chance = random.Random(8)
    pieces = (
        "61.65.0.245",
        "::ffff:",
        "[",
        "]",
        ":80",
        "%",
        "2a00:1450::1",
        ".",
        ":",
        "0",
        "256",
        "ffff",
        "x",
        "é",
        " ",
        "\n",
        "/8",
    )
    for _ in range(1000):
        located = small.locate("".join(chance.choices(pieces, k=chance.randrange(1, 6))))
        assert bool(located.country) != bool(located.reason)


def test_damaged_files_never_end_a_lookup(write: Any) -> None:
    """With bytes changed or removed anywhere, the file is refused, or an address has a country or a reason."""
    chance = random.Random(5)
    good = mmdb(NETWORKS | {"185.112.144.0/22": LAYOUTS["maxmind"]})
    for turn in range(300):
        raw = bytearray(good)
        for _ in range(chance.choice((1, 3, 20))):
            raw[chance.randrange(len(raw))] = chance.randrange(256)
        if turn % 5 == 0:
            del raw[chance.randrange(len(raw)) :]
        try:
            damaged = Geo(write(bytes(raw), f"{turn}.mmdb"))
        except UsageError:
            continue
        for ip in ("61.65.0.245", "185.112.145.1", "10.9.8.7", "8.8.8.8", "2a00:1450::1", "fe80::1"):
            located = damaged.locate(ip)
            assert is_country(located.country) if located.country else located.reason


@pytest.mark.parametrize(
    "raw", [b"", b"text", b"\x1f\x8b", b"\x1f\x8b\x08damaged", b"\xfd7zXZ\x00damaged", gzip.compress(b"text", mtime=0)]
)
def test_other_files_are_refused(write: Any, raw: bytes) -> None:
    with pytest.raises(UsageError, match=r"countries\.mmdb: cannot be read"):
        load_geo(write(raw))


@pytest.mark.parametrize("path", ["/no/such/file.mmdb", "/", "\0", "/dev/zero", ""])
def test_paths_without_a_file(path: str) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load_geo(path)


def test_a_file_too_large_is_refused(write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that is large after decompression."""
    monkeypatch.setattr(geo_module, "MAX_FILE_BYTES", 1 << 20)
    with pytest.raises(UsageError, match="more than 1 MB"):
        load_geo(write(lzma.compress(bytes(1 << 22))))


def test_packed_files(write: Any) -> None:
    raw = mmdb(NETWORKS)
    for name, packed in (("a.mmdb", raw), ("a.mmdb.xz", lzma.compress(raw)), ("a.mmdb.gz", gzip.compress(raw))):
        assert Geo(write(packed, name)).locate("61.65.0.245").country == "TW"


def test_a_file_may_change_and_vanish(write: Any) -> None:
    path = write(mmdb(NETWORKS))
    first = Geo(path)
    assert Geo(path)._file is first._file  # one copy in a process
    write(mmdb({"61.0.0.0/8": {"country_code": "JP"}}))
    assert Geo(path).locate("61.65.0.245").country == "JP"
    path.write_bytes(b"")
    assert first.locate("61.65.0.246").country == "TW"
    path.unlink()
    assert first.locate("61.65.0.247").country == "TW"


def test_pickled_by_path(small: Geo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = pickle.dumps(small)
    assert len(raw) < 500
    again = pickle.loads(raw)
    assert again == small
    assert hash(again) == hash(small)
    monkeypatch.chdir(tmp_path)
    assert Geo(Path("countries.mmdb")).path.is_absolute()
    with pytest.raises(AttributeError):
        small.path = Path("/")  # type: ignore[misc]


def test_threads(small: Geo) -> None:
    wrong: list[str] = []

    def ask(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(2000):
            ip = f"61.{chance.choice((64, 65))}.{chance.randrange(256)}.{chance.randrange(256)}"
            if (small.locate(ip).country == "TW") != ip.startswith("61.65."):
                wrong.append(ip)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("DBIP-Country-Lite", "db-ip.com"),
        ("GeoLite2-Country", "maxmind.com"),
        ("ipinfo standard", "ipinfo.io"),
        ("ours", ""),
    ],
)
def test_attributions(write: Any, kind: str, words: str) -> None:
    attribution = Geo(write(mmdb(NETWORKS, kind=kind))).attribution
    assert words in attribution
    assert bool(attribution) == bool(words)


def test_order_of_files(write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The named file, then that of the environment, then that of the package."""
    paths = [write(mmdb({"8.0.0.0/8": {"country_code": code}}), code) for code in ("IS", "FO")]
    monkeypatch.setenv(ENVIRONMENT, str(paths[1]))
    for wanted, named in (("IS", paths[0]), ("FO", None)):
        assert load_geo(named).locate("8.8.8.8").country == wanted
    monkeypatch.setenv(ENVIRONMENT, "")
    assert load_geo().path == DEFAULT_PATH
    monkeypatch.setenv(ENVIRONMENT, "/no/such/file")
    with pytest.raises(UsageError):
        load_geo()


def test_the_table_of_the_package() -> None:
    """It has the promised data, and NOTICE names the file and its publisher with a link."""
    geo = Geo(DEFAULT_PATH)
    expected = {"8.8.8.8": "US", "202.12.27.33": "JP", "2a01:4f8::1": "DE", "::ffff:8.8.8.8": "US"}
    assert {ip: geo.locate(ip).country for ip in expected} == expected
    notice = (Path(__file__).parents[2] / "NOTICE").read_text("utf-8")
    assert DEFAULT_PATH.name in notice and geo.attribution in notice
