"""Cai's chapter 5 on small archives made here: every table is there, its figures are right, and its comparisons can fail."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.census.making import response, warc
from tests.census.test_methods import CHINESE, ENGLISH, HTML, LOST, SHORT
from webtongue.cli.reproduce import _loaded
from webtongue.evaluate.tables import Claim, Table

KOREAN = "도서관은 매일 아침 아홉 시부터 저녁 여섯 시까지 열려 있습니다. 아이들은 부모와 함께 와서 책을 세 권씩 빌릴 수 있습니다."
GERMAN = "Die Bücherei ist jeden Tag von neun Uhr morgens bis sechs Uhr abends geöffnet, und Kinder dürfen drei Bücher leihen."
IDS = [
    "figure5-1-archives", "table5-2-archives", "unknown-archives", "table5-3-archives", "figure5-3-archives", "table5-4-archives",
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
def module() -> ModuleType:
    return _loaded("cai_census")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    (folder / "warc" / "tool").mkdir(parents=True)
    (folder / "warc" / "README.md").write_text("no archive")
    for name in ("one.warc.gz", "same.warc.gz"):
        (folder / "warc" / "tool" / name).write_bytes(archive())
    return folder


@pytest.fixture(scope="module")
def taken(module: ModuleType, data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with ExitStack() as stack:
        yield module.censuses(module.archives(data), tmp_path_factory.mktemp("out"), stack)


@pytest.fixture(scope="module")
def tables(module: ModuleType, data: Path, taken: Any) -> dict[str, Table]:
    return {table.id: table for table in module.tables(module.archives(data), taken)}


@pytest.fixture(scope="module")
def claims(taken: Any) -> list[Claim]:
    return list(_loaded("cai_comparisons").comparisons(taken.stores))


def cells(table: Table) -> dict[str, tuple[Any, ...]]:
    return {str(row[0]): row[1:] for row in table.rows}


def test_every_table_and_figure_is_there(tables: dict[str, Table]) -> None:
    assert list(tables) == IDS, "no second country and language where no country is known"
    assert all("2 archives" in table.note and "a sample of nothing" in table.note for table in tables.values())


def test_coverage_of_each_approach(tables: dict[str, Table]) -> None:
    found = cells(tables["figure5-1-archives"])
    portals, pages = (pytest.approx(100 / 6), pytest.approx(100 / 8))
    assert found["language declaration"] == (10.01, portals, pages, pages)
    assert found["encoding declaration"] == (
        12.56,
        pytest.approx(200 / 6),
        pytest.approx(200 / 8),
        pytest.approx(200 / 8),
    )
    assert found["all together"][1:3] == (pytest.approx(400 / 6), pytest.approx(600 / 8)), (
        "all but the short and the lost one"
    )


def test_charsets_by_language(tables: dict[str, Table]) -> None:
    found = cells(tables["table5-2-archives"])
    assert found["Chinese"] == (92.55, 100.0, 50.0, 50.0), "the page in UTF-8 is no portal, and names no language"
    assert found["Korean"] == (95.91, 100.0, 100.0, 100.0)
    assert found["English"] == (0.37, 0.0, 0.0, 0.0)
    assert found["Turkish"] == (99.06, None, None, None), "no page is no share"
    assert tables["table5-2-archives"].of == ("table 5-2", "figure 5-2")


def test_unknown_pages_by_reason(tables: dict[str, Table]) -> None:
    found = cells(tables["unknown-archives"])
    assert found["pages unknown"][:3] == (25.18, pytest.approx(200 / 6), pytest.approx(200 / 8))
    assert found["of them: 1. too little text"][:3] == (22.0, 50.0, 50.0)
    assert found["of them: 4. improperly received"][1:3] == (50.0, 50.0)


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


def test_countries_that_are_known(module: ModuleType, data: Path, tmp_path: Path) -> None:
    """With a table of addresses there are a country with most pages and a language of it; Canada is always there."""
    from tests.hints.mmdb import mmdb

    geo = tmp_path / "geo.mmdb"
    networks = {"192.0.2.1/32": "HK", "192.0.2.4/32": "CA", "192.0.2.2/32": "KR"}
    geo.write_bytes(mmdb({network: {"country_code": code} for network, code in networks.items()}))
    crawl = replace(module.archives(data), geo=str(geo))
    with ExitStack() as stack:
        taken = module.censuses(crawl, tmp_path, stack)
        found = {table.id: table for table in module.tables(crawl, taken)}
    assert cells(found["table5-5-CA-archives"])["German"] == (0.13, 100.0, 100.0, 100.0)
    assert cells(found["table5-5-HK-archives"]) == {"Chinese": (100.0, 100.0, 100.0)}
    assert found["table5-5-HK-archives"].columns[1].startswith("portals"), "the thesis has no such table"
    assert cells(found["table5-6-zho-archives"])["Hong Kong"] == (3.27, 100.0, 100.0, 100.0)
    assert cells(found["table5-6-deu-archives"]) == {"Canada": (100.0, 100.0, 100.0)}
    assert [row[4] for row in found["figure5-3-archives"].rows] == [0, 0, 0, 0, 0, 3]


def test_comparisons_count_a_page_once(claims: list[Claim]) -> None:
    covers, charsets, priorities = claims
    assert covers.figures.endswith("of 8 pages"), "both archives hold the same"
    assert charsets.holds
    assert charsets.figures == "Chinese, Japanese and Korean 2 of 3, English 0 of 2"
    assert "encoding declaration 2 of 2, language declaration 1 of 1" in priorities.figures


def test_comparisons_can_fail(taken: Any) -> None:
    """The same with the pages of another census in the place of one: what the claims say follows from the pages."""
    comparisons = _loaded("cai_comparisons")
    stores = dict(taken.stores)
    covers, *_ = comparisons.comparisons(stores | {"text": stores["parallel"]})
    assert not covers.holds, "nothing is added to a text that covers all"
    english, chinese = comparisons.Seen("eng", "und"), comparisons.Seen("zho", "zho")
    pages = {name: [english, english] for name in ("language", "text", comparisons.TEXT_ALONE)}
    assert not comparisons.priorities(pages | {"encoding": [english, chinese]}).holds, "a charset that was false once"
    assert comparisons.priorities(pages | {"encoding": [english, english]}).holds
    assert not comparisons.charsets([comparisons.Seen("eng", "eng"), comparisons.Seen("zho", "und")]).holds
    assert not comparisons.charsets([]).holds
    assert not comparisons.manners("x", {"serial": stores["parallel"], "parallel": stores["webtongue"]}).holds
    assert comparisons.manners("x", stores).holds


def test_the_demo_crawl_is_said_to_be_made(module: ModuleType, data: Path, taken: Any) -> None:
    crawl = module.made()
    assert all(Path(name).exists() for name in (*crawl.inputs, crawl.geo))
    assert "of our own making" in crawl.note
    assert all(table.generated == crawl.generated for table in module.tables(crawl, taken))
    assert not any(table.generated for table in module.tables(module.archives(data), taken))


def test_both_crawls_are_run_and_only_real_pages_compared(
    module: ModuleType, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(module.archives(data), name="made")
    monkeypatch.setattr(module, "made", lambda: small)
    found = list(module.run(data))
    claims = [one.text for one in found if isinstance(one, Claim)]
    assert [text for text in claims if "made" in text] == [
        "the serial and the parallel manner answer alike, on the made crawl"
    ]
    assert len(claims) == 5
    assert len([one for one in found if isinstance(one, Table)]) == 2 * len(IDS)


def test_without_archives_the_folder_is_named(module: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        module.archives(tmp_path)
    assert caught.value.filename == str(tmp_path / "warc")
