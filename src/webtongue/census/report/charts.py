"""The three kinds of chart as Vega-Lite specifications: bars with intervals, a world map, and a matrix of shaded cells.

A specification has no data: report.js passes rows, so that each kind is in the page once. Colours are custom properties of
report.css, so that light, dark and print need no new drawing.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from webtongue.errors import MissingExtra

__all__ = ["CLASSES", "bundle", "charts", "config"]

SNIPPET = "window.vegaEmbed = vegaEmbed;"  # report.js calls this function.
CLASSES = 6  # As in figure 5-3 of Cai 2009; class 0 is empty.
FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
NARROW_PIXELS = 480  # Narrower charts have shorter names, and vertical column headings.
BAR_PIXELS = 25
LABEL_GAP_PIXELS = 8
CELL_PIXELS = 22
# Mollweide's projection has true areas, and poles that are points, so that Greenland keeps its northern coast. At a scale of 1
# it is 5.66 wide; a little more leaves room for points at its edges. The map ends north of Greenland (1.372 above the equator)
# and south of Tierra del Fuego (1.018 below it); report.css has its proportions. It is cut at 169 degrees west, in the sea.
WORLD_WIDTH, WORLD_HEIGHT = 5.75, 2.46
EQUATOR = (1.372 + 0.035) / WORLD_HEIGHT  # Share of the height above the equator.
CENTRAL_LONGITUDE = 11


@cache
def charts() -> dict[str, Any]:
    """Return the specifications by kind."""
    return {"bars": _bars(), "map": _map(), "cells": _cells()}


def config() -> dict[str, Any]:
    """Return the Vega-Lite configuration of all charts."""
    ink, soft, line = "var(--ink)", "var(--soft)", "var(--line)"
    return {
        "aria": False,  # The page has a description and a table for each chart.
        "background": "transparent",
        "font": FONT,
        "padding": 0,
        "view": {"stroke": None},
        "axis": {
            "labelColor": soft, "labelFontSize": 12, "titleColor": soft, "titleFontSize": 12, "titleFontWeight": "normal",
            "gridColor": line, "domainColor": line, "tickColor": line, "domain": False, "ticks": False,
        },
        "axisY": {"labelColor": ink, "labelFontSize": 13, "labelPadding": LABEL_GAP_PIXELS, "grid": False},
        "text": {"color": soft, "fontSize": 12},
    }  # fmt: skip


@cache
def bundle() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script, in the version that altair writes specifications for."""
    try:
        import altair
        import vl_convert
    except ImportError as error:
        raise MissingExtra(error.name or "altair", "census") from None
    try:
        script: str = vl_convert.javascript_bundle(SNIPPET, vl_version=".".join(altair.SCHEMA_VERSION.split(".")[:2]))
    except ValueError:  # vl-convert does not have the version of altair: use its newest.
        script = vl_convert.javascript_bundle(SNIPPET)
    return script


def _altair() -> Any:
    try:
        import altair
    except ImportError:
        raise MissingExtra("altair", "census") from None
    return altair


def _bars() -> dict[str, Any]:
    """Return bars on one scale that starts at zero, with one interval and the value after each.

    Fields: order, name, value, low, high, end (where the value is written), text, tip, special (a muted bar). A missing interval
    begins and ends at the value. The scale ends at the parameter `top`; the parameter
    `label` widens the space for names.
    """
    alt = _altair()
    base = alt.Chart(alt.NamedData("rows"))
    limit, extent = (
        alt.ExprRef(f"(containerSize()[0] < {NARROW_PIXELS} ? {104 + gap} : {180 + gap}) + label")
        for gap in (0, LABEL_GAP_PIXELS)
    )
    order = alt.EncodingSortField(field="order", op="min")  # Rows change when the reader picks another subject.
    y = alt.Y("name:N", sort=order, title=None, axis=alt.Axis(labelLimit=limit, minExtent=extent))
    tip = alt.Tooltip("tip:N")

    def x(field: str) -> Any:
        axis = alt.Axis(format="~%", tickCount=5, title=None, orient="bottom", labelSeparation=8)
        return alt.X(f"{field}:Q", axis=axis, scale=alt.Scale(nice=False, zero=True, domainMax=alt.ExprRef("top")))

    colour = alt.condition("datum.special", alt.value("var(--muted)"), alt.value("var(--bar)"))
    layers = [
        base.mark_bar(height=alt.RelativeBandSize(0.62)).encode(x=x("value"), color=colour),
        base.mark_rule(strokeWidth=1.5, color="var(--ink)").encode(x=x("low"), x2="high:Q"),
        base.mark_text(align="left", baseline="middle", dx=7).encode(x=x("end"), text="text:N"),
    ]
    chart = alt.layer(*(layer.encode(y=y, tooltip=tip) for layer in layers))
    return _to_spec(
        _fit_width(chart, BAR_PIXELS, "58").add_params(alt.param(name="top", value=1), alt.param(name="label", value=0))
    )


def _map() -> dict[str, Any]:
    """Return a map of countries shaded by class, with points for states without a shape.

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
        .mark_circle(
            stroke="var(--ink)", strokeWidth=0.7, opacity=1, size=alt.ExprRef(f"width < {NARROW_PIXELS} ? 22 : 46")
        )
        .encode(longitude="longitude:Q", latitude="latitude:Q", color=colour, tooltip=alt.Tooltip("tip:N"))
    )
    projection = alt.Projection(
        type=alt.ExprRef("'mollweide'"),  # Vega has it; the schema of Vega-Lite does not list it.
        rotate=[-CENTRAL_LONGITUDE, 0, 0],
        scale=alt.ExprRef(f"width / {WORLD_WIDTH}"),
        translate=alt.ExprRef(f"[width / 2, height * {EQUATOR}]"),
    )
    return _to_spec(alt.layer(shapes, points).properties(width="container", height="container", projection=projection))


def _cells() -> dict[str, Any]:
    """Return a matrix with cells shaded by class. Fields: row, column, class, tip."""
    alt = _altair()
    wide = f"width > {NARROW_PIXELS}"
    x = alt.X("column:N", sort=None, title=None).axis(
        orient="top", grid=False, labelAlign="left", labelBaseline="middle", labelOverlap=False, labelLimit=130,
        labelFontSize=alt.ExprRef(f"{wide} ? 12 : 10"),
        labelAngle=alt.ExprRef(f"{wide} ? -45 : -90"),
    )  # fmt: skip
    limit = alt.ExprRef(f"containerSize()[0] < {NARROW_PIXELS} ? 96 : 170")
    y = alt.Y("row:N", sort=None, title=None, axis=alt.Axis(labelLimit=limit))
    chart = (
        alt.Chart(alt.NamedData("rows"))
        .mark_rect(stroke="var(--paper)", strokeWidth=1)
        .encode(x=x, y=y, color=alt.Color("class:O", scale=_shades(), legend=None), tooltip=alt.Tooltip("tip:N"))
    )
    return _to_spec(_fit_width(chart, CELL_PIXELS, f"(containerSize()[0] < {NARROW_PIXELS} ? 4 : 48)"))


def _fit_width(chart: Any, step: int, right: str) -> Any:
    """Return the chart with the width of the page, the height of its rows, and space for labels at the right."""
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


def _to_spec(chart: Any) -> dict[str, Any]:
    """Return the specification without the default style of altair, which config() replaces."""
    spec: dict[str, Any] = chart.to_dict()
    spec.pop("config", None)
    spec.pop("$schema", None)
    return spec
