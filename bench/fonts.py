"""Font-coded text: fonts and languages found, ordinary text left alone, real files, and what it all costs.

    python bench/fonts.py [--data DIR] [--size 500] [--texts 200]

Texts are made by rule from the dev set's sentences and, for languages it lacks, from lines held out of training. A text is
read as it is and as bytes of windows-1252 with no declaration; a hit is the font's name and the language. No peer does this.
"""

from __future__ import annotations

import html
import json
import lzma
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import real_files
import sets
import timing

import webtongue
from webtongue import labels, markup
from webtongue.fonts import guess
from webtongue.fonts.encode import encode
from webtongue.fonts.tables import PREFIX, Font, named
from webtongue.methods import writings
from webtongue.page import Page
from webtongue.train.corpus.holdout import held_out
from webtongue.train.corpus.read import entries, read_lines

LANGUAGE_BAR, FALSE_BAR = 0.95, 0.001
FEW = 20  # texts: fewer say little, and are marked
SHORT = (30, 60, 120, 250, 500)  # bytes of a title, a headline, a sentence, a paragraph
# Files of the UDHR in font codings: what each is in.
REAL = {
    "Bhojpuri-Agra": "x-font-krutidev",
    "Magahi-Agra": "x-font-krutidev",
    "Burmese_Myanmar-WinResearcher": "x-font-wininnwa",
    "Tigrinya_Tigrigna-VG2Main": "x-font-visualgeez",  # a fifth of its characters lost, question marks instead
    "Burmese_Myanmar-UTF8": "utf-8",
}
Lines = dict[str, list[str]]


def sentences(data: Path) -> Lines:
    """Label -> sentences of the broad dev set, and lines held out of training for languages of fonts it does not have."""
    out: Lines = {}
    with lzma.open(data / "dev" / "text" / "sib200_floresdev.jsonl.xz", "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            out.setdefault(str(labels.fold(row["label"])), []).append(row["text"])
    wanted = {label for font in named().values() for label in font.languages} - set(out)
    for entry in entries(data / "train"):
        if entry.label in wanted or (entry.label.endswith("_Mymr") and entry.label not in out):
            out.setdefault(entry.label, []).extend(line for line in read_lines(entry.path) if line and held_out(line))
    return out


def made(font: Font, lines: list[str], size: int, most: int) -> list[tuple[str, str]]:
    """(font-coded, Unicode) texts of about `size` bytes."""
    chance = random.Random(3)
    out, coded, plain = [], "", ""
    for line in chance.sample(lines, len(lines)):
        if (drawn := encode(line, font, chance)) is None:
            continue
        coded, plain = f"{coded}{drawn} ", f"{plain}{line} "
        if len(coded.encode()) >= size:
            out.append((coded.encode()[:size].decode("utf-8", "ignore"), plain))
            coded, plain = "", ""
    return out[:most]


def as_bytes(text: str) -> bytes:
    """Bytes of windows-1252, its holes as control codes."""
    return b"".join(bytes([ord(c)]) if 0x80 <= ord(c) < 0xA0 else c.encode("cp1252", "replace") for c in text)


def fonts_found(data: Path, size: int, most: int) -> None:
    """For each font and language: the share of texts with the right font, and with the right language."""
    print(f"{'font':12} {'language':9} {'texts':>6} {'font':>7} {'language':>9} {'as bytes':>9} {'in Unicode':>11}")
    found = sentences(data)
    missed = []
    for name, font in named().items():
        for label in font.languages:
            texts = made(font, found.get(label, []), size, most)
            if not texts:
                continue
            read = [webtongue.identify_text(coded) for coded, _ in texts]
            right_font = sum(v.encoding == font.encoding for v in read) / len(texts)
            right = sum(v.label == label for v in read) / len(texts)
            raw = (
                [webtongue.identify(as_bytes(coded)) for coded, _ in texts]
                if font.script != "Mymr" or name != "zawgyi"
                else read
            )
            by_bytes = sum(v.label == label and v.encoding == font.encoding for v in raw) / len(texts)
            plain = sum(webtongue.identify_text(text).label == label for _, text in texts) / len(texts)
            few = "  few texts" if len(texts) < FEW else ""
            print(
                f"{name:12} {label:9} {len(texts):6} {right_font:7.1%} {right:9.1%} {by_bytes:9.1%} {plain:11.1%}{few}",
                flush=True,
            )
            if label == font.languages[0] and right < LANGUAGE_BAR:
                missed.append(name)
    print(f"fonts whose first language is right on less than {LANGUAGE_BAR:.0%}: {', '.join(missed) or 'none'}\n")


def by_size(data: Path, most: int) -> None:
    """Beginnings of sentences: the share whose font is found, as they are and on a page that names the font."""
    found = sentences(data)
    print(f"{'font':12}" + "".join(f"{size:>7} B{'named':>7}" for size in SHORT))
    sums = {size: [0, 0, 0, 0] for size in SHORT}  # texts, found, found where named, another font
    for name, font in named().items():
        line = f"{name:12}"
        for size in SHORT:
            texts = [text for text, _ in made(font, found.get(font.languages[0], []), size, most)]
            plain = [webtongue.identify_text(text).encoding for text in texts]
            face = f"<p><font face='{font.names[0]}'>"
            pages = [webtongue.identify(f"{face}{html.escape(text)}</font>".encode()).encoding for text in texts]
            counts = [len(texts), plain.count(font.encoding), pages.count(font.encoding)]
            counts.append(sum(said not in ("", font.encoding) for said in plain))
            sums[size] = [a + b for a, b in zip(sums[size], counts, strict=True)]
            line += f"{counts[1] / len(texts):9.0%}{counts[2] / len(texts):7.0%}" if texts else f"{'-':>9}{'-':>7}"
        print(line, flush=True)
    for size, (texts, right, hinted, wrong) in sums.items():
        print(f"{size} B: {right} of {texts} found ({right / texts:.1%}), {hinted} where named; {wrong} another font's")
    print()


def burmese_left_alone(data: Path) -> None:
    """Languages of the Myanmar script in Unicode: none of their lines may be called Zawgyi."""
    for label, lines in sorted(sentences(data).items()):
        if label.endswith("_Mymr"):
            texts = [line for line in lines if len(line) >= 10]
            wrong = [text for text in texts if webtongue.identify_text(text).encoding]
            print(f"{label}: {len(wrong)} of {len(texts)} lines in Unicode are called a font's")
    print()


def mixed_pages(data: Path) -> None:
    """Pages of a font's blocks among English ones, by the font's share of the text: lines held out of training."""
    chance = random.Random(4)
    lines: Lines = {}
    wanted = {font.languages[0] for font in named().values()} | {"eng_Latn"}
    for entry in entries(data / "train"):
        if entry.label in wanted:
            some = [line for line in read_lines(entry.path) if 40 < len(line) < 400 and held_out(line)]
            lines.setdefault(entry.label, []).extend(some)
    for share in (0.1, 0.3, 0.5, 0.8):
        said: Counter[str] = Counter()
        for font in named().values():
            coded = [drawn for line in lines.get(font.languages[0], [])[:200] if (drawn := encode(line, font, chance))]
            for _ in range(12 if len(coded) >= 8 else 0):
                blocks = chance.sample(coded, 8)
                english = sum(map(len, blocks)) * (1 - share) / share
                while english > 0:
                    blocks.append(chance.choice(lines["eng_Latn"]))
                    english -= len(blocks[-1])
                chance.shuffle(blocks)
                v = webtongue.identify("".join(f"<p>{html.escape(block)}</p>" for block in blocks).encode())
                right = "font" if v.encoding == font.encoding else "other font" if "x-font" in v.encoding else "no font"
                said[f"{right}, {'its language' if v.label == font.languages[0] else v.label}"] += 1
        print(
            f"{share:.0%} of a page in a font: " + "; ".join(f"{what} {n}" for what, n in said.most_common(5)),
            flush=True,
        )
    print()


def ordinary(data: Path) -> Iterator[tuple[str, list[Callable[[], webtongue.Verdict]]]]:
    """Sets of ordinary text, each as questions to ask."""
    pages = [item.raw for item in sets.html_pages(str(data))]
    yield "pages of dev/html", [lambda raw=raw: webtongue.identify(raw) for raw in pages]  # type: ignore[misc]
    texts: dict[str, list[str]] = {}
    for path in sorted((data / "dev" / "text").glob("*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            for row in map(json.loads, file):
                texts.setdefault(row["label"] or "", []).append(row["text"])
    latin = [text for label, some in texts.items() if label.endswith("_Latn") for text in some]
    joined = [
        " ".join(some[i : i + 5])
        for label, some in texts.items()
        if label.endswith("_Latn")
        for i in range(0, len(some), 5)
    ]
    yield "lines of dev/text, Latin script", [lambda t=t: webtongue.identify_text(t) for t in latin]  # type: ignore[misc]
    yield "five such lines together", [lambda t=t: webtongue.identify_text(t) for t in joined]  # type: ignore[misc]
    files = [file.raw for kind in real_files.all_files().values() for file in kind[:200]]
    yield (
        "code, logs, tables and other files of this machine",
        [lambda raw=raw: webtongue.identify(raw) for raw in files],
    )  # type: ignore[misc]
    legacy = []
    for path in sorted((data / "dev" / "encoding").glob("*.tar.xz")):
        held, _ = sets.archive(path)
        legacy += [raw for name, raw in held.items() if name.removeprefix("files/") not in REAL]
    yield "files of dev/encoding", [lambda raw=raw: webtongue.identify(raw) for raw in legacy]  # type: ignore[misc]
    old = list(in_old_encodings(data))
    yield "texts in old encodings", [lambda raw=raw: webtongue.identify(raw) for raw in old]  # type: ignore[misc]


def in_old_encodings(data: Path) -> Iterator[bytes]:
    """Beginnings of the sentences in every old encoding that holds them."""
    for label, lines in sentences(data).items():
        for name in writings.writings("\n".join(lines[:20]), label):
            if name != "utf-8" and not name.startswith(PREFIX):
                for first in (0, 4, 8):
                    raw = writings.encode(" ".join(lines[first : first + 4]), name)
                    yield from (raw[:100], raw[:500])


def false_alarms(data: Path) -> None:
    """How much ordinary text is called a font's."""
    for name, questions in ordinary(data):
        wrong = Counter(v.encoding for ask in questions if (v := ask()).encoding.startswith("x-font-"))
        share = sum(wrong.values()) / len(questions)
        said = "holds" if share <= FALSE_BAR else "MISSES"
        print(
            f"{name}: {sum(wrong.values())} of {len(questions)} called a font's, {share:.4%}: the bar of {FALSE_BAR:.1%} {said}"
        )
        if wrong:
            print(f"  {dict(wrong)}")
    print()


def real(data: Path) -> None:
    """Files in font codings as people wrote them."""
    files, _ = sets.archive(data / "dev" / "encoding" / "nltk_udhr_legacy.tar.xz")
    for name, encoding in REAL.items():
        v = webtongue.identify(files[f"files/{name}"])
        print(f"{name}: {v.encoding} ({'right' if v.encoding == encoding else 'WRONG'}), read as {v.label}")
    print()


def cost(data: Path) -> None:
    """What every page pays for the look, and how fast text is converted."""
    pages = [item.raw for item in sets.html_pages(str(data))][::6]
    scans = [markup.read(Page(raw)).scan for raw in pages]
    model = guess.load()
    look = timing.least(lambda: [model.suspects_scan(scan) for scan in scans]) / len(pages)
    whole = timing.least(lambda: [webtongue.identify(raw) for raw in pages]) / len(pages)
    print(f"a look: {look * 1e6:.2f} µs of {whole * 1e6:.0f} µs a page ({look / whole:.2%})")
    for name, font in named().items():
        text = "".join(g.sequence for g in font.glyphs).encode() * 200
        print(f"{name}: {len(text) / timing.least(lambda f=font, t=text: f.convert_utf8(t)) / 1e6:.0f} MB/s converted")  # type: ignore[misc]


def main() -> None:
    parser = sets.arguments(__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=500, help="bytes of a text (default 500)")
    parser.add_argument("--texts", type=int, default=200, help="most texts of a font and language (default 200)")
    args = parser.parse_args()
    data = sets.need(Path(args.data))
    fonts_found(data, args.size, args.texts)
    by_size(data, args.texts // 2)
    burmese_left_alone(data)
    real(data)
    mixed_pages(data)
    false_alarms(data)
    cost(data)


if __name__ == "__main__":
    main()
