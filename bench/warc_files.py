"""Every archive of the data folder's warc/, read by us and by warcio: records found, problems, what differs and why.

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

from sets import arguments, need
from warcio.archiveiterator import ArchiveIterator

from webtongue.census.config import Config
from webtongue.census.items import Source
from webtongue.census.read import read
from webtongue.census.read.kinds import LIST, kind_of_name

RECORDS = frozenset(("response", "resource", "revisit", "conversion"))


@dataclass(frozen=True, slots=True)
class Theirs:
    """What warcio found, and where it gave up if it did."""

    records: int
    error: str = ""


def theirs(path: Path) -> Theirs:
    """Records by warcio, in a WACZ those of all archives in it."""
    if path.suffix != ".wacz":
        return counted(path.open("rb"))
    try:
        with ZipFile(path) as inside:
            names = [name for name in inside.namelist() if name.startswith("archive/")]
            found = [counted(io.BytesIO(inside.read(name))) for name in names]
    except BadZipFile as error:
        return Theirs(0, str(error))
    return Theirs(sum(each.records for each in found), " ".join(each.error for each in found).strip())


def counted(file: io.BufferedIOBase) -> Theirs:
    records = 0
    try:
        with file, contextlib.redirect_stderr(io.StringIO()):
            for record in ArchiveIterator(file):
                records += str(record.rec_type).lower() in RECORDS
    except Exception as error:  # whatever it makes of a damaged file
        return Theirs(records, " ".join(str(error).split())[:60] or type(error).__name__)
    return Theirs(records)


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--all", action="store_true", help="print files that agree and have no problem too")
    options = parser.parse_args()
    folder = need(Path(options.data) / "warc")
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and kind_of_name(path.name) not in ("", LIST)]
    total: Counter[str] = Counter()
    print(f"{'ours':>6} {'warcio':>6}  file, problems of ours, error of warcio")
    began = time.perf_counter()
    for path in files:
        captures = list(read(Source(str(path), kind_of_name(path.name)), Config()))
        ours = sum(capture.record_type in RECORDS for capture in captures)
        problems = Counter(str(capture.problem) for capture in captures if capture.problem)
        other = theirs(path)
        verdict = "equal" if ours == other.records else "more" if ours > other.records else "fewer"
        if verdict == "more" and not other.error and not problems["damaged"]:
            verdict = "more without a reason"
        total[verdict] += 1
        if options.all or verdict != "equal" or problems:
            said = ", ".join(f"{count} {problem}" for problem, count in problems.items())
            notes = "; ".join(note for note in (said, other.error and f"warcio: {other.error}") if note)
            print(f"{ours:6} {other.records:6}  {path.relative_to(folder)}{': ' if notes else ''}{notes}")
    print(f"{len(files)} files in {time.perf_counter() - began:.1f} s: {dict(total)}")
    if total["fewer"] or total["more without a reason"]:
        sys.exit("records were missed, or found where there are none")


if __name__ == "__main__":
    main()
