"""A prefilter that rejects pages without text in a wanted language by their bytes alone: nothing is parsed or decoded.

A search for Faroese rejects nearly all pages of a crawl, and identifying a page takes ten times as long as filtering it.
The filter reads a page as words of four bytes. A table has the log-likelihood ratio of each word in text of the language against
other pages, for every form of the language on pages: UTF-8, legacy encodings, character references, without diacritics. A window
of 64 bytes whose sum reaches a threshold may be text of the language; a page without such a window is rejected.

A page with other evidence for a wanted language passes, whatever its bytes: a declaration, a top-level domain, a code in the URL.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from webtongue import files, labels
from webtongue.errors import ModelError
from webtongue.page import Page, content_headers
from webtongue.records import dataclass
from webtongue.reference.countries import country_of_tld, languages_of, tld

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "MIN_WEIGHT",
    "TABLE_BITS",
    "WEIGHT_LEVELS",
    "WORD_MASKS",
    "OtherEvidence",
    "Prefilter",
    "PrefilterModel",
    "WeightTable",
    "WordMask",
    "load",
    "mask_number",
    "prefilter",
    "table_indices",
]

MAGIC, VERSION = b"WTP\r\n\x1a\n\0", 1
SECTIONS = ("names", "kinds", "least", "starts", "tables", "manifest")
DEFAULT = files.MODELS / "prefilter.wtp"

TABLE_BITS = 16  # bits of a table index; with 14, twice as many pages pass
# Weights in half nats: five levels reject nearly as many pages as sixteen, in a third of the memory.
WEIGHT_LEVELS = (-6, -2, 2, 5, 9)
MIN_WEIGHT = WEIGHT_LEVELS[0]
GROUP_WORDS = 8  # words whose weights are added at a time, 32 bytes; a window is two groups
HASH_MULTIPLIER = 0x9E3779B1  # 2^32 divided by the golden ratio
BYTE_LANES = 0x0101010101010101

MIN_PAGE_BYTES = 512  # smaller pages are identified as fast as filtered
SHORT_PAGE_BYTES = (
    8192  # thresholds of shorter pages are halved: they may have one line of text, and few windows pass by chance
)
MAX_TABLES_PER_MASK = 6
CHUNK_BYTES = 1 << 17  # bytes filtered at a time; bounds memory and fits the cache
HEAD_BYTES = 2048  # bytes that are searched for declarations and marks of other encodings
UTF16_SIGN = b"\0"  # occurs in UTF-16 and UTF-32
ESCAPE, HZ_SHIFT = b"\x1b", b"~{"  # occur in ISO 2022 and HZ, which shift from ASCII to other scripts
MIN_COUNTRY_SHARE = (
    0.3  # minimum share of speakers for a country's top-level domain to be evidence for an unofficial language
)


@dataclass(frozen=True, slots=True)
class WordMask:
    """The bits of a word that count: ``keep`` is a mask, ``set`` has bits that are always set."""

    keep: int
    set: int


# Latin letters are lower-cased. A letter of another script has two or more bytes, which differ between legacy encodings: the upper
# bits depend on the script, some of the lower bits on the language. For scripts of thousands of characters fewer bits are better.
WORD_MASKS = (WordMask(0xFFFFFFFF, 0x20202020), WordMask(0xF8F8F8F8, 0), WordMask(0xF0F0F0F0, 0))
LATIN, LARGE_SCRIPTS = "Latn", frozenset({"Hans", "Hant", "Jpan", "Hang", "Hani", "Kore", "Yiii"})


def mask_number(label: str) -> int:
    """Return the number of the word mask for a label's script."""
    script = label.partition("_")[2]
    return 0 if script == LATIN else 2 if script in LARGE_SCRIPTS else 1


@dataclass(frozen=True, slots=True)
class WeightTable:
    """The weights of words under one mask, and the sum from which a window may be text of the language."""

    mask: int
    weights: NDArray[np.uint8]  # stored as weight - MIN_WEIGHT
    threshold: int

    def max_sum(self, indices: NDArray[np.intp]) -> int:
        """Return the highest sum of a window of words with these table indices; the lowest possible without a window."""
        import numpy as np

        weights = np.empty(len(indices) // GROUP_WORDS * GROUP_WORDS, np.uint8)
        self.weights.take(indices[: len(weights)], out=weights, mode="clip")  # "clip" skips the bounds check
        groups = weights.view(np.uint64)
        if len(groups) < 2:
            return 2 * GROUP_WORDS * MIN_WEIGHT
        groups *= np.uint64(BYTE_LANES)  # sums eight weights of at most 15 in the highest byte
        groups >>= np.uint64(56)
        return int((groups[1:] + groups[:-1]).max()) + 2 * GROUP_WORDS * MIN_WEIGHT


def table_indices(words: NDArray[np.uint32], mask: WordMask) -> NDArray[np.intp]:
    """Return the table index of each word."""
    import numpy as np

    hashes = words | np.uint32(mask.set) if mask.set else words & np.uint32(mask.keep)
    hashes *= np.uint32(HASH_MULTIPLIER)
    hashes >>= np.uint32(32 - TABLE_BITS)
    return hashes.astype(np.intp)


@dataclass(frozen=True, slots=True)
class OtherEvidence:
    """Evidence for wanted languages beside the text: codes in declarations and URLs, and countries of top-level domains."""

    codes: frozenset[str]
    declarations: tuple[re.Pattern[bytes], ...]
    url: re.Pattern[str]
    countries: frozenset[str]

    def matches(self, page: Page) -> bool:
        """Return True if a page, its server or its URL names a wanted language, or a country where one is written."""
        url = page.url
        if url and (self.url.search(url) or _country(tld(url)) in self.countries):
            return True
        if page.headers and (language := content_headers(page.headers)[1]) and self._names_language(language):
            return True
        head = page.raw[:HEAD_BYTES].lower()
        return any(pattern.search(head) for pattern in self.declarations)

    def _names_language(self, value: str) -> bool:
        return any(part.strip().partition("-")[0].lower() in self.codes for part in value.replace("_", "-").split(","))


@dataclass(frozen=True, slots=True)
class Prefilter:
    """A filter for pages that may contain a wanted language.

    ``tables`` is None if the model lacks one of the labels: then all pages pass. ``has_shifted``: one of the languages may be
    written in encodings that shift (ISO 2022, HZ).
    """

    labels: tuple[str, ...]
    other_evidence: OtherEvidence
    tables: tuple[WeightTable, ...] | None
    has_shifted: bool = False

    def may_hold(self, page: Page) -> bool:
        """Return False if a page almost certainly has no text in a wanted language.

        >>> wanted = prefilter(["kat_Geor"])
        >>> english = b"<p>The museum is open every day of the week but Monday, and on holidays until noon.</p>" * 9
        >>> wanted.may_hold(Page(english)), wanted.may_hold(Page(english, "https://example.ge/"))
        (False, True)
        """
        raw = page.raw
        if self.tables is None or len(raw) < MIN_PAGE_BYTES or self.other_evidence.matches(page):
            return True
        head = raw[:HEAD_BYTES]
        if UTF16_SIGN in head or (self.has_shifted and (ESCAPE in raw or HZ_SHIFT in head)):
            return True
        return self._has_text(raw)

    def _has_text(self, raw: bytes) -> bool:
        """Return True if a page has a window that reaches a threshold, or half of it on a short page."""
        import numpy as np

        words = np.frombuffer(raw, "<u4", len(raw) // 4)
        divisor = 2 if len(raw) < SHORT_PAGE_BYTES else 1
        step = CHUNK_BYTES // 4
        for begin in range(0, len(words), step):
            chunk = words[begin : begin + step + GROUP_WORDS]
            for number, mask in enumerate(WORD_MASKS):
                tables = [table for table in self.tables or () if table.mask == number]
                indices = table_indices(chunk, mask) if tables else None
                if indices is not None and any(
                    table.max_sum(indices) >= table.threshold // divisor for table in tables
                ):
                    return True
        return False


@dataclass(frozen=True, slots=True)
class PrefilterModel:
    """A model file: word mask, threshold and compressed weights of each label."""

    numbers: dict[str, int]
    masks: bytes
    thresholds: Sequence[int]
    starts: Sequence[int]
    tables: bytes

    def table(self, label: str) -> WeightTable:
        """Return the weights of a label."""
        import numpy as np

        i = self.numbers[label]
        packed = np.frombuffer(zlib.decompress(self.tables[self.starts[i] : self.starts[i + 1]]), np.uint8)
        levels = np.empty(1 << TABLE_BITS, np.uint8)
        levels[::2], levels[1::2] = packed & 15, packed >> 4
        weights = np.array([level - MIN_WEIGHT for level in WEIGHT_LEVELS], np.uint8)
        return WeightTable(self.masks[i], weights[levels], self.thresholds[i])


@cache
def load(path: Path = DEFAULT) -> PrefilterModel:
    """Return the model in a file, which is read once."""
    try:
        parts = files.unpack(path, MAGIC, VERSION, SECTIONS)
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} cannot be used as a prefilter: {error}") from error
    numbers = {name: number for number, name in enumerate(parts["names"].decode().split("\n"))}
    starts = memoryview(parts["starts"]).cast("I").tolist()
    thresholds = memoryview(parts["least"]).cast("h").tolist()
    return PrefilterModel(numbers, parts["kinds"], thresholds, starts, parts["tables"])


def prefilter(wanted: Iterable[str], model: PrefilterModel | None = None) -> Prefilter:
    """Return a filter for some labels. If the model lacks one of them, all pages pass."""
    chosen = tuple(wanted)
    model = load() if model is None else model
    has_all = all(label in model.numbers for label in chosen)
    tables = _merge_tables([model.table(label) for label in chosen]) if has_all else None
    return Prefilter(chosen, _other_evidence(chosen), tables, any(mask_number(label) != 0 for label in chosen))


def _merge_tables(tables: Sequence[WeightTable]) -> tuple[WeightTable, ...]:
    """Return at most MAX_TABLES_PER_MASK tables for each mask: the most similar ones are merged, and pass what either passes."""
    import numpy as np

    merged: list[WeightTable] = []
    for number in range(len(WORD_MASKS)):
        group = [table for table in tables if table.mask == number]
        while len(group) > MAX_TABLES_PER_MASK:
            rows = np.array([table.weights for table in group], np.float32)
            rows -= rows.mean(axis=1, keepdims=True)
            rows /= np.linalg.norm(rows, axis=1, keepdims=True) + 1
            similarity = rows @ rows.T - 2 * np.eye(len(group), dtype=np.float32)
            a, b = sorted(divmod(int(similarity.argmax()), len(group)))
            weights = np.maximum(group[a].weights, group[b].weights)
            group[a] = WeightTable(number, weights, min(group[a].threshold, group[b].threshold))
            del group[b]
        merged += group
    return tuple(merged)


def _other_evidence(wanted: Sequence[str]) -> OtherEvidence:
    codes = {code for label in wanted for code in (label[:3], labels.bcp47(label).partition("-")[0])}
    names = "|".join(sorted(codes))
    # Each pattern begins with a literal, which is found fast, and has a bounded gap before the code.
    declarations = (rf"{word}[^<>]{{0,60}}?[\s\"'=:](?:{names})[\s\"'>_-]" for word in ("lang", "locale"))
    return OtherEvidence(
        frozenset(codes),
        tuple(re.compile(pattern.encode()) for pattern in declarations),
        re.compile(rf"(?i)[/.=_-](?:{names})(?:[/._&-]|$)"),
        frozenset(_countries(frozenset(wanted))),
    )


def _countries(wanted: frozenset[str]) -> Iterator[str]:
    """Yield the countries in which a wanted language is official or widely used."""
    for country, *_ in files.read_rows("countries.tsv"):
        spoken = languages_of(country)
        if any(s.label in wanted and (s.official or s.regional or s.share >= MIN_COUNTRY_SHARE) for s in spoken):
            yield country


@lru_cache(4096)
def _country(domain: str) -> str:
    return country_of_tld(domain)
