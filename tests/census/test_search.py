"""Full text over what a census kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from webtongue import UsageError
from webtongue.census import search as searching
from webtongue.census.schema import rows_schema
from webtongue.census.search import Found, make_index, search
from webtongue.census.snippet import snippet_of

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


def urls(found: Found) -> list[str]:
    return [hit.url.removeprefix("https://") for hit in found.hits]


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
def test_what_is_found(out: Path, query: str, wanted: list[str]) -> None:
    assert urls(search(out, query)) == wanted


def test_by_language(out: Path) -> None:
    assert urls(search(out, "dag", ["isl_Latn"])) == ["example.is/annad", "example.is/safn"]
    assert urls(search(out, "dag", ["fao_Latn"])) == []
    assert urls(search(out, "dag", ["eng_Latn", "fao_Latn"])) == ["example.com/"]


def test_hits_are_counted_and_limited(out: Path) -> None:
    found = search(out, "dag", limit=1)
    assert found.more and not found.indexed
    assert (found.hits[0].count, found.hits[0].label) == (40, "isl_Latn")
    assert not search(out, "dag", limit=3).more


def test_several_parts(out: Path) -> None:
    (out / "rows" / "part-000001.parquet").write_bytes((out / "rows" / "part-000000.parquet").read_bytes())
    assert len(search(out, "velkomin").hits) == 2


@pytest.mark.parametrize("query", ["", "   ", '""', "--", "…"])
def test_nothing_to_look_for(out: Path, query: str) -> None:
    with pytest.raises(UsageError, match="at least one word"):
        search(out, query)


def test_queries_are_bounded(out: Path) -> None:
    with pytest.raises(UsageError, match="at most 1000 characters"):
        search(out, "a" * 1001)
    with pytest.raises(UsageError, match="at most 32 words"):
        search(out, "a " * 33)
    assert urls(search(out, "dag " * 32, ["eng_Latn"])) == ["example.com/"]


@pytest.mark.parametrize("query", ["\udcff dag", "dag\x00", "dag %", "dag $1 ?", "dag\\", "[dag]+"])
def test_odd_characters_do_no_harm(out: Path, query: str) -> None:
    assert set(urls(search(out, query))) <= {"example.is/annad", "example.com/", "example.is/safn"}


def test_no_census(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no census"):
        search(tmp_path, "dag")


def test_no_text_was_kept(tmp_path: Path) -> None:
    write(tmp_path, [{"url": "https://example.is/", "label": "isl_Latn", "fetch_status": 200}])
    with pytest.raises(UsageError, match="--keep-text"):
        search(tmp_path, "dag")


def test_an_index_changes_no_answer(out: Path) -> None:
    """The extension is hardly ever there; where it is, both ways are compared."""
    before = {query: search(out, query) for query in ("dag", '"dag og"', "हिंदी", "bokasafnið", "nix", "书馆")}
    assert make_index(out) is (out / searching.INDEX).is_file()
    for query, plain in before.items():
        again = search(out, query)
        assert again.hits == plain.hits
        assert again.indexed is ((out / searching.INDEX).is_file() and query != "书馆")


def test_a_damaged_or_old_index_is_not_used(out: Path) -> None:
    (out / searching.INDEX).write_bytes(b"no database")
    assert urls(search(out, "velkomin")) == ["example.is/safn"]


def test_nothing_is_fetched(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Extensions are neither installed nor loaded by themselves."""
    connect: Callable[..., Any] = searching._connected
    with connect() as connection:
        rows = connection.execute(
            "SELECT value FROM duckdb_settings() WHERE name LIKE 'auto%known_extensions'"
        ).fetchall()
    assert [value for (value,) in rows] == ["false", "false"]


def test_snippets() -> None:
    long = "orð " * 100 + "Bókasafnið er opið. " + "orð " * 100
    found = snippet_of(long, ["bokasafnið"], True)
    assert found.text.startswith("…") and found.text.endswith("…") and len(found.text) < 170
    assert [found.text[begin:end] for begin, end in found.marks] == ["Bókasafnið"]
    assert snippet_of("", ["a"], True).text == ""
    assert snippet_of("Straße İstanbul", ["istanbul"], True).marks == ((7, 15),)
    assert snippet_of("ab", ["x"], False) == snippet_of("ab", [], False)
    assert len(snippet_of("x" * 10**6, ["y"], True).text) < 170
