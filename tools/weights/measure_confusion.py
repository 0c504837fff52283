"""Write src/webtongue/data/confusion.tsv: how often text of each language gets which answer, by length of the text.

    python tools/weights/measure_confusion.py [--data ../shared/data]

The rates are measured on text that nothing was trained or tuned on: sentences of sib200_floresdev and lingua_sentences, and the
labelled pages of dev/html. Sentences are cut to 40 characters (short), taken as they are, and joined by four (long); pages are
identified with their declarations and URLs. Each item belongs to the length class of its letters, like the rows of a census.
Answers that name no language (und, zxx, mul) are excluded, since a census counts them apart. This prints items and errors by
class."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from itertools import chain
from pathlib import Path

from webtongue import Identifier, labels
from webtongue.census.prevalence import LENGTHS, length_of
from webtongue.census.rows import model_checksum
from webtongue.lab.evaluate import sets
from webtongue.lab.evaluate.pages import is_right, iter_labelled_pages

TARGET = Path(__file__).parents[2] / "src" / "webtongue" / "data" / "confusion.tsv"
SETS = ("sib200_floresdev", "lingua_sentences")
EXCLUDED = {("lingua_sentences", "msa_Latn")}  # partly Indonesian
SHORT_CHARS, JOINED_SENTENCES = 40, 4
NOT_A_LANGUAGE = frozenset(labels.SPECIAL)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer for an item."""

    length: str
    true_label: str
    label: str


def iter_texts(ident: Identifier, name: str, data: Path) -> Iterator[Answer]:
    """Yield answers for the sentences of a set."""
    items = tuple(item for item in sets.read_set(name, data).items if (name, item.label) not in EXCLUDED)
    for item in sets.join_documents(items, JOINED_SENTENCES):
        yield classify_text(ident, item.text, item.label)
    for item in items:
        answer = classify_text(ident, item.text, item.label)
        yield answer
        if answer.length != LENGTHS[0]:
            yield classify_text(ident, sets.cut_text(item.text, SHORT_CHARS), item.label)


def classify_text(ident: Identifier, text: str, label: str) -> Answer:
    answer = ident.identify_text(text).label
    right = is_right(answer, {label})
    return Answer(length_of(ident.reader.read_text(text).letters), answer if right else label, answer)


def iter_pages(ident: Identifier, data: Path) -> Iterator[Answer]:
    """Yield answers for the labelled pages."""
    for item in iter_labelled_pages(data / "dev" / "html"):
        analysis = ident.analyze(item.page)
        answer, reading = analysis.verdict.label, analysis.reading
        true = answer if is_right(answer, item.wanted) else str(labels.fold(item.row["label"]))
        yield Answer(length_of(reading.letters if reading else 0), true, answer)


def iter_answers(data: Path, ident: Identifier) -> Iterator[Answer]:
    """Yield all answers that name a language, for items in a language that the model knows."""
    known = set(ident.labels)
    for answer in chain(*(iter_texts(ident, name, data) for name in SETS), iter_pages(ident, data)):
        if answer.true_label in known and answer.label not in NOT_A_LANGUAGE:
            yield answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=sets.DEFAULT_DATA)
    options = parser.parse_args()
    ident = Identifier()
    counts = Counter(iter_answers(options.data, ident))
    head = f"# model {model_checksum(ident)}; length, true label, answer, items: written by tools/weights/measure_confusion.py\n"
    order = {length: number for number, length in enumerate(LENGTHS)}
    rows = sorted(counts.items(), key=lambda row: (order[row[0].length], row[0].true_label, -row[1], row[0].label))
    TARGET.write_text(head + "".join("\t".join((*astuple(answer), f"{items}\n")) for answer, items in rows), "ascii")
    for length in LENGTHS:
        items_by_answer = {answer: items for answer, items in counts.items() if answer.length == length}
        total = sum(items_by_answer.values())
        wrong = sum(items for answer, items in items_by_answer.items() if answer.true_label != answer.label)
        true_labels = {answer.true_label for answer in items_by_answer}
        print(f"{length}: {total:,} items, {len(true_labels)} labels, wrong {wrong / total:.2%}")
    print(f"{len(counts):,} lines, {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
