"""Text with web debris, and right answers that are refused: `python bench/debris.py [--data DIR] [--only PARTS]`.

urls: the first line of 60-160 characters of each text of dev/web/hplt3_judged, with 0, 1 and 2 addresses of paracrawl_url behind
it; py3langid and CLD2 on the same lines if they are installed. scripts: items of dev/web with 20-60% letters of another script than
Latin, right if the language is. refusals: the share of right answers that are not reliable, and of all answers that are reliable
and wrong, for lines of hplt3_judged and lingua_sentences: whole sentences, texts of 30 letters, and sentences of 5 to 12 words
without punctuation in lower case and in Title Case, as headlines are. Nothing is tuned on
these sets. Intervals are Wilson's, of 95%.
"""

from __future__ import annotations

import importlib
import json
import lzma
import random
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType

import sets
from common import cld2, options_parser, run_parts
from web import WEB, fold_language, read_items

from webtongue import Identifier, labels
from webtongue.lab.evaluate.hinted_pages import cut_letters
from webtongue.lab.evaluate.measures import Share
from webtongue.lab.evaluate.peers import parse_code

PARTS = ("urls", "scripts", "refusals")
SEED = 3
LINE_CHARS = range(60, 161)
MAX_URL_CHARS = 90
SCRIPT_SHARE = (0.2, 0.6)
HEADLINE_WORDS = range(5, 13)
CASED_SCRIPTS = ("Latn", "Cyrl", "Grek")
SHORT_LETTERS = 30
MIN_SENTENCE_CHARS = 50
SENTENCES = 4000  # of lingua_sentences


@dataclass(frozen=True, slots=True)
class Line:
    """A text and its label."""

    text: str
    label: str


def read_json_lines(path: Path) -> Iterator[dict[str, str]]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def judged_texts(data: Path) -> list[Line]:
    rows = read_json_lines(data / "dev" / "web" / "hplt3_judged.jsonl.xz")
    return [Line(row["text"], str(labels.fold(row["label"]))) for row in rows if isinstance(row["label"], str)]


def first_lines(texts: Sequence[Line]) -> Iterator[Line]:
    for text in texts:
        line = next((line for line in text.text.splitlines() if len(line) in LINE_CHARS), "")
        if line:
            yield Line(line, text.label)


def format_share(right: int, total: int) -> str:
    share = Share(right, total)
    return f"{100 * share.value:5.1f} [{100 * share.low:5.1f} {100 * share.high:5.1f}]"


def is_language(label: str, gold: str) -> bool:
    return fold_language(label) == fold_language(gold)


def classify_py3langid(module: ModuleType, text: str) -> str:
    return parse_code(module.classify(text)[0])


def list_classifiers() -> dict[str, Callable[[str], str]]:
    """Return functions from text to label: webtongue, and the peers that are installed."""
    ident = Identifier()
    classifiers: dict[str, Callable[[str], str]] = {"webtongue": lambda text: ident.identify_text(text).label}
    for name in ("py3langid", "pycld2"):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        if name == "py3langid":
            classifiers[name] = partial(classify_py3langid, module)
        else:
            classifiers[name] = lambda text: parse_code(answer[2][0][1]) if (answer := cld2(text)) else "und"
    return classifiers


def report_urls(data: Path) -> None:
    lines = list(first_lines(judged_texts(data)))
    rows = read_json_lines(data / "dev" / "web" / "paracrawl_url.jsonl.xz")
    urls = [row["url"] for row in rows if len(row["url"]) < MAX_URL_CHARS]
    print(f"\n{len(lines)} lines of hplt3_judged with addresses behind them: right, %")
    for name, classify in list_classifiers().items():
        cells = []
        for count in (0, 1, 2):
            rng = random.Random(SEED)
            right = sum(
                is_language(classify(" ".join([line.text, *(rng.choice(urls) for _ in range(count))])), line.label)
                for line in lines
            )
            cells.append(f"{count} {format_share(right, len(lines))}")
        print(f"  {name:10} " + "   ".join(cells), flush=True)


def other_script_share(text: str) -> float:
    """Return the share of letters that are not Latin."""
    letters = [char for char in text if char.isalpha()]
    other = sum("LATIN" not in unicodedata.name(char, "") for char in letters)
    return other / max(1, len(letters))


def report_scripts(data: Path) -> None:
    classifiers = list_classifiers()
    low, high = SCRIPT_SHARE
    items = [
        item
        for name in WEB
        for item in read_items(data / "dev" / "web" / f"{name}.jsonl.xz", None)
        if low <= other_script_share(item.text) <= high
    ]
    print(f"\n{len(items)} items of dev/web with 20-60% letters of another script than Latin: right")
    for name, classify in classifiers.items():
        right = sum(any(is_language(classify(item.text), gold) for gold in item.accepted) for item in items)
        print(f"  {name:10} {right} ({format_share(right, len(items))} %)", flush=True)


def iter_headlines(sentences: Sequence[Line]) -> Iterator[Line]:
    """Yield sentences of 5 to 12 words without punctuation, in scripts with case."""
    for sentence in sentences:
        words = [word for word in re.split(r"[^\w'’-]+", sentence.text) if word]
        if sentence.label.endswith(CASED_SCRIPTS) and len(words) in HEADLINE_WORDS:
            yield Line(" ".join(words), sentence.label)


def report_refusals(data: Path) -> None:
    ident, texts = Identifier(), judged_texts(data)
    lines = [Line(line, text.label) for text in texts for line in text.text.splitlines()]
    rows = [Line(row["text"], str(labels.fold(row["label"]))) for row in sets.read_rows(data, "lingua_sentences")]
    rows = random.Random(SEED).sample(rows, min(SENTENCES, len(rows)))
    sentences = [line for line in lines if len(line.text) >= MIN_SENTENCE_CHARS and line.text.endswith((".", "!", "?"))]
    headlines = list(iter_headlines(rows))
    groups = {
        "sentences, hplt3_judged": sentences,
        "sentences, lingua": [row for row in rows if len(row.text) >= MIN_SENTENCE_CHARS],
        "30 letters, lingua": [Line(cut_letters(row.text, SHORT_LETTERS), row.label) for row in rows],
        "headlines, lower case": [Line(line.text.lower(), line.label) for line in headlines],
        "headlines, Title Case": [Line(line.text.title(), line.label) for line in headlines],
    }
    print(f"\n{'refusals':24} {'texts':>6} {'right':>20} {'refused of these':>20} {'reliable and wrong':>20}")
    for name, items in groups.items():
        verdicts = [(ident.identify_text(item.text), item.label) for item in items]
        right = [verdict for verdict, gold in verdicts if is_language(verdict.label, gold)]
        refused = sum(not verdict.reliable for verdict in right)
        wrong = sum(verdict.reliable and not is_language(verdict.label, gold) for verdict, gold in verdicts)
        shares = (len(right), len(items)), (refused, len(right)), (wrong, len(items))
        print(f"{name:24} {len(items):6} " + " ".join(f"{format_share(*share):>20}" for share in shares), flush=True)


def main() -> None:
    options = options_parser(__doc__, parts=PARTS).parse_args()
    data = sets.require_folder(options.data)
    reports = zip(PARTS, (report_urls, report_scripts, report_refusals), strict=True)
    run_parts({name: partial(report, data) for name, report in reports}, options.only)


if __name__ == "__main__":
    main()
