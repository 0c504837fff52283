"""Sentences of our own with web debris around and inside them: the answer is that for the sentence alone."""

from __future__ import annotations

import html
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


CODES = {
    "Java": "public static void main(String[] args) throws IOException { System.out.println(args.length); return; }",
    "SQL": "SELECT title, price FROM books WHERE price > 100 ORDER BY title LIMIT 10;",
    "SQL, insert": "INSERT INTO readers (id, name, created_at) VALUES (17, 'anna', NOW());",
    "CSS": ".menu-item a:hover { color: #ff0000; margin: 0 auto; padding: 10px 20px; display: inline-block; }",
    "JavaScript": "document.getElementById('menu').addEventListener('click', function (event) { event.preventDefault(); });",
    "promises": "const books = await fetch('/api/books').then(response => response.json());",
    "Python": "def read_books(path): return [line.strip() for line in open(path) if line.startswith('book')]",
    "PHP": "if (isset($_POST['name'])) { $name = htmlspecialchars($_POST['name']); echo $name; }",
    "C": "for (int i = 0; i < count; i++) { if (books[i].size > max) max = books[i].size; }",
    "JSON": '{"id": 17, "type": "book", "created_at": "2024-05-01T10:00:00Z", "is_open": true, "reader_id": 12, "tags": []}',
    "log": "2024-05-01 10:00:00,123 ERROR [main] org.example.Library - Connection refused: connect (host=10.0.0.1, port=80)",
}


@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize("shape", ["{text} {code}", "{text}\n{code}", "{code}\n{text}", "{text}\n{code}\n{text}"])
def test_code_beside_text_weighs_nothing(name: str, shape: str) -> None:
    code, wrong = CODES[name], []
    assert IDENT.identify_text(code).label == "zxx"
    for texts in SENTENCES.values():
        alone = IDENT.identify_text(texts[0])
        text = shape.format(text=texts[0], code=code)
        body = "".join(f"<p>{html.escape(line)}</p>" for line in text.split("\n"))
        for verdict in (IDENT.identify_text(text), IDENT.identify(f"<meta charset=utf-8>{body}".encode())):
            if verdict.label != alone.label:
                wrong.append((alone.label, verdict.label, verdict.reliable))
    assert len(wrong) <= 0.02 * 2 * len(SENTENCES), wrong


def test_subtitles_of_few_words() -> None:
    wrong = []
    for texts in SENTENCES.values():
        words = " ".join(texts).split()
        cues = [" ".join(words[i : i + 4]) for i in range(0, len(words), 4)]
        if len(cues) < 4:
            continue  # a script without spaces
        text = "\n".join(
            f"{i}\n00:00:{5 * i:02},000 --> 00:00:{5 * i + 4:02},500\n{cue}\n"
            for i, cue in enumerate(cues[:8], start=1)
        )
        verdict = IDENT.identify_text(text)
        if verdict.label != IDENT.identify_text(" ".join(words)).label:
            wrong.append((verdict.label, text))
    assert len(wrong) <= 1, wrong


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
