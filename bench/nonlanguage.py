"""Files that are in no language, through the whole identifier: the share that gets a language all the same.

    python bench/nonlanguage.py [--limit 60] [--all]

The files of this machine by kind (real_files.py), fold 0, which the fit of the junk weights did not use; ``--all`` adds the other
folds. Then kinds that no weight was fitted to. An answer of ``zxx`` or ``und`` is right. Missing kinds are named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import real_files
from common import options_parser

import webtongue

RIGHT_ANSWERS = frozenset({"zxx", "und"})
MIN_RIGHT_SHARE = 0.95
MIN_FILES = 3  # a kind with fewer files is not measured


def right_share(labels: list[str]) -> float:
    return sum(label in RIGHT_ANSWERS for label in labels) / len(labels) if labels else float("nan")


def text_labels(raws: Iterable[bytes]) -> list[str]:
    return [webtongue.identify_text(raw.decode("utf-8", "replace")).label for raw in raws]


def print_table(files_by_kind: dict[str, list[real_files.RealFile]], limit: int) -> None:
    """Print a line for each kind, and the number of kinds that pass."""
    print(f"{'kind':22} {'files':>6} {'text':>7} {'page':>7} {'excerpts':>9} {'text':>7}   most often forced into")
    passed = measured = 0
    for kind, all_files in files_by_kind.items():
        files = all_files[:limit]
        if len(files) < MIN_FILES:
            print(f"{kind:22} {len(files):6} too few to measure")
            continue
        texts = text_labels(file.raw for file in files)
        pages = [webtongue.identify(file.raw).label for file in files]
        excerpts = text_labels(excerpt for file in files for excerpt in file.excerpts())
        forced = Counter(label for label in texts + excerpts if label not in RIGHT_ANSWERS).most_common(4)
        measured += 1
        passed += right_share(texts) >= MIN_RIGHT_SHARE and right_share(excerpts) >= MIN_RIGHT_SHARE
        print(
            f"{kind:22} {len(files):6} {right_share(texts):7.1%} {right_share(pages):7.1%} {len(excerpts):9} "
            f"{right_share(excerpts):7.1%}   " + ", ".join(f"{label} {n}" for label, n in forced),
            flush=True,
        )
    print(f"{passed} of {measured} kinds have {MIN_RIGHT_SHARE:.0%} of files and excerpts not forced into a language")


def main() -> None:
    parser = options_parser(__doc__, has_data=False)
    parser.add_argument("--limit", type=int, default=60, help="files of a kind (default 60)")
    parser.add_argument("--all", action="store_true", help="also files that the junk weights were fitted to")
    options = parser.parse_args()
    fitted = real_files.all_files()
    print_table(
        {kind: [file for file in files if options.all or file.fold == 0] for kind, files in fitted.items()},
        options.limit,
    )
    print("kinds that nothing was fitted to:")
    print_table(real_files.all_files(options.limit, real_files.UNFITTED), options.limit)


if __name__ == "__main__":
    main()
