"""Sentences of our own with web debris around and inside them: the answer is that for the sentence alone."""

from __future__ import annotations

import json

import pytest

from tests.quality.sentences import SENTENCES
from webtongue import Identifier, identify, identify_text

IDENT = Identifier()
DEBRIS = {
    "one URL": "{text} https://www.example.com/news/2024/05/the-new-library-opens-today-in-the-city.html",
    "two URLs": "{text} http://example.org/a/long/path/of/english/words-in-a-slug?id=17&ref=home www.example.net/read-more-about-this",
    "URL before": "https://example.com/articles/how-to-bake-bread-at-home {text}",
    "bare hosts": "{text} pic.example.com/AbCdEf shop.example.co.uk",
    "mail": "{text} press-office@library.example.org",
    "handles": "@the_library @reading_room {text} @friends_of_books",
    "hashtag sign": "{text} #{text}",
    "Markdown link": "[{text}](https://example.com/guide/getting-started-with-the-library.html)",
    "Markdown reference": '[{text}][getting-started]\n\n[getting-started]: https://example.com/start "Getting started"',
    "badges": "[![Build Status](https://ci.example.com/badge.svg)](https://ci.example.com/project) [![License](l.svg)](LICENSE)\n\n{text}",
    "code span": "{text} `git clone --depth 1 the repository` {text}",
    "fence": "{text}\n\n```python\nfor book in the_library_of_books:\n    print(book.title, book.author)\n```\n",
    "fence on a line": "```for book in the_books: print(book)``` {text}",
    "text behind a fence": "```\nfor book in the_books:\n    print(book)\n``` {text}",
    "fence without an end": "```python {text}",
    "fence of a message": "{text} ``` for book in the_books: print(book.title) ``` {text}",
    "table": "| Command | Option |\n|---|:---:|\n| {text} | `--help` |",
    "emphasis": "**{text}** *{text}*",
    "forum tags": "[quote][b]{text}[/b][/quote] [url=https://example.com/thread/how-to-read]{text}[/url]",
    "wiki": "'''{text}''' {{{{Infobox library|name=The Reading Room|opened=1999}}}} [[Help:Reading books|{text}]]",
    "TeX": "\\section{{{text}}} \\label{{sec:the-library}} {text} \\cite{{smith2001reading}}",
    "placeholders": "{text} %(number_of_books)s {{user_name}} %d",
    "tags": '<div align="center" class="reading-room">{text}</div><br/>',
    "entities": "&nbsp;{text}&nbsp;&copy;&nbsp;",
    "image data": "{text} data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
    "emoji": "😀 {text} 🎉🎉 {text}",
}


@pytest.mark.parametrize("kind", DEBRIS)
def test_debris_does_not_change_the_answer(kind: str) -> None:
    wrong, zxx = [], 0
    for texts in SENTENCES.values():
        for text in texts:
            alone = IDENT.identify_text(text)
            verdict = IDENT.identify_text(DEBRIS[kind].format(text=text))
            zxx += verdict.label == "zxx"
            if verdict.label != alone.label:
                wrong.append((alone.label, verdict.label, text))
    count = sum(map(len, SENTENCES.values()))
    assert zxx == 0
    assert len(wrong) <= count * 0.03, wrong


SPACES = "\u00a0 \u2002 \u2003 \u2009 \u200a \u202f \u205f \u3000 \u2028 \u2029 \x85 \v".split(" ")


@pytest.mark.parametrize("space", SPACES, ids=ascii)
def test_spaces_of_every_kind_separate_words(space: str) -> None:
    refused = []
    for texts in SENTENCES.values():
        alone, verdict = IDENT.identify_text(texts[0]), IDENT.identify_text(texts[0].replace(" ", space))
        page = IDENT.identify(f"<meta charset=utf-8><p>{texts[0].replace(' ', space)}</p>".encode())
        if alone.reliable:
            refused += [v for v in (verdict, page) if (v.label, v.reliable) != (alone.label, True)]
    assert len(refused) <= 0.02 * len(SENTENCES), refused


FENCES = ("```\nx = 1\n```\n{text}", "```x = 1``` {text}", "```py\nx = 1\n``` {text} ```\ny = 2\n```", "```\n{text}")


@pytest.mark.parametrize("fence", FENCES)
def test_a_fence_in_a_paragraph_ends(fence: str) -> None:
    """The line feeds of a paragraph are spaces, so that its fences are on one line."""
    for texts in SENTENCES.values():
        alone = IDENT.identify_text(texts[0])
        verdict = IDENT.identify(f"<meta charset=utf-8><p>{fence.format(text=texts[0])}</p>".encode())
        assert verdict.label == alone.label or not alone.reliable, (alone.label, verdict.label, verdict.why)


def test_a_list_of_addresses_is_not_language() -> None:
    text = "\n".join(f"https://www.example.com/page/{number}/reading-room" for number in range(9))
    assert identify_text(text).label == "zxx"


MAIL = """Return-Path: <anna@example.org>
Received: from mail.example.org (mail.example.org [192.0.2.1]) by mx.example.com with ESMTP; Mon, 3 Jun 2024 10:00:00 +0200
Date: Mon, 3 Jun 2024 10:00:00 +0200
From: Anna <anna@example.org>
To: Peter <peter@example.com>
Subject: Re: the reading room
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: {coding}

{body}
"""
CODE = """/* {text} */
public class Library {{
    // {text}
    public int count() {{ return books.size(); }}
}}
"""


def documents(text: str) -> dict[str, str]:
    import base64
    import quopri

    return {
        "mail, quoted-printable": MAIL.format(
            coding="quoted-printable", body=quopri.encodestring(text.encode()).decode()
        ),
        "mail, base64": MAIL.format(coding="base64", body=base64.encodebytes(text.encode()).decode()),
        "subtitles": f"1\n00:00:01,000 --> 00:00:04,000\n{text}\n\n2\n00:00:05,000 --> 00:00:09,500\n{text}\n",
        "WebVTT": f"WEBVTT\n\n00:01.000 --> 00:04.000\n{text}\n",
        "JSON": json.dumps({"id": 17, "created_at": "2024-05-01", "items": [{"text": text}, {"text": text}]}),
        "JSON in UTF-8": json.dumps([{"key": "a1", "value": text, "other": text}], ensure_ascii=False),
        "code with comments": CODE.format(text=f"{text} {text}"),
    }


@pytest.mark.parametrize("kind", documents("text"))
def test_documents_are_read_for_their_text(kind: str) -> None:
    wrong = []
    for texts in SENTENCES.values():
        text = " ".join(texts)
        alone = IDENT.identify_text(text)
        if not alone.reliable:
            continue
        document = documents(text)[kind]
        for verdict in (identify(document.encode()), identify_text(document)):
            if verdict.label != alone.label:
                wrong.append((alone.label, verdict.label, verdict.why))
    assert len(wrong) <= 2 * len(SENTENCES) * 0.05, wrong


@pytest.mark.parametrize(
    "raw",
    [b"{", b"[" * 100_000, b'{"a": ' * 5_000, b"From: a\nTo: b\nDate: c\n", b"Subject:\nFrom:\nTo:\n\n=?x?q?=FF?="],
)
def test_damaged_documents_have_a_verdict(raw: bytes) -> None:
    assert identify(raw).label in ("und", "zxx", "eng_Latn")
