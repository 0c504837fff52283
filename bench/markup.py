"""The scanner against lexbor (selectolax): speed in one process on the same pages, and the same visible text.

python bench/markup.py [--data DIR] [--rounds 5]
"""

from __future__ import annotations

import difflib
import subprocess
import sys
from collections.abc import Callable

import sets
import timing
from selectolax.lexbor import LexborHTMLParser

from webtongue import _kernel, markup
from webtongue.markup.sniff import Syntax
from webtongue.page import Page

# Treated alike on both sides: what the scanner does not show.
HIDDEN = ["script", "style", "template", "noscript", "svg", "math", "textarea", "iframe", "noembed", "noframes"]
DIFF_LIMIT = 30_000_000  # product of lengths up to which two stretches are compared character by character


def lexbor(raw: bytes) -> str:
    """The peer: parse, strip script and style, text."""
    tree = LexborHTMLParser(raw)
    tree.strip_tags(["script", "style"])
    return tree.text()


def speed(pages: list[bytes], rounds: int) -> None:
    """Print MB/s of both, best of the rounds, and the ratios."""
    size = sum(map(len, pages)) / 1e6
    ways: dict[str, Callable[[bytes], object]] = {
        "lexbor: parse, strip, text()": lexbor,
        "webtongue: text only": lambda raw: _kernel.scan(raw, Syntax.HTML, True, True).text,
        "webtongue: everything": lambda raw: _kernel.scan(raw, Syntax.HTML, False, True),
        "webtongue: markup.read(Page)": lambda raw: markup.read(Page(raw)),
    }
    took = timing.quickest({name: timing.each(way) for name, way in ways.items()}, [pages], rounds)
    best = {name: seconds for name, (seconds,) in took.items()}
    print(f"{len(pages)} pages, {size:.1f} MB, best of {rounds}, one core")
    peer = best["lexbor: parse, strip, text()"]
    for name, seconds in best.items():
        print(f"  {name:32} {size / seconds:8.0f} MB/s  {peer / seconds:6.2f} x lexbor")


def unicode_page(raw: bytes) -> bytes:
    """The page in UTF-8, so that both sides read the same characters."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1").encode()
    return raw


def same(ours: str, theirs: str) -> tuple[int, str, str]:
    """How many characters two texts share, in order, and where they first part."""
    n = min(len(ours), len(theirs))
    head = next((i for i in range(n) if ours[i] != theirs[i]), n)
    tail = next((i for i in range(n - head) if ours[-1 - i] != theirs[-1 - i]), n - head)
    a, b = ours[head : len(ours) - tail], theirs[head : len(theirs) - tail]
    middle = 0
    if len(a) * len(b) <= DIFF_LIMIT:
        blocks = difflib.SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
        middle = sum(block.size for block in blocks)
    return head + tail + middle, a[:60], b[:60]


def agreement(items: list[sets.Item]) -> None:
    """Print the share of characters that are the same, whitespace aside, and the ten worst pages."""
    total = equal = 0
    worst = []
    for item in items:
        raw = unicode_page(item.raw)
        scan = _kernel.scan(raw, Syntax.HTML, False, True)
        ours = "".join(scan.slice(0, scan.visible_size).decode("utf-8", "replace").split())
        tree = LexborHTMLParser(raw.decode().removeprefix("\ufeff"))
        tree.strip_tags(HIDDEN)
        theirs = "".join(tree.root.text().split()) if tree.root else ""
        length = max(len(ours), len(theirs))
        count, a, b = (length, "", "") if ours == theirs else same(ours, theirs)
        total += length
        equal += count
        if count < length:
            worst.append((length - count, item.name, a, b))
    print(
        f"visible text: {equal / total:.4%} of {total:,} characters the same; {len(worst)} pages differ; the worst ten:"
    )
    for lost, name, a, b in sorted(worst, reverse=True)[:10]:
        print(f"  {lost:6} {name}\n         ours   {a!r}\n         lexbor {b!r}")


def import_time(rounds: int) -> None:
    """Print how long `import webtongue` takes and what it brings in."""
    code = (
        "import sys, time; before = set(sys.modules); t = time.perf_counter(); import webtongue; "
        "print(time.perf_counter() - t); "
        "print(*sorted({m.split('.')[0] for m in set(sys.modules) - before} - set(sys.stdlib_module_names)))"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(rounds)
    ]
    best = min(float(run.stdout.splitlines()[0]) for run in runs)
    print(f"import webtongue: {best * 1000:.0f} ms, best of {rounds}; packages: {runs[0].stdout.splitlines()[1]}")


def main() -> None:
    parser = sets.arguments(__doc__ or "")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    items = list(sets.html_pages(options.data))
    speed([item.raw for item in items], options.rounds)
    agreement(items)
    import_time(options.rounds)


if __name__ == "__main__":
    main()
