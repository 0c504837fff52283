"""Check a wheel as a user gets it: in an empty environment, without a compiler on the path and without the sources.

    python tools/check_wheel.py dist/webtongue-*.whl [--requirement numpy==1.23.5] [--python python3.12]
    python tools/check_wheel.py --installed        check what this interpreter has installed, as cibuildwheel does

The library answers, the command prints the version of the wheel, a country comes from the table of the package, and a command whose
extra is missing says what to install.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

LIBRARY = """
import sys, webtongue
verdict = webtongue.identify("<p>Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα".encode("iso-8859-7"), ip="2a01:4f8::1")
assert (verdict.language, verdict.encoding, verdict.country) == ("el", "iso-8859-7", "DE"), verdict
assert webtongue.identify_url("https://www.example.com/noticias/ultimas-noticias-de-la-ciudad.html").language == "es"
import numpy
print("library", webtongue.__version__, "Python", sys.version.split()[0], "NumPy", numpy.__version__)
"""


def run(command: list[str], folder: Path, expected_code: int = 0) -> str:
    """Run a command in a folder without compilers and without variables of Python; return what it prints."""
    environment = {"PATH": str(folder / "empty"), "PYTHONUTF8": "1"}
    environment |= {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "TMPDIR") if name in os.environ}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    if done.returncode != expected_code:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def install(wheel: Path, requirements: list[str], python: str, folder: Path) -> str:
    """Create an environment with the wheel and return its interpreter."""
    if python:
        subprocess.run([python, "-m", "venv", str(folder / "env")], check=True)
    else:
        venv.create(folder / "env", with_pip=True)
    interpreter = str(folder / "env" / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    command = [
        interpreter,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--only-binary",
        ":all:",
        str(wheel.resolve()),
        *requirements,
    ]
    subprocess.run(command, check=True)
    return interpreter


def check(interpreter: str, folder: Path) -> None:
    """Run the library and the command."""
    print(run([interpreter, "-c", LIBRARY], folder).strip())
    command = [interpreter, "-m", "webtongue"]
    print(run([*command, "--version"], folder).strip())
    (folder / "page.html").write_text("<p>Das Museum ist heute bis achtzehn Uhr geöffnet.", "utf-8")
    if "German" not in run([*command, "identify", "page.html"], folder):
        sys.exit("webtongue identify does not name the language of a page")
    has_arrow = subprocess.run([interpreter, "-c", "import pyarrow"], capture_output=True).returncode == 0
    if not has_arrow and "webtongue[census]" not in run([*command, "census", "page.html", "-o", "out"], folder, 2):
        sys.exit("webtongue census does not say which extra is missing")
    run([*command, "identify", "--help"], folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path, nargs="?")
    parser.add_argument("--installed", action="store_true", help="check the installation of this interpreter")
    parser.add_argument(
        "--requirement", action="append", default=[], help="a further requirement, such as numpy==1.23.5"
    )
    parser.add_argument("--python", default="", help="the interpreter of the environment (default: this one)")
    options = parser.parse_args()
    if bool(options.wheel) == options.installed:
        parser.error("give one wheel, or --installed")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        interpreter = sys.executable
        if options.wheel:
            interpreter = install(options.wheel, options.requirement, options.python, folder)
        check(interpreter, folder)


if __name__ == "__main__":
    main()
