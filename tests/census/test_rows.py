"""Rows: one for each capture, in order, with the answers of identify_batch."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from webtongue import Identifier
from webtongue.census.capture import Capture, Problem, Status
from webtongue.census.config import Config
from webtongue.census.methods import MethodAnswer
from webtongue.census.rows import RowBuilder, content_languages
from webtongue.census.run import census
from webtongue.census.schema import BITS, rows_schema
from webtongue.evidence.geo import Located

HTML = {"content-type": "text/html"}
ICELANDIC = "<html lang=is><title>Veður</title><p>Í dag er hlýtt og bjart um allt land, en á morgun má búast við rigningu á köflum.</p>"
ICELANDIC += (
    "<p>Bókasafnið er opið alla virka daga frá níu til sex, og á laugardögum frá ellefu til fjögur. Þar eru bækur, blöð og kort.</p>"
    "<p>Ferjan siglir þrisvar á dag yfir fjörðinn; farmiðar eru seldir í litla húsinu við bryggjuna og börn fara ókeypis með.</p>"
    "<p>Í sundlauginni hittast nágrannar snemma á morgnana, drekka kaffi úr brúsa og ræða um allt milli himins og jarðar.</p>"
    "<p>Á haustin smala bændur fé af fjalli, og þá koma allir úr sveitinni saman í réttunum, syngja og borða kjötsúpu.</p>"
)
GREEK = "<p>Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα από τις εννέα το πρωί έως τις έξι το απόγευμα.</p>"


@pytest.fixture(scope="module")
def made() -> RowBuilder:
    return RowBuilder(Config(crawl="test"))


def page(text: str, url: str = "https://vedur.example.is/", **known: object) -> Capture:
    return Capture(url=url, body=text.encode(), headers=HTML, mime_type="text/html", filename="a.warc.gz", **known)


def test_a_row_for_each_capture_in_order(made: RowBuilder) -> None:
    captures = [
        page(ICELANDIC, ip="192.0.2.7", fetch_time=1_700_000_000_000, offset=10, length=20, digest="ABC"),
        Capture(url="https://example.com/a.png", mime_type="image/png", status=Status.SKIPPED),
        Capture(url="https://example.com/", record_type="revisit", status=Status.REVISIT),
        Capture(record_type="damaged", problem=Problem.DAMAGED, detail="not a record", filename="a.warc.gz", offset=77),
        page(GREEK, "https://a.example.co.uk/x", fetch_status=404),
        Capture(),
    ]
    rows = made.batch(captures).rows.to_pylist()
    assert [row["status"] for row in rows] == ["identified", "skipped", "revisit", "failed", "identified", "skipped"]
    assert [row["label"] for row in rows] == ["isl_Latn", None, None, None, "ell_Grek", None]
    first = rows[0]
    assert (first["url_host_name"], first["url_host_tld"]) == ("vedur.example.is", "is")
    assert (first["content_charset"], first["content_languages"], first["subset"]) == ("utf-8", "isl", "warc")
    assert (first["warc_record_offset"], first["warc_record_length"], first["content_digest"]) == (10, 20, "ABC")
    assert first["fetch_time"].year == 2023 and first["crawl"] == "test" and len(first["model"]) == 16
    assert rows[4]["url_host_registered_domain"] == "example.co.uk" and rows[4]["subset"] == "crawldiagnostics"
    assert rows[3]["problem"] == "damaged" and rows[3]["warc_record_offset"] == 77


def test_rows_have_the_schema_of_a_census(made: RowBuilder) -> None:
    for captures in ([], [page(GREEK)], [Capture(url="x", problem=Problem.BOMB)]):
        batch = made.batch(captures)
        assert batch.rows.schema.equals(rows_schema())
        assert batch.rows.num_rows == len(captures)
        batch.rows.validate(full=True)


def test_answers_are_those_of_identify_batch(made: RowBuilder) -> None:
    texts = [ICELANDIC, GREEK, "<p>ok", "<html lang=xx-klingon><p>1 2 3", "", "\x00\x01\x02" * 99]
    captures = [page(text, f"https://example.org/{i}") for i, text in enumerate(texts)]
    rows = made.batch(captures).rows.to_pylist()
    urls = [one.url for one in captures]
    answers = Identifier().identify_batch({"raw": [t.encode() for t in texts], "url": urls, "headers": [HTML] * 6})
    for name in ("label", "script", "reason", "encoding_confidence", "confidence", "reliable", "tier"):
        assert [row[name] or "" for row in rows] == [value or "" for value in answers[name]]
    assert rows[3]["unrecognised_language"] == "xx-klingon"


def test_bits_and_the_source_that_decided(made: RowBuilder) -> None:
    short = page("<html lang=is><p>Halló", "https://example.is/")
    clear, hinted, nothing = made.batch([page(ICELANDIC), short, page("<p>1 2 3")]).rows.to_pylist()
    assert clear["identified_by"] == "text" and clear["bits_text"] > 10 and clear["bits_declared"] is None
    assert hinted["label"] == "isl_Latn" and hinted["identified_by"] == "declared" and hinted["bits_url"] > 0
    assert nothing["identified_by"] is None and all(nothing[f"bits_{source}"] is None for source in BITS)
    assert clear["reading"] is None and hinted["reading"] is not None
    assert clear["likeliest"][0]["label"] == "isl_Latn"
    assert 1 <= len(hinted["likeliest"]) <= 8


def test_countries_of_captures_of_any_kind() -> None:
    made = RowBuilder(Config())
    captures = [
        Capture(url="https://example.is/x.png", ip="185.112.144.1", status=Status.SKIPPED),
        Capture(url="https://example.is/", ip="185.112.144.1", body=b"<p>1", headers=HTML, fetch_status=500),
        Capture(url="https://example.is/", country="FO", ip="185.112.144.1", body=b"<p>1", headers=HTML),
        Capture(url="https://example.is/", ip="not an address", body=b"<p>1", headers=HTML),
    ]
    assert made.batch(captures).rows.column("country").to_pylist() == ["IS", "IS", "FO", None]


def test_lost_characters_are_a_problem() -> None:
    result = (
        RowBuilder(Config())
        .batch([page("<p>????? ??? ???????? ????????? ?????? ????"), page("<p>What??? No")])
        .rows.to_pylist()
    )
    assert [row["problem"] for row in result] == ["characters_lost", None]
    assert result[0]["status"] == "identified" and result[0]["label"] in ("und", "zxx")


def test_links_are_those_of_identified_pages(made: RowBuilder) -> None:
    menu = '<a href="https://example.fo/">Føroyskt</a><a href="/about">Um</a><a href="https://vedur.example.is/en" hreflang=en>En</a>'
    captures = [page(ICELANDIC + menu), page(ICELANDIC + menu, fetch_status=404), page(f"<p>1{menu}")]
    links = made.batch(captures).links.to_pylist()
    assert [(link["url"], link["anchor"], link["hreflang"]) for link in links if link["source_label"] == "isl_Latn"][
        :2
    ] == [
        ("https://example.fo/", "Føroyskt", ""),
        ("https://vedur.example.is/en", "En", "en"),
    ]
    assert {link["source_url"] for link in links} == {"https://vedur.example.is/"}


def test_text_and_links_are_kept_on_request() -> None:
    kept = RowBuilder(replace(Config(), keep_text=True, second_pass=False)).batch(
        [page(GREEK), page("ja".encode("utf-16").decode("latin-1"))]
    )
    assert "βιβλιοθήκη" in kept.rows.column("text")[0].as_py()
    assert kept.links.num_rows == 0


def test_a_published_method_can_answer() -> None:
    made = RowBuilder(Config(), method=lambda pages: [MethodAnswer("deu_Latn", "encoding", "") for _ in pages])
    row = made.batch([page(GREEK), Capture(url="x")]).rows.to_pylist()[0]
    assert (row["label"], row["language"], row["script"], row["identified_by"]) == (
        "deu_Latn",
        "de",
        "Latn",
        "encoding",
    )
    assert row["confidence"] is None


def test_unusual_values_are_accepted(made: RowBuilder) -> None:
    odd = [
        Capture(url="http://\udcff/\x00", body=b"\xff\xfe\x00", headers={"Content-Type": "\udcff"}, ip="\x1b[2J"),
        Capture(
            url="https://example.org/" + "a" * 100_000,
            body=b"<p>",
            fetch_status=10**9,
            fetch_time=-5,
            mime_type="\udcff",
        ),
        Capture(url="http://[::1]/", body=b"", fetch_status=-7),
        Capture(url="http://192.0.2.1/robots.txt", body=b"User-agent: *", headers={"content-type": "text/plain"}),
    ]
    rows = made.batch(odd).rows
    rows.validate(full=True)
    result = rows.to_pylist()
    assert [row["fetch_status"] for row in result] == [200, 32767, -1, 200]
    assert result[3]["subset"] == "robotstxt" and result[3]["url_host_registered_domain"] is None


def test_content_languages_have_no_repetitions() -> None:
    assert content_languages([("srp_Latn", 0.5), ("srp_Cyrl", 0.3), ("eng_Latn", 0.2)]) == "srp,eng"
    assert content_languages([]) == ""


def test_batches_join_into_one_table(made: RowBuilder) -> None:
    batches = [made.batch([page(GREEK)]).rows, made.batch([page(ICELANDIC)]).rows]
    assert pa.Table.from_batches(batches).unify_dictionaries().column("label").to_pylist() == ["ell_Grek", "isl_Latn"]


@pytest.mark.parametrize("kind", ["jsonl", "folder"])
def test_host_counts_and_links_of_a_page_list_are_used(tmp_path: Path, kind: str) -> None:
    """They are used for the answer, and the second pass does not replace them."""
    page = "<title>Foto</title><p>Album"
    links = [{"url": f"https://h{i}.example/", "language": "da", "anchor": "Album"} for i in range(9)]
    known: dict[str, dict[str, Any]] = {"none": {}, "host": {"host": {"dan": 400}}, "links": {"inlinks": links}}
    rows = [{"url": f"https://www.example.com/{name}", **more} for name, more in known.items()]
    # The crawl knows another language of the same host.
    rows += [{"url": f"https://www.example.com/{i}"} for i in range(30)]
    pages = [page] * len(known) + [GREEK * 3] * 30
    folder = tmp_path / "pages"
    folder.mkdir()
    if kind == "folder":
        for number, (row, text) in enumerate(zip(rows, pages, strict=True)):
            row["file"] = f"{number}.html"
            (folder / row["file"]).write_text(text, "utf-8")
    else:
        rows = [{**row, "html": text} for row, text in zip(rows, pages, strict=True)]
    (folder / ("index.jsonl" if kind == "folder" else "pages.jsonl")).write_text("\n".join(map(json.dumps, rows)))
    census([str(folder)], tmp_path / "out", workers=1)
    table = pq.read_table(tmp_path / "out" / "rows").to_pylist()
    result = {row["url"].rpartition("/")[2]: row for row in table}
    assert result["none"]["first_label"] is not None and result["none"]["label"] != "dan_Latn"
    assert result["host"]["label"] == "dan_Latn" and result["host"]["bits_host"] > 0
    assert result["links"]["label"] == "dan_Latn" and result["links"]["bits_links"] > 0
    assert (result["host"]["inlinks_used"], result["links"]["inlinks_used"]) == (0, 9)
    assert result["host"]["first_label"] is result["links"]["first_label"] is None


def test_the_country_of_a_server_is_looked_up_once(made: RowBuilder, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    located = Located("IS", network="192.0.2.0/24")
    monkeypatch.setattr(Identifier, "locate", lambda self, ip: asked.append(ip) or located)
    captures = [
        page(ICELANDIC, ip="192.0.2.7"),
        Capture(url="https://example.com/", ip="192.0.2.8", status=Status.REVISIT),
    ]
    rows = made.batch(captures).rows
    assert rows.column("country").to_pylist() == ["IS", "IS"] and asked == ["192.0.2.7", "192.0.2.8"]
    assert rows.column("ip_network").to_pylist() == ["192.0.2.0/24"] * 2
