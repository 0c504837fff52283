"""The report as a document: what it says, that nothing in it can act, and that it stays small."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.census.report_tables import HOSTILE, Made, tables
from tests.census.synthetic_rows import write as write_census
from tests.cli.running import run
from webtongue.census.report import NEEDED, render_page, report, views
from webtongue.census.report.formats import format_share, name_declaration
from webtongue.census.report.matrices import Matrix, fill_matrix
from webtongue.census.report.places import COUNT_BOUNDS, choose_bounds, mapped_countries, read_world
from webtongue.files import DATA, read_rows

LARGEST = 2_000_000  # bytes of a report
FIGURES = 10
LARGEST_WORLD = 120_000
ABOUT = {
    "webtongue": "0.1.0",
    "model": "a1b2",
    "finished": "2026-05-31",
    "config": {"crawl": "MAY-2026"},
    "attribution": "IP Geolocation by DB-IP (https://db-ip.com)",
}
VOID = {"meta", "link", "img", "br"}


class Document(HTMLParser):
    """A page taken apart: its scripts and styles, its text, its links, and whether its elements close as they should."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.raw: dict[str, list[str]] = {"script": [], "style": []}
        self.words: list[str] = []
        self.policy = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        result = dict(attrs)
        self.elements.append((tag, result))
        if tag in self.raw:
            self.raw[tag].append("")
        if tag == "meta" and result.get("http-equiv") == "Content-Security-Policy":
            self.policy = result["content"] or ""
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in self.raw:
            self.raw[self.open[-1]][-1] += data
        else:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    @property
    def data(self) -> dict[str, Any]:
        """What the scripts read."""
        result: dict[str, Any] = json.loads(self.raw["script"][0])
        return result

    def attributes(self, name: str) -> list[str]:
        return [result[name] or "" for _, result in self.elements if name in result]


@pytest.fixture(scope="module")
def whole() -> Document:
    return Document(render_page(tables(), ABOUT))


def test_every_section_is_there(whole: Document) -> None:
    assert not whole.open
    sections = [result["id"] for tag, result in whole.elements if tag == "section"]
    assert sections == [
        "languages", "language", "country", "both", "servers", "encodings", "declared", "mixed", "unknown", "evidence",
        "crawl", "methods",
    ]  # fmt: skip
    linked = {target.removeprefix("#") for target in whole.attributes("href") if target.startswith("#")}
    assert set(sections) < linked | {"main"}


def test_figures_are_numbered_and_each_has_its_words_and_its_table(whole: Document) -> None:
    figures = [result["id"] for tag, result in whole.elements if tag == "figure"]
    assert len(figures) == len(set(figures)) == len(whole.data["figures"]) == FIGURES
    assert re.findall(r"Figure (\d+)", whole.text) == [str(number) for number in range(1, FIGURES + 1)]
    charts = [result for tag, result in whole.elements if result.get("role") == "img"]
    assert charts and all(result["aria-label"] for result in charts)
    assert whole.text.count("Numbers of this chart as a table") == FIGURES


def test_what_is_said_comes_from_the_tables(whole: Document) -> None:
    made = tables()
    servers = made["servers_by_country"]
    total = sum(row[2] for row in servers.rows)
    unknown = next(row[2] for row in servers.rows if not row[0])
    assert f"{total:,} servers" in whole.text
    assert (
        f"Not on the map: {unknown:,} servers ({format_share(unknown / total, total)}) of unknown country."
        in whole.text
    )
    first = made["pages_by_language"].rows[0]
    pages = sum(row[4] for row in made["pages_by_language"].rows)
    assert first[2] == "English" and f"English {format_share(first[4] / pages, pages)}" in whole.text
    assert "83.0% of the answers are reliable" in whole.text
    assert "The languages of MAY-2026" in whole.text


def test_the_first_screen_says_what_was_found() -> None:
    made = tables()
    summary = Made(("what", "value"), [("first_fetch", "2026-05-01 10:00:00"), ("last_fetch", "2026-05-31 01:00:00")])
    text = Document(render_page({**made, "summary": summary}, ABOUT)).text
    pages = sum(row[4] for row in made["pages_by_language"].rows)
    largest = [
        f"{row[2]} {format_share(row[4] / pages, pages)}" for row in made["pages_by_language"].rows if row[0] != "und"
    ][:3]
    first = text.index(f"has {pages:,} pages in ")
    assert first < text.index("What pages are written in")
    assert "MAY-2026, fetched from 2026-05-01 to 2026-05-31, has" in text
    assert f"{largest[0]}, {largest[1]} and {largest[2]} are the largest" in text


def test_pages_in_ascii_or_an_unknown_encoding_are_not_outside_utf8() -> None:
    rows = [
        ("isl_Latn", "Icelandic", encoding, pages, pages / 100)
        for encoding, pages in (("utf-8", 40), ("ascii", 25), ("", 20), ("windows-1252", 15))
    ]
    different = [("utf-8", "ascii", 25), ("utf-8", "", 20), ("utf-8", "windows-1252", 15)]
    made = {
        "encodings_by_language": Made(("label", "name", "encoding", "pages", "share"), rows),
        "declared_encodings": Made(("declared", "found", "pages"), different),
    }
    text = Document(render_page({**tables(), **made}, ABOUT)).text
    assert "19% of the pages with a known encoding are in another encoding than UTF-8." in text  # 15 of 80
    assert "Declared Detected Pages utf-8 windows-1252 15 Link" in " ".join(text.split())


def test_a_matrix_keeps_what_is_filled() -> None:
    """Nine full cells in a corner of an otherwise nearly empty matrix of twenty by twenty."""
    rows = {f"r{i}": {f"c{j}": 1 for j in range(20) if (i < 3 and j < 3) or i == j} for i in range(20)}
    part = fill_matrix(Matrix("Row", rows, [(f"c{j}", f"Column {j}") for j in range(20)], lambda *_: 1))
    assert part is not None and part.filled >= 0.4
    assert {"r0", "r1", "r2"} <= part.rows.keys() and len(part.rows) < 8
    diagonal = {f"r{i}": {f"c{i}": 1} for i in range(20)}
    assert fill_matrix(Matrix("Row", diagonal, [(f"c{j}", "") for j in range(20)], lambda *_: 1)) is None


@pytest.mark.parametrize(
    ("declaration", "name"),
    [
        ("fr", "French (fr)"),
        ("xx-nothing", "“xx-nothing”"),
        ("zh-Hant", "Chinese (Traditional) (zh-Hant)"),
        ("fra_Latn", "French"),
    ],
)
def test_declarations_are_named_on_axes(declaration: str, name: str) -> None:
    assert name_declaration(declaration) == name


def test_bars_have_intervals_raw_and_corrected(whole: Document) -> None:
    rows_ = whole.data["figures"]["languages"]["rows"]
    assert len([row for row in rows_ if "special" not in row]) == 20
    assert {row["name"] for row in rows_ if row.get("special")} == {"Undetermined", "No linguistic content"}
    for row in rows_:
        assert row["low"] <= row["value"] <= row["high"]
        assert row["corrected_low"] <= row["corrected"] <= row["corrected_high"]


def test_languages_known_from_scripture_stand_apart(whole: Document) -> None:
    assert "Languages known from scripture alone" in whole.text
    made = {name: table for name, table in tables().items() if name != "pages_by_language"}
    counted = tables()["pages_by_language"]
    made["pages_by_language"] = Made(counted.columns, [(*row[:3], min(row[3], 2), *row[4:]) for row in counted.rows])
    assert "Languages known from scripture alone" not in Document(render_page(made, ABOUT)).text


def test_only_its_own_scripts_and_style_may_run(whole: Document) -> None:
    def allowed(content: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"

    directives = dict(part.strip().split(" ", 1) for part in whole.policy.split(";"))
    assert directives["default-src"] == "'none'" and directives["base-uri"] == directives["form-action"] == "'none'"
    assert directives["script-src"].split() == [allowed(code) for code in whole.raw["script"][1:]]
    assert directives["style-src"].split() == [allowed(style) for style in whole.raw["style"]]
    assert "unsafe" not in whole.policy and "http" not in whole.policy
    kinds = [result.get("type") for tag, result in whole.elements if tag == "script"]
    assert kinds == ["application/json", None, None, None]


def test_nothing_is_fetched_from_anywhere(whole: Document) -> None:
    assert not whole.attributes("src") and not whole.attributes("style") and not whole.attributes("srcset")
    assert [link for link in whole.attributes("href") if not link.startswith("#")] == ["data:,", "https://db-ip.com"]
    assert not [name for _, result in whole.elements for name in result if name.startswith("on")]
    assert "url(" not in whole.raw["style"][0] and "@import" not in whole.raw["style"][0]


def test_hostile_text_is_text(whole: Document) -> None:
    document = Document(render_page(tables(hostile=True), {**ABOUT, "title": HOSTILE, "model": HOSTILE}))
    assert not document.open
    assert len(document.raw["script"]) == 4 and "img" not in {tag for tag, _ in document.elements}
    assert HOSTILE in document.text
    names = {language["name"] for language in document.data["pairs"]["languages"]}
    assert any(HOSTILE[:40] in name for name in names)
    assert whole.raw["script"][1:] == document.raw["script"][1:]  # so are the hashes


@pytest.mark.parametrize("said", ["javascript:alert(1)", "see <a href=x>", 'https://x.example/" onclick="alert(1)'])
def test_credit_is_linked_only_where_it_is_an_address(said: str) -> None:
    document = Document(render_page({}, {"attribution": said}))
    assert said in document.text.replace(" )", ")") or said.split('"')[0] in document.text
    links = [link for link in document.attributes("href") if not link.startswith(("#", "data:,"))]
    assert all(re.fullmatch(r"https://[a-z.]+/", link) for link in links)
    assert not document.attributes("onclick")


def test_unusual_characters_are_accepted() -> None:
    made = Made(("label", "language", "name", "tier", "pages", "share", "low", "high"), [
        ("a\ud800b", "x", "nul\0 \u202e turned \ud800", 1, 3, 0.3, math.nan, math.inf),
        ("eng_Latn", "en", "English", 1, 7, 0.7, 0.6, 0.8),
    ])  # fmt: skip
    document = Document(render_page({"pages_by_language": made}, ABOUT))
    assert "nul turned ?" in document.text and "\0" not in document.text and "\u202e" not in document.text
    assert [row["name"] for row in document.data["figures"]["languages"]["rows"]] == ["English", "nul turned ?"]


def test_rows_of_one_name_are_told_apart() -> None:
    columns = ("label", "language", "name", "tier", "pages", "share", "low", "high")
    made = Made(columns, [(f"l{i}", "x", "Same", 1, 9 - i, 0.5, 0.4, 0.6) for i in range(2)])
    result = Document(render_page({"pages_by_language": made}, ABOUT)).data["figures"]["languages"]["rows"]
    assert [row["name"] for row in result] == ["Same", "Same (l1)"]


@pytest.mark.parametrize("missing", NEEDED)
def test_a_missing_or_empty_table_is_a_section_less(missing: str) -> None:
    made = tables(1e-5)
    without = Document(render_page({name: table for name, table in made.items() if name != missing}, ABOUT))
    empty = Document(render_page({**made, missing: Made(made[missing].columns if missing in made else (), [])}, ABOUT))
    assert not without.open and not empty.open
    assert without.data["figures"].keys() == empty.data["figures"].keys()


def test_an_empty_census_says_so() -> None:
    document = Document(render_page({}, {}))
    assert "This census has no rows yet." in document.text
    assert document.data["figures"] == {} and "world" not in document.data


def test_a_census_without_countries_has_no_map() -> None:
    made = tables()
    servers, both = made["servers_by_country"], made["languages_of_country"]
    made["servers_by_country"] = Made(servers.columns, [("ZZ", "Unknown country", 12, 1.0)])
    made["languages_of_country"] = Made(both.columns, [("ZZ", "Unknown country", *row[2:]) for row in both.rows])
    document = Document(render_page(made, ABOUT))
    assert "The countries of 12 servers are unknown" in document.text
    assert not {"servers", "language", "country", "both"} & document.data["figures"].keys()


def test_a_large_census_makes_a_small_page() -> None:
    made = tables(100.0, hostile=True)
    codes = sorted(mapped_countries())
    pairs = [
        (code, f"Country of {code}", f"q{a}{b}_Latn", f"A rather long name of language {a}{b}", 10**9 - i, 0.5)
        for i, code in enumerate(codes)
        for a in "abcdefghijklmnopqrstuvwxyz"
        for b in "abcdefghijklmnopqrst"
    ]
    many = [(f"x-{i} {'long ' * 60}", "eng_Latn", "English", 10**6 - i, 1) for i in range(10_000)]
    made["languages_of_country"] = Made(made["languages_of_country"].columns, pairs)
    made["declared_against_found"] = Made(made["declared_against_found"].columns, many)
    html = render_page(made, ABOUT)
    assert len(html.encode()) < LARGEST
    document = Document(html)
    left_out = len(pairs) - sum(len(flat) // 2 for flat in document.data["pairs"]["pages"])
    assert left_out > 100_000 and f"The {left_out:,} smallest pairs" in document.text
    assert sum(country["pages"] for country in document.data["pairs"]["countries"]) == sum(row[4] for row in pairs)


def test_settings_that_change_what_is_counted_are_told() -> None:
    plain = Document(render_page(tables(), ABOUT)).text
    told = Document(
        render_page(tables(), {**ABOUT, "config": {"portal": True, "sample": 0.01, "languages": ["is", "fo"]}})
    ).text
    for sentence in ("one home page is counted", "1.00% of them", "limited to these languages: is, fo"):
        assert sentence in told and sentence not in plain


@pytest.mark.parametrize("value", [None, 7, "x", [1], {"a": {"b": "<i>"}}, 1.5, float("nan"), True])
def test_a_description_may_hold_anything(value: Any) -> None:
    plain = Document(render_page({}, {}))
    for name in ("title", "webtongue", "model", "finished", "attribution", "config"):
        assert len(Document(render_page({}, {name: value})).elements) - len(plain.elements) in range(3)
    settings = {name: value for name in ("crawl", "portal", "sample", "languages")}
    assert not Document(render_page({}, {"config": settings})).open


# The world.


def test_classes_reach_the_largest() -> None:
    for largest in [*range(1, 400), 999, 1000, 5000, 99_999, 10**5, 10**6, 11_854_755, 10**12]:
        result = choose_bounds([largest])
        assert len(result) == 6 and result == sorted(set(result)) and result[0] == 1
        assert result[-1] <= largest or result == list(COUNT_BOUNDS[0])
        assert largest < 100 * result[-1] or largest < COUNT_BOUNDS[-1][-1]


def test_the_world_is_small_and_whole() -> None:
    assert (DATA / "world.json").stat().st_size < LARGEST_WORLD
    shapes = read_world()["objects"]["countries"]["geometries"]
    arcs = read_world()["arcs"]
    used = [arc for shape in shapes for polygon in shape["arcs"] for ring in polygon for arc in ring]
    assert {arc if arc >= 0 else ~arc for arc in used} == set(range(len(arcs)))
    ends = {number: _ends(arc) for number, arc in enumerate(arcs)}
    for shape in shapes:
        for polygon in shape["arcs"]:
            for ring in polygon:
                walked = [ends[arc] if arc >= 0 else ends[~arc][::-1] for arc in ring]
                assert all(a[1] == b[0] for a, b in zip(walked, walked[1:] + walked[:1], strict=True)), shape["id"]


def _ends(arc: list[list[int]]) -> tuple[tuple[int, int], tuple[int, int]]:
    return (arc[0][0], arc[0][1]), (sum(step[0] for step in arc), sum(step[1] for step in arc))


def test_small_states_are_points() -> None:
    points = read_world()["points"]
    assert {"SG", "MT", "HK", "MO", "LI", "MC", "SM", "VA", "BH", "MV"} <= points.keys()
    assert not points.keys() & {shape["id"] for shape in read_world()["objects"]["countries"]["geometries"]}
    longitude, latitude = points["SG"]
    assert abs(longitude - 103.8) < 0.2 and abs(latitude - 1.35) < 0.2
    nowhere = {country for country, *_ in read_rows("countries.tsv")} - mapped_countries()
    assert nowhere == {"AC", "AQ", "CP", "CQ", "DG", "EA", "IC", "TA"}  # no countries of ISO 3166, but for Antarctica


# A census on disk.


@pytest.fixture(scope="module")
def census(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_census(tmp_path_factory.mktemp("census") / "OUT", 4000)


def test_a_report_of_a_census(census: Path) -> None:
    document = Document(report(census, title="Four thousand captures"))
    assert not document.open
    assert "Four thousand captures" in document.text and "4,000 captures" in document.text.replace(
        "captures 4,000", "4,000 captures"
    )
    assert len(document.data["figures"]) == FIGURES + 2  # the matrices of encodings and declarations
    assert "made for tests" in document.text
    shares = [row["value"] for row in document.data["figures"]["languages"]["rows"]]
    assert shares and all(0 < share < 1 for share in shares)


def test_the_order_of_the_table_is_not_claimed_for_the_figure(census: Path) -> None:
    text = Document(report(census)).text
    assert "come first" not in text and "Reliable is the number of pages with a reliable answer" in text


def test_corrections_that_round_to_the_counted_share_are_not_listed() -> None:
    for pages, listed in ((42, "Danish 0.42% to 0.44%"), (4, "")):
        row = {"name": "Danish", "pages": pages, "share": 0.0042, "low": 0.004, "high": 0.0043, "corrected": 0.0044}
        assert views._list_corrected([row]) == listed


def test_shares_of_few_pages_have_no_decimals(tmp_path: Path) -> None:
    """Neither sentences nor tables nor the data of bars claim more than the number of pages supports."""
    for size, pattern in ((60, r"\d\.\d+%"), (600, r"\d\.\d\d+%")):
        document = Document(report(write_census(tmp_path / str(size), size)))
        shares = re.findall(r"[<>]?[\d.]+%", document.text.rpartition("Methods and limits")[0])
        assert len(shares) > 40 and not [share for share in shares if re.fullmatch(f".*{pattern}", share)]
        assert document.data["decimals"] == [100, 1000]


def test_the_command_writes_it(census: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    done = run("report", str(census), "-o", str(path))
    assert done.code == 0 and "opens in any browser" in done.err
    assert not Document(path.read_text("utf-8")).open
    again = run("report", str(census), "-o", str(path))
    assert again.code == 2 and "--force" in again.err
    assert run("report", str(census), "-o", str(path), "--force", "--title", "Anew").code == 0
    assert "<title>Anew</title>" in path.read_text("utf-8")
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_the_command_prints_it(census: Path) -> None:
    done = run("report", str(census), "-o", "-")
    assert done.code == 0 and done.out.startswith("<!doctype html>")
    assert not (census / "report.html").exists()


def test_the_command_refuses_what_is_no_census(tmp_path: Path) -> None:
    done = run("report", str(tmp_path))
    assert done.code == 2 and "webtongue census" in done.err


def test_a_damaged_description_is_told(census: Path) -> None:
    kept = (census / "census.json").read_text("utf-8")
    try:
        (census / "census.json").write_text("{", "utf-8")
        done = run("report", str(census), "-o", "-")
        assert done.code == 2 and "census.json is damaged" in done.err
    finally:
        (census / "census.json").write_text(kept, "utf-8")
