"""Text for legacy fonts: detected fonts and languages, false alarms on ordinary text, real files, and cost.

    python bench/fonts.py [--data DIR] [--size 500] [--texts 200]

Texts are converted from sentences of the dev set and, for other languages, from lines held out of training. A text is read as
Unicode and as bytes of windows-1252 without a declaration; an answer is right if font and language are. No peer does this.
"""

from __future__ import annotations

import html
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import real_files
import sets
from common import options_parser
from timing import best_call_seconds

import webtongue
from webtongue import markup
from webtongue.fonts import detect
from webtongue.fonts.encode import encode
from webtongue.fonts.tables import PREFIX, Font, all_fonts
from webtongue.lab.methods import encoded_texts
from webtongue.lab.train.corpus.holdout import is_held_out
from webtongue.lab.train.corpus.read import iter_files, read_lines
from webtongue.page import Page

MIN_LANGUAGE_SHARE, MAX_FALSE_SHARE = 0.95, 0.001
FEW_TEXTS = 20  # results on fewer texts are marked
SIZES = (30, 60, 120, 250, 500)  # in bytes: a title, a headline, a sentence, a paragraph
# Files of the UDHR for legacy fonts, and their encodings.
REAL_FILES = {
    "Bhojpuri-Agra": "x-font-krutidev",
    "Magahi-Agra": "x-font-krutidev",
    "Burmese_Myanmar-WinResearcher": "x-font-wininnwa",
    "Tigrinya_Tigrigna-VG2Main": "x-font-visualgeez",  # a fifth of its characters are question marks
    "Burmese_Myanmar-UTF8": "utf-8",
}
LinesByLabel = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class FontText:
    """A text written for a legacy font, and the same text in Unicode."""

    encoded: str
    plain: str


def read_sentences(data: Path) -> LinesByLabel:
    """Return sentences of the broad dev set by label, and held-out training lines for languages of fonts that it lacks."""
    sentences = sets.sentences_by_label(data, "sib200_floresdev", is_folded=True)
    missing = {label for font in all_fonts().values() for label in font.languages} - set(sentences)
    for file in iter_files(data / "train"):
        if file.label in missing or (file.label.endswith("_Mymr") and file.label not in sentences):
            held_out = [line for line in read_lines(file.path) if line and is_held_out(line)]
            sentences.setdefault(file.label, []).extend(held_out)
    return sentences


def generate_texts(font: Font, lines: list[str], size: int, max_texts: int) -> list[FontText]:
    """Return texts of about ``size`` bytes."""
    rng = random.Random(3)
    texts, encoded, plain = [], "", ""
    for line in rng.sample(lines, len(lines)):
        if (encoded_line := encode(line, font, rng)) is None:
            continue
        encoded, plain = f"{encoded}{encoded_line} ", f"{plain}{line} "
        if len(encoded.encode()) >= size:
            texts.append(FontText(encoded.encode()[:size].decode("utf-8", "ignore"), plain))
            encoded, plain = "", ""
    return texts[:max_texts]


def to_windows_1252(text: str) -> bytes:
    """Return bytes of windows-1252; code points without a character are control codes."""
    return b"".join(bytes([ord(c)]) if 0x80 <= ord(c) < 0xA0 else c.encode("cp1252", "replace") for c in text)


def report_fonts(data: Path, size: int, max_texts: int) -> None:
    """Print for each font and language the share of texts with the right font and with the right language."""
    print(f"{'font':12} {'language':9} {'texts':>6} {'font':>7} {'language':>9} {'as bytes':>9} {'in Unicode':>11}")
    sentences = read_sentences(data)
    missed = []
    for name, font in all_fonts().items():
        for label in font.languages:
            texts = generate_texts(font, sentences.get(label, []), size, max_texts)
            if not texts:
                continue
            verdicts = [webtongue.identify_text(text.encoded) for text in texts]
            is_unicode_font = font.script == "Mymr" and name == "zawgyi"
            by_bytes = verdicts if is_unicode_font else [webtongue.identify(to_windows_1252(t.encoded)) for t in texts]
            right_font = sum(v.encoding == font.encoding for v in verdicts) / len(texts)
            right = sum(v.label == label for v in verdicts) / len(texts)
            right_bytes = sum(v.label == label and v.encoding == font.encoding for v in by_bytes) / len(texts)
            right_plain = sum(webtongue.identify_text(text.plain).label == label for text in texts) / len(texts)
            print(
                f"{name:12} {label:9} {len(texts):6} {right_font:7.1%} {right:9.1%} {right_bytes:9.1%} {right_plain:11.1%}"
                + ("  few texts" if len(texts) < FEW_TEXTS else ""),
                flush=True,
            )
            if label == font.languages[0] and right < MIN_LANGUAGE_SHARE:
                missed.append(name)
    print(f"fonts whose first language is right on less than {MIN_LANGUAGE_SHARE:.0%}: {', '.join(missed) or 'none'}\n")


def report_sizes(data: Path, max_texts: int) -> None:
    """Print the share of short texts whose font is detected, without and with the font's name on the page."""
    sentences = read_sentences(data)
    print(f"{'font':12}" + "".join(f"{size:>7} B{'named':>7}" for size in SIZES))
    totals: dict[int, Counter[str]] = {size: Counter() for size in SIZES}
    for name, font in all_fonts().items():
        row = f"{name:12}"
        for size in SIZES:
            lines = sentences.get(font.languages[0], [])
            texts = [text.encoded for text in generate_texts(font, lines, size, max_texts)]
            answers = [webtongue.identify_text(text).encoding for text in texts]
            tag = f"<p><font face='{font.names[0]}'>"
            page_answers = [webtongue.identify(f"{tag}{html.escape(text)}</font>".encode()).encoding for text in texts]
            right, right_named = answers.count(font.encoding), page_answers.count(font.encoding)
            other = sum(encoding not in ("", font.encoding) for encoding in answers)
            totals[size].update({"texts": len(texts), "right": right, "named": right_named, "other": other})
            row += f"{right / len(texts):9.0%}{right_named / len(texts):7.0%}" if texts else f"{'-':>9}{'-':>7}"
        print(row, flush=True)
    for size, counts in totals.items():
        print(
            f"{size} B: {counts['right']} of {counts['texts']} found ({counts['right'] / counts['texts']:.1%}), "
            f"{counts['named']} where named; {counts['other']} another font's"
        )
    print()


def report_burmese(data: Path) -> None:
    """Print how many lines of the Myanmar script in Unicode are taken for Zawgyi."""
    for label, lines in sorted(read_sentences(data).items()):
        if label.endswith("_Mymr"):
            texts = [line for line in lines if len(line) >= 10]
            wrong = [text for text in texts if webtongue.identify_text(text).encoding]
            print(f"{label}: {len(wrong)} of {len(texts)} lines in Unicode are called a font's")
    print()


def report_mixed_pages(data: Path) -> None:
    """Print answers for pages with English blocks and blocks for a font, by the font's share of the text."""
    rng = random.Random(4)
    lines: LinesByLabel = {}
    languages = {font.languages[0] for font in all_fonts().values()} | {"eng_Latn"}
    for file in iter_files(data / "train"):
        if file.label in languages:
            held_out = [line for line in read_lines(file.path) if 40 < len(line) < 400 and is_held_out(line)]
            lines.setdefault(file.label, []).extend(held_out)
    for share in (0.1, 0.3, 0.5, 0.8):
        answers: Counter[str] = Counter()
        for font in all_fonts().values():
            encoded = [text for line in lines.get(font.languages[0], [])[:200] if (text := encode(line, font, rng))]
            for _ in range(12 if len(encoded) >= 8 else 0):
                blocks = rng.sample(encoded, 8)
                english_chars = sum(map(len, blocks)) * (1 - share) / share
                while english_chars > 0:
                    blocks.append(rng.choice(lines["eng_Latn"]))
                    english_chars -= len(blocks[-1])
                rng.shuffle(blocks)
                v = webtongue.identify("".join(f"<p>{html.escape(block)}</p>" for block in blocks).encode())
                kind = "font" if v.encoding == font.encoding else "other font" if "x-font" in v.encoding else "no font"
                answers[f"{kind}, {'its language' if v.label == font.languages[0] else v.label}"] += 1
        frequent = "; ".join(f"{answer} {n}" for answer, n in answers.most_common(5))
        print(f"{share:.0%} of a page in a font: {frequent}", flush=True)
    print()


def ordinary_sets(data: Path) -> Iterator[tuple[str, Sequence[bytes | str]]]:
    """Yield sets of ordinary pages (bytes) and texts (str) with their names."""
    yield "pages of dev/html", [item.raw for item in sets.html_pages(data)]
    texts: LinesByLabel = {}
    for path in sorted((data / "dev" / "text").glob("*.jsonl.xz")):
        for label, some in sets.sentences_by_label(data, path.name.removesuffix(".jsonl.xz")).items():
            texts.setdefault(label, []).extend(some)
    latin = [some for label, some in texts.items() if label.endswith("_Latn")]
    yield "lines of dev/text, Latin script", [text for some in latin for text in some]
    yield "five such lines together", [" ".join(some[i : i + 5]) for some in latin for i in range(0, len(some), 5)]
    files = [file.raw for kind in real_files.all_files().values() for file in kind[:200]]
    yield "code, logs, tables and other files of this machine", files
    legacy = []
    for path in sets.encoding_archives(data):
        contents, _ = sets.read_archive(path)
        legacy += [raw for name, raw in contents.items() if name.removeprefix("files/") not in REAL_FILES]
    yield "files of dev/encoding", legacy
    yield "texts in old encodings", list(texts_in_legacy_encodings(data))


def texts_in_legacy_encodings(data: Path) -> Iterator[bytes]:
    """Yield beginnings of the sentences in every legacy encoding that can represent them."""
    for label, lines in read_sentences(data).items():
        for name in encoded_texts.encode_in_all("\n".join(lines[:20]), label):
            if name != "utf-8" and not name.startswith(PREFIX):
                for first in (0, 4, 8):
                    raw = encoded_texts.encode(" ".join(lines[first : first + 4]), name)
                    yield from (raw[:100], raw[:500])


def report_false_alarms(data: Path) -> None:
    """Print how much ordinary text is taken for text of a font."""
    for name, items in ordinary_sets(data):
        verdicts = (
            webtongue.identify_text(item) if isinstance(item, str) else webtongue.identify(item) for item in items
        )
        wrong = Counter(verdict.encoding for verdict in verdicts if verdict.encoding.startswith("x-font-"))
        share = wrong.total() / len(items)
        result = "holds" if share <= MAX_FALSE_SHARE else "MISSES"
        print(
            f"{name}: {wrong.total()} of {len(items)} called a font's, {share:.4%}: "
            f"the bar of {MAX_FALSE_SHARE:.1%} {result}"
        )
        if wrong:
            print(f"  {dict(wrong)}")
    print()


def report_real_files(data: Path) -> None:
    """Print answers for real files."""
    files, _ = sets.read_archive(data / "dev" / "encoding" / "nltk_udhr_legacy.tar.xz")
    for name, encoding in REAL_FILES.items():
        verdict = webtongue.identify(files[f"files/{name}"])
        result = "right" if verdict.encoding == encoding else "WRONG"
        print(f"{name}: {verdict.encoding} ({result}), read as {verdict.label}")
    print()


def report_cost(data: Path) -> None:
    """Print the time of the check on every page, and the speed of conversion."""
    pages = [item.raw for item in sets.html_pages(data)][::6]
    scans = [markup.read(Page(raw)).scan for raw in pages]
    model = detect.load()
    check = best_call_seconds(lambda: [model.may_have_font_scan(scan) for scan in scans]) / len(pages)
    whole = best_call_seconds(lambda: [webtongue.identify(raw) for raw in pages]) / len(pages)
    print(f"a look: {check * 1e6:.2f} µs of {whole * 1e6:.0f} µs a page ({check / whole:.2%})")
    for name, font in all_fonts().items():
        text = "".join(glyph.sequence for glyph in font.glyphs).encode() * 200
        seconds = best_call_seconds(partial(font.convert_utf8, text))
        print(f"{name}: {len(text) / seconds / 1e6:.0f} MB/s converted")


def main() -> None:
    parser = options_parser(__doc__)
    parser.add_argument("--size", type=int, default=500, help="bytes of a text (default 500)")
    parser.add_argument(
        "--texts", type=int, default=200, help="maximum number of texts of a font and language (default 200)"
    )
    options = parser.parse_args()
    data = sets.require_folder(options.data)
    report_fonts(data, options.size, options.texts)
    report_sizes(data, options.texts // 2)
    report_burmese(data)
    report_real_files(data)
    report_mixed_pages(data)
    report_false_alarms(data)
    report_cost(data)


if __name__ == "__main__":
    main()
