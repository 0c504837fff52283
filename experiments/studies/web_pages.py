"""Pages of a simulated web: text with a frame, and what declarations, addresses, links and hosts say of it, noise included.

What linking pages and other pages of a host are in is what text alone *answers* for pages of theirs, errors included: a
language that text mistakes is mistaken there too.
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
from web_mess import Mess
from web_noise import ENGLISH, Noise, tag_of
from web_text import Text

from webtongue import files, labels
from webtongue.hints.country import languages_of
from webtongue.page import Inlink

MEDIAN, SPREAD = (
    400,
    1.3,
)  # of visible characters, log-normal: a tenth below 75. dev/html's median is 2,900, a hundredth below 82
LEAST, MOST = 15, 2000  # characters: more would change no answer
MESSY = (
    0.2  # of pages are no clean sentences (web_mess.py): nobody has counted them, so the study also weighs them double
)
MENU = 0.3  # of pages begin with words of their own language in a list, where there are such words
SLUG = 0.5  # of made addresses have words of the page in them
FOREIGN_LINK = 0.2  # of pages are linked to from another site; all others, and these, from their own
MOST_LINKS = 4
GENERIC = ("com", "com", "com", "org", "net", "info")
FRAME = (
    "Home", "About us", "Contact", "News", "Search", "Log in", "Register", "Privacy policy", "Terms of use", "Sitemap", "Read more",
    "Share this", "Next page", "Previous", "All rights reserved", "Powered by WordPress", "Skip to content", "Leave a reply",
    "Archives", "Download", "Print",
    "Follow us on Facebook", "Subscribe to our newsletter", "We use cookies to improve your experience", "Comments",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Web:
    """Labels with their shares of the web, by which a page's wrong neighbours are drawn."""

    names: Sequence[str]
    shares: Sequence[float]
    rare: frozenset[str]


@dataclass(frozen=True, slots=True)
class Body:
    """The text of a page, in paragraphs, and its label; the rest depends on the noise."""

    label: str
    text: str
    first: str
    messy: bool


@dataclass(frozen=True, slots=True)
class Answers:
    """What text alone says of pages of each label: (label, confidence), languages only."""

    of: Mapping[str, Sequence[tuple[str, float]]]

    def draw(self, label: str, rnd: Random) -> tuple[str, float] | None:
        found = self.of.get(label)
        return rnd.choice(found) if found else None


def body(text: Text, lines: Sequence[str], messy: Mess, noise: Noise, rnd: Random) -> Body:
    """A page of messy text, or some lines up to a length that is drawn first; a short page has a part of one."""
    is_messy = rnd.random() < MESSY
    chosen = [messy.make(rnd)] if is_messy else running(lines, rnd)
    parts = [f"<p>{escaped(line)}</p>" for line in chosen]
    if text.words and rnd.random() < MENU:
        parts.insert(0, listed(rnd.sample(text.words, min(len(text.words), rnd.randint(3, 8)))))
    if text.label[:3] != ENGLISH and rnd.random() < noise.declaring.frame:
        parts.insert(rnd.choice((0, len(parts))), listed(rnd.sample(FRAME, rnd.randint(3, 8))))
    return Body(text.label, "\n".join(parts), chosen[0], is_messy)


def running(lines: Sequence[str], rnd: Random) -> list[str]:
    size = int(min(MOST, max(LEAST, MEDIAN * np.exp(SPREAD * rnd.gauss(0, 1)))))
    chosen: list[str] = []
    while (left := size - sum(map(len, chosen))) > 0 and len(chosen) < 40:
        line = rnd.choice(lines)
        if len(line) > left and not chosen:
            line = part_of(line, left, rnd)
        chosen.append(line)
    return chosen


def part_of(line: str, size: int, rnd: Random) -> str:
    """A part of a line, of whole words where it has words."""
    start = rnd.randrange(len(line) - size + 1)
    if start and " " in line[start:]:
        start = line.index(" ", start) + 1
    piece = line[start : start + size]
    cut = piece.rfind(" ")
    return piece[:cut] if cut > size // 2 else piece or line[:size]


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def listed(items: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li><a href=#>{escaped(item)}</a></li>" for item in items) + "</ul>"


def columns(bodies: Sequence[Body], noise: Noise, web: Web, answers: Answers, rnd: Random) -> dict[str, list[Any]]:
    """Pages as ``identify_batch`` takes them."""
    by_share = iter(rnd.choices(web.names, web.shares, k=12 * len(bodies) + 100))

    def another() -> str:
        return next(by_share, "eng_Latn")

    rows: dict[str, list[Any]] = {"raw": [], "url": [], "inlinks": [], "host": []}
    for one in bodies:
        lang = declared(one.label, noise, web, rnd, another)
        tag = f" lang={lang}" if lang else ""
        rows["raw"].append(f"<!doctype html><html{tag}><head><meta charset=utf-8></head><body>{one.text}".encode())
        url = address(one, noise, rnd, another)
        rows["url"].append(url)
        rows["inlinks"].append(links(one.label, url, noise, web, answers, rnd, another))
        rows["host"].append(host(one.label, noise, web, answers, rnd, another))
    return rows


def declared(label: str, noise: Noise, web: Web, rnd: Random, another: Any) -> str:
    """The value of ``lang``; empty where there is none."""
    said, language = noise.declaring, label[:3]
    if rnd.random() >= said.at_all:
        return ""
    chance = rnd.random() / noise.times
    if label in web.rare and rnd.random() < noise.shy:
        return "en"
    if language != ENGLISH and chance < said.english:
        return "en"
    chance -= said.english if language != ENGLISH else 0.0
    if chance < said.others:
        return tag_of(another()[:3])
    if chance < said.others + said.rare:
        return wrong_code(language, rnd)
    return tag_of(language)


def wrong_code(language: str, rnd: Random) -> str:
    """A code that is declared by mistake: the country's in place of the language's, or any."""
    places = [code.lower() for code, _ in countries().get(language, ()) if labels.parse(code.lower())]
    return rnd.choice(places) if places and rnd.random() < 0.5 else rnd.choice(two_letters())


@cache
def two_letters() -> list[str]:
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)]
    return [a + b for a in letters for b in letters if labels.parse(a + b)]


@cache
def countries() -> dict[str, list[tuple[str, float]]]:
    """Where a language is written, and by which share of the people there."""
    found: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for country, *_ in files.rows("countries.tsv"):
        for one in languages_of(country):
            found[one.label[:3]].append((country, one.share))
    return dict(found)


def address(one: Body, noise: Noise, rnd: Random, another: Any) -> str:
    """A real address of the language where there are some, else a made one."""
    language = one.label[:3]
    real = noise.urls.get(language)
    if real:
        good, bad = real
        misleads = bool(bad) and rnd.random() < noise.times * len(bad) / (len(good) + len(bad))
        return rnd.choice(bad if misleads or not good else good)
    rates, chance = noise.addressing, rnd.random()
    top = rnd.choice(GENERIC)
    places = countries().get(language, ())
    if chance < noise.times * rates.other_country:
        places = countries().get(another()[:3], ())
        top = rnd.choice(places)[0].lower() if places else top
    elif places and chance < noise.times * rates.other_country + rates.own_country:
        top = rnd.choices([code.lower() for code, _ in places], [share for _, share in places])[0]
    chance = rnd.random()
    code = ""
    if chance < noise.times * rates.other_code:
        code = tag_of(another()[:3]) + "/"
    elif chance < noise.times * rates.other_code + rates.own_code:
        code = tag_of(language) + "/"
    name = "".join(rnd.choices("bcdfghklmnprstv", k=2)) + rnd.choice("aeiou") + str(rnd.randrange(1000))
    return f"https://www.{name}.{top}/{code}{path_of(one.first, rnd)}"


def path_of(text: str, rnd: Random) -> str:
    """Words of a page as they stand in addresses, or a number."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = re.findall("[a-z]{2,}", plain)[:5]
    return "-".join(words) if len(words) > 1 and rnd.random() < SLUG else f"p/{rnd.randrange(10**6)}"


def links(label: str, url: str, noise: Noise, web: Web, answers: Answers, rnd: Random, another: Any) -> list[Inlink]:
    """Links from the page's own site, and now and then from another."""
    found = []
    site = "/".join(url.split("/")[:3])
    kinds = [True] * rnd.randint(1, MOST_LINKS) + [False] * (rnd.random() < FOREIGN_LINK)
    for own in kinds:
        stray = noise.times * stray_links(label, own, noise, web)
        source = another() if rnd.random() < stray else label
        answer = answers.draw(source, rnd)
        if answer:
            place = site if own else f"https://other{rnd.randrange(10**6)}.example"
            found.append(Inlink(f"{place}/{rnd.randrange(10**6)}", answer[0], answer[1]))
    return found


def stray_links(label: str, own: bool, noise: Noise, web: Web) -> float:
    """The share of links to a page that come from another language; to English ones all languages link."""
    rate = noise.linking.own if own else noise.linking.foreign
    if label[:3] != ENGLISH:
        return rate
    english = web.shares[web.names.index("eng_Latn")] if "eng_Latn" in web.names else 0.5
    leaving = noise.linking.to_english[0 if own else 1] * (1 - english)
    return rate + leaving / (leaving + english)


def host(label: str, noise: Noise, web: Web, answers: Answers, rnd: Random, another: Any) -> dict[str, float] | None:
    """What the other pages of the host are in, by text alone."""
    language = label[:3]
    size = "english" if language == ENGLISH else "small" if label in web.rare or language not in noise.urls else "big"
    hosts = noise.hosts[size]
    bad = rnd.random() < noise.times * hosts.share_bad
    own, english, others = rnd.choice(hosts.bad if bad and hosts.bad else hosts.good)
    found: dict[str, float] = defaultdict(float)
    foreign = another()  # a host with several languages mostly has two
    for _ in range(others):
        chance = rnd.random()
        source = label if chance < own else "eng_Latn" if chance < own + english else foreign
        answer = answers.draw(source, rnd)
        if answer:
            found[answer[0]] += 1
    return dict(found) or None
