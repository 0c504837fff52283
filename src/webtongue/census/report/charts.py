"""The three kinds of chart, as Vega-Lite: bars with intervals, a world map, and a field of shaded cells.

A chart is drawn from rows that the page has, so each kind is here once, however many figures are drawn by it. Colours are the names
of custom properties in report.css: light, dark and print are then a matter of the style sheet, and nothing is drawn again.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from webtongue.errors import MissingExtra

__all__ = ["CLASSES", "bundle", "charts", "config"]

SNIPPET = "window.vegaEmbed = vegaEmbed;"  # what report.js calls
CLASSES = 6  # shades, as the six patterns of Cai 2009, figure 5-3; class 0 is nothing
FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
NARROW = 480  # pixels of a chart: below, names are cut shorter and columns have codes in place of names
BAR = 25  # pixels a row
HALF = 4
LABEL_GAP = 8
CELL = 22
# Equal Earth is 5.41 wide at a scale of 1; a little more leaves room for points at its edges. The part that is shown ends north of
# Greenland and south of Tierra del Fuego; report.css has its proportions.
WORLD = 5.55
EQUATOR = 0.557  # of the height, from the top


@cache
def charts() -> dict[str, Any]:
    """Specifications by kind; the page hands them `rows`, and a map its own data."""
    return {"bars": _bars(), "map": _map(), "cells": _cells()}


def config() -> dict[str, Any]:
    """What all charts share."""
    ink, soft, line = "var(--ink)", "var(--soft)", "var(--line)"
    return {
        "aria": False,  # the page describes each chart in words, and has its figures as a table
        "background": "transparent",
        "font": FONT,
        "padding": 0,
        "view": {"stroke": None},
        "axis": {
            "labelColor": soft, "labelFontSize": 12, "titleColor": soft, "titleFontSize": 12, "titleFontWeight": "normal",
            "gridColor": line, "domainColor": line, "tickColor": line, "domain": False, "ticks": False,
        },
        "axisY": {"labelColor": ink, "labelFontSize": 13, "labelPadding": LABEL_GAP, "grid": False},
        "text": {"color": soft, "fontSize": 12},
    }  # fmt: skip


@cache
def bundle() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, of the version that the specifications are of."""
    try:
        import altair
        import vl_convert
    except ImportError as error:
        raise MissingExtra(error.name or "altair", "census") from None
    try:
        made: str = vl_convert.javascript_bundle(SNIPPET, vl_version=".".join(altair.SCHEMA_VERSION.split(".")[:2]))
    except ValueError:  # altair and vl-convert are of different months: the latest that is there
        made = vl_convert.javascript_bundle(SNIPPET)
    return made


def _altair() -> Any:
    try:
        import altair
    except ImportError:
        raise MissingExtra("altair", "census") from None
    return altair


def _bars() -> dict[str, Any]:
    """A bar a row with its interval; below it a point with its own, where a row has a corrected figure.

    Fields: order, name, value, low, high, corrected, corrected_low, corrected_high, end (where the text goes), text, tip. An
    interval that a row does not have begins and ends at its value, and `shown` is false where there is no corrected one. The
    scale ends at the parameter `top`.
    """
    alt = _altair()
    base = alt.Chart(alt.NamedData("rows"))
    limit, extent = (
        alt.ExprRef(f"containerSize()[0] < {NARROW} ? {104 + gap} : {180 + gap}") for gap in (0, LABEL_GAP)
    )
    order = alt.EncodingSortField(field="order", op="min")  # other rows may come, in an order of their own
    y = alt.Y("name:N", sort=order, title=None, axis=alt.Axis(labelLimit=limit, minExtent=extent))
    tip = alt.Tooltip("tip:N")

    def x(field: str) -> Any:
        axis = alt.Axis(format="~%", tickCount=5, title=None, orient="bottom", labelSeparation=8)
        return alt.X(f"{field}:Q", axis=axis, scale=alt.Scale(nice=False, zero=True, domainMax=alt.ExprRef("top")))

    # An interval is drawn in its own half of the row: that of the count above, that of the correction below.
    upper = {"color": "var(--ink)", "yOffset": -HALF}
    lower = {"color": "var(--second)", "yOffset": HALF}
    shown = alt.condition("datum.shown", alt.value(1), alt.value(0))
    layers = [
        base.mark_bar(color="var(--bar)", height=alt.RelativeBandSize(0.62)).encode(x=x("value")),
        base.mark_rule(strokeWidth=1.5, **upper).encode(x=x("low"), x2="high:Q"),
        base.mark_rule(strokeWidth=1.5, **lower).encode(x=x("corrected_low"), x2="corrected_high:Q", opacity=shown),
        base.mark_point(filled=True, size=34, **lower).encode(x=x("corrected"), opacity=shown),
        base.mark_text(align="left", baseline="middle", dx=7).encode(x=x("end"), text="text:N"),
    ]
    chart = alt.layer(*(layer.encode(y=y, tooltip=tip) for layer in layers))
    return _made(_fitted(chart, BAR, "58").add_params(alt.param(name="top", value=1)))


def _map() -> dict[str, Any]:
    """Countries shaded by class, and states without a shape as points.

    Data: `world` (TopoJSON), `values` (code, class, tip) of every shape, `points` (longitude, latitude, class, tip).
    """
    alt = _altair()
    colour = alt.Color("class:O", scale=_shades(), legend=None)
    shapes = (
        alt.Chart(alt.NamedData("world", format=alt.TopoDataFormat(type="topojson", feature="countries")))
        .transform_lookup("id", alt.LookupData(alt.NamedData("values"), "code", ["class", "tip"]))
        .mark_geoshape(stroke="var(--paper)", strokeWidth=0.5)
        .encode(color=colour, tooltip=alt.Tooltip("tip:N"))
    )
    points = (
        alt.Chart(alt.NamedData("points"))
        .mark_circle(stroke="var(--ink)", strokeWidth=0.7, opacity=1, size=alt.ExprRef(f"width < {NARROW} ? 22 : 46"))
        .encode(longitude="longitude:Q", latitude="latitude:Q", color=colour, tooltip=alt.Tooltip("tip:N"))
    )
    projection = alt.Projection(
        type="equalEarth",
        scale=alt.ExprRef(f"width / {WORLD}"),
        translate=alt.ExprRef(f"[width / 2, height * {EQUATOR}]"),
    )
    return _made(alt.layer(shapes, points).properties(width="container", height="container", projection=projection))


def _cells() -> dict[str, Any]:
    """Rows and columns, a cell shaded by class. Fields: row, column ("code<tab>name"), class, tip."""
    alt = _altair()
    wide = f"width > {NARROW}"
    x = alt.X("column:N", sort=None, title=None).axis(
        orient="top", grid=False, labelAlign="left", labelBaseline="middle", labelOverlap=False, labelLimit=130,
        labelFontSize=alt.ExprRef(f"{wide} ? 12 : 10"),
        labelAngle=alt.ExprRef(f"{wide} ? -45 : -90"),
        labelExpr=f"split(datum.label, '\\t')[{wide} ? 1 : 0]",
    )  # fmt: skip
    limit = alt.ExprRef(f"containerSize()[0] < {NARROW} ? 96 : 170")
    y = alt.Y("row:N", sort=None, title=None, axis=alt.Axis(labelLimit=limit))
    chart = (
        alt.Chart(alt.NamedData("rows"))
        .mark_rect(stroke="var(--paper)", strokeWidth=1)
        .encode(x=x, y=y, color=alt.Color("class:O", scale=_shades(), legend=None), tooltip=alt.Tooltip("tip:N"))
    )
    return _made(_fitted(chart, CELL, f"(containerSize()[0] < {NARROW} ? 4 : 48)"))


def _fitted(chart: Any, step: int, right: str) -> Any:
    """As wide as the page lets it, as high as it has rows, with room at the right for what sticks out there."""
    alt = _altair()
    return chart.properties(
        width="container",
        height=alt.Step(step),
        padding=alt.ExprRef(f"{{left: 0, top: 4, bottom: 4, right: {right}}}"),
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
    )


def _shades() -> Any:
    alt = _altair()
    numbers = list(range(CLASSES + 1))
    return alt.Scale(domain=numbers, range=[f"var(--c{number})" for number in numbers])


def _made(chart: Any) -> dict[str, Any]:
    """Without altair's own look: config() is that of the page."""
    spec: dict[str, Any] = chart.to_dict()
    spec.pop("config", None)
    spec.pop("$schema", None)
    return spec
