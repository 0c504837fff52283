"""All archives of the data folder's warc/, read by webtongue and by warcio: records, problems, and differences.

python bench/warc_files.py [--data ../shared/data] [--all]
"""

from __future__ import annotations

import contextlib
import io
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from common import options_parser
from sets import require_folder
from warcio.archiveiterator import ArchiveIterator

from webtongue.census.config import Config
from webtongue.census.items import Source
from webtongue.census.read import read
from webtongue.census.read.input_kinds import PATH_LIST, kind_of_name

RECORD_TYPES = frozenset(("response", "resource", "revisit", "conversion"))


@dataclass(frozen=True, slots=True)
class WarcioResult:
    """The number of records that warcio read, and its error if it failed."""

    records: int
    error: str = ""


def read_with_warcio(path: Path) -> WarcioResult:
    """Return the records by warcio; of a WACZ file, those of all archives in it."""
    if path.suffix != ".wacz":
        return count_records(path.open("rb"))
    try:
        with ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.startswith("archive/")]
            results = [count_records(io.BytesIO(archive.read(name))) for name in names]
    except BadZipFile as error:
        return WarcioResult(0, str(error))
    return WarcioResult(sum(result.records for result in results), " ".join(result.error for result in results).strip())


def count_records(file: io.BufferedIOBase) -> WarcioResult:
    records = 0
    try:
        with file, contextlib.redirect_stderr(io.StringIO()):
            for record in ArchiveIterator(file):
                records += str(record.rec_type).lower() in RECORD_TYPES
    except Exception as error:  # warcio raises many kinds of errors for damaged files
        return WarcioResult(records, " ".join(str(error).split())[:60] or type(error).__name__)
    return WarcioResult(records)


def main() -> None:
    parser = options_parser(__doc__)
    parser.add_argument("--all", action="store_true", help="also print files that agree and have no problem")
    options = parser.parse_args()
    folder = require_folder(options.data / "warc")
    files = [
        path for path in sorted(folder.rglob("*")) if path.is_file() and kind_of_name(path.name) not in ("", PATH_LIST)
    ]
    totals: Counter[str] = Counter()
    print(f"{'ours':>6} {'warcio':>6}  file, problems of ours, error of warcio")
    start = time.perf_counter()
    for path in files:
        captures = list(read(Source(str(path), kind_of_name(path.name)), Config()))
        ours = sum(capture.record_type in RECORD_TYPES for capture in captures)
        problems = Counter(str(capture.problem) for capture in captures if capture.problem)
        warcio = read_with_warcio(path)
        comparison = "equal" if ours == warcio.records else "more" if ours > warcio.records else "fewer"
        if comparison == "more" and not warcio.error and not problems["damaged"]:
            comparison = "more without a reason"
        totals[comparison] += 1
        if options.all or comparison != "equal" or problems:
            counts = ", ".join(f"{count} {problem}" for problem, count in problems.items())
            notes = "; ".join(note for note in (counts, warcio.error and f"warcio: {warcio.error}") if note)
            print(f"{ours:6} {warcio.records:6}  {path.relative_to(folder)}{': ' if notes else ''}{notes}")
    print(f"{len(files)} files in {time.perf_counter() - start:.1f} s: {dict(totals)}")
    if totals["fewer"] or totals["more without a reason"]:
        sys.exit("records are missing, or there are more than warcio reads without a reason")


if __name__ == "__main__":
    main()
