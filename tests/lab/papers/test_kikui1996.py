"""Tests of kikui1996: documents in the paper's coding systems, one set of totals, the worked example, the sweep of n."""

from __future__ import annotations

from dataclasses import replace

from webtongue import Page
from webtongue.lab.evaluate.tables import Claim, Table
from webtongue.lab.methods.kikui import Kikui, KikuiSettings
from webtongue.lab.papers import kikui_sweeps
from webtongue.lab.papers.kikui1996 import (
    PAPER_4,
    PUBLISHED,
    STATED,
    accuracy,
    check_coding,
    confusion_tables,
    decodes_right,
)
from webtongue.lab.papers.kikui_documents import (
    CODECS,
    CODINGS,
    ELSE,
    LATIN,
    OTHER_WEST,
    WEST,
    Document,
    find_coding,
    has_main_language,
    make_document,
    remove_declarations,
)
from webtongue.lab.papers.kikui_example import example_results
from webtongue.lab.papers.kikui_kinds import DOCUMENT_WORDS, TEXT, kinds_table, make_documents, share_answers
from webtongue.lab.papers.kikui_parts import check_parts, identify_part, longest_patterns, measure_few_characters
from webtongue.lab.papers.kikui_sweeps import (
    OTHER_TRAINING,
    WHOLE_WORD,
    WesternTexts,
    choose_threshold,
    judge_letters,
    sweep_class_letters,
)
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


def test_documents_are_in_the_coding_system_itself() -> None:
    german = RealPage(Page("<p>Grüße aus Köln – „schöne Straßen“ 日本</p>".encode()), "deu_Latn", "x", "utf-8")
    latin, ascii_ = (make_document(german, "deu", number) for number in range(2))
    assert (latin.coding, ascii_.coding) == LATIN
    assert ascii_.page.raw.isascii() and b"Gr&#252;&#223;e" in ascii_.page.raw
    assert b"Gr\xfc\xdfe" in latin.page.raw and not set(range(0x80, 0xA0)) & set(latin.page.raw)
    chinese = RealPage(Page("<p>这座房子在山上 朱镕基".encode()), "zho_Hans", "x", "utf-8")
    raw = make_document(chinese, "zho", 0).page.raw
    assert (
        "这座房子".encode("gb2312") in raw and b"&#38229;" in raw
    )  # the second character of the name is not in GB 2312
    assert set(CODECS) >= {
        name for label in ("jpn_Jpan", "kor_Hang", "zho_Hans", "zho_Hant") for name in CODINGS[label]
    }


def test_a_page_without_letters_of_iso_8859_1_is_in_ascii() -> None:
    plain = RealPage(Page("<p title='é'>plain words".encode()), "eng_Latn", "x", "utf-8")
    assert make_document(plain, "eng", 0).coding == "ascii"


def test_the_coding_system_is_scored() -> None:
    model = Kikui.fit(TEXTS, KikuiSettings(utf8=False))
    german = RealPage(Page("<p>das Haus steht auf dem Hügel und wir gehen".encode()), "deu_Latn", "x", "utf-8")
    for number in range(2):
        document = make_document(german, "deu", number)
        european = model.parts(document.page).european
        assert european is not None and check_coding(document, european) == (True, True) and decodes_right(document)
        assert check_coding(document, replace(european, encoding="euc-jis")) == (True, False)
    document = Document(Page("この家は丘の上".encode("euc_jp")), "jpn", "euc-jp", True)
    asian = model.parts(document.page).asian
    assert asian is not None and check_coding(document, asian) == (True, True)


def test_pages_in_two_languages_are_discarded() -> None:
    english = (
        "The library opens every morning at nine, and the children come after school to read and to borrow books. "
    )
    german = "Die Bücherei öffnet jeden Morgen um neun, und die Kinder kommen nach der Schule zum Lesen und Ausleihen. "
    mixed = RealPage(Page(f"<p>{english * 4}</p><p>{german * 4}</p>".encode()), "deu_Latn", "x", "utf-8")
    alone = RealPage(Page(f"<p>{german * 8}</p>".encode()), "deu_Latn", "x", "utf-8")
    assert has_main_language(alone) and not has_main_language(mixed)


def test_both_systems_are_asked_for_the_same_part() -> None:
    raw = "<p>The library opens every morning at nine, and children come to read books. 図書館は毎朝九時に開きます。</p>".encode(
        "euc_jp"
    )
    assert identify_part(raw, east=True) == "jpn" and identify_part(raw, east=False) == "eng"
    assert identify_part(b"<p>The library opens every morning at nine.", east=True) == ELSE


def test_few_characters_are_asked_of_both_systems() -> None:
    model = Kikui.fit(TEXTS, KikuiSettings(utf8=False))
    raw = "<p>この家は丘の上にあります。言語の識別の方法を見に行きます。</p>".encode("euc_jp")
    table, claim = measure_few_characters(model, [Document(Page(raw), "jpn", "euc-jp", True)], ["jpn"])
    assert isinstance(table, Table) and isinstance(claim, Claim)
    assert table.columns[1:3] == ("its method", "webtongue") and table.rows[-1][1:] == (100.0, 100.0, 100.0)
    assert claim.holds is None and "0 errors of 1" in claim.figures


def test_patterns_alone_are_ambiguous() -> None:
    euc = Document(Page("<p>言語の方法".encode("euc_jp")), "jpn", "euc-jp", True)
    assert {"euc-jis", "euc-gb"} <= longest_patterns(euc)


def test_quotes_of_windows_1252_make_a_false_part() -> None:
    model = Kikui.fit({**TEXTS, "jpn_Jpan": ["値はここにあります"]}, KikuiSettings(utf8=False))
    page = Page(b"<p>the house is on the hill and we are going there, it\x92l do")
    table, claim = check_parts(model, [Document(page, "eng", "iso-8859-1", True)])
    assert isinstance(table, Table) and isinstance(claim, Claim)
    assert len(table.rows) == 1 and claim.holds is False and claim.why.startswith("1 of these parts disappear")
    clean = Document(Page(b"<p>the house is on the hill"), "eng", "ascii", True)
    assert [r.holds for r in check_parts(model, [clean]) if isinstance(r, Claim)] == [True]


def test_kinds_of_documents_have_the_same_length() -> None:
    joined = make_documents(["one two three four five"] * 30, join=True)
    assert [len(document.split()) for document in joined] == [DOCUMENT_WORDS] * 2
    assert make_documents(["one two three"] * 30, join=False) == []
    assert share_answers([("eng", "eng"), (ELSE, "eng"), ("deu", "eng"), ("eng", "eng")]) == (50.0, 25.0, 25.0)
    model = Kikui.fit(TEXTS)
    kinds = {
        TEXT: {"eng": TEXTS["eng_Latn"]},
        "programs": {"eng": ["var xq zt"]},
        "lists of names": {},
        "lists of addresses": {},
    }
    claim = next(r for r in kinds_table(model, kinds) if isinstance(r, Claim))
    assert claim.holds is False and claim.why == "not so for lists of names, lists of addresses"


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
    assert [table.reproduces for table in tables] == [("figure 2",), ("table 2",), ("table 3",), ()]
    assert tables[3].columns[1:] == ("paper", "its method", "webtongue") and "euc-jis" in str(tables[3].rows[0][2])
    assert tables[0].rows[2] == ("JIS", "言語識別の方法", "言語識別の方法")
    assert tables[1].rows[-1][1::2] == ("-11.06", "-14.39", "-6.90", "-12.64")
    assert tables[2].rows[-1][1::2] == ("-5.90", "-10.30", "-9.60")


def western_texts() -> WesternTexts:
    corpus = {label: texts for label, texts in TEXTS.items() if label.endswith("_Latn")}
    others = ["huset ligger på bakken og vi skal gå dit for å se det", "talo on mäellä ja menemme sinne katsomaan sitä"]
    texts = ["we are going to see the house", others[0]]
    return WesternTexts(corpus, others, texts, ["eng", ELSE])


def test_the_threshold_is_not_chosen_on_the_other_languages_of_the_test() -> None:
    assert not {*OTHER_TRAINING} & {*OTHER_WEST, *WEST}


def test_ties_of_n_decide_nothing() -> None:
    assert judge_letters({3: (0, 5), 4: (0, 4)}, 10).holds is None
    assert judge_letters({3: (1, 5), 4: (0, 4)}, 10).holds is True
    assert judge_letters({3: (0, 5), 4: (1, 4)}, 10).holds is False


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
