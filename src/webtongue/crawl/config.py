"""The settings of a crawl in one object, for the command, for Scrapy projects and for the journal."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from webtongue.errors import UsageError

__all__ = ["DEFER", "DROP", "POLICIES", "PREFIX", "USER_AGENT", "Config"]

PREFIX = "WEBTONGUE_"  # prefix of our settings in a Scrapy project
RANDOM, CCTLD, SVM, URL, FUSED = "random", "cctld", "svm", "url", "fused"
POLICIES = (RANDOM, CCTLD, SVM, URL, FUSED)
DEFER, DROP = "defer", "drop"
KB, MB = 1 << 10, 1 << 20
USER_AGENT = "webtongue (language-focused crawler; obeys robots.txt)"


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a crawl. The journal stores them as JSON; docs/settings.md describes them one by one."""

    # Languages and size.
    languages: tuple[str, ...] = ()  # tags or labels, such as fr, is, zh-TW
    quota: int = 0  # pages to fetch in each language; 0: no limit
    max_pages: int = 1000  # requests in all, answered or not; 0: no limit
    # Choice of links.
    policy: str = FUSED
    scorer: str = ""  # name of a published method in WEBTONGUE_SCORERS, for the policy svm
    threshold: float = 0.8  # a link with a lower score waits until nothing better is queued or in flight
    below_threshold: str = DEFER  # or DROP: links below the threshold are not queued
    host_pages: int = 10  # requests per host, as in Baykan 2013; 0: no limit
    host_links: int = 100  # URLs per host that are queued, so that the best ten can be chosen; 0: no limit
    domain_pages: int = 200  # requests per registered domain: a wildcard domain has endless hosts; 0: no limit
    random_seed: int = 0  # for policies that choose at random
    # Limits.
    depth: int = 50  # links between a seed and a page; 0: no limit
    redirects: int = 5  # redirects followed in a row
    timeout: float = 30.0  # seconds per request, including its body
    max_page_bytes: int = 10 * MB  # a larger body, compressed or not, is a failure
    max_header_bytes: int = 256 * KB  # all headers of a response together
    max_url_chars: int = 2048
    max_page_links: int = 2000  # links of one page that are scored
    # Politeness.
    delay: float = 1.0  # seconds between requests to a host
    concurrency: int = 16  # requests in flight, one per host
    retries: int = 1  # retries of a temporary failure
    obey_robots: bool = True
    robots_retry_delay: float = 20.0  # seconds before a robots.txt that failed with 5xx or 429 is requested again
    user_agent: str = USER_AGENT
    http_only: bool = False  # no https, as in Baykan 2013
    # Safety. Connections to private networks are refused, whatever host name or redirect leads there.
    allow_private: bool = False
    # IP addresses to use instead of DNS, for tests: "*=127.0.0.1:8080,intern.example=10.0.0.1".
    connect_to: str = ""
    # Files.
    journal: str = ""  # path of the journal; empty: in memory, and the crawl cannot be resumed
    archive: str = ""  # path of the WARC file; empty: none is written

    def __post_init__(self) -> None:
        if self.policy not in POLICIES:
            raise UsageError(f"a policy is one of {', '.join(POLICIES)}, not {self.policy!r}")
        if self.below_threshold not in (DEFER, DROP):
            raise UsageError(f"below_threshold is {DEFER} or {DROP}, not {self.below_threshold!r}")
        if not 0 <= self.threshold <= 1:
            raise UsageError(f"a threshold is a probability from 0 to 1, not {self.threshold:g}")
        for name in ("quota", "max_pages", "host_pages", "host_links", "domain_pages", "depth", "redirects", "retries"):
            if getattr(self, name) < 0:
                raise UsageError(f"{name} is 0 or more, not {getattr(self, name)}")
        for name in ("delay", "timeout", "robots_retry_delay"):
            seconds = getattr(self, name)
            if not (math.isfinite(seconds) and seconds >= 0):
                raise UsageError(f"{name} is a number of seconds, 0 or more, not {seconds}")
        if self.timeout == 0 or self.concurrency < 1:
            raise UsageError("timeout is more than 0 seconds, and concurrency is 1 or more")
        if not self.user_agent.isprintable():
            raise UsageError("a user agent is one line of text")

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as a dict that can be written as JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Config:
        """Return the settings in a dict from JSON. Unknown names are ignored; a value of another type is a UsageError."""
        defaults, values = cls(), {}
        for name, value in row.items():
            if name in cls.__dataclass_fields__:
                values[name] = _check_json_type(getattr(defaults, name), value, name)
        return cls(**values)

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Config:
        """Return the settings of a Scrapy project: field names in capitals after ``WEBTONGUE_``; values may be strings.

        >>> Config.from_settings({"WEBTONGUE_LANGUAGES": "is, fo", "WEBTONGUE_QUOTA": "500"}).languages
        ('is', 'fo')
        """
        defaults, values = cls(), {}
        for field in fields(cls):
            value = settings.get(f"{PREFIX}{field.name.upper()}")
            if value is not None:
                values[field.name] = _convert_setting(getattr(defaults, field.name), value, field.name)
        return cls(**values)


def _check_json_type(default: Any, value: Any, name: str) -> Any:
    """Return a value from JSON in its field's type."""
    if isinstance(default, tuple) and isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    if isinstance(default, float) and type(value) is int:
        return float(value)
    if type(value) is not type(default) or isinstance(default, tuple):
        raise UsageError(f"{name} is {type(default).__name__}, not {value!r:.80}")
    return value


def _convert_setting(default: Any, value: Any, name: str) -> Any:
    """Return a Scrapy setting in its field's type; settings from a command line are strings."""
    try:
        if isinstance(default, tuple):
            items = value.split(",") if isinstance(value, str) else value
            return tuple(text for text in (str(item).strip() for item in items) if text)
        if isinstance(default, bool):
            return value.strip().lower() in {"1", "true", "yes", "on"} if isinstance(value, str) else bool(value)
        return type(default)(value)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{PREFIX}{name.upper()} is {type(default).__name__}, not {value!r}") from error
