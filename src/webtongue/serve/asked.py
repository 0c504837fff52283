"""What may be asked: the JSON of requests, read strictly, with an error that says where it is wrong."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from webtongue.page import Inlink, Page
from webtongue.serve.http import Request
from webtongue.serve.problems import Problem

__all__ = [
    "Asked",
    "AskedLine",
    "AskedUrl",
    "AskedUrls",
    "InlinkOf",
    "as_json",
    "decoded",
    "flag",
    "page_of",
    "text_of",
    "url_of",
    "with_fields",
]

T = TypeVar("T")
NO_FIELDS: Mapping[str, str] = {}
BASE64 = r"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
FLAGS = {"1": True, "true": True, "0": False, "false": False}
CODE = re.compile("[A-Za-z]{2}")
AT_BYTE = re.compile(r"\(byte (\d+)\)$")
AT_PLACE = re.compile(r" - at `\$(.*)`$")
DESCRIBED = {"url": "The page's address. It is read, never fetched.", "ip": "The address of its server."}

Country = Annotated[str, Meta(pattern="^[A-Za-z]{2}$", description="The country of its server, ISO 3166.")]
Url = Annotated[str, Meta(description=DESCRIBED["url"])]
Ip = Annotated[str, Meta(description=DESCRIBED["ip"])]
Chance = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[float, Meta(ge=0)]


class InlinkOf(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A link to the page: where it stands, what that page is in and how sure that is, its words, its hreflang."""

    url: str = ""
    language: str = ""
    confidence: Chance = 1.0
    anchor: str = ""
    hreflang: str = ""


class Known(Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What may be known of a page beside its text."""

    url: Url | None = None
    ip: Ip | None = None
    country: Country | None = None
    inlinks: Annotated[list[InlinkOf], Meta(description="Links to the page.")] = []
    host: (
        Annotated[dict[str, Count], Meta(description="How many other pages of its host are in each language.")] | None
    ) = None
    explain: Annotated[bool, Meta(description="Add guesses, segments, evidence and more.")] = False

    def links(self) -> tuple[Inlink, ...]:
        """Links as the library has them."""
        return tuple(Inlink(a.url, a.language, a.confidence, a.anchor, a.hreflang) for a in self.inlinks)


class Asked(Known, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A page or a text: exactly one of text, html and base64."""

    text: Annotated[str, Meta(description="Text without markup.")] | UnsetType = UNSET
    html: Annotated[str, Meta(description="A page that is decoded already.")] | UnsetType = UNSET
    base64: Annotated[str, Meta(pattern=BASE64, description="A page's bytes.")] | UnsetType = UNSET
    headers: Annotated[dict[str, str], Meta(description="That came with the page.")] = {}

    def page(self, fields: Mapping[str, str] = NO_FIELDS) -> Page:
        """The page as the library has it; that of a text is its UTF-8. What it does not say, the fields of a query may."""
        country = country_in(fields)
        given = [value for value in (self.text, self.html, self.base64) if not isinstance(value, UnsetType)]
        if len(given) != 1:
            raise Problem("invalid", f"give one of text, html and base64, not {len(given)} of them", pointer="")
        raw = given[0].encode("utf-8", "replace") if isinstance(self.base64, UnsetType) else _bytes(given[0])
        url = fields.get("url") if self.url is None else self.url
        ip = fields.get("ip") if self.ip is None else self.ip
        return Page(
            raw, url, self.headers, ip, country if self.country is None else self.country, self.links(), self.host
        )


class AskedLine(Asked, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A line of a batch; its id comes back with the answer."""

    id: Annotated[int | str | None, Meta(description="Comes back with the answer.")] = None


class AskedUrl(Known, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """An address, and what is known of its page."""

    url: Url
    anchor: Annotated[str, Meta(description="The words of a link to it.")] | None = None


class AskedUrls(Struct, forbid_unknown_fields=True):
    """Many addresses."""

    urls: list[str | None]
    explain: bool = False


def decoded(body: bytes, kind: type[T], line: int = 1) -> T:
    """JSON of one kind, refused with the line and column, or the place within it, that is wrong; ``line``: that of its first.

    >>> decoded(b'{"text": "Salve"}', Asked).text
    'Salve'
    """
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        said = str(error)
        found = AT_PLACE.search(said)
        place = re.sub(r"\[(\d+)\]", r".\1", found[1].replace("[...]", "")).replace(".", "/") if found else ""
        raise Problem("invalid", AT_PLACE.sub("", said), pointer=place) from None
    except msgspec.DecodeError as error:
        raise _malformed(body, str(error), line) from None
    except (UnicodeDecodeError, RecursionError) as error:
        raise _malformed(body, str(error), line, getattr(error, "start", 0)) from None


def _malformed(body: bytes, said: str, first: int, at: int | None = None) -> Problem:
    """Where in a body its JSON ends to be JSON; columns are counted in characters, both from 1."""
    if at is None:
        found = AT_BYTE.search(said)
        at = int(found[1]) if found else len(body)
    before = body[:at]
    line = before.count(b"\n") + first
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    detail = f"{AT_BYTE.sub('', said).strip()}: line {line}, column {column}"
    return Problem("malformed", detail, line=line, column=column)


def _bytes(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Problem("invalid", f"this is not base64: {error}", pointer="/base64") from None


def flag(fields: Mapping[str, str], name: str) -> bool:
    """A field of a query that is true or false; false where it is not there."""
    said = fields.get(name)
    if said is None:
        return False
    if said not in FLAGS:
        raise Problem("invalid", f"{name} is 1 or 0, not {said[:40]!r}", parameter=name)
    return FLAGS[said]


def text_of(asked: Asked) -> str | None:
    """The text that was given as such, None where a page was."""
    return None if isinstance(asked.text, UnsetType) else asked.text


def page_of(request: Request, body: bytes, fields: Mapping[str, str]) -> Page:
    """A page from a raw body, the headers it came with, and the fields of a query."""
    headers = {"content-type": request.header(b"content-type")} if b"content-type" in request.headers else {}
    if b"content-language" in request.headers:
        headers["content-language"] = request.header(b"content-language")
    return Page(body, fields.get("url"), headers, fields.get("ip"), country_in(fields))


def url_of(fields: Mapping[str, str]) -> AskedUrl:
    """An address from the fields of a query."""
    if "url" not in fields:
        raise Problem("invalid", "url is missing: the address to read", parameter="url")
    return AskedUrl(
        url=fields["url"], ip=fields.get("ip"), country=country_in(fields), anchor=fields.get("anchor"),
        explain=flag(fields, "explain"),
    )  # fmt: skip


def with_fields(asked: AskedUrl, fields: Mapping[str, str]) -> AskedUrl:
    """An address from JSON; what that does not say, the fields of a query may."""
    found = url_of({"url": asked.url, **fields})
    for name in ("ip", "country", "anchor"):
        if getattr(asked, name) is None:
            setattr(asked, name, getattr(found, name))
    asked.explain = asked.explain or found.explain
    return asked


def country_in(fields: Mapping[str, str]) -> str | None:
    """The country in a query, None where it has none."""
    country = fields.get("country")
    if country is not None and not CODE.fullmatch(country):
        raise Problem("invalid", f"country is a code of two letters, not {country[:40]!r}", parameter="country")
    return country


def as_json(value: Any) -> bytes:
    """An answer as JSON."""
    return msgspec.json.encode(value)
