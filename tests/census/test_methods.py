"""A census with a published method, WLIDS of Cai (2009), from the command line to the tables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.census.archive_records import response, warc
from tests.cli import running
from webtongue.census.run import census
from webtongue.census.store import open_store
from webtongue.census.tables import names, run
from webtongue.census.tables.queries import query
from webtongue.cli.methods import Answers
from webtongue.lab.methods import composite
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
    "text_bytes", "letters", "bits_text", "bits_declared", "inlinks_used",
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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--manner", "serial"], "--method composite"),
        (["--method", "nfc", "--manner", "serial"], "composite only"),
        (["--method", "composite", "--manner", "sideways"], "serial, parallel"),
        (["--method", "guesswork"], "guesswork"),
    ],
)
def test_bad_options_are_refused(archive: Path, tmp_path: Path, arguments: list[str], said: str) -> None:
    done = running.run("census", str(archive), "-o", str(tmp_path / "out"), *arguments)
    assert done.code == 2
    assert said in done.err
    assert not (tmp_path / "out").exists()
