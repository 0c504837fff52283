"""Tests that text typed with look-alike letters of another script has the label of the clean text.

In our own sentences, letters that have a twin in the other script are replaced by it at rates of 10% to 100%.
"""

from __future__ import annotations

import random

import pytest

import webtongue
from webtongue import _kernel

MIN_SAME_SHARE = 0.98  # of changed texts with the label of the clean text
RATES = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
LATIN, CYRILLIC, GREEK = (_kernel.script_group(name) for name in ("Latn", "Cyrl", "Grek"))

CYRILLIC_TEXTS = [
    "Библиотека је отворена сваког дана осим недеље, а књиге се враћају у року од две недеље.",
    "Јуче смо са пријатељима шетали поред реке и гледали како деца хране патке старим хлебом.",
    "Општина је саопштила да ће мост бити затворен за саобраћај до краја октобра.",
    "Моја бака прави најбољу питу са сиром коју сам икада јео, и никоме не каже рецепт.",
    "Библиотека открыта каждый день, кроме воскресенья, а книги возвращают через две недели.",
    "Вчера мы с друзьями гуляли вдоль реки и смотрели, как дети кормят уток чёрствым хлебом.",
    "Городские власти сообщили, что мост будет закрыт для движения до конца октября.",
    "Моя бабушка печёт самый вкусный пирог с яблоками и никому не рассказывает рецепт.",
    "Библиотеката е отворена всеки ден освен в неделя, а книгите се връщат след две седмици.",
    "Вчера с приятели се разхождахме край реката и гледахме как децата хранят патиците със сух хляб.",
    "Общината съобщи, че мостът ще бъде затворен за движение до края на октомври.",
    "Баба ми прави най-хубавата баница със сирене, но на никого не казва рецептата.",
    "Библиотеката е отворена секој ден освен во недела, а книгите се враќаат по две недели.",
    "Вчера со пријателите шетавме покрај реката и гледавме како децата ги хранат патките со сув леб.",
    "Општината соопшти дека мостот ќе биде затворен за сообраќај до крајот на октомври.",
    "Мојата баба ја прави најубавата пита со сирење, но никому не му го кажува рецептот.",
    "Бібліотека відчинена щодня, крім неділі, а книжки треба повертати за два тижні.",
    "Учора ми з друзями гуляли понад річкою й дивилися, як діти годують качок черствим хлібом.",
    "Міська рада повідомила, що міст буде закритий для руху до кінця жовтня.",
    "Моя бабуся пече найсмачніший пиріг з яблуками й нікому не розповідає, як вона це робить.",
]
GREEK_TEXTS = [
    "Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα εκτός από την Κυριακή, και τα βιβλία επιστρέφονται σε δύο εβδομάδες.",
    "Χτες περπατήσαμε με φίλους δίπλα στο ποτάμι και βλέπαμε τα παιδιά να ταΐζουν τις πάπιες.",
    "Ο δήμος ανακοίνωσε ότι η γέφυρα θα μείνει κλειστή μέχρι το τέλος του Οκτωβρίου.",
    "Η ΓΙΑΓΙΑ ΜΟΥ ΦΤΙΑΧΝΕΙ ΤΗΝ ΚΑΛΥΤΕΡΗ ΤΥΡΟΠΙΤΑ ΚΑΙ ΔΕΝ ΛΕΕΙ ΣΕ ΚΑΝΕΝΑΝ ΤΗ ΣΥΝΤΑΓΗ.",
    "ΑΥΡΙΟ ΤΟ ΜΑΓΑΖΙ ΘΑ ΕΙΝΑΙ ΑΝΟΙΧΤΟ ΜΟΝΟ ΤΟ ΠΡΩΙ, ΓΙΑΤΙ ΕΙΝΑΙ ΑΡΓΙΑ ΣΕ ΟΛΗ ΤΗΝ ΠΟΛΗ.",
]
LATIN_TEXTS = [
    "The library is open every day except Sunday, and books are to be returned within two weeks.",
    "Congratulations, your account was chosen for a prize: please confirm your password to collect it.",
    "Yesterday we walked along the river with friends and watched the children feed the ducks.",
    "Die Bibliothek ist jeden Tag außer Sonntag geöffnet, und die Bücher gibt man nach zwei Wochen zurück.",
    "Ihr Konto wurde gesperrt, bitte bestätigen Sie Ihre Daten, damit wir es wieder freischalten können.",
    "La bibliothèque est ouverte tous les jours sauf le dimanche, et on rend les livres après deux semaines.",
    "Votre colis attend à la poste : payez les frais de douane pour le recevoir dès demain matin.",
    "La biblioteca está abierta todos los días menos el domingo, y los libros se devuelven en dos semanas.",
    "Ayer paseamos con unos amigos junto al río y vimos cómo los niños daban de comer a los patos.",
    "La biblioteca è aperta tutti i giorni tranne la domenica, e i libri si restituiscono dopo due settimane.",
    "Biblioteka jest otwarta codziennie oprócz niedzieli, a książki trzeba oddać w ciągu dwóch tygodni.",
    "Kütüphane pazar dışında her gün açık, kitapların da iki hafta içinde geri verilmesi gerekiyor.",
    "Biblioteket är öppet alla dagar utom söndag, och böckerna ska lämnas tillbaka inom två veckor.",
]


def swap_letters(text: str, group: int, rate: float, rng: random.Random) -> str:
    """Return text with letters replaced by their twins in a script group, keeping capitals."""
    letters = []
    for char in text:
        code = _kernel.homoglyph(ord(char), group)
        twin = chr(code) if code else char
        # The twin of a capital is a capital: B looks like the Cyrillic capital ve.
        letters.append((twin.upper() if char.isupper() else twin) if code and rng.random() < rate else char)
    return "".join(letters)


CASES = [
    ("Cyrillic typed with Latin", CYRILLIC_TEXTS, LATIN),
    ("Greek typed with Latin", GREEK_TEXTS, LATIN),
    ("Latin typed with Cyrillic", LATIN_TEXTS, CYRILLIC),
    ("Latin typed with Greek", LATIN_TEXTS, GREEK),
]


@pytest.mark.parametrize(("texts", "group"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_text_with_swapped_letters_has_the_label_of_the_clean_text(texts: list[str], group: int) -> None:
    rng = random.Random(12)
    wrong, count = [], 0
    for text in texts:
        clean = webtongue.identify_text(text).label
        for rate in RATES:
            for _ in range(5):
                typed = swap_letters(text, group, rate, rng)
                verdict = webtongue.identify_text(typed)
                count += 1
                if verdict.label != clean:
                    wrong.append((clean, verdict.label, rate, typed))
    assert len(wrong) <= (1 - MIN_SAME_SHARE) * count, wrong[:10]


@pytest.mark.parametrize(("texts", "group"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_pages_with_swapped_letters_have_the_label_of_the_clean_text(texts: list[str], group: int) -> None:
    rng = random.Random(13)
    wrong = []
    for text in texts:
        clean = webtongue.identify_text(text).label
        verdict = webtongue.identify(f"<title>1</title><p>{swap_letters(text, group, 0.5, rng)}</p>".encode())
        if verdict.label != clean:
            wrong.append((clean, verdict.label))
    assert len(wrong) <= (1 - MIN_SAME_SHARE) * len(texts), wrong


def test_the_evidence_counts_mixed_words() -> None:
    typed = "Библиотекa je oтворена сваког дана осим недеље."
    evidence = {row.source: row.value for row in webtongue.identify_text(typed).evidence}
    assert evidence["mixed scripts"] == "3 words typed with letters of two scripts"
    evidence = {row.source: row.value for row in webtongue.identify(f"<p>{typed}</p>".encode()).evidence}
    assert evidence["mixed scripts"].startswith("3 words")
    assert "mixed scripts" not in {row.source for row in webtongue.identify_text(CYRILLIC_TEXTS[0]).evidence}


MIXED_SCRIPT_TEXTS = [
    "Наша IT-компания ищет ITшника, который знает PHP и HTTP, на 2-х проектах.",
    "Я купил iPhone'ом и MacBook, а ещё SIM-карту, и отправил SMSку на VIPа.",
    "Сайт Xerox и PC-версия игры COPA работают на macOS и Windows XP.",
    "Την εταιρεία IBM και το iPhone τα ξέρουν όλοι, όπως και το PC του γραφείου.",
    "The word мир means both world and peace, and сор means dirt in Russian.",
]


@pytest.mark.parametrize("text", MIXED_SCRIPT_TEXTS)
def test_separate_words_of_two_scripts_are_not_folded(text: str) -> None:
    assert "mixed scripts" not in {row.source for row in webtongue.identify_text(text).evidence}
