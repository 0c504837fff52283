"""Pages in old encodings that write most of their letters as references, as authoring tools of the nineties did.

The texts are our own. A page is told by its language and encoding, which letters are references and in which form, how many
stay raw bytes, where these stand, and what is declared. In all of them the right answer is the text that was written.
"""

from __future__ import annotations

import html.entities
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

__all__ = ["Variant", "broken", "variants"]

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
DECLARED = {"windows-1252": "iso-8859-1"}  # what pages call it
NEVER = ""  # nothing is declared
PLACES = ("text", "title", "attribute", "comment", "script")
RAW = (1, 3, 8)  # words that keep their bytes; the others have references
FORMS: dict[str, Callable[[str], str]] = {
    "named": lambda c: f"&{html.entities.codepoint2name[ord(c)]};" if ord(c) in html.entities.codepoint2name else f"&#{ord(c)};",
    "decimal": lambda c: f"&#{ord(c)};",
    "hexadecimal": lambda c: f"&#x{ord(c):X};",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Variant:
    """A page: what it is called in a report, its bytes, what they say, and whether anything right is declared."""

    name: str
    raw: bytes
    text: str
    declared: bool


def variants() -> Iterator[Variant]:
    """Every language with raw words in its text, and each place outside of it."""
    forms = itertools.cycle(FORMS)
    for (key, text), declared in itertools.product(TEXTS.items(), (True, False)):
        for raw_words in RAW:
            shown = _mixed(text, raw_words, FORMS[form := next(forms)])
            yield _page(key, f"{raw_words} raw words in the text, {form}", declared, shown)
            shown = _mixed(text, raw_words, FORMS[form := next(forms)], inside=True)
            yield _page(key, f"{raw_words} raw letters within words, {form}", declared, shown)
        for place in PLACES[1:]:
            shown = _mixed(text, 0, FORMS[form := next(forms)])
            yield _page(key, f"raw {place} alone, {form}", declared, shown, **{place: text})


def broken() -> Iterator[Variant]:
    """The other way round: pages in UTF-8 with references and raw characters, one of them cut."""
    for key, text in TEXTS.items():
        shown = _mixed(text, 8, FORMS["named"])
        page = _page(key, "UTF-8 with references", False, shown).text
        raw = page.encode()
        first = next(i for i, byte in enumerate(raw) if byte >= 0x80)
        yield Variant(f"{key}: UTF-8 with references, cut", raw[:first] + raw[first + 1 :], page, False)


def _mixed(text: str, raw: int, form: Callable[[str], str], *, inside: bool = False) -> str:
    """The text with all letters beyond ASCII as references but those of some words, or some letters that stand in such words."""
    words = text.split(" ")
    kept = [i for i, word in enumerate(words) if not word.isascii()]
    kept = kept[:: max(1, len(kept) // raw)][:raw] if raw else []
    out = []
    for i, word in enumerate(words):
        letters = [c if c.isascii() else form(c) for c in word]
        if i in kept and inside:
            own = [j for j, c in enumerate(word) if not c.isascii()]
            letters[own[len(own) // 2]] = word[own[len(own) // 2]]
        out.append(word if i in kept and not inside else "".join(letters))
    return " ".join(out)


def _page(
    key: str,
    what: str,
    declared: bool,
    shown: str,
    title: str = "",
    attribute: str = "",
    comment: str = "",
    script: str = "",
) -> Variant:
    encoding = key.split()[0]
    said = DECLARED.get(encoding, encoding)
    meta = f'<meta http-equiv="Content-Type" content="text/html; charset={said}">' if declared else ""
    head = f"<title>{title}</title>" * bool(title) + f'<script>var news = "{script}";</script>' * bool(script)
    body = (
        f"<p>{shown}</p>" + f"<!-- {comment} -->" * bool(comment) + f'<p title="{attribute}">1998</p>' * bool(attribute)
    )
    page = f"<html><head>{meta}{head}</head><body>{body}</body></html>"
    name = f"{key}, {'declared' if declared else 'undeclared'}: {what}"
    return Variant(name, page.encode(PYTHON.get(encoding, encoding)), page, declared)


PYTHON = {"windows-1252": "cp1252", "koi8-r": "koi8_r"}
