"""The two parts of documents in Kikui 1996: webtongue on the same part, few characters, patterns alone, confused parts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import webtongue
from webtongue import Page, decode
from webtongue.lab.evaluate.tables import Cell, Claim, Table
from webtongue.lab.methods.document import read_text, strip_tags
from webtongue.lab.methods.east_asian import CODINGS, EastAsianText, match_escapes, match_pattern, match_text
from webtongue.lab.methods.kikui import Kikui
from webtongue.lab.papers.common import percent
from webtongue.lab.papers.kikui_documents import ANSWERED_AS, CODECS, EAST, ELSE, NAMES, WEST, Document
from webtongue.lab.papers.kikui_sweeps import answer_name

CHARACTER_COUNTS = (1, 2, 3, 5, 10, 20, 50)  # East-Asian characters, from part of a name to a paragraph
FRAME = b"The following people and organizations took part in the meeting of last week: "
C1_BYTE = re.compile(rb"[\x80-\x9f]")
MAX_LISTED = 12  # confused pages in the table


def identify_part(raw: bytes, east: bool) -> str:
    """Return webtongue's answer for one part of a document, as the method is scored: East-Asian characters, or all other text.

    The text is as webtongue decodes it.
    """
    text = read_text(decode(raw).text.encode())
    characters = match_text(text)
    part = (characters.text if characters else "") if east else (characters.rest.decode() if characters else text)
    return (EAST if east else WEST).get(webtongue.identify_text(part).label, ELSE)


def find_characters(document: Document) -> EastAsianText | None:
    """Return the East-Asian characters of a page as the default identifier decodes it, or None."""
    return match_text(read_text(decode(document.page.raw).text.encode()))


def measure_few_characters(model: Kikui, east: Sequence[Document], answers: Sequence[str]) -> Iterator[Table | Claim]:
    """Yield the accuracy for few East-Asian characters: section 5.3 says that most errors occur in such documents."""
    documents = [document for document in east if document.truth != ELSE]
    wrong = sum(document.truth not in (answer, ELSE) for document, answer in zip(east, answers, strict=True))
    texts = [(characters.text if (characters := find_characters(document)) else "") for document in documents]
    rows: list[tuple[Cell, ...]] = []
    right: dict[int, list[bool]] = {}
    for size in CHARACTER_COUNTS:
        cut = [text[len(text) // 2 :][:size] for text in texts]
        raws = [
            FRAME + text.encode(CODECS[document.coding], "ignore")
            for text, document in zip(cut, documents, strict=True)
        ]
        right[size] = [
            answer_name(model.parts(raw).asian, EAST) == document.truth
            for raw, document in zip(raws, documents, strict=True)
        ]
        ours = [identify_part(raw, True) == document.truth for raw, document in zip(raws, documents, strict=True)]
        decoded = [text in decode(raw).text for raw, text in zip(raws, cut, strict=True)]
        rows.append((f"{size} characters", percent(right[size]), percent(ours), percent(decoded)))
    fewest, most = CHARACTER_COUNTS[0], CHARACTER_COUNTS[-1]
    columns = ("", "its method", "webtongue", "webtongue, characters decoded right")
    note = (
        "The language of the East-Asian part; the paper gives no figures. webtongue is asked for the language of the same "
        "characters, as far as it has decoded them."
    )
    generated = f"an English sentence, and characters from the middle of each of {len(documents)} East-Asian pages in its coding"
    yield Table(
        "few",
        "East-Asian part by its length, % right",
        tuple(rows),
        columns,
        note,
        "lines",
        generated=generated,
        headline=True,
    )
    lost = sum(right[most]) - sum(right[fewest])
    yield Claim(
        "most errors on East-Asian pages come of few East-Asian characters (section 5.3)",
        None if wrong < 10 else lost > 0,
        f"{percent(right[fewest]):.1f}% right of {fewest} character, {percent(right[most]):.1f}% of {most}; whole pages: {wrong} "
        f"errors of {len(documents)}",
        "more characters mean fewer errors, but documents with few of them are generated here, and whole pages have too few "
        "errors to say what most of them come of; his few characters were names of people and organizations, ours are running text",
        "most errors on whole pages with many East-Asian characters",
    )  # fmt: skip


def pattern_table(model: Kikui, east: Sequence[Document]) -> Iterator[Table | Claim]:
    """Yield section 2.2: how often the patterns of table 1 alone decide the coding system of 8-bit documents."""
    rows: list[tuple[Cell, ...]] = []
    alone: list[bool] = []
    with_models: list[bool] = []
    eight_bit = [d for d in east if d.truth != ELSE and not match_escapes(d.page.raw) and d.coding in NAMES]
    for coding in sorted({document.coding for document in eight_bit}):
        documents = [document for document in eight_bit if document.coding == coding]
        name = ANSWERED_AS.get(coding, coding)
        by_pattern = [longest_patterns(document) == {name} for document in documents]
        by_model = [(part := model.parts(d.page).asian) is not None and part.encoding == name for d in documents]
        rivals = Counter(len(longest_patterns(document)) for document in documents)
        rows.append((NAMES[coding], len(documents), percent(by_pattern), percent(by_model), max(rivals)))
        alone += by_pattern
        with_models += by_model
    columns = ("", "pages", "by patterns alone", "with language models", "most systems with the longest match")
    note = "By patterns alone: the coding system whose pattern matches more characters than that of any other is the right one."
    yield Table("patterns", "coding systems of 8-bit pages, % right (section 2.2)", tuple(rows), columns, note)
    yield Claim(
        "8-bit coding systems cannot be told apart by patterns of bytes (section 2.2)",
        sum(alone) < sum(with_models),
        f"{percent(alone):.1f}% right by patterns alone, {percent(with_models):.1f}% with language models, of {len(alone)} pages",
        "not explained",
        "patterns alone right as often as language models",
    )


def longest_patterns(document: Document) -> set[str]:
    """Return the coding systems whose patterns match the most characters of a page."""
    raw = strip_tags(document.page.raw, decode_references=False)
    sizes = {coding.name: len(match_pattern(raw, coding).text.replace("\ufffd", "")) for coding in CODINGS}
    return {name for name, size in sizes.items() if size == max(sizes.values())}


def check_parts(model: Kikui, west: Sequence[Document]) -> Iterator[Table | Claim]:
    """Yield section 5.4, that the two parts are not confused; pages with menus of languages have both parts."""
    parts_by_document = [(document, model.parts(document.page)) for document in west]
    with_asian = [(document, parts) for document, parts in parts_by_document if answer_name(parts.asian, EAST) != ELSE]
    confused = [(document, parts) for document, parts in with_asian if find_characters(document) is None]
    rows: list[tuple[Cell, ...]] = []
    for document, parts in confused[:MAX_LISTED]:
        asian = model.divide(document.page).asian
        text = asian.text if asian else ""
        origin = "original bytes" if document.real else "rewritten"
        rows.append((
            f"{document.truth} in {NAMES.get(document.coding, document.coding)}, {origin}",
            f"{parts.asian.label} in {parts.asian.encoding}" if parts.asian else "",
            text[:10],
            model.answer(document.page).label,
        ))  # fmt: skip
    columns = ("page", "its East-Asian part", "characters", "answer for the page")
    note = (
        "Western pages in which the method finds East-Asian characters and webtongue's decoding of the page has none."
    )
    yield Table("confused", "Western pages with a false East-Asian part (section 5.4)", tuple(rows), columns, note, "")
    changed = sum(model.answer(document.page).label in EAST for document, _ in confused)
    cured = sum(model.parts(Page(C1_BYTE.sub(b" ", document.page.raw))).asian is None for document, _ in confused)
    yield Claim(
        "no confusion of the European and the East-Asian part (section 5.4)",
        not confused,
        f"{len(confused)} of {len(west)} Western pages have an East-Asian part without any such character; "
        f"{len(with_asian) - len(confused)} more have one and the characters for it",
        f"{cured} of these parts disappear without bytes 80 to 9F, which ISO-8859-1 leaves free: they are quotes of windows-1252, "
        f"which with the letter after them make a character of Shift JIS; the answer for the page is East Asian on {changed}",
        "a single document with a false part",
    )
