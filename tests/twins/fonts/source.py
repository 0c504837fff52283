"""The source of a page for a font, converted as a whole, tag by tag and line by line."""

from __future__ import annotations

import re

from webtongue import _kernel
from webtongue.fonts.detect import load
from webtongue.fonts.tables import all_fonts

TAG = re.compile(r"(<[^<>]*>)")


def convert_source(source: str, font: str) -> str:
    result, hidden_element = [], ""
    for part in TAG.split(source):
        if part.startswith("<") and part.endswith(">"):
            name = part[1:].split(None, 1)[0].rstrip(">").lower() if part[1:].strip() else ""
            hidden_element = (
                name if name in ("script", "style") else "" if name == f"/{hidden_element}" else hidden_element
            )
        elif not hidden_element and not part.isspace() and part:
            text = _kernel.unescape(part.encode("utf-8", "replace"), False).decode("utf-8", "replace")
            converted = "\n".join(convert_line(line, font) for line in text.split("\n"))
            if converted != text:
                part = converted.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        result.append(part)
    return "".join(result)


def convert_line(line: str, font: str) -> str:
    raw = line.encode("utf-8", "replace")
    margin = load().lines(raw, load().names.index(font))[1][0]
    return (all_fonts()[font].convert_utf8(raw) if margin > 0 else raw).decode()
