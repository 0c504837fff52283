"""Links as evidence: `python bench/links.py [--data DIR] [linked] [votes]`.

linked: the short pages of dev/html/linked_html by text alone, by INLINKS (Hayati 2004) and with our hint.
votes: microseconds for each link that a crawler finds.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import sets
from common import NOT_A_LANGUAGE, options_parser, run_parts
from timing import best_call_seconds

import webtongue
from webtongue import labels
from webtongue.evidence.links import LinkVotes, links_hint
from webtongue.lab.methods import hayati
from webtongue.markup import read
from webtongue.page import Inlink, Page

SHORT_CHARS = 50  # as in table 5.1 of the paper
MIN_PROBABILITY = 1e-4  # by text, of a label that only links name


def most_likely_label(guesses, nats) -> str:
    """Return the most likely label by the guesses of the text and the log-likelihoods of the links."""
    scores = {guess.label: math.log(max(guess.probability, MIN_PROBABILITY)) for guess in guesses}
    known = {label.partition("_")[0] for label in scores}
    for name in nats:
        if name not in known and (label := labels.parse(name)):
            scores[str(labels.fold(label))] = math.log(MIN_PROBABILITY)
    return max(scores, key=lambda label: (scores[label] + nats.get(label.partition("_")[0], 0.0), label), default="und")


def visible_text(raw: bytes) -> str:
    """Return the text of a page that a reader sees."""
    return read(Page(webtongue.decode(raw).text.encode("utf-8", "replace"))).text


def first_guess(verdict: webtongue.Verdict) -> str:
    return verdict.guesses[0].label if verdict.guesses else "und"


@dataclass(frozen=True)
class LinkedPages:
    """The texts and Verdicts of the pages of a set by URL, and the first guesses by text."""

    texts: dict[str, str]
    verdicts: dict[str, webtongue.Verdict]
    guess_by_text: dict[str, str]

    @classmethod
    def read(cls, files: dict[str, bytes], rows: list[dict[str, Any]]) -> LinkedPages:
        texts = {row["url"]: visible_text(files[row["path"]]) for row in rows}
        verdicts = {row["url"]: webtongue.identify(files[row["path"]]) for row in rows}
        return cls(texts, verdicts, {text: first_guess(verdicts[url]) for url, text in texts.items()})

    def inlink(self, row: dict[str, Any]) -> Inlink:
        """Return a link with the language of its page, and without anchor text if the anchor is an image."""
        verdict = self.verdicts.get(row["url"])
        anchor = "" if row["anchor"].startswith("[") else row["anchor"]
        if verdict is None or verdict.label in NOT_A_LANGUAGE:
            return Inlink(row["url"], "", 0.0, anchor)
        return Inlink(row["url"], verdict.label, verdict.confidence, anchor)


def answers(row: dict[str, Any], pages: LinkedPages) -> dict[str, str]:
    """Return the answers of all methods for a page."""
    url, links = row["url"], [pages.inlink(link) for link in row["inlinks"]]
    linking_texts = [pages.texts[link] for link in dict.fromkeys(link.url for link in links) if link in pages.texts]
    verdict = pages.verdicts[url]
    labels = {"text alone": verdict.label, "text alone, first guess": first_guess(verdict)}
    for min_length in (hayati.MIN_LENGTH, hayati.MIN_REF_LENGTH):
        labels[f"INLINKS, MIN_LENGTH {min_length}"] = hayati.inlinks(
            pages.texts[url], linking_texts, pages.guess_by_text.__getitem__, min_length=min_length
        )
    with_anchors = links_hint(links, lambda text: webtongue.identify_text(text).guesses, url)
    labels["text and our links"] = most_likely_label(verdict.guesses, with_anchors.nats)
    without_anchors = links_hint(links, None, url)
    labels["text and our links, words left out"] = most_likely_label(verdict.guesses, without_anchors.nats)
    return labels


def report_linked(data: Path) -> None:
    """Print right answers by method and size of the text."""
    files, rows = sets.read_archive(sets.require_folder(data / "dev" / "html") / "linked_html.tar.xz")
    pages = LinkedPages.read(files, rows)
    results: dict[tuple[str, str], list[bool]] = {}
    for row in rows:
        if row["role"] == "target":
            size = "below 50" if row["text_chars"] < SHORT_CHARS else "50 and more"
            accepted = {str(labels.fold(label)) for label in (row["label"], *row["accept"])}
            for method, label in answers(row, pages).items():
                for part in (size, "all"):
                    results.setdefault((part, method), []).append(label in accepted)
    for (part, method), right in sorted(results.items()):
        print(f"linked_html, {part}: {method}: {sum(right)} of {len(right)} ({100 * np.mean(right):.1f}%)")


def report_votes() -> None:
    """Print the time to add a link and to compute the hint of a page with many links."""
    links = [Inlink(f"https://a{i % 5000}.example/{i}", "is", 0.9, "Heim") for i in range(50_000)]

    def collect(votes: LinkVotes) -> LinkVotes:
        for link in links:
            votes.add(link)
        return votes

    add_seconds = best_call_seconds(lambda: collect(LinkVotes("https://example.org/")), 3, time.process_time)
    hint_seconds = best_call_seconds(collect(LinkVotes()).hint, 5, time.process_time)
    print(
        f"{1e6 * add_seconds / len(links):.1f} us a link; "
        f"{1e3 * hint_seconds:.1f} ms to ask for the hint of a page with links of 5,000 sites"
    )


def main() -> None:
    parser = options_parser(__doc__)
    parser.add_argument("parts", nargs="*", default=["linked", "votes"], help="linked or votes (default both)")
    options = parser.parse_args()
    run_parts({"linked": lambda: report_linked(options.data), "votes": report_votes}, ",".join(options.parts))


if __name__ == "__main__":
    main()
