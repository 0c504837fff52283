"""Measure how real pages declare their encoding: the rates by which chew2011's pages are generated.

Charsets, references and fonts are measured on the pages of dev/html and on the list of old Declarations of Human Rights of
dev/encoding; `lang` is that of the paper's table 1. Only rates are used: no model is trained on the text of these sets.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from webtongue.charset.names import resolve
from webtongue.lab.evaluate.archives import read_archive
from webtongue.lab.evaluate.tables import Table
from webtongue.lab.papers.character_parser import declared_charset
from webtongue.lab.papers.real_pages import RealPage
from webtongue.lab.papers.synthetic_pages import Rates
from webtongue.markup import read
from webtongue.markup.declarations import declared_encoding

# Three publishers with thousands of similar pages, which would dominate the rates.
PUBLISHERS = frozenset(("debian_html", "fsfe_html", "epub3_xhtml"))
# Sets that were selected by encoding and declaration: they count for pages in old encodings only.
SELECTED_SETS = frozenset(("legacy_html", "hard_html", "linked_html"))
NON_ASCII_LETTER = re.compile(r"[^\W\d_\x00-\x7f]")
MIN_REFERENCE_LETTERS = 10  # a page with fewer letters in references does not count as one of references
REFERENCE = re.compile(rb"&(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z]+);")
DECLARATIONS = "nltk_udhr_legacy"
RARE_PREFIX = "legacy-font-or-rare:"
# In that list: files without a label in another script than Latin, those of them in abugidas, and the encodings under RARE_PREFIX
# that have a model here ("err" and "UTF8~" are a damaged file and UTF-8).
OTHER_SCRIPTS = frozenset(
    "Abkhaz Amharic Armenian Azeri_Azerbaijani_Cyrillic Belorus_Belaruski Bhojpuri Burmese_Myanmar Chinese_Mandarin "
    "Japanese_Nihongo Magahi Russian_Russky Tigrinya_Tigrigna".split()
)
ABUGIDAS = frozenset("Amharic Bhojpuri Burmese_Myanmar Magahi Tigrinya_Tigrigna".split())
WITH_MODEL = frozenset("HZ JIS TCVN VPS err UTF8~".split())
OTHER_SCRIPT_CODES = frozenset(("Latn", "Cyrl", "Grek", "Arab", "Hebr", "Jpan", "Hans", "Hant", "Hang"))


@dataclass(frozen=True, slots=True)
class RateCounts:
    """Counts of charset declarations by kind of encoding, of pages of references, and of old files by script and encoding."""

    charsets: dict[str, Counter[str]]
    pages: int
    references: int
    files: dict[str, Counter[str]]

    def share(self, kind: str, charset: str) -> float:
        """Return the share of a charset state among the pages of a kind of encoding."""
        return self.charsets[kind][charset] / max(self.charsets[kind].total(), 1)

    def untrained(self, kind: str) -> float:
        """Return the share of the files of a kind that are in an encoding without a model."""
        return self.files[kind]["no model"] / max(self.files[kind].total(), 1)

    @property
    def rates(self) -> Rates:
        """Return the rates for generating pages."""
        return Rates(
            missing=(self.share("utf-8", "missing"), self.share("other", "missing")),
            wrong=(self.share("utf-8", "wrong"), self.share("other", "wrong")),
            references=self.references / self.pages,
            untrained=(self.untrained("Latin"), self.untrained("other")),
            in_font=self.untrained("abugida"),
        )


def count_rates(data: Path, pages: Iterable[RealPage]) -> RateCounts:
    """Return the counts over real pages, without those of PUBLISHERS."""
    charsets: dict[str, Counter[str]] = {"utf-8": Counter(), "other": Counter()}
    total = references = 0
    for real in pages:
        if real.source in PUBLISHERS:
            continue
        total += 1
        references += is_in_references(real.page.raw)
        encoding = find_encoding(real)
        kind = "utf-8" if encoding == "utf-8" else "other"
        if encoding and not real.page.raw.isascii() and (kind == "other" or real.source not in SELECTED_SETS):
            charsets[kind][classify_charset(real, encoding)] += 1
    _, rows = read_archive(data / "dev" / "encoding" / f"{DECLARATIONS}.tar.xz")
    files: dict[str, Counter[str]] = {"Latin": Counter(), "other": Counter(), "abugida": Counter()}
    for row in rows:
        script = str(row["label"] or "").partition("_")[2]
        is_other = script != "Latn" if script else row["label_raw"] in OTHER_SCRIPTS
        name = str(row["encoding"]).removeprefix(RARE_PREFIX)
        model_state = "no model" if name != row["encoding"] and name not in WITH_MODEL else "model"
        files["other" if is_other else "Latin"][model_state] += 1
        if row["label_raw"] in ABUGIDAS or (script and script not in OTHER_SCRIPT_CODES):
            files["abugida"][model_state] += 1
    return RateCounts(charsets, total, references, files)


def find_encoding(real: RealPage) -> str:
    """Return a page's true encoding, empty where unknown; valid UTF-8 needs no label."""
    encoding = resolve(real.encoding)
    if encoding:
        return encoding.name
    try:
        real.page.raw.decode()
    except UnicodeDecodeError:
        return ""
    return "utf-8"


def classify_charset(real: RealPage, encoding: str) -> str:
    """Return whether the declared charset is right, wrong, missing or user-defined."""
    name = declared_charset(real.page)
    if not name:
        return "user-defined" if declared_encoding(read(real.page)).paper else "missing"
    declared = resolve(name)
    is_same = declared is not None and declared.name == encoding
    return "right" if is_same or real.page.raw.isascii() else "wrong"


def is_in_references(raw: bytes) -> bool:
    """Return True if most letters beyond ASCII are written as references."""
    references = Counter(REFERENCE.findall(raw))
    letters = sum(
        n for name, n in references.items() if (c := html.unescape(name.decode()))[:1].isalpha() and not c.isascii()
    )
    return letters > max(len(NON_ASCII_LETTER.findall(raw.decode("utf-8", "replace"))), MIN_REFERENCE_LETTERS)


def rate_table(counted: RateCounts) -> Table:
    """Return the rates beside the paper's counts of its own pages."""
    utf8, other = (counted.charsets[kind].total() for kind in ("utf-8", "other"))
    files = {kind: counts.total() for kind, counts in counted.files.items()}
    rates = counted.rates
    rows = (
        ("charset missing, page in UTF-8", None, 100 * rates.missing[0], utf8),
        ("charset missing, in another encoding", None, 100 * rates.missing[1], other),
        ("charset missing, all", 100 * 177 / 1660, None, 1660),
        ("charset false, in UTF-8", None, 100 * rates.wrong[0], utf8),
        ("charset false, in another encoding", None, 100 * rates.wrong[1], other),
        ("charset user-defined", 100 * 14 / 1660, None, 1660),
        ("letters mostly references", 100 * 76 / 1660, 100 * rates.references, counted.pages),
        ("in an encoding or font without a model: Latin script", None, 100 * rates.untrained[0], files["Latin"]),
        ("other scripts", None, 100 * rates.untrained[1], files["other"]),
        ("in a font, abugidas", None, 100 * rates.in_font, files["abugida"]),
    )
    note = (
        "The first six by the pages of dev/html without those of three large publishers (UTF-8: and without the sets that were "
        "chosen for how they declare themselves), the last three by a collection of old "
        "Declarations of Human Rights. The paper's 76 are the pages that were wrong only because of their "
        "references. Empty cells were not counted."
    )
    return Table("rates", "how pages declare what they are in, %", rows, ("", "paper", "measured here", "of"), note, "")
