"""What people try first: greetings and words of every home page, one at a time. Right, or openly ambiguous."""

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
RIGHT = 0.8
WRONG = 0.6  # probability from which a wrong answer is not openly ambiguous
MOST_WRONG = 0.03


def test_first_words() -> None:
    ident = Identifier()
    asked = [(language, word) for language, words in WORDS.items() for word in words.split()]
    answers = [(language, ident.identify_text(word)) for language, word in asked]
    assert sum(v.label.startswith(language) for language, v in answers) >= RIGHT * len(asked)
    wrong = [v for language, v in answers if not v.label.startswith(language) and v.confidence >= WRONG]
    assert len(wrong) <= MOST_WRONG * len(asked)
    assert not any(v.reliable for _, v in answers)
