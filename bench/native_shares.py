"""What share of a page's, a URL's and a training run's time each file of the kernel takes, by sampling with perf.

python bench/native_shares.py [--data DIR] [--work page,url,...] [--seconds 20]

Needs Linux with `perf` and `addr2line` (Debian: linux-perf, binutils). The kernel is built once with debug information
(build/shares). A sample counts for the innermost file of the kernel among the functions inlined where it was taken.
"""

from __future__ import annotations

import contextlib
import html
import lzma
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
NATIVE = ROOT / "native"
SHADOW = ROOT / "build" / "shares"
sys.path.insert(0, str(SHADOW))  # the package with a kernel that has debug information

RATE = 4000  # samples a second
PAGES = 400
URLS = 50_000
ONE_URL_IN = 12  # of the training list
SOURCES = ("tatoeba", "ted", "udhr", "mozilla", "ud")
LABELS = ("bul_Cyrl", "ces_Latn", "dan_Latn", "deu_Latn", "ell_Grek", "eng_Latn", "fra_Latn", "heb_Hebr", "hrv_Latn", "hun_Latn",
          "jpn_Jpan", "kor_Hang", "lit_Latn", "nld_Latn", "pol_Latn", "rus_Cyrl", "slk_Latn", "spa_Latn", "srp_Latn", "tha_Thai",
          "tur_Latn", "ukr_Cyrl", "vie_Latn", "zho_Hans", "zho_Hant")  # fmt: skip
MAPPED = re.compile(r"PERF_RECORD_MMAP2 .*?\[(0x[0-9a-f]+)\(0x[0-9a-f]+\) @ (0x[0-9a-f]+|0) .*\]: r-xp (\S+)")
SAMPLE = re.compile(r"^\s*([0-9a-f]+) .*\((.*)\)$")

Work = Callable[[str], Callable[[], None]]  # data folder -> what is done once


def main() -> None:
    for tool in ("perf", "addr2line"):
        if shutil.which(tool) is None:
            sys.exit(f"{tool} is missing: apt-get install linux-perf binutils")
    kernel = built()
    import sets  # imports the package, so only now

    parser = sets.arguments((__doc__ or "").splitlines()[0])
    parser.add_argument("--work", default=",".join(WORK), help=f"which of {', '.join(WORK)}")
    parser.add_argument("--seconds", type=float, default=20, help="of pages and URLs; a training run takes its time")
    options = parser.parse_args()
    names = options.work.split(",")
    found = {}
    for name in names:
        once = WORK[name](options.data)
        with tempfile.NamedTemporaryFile(suffix=".perf") as record:
            with sampled(record.name):
                end = time.monotonic() + options.seconds
                once()
                while time.monotonic() < end and not name.startswith("train"):
                    once()
            found[name] = shares(record.name, kernel)
    show(names, found)
    show_calls(options.data)


# What is done.


def pages(data: str) -> Callable[[], None]:
    import sets

    every = [item.raw for item in sets.html_pages(data)]
    return identify(every[:: max(1, len(every) // PAGES)])


def old_pages(data: str) -> Callable[[], None]:
    import sets

    return identify([item.raw for item in sets.html_pages(data) if item.name.startswith("legacy")])


def identify(raws: list[bytes]) -> Callable[[], None]:
    from webtongue import Identifier

    ident = Identifier()

    def once() -> None:
        for raw in raws:
            ident.identify(raw)

    once()  # so that tables are loaded
    return once


def census_pages(data: str) -> Callable[[], None]:
    """Pages as a census has them identified: in batches, with all that it keeps of them."""
    import sets

    from webtongue import Identifier
    from webtongue.details import DETAILS

    ident = Identifier()
    every = [item.raw for item in sets.html_pages(data)]
    columns = {"raw": every[:: max(1, len(every) // PAGES)]}
    ident.identify_batch(columns, 1, details=DETAILS)  # so that tables are loaded
    return lambda: ident.identify_batch(columns, 1, details=DETAILS) and None


def font_pages(data: str) -> Callable[[], None]:
    """Pages whose text is drawn by a font: some of each font."""
    import fonts

    lines = fonts.sentences(Path(data))
    texts = [
        coded
        for font in fonts.named().values()
        for coded, _ in fonts.made(font, [line for label in font.languages for line in lines.get(label, [])], 2000, 4)
    ]
    return identify([f"<title>Page</title><p>{html.escape(text)}</p>".encode() for text in texts])


def urls(data: str) -> Callable[[], None]:
    from webtongue import Identifier

    ident = Identifier()
    with lzma.open(Path(data) / "url" / "dev.tsv.xz", "rt", encoding="utf-8") as lines:
        found = [line.split("\t")[0] for line in islice(lines, URLS)]
    ident.identify_urls(found[:1])
    return lambda: ident.classify_urls(found) and None


def train_text(data: str) -> Callable[[], None]:
    from webtongue.train.text.config import TrainConfig
    from webtongue.train.text.train import train

    def once() -> None:
        with small_corpus(data) as folder:
            train(folder, folder / "out.wtm", TrainConfig(rows=60_000, lines=10_000), progress=lambda step: None)

    return once


def train_encodings(data: str) -> Callable[[], None]:
    from webtongue.train.encodings.train import train

    def once() -> None:
        with small_corpus(data) as folder:
            train(folder, folder / "out.wtb", count=100)

    return once


def train_url(data: str) -> Callable[[], None]:
    from webtongue.train.url.config import UrlConfig
    from webtongue.train.url.train import train

    def once() -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "url").mkdir()
            (folder / "train").symlink_to((Path(data) / "train").resolve())
            small = folder / "url" / "train.tsv.xz"
            with lzma.open(Path(data) / "url" / "train.tsv.xz") as lines, lzma.open(small, "wb", preset=0) as out:
                out.writelines(islice(lines, 0, None, ONE_URL_IN))
            config = UrlConfig(least_urls=20, made=500, buckets=4000)
            train(folder, folder / "out.wtu", config, lambda step: None)

    return once


@contextlib.contextmanager
def small_corpus(data: str) -> Iterator[Path]:
    """A folder of links to the corpus's files of some labels."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for source in SOURCES:
            (folder / source).mkdir()
            for label in LABELS:
                for path in (Path(data) / "train" / source).glob(f"{label}.txt*"):
                    (folder / source / path.name).symlink_to(path.resolve())
        yield folder


WORK: dict[str, Work] = {
    "page": pages,
    "census page": census_pages,
    "old page": old_pages,
    "font page": font_pages,
    "url": urls,
    "train text": train_text,
    "train encodings": train_encodings,
    "train url": train_url,
}


# How it is measured.


def built() -> Path:
    """A kernel with debug information, in a shadow of the package."""
    package = SHADOW / "webtongue"
    if not package.is_dir():
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", str(SHADOW), str(ROOT)]
        command += [
            "-C",
            "cmake.build-type=RelWithDebInfo",
            "-C",
            "install.strip=false",
            "-C",
            f"build-dir={SHADOW}/cmake",
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        package.mkdir()
        with zipfile.ZipFile(next(SHADOW.glob("*.whl"))) as wheel:
            wheel.extractall(SHADOW, [name for name in wheel.namelist() if "_kernel" in name])
        for path in (ROOT / "src" / "webtongue").iterdir():
            if not path.name.startswith("_kernel"):
                (package / path.name).symlink_to(path)
    return next(package.glob("_kernel*.so"))


@contextlib.contextmanager
def sampled(record: str) -> Iterator[None]:
    """This process under perf."""
    command = ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(RATE), "-o", record, "-p", str(os.getpid())]
    with subprocess.Popen(command) as perf:
        time.sleep(1)  # until it listens
        yield
        perf.send_signal(signal.SIGINT)


def shares(record: str, kernel: Path) -> Counter[str]:
    """Samples by file of the kernel, and by library outside of it."""
    script = ["perf", "script", "-i", record, "--show-mmap-events", "-F", "ip,sym,dso"]
    places: Counter[int] = Counter()
    out: Counter[str] = Counter()
    start = 0
    for line in subprocess.run(script, check=True, capture_output=True, text=True).stdout.splitlines():
        if found := MAPPED.search(line):
            if found[3].endswith(kernel.name):
                start = int(found[1], 16) - int(found[2], 16)
        elif sample := SAMPLE.match(line):
            if sample[2].endswith(kernel.name):
                places[int(sample[1], 16) - start] += 1
            else:
                out[library(sample[2])] += 1
    for place, file in files_of(list(places), kernel).items():
        out[file] += places[place]
    return out


def library(path: str) -> str:
    name = Path(path).name
    if name.startswith(("python", "libpython")):
        return "(Python)"
    if "numpy" in path or "scipy" in path or "openblas" in name:
        return "(NumPy)"
    if name.startswith(("libc.", "libc-", "libm.", "libstdc++", "ld-")):
        return "(C library: copies, memory)"
    return "(system and other libraries)"


def files_of(places: list[int], kernel: Path) -> dict[int, str]:
    """For each address the innermost file of the kernel in the chain of what was inlined there."""
    asked = "\n".join(hex(place) for place in places)
    command = ["addr2line", "-a", "-i", "-e", str(kernel)]
    found = subprocess.run(command, input=asked, capture_output=True, text=True, check=True).stdout.splitlines()
    out: dict[int, str] = {}
    place = 0
    for line in found:
        if line.startswith("0x"):
            place = int(line, 16)
            out[place] = "(bindings)"
        elif out[place] == "(bindings)" and "/native/" in line:
            out[place] = line.rpartition(":")[0].rpartition("/native/")[2]
    return out


def show(names: list[str], found: dict[str, Counter[str]]) -> None:
    """A row for each header and its source together."""
    lines: Counter[str] = Counter()
    for path in sorted(NATIVE.rglob("*.[ch]pp")):
        if path.parent.name != "fuzz":
            lines[unit(path.relative_to(NATIVE).as_posix())] += path.read_bytes().count(b"\n")
    totals = {name: sum(found[name].values()) for name in names}
    rows = {name: Counter[str]() for name in names}
    for name in names:
        for file, count in found[name].items():
            rows[name][unit(file)] += count
    print(f"Samples: {', '.join(f'{name} {totals[name]:,}' for name in names)}.\n")
    print(f"| file | lines | {' | '.join(names)} |\n| --- | ---: |{' ---: |' * len(names)}")
    for file in [*lines, *sorted({file for name in names for file in rows[name]} - set(lines))]:
        cells = [f"{rows[name][file] / totals[name]:.1%}" if rows[name][file] else "" for name in names]
        print(f"| {file} | {lines[file] or ''} | {' | '.join(cells)} |")


def show_calls(data: str) -> None:
    """What a call costs in the kernel and in its readable twin in the tests, which is Python as one would write it."""
    import sets
    import timing

    print("\n| call | on | kernel, µs | Python twin, µs |\n| --- | --- | ---: | ---: |")
    heads = [item.raw for item in islice(sets.html_pages(data), 200)]
    for name, on, kernel, twin, items in calls(heads):
        spent = [timing.least(partial(timing.each(way), items)) for way in (kernel, twin)]
        print(f"| {name} | {on} | {' | '.join(f'{seconds / len(items) * 1e6:.1f}' for seconds in spent)} |")


def calls(raws: list[bytes]) -> list[tuple[str, str, Callable[[Any], Any], Callable[[Any], Any], list[Any]]]:
    sys.path.insert(0, str(ROOT))
    from tests.twins.base import utf
    from tests.twins.fonts import convert
    from tests.twins.markup import entities, outlinks, prescan
    from tests.twins.text import junk

    from webtongue import _kernel
    from webtongue.encodings.names import known_labels
    from webtongue.fonts.tables import named
    from webtongue.hints.declared import encoding_labels

    known = {label.encode() for label in known_labels(standard=True)}
    font = named()["krutidev"]
    values = [b"text/html; charset=utf-8", b"R&amp;D &eacute;t&eacute;", b"plain value"]
    heads = [raw[:1024] for raw in raws]
    texts = [re.sub(rb"<[^>]*>", b" ", raw)[:3000] for raw in raws[:40]]
    scans = [(raw, _kernel.scan(raw, 0, False, True)) for raw in raws[:40]]
    scanned = [(raw, scan, list(zip(*scan.links(), strict=True))) for raw, scan in scans]
    drawn = ["Hkkjr ljdkj dk;kZy; vkns'k fØ;k " * 30]
    return [
        ("prescan", "1 kB", lambda raw: _kernel.prescan(raw, encoding_labels()), lambda raw: prescan.prescan(raw, known), heads),
        ("charset_in", "a value", _kernel.charset_in, prescan.charset_in, values),
        ("unescape", "a value", lambda raw: _kernel.unescape(raw, True), lambda raw: entities.unescape(raw, True), values),
        ("check_utf8", "3 kB", _kernel.check_utf8, utf.check_utf8, texts),
        ("junk", "3 kB", _kernel.look_for_junk, junk.look_for_junk, texts),
        ("outlinks", "a page", lambda page: _kernel.outlinks(page[1], page[0], b"a.example"),
         lambda page: outlinks.outlinks(page[2], page[1].text, page[0], b"a.example"), scanned),
        ("font conversion", "1 kB", font.convert, lambda text: convert.convert(font, text), drawn),
    ]  # fmt: skip


def unit(file: str) -> str:
    return file.removesuffix(".cpp").removesuffix(".hpp")


if __name__ == "__main__":
    main()
