"""A census with a published method, WLIDS of Cai (2009), from the command line to the tables."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.census.archive_records import response, warc
from tests.cli import running
from webtongue.census.report import report
from webtongue.census.run import census
from webtongue.census.store import open_store
from webtongue.census.tables import names, run
from webtongue.census.tables.queries import query
from webtongue.cli.census_methods import Answers
from webtongue.lab.methods import composite, ready
from webtongue.lab.methods.base import NOTHING_KNOWN

HTML = {"Content-Type": "text/html"}
ENGLISH = (
    "The library is open every weekday from nine in the morning until six in the evening, and on Saturdays from eleven until four. "
    "There are books, newspapers and maps, and children who come with their parents may borrow three of them at a time."
)
CHINESE = "图书馆每天从早上九点开到晚上六点，星期六从十一点开到下午四点。孩子们和父母一起来，每次可以借三本书。"
SHORT = "<title>Album</title><p>Foto"
LOST = "<p>" + "????? ??? ???????? " * 12


@dataclass(frozen=True)
class Made:
    """A page of the crawl: its server, its URL, and the expected answer."""

    ip: str
    url: str
    body: bytes
    label: str
    by: str | None
    reason: str | None = None
    status: int = 200


PAGES = (
    Made(
        "192.0.2.1",
        "http://a.example.cn/",
        f'<meta charset="gb2312"><p>{CHINESE}'.encode("gbk"),
        "zho_Hans",
        "encoding",
    ),
    Made("192.0.2.1", "http://a.example.cn/map", b'<html lang="de"><p>Karte', "deu_Latn", "language"),
    # Another host of the server.
    Made("192.0.2.1", "http://b.example.cn/", b"<p>" + ENGLISH.encode(), "eng_Latn", "text"),
    Made("192.0.2.2", "http://c.example.is/?page=1", b'<html lang="is"><p>Kort', "isl_Latn", "language"),
    Made("192.0.2.3", "http://d.example.org/about", b"<p>" + ENGLISH.encode(), "eng_Latn", "text"),  # no home page
    Made("192.0.2.4", "http://e.example.org/", SHORT.encode(), "und", None, composite.BELOW_FLOOR),
    Made("192.0.2.5", "http://f.example.org/", LOST.encode(), "und", None, composite.BADLY_RECEIVED),
    Made("192.0.2.6", "http://g.example.org/", b"<p>" + ENGLISH.encode(), "eng_Latn", "text", status=404),
    Made("", "http://h.example.org", b"<p>" + ENGLISH.encode(), "eng_Latn", "text"),  # no address known: by its host
)
PORTALS = {"http://a.example.cn/", "http://c.example.is/?page=1", "http://e.example.org/", "http://f.example.org/"}
PORTALS |= {"http://h.example.org"}
NO_ANSWER = {
    "confidence", "reliable", "tier", "group", "languages", "content_languages", "likeliest", "reading", "first_label",
    "letters", "bits_text", "bits_declared", "inlinks_used",
}  # fmt: skip


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("crawl") / "small.warc.gz"
    records = [response(one.url, one.body, HTML, one.status, one.ip or None) for one in PAGES]
    path.write_bytes(warc(records))
    return path


@pytest.fixture(scope="module")
def by_manner(archive: Path) -> dict[str, Path]:
    """Run a census in each manner: serial with portals, parallel with pages."""
    result = {}
    for manner, unit in (("serial", ["--portal"]), ("parallel", [])):
        out = archive.with_name(manner)
        arguments = ["--method", "composite", "--manner", manner, *unit, "--workers", "1", "-o", str(out)]
        done = running.run("census", str(archive), *arguments)
        assert done.code == 0, done.err
        assert done.lines[0].split() == ["captures", str(len(PAGES))]
        assert "second look" not in done.out
        result[manner] = out
    return result


def rows_of(out: Path) -> list[dict[str, Any]]:
    return [row for part in sorted((out / "rows").glob("*.parquet")) for row in pq.read_table(part).to_pylist()]


@pytest.mark.parametrize("manner", ["serial", "parallel"])
def test_rows_have_label_reason_and_approach(by_manner: dict[str, Path], manner: str) -> None:
    rows = rows_of(by_manner[manner])
    result = [(row["url"], row["label"], row["identified_by"], row["reason"]) for row in rows]
    assert result == [(one.url, one.label, one.by, one.reason) for one in PAGES]
    assert [row["ip"] for row in rows] == [one.ip or None for one in PAGES]
    assert {row["status"] for row in rows} == {"identified"}
    assert [row["charset_language"] for row in rows] == ["zho_Hans"] + [None] * (len(PAGES) - 1)
    assert all(row[name] is None for row in rows for name in NO_ANSWER), "it has no confidence, and no evidence in bits"
    assert {(row["language"], row["script"]) for row in rows if row["label"] == "zho_Hans"} == {("zh", "Hans")}


def test_the_parallel_manner_stores_what_each_approach_says(by_manner: dict[str, Path]) -> None:
    """Figure 5-1 needs all approaches on all pages; the serial manner has those up to the first answer."""
    columns = ("by_encoding", "by_language", "by_text")
    serial, parallel = ([tuple(row[name] for name in columns) for row in rows_of(by_manner[m])] for m in by_manner)
    assert parallel == [
        ("zho_Hans", None, "zho_Hans"), (None, "deu_Latn", None), (None, None, "eng_Latn"), (None, "isl_Latn", None),
        (None, None, "eng_Latn"), (None, None, None), (None, None, None), (None, None, "eng_Latn"), (None, None, "eng_Latn"),
    ]  # fmt: skip
    assert serial[0] == ("zho_Hans", None, None) and serial[1:] == parallel[1:]


def test_figure_5_1_is_a_table(by_manner: dict[str, Path]) -> None:
    done = running.run("tables", str(by_manner["parallel"]), "approach_coverage")
    assert done.code == 0, done.err
    cells = [line.split() for line in done.lines if line.split()[:1] in (["encoding"], ["language"], ["text"], ["all"])]
    assert [(row[0], row[1], row[3]) for row in cells] == [
        ("encoding", "1", "1"), ("language", "2", "2"), ("text", "4", "3"), ("all", "6", "6"),
    ]  # fmt: skip
    with open_store(by_manner["parallel"]) as store:
        assert [row[2] for row in run(store, "approach_coverage").rows] == [1 / 8, 2 / 8, 4 / 8, 6 / 8]


def test_what_was_extracted_from_a_page_is_stored(by_manner: dict[str, Path]) -> None:
    query = (
        "SELECT url, declared_language, declared_encoding, text_bytes, text FROM extracted_content "
        "WHERE url LIKE '%a.example%' OR url LIKE '%c.example%' ORDER BY url"
    )
    with open_store(by_manner["parallel"]) as store:
        found = store.execute(query).fetchall()
        assert store.execute("SELECT count(text_bytes), count(*) FROM extracted_content").fetchone() == (8, 8)
    assert [row[1:3] for row in found] == [(None, "gbk"), ("deu_Latn", None), ("isl_Latn", None)]
    assert [row[3:] for row in found[1:]] == [(len(b"karte"), None), (len(b"kort"), None)], (
        "no text without --keep-text"
    )
    assert found[0][3] == len(composite.extract_text(PAGES[0].body))


def test_texts_can_be_kept(archive: Path, tmp_path: Path) -> None:
    arguments = ["--method", "composite", "--keep-text", "--workers", "1", "-o", str(tmp_path / "out")]
    assert running.run("census", str(archive), *arguments).code == 0
    with open_store(tmp_path / "out") as store:
        found = dict(store.execute("SELECT url, text FROM extracted_content").fetchall())
        titles = store.execute("SELECT url, title FROM extracted_content WHERE title IS NOT NULL").fetchall()
    assert found["http://a.example.cn/"].strip() == CHINESE and found["http://b.example.cn/"].strip() == ENGLISH
    assert titles == [("http://e.example.org/", "Album")]
    search = running.run("search", str(tmp_path / "out"), "library")
    assert search.code == 0 and "b.example.cn" in search.out, "kept text can be searched"


def test_titles_and_metadata_are_kept_by_both_identifiers(tmp_path: Path) -> None:
    page = b"<title>Bus times</title><meta name=description content='When the bus leaves'><p>" + ENGLISH.encode()
    path = tmp_path / "one.warc.gz"
    path.write_bytes(warc([response("http://a.example.org/", page, HTML)]))
    for method in ([], ["--method", "composite"]):
        out = tmp_path / f"out{len(method)}"
        assert running.run("census", str(path), *method, "--keep-text", "--workers", "1", "-o", str(out)).code == 0
        with open_store(out) as store:
            found = store.execute("SELECT title, metadata, text FROM extracted_content").fetchall()
        assert [row[:2] for row in found] == [("Bus times", "When the bus leaves")] and ENGLISH in found[0][2]


def test_the_method_is_recorded(by_manner: dict[str, Path], archive: Path) -> None:
    for manner, out in by_manner.items():
        about = json.loads((out / "census.json").read_text())
        assert about["config"]["method"] == about["model"] == f"composite, {manner}"
        assert {row["model"] for row in rows_of(out)} == {f"composite, {manner}"}
    arguments = ["--method", "composite", "--manner", "serial", "--resume", "--workers", "1"]
    other = running.run("census", str(archive), *arguments, "-o", str(by_manner["parallel"]))
    assert other.code == 2 and "other inputs or settings" in other.err


def test_the_report_describes_the_method(by_manner: dict[str, Path], archive: Path, tmp_path: Path) -> None:
    own = "decided from all available evidence"
    serial, parallel = (" ".join(report(out).split()) for out in by_manner.values())
    for text in (serial, parallel):
        assert own not in text and "the method of Cai (2009)" in text and "no confidence" in text
    assert "stops at the first" in serial and "one home page is counted" in serial
    assert "All three are run" in parallel and "Pages for which each approach names a language" in parallel
    for text in (serial, parallel):
        assert "eliable" not in text and "Little text" not in text and "Pages by amount of text" not in text
        assert "detected from the bytes" not in text and "that composite" in text
    assert "English 38%" in parallel and "are the largest" in parallel
    assert "Encodings" in parallel and "0% of the pages with a known encoding are in another" in parallel
    census([str(archive)], tmp_path / "nfc", workers=1, method=Answers("nfc"))
    other = " ".join(report(tmp_path / "nfc").split())
    assert own not in other and "priority list" not in other
    assert "the published method nfc" in other
    census([str(archive)], tmp_path / "default", workers=1)
    default = " ".join(report(tmp_path / "default").split())
    assert own in default and "published method" not in default


def test_one_page_is_counted_per_server(by_manner: dict[str, Path]) -> None:
    with open_store(by_manner["serial"]) as store:
        assert {url for (url,) in store.execute("SELECT url FROM pages").fetchall()} == PORTALS
        assert store.execute("SELECT count(*) - count(DISTINCT server) FROM pages").fetchone() == (0,)
        servers = run(store, "servers_by_country")
        assert sum(row[2] for row in servers.rows) == 6, "servers are counted whatever they sent"
    with open_store(by_manner["parallel"]) as store:
        assert store.execute("SELECT count(*) FROM pages").fetchone() == (len(PAGES) - 1,), "all but the 404"


def test_every_identified_type_is_described(by_manner: dict[str, Path]) -> None:
    query = (
        "SELECT DISTINCT d.identified_type, t.meaning IS NOT NULL FROM language_distribution d "
        "LEFT JOIN identified_type t USING (identified_type) WHERE d.identified_type IS NOT NULL ORDER BY 1"
    )
    with open_store(by_manner["parallel"]) as store:
        assert store.execute(query).fetchall() == [("encoding", True), ("language", True), ("text", True)]


@pytest.mark.parametrize("manner", ["serial", "parallel"])
def test_every_table_can_be_computed(by_manner: dict[str, Path], manner: str) -> None:
    with open_store(by_manner[manner]) as store:
        result = {name: run(store, name) for name in names()}
    assert set(result) == set(names())
    pages = {row[0]: row[4] for row in result["pages_by_language"].rows}
    portal = {"zho_Hans": 1, "isl_Latn": 1, "eng_Latn": 1, "und": 2}
    assert pages == (portal if manner == "serial" else portal | {"eng_Latn": 3, "deu_Latn": 1})
    charsets = {row[0]: row[2:4] for row in result["charset_coverage"].rows}
    assert charsets["zho_Hans"] == (1, 1)
    assert charsets["eng_Latn"][0] == 0
    decided = {row[0]: row[3] for row in result["evidence_coverage"].rows if row[3]}
    assert decided == (
        {"encoding": 1, "language": 1, "text": 1} if manner == "serial" else {"encoding": 1, "language": 2, "text": 3}
    )
    reasons = {row[0]: row[1] for row in result["unknown_by_reason"].rows}
    assert reasons == {composite.BELOW_FLOOR: "too little text", composite.BADLY_RECEIVED: "damaged"}


def test_reasons_map_to_the_five_of_the_thesis() -> None:
    """The query contains the reasons of the method."""
    text = query("unknown_by_reason").text
    for reason in (
        composite.BELOW_FLOOR,
        composite.BADLY_RECEIVED,
        composite.WEAK_SHORT_TEXT,
        composite.NO_NEAR_MODEL,
        composite.NOTHING_DECLARED,
        NOTHING_KNOWN,
    ):
        assert f"'{reason}'" in text


def test_another_method_can_be_named(archive: Path, tmp_path: Path) -> None:
    census([str(archive)], tmp_path / "out", workers=1, method=Answers("rank_order"))
    by = {row["identified_by"] for row in rows_of(tmp_path / "out") if row["label"] != "und"}
    assert by == {"rank_order"}


def test_a_model_of_the_user_is_read_and_named(archive: Path, tmp_path: Path) -> None:
    model = tmp_path / "mine.wtp"
    ready("nfc").fit({"deu_Latn": ["Die Bibliothek ist offen"], "eng_Latn": ["The library is open"]}).save(model)
    out = tmp_path / "out"
    done = running.run(
        "census", str(archive), "--method", "nfc", "--model", str(model), "--workers", "1", "-o", str(out)
    )
    assert done.code == 0, done.err
    assert {row["label"] for row in rows_of(out)} <= {"deu_Latn", "eng_Latn", "und", None}
    (name,) = {row["model"] for row in rows_of(out)}
    assert re.fullmatch(r"nfc, mine\.wtp [0-9a-f]{12}", name)
    ready("nfc").fit({"deu_Latn": ["Das ist offen"], "eng_Latn": ["The library is open"]}).save(model)
    arguments = ["--method", "nfc", "--model", str(model), "--resume", "--workers", "1"]
    other = running.run("census", str(archive), *arguments, "-o", str(out))
    assert other.code == 2 and "other inputs or settings" in other.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--manner", "serial"], "--method composite"),
        (["--method", "nfc", "--manner", "serial"], "composite only"),
        (["--method", "composite", "--manner", "sideways"], "serial, parallel"),
        (["--method", "guesswork"], "guesswork"),
        (["--method", "nfc", "--language", "de"], "do not apply to a published method"),
        (["--method", "nfc", "--priors", "uniform"], "do not apply to a published method"),
        (["--method", "nfc", "--evidence", "url"], "do not apply to a published method"),
        (["--method", "nfc", "--model", "no.wtp"], "no.wtp"),
    ],
)
def test_bad_options_are_refused(archive: Path, tmp_path: Path, arguments: list[str], said: str) -> None:
    done = running.run("census", str(archive), "-o", str(tmp_path / "out"), *arguments)
    assert done.code == 2
    assert said in done.err
    assert not (tmp_path / "out").exists()
