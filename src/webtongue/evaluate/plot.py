"""Plots of percentages as SVG, written by hand: the same bytes on every machine, and no package to install."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

__all__ = ["bars", "lines"]

COLOURS = ("#9a9a9a", "#4878a8", "#d1605e", "#6a9f58", "#8f6bb3", "#c9a227")
LEFT, TOP, HEIGHT, BELOW = 50, 50, 260, 90
GROUP = 70  # pixels that a row takes
FONT = 'font-family="sans-serif" font-size="11"'

Numbers = Mapping[str, Sequence[float | None]]


def bars(title: str, names: Sequence[str], numbers: Numbers) -> str:
    """A group of bars for each name, a bar for each series."""
    parts = list(_frame(title, names, numbers))
    width = (GROUP - 14) / max(1, len(numbers))
    for number, values in enumerate(numbers.values()):
        for place, value in enumerate(values):
            if value is not None:
                x, y = LEFT + place * GROUP + 7 + number * width, _height(value)
                parts.append(
                    f'<rect x="{x:.1f}" y="{y:.1f}" width="{width - 1:.1f}" height="{TOP + HEIGHT - y:.1f}" '
                    f'fill="{COLOURS[number % len(COLOURS)]}"><title>{value:.1f}</title></rect>'
                )
    return _svg(parts, names, numbers)


def lines(title: str, names: Sequence[str], numbers: Numbers) -> str:
    """Names along x, a line for each series."""
    parts = list(_frame(title, names, numbers))
    for number, values in enumerate(numbers.values()):
        points = [
            (LEFT + (place + 0.5) * GROUP, _height(value)) for place, value in enumerate(values) if value is not None
        ]
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
    return _svg(parts, names, numbers)


def _height(value: float) -> float:
    return TOP + HEIGHT * (1 - min(100.0, max(0.0, value)) / 100)


def _frame(title: str, names: Sequence[str], numbers: Numbers) -> Iterator[str]:
    """Title, legend, percentages, names."""
    yield f'<text x="{LEFT}" y="18" {FONT} font-weight="bold">{escape(title)}</text>'
    for number, series in enumerate(numbers):
        x = LEFT + 130 * number
        yield f'<rect x="{x}" y="28" width="10" height="10" fill="{COLOURS[number % len(COLOURS)]}"/>'
        yield f'<text x="{x + 14}" y="37" {FONT}>{escape(series)}</text>'
    for percent in range(0, 101, 20):
        y = _height(percent)
        right = LEFT + GROUP * len(names)
        yield f'<line x1="{LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" {FONT} text-anchor="end">{percent}</text>'
    for place, name in enumerate(names):
        at = f"{LEFT + (place + 0.5) * GROUP:g} {TOP + HEIGHT + 14}"
        yield f'<text transform="translate({at}) rotate(-30)" {FONT} text-anchor="end">{escape(name)}</text>'


def _svg(parts: Sequence[str], names: Sequence[str], numbers: Numbers) -> str:
    width = LEFT + max(GROUP * len(names), 130 * len(numbers), 500) + 20
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{TOP + HEIGHT + BELOW}">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>"]) + "\n"
