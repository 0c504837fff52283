"""Reads robots.txt (RFC 9309): which bytes count, which group applies, to which authority, and where a redirect leads."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit, urlunsplit

from webtongue.crawl.urls import DEFAULT_PORTS

__all__ = ["MAX_ROBOTS_BYTES", "RobotsGroup", "get_authority", "resolve_redirect", "select_group"]

MAX_ROBOTS_BYTES = 500 * 1024  # RFC 9309, 2.5: the minimum that a crawler must read; the rest is ignored
MAX_CRAWL_DELAY_SECONDS = 30.0  # a larger Crawl-delay counts as this
UTF16_BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")
LINE_END = re.compile(r"\r\n|\r|\n")
AGENT_LINE = re.compile(r"user[- ]?agent(?:\s*:|\s)\s*(.*)", re.IGNORECASE)
# Spellings of "disallow" that sites use and that Protego, Scrapy's parser, accepts too.
RULE_LINE = re.compile(
    r"(allow|disallow|dissallow|dissalow|disalow|diasllow|disallaw|crawl[- ]delay)(?:\s*:|\s)\s*(.*)", re.IGNORECASE
)
SECONDS = re.compile(r"\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}")
UNSAFE_IN_URL = re.compile(r"[\x00-\x20\x7f]")


@dataclass(frozen=True, slots=True)
class RobotsGroup:
    """The rules of a robots.txt that apply to one user agent, written as a robots.txt with the single group ``*``."""

    text: str
    crawl_delay: float  # seconds; 0 if the group has none


def get_authority(url: str) -> str:
    """Return scheme, host and port of a URL, to which the rules of one robots.txt apply.

    >>> [get_authority(url) for url in ("http://Example.org:80/a", "https://example.org/", "http://[::1]:8080/?b")]
    ['http://example.org', 'https://example.org', 'http://[::1]:8080']
    """
    parts = urlsplit(url)
    scheme, host = parts.scheme.lower(), (parts.hostname or "").lower()
    netloc = f"[{host}]" if ":" in host else host
    if parts.port is not None and parts.port != DEFAULT_PORTS.get(scheme):
        netloc = f"{netloc}:{parts.port}"
    return f"{scheme}://{netloc}"


def resolve_redirect(url: str, location: str, max_chars: int) -> str:
    """Return the http or https URL that a redirect of a robots.txt leads to, or "" if it leads to none.

    >>> resolve_redirect("http://a.org/robots.txt", "//www.a.org/robots.txt#top", 100)
    'http://www.a.org/robots.txt'
    >>> [resolve_redirect("http://a.org/robots.txt", url, 100) for url in ("", "ftp://a.org/", "http://u:p@a.org/", "http://[")]
    ['', '', '', '']
    """
    if not location.strip():
        return ""
    try:
        target = urljoin(url, location.strip())
        parts = urlsplit(target)
        is_usable = parts.scheme in DEFAULT_PORTS and bool(parts.hostname) and parts.username is None
        parts.port  # noqa: B018 - raises ValueError for an invalid port
    except ValueError:
        return ""
    if not is_usable or len(target) > max_chars or UNSAFE_IN_URL.search(target):
        return ""
    return urlunsplit((parts.scheme, parts.netloc, parts.path or "/", parts.query, ""))


def select_group(body: bytes, user_agent: str) -> RobotsGroup:
    """Return the rules for a user agent: those of the groups with the longest matching name, or else of the groups for ``*``.

    Scrapy's parser stores each rule of a group once for each of its names. It only gets the group that applies, so that a file
    with many names and many rules takes no more memory than its size.

    >>> select_group(b"User-agent: *\\rDisallow: /\\rUser-agent: Web*\\rAllow: /\\rCrawl-delay: 2.5", "webtongue/1.0")
    RobotsGroup(text='User-agent: *\\nallow: /\\n', crawl_delay=2.5)
    """
    lines = [line.partition("#")[0].strip() for line in LINE_END.split(_decode(body))]
    agents = [_parse_agent(line) for line in lines]
    lengths = {agent: _match_length(agent, user_agent.lower()) for agent in set(agents) if agent is not None}
    best = max(lengths, key=lambda agent: lengths[agent], default="")
    if not lengths.get(best):
        return RobotsGroup("", 0.0)
    rules, delay = ["User-agent: *"], 0.0
    is_selected = follows_agent = False
    for line, agent in zip(lines, agents, strict=True):
        if agent is not None:
            is_selected, follows_agent = (is_selected and follows_agent) or agent == best, True
            continue
        rule = RULE_LINE.fullmatch(line)
        if rule is None:  # a Sitemap or unknown line does not end a list of user agents
            continue
        follows_agent = False
        if not is_selected:
            continue
        name, value = rule[1].lower(), " ".join(rule[2].split())
        if name.startswith("crawl"):
            delay = max(delay, _parse_seconds(value))
        elif value:
            rules.append(f"{'allow' if name == 'allow' else 'disallow'}: {value}")
    return RobotsGroup("\n".join([*rules, ""]), delay)


def _decode(body: bytes) -> str:
    """Return the text up to the limit, without a line that the limit truncates: half a rule is a different rule."""
    part = body[:MAX_ROBOTS_BYTES]
    if len(body) > MAX_ROBOTS_BYTES:
        part = part[: max(part.rfind(b"\n"), part.rfind(b"\r")) + 1]
    if part.startswith(UTF16_BYTE_ORDER_MARKS):
        return part.decode("utf-16", "ignore").replace("\0", "")
    return part.decode("utf-8-sig", "ignore").replace("\0", "")


def _parse_agent(line: str) -> str | None:
    """Return the name in a ``User-agent`` line, lower-cased and without wildcards, or None for other lines."""
    match = AGENT_LINE.fullmatch(line)
    if match is None:
        return None
    name = match[1].strip().lower()
    return name if name == "*" else name.replace("*", "").strip()


def _match_length(agent: str, user_agent: str) -> int:
    """Return 1 for ``*``, 1 plus its length for a product name in the user agent, and 0 for other names."""
    if agent == "*":
        return 1
    start = user_agent.find(agent) if agent else -1
    while start > 0 and (user_agent[start - 1].isalnum() or user_agent[start - 1] in "-_"):
        start = user_agent.find(agent, start + 1)
    return 1 + len(agent) if start >= 0 else 0


def _parse_seconds(value: str) -> float:
    return min(float(value), MAX_CRAWL_DELAY_SECONDS) if SECONDS.fullmatch(value) else 0.0
