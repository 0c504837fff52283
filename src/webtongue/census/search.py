"""Full-text search over the kept text of a census, filtered by language (Kikui 1996 built one index for each language).

DuckDB scans the Parquet files. If its full-text extension is installed and an index was built, the index finds the candidates. One
query decides which pages match, and their order, in both cases, so the results are the same. User input is passed to DuckDB as a
value, never as SQL, and nothing is downloaded: extensions are not installed or loaded automatically. An index may come from someone
else, so it is opened in a connection that has access to the rows and the index only.
"""

from __future__ import annotations

import glob
import importlib.util
import re
import unicodedata
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webtongue.census.folder import part_files
from webtongue.census.sink import ROWS
from webtongue.census.snippet import Snippet, build_snippet
from webtongue.census.store import import_duckdb, open_offline, query_error, restrict_access, sql_string, write_error
from webtongue.errors import UsageError, output_errors

__all__ = ["Hit", "SearchResult", "build_index", "search"]

INDEX = "search.duckdb"  # beside the rows
INDEX_DATABASE = "search"  # name of the attached index
MAX_TERMS = 32
MAX_QUERY_CHARS = 1000
TYPICAL_TEXT_CHARS = 3000  # matches in longer texts count less
# Scripts without spaces between words, by the first word of their character names. Terms match anywhere in such a text.
UNSPACED_SCRIPTS = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "YI", "BOPOMOFO")
# Scripts in which accents are ignored. In others, marks are vowels.
ACCENTED_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC")
TERM = re.compile(r'"([^"]*)"?|([^\s"]+)')
LOWER, WITHOUT_ACCENTS = "lower({0})", "strip_accents(lower({0}))"  # SQL that folds text for comparison
# Words between two spaces each, so that neighbours share none: a word is matched as ' word ', a phrase as ' two  words '.
SPACED = r"'  ' || regexp_replace({0}, '[^\pL\pN\pM]+', '  ', 'g') || '  '"
COLUMNS = "url, label, confidence, text"
CENSUS = "read_parquet(?) WHERE text IS NOT NULL AND fetch_status = 200"
INDEXED = "docs WHERE fts_main_docs.match_bm25(id, ?, conjunctive := 1) IS NOT NULL"


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that matches: the number of matches, their score, and a snippet."""

    url: str
    label: str
    confidence: float
    count: int
    score: float
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The best hits; ``more`` is True if there are others, ``indexed`` if the index was used."""

    hits: tuple[Hit, ...]
    more: bool
    indexed: bool


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase of a query, folded like the text, and between spaces if its script has spaces."""

    key: str
    is_spaced: bool

    @property
    def plain(self) -> str:
        """The longest word, which must be in the folded text."""
        return max(self.key.split(), key=len) if self.is_spaced else self.key


def search(
    out: str | Path, query: str, labels: Sequence[str] = (), limit: int = 10, *, use_index: bool = True
) -> SearchResult:
    """Return the pages of a census that have every word and "phrase" of a query, the best first; ``labels`` filters them."""
    if limit < 1:
        raise UsageError(f"the limit must be 1 or more, not {limit}")
    out = Path(out).resolve()
    files = _files(out)
    connection, has_index = _connect(out, files, use_index)
    with closing(connection):
        fold = _choose_fold(query)
        terms = _parse_terms(connection, query, fold)
        indexed = has_index and all(term.is_spaced for term in terms)
        words = " ".join(word for term in terms for word in term.key.split())
        source_value: Any = words if indexed else _file_patterns(files)
        if not indexed:
            _check_text(connection, files)
        statement = _build_query(INDEXED if indexed else CENSUS, source_value, terms, labels, fold, limit + 1)
        try:
            rows = connection.execute(*statement).fetchall()
        except import_duckdb().Error as error:
            raise query_error(error) from None
    keys = [term.key.strip() for term in terms]
    hits = [
        Hit(url or "", label, confidence or 0.0, int(count), round(score, 6), build_snippet(text, keys, fold != LOWER))
        for url, label, confidence, text, count, score in rows
    ]
    return SearchResult(tuple(hits[:limit]), len(hits) > limit, indexed)


def build_index(out: str | Path) -> bool:
    """Index the kept text with DuckDB's full-text extension; return False if it is not installed. Results do not depend on it."""
    out = Path(out).resolve()
    files = _files(out)
    with open_offline() as connection:
        if not _load_extension(connection):
            return False
        _check_text(connection, files)
    with output_errors(out):
        try:
            _write_index(out, files)
        except import_duckdb().Error as error:
            raise write_error(error, out / INDEX) from None
    return True


def _write_index(out: Path, files: Sequence[Path]) -> None:
    unfinished = out / f"{INDEX}.unfinished"
    unfinished.unlink(missing_ok=True)
    with open_offline(unfinished) as connection:
        _load_extension(connection)
        words = " || ".join(SPACED.format(fold.format("text")) for fold in (LOWER, WITHOUT_ACCENTS))
        connection.execute(
            f"CREATE TABLE docs AS SELECT row_number() OVER () AS id, {COLUMNS}, {words} AS words FROM {CENSUS}",
            [_file_patterns(files)],
        )
        connection.execute(
            "PRAGMA create_fts_index('docs', 'id', 'words', stemmer = 'none', stopwords = 'none', ignore = ' +', "
            "strip_accents = 0, lower = 0)"
        )
        connection.execute("ALTER TABLE docs DROP COLUMN words")
        connection.execute("CREATE TABLE about AS SELECT ? AS files", [_fingerprint(files)])
    unfinished.replace(out / INDEX)


def _choose_fold(query: str) -> str:
    """Return the fold of a query: without accents if every letter is of a script in which accents are ignored."""
    names = (unicodedata.name(char, "") for char in query if char.isalpha())
    return WITHOUT_ACCENTS if all(name.startswith(ACCENTED_SCRIPTS) for name in names) else LOWER


def _parse_terms(connection: Any, query: str, fold: str) -> list[Term]:
    """Return the words and phrases of a query, folded by DuckDB like the text."""
    if len(query) > MAX_QUERY_CHARS:
        raise UsageError(f"a query has at most {MAX_QUERY_CHARS} characters")
    texts = [phrase or word for phrase, word in TERM.findall(query.encode("utf-8", "replace").decode())]
    terms: list[Term] = []
    for text in texts:
        is_spaced = not any(unicodedata.name(char, "").startswith(UNSPACED_SCRIPTS) for char in text)
        folded = fold.format("?")
        (key,) = connection.execute(f"SELECT {SPACED.format(folded) if is_spaced else folded}", [text]).fetchone()
        if key := key.strip():
            terms.append(Term(f" {key} " if is_spaced else key, is_spaced))
    if not terms:
        raise UsageError(
            "a query needs at least one word or number: 'two words' finds pages with both, '\"two words\"' the phrase"
        )
    if len(terms) > MAX_TERMS:
        raise UsageError(f"a query has at most {MAX_TERMS} words")
    return terms


def _build_query(
    source: str, source_value: Any, terms: Sequence[Term], labels: Sequence[str], fold: str, limit: int
) -> tuple[str, list[Any]]:
    """Return the query that finds pages with all terms, and its values. Matches count less in longer texts."""
    label_filter = f" AND label IN ({', '.join('?' * len(labels))})" if labels else ""
    values = [source_value, *labels]
    contains_all = " AND ".join(["contains(plain, ?)"] * len(terms))
    values += [term.plain for term in terms]
    counts = []
    for term in terms:
        column = "spaced" if term.is_spaced else "plain"
        counts.append(f"(length({column}) - length(replace({column}, ?, ''))) // {len(term.key)}")
        values.append(term.key)
    names = [f"n{i}" for i in range(len(terms))]
    all_match = " AND ".join(f"{name} > 0" for name in names)
    score = " + ".join(f"{name} / ({name} + 0.25 + length(text) / {TYPICAL_TEXT_CHARS}.0)" for name in names)
    counted = ", ".join(f"{count} AS {name}" for count, name in zip(counts, names, strict=True))
    # Materialized steps would hold all texts in memory.
    statement = f"""
        WITH page AS NOT MATERIALIZED (SELECT {COLUMNS}, {fold.format("text")} AS plain FROM {source}{label_filter}),
        likely AS NOT MATERIALIZED (SELECT *, {SPACED.format("plain")} AS spaced FROM page WHERE {contains_all}),
        counted AS NOT MATERIALIZED (SELECT {COLUMNS}, {counted} FROM likely)
        SELECT {COLUMNS}, {" + ".join(names)} AS count, {score} AS score FROM counted WHERE {all_match}
        ORDER BY score DESC, url, text LIMIT {limit}"""
    return statement, values


def _files(out: Path) -> list[Path]:
    files = part_files(out, ROWS)
    if not files:
        raise UsageError(f"{out} is not a census: its folder {ROWS} has no parts")
    return files


def _file_patterns(files: Sequence[Path]) -> list[str]:
    """Return paths escaped for DuckDB, which takes them as patterns."""
    return [glob.escape(str(file)) for file in files]


def _check_text(connection: Any, files: Sequence[Path]) -> None:
    try:
        row = connection.execute(f"SELECT 1 FROM {CENSUS} LIMIT 1", [_file_patterns(files)]).fetchone()
    except import_duckdb().Error as error:
        raise query_error(error) from None
    if row is None:
        raise UsageError("this census has no text: run webtongue census with --keep-text")


def _load_extension(connection: Any) -> bool:
    """Load DuckDB's full-text extension from its extension folder or from a Python package; return False if it is not installed."""
    package = importlib.util.find_spec("duckdb_extension_fts")
    folders = [Path(folder) for folder in package.submodule_search_locations or ()] if package else []
    (version,) = connection.execute("SELECT library_version FROM pragma_version()").fetchone()
    paths = [folder / "extensions" / version / "fts.duckdb_extension" for folder in folders]
    for name in ("fts", *(sql_string(str(path)) for path in paths if path.is_file())):
        try:
            connection.execute(f"LOAD {name}")
        except import_duckdb().Error:
            continue
        return True
    return False


def _connect(out: Path, files: Sequence[Path], use_index: bool) -> tuple[Any, bool]:
    """Return a connection with access to the rows and their index only, and whether the index can be used."""
    connection = open_offline()
    if use_index and _attach_index(connection, out, files):
        return connection, True
    connection.close()
    connection = open_offline()
    restrict_access(connection, [out / ROWS])
    return connection, False


def _attach_index(connection: Any, out: Path, files: Sequence[Path]) -> bool:
    """Restrict a connection, and attach the index to it; return False if there is no index of the current rows, or no extension."""
    path = out / INDEX
    if path.is_symlink() or not path.is_file() or not _load_extension(connection):
        return False
    restrict_access(connection, [out / ROWS], [path, path.with_name(f"{path.name}.wal")])
    try:
        connection.execute(f"ATTACH {sql_string(str(path))} AS {INDEX_DATABASE} (READ_ONLY)")
        connection.execute(f"USE {INDEX_DATABASE}")
        (fingerprint,) = connection.execute("SELECT files FROM about").fetchone()
    except (import_duckdb().Error, TypeError):  # written by another release or program, or damaged
        return False
    return bool(fingerprint == _fingerprint(files))


def _fingerprint(files: Sequence[Path]) -> str:
    """Return a text that changes with the files of the rows."""
    return "\n".join(f"{file.name} {stat.st_size} {stat.st_mtime_ns}" for file in files for stat in [file.stat()])
