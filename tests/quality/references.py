"""Pages in legacy encodings with most letters as character references, as authoring tools of the nineties wrote them.

The texts are our own. Pages vary by language and encoding, by the form of references, by the number and position of raw bytes, and by
declaration. The right answer is always the text that was encoded.
"""

from __future__ import annotations

import html.entities
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

__all__ = ["Variant", "broken_pages", "page_variants"]

TEXTS = {
    "windows-1252 es": "El pequeño jardín de la estación abrirá mañana. Después vendrá la niña con su abuelo, según dijo, y comerán piña y melón.",
    "windows-1252 pt": "A exposição começa amanhã às nove. Não há lugares reservados; as crianças têm de vir com os pais até ao portão.",
    "windows-1252 fr": "La bibliothèque ferme à midi. Le gérant a préféré rester près de la fenêtre, où l'été dernier il a goûté un café glacé.",
    "windows-1252 de": "Die Brücke über den Fluß ist für Fußgänger gesperrt. Schöne Grüße aus München, wo es natürlich täglich frühstücken gibt.",
    "windows-1252 sv": "Båten går från ön klockan sju på kvällen. Där får du köpa färsk fisk, bröd och några små ägg till frukosten.",
    "windows-1252 is": "Bókasafnið er opið á morgun. Þar má lesa gömul blöð, drekka kaffi og hlusta á það sem fólk segir úti við gluggann.",
    "iso-8859-2 cs": "Knihovna je otevřena každý den. Příští týden přijede dědeček, přiveze čerstvý chléb, sýr a řekne nám, kdy začíná žně.",
    "iso-8859-2 pl": "Książki można pożyczać codziennie. W sobotę przyjdzie też ktoś, kto pokaże dzieciom, jak się robi łódź z gałęzi i żagli.",
    "windows-1250 hu": "A könyvtár holnap is nyitva lesz. Az öregek szívesen ülnek a kályha mellett, és régi történeteket mesélnek az erdőről.",
    "iso-8859-2 hr": "Knjižnica je otvorena svaki dan. Uvečer će doći čovjek koji će nam reći gdje se može kupiti žito, šljive i svježa riža.",
    "windows-1254 tr": "Kütüphane yarın da açık olacak. Akşamüstü çocuklar bahçede oynayacak, büyükler çay içip eski günleri konuşacaklar.",
    "windows-1257 lt": "Biblioteka rytoj bus atidaryta. Vakare ateis žmogus, kuris papasakos, kaip seniau žvejodavo ežere ir kepė šviežią duoną.",
    "iso-8859-7 el": "Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα. Το απόγευμα έρχεται ο παππούς και μας λέει ιστορίες για το παλιό λιμάνι.",
    "windows-1253 el": "Το μουσείο κλείνει νωρίς σήμερα. Οι φίλοι μας θα φέρουν ψωμί και τυρί, και ύστερα θα πάμε όλοι μαζί στη θάλασσα.",
    "koi8-r ru": "Библиотека открыта каждый день. Вечером придёт дедушка и расскажет, как раньше ловили рыбу в этом большом озере.",
    "windows-1251 ru": "Музей сегодня закрывается рано. Друзья принесут хлеб и сыр, а потом мы все вместе поедем на берег широкой реки.",
    "windows-1251 uk": "Бібліотека відкрита щодня. Увечері прийде дідусь і розповість, як колись ловили рибу в цьому великому озері.",
    "windows-1255 he": "הספרייה פתוחה בכל יום. בערב יבוא סבא ויספר לנו איך דגו פעם דגים באגם הגדול הזה.",
}
DECLARED_NAMES = {"windows-1252": "iso-8859-1"}  # names that pages use
PLACES = ("text", "title", "attribute", "comment", "script")
RAW_WORDS = (1, 3, 8)  # words in raw bytes; the others have references
FORMS: dict[str, Callable[[str], str]] = {
    "named": lambda c: f"&{html.entities.codepoint2name[ord(c)]};" if ord(c) in html.entities.codepoint2name else f"&#{ord(c)};",
    "decimal": lambda c: f"&#{ord(c)};",
    "hexadecimal": lambda c: f"&#x{ord(c):X};",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Variant:
    """A page with its name in reports, its text, and whether its encoding is declared."""

    name: str
    raw: bytes
    text: str
    declared: bool


def page_variants() -> Iterator[Variant]:
    """Yield every language with raw words in its text, and in each place outside the text."""
    forms = itertools.cycle(FORMS)
    for (key, text), declared in itertools.product(TEXTS.items(), (True, False)):
        for raw_words in RAW_WORDS:
            body_text = _with_references(text, raw_words, FORMS[form := next(forms)])
            yield _page(key, f"{raw_words} raw words in the text, {form}", declared, body_text)
            body_text = _with_references(text, raw_words, FORMS[form := next(forms)], is_within_word=True)
            yield _page(key, f"{raw_words} raw letters within words, {form}", declared, body_text)
        for place in PLACES[1:]:
            body_text = _with_references(text, 0, FORMS[form := next(forms)])
            yield _page(key, f"raw {place} alone, {form}", declared, body_text, **{place: text})


def broken_pages() -> Iterator[Variant]:
    """Yield pages in UTF-8 with references and raw characters, one of them truncated."""
    for key, text in TEXTS.items():
        body_text = _with_references(text, 8, FORMS["named"])
        page = _page(key, "UTF-8 with references", False, body_text).text
        raw_count = page.encode()
        first = next(i for i, byte in enumerate(raw_count) if byte >= 0x80)
        yield Variant(f"{key}: UTF-8 with references, cut", raw_count[:first] + raw_count[first + 1 :], page, False)


def _with_references(text: str, raw_count: int, form: Callable[[str], str], *, is_within_word: bool = False) -> str:
    """Return the text with all letters beyond ASCII as references, except those of some words or single letters in them."""
    words = text.split(" ")
    raw_words = [i for i, word in enumerate(words) if not word.isascii()]
    raw_words = raw_words[:: max(1, len(raw_words) // raw_count)][:raw_count] if raw_count else []
    parts = []
    for i, word in enumerate(words):
        letters = [c if c.isascii() else form(c) for c in word]
        if i in raw_words and is_within_word:
            positions = [j for j, c in enumerate(word) if not c.isascii()]
            letters[positions[len(positions) // 2]] = word[positions[len(positions) // 2]]
        parts.append(word if i in raw_words and not is_within_word else "".join(letters))
    return " ".join(parts)


def _page(
    key: str,
    description: str,
    declared: bool,
    body_text: str,
    title: str = "",
    attribute: str = "",
    comment: str = "",
    script: str = "",
) -> Variant:
    encoding = key.split()[0]
    declared_name = DECLARED_NAMES.get(encoding, encoding)
    meta = f'<meta http-equiv="Content-Type" content="text/html; charset={declared_name}">' if declared else ""
    head = f"<title>{title}</title>" * bool(title) + f'<script>var news = "{script}";</script>' * bool(script)
    body = (
        f"<p>{body_text}</p>"
        + f"<!-- {comment} -->" * bool(comment)
        + f'<p title="{attribute}">1998</p>' * bool(attribute)
    )
    page = f"<html><head>{meta}{head}</head><body>{body}</body></html>"
    name = f"{key}, {'declared' if declared else 'undeclared'}: {description}"
    return Variant(name, page.encode(PYTHON_CODECS.get(encoding, encoding)), page, declared)


PYTHON_CODECS = {"windows-1252": "cp1252", "koi8-r": "koi8_r"}
