"""Frozen dataclasses that are quick to define.

``dataclasses`` compiles eight methods for each class, and imports ``inspect``: most of what importing the package would cost.
`dataclass` compiles only the constructor of a frozen class with slots; its other methods are functions that all classes share.
The fields of a class are built when somebody asks for them, so that ``dataclasses.fields`` and ``asdict`` work as usual.
``_FIELD_DOCS`` in a class has the docstrings of its fields, which ``help`` and docs/api.md show; `document_fields` sets those of a
named tuple.
A class that needs more (other arguments, inherited fields, an order) is made by ``dataclasses`` itself.

>>> @dataclass(frozen=True, slots=True)
... class Point:
...     x: int
...     y: int = 0
>>> Point(1), Point(1) == Point(1, 0)
(Point(x=1, y=0), True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass, field, replace

__all__ = ["dataclass", "document_fields", "field", "replace", "shorten"]

MISSING: Any = object()
# Of each value of a shortened record.
MAX_SHOWN_CHARS = 60
MAX_SHOWN_ITEMS = 2
FAST = {"frozen": True, "slots": True}
# Definitions in a class, and words in annotations, that only ``dataclasses`` handles.
SPECIAL_METHODS = frozenset({"__init__", "__eq__", "__hash__", "__setattr__", "__getstate__", "__slots__"})
SPECIAL_ANNOTATIONS = ("ClassVar", "InitVar", "KW_ONLY")


class _Field:
    """The arguments of `field`."""

    __slots__ = ("compare", "default", "default_factory", "init", "repr")

    def __init__(
        self,
        *,
        default: Any = MISSING,
        default_factory: Any = MISSING,
        init: bool = True,
        repr: bool = True,
        compare: bool = True,
    ) -> None:
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.compare = compare

    def standard(self) -> Any:
        """Return the same field for ``dataclasses``."""
        import dataclasses

        values = {name: value for name in self.__slots__ if (value := getattr(self, name)) is not MISSING}
        return dataclasses.field(**values)


class _Standard:
    """An attribute that ``dataclasses`` reads from a class, such as its fields; built on first use."""

    __slots__ = ("_fields", "_name")

    def __init__(self, name: str, fields: dict[str, _Field]) -> None:
        self._name = name
        self._fields = fields

    def __get__(self, instance: Any, owner: type) -> Any:
        import dataclasses

        values = {name: entry.standard() for name, entry in self._fields.items()}
        namespace = {"__module__": owner.__module__, "__annotations__": owner.__annotations__, **values}
        value = getattr(dataclasses.dataclass(frozen=True)(type(owner.__name__, (), namespace)), self._name)
        setattr(owner, self._name, value)
        return value


def _dataclass(**arguments: Any) -> Callable[[type], type]:
    """Return a decorator that takes the arguments of ``dataclasses.dataclass``."""
    return lambda cls: _define(cls) if arguments == FAST and _is_plain(cls) else _define_standard(cls, arguments)


def _is_plain(cls: type) -> bool:
    annotations = cls.__dict__.get("__annotations__", {})  # noqa: RUF063  (importing inspect takes long)
    return (
        not any(hasattr(base, "__dataclass_fields__") for base in cls.__bases__)
        and SPECIAL_METHODS.isdisjoint(cls.__dict__)
        and not any(word in str(kind) for kind in annotations.values() for word in SPECIAL_ANNOTATIONS)
    )


def _define_standard(cls: type, arguments: dict[str, Any]) -> type:
    import dataclasses

    for name, value in list(cls.__dict__.items()):
        if isinstance(value, _Field):
            setattr(cls, name, value.standard())
    return dataclasses.dataclass(**arguments)(cls)


def _define(cls: type) -> type:
    """Return a frozen class with slots for the fields of a class."""
    namespace = dict(cls.__dict__)
    annotations = namespace.get("__annotations__", {})
    fields = {name: _read_field(namespace.pop(name, MISSING)) for name in annotations}
    for name in ("__dict__", "__weakref__"):
        namespace.pop(name, None)
    names = tuple(annotations)
    docs = namespace.get("_FIELD_DOCS", {})
    shown = tuple(name for name in names if fields[name].repr)
    compared = tuple(name for name in names if fields[name].compare)
    namespace |= {
        "__slots__": {name: docs.get(name) for name in names} if docs else names,
        "__match_args__": tuple(name for name in names if fields[name].init),
        "__dataclass_fields__": _Standard("__dataclass_fields__", fields),
        "__dataclass_params__": _Standard("__dataclass_params__", fields),
        "__repr__": namespace.get("__repr__") or (lambda self: _format(self, shown)),
        "__eq__": lambda self, other: _is_equal(self, other, compared),
        "__hash__": lambda self: hash(tuple([getattr(self, name) for name in compared])),
        "__setattr__": _refuse_assignment,
        "__delattr__": _refuse_deletion,
        "__getstate__": lambda self: [getattr(self, name) for name in names],
        "__setstate__": _restore,
    }
    made: Any = type(cls)(cls.__name__, cls.__bases__, namespace)
    made.__init__ = _compile_constructor(made, fields)
    return made  # type: ignore[no-any-return]


def _read_field(value: Any) -> _Field:
    return value if isinstance(value, _Field) else _Field(default=value)


def _compile_constructor(cls: type, fields: dict[str, _Field]) -> Any:
    """Return an ``__init__`` that sets the slots of a class."""
    scope: dict[str, Any] = {"MISSING": MISSING}
    parameters, lines = ["self"], []
    for name, entry in fields.items():
        default = value = ""
        if entry.default_factory is not MISSING:
            scope[f"make_{name}"] = entry.default_factory
            default, value = "MISSING", f"make_{name}()"
        elif entry.default is not MISSING:
            scope[f"default_{name}"] = entry.default
            default = value = f"default_{name}"
        if entry.init:
            parameters.append(f"{name}={default}" if default else name)
            value = f"{value} if {name} is MISSING else {name}" if default == "MISSING" else name
        if value:
            scope[f"set_{name}"] = cls.__dict__[name].__set__
            lines.append(f" set_{name}(self, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append(" self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n" + "\n".join(lines or [" pass"]), scope)
    constructor = scope["__init__"]
    constructor.__qualname__ = f"{cls.__qualname__}.__init__"
    constructor.__module__ = cls.__module__
    constructor.__annotations__ = {name: kind for name, kind in cls.__annotations__.items() if fields[name].init}
    return constructor


def document_fields(cls: Any, **docs: str) -> None:
    """Set the docstrings of the fields of a named tuple, whose body can have none."""
    cls._FIELD_DOCS = docs
    for name, text in docs.items():
        getattr(cls, name).__doc__ = text


def _replace(record: Any, /, **changes: Any) -> Any:
    """Return a copy of a record with other values of some fields."""
    names = type(record).__match_args__
    return type(record)(**({name: getattr(record, name) for name in names} | changes))


def _format(record: Any, names: tuple[str, ...]) -> str:
    return f"{type(record).__qualname__}({', '.join(f'{name}={getattr(record, name)!r}' for name in names)})"


def shorten(record: Any) -> str:
    """Return a record as text with long values cut, and without fields that are empty."""
    from reprlib import Repr

    limits = Repr()
    limits.maxstring = limits.maxother = MAX_SHOWN_CHARS
    limits.maxtuple = MAX_SHOWN_ITEMS
    values = {name: value for name in type(record).__match_args__ if (value := getattr(record, name))}
    shown = ", ".join(f"{name}={limits.repr(_bound(value))}" for name, value in values.items())
    return f"{type(record).__qualname__}({_escape(shown)})"


def _bound(value: Any) -> Any:
    """Return the ends of long text or bytes, of which only these are shown, and mappings of any type as a dict, or their type."""
    from collections.abc import Mapping

    if isinstance(value, str | bytes) and len(value) > 2 * MAX_SHOWN_CHARS:
        return value[:MAX_SHOWN_CHARS] + value[-MAX_SHOWN_CHARS:]  # type: ignore[operator]
    if type(value) is dict or not isinstance(value, Mapping):
        return value
    try:
        return dict(value)
    except Exception:  # of a mapping that anybody may have written
        return type(value)


def _escape(text: str) -> str:
    """Return text with escapes for control characters, which the ``__repr__`` of a caller's object may contain."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def _is_equal(record: Any, other: Any, names: tuple[str, ...]) -> Any:
    if other.__class__ is not record.__class__:
        return NotImplemented
    return [getattr(record, name) for name in names] == [getattr(other, name) for name in names]


def _refuse_assignment(record: Any, name: str, _value: Any) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deletion(record: Any, name: str) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _restore(record: Any, values: list[Any]) -> None:
    for name, value in zip(type(record).__slots__, values, strict=True):
        object.__setattr__(record, name, value)


if not TYPE_CHECKING:
    dataclass, field, replace = _dataclass, _Field, _replace
