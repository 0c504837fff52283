"""Text inside documents that are not text as a whole: mail, JSON, and source code with comments.

The kernel stops at a document that looks like mail, and at plain text that is code or data as a whole. What people wrote in it is
read instead: the body of a mail, the values of JSON, the comments of code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from webtongue.records import dataclass

if TYPE_CHECKING:
    from email.message import EmailMessage

__all__ = ["MAX_TEXT_CHARS", "Mail", "MailPart", "is_json", "read_mail", "readable_text"]

MAX_DOCUMENT_BYTES = 1 << 18  # bytes of a document that are looked at
MAX_TEXT_CHARS = 1 << 16
MAX_MAIL_PARTS = 50
MIN_COMMENT_SHARE = 0.5  # a source file with a smaller share of its letters in comments is code
HEADERS = re.compile(
    rb"(?im)^(?:return-path|received|delivered-to|message-id|mime-version|from|to|cc|date|subject|reply-to|content-type|"
    rb"content-transfer-encoding|x-[a-z-]+)[ \t]*:"
)
MIN_HEADERS = 3
MAIL_TEXT_TYPES = ("text/plain", "text/html")
JSON_START = re.compile(r"\s*[{\[]\s*[\"{\[]")
COMMENT = re.compile(
    r"/\*(.*?)\*/|<!--(.*?)-->|\"\"\"(.*?)\"\"\"|'''(.*?)'''|(?:^|\s)(?://+|#+!?|--|;+|%+)[ \t]+([^\n]*)",
    re.DOTALL | re.MULTILINE,
)
WORDS = re.compile(r"[^\W\d_]+(?:[ ,.;:!?'’()-]+[^\W\d_]+)+|[^\W\d_]*[^\x00-\x7f\W\d_][^\W\d_]*")
LETTERS = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class MailPart:
    """A text part of a mail: its bytes and Content-Type, and whether the bytes stand in the mail as they are."""

    raw: bytes
    content_type: str
    is_verbatim: bool


@dataclass(frozen=True, slots=True)
class Mail:
    """The subject of a mail and its parts in plain text, or those in HTML if it has no others."""

    subject: str
    parts: tuple[MailPart, ...]


def readable_text(raw: bytes) -> str:
    """Return the text that people wrote in JSON or source code; empty if a document is neither or has none.

    >>> readable_text(b'{"title": "Opening hours", "id": "a1"}')
    'Opening hours'
    """
    head = raw[:MAX_DOCUMENT_BYTES]
    text = head.decode("utf-8", "replace")
    parts = _json_values(text) if is_json(text) else _comments(text)
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


def read_mail(raw: bytes) -> Mail | None:
    """Return the subject and the text parts of a mail; None if a document is no mail.

    >>> mail = read_mail(b"From: a@b.org\\nTo: c@d.org\\nSubject: Hej\\nContent-Transfer-Encoding: base64\\n\\nVmkgc2VzIQ==")
    >>> mail.subject, mail.parts[0].raw, mail.parts[0].content_type
    ('Hej', b'Vi ses!', 'text/plain')
    """
    head = raw[:MAX_DOCUMENT_BYTES]
    if HEADERS.match(head) is None or not _is_mail(head):
        return None
    import email
    from email.errors import MessageError
    from email.policy import default

    try:
        message = email.message_from_bytes(head, policy=default)
        subject = str(message["subject"] or "").replace("\ufffd", "")
        parts = [part for _, part in zip(range(MAX_MAIL_PARTS), message.walk(), strict=False)]
        texts = [part for kind in MAIL_TEXT_TYPES for part in parts if part.get_content_type() == kind]
        first = texts[0].get_content_type() if texts else ""
        return Mail(subject, tuple(_mail_part(part) for part in texts if part.get_content_type() == first))
    except (MessageError, ValueError, LookupError, TypeError, AttributeError, RecursionError):  # damaged mail
        return None


def _mail_part(part: EmailMessage) -> MailPart:
    raw = part.get_payload(decode=True)
    charset = part.get_content_charset("")
    content_type = part.get_content_type() + (f"; charset={charset}" if charset else "")
    encoding = str(part["content-transfer-encoding"] or "").strip().lower()
    return MailPart(
        raw if isinstance(raw, bytes) else b"", content_type, encoding not in ("base64", "quoted-printable")
    )


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
