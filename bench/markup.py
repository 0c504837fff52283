"""The scanner beside lexbor (selectolax): speed in one process on the same pages, and agreement of the visible text.

python bench/markup.py [--data DIR] [--rounds 5]
"""

from __future__ import annotations

import difflib
import subprocess
import sys
from collections.abc import Callable

import sets
from common import is_utf8, options_parser
from selectolax.lexbor import LexborHTMLParser
from timing import best_seconds, for_each

from webtongue import _kernel, markup
from webtongue.markup.sniff import Syntax
from webtongue.page import Page

# Elements that the scanner does not show; they are removed on both sides.
HIDDEN = ["script", "style", "template", "noscript", "svg", "math", "textarea", "iframe", "noembed", "noframes"]
DIFF_LIMIT = 30_000_000  # product of lengths up to which two spans are compared character by character


def lexbor(raw: bytes) -> str:
    """Return the text of a page by lexbor: parse, remove script and style, extract."""
    tree = LexborHTMLParser(raw)
    tree.strip_tags(["script", "style"])
    return tree.text()


def speed(pages: list[bytes], rounds: int) -> None:
    """Print MB/s of both, best of the rounds, and ratios."""
    size = sum(map(len, pages)) / 1e6
    functions: dict[str, Callable[[bytes], object]] = {
        "lexbor: parse, strip, text()": lexbor,
        "webtongue: text only": lambda raw: _kernel.scan(raw, Syntax.HTML, True, True).text,
        "webtongue: everything": lambda raw: _kernel.scan(raw, Syntax.HTML, False, True),
        "webtongue: markup.read(Page)": lambda raw: markup.read(Page(raw)),
    }
    best = best_seconds({name: for_each(function) for name, function in functions.items()}, [pages], rounds)
    print(f"{len(pages)} pages, {size:.1f} MB, best of {rounds}, one core")
    peer = best["lexbor: parse, strip, text()"]
    for name, seconds in best.items():
        print(f"  {name:32} {size / seconds:8.0f} MB/s  {peer / seconds:6.2f} x lexbor")


def to_utf8(raw: bytes) -> bytes:
    """Return the page in UTF-8, so that both sides read the same characters."""
    return raw if is_utf8(raw) else raw.decode("latin-1").encode()


def common_characters(ours: str, theirs: str) -> tuple[int, str, str]:
    """Return how many characters two texts share, in order, and the beginnings of what differs."""
    shorter = min(len(ours), len(theirs))
    head = next((i for i in range(shorter) if ours[i] != theirs[i]), shorter)
    tail = next((i for i in range(shorter - head) if ours[-1 - i] != theirs[-1 - i]), shorter - head)
    a, b = ours[head : len(ours) - tail], theirs[head : len(theirs) - tail]
    inside = 0
    if len(a) * len(b) <= DIFF_LIMIT:
        blocks = difflib.SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
        inside = sum(block.size for block in blocks)
    return head + tail + inside, a[:60], b[:60]


def agreement(items: list[sets.Item]) -> None:
    """Print the share of characters that agree, ignoring whitespace, and the ten worst pages."""
    total = equal = 0
    worst = []
    for item in items:
        raw = to_utf8(item.raw)
        scan = _kernel.scan(raw, Syntax.HTML, False, True)
        ours = "".join(scan.slice(0, scan.visible_size).decode("utf-8", "replace").split())
        tree = LexborHTMLParser(raw.decode().removeprefix("\ufeff"))
        tree.strip_tags(HIDDEN)
        theirs = "".join(tree.root.text().split()) if tree.root else ""
        length = max(len(ours), len(theirs))
        count, a, b = (length, "", "") if ours == theirs else common_characters(ours, theirs)
        total += length
        equal += count
        if count < length:
            worst.append((length - count, item.name, a, b))
    print(
        f"visible text: {equal / total:.4%} of {total:,} characters the same; {len(worst)} pages differ; the worst ten:"
    )
    for missing, name, a, b in sorted(worst, reverse=True)[:10]:
        print(f"  {missing:6} {name}\n         ours   {a!r}\n         lexbor {b!r}")


def import_time(rounds: int) -> None:
    """Print how long `import webtongue` takes and which packages it imports."""
    code = (
        "import sys, time; before = set(sys.modules); t = time.perf_counter(); import webtongue; "
        "print(time.perf_counter() - t); "
        "print(*sorted({m.split('.')[0] for m in set(sys.modules) - before} - set(sys.stdlib_module_names)))"
    )
    command = [sys.executable, "-c", code]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(rounds)]
    best = min(float(run.stdout.splitlines()[0]) for run in runs)
    print(f"import webtongue: {best * 1000:.0f} ms, best of {rounds}; packages: {runs[0].stdout.splitlines()[1]}")


def main() -> None:
    options = options_parser(__doc__, rounds=5).parse_args()
    items = list(sets.html_pages(options.data))
    speed([item.raw for item in items], options.rounds)
    agreement(items)
    import_time(options.rounds)


if __name__ == "__main__":
    main()
