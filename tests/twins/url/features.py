"""The readable twin of native/url/features.cpp: a URL to its parts and features."""

from __future__ import annotations

import re
import unicodedata

from webtongue import _kernel

MASK = (1 << 64) - 1
SEED, WORD, STEP, LAST = 0x6A09E667F3BCC909, 0xBB67AE8584CAA73B, 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
KINDS = (
    "tld", "suffix", "domain", "subdomain", "segment", "pair", "value", "extension", "hyphens", "shape", "said",
    "word", "words", "gram", "mark", "script",
)  # fmt: skip
KIND = {name: number for number, name in enumerate(KINDS)}
HOST, QUERY = 0x80, 0x40
FORMS = ("code", "long", "country", "native", "english", "locale")
LABEL, FIRST, LATER, ENDING, ASKED, VALUE = range(6)
LONGEST_NAME = 24
SCRIPTS = {"hans", "hant", "latn", "cyrl", "arab"}
ASKING = {"hl", "l", "ln", "lng", "lc", "idioma", "idiom", "sprache", "lingua", "taal", "culture"}
LIMIT, MOST, LONGEST, CODE = 2048, 768, 48, 8
ODD = dict(zip("ßæøðþłđıœŋħŧə", "saodtldionhte", strict=True))
TRIVIAL = {"www", "http", "https", "index", "html", "htm", "shtml", "php", "asp", "aspx", "jsp", "com", "net", "org"}
OK, EMPTY, NOT_URL, NO_PAGE = range(4)
TOO_LONG, USER, IPV6 = range(6, 9)
LONGEST_URL = 65536


def start(kind: str) -> int:
    return (SEED + WORD * (KIND[kind] + 1)) & MASK


def step(state: int, code: int) -> int:
    return ((state ^ code) * STEP) & MASK


def last(state: int) -> int:
    state = ((state ^ (state >> 32)) * LAST) & MASK
    return state ^ (state >> 32)


def hashed(kind: str, codes: list[int]) -> int:
    state = start(kind)
    for code in codes:
        state = step(state, code)
    return last(state)


def is_letter(char: str) -> bool:
    return char.isascii() and char.isalpha() if ord(char) < 128 else unicodedata.category(char)[0] in "LM"


def lower(char: str) -> str:
    return char.lower()[0]  # the simple mapping: one letter for one


def plain(char: str) -> str:
    """Lower case, Latin without marks."""
    code = ord(char)
    if 0xC0 <= code < 0x250 or 0x1E00 <= code < 0x1F00:
        low = char.lower()
        first = unicodedata.normalize("NFKD", ODD.get(low, low))[0]
        first = ODD.get(first, first)
        if "a" <= first <= "z":
            return first
    return lower(char)


def decoded(raw: bytes, plus: bool) -> str:
    """Percent-decoded; what is not UTF-8 becomes U+FFFD byte by byte."""
    if plus:
        raw = raw.replace(b"+", b" ")
    raw = re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes([int(m[1], 16)]), raw)
    out, at = [], 0
    while at < len(raw):
        for size in (1, 2, 3, 4):
            try:
                out.append(raw[at : at + size].decode("utf-8", "surrogatepass" if size == 3 else "strict"))
                at += size
                break
            except UnicodeDecodeError:
                continue
        else:
            out.append("\ufffd")
            at += 1
    return "".join(out)


def punycode(label: str) -> str | None:
    try:
        return label.encode("ascii").decode("punycode")
    except (UnicodeError, ValueError):
        return None


class Suffixes:
    """Rules of the Public Suffix List, as the list describes their use."""

    def __init__(self, rules: str) -> None:
        self.rules = {rule for rule in rules.split("\n") if rule and not rule.startswith("#")}

    def find(self, host: str) -> int:
        parts = host.split(".")
        for i in range(len(parts)):
            name = ".".join(parts[i:])
            if "!" + name in self.rules:
                return len(host) - len(".".join(parts[i + 1 :]))
            if name in self.rules or "*." + ".".join(parts[i + 1 :]) in self.rules:
                return len(host) - len(name)
        return len(host) - len(parts[-1])


def split(url: bytes) -> tuple[int, bool, bytes, bytes, bytes]:
    url = url.strip(bytes(range(33)))
    if not url:
        return EMPTY, False, b"", b"", b""
    if len(url) > LONGEST_URL:
        return TOO_LONG, False, b"", b"", b""
    url = url[:LIMIT]
    if scheme := re.match(rb"([A-Za-z][A-Za-z0-9+.\-]*):", url):
        rest = url[scheme.end() :]
        if rest.startswith(b"//"):
            url = rest[2:]
        elif not re.match(rb"[0-9]", rest) or b"." not in scheme[1]:
            return NO_PAGE, False, b"", b"", b""
    elif url.startswith(b"//"):
        url = url[2:]
    end = re.search(rb"[/?#\\]", url)
    cut = end.start() if end else len(url)
    host, rest = url[:cut], url[cut:]
    if b"@" in host or host.startswith(b"["):
        return USER if b"@" in host else IPV6, False, b"", b"", b""
    host = re.sub(rb":[0-9.]*$", b"", host).rstrip(b".")
    if (
        not 0 < len(host) < 256
        or host.startswith(b".")
        or b"." not in host
        or re.search(rb"[^A-Za-z0-9\-._%\x80-\xff]", host)
    ):
        return NOT_URL, False, b"", b"", b""
    numeric = re.fullmatch(rb"[0-9.]+", host) is not None
    mark = re.search(rb"[?#]", rest)
    path = rest[: mark.start()] if mark else rest
    return OK, numeric, host, path, rest[mark.end() :] if mark else b""


class Features(list):
    """(key, kind) pairs; what is beyond the most is dropped."""

    def put(self, key: int, kind: int) -> None:
        if len(self) < MOST:
            self.append((key, kind))


def read_words(text: str, flag: int, out: Features) -> None:
    """Cut a part into words and add their features."""
    before = 0
    word: list[str] = []
    was_lower = digit = False

    def flush(at_digit: bool) -> None:
        nonlocal before, word, was_lower, digit
        done, word, was_lower = word, [], False
        if not done:
            return
        beside, digit = digit or at_digit, False
        cjk = 0x2E80 <= ord(done[0]) < 0xFB00
        if not cjk and (len(done) < 2 or (len(done) <= 3 and beside)):
            return
        state = start("word")
        for char in done:
            state = step(state, ord(char))
        out.put(last(state), KIND["word"] | flag)
        if before:
            out.put(last(step(before, state >> 32)), KIND["words"] | flag)
        before = state
        if "".join(done) in TRIVIAL:
            return
        if cjk:
            grams(done, 1, 3)
        elif len(done) >= 3:
            grams([" ", *done, " "], 3, 5)

    def grams(chars: list[str], low: int, high: int) -> None:
        for order in range(low, high + 1):
            for begin in range(len(chars) - order + 1):
                out.put(hashed("gram", [ord(c) for c in chars[begin : begin + order]]), KIND["gram"] | flag)

    for char in text:
        if not is_letter(char):
            is_digit = "0" <= char <= "9"
            flush(is_digit)
            digit = is_digit
            continue
        if 0x300 <= ord(char) < 0x370:
            continue
        if word and (("A" <= char <= "Z" and was_lower) or len(word) == LONGEST):
            flush(False)
        was_lower = "a" <= char <= "z"
        as_written = plain(char)
        if ord(char) >= 128:
            if ord(as_written) < 128:
                out.put(last(step(step(start("mark"), 0), ord(lower(char)))), KIND["mark"] | flag)
            elif not word:
                out.put(last(step(step(start("script"), 0), _kernel.script_of(ord(char)))), KIND["script"] | flag)
        word.append(as_written)
    flush(False)


class Names:
    """Codes and names of languages: data/address_names.tsv."""

    def __init__(self, table: str) -> None:
        self.forms: dict[str, tuple[int, str]] = {}
        for line in table.splitlines():
            form, language, kind = line.split("\t")
            self.forms[self.key(form) or ""] = (int.from_bytes(language.encode(), "big"), kind)

    def key(self, part: str) -> str | None:
        """Letters only; None where something else than hyphens, underscores and spaces stands between them."""
        kept = [c for c in part if c not in "-_ " and not 0x300 <= ord(c) < 0x370]
        return "".join(plain(c) for c in kept) if len(kept) >= 2 and all(map(is_letter, kept)) else None

    def find(self, part: str) -> tuple[int, str] | None:
        if not 2 <= len(part) <= LONGEST_NAME:
            return None
        tail = part[3:]
        if part[2:3] in ("-", "_") and (
            re.fullmatch(r"[A-Za-z]{2}|[0-9]{3}", tail) or "".join(map(plain, tail)) in SCRIPTS
        ):
            head = self.forms.get(self.key(part[:2]) or "?")
            if head and head[1] == "code":
                return head[0], "locale"
        return self.forms.get(self.key(part) or "?")

    def said(self, place: int, part: str, flag: int, out: Features) -> bool:
        """Adds the feature of a part that names a language."""
        found = self.find(part)
        if found:
            out.put(number("said", place * len(FORMS) + FORMS.index(found[1]), found[0]), KIND["said"] | flag)
        return found is not None


def is_code(part: str) -> bool:
    joints = all(is_letter(c) or (c in "-_" and 0 < i < len(part) - 1) for i, c in enumerate(part))
    return 2 <= len(part) <= CODE and joints


def number(kind: str, what: int, value: int) -> int:
    return last(step(step(start(kind), what), value))


def bucket(count: int) -> int:
    return count if count < 2 else 2 if count < 4 else 3 if count < 8 else 4


def plain_codes(text: str) -> list[int]:
    return [ord(plain(c)) for c in text]


def host_features(host: bytes, suffixes: Suffixes, names: Names, out: Features) -> None:
    def put(kind: str, raw: bytes) -> None:
        out.put(hashed(kind, list(raw)), KIND[kind] | HOST)

    tld = host.rpartition(b".")[2]
    suffix = suffixes.find(host.decode("latin-1"))
    put("tld", tld)
    if len(host) - suffix > len(tld):
        put("suffix", host[suffix:])
    out.put(number("hyphens", 0, bucket(host.count(b"-"))), KIND["hyphens"] | HOST)
    if suffix == 0:
        return
    labels = host[: suffix - 1].split(b".")
    put("domain", labels[-1] + host[suffix - 1 :])
    for i, label in enumerate(labels):
        before = i + 1 < len(labels) and label not in (b"www", b"")
        if before:
            put("subdomain", label)
        text = None
        if label.startswith(b"xn--") and len(label) <= 63:
            text = punycode(label[4:].decode("latin-1"))
        text = decoded(label, False) if text is None else text
        if not before or not names.said(LABEL, text, HOST, out):
            read_words(text, HOST, out)


def ending(part: str) -> str | None:
    """The second of two pieces of a file's name that are not its type."""
    pieces = re.split(r"([.\-_])", part)
    kept = [
        piece
        for i, piece in enumerate(pieces)
        if i % 2 == 0 and not (i and pieces[i - 1] == "." and "".join(map(plain, piece)) in TRIVIAL)
    ]
    return kept[1] if len(kept) == 2 else None


def file_features(part: str, place: int, names: Names, out: Features) -> bool:
    """The type of a file and what its name says; True where it is not to be read as words."""
    stem, dot, kind = part.rpartition(".")
    if dot and 2 <= len(kind) <= 5:
        out.put(hashed("extension", plain_codes(kind)), KIND["extension"])
    if names.said(place, stem if dot else part, 0, out):
        return True
    end = ending(part)
    if end is not None:
        names.said(ENDING, end, 0, out)
    return False


def path_features(path: bytes, names: Names, out: Features) -> None:
    text = decoded(path, False)
    parts = text.split("/")
    begin = 0
    for i, part in enumerate(parts):
        place = FIRST if begin <= 1 else LATER
        if is_code(part):
            out.put(hashed("segment", plain_codes(part)), KIND["segment"])
        whole = file_features(part, place, names, out) if i + 1 == len(parts) else names.said(place, part, 0, out)
        if not whole:
            read_words(part, 0, out)
        begin += len(part) + 1
    out.put(number("hyphens", 1, bucket(text.count("-"))), KIND["hyphens"])


def query_features(query: bytes, names: Names, out: Features) -> None:
    for part in re.split("[&;#]", decoded(query, True)):
        key, equals, value = part.partition("=")
        if equals and is_code(value):
            out.put(hashed("pair", plain_codes(part)), KIND["pair"] | QUERY)
            out.put(hashed("value", plain_codes(value)), KIND["value"] | QUERY)
        low = "".join(map(plain, key))
        place = ASKED if low.startswith(("lang", "loca")) or low in ASKING else VALUE
        if not equals or not names.said(place, value, QUERY, out):
            read_words(part, QUERY, out)


def features(url: bytes, suffixes: Suffixes, names: Names) -> tuple[int, list[tuple[int, int]]]:
    """Reason and features of a URL."""
    out = Features()
    reason, numeric, host, path, query = split(url)
    if reason != OK:
        return reason, out
    if not numeric:
        host_features(host.lower(), suffixes, names, out)
    if len(path) > 1:
        path_features(path, names, out)
    if query:
        query_features(query, names, out)
    out.put(number("shape", 0, (len(path) > 1) | 2 * (query != b"") | 4 * numeric), KIND["shape"])
    return reason, out


def setting(url: bytes) -> int:
    """What kind of address it is: on a country's domain or a generic one, and whether a home page."""
    _, numeric, host, path, query = split(url)
    top = b"" if numeric else host.lower().rpartition(b".")[2]
    national = not numeric and (len(top) == 2 or top[0] >= 128 or top.startswith(b"xn--"))
    return 2 * (len(path) <= 1 and not query) + (not national)
