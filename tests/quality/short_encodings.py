"""Short strings in old encodings: pieces of our own sentences, without markup and without a declaration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from webtongue.charset.codecs import decode, encode

__all__ = ["LENGTHS", "ShortText", "short_texts"]

LENGTHS = (5, 10, 20, 40)
STEP = 6  # characters between the beginnings of two pieces
MIN_FOREIGN_SHARE = 0.5  # of the characters of a piece that are beyond ASCII, in other scripts than Latin
SENTENCES = {
    "euc-kr johab": "도서관은 매일 아침 아홉 시에 문을 엽니다. 저녁에는 할아버지가 오셔서 옛날에 이 호수에서 물고기를 잡던 이야기를 해 주십니다.",
    "euc-jp shift_jis": "図書館は毎日午前九時に開きます。夕方にはおじいさんが来て、昔この湖で魚を捕った話をしてくれます。パンとチーズも買えます。",
    "gb18030": "图书馆每天早上九点开门。晚上爷爷会来给我们讲从前怎样在这个大湖里捕鱼，然后大家一起去河边散步，买面包和奶酪。",
    "big5 euc-tw": "圖書館每天早上九點開門。晚上爺爺會來給我們講從前怎樣在這個大湖裡捕魚，然後大家一起去河邊散步，買麵包和起司。",
    "windows-874": "ห้องสมุดเปิดทุกวันตั้งแต่เก้าโมงเช้า ตอนเย็นคุณปู่จะมาเล่าให้เราฟังว่าเมื่อก่อนจับปลาในทะเลสาบแห่งนี้อย่างไร",
    "windows-1251 koi8-r iso-8859-5 ibm866": "Библиотека открыта каждый день. Вечером придёт дедушка и расскажет, как раньше ловили рыбу в этом озере.",
    "windows-1251 koi8-u": "Бібліотека відкрита щодня. Увечері прийде дідусь і розповість, як колись ловили рибу в цьому великому озері.",
    "windows-1253 iso-8859-7": "Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα. Το απόγευμα έρχεται ο παππούς και μας λέει ιστορίες για το λιμάνι.",
    "windows-1255 iso-8859-8": "הספרייה פתוחה בכל יום. בערב יבוא סבא ויספר לנו איך דגו פעם דגים באגם הגדול הזה ליד העיר.",
    "windows-1256 iso-8859-6": "المكتبة مفتوحة كل يوم من التاسعة صباحا. في المساء يأتي الجد ويحكي لنا كيف كانوا يصطادون السمك في البحيرة.",
    "windows-1252": "Die Brücke über den Fluß ist für Fußgänger gesperrt. Schöne Grüße aus München, wo es täglich frische Brötchen gibt.",
    "windows-1250 iso-8859-2": "Knihovna je otevřena každý den. Příští týden přijede dědeček, přiveze čerstvý chléb a řekne nám, kdy začíná žně.",
    "windows-1254": "Kütüphane yarın da açık olacak. Akşamüstü çocuklar bahçede oynayacak, büyükler çay içip eski günleri konuşacaklar.",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ShortText:
    """A piece of a sentence in an encoding."""

    encoding: str
    length: int
    text: str
    raw: bytes


def short_texts() -> Iterator[ShortText]:
    """Yield the pieces of every sentence in its encodings that have bytes beyond ASCII."""
    for names, sentence in SENTENCES.items():
        for encoding in names.split():
            for length in LENGTHS:
                for start in range(0, len(sentence) - length + 1, STEP):
                    text = sentence[start : start + length]
                    raw = encode(text, encoding)
                    if raw is not None and decode(raw, encoding) == text and _is_telling(text):
                        yield ShortText(encoding, length, text, raw)


def _is_telling(text: str) -> bool:
    """Return True if text has enough characters beyond ASCII: in Latin script one, in others half of them."""
    foreign = sum(char > "\x7f" for char in text)
    is_latin = all(char < "\u0250" for char in text)
    return foreign >= (1 if is_latin else MIN_FOREIGN_SHARE * len(text))
