"""Finds the decisive features of look-alikes in a corpus and puts them into a model that was trained before.

    python tools/weights/add_decisive.py MODEL CORPUS [--output FILE]

`webtongue train` does the same at its end: this is for trying other signs or settings without training anew.
Models of the version before, which have no such features, are brought up to this one.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from webtongue.files import pack, unpack
from webtongue.train.corpus.audit import audit
from webtongue.train.corpus.read import read_corpus
from webtongue.train.text.decisive import find_all
from webtongue.train.text.file import MAGIC, SECTIONS, VERSION, LookAlikes, pack_decisive
from webtongue.train.text.look_alikes import read_groups

DECISIVE = tuple(pack_decisive([], []))


def read_sections(path: Path) -> dict[str, bytes]:
    """The sections of a model of this version or of the one before."""
    try:
        return unpack(path, MAGIC, VERSION, SECTIONS)
    except ValueError:
        return unpack(path, MAGIC, VERSION - 1, tuple(name for name in SECTIONS if name not in DECISIVE))


def with_decisive(path: Path, groups: list[LookAlikes], out: Path) -> None:
    """The model at a path with these features in place of those that it has."""
    sections = read_sections(path)
    sections |= pack_decisive(sections["labels"].decode().split("\n"), groups)
    out.write_bytes(pack(MAGIC, VERSION, {name: sections[name] for name in SECTIONS}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    known = set(read_sections(options.model)["labels"].decode().split("\n"))
    wanted = {label for group in read_groups() for label in group.labels} & known
    corpus, _ = audit(read_corpus(options.corpus, labels=wanted))
    groups = find_all(corpus.of_label())
    with_decisive(options.model, groups, options.output or options.model)
    for group in groups:
        print(f"{len(group.keys):6} features of {' '.join(group.labels)}")


if __name__ == "__main__":
    main()
