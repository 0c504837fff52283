"""Write src/webtongue/data/world.json: the shapes of countries for the maps of a report, and points for small states.

    npm pack world-atlas && tar xf world-atlas-*.tgz
    pip install pycountry
    python tools/tables/make_world.py package

Shapes are those of world-atlas at 1:110 million (TopoJSON, from Natural Earth), on a coarser grid, by ISO 3166-1 alpha-2 code. A
state or territory without a shape at that scale has a point: the centroid of its largest part at 1:50 or 1:10 million. Antarctica
is omitted.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pycountry

TARGET = Path(__file__).parents[2] / "src" / "webtongue" / "data" / "world.json"
GRID = (0.09, 0.06)  # in degrees; a pixel of a map 1,400 pixels wide is 0.26
EXCLUDED = {"AQ"}
# Shapes without an ISO 3166 number, with the code that IP-to-country files use.
CODES_BY_NAME = {"Kosovo": "XK", "N. Cyprus": "CY", "Somaliland": "SO"}
# Territories with their own code that Natural Earth draws as part of another country: that country, and west, south, east, north.
PARTS = {
    "GF": ("FR", (-55, 2, -51, 6)),
    "GP": ("FR", (-62, 15.8, -61, 16.6)),
    "MQ": ("FR", (-61.4, 14.3, -60.7, 15)),
    "RE": ("FR", (55, -21.5, 56, -20.7)),
    "YT": ("FR", (45, -13.1, 45.4, -12.5)),
    "SJ": ("NO", (10, 74, 34, 81)),
    "BV": ("NO", (3, -55, 4, -54)),
    "BQ": ("NL", (-68.6, 11.9, -68.1, 12.4)),
    "TK": ("NZ", (-173, -10, -171, -8)),
    "CX": ("Indian Ocean Ter.", (105, -11, 106, -10)),
    "CC": ("Indian Ocean Ter.", (96, -13, 97, -11)),
}

Point = tuple[float, float]
Ring = list[int]  # numbers of arcs; ~n is arc n reversed
Polygon = list[Ring]


class Atlas:
    """A file of world-atlas: polygons of arcs by country, with territories separated from their countries."""

    def __init__(self, path: Path) -> None:
        raw = json.loads(path.read_text("utf-8"))
        (sx, sy), (tx, ty) = raw["transform"]["scale"], raw["transform"]["translate"]
        self.arcs: list[list[Point]] = []
        for arc in raw["arcs"]:
            x = y = 0
            points = []
            for dx, dy in arc:
                x, y = x + dx, y + dy
                points.append((x * sx + tx, y * sy + ty))
            self.arcs.append(points)
        self.countries: dict[str, list[Polygon]] = {}
        for geometry in raw["objects"]["countries"]["geometries"]:
            for polygon in _polygons(geometry):
                self.countries.setdefault(self._code_of_part(_code(geometry), polygon), []).append(polygon)

    def _code_of_part(self, code: str, polygon: Polygon) -> str:
        x, y = self.centroid(polygon)[1]
        for part, (whole, (west, south, east, north)) in PARTS.items():
            if code == whole and west <= x <= east and south <= y <= north:
                return part
        return code

    def points(self, ring: Ring) -> Iterator[Point]:
        """Yield the points of a ring; the common point of two arcs comes twice."""
        for arc in ring:
            yield from self.arcs[arc] if arc >= 0 else reversed(self.arcs[~arc])

    def centroid(self, polygon: Polygon) -> tuple[float, Point]:
        """Return area (without a unit) and centroid of a polygon's outer ring, in degrees."""
        points = list(self.points(polygon[0]))
        area = x = y = 0.0
        (x0, y0) = points[0]
        for (ax, ay), (bx, by) in pairwise(points):
            cross = (ax - x0) * (by - y0) - (bx - x0) * (ay - y0)
            area += cross
            x += cross * (ax + bx - 2 * x0)
            y += cross * (ay + by - 2 * y0)
        if not area:
            return 0.0, points[0]
        centre = (x0 + x / (3 * area), y0 + y / (3 * area))
        return abs(area) * math.cos(math.radians(centre[1])), centre

    def centre(self, code: str) -> Point | None:
        """Return the centroid of the largest part of a country."""
        parts = [self.centroid(polygon) for polygon in self.countries.get(code, ())]
        return max(parts)[1] if parts else None


def _polygons(geometry: dict[str, Any]) -> list[Polygon]:
    if geometry["type"] == "Polygon":
        return [geometry["arcs"]]
    return list(geometry.get("arcs", ()))  # a MultiPolygon, or nothing


def _code(geometry: dict[str, Any]) -> str:
    country = pycountry.countries.get(numeric=geometry.get("id", ""))
    name: str = geometry["properties"]["name"]
    return country.alpha_2 if country else CODES_BY_NAME.get(name, name)


def topology(atlas: Atlas, codes: list[str]) -> dict[str, Any]:
    """Return TopoJSON of some countries of an atlas, on the grid, with the arcs that they use."""
    numbers: dict[int, int] = {}
    arcs: list[list[tuple[int, int]]] = []

    def renumber(arc: int) -> int:
        number = arc if arc >= 0 else ~arc
        if number not in numbers:
            numbers[number] = len(arcs)
            arcs.append(_to_grid(atlas.arcs[number]))
        return numbers[number] if arc >= 0 else ~numbers[number]

    geometries = [
        {
            "type": "MultiPolygon",
            "id": code,
            "arcs": [[[renumber(arc) for arc in ring] for ring in polygon] for polygon in atlas.countries[code]],
        }
        for code in codes
    ]
    return {
        "type": "Topology",
        "transform": {"scale": GRID, "translate": [-180, -90]},
        "objects": {"countries": {"type": "GeometryCollection", "geometries": geometries}},
        "arcs": arcs,
    }


def _to_grid(points: list[Point]) -> list[tuple[int, int]]:
    """Return differences on the grid, without repeated points unless fewer than four points would remain."""
    cells = [(round((x + 180) / GRID[0]), round((y + 90) / GRID[1])) for x, y in points]
    kept = [cell for before, cell in zip([None, *cells], cells, strict=False) if cell != before]
    if len(kept) < 4:
        kept = cells
    return [kept[0], *((bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(kept))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("atlas", type=Path, help="folder of the package world-atlas")
    folder = parser.parse_args().atlas
    coarse, finer, finest = (Atlas(folder / f"countries-{scale}.json") for scale in ("110m", "50m", "10m"))
    codes = sorted(set(coarse.countries) - EXCLUDED)
    small = sorted({country.alpha_2 for country in pycountry.countries} - set(codes) - EXCLUDED)
    points = {code: finer.centre(code) or finest.centre(code) for code in small}
    missing = [code for code, point in points.items() if point is None]
    world = topology(coarse, codes)
    world["points"] = {code: [round(x, 2), round(y, 2)] for code, point in points.items() if point for x, y in [point]}
    version = json.loads((folder / "package.json").read_text("utf-8"))["version"]
    world["origin"] = f"world-atlas {version} (ISC), from Natural Earth (public domain): tools/tables/make_world.py"
    TARGET.write_text(json.dumps(world, separators=(",", ":")) + "\n", "ascii")
    print(
        f"{len(codes)} shapes, {len(world['points'])} points, {TARGET.stat().st_size:,} bytes; without a shape or point: {missing}"
    )


if __name__ == "__main__":
    main()
