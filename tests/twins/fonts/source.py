"""A page's source in a font converted tag by tag and line by line, all of it at once."""

from __future__ import annotations

import re

from webtongue import _kernel
from webtongue.fonts.guess import load
from webtongue.fonts.tables import named

TAG = re.compile(r"(<[^<>]*>)")


def convert_source(source: str, font: str) -> str:
    out, unseen = [], ""
    for piece in TAG.split(source):
        if piece.startswith("<") and piece.endswith(">"):
            name = piece[1:].split(None, 1)[0].rstrip(">").lower() if piece[1:].strip() else ""
            unseen = name if name in ("script", "style") else "" if name == f"/{unseen}" else unseen
        elif not unseen and not piece.isspace() and piece:
            shown = _kernel.unescape(piece.encode("utf-8", "replace"), False).decode("utf-8", "replace")
            converted = "\n".join(convert_line(line, font) for line in shown.split("\n"))
            if converted != shown:
                piece = converted.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        out.append(piece)
    return "".join(out)


def convert_line(line: str, font: str) -> str:
    raw = line.encode("utf-8", "replace")
    margin = load().lines(raw, load().names.index(font))[1][0]
    return (named()[font].convert_utf8(raw) if margin > 0 else raw).decode()
