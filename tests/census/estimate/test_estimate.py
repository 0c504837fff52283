"""Estimates of crawls: the index in all its forms, the fetched records, and the folder that is like that of a census."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from webtongue import Identifier, UsageError
from webtongue.census.compare import compare
from webtongue.census.config import Config
from webtongue.census.engines.local import WorkerError
from webtongue.census.estimate.addresses import write_addresses
from webtongue.census.estimate.index import index_files, read_index, read_local
from webtongue.census.estimate.run import estimate_census
from webtongue.census.report import report
from webtongue.census.run import census
from webtongue.census.store import open_store
from webtongue.census.tables import run
from webtongue.errors import UnreadableFile
from webtongue.labels import SPECIAL

CRAWL = str(Path(__file__).parents[3] / "examples" / "crawl.warc.gz")
NAMES = {
    "url": "url", "status": "fetch_status", "mime": "content_mime_detected", "charset": "content_charset",
    "languages": "content_languages", "filename": "warc_filename", "offset": "warc_record_offset", "length": "warc_record_length",
}  # fmt: skip


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    """The index of the demo crawl."""
    return [row for batch in read_local([CRAWL], Config()) for row in batch.to_pylist()]


@pytest.fixture
def object_store() -> Iterator[None]:
    """The demo crawl in a store in memory."""
    store = fsspec.filesystem("memory")
    store.pipe("/in/crawl.warc.gz", Path(CRAWL).read_bytes())
    yield
    store.rm("/in", recursive=True)


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A census of all captures of the demo crawl."""
    out = tmp_path_factory.mktemp("census") / "out"
    census([CRAWL], out, Config(second_pass=False), workers=1)
    return out


def write_parquet(rows: list[dict[str, Any]], path: Path, **changes: Any) -> str:
    columns = {name: [row[key] for row in rows] for key, name in NAMES.items()} | changes
    pq.write_table(pa.table({name: values for name, values in columns.items() if values is not None}), path)
    return str(path)


def write_cdxj(rows: list[dict[str, Any]], path: Path) -> str:
    keys = ("url", "mime", "status", "length", "offset", "filename")
    lines = [
        f"com,example)/ 20240518040000 {json.dumps({key: str(row[key]) for key in keys if row[key] is not None})}\n"
        for row in rows
    ]
    half = len(lines) // 2  # as in Common Crawl's index, the file has several gzip members
    path.write_bytes(b"".join(gzip.compress("".join(part).encode()) for part in (lines[:half], lines[half:])))
    return str(path)


def test_all_forms_of_an_index_are_the_same_addresses(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    paths = [write_parquet(rows, tmp_path / "part-0.parquet"), write_cdxj(rows, tmp_path / "cdx-00000.gz")]
    assert index_files([str(tmp_path)], Config()) == sorted(paths)
    read = [[row for batch in read_index(path, Config()) for row in batch.to_pylist()] for path in paths]
    for found in read:
        assert [{**row, "charset": None, "languages": None, "mime": row["mime"] or ""} for row in found] == rows


def test_an_index_without_positions_is_refused(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    path = write_parquet(rows, tmp_path / "index.parquet", warc_record_offset=None)
    with pytest.raises(UsageError, match="has no column warc_record_offset"):
        list(read_index(path, Config()))
    (tmp_path / "bad.cdxj").write_text("com,example)/ 2024 {not json}\n")
    with pytest.raises(UnreadableFile, match=r"bad\.cdxj cannot be read as an index"):
        list(read_index(str(tmp_path / "bad.cdxj"), Config()))
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=r"no \.parquet, \.cdxj or cdx-\*\.gz file"):
        index_files([str(tmp_path / "empty")], Config())


def test_addresses_have_the_answers_of_the_url_model(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    path = write_parquet(
        rows, tmp_path / "index.parquet",
        content_languages=["isl,eng" if i % 3 == 0 else None for i in range(len(rows))],
        content_charset=["Shift_JIS" if i % 3 == 1 else "utf-8" for i in range(len(rows))],
    )  # fmt: skip
    ident = Identifier()
    addresses = write_addresses(read_index(path, Config()), tmp_path / "addresses.parquet", ident)
    kept = [
        i
        for i, row in enumerate(rows)
        if row["status"] == 200 and not (row["mime"] or "").startswith(("image/", "text/css"))
    ]
    written = pq.read_table(addresses.path).to_pylist()
    positions = {rows[i]["offset"]: i for i in kept}
    written = [row for row in written if row["offset"] in positions]
    assert addresses.captures == len(rows) and len(written) > 600
    answers = ident.classify_urls([rows[positions[row["offset"]]]["url"] for row in written])
    usual = [label[:3] for label in answers["label"]]
    assert [addresses.labels[row["label"]][:3] if row["label"] >= 0 else "und" for row in written] == usual
    assert np.allclose([row["probability"] for row in written], answers["confidence"], atol=1e-6)
    declared = [addresses.labels[row["declared"]] if row["declared"] >= 0 else "" for row in written]
    assert declared == [("isl_Latn", "jpn_Jpan", "")[positions[row["offset"]] % 3] for row in written]
    hosts: dict[str, set[int]] = {}
    for row in written:
        hosts.setdefault(rows[positions[row["offset"]]]["url"].split("/")[2].lower(), set()).add(row["host"])
    assert all(len(numbers) == 1 for numbers in hosts.values())
    assert len({min(numbers) for numbers in hosts.values()}) == len(hosts)


def test_a_budget_for_all_records_is_the_census(complete: Path, tmp_path: Path) -> None:
    summary = estimate_census([CRAWL], tmp_path / "out", 10_000, local=True)
    assert summary.fetches == summary.pages
    ours, theirs = (run(out, "pages_by_language") for out in (tmp_path / "out", complete))
    counts = [{row[0]: row[4] for row in table.rows} for table in (ours, theirs)]
    assert counts[0] == counts[1]
    assert all(row[8] == pytest.approx(row[7]) == row[9] for row in ours.rows)  # nothing is left to chance
    assert "Estimated from 644 of 644 records" in ours.note and "stimated" not in theirs.note + theirs.title
    assert ours.title == "Pages by language, estimated from 644 of 644 records"


def test_an_estimate_from_an_index_fetches_records_by_their_position(
    rows: list[dict[str, Any]], complete: Path, tmp_path: Path
) -> None:
    name = Path(CRAWL).name
    index = write_parquet(rows, tmp_path / "index.parquet", warc_filename=[name] * len(rows))
    config = Config(prefix=str(Path(CRAWL).parent) + "/")
    summary = estimate_census([index], tmp_path / "out", 300, config, seed=4)
    assert summary.fetches == 300 and sum(cost.fetches for cost in summary.strata) == 300
    assert sum(cost.bytes for cost in summary.strata) == summary.bytes
    sampled = pq.read_table(tmp_path / "out" / "rows").to_pylist()
    labels = {row["warc_record_offset"]: row["label"] for row in pq.read_table(complete / "rows").to_pylist()}
    assert all(labels[row["warc_record_offset"]] == row["label"] for row in sampled)
    assert len({row["warc_record_offset"] for row in sampled}) == 300
    by_label = {row.label: row for row in summary.labels}
    for row in run(tmp_path / "out", "pages_by_language").rows:
        assert (row[4], row[7]) == (by_label[row[0]].pages, by_label[row[0]].share)
        assert row[8] <= row[7] <= row[9]
    pages = {row[0]: row[2] for row in run(tmp_path / "out", "encodings_by_language").rows}
    assert set(pages) == {row["label"] for row in sampled if row["status"] == "identified"}
    weights: dict[str, int] = {}
    for row in sampled:
        if row["status"] == "identified":
            weights[row["label"]] = weights.get(row["label"], 0) + row["weight"]
    assert weights == {label: by_label[label].pages for label in weights}
    again = estimate_census([index], tmp_path / "again", 300, config, seed=4)
    assert again == summary
    other = estimate_census([index], tmp_path / "other", 300, config, seed=5)
    assert other != summary and other.pages == summary.pages


def test_fetched_records_stand_for_unreachable_ones(rows: list[dict[str, Any]], complete: Path, tmp_path: Path) -> None:
    """Every eleventh record is unreachable, and most German pages of one archive are: the census is in the intervals."""
    answers = pq.read_table(complete / "rows", columns=["warc_record_offset", "label"]).to_pylist()
    german = [row["warc_record_offset"] for row in answers if row["label"] == "deu_Latn"]
    gone = {*german[:9], *(row["offset"] for row in rows[::11])}
    names = ["gone.warc.gz" if row["offset"] in gone else Path(CRAWL).name for row in rows]
    index = write_parquet(rows, tmp_path / "index.parquet", warc_filename=names)
    summary = estimate_census([index], tmp_path / "out", 10_000, Config(prefix=str(Path(CRAWL).parent) + "/"))
    assert 50 < summary.unreachable < 0.2 * summary.fetches
    assert summary.unreachable == sum(stratum.unreachable for stratum in summary.strata)
    truth = {row[0]: row[4] for row in run(complete, "pages_by_language").rows}
    total = sum(label.pages for label in summary.labels)
    limits = {label.label: (label.low * total, label.high * total) for label in summary.labels}
    assert limits["deu_Latn"][0] < truth["deu_Latn"] < limits["deu_Latn"][1]
    common = [label for label, pages in truth.items() if pages > 6]
    covered = [limits[label][0] - 1 <= truth[label] <= limits[label][1] + 1 for label in common]  # to the page
    assert len(common) > 20 and np.mean(covered) > 0.9
    assert sum(label.share for label in summary.labels) == pytest.approx(1)
    weights = {
        (row["status"], row["problem"]): row["weight"] for row in pq.read_table(tmp_path / "out" / "rows").to_pylist()
    }
    assert weights["failed", "unreadable"] == 0
    problems = run(tmp_path / "out", "problem_list")
    assert len(problems.rows) >= summary.unreachable
    assert f"{summary.unreachable} records" in report(tmp_path / "out")


def test_an_estimate_of_unreachable_archives_fails(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    gone = ["gone.warc.gz" if i % 4 == 0 else Path(CRAWL).name for i in range(len(rows))]
    index = write_parquet(rows, tmp_path / "index.parquet", warc_filename=gone)
    with pytest.raises(
        WorkerError, match=r"records could not be fetched; an estimate needs 80%.*gone\.warc\.gz at byte"
    ):
        estimate_census([index], tmp_path / "out", 640, Config(prefix=str(Path(CRAWL).parent) + "/"))
    assert not (tmp_path / "out").exists()


def test_local_archives_are_read_from_their_own_store(object_store: None, tmp_path: Path) -> None:
    summary = estimate_census(["memory://in/crawl.warc.gz"], tmp_path / "out", 60, local=True)
    assert (summary.fetches, summary.unreachable) == (60, 0)
    for index in (["memory://in/gone.warc.gz"], ["memory://in/crawl.warc.gz", "memory://in/gone.warc.gz"]):
        with pytest.raises(UsageError, match=r"memory://in/gone\.warc\.gz cannot be read: "):
            estimate_census(index, tmp_path / "gone", 60, local=True)


def test_a_status_that_is_no_number_is_unknown(tmp_path: Path) -> None:
    keys = {"url": "http://example.com/", "mime": "text/html", "filename": "a.warc.gz", "length": "10"}
    changes = [
        {"status": "None", "offset": "5"}, {"status": "200", "offset": "5"}, {"status": "404", "offset": "5"},
        {"status": "200", "offset": "None"}, {"status": "9" * 12, "offset": "5"},
    ]  # fmt: skip
    lines = [f"com,example)/ 2024 {json.dumps(keys | change)}\n" for change in changes]
    (tmp_path / "a.cdxj").write_text("".join(lines))
    batches = list(read_index(str(tmp_path / "a.cdxj"), Config()))
    assert [row["status"] for batch in batches for row in batch.to_pylist()] == [None, 200, 404, 200, None]
    addresses = write_addresses(batches, tmp_path / "addresses.parquet", Identifier())
    assert (addresses.captures, addresses.pages) == (5, 3)


def test_larger_budgets_buy_precision(tmp_path: Path) -> None:
    summary = estimate_census([CRAWL], tmp_path / "out", 200, local=True)
    widths = [budget.median_half_width for budget in summary.budgets]
    assert widths == sorted(widths, reverse=True) and widths[0] > 2 * widths[-1]
    assert [budget.fetches for budget in summary.budgets][:4] == [50, 100, 200, 400]
    assert summary.budgets[-1].fetches == summary.pages  # no further budget is listed


def test_labels_without_a_fetched_page_are_counted(tmp_path: Path) -> None:
    summary = estimate_census([CRAWL], tmp_path / "out", 60, local=True)
    unseen = {label.label: label.pages for label in summary.labels if not label.fetched and label.pages}
    assert sum(unseen.values()) > 10
    for name, share in (("pages_by_language", 7), ("pages_by_language_corrected", 7)):
        rows = {row[0]: row for row in run(tmp_path / "out", name).rows}
        total = sum(row[4] for row in rows.values())
        assert {label: rows[label][4] for label in unseen} == unseen
        assert all(abs(row[share] - row[4] / total) < 2 / total for row in rows.values())
    counts = dict(run(tmp_path / "out", "summary").rows)
    assert counts["pages"] == total == counts["reliable_pages"] + counts["unreliable_pages"] <= counts["captures"]
    assert counts["labels"] == len(rows.keys() - SPECIAL.keys())
    with open_store(tmp_path / "out") as connection:
        assert connection.execute("SELECT pages FROM counts").fetchone() == (total,)
    page = report(tmp_path / "out")
    assert f"{total} pages in" in page and f"{counts['captures']} captures were read" in page
    table = run(tmp_path / "out", "pages_by_language")
    without_tier = {row[0] for row in table.rows if row[table.columns.index("tier")] == 0}
    assert without_tier <= {"und", "mul", "zxx"}  # of a label that was not fetched, it is the model's


def test_the_report_of_an_estimate_states_its_sample(tmp_path: Path) -> None:
    estimate_census([CRAWL], tmp_path / "out", 200, local=True)
    table = run(tmp_path / "out", "pages_by_language")
    assert "over hosts" not in table.note and "intervals are those of the sample" in table.note
    assert "over hosts" not in report(tmp_path / "out")
    assert re.search(r"servers?,\s+estimated\s+from\s+200\s+of\s+644\s+records\.", report(tmp_path / "out"))
    page = report(tmp_path / "out")
    assert "How this was estimated" in page and "200 of 644 records" in page and " labels, " in page
    (tmp_path / "out" / "estimate.json").write_text('{"labels": [{"label": 7}], "strata": 3}')
    for use in (report, lambda out: run(out, "pages_by_language")):
        with pytest.raises(UsageError, match=r"estimate\.json is damaged"):
            use(tmp_path / "out")


def test_an_estimate_is_not_compared_or_overwritten(complete: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    estimate_census([CRAWL], out, 50, local=True)
    with pytest.raises(UsageError, match="is an estimate from an index"):
        compare(complete, out)
    with pytest.raises(UsageError, match="is not an empty folder"):
        estimate_census([CRAWL], out, 50, local=True)
    with pytest.raises(UsageError, match="was started with other inputs"):
        census([CRAWL], out, resume=True)
    assert sorted(path.name for path in out.iterdir()) == [
        ".lock", "census.duckdb", "census.json", "estimate.json", "links", "manifest.jsonl", "rows",
    ]  # fmt: skip
