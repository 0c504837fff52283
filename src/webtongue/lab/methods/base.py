"""The interface of the published methods: fit, score, save, load.

A method is a frozen dataclass whose fields are its settings, its labels and its parameters (arrays and n-grams). Saving and loading
use the fields, so that names of fields are part of the file format. Higher scores are better.
"""

from __future__ import annotations

import json
import lzma
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from math import prod
from pathlib import Path
from types import UnionType
from typing import Any, ClassVar, Self, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import ModelError, UsageError
from webtongue.files import pack, unpack
from webtongue.lab.methods.corpus import Corpus
from webtongue.lab.methods.document import Document, get_url

__all__ = ["Answer", "Method", "override_settings", "read_file", "split_label"]

MAGIC = b"WTP\r\n\x1a\n\0"
VERSION = 1
SECTIONS = ("head", "body")
MAX_MODEL_BYTES = 1 << 31  # decompressed
XZ_PRESET = 9 | lzma.PRESET_EXTREME
MAX_DECODER_BYTES = 1 << 27  # the preset needs 64 MB

UND = "und"
NOTHING_KNOWN = "nothing in it that the model knows"


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a method for a document: the best label, or ``und`` with a reason.

    ``encoding`` is set by methods with a model for each encoding, ``alternatives`` are other labels with nearly the same score.
    """

    label: str
    score: float = 0.0
    encoding: str = ""
    reason: str = ""
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True)
class Method(ABC):
    """A published method, fitted. ``labels`` are `language_Script`, or `language_Script_encoding`."""

    name: ClassVar[str]
    reads_urls: ClassVar[bool] = False  # True if the method reads the URL of a document; a str is then a URL
    reads: ClassVar[frozenset[str]] = frozenset()  # what it reads of a page beside bytes and headers: url, ip, inlinks
    model_of: ClassVar[str] = ""  # the method whose model files it reads too
    corpus_name: ClassVar[str] = "CORPUS"  # what it is trained on, in advice
    learns: ClassVar[bool] = True  # False if there is nothing to fit
    answer_settings: ClassVar[frozenset[str]] = frozenset()  # settings that can change after fitting
    training_settings: ClassVar[
        Mapping[str, Any]
    ] = {}  # settings of the training commands that differ from the defaults

    settings: Any
    labels: tuple[str, ...]

    @classmethod
    def default_settings(cls) -> Any:
        """Return the published settings: the defaults of the type that the field is annotated with."""
        return get_type_hints(cls)["settings"]()

    @classmethod
    def fit(cls, corpus: Corpus | None = None, settings: Any = None) -> Self:
        """Return the method fitted on documents by label; the same corpus and settings give the same bytes."""
        return cls.learn(corpus or {}, settings or cls.default_settings())

    @classmethod
    @abstractmethod
    def learn(cls, corpus: Corpus, settings: Any) -> Self:
        """Return the fitted method; called by ``fit`` with complete settings."""

    @classmethod
    def find_left_out(cls, corpus: Corpus, settings: Any) -> dict[str, int]:
        """Return the labels of a corpus that get no model since their text is too short, with its length in bytes."""
        return {}

    @abstractmethod
    def row(self, document: Document) -> NDArray[np.float64] | None:
        """Return the score of each label, or None if the document has nothing that the model knows."""

    def score(self, document: Document) -> dict[str, float]:
        """Return the score of each label, higher is better; empty if the document has nothing that the model knows."""
        row = self.row(document)
        return {} if row is None else dict(zip(self.labels, row.tolist(), strict=True))

    def score_many(self, documents: Sequence[Document]) -> NDArray[np.float64]:
        """Return a row of scores for each document, NaN where it has nothing that the model knows."""
        scores = np.full((len(documents), len(self.labels)), np.nan)
        for number, document in enumerate(documents):
            row = self.row(document)
            if row is not None:
                scores[number] = row
        return scores

    def answer(self, document: Document) -> Answer:
        """Return the best label, or ``und`` with a reason."""
        row = self.row(document)
        if row is None:
            return Answer(UND, reason=self.find_missing(document) or NOTHING_KNOWN)
        return self.decide(row, document)

    def find_missing(self, document: Document) -> str:
        """Return a sentence about what the method reads and the document does not have; empty if it has all."""
        return "the page has no URL, which this method reads" if self.reads_urls and not get_url(document) else ""

    def answer_many(self, documents: Sequence[Document]) -> list[Answer]:
        """Return the answers to many documents, in their order."""
        return [self.answer(document) for document in documents]

    def decide(self, row: NDArray[np.float64], document: Document) -> Answer:
        """Return the answer for a row of scores: the label with the highest, the first of equals."""
        best = int(np.argmax(row))
        label, encoding = split_label(self.labels[best])
        return Answer(label, float(row[best]), encoding)

    def with_settings(self, overrides: Mapping[str, Any]) -> Self:
        """Return the model with other settings of answering.

        Raise UsageError for a setting of fitting with another value than the fitted one: it would have no effect.
        """
        settings = override_settings(self.settings, overrides)
        fitting_settings = [] if not self.learns else sorted(set(overrides) - self.answer_settings)
        for name in fitting_settings:
            if getattr(settings, name) != (current := getattr(self.settings, name)):
                raise UsageError(
                    f"{name} is a setting of fitting, and this model of {self.name!r} was fitted with {current!r}: fit another "
                    f"with `webtongue train --method {self.name} --set {name}=...`; settings of answering are "
                    f"{', '.join(sorted(self.answer_settings)) or 'none'}"
                )
        return replace(self, settings=settings)

    def save(self, path: Path, manifest: Mapping[str, Any] | None = None) -> None:
        """Write the model; ``manifest`` describes its training data."""
        strings, arrays = {}, {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                arrays[field.name] = np.ascontiguousarray(value.astype(value.dtype.newbyteorder("<")))
            elif field.name != "settings":
                strings[field.name] = list(value)
        header = {
            "method": self.name,
            "settings": asdict(self.settings),
            "manifest": dict(manifest or {}),
            "arrays": {name: [array.dtype.str, list(array.shape)] for name, array in arrays.items()},
        }
        body = json.dumps(strings, sort_keys=True).encode() + b"\n" + b"".join(a.tobytes() for a in arrays.values())
        parts = {"head": json.dumps(header, sort_keys=False).encode(), "body": lzma.compress(body, preset=XZ_PRESET)}
        Path(path).write_bytes(pack(MAGIC, VERSION, parts))

    @classmethod
    def load(cls, path: Path) -> Self:
        """Return the model in a file of this method; raise ModelError if it is damaged or of another method."""
        header, body = read_file(path)
        if header["method"] not in (cls.name, cls.model_of):
            raise ModelError(f"{path}: a model of {header['method']!r}, not of {cls.name!r}")
        try:
            return cls._from_parts(header, body)
        except (ValueError, TypeError, KeyError, AttributeError, lzma.LZMAError) as error:
            raise ModelError(f"{path}: not a model of {cls.name!r} that this release can read ({error})") from error

    @classmethod
    def _from_parts(cls, head: Mapping[str, Any], body: bytes) -> Self:
        shapes = {name: (np.dtype(dtype), tuple(shape)) for name, (dtype, shape) in head["arrays"].items()}
        dtypes = _list_dtypes(cls)
        if any(
            dtype not in dtypes.get(name, ()) or min(shape, default=0) < 0 for name, (dtype, shape) in shapes.items()
        ):
            raise ValueError("an array of a type that this method does not have")
        size = sum(dtype.itemsize * prod(shape) for dtype, shape in shapes.values())
        stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, MAX_DECODER_BYTES)
        raw = stream.decompress(body, MAX_MODEL_BYTES)
        text, _, data = raw.partition(b"\n")
        if len(data) != size or not stream.eof:
            raise ValueError(f"{len(data)} bytes of arrays instead of {size}")
        parts: dict[str, Any] = {name: tuple(map(str, strings)) for name, strings in json.loads(text).items()}
        offset = 0
        for name, (dtype, shape) in shapes.items():
            parts[name] = np.frombuffer(data, dtype, prod(shape), offset).reshape(shape)
            offset += dtype.itemsize * prod(shape)
        model = cls(settings=override_settings(cls.default_settings(), head["settings"]), **parts)
        model.check()
        return model

    def check(self) -> None:
        """Raise ValueError if the fields are inconsistent, as in a forged file."""
        if not self.labels:
            raise ValueError("a model without labels")


def _list_dtypes(method: type[Method]) -> dict[str, set[np.dtype[Any]]]:
    """Return the dtypes that the arrays of a method may have, from its annotations."""
    dtypes = {}
    for name, hint in get_type_hints(method).items():
        choices = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        arrays = [choice for choice in choices if get_origin(choice) is np.ndarray]
        dtypes[name] = {np.dtype(get_args(get_args(array)[1])[0]) for array in arrays}
    return dtypes


def split_label(label: str) -> tuple[str, str]:
    """Return the label and the encoding of a model's label; the encoding is empty if the model is not for one.

    >>> split_label("jpn_Jpan_shift_jis"), split_label("eng_Latn")
    (('jpn_Jpan', 'shift_jis'), ('eng_Latn', ''))
    """
    language, _, rest = label.partition("_")
    script, _, encoding = rest.partition("_")
    return f"{language}_{script}" if script else language, encoding


def read_file(path: Path) -> tuple[dict[str, Any], bytes]:
    """Return the header of a model file (method, settings, manifest, arrays) and its compressed body."""
    try:
        sections = unpack(Path(path), MAGIC, VERSION, SECTIONS)
        header = json.loads(sections["head"])
        if not isinstance(header, dict) or not {"method", "settings", "manifest", "arrays"} <= set(header):
            raise ValueError(f"{path}: the header is incomplete")
    except (OSError, ValueError) as error:
        raise ModelError(str(error)) from error
    return header, sections["body"]


def override_settings(defaults: Any, given: Mapping[str, Any]) -> Any:
    """Return settings with some values overridden, also in nested settings; raise UsageError for unknown settings.

    >>> from webtongue.lab.methods.grams import Grams
    >>> override_settings(Grams(), {"sizes": [1, 2]}).sizes
    (1, 2)
    """
    values = {field.name: getattr(defaults, field.name) for field in fields(defaults)}
    unknown = sorted(set(given) - set(values))
    if unknown:
        raise UsageError(f"no setting {', '.join(unknown)}; known settings are {', '.join(values) or 'none'}")
    for name, value in given.items():
        current = values[name]
        if is_dataclass(current):
            if not isinstance(value, Mapping):
                raise UsageError(f"{name} is a group of settings: {', '.join(field.name for field in fields(current))}")
            values[name] = override_settings(current, value)
        else:
            values[name] = _convert_like(current, value, name)
    return type(defaults)(**values)


def _convert_like(current: Any, value: Any, name: str) -> Any:
    """Return the value in the type of the current one; raise UsageError if the types differ."""
    if isinstance(current, tuple) and isinstance(value, list | tuple):
        return tuple(value)
    if isinstance(current, float) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not type(current):
        raise UsageError(f"{name} is of type {type(current).__name__}, such as {current!r}, not {value!r}")
    if type(value) is int and value < 0:  # counts and sizes
        raise UsageError(f"{name} must not be negative, and is {value}")
    return value
