"""How real pages declare what they are in: the rates by which chew2011's made pages are made.

Charsets, references and fonts are measured here, on the pages of dev/html and the list of dev/encoding's old Declarations of Human
Rights; `lang` as the paper's table 1 has it. Only rates are taken: no text of these sets teaches anything.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from character_parser import valid_charset
from made_pages import Rates
from real_pages import RealPage

from webtongue.encodings.names import resolve
from webtongue.evaluate.archives import archive
from webtongue.evaluate.tables import Table
from webtongue.hints.declared import declared_encoding
from webtongue.markup import read

# Three publishers with thousands of pages alike, which would drown all others.
PUBLISHERS = frozenset(("debian_html", "fsfe_html", "epub3_xhtml"))
# Sets that were chosen for how they are encoded and declared: they tell of pages in old encodings only.
CHOSEN = frozenset(("legacy_html", "hard_html", "linked_html"))
BEYOND = re.compile(r"[^\W\d_\x00-\x7f]")  # letters beyond ASCII
LEAST = 10  # letters in references, below which a page is not called one of references
REFERENCE = re.compile(rb"&(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z]+);")
DECLARATIONS = "nltk_udhr_legacy"
RARE = "legacy-font-or-rare:"
# Of that list: files in another script than Latin whose label is not given, those of them in abugidas, and the codings under RARE
# for which a model is made here ("err" and "UTF8~" are a damaged file and UTF-8).
OTHER_SCRIPTS = frozenset(
    "Abkhaz Amharic Armenian Azeri_Azerbaijani_Cyrillic Belorus_Belaruski Bhojpuri Burmese_Myanmar Chinese_Mandarin "
    "Japanese_Nihongo Magahi Russian_Russky Tigrinya_Tigrigna".split()
)
ABUGIDAS = frozenset("Amharic Bhojpuri Burmese_Myanmar Magahi Tigrinya_Tigrigna".split())
WITH_MODEL = frozenset("HZ JIS TCVN VPS err UTF8~".split())
NO_ABUGIDA = frozenset(("Latn", "Cyrl", "Grek", "Arab", "Hebr", "Jpan", "Hans", "Hant", "Hang"))


@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted: charsets by kind of encoding, pages of references, and old files by script and coding."""

    charsets: dict[str, Counter[str]]
    pages: int
    references: int
    files: dict[str, Counter[str]]

    def share(self, kind: str, charset: str) -> float:
        return self.charsets[kind][charset] / max(self.charsets[kind].total(), 1)

    def untrained(self, kind: str) -> float:
        return self.files[kind]["no model"] / max(self.files[kind].total(), 1)

    @property
    def rates(self) -> Rates:
        return Rates(
            missing=(self.share("utf-8", "missing"), self.share("other", "missing")),
            wrong=(self.share("utf-8", "wrong"), self.share("other", "wrong")),
            references=self.references / self.pages,
            untrained=(self.untrained("Latin"), self.untrained("other")),
            in_font=self.untrained("abugida"),
        )


def count(data: Path, pages: Iterable[RealPage]) -> Counted:
    """Count real pages, those of PUBLISHERS apart."""
    charsets: dict[str, Counter[str]] = {"utf-8": Counter(), "other": Counter()}
    total = references = 0
    for real in pages:
        if real.source in PUBLISHERS:
            continue
        total += 1
        references += in_references(real.page.raw)
        encoding = encoding_of(real)
        kind = "utf-8" if encoding == "utf-8" else "other"
        if encoding and not real.page.raw.isascii() and (kind == "other" or real.source not in CHOSEN):
            charsets[kind][charset_of(real, encoding)] += 1
    _, rows = archive(data / "dev" / "encoding" / f"{DECLARATIONS}.tar.xz")
    files: dict[str, Counter[str]] = {"Latin": Counter(), "other": Counter(), "abugida": Counter()}
    for row in rows:
        script = str(row["label"] or "").partition("_")[2]
        other = script != "Latn" if script else row["label_raw"] in OTHER_SCRIPTS
        name = str(row["encoding"]).removeprefix(RARE)
        known = "no model" if name != row["encoding"] and name not in WITH_MODEL else "model"
        files["other" if other else "Latin"][known] += 1
        if row["label_raw"] in ABUGIDAS or (script and script not in NO_ABUGIDA):
            files["abugida"][known] += 1
    return Counted(charsets, total, references, files)


def encoding_of(real: RealPage) -> str:
    """A page's true encoding, empty where nobody knows: UTF-8 is known by itself."""
    found = resolve(real.encoding)
    if found:
        return found.name
    try:
        real.page.raw.decode()
    except UnicodeDecodeError:
        return ""
    return "utf-8"


def charset_of(real: RealPage, encoding: str) -> str:
    """Whether the declared charset is right, wrong, missing or user-defined."""
    name = valid_charset(real.page)
    if not name:
        return "user-defined" if declared_encoding(read(real.page)).paper else "missing"
    found = resolve(name)
    same = found is not None and found.name == encoding
    return "right" if same or real.page.raw.isascii() else "wrong"


def in_references(raw: bytes) -> bool:
    """Whether most letters beyond ASCII are written as references."""
    named = Counter(REFERENCE.findall(raw))
    letters = sum(
        n for name, n in named.items() if (c := html.unescape(name.decode()))[:1].isalpha() and not c.isascii()
    )
    return letters > max(len(BEYOND.findall(raw.decode("utf-8", "replace"))), LEAST)


def table(counted: Counted) -> Table:
    """The rates, beside what the paper counted of its own pages."""
    utf8, other = (counted.charsets[kind].total() for kind in ("utf-8", "other"))
    files = {kind: found.total() for kind, found in counted.files.items()}
    rates = counted.rates
    rows = (
        ("charset missing, page in UTF-8", None, 100 * rates.missing[0], utf8),
        ("charset missing, in another encoding", None, 100 * rates.missing[1], other),
        ("charset missing, all", 100 * 177 / 1660, None, 1660),
        ("charset false, in UTF-8", None, 100 * rates.wrong[0], utf8),
        ("charset false, in another encoding", None, 100 * rates.wrong[1], other),
        ("charset user-defined", 100 * 14 / 1660, None, 1660),
        ("letters mostly references", 100 * 76 / 1660, 100 * rates.references, counted.pages),
        (
            "in an encoding or font that no model was made for: Latin script",
            None,
            100 * rates.untrained[0],
            files["Latin"],
        ),
        ("other scripts", None, 100 * rates.untrained[1], files["other"]),
        ("in a font, abugidas", None, 100 * rates.in_font, files["abugida"]),
    )
    note = (
        "The first six by the pages of dev/html without those of three large publishers (UTF-8: and without the sets that were "
        "chosen for how they declare themselves), the last three by a collection of old "
        "Declarations of Human Rights. The paper's 76 are the pages that were wrong for their references alone. What is in no "
        "column was not counted by either."
    )
    return Table("rates", "how pages declare what they are in, %", rows, ("", "paper", "measured here", "of"), note, "")
