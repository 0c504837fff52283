"""Write src/webtongue/data/confusion.tsv: how often text of each language is answered as which, by how much text there is.

    python tools/weights/measure_confusion.py [--data ../shared/data]

Measured on text that nothing was trained or tuned on: sentences of sib200_floresdev and lingua_sentences, and the labelled pages of
dev/html. Sentences are read cut to 40 characters (short), as they are, and joined by four (long); pages as they are, with what they
declare and where they are from. Each goes to the class of the letters that were read, as the rows of a census do. Answers that
name no language (und, zxx, mul) are left out: a census counts them apart. What is printed: items and errors by class.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from webtongue import Identifier, labels
from webtongue.census.prevalence import LENGTHS, length_of
from webtongue.census.rows import model_checksum
from webtongue.evaluate import sets
from webtongue.evaluate.pages import is_right, labelled_pages
from webtongue.markup.sniff import media_of
from webtongue.pipeline import go_on

OUT = Path(__file__).parents[2] / "src" / "webtongue" / "data" / "confusion.tsv"
SETS = ("sib200_floresdev", "lingua_sentences")
LEFT_OUT = {("lingua_sentences", "msa_Latn")}  # partly Indonesian, by the makers of the data folder
CUT, JOINED = 40, 4  # characters, sentences
UNANSWERED = frozenset(labels.SPECIAL)

Found = tuple[str, str, str]  # length, true label, answer


def texts(ident: Identifier, name: str, data: Path) -> Iterator[Found]:
    """Sentences of a set."""
    items = tuple(item for item in sets.read(name, data).items if (name, item.label) not in LEFT_OUT)
    for item in sets.documents(items, JOINED):
        yield of_text(ident, item.text, item.label)
    for item in items:
        found = of_text(ident, item.text, item.label)
        yield found
        if found[0] != LENGTHS[0]:
            yield of_text(ident, sets.cut(item.text, CUT), item.label)


def of_text(ident: Identifier, text: str, label: str) -> Found:
    answer = ident.identify_text(text).label
    right = is_right(answer, {label})
    return length_of(ident.reader.read_text(text).letters), answer if right else label, answer


def pages(ident: Identifier, data: Path) -> Iterator[Found]:
    """Labelled pages."""
    by = ident.stages
    for item in labelled_pages(data / "dev" / "html"):
        found = go_on(item.page, by.flow.analyse(item.page.raw, media_of(item.page.content_type), False, False), by)
        answer, reading = found.verdict.label, found.reading
        true = answer if is_right(answer, item.wanted) else str(labels.fold(item.row["label"]))
        yield length_of(reading.letters if reading else 0), true, answer


def measured(data: Path, ident: Identifier) -> Iterator[Found]:
    """All of it; what is in a language that cannot be answered, or is in none, says nothing of how labels are confused."""
    known = set(ident.labels)
    for name in SETS:
        yield from (found for found in texts(ident, name, data) if found[1] in known and found[2] not in UNANSWERED)
    yield from (found for found in pages(ident, data) if found[1] in known and found[2] not in UNANSWERED)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=sets.DEFAULT_DATA)
    options = parser.parse_args()
    ident = Identifier()
    count = Counter(measured(options.data, ident))
    head = f"# model {model_checksum(ident)}; length, true label, answer, items: written by tools/weights/measure_confusion.py\n"
    order = {length: number for number, length in enumerate(LENGTHS)}
    lines = sorted(count.items(), key=lambda pair: (order[pair[0][0]], pair[0][1], -pair[1], pair[0][2]))
    OUT.write_text(head + "".join("\t".join((*found, f"{items}\n")) for found, items in lines), "ascii")
    for length in LENGTHS:
        items = sum(n for (of, _, _), n in count.items() if of == length)
        wrong = sum(n for (of, true, answer), n in count.items() if of == length and true != answer)
        print(
            f"{length}: {items:,} items, {len({true for of, true, _ in count if of == length})} labels, wrong {wrong / items:.2%}"
        )
    print(f"{len(count):,} lines, {OUT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
