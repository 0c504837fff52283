"""Mask debris in running text: the readable twin of native/text/debris*.cpp."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.twins.text.junk import looks_like_prose

FENCE_TICKS = 3
TRIGGERS = frozenset(b":.@`[<&%{\\$=#*|")
MAX_SCHEME, MAX_NAME, MAX_SPAN, MAX_TARGET, MAX_TEMPLATE, MAX_FENCE, MAX_NESTING = 12, 64, 300, 1000, 4000, 1 << 16, 8
TOP_LEVELS = frozenset(
    b"com org net edu gov mil info biz name app dev xyz online site shop blog news club live tech store cloud social onion".split()
)
EXTENSIONS = frozenset(
    b"html htm php asp aspx jsp js ts css json xml yml yaml md rst txt py rb rs java cpp hpp exe dll zip gz tar png jpg jpeg gif svg "
    b"pdf doc docx csv toml ini conf log sql apk iso mp3 mp4 tex ipynb".split()
)
FORUM_TAGS = frozenset(
    b"b i u s url img quote code list size color font center left right spoiler youtube video email table tr td th hr attach media".split()
)
HIDDEN_FORUM_TAGS = frozenset(b"code img youtube video attach media".split())
NAME_COMMANDS = frozenset(
    b"begin end label ref eqref pageref cite citep citet includegraphics usepackage documentclass input include bibliography "
    b"bibliographystyle url hspace vspace setlength newcommand pagestyle".split()
)
NAME = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._")
Range = tuple[int, int] | None


def is_alpha(byte: int) -> bool:
    return bytes([byte]).isalpha()


def is_alnum(byte: int) -> bool:
    return bytes([byte]).isalnum()


def is_word(byte: int) -> bool:
    return is_alnum(byte) or byte >= 0x80


def mask_debris(text: bytes) -> bytes:
    """Return the text with debris replaced by spaces; its size and its line feeds stay."""
    masked = bytearray(text)
    at = 0
    while at < len(text):
        end = at
        if text[at] in TRIGGERS:
            for begin, stop in find_debris(text, at):
                for i in range(begin, stop):
                    if text[i] != 10:
                        masked[i] = 32
                end = stop
            if text[at] == ord("|"):
                masked[at] = 10
        at = max(end, at + 1)
    return bytes(masked)


def find_debris(text: bytes, at: int) -> list[tuple[int, int]]:
    """Return the ranges of debris at a trigger, the one after which the search continues last."""
    sign = chr(text[at])
    if sign in "[\\":
        return find_bracket(text, at) if sign == "[" else find_command(text, at)
    if sign in "#*|":
        is_tag = at + 1 < len(text) and is_word(text[at + 1]) and (at == 0 or not is_word(text[at - 1]))
        return [] if sign == "#" and not is_tag else [(at, at + 1)]
    find = FINDERS[sign](text, at)
    return [find] if find and find[0] < find[1] else []


def url_end(text: bytes, at: int) -> int:
    parentheses = 0
    while at < len(text):
        byte = text[at]
        if byte <= 32 or byte >= 0xE0 or byte == 0xC2 or byte in b"<>\"`{}|]'":
            break
        parentheses += (byte == ord("(")) - (byte == ord(")"))
        if parentheses < 0:
            break
        at += 1
    return at


def find_url(text: bytes, colon: int) -> Range:
    begin = colon
    while begin > max(0, colon - MAX_SCHEME) and (is_alnum(text[begin - 1]) or text[begin - 1] == ord("+")):
        begin -= 1
    if len(text) - colon > 3 and text[colon + 1 : colon + 3] == b"//" and begin < colon:
        return begin, url_end(text, colon + 3)
    if text[begin:colon].lower() == b"data" and b";base64" in text[colon : colon + 64]:
        return begin, url_end(text, colon + 1)
    return None


def name_begin(text: bytes, at: int) -> int:
    limit = max(0, at - MAX_NAME)
    while at > limit and text[at - 1] in NAME:
        at -= 1
    return at


def name_end(text: bytes, at: int) -> int:
    limit = min(len(text), at + MAX_NAME)
    while at < limit and text[at] in NAME:
        at += 1
    return at


def find_host(text: bytes, dot: int) -> Range:
    if dot == 0 or dot + 1 == len(text) or not is_alnum(text[dot - 1]) or not is_alnum(text[dot + 1]):
        return None
    begin, end = name_begin(text, dot), name_end(text, dot)
    while end > dot and not is_alnum(text[end - 1]):
        end -= 1
    if (begin > 0 and text[begin - 1] >= 0x80) or (end < len(text) and 0xC3 <= text[end] < 0xE0):
        return None
    name = text[begin:end]
    first, separator, top = name.rpartition(b".")
    if not separator:
        first, top = name, b""
    if name.lower().startswith(b"www."):
        return begin, url_end(text, end)
    if len(top) < 2 or not top.isalpha() or top not in (top.lower(), top.upper()):
        return None
    if text[end : end + 1] == b"/" or re.match(rb":[0-9]", text[end : end + 2]):
        return begin, url_end(text, end)
    is_national = len(top) == 2 and len(first) >= 3 and name.count(b".") >= 2
    return (begin, end) if is_national or top.lower() in TOP_LEVELS or top.lower() in EXTENSIONS else None


def find_mail_or_handle(text: bytes, at: int) -> Range:
    begin, end = name_begin(text, at), name_end(text, at + 1)
    while end > at + 1 and not is_alnum(text[end - 1]) and text[end - 1] != ord("_"):
        end -= 1
    if begin < at:
        return (begin, end) if b"." in text[at:end] else None
    if end - at - 1 < 2 or (begin > 0 and text[begin - 1] >= 0x80):
        return None
    if text[end : end + 1] == b"@":
        end = name_end(text, end + 1)
    return at, end


def find_on_line(text: bytes, at: int, limit: int, wanted: bytes) -> int:
    line = text.find(b"\n", at, limit)
    return text.find(wanted, at, line if line >= 0 else limit)


def matching(text: bytes, at: int, limit: int, opening: int, closing: int) -> int:
    depth = 0
    for i in range(at, min(limit, len(text))):
        if text[i] == opening:
            depth += 1
            if depth > MAX_NESTING:
                return -1
        if text[i] == closing:
            depth -= 1
            if depth == 0:
                return i
    return -1


def is_line_start(text: bytes, at: int) -> bool:
    while at > 0 and text[at - 1] in b" \t>":
        at -= 1
    return at == 0 or text[at - 1] == 10


def find_code_span(text: bytes, at: int) -> Range:
    start = at
    while start < len(text) and text[start] == ord("`"):
        start += 1
    ticks = start - at
    is_fence = ticks >= FENCE_TICKS
    before_word = at > 0 and (is_word(text[at - 1]) or text[at - 1] == ord("_"))
    if before_word or start == len(text) or (text[start] in b" \t\n\f\r" and not is_fence):
        return None
    limit = min(len(text), start + (MAX_TARGET if is_fence else MAX_SPAN))
    close = find_on_line(text, start, limit, b"`")
    while close >= 0:
        end = close
        while end < len(text) and text[end] == ord("`"):
            end += 1
        is_code = close - start <= MAX_SPAN or not looks_like_prose(text[start:close])
        ends_word = is_fence or end == len(text) or not (is_word(text[end]) or text[end] == ord("_"))
        if end - close == ticks and is_code and ends_word:
            return at, end
        close = find_on_line(text, end, limit, b"`") if end < limit else -1
    return find_fence(text, at, start) if is_fence and is_line_start(text, at) else None


def find_fence(text: bytes, at: int, name: int) -> Range:
    limit = min(len(text), at + MAX_FENCE)
    for line in re.compile(rb"\n[ \t>]*(`*)").finditer(text, name, limit):
        if len(line[1]) >= name - at:
            return at, line.end()
    match = re.compile(rb"[A-Za-z0-9_.:-]*").match(text, name)
    assert match is not None
    return at, match.end()


def find_tag(text: bytes, at: int) -> Range:
    for opening, closing in ((b"!--", b"-->"), (b"%", b"%>"), (b"?", b"?>")):
        if text.startswith(opening, at + 1):
            end = text.find(closing, at + 1, at + 1 + MAX_TARGET)
            return (at, end + len(closing)) if end >= 0 else None
    match = re.compile(rb"</?([A-Za-z][A-Za-z0-9:-]*)").match(text, at)
    if match is None or len(match[1]) > 12 or match.end() == len(text):
        return None
    after = match.end()
    if text[after] == ord(">"):
        return at, after + 1
    limit = min(len(text), after + MAX_TARGET)
    next_tag = text.find(b"<", after, limit)
    close = find_on_line(text, after, next_tag if next_tag >= 0 else limit, b">")
    if close < 0 or text[after] not in b" \t\n\f\r/":
        return None
    has_attribute = text[after] == ord("/") or text[close - 1] == ord("/") or b"=" in text[after:close]
    return (at, close + 1) if has_attribute else None


def find_entity(text: bytes, at: int) -> Range:
    match = re.compile(rb"&#?([A-Za-z0-9]{2,10});").match(text, at)
    return match.span() if match else None


def find_placeholder(text: bytes, at: int) -> Range:
    if text[at] == ord("%"):
        match = re.compile(
            rb"%(?:\((?:\(|[A-Za-z0-9_.:-])*\))?[0-9$.+-]*[lhz]*[sdifuxXcgeo@](?![A-Za-z0-9_\x80-\xff])"
        ).match(text, at)
        return match.span() if match else None
    if text[at + 1 : at + 2] == b"{":
        close = matching(text, at, at + MAX_TEMPLATE, ord("{"), ord("}"))
        return (at, close + 1) if close >= 0 else None
    if text[at + 1 : at + 2] == b"%":
        end = text.find(b"%}", at + 1, at + MAX_TEMPLATE)
        return (at, end + 2) if end >= 0 else None
    match = re.compile(rb"\{[A-Za-z0-9_.:-]*\}").match(text, at)
    if match is None:
        return None
    return at - (at > 0 and text[at - 1] in b"$#%"), match.end()


def find_command(text: bytes, at: int) -> list[tuple[int, int]]:
    rest = text[at + 1 :]
    if not rest[:1].isalpha():
        return []
    if re.match(rb"u[0-9A-Fa-f]{4}", rest):
        return [(at, at + 6)]
    if re.match(rb"[ntr][^a-z]", rest, re.DOTALL):
        return [(at, at + 2)]
    name = re.match(rb"[A-Za-z]+", rest)
    assert name is not None
    end = at + 1 + name.end()
    if text[end : end + 1] == b"*":
        end += 1
    while text[end : end + 1] == b"[" or (name[0].lower() in NAME_COMMANDS and text[end : end + 1] == b"{"):
        close = matching(text, end, end + MAX_SPAN, text[end], ord("]") if text[end] == ord("[") else ord("}"))
        if close < 0:
            break
        end = close + 1
    close = matching(text, end, end + MAX_TARGET, ord("{"), ord("}")) if text[end : end + 1] == b"{" else -1
    return [(close, close + 1), (at, end + 1)] if close >= 0 else [(at, end)]


def find_formula(text: bytes, at: int) -> Range:
    start = at
    while start < len(text) and text[start] == ord("$"):
        start += 1
    close = find_on_line(text, start, min(len(text), start + MAX_SPAN), b"$")
    if close >= 0 and re.search(rb"[\\^_=]", text[start:close]):
        end = close
        while end < len(text) and text[end] == ord("$") and end - close < start - at:
            end += 1
        return at, end
    name = re.compile(rb"[A-Za-z][A-Za-z0-9_]+").match(text, start)
    return (at, name.end()) if name else None


def find_attribute(text: bytes, at: int) -> Range:
    begin = at
    while begin > 0 and (is_alnum(text[begin - 1]) or text[begin - 1] in b"-_"):
        begin -= 1
    quote = text[at + 1 : at + 2]
    if begin == at or quote not in (b'"', b"'"):
        return None
    close = find_on_line(text, at + 2, min(len(text), at + 2 + MAX_SPAN), quote)
    return (begin, close + 1) if close >= 0 else None


def find_bracket(text: bytes, at: int) -> list[tuple[int, int]]:
    if text.startswith(b"[[", at):
        return find_wiki_link(text, at)
    close = matching(text, at, at + MAX_TARGET, ord("["), ord("]"))
    if close < 0:
        return []
    if text[at + 1] == ord("^"):
        return [(at, close + 1)]
    opening = text[close + 1 : close + 2]
    if opening in (b"(", b"["):
        end = matching(text, close + 1, close + 1 + MAX_TARGET, opening[0], ord(")") if opening == b"(" else ord("]"))
        if end >= 0:
            return [(at, end + 1)] if text.startswith(b"[![", at) else [(close, end + 1), (at, at + 1)]
    if opening == b":" and is_line_start(text, at):
        line = text.find(b"\n", close)
        return [(at, line if line >= 0 else len(text))]
    tag = find_forum_tag(text, at)
    return [tag] if tag else []


def find_wiki_link(text: bytes, at: int) -> list[tuple[int, int]]:
    limit = min(len(text), at + MAX_SPAN)
    line = text.find(b"\n", at, limit)
    end = text.find(b"]]", at, line if line >= 0 else limit)
    if end < 0:
        return []
    bar = text.rfind(b"|", at + 1, end + 1)
    return [(end, end + 2), (at, at + 2 if bar < 0 else bar + 1)]


def find_forum_tag(text: bytes, at: int) -> Range:
    match = re.compile(rb"\[(/?)([A-Za-z]*)(?=[\]=])").match(text, at)
    if match is None or match[2].lower() not in FORUM_TAGS:
        return None
    close = find_on_line(text, match.end(), min(len(text), match.end() + MAX_TARGET), b"]")
    if close < 0:
        return None
    if match[1] or match[2].lower() not in HIDDEN_FORUM_TAGS:
        return at, close + 1
    limit = min(len(text), close + 1 + MAX_TEMPLATE)
    closing = text.find(b"[/", close + 1, limit)
    end = find_on_line(text, closing, limit, b"]") if closing >= 0 else -1
    return at, (end if end >= 0 else close) + 1


FINDERS: dict[str, Callable[[bytes, int], Range]] = {
    ":": find_url, ".": find_host, "@": find_mail_or_handle, "`": find_code_span, "<": find_tag, "&": find_entity,
    "%": find_placeholder, "{": find_placeholder, "$": find_formula, "=": find_attribute,
}  # fmt: skip
