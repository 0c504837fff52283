"""The one interface of the published methods: fit, score, save, load.

A method is a frozen dataclass whose fields are its settings, its labels and what it learnt (arrays and n-grams): saving and
loading go by the fields, and no method has code of its own for it. Scores are better the higher they are.
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
from webtongue.methods.corpus import Corpus
from webtongue.methods.document import Document

__all__ = ["Answer", "Method", "label_parts", "read_file", "settings_from"]

MAGIC = b"WTP\r\n\x1a\n\0"
VERSION = 1
SECTIONS = ("head", "body")
LARGEST = 1 << 31  # bytes of all that a file holds
PACKING = 9 | lzma.PRESET_EXTREME
MEMORY = 1 << 27  # bytes that unpacking may take beside: the packing's own 64 MB and some

UND = "und"
NOTHING = "nothing in it that the model knows"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a method says of a document: the best label, or ``und`` with the reason why there is none.

    ``encoding`` is set by methods whose models are made for an encoding, ``alternatives`` are other labels nearly as good.
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
    of_urls: ClassVar[bool] = False  # whether a document's address is read, and a str is taken for one
    learns: ClassVar[bool] = True  # whether there is anything to fit
    answering: ClassVar[frozenset[str]] = frozenset()  # settings that a fitted model goes by; all others are of fitting

    settings: Any
    labels: tuple[str, ...]

    @classmethod
    def default_settings(cls) -> Any:
        """The settings as published: those of the type that the field is annotated with."""
        return get_type_hints(cls)["settings"]()

    @classmethod
    def fit(cls, corpus: Corpus | None = None, settings: Any = None) -> Self:
        """Learn from documents by label; the same corpus and settings give the same bytes."""
        return cls.learn(corpus or {}, settings or cls.default_settings())

    @classmethod
    @abstractmethod
    def learn(cls, corpus: Corpus, settings: Any) -> Self:
        """What ``fit`` calls, with settings that are there."""

    @abstractmethod
    def row(self, document: Document) -> NDArray[np.float64] | None:
        """The score of each label, None where the document has nothing that the model knows."""

    def score(self, document: Document) -> dict[str, float]:
        """The score of each label, the higher the better; empty where the method has nothing to go by."""
        row = self.row(document)
        return {} if row is None else dict(zip(self.labels, row.tolist(), strict=True))

    def score_many(self, documents: Sequence[Document]) -> NDArray[np.float64]:
        """A row of scores for each document, NaN where the method has nothing to go by."""
        out = np.full((len(documents), len(self.labels)), np.nan)
        for number, document in enumerate(documents):
            row = self.row(document)
            if row is not None:
                out[number] = row
        return out

    def answer(self, document: Document) -> Answer:
        """The best label, or ``und`` where the method declines."""
        row = self.row(document)
        return Answer(UND, reason=NOTHING) if row is None else self.decide(row, document)

    def answer_many(self, documents: Sequence[Document]) -> list[Answer]:
        """Answers to many documents, in their order."""
        return [self.answer(document) for document in documents]

    def decide(self, row: NDArray[np.float64], document: Document) -> Answer:
        """From scores to an answer: the highest, the first of equals."""
        best = int(np.argmax(row))
        label, encoding = label_parts(self.labels[best])
        return Answer(label, float(row[best]), encoding)

    def with_settings(self, given: Mapping[str, Any]) -> Self:
        """The same model answering by other settings. One of fitting is refused unless it is as fitted: it would do nothing."""
        settings = settings_from(self.settings, given)
        fixed = [] if not self.learns else sorted(set(given) - self.answering)
        for name in fixed:
            if getattr(settings, name) != (fitted := getattr(self.settings, name)):
                raise UsageError(
                    f"{name} is a setting of fitting, and this model of {self.name!r} was fitted with {fitted!r}: fit another "
                    f"with `webtongue train --method {self.name} --set {name}=...`; settings of answering are "
                    f"{', '.join(sorted(self.answering)) or 'none'}"
                )
        return replace(self, settings=settings)

    def save(self, path: Path, manifest: Mapping[str, Any] | None = None) -> None:
        """Write the model; ``manifest`` says what it was made from."""
        strings, arrays = {}, {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                arrays[field.name] = np.ascontiguousarray(value.astype(value.dtype.newbyteorder("<")))
            elif field.name != "settings":
                strings[field.name] = list(value)
        head = {
            "method": self.name,
            "settings": asdict(self.settings),
            "manifest": dict(manifest or {}),
            "arrays": {name: [array.dtype.str, list(array.shape)] for name, array in arrays.items()},
        }
        body = json.dumps(strings, sort_keys=True).encode() + b"\n" + b"".join(a.tobytes() for a in arrays.values())
        parts = {"head": json.dumps(head, sort_keys=False).encode(), "body": lzma.compress(body, preset=PACKING)}
        Path(path).write_bytes(pack(MAGIC, VERSION, parts))

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model that this method wrote; ModelError says what is wrong with it."""
        head, body = read_file(path)
        if head["method"] != cls.name:
            raise ModelError(f"{path}: a model of {head['method']!r}, not of {cls.name!r}")
        try:
            return cls._made(head, body)
        except (ValueError, TypeError, KeyError, AttributeError, lzma.LZMAError) as error:
            raise ModelError(f"{path}: not a model of {cls.name!r} that this release can read ({error})") from error

    @classmethod
    def _made(cls, head: Mapping[str, Any], body: bytes) -> Self:
        shapes = {name: (np.dtype(kind), tuple(shape)) for name, (kind, shape) in head["arrays"].items()}
        known = _kinds(cls)
        if any(kind not in known.get(name, ()) or min(shape, default=0) < 0 for name, (kind, shape) in shapes.items()):
            raise ValueError("an array of a kind that this method has not")
        size = sum(kind.itemsize * prod(shape) for kind, shape in shapes.values())
        stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, MEMORY)
        raw = stream.decompress(body, LARGEST)
        text, _, data = raw.partition(b"\n")
        if len(data) != size or not stream.eof:
            raise ValueError(f"{len(data)} bytes of arrays, {size} promised")
        parts: dict[str, Any] = {name: tuple(map(str, strings)) for name, strings in json.loads(text).items()}
        at = 0
        for name, (kind, shape) in shapes.items():
            parts[name] = np.frombuffer(data, kind, prod(shape), at).reshape(shape)
            at += kind.itemsize * prod(shape)
        made = cls(settings=settings_from(cls.default_settings(), head["settings"]), **parts)
        made.check()
        return made

    def check(self) -> None:
        """Refuse (ValueError) parts that do not fit together, as a damaged or foreign file has them."""
        if not self.labels:
            raise ValueError("a model without labels")


def _kinds(method: type[Method]) -> dict[str, set[np.dtype[Any]]]:
    """The types that the arrays of a method may have, by its annotations."""
    out = {}
    for name, hint in get_type_hints(method).items():
        choices = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        arrays = [choice for choice in choices if get_origin(choice) is np.ndarray]
        out[name] = {np.dtype(get_args(get_args(array)[1])[0]) for array in arrays}
    return out


def label_parts(label: str) -> tuple[str, str]:
    """A model's label and its encoding, empty where it is for none.

    >>> label_parts("jpn_Jpan_shift_jis"), label_parts("eng_Latn")
    (('jpn_Jpan', 'shift_jis'), ('eng_Latn', ''))
    """
    language, _, rest = label.partition("_")
    script, _, encoding = rest.partition("_")
    return f"{language}_{script}" if script else language, encoding


def read_file(path: Path) -> tuple[dict[str, Any], bytes]:
    """The head of a model file (method, settings, manifest, arrays) and its packed body."""
    try:
        sections = unpack(Path(path), MAGIC, VERSION, SECTIONS)
        head = json.loads(sections["head"])
        if not isinstance(head, dict) or not {"method", "settings", "manifest", "arrays"} <= set(head):
            raise ValueError(f"{path}: no head")
    except (OSError, ValueError) as error:
        raise ModelError(str(error)) from error
    return head, sections["body"]


def settings_from(defaults: Any, given: Mapping[str, Any]) -> Any:
    """Settings with some of their values changed, also inside; UsageError for what is no setting.

    >>> from webtongue.methods.grams import Grams
    >>> settings_from(Grams(), {"sizes": [1, 2]}).sizes
    (1, 2)
    """
    known = {field.name: getattr(defaults, field.name) for field in fields(defaults)}
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise UsageError(f"no setting {', '.join(unknown)}; there are {', '.join(known) or 'none'}")
    for name, value in given.items():
        was = known[name]
        if is_dataclass(was):
            if not isinstance(value, Mapping):
                raise UsageError(f"{name} has settings of its own: {', '.join(field.name for field in fields(was))}")
            known[name] = settings_from(was, value)
        else:
            known[name] = _like(was, value, name)
    return type(defaults)(**known)


def _like(was: Any, value: Any, name: str) -> Any:
    """A value of the kind that it replaces."""
    if isinstance(was, tuple) and isinstance(value, list | tuple):
        return tuple(value)
    if isinstance(was, float) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not type(was):
        raise UsageError(f"{name} is {type(was).__name__}, such as {was!r}, not {value!r}")
    return value
