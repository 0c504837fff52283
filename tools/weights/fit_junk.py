"""Fit the weights of native/text/junk.cpp and write ``native/tables/junk.inc``: text of a thousand languages against files.

    python tools/weights/fit_junk.py [--data ../shared/data] [--check] [--limit 250]

Language is the training corpus, without the lines that are held out, as it is and as the web has it: cut, joined, in
capitals, with links, hashtags, prices and menus. What is not language are files of this machine (bench/real_files.py),
fold 0 left out, and short lists made here (user names, product codes, addresses). Logistic regression by Newton's
method; then the bias is moved until almost no language is above 0. Short texts have weights of their own. ``--check`` prints what happens to each kind when it
is left out of the fit, and writes nothing. The kernel must be built: its ``junk_features`` are what is weighed.
"""

from __future__ import annotations

import argparse
import lzma
import random
import sys
from itertools import islice
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import real_files  # noqa: E402

from webtongue._kernel import junk_features  # noqa: E402
from webtongue.lab.train.corpus.holdout import is_held_out  # noqa: E402
from webtongue.lab.train.corpus.read import INTERFACE  # noqa: E402

OUT = ROOT / "native" / "tables" / "junk.inc"
SEED = 20
LINES = 40  # lines of each file of the corpus
LETTERS = 0.75
RIDGE = 1e-5
FALSE_POSITIVES = 2e-4  # share of language that may be above 0, over all lengths
MIXED_FALSE_POSITIVES = 0.02  # the same share for pages half of which are code, which are few
MIXTURES = 4000
MIXED_PROSE = 60  # bytes that a text must have to be part of a mixture
LINES_OF_FILE = 4  # single lines of a file
CODE_LINES = "code lines"
CODE_SIGNS = "(){}[]=;<>$"  # a line with two of them is code
SCALE = 100 * 1024  # hundredths of a nat, ten bits


def language(data: Path, rng: random.Random) -> list[str]:
    """Lines of every file of the training corpus, and what the web makes of them."""
    out: list[str] = []
    for path in sorted(data.glob("train/*/*.txt.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as handle:
            lines = [line.rstrip("\n") for line in islice(handle, 4 * LINES)]
        lines = [line for line in lines if line.strip() and not is_held_out(line)]
        if path.parent.name in INTERFACE:  # full of placeholders: only lines of letters
            lines = [line for line in lines if sum(map(str.isalpha, line)) >= LETTERS * len(line.replace(" ", ""))]
        lines = rng.sample(lines, min(LINES, len(lines)))
        out += [as_the_web_has_it(lines, rng) for _ in lines]
    return [text for text in out if text.strip()]


def as_the_web_has_it(lines: list[str], rng: random.Random) -> str:
    """One line, or several joined, or something between language and not: still language."""
    way, some = rng.random(), rng.sample(lines, min(len(lines), rng.randint(2, 10)))
    line = some[0]
    if way < 0.4:
        return line
    if way < 0.55:
        return cut(line, rng)
    if way < 0.7:
        return rng.choice([" ", "\n"]).join(some)
    if way < 0.75:
        return line.upper()
    words = line.split(" ")
    short = [w for other in some for w in [" ".join(other.split(" ")[: rng.randint(1, 4)])]]
    if way < 0.8:
        return rng.choice(["\n", " | ", " » ", " · ", ", ", "\n- "]).join(short * 3)
    if way < 0.85:  # a list of goods
        return "\n".join(
            f"{s} {rng.choice(['€', '$', 'EUR '])}{rng.randint(1, 999)},{rng.randint(0, 99):02}" for s in short
        )
    if way < 0.9:  # a message
        extra = [
            f"https://t.co/{token(rng, 10)}",
            "#" + words[-1],
            "@" + token(rng, 8),
            "RT @" + token(rng, 6) + ":",
            ":)",
        ]
        return " ".join([*words, *rng.sample(extra, rng.randint(1, 2))])
    if way < 0.95:  # dates, amounts, times
        amounts = [
            f"{rng.randint(1, 31)}.{rng.randint(1, 12)}.{rng.randint(1980, 2026)}",
            f"{rng.randint(1, 900)} g",
            "12:30",
            "3-1",
        ]
        return "\n".join(f"{rng.choice(amounts)} {other}" for other in some)
    for _ in range(rng.randint(1, 2)):  # a word of code
        code = [
            "`foo_bar()`",
            "config.json",
            "<b>",
            "</b>",
            "(e.g.)",
            "C++",
            "git clone https://example.org/a.git",
            "x = 1;",
        ]
        words.insert(rng.randrange(len(words) + 1), rng.choice(code))
    return " ".join(words) if len(line) > 80 else line


def token(rng: random.Random, size: int) -> str:
    return "".join(rng.choice("abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789") for _ in range(size))


def cut(text: str, rng: random.Random) -> str:
    """A stretch of log-uniform length."""
    size = int(8 * 60 ** rng.random())
    start = rng.randrange(max(1, len(text) - size))
    return text[start : start + size]


SYLLABLES = [
    "ka",
    "lo",
    "mi",
    "ra",
    "ten",
    "sha",
    "dra",
    "xo",
    "zen",
    "kit",
    "ty",
    "max",
    "neo",
    "pix",
    "el",
    "an",
    "jo",
    "bel",
    "vin",
    "sky",
    "fox",
]


def made_list(rng: random.Random) -> str:
    """User names, product codes or addresses, a dozen or more."""

    def user() -> str:
        stem = "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(1, 3)))
        return rng.choice(
            [
                f"{stem}{rng.randint(1, 2010)}",
                f"{stem}_{rng.choice(SYLLABLES)}",
                f"x{stem.title()}X{rng.randint(1, 99)}",
            ]
        )

    def code() -> str:
        letters = "".join(rng.choice("ABCDEFGHKLMNPRSTVXZ") for _ in range(rng.randint(1, 4)))
        return f"{letters}{rng.choice(['-', '', '/'])}{rng.randint(10, 99999)}{rng.choice(['', 'A', '-B', 'X2', '/3'])}"

    def address() -> str:
        site = "".join(rng.choice(SYLLABLES) for _ in range(2))
        host = f"{site}.{rng.choice(['com', 'org', 'net', 'de'])}"
        return rng.choice(
            [
                f"https://www.{host}/{rng.choice(SYLLABLES)}/{user()}.html",
                f"{user()}@{host}",
                f"http://{host}/?id={rng.randint(1, 9999)}",
            ]
        )

    make = rng.choice([user, code, address])
    return rng.choice([" ", "\n", ", ", "; "]).join(make() for _ in range(rng.randint(8, 60)))


def stretches(files: list[real_files.RealFile], rng: random.Random) -> list[str]:
    """The files whole, and stretches of 60 to 2,000 bytes of them."""
    out = []
    for file in files:
        text = file.code.decode("utf-8", "ignore")
        out.append(text)
        for _ in range(8):
            size = int(60 * 33 ** rng.random())
            start = rng.randrange(max(1, len(text) - size))
            stretch = text[start : start + size]
            out.append(" ".join(stretch.split()) if rng.random() < 0.3 else stretch)
    return [text for text in out if len(text.strip()) >= 50]


def code_lines(files: list[real_files.RealFile], rng: random.Random) -> list[str]:
    """Return a few lines of each file that have signs of code, as people quote them alone."""
    lines: list[str] = []
    for file in files:
        candidates = [line.strip() for line in file.code.decode("utf-8", "ignore").splitlines()]
        candidates = [line for line in candidates if 16 <= len(line) <= 160 and sum(map(line.count, CODE_SIGNS)) >= 2]
        lines += rng.sample(candidates, min(LINES_OF_FILE, len(candidates)))
    return lines


def mixtures(natural: list[str], junk: list[str], rng: random.Random) -> list[str]:
    """Pages about programs: prose with code or addresses between, half and half or more prose. They are language."""
    prose = [text for text in natural if len(text.encode()) >= MIXED_PROSE]
    out = []
    for _ in range(MIXTURES):
        size = rng.randint(800, 3000)
        aim = size * rng.uniform(0.5, 0.8)
        parts: list[str] = []
        while sum(map(len, parts)) < aim:
            parts.append(rng.choice(prose)[:600])
        code = " ".join(rng.choice(junk).split()) if rng.random() < 0.5 else rng.choice(junk)
        pieces = [code[i : i + 200] for i in range(0, max(0, size - sum(map(len, parts))), 200)]
        for piece in pieces:
            parts.insert(rng.randrange(len(parts) + 1), piece)
        out.append("\n".join(parts))
    return out


def values(texts: list[str]) -> np.ndarray:
    return np.array([junk_features(t.encode("utf-8", "replace")) for t in texts], dtype=np.float64) / 1000


def fit(
    junk: np.ndarray, natural: np.ndarray, mixed: np.ndarray, junk_weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights and biases of long texts and of short ones, in which code looks different.

    The model of long texts learns from all texts but single lines, which have a weight of 0; only long ones set its bias.
    """
    is_short = [side[:, -1] > 0 for side in (junk, natural, mixed)]  # the last feature: what a short text lacks
    weights_of_long = np.where(junk_weights < 0, 0, junk_weights)
    long = fit_size(junk, natural, mixed, weights_of_long, natural[~is_short[1]])
    short = fit_size(
        junk[is_short[0]], natural[is_short[1]], mixed[:0], np.abs(junk_weights[is_short[0]]), natural[is_short[1]]
    )
    return np.array([long[0], short[0]]), np.array([long[1], short[1]])


def fit_size(
    junk: np.ndarray, natural: np.ndarray, mixed: np.ndarray, junk_weights: np.ndarray, of_size: np.ndarray
) -> tuple[np.ndarray, float]:
    """Return weights by Newton's method, both sides weighing the same, and the bias that almost no language of a size passes."""
    x = np.vstack([junk, natural, mixed])
    x = np.hstack([x, np.ones((len(x), 1))])
    y = np.r_[np.ones(len(junk)), np.zeros(len(natural) + len(mixed))]
    each = np.r_[
        junk_weights / junk_weights.sum(),
        np.full(len(natural), 1 / len(natural)),
        np.full(len(mixed), 0.3 / max(1, len(mixed))),
    ]
    w = np.zeros(x.shape[1])
    ridge = np.full(x.shape[1], RIDGE)
    ridge[-1] = 0
    for _ in range(12):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        gradient = x.T @ (each * (p - y)) + ridge * w
        hessian = (x * (each * p * (1 - p))[:, None]).T @ x + np.diag(ridge) + 1e-9 * np.eye(len(w))
        w -= np.linalg.solve(hessian, gradient)
    w = w[:-1]
    limits = [float(np.quantile(of_size @ w, 1 - FALSE_POSITIVES))]
    if len(mixed):
        limits.append(float(np.quantile(mixed @ w, 1 - MIXED_FALSE_POSITIVES)))
    return w, -max(limits)


def scores(values: np.ndarray, w: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Return the score of each row by the model of its size."""
    size = (values[:, -1] > 0).astype(int)
    return np.sum(values * w[size], axis=1) + bias[size]


def check(
    kinds: dict[str, np.ndarray], files: dict[str, list[real_files.RealFile]], natural: np.ndarray, mixed: np.ndarray
) -> None:
    """Each kind left out of the fit: its whole files and its excerpts, and how many are seen."""
    print(f"{'left out':18} {'files':>6} {'seen':>7} {'as is':>7} {'excerpts':>9} {'seen':>7}")
    for name, found in files.items():
        rest = {k: v for k, v in kinds.items() if k != name}
        w, bias = fit(np.vstack(list(rest.values())), natural, mixed, evenly(rest))

        def seen(texts: list[bytes], w: np.ndarray = w, bias: np.ndarray = bias) -> float:
            return float(np.mean(scores(np.array([junk_features(t) for t in texts]) / 1000, w, bias) > 0))

        whole, raw = seen([f.code for f in found]), seen([f.raw for f in found])
        excerpts = [e for f in found for e in f.excerpts()]
        print(f"{name:18} {len(found):6} {whole:7.1%} {raw:7.1%} {len(excerpts):9} {seen(excerpts):7.1%}", flush=True)


def evenly(kinds: dict[str, np.ndarray]) -> np.ndarray:
    """Return a weight for each row, so that kinds count by the square root of their size; negative for single lines."""
    signs = {CODE_LINES: -1}
    return np.concatenate([np.full(len(v), signs.get(name, 1) * len(v) ** -0.5) for name, v in kinds.items()])


def write(w: np.ndarray, bias: np.ndarray) -> None:
    tables = []
    for row in w:
        numbers = [round(x * SCALE / 1000) for x in row]
        tables.append(
            "\n".join("     " + " ".join(f"{n}," for n in numbers[i : i + 10]) for i in range(0, len(numbers), 10))
        )
    OUT.write_text(
        "// Written by tools/weights/fit_junk.py: weights in the order of JunkFeature, of long texts and of short ones.\n"
        f"constexpr int64_t JUNK_BIAS[2] = {{{', '.join(str(round(b * SCALE)) for b in bias)}}};\n"
        "constexpr int32_t JUNK_WEIGHTS[2][kJunkFeatures] = {\n"
        + "\n".join(f"    {{\n{table}\n    }}," for table in tables)
        + "\n};\n"
    )
    print("written:", OUT)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default="../shared/data", type=Path)
    parser.add_argument("--check", action="store_true", help="leave each kind out in turn; write nothing")
    parser.add_argument("--limit", type=int, default=real_files.MAX_FILES, help="files of a kind")
    args = parser.parse_args()
    if not (args.data / "train").is_dir():
        sys.exit(f"{args.data}/train is missing: fitting needs the data folder, given by --data")
    rng = random.Random(SEED)
    texts = language(args.data, rng)
    natural = values(texts)
    files = real_files.all_files(args.limit)
    not_language = {name: stretches([f for f in found if f.fold], rng) for name, found in files.items()}
    not_language[CODE_LINES] = code_lines([file for found in files.values() for file in found if file.fold], rng)
    not_language["made list"] = [made_list(rng) for _ in range(800)]
    kinds = {name: values(found) for name, found in not_language.items()}
    mixed = values(mixtures(texts, [text for found in not_language.values() for text in found], rng))
    print(f"{len(natural)} texts of language, {sum(map(len, kinds.values()))} of {len(kinds)} kinds that are not")
    if args.check:
        check(kinds, files, natural, mixed)
        return
    write(*fit(np.vstack(list(kinds.values())), natural, mixed, evenly(kinds)))


if __name__ == "__main__":
    main()
