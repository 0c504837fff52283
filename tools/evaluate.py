"""Measure accuracy on all test sets, with other packages beside webtongue, and write docs/generated/evaluation.md.

    python tools/evaluate.py [--data DIR] [--only comparison,texts,...] [--output FILE]

`make evaluate` installs the other packages first. The whole takes about an hour on two cores; --only measures some sections and keeps the
others as they are in the file. Sections are the output of the command above them.
"""

from __future__ import annotations

import argparse
import datetime
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
OUTPUT = ROOT / "docs" / "generated" / "evaluation.md"
TEXT_SETS = (
    "sib200_floresdev lingua_sentences lingua_word-pairs lingua_single-words eld_tweets eld_word-pairs dsl2015 gatitos"
)
INTRODUCTION = """# Evaluation

`make evaluate` prints this page. No model was trained on the items of these sets; some settings were chosen with a few of them
([figures-model.md](figures-model.md) says which). [reproduce.md](../reproduce.md) describes the sets.
"""


@dataclass(frozen=True)
class Section:
    """A part of the page: the output of a command, which also gets ``--data``."""

    name: str
    title: str
    command: str


SECTIONS = (
    Section("comparison", "Comparison with other packages", "bench/peers.py"),
    Section(
        "texts",
        "Texts, on the languages that each package has",
        f"-m webtongue evaluate {TEXT_SETS} --restrict --limit 2000 --worst 0",
    ),
    Section("web", "Texts of the web", "bench/web.py"),
    Section("pages", "Pages", "bench/pages.py --only accuracy,look_alikes"),
    Section("encodings", "Encodings", "bench/encoding.py"),
    Section("urls", "URLs", "bench/url.py domain web"),
    Section("lies", "Pages whose hints are wrong", "bench/lies.py"),
)


def main() -> None:
    """Run the commands and write the page."""
    parser = argparse.ArgumentParser(description="Write docs/generated/evaluation.md.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="the folder of test sets")
    parser.add_argument("--only", default=",".join(section.name for section in SECTIONS), help="names of sections")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    if not (options.data / "dev").is_dir():
        sys.exit(f"no folder {options.data / 'dev'}: docs/reproduce.md describes the test sets; name it with --data")
    wanted = options.only.split(",")
    if unknown := set(wanted) - {section.name for section in SECTIONS}:
        sys.exit(
            f"no section {', '.join(sorted(unknown))}; there are {', '.join(section.name for section in SECTIONS)}"
        )
    parts = read_sections(options.output.read_text("utf-8")) if options.output.exists() else {}
    for section in SECTIONS:
        if section.name in wanted:
            print(section.title, flush=True)
            parts[section.title] = write_section(section, run(section, options.data), datetime.date.today())
            body = [parts[section.title] for section in SECTIONS if section.title in parts]
            options.output.write_text("\n".join([INTRODUCTION, *body]), "utf-8")


def run(section: Section, data: Path) -> str:
    """Return the output of a section's command; its messages go to standard error."""
    command = [sys.executable, *section.command.split(), "--data", str(data)]
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout.decode()


def write_section(section: Section, output: str, date: datetime.date) -> str:
    """Return a section of the page: Markdown is kept, other output becomes a block of text."""
    lines = [line.rstrip() for line in output.strip("\n").splitlines()]
    is_markdown = any(line.startswith("| --- |") for line in lines)
    block = lines if is_markdown else ["```text", *lines, "```"]
    return "\n".join([f"## {section.title}", "", f"`python {section.command}`, {date:%Y-%m-%d}:", "", *block, ""])


def read_sections(page: str) -> dict[str, str]:
    """Return the sections of a page by their titles."""
    return {part.split("\n", 1)[0][3:]: part for part in re.split(r"^(?=## )", page, flags=re.M)[1:]}


if __name__ == "__main__":
    main()
