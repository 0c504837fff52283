"""Names of members, products, places and hosts; titles from authoring tools; titles of Han characters only."""

from __future__ import annotations

from collections.abc import Iterator

from tests.quality.kinds import Content, Random, kind, page

FIRST = (
    "Anna Peter Maria Jan Sofia Thomas Elena Marco Ingrid Pavel Aisha Omar Yuki Wei Priya Carlos Lucia Ivan Olga Erik Fatima "
    "David Sarah Mehmet Ayse Nikos Petra Zoltan Eszter Liam Chloe Bruno Hanna Tomasz Agnieszka Joao Mariana Kwame Ngozi Tane"
).split()
LAST = (
    "Schmidt Novak Rossi Garcia Andersson Kowalski Papadopoulos Nagy Silva Jansen Dubois Ivanov Tanaka Kim Singh Khan Yilmaz "
    "Hansen Virtanen Popescu Horvat Costa Murphy Smith Johnson Okafor Mensah Haddad Levi Nguyen Santos Moreau Fischer Weber"
).split()
PLACES = (
    "London Paris Berlin Madrid Roma Wien Praha Warszawa Budapest Oslo Stockholm Helsinki Lisboa Porto Milano Napoli Torino Lyon "
    "Marseille Bordeaux Hamburg Köln München Zürich Genève Bruxelles Antwerpen Rotterdam Utrecht Dublin Cork Glasgow Cardiff "
    "Athina Sofia Beograd Zagreb Ljubljana Bratislava Kraków Gdańsk Vilnius Riga Tallinn Kyiv Minsk Ankara Izmir Bursa Tokyo "
    "Osaka Kyoto Seoul Busan Beijing Shanghai Delhi Mumbai Chennai Lagos Accra Nairobi Kampala Dakar Lima Quito Bogotá Caracas"
).split()
PEOPLE = {
    "deu": ("Hans Jürgen Klaus Petra Ursula Heike Günther Sabine Wolfgang Monika Dieter Anke", "Müller Schäfer Zimmermann Köhler Vogel Krüger Lehmann Böhm Hartmann Schulze"),
    "fra": ("Jean-Pierre Françoise Élodie Thierry Benoît Céline Guillaume Mathilde Sylvie Rémi", "Lefèvre Moreau Dupont Girard Rousseau Fournier Lemaire Chevalier Marchand Gauthier"),
    "ita": ("Giuseppe Chiara Lorenzo Francesca Alessandro Giulia Matteo Paola Roberto Silvia", "Bianchi Esposito Ricci Gallo Lombardi Moretti Barbieri Conti Ferraro Caruso"),
    "spa": ("José María Javier Carmen Álvaro Pilar Sergio Rocío Ramón Inés Andrés Lucía", "González Rodríguez Fernández Muñoz Jiménez Ibáñez Núñez Peña Castaño Herrera"),
    "pol": ("Grzegorz Małgorzata Krzysztof Elżbieta Łukasz Katarzyna Stanisław Zofia Wojciech", "Wiśniewski Wójcik Kamiński Zieliński Szymański Dąbrowska Jabłoński Wróbel Mazur"),
    "tur": ("Mustafa Zeynep Hüseyin Elif İbrahim Gülşen Yusuf Şebnem Emre Çiğdem", "Öztürk Şahin Çelik Yıldırım Aydın Özdemir Kılıç Doğan Koç Güneş"),
    "vie": ("Minh Hương Tuấn Lan Đức Thảo Quang Mai Hùng Ngọc", "Nguyễn Trần Phạm Hoàng Huỳnh Võ Đặng Bùi Đỗ Hồ"),
    "rus": ("Сергей Наталья Дмитрий Елена Андрей Ольга Николай Ирина Павел Людмила", "Смирнов Кузнецов Попов Соколов Лебедев Козлов Новиков Морозов Волков Зайцев"),
    "ell": ("Γιώργος Ελένη Νίκος Μαρία Κώστας Κατερίνα Δημήτρης Σοφία Παναγιώτης", "Παπαδόπουλος Γεωργίου Νικολάου Οικονόμου Βασιλείου Αντωνίου Κωνσταντίνου"),
    "fin": ("Juhani Päivi Mikko Hanna Timo Sari Matti Kaisa Jukka Riitta", "Korhonen Mäkinen Nieminen Mäkelä Hämäläinen Laine Heikkinen Koskinen Järvinen"),
}  # fmt: skip
BRANDS = (
    "Alpha Nova Ultra Max Pro Lite Turbo Eco Titan Orion Vega Zenith Pixel Volt Aero Terra Luna Solar Quantum Fusion Matrix Delta"
).split()
MODELS = (
    "XL",
    "2000",
    "500ml",
    "V2",
    "S",
    "GT",
    "Plus",
    "Mini",
    "HD",
    "4K",
    "II",
    "SE",
    "Black",
    "Red",
    "USB",
    "LED",
    "12V",
    "RX",
)
HOSTS = (
    "example", "mysite", "library", "news24", "shop", "home", "webmail", "server1", "photo-club", "city-info", "verein", "musee",
    "bibliotek", "kino", "hotel-sonne", "autohaus", "panorama", "granada", "tienda", "portal", "thuvien", "tinhoc", "mail", "cloud",
)  # fmt: skip
DOMAINS = ("com", "org", "net", "de", "fr", "it", "vn", "co.uk", "pl", "se", "com.br", "ru", "info", "local")
TOOL_TITLES = (
    "New Page 1", "New Page 2", "Untitled Document", "Untitled", "Untitled Page", "index", "Index of /", "Index", "Home Page",
    "Document", "Page 1", "Main", "default", "Welcome", "No title", "Page Title", "My Page", "Test Page", "Untitled-1",
    "Normal Template", "Blank Page", "Homepage", "Frameset", "Slide 1", "Microsoft Word - Document1", "Your Title Here",
)  # fmt: skip
HAN = (
    "東京都 中央 図書館 利用 案内 平成 年度 教育 委員会 会議 資料 株式会社 製作所 営業 時間 電話 番号 住所 大学 文学部 歴史 研究 学会 "
    "国際 交流 協会 新聞 社説 経済 政策 市役所 観光 地図 温泉 旅館 料金 一覧 写真 展示 美術館 博物館 企画 募集 要項"
).split()


def as_list(rng: Random, items: list[str]) -> Content:
    """Return a list as text or as a page."""
    text = rng.choice((", ", "\n", "\n", " | ", "; ")).join(items)
    if rng.random() < 0.5:
        return text
    tag = rng.choice(("li", "td", "p", "div"))
    return page("".join(f"<{tag}>{item}</{tag}>" for item in items), rng.choice(("", "en", "de", "fr")))


@kind("lists of members")
def members(rng: Random) -> Iterator[Content]:
    for n in range(250):
        form = ("{f} {l}", "{l}, {f}", "{f} {i}. {l}", "{l} {f}", "Dr. {f} {l}")[n % 5]
        yield as_list(
            rng,
            [
                form.format(f=rng.choice(FIRST), l=rng.choice(LAST), i=rng.choice("ABCDEFGHJKLMNPRST"))
                for _ in range(rng.randrange(5, 40))
            ],
        )


@kind("lists of members of one country")
def members_of_one_country(rng: Random) -> Iterator[Content]:
    for first, last in PEOPLE.values():
        for n in range(30):
            form = ("{f} {l}", "{l}, {f}", "{l} {f}")[n % 3]
            count = rng.randrange(5, 40)
            items = [form.format(f=rng.choice(first.split()), l=rng.choice(last.split())) for _ in range(count)]
            yield as_list(rng, [name.upper() for name in items] if n % 5 == 4 else items)


@kind("lists of places")
def places(rng: Random) -> Iterator[Content]:
    for n in range(250):
        items = rng.sample(PLACES, rng.randrange(5, 40))
        yield as_list(rng, items if n % 2 else [f"{place} ({rng.randrange(1, 99)})" for place in items])


@kind("lists of products")
def products(rng: Random) -> Iterator[Content]:
    for _ in range(250):
        items = [
            " ".join([*rng.sample(BRANDS, rng.randrange(1, 3)), rng.choice(MODELS), str(rng.randrange(10, 999))])
            for _ in range(rng.randrange(5, 40))
        ]
        yield as_list(rng, [f"{item} €{rng.randrange(5, 900)},99" for item in items] if rng.random() < 0.4 else items)


@kind("host names as titles")
def hosts(rng: Random) -> Iterator[Content]:
    for _ in range(250):
        host = f"{rng.choice(('www.', '', 'blog.', 'm.'))}{rng.choice(HOSTS)}.{rng.choice(DOMAINS)}"
        form = rng.choice(
            (
                ":: {h} ::",
                ": {h} :",
                "::: {h} :::",
                "{h}",
                "- {h} -",
                "[ {h} ]",
                ".:: {h} ::.",
                "{h} | {h}",
                "{h} - home",
            )
        )
        yield page("<img src=x.gif>", rng.choice(("", "en", "vi", "de")), form.format(h=host))


@kind("titles of authoring tools", "eng_Latn")
def tool_titles(rng: Random) -> Iterator[Content]:
    for title in TOOL_TITLES:
        for lang in ("", "de", "fr", "ja", "vi"):
            yield page("<img src=logo.gif>", lang, title)
            yield page(f"<h1>{title}</h1>", lang, title)


@kind("titles of Han characters")
def han(rng: Random) -> Iterator[Content]:
    for n in range(250):
        title = "".join(rng.sample(HAN, rng.randrange(2, 12)))
        yield page("<img src=x.gif>", ("ja", "ja", "", "zh")[n % 4], title)
