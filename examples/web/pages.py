"""The responses of the generated web."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from web.plan import Host, Plan
from web.traps import POOL, TRAPS, build_trap

__all__ = ["Answer", "build_answer", "list_hub_links"]

# http://de.example/ redirects to a site in German. The names of sites depend on the settings.
SEED_DOMAIN = ".example"
SHORT_SHARE = 0.08  # share of pages with an image and a heading only
REDIRECT_SHARE = 0.02  # share of pages that redirect to the page before them
HUB_LINKS = 40  # links of a directory page to sites


@dataclass(frozen=True, slots=True)
class Answer:
    """A response. ``trap`` names what the server does instead of answering."""

    status: int
    headers: dict[str, str]
    body: bytes
    is_gzipped: bool = False
    is_chunked: bool = False
    trap: str = ""


def build_answer(plan: Plan, name: str, path: str) -> Answer:
    """Return the response of a host for a path."""
    host = plan.hosts.get(name)
    if host is None and name.endswith(POOL):
        host = plan.hosts.get(f"www.{POOL}")
    if host is None:
        seed = plan.find_seed(name.removesuffix(SEED_DOMAIN)) if name.endswith(SEED_DOMAIN) and path == "/" else None
        return Answer(404, {}, b"no such host") if seed is None else Answer(302, {"Location": seed}, b"")
    if path == "/robots.txt":
        return _build_robots(host)
    if host.kind not in ("site", "hub"):
        return _build_trap(plan, host, name, path)
    location = plan.find_page(host, path)
    if location is None:
        return Answer(404, {"Content-Type": "text/html"}, b"<h1>404 Not Found</h1>")
    part, number = location
    if number and host.rng("broken", part, number).random() < plan.settings.broken_share:
        return Answer(404 if number % 2 else 503, {"Content-Type": "text/html"}, b"<h1>Gone</h1>")
    if number > 3 and host.rng("moved", part, number).random() < REDIRECT_SHARE:
        return Answer(301, {"Location": plan.url(host, part, number - 1)}, b"")
    return _build_page(plan, host, part, number)


def _build_robots(host: Host) -> Answer:
    rules = "User-agent: *\nDisallow: /\n" if host.kind == "robots" else "User-agent: *\nDisallow: /private/\n"
    return Answer(200, {"Content-Type": "text/plain"}, rules.encode())


def _build_trap(plan: Plan, host: Host, name: str, path: str) -> Answer:
    text = plan.texts[host.labels[0]]
    response = build_trap(host.kind, name, path, text.headings[0], " ".join(text.paragraphs[:2]))
    if response is None:
        return Answer(200, {}, b"", trap=host.kind)
    status, headers, body = response
    return Answer(status, {"Content-Type": "text/html; charset=utf-8", **headers}, body)


def _build_page(plan: Plan, host: Host, part: int, number: int) -> Answer:
    label = plan.label(host, part, number)
    text, rng = plan.texts[label], host.rng("text", part, number)
    title = plan.title(host, part, number)
    if rng.random() < SHORT_SHARE and number:
        body = f'<h1>{escape(title)}</h1><img src="/bild.jpg">'
    else:
        paragraphs = rng.sample(text.paragraphs, min(len(text.paragraphs), rng.randrange(2, 4)))
        body = f"<h1>{escape(title)}</h1>" + "".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)
    links = list_hub_links(plan, host, number) if host.kind == "hub" else plan.links(host, part, number)
    menu = "".join(f'<li><a href="{escape(url)}">{escape(anchor)}</a></li>' for url, anchor in links)
    language_menu = "".join(
        f'<a href="{escape(plan.url(host, other))}" hreflang="{plan.texts[other_label].tag}">{plan.texts[other_label].name}</a> '
        for other, other_label in enumerate(host.labels)
        if len(host.labels) > 1
    )
    lang = f' lang="{text.tag}"' if host.declares_language else ""
    html = (
        f'<!DOCTYPE html>\n<html{lang}>\n<head><title>{escape(title)}</title><link rel="stylesheet" href="/style.css"></head>\n'
        f"<body>\n<nav>{language_menu}</nav>\n<main>{body}</main>\n<ul>{menu}</ul>\n</body>\n</html>\n"
    )
    try:
        raw, encoding = html.encode(host.encoding), host.encoding
    except UnicodeEncodeError:
        raw, encoding = html.encode(), "utf-8"
    content_type = f"text/html; charset={encoding}" if rng.random() < 0.8 or encoding != "utf-8" else "text/html"
    return Answer(200, {"Content-Type": content_type}, raw, host.is_gzipped, host.is_chunked)


def list_hub_links(plan: Plan, host: Host, number: int) -> list[tuple[str, str]]:
    """Return URL and anchor text of the links of a directory: to sites of all languages, to its other pages, to the traps."""
    rng = host.rng("hub", number)
    sites = [site for site in plan.hosts.values() if site.kind == "site"]
    links = [(plan.url(site), plan.title(site, 0, 0)) for site in rng.sample(sites, min(HUB_LINKS, len(sites)))]
    links += [(plan.url(host, 0, other), "More sites") for other in range(host.pages) if other != number]
    if plan.settings.has_traps and number == 0:
        links += [(f"http://{name}/", "Another site") for name, _, _ in TRAPS]
    return links
