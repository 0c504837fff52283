"""Further columns of a batch, for applications that store answers instead of pages, such as the census.

The kernel computes most of them as arrays for a chunk of pages; pages that it could not finish are added one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from webtongue import _kernel, labels
from webtongue.analysis import Analysis
from webtongue.charset.languages import language_of_encoding
from webtongue.evidence import registry
from webtongue.evidence.combine import WeighedHints, bits
from webtongue.markup.blocks import KINDS
from webtongue.markup.declarations import LANGUAGE, Declared
from webtongue.markup.sniff import SYNTAX_TYPES, media_type_of
from webtongue.model_set import Models
from webtongue.packing import pack
from webtongue.policy import LOG_SCALE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "BITS", "EXTRA_COLUMNS", "PAGE_TEXTS", "ExtraColumns", "Links", "Ragged", "Texts", "concat_column", "identified_by",
]  # fmt: skip

BITS = ("text", "prior", *registry.names())
MAX_LIKELIEST = 8  # labels per page whose log-likelihood is a column
EXTRA_COLUMNS = (
    "media_type", "letters", "text_bytes", "likeliest", "reading", "unrecognised_language", "charset_language", "outlinks", "text",
    "title", "metadata",
    *(f"bits_{source}" for source in BITS),
)  # fmt: skip
MISSING_BITS = float("nan")


class Ragged(NamedTuple):
    """Lists of labels with a value each, concatenated, as Arrow stores lists: list i is ``starts[i]`` to ``starts[i + 1]``."""

    starts: NDArray[np.int32]
    labels: NDArray[np.int32]  # label numbers of the model
    values: NDArray[np.float32]


class Texts(NamedTuple):
    """UTF-8 texts, concatenated, as Arrow stores strings: text i is ``starts[i]`` to ``starts[i + 1]``."""

    starts: NDArray[np.int32]
    data: bytes


class Links(NamedTuple):
    """Links of some pages: page number, URL, anchor text and hreflang of each."""

    pages: NDArray[np.int32]
    urls: Texts
    anchors: Texts
    hreflangs: Texts


class ExtraColumns:
    """The extra columns of a chunk of pages, by the names in EXTRA_COLUMNS."""

    def __init__(
        self, analyses: _kernel.Analyses, declarations: Sequence[Declared], wanted: frozenset[str], models: Models
    ) -> None:
        self._analyses, self._wanted, self._models = analyses, wanted, models
        letters, text_bytes, syntax, text, prior, starts, label_ids, values = analyses.details(
            models.text.kernel, MAX_LIKELIEST
        )
        count = len(letters)
        self._likeliest = Ragged(starts, label_ids, values)
        self._likeliest_added: dict[int, list[tuple[int, float]]] = {}  # for pages that were added one by one
        self._links: list[Links] = []
        self._links_added: list[tuple[int, str, str, str]] = []
        kinds = (*SYNTAX_TYPES, "")
        self.columns: dict[str, Any] = {
            "media_type": [kinds[kind] for kind in syntax.tolist()],
            "letters": letters,
            "text_bytes": text_bytes,
            "reading": [None] * count,
            "unrecognised_language": [_unrecognised(page) for page in declarations],
            "charset_language": [_charset_language(page.encoding.best) for page in declarations],
            **{name: [None] * count for name in PAGE_TEXTS},
            "bits_text": text,
            "bits_prior": prior,
        } | {f"bits_{source}": _missing(count) for source in registry.names()}

    def add_links(self, raws: list[Any], hosts: list[bytes]) -> None:
        """Add the links of the pages that the kernel finished."""
        if "outlinks" in self._wanted:
            pages, *texts = self._analyses.outlinks(raws, hosts)
            self._links.append(Links(pages, *(Texts(*text) for text in texts)))

    def add_finished(self, i: int, declared: Declared, hints: WeighedHints | None) -> None:
        """Add a page that the kernel finished; ``hints`` is None for long clear text, which needs none."""
        analyses, models, columns = self._analyses, self._models, self.columns
        if hints:
            self._put_bits(i, bits(analyses.reading(i), hints, models.evidence))
        if hints is not None and "reading" in self._wanted:
            columns["reading"][i] = pack(analyses.reading(i), declared.languages, models, analyses.scan(i))
        self._put_texts(i, analyses.scan(i))

    def add_analysis(self, i: int, analysis: Analysis, host: bytes) -> None:
        """Add a page that the kernel did not finish."""
        columns, reading, markup = self.columns, analysis.reading, analysis.markup
        columns["unrecognised_language"][i] = _unrecognised(analysis.declared)
        columns["charset_language"][i] = _charset_language(analysis.declared.encoding.best)
        if reading is None or markup is None:
            columns["media_type"][i] = media_type_of(analysis.verdict.why)
            self._put_empty(i)
            return
        columns["media_type"][i] = SYNTAX_TYPES[markup.syntax]
        columns["letters"][i] = reading.letters
        columns["text_bytes"][i] = markup.scan.visible_size
        text = self._models.text
        self._likeliest_added[i] = [
            (label, log / LOG_SCALE - text.prior_nats(label, reading))
            for label, log in reading.text_guesses(MAX_LIKELIEST)
        ]
        self._put_bits(i, analysis.bits)
        if "reading" in self._wanted:
            columns["reading"][i] = analysis.packed
        if "outlinks" in self._wanted and analysis.verdict.label not in labels.SPECIAL:
            self._links_added += [(i, *link) for link in markup.outlinks(host)]
        self._put_texts(i, markup.scan)

    def add_missing(self, i: int) -> None:
        """Add a value that is not a page."""
        for name in ("media_type", "unrecognised_language", "charset_language"):
            self.columns[name][i] = ""
        self._put_empty(i)

    def columns_wanted(self) -> dict[str, Any]:
        """Return the columns that were requested."""
        columns = self.columns | {
            "likeliest": self._merge_likeliest(),
            "outlinks": _concat_links([*self._links, *_as_links(self._links_added)]),
        }
        return {name: columns[name] for name in EXTRA_COLUMNS if name in self._wanted}

    def _put_empty(self, i: int) -> None:
        self._likeliest_added[i] = []
        self.columns["letters"][i] = self.columns["text_bytes"][i] = 0
        self._put_bits(i, {})

    def _put_texts(self, i: int, scan: _kernel.Scan) -> None:
        for name in self._wanted & PAGE_TEXTS.keys():
            self.columns[name][i] = PAGE_TEXTS[name](scan)

    def _put_bits(self, i: int, source_bits: Mapping[str, float]) -> None:
        for source in BITS:
            self.columns[f"bits_{source}"][i] = source_bits.get(source, MISSING_BITS)

    def _merge_likeliest(self) -> Ragged:
        """Return the kernel's lists, with the lists of pages that were added one by one in place of theirs."""
        if not self._likeliest_added:
            return self._likeliest
        import numpy as np

        starts, label_ids, values = self._likeliest
        parts: list[tuple[Any, Any]] = []
        counts = np.diff(starts)
        done = 0
        for i in sorted(self._likeliest_added):
            parts.append((label_ids[starts[done] : starts[i]], values[starts[done] : starts[i]]))
            added = self._likeliest_added[i]
            parts.append((np.array([label for label, _ in added], "i4"), np.array([log for _, log in added], "f4")))
            counts[i] = len(added)
            done = i + 1
        parts.append((label_ids[starts[done] :], values[starts[done] :]))
        merged = np.concatenate([np.zeros(1, "i4"), np.cumsum(counts, dtype="i4")])
        return Ragged(merged, np.concatenate([part for part, _ in parts]), np.concatenate([part for _, part in parts]))


def concat_column(chunks: Sequence[Mapping[str, Any]], name: str) -> Any:
    """Return a column over several chunks of pages."""
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
        return _concat_links([part._replace(pages=part.pages + b) for part, b in zip(columns, before, strict=False)])
    if isinstance(columns[0], np.ndarray):
        return np.concatenate(columns)
    return [value for column in columns for value in column]


def _concat_links(parts: Sequence[Links]) -> Links:
    import numpy as np

    if len(parts) == 1:
        return parts[0]
    pages = np.concatenate([np.zeros(0, "i4"), *(part.pages for part in parts)]).astype("i4")
    return Links(pages, *(_concat_texts([part[column] for part in parts]) for column in (1, 2, 3)))


def _concat_texts(parts: Sequence[Any]) -> Texts:
    import numpy as np

    before = np.cumsum([0, *(len(part.data) for part in parts)])
    starts = [part.starts[:-1] + b for part, b in zip(parts, before, strict=False)]
    return Texts(np.concatenate([*starts, before[-1:]]).astype("i4"), b"".join(part.data for part in parts))


def _as_texts(values: Sequence[str]) -> Texts:
    """Return strings as Arrow stores them."""
    import numpy as np

    raws = [value.encode("utf-8", "replace") for value in values]
    return Texts(np.cumsum([0, *map(len, raws)]).astype("i4"), b"".join(raws))


def identified_by(bits: Mapping[str, float]) -> str:
    """Return the source that contributes most to an answer: Cai's identified type (2009, figure 3-5). The prior is not a source.

    >>> identified_by({"text": 2.0, "prior": 9.0, "url": 3.5})
    'url'
    """
    positive = {source: bits[source] for source in BITS if source != "prior" and bits.get(source, MISSING_BITS) > 0}
    return max(positive, key=lambda source: positive[source], default="text")


def _as_links(rows: Sequence[tuple[int, str, str, str]]) -> list[Links]:
    """Return rows of links as a list of one Links object; an empty list for no rows."""
    import numpy as np

    if not rows:
        return []
    pages, *texts = zip(*rows, strict=True)
    return [Links(np.array(pages, "i4"), *map(_as_texts, texts))]


def _missing(count: int) -> Any:
    import numpy as np

    return np.full(count, MISSING_BITS, "f4")


def _text(scan: _kernel.Scan) -> str:
    return scan.slice(0, scan.visible_size).decode("utf-8", "replace")


def _blocks(kind: str, scan: _kernel.Scan) -> str:
    """Return the text of the blocks of a kind, one on a line."""
    number = KINDS.index(kind)
    stops, _, _, _, kinds, _ = (column.tolist() for column in scan.blocks())
    starts = [0, *(stop + 1 for stop in stops)]
    wanted = [scan.text[start:stop] for start, stop, kind in zip(starts, stops, kinds, strict=False) if kind == number]
    return b"\n".join(wanted).decode("utf-8", "replace")


# The texts of a page that a census can keep: its visible text, its title, and the texts of its metadata.
PAGE_TEXTS: Mapping[str, Callable[[_kernel.Scan], str]] = {
    "text": _text, "title": partial(_blocks, "title"), "metadata": partial(_blocks, "meta"),
}  # fmt: skip


def _unrecognised(declared: Declared) -> str:
    """Return the first declared value that names no language, if no declaration names one (Cai 2009, 6.2.1)."""
    if declared.language:
        return ""
    return next((str(e.value) for e in declared.evidence if e.source in LANGUAGE and e.value and not e.label), "")


@lru_cache(1024)
def _charset_language(encoding: str) -> str:
    return language_of_encoding(encoding) if encoding else ""
