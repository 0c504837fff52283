"""Options that say what is known of a page beside its bytes or its address, and what of it is listened to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeAlias

import typer

from webtongue import labels
from webtongue.cli.terminal import shown
from webtongue.errors import UsageError
from webtongue.fuse import SOURCES
from webtongue.hints.country import country_of_tld
from webtongue.identifier import Identifier
from webtongue.page import Inlink, Page
from webtongue.verdict import Verdict

__all__ = [
    "Country",
    "Evidence",
    "Geo",
    "Inlinks",
    "Ip",
    "Languages",
    "code_of",
    "credit_of",
    "links_of",
    "names_of",
    "sources_of",
]

NONE = "none"
CODE = 2  # letters of a country's code
SHOWN = 60  # characters of a wrong value that a sentence quotes

Ip: TypeAlias = Annotated[str | None, typer.Option("--ip", metavar="ADDRESS", help="The address of one page's server.")]
Country: TypeAlias = Annotated[
    str | None, typer.Option("--country", metavar="CODE", help="The country of that server, such as IS.")
]
Inlinks: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--inlink", metavar="URL[=LANG]", help="A page that links to it, and its language; repeatable."),
]
Geo: TypeAlias = Annotated[
    str | None, typer.Option("--geo", metavar="FILE", help="Countries of addresses: an MMDB file of any maker.")
]
Evidence: TypeAlias = Annotated[
    str | None,
    typer.Option("--evidence", metavar="SOURCES", help=f"Listen only to these: {', '.join(SOURCES)}; or none."),
]
Languages: TypeAlias = Annotated[
    str | None, typer.Option("--languages", metavar="LANGS", help="Answer only these, such as 'da,nb,sv'; else und.")
]


def links_of(given: Sequence[str]) -> tuple[Inlink, ...]:
    """Links as URL=LANG, or as URL alone: a URL may have = in it, so the last one counts, and only before a language and not
    within a query (``?lang=is``).

    >>> [(link.url, link.language) for link in links_of(["https://example.is/?a=1=is", "https://example.is/?a=17"])]
    [('https://example.is/?a=1', 'is'), ('https://example.is/?a=17', '')]
    """
    out = []
    for text in given:
        url, equals, language = text.rpartition("=")
        known = labels.parse(language) if equals and not _is_pair(url) else None
        if known is None or known.language in labels.SPECIAL:
            url, language = text, ""
        if not url.strip():
            raise UsageError(f"a link is the address of a page, or URL=LANG, not {_quoted(text)}")
        out.append(Inlink(url.strip(), language.strip()))
    return tuple(out)


def _is_pair(before: str) -> bool:
    """Whether the = after this is one of a query's."""
    query = before.rpartition("?")[2] if "?" in before else ""
    return "?" in before and "=" not in query.rpartition("&")[2]


def code_of(country: str | None) -> str | None:
    """A country's code, refused if it is none."""
    if country is None or (len(country.strip()) == CODE and country_of_tld(country)):
        return country
    raise UsageError(f"--country is a code of two letters (ISO 3166), such as IS, not {_quoted(country)}")


def names_of(languages: str | None) -> list[str] | None:
    """What may be answered; None for all."""
    return None if languages is None else _listed(languages, "--languages names at least one, such as 'da,nb,sv'")


def sources_of(evidence: str | None) -> list[str] | None:
    """What is listened to; None for all."""
    if evidence is None or evidence.strip().lower() == NONE:
        return None if evidence is None else []
    return _listed(evidence, f"--evidence names at least one of {', '.join(SOURCES)}, or is {NONE}")


def credit_of(page: Page | None, verdict: Verdict, ident: Identifier) -> str:
    """Whose table a country comes from, which their licence asks to be said with it; empty where it comes from none."""
    by_table = page is not None and page.ip and not page.country and verdict.country
    return ident.attribution if by_table else ""


def _listed(text: str, otherwise: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise UsageError(otherwise)
    return names


def _quoted(text: str) -> str:
    return repr(shown(text[:SHOWN]))
