"""The language of a mail is that of its text parts, in any charset and transfer encoding, and not that of its headers."""

from __future__ import annotations

import pytest

import webtongue
from tests.quality.mail import FORMS, mails
from webtongue.labels import fold

MIN_RIGHT_SHARE = 0.97


@pytest.mark.parametrize("form", FORMS)
def test_text_parts_decide(form: str) -> None:
    pages = list(mails(form))
    verdicts = [(page, webtongue.identify(page.raw)) for page in pages]
    wrong = [(page, v) for page, v in verdicts if fold(v.label) != fold(page.label)]
    found = [(page.label, page.charset, page.subject, v.label, v.encoding) for page, v in wrong]
    assert [page for page, v in wrong if v.reliable] == [], found
    assert len(wrong) <= (1 - MIN_RIGHT_SHARE) * len(pages), found[:8]


def test_the_encoding_is_that_of_the_part() -> None:
    for page in mails("plain, 8bit"):
        if page.charset not in ("utf-8", "iso-2022-jp") and page.label != "fra_Latn":
            assert webtongue.identify(page.raw).encoding == page.charset


def test_a_wrong_charset_of_a_part_is_corrected() -> None:
    body = "Библиотека открыта каждый день, кроме воскресенья: с девяти утра до шести вечера.".encode("koi8-r")
    head = b"From: a@example.org\nTo: b@example.org\nSubject: Hi\nContent-Type: text/plain; charset=iso-8859-1\n\n"
    verdict = webtongue.identify(head + body)
    assert (verdict.label, verdict.encoding) == ("rus_Cyrl", "koi8-r")
