"""The settings of a crawl, in one object: of the command, of a Scrapy project, and in the journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from webtongue.errors import UsageError

__all__ = ["DEFER", "DROP", "POLICIES", "PREFIX", "USER_AGENT", "Config"]

PREFIX = "WEBTONGUE_"  # of settings in a Scrapy project
RANDOM, CCTLD, SVM, URL, FUSED = "random", "cctld", "svm", "url", "fused"
POLICIES = (RANDOM, CCTLD, SVM, URL, FUSED)
DEFER, DROP = "defer", "drop"
KB, MB = 1 << 10, 1 << 20
USER_AGENT = "webtongue/0.1 (language-focused crawler; obeys robots.txt)"


@dataclass(frozen=True, slots=True)
class Config:
    """What is wanted, how links are chosen, and what a crawl may do to others' servers. Plain data: the journal holds it."""

    # What is wanted.
    languages: tuple[str, ...] = ()  # tags or labels, such as fr, is, zh-TW
    quota: int = 0  # pages of each language that are enough; 0: there are never enough
    max_pages: int = 1000  # requests in all, answered or not; 0: as many as there are
    # How links are chosen.
    policy: str = FUSED
    scorer: str = ""  # where a published method is, module and name, for the policy svm
    threshold: float = 0.8  # chance below which a link waits until nothing better is queued or under way
    below: str = DEFER  # or DROP: such a link is forgotten
    host_pages: int = 10  # requests of a host, as in Baykan 2013; 0: any number
    host_links: int = 100  # addresses of a host that are queued, so that the best ten can be chosen; 0: any number
    # Requests of a registered domain: a wildcard domain has hosts without end. 0: any number.
    domain_pages: int = 200
    seed: int = 0  # of chance, where a policy draws
    # Limits.
    depth: int = 50  # links from a seed
    redirects: int = 5
    timeout: float = 30.0  # seconds of a request, its body included
    largest_page: int = 10 * MB  # bytes of a page, packed or not: a larger one is a failure
    largest_header: int = 256 * KB  # bytes of all headers of a response
    longest_url: int = 2048
    most_links: int = 2000  # of a page that are looked at
    # Manners.
    delay: float = 1.0  # seconds between requests to a host
    concurrency: int = 16  # requests under way, one a host
    retries: int = 1  # of a request that failed for now
    obey_robots: bool = True
    user_agent: str = USER_AGENT
    http_only: bool = False  # no https, as in Baykan 2013
    # Safety: connections into private networks are refused, whatever name or redirect leads there.
    allow_private: bool = False
    # Where names lead instead of where DNS says: "*=127.0.0.1:8080,intern.example=10.0.0.1"; for rehearsals and tests.
    connect_to: str = ""
    # Where the journal is; empty: in memory, and nothing can be resumed.
    journal: str = ""
    archive: str = ""  # the WARC file that captures go to; empty: none is written

    def __post_init__(self) -> None:
        if self.policy not in POLICIES:
            raise UsageError(f"a policy is one of {', '.join(POLICIES)}, not {self.policy!r}")
        if self.below not in (DEFER, DROP):
            raise UsageError(
                f"below a threshold, links are {DEFER}red or {DROP}ped: {DEFER} or {DROP}, not {self.below!r}"
            )
        if not 0 <= self.threshold <= 1:
            raise UsageError(f"a threshold is a chance from 0 to 1, not {self.threshold:g}")
        for name in ("quota", "max_pages", "host_pages", "host_links", "domain_pages", "depth", "redirects", "retries"):
            if getattr(self, name) < 0:
                raise UsageError(f"{name} is 0 or more, not {getattr(self, name)}")
        if self.delay < 0 or self.timeout <= 0 or self.concurrency < 1:
            raise UsageError(
                "a delay is 0 or more seconds, a timeout is more than 0, and one request or more is under way"
            )

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Config:
        """The inverse; what another release had is left out."""
        known: dict[str, Any] = {}
        for name, value in row.items():
            if name in cls.__dataclass_fields__:
                known[name] = tuple(value) if isinstance(value, list) else value
        return cls(**known)

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Config:
        """Of a Scrapy project: each field in capitals, after ``WEBTONGUE_``; strings are read as what they stand for.

        >>> Config.from_settings({"WEBTONGUE_LANGUAGES": "is, fo", "WEBTONGUE_QUOTA": "500"}).languages
        ('is', 'fo')
        """
        given: dict[str, Any] = {}
        for field in fields(cls):
            value = settings.get(f"{PREFIX}{field.name.upper()}")
            if value is not None:
                given[field.name] = _like(getattr(cls(), field.name), value, field.name)
        return cls(**given)


def _like(default: Any, value: Any, name: str) -> Any:
    """A setting as its field has it; a command line hands over strings."""
    try:
        if isinstance(default, tuple):
            names = value.split(",") if isinstance(value, str) else value
            return tuple(text for text in (str(one).strip() for one in names) if text)
        if isinstance(default, bool):
            return value.strip().lower() in {"1", "true", "yes", "on"} if isinstance(value, str) else bool(value)
        return type(default)(value)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{PREFIX}{name.upper()} is {type(default).__name__}, not {value!r}") from error
