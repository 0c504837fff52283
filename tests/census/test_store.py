"""The store: relations over the rows, the entities of Cai (2009), the file for other programs, and moved folders."""

from __future__ import annotations

import ipaddress
import os
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.census import synthetic_rows
from webtongue import Identifier, UsageError
from webtongue.census.compare import compare
from webtongue.census.report import report
from webtongue.census.schema import links_schema, rows_schema
from webtongue.census.search import search
from webtongue.census.sql import run_query
from webtongue.census.store import STORE, is_portal, open_store, write_store
from webtongue.census.tables import names, run_all

ADDRESSES = ["0.0.0.0", "1.2.3.4", "192.0.2.255", "255.255.255.255", "2001:db8::1", "::ffff:192.0.2.1"]
NO_ADDRESSES = ["256.1.1.1", "1.2.3", "1.2.3.4.", "1.2.3.4.5", "example", "", "1..2.3"]
# What figure 3-5 draws: server, extracted content, language, identified type, country, GeoIP ranges, and the two distributions.
ENTITIES = {
    "server", "extracted_content", "language", "identified_type", "country", "country_distribution", "language_distribution", "geo",
    "geoip",
}  # fmt: skip


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows: list[dict[str, Any]] = [
        {"url": f"http://h{i}.example.is/", "ip": ip, "country": "IS" if i % 2 else None, "fetch_status": 404 if i == 1 else 200}
        for i, ip in enumerate(ADDRESSES + NO_ADDRESSES)
    ]  # fmt: skip
    rows += [
        {"url": "http://h1.example.is/2", "ip": ADDRESSES[0], "country": "FO", "text": "Góðan dag", "label": "isl_Latn"}
    ]
    return synthetic_rows.save(tmp_path_factory.mktemp("store") / "out", synthetic_rows.table(rows))


def answer(connection: Any, question: str) -> Any:
    return connection.execute(question).fetchall()


def test_entities_exist(out: Path) -> None:
    with open_store(out) as connection:
        there = {name for (name,) in answer(connection, "SHOW TABLES")}
    assert there >= ENTITIES | {"rows", "captures", "pages", "links", "spoken"}


def test_ip_numbers_equal_their_addresses(out: Path) -> None:
    with open_store(out) as connection:
        result = {ip: (number, version) for ip, number, version in answer(connection, "SELECT * FROM server")}
    assert set(result) == {*ADDRESSES, *NO_ADDRESSES}
    for ip in ADDRESSES:
        address = ipaddress.ip_address(ip)
        assert result[ip] == (int(address) if address.version == 4 else None, address.version)
    assert {result[ip] for ip in NO_ADDRESSES} == {(None, None)}


def test_countries_of_servers_and_languages_of_pages(out: Path) -> None:
    with open_store(out) as connection:
        countries = dict(answer(connection, "SELECT ip, country FROM country_distribution"))
        known = dict(answer(connection, "SELECT ip, country FROM geo"))
        types = answer(connection, "SELECT DISTINCT identified_type FROM language_distribution")
        meant = {name for (name,) in answer(connection, "SELECT identified_type FROM identified_type")}
        pages = answer(connection, "SELECT count(*) FROM language_distribution")
        kept = answer(connection, "SELECT text, encoding FROM extracted_content WHERE text IS NOT NULL")
    assert countries[ADDRESSES[0]] == "FO" and countries[ADDRESSES[1]] == "IS" and countries[ADDRESSES[2]] == "ZZ"
    assert known == {ip: country for ip, country in countries.items() if country != "ZZ"}
    assert types == [("text",)] and "text" in meant
    assert pages == [(len(ADDRESSES) + len(NO_ADDRESSES),)]  # one of them was not found, one has a second page
    assert kept == [("Góðan dag", "utf-8")]


def test_ranges_of_addresses_are_those_of_the_thesis(tmp_path: Path) -> None:
    """The last addresses of a range of table 3-1, as a network; IPv6 ranges have no numbers."""
    networks = {"61.65.0.245": ("61.64.0.0/14", "TW"), "62.23.36.35": ("62.23.36.32/29", "FR"), "9.9.9.9": (None, None)}
    networks |= {"2001:db8::1": ("2001:db8::/32", "IS"), "0.0.0.1": ("0.0.0.0/0", "AQ")}
    rows = [{"ip": ip, "ip_network": network, "country": country} for ip, (network, country) in networks.items()]
    out = synthetic_rows.save(tmp_path / "out", synthetic_rows.table(rows))
    with open_store(out) as connection:
        ranges = answer(connection, "SELECT country, start_ip_number, end_ip_number FROM geoip ORDER BY country")
        inside = answer(
            connection,
            "SELECT s.ip, g.country FROM server s JOIN geoip g ON s.ip_number BETWEEN g.start_ip_number AND g.end_ip_number "
            "WHERE g.country <> 'AQ' ORDER BY 1",
        )
    assert ranges == [
        ("AQ", 0, 2**32 - 1), ("FR", 1041703968, 1041703975), ("IS", None, None), ("TW", 1027604480, 1027866623),
    ]  # fmt: skip
    assert inside == [("61.65.0.245", "TW"), ("62.23.36.35", "FR")]


def test_a_census_of_an_earlier_release_has_the_new_columns_as_nulls(out: Path, tmp_path: Path) -> None:
    folder = tmp_path / "old"
    shutil.copytree(out, folder)
    new = ["by_text", "by_language", "by_encoding", "title", "metadata", "ip_network"]
    for part in (folder / "rows").glob("*.parquet"):
        pq.write_table(pq.read_table(part).drop_columns(new), part)
    with open_store(folder) as connection:
        assert answer(connection, "SELECT count(*), count(by_text) FROM rows") == [(14, 0)]
        assert answer(connection, "SELECT count(*) FROM geoip") == [(0,)]
        assert answer(connection, "SELECT count(title) FROM extracted_content") == [(0,)]
    assert [table.name for table in run_all(folder, names())] == list(names())


def test_every_label_of_the_model_has_a_name_and_its_tier(out: Path) -> None:
    with open_store(out) as connection:
        result = {
            label: (tag, name, tier)
            for label, tag, name, tier in answer(connection, "SELECT label, tag, name, tier FROM language")
        }
    for label, tier in Identifier().tiers.items():
        assert result[label][2] == tier and result[label][0] and result[label][1]
    assert result["isl_Latn"] == ("is", "Icelandic", 1) and result["und"][2] == 0


def test_other_programs_can_open_the_store(out: Path) -> None:
    path = write_store(out)
    assert path == out / STORE
    with duckdb.connect(str(path), read_only=True) as connection:
        assert answer(connection, "SELECT count(*) FROM pages") == [(13,)]
        assert answer(connection, "SELECT name FROM country WHERE country = 'IS'") == [("Iceland",)]
    assert not [result.name for result in out.iterdir() if result.name.startswith(".")]


def write_hostile_store(out: Path) -> None:
    """Write a hostile census.duckdb, whose views read a file outside of the census."""
    secret = out.parent / "secret.txt"
    secret.write_text("hidden")
    (out / STORE).unlink(missing_ok=True)
    with duckdb.connect(str(out / STORE)) as connection:
        for name, column in (("store", "place"), ("rows", "label"), ("pages", "label")):
            connection.execute(f"CREATE VIEW {name} AS SELECT content AS {column} FROM read_text('{secret}')")


def test_a_received_store_is_never_opened(out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "out"
    shutil.copytree(out, folder)
    write_hostile_store(folder)
    before = (folder / STORE).read_bytes()
    opened: list[str] = []
    connect = duckdb.connect
    monkeypatch.setattr(
        duckdb, "connect", lambda path=":memory:", *rest, **more: opened.append(path) or connect(path, *rest, **more)
    )
    assert [one.name for one in run_all(folder, ["summary", "pages_by_language"])]
    assert compare(folder, folder).pages_a == 13
    with run_query(folder, "SELECT count(*) FROM pages") as result:
        assert list(result.rows) == [(13,)]
    assert "<html" in report(folder)
    assert set(opened) == {":memory:"}
    assert (folder / STORE).read_bytes() == before


def test_a_connection_is_restricted_before_its_first_relation(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from webtongue.census import store

    make = store.create_relations
    names = (
        "enable_external_access",
        "autoinstall_known_extensions",
        "autoload_known_extensions",
        "lock_configuration",
    )
    seen: list[Any] = []

    def watched(connection: Any, folder: Path) -> None:
        values = ", ".join(f"current_setting('{name}')" for name in names)
        seen.extend(connection.execute(f"SELECT {values}").fetchall())
        make(connection, folder)

    monkeypatch.setattr(store, "create_relations", watched)
    open_store(out).close()
    assert seen == [(False, False, False, True)]


@pytest.mark.parametrize("linked", ["rows", "rows/part-000000.parquet", "links", "links/part-000000.parquet"])
def test_symbolic_links_are_refused(out: Path, tmp_path: Path, linked: str) -> None:
    folder, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    for name in (folder, elsewhere):
        shutil.copytree(out, name)
        (name / "links").mkdir()
        pq.write_table(links_schema().empty_table(), name / "links" / "part-000000.parquet")
    if (folder / linked).is_dir():
        shutil.rmtree(folder / linked)
    else:
        (folder / linked).unlink()
    (folder / linked).symlink_to(elsewhere / linked)
    with pytest.raises(UsageError, match=f"{linked} is"):
        open_store(folder)
    if linked.startswith("rows"):
        for reader in (lambda: compare(out, folder), lambda: search(folder, "dag")):
            with pytest.raises(UsageError, match=f"{linked} is"):
                reader()


@pytest.mark.parametrize("kind", ["pipe", "device", "deep", "long"])
def test_received_settings_cannot_block(out: Path, tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "out"
    shutil.copytree(out, folder)
    path = folder / "census.json"
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.write_text('{"config": ' + "[" * 200_000 if kind == "deep" else " " * (1 << 25) + "{}")
    assert not is_portal(folder)
    with pytest.raises(UsageError, match=r"census\.json is damaged"):
        report(folder)


def test_a_variable_sets_the_path_of_a_moved_folder(out: Path, tmp_path: Path) -> None:
    shutil.copytree(out, tmp_path / "old")
    write_store(tmp_path / "old")
    new = (tmp_path / "old").rename(tmp_path / "new")
    with duckdb.connect(str(new / STORE)) as connection:
        connection.execute(f"SET VARIABLE census = '{new}'")
        assert answer(connection, "SELECT count(*) FROM pages") == [(13,)]


def test_tables_created_in_memory_do_not_change_the_folder(out: Path) -> None:
    before = sorted((str(path), path.stat().st_mtime_ns) for path in out.rglob("*"))
    with open_store(out) as connection:
        connection.execute("CREATE TABLE t AS SELECT * FROM pages")
        connection.execute("DROP TABLE country")
    assert sorted((str(path), path.stat().st_mtime_ns) for path in out.rglob("*")) == before


def test_the_store_can_be_opened_for_writing(out: Path, tmp_path: Path) -> None:
    shutil.copytree(out, tmp_path / "out")
    with open_store(tmp_path / "out", write=True) as connection:
        connection.execute("CREATE TABLE mine AS SELECT label FROM pages")
    with duckdb.connect(str(tmp_path / "out" / STORE)) as connection:
        assert answer(connection, "SELECT count(*) FROM mine") == [(13,)]


@pytest.mark.parametrize("name", ["rows", "links"])
def test_empty_relations_have_typed_columns(tmp_path: Path, name: str) -> None:
    synthetic_rows.save(tmp_path)
    schema = {"rows": rows_schema, "links": links_schema}[name]()
    (tmp_path / name).mkdir(exist_ok=True)
    with open_store(tmp_path) as connection:
        empty = answer(connection, f"DESCRIBE {name}")
        assert answer(connection, f"SELECT count(*) FROM {name}") == [(0,)]
    pq.write_table(schema.empty_table(), tmp_path / name / "part-000000.parquet")
    with open_store(tmp_path) as connection:
        assert answer(connection, f"DESCRIBE {name}") == empty


def test_parts_of_earlier_releases_can_lack_columns(tmp_path: Path) -> None:
    whole = synthetic_rows.table([{"label": "isl_Latn"}])
    synthetic_rows.save(tmp_path, whole, whole.drop_columns(["group", "version"]))
    with open_store(tmp_path) as connection:
        assert answer(connection, 'SELECT label, "group" FROM pages') == [("isl_Latn", None)] * 2


def test_a_portal_census_has_one_home_page_per_server(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"url": "http://b.example.is/", "ip": "192.0.2.1"},
        {"url": "http://a.example.is", "ip": "192.0.2.1"},
        {"url": "http://a.example.is/?q=1", "ip": "192.0.2.2"},
        {"url": "http://a.example.is/deep", "ip": "192.0.2.3"},
        {"url": "http://c.example.is/", "ip": "192.0.2.4", "fetch_status": 404},
        {"url": "http://d.example.is/", "ip": None},
        {"url": "http://d.example.is/#x", "ip": None},
        {"url": None, "ip": "192.0.2.5"},
    ]
    synthetic_rows.save(tmp_path, synthetic_rows.table(rows), config={"portal": True})
    assert is_portal(tmp_path)
    with open_store(tmp_path) as connection:
        result = answer(connection, "SELECT url FROM pages ORDER BY url")
        assert answer(connection, "SELECT count(*), count(is_page) FROM captures") == [(8, 8)]
    assert [url for (url,) in result] == ["http://a.example.is", "http://a.example.is/?q=1", "http://d.example.is/"]


@pytest.mark.parametrize("said", ["", "{", "[]", '{"config": 7}', '{"config": null}', "\x00"])
def test_unreadable_settings_are_ignored(tmp_path: Path, said: str) -> None:
    synthetic_rows.save(tmp_path, synthetic_rows.table([{}]))
    (tmp_path / "census.json").write_text(said)
    assert not is_portal(tmp_path)
    with open_store(tmp_path) as connection:
        assert answer(connection, "SELECT count(*) FROM pages") == [(1,)]


def test_a_folder_without_a_census_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a census"):
        open_store(tmp_path)
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "part-000000.parquet").write_bytes(b"no parquet at all")
    with pytest.raises(UsageError, match="damaged"):
        open_store(tmp_path)


def test_parquet_with_other_columns_is_reported(tmp_path: Path) -> None:
    (tmp_path / "rows").mkdir()
    pq.write_table(pa.table({"a": [1]}), tmp_path / "rows" / "part-000000.parquet")
    with pytest.raises(UsageError):
        open_store(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_can_be_read(out: Path, tmp_path: Path) -> None:
    shutil.copytree(out, tmp_path / "out")
    (tmp_path / "out").chmod(0o555)
    with open_store(tmp_path / "out") as connection:
        assert answer(connection, "SELECT count(*) FROM pages") == [(13,)]
