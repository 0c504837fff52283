"""Text in two languages: are both found, and how well do the shares fit, against CLD2; and is text in one language left whole.

    python bench/mixed.py [--data DIR] [--only pages,switches,one] [--each 2000]

`pages` are real pages confirmed to hold two languages. `switches` are made: sentences of one language and then of another, 60 to
300 characters of each, in one paragraph, as plain text and as a page; languages of one script and of two. `one` has three or
of ten sentences of one language: a second language of 5% is a false alarm. Some of lingua's sentences are in English, whatever
their label says (Urdu's above all), so its figure is too high.

Found: the language has a share of at least 2% in the segments (CLD2: is among its top three with 2%). The F1 is that of languages
found over languages that are there; look-alikes are one language. The error of shares is the mean distance between the share of a
language's letters (a Han character, kana or Hangul syllable counting as three) and what is said of it.
"""

from __future__ import annotations

import json
import lzma
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pycld2
import sets

from webtongue import Identifier, labels

LEAST = 0.02
ALARM = 0.05  # share of a second language
SIDE = (60, 300)  # characters of each language
SENTENCES = 10  # of a text in one language
PARTS = ("pages", "switches", "one")

Shares = dict[str, float]
Way = Callable[[str], Shares]


@dataclass(frozen=True, slots=True)
class Mixed:
    """A text, and what its languages hold of it."""

    text: str
    shares: Shares


def language(label: str) -> str:
    """A name for a label's language that its look-alikes share."""
    return labels.group(label) or labels.fold(label).language


def ours(ident: Identifier, raw: bytes | str) -> Shares:
    """Shares as the segments have them."""
    shares: Counter[str] = Counter()
    for segment in (ident.identify_text(raw) if isinstance(raw, str) else ident.identify(raw)).segments:
        shares[language(segment.label)] += segment.share
    return {name: share for name, share in shares.items() if share >= LEAST}


def cld2(raw: bytes | str) -> Shares:
    """Shares as CLD2 has them, of bytes."""
    try:
        _, _, found = pycld2.detect(raw, isPlainText=isinstance(raw, str), bestEffort=True)
    except pycld2.error:
        return {}
    out: Counter[str] = Counter()
    for _, code, percent, _ in found:
        label = labels.parse(code)
        if label and percent >= 100 * LEAST and code != "un":
            out[language(str(label))] += percent / 100
    return out


def as_page(text: str) -> bytes:
    """One paragraph."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    return f"<!DOCTYPE html><html><head><meta charset=utf-8></head><body><p>{escaped}</p></body></html>".encode()


def score(name: str, found: Iterable[tuple[Shares, Shares]]) -> None:
    """Print how what was found fits what is there."""
    both = hit = said = there = count = 0
    off = 0.0
    for gold, got in found:
        both += gold.keys() <= got.keys()
        hit += len(gold.keys() & got.keys())
        said += len(got)
        there += len(gold)
        count += 1
        off += sum(abs(share - got.get(key, 0)) for key, share in gold.items()) / len(gold)
    print(f"{name:38} {count:6} F1 of languages {2 * hit / (said + there):.4f}  both on {both / count:6.1%}", end="")
    print(f"  error of shares {off / count:.4f}" if off else "")


def pages(data: Path, ident: Identifier) -> None:
    files, rows = sets.archive(sets.need(data / "dev" / "mixed") / "debian_mixed.tar.xz")
    known = [row for row in rows if row.get("confirmed") and row.get("langs") and row["path"] in files]
    for name, way in (("webtongue", lambda raw: ours(ident, raw)), ("CLD2", cld2)):
        pairs = ((dict.fromkeys(map(language, row["langs"]), 0.0), way(files[row["path"]])) for row in known)
        score(f"real pages, {name}", ((gold, dict.fromkeys(got, 0.0)) for gold, got in pairs))


def read_sentences(data: Path, name: str) -> dict[str, list[str]]:
    """Sentences of a set by label, those of the languages that the model has."""
    out: dict[str, list[str]] = defaultdict(list)
    with lzma.open(sets.need(data / "dev" / "text") / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            out[row["label"]].append(row["text"].strip())
    return out


def side(rnd: random.Random, sentences: list[str]) -> str:
    """Some sentences of one language."""
    size = rnd.randint(*SIDE)
    text = ""
    while len(text) < SIDE[0]:
        more = rnd.choice([s for s in sentences if len(text) + len(s) <= size] or [min(sentences, key=len)])
        text = f"{text} {more}".strip()
    return text


def letters(text: str) -> int:
    """Characters, dense ones thrice: what shares are of."""
    return sum(3 if "\u3000" <= char <= "\udfff" else 1 for char in text)


def switches(rnd: random.Random, by_label: dict[str, list[str]], same_script: bool, count: int) -> list[Mixed]:
    """Texts whose language changes once between two sentences."""
    out: list[Mixed] = []
    names = sorted(by_label)
    while len(out) < count:
        one, two = rnd.sample(names, 2)
        if (one[4:] == two[4:]) != same_script or language(one) == language(two):
            continue
        first, second = side(rnd, by_label[one]), side(rnd, by_label[two])
        share = letters(first) / (letters(first) + letters(second))
        out.append(Mixed(f"{first} {second}", {language(one): share, language(two): 1 - share}))
    return out


def report_switches(data: Path, ident: Identifier, count: int) -> None:
    rnd = random.Random(count)
    by_label = read_sentences(data, "lingua_sentences")
    ways: dict[str, Way] = {
        "text": lambda text: ours(ident, text),
        "page": lambda text: ours(ident, as_page(text)),
        "CLD2": cld2,
    }
    for kind, same in (("two scripts", False), ("one script", True)):
        made = switches(rnd, by_label, same, count)
        for name, way in ways.items():
            score(f"switches, {kind}, {name}", ((mixed.shares, way(mixed.text)) for mixed in made))


def report_one(data: Path, ident: Identifier) -> None:
    ways: dict[str, Way] = {
        "text": lambda text: dict(ident.identify_text(text).languages),
        "page": lambda text: dict(ident.identify(as_page(text)).languages),
        "CLD2": cld2,
    }
    for name in ("lingua_sentences", "sib200_floresdev"):
        texts = []
        for sentences in read_sentences(data, name).values():
            for size in (SENTENCES, 3):
                texts += [" ".join(sentences[i : i + size]) for i in range(0, len(sentences), SENTENCES)]
        for called, way in ways.items():
            alarms = 0
            for text in texts:
                shares: Counter[str] = Counter()
                for label, share in way(text).items():
                    shares[language(label) if "_" in label else label] += share
                alarms += sum(share >= ALARM for share in shares.values()) > 1
            print(f"one language, {name}, {called:6} {len(texts):6} a second language on {alarms / len(texts):.2%}")


def main() -> None:
    parser = sets.arguments(__doc__ or "")
    parser.add_argument("--only", default=",".join(PARTS), help=f"of {', '.join(PARTS)}")
    parser.add_argument("--each", type=int, default=2000, help="texts of a kind that are made (default 2,000)")
    options = parser.parse_args()
    ident, data = Identifier(), Path(options.data)
    only = options.only.split(",")
    if "pages" in only:
        pages(data, ident)
    if "switches" in only:
        report_switches(data, ident, options.each)
    if "one" in only:
        report_one(data, ident)


if __name__ == "__main__":
    main()
