"""Tests of what people try first: single greetings and common words of home pages."""

from __future__ import annotations

from webtongue import Identifier

WORDS = {
    "eng": "hello hi thanks login home contact welcome search please about news help",
    "deu": "hallo danke bitte willkommen startseite kontakt guten tag",
    "fra": "bonjour merci salut accueil bienvenue contactez aide",
    "spa": "hola gracias bienvenido inicio buscar ayuda",
    "ita": "ciao grazie benvenuto cerca prego aiuto",
    "por": "olá obrigado bem-vindo pesquisar ajuda",
    "nld": "hallo dank welkom zoeken",
    "pol": "cześć dziękuję szukaj witamy",
    "rus": "привет спасибо поиск главная",
    "ukr": "привіт дякую",
    "tur": "merhaba teşekkürler hoşgeldiniz",
    "swe": "hej tack välkommen sök",
    "ces": "ahoj děkuji vítejte hledat",
    "hun": "szia köszönöm keresés",
    "fin": "hei kiitos tervetuloa",
    "ind": "halo terima selamat",
    "vie": "chào cảm ơn",
    "ron": "bună mulțumesc căutare",
    "ell": "γεια ευχαριστώ",
    "ara": "مرحبا شكرا",
    "heb": "שלום תודה",
    "jpn": "こんにちは ありがとう",
    "kor": "안녕하세요 감사합니다",
    "zho": "你好 谢谢",
}
MIN_RIGHT_SHARE = 0.8
AMBIGUOUS_CONFIDENCE = 0.6  # a wrong answer below it is ambiguous
MAX_WRONG_SHARE = 0.03


def test_single_words_are_right_or_ambiguous() -> None:
    ident = Identifier()
    cases = [(language, word) for language, words in WORDS.items() for word in words.split()]
    answers = [(language, ident.identify_text(word)) for language, word in cases]
    assert sum(verdict.label.startswith(language) for language, verdict in answers) >= MIN_RIGHT_SHARE * len(cases)
    wrong = [
        verdict
        for language, verdict in answers
        if not verdict.label.startswith(language) and verdict.confidence >= AMBIGUOUS_CONFIDENCE
    ]
    assert len(wrong) <= MAX_WRONG_SHARE * len(cases)
    assert not any(verdict.reliable for _, verdict in answers)
