"""The readable twin of native/url/features.cpp: a URL to its parts, features and mentions of languages."""

from __future__ import annotations

import re

from tests.twins.url.codes import CASED_LOCALE, CodeRow, Codes
from tests.twins.url.letters import is_letter, lower, plain
from webtongue import _kernel

MASK = (1 << 64) - 1
SEED, WORD, STEP, LAST = 0x6A09E667F3BCC909, 0xBB67AE8584CAA73B, 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
KINDS = (
    "tld", "suffix", "domain", "subdomain", "segment", "pair", "value", "extension", "hyphens", "shape", "script",
    "word", "words", "gram", "mark",
)  # fmt: skip
KIND = {name: number for number, name in enumerate(KINDS)}
HOST, QUERY = 0x80, 0x40
LABEL, FIRST, LATER, DOT, ENDING, TAIL, START, LANGUAGE_KEY, VALUE = range(9)
LANGUAGE_KEYS = {
    "hl", "l", "lan", "ln", "lc", "lg", "idioma", "idiom", "sprache", "lingua", "taal", "culture", "jezik", "jazyk", "kieli",
}  # fmt: skip
PROGRAM_TYPES = {"am", "av", "cs", "do", "la", "mk", "ml", "pl", "ps", "sh", "so", "ss", "ts"}
MAX_MENTIONS, MIN_NAMED_RELIABILITY = 16, 300
LIMIT, MOST, LONGEST, CODE = 2048, 768, 48, 8
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
    """(key, kind) pairs; what is beyond the most is dropped. Beside them, mentions as (place, meanings), and the rows of the top level
    domain and of the last script that is not Latin."""

    def __init__(self) -> None:
        super().__init__()
        self.mentions: list[tuple[int, list[CodeRow]]] = []
        self.tld: list[CodeRow] = []
        self.script: list[CodeRow] = []

    def put(self, key: int, kind: int) -> None:
        if len(self) < MOST:
            self.append((key, kind))

    def mention(self, place: int, meanings: list[CodeRow]) -> bool:
        """Adds the meanings of a part; True if it is right often enough not to be read as words."""
        reliability = max((row.values[place] for row in meanings), default=0)
        if reliability and len(self.mentions) < MAX_MENTIONS:
            self.mentions.append((place, meanings))
        return reliability >= MIN_NAMED_RELIABILITY


def read_words(text: str, flag: int, codes: Codes, out: Features, scripts: set[int]) -> None:
    """Cut a segment into words and add their features; ``scripts`` are those that its part has had before."""
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
            elif not word and (script := _kernel.script_of(ord(char))) not in scripts:
                scripts.add(script)
                out.put(last(step(step(start("script"), 0), script)), KIND["script"] | flag)
                out.script = codes.scripts.get(_kernel.script_names()[script], [])
        word.append(as_written)
    flush(False)


def is_code(part: str) -> bool:
    joints = all(is_letter(c) or (c in "-_" and 0 < i < len(part) - 1) for i, c in enumerate(part))
    return 2 <= len(part) <= CODE and joints


def number(kind: str, what: int, value: int) -> int:
    return last(step(step(start(kind), what), value))


def bucket(count: int) -> int:
    return count if count < 2 else 2 if count < 4 else 3 if count < 8 else 4


def plain_codes(text: str) -> list[int]:
    return [ord(plain(c)) for c in text]


def host_features(host: bytes, suffixes: Suffixes, codes: Codes, out: Features) -> None:
    def put(kind: str, raw: bytes) -> None:
        out.put(hashed(kind, list(raw)), KIND[kind] | HOST)

    tld = host.rpartition(b".")[2]
    suffix = suffixes.find(host.decode("latin-1"))
    country = codes.country(tld)
    out.tld = codes.tlds.get(country.decode("latin-1"), [])
    put("tld", country)
    if len(host) - suffix > len(tld):
        put("suffix", host[suffix:])
    out.put(number("hyphens", 0, bucket(host.count(b"-"))), KIND["hyphens"] | HOST)
    if suffix == 0:
        return
    labels = host[: suffix - 1].split(b".")
    put("domain", labels[-1] + host[suffix - 1 :])
    scripts: set[int] = set()
    for i, label in enumerate(labels):
        before = i + 1 < len(labels) and label not in (b"www", b"")
        text = decoded_label(label)
        if before and out.mention(LABEL, codes.find(text)):
            continue
        if before:
            put("subdomain", label)
        read_words(text, HOST, codes, out, scripts)


def decoded_label(label: bytes) -> str:
    """A label of a host in its own script."""
    text = None
    if label.startswith(b"xn--") and len(label) <= 63:
        text = punycode(label[4:].decode("latin-1"))
    return decoded(label, False) if text is None else text


def chunk_mentions(name: str, codes: Codes, out: Features) -> None:
    """What the chunks of a segment name: index.fr, index_fr, my-index-fr, fr_index."""
    chunks = re.split(r"([.\-_])", name)
    if len(chunks) < 3 or not chunks[0] or not chunks[-1]:
        return
    if len(chunks) == 3 and len(chunks[0]) == len(chunks[2]) == 2:
        return  # de-it: a locale with a rare region or a pair of languages
    out.mention(DOT if chunks[-2] == "." else ENDING if len(chunks) == 3 else TAIL, codes.find(chunks[-1]))
    if chunks[1] != "-":
        out.mention(START, codes.find(chunks[0]))


def file_name(part: str, codes: Codes, out: Features) -> str:
    """A file's name without its type; the type may be a language: deed.sv."""
    stem, dot, kind = part.rpartition(".")
    if not dot:
        return part
    if 2 <= len(kind) <= 5:
        out.put(hashed("extension", plain_codes(kind)), KIND["extension"])
    if stem and len(kind) == 2 and "".join(map(plain, kind)) not in PROGRAM_TYPES:
        out.mention(DOT, codes.find(kind))
    return stem


def names_a_language(name: str, place: int, codes: Codes, out: Features) -> bool:
    """The mentions of a segment; True if it names a language as a whole."""
    if out.mention(LANGUAGE_KEY if CASED_LOCALE.fullmatch(name) else place, codes.find(name)):
        return True
    key = re.match("(lang|lng|language|locale)[=_:-](?=..)", "".join(map(plain, name)), re.S)
    if key and out.mention(LANGUAGE_KEY, codes.find(name[key.end() :])):
        return True
    chunk_mentions(name, codes, out)
    return False


def path_features(path: bytes, codes: Codes, out: Features) -> None:
    text = decoded(path, False)
    parts = text.split("/")
    scripts: set[int] = set()
    begin = skip = 0
    for i, part in enumerate(parts):
        place = FIRST if begin <= 1 else LATER
        begin += len(part) + 1
        if skip:
            skip -= 1
            continue
        following = parts[i + 1] if i + 1 < len(parts) else ""
        is_pair = len(part) == len(following) == 2 and is_code(part) and is_code(following)
        if is_pair and out.mention(place, codes.find_pair(part, following)):
            skip = 1
            continue
        name = file_name(part, codes, out) if i + 1 == len(parts) else part
        if names_a_language(name, place, codes, out):
            continue
        if is_code(part):
            out.put(hashed("segment", plain_codes(part)), KIND["segment"])
        read_words(part, 0, codes, out, scripts)
    out.put(number("hyphens", 1, bucket(text.count("-"))), KIND["hyphens"])


def is_language_key(key: str) -> bool:
    low = "".join(map(plain, key))
    return "lang" in low or low.startswith(("loca", "lng")) or low.endswith("lng") or low in LANGUAGE_KEYS


def query_features(query: bytes, codes: Codes, out: Features) -> None:
    scripts: set[int] = set()
    for part in re.split("[&;#]", decoded(query, True)):
        key, equals, value = part.partition("=")
        if equals and out.mention(LANGUAGE_KEY if is_language_key(key) else VALUE, codes.find(value)):
            continue
        if equals and is_code(value):
            out.put(hashed("pair", plain_codes(part)), KIND["pair"] | QUERY)
            out.put(hashed("value", plain_codes(value)), KIND["value"] | QUERY)
        read_words(part, QUERY, codes, out, scripts)


def features(url: bytes, suffixes: Suffixes, codes: Codes) -> tuple[int, Features]:
    """Reason and features of a URL."""
    out = Features()
    reason, numeric, host, path, query = split(url)
    if reason != OK:
        return reason, out
    if not numeric:
        host_features(host.lower(), suffixes, codes, out)
    if len(path) > 1:
        path_features(path, codes, out)
    if query:
        query_features(query, codes, out)
    out.put(number("shape", 0, (len(path) > 1) | 2 * (query != b"") | 4 * numeric), KIND["shape"])
    return reason, out


def setting(url: bytes) -> int:
    """What kind of address it is: on a country's domain or a generic one, and whether a home page."""
    _, numeric, host, path, query = split(url)
    top = b"" if numeric else host.lower().rpartition(b".")[2]
    national = not numeric and (len(top) == 2 or top[0] >= 128 or top.startswith(b"xn--"))
    return 2 * (len(path) <= 1 and not query) + (not national)
