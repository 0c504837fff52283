"""The CPU time of short programs against an empty one: importing webtongue, a first answer, the command line.

Each program is a process of its own. The programs take turns, and the median of each counts. Compiled modules are cached, as
they are in an installed package; the first round, which compiles them, does not count.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from common import bar_result, options_parser

PAGE = "<html lang=el><title>Βιβλιοθήκη</title><p>Καλώς ήρθατε στη βιβλιοθήκη μας, που είναι ανοιχτή κάθε μέρα."
EMPTY = "python -c pass"
FIRST_PAGE = f"import webtongue; webtongue.identify({PAGE.encode()!r})"
FIRST_URL = "import webtongue; webtongue.identify_url('https://www.example.com/noticias/ciudad.html')"
BARS = {"import webtongue": 5.0, "webtongue identify page.html": 12.0}  # times the empty program


def programs(page: Path) -> dict[str, list[str]]:
    """Return the arguments of the interpreter for each program."""
    return {
        EMPTY: ["-c", "pass"],
        "import webtongue": ["-c", "import webtongue"],
        "webtongue.identify, first page": ["-c", FIRST_PAGE],
        "webtongue.identify_url, first URL": ["-c", FIRST_URL],
        "webtongue --version": ["-m", "webtongue", "--version"],
        "webtongue identify page.html": ["-m", "webtongue", "identify", str(page)],
        "webtongue identify --json page.html": ["-m", "webtongue", "identify", "--json", str(page)],
        "webtongue url": ["-m", "webtongue", "url", "https://www.example.com/noticias/ciudad.html"],
    }


def cpu_seconds(arguments: list[str], environment: dict[str, str]) -> float:
    """Run a program and return its user and system time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the median of each program, and its ratio to the empty one."""
    options = options_parser(__doc__, has_data=False, rounds=15).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        page.write_text(PAGE, "utf-8")
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(Path(folder, "compiled"))}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        seconds: dict[str, list[float]] = {name: [] for name in programs(page)}
        for _ in range(options.rounds + 1):
            for name, arguments in programs(page).items():
                seconds[name].append(cpu_seconds(arguments, environment))
    medians = {name: statistics.median(rounds[1:]) for name, rounds in seconds.items()}
    for name, median in medians.items():
        ratio = median / medians[EMPTY]
        bar = f"bar {BARS[name]:.0f}x {bar_result(ratio <= BARS[name])}" if name in BARS else ""
        print(f"{name:<38}{median * 1e3:8.1f} ms {ratio:6.1f}x  {bar}".rstrip())


if __name__ == "__main__":
    main()
