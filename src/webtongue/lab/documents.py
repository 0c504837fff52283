"""Read labelled documents of users, for training and evaluation: folders, JSON Lines, URL lists and archives of pages.

    corpus/eng/1.txt, corpus/deu/page.html    a folder for each label, a document in each file
    corpus/udhr/eng_Latn.txt                  a folder for each source, a file for each label, a segment on each line
    corpus.jsonl[.xz|.gz]                     {"label": "eng", "text": ...}, or "html", "file" or "url"; also "inlinks", "ip"
    urls.tsv[.xz|.gz]                         URL, language; further columns are ignored
    pages.tar.xz                              index.jsonl, as above, and the files that it names

Text is UTF-8 unless an encoding is given. docs/methods.md describes the layouts for users.
"""

from __future__ import annotations

import gzip
import json
import lzma
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from webtongue import labels
from webtongue.charset.names import resolve
from webtongue.errors import UsageError
from webtongue.page import Page, parse_inlinks
from webtongue.page_list import INDEX, Entry, path_of

__all__ = [
    "LAYOUTS", "PAGE", "SOURCE_FOLDERS", "TEXT", "URL", "Collection", "Labelled", "check_encoding", "decode_text", "find_layout",
    "list_ignored_files", "parse_label", "read_collection", "read_text_lines",
]  # fmt: skip

TEXT, PAGE, URL = "text", "page", "url"  # kinds of documents
LABEL_FOLDERS, SOURCE_FOLDERS, PAGE_LIST = "label/*.txt|html", "source/label.txt", f"{INDEX} and files"
LAYOUTS = (
    f"a corpus is a folder of {LABEL_FOLDERS} or {SOURCE_FOLDERS}[.xz], a .jsonl file of label and text, html, file or url, a .tsv "
    "file of URL and language, or a .tar.xz of pages (docs/methods.md)"
)
LABEL_NAME = re.compile(r"[a-z]{2,3}([_-][A-Z][a-z]{3})?([_-][A-Z]{2})?")
TEXT_SUFFIXES, HTML_SUFFIXES = (".txt",), (".html", ".htm", ".xhtml")
OPENERS: Mapping[str, Callable[..., Any]] = {".xz": lzma.open, ".gz": gzip.open}
AUTO = "auto"  # detect the encoding of each text
KIND_NAMES = {str: "a string", dict: "an object", list: "a list"}
EVIDENCE_KEYS = {
    "url": str,
    "ip": str,
    "country": str,
    "headers": dict,
    "inlinks": list,
}  # keys of a page, with their types
CONTENT_KEYS = ("text", "html", "file", "path", "url")
HEADER_NAMES = ("url", "address")  # first cells of a header line in a URL list
URL_SHAPE = re.compile(
    r"[a-z][a-z0-9+.-]*://\S|[^\s/]+[.:][^\s/]+(/|$)|\[", re.IGNORECASE
)  # with a scheme, or a host and a path


@dataclass(frozen=True, slots=True)
class Labelled:
    """A document with its folded label: a str that is a text or a URL, or a page."""

    id: str
    label: str
    document: str | Page
    kind: str


@dataclass(frozen=True, slots=True)
class Collection:
    """Labelled documents, the number of those whose label is not a language, and the files that are no documents."""

    items: tuple[Labelled, ...]
    skipped: int = 0
    ignored: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The kind of the documents; raise UsageError if there are several."""
        kinds = sorted({item.kind for item in self.items})
        if len(kinds) > 1:
            raise UsageError(
                f"the documents are of different kinds ({', '.join(kinds)}): put each kind into its own file"
            )
        return kinds[0] if kinds else TEXT


def read_collection(path: Path, encoding: str = "", *, is_decoded: bool = False) -> Collection:
    """Return the documents at a path, in any layout but source/label.txt, of which each line is a document.

    Files of text are pages of plain text, so that methods which read bytes get them as they are, or str if ``is_decoded``.
    ``encoding`` is that of files of text and pages; empty is UTF-8 for decoded text, and detected otherwise.
    """
    check_encoding(encoding)
    name = path.name.removesuffix(".xz").removesuffix(".gz")
    if path.is_dir():
        return replace(_collect(_read_folder(path, encoding, is_decoded)), ignored=list_ignored_files(path))
    if not path.is_file():
        raise UsageError(f"no such file or folder: {path}; {LAYOUTS}")
    if name.endswith(".jsonl"):
        return _collect(_read_rows(_read_json_lines(path), path, path.parent, encoding))
    if name.endswith(".tsv"):
        return _collect(_read_url_list(path))
    if name.endswith(".tar"):
        return _collect(_read_tar(path, encoding))
    raise UsageError(f"{path}: a file of this kind is no corpus; {LAYOUTS}")


def find_layout(folder: Path) -> str:
    """Return the layout of a folder; raise UsageError if the names of its folders and files do not show one."""
    if (folder / INDEX).is_file():
        return PAGE_LIST
    files = [path for path in sorted(folder.glob("*/*")) if path.is_file() and _get_kind(path)]
    if not files:
        flat = next((path for path in sorted(folder.glob("*")) if path.is_file() and _get_kind(path)), None)
        hint = f"; put {flat.name} into a folder: {folder.name}/mine/{flat.name}" if flat else ""
        if parse_label(folder.absolute().name):
            hint = f"; {folder.name!r} is a language: give the folder above it"
        raise UsageError(f"no text in {folder}: {LAYOUTS}{hint}")
    folders_are_labels = all(parse_label(path.parent.name) for path in files)
    files_are_labels = all(_get_kind(path) == TEXT and parse_label(_get_stem(path)) for path in files)
    if folders_are_labels and files_are_labels:
        raise UsageError(
            f"{files[0]}: both {files[0].parent.name!r} and {_get_stem(files[0])!r} are languages: name the folders after sources "
            f"({SOURCE_FOLDERS}), or the files by numbers ({LABEL_FOLDERS})"
        )
    if folders_are_labels:
        _check_label_folders(folder, files)
        return LABEL_FOLDERS
    if files_are_labels:
        return SOURCE_FOLDERS
    strangers = (path for path in files if not parse_label(path.parent.name) and not parse_label(_get_stem(path)))
    wrong = next(strangers, None)
    if wrong is None:
        of_label = next(path for path in files if parse_label(path.parent.name))
        of_source = next(path for path in files if not parse_label(path.parent.name))
        raise UsageError(
            f"{of_label} and {of_source} are of two layouts, {LABEL_FOLDERS} and {SOURCE_FOLDERS}: use one of them"
        )
    raise UsageError(
        f"{wrong}: neither the folder {wrong.parent.name!r} nor the file {_get_stem(wrong)!r} is named after a language, such as "
        f"eng or eng_Latn; {LAYOUTS}"
    )


def _check_label_folders(folder: Path, files: list[Path]) -> None:
    """Raise UsageError for a folder of a label without documents, which would be left out without a word."""
    filled = {path.parent for path in files}
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path not in filled and parse_label(path.name):
            inside = next((file for file in sorted(path.rglob("*")) if file.is_file()), None)
            reason = (
                f": {inside} is " + ("in a folder below it" if inside.parent != path else "neither") if inside else ""
            )
            raise UsageError(f"{path} has no .txt or .html file{reason}")


def list_ignored_files(folder: Path) -> tuple[str, ...]:
    """Return the files in the folders of a corpus that are no documents by their names; hidden files and lists are not named."""
    if (folder / INDEX).is_file():
        return ()
    files = (path for path in sorted(folder.glob("*/**/*")) if path.is_file() and not path.name.startswith("."))
    return tuple(
        str(path.relative_to(folder))
        for path in files
        if len(path.relative_to(folder).parts) > 2 or not _get_kind(path)
    )


def parse_label(name: str) -> str:
    """Return the label that a folder or file is named after, empty if it is none. Unlike other labels, it must be a code.

    >>> parse_label("en"), parse_label("zho_Hant"), parse_label("doc-001"), parse_label("English")
    ('eng_Latn', 'zho_Hant', '', '')
    """
    label = labels.parse(name) if LABEL_NAME.fullmatch(name) else None
    return str(labels.fold(label)) if label else ""


def check_encoding(encoding: str) -> None:
    """Raise UsageError for an unknown encoding."""
    if encoding and encoding != AUTO and not getattr(resolve(encoding), "codec", ""):
        raise UsageError(f"no encoding {encoding!r}: give one such as euc-jp or windows-1251, or auto to detect it")


def decode_text(raw: bytes, path: Path, encoding: str = "") -> str:
    """Return the text of a file; raise UsageError if it is not in the encoding, which is UTF-8 by default."""
    if encoding == AUTO:
        from webtongue import decode

        return decode(raw, headers={"content-type": "text/plain"}).text
    codec = str(getattr(resolve(encoding or "utf-8"), "codec", "utf-8"))
    try:
        return raw.decode(codec).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        advice = (
            "give another with --encoding"
            if encoding
            else "give its encoding with --encoding, such as --encoding euc-jp"
        )
        raise UsageError(
            f"{path}: byte 0x{raw[error.start]:02X} at offset {error.start:,} is not {encoding or 'UTF-8'}: {advice}, or "
            f"--encoding {AUTO} to detect it"
        ) from None


def read_text_lines(path: Path, encoding: str = "") -> list[str]:
    """Return the lines of a plain or compressed file of text; raise UsageError if it is not in the encoding."""
    return decode_text(_read_bytes(path), path, encoding).split("\n")


Row = tuple[str, str, str | Page, str]  # id, label as written, document, kind


def _collect(rows: Iterator[Row]) -> Collection:
    items, skipped = [], 0
    for id_, name, document, kind in rows:
        label = labels.parse(name)
        if label is None:
            skipped += 1
        else:
            items.append(Labelled(id_, str(labels.fold(label)), document, kind))
    kinds = {item.kind for item in items}
    if kinds == {TEXT, PAGE}:  # texts with a URL or links, and texts without
        items = [replace(item, document=_make_text_page(item.document), kind=PAGE) for item in items]
    return Collection(tuple(items), skipped)


def _make_text_page(document: str | Page) -> Page:
    return (
        document
        if isinstance(document, Page)
        else _make_page(document.encode("utf-8", "replace"), "text/plain", "utf-8")
    )


def _read_folder(folder: Path, encoding: str, is_decoded: bool) -> Iterator[Row]:
    layout = find_layout(folder)
    if layout == PAGE_LIST:
        yield from _read_rows(_read_json_lines(folder / INDEX), folder / INDEX, folder, encoding)
        return
    for path in sorted(path for path in folder.glob("*/*") if path.is_file() and _get_kind(path)):
        name = f"{path.parent.name}/{path.name}"
        if layout == SOURCE_FOLDERS:
            for number, line in enumerate(read_text_lines(path, encoding), 1):
                if line.strip():
                    yield f"{name}:{number}", _get_stem(path), line.strip(), TEXT
        elif _get_kind(path) == TEXT and is_decoded:
            yield name, path.parent.name, decode_text(_read_bytes(path), path, encoding), TEXT
        else:
            media_type = "text/plain" if _get_kind(path) == TEXT else "text/html"
            yield name, path.parent.name, _make_page(_read_bytes(path), media_type, encoding), PAGE


def _read_rows(
    rows: Iterator[tuple[int, dict[str, Any]]],
    path: Path,
    folder: Path,
    encoding: str,
    files: Mapping[str, bytes] | None = None,
) -> Iterator[Row]:
    """Yield the documents of the rows of a list; ``files`` has those of an archive."""
    for number, row in rows:
        key = next((key for key in CONTENT_KEYS if isinstance(row.get(key), str)), "")
        if not key or not ({"label", "language"} & row.keys()):
            raise UsageError(f"{path}, line {number}: not an object with the keys label and {', '.join(CONTENT_KEYS)}")
        for name, kind in EVIDENCE_KEYS.items():
            if not isinstance(row.get(name), kind | None):
                raise UsageError(f"{path}, line {number}: {name} is {row[name]!r}, not {KIND_NAMES[kind]}")
        label = str(row.get("label", row.get("language")))
        id_ = str(row.get("id", row.get("file", row.get("path", number))))
        if key == "url":
            yield id_, label, row["url"], URL
        elif key == "text" and not (row.keys() & {"url", "inlinks", "ip"}):
            yield id_, label, row["text"], TEXT
        elif key in ("text", "html"):
            media_type = "text/plain" if key == "text" else "text/html"
            yield id_, label, _make_page(row[key].encode("utf-8", "replace"), media_type, "utf-8", row), PAGE
        else:
            raw = _read_listed(row[key], number, path, folder, files)
            suffix_kind = "text/plain" if row[key].endswith(TEXT_SUFFIXES) else "text/html"
            yield id_, label, _make_page(raw, suffix_kind, encoding, row), PAGE


def _read_listed(name: str, number: int, path: Path, folder: Path, files: Mapping[str, bytes] | None) -> bytes:
    try:
        return _read_bytes(Path(path_of(str(folder), Entry(number, file=name)))) if files is None else files[name]
    except KeyError:
        raise UsageError(f"{path}, line {number}: the archive has no file {name!r}") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}, line {number}: {name!r} cannot be read ({error})") from None


def _make_page(raw: bytes, media_type: str, encoding: str, row: Mapping[str, Any] | None = None) -> Page:
    """Return a page; a given encoding is declared by its header, and a page of HTML without one has no header, as from a disk."""
    row = row or {}
    headers = {str(name).lower(): str(value) for name, value in (row.get("headers") or {}).items()}
    if encoding and encoding != AUTO:
        headers["content-type"] = f"{media_type}; charset={encoding}"
    elif media_type == "text/plain":
        headers.setdefault("content-type", media_type)
    return Page(
        raw, row.get("url"), headers, row.get("ip"), row.get("country"), parse_inlinks(row.get("inlinks") or ())
    )


def _read_json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(decode_text(_read_bytes(path), path).split("\n"), 1):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError as error:
                raise UsageError(f"{path}, line {number}: not JSON ({error})") from None
            if not isinstance(row, dict):
                raise UsageError(
                    f"{path}, line {number}: not an object with the keys label and {', '.join(CONTENT_KEYS)}"
                )
            yield number, row


def _read_url_list(path: Path) -> Iterator[Row]:
    for number, line in enumerate(_read_bytes(path).decode("utf-8", "replace").split("\n"), 1):
        cells = line.rstrip("\r").split("\t")
        if not line.strip() or (number == 1 and cells[0].strip().lower() in HEADER_NAMES):
            continue
        if len(cells) < 2 or not cells[1].strip():
            raise UsageError(f"{path}, line {number}: not a URL and a language, separated by a tab: {line[:60]!r}")
        url, label = cells[0].strip(), cells[1].strip()
        if not URL_SHAPE.match(url):
            advice = (
                "the URL comes first" if URL_SHAPE.match(label) else "texts belong into a .jsonl file of label and text"
            )
            raise UsageError(f"{path}, line {number}: {url[:60]!r} is not a URL: {advice}")
        yield f"line {number}", label, url, URL


def _read_tar(path: Path, encoding: str) -> Iterator[Row]:
    from webtongue.lab.evaluate.archives import read_archive  # whose package imports this module

    try:
        files, rows = read_archive(path)
    except (OSError, ValueError, lzma.LZMAError, EOFError) as error:
        raise UsageError(f"{path}: not an archive of {INDEX} and files ({error})") from None
    labelled = ((number, row) for number, row in enumerate(rows, 1) if row.get("label") and row.get("trusted", True))
    without_text = (
        (number, {**row, "file": row.get("path", row.get("file"))} | {"text": None}) for number, row in labelled
    )
    yield from _read_rows(without_text, path, path.parent, encoding, files)


def _read_bytes(path: Path) -> bytes:
    try:
        with OPENERS.get(path.suffix, open)(path, "rb") as file:
            return bytes(file.read())
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise UsageError(f"{path}: cannot be read ({error})") from None


def _get_kind(path: Path) -> str:
    """Return the kind of a file by its name, empty if it is neither text nor HTML."""
    name = path.name.removesuffix(".xz").removesuffix(".gz")
    return TEXT if name.endswith(TEXT_SUFFIXES) else PAGE if name.endswith(HTML_SUFFIXES) else ""


def _get_stem(path: Path) -> str:
    return path.name.removesuffix(".xz").removesuffix(".gz").rpartition(".")[0]
