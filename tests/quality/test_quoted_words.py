"""A word of another script in a sentence does not take it, and terms in Latin letters do not take a sentence of another script."""

from __future__ import annotations

import pytest

from webtongue import Identifier

IDENT = Identifier()
WORDS = "감사합니다 ありがとう שלום ขอบคุณ спасибо дякую ευχαριστώ धन्यवाद شكرا 谢谢 გმადლობთ ধন্যবাদ".split()
LATIN_SENTENCES = {
    "eng": "I said {word} to the driver. The word {word} is not easy to say. She only knew {word} in their language.",
    "deu": "Sie sagte {word} zu dem Fahrer. Das Wort {word} ist nicht leicht. Er rief noch einmal {word} und ging.",
    "fra": "Il a dit {word} au chauffeur. Le mot {word} n'est pas facile. On a lu {word} sur le mur de la gare.",
    "spa": "Le dije {word} al conductor ayer. La palabra {word} no es nada fácil. Siempre dice {word} cuando se va.",
    "ita": "Ho detto {word} al signore del bar. La parola {word} non è facile. Ha scritto {word} sulla porta di casa.",
    "nld": "Hij zei {word} tegen de chauffeur. Het woord {word} is niet makkelijk. Ze riep {word} en liep weg.",
    "pol": "Powiedział {word} do kierowcy. Słowo {word} nie jest łatwe. Na murze ktoś napisał {word} dużymi literami.",
    "tur": "Şoföre {word} dedim ve indim. Bu {word} sözü hiç kolay değil. Duvara büyük harflerle {word} yazmışlar.",
    "hun": "Azt mondtam, hogy {word} a sofőrnek. A {word} szó nem könnyű. Valaki azt írta a falra, hogy {word} tegnap.",
}
TERMS = ("iPhone", "online", "wi-fi", "Windows", "app", "Google Play", "bluetooth", "cloud")
OTHER_SENTENCES = {
    "rus": "Я купил {0} и настроил {1} через {2}. Теперь {0} работает без {1}, но я всё равно скачал {2}.",
    "ukr": "Я придбав {0} і налаштував {1} через {2}. Тепер {0} працює без {1}, але я все одно завантажив {2}.",
    "bul": "Купих си {0} и настроих {1} чрез {2}. Вече {0} работи без {1}, но пак изтеглих {2}.",
    "ell": "Αγόρασα το {0} και ρύθμισα το {1} μέσω {2}. Τώρα το {0} δουλεύει χωρίς {1}.",
    "ara": "اشتريت {0} وقمت بضبط {1} عن طريق {2}. الآن يعمل {0} بدون {1}.",
    "heb": "קניתי {0} והגדרתי {1} דרך {2}. עכשיו {0} עובד בלי {1}.",
    "hin": "मैंने {0} खरीदा और {1} को {2} से जोड़ा। अब {0} बिना {1} के चलता है।",
    "tha": "ฉันซื้อ {0} แล้วตั้งค่า {1} ผ่าน {2} ตอนนี้ {0} ใช้งานได้โดยไม่ต้องมี {1}",
    "jpn": "新しい{0}を買って、{1}を{2}で設定しました。今は{0}が{1}なしで動きます。",
    "zho": "我买了{0}，用{2}设置了{1}。现在{0}不用{1}也能工作。",
    "kor": "새 {0}을 사서 {1}을 {2}로 설정했습니다. 이제 {0}은 {1} 없이 작동합니다.",
}


@pytest.mark.parametrize("language", LATIN_SENTENCES)
def test_a_quoted_word_does_not_take_the_sentence(language: str) -> None:
    """The script is that of the sentence; its language may be unclear."""
    sentences = [sentence + "." for sentence in LATIN_SENTENCES[language].rstrip(".").split(". ")]
    texts = [sentence.format(word=word) for word in WORDS for sentence in sentences]
    wrong = [text for text in texts if IDENT.identify_text(text).label.endswith("_Latn") is False]
    assert len(wrong) <= 0.06 * len(texts), wrong


@pytest.mark.parametrize("language", OTHER_SENTENCES)
def test_latin_terms_do_not_take_the_sentence(language: str) -> None:
    texts = [
        OTHER_SENTENCES[language].format(TERMS[i], TERMS[(i + 3) % len(TERMS)], TERMS[(i + 5) % len(TERMS)])
        for i in range(len(TERMS))
    ]
    wrong = [text for text in texts if not IDENT.identify_text(text).label.startswith(language)]
    assert not wrong
