"""The JSON of requests, parsed strictly, with errors that name the place."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from collections.abc import Mapping
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from webtongue.page import MAX_INLINKS, Inlink, Page, parse_inlinks
from webtongue.serve.http import Request
from webtongue.serve.problems import Problem

__all__ = [
    "BOM",
    "BatchLine",
    "IdentifyRequest",
    "InlinkInput",
    "UrlRequest",
    "UrlsRequest",
    "parse_json",
    "parse_url_query",
    "read_flag",
    "read_raw_page",
]

T = TypeVar("T")
BASE64 = r"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
FLAGS = {"1": True, "true": True, "0": False, "false": False}
FLAG_VALUES = "true or false, or 1 or 0"
QUERY_FIELDS = ("url", "ip", "country", "anchor")
COUNTRY_CODE = re.compile("[A-Za-z]{2}")
ERROR_OFFSET = re.compile(r"\(byte (\d+)\)$")  # in messages of msgspec
ERROR_PATH = re.compile(r" - at `\$(.*)`$")
UNKNOWN_FIELD = "unknown field"  # the words of msgspec
BOM = b"\xef\xbb\xbf"
STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)  # possessive: linear on any input
MAX_STRUCTURE_BYTES = 1 << 20  # JSON outside its strings: a value of three bytes may take a hundred in memory

Country = Annotated[str, Meta(pattern="^[A-Za-z]{2}$", description="The country of the server, ISO 3166.")]
Url = Annotated[str, Meta(description="The URL of the page. It is analysed, never fetched.")]
Ip = Annotated[str, Meta(description="The IP address of the server.")]
Probability = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[float, Meta(ge=0)]
Flag = bool | Literal[0, 1]


class InlinkInput(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A link to the page: URL of the linking page, its language and confidence, the anchor text, the hreflang attribute."""

    url: str = ""
    language: str = ""
    confidence: Probability = 1.0
    anchor: str = ""
    hreflang: str = ""


class PageMetadata(Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Evidence about a page beside its content."""

    url: Url | None = None
    ip: Ip | None = None
    country: Country | None = None
    inlinks: Annotated[list[InlinkInput], Meta(description="Links to the page.", max_length=MAX_INLINKS)] = []
    host: Annotated[dict[str, Count], Meta(description="Number of other pages of the host by language.")] | None = None
    explain: Annotated[Flag, Meta(description="Add guesses, segments, evidence and an explanation.")] = False

    def to_inlinks(self) -> tuple[Inlink, ...]:
        """Return the links to the page as the library takes them."""
        return parse_inlinks([Inlink(**msgspec.structs.asdict(link)) for link in self.inlinks])

    def add_query(self, fields: Mapping[str, str]) -> None:
        """Set what the JSON leaves out from the fields of a query."""
        _check_country(fields)
        for name in QUERY_FIELDS:
            if name in fields and getattr(self, name, UNSET) is None:
                setattr(self, name, fields[name])
        self.explain = read_flag(fields, "explain") or bool(self.explain)  # the query is checked in any case


class IdentifyRequest(PageMetadata, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A page or a text: exactly one of text, html and base64."""

    text: Annotated[str, Meta(description="Text without markup.")] | UnsetType = UNSET
    html: Annotated[str, Meta(description="A decoded page.")] | UnsetType = UNSET
    base64: Annotated[str, Meta(pattern=BASE64, description="The bytes of a page.")] | UnsetType = UNSET
    headers: Annotated[dict[str, str], Meta(description="HTTP headers of the page.")] = {}

    @property
    def plain_text(self) -> str | None:
        """Return the text, None for a page."""
        return None if isinstance(self.text, UnsetType) else self.text

    def to_page(self) -> Page:
        """Return the page as the library takes it; a text becomes a page of its UTF-8 bytes."""
        contents = [value for value in (self.text, self.html, self.base64) if not isinstance(value, UnsetType)]
        if len(contents) != 1:
            raise Problem("invalid", f"send one of text, html and base64, not {len(contents)} of them", pointer="")
        is_base64 = not isinstance(self.base64, UnsetType)
        raw = _decode_base64(contents[0]) if is_base64 else contents[0].encode("utf-8", "replace")
        return Page(raw, self.url, self.headers, self.ip, self.country, self.to_inlinks(), self.host)


class BatchLine(IdentifyRequest, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A line of a batch."""

    id: Annotated[int | str | None, Meta(description="Returned with the answer.")] = None


class UrlRequest(PageMetadata, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A URL, and evidence about its page."""

    url: Url
    anchor: Annotated[str, Meta(description="The anchor text of a link to the page.")] | None = None


class UrlsRequest(Struct, forbid_unknown_fields=True):
    """A list of URLs."""

    urls: list[str | None]
    explain: Flag = False


def parse_json(body: bytes, kind: type[T], first_line: int = 1) -> T:
    """Return the value of a JSON body; an error names the line and column, or the JSON pointer, that is wrong.

    ``first_line`` is the number of the body's first line in error messages.

    >>> parse_json(b'{"text": "Salve"}', IdentifyRequest).text
    'Salve'
    """
    body = body.removeprefix(BOM)
    if len(body) > MAX_STRUCTURE_BYTES and len(STRING.sub(b"", body)) > MAX_STRUCTURE_BYTES:
        raise Problem("too-large", f"JSON may have at most {MAX_STRUCTURE_BYTES:,} bytes outside its strings")
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        message = str(error)
        match = ERROR_PATH.search(message)
        pointer = re.sub(r"\[(\d+)\]", r".\1", match[1].replace("[...]", "")).replace(".", "/") if match else ""
        message = ERROR_PATH.sub("", message)
        if pointer == "/explain":
            message = f"explain must be {FLAG_VALUES}"
        if UNKNOWN_FIELD in message:
            record: type = InlinkInput if pointer.startswith("/inlinks/") else kind
            message += f"; known are {', '.join(field.name for field in msgspec.structs.fields(record))}"
        raise Problem("invalid", message, pointer=pointer) from None
    except msgspec.DecodeError as error:
        match = ERROR_OFFSET.search(str(error))
        raise _malformed(body, error, int(match[1]) if match else len(body), first_line) from None
    except (UnicodeDecodeError, RecursionError) as error:
        raise _malformed(body, error, getattr(error, "start", 0), first_line) from None


def _malformed(body: bytes, error: Exception, offset: int, first_line: int) -> Problem:
    """Return the problem of a body that is not JSON from an offset on. Columns are in characters; both count from 1."""
    before = body[:offset]
    line = before.count(b"\n") + first_line
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    message = ERROR_OFFSET.sub("", str(error)).strip()
    return Problem("malformed", f"{message}: line {line}, column {column}", line=line, column=column)


def _decode_base64(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Problem("invalid", f"base64 is not valid base64: {error}", pointer="/base64") from None


def read_flag(fields: Mapping[str, str], name: str) -> bool:
    """Return a Boolean field of a query; False where it is missing."""
    value = fields.get(name, "0")
    if value not in FLAGS:
        raise Problem("invalid", f"{name} must be {FLAG_VALUES}, not {value[:40]!r}", parameter=name)
    return FLAGS[value]


def read_raw_page(request: Request, body: bytes, fields: Mapping[str, str]) -> Page:
    """Return a page from a raw body, the headers of its request, and the fields of a query."""
    _check_country(fields)
    names = (b"content-type", b"content-language")
    headers = {name.decode(): request.header(name) for name in names if name in request.headers}
    return Page(body, fields.get("url"), headers, fields.get("ip"), fields.get("country"))


def parse_url_query(fields: Mapping[str, str]) -> UrlRequest:
    """Return a request for a URL that is in the fields of a query."""
    if "url" not in fields:
        raise Problem("invalid", "the parameter url is missing", parameter="url")
    request = UrlRequest(url=fields["url"])
    request.add_query(fields)
    return request


def _check_country(fields: Mapping[str, str]) -> None:
    country = fields.get("country")
    if country is not None and not COUNTRY_CODE.fullmatch(country):
        detail = f"country must be a code of two letters, not {country[:40]!r}"
        raise Problem("invalid", detail, parameter="country")
