"""Markov models of bytes: what is not in UTF-8 is decoded before it is counted."""

from __future__ import annotations

import pytest

from webtongue import Page
from webtongue.errors import UsageError
from webtongue.lab import methods
from webtongue.lab.methods.base import override_settings
from webtongue.lab.methods.markov import Markov, MarkovSettings

# Each in the encodings that pages of the language were written in.
TEXTS = {
    "jpn_Jpan": "図書館は毎日開いていて、子どもたちは放課後ここへ本を読みに来ます。雨がやんだら川まで歩いて行きましょう。",
    "kor_Hang": "도서관은 매일 열려 있고, 아이들은 방과 후에 책을 읽으러 여기에 옵니다. 비가 그치면 강까지 걸어갑시다.",
    "zho_Hans": "图书馆每天开放，孩子们放学后来这里看书。雨停了以后，我们就走到河边去看看哪条船是我们的。",
    "zho_Hant": "圖書館每天開放，孩子們放學後來這裡看書。雨停了以後，我們就走到河邊去看看哪條船是我們的。",
    "rus_Cyrl": "Библиотека открыта каждый день, и дети приходят сюда после школы читать. Когда дождь кончится, мы пойдём к реке.",
    "ell_Grek": "Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα, και τα παιδιά έρχονται εδώ μετά το σχολείο για να διαβάσουν.",
    "ces_Latn": "Knihovna je otevřená každý den a děti sem po škole chodí číst. Až přestane pršet, půjdeme k řece.",
    "deu_Latn": "Die Bücherei ist jeden Tag geöffnet, und die Kinder kommen nach der Schule hierher, um Bücher zu lesen.",
}
ENCODINGS = {
    "jpn_Jpan": ("euc_jp", "shift_jis", "iso2022_jp", "utf-8"),
    "kor_Hang": ("euc_kr", "utf-8"),
    "zho_Hans": ("gbk", "gb18030", "utf-8"),
    "zho_Hant": ("big5", "utf-8"),
    "rus_Cyrl": ("cp1251", "koi8_r", "utf-8", "utf-16"),
    "ell_Grek": ("cp1253", "utf-8"),
    "ces_Latn": ("cp1250", "iso8859_2", "utf-8"),
    "deu_Latn": ("cp1252", "utf-8"),
}
CASES = [(label, encoding) for label, encodings in ENCODINGS.items() for encoding in encodings]


@pytest.mark.parametrize(("label", "encoding"), CASES)
def test_the_shipped_model_reads_pages_in_any_encoding(label: str, encoding: str) -> None:
    model = methods.ready("markov")
    raw = f"<html><head><title>x</title></head><body><p>{TEXTS[label]}</p></body></html>".encode(encoding)
    assert model.answer(Page(raw)).label == label
    assert model.answer(raw).label == label


@pytest.mark.parametrize(("label", "encoding"), CASES)
def test_a_page_scores_like_its_text(label: str, encoding: str) -> None:
    model = Markov.fit({label: [text] for label, text in TEXTS.items()})
    page = Page(f"<p>{TEXTS[label]}</p>".encode(encoding))
    assert model.score(page) == pytest.approx(model.score(TEXTS[label]))
    assert model.answer(page).label == label


def test_documents_to_learn_from_are_decoded_too() -> None:
    pages = {label: [TEXTS[label].encode(encodings[0])] for label, encodings in ENCODINGS.items()}
    assert Markov.fit(pages).names == Markov.fit({label: [text] for label, text in TEXTS.items()}).names


def test_models_for_encodings_take_bytes_as_they_are() -> None:
    corpus = {f"{label}_{encoding}": [TEXTS[label].encode(encoding)] for label, encoding in CASES}
    model = Markov.fit(corpus)
    assert not model.settings.decode
    answer = model.answer(TEXTS["rus_Cyrl"].encode("koi8_r"))
    assert (answer.label, answer.encoding) == ("rus_Cyrl", "koi8_r")


def test_bytes_can_be_asked_for() -> None:
    model = Markov.fit({"rus_Cyrl": ["да"], "x": [b"\xff\xfe\xfd"]}, MarkovSettings(order=1, decode=False))
    assert model.score(b"\xff\xfe")["x"] > model.score(b"\xff\xfe")["rus_Cyrl"]


def test_what_is_no_text_has_a_reason() -> None:
    answer = methods.ready("markov").answer(Page(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4))
    assert answer.label == "und" and answer.reason


@pytest.mark.parametrize("given", [{"sizes": [4]}, {"edges": "wrap"}])
def test_n_grams_follow_the_order(given: dict[str, object]) -> None:
    settings = override_settings(MarkovSettings(), {"grams": given})
    with pytest.raises(UsageError, match="set order"):
        Markov.fit({"deu_Latn": [TEXTS["deu_Latn"]]}, settings)
    assert Markov.fit({"deu_Latn": [TEXTS["deu_Latn"]]}, MarkovSettings(order=3)).settings.grams.sizes == (4,)
