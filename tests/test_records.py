"""Tests that quickly defined records behave like those of ``dataclasses``."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
import pydoc
import subprocess
import sys
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

import webtongue
from webtongue.records import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Fast:
    """A record of the package."""

    name: str
    count: int = 7
    values: list[int] = field(default_factory=list)
    hidden: int = field(default=3, repr=False, compare=False)
    computed: int = field(init=False)
    _cache: list[int] = field(init=False, repr=False, compare=False, default_factory=list)

    def __post_init__(self) -> None:
        object.__setattr__(self, "computed", self.count * 2)

    @property
    def double(self) -> str:
        return self.name * 2


@dataclasses.dataclass(frozen=True, slots=True)
class Standard:
    """The same record of the standard library."""

    name: str
    count: int = 7
    values: list[int] = dataclasses.field(default_factory=list)
    hidden: int = dataclasses.field(default=3, repr=False, compare=False)
    computed: int = dataclasses.field(init=False)
    _cache: list[int] = dataclasses.field(init=False, repr=False, compare=False, default_factory=list)

    def __post_init__(self) -> None:
        object.__setattr__(self, "computed", self.count * 2)

    @property
    def double(self) -> str:
        return self.name * 2


CHECKS: dict[str, Callable[[Any], Any]] = {
    "repr": lambda cls: repr(cls("a", 2, [1])).replace(cls.__name__, ""),
    "asdict": lambda cls: dataclasses.asdict(cls("a")),
    "fields": lambda cls: [(f.name, f.type, f.init, f.repr, f.compare) for f in dataclasses.fields(cls)],
    "defaults": lambda cls: [f.default for f in dataclasses.fields(cls) if f.default is not dataclasses.MISSING],
    "standard replace": lambda cls: dataclasses.asdict(dataclasses.replace(cls("a", 2), name="b")),
    "replace": lambda cls: dataclasses.asdict(replace(cls("a", 2), name="b")),
    "equal": lambda cls: (cls("a") == cls("a"), cls("a") == cls("b"), cls("a", hidden=1) == cls("a"), cls("a") == "a"),
    "match": lambda cls: cls.__match_args__,
    "slots": lambda cls: (cls.__slots__, hasattr(cls("a"), "__dict__")),
    "signature": lambda cls: list(inspect.signature(cls).parameters),
    "method": lambda cls: cls("ab").double,
    "own lists": lambda cls: cls("a").values is cls("a").values,
    "pickle": lambda cls: dataclasses.asdict(pickle.loads(pickle.dumps(cls("a", 5, [2])))),
    "is dataclass": lambda cls: (dataclasses.is_dataclass(cls), dataclasses.is_dataclass(cls("a"))),
    "doc and module": lambda cls: (cls.__module__, cls.__qualname__.replace(cls.__name__, ""), bool(cls.__doc__)),
}


@pytest.mark.parametrize("check", CHECKS)
def test_records_behave_like_dataclasses(check: str) -> None:
    assert CHECKS[check](Fast) == CHECKS[check](Standard)


@pytest.mark.parametrize("cls", [Fast, Standard])
def test_records_are_frozen(cls: Any) -> None:
    record = cls("a")
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'name'"):
        record.name = "b"
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'name'"):
        del record.name
    with pytest.raises(TypeError):
        cls("a", other=1)
    with pytest.raises(TypeError):
        cls()


def test_equal_records_have_equal_hashes() -> None:
    @dataclass(frozen=True, slots=True)
    class Pair:
        x: float
        y: str = ""

    assert {Pair(1.0, "a"), Pair(1.0, "a"), Pair(2.0)} == {Pair(2.0), Pair(1.0, "a")}
    with pytest.raises(TypeError, match="unhashable"):
        hash(Fast("a"))


def test_other_classes_are_standard_dataclasses() -> None:
    @dataclass(frozen=True, slots=True)
    class Base:
        x: int = field(default=1)

    @dataclass(frozen=True, slots=True)
    class Inherited(Base):
        y: int = field(default_factory=lambda: 2)

    @dataclass(frozen=True, slots=True, order=True)
    class Ordered:
        x: int
        kind: ClassVar[str] = "ordered"

    @dataclass(frozen=True, slots=True)
    class Constant:
        x: int
        kind: ClassVar[str] = "constant"

    assert repr(Inherited(5)).endswith("Inherited(x=5, y=2)")
    assert Ordered(1) < Ordered(2) and Ordered.kind == "ordered"
    assert [f.name for f in dataclasses.fields(Constant)] == ["x"]


def test_a_first_answer_defines_few_standard_dataclasses() -> None:
    code = (
        "import dataclasses; made = []; process = dataclasses._process_class\n"
        "def count(cls, *arguments): made.append(cls.__name__); return process(cls, *arguments)\n"
        "dataclasses._process_class = count\n"
        "import webtongue; webtongue.identify(b'<p>Good morning'); print(len(made))"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout
    assert int(output) <= 12


def test_pages_and_decoded_sources_are_shown_in_short() -> None:
    url = "https://example.is/" + "x" * 1000
    page = webtongue.Page("<p>Halló".encode() * 10_000, url, inlinks=(webtongue.Inlink("https://a.is/", "is"),) * 1000)
    for record in (page, webtongue.decode(page.raw)):
        assert len(repr(record)) < 1000
    assert repr(webtongue.Page(b"<p>x", "https://a.is/")) == "Page(raw=b'<p>x', url='https://a.is/')"
    assert repr(webtongue.Decoded("Halló", "utf-8", 1.0)) == "Decoded(text='Halló', encoding='utf-8', confidence=1.0)"


def public_records() -> list[Any]:
    """Return the public classes with fields."""
    classes = [getattr(webtongue, name) for name in webtongue.__all__]
    return [cls for cls in classes if hasattr(cls, "__dataclass_fields__") or hasattr(cls, "_fields")]


@pytest.mark.parametrize("record", public_records(), ids=lambda record: record.__name__)
def test_every_field_of_a_public_record_is_documented(record: Any) -> None:
    names = getattr(record, "_fields", None) or [field.name for field in dataclasses.fields(record)]
    docs = record._FIELD_DOCS
    assert [name for name in names if not name.startswith("_") and not docs.get(name, "").endswith(".")] == []


def test_help_shows_the_docstrings_of_fields() -> None:
    for record, name in ((webtongue.Page, "raw"), (webtongue.Verdict, "confidence"), (webtongue.Guess, "label")):
        assert record._FIELD_DOCS[name] in pydoc.plain(pydoc.render_doc(record))  # type: ignore[attr-defined]
