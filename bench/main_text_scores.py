"""The main text of pages by webtongue, trafilatura, resiliparse and jusText: precision, recall, F1 and speed in one table.

    python bench/main_text_scores.py [--rounds 3] [--data DIR]

Pages are the 200 of bench/main_text_pages.py, which were written before the first run. A page's words (characters in Chinese and
Japanese) are compared as a bag; figures are means over pages. Speed is of one core, in turns; webtongue identifies the language
as well. With --data, speed is also measured on real pages of dev/html, which are larger.
"""

from __future__ import annotations

import importlib.metadata
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

import sets
from common import options_parser
from main_text_pages import MarkedPage, marked_pages
from timing import best_seconds

import webtongue

TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")
REAL_PAGES = 300
# jusText has stop words by language; None for languages without a list, which it then treats by link density alone.
JUSTEXT_LANGUAGES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish",
    "it": "Italian", "pt": "Portuguese", "nl": "Dutch", "pl": "Polish",
    "cs": "Czech", "sv": "Swedish", "fi": "Finnish", "is": "Icelandic",
    "el": "Greek", "ru": "Russian", "tr": "Turkish", "ar": "Arabic",
    "hi": "Hindi", "id": "Indonesian",
}  # fmt: skip
Extractor = Callable[[str, str], str]


def extractors() -> Mapping[str, Extractor]:
    """Return functions from a page and its language to its text."""
    import justext
    import trafilatura
    from resiliparse.extract.html2text import extract_plain_text

    stop_lists = {code: justext.get_stoplist(name) for code, name in JUSTEXT_LANGUAGES.items()}

    def by_justext(html: str, language: str) -> str:
        words = stop_lists.get(language)
        limits = {} if words else {"stopwords_low": 0, "stopwords_high": 0}
        paragraphs = justext.justext(html.encode(), words or frozenset(), encoding="utf-8", **limits)
        return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)

    return {
        "webtongue": lambda html, language: webtongue.extract(html).text,
        "trafilatura": lambda html, language: trafilatura.extract(html) or "",
        "resiliparse": lambda html, language: extract_plain_text(html, main_content=True),
        "jusText": by_justext,
    }


def tokens(text: str) -> Counter[str]:
    return Counter(TOKEN.findall(text.lower()))


def score(page: MarkedPage, text: str) -> tuple[float, float, float]:
    """Return precision, recall and F1 of a text."""
    expected, got = tokens("\n".join(page.main)), tokens(text)
    both = (expected & got).total()
    precision, recall = both / max(got.total(), 1), both / max(expected.total(), 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def report_scores(pages: Sequence[MarkedPage], rounds: int) -> None:
    functions = extractors()
    speed = {
        name: len(pages) / seconds
        for name, seconds in best_seconds(
            {name: _on_page(way) for name, way in functions.items()},
            pages,
            rounds,
            time.thread_time,
        ).items()
    }
    f1_by_design: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    print(
        f"{len(pages)} pages\n| | precision | recall | F1 | pages/s | times trafilatura's |\n| --- | --- | --- | --- | --- | --- |"
    )
    for name, way in functions.items():
        scores = [score(page, way(page.html, page.language)) for page in pages]
        for page, (_, _, f1) in zip(pages, scores, strict=True):
            f1_by_design[page.design][name].append(f1)
        means = [sum(column) / len(column) for column in zip(*scores, strict=True)]
        ratio = speed[name] / speed["trafilatura"]
        version = f"{name} {importlib.metadata.version(name)}"
        print(f"| {version} | {' | '.join(f'{mean:.3f}' for mean in means)} | {speed[name]:,.0f} | {ratio:.1f} |")
    print(f"\n| F1 | {' | '.join(functions)} |\n| --- |{' --- |' * len(functions)}")
    for design, by_name in f1_by_design.items():
        print(f"| {design} | {' | '.join(f'{sum(by_name[name]) / len(by_name[name]):.3f}' for name in functions)} |")


def _on_page(way: Extractor) -> Callable[[MarkedPage], object]:
    return lambda page: way(page.html, page.language)


def report_real_speed(items: Sequence[sets.Item], rounds: int) -> None:
    """Print the speed on real pages, decoded for all alike."""
    pages = [webtongue.decode(item.raw).text for item in items[:: max(len(items) // REAL_PAGES, 1)]][:REAL_PAGES]
    functions = {name: lambda html, way=way: way(html, "en") for name, way in extractors().items()}
    best = best_seconds(functions, pages, rounds, time.thread_time)
    print(f"\n{len(pages)} real pages, {sum(map(len, pages)) / len(pages):,.0f} characters each")
    for name, seconds in best.items():
        print(
            f"{name:12} {len(pages) / seconds:8,.0f} pages/s, {best['trafilatura'] / seconds:5.1f} times trafilatura's"
        )


def main() -> None:
    options = options_parser(__doc__, rounds=3).parse_args()
    report_scores(list(marked_pages()), options.rounds)
    if options.data.is_dir():
        report_real_speed([item for item in sets.html_pages(options.data) if item.raw], options.rounds)


if __name__ == "__main__":
    main()
