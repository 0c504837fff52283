"""Romanised text, made from native text."""

from __future__ import annotations

import importlib.util
import random
from collections import Counter
from pathlib import Path

import pytest

from webtongue import labels
from webtongue.train.corpus.read import MADE, SYNTHETIC, Corpus
from webtongue.train.corpus.romanise import MADE_FROM, SOURCE, add_romanised, make
from webtongue.train.corpus.romanise.tables import FOLDER, USUAL, letters_of, words_of
from webtongue.train.corpus.romanise.writer import Writer

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
    line_of = make._line_maker(label, MADE_FROM[label][-1], ())
    assert line_of is not None
    return {line_of(native, Writer(random.Random(seed))) for seed in range(writers)}


@pytest.mark.parametrize(("label", "native", "wanted"), SPELT)
def test_some_writer_spells_it_so(label: str, native: str, wanted: str) -> None:
    assert wanted in spellings(label, native)


@pytest.mark.parametrize("label", sorted({label for label, _, _ in SPELT}))
def test_writers_differ_and_leave_no_native_letter(label: str) -> None:
    native = " ".join(text for of_label, text, _ in SPELT if of_label == label)
    found = spellings(label, native, 50)
    assert len(found) > 3
    assert not any(make.OTHER_LETTER.search(line) for line in found)


def test_a_writer_keeps_to_a_habit() -> None:
    kept = 0
    for seed in range(200):
        writer = Writer(random.Random(seed))
        drawn = [writer.pick("v", ("v", "w")) for _ in range(10)]
        kept += max(drawn.count("v"), drawn.count("w")) >= 8
    assert kept > 150


def test_urdu_has_its_vowels_from_hindi() -> None:
    of_hindi = make._line_maker("urd_Latn", "urd_Arab", ["किताब दुकान मुश्किल"])
    alone = make._line_maker("urd_Latn", "urd_Arab", ())
    assert of_hindi is not None and alone is not None
    wanted = "kitab dukan mushkil"
    assert wanted in {of_hindi("کتاب دکان مشکل", Writer(random.Random(seed))) for seed in range(200)}
    assert wanted not in {alone("کتاب دکان مشکل", Writer(random.Random(seed))) for seed in range(200)}


def test_lines_are_made_of_native_text_only_and_the_same_every_time() -> None:
    lines = ["Я хочу домой и спать.", "The whole line is English, но", "Где ты был вчера вечером?", "Ми вже їдемо."]
    made = []
    for _ in range(2):
        corpus = Corpus({("news", "rus_Cyrl"): lines, ("ebible", "rus_Cyrl"): ["В начале было слово."]})
        assert add_romanised(corpus) == []
        assert set(corpus.lines) == {("news", "rus_Cyrl"), ("ebible", "rus_Cyrl"), (SOURCE, "rus_Latn")}
        made.append(corpus.lines[SOURCE, "rus_Latn"])
    assert made[0] == made[1]
    text = " ".join(made[0]).lower()
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
    path = Path(__file__).parents[2] / "quality" / "romanised.tsv"
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line[0] != "#"]
    assert Counter(label for label, _ in rows) == dict.fromkeys(MADE_FROM, 20)
    assert len({text for _, text in rows}) == len(rows)


def test_made_text_counts_as_made() -> None:
    assert SOURCE in MADE and SOURCE in SYNTHETIC


def test_shipped_tables_are_whole() -> None:
    for label, bases in MADE_FROM.items():
        assert [str(labels.parse(name)) for name in (label, *bases)] == [label, *bases]
        if label not in ("zho_Latn", "jpn_Latn"):
            assert USUAL in letters_of(label)
        words = words_of(label)
        options = [*words.whole.values(), *words.ends.values(), *words.chat]
        assert options and all(form and form.isprintable() and " " not in form for forms in options for form in forms)
        assert not any(make.OTHER_LETTER.search(form) for forms in options for form in forms)
    assert {path.stem for path in FOLDER.glob("*.tsv")} == {"letters", *MADE_FROM}
