"""The store: relations over the rows, the entities of Cai (2009), a file for other programs, and what becomes of it when moved."""

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

from tests.census import made_rows
from webtongue import Identifier, UsageError
from webtongue.census.schema import links_schema, rows_schema
from webtongue.census.store import STORE, is_portal, make_store, open_store

ADDRESSES = ["0.0.0.0", "1.2.3.4", "192.0.2.255", "255.255.255.255", "2001:db8::1", "::ffff:192.0.2.1"]
NO_ADDRESSES = ["256.1.1.1", "1.2.3", "1.2.3.4.", "1.2.3.4.5", "example", "", "1..2.3"]
# What figure 3-5 draws: server, extracted content, language, identified type, country, and the two distributions.
ENTITIES = {
    "server", "extracted_content", "language", "identified_type", "country", "country_distribution", "language_distribution", "geo",
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
    return made_rows.save(tmp_path_factory.mktemp("store") / "out", made_rows.table(rows))


def answer(connection: Any, question: str) -> Any:
    return connection.execute(question).fetchall()


def test_the_entities_are_there_under_their_names(out: Path) -> None:
    with open_store(out) as connection:
        there = {name for (name,) in answer(connection, "SHOW TABLES")}
    assert there >= ENTITIES | {"rows", "captures", "pages", "links", "spoken"}


def test_numbers_of_servers_are_those_of_their_addresses(out: Path) -> None:
    with open_store(out) as connection:
        found = {ip: (number, version) for ip, number, version in answer(connection, "SELECT * FROM server")}
    assert set(found) == {*ADDRESSES, *NO_ADDRESSES}
    for ip in ADDRESSES:
        address = ipaddress.ip_address(ip)
        assert found[ip] == (int(address) if address.version == 4 else None, address.version)
    assert {found[ip] for ip in NO_ADDRESSES} == {(None, None)}


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


def test_every_label_of_the_model_has_a_name_and_its_tier(out: Path) -> None:
    with open_store(out) as connection:
        found = {
            label: (tag, name, tier)
            for label, tag, name, tier in answer(connection, "SELECT label, tag, name, tier FROM language")
        }
    for label, tier in Identifier().tiers.items():
        assert found[label][2] == tier and found[label][0] and found[label][1]
    assert found["isl_Latn"] == ("is", "Icelandic", 1) and found["und"][2] == 0


def test_a_file_for_other_programs(out: Path) -> None:
    path = make_store(out)
    assert path == out / STORE
    with duckdb.connect(str(path), read_only=True) as connection:
        assert answer(connection, "SELECT count(*) FROM pages") == [(13,)]
        assert answer(connection, "SELECT name FROM country WHERE country = 'IS'") == [("Iceland",)]
    assert not [found.name for found in out.iterdir() if found.name.startswith(".")]


def test_the_file_follows_a_folder_that_was_moved(out: Path, tmp_path: Path) -> None:
    old = tmp_path / "old"
    shutil.copytree(out, old)
    make_store(old)
    new = old.rename(tmp_path / "new [2] 'x'*")
    with duckdb.connect(str(new / STORE), read_only=True) as connection, pytest.raises(duckdb.Error):
        answer(connection, "SELECT count(*) FROM pages")
    with open_store(new) as connection:  # writes it anew
        assert answer(connection, "SELECT count(*) FROM pages") == [(13,)]
    with duckdb.connect(str(new / STORE), read_only=True) as connection:
        assert answer(connection, "SELECT count(*) FROM pages") == [(13,)]


def test_a_program_may_say_where_the_folder_is_now(out: Path, tmp_path: Path) -> None:
    shutil.copytree(out, tmp_path / "old")
    make_store(tmp_path / "old")
    new = (tmp_path / "old").rename(tmp_path / "new")
    with duckdb.connect(str(new / STORE)) as connection:
        connection.execute(f"SET VARIABLE census = '{new}'")
        assert answer(connection, "SELECT count(*) FROM pages") == [(13,)]


def test_what_is_made_in_a_store_changes_nothing(out: Path) -> None:
    before = sorted((str(path), path.stat().st_mtime_ns) for path in out.rglob("*"))
    with open_store(out) as connection:
        connection.execute("CREATE TABLE t AS SELECT * FROM pages")
        connection.execute("DROP TABLE country")
    assert sorted((str(path), path.stat().st_mtime_ns) for path in out.rglob("*")) == before


def test_a_store_to_write_to(out: Path, tmp_path: Path) -> None:
    shutil.copytree(out, tmp_path / "out")
    with open_store(tmp_path / "out", write=True) as connection:
        connection.execute("CREATE TABLE mine AS SELECT label FROM pages")
    with duckdb.connect(str(tmp_path / "out" / STORE)) as connection:
        assert answer(connection, "SELECT count(*) FROM mine") == [(13,)]


@pytest.mark.parametrize("name", ["rows", "links"])
def test_without_rows_or_links_columns_are_there_with_their_types(tmp_path: Path, name: str) -> None:
    made_rows.save(tmp_path)
    schema = {"rows": rows_schema, "links": links_schema}[name]()
    (tmp_path / name).mkdir(exist_ok=True)
    with open_store(tmp_path) as connection:
        empty = answer(connection, f"DESCRIBE {name}")
        assert answer(connection, f"SELECT count(*) FROM {name}") == [(0,)]
    pq.write_table(schema.empty_table(), tmp_path / name / "part-000000.parquet")
    with open_store(tmp_path) as connection:
        assert answer(connection, f"DESCRIBE {name}") == empty


def test_parts_of_earlier_releases_lack_columns(tmp_path: Path) -> None:
    whole = made_rows.table([{"label": "isl_Latn"}])
    made_rows.save(tmp_path, whole, whole.drop_columns(["look_alikes", "version"]))
    with open_store(tmp_path) as connection:
        assert answer(connection, "SELECT label, look_alikes FROM pages") == [("isl_Latn", None)] * 2


def test_a_census_by_cais_unit_has_one_home_page_a_server(tmp_path: Path) -> None:
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
    made_rows.save(tmp_path, made_rows.table(rows), config={"portal": True})
    assert is_portal(tmp_path)
    with open_store(tmp_path) as connection:
        found = answer(connection, "SELECT url FROM pages ORDER BY url")
        assert answer(connection, "SELECT count(*), count(is_page) FROM captures") == [(8, 8)]
    assert [url for (url,) in found] == ["http://a.example.is", "http://a.example.is/?q=1", "http://d.example.is/"]


@pytest.mark.parametrize("said", ["", "{", "[]", '{"config": 7}', '{"config": null}', "\x00"])
def test_settings_that_cannot_be_read_are_the_usual_ones(tmp_path: Path, said: str) -> None:
    made_rows.save(tmp_path, made_rows.table([{}]))
    (tmp_path / "census.json").write_text(said)
    assert not is_portal(tmp_path)
    with open_store(tmp_path) as connection:
        assert answer(connection, "SELECT count(*) FROM pages") == [(1,)]


def test_what_is_no_census_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no census"):
        open_store(tmp_path)
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "part-000000.parquet").write_bytes(b"no parquet at all")
    with pytest.raises(UsageError, match="damaged"):
        open_store(tmp_path)


def test_other_columns_than_a_censuss_are_told(tmp_path: Path) -> None:
    (tmp_path / "rows").mkdir()
    pq.write_table(pa.table({"a": [1]}), tmp_path / "rows" / "part-000000.parquet")
    with pytest.raises(UsageError):
        open_store(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_can_be_read(out: Path, tmp_path: Path) -> None:
    shutil.copytree(out, tmp_path / "out")
    (tmp_path / "out").chmod(0o555)
    with open_store(tmp_path / "out") as connection:
        assert answer(connection, "SELECT count(*) FROM pages") == [(13,)]
