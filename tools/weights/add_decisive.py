"""Find the decisive features of look-alikes in a corpus and write them into a trained model.

    python tools/weights/add_decisive.py MODEL CORPUS [--output FILE]

`webtongue train` ends with the same step; this tool tries other settings without training again. Models of the previous version,
which have no such features, are converted to the current one.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from webtongue.files import pack, unpack
from webtongue.lab.train.corpus.audit import audit
from webtongue.lab.train.corpus.read import read_corpus
from webtongue.lab.train.text.decisive import find_all_decisive
from webtongue.lab.train.text.file import MAGIC, SECTIONS, VERSION, LookAlikes, pack_decisive
from webtongue.lab.train.text.look_alikes import read_groups

DECISIVE_SECTIONS = tuple(pack_decisive([], []))


def read_sections(path: Path) -> dict[str, bytes]:
    """Return the sections of a model of the current or the previous version."""
    try:
        return unpack(path, MAGIC, VERSION, SECTIONS)
    except ValueError:
        return unpack(path, MAGIC, VERSION - 1, tuple(name for name in SECTIONS if name not in DECISIVE_SECTIONS))


def write_with_decisive(path: Path, groups: list[LookAlikes], target: Path) -> None:
    """Write the model at a path with these features instead of its own."""
    sections = read_sections(path)
    sections |= pack_decisive(sections["labels"].decode().split("\n"), groups)
    target.write_bytes(pack(MAGIC, VERSION, {name: sections[name] for name in SECTIONS}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    model_labels = set(read_sections(options.model)["labels"].decode().split("\n"))
    group_labels = {label for group in read_groups() for label in group.labels} & model_labels
    corpus, _ = audit(read_corpus(options.corpus, labels=group_labels))
    groups = find_all_decisive(corpus.group_by_label())
    write_with_decisive(options.model, groups, options.output or options.model)
    for group in groups:
        print(f"{len(group.keys):6} features of {' '.join(group.labels)}")


if __name__ == "__main__":
    main()
