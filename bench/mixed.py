"""Pages in two languages: are both found, and how well do the shares fit, against CLD2.

    python bench/mixed.py [--data DIR]

Found: the language has a share of at least 2% in the segments (CLD2: is among its top three with 2%). The F1 is that of
languages found over languages that are there, pages confirmed to hold both.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pycld2
import sets

from webtongue import Identifier, labels

LEAST = 0.02


def ours(ident: Identifier, raw: bytes) -> set[str]:
    shares: Counter[str] = Counter()
    for segment in ident.identify(raw).segments:
        shares[segment.label.split("_")[0]] += segment.share
    return {language for language, share in shares.items() if share >= LEAST}


def cld2(raw: bytes) -> set[str]:
    try:
        _, _, found = pycld2.detect(raw, isPlainText=False, bestEffort=True)
    except pycld2.error:
        return set()
    out = set()
    for _, code, percent, _ in found:
        label = labels.parse(code)
        if label and percent >= 100 * LEAST and code != "un":
            out.add(labels.fold(label).language)
    return out


def main() -> None:
    options = sets.arguments(__doc__ or "").parse_args()
    files, rows = sets.archive(sets.need(Path(options.data) / "dev" / "mixed") / "debian_mixed.tar.xz")
    ident = Identifier()
    pages = [row for row in rows if row.get("confirmed") and row.get("langs") and row["path"] in files]
    for name, way in (("webtongue", lambda raw: ours(ident, raw)), ("CLD2", cld2)):
        both = hit = said = there = 0
        for row in pages:
            gold = {labels.fold(label).language for label in row["langs"]}
            got = way(files[row["path"]])
            both += gold <= got
            hit += len(gold & got)
            said += len(got)
            there += len(gold)
        print(
            f"{name:10} both found on {both / len(pages):.1%} of {len(pages)} pages; F1 of languages {2 * hit / (said + there):.4f}"
        )


if __name__ == "__main__":
    main()
