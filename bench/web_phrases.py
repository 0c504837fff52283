"""Tables for false_positives.py: menus, cookie banners and products in fifteen languages, filler Latin, and romanisations.

All of it was written for this project.
"""

from __future__ import annotations

# label: (menu, banner, products), with items separated by |
PHRASES = {
    "eng_Latn": (
        "Home|About us|Contact|News|Shop|My account|Log in|Sign up|Privacy policy|Terms of use|FAQ|Careers|Blog|Search|Cart",
        "We use cookies to improve your experience.|Accept all|Reject|Manage preferences|By continuing you agree to our policy.",
        "Men's running shoes|Leather wallet|LED desk lamp|Stainless steel bottle|Wireless mouse|Cotton T-shirt|Garden chair",
    ),
    "deu_Latn": (
        "Startseite|Über uns|Kontakt|Aktuelles|Produkte|Mein Konto|Anmelden|Registrieren|Datenschutz|Impressum|AGB|Suche|Warenkorb",
        "Wir verwenden Cookies, um Ihnen das beste Erlebnis zu bieten.|Alle akzeptieren|Ablehnen|Einstellungen|Mehr erfahren",
        "Laufschuhe Herren|Geldbörse aus Leder|Schreibtischlampe|Trinkflasche aus Edelstahl|Gartenstuhl|Bettwäsche",
    ),
    "fra_Latn": (
        "Accueil|À propos|Contact|Actualités|Boutique|Mon compte|Se connecter|S'inscrire|Mentions légales|Recherche|Panier",
        "Nous utilisons des cookies pour améliorer votre navigation.|Tout accepter|Refuser|Paramétrer|En savoir plus",
        "Chaussures de course homme|Portefeuille en cuir|Lampe de bureau|Gourde en inox|Chaise de jardin|Drap housse",
    ),
    "spa_Latn": (
        "Inicio|Quiénes somos|Contacto|Noticias|Tienda|Mi cuenta|Iniciar sesión|Registrarse|Aviso legal|Buscar|Carrito",
        "Usamos cookies para mejorar tu experiencia.|Aceptar todas|Rechazar|Configurar|Más información",
        "Zapatillas de correr|Cartera de piel|Lámpara de escritorio|Botella de acero|Silla de jardín|Camiseta de algodón",
    ),
    "por_Latn": (
        "Início|Sobre nós|Contato|Notícias|Loja|Minha conta|Entrar|Cadastre-se|Política de privacidade|Busca|Carrinho",
        "Usamos cookies para melhorar a sua experiência.|Aceitar todos|Recusar|Configurações|Saiba mais",
        "Tênis de corrida|Carteira de couro|Luminária de mesa|Garrafa de aço inox|Cadeira de jardim|Camiseta de algodão",
    ),
    "ita_Latn": (
        "Home|Chi siamo|Contatti|Notizie|Negozio|Il mio account|Accedi|Registrati|Informativa sulla privacy|Cerca|Carrello",
        "Utilizziamo i cookie per migliorare la tua esperienza.|Accetta tutti|Rifiuta|Impostazioni|Scopri di più",
        "Scarpe da corsa|Portafoglio in pelle|Lampada da scrivania|Borraccia in acciaio|Sedia da giardino",
    ),
    "nld_Latn": (
        "Home|Over ons|Contact|Nieuws|Winkel|Mijn account|Inloggen|Registreren|Privacybeleid|Zoeken|Winkelwagen",
        "Wij gebruiken cookies om uw ervaring te verbeteren.|Alles accepteren|Weigeren|Instellingen|Meer informatie",
        "Hardloopschoenen heren|Leren portemonnee|Bureaulamp|Roestvrijstalen fles|Tuinstoel|Dekbedovertrek",
    ),
    "pol_Latn": (
        "Strona główna|O nas|Kontakt|Aktualności|Sklep|Moje konto|Zaloguj się|Rejestracja|Polityka prywatności|Szukaj|Koszyk",
        "Używamy plików cookie, aby poprawić jakość usług.|Akceptuj wszystkie|Odrzuć|Ustawienia|Dowiedz się więcej",
        "Buty do biegania|Skórzany portfel|Lampka biurkowa|Butelka ze stali|Krzesło ogrodowe|Koszulka bawełniana",
    ),
    "ces_Latn": (
        "Úvod|O nás|Kontakt|Novinky|Obchod|Můj účet|Přihlásit se|Registrace|Ochrana osobních údajů|Hledat|Košík",
        "Používáme soubory cookie, abychom zlepšili vaše prohlížení.|Přijmout vše|Odmítnout|Nastavení|Více informací",
        "Běžecké boty|Kožená peněženka|Stolní lampa|Nerezová láhev|Zahradní židle|Bavlněné tričko",
    ),
    "tur_Latn": (
        "Ana sayfa|Hakkımızda|İletişim|Haberler|Mağaza|Hesabım|Giriş yap|Kayıt ol|Gizlilik politikası|Ara|Sepetim",
        "Deneyiminizi iyileştirmek için çerezler kullanıyoruz.|Tümünü kabul et|Reddet|Ayarlar|Daha fazla bilgi",
        "Erkek koşu ayakkabısı|Deri cüzdan|Masa lambası|Çelik matara|Bahçe sandalyesi|Pamuklu tişört",
    ),
    "vie_Latn": (
        "Trang chủ|Giới thiệu|Liên hệ|Tin tức|Cửa hàng|Tài khoản|Đăng nhập|Đăng ký|Chính sách bảo mật|Tìm kiếm|Giỏ hàng",
        "Chúng tôi sử dụng cookie để cải thiện trải nghiệm của bạn.|Chấp nhận tất cả|Từ chối|Cài đặt|Tìm hiểu thêm",
        "Giày chạy bộ nam|Ví da|Đèn bàn|Bình nước giữ nhiệt|Ghế sân vườn|Áo thun cotton",
    ),
    "ind_Latn": (
        "Beranda|Tentang kami|Kontak|Berita|Toko|Akun saya|Masuk|Daftar|Kebijakan privasi|Cari|Keranjang",
        "Kami menggunakan cookie untuk meningkatkan pengalaman Anda.|Terima semua|Tolak|Pengaturan|Pelajari lebih lanjut",
        "Sepatu lari pria|Dompet kulit|Lampu meja|Botol minum baja|Kursi taman|Kaos katun",
    ),
    "rus_Cyrl": (
        "Главная|О нас|Контакты|Новости|Магазин|Личный кабинет|Войти|Регистрация|Политика конфиденциальности|Поиск|Корзина",
        "Мы используем файлы cookie для улучшения работы сайта.|Принять все|Отклонить|Настройки|Подробнее",
        "Кроссовки мужские|Кожаный кошелёк|Настольная лампа|Стальная бутылка|Садовый стул|Футболка хлопковая",
    ),
    "jpn_Jpan": (
        "ホーム|会社概要|お問い合わせ|ニュース|ショップ|マイページ|ログイン|新規登録|プライバシーポリシー|検索|カート",
        "当サイトではクッキーを使用しています。|すべて同意する|拒否する|設定|詳細を見る",
        "ランニングシューズ|革財布|デスクライト|ステンレスボトル|ガーデンチェア|綿Tシャツ",
    ),
    "ara_Arab": (
        "الرئيسية|من نحن|اتصل بنا|الأخبار|المتجر|حسابي|تسجيل الدخول|إنشاء حساب|سياسة الخصوصية|بحث|السلة",
        "نستخدم ملفات تعريف الارتباط لتحسين تجربتك.|قبول الكل|رفض|الإعدادات|معرفة المزيد",
        "حذاء جري رجالي|محفظة جلدية|مصباح مكتب|قارورة ماء|كرسي حديقة|قميص قطني",
    ),
}  # fmt: skip

# Filler text like lorem ipsum: words that look like Latin.
LOREM = (
    "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna "
    "aliqua ut enim ad minim veniam quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat "
    "duis aute irure in reprehenderit voluptate velit esse cillum fugiat nulla pariatur excepteur sint occaecat "
    "vestibulum pellentesque habitant morbi tristique senectus netus malesuada fames turpis egestas donec quam felis"
).split()
LOREM_ODD = "bacon cupcake hodor zombie cerebro pirate grog hipster artisan keytar kale chips jelly brisket".split()

# Romanisation letter by letter, as people type it.
RUSSIAN = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
        "a b v g d e yo zh z i y k l m n o p r s t u f kh ts ch sh sch _ y _ e yu ya".split(),
        strict=True,
    )
)
UKRAINIAN = RUSSIAN | dict(zip("гєиіїґ", "h ye y i yi g".split(), strict=True))
GREEK = dict(
    zip(
        "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋ",
        "a b g d e z i th i k l m n x o p r s s t y f x ps o a e i i o y o i y".split(),
        strict=True,
    )
)
ARABIC = dict(
    zip(
        "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءأإآؤئ",
        "a b t th j 7 kh d th r z s sh s d t z 3 gh f 9 k l m n h w y a a 2 a i aa o 2".split(),
        strict=True,
    )
)
DEVANAGARI = dict(zip(
    "कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह",
    "k kh g gh n ch chh j jh n t th d dh n t th d dh n p ph b bh m y r l v sh sh s h".split(),
    strict=True,
))  # fmt: skip
DEVANAGARI_VOWELS = dict(zip("अआइईउऊऋएऐओऔ", "a aa i ee u oo ri e ai o au".split(), strict=True))
DEVANAGARI_SIGNS = dict(zip("ािीुूृेैोौंँः", "aa i ee u oo ri e ai o au n n h".split(), strict=True))
LETTERS = {"rus_Cyrl": RUSSIAN, "ukr_Cyrl": UKRAINIAN, "ell_Grek": GREEK, "ara_Arab": ARABIC}
ASCII_SPELLINGS = {
    "deu_Latn": {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"},
    "dan_Latn": {"å": "aa", "ø": "oe", "æ": "ae"},
    "tur_Latn": {"ı": "i", "İ": "I"},
    "vie_Latn": {"đ": "d", "Đ": "D"},
    "pol_Latn": {"ł": "l", "Ł": "L"},
}


def romanise(text: str, label: str) -> str:
    """Return text in Latin letters.

    >>> romanise("नमस्ते दोस्त", "hin_Deva"), romanise("привет", "rus_Cyrl")
    ('namaste dost', 'privet')
    """
    if label != "hin_Deva":
        return "".join(LETTERS[label].get(char, char) for char in text.lower()).replace("_", "")
    romanised: list[str] = []
    for i, char in enumerate(text):
        next_char = text[i + 1] if i + 1 < len(text) else " "
        if char in DEVANAGARI:
            is_silent = (
                next_char == "्" or (next_char in DEVANAGARI_SIGNS and next_char not in "ंँः") or not next_char.isalpha()
            )
            romanised.append(DEVANAGARI[char] + ("" if is_silent else "a"))
        elif char not in "़्":
            romanised.append(DEVANAGARI_VOWELS.get(char) or DEVANAGARI_SIGNS.get(char) or char.replace("।", "."))
    return "".join(romanised)
