"""Columns beside the answers, for those who keep pages' answers and not the pages: what a census writes.

Most are arrays that the kernel makes for many pages at once; pages that went another way (pipeline.go_on) are put in one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from webtongue import _kernel, fuse
from webtongue.encodings.languages import language_of_encoding
from webtongue.hints.declared import LANGUAGE, Declared
from webtongue.hints.hint import Hint
from webtongue.markup.sniff import MEDIA_TYPES, SYNTAX_TYPES
from webtongue.pipeline import GUESSED, Judged, Stages
from webtongue.second_look import keep
from webtongue.text.thresholds import NATS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["BITS", "DETAILS", "UNANSWERED", "Details", "Links", "Ragged", "Texts", "Weighed", "identified_by", "joined"]

BITS = ("text", "prior", *fuse.SOURCES)
LIKELIEST = 8  # labels whose log-likelihood is told
DETAILS = (
    "media_type", "letters", "text_bytes", "likeliest", "reading", "unrecognised", "charset_language", "outlinks", "text",
    *(f"bits_{source}" for source in BITS),
)  # fmt: skip
NONE = float("nan")
UNANSWERED = ("und", "zxx", "mul")


class Weighed(NamedTuple):
    """The hints that a page was judged by, and the factor they were weighed with."""

    hints: Sequence[Hint]
    factor: float


UNWEIGHED = Weighed((), 1.0)


class Ragged(NamedTuple):
    """Lists of labels with a number each, one after the other: where each page's begin, and one place more."""

    starts: NDArray[np.int32]
    labels: NDArray[np.int32]  # the model's numbers
    values: NDArray[np.float32]


class Texts(NamedTuple):
    """Texts in UTF-8, one after the other, and where each begins, and one place more: as Arrow has them."""

    starts: NDArray[np.int32]
    data: bytes


class Links(NamedTuple):
    """Links of some pages: the number of its page, the address, the words and the hreflang of each."""

    pages: NDArray[np.int32]
    urls: Texts
    anchors: Texts
    hreflangs: Texts


class Details:
    """Columns of some pages that the kernel analysed, by the names in DETAILS."""

    def __init__(self, many: _kernel.Analyses, said: Sequence[Declared], wanted: frozenset[str], by: Stages) -> None:
        self._many, self._wanted, self._by = many, wanted, by
        letters, text_bytes, syntax, text, prior, starts, labels, values = many.details(by.text.kernel, LIKELIEST)
        count = len(letters)
        self._likeliest = Ragged(starts, labels, values)
        self._other: dict[int, list[tuple[int, int]]] = {}  # likeliest labels of pages that went another way
        self._links: list[Links] = []
        self._late: list[tuple[int, str, str, str]] = []  # links of pages that went another way
        kinds = (*SYNTAX_TYPES, "")
        self.columns: dict[str, Any] = {
            "media_type": [kinds[kind] for kind in syntax.tolist()],
            "letters": letters,
            "text_bytes": text_bytes,
            "reading": [None] * count,
            "unrecognised": [_unrecognised(what) for what in said],
            "charset_language": [_charset_language(what.encoding.best) for what in said],
            "text": [None] * count,
            "bits_text": text,
            "bits_prior": prior,
        } | {f"bits_{source}": _silent(count) for source in fuse.SOURCES}

    def links(self, raws: list[Any], hosts: list[bytes]) -> None:
        """Links of the pages that the kernel took all the way to an answer."""
        if "outlinks" in self._wanted:
            of, *texts = self._many.outlinks(raws, hosts)
            self._links.append(Links(of, *(Texts(*text) for text in texts)))

    def plain(self, i: int, said: Declared, weighed: Weighed | None) -> None:
        """A page that the kernel took all the way; ``weighed`` is None where long clear text was settled at once."""
        many, by, columns = self._many, self._by, self.columns
        if weighed and weighed.hints:
            self._put_bits(i, fuse.bits(many.reading(i), weighed.hints, by.fusion, weighed.factor))
        if weighed is not None and "reading" in self._wanted:
            columns["reading"][i] = keep(many.reading(i), said.languages, by.flow, many.scan(i))
        if "text" in self._wanted:
            columns["text"][i] = _text(many.scan(i))

    def judged(self, i: int, found: Judged, host: bytes) -> None:
        """A page that went on from where the kernel stopped."""
        columns, by = self.columns, self._by
        reading, scanned = found.reading, found.scanned
        columns["unrecognised"][i] = _unrecognised(found.said)
        columns["charset_language"][i] = _charset_language(found.said.encoding.best)
        if reading is None or scanned is None:
            columns["media_type"][i] = MEDIA_TYPES.get(found.verdict.why, "")
            self._nothing(i)
            return
        columns["media_type"][i] = SYNTAX_TYPES[scanned.syntax]
        columns["letters"][i] = reading.letters
        columns["text_bytes"][i] = scanned.scan.visible_size
        self._other[i] = reading.by_text(LIKELIEST)
        self._put_bits(i, fuse.bits(reading, found.hints, by.fusion, found.factor))
        if not reading.settled and "reading" in self._wanted:
            sure = found.verdict.encoding_confidence >= GUESSED  # else its text counts less, and is not kept
            columns["reading"][i] = keep(reading, found.said.languages, by.flow, scanned.scan if sure else None)
        if "outlinks" in self._wanted and found.verdict.label not in UNANSWERED:
            self._late += [(i, *link) for link in scanned.outlinks(host)]
        if "text" in self._wanted:
            columns["text"][i] = _text(scanned.scan)

    def absent(self, i: int) -> None:
        """What is no page."""
        for name in ("media_type", "unrecognised", "charset_language"):
            self.columns[name][i] = ""
        self._nothing(i)

    def finished(self) -> dict[str, Any]:
        """The columns that were asked for."""
        columns = self.columns | {
            "likeliest": self._all_likeliest(),
            "outlinks": all_links([*self._links, *_as_links(self._late)]),
        }
        return {name: columns[name] for name in DETAILS if name in self._wanted}

    def _nothing(self, i: int) -> None:
        self._other[i] = []
        self.columns["letters"][i] = self.columns["text_bytes"][i] = 0
        for source in BITS:
            self.columns[f"bits_{source}"][i] = NONE

    def _put_bits(self, i: int, worth: Mapping[str, float]) -> None:
        for source in BITS:
            self.columns[f"bits_{source}"][i] = worth.get(source, NONE)

    def _all_likeliest(self) -> Ragged:
        """The kernel's lists, with those of other pages in their places."""
        if not self._other:
            return self._likeliest
        import numpy as np

        starts, labels, values = self._likeliest
        priors = self._by.text.log_priors
        parts: list[tuple[Any, Any]] = []
        counts = np.diff(starts)
        done = 0
        for i in sorted(self._other):
            parts.append((labels[starts[done] : starts[i]], values[starts[done] : starts[i]]))
            own = self._other[i]
            logs = [(log - priors[label]) / NATS for label, log in own]
            parts.append((np.array([label for label, _ in own], "i4"), np.array(logs, "f4")))
            counts[i] = len(own)
            done = i + 1
        parts.append((labels[starts[done] :], values[starts[done] :]))
        every = np.concatenate([np.zeros(1, "i4"), np.cumsum(counts, dtype="i4")])
        return Ragged(every, np.concatenate([p for p, _ in parts]), np.concatenate([p for _, p in parts]))


def joined(chunks: Sequence[Mapping[str, Any]], name: str) -> Any:
    """A column over several chunks of pages."""
    import numpy as np

    columns = [chunk[name] for chunk in chunks]
    if len(columns) == 1:
        return columns[0]
    if isinstance(columns[0], Ragged):
        ends = np.cumsum([0, *(column.starts[-1] for column in columns)])
        starts = [column.starts[:-1] + end for column, end in zip(columns, ends, strict=False)]
        return Ragged(
            np.concatenate([*starts, ends[-1:]]).astype("i4"),
            np.concatenate([column.labels for column in columns]),
            np.concatenate([column.values for column in columns]),
        )
    if isinstance(columns[0], Links):
        before = np.cumsum([0, *(len(chunk["label"]) for chunk in chunks)])
        return all_links([part._replace(pages=part.pages + b) for part, b in zip(columns, before, strict=False)])
    if isinstance(columns[0], np.ndarray):
        return np.concatenate(columns)
    return [value for column in columns for value in column]


def all_links(parts: Sequence[Links]) -> Links:
    """Links of several parts as one."""
    import numpy as np

    if len(parts) == 1:
        return parts[0]
    pages = np.concatenate([np.zeros(0, "i4"), *(part.pages for part in parts)]).astype("i4")
    return Links(pages, *(all_texts([part[column] for part in parts]) for column in (1, 2, 3)))


def all_texts(parts: Sequence[Any]) -> Texts:
    """Texts of several parts as one."""
    import numpy as np

    before = np.cumsum([0, *(len(part.data) for part in parts)])
    starts = [part.starts[:-1] + b for part, b in zip(parts, before, strict=False)]
    return Texts(np.concatenate([*starts, before[-1:]]).astype("i4"), b"".join(part.data for part in parts))


def texts_of(values: Sequence[str]) -> Texts:
    """Python's texts as Arrow has them."""
    import numpy as np

    raws = [value.encode("utf-8", "replace") for value in values]
    return Texts(np.cumsum([0, *map(len, raws)]).astype("i4"), b"".join(raws))


def identified_by(bits: Mapping[str, float]) -> str:
    """The source that did most for an answer: Cai's identified type (2009, figure 3-5). How common languages are is no source.

    >>> identified_by({"text": 2.0, "prior": 9.0, "url": 3.5})
    'url'
    """
    found = {source: bits[source] for source in BITS if source != "prior" and bits.get(source, NONE) > 0}
    return max(found, key=lambda source: found[source], default="text")


def _as_links(late: Sequence[tuple[int, str, str, str]]) -> list[Links]:
    """Links in Python's own form as columns: one part, or none where there are none."""
    import numpy as np

    if not late:
        return []
    pages, *texts = zip(*late, strict=True)
    return [Links(np.array(pages, "i4"), *map(texts_of, texts))]


def _silent(count: int) -> Any:
    import numpy as np

    return np.full(count, NONE, "f4")


def _text(scan: _kernel.Scan) -> str:
    return scan.slice(0, scan.visible_size).decode("utf-8", "replace")


def _unrecognised(said: Declared) -> str:
    """A declared language that names none, where no other declaration names one (Cai 2009, 6.2.1)."""
    if said.language or not said.evidence:
        return ""
    return _first(said.evidence)


def _first(evidence: Iterable[Any]) -> str:
    return next((str(e.value) for e in evidence if e.source in LANGUAGE and e.value and not e.label), "")


@lru_cache(1024)
def _charset_language(encoding: str) -> str:
    return language_of_encoding(encoding) if encoding else ""
