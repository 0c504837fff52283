"""Romanised text, made from native text."""

from __future__ import annotations

import importlib.util
import random
from collections import Counter
from pathlib import Path

import pytest

from webtongue import labels
from webtongue.lab.train.corpus.read import GENERATED, SYNTHETIC, Corpus
from webtongue.lab.train.corpus.romanise import NATIVE_LABELS, SOURCE, add_romanised, make
from webtongue.lab.train.corpus.romanise.tables import FOLDER, USUAL, read_letters, read_words
from webtongue.lab.train.corpus.romanise.writer import Writer

# Native text, and a spelling of it that some writer must come to.
SPELT = [
    ("hin_Latn", "मतलब", "matlab"),
    ("hin_Latn", "समझना", "samajhna"),
    ("hin_Latn", "मित्र", "mitra"),
    ("hin_Latn", "तुम कहाँ हो?", "tum kahan ho?"),
    ("hin_Latn", "मुझे नहीं पता।", "mujhe nahi pata."),
    ("ben_Latn", "আমি ভালো আছি", "ami valo achi"),
    ("ben_Latn", "কলকাতা", "kolkata"),
    ("ben_Latn", "বন্ধ", "bondho"),
    ("ben_Latn", "হোঁচট", "hochot"),
    ("nep_Latn", "मलाई थाहा छैन", "malai thaha chaina"),
    ("mar_Latn", "तू कुठे आहेस", "tu kuthe ahes"),
    ("mar_Latn", "पाऊस वाढतोय", "paus vadhtoy"),
    ("guj_Latn", "તમે કેમ છો", "tame kem cho"),
    ("guj_Latn", "વરસાદ પછી", "varsad pachi"),
    ("guj_Latn", "પસંદગી", "pasandgi"),
    ("pan_Latn", "ਮੈਨੂੰ ਪਤਾ ਨਹੀਂ", "mainu pata nahi"),
    ("pan_Latn", "ਪੱਕਾ", "pakka"),
    ("pan_Latn", "ਲੱਗਦਾ", "lagda"),
    ("pan_Latn", "ਲੜਦੇ", "larde"),
    ("tam_Latn", "தம்பி", "thambi"),
    ("tam_Latn", "சங்கம்", "sangam"),
    ("tam_Latn", "காற்று", "katru"),
    ("tam_Latn", "மழைக் காலம்", "mazhai kalam"),
    ("tel_Latn", "నాకు తెలియదు", "naku teliyadu"),
    ("kan_Latn", "ನನಗೆ ಗೊತ್ತಿಲ್ಲ", "nanage gottilla"),
    ("mal_Latn", "എനിക്ക് അറിയില്ല", "enikku ariyilla"),
    ("mal_Latn", "വരുന്നു", "varunnu"),
    ("ara_Latn", "انا عايز", "ana 3ayez"),
    ("ara_Latn", "المكتب", "elmaktab"),
    ("ara_Latn", "فاتح", "fate7"),
    ("fas_Latn", "نمی‌دانم", "nemidanam"),
    ("fas_Latn", "سلام خوبی؟", "salam khoobi?"),
    ("urd_Latn", "مجھے معلوم نہیں", "mujhe malum nahi"),
    ("rus_Latn", "Я хочу домой", "Ya hochu domoy"),
    ("rus_Latn", "жить", "žit'"),
    ("ukr_Latn", "вже їдемо", "vzhe yidemo"),
    ("bul_Latn", "човек", "4ovek"),
    ("ell_Latn", "θέλω", "8elw"),
    ("ell_Latn", "Θέλω", "Thelo"),
    ("hye_Latn", "որդի", "vordi"),
    ("hye_Latn", "շուկա գնացինք", "shuka gnacinq"),
    ("kat_Latn", "ქალაქი", "qalaqi"),
    ("kor_Latn", "한국어", "hangugeo"),
    ("kor_Latn", "합니다", "hamnida"),
    ("kor_Latn", "좋다", "jota"),
]


def spellings(label: str, native: str, writers: int = 400) -> set[str]:
    line_of = make._make_line_romaniser(label, NATIVE_LABELS[label][-1], ())
    assert line_of is not None
    return {line_of(native, Writer(random.Random(seed))) for seed in range(writers)}


@pytest.mark.parametrize(("label", "native", "wanted"), SPELT)
def test_some_writer_spells_it_so(label: str, native: str, wanted: str) -> None:
    assert wanted in spellings(label, native)


@pytest.mark.parametrize("label", sorted({label for label, _, _ in SPELT}))
def test_writers_differ_and_leave_no_native_letter(label: str) -> None:
    native = " ".join(text for of_label, text, _ in SPELT if of_label == label)
    variants = spellings(label, native, 50)
    assert len(variants) > 3
    assert not any(make.NON_LATIN_LETTER.search(line) for line in variants)


def test_a_writer_keeps_to_a_habit() -> None:
    repeated = 0
    for seed in range(200):
        writer = Writer(random.Random(seed))
        drawn = [writer.pick("v", ("v", "w")) for _ in range(10)]
        repeated += max(drawn.count("v"), drawn.count("w")) >= 8
    assert repeated > 150


def test_urdu_has_its_vowels_from_hindi() -> None:
    of_hindi = make._make_line_romaniser("urd_Latn", "urd_Arab", ["किताब दुकान मुश्किल"])
    without_hindi = make._make_line_romaniser("urd_Latn", "urd_Arab", ())
    assert of_hindi is not None and without_hindi is not None
    wanted = "kitab dukan mushkil"
    assert wanted in {of_hindi("کتاب دکان مشکل", Writer(random.Random(seed))) for seed in range(200)}
    assert wanted not in {without_hindi("کتاب دکان مشکل", Writer(random.Random(seed))) for seed in range(200)}


def test_lines_are_made_of_native_text_only_and_the_same_every_time() -> None:
    lines = ["Я хочу домой и спать.", "The whole line is English, но", "Где ты был вчера вечером?", "Ми вже їдемо."]
    lines_of_label = []
    for _ in range(2):
        corpus = Corpus({("news", "rus_Cyrl"): lines, ("ebible", "rus_Cyrl"): ["В начале было слово."]})
        assert add_romanised(corpus) == []
        assert set(corpus.lines) == {("news", "rus_Cyrl"), ("ebible", "rus_Cyrl"), (SOURCE, "rus_Latn")}
        lines_of_label.append(corpus.lines[SOURCE, "rus_Latn"])
    assert lines_of_label[0] == lines_of_label[1]
    text = " ".join(lines_of_label[0]).lower()
    assert "domo" in text and "slovo" not in text and "english" not in text


@pytest.mark.parametrize("label", ["zho_Latn", "jpn_Latn"])
def test_labels_that_need_a_package_are_made_with_it_or_said_to_be_left_out(label: str) -> None:
    base, package, line, part = {
        "zho_Latn": ("zho_Hans", "pypinyin", "今天天气很好，我们去北京。", "beijing"),
        "jpn_Latn": ("jpn_Jpan", "pykakasi", "今日は天気がいいですね。", "desu"),
    }[label]
    corpus = Corpus({("news", base): [line] * 40})
    left_out = add_romanised(corpus)
    if importlib.util.find_spec(package) is None:
        assert left_out == [label] and (SOURCE, label) not in corpus.lines
    else:
        assert left_out == [] and part in " ".join(corpus.lines[SOURCE, label]).lower().replace("běijīng", part)


def test_quality_set_has_twenty_sentences_a_label() -> None:
    path = Path(__file__).parents[3] / "quality" / "romanised.tsv"
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line[0] != "#"]
    romanised = [label for label in NATIVE_LABELS if label.endswith("_Latn")]
    assert Counter(label for label, _ in rows) == dict.fromkeys(romanised, 20)
    assert len({text for _, text in rows}) == len(rows)


@pytest.mark.parametrize(
    ("label", "base", "line", "converted"),
    [
        ("azb_Arab", "aze_Latn", "Bu kitab", "بو کیتاب"),
        ("tgk_Latn", "tgk_Cyrl", "дар хона", "dar khona"),
        ("amh_Latn", "amh_Ethi", "ሰላም", "selam"),
        ("shi_Arab", "shi_Latn", "akal", "أكال"),
    ],
)
def test_text_in_another_script(label: str, base: str, line: str, converted: str) -> None:
    assert converted in list(make.generate_lines(label, {base: [line] * 40}))


def test_made_text_counts_as_made() -> None:
    assert SOURCE in GENERATED and SOURCE in SYNTHETIC


def test_shipped_tables_are_complete() -> None:
    for label, bases in NATIVE_LABELS.items():
        assert [str(labels.parse(name)) for name in (label, *bases)] == [label, *bases]
        if label not in ("zho_Latn", "jpn_Latn"):
            assert USUAL in read_letters(label)
        words = read_words(label)
        options = [*words.full.values(), *words.ends.values(), *words.chat]
        assert options and all(form and form.isprintable() and " " not in form for forms in options for form in forms)
        foreign = make.NON_LATIN_LETTER if label.endswith("_Latn") else make.NON_ARABIC_LETTER
        assert not any(foreign.search(form) for forms in options for form in forms)
    assert {path.stem for path in FOLDER.glob("*.tsv")} == {"letters", *NATIVE_LABELS}
