"""Text inside documents that are not text as a whole: mail, JSON, and source code with comments.

The kernel stops at a document that looks like mail, and at plain text that is code or data as a whole. What people wrote in it is
read instead: the body of a mail, the values of JSON, the comments of code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

__all__ = ["is_json", "readable_text"]

MAX_DOCUMENT_BYTES = 1 << 18  # bytes of a document that are looked at
MAX_TEXT_CHARS = 1 << 16
MAX_MAIL_PARTS = 50
MIN_COMMENT_SHARE = 0.5  # of the letters of a source file; a file with less is code
HEADERS = re.compile(
    rb"(?im)^(?:return-path|received|delivered-to|message-id|mime-version|from|to|cc|date|subject|reply-to|content-type|"
    rb"content-transfer-encoding|x-[a-z-]+)[ \t]*:"
)
MIN_HEADERS = 3
JSON_START = re.compile(r"\s*[{\[]\s*[\"{\[]")
COMMENT = re.compile(
    r"/\*(.*?)\*/|<!--(.*?)-->|\"\"\"(.*?)\"\"\"|'''(.*?)'''|(?:^|\s)(?://+|#+!?|--|;+|%+)[ \t]+([^\n]*)",
    re.DOTALL | re.MULTILINE,
)
WORDS = re.compile(r"[^\W\d_]+(?:[ ,.;:!?'’()-]+[^\W\d_]+)+|[^\W\d_]*[^\x00-\x7f\W\d_][^\W\d_]*")
LETTERS = re.compile(r"[^\W\d_]")


def readable_text(raw: bytes) -> str:
    """Return the text that people wrote in a document; empty if it is no document of these kinds or has none.

    >>> readable_text(b'{"title": "Opening hours", "id": "a1"}')
    'Opening hours'
    >>> readable_text(b"From: a@example.org\\nTo: b@example.org\\nSubject: Hej\\n\\nVi ses i morgon.")
    'Hej\\nVi ses i morgon.'
    """
    head = raw[:MAX_DOCUMENT_BYTES]
    text = head.decode("utf-8", "replace")
    parts = _mail_parts(head) if _is_mail(head) else _json_values(text) if is_json(text) else _comments(text)
    return "\n".join(parts)[:MAX_TEXT_CHARS].strip()


def is_json(text: str) -> bool:
    """Return True if a text begins as JSON does: with a bracket before a quotation mark or another bracket."""
    return JSON_START.match(text) is not None


def _is_mail(head: bytes) -> bool:
    """Return True if a document begins with the headers of a mail."""
    headers, _, _ = head.replace(b"\r\n", b"\n").partition(b"\n\n")
    lines = headers.split(b"\n")
    named = sum(1 for line in lines if HEADERS.match(line))
    return named >= MIN_HEADERS and HEADERS.match(lines[0]) is not None


def _mail_parts(raw: bytes) -> Iterator[str]:
    """Yield the subject and the text parts of a mail; the HTML parts if it has no plain text."""
    import email
    from email.errors import MessageError
    from email.policy import default

    try:
        message = email.message_from_bytes(raw, policy=default)
        yield str(message["subject"] or "")
        parts = [part for _, part in zip(range(MAX_MAIL_PARTS), message.walk(), strict=False)]
        for kind in ("text/plain", "text/html"):
            texts = [part.get_content() for part in parts if part.get_content_type() == kind]
            if texts:
                yield from texts if kind == "text/plain" else (re.sub(r"<[^>]*>", " ", text) for text in texts)
                return
    except (MessageError, ValueError, LookupError, TypeError, AttributeError, RecursionError):  # damaged mail
        return


def _json_values(text: str) -> Iterator[str]:
    """Yield the string values of JSON that are written in words."""
    try:
        values = [json.loads(text)]
    except (ValueError, RecursionError):  # cut, or several values
        values = [_unescape(value) for value in re.findall(r'[:,\[]\s*"((?:[^"\\]|\\.)*)"(?!\s*:)', text)]
    while values:
        value = values.pop()
        if isinstance(value, dict):
            values.extend(reversed(value.values()))
        elif isinstance(value, list):
            values.extend(reversed(value))
        elif isinstance(value, str) and WORDS.search(value):
            yield value


def _unescape(value: str) -> str:
    try:
        return str(json.loads(f'"{value}"', strict=False))
    except ValueError:
        return value


def _comments(text: str) -> Iterator[str]:
    """Yield the comments of source code, if they have most of its letters."""
    comments = ["".join(groups) for groups in COMMENT.findall(text)]
    letters = sum(len(LETTERS.findall(comment)) for comment in comments)
    if letters >= MIN_COMMENT_SHARE * len(LETTERS.findall(text)):
        yield from comments
