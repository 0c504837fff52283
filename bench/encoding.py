"""Encodings, side by side with chardet, charset-normalizer, cchardet, chardetng and resiliparse: accuracy, language, speed.

    python bench/encoding.py [--data DIR] [--peers chardet,...] [--each N] [--sizes 100,500] [--misses]
                             [--only generated,real,legacy,language,speed]

Generated pages are dev sentences, written in every encoding that can hold them, undeclared, at four sizes. A hit is decoded
text equal to the original (in NFC; a superset counts). "usual" pages are in a language that the encoding was used for, "any"
pages in any language that it holds. Peers that are not installed are left out.
"""

from __future__ import annotations

import codecs
import importlib
import random
import re
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import sets
import timing

import webtongue
from webtongue import labels
from webtongue.coding import model as byte_model
from webtongue.encodings import escapes
from webtongue.encodings.arabic import plain
from webtongue.encodings.codecs import decode, encode
from webtongue.encodings.languages import encoding_languages
from webtongue.encodings.names import resolve
from webtongue.evaluate.measures import mcnemar
from webtongue.evaluate.sets import read

SIZES = (100, 500, 2000, 10000)
SPEED_SIZES = (2000, 20000, 100000)
UNICODE = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "utf-7")
SHIFTING = {
    "iso2022_jp": "jpn",
    "iso2022_jp_1": "jpn",
    "iso2022_jp_2": "jpn",
    "iso2022_jp_3": "jpn",
    "iso2022_kr": "kor",
    "hz": "zho_Hans",
}
SEED = 4
MANY = ("windows-1252", "iso-8859-15", "macintosh")  # encodings of so many languages that they name none
CONTROLS = re.compile("[\x00-\x08\x80-\x9f]")  # found only in a text that was broken before


@dataclass(frozen=True, slots=True)
class Page:
    """Bytes, what they say, and in which encoding and language."""

    raw: bytes
    text: str
    encoding: str
    label: str
    usual: bool = True


Peer = Callable[[bytes], str]


def peers(wanted: str) -> dict[str, Peer]:
    """Functions from bytes to the name of an encoding, of every peer that is installed."""
    out: dict[str, Peer] = {}
    makers: dict[str, Callable[[], Peer]] = {
        "chardet": lambda: _chardet(importlib.import_module("chardet")),
        "charset-normalizer": lambda: _normalizer(importlib.import_module("charset_normalizer")),
        "cchardet": lambda: _cchardet(importlib.import_module("cchardet")),
        "chardetng": lambda: _chardetng(importlib.import_module("chardetng_py")),
        "resiliparse": lambda: _resiliparse(importlib.import_module("resiliparse.parse.encoding")),
    }
    for name, make in makers.items():
        if wanted and name not in wanted.split(","):
            continue
        try:
            out[name] = make()
        except ImportError:
            print(f"{name} is not installed: left out")
    return out


def _chardet(module: object) -> Peer:
    return lambda raw: module.detect(raw, compat_names=False)["encoding"] or ""  # type: ignore[attr-defined]


def _normalizer(module: object) -> Peer:
    def ask(raw: bytes) -> str:
        best = module.from_bytes(raw).best()  # type: ignore[attr-defined]
        return best.encoding if best else ""

    return ask


def _cchardet(module: object) -> Peer:
    return lambda raw: module.detect(raw)["encoding"] or ""  # type: ignore[attr-defined]


def _chardetng(module: object) -> Peer:
    return lambda raw: module.detect(raw, allow_utf8=True)  # type: ignore[attr-defined]


def _resiliparse(module: object) -> Peer:
    return lambda raw: module.detect_encoding(raw, html5_compatible=False) or ""  # type: ignore[attr-defined]


def read_by(raw: bytes, name: str) -> str:
    """What a peer's answer reads: by Python's codec of that name or, where it has none, by our table."""
    try:
        return codecs.decode(raw, name, "replace")
    except LookupError:
        found = resolve(name)
        return decode(raw, found.name) if found else ""


def same(one: str, other: str) -> bool:
    """Equal but for a mark of byte order, how accents are composed, and forms of Arabic letters (cp864 has only those)."""
    return one == other or _composed(one) == _composed(other)


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", plain(text.lstrip("\ufeff")))


def texts(data: str) -> dict[str, list[str]]:
    """Dev sentences by label."""
    out: dict[str, list[str]] = defaultdict(list)
    for name in ("sib200_floresdev", "lingua_sentences"):
        for item in read(name, Path(data)).items:
            if not CONTROLS.search(item.text):
                out[item.label].append(unicodedata.normalize("NFC", item.text))
    return dict(sorted(out.items()))


def write(text: str, encoding: str) -> bytes | None:
    """In one of our encodings, or one of Python's."""
    if encoding not in UNICODE and encoding not in SHIFTING:
        raw = encode(text, encoding)
        return raw if raw is not None and same(decode(raw, encoding), text) else None
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return None


def document(lines: list[str], encoding: str, size: int, chance: random.Random) -> tuple[bytes, str] | None:
    """Lines that the encoding can hold, joined until they have the size in bytes, and what remains when cut there."""
    held: list[str] = []
    length = 0
    for line in chance.sample(lines, len(lines)) if len(lines) * 80 > size else chance.choices(lines, k=size // 60):
        raw = write(line, encoding)
        if raw is not None:
            held.append(line)
            length += len(raw) + 1
        if length >= size:
            break
    text = "\n".join(held)
    text = text[: max(1, len(text) * size // max(length, 1))]
    raw = write(text, encoding)
    return (
        None
        if raw is None or len(raw) < size * 0.6 or (encoding != "utf-7" and raw.isascii() and encoding not in SHIFTING)
        else (raw, text)
    )


def generated(lines: dict[str, list[str]], size: int, each: int) -> Iterator[Page]:
    """Up to ``each`` pages in a usual language and as many in any other for every encoding."""
    table = encoding_languages()
    for encoding in (*byte_model.load().classes, *UNICODE, *SHIFTING):
        chance = random.Random(f"{SEED}:{encoding}:{size}")
        named = set(table.get(encoding, lines)) if encoding not in SHIFTING else {SHIFTING[encoding]}
        usual = [label for label in lines if label in named or (label[:3] in named and _usual_script(label))]
        scripts = {label[4:] for label in usual}
        others = [label for label in lines if label[4:] in scripts and label not in usual]
        for pool, is_usual in ((usual, True), (others, False)):
            found = tries = 0
            while pool and found < each and tries < 4 * each:
                tries += 1
                label = chance.choice(pool)
                made = document(lines[label], encoding, size, chance)
                if made is not None:
                    found += 1
                    yield Page(*made, encoding, label, is_usual)


def _usual_script(label: str) -> bool:
    known = labels.parse(label[:3])
    return known is not None and known.script == label[4:]


def real(data: str) -> Iterator[Page]:
    """The files of dev/encoding whose encoding is known and reads them."""
    for path in sorted(sets.need(Path(data) / "dev" / "encoding").glob("*.tar.xz")):
        yield from known(path)


def legacy(data: str) -> Iterator[Page]:
    """The pages of dev/html in old encodings, declared rightly, wrongly or not; of legacy_html all, since some only claim one."""
    for path in sorted(sets.need(Path(data) / "dev" / "html").glob("*.tar.xz")):
        for page in known(path):
            if page.encoding not in ("utf-8", "ascii") or path.name == "legacy_html.tar.xz":
                yield page


def known(path: Path) -> Iterator[Page]:
    """The files of an archive whose encoding is known and reads them."""
    files, rows = sets.archive(path)
    for row in rows:
        name = (row.get("encoding") or "").split(" ")[0]
        found = resolve(name)
        if row["path"] not in files or name.startswith("legacy-font") or found is None:
            continue
        raw = files[row["path"]]
        if found.name.startswith("iso-2022") or found.name.startswith("hz"):
            text = escapes.decode(raw, found.name).decode()
        elif name == "ascii":
            text = raw.decode("utf-8", "replace")
        elif found.codec and found.codec.startswith("utf"):
            text = raw.decode(found.codec, "replace")
        else:
            text = decode(raw, found.name)
        if CONTROLS.search(text):  # the label is wrong: windows-1250 called iso-8859-2
            continue
        yield Page(raw, text, found.name, row.get("label") or path.name.removesuffix(".tar.xz"))


def accuracy(title: str, pages: list[Page], ways: dict[str, Peer], shares: dict[str, float], misses: bool) -> None:
    """Hits by encoding: macro, web-weighted, usual languages apart, and McNemar's test beside each peer."""
    read = [webtongue.decode(page.raw) for page in pages]
    ours = [same(found.text, page.text) for found, page in zip(read, pages, strict=True)]
    print(f"\n{title}: {len(pages)} pages, {len({page.encoding for page in pages})} encodings")
    _print_row("webtongue", pages, ours, shares)
    for name, ask in ways.items():
        theirs = [same(read_by(page.raw, ask(page.raw)), page.text) for page in pages]
        _print_row(name, pages, theirs, shares)
        only_us = sum(a and not b for a, b in zip(ours, theirs, strict=True))
        only_peer = sum(b and not a for a, b in zip(ours, theirs, strict=True))
        print(f"{'':19} only we {only_us}, only {name} {only_peer}, McNemar p = {mcnemar(only_us, only_peer):.2g}")
    worst = _by_encoding(pages, ours)
    bad = sorted((rate, encoding) for encoding, rate in worst.items() if rate < 1)
    print("   below 100%: " + ", ".join(f"{encoding} {rate:.3f}" for rate, encoding in bad[:30]))
    for page, found, hit in zip(pages, read, ours, strict=True):
        if misses and not hit:
            differ = Counter(f"{a}{b}" for a, b in zip(page.text, found.text, strict=False) if a != b)
            kind = "usual" if page.usual else "any"
            print(
                f"   {kind} {page.encoding} -> {found.encoding} {found.confidence:.3f} {page.label} {differ.most_common(6)}"
            )


def _by_encoding(pages: list[Page], hits: list[bool]) -> dict[str, float]:
    found: dict[str, list[bool]] = defaultdict(list)
    for page, hit in zip(pages, hits, strict=True):
        found[page.encoding].append(hit)
    return {encoding: sum(got) / len(got) for encoding, got in found.items()}


def _print_row(name: str, pages: list[Page], hits: list[bool], shares: dict[str, float]) -> None:
    rates = _by_encoding(pages, hits)
    usual = _by_encoding([p for p in pages if p.usual], [h for p, h in zip(pages, hits, strict=True) if p.usual])
    weights = {encoding: shares.get(encoding, 1e-8) for encoding in usual}
    weighted = sum(usual[e] * w for e, w in weights.items()) / sum(weights.values())
    mean = sum(usual.values()) / len(usual)
    print(
        f"{name:18} usual: macro {mean:.4f}, web-weighted {weighted:.4f}; any: macro {sum(rates.values()) / len(rates):.4f};"
        f" all pages {sum(hits) / len(hits):.4f}"
    )


def language(title: str, pages: list[Page]) -> None:
    """Labels of pages in old encodings beside those of the same text in UTF-8, and with the encoding's languages only."""
    table = encoding_languages()
    old = [page for page in pages if page.usual and page.encoding in table and page.encoding not in MANY]
    idents = {name: webtongue.Identifier(languages=table[name]) for name in {page.encoding for page in old}}
    took: dict[str, float] = defaultdict(float)
    right: dict[str, int] = defaultdict(int)
    ways: dict[str, Callable[[Page], webtongue.Verdict]] = {
        "as it is": lambda page: webtongue.identify(page.raw),
        "in UTF-8": lambda page: webtongue.identify(page.text.encode()),
        "narrowed": lambda page: idents[page.encoding].identify(page.raw),
    }
    for name, way in ways.items():
        begin = time.process_time()
        right[name] = sum(_language(way(page).label) == _language(page.label) for page in old)
        took[name] = (time.process_time() - begin) / len(old)
    said = ", ".join(f"{name} {right[name] / len(old):.4f} ({took[name] * 1e6:.0f} us)" for name in ways)
    print(f"{title}: language of {len(old)} pages in old encodings right: {said}")


def _language(label: str) -> str:
    """Look-alikes answer to their group."""
    return labels.group(label) or label


def speed(lines: dict[str, list[str]], ways: dict[str, Peer]) -> None:
    """MB/s on the same pages, in turns: decode and detect with the language, and each peer."""
    ours: dict[str, Callable[[bytes], object]] = {
        "webtongue.decode": webtongue.decode, "webtongue.detect": webtongue.detect, "webtongue.identify": webtongue.identify,
    }  # fmt: skip
    for size in SPEED_SIZES:
        pages = [page.raw for page in generated(lines, size, 2) if page.usual and page.encoding in SPEED]
        pages = pages * max(1, 200_000 // sum(map(len, pages)))
        asked = {name: timing.each(ask) for name, ask in {**ours, **ways}.items()}
        took = {name: seconds for name, (seconds,) in timing.quickest(asked, [pages], 3).items()}
        mega = sum(map(len, pages)) / 1e6
        print(f"\nspeed, pages of {size} bytes in {len(SPEED)} old encodings")
        for name, seconds in took.items():
            ratio = f", {took['chardet'] / seconds:.1f}x chardet" if "chardet" in took else ""
            print(f"{name:20} {mega / seconds:9.1f} MB/s {seconds / len(pages) * 1e6:9.1f} us a page{ratio}")


SPEED = (
    "windows-1251",
    "windows-1252",
    "windows-1250",
    "koi8-r",
    "gb18030",
    "shift_jis",
    "euc-kr",
    "big5",
    "euc-jp",
    "windows-1256",
)


def stage_cost(lines: dict[str, list[str]]) -> None:
    """What valid UTF-8 pages spend in this stage, of all that identify() takes."""
    from webtongue import markup, pipeline
    from webtongue.page import Page as Input

    pages = [Input(page.raw) for page in generated(lines, 10000, 20) if page.encoding == "utf-8"]
    scanned = [markup.read(page) for page in pages]
    reader = webtongue.Identifier().reader
    ways: dict[str, Callable[[None], object]] = {
        "identify": lambda _: [pipeline.identify(page, reader) for page in pages],
        "coding": lambda _: [pipeline._decide(one, reader) for one in scanned],
        "decode": lambda _: [pipeline.decode(one, reader) for one in scanned],
        "check": lambda _: [one.scan.check_utf8() for one in scanned],
    }
    took = {name: seconds for name, (seconds,) in timing.quickest(ways, [None], 30, time.process_time).items()}
    share = {name: f"{seconds / took['identify']:.1%}" for name, seconds in took.items()}
    print(
        f"\nvalid UTF-8 pages of 10 KB: {share['coding']} of identify() is this stage ({share['check']} the check of UTF-8),"
    )
    print(f"{share['decode']} this stage and the look for fonts")


def main() -> None:
    parser = sets.arguments(__doc__ or "")
    parser.add_argument("--peers", default="", help="a list; all that are installed by default")
    parser.add_argument("--each", type=int, default=20, help="pages for an encoding, a size and a kind of language")
    parser.add_argument("--only", default="generated,real,legacy,language,speed")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="of generated pages, in bytes")
    parser.add_argument(
        "--misses", action="store_true", help="print what was not decoded right, with the letters that differ"
    )
    options = parser.parse_args()
    ways = peers(options.peers)
    only = options.only.split(",")
    lines = texts(options.data)
    shares = {name: 10**power for name, power in byte_model.shares().items()}
    shares["gb18030"] = shares["gbk"]
    for size in map(int, options.sizes.split(",")):
        pages = list(generated(lines, size, options.each)) if {"generated", "language"} & set(only) else []
        if "generated" in only:
            accuracy(f"generated, {size} bytes", pages, ways, shares, options.misses)
        if "language" in only:
            language(f"generated, {size} bytes", pages)
    if "real" in only:
        accuracy("real files", list(real(options.data)), ways, shares, options.misses)
    if "legacy" in only:
        accuracy("real pages in old encodings", list(legacy(options.data)), ways, shares, options.misses)
    if "speed" in only:
        speed(lines, ways)
        stage_cost(lines)


if __name__ == "__main__":
    main()
