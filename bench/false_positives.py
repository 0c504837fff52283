"""How often text of big languages, and junk, is taken for a rare language: what ruins a census of small languages.

    python bench/false_positives.py [--count 1000000] [--seed 1] [--data ../shared/data] [--examples 3]

Snippets are made of lines that training leaves out (webtongue.train.corpus.holdout) of the 30 biggest languages of the web,
passed through what the web does to them, and of phrases of bench/web_phrases.py. A rare label is one outside the 100
languages that Common Crawl's newest counts put first. An answer in a rare label is wrong unless it is the snippet's own.
"""

from __future__ import annotations

import csv
import lzma
import random
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import sets
import web_phrases as web

import webtongue
from webtongue.labels import fold
from webtongue.train.corpus.holdout import held_out
from webtongue.train.corpus.read import SCRIPTURE, SYNTHETIC

BIG = (
    "eng_Latn rus_Cyrl deu_Latn jpn_Jpan fra_Latn spa_Latn zho_Hans zho_Hant por_Latn ita_Latn pol_Latn nld_Latn tur_Latn "
    "ces_Latn ind_Latn vie_Latn kor_Hang ukr_Cyrl swe_Latn fas_Arab ara_Arab ron_Latn ell_Grek dan_Latn hun_Latn slk_Latn "
    "fin_Latn tha_Thai nob_Latn bul_Cyrl heb_Hebr hin_Deva"
).split()
COMMON = 100
SURE = 0.9
BATCH = 20_000
MOST_LINES = 4000  # held-out lines of a language
MOST_READ = 200_000  # lines of a file looked through
NOT_A_LANGUAGE = frozenset({"und", "zxx", "mul"})
ASCII_ONLY = "vie_Latn tur_Latn ces_Latn pol_Latn deu_Latn fra_Latn".split()
ROMANISED = "hin_Deva ara_Arab ell_Grek rus_Cyrl ukr_Cyrl".split()


@dataclass(frozen=True, slots=True)
class Snippet:
    """A text, what was done to it, and the languages that are no mistake besides und, zxx and mul."""

    text: str
    kind: str
    languages: frozenset[str]


class Maker:
    """Makes snippets of the lines of each language; the same ones for the same seed."""

    def __init__(self, lines: dict[str, list[str]], seed: int) -> None:
        self.lines, self.rng = lines, random.Random(seed)

    def make(self) -> Snippet:
        kind = self.rng.choices(KINDS, WEIGHTS)[0]
        text, labels = WAYS[kind](self)
        return Snippet(text, kind, frozenset(label.partition("_")[0] for label in labels))

    def line(self, among: list[str] | None = None) -> tuple[str, str]:
        label = self.rng.choice([name for name in (among or self.lines) if name in self.lines] or list(self.lines))
        return self.rng.choice(self.lines[label]), label

    def sentence(self) -> tuple[str, list[str]]:
        text, label = self.line()
        return text[:400], [label]

    def fragment(self) -> tuple[str, list[str]]:
        text, label = self.line()
        size = int(10 * 15 ** self.rng.random())
        start = self.rng.randrange(max(1, len(text) - size))
        return text[start : start + size], [label]

    def phrase(self, part: int) -> tuple[list[str], str]:
        label = self.rng.choice(list(web.PHRASES))
        items = web.PHRASES[label][part].split("|")
        return self.rng.sample(items, self.rng.randint(min(2, len(items)), len(items))), label

    def menu(self) -> tuple[str, list[str]]:
        items, label = self.phrase(0)
        return self.rng.choice(["\n", " | ", " ", " » ", " · "]).join(items), [label]

    def banner(self) -> tuple[str, list[str]]:
        items, label = self.phrase(1)
        return " ".join(items), [label]

    def goods(self) -> tuple[str, list[str]]:
        items, label = self.phrase(2)
        rng = self.rng
        rows = (
            f"{i} {self.code()} {rng.randint(1, 999)},{rng.randint(0, 99):02} {rng.choice(['€', '$', 'EUR', 'zł', '₽'])}"
            for i in items
        )
        return rng.choice(["\n", " "]).join(rows), [label]

    def code(self) -> str:
        letters = "".join(self.rng.choice("ABCDEFGHKLMNPRSTVXZ") for _ in range(self.rng.randint(1, 4)))
        joint, end = self.rng.choice(["-", "", " ", "/"]), self.rng.choice(["", "A", "-B", "X2"])
        return f"{letters}{joint}{self.rng.randint(10, 99999)}{end}"

    def codes(self) -> tuple[str, list[str]]:
        return self.rng.choice([" ", ", ", "\n"]).join(self.code() for _ in range(self.rng.randint(1, 20))), []

    def users(self) -> tuple[str, list[str]]:
        def user() -> str:
            word = "".join(
                c
                for c in self.line(["eng_Latn", "deu_Latn", "spa_Latn", "ind_Latn"])[0].lower()
                if c.isascii() and c.isalpha()
            )[:6]
            other = "".join(self.rng.choice("aeioukstrnmlxz") for _ in range(3))
            return self.rng.choice(
                [
                    f"{word}{self.rng.randint(1, 2010)}",
                    f"{word}_{other}",
                    f"{other}{word.title()}",
                    f"x{word}x",
                    word + other,
                ]
            )

        return self.rng.choice([" ", ", ", "\n"]).join(user() for _ in range(self.rng.randint(1, 15))), []

    def lorem(self) -> tuple[str, list[str]]:
        rng = self.rng
        words = [rng.choice(web.LOREM_ODD if rng.random() < 0.1 else web.LOREM) for _ in range(rng.randint(4, 40))]
        return " ".join(words).capitalize() + ".", ["lat_Latn"]

    def mojibake(self) -> tuple[str, list[str]]:
        text, label = self.line()
        text = text[:200]
        if self.rng.random() < 0.7:
            return text.encode().decode("windows-1252", "replace"), [label]
        return text.encode("windows-1252", "ignore").decode("utf-8", "replace"), [label]

    def romanised(self) -> tuple[str, list[str]]:
        text, label = self.line(ROMANISED)
        return web.romanise(text[:250], label), [label]

    def ascii_only(self) -> tuple[str, list[str]]:
        text, label = self.line(ASCII_ONLY)
        for letter, spelling in web.ASCII_SPELLINGS.get(label, {}).items():
            text = text.replace(letter, spelling)
        return unicodedata.normalize("NFD", text).encode("ascii", "ignore").decode()[:300], [label]

    def capitals(self) -> tuple[str, list[str]]:
        text, label = self.line()
        return text[:200].upper(), [label]

    def leet(self) -> tuple[str, list[str]]:
        text, label = self.line([name for name in BIG if name.endswith("Latn")])
        return text[:150].translate(str.maketrans("aeiostAEIOST", "431057431057")), [label]

    def hashtags(self) -> tuple[str, list[str]]:
        text, label = self.line()
        words = [word for word in text.split() if word.isalpha()] or [text[:12]]
        glued = "".join(word.title() for word in words[:3])
        return " ".join([*(f"#{word}" for word in words[: self.rng.randint(1, 6)]), f"#{glued}"]), [label]

    def truncated(self) -> tuple[str, list[str]]:
        text, label = self.line()
        return " ".join(w[: self.rng.randint(2, 6)] + "." if len(w) > 6 else w for w in text.split()[:15]) + "...", [
            label
        ]


WAYS: dict[str, Callable[[Maker], tuple[str, list[str]]]] = {
    "sentence": Maker.sentence, "fragment": Maker.fragment, "menu": Maker.menu, "cookie banner": Maker.banner,
    "product listing": Maker.goods, "product codes": Maker.codes, "user names": Maker.users, "lorem ipsum": Maker.lorem,
    "mojibake": Maker.mojibake, "romanised": Maker.romanised, "ASCII only": Maker.ascii_only, "ALL CAPS": Maker.capitals,
    "leetspeak": Maker.leet, "hashtags": Maker.hashtags, "truncated words": Maker.truncated,
}  # fmt: skip
KINDS = list(WAYS)
WEIGHTS = [20, 15, 8, 5, 8, 4, 4, 4, 5, 5, 8, 5, 2, 4, 3]  # shares of a hundred, in the order of WAYS


def read_lines(data: Path) -> dict[str, list[str]]:
    """Held-out lines of the big languages, a like number of each source."""
    out: dict[str, list[str]] = {}
    for label in BIG:
        by_source = []
        for path in sorted(sets.need(data / "train").glob(f"*/{label}.txt.xz")):
            if path.parent.name in SCRIPTURE | SYNTHETIC:
                continue
            with lzma.open(path, "rt", encoding="utf-8") as handle:
                lines = (line.rstrip("\n") for line in islice(handle, MOST_READ))
                by_source.append(list(islice((line for line in lines if held_out(line) and line.strip()), MOST_LINES)))
        each = MOST_LINES // max(1, len(by_source))
        found = [line for lines in by_source for line in lines[:each]]
        if found:
            out[label] = found
        else:
            print(f"no held-out lines of {label} in {data}/train", file=sys.stderr)
    return out


def common_languages(data: Path) -> frozenset[str]:
    """The languages with the most pages in the newest crawl that is counted, by our codes."""
    path = data / "web" / "languages.csv"
    if not path.is_file():
        sys.exit(f"{path} is missing: benchmarks need the data folder, given by --data")
    with path.open(encoding="utf-8", newline="") as handle:
        rows = [row for row in csv.DictReader(handle) if row["primary_language"].isalpha()]
    newest = max(row["crawl"] for row in rows)
    ranked = sorted((row for row in rows if row["crawl"] == newest), key=lambda row: -int(row["pages"]))
    return frozenset(fold(row["primary_language"]).language for row in ranked[:COMMON])


RELATIVES = {"hif_Latn": frozenset({"hin", "urd"})}  # Fiji Hindi is Hindi in Latin letters


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer in a rare label."""

    snippet: Snippet
    label: str
    confidence: float

    @property
    def right(self) -> bool:
        return self.label.partition("_")[0] in self.snippet.languages

    @property
    def near(self) -> bool:
        """A language that is written as the snippet's language is when it is romanised: counted apart."""
        return bool(RELATIVES.get(self.label, frozenset()) & self.snippet.languages)


def rare_answers(snippets: Iterator[Snippet], common: frozenset[str], totals: Counter[str]) -> list[Answer]:
    """All answers in rare labels; `totals` counts the snippets of each kind."""
    ident, out = webtongue.Identifier(priors="web"), []
    while batch := list(islice(snippets, BATCH)):
        totals.update(snippet.kind for snippet in batch)
        for snippet, label, confidence in zip(batch, *ident.classify_many([s.text for s in batch]), strict=True):
            language = label.partition("_")[0]
            if label not in NOT_A_LANGUAGE and language not in common:
                out.append(Answer(snippet, label, confidence))
        if sys.stderr.isatty():
            print(f"\r{totals.total():,}", end="", file=sys.stderr, flush=True)
    return out


def report(answers: list[Answer], totals: Counter[str], examples: int) -> None:
    near = [answer for answer in answers if answer.near]
    wrong = [answer for answer in answers if not answer.right and not answer.near]
    by_kind = Counter(answer.snippet.kind for answer in wrong)
    print(
        f"{totals.total():,} snippets, {len(wrong)} wrong rare answers: {1e4 * len(wrong) / max(1, totals.total()):.2f} in 10,000"
    )
    print(f"close relatives, counted apart: {Counter(answer.label for answer in near)}")
    for kind in KINDS:
        print(f"  {kind:16} {totals[kind]:9,} {by_kind[kind]:7,} {1e4 * by_kind[kind] / max(1, totals[kind]):9.2f}")
    sure = [answer for answer in answers if answer.confidence >= SURE]
    if sure:
        print(
            f"rare answers with confidence {SURE} or more: {len(sure)}, right {sum(a.right for a in sure) / len(sure):.1%}"
        )
    else:
        print(f"no rare answer has a confidence of {SURE} or more")
    by_label: dict[str, list[Answer]] = defaultdict(list)
    for answer in wrong:
        by_label[answer.label].append(answer)
    for label, found in sorted(by_label.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        print(
            f"{label:12} {len(found):6}  "
            + ", ".join(f"{k} {n}" for k, n in Counter(a.snippet.kind for a in found).most_common(4))
        )
        for answer in sorted(found, key=lambda a: -a.confidence)[:examples]:
            print(f"    {answer.confidence:.2f} {answer.snippet.kind}: {answer.snippet.text[:90]!r}")


def main() -> None:
    parser = sets.arguments(__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1_000_000, help="how many snippets (default 1,000,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=3, help="shown of each label")
    args = parser.parse_args()
    data = sets.need(Path(args.data))
    common = common_languages(data)
    maker = Maker(read_lines(data), args.seed)
    totals: Counter[str] = Counter()
    answers = rare_answers((maker.make() for _ in range(args.count)), common, totals)
    report(answers, totals, args.examples)


if __name__ == "__main__":
    main()
