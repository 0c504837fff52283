"""Mail as archives of mailing lists have it: our own sentences in the encodings of mail, as plain text, as HTML and as both."""

from __future__ import annotations

import base64
import quopri
from collections.abc import Iterator
from dataclasses import dataclass

from tests.quality.sentences import SENTENCES
from webtongue.charset.codecs import encode

__all__ = ["FORMS", "MailPage", "mails"]

CHARSETS = {
    "rus_Cyrl": ("koi8-r", "windows-1251", "utf-8"),
    "ukr_Cyrl": ("koi8-u", "utf-8"),
    "ell_Grek": ("iso-8859-7", "utf-8"),
    "heb_Hebr": ("windows-1255", "utf-8"),
    "arb_Arab": ("windows-1256", "utf-8"),
    "tha_Thai": ("windows-874", "utf-8"),
    "jpn_Jpan": ("shift_jis", "euc-jp", "iso-2022-jp", "utf-8"),
    "kor_Hang": ("euc-kr", "utf-8"),
    "zho_Hans": ("gbk", "utf-8"),
    "ces_Latn": ("iso-8859-2", "utf-8"),
    "tur_Latn": ("windows-1254", "utf-8"),
    "fra_Latn": ("windows-1252", "utf-8"),
}
LENGTHS = (50, 100)  # characters of the body
HEADERS = (
    "Return-Path: <anna@example.org>\r\n"
    "Received: from mail.example.org (mail.example.org [192.0.2.7]) by mx.example.net with ESMTP id 7F3A;"
    " Mon, 3 Mar 2003 10:12:44 +0100\r\n"
    "From: Anna <anna@example.org>\r\nTo: Boris <boris@example.net>\r\nSubject: {subject}\r\n"
    "Date: Mon, 3 Mar 2003 10:12:40 +0100\r\nMessage-ID: <1234@example.org>\r\nMIME-Version: 1.0\r\n"
)
SUBJECTS = ("", "Re: News", "Fwd: the new version of the library is released")
FORMS = {  # parts of a form: type and transfer encoding
    "plain, 8bit": (("plain", "8bit"),),
    "plain, base64": (("plain", "base64"),),
    "html, 8bit": (("html", "8bit"),),
    "html, quoted-printable": (("html", "quoted-printable"),),
    "base64 and quoted-printable html": (("plain", "base64"), ("html", "quoted-printable")),
    "8bit and 8bit html": (("plain", "8bit"), ("html", "8bit")),
}


@dataclass(frozen=True, slots=True)
class MailPage:
    """A mail, the label of its text, its charset, and the number of its subject."""

    raw: bytes
    label: str
    charset: str
    subject: int


def mails(form: str) -> Iterator[MailPage]:
    """Yield mails of a form in every language, charset, length and with every subject."""
    for label, charsets in CHARSETS.items():
        text = " ".join(SENTENCES[label])
        for charset in charsets:
            for length in LENGTHS:
                for number, subject in enumerate(SUBJECTS):
                    parts = [_part(text[:length], charset, *kind) for kind in FORMS[form]]
                    yield MailPage(_mail(subject, parts), label, charset, number)


def _part(text: str, charset: str, kind: str, transfer: str) -> bytes:
    content = f"<html><body><p>{text}</p></body></html>" if kind == "html" else text
    raw = content.encode() if charset == "utf-8" else encode(content, charset)
    assert raw is not None, (charset, text)
    body = {"base64": base64.encodebytes, "quoted-printable": quopri.encodestring, "8bit": bytes}[transfer](raw)
    head = f"Content-Type: text/{kind}; charset={charset}\r\nContent-Transfer-Encoding: {transfer}\r\n\r\n"
    return head.encode() + body


def _mail(subject: str, parts: list[bytes]) -> bytes:
    headers = HEADERS.format(subject=subject).encode()
    if len(parts) == 1:
        return headers + parts[0]
    body = b"".join(b"--limit\r\n" + part + b"\r\n" for part in parts)
    return headers + b'Content-Type: multipart/alternative; boundary="limit"\r\n\r\n' + body + b"--limit--\r\n"
