"""Every table compared with its Python twin (table_twins.py), on censuses of many kinds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tests.census import synthetic_rows
from tests.census.table_twins import SPECIAL, TWINS, Row, interval, pages
from webtongue import UsageError
from webtongue.census.prevalence import LENGTH_BOUNDS
from webtongue.census.schema import rows_schema
from webtongue.census.statistics import student_factor
from webtongue.census.store import open_store
from webtongue.census.tables import Result, names, run, run_all
from webtongue.census.tables.queries import CUBES, FOLDER, ORDER, query

REASONS = (
    "misread", "unreadable", "not_bytes", "unknown_script", "unknown_language", "not_asked", "empty", "missing", "no_letters",
    "too_short", "too_rare", "several_languages", "two_languages", "code", None,
)  # fmt: skip


def mixed(*labels: str) -> list[dict[str, Any]]:
    return [{"label": label, "share": 1 / len(labels)} for label in labels]


# What is odd: nulls, servers in two countries, labels that no list has, pages of up to five languages, every reason.
ODD: list[dict[str, Any]] = [
    {"label": None, "url": "http://no.label.example/"},
    {"url": None, "url_host_name": None, "url_host_tld": None, "url_host_registered_domain": None, "label": "isl_Latn"},
    {"url": None, "url_host_name": None, "url_host_tld": None, "url_host_registered_domain": None, "label": "fao_Latn"},
    {"url": "http://192.0.2.9/", "url_host_tld": None, "url_host_registered_domain": None},
    {"ip": "192.0.2.77", "country": "SE"},
    {"ip": "192.0.2.77", "country": "NO"},
    {"ip": "192.0.2.77", "country": None},
    {"ip": "192.0.2.78", "country": None, "fetch_status": 503, "status": "skipped"},
    {"ip": None, "country": "DK"},
    {"ip": "2001:db8::5", "country": "QQ"},
    {"label": "qqq_Zzzz", "tier": None, "reliable": None},
    {"label": "isl_Latn", "tier": 2},
    {"fetch_status": None},
    {"status": None},
    {"status": "failed", "problem": "", "record_type": None},
    {"status": "failed", "problem": "cut", "record_type": None, "warc_record_offset": None, "warc_filename": None, "url": None},
    {"label": "srp_Cyrl", "languages": mixed("srp_Cyrl", "srp_Latn")},
    {"label": "isl_Latn", "languages": mixed("isl_Latn", "dan_Latn", "fao_Latn", "eng_Latn")},
    {"label": "isl_Latn", "languages": mixed("isl_Latn", "dan_Latn", "fao_Latn", "eng_Latn", "swe_Latn")},
    {"label": "und", "problem": "characters_lost", "reason": "misread"},
    {"label": "und", "reason": "too_rare", "declared_language": "isl_Latn"},
    {"label": "jpn_Jpan", "charset_language": "ja"},
    {"label": "jpn_Jpan", "charset_language": "jpn"},
    {"label": "jpn_Jpan", "charset_language": "kor"},
    {"identified_by": "language", "bits_text": None, "declared_language": "eng_Latn"},
    {"identified_by": "", "declared_language": "", "unrecognised_language": ""},
    {"unrecognised_language": "=cmd()", "reliable": False},
    {"fetch_time": synthetic_rows.FROM_TIME - 5000},
    {"url": "http://tie.example.is/", "label": "isl_Latn"},
    {"url": "http://tie.example.is/2", "label": "fao_Latn"},
    {"first_label": "und", "first_confidence": 0.25, "label": "nob_Latn", "confidence": 0.75},
    *({"label": "und", "reason": reason, "letters": 0} for reason in REASONS),
    *({"label": "mul", "letters": letters} for letters in (None, 59, 60, 199, 200)),
]  # fmt: skip


def nulls(count: int) -> pa.Table:
    return pa.Table.from_pylist([{}] * count, schema=rows_schema())


def null_pages(count: int) -> pa.Table:
    """Return pages without any information."""
    return pa.Table.from_pylist([{"status": "identified", "fetch_status": 200}] * count, schema=rows_schema())


CENSUSES: dict[str, list[pa.Table]] = {
    "made": [
        synthetic_rows.block(synthetic_rows.made_hosts(120, 5), 3000, 6),
        synthetic_rows.table(ODD),
        nulls(3),
        null_pages(4),
    ],
    "portals": [synthetic_rows.block(synthetic_rows.made_hosts(120, 7), 3000, 8), synthetic_rows.table(ODD), nulls(3)],
    "odd": [synthetic_rows.table(ODD)],
    "none": [],
    "no rows": [rows_schema().empty_table()],
    "one": [synthetic_rows.table([{"label": "isl_Latn"}])],
    "one failed": [synthetic_rows.table([{"status": "failed", "problem": "cut", "label": None}])],
    "nulls": [nulls(5)],
    "null pages": [null_pages(5)],
    "one host": [synthetic_rows.table([{"label": label} for label in ("isl_Latn", "isl_Latn", "fao_Latn")])],
}


@dataclass(frozen=True)
class Census:
    """An open census and its rows."""

    name: str
    connection: Any
    rows: list[Row]
    pages: list[Row]


@pytest.fixture(scope="module", params=list(CENSUSES))
def census(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Census]:
    name, portal = request.param, request.param == "portals"
    out = synthetic_rows.save(tmp_path_factory.mktemp("census"), *CENSUSES[name], config={"portal": portal})
    rows = [row for part in CENSUSES[name] for row in part.to_pylist()]
    with open_store(out) as connection:
        yield Census(name, connection, rows, pages(rows, portal))


def like(rows: Any) -> list[Any]:
    return [
        tuple(pytest.approx(cell, rel=1e-9, abs=1e-12) if isinstance(cell, float) else cell for cell in row)
        for row in rows
    ]


@pytest.mark.parametrize("name", TWINS)
def test_a_table_equals_its_python_twin(census: Census, name: str) -> None:
    result = run(census.connection, name)
    if census.name == "null pages" and "measured" in query(name).needs:
        pytest.skip("columns are left out")  # see test_what_no_answer_has_is_left_out
    assert list(result.rows) == like(TWINS[name](census.rows, census.pages))
    assert all(len(row) == len(result.columns) for row in result.rows)


def test_what_no_answer_has_is_left_out(census: Census) -> None:
    """Published methods say neither how reliable an answer is nor how many letters there are: no column of zeros says so."""
    names_left_out = {"reliable", "reliable_pages", "unreliable_pages", "little_text", "little_text_pages"}
    is_left_out = census.name == "null pages"
    for name in ("pages_by_language", "pages_by_language_corrected", "declared_against_found"):
        table = run(census.connection, name)
        assert names_left_out.isdisjoint(table.columns) == is_left_out
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert not (is_left_out and "reliable" in table.note)
    summary = run(census.connection, "summary")
    assert names_left_out.isdisjoint(row[0] for row in summary.rows) == is_left_out
    assert ("reliable" in summary.note, "Times are UTC" in summary.note) == (not is_left_out, True)
    if is_left_out:
        assert run(census.connection, "pages_by_text").rows == ()
        assert "95% intervals are computed over hosts" in run(census.connection, "pages_by_language").note


def test_every_table_has_a_twin() -> None:
    assert {*TWINS, "pages_by_language_corrected", "precision_by_language"} == set(names())


def test_no_table_of_the_large_census_is_empty(census: Census) -> None:
    if census.name == "made":
        assert [name for name in names() if not run(census.connection, name).rows] == [
            "precision_by_language"
        ]  # no audit


def test_corrected_shares_are_listed_with_counted_ones(census: Census) -> None:
    if census.name == "null pages":
        pytest.skip("columns are left out")
    counted, mended = (run(census.connection, name) for name in ("pages_by_language", "pages_by_language_corrected"))
    columns = (
        "label",
        "language",
        "name",
        "tier",
        "pages",
        "reliable",
        "little_text",
        "share",
        "corrected",
        "low",
        "high",
    )
    assert mended.columns == columns
    assert [row[:8] for row in mended.rows] == like(row[:8] for row in counted.rows)
    for row, before in zip(mended.rows, counted.rows, strict=True):
        share, low, high = row[8:]
        assert 0 <= low <= share <= high <= 1
        if row[0] in SPECIAL:
            assert (share, low, high) == pytest.approx(before[7:])
    if mended.rows:
        assert sum(row[8] for row in mended.rows) == pytest.approx(1)
    of_tiers = any(row[3] for row in mended.rows if row[0] not in SPECIAL)
    assert ("tiers 1 and 2" in mended.note) is of_tiers
    if census.name == "made":
        assert [row[8] for row in mended.rows] != pytest.approx([row[7] for row in mended.rows], rel=1e-3)
        assert "another model" in mended.note  # made rows name none that was measured


def test_answers_of_another_model_are_not_corrected(tmp_path: Path) -> None:
    rows = [{"label": label, "tier": None} for label in ("isl_Latn", "isl_Latn", "fao_Latn")]
    result = run(synthetic_rows.save(tmp_path, synthetic_rows.table(rows)), "pages_by_language_corrected")
    assert result.note.startswith("Not corrected")
    assert [row[8] for row in result.rows] == pytest.approx([2 / 3, 1 / 3])


def test_length_classes_equal_those_of_the_correction() -> None:
    text = (CUBES / "answers.sql").read_text("utf-8")
    assert tuple(int(number) for number in re.findall(r"letters < (\d+)", text)) == LENGTH_BOUNDS


@pytest.mark.parametrize(("name", "parameters", "at", "value"), [
    ("languages_of_country", {"country": "is"}, 0, "IS"), ("languages_against_population", {"country": "IS"}, 0, "IS"),
    ("countries_of_language", {"label": "de"}, 0, "deu_Latn"), ("encodings_by_language", {"label": "German"}, 0, "deu_Latn"),
    ("languages_by_tld", {"label": "deu_Latn"}, 1, "deu_Latn"),
])  # fmt: skip
def test_one_country_or_language(made: Any, name: str, parameters: dict[str, str], at: int, value: str) -> None:
    whole, some = run(made, name), run(made, name, **parameters)
    assert some.rows == tuple(row for row in whole.rows if row[at] == value) != ()


@pytest.fixture(scope="module")
def made_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return synthetic_rows.save(
        tmp_path_factory.mktemp("made"), *CENSUSES["made"], synthetic_rows.table([{"country": "IS"}])
    )


@pytest.fixture(scope="module")
def made(made_folder: Path) -> Iterator[Any]:
    with open_store(made_folder) as connection:
        yield connection


@pytest.mark.parametrize("name", [name for name in ORDER if "limit" in query(name).parameters])
def test_a_limit_keeps_the_first_rows(made: Any, name: str) -> None:
    whole, some = run(made, name), run(made, name, limit=2)
    assert some.note.endswith("The first 2 rows.") and not whole.note.endswith("rows.")
    if name == "pages_by_host":  # of hosts with equally many pages any may be among the first
        assert [row[1] for row in some.rows] == [row[1] for row in whole.rows[:2]]
    else:
        assert some.rows == whole.rows[:2]
    assert run(made, name, limit=0).rows == ()


def test_wrong_parameters_are_refused(made: Any) -> None:
    for name, parameters, said in (
        ("nothing", {}, "choose one of summary"),
        ("languages_of_country", {"country": "Iceland"}, "two letters"),
        ("languages_of_country", {"country": "1'"}, "two letters"),
        ("languages_of_country", {"country": "UK"}, "'UK' is no country of ISO 3166; did you mean GB?"),
        ("languages_of_country", {"country": "el"}, "did you mean GR?"),
        ("languages_of_country", {"country": "ZZ"}, "'ZZ' is no country of ISO 3166$"),
        ("countries_of_language", {"label": "x' OR 1=1 --"}, "is no language"),
        ("summary", {"country": "IS"}, "unknown parameter country; known: none"),
        ("pages_by_host", {"colour": "red"}, "unknown parameter colour; known: limit"),
        ("pages_by_host", {"limit": -1}, "number of rows"),
        ("pages_by_host", {"limit": "2"}, "number of rows"),
    ):
        with pytest.raises(UsageError, match=said):
            run(made, name, **parameters)


def test_tables_share_cubes(made_folder: Path) -> None:
    """A connection keeps cubes: the second table is computed from them without the rows."""
    with open_store(made_folder) as connection:
        first = run(connection, "languages_of_country")
        connection.execute("CREATE OR REPLACE VIEW captures AS SELECT *, false AS is_page FROM rows WHERE false")
        assert run(connection, "languages_of_country") == first
        assert run(connection, "second_pass").rows == ()


def test_several_tables_keep_the_given_order(made_folder: Path) -> None:
    result = list(run_all(made_folder, ["ranks", "summary"]))
    assert [one.name for one in result] == ["ranks", "summary"]
    assert all(isinstance(one, Result) and one.title for one in result)
    assert "Spearman's rho" in result[0].note


def test_every_query_is_listed_with_a_title() -> None:
    assert sorted(ORDER) == sorted(path.stem for path in FOLDER.glob("*.sql"))
    assert all(query(name).title for name in ORDER)
    needed = {need for name in ORDER for need in query(name).needs}
    cubes = {path.stem for path in CUBES.glob("*.sql")}
    for name in cubes:
        needed |= set(
            re.findall(r"\w+", "".join(re.findall(r"^-- from: (.*)$", (CUBES / f"{name}.sql").read_text(), re.M)))
        )
    assert needed == cubes


def test_intervals_follow_students_t() -> None:
    for degrees in (2, 3, 5, 10, 50, 1000):
        z = 1.96 + 2.37 / degrees + 2.82 / degrees**2 + 2.56 / degrees**3
        assert z == pytest.approx(student_factor(degrees), rel=0.035)


def test_intervals_are_computed_over_hosts() -> None:
    """A thousand pages of ten hosts in one language each count like ten pages; mixed hosts count more."""
    from collections import Counter

    apart = [Counter({"a" if i < 5 else "b": 100}) for i in range(10)]
    mixed_hosts = [Counter({"a": 50, "b": 50 + i % 3}) for i in range(10)]
    _, low, high = interval("a", apart)
    assert high - low > 0.5
    _, low, high = interval("a", mixed_hosts)
    assert high - low < 0.1
