"""Read the real pages of dev/html with their labels, and rewrite them in other encodings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from webtongue import Page, decode
from webtongue.lab.methods.encoded_texts import get_codec, substitute_missing
from webtongue.lab.papers.common import read_labelled

CHARSET = re.compile(
    r"""(?P<xml><\?xml[^>]*?\s)encoding\s*=\s*["'][^"']*["']|(?P<sep>;?\s*)\bcharset\s*=\s*["']?[\w.:-]+["']?""", re.I
)
HEAD_CHARS = 20_000  # beginning of a page in which charset declarations are looked for


@dataclass(frozen=True, slots=True)
class RealPage:
    """A page with its folded label, the name of its set, its true encoding (empty where unknown) and other accepted labels."""

    page: Page
    label: str
    source: str
    encoding: str = ""
    accept: tuple[str, ...] = ()


def read_real_pages(data: Path) -> Iterator[RealPage]:
    """Yield every page whose label can be parsed, in a fixed order."""
    for path in sorted((data / "dev" / "html").glob("*.tar.xz")):
        source = path.name.removesuffix(".tar.xz")
        for row, raw, label in read_labelled(path):
            if row.get("bucket", "clean") == "clean":
                encoding = str(row.get("encoding") or "").lower()
                accept = tuple(map(str, row.get("accept") or ()))
                yield RealPage(Page(raw, row.get("url")), label, source, encoding, accept)


def rewrite_encoding(page: Page, encoding: str, declared: str, codec: str = "") -> Page:
    """Return the page in another encoding, with its charset declarations changed to ``declared``, or removed if that is empty.

    Characters that the encoding lacks become character references. ``codec`` is the codec to use in place of the encoding that
    browsers understand by the name, which may be a superset (windows-1252 by "ascii").
    """
    text = decode(page.raw, page.url).text
    head = CHARSET.sub(lambda match: _rewrite_declaration(match, declared), text[:HEAD_CHARS])
    plain = substitute_missing(head + text[HEAD_CHARS:], encoding).lstrip("\ufeff")
    return Page(plain.encode(codec or get_codec(encoding), "xmlcharrefreplace"), page.url)


def remove_charsets(head: str) -> str:
    """Return the beginning of a page without its charset declarations."""
    return CHARSET.sub(lambda match: _rewrite_declaration(match, ""), head)


def _rewrite_declaration(match: re.Match[str], declared: str) -> str:
    """Return the replacement of one charset declaration."""
    if match["xml"]:
        return match["xml"] + (f'encoding="{declared}"' if declared else "")
    quote = '"' if match[0].endswith('"') else "'" if match[0].endswith("'") else ""
    opening_quote = quote if re.search(r"=\s*[\"']", match[0]) else ""
    if not declared:
        return "" if opening_quote else quote  # a quote that was not opened here closes the attribute
    return f"{match['sep']}charset={opening_quote}{declared}{quote}"
