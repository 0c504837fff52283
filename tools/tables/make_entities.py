"""Write native/tables/entities.inc: the HTML5 named character references, from the standard library.

python tools/tables/make_entities.py
"""

from html.entities import html5
from pathlib import Path

TARGET = Path(__file__).parents[2] / "native" / "tables" / "entities.inc"


def rows() -> list[str]:
    """Return an initialiser for each name, sorted by bytes for the kernel's binary search."""
    initialisers = []
    for name in sorted(html5, key=lambda name: name.encode("ascii")):
        points = [ord(c) for c in html5[name]] + [0]
        initialisers.append(f'{{"{name}", {len(name)}, {points[0]:#x}, {points[1]:#x}}},')
    return initialisers


if __name__ == "__main__":
    TARGET.write_text("\n".join(rows()) + "\n", encoding="ascii")
