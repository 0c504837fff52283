"""Encodings beside chardet, charset-normalizer, cchardet, chardetng and resiliparse: accuracy, language, speed.

    python bench/encoding.py [--data DIR] [--peers chardet,...] [--each N] [--sizes 100,500] [--misses]
                             [--only generated,real,legacy,language,short,speed]

Generated pages are dev sentences in every encoding that can represent them, undeclared, at four sizes. An answer is right if the
decoded text equals the original (in NFC; a superset counts). "usual" pages are in a language that the encoding was used for,
"any" pages in any language that it can represent. Peers that are not installed are skipped.
"""

from __future__ import annotations

import codecs
import importlib
import random
import re
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import encoding_short
import sets
from common import options_parser
from timing import best_seconds, for_each

import webtongue
from webtongue import labels, markup
from webtongue.charset import stateful
from webtongue.charset.arabic_forms import to_letters
from webtongue.charset.codecs import decode, encode
from webtongue.charset.detection import byte_model
from webtongue.charset.languages import encoding_languages
from webtongue.charset.names import resolve
from webtongue.lab.evaluate.measures import mcnemar_probability
from webtongue.lab.evaluate.sets import read_set
from webtongue.page import Page

SIZES = (100, 500, 2000, 10000)
SPEED_SIZES = (2000, 20000, 100000)
SPEED_ENCODINGS = (
    "windows-1251", "windows-1252", "windows-1250", "koi8-r", "gb18030", "shift_jis", "euc-kr", "big5", "euc-jp",
    "windows-1256",
)  # fmt: skip
UNICODE_CODECS = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "utf-7")
ESCAPE_CODECS = {
    "iso2022_jp": "jpn", "iso2022_jp_1": "jpn", "iso2022_jp_2": "jpn", "iso2022_jp_3": "jpn", "iso2022_kr": "kor",
    "hz": "zho_Hans",
}  # fmt: skip
SEED = 4
MULTILINGUAL = ("windows-1252", "iso-8859-15", "macintosh")  # encodings of too many languages to be evidence for one
CONTROLS = re.compile("[\x00-\x08\x80-\x9f]")  # only in text that was decoded wrongly before
PARTS = ("generated", "real", "legacy", "language", "short", "speed")

Detector = Callable[[bytes], str]  # returns the name of an encoding


@dataclass(frozen=True, slots=True)
class EncodedPage:
    """Bytes with their text, encoding and language."""

    raw: bytes
    text: str
    encoding: str
    label: str
    is_usual: bool = True


# Peers: the module to import, and its detector.
PEERS: dict[str, tuple[str, Callable[[Any, bytes], str | None]]] = {
    "chardet": ("chardet", lambda module, raw: module.detect(raw, compat_names=False)["encoding"]),
    "charset-normalizer": (
        "charset_normalizer",
        lambda module, raw: getattr(module.from_bytes(raw).best(), "encoding", ""),
    ),
    "cchardet": ("cchardet", lambda module, raw: module.detect(raw)["encoding"]),
    "chardetng": ("chardetng_py", lambda module, raw: module.detect(raw, allow_utf8=True)),
    "resiliparse": (
        "resiliparse.parse.encoding",
        lambda module, raw: module.detect_encoding(raw, html5_compatible=False),
    ),
}


def make_detector(detect: Callable[[Any, bytes], str | None], module: Any) -> Detector:
    """Return the detector of a peer, whose module is imported; it returns "" where the peer has no answer."""
    return lambda raw: detect(module, raw) or ""


def peers(selection: str) -> dict[str, Detector]:
    """Return the detectors of the selected peers that are installed; an empty selection is all of them."""
    detectors: dict[str, Detector] = {}
    for name, (module_name, detect) in PEERS.items():
        if selection and name not in selection.split(","):
            continue
        try:
            module = importlib.import_module(module_name)
        except ImportError:
            print(f"{name} is not installed: left out")
        else:
            detectors[name] = make_detector(detect, module)
    return detectors


def decode_by_name(raw: bytes, name: str) -> str:
    """Return bytes decoded by Python's codec of that name or, if there is none, by ours."""
    try:
        return codecs.decode(raw, name, "replace")
    except LookupError:
        encoding = resolve(name)
        return decode(raw, encoding.name) if encoding else ""


def is_same_text(a: str, b: str) -> bool:
    """Return True for texts that differ only in byte order mark, composition, or forms of Arabic letters (cp864 has only those)."""
    return a == b or _normalize(a) == _normalize(b)


def _normalize(text: str) -> str:
    return unicodedata.normalize("NFC", to_letters(text.lstrip("\ufeff")))


def read_sentences(data: Path) -> dict[str, list[str]]:
    """Return dev sentences by label."""
    sentences: dict[str, list[str]] = defaultdict(list)
    for name in ("sib200_floresdev", "lingua_sentences"):
        for item in read_set(name, data).items:
            if not CONTROLS.search(item.text):
                sentences[item.label].append(unicodedata.normalize("NFC", item.text))
    return dict(sorted(sentences.items()))


def encode_text(text: str, encoding: str) -> bytes | None:
    """Return text in one of our encodings or one of Python's, or None if it cannot be represented."""
    if encoding not in UNICODE_CODECS and encoding not in ESCAPE_CODECS:
        raw = encode(text, encoding)
        return raw if raw is not None and is_same_text(decode(raw, encoding), text) else None
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return None


def generate_document(lines: list[str], encoding: str, size: int, rng: random.Random) -> tuple[bytes, str] | None:
    """Return lines that the encoding can represent, joined and cut to about ``size`` bytes, as bytes and text."""
    chosen: list[str] = []
    length = 0
    for line in rng.sample(lines, len(lines)) if len(lines) * 80 > size else rng.choices(lines, k=size // 60):
        raw = encode_text(line, encoding)
        if raw is not None:
            chosen.append(line)
            length += len(raw) + 1
        if length >= size:
            break
    text = "\n".join(chosen)
    text = text[: max(1, len(text) * size // max(length, 1))]
    raw = encode_text(text, encoding)
    if raw is None or len(raw) < size * 0.6:
        return None
    is_only_ascii = raw.isascii() and encoding != "utf-7" and encoding not in ESCAPE_CODECS
    return None if is_only_ascii else (raw, text)


def generate_pages(sentences: dict[str, list[str]], size: int, count: int) -> Iterator[EncodedPage]:
    """Yield up to ``count`` pages in a usual language and as many in another language for every encoding."""
    languages = encoding_languages()
    for encoding in (*byte_model.load().classes, *UNICODE_CODECS, *ESCAPE_CODECS):
        rng = random.Random(f"{SEED}:{encoding}:{size}")
        named = {ESCAPE_CODECS[encoding]} if encoding in ESCAPE_CODECS else set(languages.get(encoding, sentences))
        usual = [label for label in sentences if label in named or (label[:3] in named and _has_usual_script(label))]
        scripts = {label[4:] for label in usual}
        others = [label for label in sentences if label[4:] in scripts and label not in usual]
        for labels_, is_usual in ((usual, True), (others, False)):
            pages = attempts = 0
            while labels_ and pages < count and attempts < 4 * count:
                attempts += 1
                label = rng.choice(labels_)
                document = generate_document(sentences[label], encoding, size, rng)
                if document is not None:
                    pages += 1
                    yield EncodedPage(*document, encoding, label, is_usual)


def _has_usual_script(label: str) -> bool:
    usual = labels.parse(label[:3])
    return usual is not None and usual.script == label[4:]


def real_files(data: Path) -> Iterator[EncodedPage]:
    """Yield the files of dev/encoding whose encoding is known and decodes them."""
    for path in sets.encoding_archives(data):
        yield from known_files(path)


def legacy_pages(data: Path) -> Iterator[EncodedPage]:
    """Yield the pages of dev/html in legacy encodings, declared rightly, wrongly or not, and all pages of legacy_html."""
    for path in sorted(sets.require_folder(data / "dev" / "html").glob("*.tar.xz")):
        for page in known_files(path):
            if page.encoding not in ("utf-8", "ascii") or path.name == "legacy_html.tar.xz":
                yield page


def known_files(path: Path) -> Iterator[EncodedPage]:
    """Yield the files of an archive whose encoding is known and decodes them."""
    files, rows = sets.read_archive(path)
    for row in rows:
        name = (row.get("encoding") or "").split(" ")[0]
        encoding = resolve(name)
        if row["path"] not in files or name.startswith("legacy-font") or encoding is None:
            continue
        raw = files[row["path"]]
        if encoding.name.startswith("iso-2022") or encoding.name.startswith("hz"):
            text = stateful.decode(raw, encoding.name).decode()
        elif name == "ascii":
            text = raw.decode("utf-8", "replace")
        elif encoding.codec and encoding.codec.startswith("utf"):
            text = raw.decode(encoding.codec, "replace")
        else:
            text = decode(raw, encoding.name)
        if CONTROLS.search(text):  # the index is wrong: windows-1250 called iso-8859-2
            continue
        yield EncodedPage(raw, text, encoding.name, row.get("label") or path.name.removesuffix(".tar.xz"))


def report_accuracy(
    title: str,
    pages: list[EncodedPage],
    detectors: dict[str, Detector],
    web_shares: dict[str, float],
    show_misses: bool,
) -> None:
    """Print shares of rightly decoded pages (macro, web-weighted, usual languages), and McNemar's test for each peer."""
    decoded = [webtongue.decode(page.raw) for page in pages]
    ours = [is_same_text(result.text, page.text) for result, page in zip(decoded, pages, strict=True)]
    print(f"\n{title}: {len(pages)} pages, {len({page.encoding for page in pages})} encodings")
    _print_row("webtongue", pages, ours, web_shares)
    for name, detect in detectors.items():
        theirs = [is_same_text(decode_by_name(page.raw, detect(page.raw)), page.text) for page in pages]
        _print_row(name, pages, theirs, web_shares)
        only_ours = sum(a and not b for a, b in zip(ours, theirs, strict=True))
        only_peer = sum(b and not a for a, b in zip(ours, theirs, strict=True))
        p = mcnemar_probability(only_ours, only_peer)
        print(f"{'':19} only we {only_ours}, only {name} {only_peer}, McNemar p = {p:.2g}")
    worst = sorted((share, encoding) for encoding, share in _share_by_encoding(pages, ours).items() if share < 1)
    print("   below 100%: " + ", ".join(f"{encoding} {share:.3f}" for share, encoding in worst[:30]))
    for page, result, is_right in zip(pages, decoded, ours, strict=True):
        if show_misses and not is_right:
            differences = Counter(f"{a}{b}" for a, b in zip(page.text, result.text, strict=False) if a != b)
            print(
                f"   {'usual' if page.is_usual else 'any'} {page.encoding} -> {result.encoding} {result.confidence:.3f} "
                f"{page.label} {differences.most_common(6)}"
            )


def _share_by_encoding(pages: list[EncodedPage], right: list[bool]) -> dict[str, float]:
    results: dict[str, list[bool]] = defaultdict(list)
    for page, is_right in zip(pages, right, strict=True):
        results[page.encoding].append(is_right)
    return {encoding: sum(some) / len(some) for encoding, some in results.items()}


def _print_row(name: str, pages: list[EncodedPage], right: list[bool], web_shares: dict[str, float]) -> None:
    by_encoding = _share_by_encoding(pages, right)
    usual_pages = [page for page in pages if page.is_usual]
    usual = _share_by_encoding(
        usual_pages, [is_right for page, is_right in zip(pages, right, strict=True) if page.is_usual]
    )
    weights = {encoding: web_shares.get(encoding, 1e-8) for encoding in usual}
    weighted = sum(usual[encoding] * weight for encoding, weight in weights.items()) / sum(weights.values())
    print(
        f"{name:18} usual: macro {sum(usual.values()) / len(usual):.4f}, web-weighted {weighted:.4f}; "
        f"any: macro {sum(by_encoding.values()) / len(by_encoding):.4f}; all pages {sum(right) / len(right):.4f}"
    )


def report_language(title: str, pages: list[EncodedPage]) -> None:
    """Print the share of right labels of pages in legacy encodings, of the same text in UTF-8, and with an allowlist.

    The allowlist has the languages of the page's encoding.
    """
    languages = encoding_languages()
    legacy = [p for p in pages if p.is_usual and p.encoding in languages and p.encoding not in MULTILINGUAL]
    idents = {name: webtongue.Identifier(languages=languages[name]) for name in {page.encoding for page in legacy}}
    identify: dict[str, Callable[[EncodedPage], webtongue.Verdict]] = {
        "as it is": lambda page: webtongue.identify(page.raw),
        "in UTF-8": lambda page: webtongue.identify(page.text.encode()),
        "narrowed": lambda page: idents[page.encoding].identify(page.raw),
    }
    cells = []
    for name, call in identify.items():
        start = time.process_time()
        right = sum(_group_or_label(call(page).label) == _group_or_label(page.label) for page in legacy)
        microseconds = (time.process_time() - start) / len(legacy) * 1e6
        cells.append(f"{name} {right / len(legacy):.4f} ({microseconds:.0f} us)")
    print(f"{title}: language of {len(legacy)} pages in old encodings right: {', '.join(cells)}")


def _group_or_label(label: str) -> str:
    return labels.group(label) or label


def report_speed(sentences: dict[str, list[str]], detectors: dict[str, Detector]) -> None:
    """Print MB/s on the same pages, in turns, of decode, detect and identify and of each peer."""
    calls: dict[str, Callable[[bytes], object]] = {
        "webtongue.decode": webtongue.decode, "webtongue.detect": webtongue.detect,
        "webtongue.identify": webtongue.identify, **detectors,
    }  # fmt: skip
    functions = {name: for_each(call) for name, call in calls.items()}
    for size in SPEED_SIZES:
        generated = generate_pages(sentences, size, 2)
        pages = [page.raw for page in generated if page.is_usual and page.encoding in SPEED_ENCODINGS]
        pages = pages * max(1, 200_000 // sum(map(len, pages)))
        seconds_by_name = best_seconds(functions, [pages], 3)
        megabytes = sum(map(len, pages)) / 1e6
        print(f"\nspeed, pages of {size} bytes in {len(SPEED_ENCODINGS)} old encodings")
        for name, seconds in seconds_by_name.items():
            ratio = f", {seconds_by_name['chardet'] / seconds:.1f}x chardet" if "chardet" in seconds_by_name else ""
            print(f"{name:20} {megabytes / seconds:9.1f} MB/s {seconds / len(pages) * 1e6:9.1f} us a page{ratio}")


def report_utf8_check(sentences: dict[str, list[str]]) -> None:
    """Print the share of the UTF-8 check in the time of identify() for valid UTF-8 pages."""
    raws = [page.raw for page in generate_pages(sentences, 10000, 20) if page.encoding == "utf-8"]
    scans = [markup.read(Page(raw)).scan for raw in raws]
    functions: dict[str, Callable[[None], object]] = {
        "identify": lambda _: [webtongue.identify(raw) for raw in raws],
        "check": lambda _: [scan.check_utf8() for scan in scans],
    }
    seconds = best_seconds(functions, [None], 30, time.process_time)
    print(
        f"\nvalid UTF-8 pages of 10 KB: {seconds['check'] / seconds['identify']:.1%} of identify() is the check of UTF-8"
    )


def main() -> None:
    parser = options_parser(__doc__, parts=PARTS)
    parser.add_argument("--peers", default="", help="peers, separated by commas (default all that are installed)")
    parser.add_argument(
        "--each", type=int, default=20, help="pages of an encoding, size and kind of language (default 20)"
    )
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="sizes of generated pages in bytes")
    parser.add_argument(
        "--misses", action="store_true", help="print wrongly decoded pages with the letters that differ"
    )
    options = parser.parse_args()
    detectors = peers(options.peers)
    sentences = read_sentences(options.data)
    web_shares = {name: 10**power for name, power in byte_model.web_shares().items()}
    web_shares["gb18030"] = web_shares["gbk"]

    def accuracy(title: str, pages: Iterable[EncodedPage]) -> None:
        report_accuracy(title, list(pages), detectors, web_shares, options.misses)

    selected = options.only.split(",")
    for size in map(int, options.sizes.split(",")):
        if {"generated", "language"} & set(selected):
            pages = list(generate_pages(sentences, size, options.each))
            if "generated" in selected:
                accuracy(f"generated, {size} bytes", pages)
            if "language" in selected:
                report_language(f"generated, {size} bytes", pages)
    if "real" in selected:
        accuracy("real files", real_files(options.data))
    if "legacy" in selected:
        accuracy("real pages in old encodings", legacy_pages(options.data))
    if "short" in selected:
        encoding_short.print_table(options.data, options.each, lambda raw: webtongue.decode(raw).text)
    if "speed" in selected:
        report_speed(sentences, detectors)
        report_utf8_check(sentences)


if __name__ == "__main__":
    main()
