"""Pages that cannot hold a wanted language, told from their bytes alone: no markup is cut, nothing is decoded.

Somebody who looks for Faroese has no use for nearly all pages of a crawl, and to identify one takes ten times as long as this does.
The bytes of a page are taken as words of four. A table says of each how much likelier it is in text of the language than on
other pages, in any form that pages have it: UTF-8, old encodings, character references, without its accents. A stretch of 64 bytes
whose words add up to enough may be text of the language; a page without one is refused, wherever on it one would be.

What speaks for a language keeps a page, whatever its bytes are like: a declaration, a domain, an address. Only text refuses one.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from webtongue import files, labels
from webtongue.errors import ModelError
from webtongue.hints.country import country_of_tld, languages_of, tld
from webtongue.page import Page, content_headers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "BITS",
    "KINDS",
    "LEVELS",
    "LOWEST",
    "Kind",
    "Look",
    "Prefilter",
    "PrefilterModel",
    "Reach",
    "kind_of",
    "load",
    "places_of",
    "prefilter",
]

MAGIC, VERSION = b"WTP\r\n\x1a\n\0", 1
SECTIONS = ("names", "kinds", "least", "starts", "tables", "manifest")
DEFAULT = files.MODELS / "prefilter.wtp"

BITS = 16  # of a word's place in a table: with 14, twice as many pages pass
LEVELS = (
    -6,
    -2,
    2,
    5,
    9,
)  # weights, half nats: five of them refuse nearly as many pages as sixteen, in a third of the room
LOWEST = LEVELS[0]
OCTET = 8  # words whose weights are added at a time, 32 bytes; a stretch is two of them
MULTIPLIER = 0x9E3779B1  # 2 to the power of 32, divided by the golden ratio
LANES = 0x0101010101010101

SMALL = 512  # bytes of a page that is identified as quickly as looked at
SHORT = 8192  # bytes of a page that may have no more than a list or a line of text, and has few stretches that seem it by chance
MOST = 6  # tables of a kind that a page is looked at with
CHUNK = 1 << 17  # bytes looked at together: bounds memory, and what is made of them stays in the cache
HEAD = 2048  # bytes in which declarations and signs of another form are looked for
WIDE = b"\0"  # UTF-16 and UTF-32: bytes that are not text as they stand
ESCAPE, HZ = (
    b"\x1b",
    b"~{",
)  # the same in encodings that shift from ASCII to other scripts; of the first, wherever it stands
COMMON = 0.3  # share of a country's people who write a language, from which on its domain speaks for it


@dataclass(frozen=True, slots=True)
class Kind:
    """What of a word counts: its bits that are kept, and those that are set."""

    kept: int
    put: int


# Latin letters by what they are, small and large alike. In other scripts a letter is two bytes or more, and in each old encoding
# another one: there the upper bits tell a script, and what is left of the lower ones a language. Where characters are thousands,
# fewer bits are more.
KINDS = (Kind(0xFFFFFFFF, 0x20202020), Kind(0xF8F8F8F8, 0), Kind(0xF0F0F0F0, 0))
LATIN, DENSE = "Latn", frozenset({"Hans", "Hant", "Jpan", "Hang", "Hani", "Kore", "Yiii"})


def kind_of(label: str) -> int:
    """The kind of words that a label is told by."""
    script = label.partition("_")[2]
    return 0 if script == LATIN else 2 if script in DENSE else 1


@dataclass(frozen=True, slots=True)
class Look:
    """A table of weights for words of one kind, and the sum over a stretch from which on it may be text."""

    kind: int
    weights: NDArray[np.uint8]  # from LOWEST on
    least: int

    def highest(self, places: NDArray[np.intp]) -> int:
        """The highest sum of a stretch of words that have these places; the lowest there is where there is none."""
        import numpy as np

        found = np.empty(len(places) // OCTET * OCTET, np.uint8)
        self.weights.take(places[: len(found)], out=found, mode="clip")  # none is outside: so it looks for none
        octets = found.view(np.uint64)
        if len(octets) < 2:
            return 2 * OCTET * LOWEST
        octets *= np.uint64(LANES)  # eight weights of at most 15 are added up in the highest byte
        octets >>= np.uint64(56)
        return int((octets[1:] + octets[:-1]).max()) + 2 * OCTET * LOWEST


def places_of(words: NDArray[np.uint32], kind: Kind) -> NDArray[np.intp]:
    """Where the tables of a kind have the weights of words."""
    import numpy as np

    places = words | np.uint32(kind.put) if kind.put else words & np.uint32(kind.kept)
    places *= np.uint32(MULTIPLIER)
    places >>= np.uint32(32 - BITS)
    return places.astype(np.intp)


@dataclass(frozen=True, slots=True)
class Reach:
    """What beside text speaks for wanted languages: codes in declarations and in an address, and countries of domains."""

    codes: frozenset[str]
    declared: tuple[re.Pattern[bytes], ...]
    address: re.Pattern[str]
    countries: frozenset[str]

    def speaks(self, page: Page) -> bool:
        """Whether a page, its server or its address names one of them, or a country where one is written."""
        url = page.url
        if url and (self.address.search(url) or _country(tld(url)) in self.countries):
            return True
        if page.headers and (said := content_headers(page.headers)[1]) and self._names(said):
            return True
        head = page.raw[:HEAD].lower()
        return any(pattern.search(head) for pattern in self.declared)

    def _names(self, said: str) -> bool:
        return any(part.strip().partition("-")[0].lower() in self.codes for part in said.replace("_", "-").split(","))


@dataclass(frozen=True, slots=True)
class Prefilter:
    """Says which pages may hold a wanted language. ``looks`` is None where nothing can be said of one of them; ``escapes``: one may
    be written in encodings that shift."""

    labels: tuple[str, ...]
    reach: Reach
    looks: tuple[Look, ...] | None
    escapes: bool = False

    def may_hold(self, page: Page) -> bool:
        """Whether a page may hold text in a wanted language: False is as good as sure.

        >>> wanted = prefilter(["kat_Geor"])
        >>> english = b"<p>The museum is open every day of the week but Monday, and on holidays until noon.</p>" * 9
        >>> wanted.may_hold(Page(english)), wanted.may_hold(Page(english, "https://example.ge/"))
        (False, True)
        """
        raw = page.raw
        if self.looks is None or len(raw) < SMALL or self.reach.speaks(page):
            return True
        head = raw[:HEAD]
        if WIDE in head or (self.escapes and (ESCAPE in raw or HZ in head)):
            return True
        return self._sees(raw)

    def _sees(self, raw: bytes) -> bool:
        """Whether a page has a stretch that may be text; on a short page, half of the sum will do."""
        import numpy as np

        words = np.frombuffer(raw, "<u4", len(raw) // 4)
        part = 2 if len(raw) < SHORT else 1
        step = CHUNK // 4
        for begin in range(0, len(words), step):
            chunk = words[begin : begin + step + OCTET]
            for number, kind in enumerate(KINDS):
                own = [look for look in self.looks or () if look.kind == number]
                places = places_of(chunk, kind) if own else None
                if places is not None and any(look.highest(places) >= look.least // part for look in own):
                    return True
        return False


@dataclass(frozen=True, slots=True)
class PrefilterModel:
    """A model file: by label the kind of its words, the sum that a stretch must have, and its weights, packed."""

    numbers: dict[str, int]
    kinds: bytes
    least: Sequence[int]
    starts: Sequence[int]
    tables: bytes

    def look(self, label: str) -> Look:
        """The table of a label."""
        import numpy as np

        at = self.numbers[label]
        packed = np.frombuffer(zlib.decompress(self.tables[self.starts[at] : self.starts[at + 1]]), np.uint8)
        levels = np.empty(1 << BITS, np.uint8)
        levels[::2], levels[1::2] = packed & 15, packed >> 4
        weights = np.array([level - LOWEST for level in LEVELS], np.uint8)
        return Look(self.kinds[at], weights[levels], self.least[at])


@cache
def load(path: Path = DEFAULT) -> PrefilterModel:
    """A model file; the same path gives the same model."""
    try:
        parts = files.unpack(path, MAGIC, VERSION, SECTIONS)
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} is not a model that can be used: {error}") from error
    names = parts["names"].decode().split("\n")
    starts = memoryview(parts["starts"]).cast("I").tolist()
    least = memoryview(parts["least"]).cast("h").tolist()
    return PrefilterModel({name: at for at, name in enumerate(names)}, parts["kinds"], least, starts, parts["tables"])


def prefilter(wanted: Iterable[str], model: PrefilterModel | None = None) -> Prefilter:
    """A filter for some labels; one that the model does not have lets all pages pass."""
    chosen = tuple(wanted)
    model = load() if model is None else model
    looks = (
        _merged([model.look(label) for label in chosen]) if all(label in model.numbers for label in chosen) else None
    )
    return Prefilter(chosen, _reach(chosen), looks, any(kind_of(label) != 0 for label in chosen))


def _merged(looks: Sequence[Look]) -> tuple[Look, ...]:
    """The same looks, or fewer: where there are many of a kind, those most alike become one that lets pass what either would."""
    import numpy as np

    out: list[Look] = []
    for number in range(len(KINDS)):
        own = [look for look in looks if look.kind == number]
        while len(own) > MOST:
            tables = np.array([look.weights for look in own], np.float32)
            tables -= tables.mean(axis=1, keepdims=True)
            tables /= np.linalg.norm(tables, axis=1, keepdims=True) + 1
            alike = tables @ tables.T - 2 * np.eye(len(own), dtype=np.float32)
            a, b = sorted(divmod(int(alike.argmax()), len(own)))
            both = np.maximum(own[a].weights, own[b].weights)
            own[a] = Look(number, both, min(own[a].least, own[b].least))
            del own[b]
        out += own
    return tuple(out)


def _reach(wanted: Sequence[str]) -> Reach:
    codes = {code for label in wanted for code in (label[:3], labels.bcp47(label).partition("-")[0])}
    names = "|".join(sorted(codes))
    # Each begins with a word that is searched for quickly; what may stand between it and the code is bounded.
    declared = (rf"{word}[^<>]{{0,60}}?[\s\"'=:](?:{names})[\s\"'>_-]" for word in ("lang", "locale"))
    return Reach(
        frozenset(codes),
        tuple(re.compile(pattern.encode()) for pattern in declared),
        re.compile(rf"(?i)[/.=_-](?:{names})(?:[/._&-]|$)"),
        frozenset(_countries(frozenset(wanted))),
    )


def _countries(wanted: frozenset[str]) -> Iterable[str]:
    """Those in which one is official, or written by many."""
    for country, *_ in files.rows("countries.tsv"):
        spoken = languages_of(country)
        if any(s.label in wanted and (s.official or s.regional or s.share >= COMMON) for s in spoken):
            yield country


@lru_cache(4096)
def _country(domain: str) -> str:
    return country_of_tld(domain)
