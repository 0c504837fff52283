"""Full-text search over a census."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from webtongue import UsageError
from webtongue.census import search as searching
from webtongue.census.schema import rows_schema
from webtongue.census.search import SearchResult, build_index, search
from webtongue.census.snippet import build_snippet

TEXTS = (
    ("https://example.is/safn", "isl_Latn", "Bókasafnið er opið alla daga. Góðan dag og velkomin."),
    ("https://example.is/annad", "isl_Latn", "Góðan dag! " * 40 + "Bókasafnið er lokað."),
    ("https://example.com/", "eng_Latn", "The library says: bokasafnið, and dag og nótt."),
    ("https://example.cn/", "zho_Hans", "图书馆每天开放,欢迎光临。"),
    ("https://example.in/", "hin_Deva", "पुस्तकालय हर दिन खुला है, हिंदी किताबें"),
    ("https://example.th/", "tha_Thai", "ห้องสมุดเปิดทุกวัน"),
    ("https://example.org/it", "eng_Latn", "It's 50% off; it's \"new\" -- DROP TABLE rows; 'quoted'"),
)  # fmt: skip


def write(out: Path, rows: list[dict[str, Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = rows_schema()
    (out / "rows").mkdir(exist_ok=True)
    table = pa.table({field.name: pa.array([row.get(field.name) for row in rows], field.type) for field in schema})
    pq.write_table(table.cast(schema), out / "rows" / "part-000000.parquet")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    kept = {"fetch_status": 200, "confidence": 0.9}
    rows = [{**kept, "url": url, "label": label, "text": text} for url, label, text in TEXTS]
    rows.append({**kept, "url": "https://example.org/lost", "label": "isl_Latn", "fetch_status": 404, "text": "dag"})
    rows.append({**kept, "url": "https://example.org/none", "label": "isl_Latn", "text": None})
    write(tmp_path, rows)
    return tmp_path


def urls(result: SearchResult) -> list[str]:
    return [hit.url.removeprefix("https://") for hit in result.hits]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        (
            "BÓKASAFNIÐ",
            ["example.com/", "example.is/safn", "example.is/annad"],
        ),  # the longer the text, the less a hit is worth
        ("bokasafnid", []),  # ð is a letter, no accent
        ("dag", ["example.is/annad", "example.com/", "example.is/safn"]),
        ("da", []),  # words are whole
        ("dag velkomin", ["example.is/safn"]),
        ('"dag og"', ["example.com/", "example.is/safn"]),
        ('"og dag"', []),
        ('"dag og" nott', ["example.com/"]),
        ("书馆", ["example.cn/"]),  # no spaces: anywhere
        ("ห้องสมุด", ["example.th/"]),
        ("हिंदी", ["example.in/"]),
        ("हिदी", []),  # marks are vowels there
        ("it's", ["example.org/it"]),
        ("50%", ["example.org/it"]),
        ("'; DROP TABLE rows; --", ["example.org/it"]),  # the words of it
        ("' OR 1=1 --", []),
    ],
)
def test_matching_pages_are_found(out: Path, query: str, wanted: list[str]) -> None:
    assert urls(search(out, query)) == wanted


def test_by_language(out: Path) -> None:
    assert urls(search(out, "dag", ["isl_Latn"])) == ["example.is/annad", "example.is/safn"]
    assert urls(search(out, "dag", ["fao_Latn"])) == []
    assert urls(search(out, "dag", ["eng_Latn", "fao_Latn"])) == ["example.com/"]


def test_hits_are_counted_and_limited(out: Path) -> None:
    result = search(out, "dag", limit=1)
    assert result.more and not result.indexed
    assert (result.hits[0].count, result.hits[0].label) == (40, "isl_Latn")
    assert not search(out, "dag", limit=3).more


def test_several_parts(out: Path) -> None:
    (out / "rows" / "part-000001.parquet").write_bytes((out / "rows" / "part-000000.parquet").read_bytes())
    assert len(search(out, "velkomin").hits) == 2


@pytest.mark.parametrize("query", ["", "   ", '""', "--", "…"])
def test_an_empty_query_is_refused(out: Path, query: str) -> None:
    with pytest.raises(UsageError, match="at least one word"):
        search(out, query)


def test_queries_are_bounded(out: Path) -> None:
    with pytest.raises(UsageError, match="at most 1000 characters"):
        search(out, "a" * 1001)
    with pytest.raises(UsageError, match="at most 32 words"):
        search(out, "a " * 33)
    assert urls(search(out, "dag " * 32, ["eng_Latn"])) == ["example.com/"]


@pytest.mark.parametrize("query", ["\udcff dag", "dag\x00", "dag %", "dag $1 ?", "dag\\", "[dag]+"])
def test_unusual_characters_are_accepted(out: Path, query: str) -> None:
    assert set(urls(search(out, query))) <= {"example.is/annad", "example.com/", "example.is/safn"}


def test_a_folder_without_rows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a census"):
        search(tmp_path, "dag")


def test_a_census_without_text_is_refused(tmp_path: Path) -> None:
    write(tmp_path, [{"url": "https://example.is/", "label": "isl_Latn", "fetch_status": 200}])
    with pytest.raises(UsageError, match="--keep-text"):
        search(tmp_path, "dag")


def test_an_index_does_not_change_the_result(out: Path) -> None:
    """If the extension is installed, both ways are compared."""
    before = {query: search(out, query) for query in ("dag", '"dag og"', "हिंदी", "bokasafnið", "nix", "书馆")}
    assert build_index(out) is (out / searching.INDEX).is_file()
    for query, plain in before.items():
        again = search(out, query)
        assert again.hits == plain.hits
        assert again.indexed is ((out / searching.INDEX).is_file() and query != "书馆")


def test_a_damaged_or_old_index_is_not_used(out: Path) -> None:
    (out / searching.INDEX).write_bytes(b"no database")
    assert urls(search(out, "velkomin")) == ["example.is/safn"]


def test_nothing_is_downloaded(out: Path) -> None:
    """Extensions are not installed or loaded automatically."""
    connection, _ = searching._connect(out, searching._files(out), use_index=True)
    with connection:
        rows = connection.execute(
            "SELECT value FROM duckdb_settings() WHERE name LIKE 'auto%known_extensions' OR name = 'enable_external_access'"
        ).fetchall()
    assert [value for (value,) in rows] == ["false"] * 3


def test_a_received_index_cannot_read_files(out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index is a database, and its relations may be views over anything."""
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden dag")
    files = searching._fingerprint(searching._files(out))
    with duckdb.connect(str(out / searching.INDEX)) as made:
        made.execute(f"CREATE TABLE about AS SELECT '{files}' AS files")
        made.execute(
            "CREATE VIEW docs AS SELECT 1 AS id, 'https://example.org/' AS url, 'isl_Latn' AS label, 1.0 AS confidence, "
            f"content AS text FROM read_text('{secret}')"
        )
        made.execute("CREATE SCHEMA fts_main_docs")
        made.execute("CREATE MACRO fts_main_docs.match_bm25(id, query, conjunctive := 1) AS 1")
    monkeypatch.setattr(searching, "_load_extension", lambda connection: True)
    with pytest.raises(UsageError, match="disabled by configuration"):
        search(out, "dag")
    (out / searching.INDEX).unlink()
    (out / searching.INDEX).symlink_to(secret)
    assert "example.com/" in urls(search(out, "dag"))


def test_snippets() -> None:
    long = "orð " * 100 + "Bókasafnið er opið. " + "orð " * 100
    result = build_snippet(long, ["bokasafnið"], True)
    assert result.text.startswith("…") and result.text.endswith("…") and len(result.text) < 170
    assert [result.text[begin:end] for begin, end in result.marks] == ["Bókasafnið"]
    assert build_snippet("", ["a"], True).text == ""
    assert build_snippet("Straße İstanbul", ["istanbul"], True).marks == ((7, 15),)
    assert build_snippet("ab", ["x"], False) == build_snippet("ab", [], False)
    assert len(build_snippet("x" * 10**6, ["y"], True).text) < 170
