"""Tests of kikui1996: documents in the paper's coding systems, one set of totals, the worked example, the sweep of n."""

from __future__ import annotations

from webtongue import Page
from webtongue.lab.evaluate.tables import Claim, Table
from webtongue.lab.methods.kikui import Kikui
from webtongue.lab.papers import kikui_sweeps
from webtongue.lab.papers.kikui1996 import PAPER_4, PUBLISHED, STATED, accuracy, confusion_tables
from webtongue.lab.papers.kikui_documents import ELSE, Document, find_coding, make_document, remove_declarations
from webtongue.lab.papers.kikui_example import example_results
from webtongue.lab.papers.kikui_sweeps import WHOLE_WORD, WesternTexts, choose_threshold, sweep_class_letters
from webtongue.lab.papers.real_pages import RealPage

TEXTS = {
    "eng_Latn": ["the house is on the hill and we are going there to see it"] * 4,
    "deu_Latn": ["das Haus steht auf dem Hügel und wir gehen dorthin, um es zu sehen"] * 4,
    "fra_Latn": ["la maison est sur la colline et nous y allons pour la voir"] * 4,
    "ita_Latn": ["la casa sta sulla collina e noi andiamo a vederla insieme"] * 4,
    "spa_Latn": ["la casa está en la colina y vamos allí para verla juntos"] * 4,
    "por_Latn": ["a casa fica na colina e nós vamos lá para a ver juntos"] * 4,
    "jpn_Jpan": ["この家は丘の上にあります。言語の識別の方法を見に行きます。"],
    "kor_Hang": ["이 집은 언덕 위에 있고 우리는 그것을 보러 갑니다"],
    "zho_Hans": ["这座房子在山上，我们去那里看看。"],
    "zho_Hant": ["這座房子在山上，我們去那裡看看。"],
}


def test_pages_in_a_coding_system_stay_as_they_are() -> None:
    raw = "<meta charset=shift_jis><p>この家は丘の上".encode("shift_jis")
    real = RealPage(Page(raw), "jpn_Jpan", "x", "shift_jis")
    assert find_coding(real) == "shift_jis"
    document = make_document(real, "jpn", 0)
    assert document.real and document.coding == "shift_jis"
    assert b"shift_jis" not in document.page.raw and document.page.raw.endswith("この家は丘の上".encode("shift_jis"))


def test_other_pages_are_put_into_one() -> None:
    page = RealPage(Page("<meta charset=utf-8><p>この家は丘の上にあります".encode()), "jpn_Jpan", "x", "utf-8")
    documents = [make_document(page, "jpn", number) for number in range(3)]
    assert [d.coding for d in documents] == ["euc-jp", "shift_jis", "iso-2022-jp"]
    assert not any(d.real for d in documents)
    plain = RealPage(Page(b"<p>only letters of ASCII"), "eng_Latn", "x", "ascii")
    assert find_coding(plain) == ""
    seven_bits = RealPage(Page("日本".encode("iso2022_jp")), "jpn_Jpan", "x", "iso-2022-jp")
    assert find_coding(seven_bits) == "iso-2022-jp"


def test_declarations_are_taken_out_byte_by_byte() -> None:
    raw = b'<?xml version="1.0" encoding="euc-jp"?><meta http-equiv=x content="text/html; charset=euc-jp">\xa4\xce'
    assert (
        remove_declarations(Page(raw)).raw == b'<?xml version="1.0" ?><meta http-equiv=x content="text/html">\xa4\xce'
    )


def test_the_paper_has_one_set_of_totals() -> None:
    documents = [Document(Page(b"x"), truth, "ascii", True) for truth in ("deu", ELSE)]
    tables = list(confusion_tables("table 4", "title", PAPER_4, documents, [["deu", "deu"], ["deu", ELSE]], {}))
    assert all(table.reproduces == ("table 4",) for table in tables)
    total = tables[1].rows[-1]
    assert total == ("all", STATED["table 4"], 50.0, 100.0)
    assert f"{accuracy(PAPER_4):.1f}%" in tables[1].note  # what the cells add up to is said, and used nowhere else
    assert {"table 4", "table 5"} == set(STATED) and set(STATED) < set(PUBLISHED)


def test_the_worked_example_is_run_again() -> None:
    results = list(example_results(Kikui.fit(TEXTS)))
    tables = [table for table in results if isinstance(table, Table)]
    assert [table.reproduces for table in tables] == [("figure 2",), ("table 2",), ("table 3",)]
    assert tables[0].rows[2] == ("JIS", "言語識別の方法", "言語識別の方法")
    assert tables[1].rows[-1][1::2] == ("-11.06", "-14.39", "-6.90", "-12.64")
    assert tables[2].rows[-1][1::2] == ("-5.90", "-10.30", "-9.60")


def western_texts() -> WesternTexts:
    corpus = {label: texts for label, texts in TEXTS.items() if label.endswith("_Latn")}
    others = ["huset ligger på bakken og vi skal gå dit for å se det", "talo on mäellä ja menemme sinne katsomaan sitä"]
    texts = ["we are going to see the house", others[0]]
    return WesternTexts(corpus, others, texts, ["eng", ELSE])


def test_n_is_swept() -> None:
    table, claim = sweep_class_letters(western_texts())
    assert isinstance(table, Table) and isinstance(claim, Claim)
    assert [row[0] for row in table.rows] == [f"n = {n}" for n in kikui_sweeps.CLASS_LETTERS] + ["whole words"]
    assert WHOLE_WORD not in kikui_sweeps.CLASS_LETTERS and "n = 4" in claim.text


def test_a_threshold_is_chosen_by_training_text_only() -> None:
    model = Kikui.fit(western_texts().corpus)
    chosen = choose_threshold(model, western_texts())
    assert chosen.settings.threshold in kikui_sweeps.THRESHOLDS
    without_test_pages = WesternTexts(western_texts().corpus, western_texts().others, [], [])
    assert choose_threshold(model, without_test_pages).settings == chosen.settings
