"""What is at an address of the web, as bytes."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from web.plan import Host, Plan
from web.traps import POOL, TRAPS, trap

__all__ = ["Answer", "answer"]

SHORT = 0.08  # share of pages that have a picture and hardly a word
MOVED = 0.02  # share of pages that stand elsewhere: their address with a slash more leads there


@dataclass(frozen=True, slots=True)
class Answer:
    """A response. ``worse`` names what the server does instead of answering."""

    status: int
    headers: dict[str, str]
    body: bytes
    packed: bool = False
    chunked: bool = False
    worse: str = ""


def answer(plan: Plan, name: str, path: str) -> Answer:
    """What a server of this name answers."""
    host = plan.hosts.get(name)
    if host is None and name.endswith(POOL):
        host = plan.hosts.get(f"www.{POOL}")
    if host is None:
        return Answer(404, {}, b"no such host")
    if path == "/robots.txt":
        return _robots(host)
    if host.kind not in ("site", "hub"):
        return _trapped(plan, host, name, path)
    place = plan.place(host, path)
    if place is None:
        return Answer(404, {"Content-Type": "text/html"}, b"<h1>404 Not Found</h1>")
    part, number = place
    if number and host.chance("broken", part, number).random() < plan.settings.broken:
        return Answer(404 if number % 2 else 503, {"Content-Type": "text/html"}, b"<h1>Gone</h1>")
    if number > 3 and host.chance("moved", part, number).random() < MOVED:
        return Answer(301, {"Location": plan.url(host, part, number - 1)}, b"")
    return _page(plan, host, part, number)


def _robots(host: Host) -> Answer:
    rules = "User-agent: *\nDisallow: /\n" if host.kind == "robots" else "User-agent: *\nDisallow: /private/\n"
    return Answer(200, {"Content-Type": "text/plain"}, rules.encode())


def _trapped(plan: Plan, host: Host, name: str, path: str) -> Answer:
    text = plan.texts[host.labels[0]]
    found = trap(host.kind, name, path, text.headings[0], " ".join(text.paragraphs[:2]))
    if found is None:
        return Answer(200, {}, b"", worse=host.kind)
    status, headers, body = found
    return Answer(status, {"Content-Type": "text/html; charset=utf-8", **headers}, body)


def _page(plan: Plan, host: Host, part: int, number: int) -> Answer:
    label = plan.label(host, part, number)
    text, chance = plan.texts[label], host.chance("text", part, number)
    title = plan.title(host, part, number)
    if chance.random() < SHORT and number:
        body = f'<h1>{escape(title)}</h1><img src="/bild.jpg">'
    else:
        chosen = chance.sample(text.paragraphs, min(len(text.paragraphs), chance.randrange(2, 4)))
        body = f"<h1>{escape(title)}</h1>" + "".join(f"<p>{escape(one)}</p>" for one in chosen)
    links = _hub_links(plan, host, number) if host.kind == "hub" else plan.links(host, part, number)
    menu = "".join(f'<li><a href="{escape(url)}">{escape(words)}</a></li>' for url, words in links)
    switch = "".join(
        f'<a href="{escape(plan.url(host, other))}" hreflang="{plan.texts[one].tag}">{plan.texts[one].name}</a> '
        for other, one in enumerate(host.labels)
        if len(host.labels) > 1
    )
    lang = f' lang="{text.tag}"' if host.declares else ""
    html = (
        f'<!DOCTYPE html>\n<html{lang}>\n<head><title>{escape(title)}</title><link rel="stylesheet" href="/style.css"></head>\n'
        f"<body>\n<nav>{switch}</nav>\n<main>{body}</main>\n<ul>{menu}</ul>\n</body>\n</html>\n"
    )
    try:
        raw, encoding = html.encode(host.encoding), host.encoding
    except UnicodeEncodeError:
        raw, encoding = html.encode(), "utf-8"
    kind = f"text/html; charset={encoding}" if chance.random() < 0.8 or encoding != "utf-8" else "text/html"
    return Answer(200, {"Content-Type": kind}, raw, host.packed, host.chunked)


def _hub_links(plan: Plan, host: Host, number: int) -> list[tuple[str, str]]:
    """A directory: sites of all languages, and its own other pages; the first leads to the traps."""
    chance = host.chance("hub", number)
    sites = [one for one in plan.hosts.values() if one.kind == "site"]
    out = [(plan.url(site), plan.title(site, 0, 0)) for site in chance.sample(sites, min(40, len(sites)))]
    out += [(plan.url(host, 0, other), "More sites") for other in range(host.pages) if other != number]
    if plan.settings.traps and number == 0:
        out += [(f"http://{name}/", "Another site") for name, _, _ in TRAPS]
    return out
