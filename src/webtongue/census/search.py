"""Full text over the kept text of a census, language by language (Kikui 1996 built one index for each language).

A plain scan in DuckDB over the Parquet files; where DuckDB's full-text extension is installed and an index was made, that finds the
candidates. What counts as a hit, and its rank, is decided by one query either way, so the answers are the same. Whatever somebody
looks for is handed to DuckDB as a value, never as SQL, and nothing is fetched: extensions are neither installed nor loaded by
themselves.
"""

from __future__ import annotations

import glob
import importlib.util
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webtongue.census.snippet import Snippet, snippet_of
from webtongue.census.store import duck, refused
from webtongue.errors import MissingExtra, UsageError

__all__ = ["Found", "Hit", "make_index", "search"]

ROWS = "rows/part-*.parquet"
INDEX = "search.duckdb"  # beside the rows
OFFLINE = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
MOST_TERMS = 32  # of a query
LONGEST = 1000  # characters of a query
TYPICAL = 3000  # characters of a page's text: a page of so many needs two hits to be worth what a shorter one is by one
# Scripts that have no spaces between words, by how the names of their characters begin: they are found anywhere in a text.
SPACELESS = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "YI", "BOPOMOFO")
# Scripts whose letters are the same letters without their accents, to those who look for them. In others marks are vowels.
ACCENTED = ("LATIN", "GREEK", "CYRILLIC")
QUERY = re.compile(r'"([^"]*)"?|([^\s"]+)')
# Words between two spaces each, so that neighbours do not share one: a word is found as ' word ', a phrase as ' two  words '.
SPACED = r"'  ' || regexp_replace({0}, '[^\pL\pN\pM]+', '  ', 'g') || '  '"
COLUMNS = "url, label, confidence, text"
CENSUS = "read_parquet(?) WHERE text IS NOT NULL AND fetch_status = 200"
INDEXED = "docs WHERE fts_main_docs.match_bm25(id, ?, conjunctive := 1) IS NOT NULL"


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that has what was looked for: how often, how good a hit that is, and where its text says it."""

    url: str
    label: str
    confidence: float
    count: int
    score: float
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class Found:
    """The best hits; ``more``: there are others. ``indexed``: by the index."""

    hits: tuple[Hit, ...]
    more: bool
    indexed: bool


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase as it is looked for: folded as the text is, between spaces where words are."""

    key: str
    spaced: bool

    @property
    def plain(self) -> str:
        """As the folded text has it, if its words stand side by side; of a phrase the longest word."""
        return max(self.key.split(), key=len) if self.spaced else self.key


def search(
    out: str | Path, query: str, labels: Sequence[str] = (), limit: int = 10, *, use_index: bool = True
) -> Found:
    """The pages of a census that have every word and "phrase" of a query, the best first; ``labels``: only those in these."""
    if limit < 1:
        raise UsageError(f"a limit is 1 or more, not {limit}")
    files = _files(Path(out))
    held = _index(Path(out), files) if use_index else None
    connection = held or _connected()
    fold = _fold(query)
    terms = _terms(connection, query, fold)
    indexed = held is not None and all(term.spaced for term in terms)
    looked_in: Any = " ".join(word for term in terms for word in term.key.split()) if indexed else _names(files)
    if not indexed:
        _need_text(connection, files)
    statement = _statement(INDEXED if indexed else CENSUS, looked_in, terms, labels, fold, limit + 1)
    try:
        rows = connection.execute(*statement).fetchall()
    except duck().Error as error:
        raise refused(error) from None
    keys = [term.key.strip() for term in terms]
    hits = [
        Hit(url or "", label, confidence or 0.0, int(count), round(score, 6), snippet_of(text, keys, fold != LOWER))
        for url, label, confidence, text, count, score in rows
    ]
    return Found(tuple(hits[:limit]), len(hits) > limit, indexed)


def make_index(out: str | Path) -> bool:
    """Index the kept text for DuckDB's full-text extension; False where that is not installed, which changes no answer."""
    out = Path(out)
    files = _files(out)
    with _connected() as connection:
        if not _loaded(connection):
            return False
        _need_text(connection, files)
    unfinished = out / f"{INDEX}.unfinished"
    unfinished.unlink(missing_ok=True)
    with _connected(unfinished) as made:
        _loaded(made)
        made.execute(
            f"CREATE TABLE docs AS SELECT row_number() OVER () AS id, {COLUMNS}, "
            f"{SPACED.format(_folded('text', LOWER))} || {SPACED.format(_folded('text', ACCENTS))} AS words FROM {CENSUS}",
            [_names(files)],
        )
        made.execute(
            "PRAGMA create_fts_index('docs', 'id', 'words', stemmer = 'none', stopwords = 'none', ignore = ' +', "
            "strip_accents = 0, lower = 0)"
        )
        made.execute("ALTER TABLE docs DROP COLUMN words")
        made.execute("CREATE TABLE about AS SELECT ? AS files", [_fingerprint(files)])
    unfinished.replace(out / INDEX)
    return True


LOWER, ACCENTS = "lower({0})", "strip_accents(lower({0}))"  # how text is folded for comparison


def _folded(column: str, fold: str) -> str:
    return fold.format(column)


def _fold(query: str) -> str:
    """Accents are left out of account where every letter of the query is of a script in which that is custom."""
    names = (unicodedata.name(char, "") for char in query if char.isalpha())
    return ACCENTS if all(name.startswith(ACCENTED) for name in names) else LOWER


def _terms(connection: Any, query: str, fold: str) -> list[Term]:
    """Words and phrases of a query, folded by DuckDB as it folds the text."""
    if len(query) > LONGEST:
        raise UsageError(f"a query has at most {LONGEST} characters")
    given = [phrase or word for phrase, word in QUERY.findall(query.encode("utf-8", "replace").decode())]
    out: list[Term] = []
    for text in given:
        spaced = not any(unicodedata.name(char, "").startswith(SPACELESS) for char in text)
        folded = _folded("?", fold)
        (key,) = connection.execute(f"SELECT {SPACED.format(folded) if spaced else folded}", [text]).fetchone()
        if key := key.strip():
            out.append(Term(f" {key} " if spaced else key, spaced))
    if not out:
        raise UsageError(
            "a query has at least one word or number: 'two words' are both looked for, '\"two words\"' in a row"
        )
    if len(out) > MOST_TERMS:
        raise UsageError(f"a query has at most {MOST_TERMS} words")
    return out


def _statement(
    source: str, looked_in: Any, terms: Sequence[Term], labels: Sequence[str], fold: str, limit: int
) -> tuple[str, list[Any]]:
    """The one query that decides: all terms are there; hits count less the longer the text is that they are in."""
    chosen = f" AND label IN ({', '.join('?' * len(labels))})" if labels else ""
    values = [looked_in, *labels]
    there = " AND ".join(["contains(plain, ?)"] * len(terms))
    values += [term.plain for term in terms]
    counts = []
    for term in terms:
        column = "spaced" if term.spaced else "plain"
        counts.append(f"(length({column}) - length(replace({column}, ?, ''))) // {len(term.key)}")
        values.append(term.key)
    names = [f"n{i}" for i in range(len(terms))]
    every = " AND ".join(f"{name} > 0" for name in names)
    score = " + ".join(f"{name} / ({name} + 0.25 + length(text) / {TYPICAL}.0)" for name in names)
    counted = ", ".join(f"{count} AS {name}" for count, name in zip(counts, names, strict=True))
    # "materialized" would hold all texts: each step reads on from the one before it.
    statement = f"""
        WITH page AS NOT MATERIALIZED (SELECT {COLUMNS}, {_folded("text", fold)} AS plain FROM {source}{chosen}),
        likely AS NOT MATERIALIZED (SELECT *, {SPACED.format("plain")} AS spaced FROM page WHERE {there}),
        counted AS NOT MATERIALIZED (SELECT {COLUMNS}, {counted} FROM likely)
        SELECT {COLUMNS}, {" + ".join(names)} AS count, {score} AS score FROM counted WHERE {every}
        ORDER BY score DESC, url, text LIMIT {limit}"""
    return statement, values


def _files(out: Path) -> list[Path]:
    files = sorted(out.glob(ROWS))
    if not files:
        raise UsageError(f"{out} holds no census: there is no {ROWS} in it")
    return files


def _names(files: Sequence[Path]) -> list[str]:
    """As DuckDB takes them, which sees patterns in names."""
    return [glob.escape(str(file)) for file in files]


def _need_text(connection: Any, files: Sequence[Path]) -> None:
    try:
        found = connection.execute(f"SELECT 1 FROM {CENSUS} LIMIT 1", [_names(files)]).fetchone()
    except duck().Error as error:
        raise refused(error) from None
    if found is None:
        raise UsageError("this census kept no text to search: run webtongue census with --keep-text")


def _connected(path: Path | None = None, *, read_only: bool = False) -> Any:
    try:
        import duckdb
    except ImportError as error:
        raise MissingExtra("duckdb", "census") from error
    return duckdb.connect(str(path) if path else ":memory:", read_only=read_only, config=dict(OFFLINE))


def _loaded(connection: Any) -> bool:
    """Whether DuckDB's full-text extension is installed, of the very version of DuckDB: where DuckDB keeps extensions, or as a
    package of Python. It is loaded then."""
    import duckdb

    packed = importlib.util.find_spec("duckdb_extension_fts")
    inside = [Path(folder) for folder in packed.submodule_search_locations or ()] if packed else []
    (version,) = connection.execute("SELECT library_version FROM pragma_version()").fetchone()
    paths = [folder / "extensions" / version / "fts.duckdb_extension" for folder in inside]
    for name in ("fts", *("'{}'".format(str(path).replace("'", "''")) for path in paths if path.is_file())):
        try:
            connection.execute(f"LOAD {name}")
        except duckdb.Error:
            continue
        return True
    return False


def _index(out: Path, files: Sequence[Path]) -> Any:
    """The index of a census as it is now; None where there is none, or no extension that could read it."""
    if not (out / INDEX).is_file():
        return None
    import duckdb

    try:
        connection = _connected(out / INDEX, read_only=True)
        (made_of,) = connection.execute("SELECT files FROM about").fetchone()
    except duckdb.Error:  # written by another release, or cut
        return None
    return connection if made_of == _fingerprint(files) and _loaded(connection) else None


def _fingerprint(files: Sequence[Path]) -> str:
    """By which an index knows the rows that it was made of."""
    return "\n".join(f"{file.name} {stat.st_size} {stat.st_mtime_ns}" for file in files for stat in [file.stat()])
