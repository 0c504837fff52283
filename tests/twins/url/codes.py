"""The readable twin of native/url/codes.cpp: what parts of a URL may name."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.twins.url.letters import is_letter, plain

MAX_CHARS = 24
CASED_LOCALE = re.compile("[a-z]{2}[-_][A-Z]{2}")
SCRIPTS = {"hans", "hant", "latn", "cyrl", "arab"}


@dataclass(frozen=True, slots=True)
class CodeRow:
    label: str
    values: tuple[int, ...]


class Codes:
    """The table data/url_codes.tsv, for some labels."""

    def __init__(self, table: str, labels: list[str]) -> None:
        self.tokens: dict[str, list[CodeRow]] = {}
        self.locales: dict[str, list[CodeRow]] = {}
        self.pairs: dict[str, list[CodeRow]] = {}
        self.tlds: dict[str, list[CodeRow]] = {}
        self.scripts: dict[str, list[CodeRow]] = {}
        self.regions: dict[str, list[str]] = {}  # the languages of a country; none for other regions
        self.aliases: dict[str, bytes] = {}
        known = set(labels)
        for line in table.splitlines():
            if line and line[0] != "#":
                token, form, label, *values = line.split("\t")
                self.add(token, form, label, values, known)

    def add(self, token: str, form: str, label: str, values: list[str], known: set[str]) -> None:
        if form == "region":
            self.regions[token] = label.split()
        elif form == "alias":
            self.aliases[token] = label.encode()
        elif label in known:
            row = CodeRow(label, tuple(int(value or 0) for value in [*values, *[""] * 9][:9]))
            table, key = self.tokens, name_key(token[:MAX_CHARS])
            if form in ("tld", "script"):
                table, key = (self.tlds if form == "tld" else self.scripts), token
            elif token.endswith("-*"):
                table, key = self.locales, token[:2]
            elif len(token) == 5 and token[2] == "-":
                table, key = self.pairs, token
            if key:
                table.setdefault(key, []).append(row)

    def country(self, tld: bytes) -> bytes:
        """The country code of a top level domain in another script; any other one as it is."""
        if not tld or len(tld) > 63 or not (tld[0] >= 128 or tld.startswith(b"xn--")):
            return tld
        from tests.twins.url.features import decoded_label

        return self.aliases.get(decoded_label(tld), tld)

    def find(self, part: str) -> list[CodeRow]:
        if not 2 <= len(part) <= MAX_CHARS:
            return []
        joined = "-" in part or "_" in part
        if joined and len(part) <= 10 and (rows := self.find_locale(part)):
            return rows
        if joined and len(part) < 6:
            return []
        return self.tokens.get(name_key(part) or "?", [])

    def find_locale(self, part: str) -> list[CodeRow]:
        chunks = re.split("[-_]", "".join(map(plain, part)))
        if CASED_LOCALE.fullmatch(part) and chunks[1] in self.regions and chunks[0] in self.locales:
            return self.locales[chunks[0]]
        if len(chunks) == 3 and len(chunks[0]) == len(chunks[2]) == 2 and chunks[1] in SCRIPTS:
            return self.locales.get(chunks[0], [])
        if len(chunks) != 2:
            return []
        first, second = chunks
        if rows := self.pairs.get(f"{first}-{second}"):
            return rows
        if self.goes_with(first, second) and first in self.locales:
            return self.locales[first]
        return self.locales.get(second, []) if self.goes_with(second, first) else []

    def goes_with(self, language: str, region: str) -> bool:
        """Whether a code of two letters and what stands beside it are a language and its region."""
        if len(language) != 2 or region in SCRIPTS or language == region:
            return len(language) == 2
        languages = self.regions.get(region)
        return languages is not None and (not languages or language == "en" or language in languages)

    def find_pair(self, first: str, second: str) -> list[CodeRow]:
        """The meanings of two codes in neighbouring segments."""
        first, second = ("".join(map(plain, code)) for code in (first, second))
        if rows := self.pairs.get(f"{first}-{second}"):
            return rows
        as_first, as_second = self.locales.get(first, []), self.locales.get(second, [])
        if first == second:
            return as_first
        can_begin, can_end = as_first and second in self.regions, as_second and first in self.regions
        return [] if bool(can_begin) == bool(can_end) else as_first if can_begin else as_second


def name_key(part: str) -> str | None:
    """Letters only; None where something else than hyphens, underscores and spaces stands between them."""
    kept = [c for c in part if c not in "-_ " and not 0x300 <= ord(c) < 0x370]
    return "".join(plain(c) for c in kept) if len(kept) >= 2 and all(map(is_letter, kept)) else None
