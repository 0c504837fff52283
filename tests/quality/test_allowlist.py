"""Tests of allowlists on our own sentences: text in an allowed language is identified, other text is und and never reliable."""

from __future__ import annotations

import pytest

from webtongue import Identifier, Reason, labels

MAX_FORCED_SHARE = 0.02  # of texts outside an allowlist with an allowed answer, which is then not reliable

TEXTS = {
    "eng_Latn": "The library opens at nine in the morning and closes at six in the evening, except on Sundays.",
    "deu_Latn": "Die Bibliothek öffnet um neun Uhr morgens und schließt abends um sechs, nur sonntags nicht.",
    "fra_Latn": "La bibliothèque ouvre à neuf heures du matin et ferme à six heures du soir, sauf le dimanche.",
    "spa_Latn": "La biblioteca abre a las nueve de la mañana y cierra a las seis de la tarde, menos los domingos.",
    "ita_Latn": "La biblioteca apre alle nove del mattino e chiude alle sei di sera, tranne la domenica.",
    "swe_Latn": "Biblioteket öppnar klockan nio på morgonen och stänger klockan sex på kvällen, utom på söndagar.",
    "fin_Latn": "Kirjasto aukeaa aamulla yhdeksältä ja sulkeutuu illalla kuudelta, paitsi sunnuntaisin.",
    "pol_Latn": "Biblioteka jest czynna od dziewiątej rano do szóstej wieczorem, z wyjątkiem niedziel.",
    "hun_Latn": "A könyvtár reggel kilenckor nyit és este hatkor zár, kivéve vasárnaponként.",
    "tur_Latn": "Kütüphane sabah dokuzda açılıyor, akşam altıda kapanıyor, yalnız pazar günleri kapalı.",
    "vie_Latn": "Thư viện mở cửa lúc chín giờ sáng và đóng cửa lúc sáu giờ chiều, trừ ngày chủ nhật.",
    "rus_Cyrl": "Библиотека открывается в девять утра и закрывается в шесть вечера, кроме воскресенья.",
    "ukr_Cyrl": "Бібліотека відчиняється о дев'ятій ранку й зачиняється о шостій вечора, крім неділі.",
    "bul_Cyrl": "Библиотеката отваря в девет сутринта и затваря в шест вечерта, освен в неделя.",
    "ell_Grek": "Η βιβλιοθήκη ανοίγει στις εννιά το πρωί και κλείνει στις έξι το απόγευμα, εκτός Κυριακής.",
    "ara_Arab": "تفتح المكتبة أبوابها في التاسعة صباحا وتغلق في السادسة مساء، ما عدا يوم الأحد.",
    "heb_Hebr": "הספרייה נפתחת בתשע בבוקר ונסגרת בשש בערב, חוץ מיום ראשון.",
    "jpn_Jpan": "図書館は朝九時に開き、夕方六時に閉まりますが、日曜日は休みです。",
    "kor_Hang": "도서관은 아침 아홉 시에 열고 저녁 여섯 시에 닫으며 일요일에는 쉽니다.",
}
ALLOWLISTS = [
    ["da", "nb", "sv"], ["ru"], ["uk"], ["en"], ["de", "fr", "it"], ["es"], ["fi", "hu"], ["ar"], ["ja", "ko"], ["fo"],
    ["sw", "zu"], ["el"], ["tr"],
]  # fmt: skip


def answers(languages: list[str], text: str, priors: str) -> list[tuple[str, bool, Reason]]:
    """Return the answers for a text, a page and a batch."""
    ident = Identifier(languages=languages, priors=priors)
    page = f"<html><title>1</title><p>{text}</p></html>".encode()
    verdicts = [ident.identify_text(text), ident.identify(page), *ident.identify_many([page])]
    assert ident.classify(text) == verdicts[0].label
    return [(verdict.label, verdict.reliable, verdict.reason) for verdict in verdicts]


@pytest.mark.parametrize("priors", ["web", "uniform"])
def test_text_outside_the_allowlist_is_not_forced_into_it(priors: str) -> None:
    forced, outside = [], 0
    for languages in ALLOWLISTS:
        allowed = {str(labels.parse(name)) for name in languages}
        for label, text in TEXTS.items():
            for answer in answers(languages, text, priors):
                if label in allowed:
                    assert answer == (label, True, Reason.NONE), (text, answer)
                    continue
                outside += 1
                assert not answer[1], (languages, text, answer)
                if answer[0] != "und":
                    forced.append((languages, text, answer))
                else:
                    assert answer[2] in (Reason.NOT_ASKED, Reason.UNKNOWN_LANGUAGE), (text, answer)
    assert len(forced) <= MAX_FORCED_SHARE * outside, forced


def test_the_reason_names_the_nearest_language() -> None:
    answer = Identifier(languages=["da", "nb", "sv"]).identify_text(TEXTS["eng_Latn"])
    assert answer.why == "not one of the languages asked for; nearest is eng_Latn"
    assert answer.script == "Latn"
    assert {guess.language for guess in answer.guesses} <= {"da", "nb", "sv"}


def test_look_alikes_of_allowed_languages_count_for_them() -> None:
    between = "Jučer smo šetali uz rijeku i gledali kako djeca hrane patke starim kruhom."
    assert Identifier(languages=["bs"]).identify_text(between).label == "bos_Latn"
    nynorsk = "Biblioteket er ope kvar dag, men ikkje på sundagar, og bøkene må leverast attende innan to veker."
    assert Identifier(languages=["nb"]).identify_text(nynorsk).reason is Reason.NOT_ASKED


def test_page_text_outside_the_allowlist_is_left_out() -> None:
    danish = "Biblioteket åbner klokken ni om morgenen og lukker klokken seks om aftenen, undtagen om søndagen. "
    ident = Identifier(languages=["da"])
    answer = ident.identify(f"<p>{danish * 3}</p><p>{TEXTS['eng_Latn']}</p>".encode())
    assert (answer.label, [name for name, _ in answer.languages]) == ("dan_Latn", ["dan_Latn"])
    assert {segment.label for segment in answer.segments} == {"dan_Latn"}
    rest = "".join(f"<p>{TEXTS[name]}</p>" for name in ("eng_Latn", "deu_Latn", "fin_Latn"))
    answer = ident.identify(f"<p>{danish}</p>{rest}".encode())
    assert (answer.label, answer.reason) == ("und", Reason.NOT_ASKED)
