"""Outlinks and INLINKS as published (Hayati 2004, sections 5.3 and 5.4), over any classifier of text.

Both identify a page too short to be classified by the pages around it: those that it links to, or those that link to it. The
paper's table 5.1 has three rows: pages of fewer than 25 characters, of 25 to 50, and both together. Its last row cannot be right:
70.0% lies outside its two parts, 71.0% and 70.9%.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

__all__ = ["MAX_INLINKS", "MIN_LENGTH", "MIN_REF_LENGTH", "inlinks", "majority", "outlinks"]

# The paper leaves MIN_LENGTH open ("some minimum length"); its samples are of pages below 50 characters.
MIN_LENGTH = 50
MAX_INLINKS = 10
MIN_REF_LENGTH = 150

Classifier = Callable[[str], str]


def inlinks(
    page: str,
    linking: Sequence[str],
    classify: Classifier,
    *,
    min_length: int = MIN_LENGTH,
    min_ref_length: int = MIN_REF_LENGTH,
    max_inlinks: int = MAX_INLINKS,
    own_wins: bool = False,
) -> str:
    """Return the language of a short page by majority vote of the pages that link to it and its own guess (algorithm 5.5).

    ``linking`` are the texts of linking pages; the first ten of at least 150 characters vote. Algorithm 5.5 does not say how ties
    end. Section 5.6, which describes what was measured, selects the most common language of the linking pages: so a tie goes to the
    language that most of them have, and among these to the first. With ``own_wins`` the page's own guess wins a tie that it is part
    of; one link can then never change an answer.

    >>> def by_word(text): return "fra" if "le" in text.split() else "eng"
    >>> inlinks("Photo 8", ["le chat dort sur le mur " * 10], by_word)
    'fra'
    >>> inlinks("Photo 8", ["le chat dort"] * 2, by_word)  # too short to vote
    'eng'
    >>> inlinks("Photo 8", ["le chat dort sur le mur " * 10], by_word, own_wins=True)
    'eng'
    """
    own_label = classify(page)
    if len(page) > min_length:
        return own_label
    votes = [classify(text) for text in [text for text in linking if len(text) >= min_ref_length][:max_inlinks]]
    if own_wins:
        return majority([own_label, *votes])
    link_counts = Counter(votes)
    counts = Counter([*votes, own_label])
    return max(counts, key=lambda label: (counts[label], link_counts[label]))


def outlinks(page: str, linked: Sequence[str], classify: Classifier, *, min_length: int = MIN_LENGTH) -> str:
    """Return the most common language of the pages that a short page links to (section 5.3).

    The page itself has no vote, unless it links to nothing. Ties go to the language that comes first.

    >>> outlinks("Photo 8", ["one", "two", "le un"], lambda text: "fra" if "le" in text else "eng")
    'eng'
    """
    if len(page) > min_length or not linked:
        return classify(page)
    return majority(map(classify, linked))


def majority(labels: Iterable[str]) -> str:
    """Return the most frequent label; of several, the one that comes first.

    >>> majority(["deu", "eng", "eng", "deu", "fra"])
    'deu'
    """
    counts = Counter(labels)  # keeps insertion order, which decides ties
    return max(counts, key=counts.__getitem__)
