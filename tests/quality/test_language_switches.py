"""Tests of texts whose language changes between two sentences, and of texts in one language."""

from __future__ import annotations

import itertools
import random

import pytest

from webtongue import Identifier, labels

IDENT = Identifier()
# Two neighbouring sentences of each language, on everyday matters.
SENTENCES = {
    "eng_Latn": ("The ferry leaves at seven in the morning, when the harbour is still quiet.",
                 "We bought some bread and cheese and sat down on the wall to wait."),
    "fra_Latn": ("Le bac part à sept heures du matin, quand le port est encore tranquille.",
                 "Nous avons acheté du pain et du fromage et nous avons attendu sur le mur."),
    "deu_Latn": ("Die Fähre legt um sieben Uhr morgens ab, wenn der Hafen noch ruhig ist.",
                 "Wir haben Brot und Käse gekauft und uns zum Warten auf die Mauer gesetzt."),
    "spa_Latn": ("El transbordador sale a las siete de la mañana, cuando el puerto todavía está tranquilo.",
                 "Compramos un poco de pan y queso y nos sentamos en el muro a esperar."),
    "por_Latn": ("A balsa sai às sete da manhã, quando o porto ainda está sossegado.",
                 "Comprámos pão e queijo e sentámo-nos no muro à espera."),
    "ita_Latn": ("Il traghetto parte alle sette del mattino, quando il porto è ancora tranquillo.",
                 "Abbiamo comprato del pane e del formaggio e ci siamo seduti sul muretto ad aspettare."),
    "nld_Latn": ("De veerboot vertrekt om zeven uur 's ochtends, als de haven nog stil is.",
                 "We kochten brood en kaas en gingen op de muur zitten wachten."),
    "swe_Latn": ("Färjan går klockan sju på morgonen, när hamnen fortfarande är tyst.",
                 "Vi köpte bröd och ost och satte oss på muren för att vänta."),
    "pol_Latn": ("Prom odpływa o siódmej rano, kiedy w porcie jest jeszcze cicho.",
                 "Kupiliśmy chleb i ser, usiedliśmy na murku i czekaliśmy."),
    "ces_Latn": ("Přívoz odjíždí v sedm hodin ráno, kdy je v přístavu ještě klid.",
                 "Koupili jsme si chleba a sýr, sedli jsme si na zídku a čekali."),
    "hun_Latn": ("A komp reggel hét órakor indul, amikor a kikötő még csendes.",
                 "Vettünk kenyeret és sajtot, és leültünk a falra várni."),
    "fin_Latn": ("Lautta lähtee aamulla seitsemältä, kun satamassa on vielä hiljaista.",
                 "Ostimme leipää ja juustoa ja istuimme muurille odottamaan."),
    "tur_Latn": ("Feribot sabah yedide, liman henüz sessizken kalkıyor.",
                 "Biraz ekmek ve peynir aldık, beklemek için duvarın üstüne oturduk."),
    "ind_Latn": ("Kapal penyeberangan berangkat pukul tujuh pagi ketika pelabuhan masih sepi.",
                 "Kami membeli roti dan keju lalu duduk di atas tembok untuk menunggu."),
    "vie_Latn": ("Chuyến phà rời bến lúc bảy giờ sáng, khi bến cảng vẫn còn yên tĩnh.",
                 "Chúng tôi mua một ít bánh mì và pho mát rồi ngồi trên bức tường để chờ."),
    "swa_Latn": ("Kivuko huondoka saa moja asubuhi, wakati bandari bado imetulia.",
                 "Tulinunua mkate na jibini, kisha tukaketi juu ya ukuta tukisubiri."),
    "rus_Cyrl": ("Паром отходит в семь часов утра, когда в порту ещё тихо.",
                 "Мы купили хлеба и сыра и сели на стену ждать."),
    "ukr_Cyrl": ("Пором відходить о сьомій годині ранку, коли в порту ще тихо.",
                 "Ми купили хліба й сиру та сіли на мур чекати."),
    "bul_Cyrl": ("Фериботът тръгва в седем часа сутринта, когато пристанището още е тихо.",
                 "Купихме хляб и сирене и седнахме на стената да чакаме."),
    "ell_Grek": ("Το πλοίο φεύγει στις επτά το πρωί, όταν το λιμάνι είναι ακόμα ήσυχο.",
                 "Αγοράσαμε ψωμί και τυρί και καθίσαμε στον τοίχο να περιμένουμε."),
    "ara_Arab": ("تغادر العبارة في الساعة السابعة صباحا عندما يكون الميناء هادئا.",
                 "اشترينا بعض الخبز والجبن وجلسنا على الجدار ننتظر."),
    "fas_Arab": ("کشتی ساعت هفت صبح حرکت می‌کند، وقتی که بندر هنوز آرام است.",
                 "کمی نان و پنیر خریدیم و روی دیوار نشستیم تا منتظر بمانیم."),
    "heb_Hebr": ("המעבורת יוצאת בשבע בבוקר, כשהנמל עדיין שקט.",
                 "קנינו קצת לחם וגבינה וישבנו על החומה לחכות."),
    "hin_Deva": ("नाव सुबह सात बजे निकलती है, जब बंदरगाह अभी शांत होता है।",
                 "हमने थोड़ी रोटी और पनीर खरीदा और इंतज़ार करने के लिए दीवार पर बैठ गए।"),
    "ben_Beng": ("ফেরি সকাল সাতটায় ছাড়ে, যখন বন্দর তখনও শান্ত থাকে।",
                 "আমরা কিছু রুটি আর পনির কিনে দেয়ালের উপর বসে অপেক্ষা করলাম।"),
    "tha_Thai": ("เรือข้ามฟากออกเวลาเจ็ดโมงเช้าตอนที่ท่าเรือยังเงียบอยู่",
                 "เราซื้อขนมปังกับชีสแล้วนั่งรอบนกำแพง"),
    "jpn_Jpan": ("渡し船は、港がまだ静かな朝の七時に出ます。", "私たちはパンとチーズを買って、塀に座って待ちました。"),
    "zho_Hans": ("渡轮早上七点出发，那时港口还很安静。", "我们买了一些面包和奶酪，坐在墙上等着。"),
    "kor_Hang": ("나룻배는 항구가 아직 조용한 아침 일곱 시에 떠납니다.", "우리는 빵과 치즈를 사서 담 위에 앉아 기다렸습니다."),
}  # fmt: skip
TEXTS_WITH_NAMES = {  # names, titles and words of other languages in sentences of one language
    "eng_Latn": "We saw La Traviata at the Teatro dell'Opera and then walked to the Piazza della Repubblica for dinner. "
    "The waiter, Giovanni, recommended the saltimbocca alla romana. My brother said it was the best meal of the trip.",
    "rus_Cyrl": "Группа Red Hot Chili Peppers выступит летом в столице. Билеты на концерт уже продаются на сайте компании. "
    "В прошлый раз музыканты исполнили песню Under the Bridge на бис.",
    "jpn_Jpan": "新しいパソコンにMicrosoft Windows Server Datacenterを入れました。とても速くなったので満足しています。",
    "deu_Latn": "Der Film heißt im Original The Good, the Bad and the Ugly und lief gestern Abend im Fernsehen. "
    "Meine Großmutter hat ihn schon dreimal gesehen, sagt aber, dass er ihr immer noch gefällt.",
    "ell_Grek": "Το New York Philharmonic Orchestra θα παίξει το φθινόπωρο στην Αθήνα. Τα εισιτήρια πωλούνται ήδη στα ταμεία.",
}


def group_or_language(label: str) -> str:
    return labels.group(label) or labels.fold(label).language


def language_shares(text: str, as_page: bool) -> dict[str, float]:
    verdict = IDENT.identify(f"<p>{text}</p>".encode()) if as_page else IDENT.identify_text(text)
    return {group_or_language(label): share for label, share in verdict.languages}


def letter_weight(text: str) -> int:
    return sum(3 if "\u3000" <= char <= "\udfff" else 1 for char in text)


@pytest.mark.parametrize("as_page", [False, True])
def test_both_languages_and_their_shares_are_detected(as_page: bool) -> None:
    pairs = [
        pair
        for pair in itertools.permutations(SENTENCES, 2)
        if group_or_language(pair[0]) != group_or_language(pair[1])
    ]
    incomplete, inaccurate = [], []
    for first_label, second_label in pairs:
        first, second = " ".join(SENTENCES[first_label]), SENTENCES[second_label][1]
        shares = language_shares(f"{first} {second}", as_page)
        true_share = letter_weight(first) / (letter_weight(first) + letter_weight(second))
        if shares.keys() != {group_or_language(first_label), group_or_language(second_label)}:
            incomplete.append((first_label, second_label, shares))
        elif abs(shares[group_or_language(first_label)] - true_share) >= 0.03:
            inaccurate.append((first_label, second_label, shares, true_share))
    assert len(incomplete) <= len(pairs) * 0.025, incomplete[:10]
    assert len(inaccurate) <= 1, inaccurate  # Thai ends sentences with a space, if at all


def test_segments_end_where_the_language_does() -> None:
    for first_label, second_label in itertools.pairwise(SENTENCES):
        first, second = SENTENCES[first_label][0], SENTENCES[second_label][0]
        segments = IDENT.identify_text(f"{first} {second}").segments
        if len(segments) == 2:
            assert segments[1].begin == len(f"{first} ".encode()), (first_label, second_label)


@pytest.mark.parametrize("as_page", [False, True])
def test_text_in_one_language_has_no_second_one(as_page: bool) -> None:
    rng = random.Random(7)
    for label, sentences in SENTENCES.items():
        for count in (2, 4, 8):
            text = " ".join(rng.choice(sentences) for _ in range(count))
            assert len(language_shares(text, as_page)) <= 1, label


@pytest.mark.parametrize("label", TEXTS_WITH_NAMES)
def test_names_are_not_a_second_language(label: str) -> None:
    for as_page in (False, True):
        assert language_shares(TEXTS_WITH_NAMES[label], as_page).keys() == {group_or_language(label)}


def test_a_switch_within_a_paragraph_gives_three_segments() -> None:
    english, russian = " ".join(SENTENCES["eng_Latn"]), " ".join(SENTENCES["rus_Cyrl"])
    verdict = IDENT.identify(f"<html><body><h1>Ferries</h1><p>{english} {russian} {english}</p></body></html>".encode())
    assert verdict.label == "eng_Latn" and verdict.reliable
    assert [segment.label for segment in verdict.segments] == ["eng_Latn", "rus_Cyrl", "eng_Latn"]
