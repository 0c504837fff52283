"""The worked example of Kikui 1996, section 4: figure 2, tables 2 and 3, with our models."""

from __future__ import annotations

from collections.abc import Iterator

import webtongue
from webtongue.evaluate.tables import Cell, Claim, Table
from webtongue.methods.east_asian import CODINGS, by_pattern
from webtongue.methods.kikui import Kikui, word_class, words

CODES = bytes.fromhex("b8c0b8ecbcb1cacca4cecafdcba10a4964656e74696679696e6720746865204c616e67756167650a")
FIGURE_2 = {"euc-gb": "咐賂急侍の数恕", "euc-ks": "맛몄선奸궤鑒匣", "euc-jis": "言語識別の方法", "big5": ""}
NAMES = {"euc-gb": "GB", "euc-ks": "KS", "euc-jis": "JIS", "big5": "BIG5"}
# The values of five characters and the average of all seven; two rows were left out in print.
TABLE_2 = {
    "euc-gb": ("zho", (-11.05, -11.15, -8.47, -11.45, -15.51), -11.06),
    "euc-ks": ("kor", (-15.51, -15.51, -7.69, -15.51, -15.51), -14.39),
    "euc-jis": ("jpn", (-7.25, -7.86, -8.68, -7.71, -3.40), -6.9),
    "big5": ("zho", (-12.62, -10.86, -12.42, -15.51, -7.50), -12.64),
}
TABLE_3 = {
    "eng": (-7.45, -3.11, -7.20, -5.9),
    "deu": (-10.80, -9.40, -10.80, -10.3),
    "ita": (-10.80, -7.21, -10.80, -9.6),
}


def example(model: Kikui) -> Iterator[Table | Claim]:
    """Figure 2, tables 2 and 3, and what is made of the code string in the end."""
    strings = {coding.name: by_pattern(CODES, coding) for coding in CODINGS if coding.name in NAMES}
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (NAMES[name], FIGURE_2[name] or "lost in the scan", strings[name].text) for name in NAMES
    )
    note = "The GB row of the paper as it came down to us; where it differs the scan misread a character."
    yield Table("figure2", "the code string of section 4 in each coding system", rows, ("", "paper", "its method"), note,
                "", ("figure 2",))  # fmt: skip
    averages = {name: model.likeliest(found) for name, found in strings.items()}
    yield table_2(model, averages)
    yield table_3(model)
    parts, ours = model.parts(CODES), webtongue.identify(CODES)
    said = [(part.label, part.encoding) if part else ("", "") for part in (parts.asian, parts.european)]
    yield Claim(
        "the example is Japanese in EUC-JIS and English", said[0] == ("jpn_Jpan", "euc-jis") and said[1][0] == "eng_Latn",
        f"its method {said[0][0]} in {said[0][1]} and {said[1][0]}; webtongue, which names one language, {ours.label} in "
        f"{ours.encoding}",
    )  # fmt: skip


def table_2(model: Kikui, averages: dict[str, tuple[float, str]]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    texts = {coding.name: by_pattern(CODES, coding).text for coding in CODINGS if coding.name in NAMES}
    for place in range(7):
        cells: list[Cell] = []
        for name, (_, printed, _) in TABLE_2.items():
            label = averages[name][1]
            cells += [
                value(printed[place]) if place < len(printed) else "...",
                value(model.character(texts[name][place], label)),
            ]
        rows.append((" ".join(text[place] for text in texts.values()), *cells))
    ends: list[Cell] = []
    for name, (_, _, average) in TABLE_2.items():
        ends += [value(average), value(averages[name][0])]
    columns = [
        heading
        for name, (language, _, _) in TABLE_2.items()
        for heading in (f"{NAMES[name]}[{language}]", f"ours[{averages[name][1][:3]}]")
    ]
    note = (
        "Log probabilities: the paper's, and ours of the same code string with our training text. The threshold is -10."
    )
    return Table("table2", "scores of the characters of the example", (*rows, ("average", *ends)), ("", *columns), note, "",
                 ("table 2",))  # fmt: skip


def table_3(model: Kikui) -> Table:
    labels = {"eng": "eng_Latn", "deu": "deu_Latn", "ita": "ita_Latn"}
    classes = [word_class(word, model.settings.last) for word in words("Identifying the Language")]
    scores = model.score(CODES)
    rows: list[tuple[Cell, ...]] = []
    for place, name in enumerate([*classes, "average"]):
        cells: list[Cell] = []
        for language, label in labels.items():
            ours = scores[label] if name == "average" else model.word(name, label)
            cells += [value(TABLE_3[language][place]), value(ours)]
        rows.append((name, *cells))
    columns = [heading for language in labels for heading in (language, f"{language}, ours")]
    return Table("table3", "scores of the words of the example", tuple(rows), ("", *columns), "", "", ("table 3",))


def value(logarithm: float) -> str:
    """A log probability as the paper prints it; figures of tables are percentages, these are not."""
    return f"{logarithm:.2f}"
