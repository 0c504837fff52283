"""The share of time that each file of the kernel takes for pages, URLs and training, by sampling with perf.

    python bench/kernel_profile.py [--data DIR] [--work page,url,...] [--seconds 20]

This needs Linux with `perf` and `addr2line` (Debian: linux-perf, binutils). The kernel is built once with debug information
(build/profile). A sample counts for the innermost kernel file among the functions that are inlined at its address.
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
PROFILED = ROOT / "build" / "profile"

SAMPLES_PER_SECOND = 4000
MAX_PAGES = 400
MAX_URLS = 50_000
TRAINING_URL_STEP = 12  # one URL in 12 of the training list is used
SOURCES = ("tatoeba", "ted", "udhr", "mozilla", "ud")
LABELS = ("bul_Cyrl", "ces_Latn", "dan_Latn", "deu_Latn", "ell_Grek", "eng_Latn", "fra_Latn", "heb_Hebr", "hrv_Latn", "hun_Latn",
          "jpn_Jpan", "kor_Hang", "lit_Latn", "nld_Latn", "pol_Latn", "rus_Cyrl", "slk_Latn", "spa_Latn", "srp_Latn", "tha_Thai",
          "tur_Latn", "ukr_Cyrl", "vie_Latn", "zho_Hans", "zho_Hant")  # fmt: skip
MMAP_EVENT = re.compile(r"PERF_RECORD_MMAP2 .*?\[(0x[0-9a-f]+)\(0x[0-9a-f]+\) @ (0x[0-9a-f]+|0) .*\]: r-xp (\S+)")
SAMPLE = re.compile(r"^\s*([0-9a-f]+) .*\((.*)\)$")

# A workload takes the data folder, and returns a function that does the work once.
Workload = Callable[[Path], Callable[[], object]]


def main() -> None:
    for tool in ("perf", "addr2line"):
        if shutil.which(tool) is None:
            sys.exit(f"{tool} is missing: apt-get install linux-perf binutils")
    kernel = build_profiled_kernel()
    import_profiled_package(kernel)
    from common import options_parser

    parser = options_parser(__doc__)
    parser.add_argument(
        "--work",
        default=",".join(WORKLOADS),
        help=f"workloads, separated by commas (default all: {', '.join(WORKLOADS)})",
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=20,
        help="seconds for pages and URLs; a training run is not cut short (default 20)",
    )
    options = parser.parse_args()
    names = options.work.split(",")
    samples = {}
    for name in names:
        run = WORKLOADS[name](options.data)
        with tempfile.NamedTemporaryFile(suffix=".perf") as record:
            with run_under_perf(record.name):
                end = time.monotonic() + options.seconds
                run()
                while time.monotonic() < end and not name.startswith("train"):
                    run()
            samples[name] = samples_by_file(record.name, kernel)
    print_profile(names, samples)
    print_calls(options.data)


# Workloads


def page_workload(data: Path) -> Callable[[], None]:
    import sets

    raws = [item.raw for item in sets.html_pages(data)]
    return identify_workload(raws[:: max(1, len(raws) // MAX_PAGES)])


def legacy_page_workload(data: Path) -> Callable[[], None]:
    import sets

    return identify_workload([item.raw for item in sets.html_pages(data) if item.name.startswith("legacy")])


def identify_workload(raws: list[bytes]) -> Callable[[], None]:
    from webtongue import Identifier

    ident = Identifier()

    def run() -> None:
        for raw in raws:
            ident.identify(raw)

    run()  # loads the tables
    return run


def census_workload(data: Path) -> Callable[[], object]:
    """Return a workload that identifies pages like a census: in batches, with all extra columns."""
    import sets

    from webtongue import Identifier
    from webtongue.extra_columns import EXTRA_COLUMNS

    ident = Identifier()
    raws = [item.raw for item in sets.html_pages(data)]
    columns = {"raw": raws[:: max(1, len(raws) // MAX_PAGES)]}
    ident.identify_batch(columns, 1, extra=EXTRA_COLUMNS)  # loads the tables
    return lambda: ident.identify_batch(columns, 1, extra=EXTRA_COLUMNS)


def font_page_workload(data: Path) -> Callable[[], None]:
    """Return a workload of pages written for legacy fonts, some of each font."""
    import fonts

    sentences = fonts.read_sentences(data)
    pages = []
    for font in fonts.all_fonts().values():
        lines = [line for label in font.languages for line in sentences.get(label, [])]
        for text in fonts.generate_texts(font, lines, 2000, 4):
            pages.append(f"<title>Page</title><p>{html.escape(text.encoded)}</p>".encode())
    return identify_workload(pages)


def url_workload(data: Path) -> Callable[[], object]:
    from webtongue import Identifier

    ident = Identifier()
    with lzma.open(data / "url" / "dev.tsv.xz", "rt", encoding="utf-8") as lines:
        urls = [line.split("\t")[0] for line in islice(lines, MAX_URLS)]
    ident.identify_urls(urls[:1])
    return lambda: ident.classify_urls(urls)


def train_text_workload(data: Path) -> Callable[[], None]:
    from webtongue.lab.train.text.config import TrainConfig
    from webtongue.lab.train.text.train import train

    def run() -> None:
        with small_corpus(data) as folder:
            train(folder, folder / "out.wtm", TrainConfig(rows=60_000, lines=10_000), progress=lambda step: None)

    return run


def train_encodings_workload(data: Path) -> Callable[[], None]:
    from webtongue.lab.train.encodings.train import train

    def run() -> None:
        with small_corpus(data) as folder:
            train(folder, folder / "out.wtb", count=100)

    return run


def train_url_workload(data: Path) -> Callable[[], None]:
    from webtongue.lab.train.url.config import UrlConfig
    from webtongue.lab.train.url.train import train

    def run() -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "url").mkdir()
            (folder / "train").symlink_to((data / "train").resolve())
            small = folder / "url" / "train.tsv.xz"
            with lzma.open(data / "url" / "train.tsv.xz") as lines, lzma.open(small, "wb", preset=0) as file:
                file.writelines(islice(lines, 0, None, TRAINING_URL_STEP))
            config = UrlConfig(least_urls=20, made=500, buckets=4000)
            train(folder, folder / "out.wtu", config, lambda step: None)

    return run


@contextlib.contextmanager
def small_corpus(data: Path) -> Iterator[Path]:
    """Yield a folder of links to the files of some labels of the corpus."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for source in SOURCES:
            (folder / source).mkdir()
            for label in LABELS:
                for path in (data / "train" / source).glob(f"{label}.txt*"):
                    (folder / source / path.name).symlink_to(path.resolve())
        yield folder


WORKLOADS: dict[str, Workload] = {
    "page": page_workload,
    "census page": census_workload,
    "old page": legacy_page_workload,
    "font page": font_page_workload,
    "url": url_workload,
    "train text": train_text_workload,
    "train encodings": train_encodings_workload,
    "train url": train_url_workload,
}


# Measurement


def build_profiled_kernel() -> Path:
    """Return a kernel with debug information, built in a copy of the package that links to its sources."""
    package = PROFILED / "webtongue"
    if not package.is_dir():
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", str(PROFILED), str(ROOT)]
        for setting in ("cmake.build-type=RelWithDebInfo", "install.strip=false", f"build-dir={PROFILED}/cmake"):
            command += ["-C", setting]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        package.mkdir()
        with zipfile.ZipFile(next(PROFILED.glob("*.whl"))) as wheel:
            wheel.extractall(PROFILED, [name for name in wheel.namelist() if "_kernel" in name])
        for path in (ROOT / "src" / "webtongue").iterdir():
            if not path.name.startswith("_kernel"):
                (package / path.name).symlink_to(path)
    return next(package.glob("_kernel*.so"))


def import_profiled_package(kernel: Path) -> None:
    """Import the package whose kernel has debug information; exit if another one is imported.

    The finder of an editable install comes before sys.path, and would find the package without debug information.
    """
    sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in getattr(finder, "__module__", "")]
    sys.path.insert(0, str(kernel.parent.parent))
    from webtongue import _kernel

    if Path(_kernel.__file__).resolve() != kernel.resolve():
        sys.exit(
            f"the kernel that is imported is {_kernel.__file__}, not {kernel}: run this where it is not imported yet"
        )


@contextlib.contextmanager
def run_under_perf(record: str) -> Iterator[None]:
    """Record samples of this process with perf."""
    command = [
        "perf",
        "record",
        "-q",
        "-e",
        "cpu-clock",
        "-F",
        str(SAMPLES_PER_SECOND),
        "-o",
        record,
        "-p",
        str(os.getpid()),
    ]
    with subprocess.Popen(command) as perf:
        time.sleep(1)  # until perf is attached
        yield
        perf.send_signal(signal.SIGINT)


def samples_by_file(record: str, kernel: Path) -> Counter[str]:
    """Return the number of samples by kernel file, and by library for samples outside the kernel."""
    script = ["perf", "script", "-i", record, "--show-mmap-events", "-F", "ip,sym,dso"]
    offsets: Counter[int] = Counter()
    counts: Counter[str] = Counter()
    start = 0
    for line in subprocess.run(script, check=True, capture_output=True, text=True).stdout.splitlines():
        if mapped := MMAP_EVENT.search(line):
            if mapped[3].endswith(kernel.name):
                start = int(mapped[1], 16) - int(mapped[2], 16)
        elif sample := SAMPLE.match(line):
            if sample[2].endswith(kernel.name):
                offsets[int(sample[1], 16) - start] += 1
            else:
                counts[library_name(sample[2])] += 1
    for offset, file in files_of(list(offsets), kernel).items():
        counts[file] += offsets[offset]
    return counts


def library_name(path: str) -> str:
    name = Path(path).name
    if name.startswith(("python", "libpython")):
        return "(Python)"
    if "numpy" in path or "scipy" in path or "openblas" in name:
        return "(NumPy)"
    if name.startswith(("libc.", "libc-", "libm.", "libstdc++", "ld-")):
        return "(C library: copies, memory)"
    return "(system and other libraries)"


def files_of(offsets: list[int], kernel: Path) -> dict[int, str]:
    """Return for each address the innermost kernel file among the functions inlined there."""
    addresses = "\n".join(hex(offset) for offset in offsets)
    command = ["addr2line", "-a", "-i", "-e", str(kernel)]
    completed = subprocess.run(command, input=addresses, capture_output=True, text=True, check=True)
    files: dict[int, str] = {}
    offset = 0
    for line in completed.stdout.splitlines():
        if line.startswith("0x"):
            offset = int(line, 16)
            files[offset] = "(bindings)"
        elif files[offset] == "(bindings)" and "/native/" in line:
            files[offset] = line.rpartition(":")[0].rpartition("/native/")[2]
    return files


def print_profile(names: list[str], samples: dict[str, Counter[str]]) -> None:
    """Print a row for each header together with its source file."""
    lines: Counter[str] = Counter()
    for path in sorted(NATIVE.rglob("*.[ch]pp")):
        if path.parent.name != "fuzz":
            lines[file_stem(path.relative_to(NATIVE).as_posix())] += path.read_bytes().count(b"\n")
    totals = {name: sum(samples[name].values()) for name in names}
    rows = {name: Counter[str]() for name in names}
    for name in names:
        for file, count in samples[name].items():
            rows[name][file_stem(file)] += count
    print(f"Samples: {', '.join(f'{name} {totals[name]:,}' for name in names)}.\n")
    print(f"| file | lines | {' | '.join(names)} |\n| --- | ---: |{' ---: |' * len(names)}")
    for file in [*lines, *sorted({file for name in names for file in rows[name]} - set(lines))]:
        cells = [f"{rows[name][file] / totals[name]:.1%}" if rows[name][file] else "" for name in names]
        print(f"| {file} | {lines[file] or ''} | {' | '.join(cells)} |")


def print_calls(data: Path) -> None:
    """Print what a call costs in the kernel and in its readable Python twin in the tests."""
    import sets
    import timing

    print("\n| call | on | kernel, µs | Python twin, µs |\n| --- | --- | ---: | ---: |")
    heads = [item.raw for item in islice(sets.html_pages(data), 200)]
    for name, input_name, kernel, twin, items in calls(heads):
        seconds = [timing.best_call_seconds(partial(timing.for_each(call), items)) for call in (kernel, twin)]
        print(f"| {name} | {input_name} | {' | '.join(f'{spent / len(items) * 1e6:.1f}' for spent in seconds)} |")


def calls(raws: list[bytes]) -> list[tuple[str, str, Callable[[Any], Any], Callable[[Any], Any], list[Any]]]:
    sys.path.insert(0, str(ROOT))
    from tests.twins.base import utf
    from tests.twins.fonts import convert
    from tests.twins.markup import entities, outlinks, prescan
    from tests.twins.text import junk

    from webtongue import _kernel
    from webtongue.charset.names import known_labels
    from webtongue.fonts.tables import all_fonts
    from webtongue.markup.declarations import encoding_labels

    known = {label.encode() for label in known_labels(standard=True)}
    font = all_fonts()["krutidev"]
    values = [b"text/html; charset=utf-8", b"R&amp;D &eacute;t&eacute;", b"plain value"]
    heads = [raw[:1024] for raw in raws]
    texts = [re.sub(rb"<[^>]*>", b" ", raw)[:3000] for raw in raws[:40]]
    scans = [(raw, _kernel.scan(raw, 0, False, True)) for raw in raws[:40]]
    scanned = [(raw, scan, list(zip(*scan.links(), strict=True))) for raw, scan in scans]
    font_texts = ["Hkkjr ljdkj dk;kZy; vkns'k fØ;k " * 30]
    return [
        ("prescan", "1 kB", lambda raw: _kernel.prescan(raw, encoding_labels()), lambda raw: prescan.prescan(raw, known), heads),
        ("charset_in", "a value", _kernel.charset_in, prescan.charset_in, values),
        ("unescape", "a value", lambda raw: _kernel.unescape(raw, True), lambda raw: entities.unescape(raw, True), values),
        ("check_utf8", "3 kB", _kernel.check_utf8, utf.check_utf8, texts),
        ("junk", "3 kB", _kernel.look_for_junk, junk.look_for_junk, texts),
        ("outlinks", "a page", lambda page: _kernel.outlinks(page[1], page[0], b"a.example"),
         lambda page: outlinks.outlinks(page[2], page[1].text, page[0], b"a.example"), scanned),
        ("font conversion", "1 kB", font.convert, lambda text: convert.convert(font, text), font_texts),
    ]  # fmt: skip


def file_stem(file: str) -> str:
    return file.removesuffix(".cpp").removesuffix(".hpp")


if __name__ == "__main__":
    main()
