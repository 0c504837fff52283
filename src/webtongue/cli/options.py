"""Options that several commands share, as groups, and the values that they are parsed to.

A group is a dataclass whose fields are options. A command takes a group as a parameter, and `expand_groups` replaces it by the
options themselves.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, asdict, fields, is_dataclass
from typing import Annotated, Any, TypeAlias, get_type_hints

from webtongue import labels
from webtongue.cli.parameters import Argument, Option
from webtongue.cli.terminal import escape_text
from webtongue.errors import UsageError
from webtongue.evidence import registry
from webtongue.identifier import Identifier
from webtongue.page import Inlink, Page
from webtongue.records import dataclass
from webtongue.reference.countries import country_of_tld
from webtongue.verdict import Verdict

__all__ = [
    "AnswerOptions",
    "CensusFolder",
    "EvidenceOptions",
    "Inputs",
    "Model",
    "PageOptions",
    "ReadingOptions",
    "TableOptions",
    "Workers",
    "expand_groups",
    "get_country_credit",
    "parse_inlinks",
    "parse_names",
    "parse_share",
    "parse_size",
]

NO_SOURCES = "none"
COUNTRY_CODE_CHARS = 2
MAX_QUOTED_CHARS = 60  # characters of a wrong value that an error message quotes
SIZE = re.compile(r"(\d+)\s*([KMG]?)B?", re.IGNORECASE)
MAX_SIZE_CHARS = 30
UNIT_BYTES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
SHARE = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(%?)")

CensusFolder: TypeAlias = Annotated[str, Argument(metavar="OUT", help="The folder or URL of a census.")]
Inputs: TypeAlias = Annotated[
    list[str],
    Argument(
        metavar="INPUT...",
        help="WARC, ARC, WET, WACZ, JSON Lines or Parquet files, folders of pages, lists of paths, or -; local or at a URL.",
    ),
]
Model: TypeAlias = Annotated[str | None, Option(help="Use this model file.")]
Workers: TypeAlias = Annotated[int | None, Option(min=1, help="Number of processes; default: one for each core.")]


@dataclass(frozen=True, slots=True)
class PageOptions:
    """Options that describe one page beside its bytes or its URL."""

    ip: Annotated[str | None, Option("--ip", metavar="ADDRESS", help="The IP address of the page's server.")] = None
    country: Annotated[
        str | None, Option("--country", metavar="CODE", help="The country of the server, such as IS.")
    ] = None
    inlink: Annotated[
        list[str] | None,
        Option("--inlink", metavar="URL[=LANG]", help="A page that links to it, and its language; repeatable."),
    ] = None

    def __post_init__(self) -> None:
        country = self.country
        if country is not None and not (len(country.strip()) == COUNTRY_CODE_CHARS and country_of_tld(country)):
            raise UsageError(f"--country is a code of two letters (ISO 3166), such as IS, not {_quote(country)}")

    @property
    def is_given(self) -> bool:
        """Return True if any of the options is given."""
        return self.ip is not None or self.country is not None or bool(self.inlink)

    @property
    def inlinks(self) -> tuple[Inlink, ...]:
        """Return the links that are given."""
        return parse_inlinks(self.inlink or [])


@dataclass(frozen=True, slots=True)
class EvidenceOptions:
    """Options that choose the sources of evidence beside the text."""

    geo: Annotated[
        str | None, Option("--geo", metavar="FILE", help="IP addresses and their countries: an MMDB file.")
    ] = None
    evidence: Annotated[
        str | None,
        Option(
            "--evidence", metavar="SOURCES", help=f"Use only these sources: {', '.join(registry.names())}; or none."
        ),
    ] = None

    @property
    def is_given(self) -> bool:
        """Return True if any of the options is given."""
        return any(value is not None for value in asdict(self).values())

    def settings(self) -> dict[str, Any]:
        """Return the values under the names that Identifier and the configurations of commands use."""
        return {"geo": self.geo, "evidence": self._parse_evidence()}

    def _parse_evidence(self) -> tuple[str, ...] | None:
        if self.evidence is None or self.evidence.strip().lower() == NO_SOURCES:
            return None if self.evidence is None else ()
        names = ", ".join(registry.names())
        return parse_names(self.evidence, f"--evidence names at least one of {names}, or is {NO_SOURCES}")


@dataclass(frozen=True, slots=True)
class AnswerOptions(EvidenceOptions):
    """Options that determine how pages are identified."""

    priors: Annotated[
        str | None, Option(help="web (default): rare languages are less likely; uniform: all are equally likely.")
    ] = None
    language: Annotated[
        list[str] | None,
        Option("--language", "-l", metavar="LANGS", help="Answer only these, such as 'da,nb,sv'; else und."),
    ] = None

    def settings(self) -> dict[str, Any]:
        """Return the values under the names that Identifier and the configurations of commands use."""
        return {
            **EvidenceOptions.settings(self),
            "priors": "web" if self.priors is None else self.priors,
            "languages": None if self.language is None else parse_names(self.language),
        }


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """Options for reading the archives of a crawl."""

    prefix: Annotated[str, Option(help="Put before every path of a list, such as s3://commoncrawl/.")] = ""
    sample: Annotated[str, Option(metavar="SHARE", help="Read this share of captures, chosen by digest: 1%, 0.01.")] = (
        "100%"
    )
    url_column: Annotated[str, Option(help="The column of URLs in tables.")] = "url"
    content_column: Annotated[str, Option(help="The column of pages in tables; default: html, content or text.")] = ""
    largest_record: Annotated[str, Option(metavar="SIZE", help="Skip larger records, with a reason in their row.")] = (
        "256M"
    )
    largest_page: Annotated[str, Option(metavar="SIZE", help="Read only the beginning of larger pages.")] = "16M"
    page_seconds: Annotated[float, Option(min=1, help="Time limit for a page, in seconds.")] = 60.0
    retries: Annotated[int, Option(min=0, help="How often a request is repeated that a store refuses for now.")] = 5

    def settings(self) -> dict[str, Any]:
        """Return the values under the names that the configuration of a census uses."""
        settings = asdict(self) | {"sample": parse_share(self.sample)}
        for size in ("record", "page"):
            settings[f"max_{size}_bytes"] = parse_size(settings.pop(f"largest_{size}"))
        return settings


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Options that choose between a table on the screen, JSON Lines and CSV."""

    as_json: Annotated[bool, Option("--json", help="Print a line of JSON for each row.")] = False
    as_csv: Annotated[
        bool, Option("--csv", help="Print CSV; cells that a spreadsheet would run are marked as text.")
    ] = False

    def __post_init__(self) -> None:
        if self.as_json and self.as_csv:
            raise UsageError("--json and --csv are two output formats: choose one")

    def format_rows(self, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterable[str] | None:
        """Return the lines of JSON or CSV, or None for a table on the screen."""
        from webtongue.cli.formatting import format_csv, format_json

        return format_json(columns, rows) if self.as_json else format_csv(columns, rows) if self.as_csv else None


def expand_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with the options of its groups as parameters of their own, in the place of each group."""
    groups: dict[str, Any] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        if not is_dataclass(parameter.annotation):
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        groups[parameter.name] = parameter.annotation
        types = get_type_hints(parameter.annotation, include_extras=True)
        for option in fields(parameter.annotation):
            default = inspect.Parameter.empty if option.default is MISSING else option.default
            parameters.append(
                inspect.Parameter(
                    option.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=types[option.name]
                )
            )

    def expanded(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{option.name: values.pop(option.name) for option in fields(group)})
        command(**values)

    expanded.__doc__ = command.__doc__
    expanded.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    expanded.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return expanded


def parse_inlinks(values: Sequence[str]) -> tuple[Inlink, ...]:
    """Return links that are written URL=LANG or URL.

    A URL may contain "=", so only the last one separates a language, and not if it belongs to a query (``?lang=is``).

    >>> [(link.url, link.language) for link in parse_inlinks(["https://example.is/?a=1=is", "https://example.is/?a=17"])]
    [('https://example.is/?a=1', 'is'), ('https://example.is/?a=17', '')]
    """
    links = []
    for text in values:
        url, equals, language = text.rpartition("=")
        label = labels.parse(language) if equals and not _ends_in_query_key(url) else None
        if label is None or label.language in labels.SPECIAL:
            url, language = text, ""
        if not url.strip():
            raise UsageError(f"--inlink is the URL of a page, or URL=LANG, not {_quote(text)}")
        links.append(Inlink(url.strip(), language.strip()))
    return tuple(links)


def _ends_in_query_key(url: str) -> bool:
    query = url.rpartition("?")[2] if "?" in url else ""
    return "?" in url and "=" not in query.rpartition("&")[2]


def parse_names(
    texts: str | Sequence[str], error: str = "--language names at least one, such as 'da,nb,sv'"
) -> tuple[str, ...]:
    """Return the names of one or more lists with commas; raise a UsageError if there are none.

    >>> parse_names(["da, nb", "sv"])
    ('da', 'nb', 'sv')
    """
    texts = [texts] if isinstance(texts, str) else texts
    names = tuple(name.strip() for text in texts for name in text.split(",") if name.strip())
    if not names:
        raise UsageError(error)
    return names


def parse_size(text: str) -> int:
    """Return a number of bytes that is written with a unit.

    >>> parse_size("16M"), parse_size("2 GB")
    (16777216, 2147483648)
    """
    match = SIZE.fullmatch(text.strip()) if len(text) <= MAX_SIZE_CHARS else None
    if match is None or not int(match[1]):
        raise UsageError(f"a size is written 16M or 2G, not {text[:MAX_SIZE_CHARS]!r}")
    return int(match[1]) * UNIT_BYTES[match[2].upper()]


def parse_share(text: str) -> float:
    """Return a share that is written as a percentage or as a fraction.

    >>> parse_share("1%"), parse_share("0.25")
    (0.01, 0.25)
    """
    match = SHARE.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"a share is written 1% or 0.01, not {text!r}")
    return float(match[1]) / (100 if match[2] else 1)


def get_country_credit(page: Page | None, verdict: Verdict, ident: Identifier) -> str:
    """Return the attribution that the IP-to-country table asks for, or nothing if the country is not from that table."""
    is_from_table = page is not None and page.ip and not page.country and verdict.country
    return ident.attribution if is_from_table else ""


def _quote(text: str) -> str:
    return repr(escape_text(text[:MAX_QUOTED_CHARS]))
