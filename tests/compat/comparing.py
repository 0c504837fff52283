"""Texts for the adapters, and comparisons with the packages that they replace."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

# Sentences by ISO 639-1 code that every package identifies.
SENTENCES = {
    "en": "The library is open every day, and admission is free for everyone who lives in the city.",
    "de": "Die Bibliothek ist jeden Tag geöffnet, und der Eintritt ist für alle Bewohner der Stadt frei.",
    "fr": "La bibliothèque est ouverte tous les jours et l'entrée est gratuite pour les habitants de la ville.",
    "es": "La biblioteca está abierta todos los días y la entrada es gratuita para los vecinos de la ciudad.",
    "pl": "Biblioteka jest otwarta codziennie, a wstęp jest bezpłatny dla wszystkich mieszkańców miasta.",
    "fi": "Kirjasto on avoinna joka päivä, ja sisäänpääsy on ilmainen kaikille kaupungin asukkaille.",
    "hu": "A könyvtár minden nap nyitva van, és a belépés a város lakói számára ingyenes.",
    "ru": "Библиотека открыта каждый день, и вход бесплатный для всех жителей города.",
    "uk": "Бібліотека відчинена щодня, і вхід безкоштовний для всіх мешканців міста.",
    "el": "Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα και η είσοδος είναι δωρεάν για όλους τους κατοίκους.",
    "ar": "المكتبة مفتوحة كل يوم والدخول مجاني لجميع سكان المدينة.",
    "hi": "पुस्तकालय हर दिन खुला रहता है और शहर के सभी निवासियों के लिए प्रवेश निःशुल्क है।",
    "ja": "図書館は毎日開いていて、市の住民は誰でも無料で入ることができます。",
    "ko": "도서관은 매일 열려 있으며 시민은 누구나 무료로 들어갈 수 있습니다.",
    "th": "ห้องสมุดเปิดทุกวัน และผู้อยู่อาศัยในเมืองทุกคนเข้าได้ฟรี",
    "ta": "நூலகம் தினமும் திறந்திருக்கும், நகரவாசிகள் அனைவருக்கும் நுழைவு இலவசம்.",
}
NORWEGIAN = (
    "Biblioteket er åpent hver dag, og det er gratis inngang for alle som bor i byen. Jeg har ikke vært der ennå."
)
HEBREW = "הספרייה פתוחה בכל יום והכניסה חופשית לכל תושבי העיר."
CHINESE = {
    "Hans": "图书馆每天开放，市民都可以免费进入，这里还有很多关于历史的书。",
    "Hant": "圖書館每天開放，市民都可以免費進入，這裡還有很多關於歷史的書。",
}
CODE = "for (int i = 0; i < 10; i++) { sum += values[i] * 2; }"
WITHOUT_LETTERS = ("", " \t ", "123 456,78", "!?... ---")
LONG = SENTENCES["de"] * 3000


def require(package: str) -> Any:
    """Return the package that an adapter replaces, or skip the test."""
    return pytest.importorskip(package, reason=f"{package} is not installed, so that there is nothing to compare with")


def assert_accepts(ours: Callable[..., Any], theirs: Callable[..., Any]) -> None:
    """Check that our function takes every argument of theirs, by name, and positional ones in the same place."""
    parameters = inspect.signature(ours).parameters
    takes_any_name = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    names = [name for name in parameters if name != "self"]
    for position, (name, p) in enumerate(
        (name, p) for name, p in inspect.signature(theirs).parameters.items() if name != "self"
    ):
        if name in parameters:
            if p.kind is p.POSITIONAL_OR_KEYWORD:
                assert names[position] == name
            assert (p.default is p.empty) == (parameters[name].default is p.empty), name
        else:
            assert takes_any_name, f"{name} is not accepted"


def outcome(call: Callable[[], Any]) -> Any:
    """Return the type of what a call returns, or the name of the exception that it raises."""
    try:
        return type(call())
    except Exception as error:
        return type(error).__name__
