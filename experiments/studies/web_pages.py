"""Pages of a simulated web: text with a frame, declarations, URLs, links and hosts, with noise.

The languages of linking pages and of other pages of a host are the *answers* of text alone for such pages, with its errors.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np
from web_distortions import DistortedText
from web_noise import ENGLISH, Noise, language_code
from web_text import LabelText

from webtongue import files, labels
from webtongue.page import Inlink
from webtongue.reference.countries import languages_of

# Sizes of pages are log-normal. A tenth is below 75 characters; the median of dev/html is 2,900, with a hundredth below 82.
MEDIAN_CHARS, LOG_SPREAD = 400, 1.3
MIN_CHARS, MAX_CHARS = 15, 2000  # more characters would not change answers
# The true share of pages with distorted text (web_distortions.py) is unknown, so the study also doubles it.
DISTORTED_SHARE = 0.2
MENU_SHARE = 0.3  # of pages that begin with a list of words of their language, if there are such words
SLUG_SHARE = 0.5  # of generated URLs with words of the page
EXTERNAL_LINK_SHARE = 0.2  # of pages with links from another site; all pages have links from their own
MAX_LINKS = 4
GENERIC_TLDS = ("com", "com", "com", "org", "net", "info")
ENGLISH_FRAME = (
    "Home", "About us", "Contact", "News", "Search", "Log in", "Register", "Privacy policy", "Terms of use", "Sitemap", "Read more",
    "Share this", "Next page", "Previous", "All rights reserved", "Powered by WordPress", "Skip to content", "Leave a reply",
    "Archives", "Download", "Print",
    "Follow us on Facebook", "Subscribe to our newsletter", "We use cookies to improve your experience", "Comments",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Web:
    """Labels with their shares of the web, by which misleading languages are sampled."""

    names: Sequence[str]
    shares: Sequence[float]
    rare: frozenset[str]


@dataclass(frozen=True, slots=True)
class Body:
    """The text of a page and its label."""

    label: str
    text: str
    first: str
    is_distorted: bool


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers of text alone for pages of each label: (label, confidence), languages only."""

    by_label: Mapping[str, Sequence[tuple[str, float]]]

    def sample(self, label: str, rng: Random) -> tuple[str, float] | None:
        result = self.by_label.get(label)
        return rng.choice(result) if result else None


def generate_body(text: LabelText, lines: Sequence[str], distortions: DistortedText, noise: Noise, rng: Random) -> Body:
    """Return a page of distorted text, or of lines up to a random length; a short page has a part of a line."""
    is_distorted = rng.random() < DISTORTED_SHARE
    chosen = [distortions.generate(rng)] if is_distorted else running_text(lines, rng)
    parts = [f"<p>{escape(line)}</p>" for line in chosen]
    if text.words and rng.random() < MENU_SHARE:
        parts.insert(0, as_list(rng.sample(text.words, min(len(text.words), rng.randint(3, 8)))))
    if text.label[:3] != ENGLISH and rng.random() < noise.declarations.frame:
        parts.insert(rng.choice((0, len(parts))), as_list(rng.sample(ENGLISH_FRAME, rng.randint(3, 8))))
    return Body(text.label, "\n".join(parts), chosen[0], is_distorted)


def running_text(lines: Sequence[str], rng: Random) -> list[str]:
    size = int(min(MAX_CHARS, max(MIN_CHARS, MEDIAN_CHARS * np.exp(LOG_SPREAD * rng.gauss(0, 1)))))
    chosen: list[str] = []
    while (left := size - sum(map(len, chosen))) > 0 and len(chosen) < 40:
        line = rng.choice(lines)
        if len(line) > left and not chosen:
            line = cut_line(line, left, rng)
        chosen.append(line)
    return chosen


def cut_line(line: str, size: int, rng: Random) -> str:
    """Return a part of a line, of whole words if it has spaces."""
    start = rng.randrange(len(line) - size + 1)
    if start and " " in line[start:]:
        start = line.index(" ", start) + 1
    span = line[start : start + size]
    cut = span.rfind(" ")
    return span[:cut] if cut > size // 2 else span or line[:size]


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def as_list(items: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li><a href=#>{escape(item)}</a></li>" for item in items) + "</ul>"


def generate_columns(
    bodies: Sequence[Body], noise: Noise, web: Web, answers: Answers, rng: Random
) -> dict[str, list[Any]]:
    """Return pages as columns for ``identify_batch``."""
    by_share = iter(rng.choices(web.names, web.shares, k=12 * len(bodies) + 100))

    def random_label() -> str:
        return next(by_share, "eng_Latn")

    rows: dict[str, list[Any]] = {"raw": [], "url": [], "inlinks": [], "host": []}
    for body in bodies:
        lang = declared_language(body.label, noise, web, rng, random_label)
        tag = f" lang={lang}" if lang else ""
        rows["raw"].append(f"<!doctype html><html{tag}><head><meta charset=utf-8></head><body>{body.text}".encode())
        url = generate_url(body, noise, rng, random_label)
        rows["url"].append(url)
        rows["inlinks"].append(generate_links(body.label, url, noise, web, answers, rng, random_label))
        rows["host"].append(generate_host(body.label, noise, web, answers, rng, random_label))
    return rows


def declared_language(label: str, noise: Noise, web: Web, rng: Random, random_label: Any) -> str:
    """Return the value of ``lang``, or "" for none."""
    rates, language = noise.declarations, label[:3]
    if rng.random() >= rates.any_share:
        return ""
    draw = rng.random() / noise.scale
    if label in web.rare and rng.random() < noise.declares_english:
        return "en"
    if language != ENGLISH and draw < rates.english:
        return "en"
    draw -= rates.english if language != ENGLISH else 0.0
    if draw < rates.others:
        return language_code(random_label()[:3])
    if draw < rates.others + rates.rare:
        return random_code(language, rng)
    return language_code(language)


def random_code(language: str, rng: Random) -> str:
    """Return a code that is declared by mistake: that of the country, or any."""
    places = [code.lower() for code, _ in countries_by_language().get(language, ()) if labels.parse(code.lower())]
    return rng.choice(places) if places and rng.random() < 0.5 else rng.choice(two_letter_codes())


@cache
def two_letter_codes() -> list[str]:
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)]
    return [a + b for a in letters for b in letters if labels.parse(a + b)]


@cache
def countries_by_language() -> dict[str, list[tuple[str, float]]]:
    """Return the countries of each language with its share of the population."""
    result: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for country, *_ in files.read_rows("countries.tsv"):
        for body in languages_of(country):
            result[body.label[:3]].append((country, body.share))
    return dict(result)


def generate_url(body: Body, noise: Noise, rng: Random, random_label: Any) -> str:
    """Return a real URL of the language if there are any, or a generated one."""
    language = body.label[:3]
    real = noise.urls.get(language)
    if real:
        good, bad = real
        is_misleading = bool(bad) and rng.random() < noise.scale * len(bad) / (len(good) + len(bad))
        return rng.choice(bad if is_misleading or not good else good)
    rates, draw = noise.url_rates, rng.random()
    tld = rng.choice(GENERIC_TLDS)
    places = countries_by_language().get(language, ())
    if draw < noise.scale * rates.other_country:
        places = countries_by_language().get(random_label()[:3], ())
        tld = rng.choice(places)[0].lower() if places else tld
    elif places and draw < noise.scale * rates.other_country + rates.own_country:
        tld = rng.choices([code.lower() for code, _ in places], [share for _, share in places])[0]
    draw = rng.random()
    code = ""
    if draw < noise.scale * rates.other_code:
        code = language_code(random_label()[:3]) + "/"
    elif draw < noise.scale * rates.other_code + rates.own_code:
        code = language_code(language) + "/"
    name = "".join(rng.choices("bcdfghklmnprstv", k=2)) + rng.choice("aeiou") + str(rng.randrange(1000))
    return f"https://www.{name}.{tld}/{code}{url_path(body.first, rng)}"


def url_path(text: str, rng: Random) -> str:
    """Return words of a page as in URLs, or a number."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = re.findall("[a-z]{2,}", plain)[:5]
    return "-".join(words) if len(words) > 1 and rng.random() < SLUG_SHARE else f"p/{rng.randrange(10**6)}"


def generate_links(
    label: str, url: str, noise: Noise, web: Web, answers: Answers, rng: Random, random_label: Any
) -> list[Inlink]:
    """Return links from the page's site, and sometimes from another."""
    result = []
    site = "/".join(url.split("/")[:3])
    kinds = [True] * rng.randint(1, MAX_LINKS) + [False] * (rng.random() < EXTERNAL_LINK_SHARE)
    for own in kinds:
        foreign_share = noise.scale * foreign_link_share(label, own, noise, web)
        source = random_label() if rng.random() < foreign_share else label
        answer = answers.sample(source, rng)
        if answer:
            place = site if own else f"https://other{rng.randrange(10**6)}.example"
            result.append(Inlink(f"{place}/{rng.randrange(10**6)}", answer[0], answer[1]))
    return result


def foreign_link_share(label: str, own: bool, noise: Noise, web: Web) -> float:
    """Return the share of links to a page that come from another language; all languages link to English pages."""
    rate = noise.links.own if own else noise.links.foreign
    if label[:3] != ENGLISH:
        return rate
    english = web.shares[web.names.index("eng_Latn")] if "eng_Latn" in web.names else 0.5
    leaving = noise.links.to_english[0 if own else 1] * (1 - english)
    return rate + leaving / (leaving + english)


def generate_host(
    label: str, noise: Noise, web: Web, answers: Answers, rng: Random, random_label: Any
) -> dict[str, float] | None:
    """Return the languages of other pages of the host, by text alone."""
    language = label[:3]
    size = "english" if language == ENGLISH else "small" if label in web.rare or language not in noise.urls else "big"
    hosts = noise.hosts[size]
    bad = rng.random() < noise.scale * hosts.bad_share
    own, english, others = rng.choice(hosts.bad if bad and hosts.bad else hosts.good)
    result: dict[str, float] = defaultdict(float)
    foreign = random_label()  # most hosts with several languages have two
    for _ in range(others):
        draw = rng.random()
        source = label if draw < own else "eng_Latn" if draw < own + english else foreign
        answer = answers.sample(source, rng)
        if answer:
            result[answer[0]] += 1
    return dict(result) or None
