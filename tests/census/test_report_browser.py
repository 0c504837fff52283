"""The report in a real Chromium: charts are drawn, pickers redraw them, and nothing acts or leaves."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.browser import PATIENCE, browser
from tests.census.report_tables import HOSTILE, tables
from webtongue.census.report import render_page as report_page
from webtongue.census.report.formats import format_count, format_share

NO_LANGUAGE = {"Others", "Undetermined", "No linguistic content"}  # names that are the report's own
PHONE, TABLET, DESK = 360, 800, 1400
ABOUT = {"attribution": "IP Geolocation by DB-IP (https://db-ip.com)", "config": {"crawl": "MAY-2026"}}
__all__ = ["browser"]  # a fixture
VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));
"""


@dataclass
class Opened:
    """A report that is open, and what it did meanwhile."""

    page: Any
    url: str
    said: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def ask(self, code: str, *arguments: Any) -> Any:
        return self.page.evaluate(code, *arguments)

    def drawn(self) -> str:
        self.page.wait_for_selector("html[data-drawn]", state="attached", timeout=PATIENCE)
        result: str = self.ask("document.documentElement.dataset.drawn")
        return result

    def pick(self, figure: str, name: str) -> None:
        """Choose, and wait until the sentence says so and the bars are drawn again."""
        self.page.select_option(f"[data-pick={figure}]", label=name, timeout=PATIENCE)
        self.page.wait_for_function(
            "([figure, name]) => document.querySelector(`[data-said=${figure}]`).textContent.startsWith(name + ':')",
            arg=[figure, name],
            timeout=PATIENCE,
        )
        self.ask("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def texts(self, selector: str) -> list[str]:
        result: list[str] = self.ask(
            "(selector) => [...document.querySelectorAll(selector)].map((e) => e.textContent)", selector
        )
        return result

    def bars(self, figure: str) -> list[str]:
        """All that stands in the bars of a figure: names, shares, ticks."""
        return self.texts(f"[data-bars={figure}] svg text")

    def names(self, figure: str) -> list[str]:
        """Of the bars, from the top."""
        result: list[str] = self.ask(
            """(figure) => [...document.querySelectorAll(`[data-bars=${figure}] svg .role-axis-label text`)]
                .map((e) => [e.getBoundingClientRect(), e.textContent])
                .filter(([, text]) => !/^[0-9.]+%$/.test(text))
                .sort(([a], [b]) => a.top - b.top).map(([, text]) => text)""",
            figure,
        )
        return result

    def fills(self, figure: str) -> dict[str, int]:
        """Shapes and points of a map by their shade."""
        result: dict[str, int] = self.ask(
            """(figure) => {
                const counts = {};
                for (const path of document.querySelectorAll(`[data-map=${figure}] svg path[fill^="var(--c"]`)) {
                    const fill = path.getAttribute("fill");
                    counts[fill] = (counts[fill] ?? 0) + 1;
                }
                return counts;
            }""",
            figure,
        )
        return result


def opened(browser: Any, path: Path, width: int = DESK, scheme: str = "light", **settings: Any) -> Opened:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, **settings)
    context.set_default_timeout(PATIENCE)
    context.add_init_script(VIOLATIONS)
    result = Opened(context.new_page(), path.as_uri())
    result.page.on("console", lambda message: result.said.append(f"{message.type}: {message.text}"))
    result.page.on("pageerror", lambda error: result.said.append(f"error: {error}"))
    result.page.on("request", lambda request: result.requests.append(request.url))
    result.page.goto(result.url, timeout=PATIENCE)
    return result


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Reports: of a plain census, of one full of hostile text, and one that somebody put a script into."""
    folder = tmp_path_factory.mktemp("reports")
    plain = report_page(tables(), ABOUT)
    pages = {
        "plain": plain,
        "hostile": report_page(tables(hostile=True), {**ABOUT, "title": HOSTILE, "attribution": HOSTILE}),
        "tampered": plain.replace(
            "<main", "<script>document.title='taken'</script><img src='https://x.invalid/'><main", 1
        ),
        "empty": report_page({}, {}),
    }
    for name, html in pages.items():
        (folder / f"{name}.html").write_text(html, "utf-8")
    return {name: folder / f"{name}.html" for name in pages}


@pytest.fixture(scope="module")
def report(browser: Any, files: dict[str, Path]) -> Iterator[Opened]:
    result = opened(browser, files["plain"])
    assert result.drawn() == "all"
    yield result
    result.page.context.close()


def test_every_chart_is_drawn(report: Opened) -> None:
    empty = report.ask(
        """[...document.querySelectorAll("[data-map], [data-bars], [data-cells]")]
            .filter((e) => !e.hidden && e.querySelectorAll("svg path").length < 3)
            .map((e) => JSON.stringify(e.dataset))"""
    )
    assert empty == []
    places = report.ask("document.querySelectorAll('[data-map], [data-bars], [data-cells]').length")
    assert len(report.texts("svg")) == places >= 11
    cells = report.ask("JSON.parse(document.getElementById('data').textContent).figures.both.cells")
    assert {row for row, *_ in cells} | {column for _, column, *_ in cells} == set(
        report.texts("[data-cells=both] svg text")
    )
    assert all(pages > 0 for *_, pages in cells)


def test_nothing_went_wrong_and_nothing_left_the_page(report: Opened) -> None:
    assert report.said == []
    assert report.ask("window.violations") == []
    assert report.requests == [report.url]


def test_a_script_that_is_not_ours_does_not_run(browser: Any, files: dict[str, Path]) -> None:
    result = opened(browser, files["tampered"])
    assert result.drawn() == "all"
    assert result.page.title() == "The languages of MAY-2026"
    assert set(result.ask("window.violations")) == {"script-src-elem", "img-src"}
    assert any("Content Security Policy" in line for line in result.said)
    result.page.context.close()


def test_hostile_text_is_shown_and_does_nothing(browser: Any, files: dict[str, Path]) -> None:
    result = opened(browser, files["hostile"])
    assert result.drawn() == "all"
    assert result.page.title() == HOSTILE
    name = next(name for name in result.texts("[data-pick=language] option") if name.startswith("</script>"))
    result.pick("language", name)
    assert name in result.texts("[data-said=language]")[0]
    result.page.hover("[data-bars=language] svg path[fill='var(--bar)']")
    assert result.texts("#vg-tooltip-element")
    assert result.ask("document.querySelectorAll('img, script:not([type])').length") == 3  # our own scripts
    assert result.said == [] and result.ask("window.violations") == [] and result.requests == [result.url]
    result.page.context.close()


def test_servers_are_shaded_in_six_classes_with_small_states_as_points(report: Opened) -> None:
    fills = report.fills("servers")
    assert {f"var(--c{shade})" for shade in range(1, 7)} <= fills.keys()
    circles = report.ask(
        "document.querySelectorAll('[data-map=servers] svg .mark-symbol path').length",
    )
    assert circles > 40  # Singapore, Malta, Hong Kong and the like
    assert len(report.texts("[data-shades=servers] li")) == 6


BARS = """(figure) => {
    const middle = (e) => { const box = e.getBoundingClientRect(); return (box.top + box.bottom) / 2; };
    const all = (selector) => [...document.querySelectorAll(`[data-bars=${figure}] svg ${selector}`)];
    const names = all(".role-axis-label text").filter((e) => !/^[0-9.]+%$/.test(e.textContent));
    const values = all(".mark-text text");
    return all(".mark-rect path").map((bar) => {
        const near = (some) => some.reduce((a, b) => Math.abs(middle(a) - middle(bar)) < Math.abs(middle(b) - middle(bar)) ? a : b);
        const box = bar.getBoundingClientRect();
        return { name: near(names).textContent, text: near(values).textContent, fill: bar.getAttribute("fill"),
                 left: box.left, top: box.top, length: box.width, gap: near(values).getBoundingClientRect().left - box.right };
    });
}"""


# The numbers behind the bars: those of the data, or the table of a picked subject.
VALUES = """(figure) => {
    const rows = JSON.parse(document.getElementById("data").textContent).figures[figure].rows;
    return rows ?? [...document.querySelectorAll(`[data-table=${figure}] tbody tr`)]
        .map((row) => ({ name: row.cells[0].textContent, pages: Number(row.cells[1].dataset.value), value: Number(row.cells[2].dataset.value) })).filter((row) => row.name !== "Others");
}"""


BAR_FIGURES = ("languages", "language", "country", "encodings", "legacy", "mixed", "evidence")


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_all_bars_of_a_figure_have_one_scale(browser: Any, files: dict[str, Path], width: int) -> None:
    """Lengths are proportional to values, bars begin at one line, and the value is written after the end."""
    result = opened(browser, files["plain"], width)
    assert result.drawn() == "all"
    for figure in BAR_FIGURES:
        bars = sorted(result.ask(BARS, figure), key=lambda bar: bar["top"])
        rows = result.ask(VALUES, figure)
        longest, largest = max(bar["length"] for bar in bars), max(row["value"] for row in rows)
        assert len(bars) == len(rows) >= 3
        for bar, row in zip(bars, rows, strict=True):
            assert row["name"].startswith(bar["name"].rstrip("…"))  # long names are cut
            assert bar["text"] == format_share(row["value"], round(row["pages"] / row["value"]))
            assert bar["length"] == pytest.approx(longest * row["value"] / largest, abs=1.5)
            assert bar["left"] == pytest.approx(bars[0]["left"], abs=1)
            assert 0 < bar["gap"] < 40
    result.page.context.close()


def test_tables_sort_and_search(report: Opened) -> None:
    report.ask("document.querySelectorAll('#figure-languages details').forEach((e) => (e.open = true))")
    column = "[...document.querySelectorAll('#figure-languages tbody tr')].filter((r) => !r.hidden).map((r) => r.cells[{}].textContent)"
    before = report.ask(column.format(0))
    report.page.click("#figure-languages thead button:text-is('Language')")
    names = report.ask(column.format(0))
    assert sorted(names) == sorted(before) and names != before and names[0][0] == "A"
    report.page.click("#figure-languages thead button:text-is('Pages')")
    pages = [int(text.replace(",", "")) for text in report.ask(column.format(3))]
    assert pages == sorted(pages, reverse=True) and len(pages) > 50
    report.page.fill("#figure-languages input[type=search]", "span latn")
    assert report.ask(column.format(0)) == ["Spanish"]
    report.page.fill("#figure-languages input[type=search]", "")
    assert len(report.ask(column.format(0))) == len(pages)
    assert report.said == []


@pytest.mark.parametrize("figure", ["language", "both"])
def test_figures_are_saved(browser: Any, files: dict[str, Path], figure: str, tmp_path: Path) -> None:
    report = opened(browser, files["plain"])  # Chromium limits the downloads of a page.
    assert report.drawn() == "all"
    for suffix in ("csv", "svg", "png"):
        with report.page.expect_download(timeout=PATIENCE) as saved:
            report.page.click(f"#figure-{figure} .tools button:text-is('{suffix.upper()}')")
        assert saved.value.suggested_filename == f"figure-{figure}.{suffix}"
        saved.value.save_as(tmp_path / suffix)
    rows = list(csv.reader((tmp_path / "csv").read_text("utf-8").splitlines()))
    assert len(rows) > 3 and len({len(row) for row in rows}) == 1
    assert all(float(row[-1] or 0) >= 0 for row in rows[1:])  # exact numbers, not percentages
    picture = ElementTree.parse(tmp_path / "svg").getroot()
    assert picture.tag.endswith("svg") and len(list(picture.iter())) > 20
    assert "var(--" not in (tmp_path / "svg").read_text("utf-8")
    assert (tmp_path / "png").read_bytes().startswith(b"\x89PNG") and (tmp_path / "png").stat().st_size > 5000
    assert report.said == [] and report.ask("window.violations") == []
    report.page.context.close()


def test_a_saved_table_has_no_formulas(browser: Any, files: dict[str, Path], tmp_path: Path) -> None:
    result = opened(browser, files["plain"])
    assert result.drawn() == "all"
    result.ask("document.querySelector('#figure-languages tbody th').textContent = '=1+\"1\"'")
    with result.page.expect_download(timeout=PATIENCE) as saved:
        result.page.click("#figure-languages .tools button:text-is('CSV')")
    saved.value.save_as(tmp_path / "csv")
    assert next(row for row in csv.reader((tmp_path / "csv").open(encoding="utf-8")) if "1+" in row[0])[0] == '\'=1+"1"'
    result.page.context.close()


def test_a_link_to_a_table_opens_it(report: Opened) -> None:
    report.ask("location.hash = '#table-scripture'")
    report.page.wait_for_selector("#table-scripture[open] table", timeout=PATIENCE)


def test_bars_without_a_language_are_muted_and_last(report: Opened) -> None:
    bars = report.ask(BARS, "languages")
    assert report.names("languages")[0] == "English" and report.names("languages")[-2:] == [
        "Undetermined",
        "No linguistic content",
    ]
    assert {bar["name"] for bar in bars if bar["fill"] == "var(--muted)"} == {"Undetermined", "No linguistic content"}


def test_a_bar_has_one_interval(report: Opened) -> None:
    rules = report.ask("[...document.querySelectorAll('[data-bars=languages] svg .mark-rule.role-mark line')].length")
    assert rules == len(report.ask(BARS, "languages")) == 22


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_map_is_whole_centred_and_tall(browser: Any, files: dict[str, Path], width: int) -> None:
    result = opened(browser, files["plain"], width)
    assert result.drawn() == "all"
    frame, land = result.ask(
        """() => {
            const box = (e) => { const { left, right, top, bottom } = e.getBoundingClientRect(); return [left, right, top, bottom]; };
            const map = document.querySelector("[data-map=servers]");
            const shapes = [...map.querySelectorAll("svg .mark-shape path, svg .mark-symbol path")].map(box);
            const ends = [Math.min, Math.max, Math.min, Math.max].map((pick, at) => pick(...shapes.map((shape) => shape[at])));
            return [box(map), ends];
        }"""
    )
    left, right, top, bottom = (abs(a - b) for a, b in zip(frame, land, strict=True))
    assert land[0] > frame[0] and land[1] < frame[1] and land[2] > frame[2] and land[3] < frame[3]
    assert abs(left - right) < 0.06 * (frame[1] - frame[0]) and abs(top - bottom) < 12
    assert frame[3] - frame[2] > 220
    view = result.ask(
        "(() => { const e = document.querySelector('.world'); return [e.scrollLeft, e.scrollWidth - e.clientWidth]; })()"
    )
    assert view[0] == pytest.approx(view[1] / 2, abs=1)
    result.page.context.close()


def test_countries_have_names_on_hover(report: Opened) -> None:
    """Every shape has the name of its country, also where the language has no pages."""
    report.pick("language", "Icelandic")
    tips = report.ask(
        """[...document.querySelectorAll("[data-map=language] svg .mark-shape path")].map((e) => e.__data__.datum.tip)"""
    )
    assert "Country TD: no pages" in tips and any(tip.startswith("Iceland: ") for tip in tips)
    assert not [tip for tip in tips if tip[:2].isupper() and tip[2:3] == ":"]


def test_a_picked_language_redraws_map_bars_and_table(report: Opened) -> None:
    report.pick("language", "Spanish")
    before = report.fills("language"), report.bars("language"), report.texts("[data-table=language] tbody tr")
    assert any("Mexico" in text for text in before[1])
    report.pick("language", "Icelandic")
    after = report.fills("language"), report.bars("language"), report.texts("[data-table=language] tbody tr")
    assert all(a != b for a, b in zip(before, after, strict=True))
    assert "Iceland" in after[1] and not any("Mexico" in text for text in after[1])
    assert after[0]["var(--c0)"] > before[0]["var(--c0)"]  # more countries have none
    assert report.said == []


def test_a_picked_country_redraws_bars_and_table(report: Opened) -> None:
    report.pick("country", "Canada")
    canada = report.bars("country")
    assert "English" in canada and "French" in canada
    report.pick("country", "Japan")
    japan = report.bars("country")
    assert "Japanese" in japan and "French" not in japan
    assert "Share of people" in report.texts("[data-table=country] thead th")
    assert report.texts("[data-table=country] tbody th")[0] == "Japanese"


def test_bars_stay_in_order_whatever_was_picked_before(report: Opened) -> None:
    for figure, choices in {"country": ("India", "Canada"), "language": ("Spanish", "French")}.items():
        for choice in choices:
            report.pick(figure, choice)
            ranked = report.texts(f"[data-table={figure}] tbody th")
            names = report.names(figure)
            assert len(names) > 5 and names == [name for name in ranked if name in names]


def test_quick_choices_end_with_the_last(report: Opened) -> None:
    for name in ("Germany", "France", "Italy", "Spain"):
        report.page.select_option("[data-pick=country]", label=name)
    report.pick("country", "Poland")
    assert "Polish" in report.bars("country") and "Spanish" not in report.bars("country")


def test_numbers_are_written_as_python_writes_them(report: Opened) -> None:
    """The page and the report's own tables have one way to write numbers."""
    made = tables()["languages_of_country"]
    totals: dict[str, int] = {}
    for row in made.rows:
        totals[row[1]] = totals.get(row[1], 0) + row[4]
    for name in ("United States", "India", "Switzerland", "Singapore", "Iceland"):
        report.pick("country", name)
        lines = report.ask(
            "[...document.querySelectorAll('[data-table=country] tbody tr')].map((r) => [...r.cells].map((c) => c.textContent))"
        )
        shown = {line[0]: (line[1], line[2]) for line in lines if line[0] not in NO_LANGUAGE}
        expected = {
            row[3]: (format_count(row[4]), format_share(row[4] / totals[name], totals[name]))
            for row in made.rows
            if row[1] == name
        }
        assert len(shown) >= 3 and shown.items() <= expected.items()


@pytest.mark.parametrize("width", [PHONE, TABLET])
def test_narrow_pages_do_not_scroll_sideways(browser: Any, files: dict[str, Path], width: int) -> None:
    result = opened(browser, files["hostile"], width)
    assert result.drawn() == "all"
    result.ask("document.querySelectorAll('details').forEach((e) => (e.open = true))")
    assert result.ask("document.documentElement.scrollWidth") <= width
    wide = result.ask(
        """(width) => [...document.querySelectorAll("svg, h1, h2, p, select, figure, .world")]
            .filter((e) => !e.closest(".map"))
            .filter((e) => e.getBoundingClientRect().right > width + 1).map((e) => e.outerHTML.slice(0, 80))""",
        width,
    )
    assert wide == []
    result.page.context.close()


def test_a_turned_phone_redraws_its_charts(browser: Any, files: dict[str, Path]) -> None:
    result = opened(browser, files["plain"], PHONE)
    assert result.drawn() == "all"
    width = "document.querySelector('[data-bars=languages] svg').getBoundingClientRect().width"
    before = result.ask(width)
    result.page.set_viewport_size({"width": TABLET, "height": PHONE})
    result.page.wait_for_function(f"(before) => {width} > before + 200", arg=before, timeout=PATIENCE)
    result.page.context.close()


def test_dark_light_and_paper(browser: Any, files: dict[str, Path]) -> None:
    colours = """() => ["[data-bars=languages] svg path[fill='var(--bar)']", "[data-map=servers] svg path[fill='var(--c6)']"]
        .map((selector) => getComputedStyle(document.querySelector(selector)).fill)
        .concat(getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color)"""
    result = opened(browser, files["plain"], scheme="dark")
    assert result.drawn() == "all"
    dark = result.ask(colours)
    result.page.emulate_media(color_scheme="light")
    light = result.ask(colours)
    assert all(a != b and "rgb" in a and "rgb" in b for a, b in zip(dark, light, strict=True))
    result.page.emulate_media(media="print", color_scheme="dark")
    paper = result.ask(colours)
    assert paper[:2] == light[:2] and paper[2:] == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    sizes = result.ask(
        "[...document.querySelectorAll('td, th')].map((cell) => parseFloat(getComputedStyle(cell).fontSize))"
    )
    assert min(sizes) >= 7  # pixels, 96 to an inch: smaller text cannot be read on paper
    result.page.context.close()


def test_tables_are_open_on_paper(report: Opened) -> None:
    closed = "document.querySelectorAll('details:not([open])').length"
    before = report.ask(closed)
    report.ask("() => void dispatchEvent(new Event('beforeprint'))")
    assert before > 0 and report.ask(closed) == 0
    report.ask("() => void dispatchEvent(new Event('afterprint'))")
    assert report.ask(closed) == before


def test_without_scripts_the_tables_are_there(browser: Any, files: dict[str, Path]) -> None:
    result = opened(browser, files["plain"], java_script_enabled=False)
    assert result.page.locator("noscript p").is_visible()
    summary = result.page.locator("#figure-servers summary")
    summary.click()
    assert result.page.locator("#figure-servers table tbody tr").first.is_visible()
    result.page.context.close()


def test_an_empty_census_is_a_page(browser: Any, files: dict[str, Path]) -> None:
    result = opened(browser, files["empty"])
    assert result.drawn() == "all" and result.said == []
    assert "This census has no rows yet." in result.page.inner_text("header")
    result.page.context.close()
