"""The report in a real Chromium: charts are drawn, pickers redraw them, and nothing acts or leaves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.browser import PATIENCE, browser
from tests.census.report_tables import HOSTILE, tables
from webtongue.census.report import render_page as report_page
from webtongue.census.report.formats import format_count, format_share

NO_LANGUAGE = {"Others", "Unknown", "No language"}  # names that are the report's own
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
        return self.texts(f"[data-apart={figure}]:not([hidden]) svg text, [data-bars={figure}]:not([hidden]) svg text")

    def names(self, figure: str) -> list[str]:
        """Of the bars that share the main scale, from the top."""
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
        """[...document.querySelectorAll("[data-map], [data-bars], [data-apart], [data-cells]")]
            .filter((e) => !e.hidden && e.querySelectorAll("svg path").length < 3)
            .map((e) => JSON.stringify(e.dataset))"""
    )
    assert empty == []
    assert len(report.texts("svg")) >= 12
    assert len(report.texts("[data-cells=both] svg text")) == 40  # twenty rows, twenty columns


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
    assert result.ask("document.querySelectorAll('img, script:not([type])').length") == 2  # our own scripts
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


def test_what_overshadows_stands_apart(report: Opened) -> None:
    apart = report.texts("[data-apart=languages] svg .role-axis-label text")
    below = report.texts("[data-bars=languages] svg .role-axis-label text")
    assert {"English", "Unknown"} <= set(apart) and not {"English", "Unknown"} & set(below)
    assert {"Chinese", "Spanish", "French"} <= set(below)


def test_intervals_and_corrections_are_drawn(report: Opened) -> None:
    points = report.ask("document.querySelectorAll('[data-bars=languages] svg path[fill=\"var(--second)\"]').length")
    rules = report.ask("document.querySelectorAll('[data-bars=languages] svg line[stroke=\"var(--second)\"]').length")
    assert points == rules == 19


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
            row[3]: (format_count(row[4]), format_share(row[4] / totals[name])) for row in made.rows if row[1] == name
        }
        assert len(shown) >= 3 and shown.items() <= expected.items()


@pytest.mark.parametrize("width", [PHONE, TABLET])
def test_narrow_pages_do_not_scroll_sideways(browser: Any, files: dict[str, Path], width: int) -> None:
    result = opened(browser, files["hostile"], width)
    assert result.drawn() == "all"
    result.ask("document.querySelectorAll('details').forEach((e) => (e.open = true))")
    assert result.ask("document.documentElement.scrollWidth") <= width
    wide = result.ask(
        """(width) => [...document.querySelectorAll("svg, h1, h2, p, select, figure")]
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
