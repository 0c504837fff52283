"""Tests that the text of the author decides, not that of servers, tools and banners: one sentence of each language."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import webtongue
from tests.quality.kinds import page
from tests.quality.sentences import SENTENCES
from webtongue.labels import fold

MIN_RIGHT_SHARE = 0.96  # of pages with the language of their sentence as answer
BANNERS = (
    "We use cookies and similar technologies to personalise content and to analyse our traffic. By clicking accept you agree "
    "to the storing of cookies on your device. You can change your settings at any time.",
    "This website uses cookies to ensure that you get the best experience. Some cookies are necessary, others help us to improve.",
)
LANGUAGE_NAMES = (
    "Deutsch English Français Español Italiano Português Polski Русский 日本語 中文 العربية Nederlands Svenska Suomi Türkçe "
    "Українська Čeština Magyar Română Ελληνικά עברית हिन्दी ไทย 한국어 Dansk Eesti Euskara Català"
).split()
TITLES = (
    "New Page 1",
    "Untitled Document",
    "index",
    "Untitled-2",
    "Home Page",
    "404 Not Found",
    "Error 404 - Not Found",
    "Login",
)
DATE = "Mon, 03 Jun 2024 10:12:00 +0000"


def with_banner(text: str, n: int) -> bytes:
    return page(
        f"<h1>2024</h1><p>{text}</p><div><p>{BANNERS[n % 2]}</p><button>Accept all</button><button>Reject</button></div>"
    )


def with_translations(text: str, n: int) -> bytes:
    tag = ("li", "span", "td")[n % 3]
    return page(
        f"<p>{text}</p>" + "".join(f"<{tag}><a href='/{i}'>{name}</a></{tag}>" for i, name in enumerate(LANGUAGE_NAMES))
    )


def with_default_title(text: str, n: int) -> bytes:
    return page(f"<p>{text}</p>", title=TITLES[n % len(TITLES)])


def as_feed(text: str, n: int) -> bytes:
    item = f"<item><title>{text}</title><link>https://example.org/?p={n}</link><guid>https://example.org/?p={n}</guid><pubDate>{DATE}</pubDate>"
    return (
        "<?xml version='1.0' encoding='utf-8'?><rss version='2.0'><channel><title>News</title><link>https://example.org</link>"
        f"<lastBuildDate>{DATE}</lastBuildDate><generator>https://wordpress.org/?v=6.5</generator>{item}</item></channel></rss>"
    ).encode()


def as_drawing(text: str, n: int) -> bytes:
    return f"<svg xmlns='http://www.w3.org/2000/svg'><style>text {{fill: red}}</style><text x='1' y='2'>{text}</text></svg>".encode()


@pytest.mark.parametrize("make_page", [with_banner, with_translations, with_default_title, as_feed, as_drawing])
def test_the_sentence_of_the_author_decides(make_page: Callable[[str, int], bytes]) -> None:
    texts = [(str(fold(label)), text) for label, sentences in SENTENCES.items() for text in sentences]
    wrong = [
        (label, verdict.label, text)
        for n, (label, text) in enumerate(texts)
        if (verdict := webtongue.identify(make_page(text, n))).label != label
    ]
    assert len(wrong) <= (1 - MIN_RIGHT_SHARE) * len(texts), wrong


NGINX = b"<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr><center>nginx</center></body></html>"
APACHE = (
    b"<html><head><title>403 Forbidden</title></head><body><h1>Forbidden</h1><p>You don't have permission to access this resource.</p>"
    b"<hr><address>Apache/2.4.41 (Ubuntu) Server at example.org Port 443</address></body></html>"
)
LISTING = b"<title>Index of /pub/files</title><h1>Index of /pub/files</h1><pre><a href=..>Parent Directory</a> <a href=x>readme.txt</a></pre>"
LOGIN = b"<title>Login</title><form><label>Username</label><input><label>Password</label><input><button>Sign in</button></form>"


@pytest.mark.parametrize("raw", [NGINX, APACHE, LISTING, LOGIN, b"<title>New Page 1</title><img src=a.gif>"])
def test_boilerplate_is_unreliable_english_with_an_explanation(raw: bytes) -> None:
    verdict = webtongue.identify(raw)
    assert (verdict.label, verdict.reliable, round(verdict.confidence, 3)) == ("eng_Latn", False, 0.5)
    assert any("boilerplate" in row.value for row in verdict.evidence)


def test_boilerplate_is_not_english_if_english_is_not_allowed() -> None:
    assert webtongue.Identifier(languages=["de", "fr"]).identify(NGINX).label != "eng_Latn"


def test_a_translated_error_page_is_in_its_language() -> None:
    raw = (
        "<title>404 Not Found</title><h1>Seite nicht gefunden</h1><p>Die gesuchte Seite gibt es leider nicht mehr.</p>"
    )
    verdict = webtongue.identify(raw.encode())
    assert (verdict.label, verdict.reliable) == ("deu_Latn", True)


def test_the_text_of_a_page_about_cookies_counts() -> None:
    text = "Cookies sind kleine Dateien, die der Browser speichert. Wir verwenden Cookies nur für die Anmeldung."
    verdict = webtongue.identify(f"<a href=/>Home</a> <a href=/a>About us</a><p>{text}</p>".encode())
    assert (verdict.label, verdict.reliable) == ("deu_Latn", True)


def test_a_letter_bar_is_decoded_unchanged() -> None:
    raw = f"<html lang=fr><div>{' - '.join('ABCDEFGHIJKLMNOPQRSTUVWXYZ')}</div><p>Cliquez sur une lettre.</p>".encode()
    assert webtongue.decode(raw).text == raw.decode()
    assert webtongue.identify(raw).label == "fra_Latn"
