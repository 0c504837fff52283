"""How often text of large languages, or junk, is taken for a rare language: such errors ruin a census of small languages.

    python bench/false_positives.py [--count 1000000] [--seed 1] [--data ../shared/data] [--examples 3]

Snippets are lines of the 30 largest languages of the web that training leaves out (webtongue.lab.train.corpus.holdout), distorted
as text on the web is, and phrases of bench/web_phrases.py. A rare label is one outside the 100 languages with the most pages in
the newest crawl that Common Crawl has counted. An answer in a rare label is wrong unless it is a language of the snippet.
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
from common import NOT_A_LANGUAGE, options_parser

import webtongue
from webtongue.lab.train.corpus.holdout import is_held_out
from webtongue.lab.train.corpus.read import SCRIPTURE, SYNTHETIC
from webtongue.labels import fold

LARGE_LANGUAGES = (
    "eng_Latn rus_Cyrl deu_Latn jpn_Jpan fra_Latn spa_Latn zho_Hans zho_Hant por_Latn ita_Latn pol_Latn nld_Latn tur_Latn "
    "ces_Latn ind_Latn vie_Latn kor_Hang ukr_Cyrl swe_Latn fas_Arab ara_Arab ron_Latn ell_Grek dan_Latn hun_Latn slk_Latn "
    "fin_Latn tha_Thai nob_Latn bul_Cyrl heb_Hebr hin_Deva"
).split()
COMMON_LANGUAGES = 100  # languages with the most pages, which are not rare
MIN_CONFIDENCE = 0.9  # for the precision of confident rare answers
SNIPPETS_PER_BATCH = 20_000
MAX_LINES = 4000  # held-out lines of a language
MAX_LINES_READ = 200_000  # lines of a file
MAX_SENTENCE_CHARS = 400
MENU, BANNER, PRODUCTS = range(3)  # fields of web_phrases.PHRASES
CANTONESE = frozenset(
    "嘅咗喺佢哋唔嚟啲冇嗰"
)  # a line of Chinese text with one of these is Cantonese, filed under Chinese
ASCII_ONLY = "vie_Latn tur_Latn ces_Latn pol_Latn deu_Latn fra_Latn".split()
ROMANISED = "hin_Deva ara_Arab ell_Grek rus_Cyrl ukr_Cyrl".split()


@dataclass(frozen=True, slots=True)
class Snippet:
    """A text, the way it was generated, and the languages that are right besides und, zxx and mul."""

    text: str
    kind: str
    languages: frozenset[str]


class SnippetGenerator:
    """Generates snippets from the lines of each language, reproducibly from a seed."""

    def __init__(self, lines: dict[str, list[str]], seed: int) -> None:
        self.lines, self.rng = lines, random.Random(seed)

    def make(self) -> Snippet:
        kind = self.rng.choices(KINDS, WEIGHTS)[0]
        text, labels = GENERATORS[kind](self)
        return Snippet(text, kind, frozenset(label.partition("_")[0] for label in labels))

    def line(self, candidates: list[str] | None = None) -> tuple[str, str]:
        label = self.rng.choice([name for name in (candidates or self.lines) if name in self.lines] or list(self.lines))
        return self.rng.choice(self.lines[label]), label

    def sentence(self) -> tuple[str, list[str]]:
        text, label = self.line()
        return text[:MAX_SENTENCE_CHARS], [label]

    def fragment(self) -> tuple[str, list[str]]:
        text, label = self.line()
        size = int(10 * 15 ** self.rng.random())
        start = self.rng.randrange(max(1, len(text) - size))
        return text[start : start + size], [label]

    def phrases(self, field: int) -> tuple[list[str], str]:
        label = self.rng.choice(list(web.PHRASES))
        items = web.PHRASES[label][field].split("|")
        return self.rng.sample(items, self.rng.randint(min(2, len(items)), len(items))), label

    def menu(self) -> tuple[str, list[str]]:
        items, label = self.phrases(MENU)
        return self.rng.choice(["\n", " | ", " ", " » ", " · "]).join(items), [label]

    def banner(self) -> tuple[str, list[str]]:
        items, label = self.phrases(BANNER)
        return " ".join(items), [label]

    def product_listing(self) -> tuple[str, list[str]]:
        items, label = self.phrases(PRODUCTS)
        rng = self.rng
        rows = (
            f"{item} {self.product_code()} {rng.randint(1, 999)},{rng.randint(0, 99):02} "
            f"{rng.choice(['€', '$', 'EUR', 'zł', '₽'])}"
            for item in items
        )
        return rng.choice(["\n", " "]).join(rows), [label]

    def product_code(self) -> str:
        letters = "".join(self.rng.choice("ABCDEFGHKLMNPRSTVXZ") for _ in range(self.rng.randint(1, 4)))
        joint, end = self.rng.choice(["-", "", " ", "/"]), self.rng.choice(["", "A", "-B", "X2"])
        return f"{letters}{joint}{self.rng.randint(10, 99999)}{end}"

    def product_codes(self) -> tuple[str, list[str]]:
        return self.rng.choice([" ", ", ", "\n"]).join(self.product_code() for _ in range(self.rng.randint(1, 20))), []

    def user_names(self) -> tuple[str, list[str]]:
        def user_name() -> str:
            line = self.line(["eng_Latn", "deu_Latn", "spa_Latn", "ind_Latn"])[0].lower()
            word = "".join(c for c in line if c.isascii() and c.isalpha())[:6]
            noise = "".join(self.rng.choice("aeioukstrnmlxz") for _ in range(3))
            number = self.rng.randint(1, 2010)
            forms = (f"{word}{number}", f"{word}_{noise}", f"{noise}{word.title()}", f"x{word}x", word + noise)
            return self.rng.choice(forms)

        return self.rng.choice([" ", ", ", "\n"]).join(user_name() for _ in range(self.rng.randint(1, 15))), []

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
        text, label = self.line([name for name in LARGE_LANGUAGES if name.endswith("Latn")])
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


# Kinds of snippets, with their percentage and generator.
_KINDS: dict[str, tuple[int, Callable[[SnippetGenerator], tuple[str, list[str]]]]] = {
    "sentence": (20, SnippetGenerator.sentence),
    "fragment": (15, SnippetGenerator.fragment),
    "menu": (8, SnippetGenerator.menu),
    "cookie banner": (5, SnippetGenerator.banner),
    "product listing": (8, SnippetGenerator.product_listing),
    "product codes": (4, SnippetGenerator.product_codes),
    "user names": (4, SnippetGenerator.user_names),
    "lorem ipsum": (4, SnippetGenerator.lorem),
    "mojibake": (5, SnippetGenerator.mojibake),
    "romanised": (5, SnippetGenerator.romanised),
    "ASCII only": (8, SnippetGenerator.ascii_only),
    "ALL CAPS": (5, SnippetGenerator.capitals),
    "leetspeak": (2, SnippetGenerator.leet),
    "hashtags": (4, SnippetGenerator.hashtags),
    "truncated words": (3, SnippetGenerator.truncated),
}
KINDS = list(_KINDS)
WEIGHTS = [weight for weight, _ in _KINDS.values()]
GENERATORS = {kind: generate for kind, (_, generate) in _KINDS.items()}


def is_cantonese(label: str, line: str) -> bool:
    return label.startswith("zho_") and not CANTONESE.isdisjoint(line)


def read_lines(data: Path) -> dict[str, list[str]]:
    """Return held-out lines of the large languages, about as many of each source."""
    lines_by_label: dict[str, list[str]] = {}
    for label in LARGE_LANGUAGES:
        sources = []
        for path in sorted(sets.require_folder(data / "train").glob(f"*/{label}.txt.xz")):
            if path.parent.name in SCRIPTURE | SYNTHETIC:
                continue
            with lzma.open(path, "rt", encoding="utf-8") as handle:
                lines = (line.rstrip("\n") for line in islice(handle, MAX_LINES_READ))
                usable = (
                    line for line in lines if is_held_out(line) and line.strip() and not is_cantonese(label, line)
                )
                sources.append(list(islice(usable, MAX_LINES)))
        per_source = MAX_LINES // max(1, len(sources))
        if kept := [line for source in sources for line in source[:per_source]]:
            lines_by_label[label] = kept
        else:
            print(f"no held-out lines of {label} in {data}/train", file=sys.stderr)
    return lines_by_label


def common_languages(data: Path) -> frozenset[str]:
    """Return the languages with the most pages in the newest crawl, as our codes."""
    path = sets.require_folder(data / "web") / "languages.csv"
    with path.open(encoding="utf-8", newline="") as handle:
        rows = [row for row in csv.DictReader(handle) if row["primary_language"].isalpha()]
    newest = max(row["crawl"] for row in rows)
    ranked = sorted((row for row in rows if row["crawl"] == newest), key=lambda row: -int(row["pages"]))
    return frozenset(fold(row["primary_language"]).language for row in ranked[:COMMON_LANGUAGES])


RELATIVES = {"hif_Latn": frozenset({"hin", "urd"})}  # Fiji Hindi is Hindi in Latin letters


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer in a rare label."""

    snippet: Snippet
    label: str
    confidence: float

    @property
    def is_right(self) -> bool:
        return self.label.partition("_")[0] in self.snippet.languages

    @property
    def is_close_relative(self) -> bool:
        """Whether the label is written like the romanised language of the snippet; such answers are counted apart."""
        return bool(RELATIVES.get(self.label, frozenset()) & self.snippet.languages)


def rare_answers(snippets: Iterator[Snippet], common: frozenset[str], totals: Counter[str]) -> list[Answer]:
    """Return all answers in rare labels; ``totals`` counts the snippets of each kind."""
    ident, answers = webtongue.Identifier(priors="web"), []
    while batch := list(islice(snippets, SNIPPETS_PER_BATCH)):
        totals.update(snippet.kind for snippet in batch)
        texts = [snippet.text for snippet in batch]
        for snippet, label, confidence in zip(batch, *ident.classify_many(texts), strict=True):
            if label not in NOT_A_LANGUAGE and label.partition("_")[0] not in common:
                answers.append(Answer(snippet, label, confidence))
        if sys.stderr.isatty():
            print(f"\r{totals.total():,}", end="", file=sys.stderr, flush=True)
    return answers


def report(answers: list[Answer], totals: Counter[str], examples: int) -> None:
    relatives = [answer for answer in answers if answer.is_close_relative]
    wrong = [answer for answer in answers if not answer.is_right and not answer.is_close_relative]
    wrong_by_kind = Counter(answer.snippet.kind for answer in wrong)
    rate = 1e4 * len(wrong) / max(1, totals.total())
    print(f"{totals.total():,} snippets, {len(wrong)} wrong rare answers: {rate:.2f} in 10,000")
    print(f"close relatives, counted apart: {Counter(answer.label for answer in relatives)}")
    for kind in KINDS:
        rate = 1e4 * wrong_by_kind[kind] / max(1, totals[kind])
        print(f"  {kind:16} {totals[kind]:9,} {wrong_by_kind[kind]:7,} {rate:9.2f}")
    confident = [answer for answer in answers if answer.confidence >= MIN_CONFIDENCE]
    if confident:
        precision = sum(answer.is_right for answer in confident) / len(confident)
        print(f"rare answers with confidence {MIN_CONFIDENCE} or more: {len(confident)}, right {precision:.1%}")
    else:
        print(f"no rare answer has a confidence of {MIN_CONFIDENCE} or more")
    wrong_by_label: dict[str, list[Answer]] = defaultdict(list)
    for answer in wrong:
        wrong_by_label[answer.label].append(answer)
    for label, errors in sorted(wrong_by_label.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        kinds = Counter(answer.snippet.kind for answer in errors).most_common(4)
        print(f"{label:12} {len(errors):6}  " + ", ".join(f"{kind} {n}" for kind, n in kinds))
        for answer in sorted(errors, key=lambda answer: -answer.confidence)[:examples]:
            print(f"    {answer.confidence:.2f} {answer.snippet.kind}: {answer.snippet.text[:90]!r}")


def main() -> None:
    parser = options_parser(__doc__)
    parser.add_argument("--count", type=int, default=1_000_000, help="number of snippets (default 1,000,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=3, help="examples of each label (default 3)")
    options = parser.parse_args()
    common = common_languages(options.data)
    generator = SnippetGenerator(read_lines(options.data), options.seed)
    totals: Counter[str] = Counter()
    answers = rare_answers((generator.make() for _ in range(options.count)), common, totals)
    report(answers, totals, options.examples)


if __name__ == "__main__":
    main()
