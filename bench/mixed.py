"""Text in two languages beside CLD2: whether both are detected, how well shares fit, and false second languages.

    python bench/mixed.py [--data DIR] [--only pages,switches,one] [--each 2000]

`pages` are real pages confirmed to contain two languages. `switches` are generated: sentences of one language and then of another,
60 to 300 characters of each, in one paragraph, as plain text and as a page, with languages of one script and of two. `one` has
three or ten sentences of one language: a second language of 5% is a false alarm. Some of lingua's sentences are in English
whatever their label is (Urdu's above all), so its figure is too high.

A language is detected if it has a share of at least 2% in the segments (CLD2: if it is among its top three with 2%). F1 is
that of detected languages over languages in the text; look-alikes are one language. The error of shares is the mean difference
between the share of a language's letters (a Han character, kana or Hangul syllable counts as three) and the answered share.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pycld2
import sets
from common import options_parser, run_parts

from webtongue import Identifier, labels

MIN_SHARE = 0.02
ALARM_SHARE = 0.05  # share of a second language
SIDE_CHARS = (60, 300)  # characters of each language of a switch
SENTENCES = 10  # sentences of a long text in one language
PARTS = ("pages", "switches", "one")

Shares = dict[str, float]
Reader = Callable[[str], Shares]


@dataclass(frozen=True, slots=True)
class MixedText:
    """A text and the shares of its languages."""

    text: str
    shares: Shares


def group_or_language(label: str) -> str:
    """Return a name that a label shares with its look-alikes."""
    return labels.group(label) or labels.fold(label).language


def our_shares(ident: Identifier, content: bytes | str) -> Shares:
    """Return shares by our segments."""
    shares: defaultdict[str, float] = defaultdict(float)
    verdict = ident.identify_text(content) if isinstance(content, str) else ident.identify(content)
    for segment in verdict.segments:
        shares[group_or_language(segment.label)] += segment.share
    return {name: share for name, share in shares.items() if share >= MIN_SHARE}


def cld2_shares(content: bytes | str) -> Shares:
    """Return shares of bytes by CLD2."""
    try:
        _, _, answers = pycld2.detect(content, isPlainText=isinstance(content, str), bestEffort=True)
    except pycld2.error:
        return {}
    shares: defaultdict[str, float] = defaultdict(float)
    for _, code, percent, _ in answers:
        label = labels.parse(code)
        if label and percent >= 100 * MIN_SHARE and code != "un":
            shares[group_or_language(str(label))] += percent / 100
    return dict(shares)


def as_page(text: str) -> bytes:
    """Return a page with the text as its only paragraph."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    return f"<!DOCTYPE html><html><head><meta charset=utf-8></head><body><p>{escaped}</p></body></html>".encode()


def print_scores(name: str, pairs: Iterable[tuple[Shares, Shares]]) -> None:
    """Print scores of answered shares beside true shares."""
    complete = hits = answered = present = count = 0
    error = 0.0
    for gold, answer in pairs:
        complete += gold.keys() <= answer.keys()
        hits += len(gold.keys() & answer.keys())
        answered += len(answer)
        present += len(gold)
        count += 1
        error += sum(abs(share - answer.get(key, 0)) for key, share in gold.items()) / len(gold)
    f1 = 2 * hits / (answered + present)
    print(f"{name:38} {count:6} F1 of languages {f1:.4f}  both on {complete / count:6.1%}", end="")
    print(f"  error of shares {error / count:.4f}" if error else "")


def report_pages(data: Path, ident: Identifier) -> None:
    """Print scores on real pages, whose shares are not known."""
    files, rows = sets.read_archive(sets.require_folder(data / "dev" / "mixed") / "debian_mixed.tar.xz")
    confirmed = [row for row in rows if row.get("confirmed") and row.get("langs") and row["path"] in files]
    for name, reader in (("webtongue", lambda raw: our_shares(ident, raw)), ("CLD2", cld2_shares)):
        print_scores(
            f"real pages, {name}",
            (
                (
                    dict.fromkeys(map(group_or_language, row["langs"]), 0.0),
                    dict.fromkeys(reader(files[row["path"]]), 0.0),
                )
                for row in confirmed
            ),
        )


def sample_side(rng: random.Random, sentences: list[str]) -> str:
    """Return some sentences of one language."""
    size = rng.randint(*SIDE_CHARS)
    text = ""
    while len(text) < SIDE_CHARS[0]:
        fitting = [sentence for sentence in sentences if len(text) + len(sentence) <= size]
        text = f"{text} {rng.choice(fitting or [min(sentences, key=len)])}".strip()
    return text


def letter_weight(text: str) -> int:
    """Return the number of characters with dense ones counted as three; shares are shares of this."""
    return sum(3 if "\u3000" <= char <= "\udfff" else 1 for char in text)


def generate_switches(
    rng: random.Random, sentences: dict[str, list[str]], same_script: bool, count: int
) -> list[MixedText]:
    """Return texts whose language changes once between two sentences."""
    texts: list[MixedText] = []
    names = sorted(sentences)
    while len(texts) < count:
        a, b = rng.sample(names, 2)
        if (a[4:] == b[4:]) != same_script or group_or_language(a) == group_or_language(b):
            continue
        first, second = sample_side(rng, sentences[a]), sample_side(rng, sentences[b])
        share = letter_weight(first) / (letter_weight(first) + letter_weight(second))
        texts.append(MixedText(f"{first} {second}", {group_or_language(a): share, group_or_language(b): 1 - share}))
    return texts


def stripped_sentences(data: Path, name: str) -> dict[str, list[str]]:
    return {label: [text.strip() for text in texts] for label, texts in sets.sentences_by_label(data, name).items()}


def report_switches(data: Path, ident: Identifier, count: int) -> None:
    """Print scores on generated texts."""
    rng = random.Random(count)
    sentences = stripped_sentences(data, "lingua_sentences")
    readers: dict[str, Reader] = {
        "text": lambda text: our_shares(ident, text),
        "page": lambda text: our_shares(ident, as_page(text)),
        "CLD2": cld2_shares,
    }
    for kind, same_script in (("two scripts", False), ("one script", True)):
        texts = generate_switches(rng, sentences, same_script, count)
        for name, reader in readers.items():
            print_scores(f"switches, {kind}, {name}", ((mixed.shares, reader(mixed.text)) for mixed in texts))


def has_second_language(shares: Shares) -> bool:
    grouped: defaultdict[str, float] = defaultdict(float)
    for label, share in shares.items():
        grouped[group_or_language(label) if "_" in label else label] += share
    return sum(share >= ALARM_SHARE for share in grouped.values()) > 1


def report_one(data: Path, ident: Identifier) -> None:
    """Print how often text in one language gets a second one."""
    readers: dict[str, Reader] = {
        "text": lambda text: dict(ident.identify_text(text).languages),
        "page": lambda text: dict(ident.identify(as_page(text)).languages),
        "CLD2": cld2_shares,
    }
    for name in ("lingua_sentences", "sib200_floresdev"):
        texts = [
            " ".join(sentences[i : i + size])
            for sentences in stripped_sentences(data, name).values()
            for size in (SENTENCES, 3)
            for i in range(0, len(sentences), SENTENCES)
        ]
        for kind, reader in readers.items():
            alarms = sum(has_second_language(reader(text)) for text in texts)
            print(f"one language, {name}, {kind:6} {len(texts):6} a second language on {alarms / len(texts):.2%}")


def main() -> None:
    parser = options_parser(__doc__, parts=PARTS)
    parser.add_argument("--each", type=int, default=2000, help="generated texts of a kind (default 2,000)")
    options = parser.parse_args()
    ident = Identifier()
    parts = {
        "pages": lambda: report_pages(options.data, ident),
        "switches": lambda: report_switches(options.data, ident, options.each),
        "one": lambda: report_one(options.data, ident),
    }
    run_parts(parts, options.only)


if __name__ == "__main__":
    main()
