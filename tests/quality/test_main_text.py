"""What stands around the running text does not outweigh it: lists of names, rows of codes, menus in another script."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import webtongue
from tests.quality.kinds import page
from tests.quality.names import BRANDS, FIRST, LAST, MODELS
from tests.quality.sentences import SENTENCES
from webtongue.labels import fold

RIGHT = 0.97
CHANCE = random.Random("around the running text")


def with_names(text: str) -> str:
    names = [f"{CHANCE.choice(FIRST)} {CHANCE.choice(LAST)}" for _ in range(120)]
    return f"<p>{text}</p><ul>" + "".join(f"<li>{name}</li>" for name in names) + "</ul>"


def with_codes(text: str) -> str:
    codes = [
        f"{CHANCE.choice(BRANDS).lower()}-{CHANCE.randrange(9)}.{CHANCE.randrange(99)}p{i}.tgz i386" for i in range(60)
    ]
    return f"<p>{text}</p><ul>" + "".join(f"<li>{code}</li>" for code in codes) + "</ul>"


def with_data(text: str) -> str:
    rows = [
        f"{CHANCE.choice(MODELS)} {i} {CHANCE.randrange(99)} {CHANCE.random():.3f} {CHANCE.randrange(9999)}"
        for i in range(60)
    ]
    return f"<p>{text}</p>" + "".join(f"<p>{row}</p>" for row in rows)


@pytest.mark.parametrize("make", [with_names, with_codes, with_data])
def test_the_running_text_decides(make: Callable[[str], str]) -> None:
    texts = [(str(fold(label)), " ".join(some)) for label, some in SENTENCES.items()]
    assert len(texts) >= 30
    wrong = [(label, v.label) for label, text in texts if (v := webtongue.identify(page(make(text)))).label != label]
    assert len(wrong) <= (1 - RIGHT) * len(texts), wrong


LINKS = {
    "jpn_Jpan": "新しい図書館について話しましょう;来週の祭りの写真を見せてください;駅前の食堂はとても安いです;犬の散歩に良い公園を教えて;明日の天気は雨でしょうか;古い自転車を直す方法",
    "ara_Arab": "أخبار المدينة اليوم;صور من السوق القديم;كيف نصلح الدراجة القديمة;موعد افتتاح المكتبة الجديدة;أسعار الخضار هذا الأسبوع;برنامج الإذاعة والتلفزيون",
    "rus_Cyrl": "Новости нашего города;Как починить старый велосипед;Где купить свежий хлеб;Расписание поездов на неделю;Фотографии с летнего праздника;Погода на завтра",
    "ell_Grek": "Τα νέα της πόλης μας;Πώς να φτιάξετε ένα παλιό ποδήλατο;Πού θα βρείτε φρέσκο ψωμί;Τα δρομολόγια των τρένων;Φωτογραφίες από τη γιορτή;Ο καιρός αύριο",
}


@pytest.mark.parametrize("label", LINKS)
@pytest.mark.parametrize("seed", range(10))
def test_names_in_latin_letters_do_not_hide_the_script_of_the_links(label: str, seed: int) -> None:
    chance = random.Random(seed)
    links = LINKS[label].split(";") * 3
    rows = [
        f"<tr><td><a href=/t{i}>{link} {i}</a></td><td>{chance.choice(FIRST)}{chance.choice(('', '_x', '77'))}</td>"
        f"<td>{chance.choice(FIRST)} {chance.choice(LAST)}</td></tr>"
        for i, link in enumerate(links)
    ]
    assert webtongue.identify(page(f"<table>{''.join(rows)}</table>")).label == label
