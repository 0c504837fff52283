"""The real pages of dev/html with their labels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from webtongue import Page, decode, labels
from webtongue.evaluate.archives import archive
from webtongue.methods.writings import codec_of, substituted

CHARSET = re.compile(
    r"""(?P<xml><\?xml[^>]*?\s)encoding\s*=\s*["'][^"']*["']|(?P<sep>;?\s*)\bcharset\s*=\s*["']?[\w.:-]+["']?""", re.I
)
HEAD = 20_000  # characters in which charsets are declared


@dataclass(frozen=True, slots=True)
class RealPage:
    """A page, its folded label, the set it is from, its true encoding, empty where the set does not say, and what else is right."""

    page: Page
    label: str
    source: str
    encoding: str = ""
    accept: tuple[str, ...] = ()


def real_pages(data: Path) -> Iterator[RealPage]:
    """Every page whose label can be read, in a fixed order."""
    for path in sorted((data / "dev" / "html").glob("*.tar.xz")):
        files, rows = archive(path)
        for row in rows:
            raw = files.get(row["path"])
            label = labels.parse(row["label"]) if isinstance(row.get("label"), str) else None
            if raw is not None and label is not None and row.get("bucket", "clean") == "clean":
                source = path.name.removesuffix(".tar.xz")
                encoding = str(row.get("encoding") or "").lower()
                accept = tuple(map(str, row.get("accept") or ()))
                yield RealPage(Page(raw, row.get("url")), str(labels.fold(label)), source, encoding, accept)


def rewritten(page: Page, encoding: str, declared: str) -> Page:
    """A page in another encoding, which its charset declarations name or, if that is empty, no longer name.

    What the encoding lacks becomes a reference.
    """
    text = decode(page.raw, page.url).text
    head = CHARSET.sub(lambda match: _declaration(match, declared), text[:HEAD])
    plain = substituted(head + text[HEAD:], encoding).lstrip("\ufeff")
    return Page(plain.encode(codec_of(encoding), "xmlcharrefreplace"), page.url)


def without_charsets(head: str) -> str:
    """The beginning of a page without its charset declarations."""
    return CHARSET.sub(lambda match: _declaration(match, ""), head)


def _declaration(match: re.Match[str], declared: str) -> str:
    if match["xml"]:
        return match["xml"] + (f'encoding="{declared}"' if declared else "")
    quote = '"' if match[0].endswith('"') else "'" if match[0].endswith("'") else ""
    opened = quote if re.search(r"=\s*[\"']", match[0]) else ""
    if not declared:
        return "" if opened else quote  # a quote that was not opened here closes the attribute
    return f"{match['sep']}charset={opened}{declared}{quote}"
