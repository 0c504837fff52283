"""The texts of the demo crawl: a text file for each language, which is easy to correct."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["Language", "languages"]

FOLDER = Path(__file__).parent / "texts"


@dataclass(frozen=True, slots=True)
class Language:
    """A language with the texts of its pages. Topics 0 and 1 are the same in all languages: a library, the weather."""

    label: str
    tag: str  # BCP 47
    name: str  # in the language itself
    menu: tuple[str, ...]
    headings: tuple[str, ...]
    paragraphs: tuple[str, ...]  # one for each heading


def languages() -> dict[str, Language]:
    """Return all languages by label."""
    return {path.stem: _language(path) for path in sorted(FOLDER.glob("*.txt"))}


def _language(path: Path) -> Language:
    name, tag, menu, *lines = path.read_text("utf-8").splitlines()
    return Language(
        label=path.stem,
        tag=tag.removeprefix("tag: "),
        name=name.removeprefix("name: "),
        menu=tuple(menu.removeprefix("menu: ").split(" | ")),
        headings=tuple(line.removeprefix("# ") for line in lines[::2]),
        paragraphs=tuple(lines[1::2]),
    )
