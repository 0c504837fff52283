"""Sentences of fifty characters and more, written for this project, which must have reliable answers."""

from __future__ import annotations

__all__ = ["SENTENCES"]

SENTENCES: dict[str, tuple[str, ...]] = {
    "eng_Latn": (
        "My neighbour repairs old bicycles in his garage and sells them again in spring.",
        "We missed the last bus because the meeting took much longer than anyone had planned.",
        "If you leave the window open at night, the cat will certainly bring you a mouse.",
    ),
    "deu_Latn": (
        "Mein Nachbar repariert alte Fahrräder in seiner Garage und verkauft sie im Frühling weiter.",
        "Wir haben den letzten Bus verpasst, weil die Sitzung viel länger gedauert hat als geplant.",
        "Wenn du nachts das Fenster offen lässt, bringt dir die Katze bestimmt eine Maus mit.",
    ),
    "fra_Latn": (
        "Mon voisin répare de vieux vélos dans son garage et les revend au printemps.",
        "Nous avons raté le dernier bus parce que la réunion a duré bien plus longtemps que prévu.",
        "Si tu laisses la fenêtre ouverte la nuit, le chat t'apportera certainement une souris.",
    ),
    "spa_Latn": (
        "Mi vecino arregla bicicletas viejas en su garaje y las vuelve a vender en primavera.",
        "Perdimos el último autobús porque la reunión duró mucho más de lo que habíamos pensado.",
        "Si dejas la ventana abierta por la noche, seguro que el gato te trae un ratón.",
    ),
    "ita_Latn": (
        "Il mio vicino ripara vecchie biciclette nel suo garage e le rivende in primavera.",
        "Abbiamo perso l'ultimo autobus perché la riunione è durata molto più del previsto.",
        "Se lasci la finestra aperta di notte, il gatto ti porterà sicuramente un topo.",
    ),
    "por_Latn": (
        "O meu vizinho conserta bicicletas velhas na garagem e volta a vendê-las na primavera.",
        "Perdemos o último ônibus porque a reunião demorou muito mais do que tínhamos previsto.",
        "Se você deixar a janela aberta à noite, o gato com certeza vai trazer um rato.",
    ),
    "nld_Latn": (
        "Mijn buurman repareert oude fietsen in zijn garage en verkoopt ze weer in het voorjaar.",
        "We hebben de laatste bus gemist omdat de vergadering veel langer duurde dan gepland.",
        "Als je het raam 's nachts open laat staan, brengt de kat zeker een muis mee.",
    ),
    "swe_Latn": (
        "Min granne lagar gamla cyklar i sitt garage och säljer dem igen på våren.",
        "Vi missade den sista bussen eftersom mötet tog mycket längre tid än någon hade tänkt sig.",
        "Om du lämnar fönstret öppet på natten kommer katten säkert att ta med sig en mus.",
    ),
    "pol_Latn": (
        "Mój sąsiad naprawia stare rowery w garażu i sprzedaje je z powrotem na wiosnę.",
        "Spóźniliśmy się na ostatni autobus, bo zebranie trwało znacznie dłużej, niż planowano.",
        "Jeśli zostawisz w nocy otwarte okno, kot na pewno przyniesie ci mysz.",
    ),
    "ces_Latn": (
        "Můj soused opravuje v garáži stará kola a na jaře je zase prodává.",
        "Nestihli jsme poslední autobus, protože schůze trvala mnohem déle, než jsme čekali.",
        "Když necháš v noci otevřené okno, kočka ti určitě přinese nějakou myš.",
    ),
    "hun_Latn": (
        "A szomszédom régi bicikliket javít a garázsában, és tavasszal újra eladja őket.",
        "Lekéstük az utolsó buszt, mert az értekezlet sokkal tovább tartott, mint gondoltuk.",
        "Ha éjszakára nyitva hagyod az ablakot, a macska biztosan hoz neked egy egeret.",
    ),
    "ron_Latn": (
        "Vecinul meu repară biciclete vechi în garaj și le vinde din nou primăvara.",
        "Am pierdut ultimul autobuz pentru că ședința a durat mult mai mult decât ne așteptam.",
        "Dacă lași fereastra deschisă noaptea, pisica îți va aduce cu siguranță un șoarece.",
    ),
    "fin_Latn": (
        "Naapurini korjaa vanhoja polkupyöriä autotallissaan ja myy ne taas keväällä.",
        "Myöhästyimme viimeisestä bussista, koska kokous kesti paljon pidempään kuin luulimme.",
        "Jos jätät ikkunan yöksi auki, kissa tuo sinulle varmasti hiiren.",
    ),
    "tur_Latn": (
        "Komşum garajında eski bisikletleri onarıyor ve ilkbaharda onları yeniden satıyor.",
        "Toplantı planlanandan çok daha uzun sürdüğü için son otobüsü kaçırdık.",
        "Geceleyin pencereyi açık bırakırsan kedi sana mutlaka bir fare getirir.",
    ),
    "vie_Latn": (
        "Người hàng xóm của tôi sửa xe đạp cũ trong nhà để xe rồi bán lại vào mùa xuân.",
        "Chúng tôi lỡ chuyến xe buýt cuối cùng vì cuộc họp kéo dài hơn dự kiến rất nhiều.",
        "Nếu bạn để cửa sổ mở ban đêm, con mèo chắc chắn sẽ mang về cho bạn một con chuột.",
    ),
    "lit_Latn": (
        "Mano kaimynas garaže taiso senus dviračius ir pavasarį vėl juos parduoda.",
        "Pavėlavome į paskutinį autobusą, nes susirinkimas truko daug ilgiau, nei tikėjomės.",
    ),
    "lav_Latn": (
        "Mans kaimiņš garāžā labo vecus velosipēdus un pavasarī tos atkal pārdod.",
        "Mēs nokavējām pēdējo autobusu, jo sapulce ilga daudz ilgāk, nekā bijām domājuši.",
    ),
    "est_Latn": (
        "Minu naaber parandab garaažis vanu jalgrattaid ja müüb need kevadel jälle maha.",
        "Me jäime viimasest bussist maha, sest koosolek kestis palju kauem, kui keegi arvas.",
    ),
    "swh_Latn": (
        "Jirani yangu hutengeneza baiskeli za zamani katika gereji yake na kuziuza tena.",
        "Tulikosa basi la mwisho kwa sababu mkutano ulichukua muda mrefu kuliko tulivyopanga.",
    ),
    "cat_Latn": (
        "El meu veí arregla bicicletes velles al garatge i les torna a vendre a la primavera.",
        "Vam perdre l'últim autobús perquè la reunió va durar molt més del que havíem previst.",
    ),
    "eus_Latn": (
        "Nire auzokoak bizikleta zaharrak konpontzen ditu garajean eta udaberrian saltzen ditu.",
        "Azken autobusa galdu genuen, bilerak uste baino askoz gehiago iraun zuelako.",
    ),
    "isl_Latn": (
        "Nágranni minn gerir við gömul hjól í bílskúrnum sínum og selur þau aftur á vorin.",
        "Við misstum af síðasta strætó af því að fundurinn tók miklu lengri tíma en við héldum.",
    ),
    "rus_Cyrl": (
        "Мой сосед чинит в гараже старые велосипеды и весной снова их продаёт.",
        "Мы опоздали на последний автобус, потому что собрание длилось гораздо дольше, чем мы думали.",
        "Если оставить на ночь открытое окно, кошка обязательно принесёт тебе мышь.",
    ),
    "ukr_Cyrl": (
        "Мій сусід лагодить у гаражі старі велосипеди й навесні знову їх продає.",
        "Ми запізнилися на останній автобус, бо збори тривали набагато довше, ніж ми гадали.",
    ),
    "bul_Cyrl": (
        "Съседът ми поправя стари велосипеди в гаража си и през пролетта отново ги продава.",
        "Изпуснахме последния автобус, защото събранието продължи много по-дълго от очакваното.",
    ),
    "ell_Grek": (
        "Ο γείτονάς μου επισκευάζει παλιά ποδήλατα στο γκαράζ του και τα ξαναπουλάει την άνοιξη.",
        "Χάσαμε το τελευταίο λεωφορείο, γιατί η συνάντηση κράτησε πολύ περισσότερο απ' όσο νομίζαμε.",
    ),
    "heb_Hebr": (
        "השכן שלי מתקן אופניים ישנים במוסך שלו ומוכר אותם שוב באביב.",
        "פספסנו את האוטובוס האחרון כי הישיבה נמשכה הרבה יותר זמן ממה שתכננו.",
    ),
    "arb_Arab": (
        "جاري يصلح الدراجات القديمة في مرآبه ثم يبيعها من جديد في فصل الربيع.",
        "فاتتنا الحافلة الأخيرة لأن الاجتماع استغرق وقتا أطول بكثير مما كنا نتوقع.",
    ),
    "pes_Arab": (
        "همسایه‌ام دوچرخه‌های کهنه را در گاراژش تعمیر می‌کند و بهار دوباره آنها را می‌فروشد.",
        "به آخرین اتوبوس نرسیدیم، چون جلسه خیلی بیشتر از آنچه فکر می‌کردیم طول کشید.",
    ),
    "hin_Deva": (
        "मेरा पड़ोसी अपने गैराज में पुरानी साइकिलें ठीक करता है और वसंत में उन्हें फिर बेच देता है।",
        "बैठक सोच से कहीं ज़्यादा देर तक चली, इसलिए हमारी आखिरी बस छूट गई।",
    ),
    "ben_Beng": (
        "আমার প্রতিবেশী তার গ্যারেজে পুরোনো সাইকেল সারায় আর বসন্তকালে সেগুলো আবার বিক্রি করে।",
        "সভাটা আমাদের ধারণার চেয়ে অনেক বেশি সময় ধরে চলায় আমরা শেষ বাসটা ধরতে পারিনি।",
    ),
    "tam_Taml": (
        "என் அண்டை வீட்டுக்காரர் பழைய மிதிவண்டிகளைப் பழுது பார்த்து வசந்த காலத்தில் மீண்டும் விற்கிறார்.",
        "கூட்டம் நாங்கள் நினைத்ததை விட அதிக நேரம் நடந்ததால் கடைசிப் பேருந்தைத் தவறவிட்டோம்.",
    ),
    "tha_Thai": (
        "เพื่อนบ้านของฉันซ่อมจักรยานเก่าในโรงรถของเขาแล้วนำไปขายอีกครั้งในฤดูใบไม้ผลิ",
        "พวกเราพลาดรถเมล์เที่ยวสุดท้ายเพราะการประชุมใช้เวลานานกว่าที่คิดไว้มาก",
    ),
    "kor_Hang": (
        "우리 이웃은 차고에서 낡은 자전거를 고쳐서 봄이 되면 다시 사람들에게 팔아요. 올해는 벌써 열 대나 팔았대요.",
        "회의가 생각보다 훨씬 오래 걸려서 우리는 마지막 버스를 놓치고 집까지 한 시간 동안 걸어서 돌아가야 했습니다.",
    ),
    "jpn_Jpan": (
        "隣の人は車庫で古い自転車を直して、春になるとまた売っています。今年はもう十台も売れたそうで、とても喜んでいました。",
        "会議が思ったよりずっと長引いたので、私たちは最終バスに乗り遅れて、家まで一時間も歩いて帰らなければなりませんでした。",
    ),
    "zho_Hans": (
        "我的邻居在车库里修理旧自行车,到了春天再把它们卖掉。今年他已经卖出去十辆了,听说他心里特别高兴,还请大家吃了一顿饭。",
        "因为会议开得比我们想的要长得多,所以我们没有赶上最后一班公共汽车,只好一边聊天一边慢慢地走路回家,走了一个多小时。",
    ),
    "kat_Geor": (
        "ჩემი მეზობელი ავტოფარეხში ძველ ველოსიპედებს აკეთებს და გაზაფხულზე ისევ ყიდის.",
        "ბოლო ავტობუსზე დავაგვიანეთ, რადგან კრება გაცილებით დიდხანს გაგრძელდა, ვიდრე გვეგონა.",
    ),
    "hye_Armn": (
        "Իմ հարևանը ավտոտնակում հին հեծանիվներ է նորոգում և գարնանը նորից վաճառում դրանք։",
        "Մենք ուշացանք վերջին ավտոբուսից, որովհետև ժողովը շատ ավելի երկար տևեց, քան կարծում էինք։",
    ),
}
