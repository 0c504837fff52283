"""The worked example of Kikui 1996, section 4: figure 2, tables 2 and 3, with our models."""

from __future__ import annotations

from collections.abc import Iterator

import webtongue
from webtongue.lab.evaluate.tables import BESIDE, Cell, Claim, Table
from webtongue.lab.methods.base import Answer
from webtongue.lab.methods.east_asian import CODINGS, match_pattern, match_text
from webtongue.lab.methods.kikui import Kikui, get_word_class, split_words

CODE_STRING = bytes.fromhex("b8c0b8ecbcb1cacca4cecafdcba10a4964656e74696679696e6720746865204c616e67756167650a")
NO_ANSWER = Answer("none")
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


def example_results(model: Kikui) -> Iterator[Table | Claim]:
    """Yield figure 2, tables 2 and 3, and the answers for the code string."""
    strings = {coding.name: match_pattern(CODE_STRING, coding) for coding in CODINGS if coding.name in NAMES}
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (NAMES[name], FIGURE_2[name] or "lost in the scan", strings[name].text) for name in NAMES
    )
    note = "The GB row is that of a scan of the paper; where it differs, the scan has a wrong character."
    yield Table("figure2", "the code string of section 4 in each coding system", rows, ("", "paper", "its method"), note,
                "", ("figure 2",))  # fmt: skip
    averages = {name: model.likeliest(string) for name, string in strings.items()}
    yield table_2(model, averages)
    yield table_3(model)
    yield from answer_table(model)


def answer_table(model: Kikui) -> Iterator[Table | Claim]:
    """Yield the answers for the code string: of the paper, of its method here and of webtongue, for each part."""
    parts, decoded = model.parts(CODE_STRING), webtongue.decode(CODE_STRING)
    asian, european = parts.asian or NO_ANSWER, parts.european or NO_ANSWER
    characters = match_text(decoded.text)
    ours_asian = webtongue.identify_text(characters.text).label if characters else "none"
    ours_european = webtongue.identify_text(characters.rest.decode() if characters else decoded.text).label
    verdict = webtongue.identify(CODE_STRING)
    rows = (
        (
            "East-Asian part",
            "jpn in EUC-JIS",
            f"{asian.label} in {asian.encoding}",
            f"{ours_asian} in {decoded.encoding}",
        ),
        ("European part", "eng", f"{european.label} in {european.encoding}", ours_european),
        ("the whole string", "", model.answer(CODE_STRING).label, f"{verdict.label} in {verdict.encoding}"),
    )
    note = "Of a whole string the method names the larger part, webtongue the main language. Its parts are those of its decoding."
    yield Table("example", "what the code string is answered", rows, ("", *BESIDE), note, "")
    yield Claim(
        "its method answers Japanese in EUC-JIS and English to the example (section 4)",
        (asian.label, asian.encoding, european.label) == ("jpn_Jpan", "euc-jis", "eng_Latn"),
        f"{asian.label} in {asian.encoding}, and {european.label}; webtongue is in the table of the example",
        "not explained",
        "another coding system or language",
    )


def table_2(model: Kikui, averages: dict[str, tuple[float, str]]) -> Table:
    """Return table 2: the scores of the characters."""
    rows: list[tuple[Cell, ...]] = []
    texts = {coding.name: match_pattern(CODE_STRING, coding).text for coding in CODINGS if coding.name in NAMES}
    for position in range(7):
        cells: list[Cell] = []
        for name, (_, printed, _) in TABLE_2.items():
            label = averages[name][1]
            cells += [
                format_log_probability(printed[position]) if position < len(printed) else "...",
                format_log_probability(model.character(texts[name][position], label)),
            ]
        rows.append((" ".join(text[position] for text in texts.values()), *cells))
    average_cells: list[Cell] = []
    for name, (_, _, average) in TABLE_2.items():
        average_cells += [format_log_probability(average), format_log_probability(averages[name][0])]
    columns = [
        heading
        for name, (language, _, _) in TABLE_2.items()
        for heading in (f"{NAMES[name]}[{language}]", f"ours[{averages[name][1][:3]}]")
    ]
    note = (
        "Log probabilities: the paper's, and ours of the same code string with our training text. The threshold is -10."
    )
    return Table("table2", "scores of the characters of the example", (*rows, ("average", *average_cells)), ("", *columns), note,
                 "", ("table 2",))  # fmt: skip


def table_3(model: Kikui) -> Table:
    """Return table 3: the scores of the words."""
    labels = {"eng": "eng_Latn", "deu": "deu_Latn", "ita": "ita_Latn"}
    classes = [get_word_class(word, model.settings.last) for word in split_words("Identifying the Language")]
    scores = model.parts(CODE_STRING).european_scores
    rows: list[tuple[Cell, ...]] = []
    for position, name in enumerate([*classes, "average"]):
        cells: list[Cell] = []
        for language, label in labels.items():
            score = scores[label] if name == "average" else model.word(name, label)
            cells += [format_log_probability(TABLE_3[language][position]), format_log_probability(score)]
        rows.append((name, *cells))
    columns = [heading for language in labels for heading in (language, f"{language}, ours")]
    return Table("table3", "scores of the words of the example", tuple(rows), ("", *columns), "", "", ("table 3",))


def format_log_probability(logarithm: float) -> str:
    """Return a log probability as the paper prints it; floats would be printed as percentages."""
    return f"{logarithm:.2f}"
