"""Tests of Cai's chapter 5 on small archives: every table is there, its figures are right, and its comparisons can fail."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.census.archive_records import response, warc
from tests.census.test_methods import CHINESE, ENGLISH, HTML, LOST, SHORT
from webtongue.lab.evaluate.tables import Claim, Exempt, Table
from webtongue.lab.papers import cai_census, cai_census_claims

KOREAN = "도서관은 매일 아침 아홉 시부터 저녁 여섯 시까지 열려 있습니다. 아이들은 부모와 함께 와서 책을 세 권씩 빌릴 수 있습니다."
GERMAN = "Die Bücherei ist jeden Tag von neun Uhr morgens bis sechs Uhr abends geöffnet, und Kinder dürfen drei Bücher leihen."
IDS = [
    "figure3-5-archives", "figure5-1-archives", "table5-2-archives", "unknown-archives", "table5-3-archives", "figure5-3-archives", "table5-4-archives",
    "table5-5-CA-archives", "table5-6-zho-archives",
]  # fmt: skip


def page(number: int, url: str, body: bytes, status: int = 200) -> bytes:
    return response(url, body, HTML, status, f"192.0.2.{number}")


def archive() -> bytes:
    english = b"<p>" + ENGLISH.encode()
    chinese = f'<meta charset="gb2312"><p>{CHINESE}'.encode("gbk")
    return warc(
        [
            page(1, "http://a.example.cn/", chinese),
            page(1, "http://a.example.cn/two", f'<meta charset="utf-8"><p>{CHINESE}'.encode()),
            page(2, "http://b.example.kr/", f'<meta charset="euc-kr"><p>{KOREAN}'.encode("euc-kr")),
            page(3, "http://c.example.org/", english),
            page(3, "http://c.example.org/x", english + b"<p>Second page, about the ferry across the bay."),
            page(4, "http://d.example.de/", f'<html lang="de"><meta charset="utf-8"><p>{GERMAN}'.encode()),
            page(5, "http://e.example.org/", SHORT.encode()),
            page(6, "http://f.example.org/", LOST.encode()),
            page(7, "http://g.example.org/", english, 404),
        ]
    )


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    (folder / "warc" / "tool").mkdir(parents=True)
    (folder / "warc" / "README.md").write_text("no archive")
    for name in ("one.warc.gz", "same.warc.gz"):
        (folder / "warc" / "tool" / name).write_bytes(archive())
    return folder


@pytest.fixture(scope="module")
def censuses(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with ExitStack() as stack:
        yield cai_census.run_censuses(cai_census.archive_crawl(data), tmp_path_factory.mktemp("out"), stack)


@pytest.fixture(scope="module")
def tables(data: Path, censuses: Any) -> dict[str, Table]:
    return {table.id: table for table in cai_census.census_tables(cai_census.archive_crawl(data), censuses)}


@pytest.fixture(scope="module")
def claims(censuses: Any) -> list[Claim]:
    return list(cai_census_claims.census_claims(censuses.stores["pages"], censuses.stores["webtongue, text alone"]))


def cells(table: Table) -> dict[str, tuple[Any, ...]]:
    return {str(row[0]): row[1:] for row in table.rows}


def test_every_table_and_figure_is_there(tables: dict[str, Table]) -> None:
    assert list(tables) == IDS, "no second country and language where no country is known"
    assert all("2 archives" in table.note and "no sample of the web" in table.note for table in tables.values())


def test_coverage_of_each_approach(tables: dict[str, Table]) -> None:
    rows = cells(tables["figure5-1-archives"])
    portals, pages = (pytest.approx(100 / 6), pytest.approx(100 / 8))
    assert rows["language declaration"] == (10.01, portals, pages, pages)
    assert "--manner parallel" in tables["figure5-1-archives"].note
    assert rows["encoding declaration"] == (
        12.56,
        pytest.approx(200 / 6),
        pytest.approx(200 / 8),
        pytest.approx(200 / 8),
    )
    assert rows["all together"][1:3] == (pytest.approx(400 / 6), pytest.approx(600 / 8)), (
        "all but the short and the lost one"
    )


def test_charsets_by_language(tables: dict[str, Table]) -> None:
    rows = cells(tables["table5-2-archives"])
    assert rows["Chinese"] == (92.55, 100.0, 50.0, 50.0), "the page in UTF-8 is no portal, and names no language"
    assert rows["Korean"] == (95.91, 100.0, 100.0, 100.0)
    assert rows["English"] == (0.37, 0.0, 0.0, 0.0)
    assert rows["Turkish"] == (99.06, None, None, None), "no page is no share"
    assert tables["table5-2-archives"].reproduces == ("table 5-2", "figure 5-2")


def test_unknown_pages_by_reason(tables: dict[str, Table]) -> None:
    rows = cells(tables["unknown-archives"])
    assert rows["pages unknown"][:3] == (25.18, pytest.approx(200 / 6), pytest.approx(200 / 8))
    assert rows["of them: 1. too little text"][:3] == (22.0, 50.0, 50.0)
    assert rows["of them: 4. improperly received"][1:3] == (50.0, 50.0)


def test_servers_and_their_classes(tables: dict[str, Table]) -> None:
    assert cells(tables["table5-3-archives"])["Unknown"] == (None, 100.0)
    assert "24,234,406 in the thesis, 7 here" in tables["table5-3-archives"].note, "each address once, the 404 too"
    classes = tables["figure5-3-archives"].rows
    assert [row[0] for row in classes] == [6, 5, 4, 3, 2, 1]
    assert [row[2] for row in classes] == [1, 1, 18, None, None, None], "he lists 20 countries"
    assert sum(int(row[4] or 0) for row in classes) == 0, "an unknown country is none"


def test_languages_in_the_order_of_the_thesis(tables: dict[str, Table]) -> None:
    rows = tables["table5-4-archives"].rows
    assert [row[0] for row in rows[:3]] == ["English", "Unknown", "Chinese"]
    assert len(rows) == 20, "all of ours are in his table"
    assert cells(tables["table5-4-archives"])["Chinese"] == (3.08, pytest.approx(100 / 6), 25.0, 25.0)


def test_countries_that_are_known(data: Path, tmp_path: Path) -> None:
    """With a table of addresses there are a country with most pages and a language of it; Canada is always there."""
    from tests.evidence.mmdb import mmdb

    geo = tmp_path / "geo.mmdb"
    networks = {"192.0.2.1/32": "HK", "192.0.2.4/32": "CA", "192.0.2.2/32": "KR"}
    geo.write_bytes(mmdb({network: {"country_code": code} for network, code in networks.items()}))
    crawl = replace(cai_census.archive_crawl(data), geo=str(geo))
    with ExitStack() as stack:
        censuses = cai_census.run_censuses(crawl, tmp_path, stack)
        tables = {table.id: table for table in cai_census.census_tables(crawl, censuses)}
    assert cells(tables["table5-5-CA-archives"])["German"] == (0.13, 100.0, 100.0, 100.0)
    assert cells(tables["table5-5-HK-archives"]) == {"Chinese": (100.0, 100.0, 100.0)}
    assert tables["table5-5-HK-archives"].columns[1].startswith("portals"), "the thesis has no such table"
    assert cells(tables["table5-6-zho-archives"])["Hong Kong"] == (3.27, 100.0, 100.0, 100.0)
    assert cells(tables["table5-6-deu-archives"]) == {"Canada": (100.0, 100.0, 100.0)}
    assert [row[4] for row in tables["figure5-3-archives"].rows] == [0, 0, 0, 0, 0, 3]


def test_comparisons_count_a_page_once(claims: list[Claim]) -> None:
    charsets, priorities = claims
    assert charsets.figures.startswith(
        "Chinese, Japanese, Turkish and Korean 2 of 3, English, German and French 0 of 3, p = "
    )
    assert charsets.holds is None and priorities.holds is None, "six pages decide nothing"
    assert "encoding declaration 2 of 2, language declaration 1 of 1, text" in priorities.figures


def census_page(language: str, by_encoding: str = "und") -> cai_census_claims.CensusPage:
    return cai_census_claims.CensusPage(language, {"encoding": by_encoding, "language": "und", "text": language})


def test_comparisons_can_hold_and_fail() -> None:
    named, unnamed = [census_page("zho", "zho")] * 20, [census_page("eng")] * 20
    assert cai_census_claims.check_charsets([*named, *unnamed]).holds is True
    assert (
        cai_census_claims.check_charsets([*([census_page("zho")] * 20), *([census_page("fra", "fra")] * 20)]).holds
        is False
    )
    assert cai_census_claims.check_charsets([]).holds is None


def test_statements_on_the_totals_of_the_thesis() -> None:
    """Its ranks are compared on its own tables; what needs its crawl is undecided."""
    ranks, *others = cai_census_claims.published_claims()
    assert ranks.holds is True and "14 languages" in ranks.figures, "China is the home of Chinese"
    assert [claim.holds for claim in others] == [None] * 3
    assert all(claim.refuted_by and claim.why for claim in others)


def test_entities_of_figure_3_5_are_filled(tables: dict[str, Table]) -> None:
    rows = cells(tables["figure3-5-archives"])
    assert rows["Extracted Web content"] == (
        "extracted_content", "6", "title 1, metadata 0, text 6, text_bytes 6, declared_language 1, declared_encoding 3",
    )  # fmt: skip
    assert rows["GeoIP"][0] == "geoip" and len(rows) == 7


def test_the_demo_crawl_is_said_to_be_made(data: Path, censuses: Any) -> None:
    crawl = cai_census.demo_crawl()
    assert all(Path(name).exists() for name in (*crawl.inputs, crawl.geo))
    assert "synthetic" in crawl.note
    assert all(table.generated == crawl.generated for table in cai_census.census_tables(crawl, censuses))
    assert not any(table.generated for table in cai_census.census_tables(cai_census.archive_crawl(data), censuses))


def test_both_crawls_are_run_and_only_real_pages_compared(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = replace(cai_census.archive_crawl(data), name="made")
    monkeypatch.setattr(cai_census, "demo_crawl", lambda: small)
    results = list(cai_census.run(data))
    claims = [result.text for result in results if isinstance(result, Claim)]
    assert not any("made" in text for text in claims) and len(claims) == 6
    assert len([result for result in results if isinstance(result, Table)]) == 2 * len(IDS)


def test_without_archives_the_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        cai_census.archive_crawl(tmp_path)
    assert caught.value.filename == str(tmp_path / "warc")


def test_without_the_demo_crawl_its_tables_are_exempt(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webtongue.lab.papers.common.EXAMPLES", tmp_path)
    results = list(cai_census.run(data))
    exempt = [result for result in results if isinstance(result, Exempt)]
    assert [result.reproduces for result in exempt] == [("tables of the demo crawl",)] and "clone" in exempt[0].reason
    assert [result.id for result in results if isinstance(result, Table)] == IDS
