"""Files that are in no language, through the whole identifier: how many are forced into one all the same.

    python bench/nonlanguage.py [--limit 60] [--all]

Files of this machine by kind (real_files.py), fold 0, which the fit of the junk weights never saw; ``--all`` takes the
other folds too. Then kinds that no weight was fitted to. An answer of ``zxx`` or ``und`` is right. Kinds that are absent are named.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable

import real_files

import webtongue

NOT_A_LANGUAGE = {"zxx", "und"}
BAR = 0.95
FEWEST = 3  # files: a kind with fewer says nothing


def share(answers: list[str]) -> float:
    return sum(answer in NOT_A_LANGUAGE for answer in answers) / len(answers) if answers else float("nan")


def answers(texts: list[bytes], ask: Callable[[bytes], str]) -> list[str]:
    return [ask(text) for text in texts]


def table(files: dict[str, list[real_files.RealFile]], limit: int) -> None:
    """A line a kind, and how many pass."""
    ways: dict[str, Callable[[bytes], str]] = {
        "text": lambda raw: webtongue.identify_text(raw.decode("utf-8", "replace")).label,
        "page": lambda raw: webtongue.identify(raw).label,
    }
    print(f"{'kind':22} {'files':>6} {'text':>7} {'page':>7} {'excerpts':>9} {'text':>7}   most often forced into")
    passed = measured = 0
    for kind, found in files.items():
        some = found[:limit]
        if len(some) < FEWEST:
            print(f"{kind:22} {len(some):6} too few to measure")
            continue
        whole = {name: answers([file.raw for file in some], ask) for name, ask in ways.items()}
        excerpts = answers([cut for file in some for cut in file.excerpts()], ways["text"])
        forced = Counter(a for a in whole["text"] + excerpts if a not in NOT_A_LANGUAGE).most_common(4)
        figures = share(whole["text"]), share(whole["page"]), share(excerpts)
        measured += 1
        passed += figures[0] >= BAR and figures[2] >= BAR
        print(
            f"{kind:22} {len(some):6} {figures[0]:7.1%} {figures[1]:7.1%} {len(excerpts):9} {figures[2]:7.1%}   "
            + ", ".join(f"{label} {n}" for label, n in forced),
            flush=True,
        )
    print(f"{passed} of {measured} kinds have {BAR:.0%} of files and excerpts not forced into a language")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=int, default=60, help="files of a kind (default 60)")
    parser.add_argument("--all", action="store_true", help="also files that the junk weights were fitted to")
    args = parser.parse_args()
    fitted = real_files.all_files()
    table({kind: [f for f in found if args.all or f.fold == 0] for kind, found in fitted.items()}, args.limit)
    print("kinds that nothing was fitted to:")
    table(real_files.all_files(args.limit, real_files.UNFITTED), args.limit)


if __name__ == "__main__":
    main()
