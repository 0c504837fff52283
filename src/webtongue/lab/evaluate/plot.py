"""Plot percentages as SVG: the same bytes on every machine, without a plotting package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

__all__ = ["draw_bars", "draw_lines"]

COLOURS = ("#9a9a9a", "#4878a8", "#d1605e", "#6a9f58", "#8f6bb3", "#c9a227")
LEFT, TOP, HEIGHT, BOTTOM_MARGIN = 50, 50, 260, 90
GROUP_PIXELS = 70  # width of a row
FONT = 'font-family="sans-serif" font-size="11"'

Numbers = Mapping[str, Sequence[float | None]]


def draw_bars(title: str, names: Sequence[str], numbers: Numbers) -> str:
    """Return a plot with a group of bars for each name and a bar for each series."""
    parts = list(_draw_frame(title, names, numbers))
    width = (GROUP_PIXELS - 14) / max(1, len(numbers))
    for number, values in enumerate(numbers.values()):
        for index, value in enumerate(values):
            if value is not None:
                x, y = LEFT + index * GROUP_PIXELS + 7 + number * width, _to_y(value)
                parts.append(
                    f'<rect x="{x:.1f}" y="{y:.1f}" width="{width - 1:.1f}" height="{TOP + HEIGHT - y:.1f}" '
                    f'fill="{COLOURS[number % len(COLOURS)]}"><title>{value:.1f}</title></rect>'
                )
    return _join_svg(parts, names, numbers)


def draw_lines(title: str, names: Sequence[str], numbers: Numbers) -> str:
    """Return a plot with names along x and a line for each series."""
    parts = list(_draw_frame(title, names, numbers))
    for number, values in enumerate(numbers.values()):
        points = [
            (LEFT + (index + 0.5) * GROUP_PIXELS, _to_y(value))
            for index, value in enumerate(values)
            if value is not None
        ]
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
    return _join_svg(parts, names, numbers)


def _to_y(value: float) -> float:
    return TOP + HEIGHT * (1 - min(100.0, max(0.0, value)) / 100)


def _draw_frame(title: str, names: Sequence[str], numbers: Numbers) -> Iterator[str]:
    """Yield the elements of title, legend, percentages and names."""
    yield f'<text x="{LEFT}" y="18" {FONT} font-weight="bold">{escape(title)}</text>'
    for number, series in enumerate(numbers):
        x = LEFT + 130 * number
        yield f'<rect x="{x}" y="28" width="10" height="10" fill="{COLOURS[number % len(COLOURS)]}"/>'
        yield f'<text x="{x + 14}" y="37" {FONT}>{escape(series)}</text>'
    for percent in range(0, 101, 20):
        y = _to_y(percent)
        right = LEFT + GROUP_PIXELS * len(names)
        yield f'<line x1="{LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" {FONT} text-anchor="end">{percent}</text>'
    for index, name in enumerate(names):
        position = f"{LEFT + (index + 0.5) * GROUP_PIXELS:g} {TOP + HEIGHT + 14}"
        yield f'<text transform="translate({position}) rotate(-30)" {FONT} text-anchor="end">{escape(name)}</text>'


def _join_svg(parts: Sequence[str], names: Sequence[str], numbers: Numbers) -> str:
    width = LEFT + max(GROUP_PIXELS * len(names), 130 * len(numbers), 500) + 20
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{TOP + HEIGHT + BOTTOM_MARGIN}">'
    return "\n".join([opening, '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>"]) + "\n"
