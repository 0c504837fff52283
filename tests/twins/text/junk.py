"""Detect text that is not language: the readable twin of native/text/junk.cpp."""

from __future__ import annotations

import re
from itertools import pairwise
from math import isqrt
from pathlib import Path

ROOT = Path(__file__).parents[3]
WINDOWS, WINDOW = 8, 384
RUN, LONG_TOKEN, HIGH_WORD = 3, 40, 12
NAME_ITEMS, NAME_SHARE, CLEAR_SCORE = 10, 85, 200
WORDLESS_BYTES = 24
SMOOTH_BYTES, SMOOTH_LINES, SHORT = 24, 3, 160
MIN_BYTES = 16
WEIGHT_BITS = 10
UNICODE_SPACES = frozenset(
    "\x85\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
PROSE_SIGNS = frozenset(b'0123456789{}()[]<>;:=_/\\|#@$%^&*+~`"')

FEATURES = (
    "digits upper parens braces angles semicolons equals colons quotes slashes underscores sigils stops hyphens "
    "high_letters high_symbols controls camel mixed calls code_brackets sigil_words json_pairs tags block_ends glued doubles units words "
    "number_tokens addresses encoded_tokens identifiers operators code_operators other_tokens vowelless long keywords runs code_ends "
    "punctuation_starts indented same_starts short"
).split()
LINE_FEATURES = {"code_ends", "punctuation_starts", "indented", "same_starts"}
KEYWORDS = set(
    (
        "args argv async await bool boolean catch chmod chown const def define defun echo elif elsif endfor "
        "endif enum esac eval extends extern false float foreach fprintf func function goto grep ifdef ifndef "
        "impl import include inline int isset kwargs lambda len malloc mkdir mutable nil null nullptr pragma "
        "print printf println private public return size sizeof static std stderr stdin stdout str strlen "
        "struct sudo switch throw throws true tuple typedef typename typeof uint undef union unsigned virtual "
        "void volatile window "
    ).split()
)
QUERY_WORDS = set(
    (
        "ALTER BY CREATE DELETE DISTINCT DROP FROM GROUP HAVING INNER INSERT INTEGER INTO JOIN LIMIT NULL ORDER PRIMARY SELECT "
        "TABLE UNION UPDATE VALUES VARCHAR WHERE"
    ).split()
)
MIN_QUERY_WORDS = 2
KINDS = ["", "code", "json", "numbers", "encoded", "css", "urls", "names", "markup"]
SIGNS = [
    ("identifiers", "code", 2), ("calls", "code", 3), ("block_ends", "code", 2), ("glued", "code", 2),
    ("keywords", "code", 2), ("json_pairs", "json", 6), ("quotes", "json", 1), ("digits", "numbers", 1),
    ("number_tokens", "numbers", 2), ("encoded_tokens", "encoded", 3), ("mixed", "encoded", 1),
    ("controls", "encoded", 2), ("units", "css", 12), ("addresses", "urls", 3), ("tags", "markup", 6),
    ("angles", "markup", 2),
]  # fmt: skip

# A letter for each class of bytes: v vowel, l other lower case, U upper case, d digit, H letter beyond ASCII, S symbol
# beyond ASCII, c control, _ blank, n line end; $ for sigils; brackets by the round ones; other punctuation for itself.
LOWER, LETTERS, OPERATORS = "vl", "vlU", "=:$/<>"
SHARE_OF = {
    "d": "digits", "U": "upper", "(": "parens", ")": "parens", "{": "braces", "}": "braces", "<": "angles",
    ">": "angles", ";": "semicolons", "=": "equals", ":": "colons", '"': "quotes", "/": "slashes",
    "u": "underscores", "$": "sigils", "@": "sigils", "#": "sigils", ".": "stops", ",": "stops", "!": "stops",
    "-": "hyphens", "H": "high_letters", "S": "high_symbols", "c": "controls",
}  # fmt: skip


def weights(is_short: bool) -> tuple[int, list[int]]:
    """Return the bias and the weights of short or long texts from the table that the kernel is compiled with."""
    text = (ROOT / "native" / "tables" / "junk.inc").read_text()
    biases = re.search(r"JUNK_BIAS\[2\] = \{(.*)\}", text)[1].split(",")
    tables = re.findall(r"\{([-\d,\s]+)\}", text.split("JUNK_WEIGHTS")[1])
    return int(biases[is_short]), [int(n) for n in tables[is_short].replace(",", " ").split()]


def ascii_class(c: int) -> str:
    ch = chr(c)
    if ch in "\n\r":
        return "n"
    if ch in " \t\f\v":
        return "_"
    if c < 0x20 or c == 0x7F:
        return "c"
    if ch.isdigit():
        return "d"
    if ch.isalpha():
        return "U" if ch.isupper() else "v" if ch in "aeiouy" else "l"
    if ch in "([":
        return "("
    if ch in ")]":
        return ")"
    if ch == "_":
        return "u"
    if ch in "!?":
        return "!"
    return ch if ch in "{}<>;=:\"'/@#.,-" else "$"


def classes_of(window: bytes) -> str:
    """A letter for each byte."""
    out, high_class = [], "H"
    for i, c in enumerate(window):
        if c < 0x80:
            out.append(ascii_class(c))
            continue
        after = window[i + 1] if i + 1 < len(window) else 0
        if c >= 0xC0:
            is_space = window[i : i + 3].decode("utf-8", "replace")[:1] in UNICODE_SPACES
            high_class = "_" if is_space else "S" if leads_symbol(c, after) else "H"
        out.append(high_class)
    return "".join(out)


def leads_symbol(lead: int, after: int) -> bool:
    if lead == 0xE2:
        return after < 0xB0
    if lead == 0xEF:
        return after < 0xA4 or after >= 0xBF
    if lead == 0xF0:
        return after == 0x9F
    return lead in (0xC2, 0xEE) or lead >= 0xF3


def is_capital(text: bytes) -> bool:
    c, after = text[0], text[1] if len(text) > 1 else 0
    if c < 0x80:
        return chr(c).isupper()
    if c in (0xC4, 0xC5):
        return after % 2 == 0
    first, last = {0xC3: (0x80, 0x9E), 0xCE: (0x86, 0xAB), 0xD0: (0x80, 0xAF)}.get(c, (1, 0))
    return first <= after <= last


def pair_feature(a: str, b: str) -> str | None:
    """What two neighbours are a sign of."""
    wordy = LETTERS + "d"
    if a in LOWER and b == "U":
        return "camel"
    if (a in LETTERS and b == "d") or (a == "d" and b in LETTERS):
        return "mixed"
    if a + b in ("()", ");", "){"):
        return "code_brackets"
    if a in wordy + "u(" and b == "(":
        return "calls"
    if a == "$" and b in LOWER:
        return "sigil_words"
    if (a == '"' and b in ":,})") or (b == '"' and a in "{(,:"):
        return "json_pairs"
    if (a == "<" and b in "/" + LETTERS) or a + b in ("/>", '="', '">'):
        return "tags"
    if a in ";{}" and b in "n};)":
        return "block_ends"
    if (a in wordy and b in "=$") or (a in ".,;=" and b in LETTERS):
        return "glued"
    if (a in OPERATORS and b in OPERATORS) or (a in "-!" and b in ">="):
        return "doubles"
    return None


WORD = re.compile(
    r"""[-'("S\#@!]*            # what may lead
        [vlUH] (?: [vlUHS'-]    # letters and what joins them
                 | [S'-]* [.,;:!)"] [.,;:!)"'S-]* H )*   # in scripts without spaces a stop may stand inside
        (?: [.,;:!)"] [.,;:!)"'S-]* )? """,
    re.X,
)


def token_kind(classes: str, pairs: dict[str, int]) -> str:
    """What a token is, by its classes and pairs."""
    size, count = len(classes), classes.count
    lower = count("v") + count("l")
    letters, digits, high = lower + count("U"), count("d"), count("H")
    turns = pairs.get("mixed", 0) + pairs.get("camel", 0)
    glued = pairs.get("glued", 0)
    if letters + digits + high == 0:
        return "operators"
    if high * 2 >= size:
        return "words"
    path = count("/") >= 2 and letters >= 3
    host = count(".") >= 2 and glued >= 2 and lower >= 4
    mail = count("@") >= 1 and count(".") >= 1 and glued >= 1 and lower >= 4
    if path or host or mail:
        return "addresses"
    alphabet = letters + digits + sum(map(count, "/$=-u"))
    if alphabet == size and ((size >= 20 and turns * 5 >= size) or (size >= 8 and turns * 3 >= size)):
        return "encoded_tokens"
    if digits and letters <= 2:
        return "number_tokens"
    if WORD.fullmatch(classes) and not pairs.get("camel"):
        return "words"
    return "identifiers" if turns or count("u") or glued or pairs.get("calls") else "other_tokens"


def is_digit_word(token: bytes, classes: str) -> bool:
    """Whether a token is a word with single digits for letters, as Arabic is typed in Latin letters."""
    core = re.sub(r"[-'\"().,!]", "", classes)
    digits = core.count("d")
    letters = len(core) - digits
    is_plain = re.fullmatch("U?[vld]*", core) is not None and "dd" not in classes and not re.search(b"[01]", token)
    has_mixed = re.search("[vlU]d|d[vlU]", classes) is not None
    return is_plain and has_mixed and digits > 0 and letters >= 2 * digits and letters > 2


class Tally:
    """What is counted over all windows."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(FEATURES, 0)
        self.bytes = self.lines = self.items = self.name_items = 0
        self.run: list[tuple[int, int]] = []  # sizes and letters beyond ASCII of words in a row
        self.item: list[bool] = []  # whether each token of a list's item is capitalised
        self.start = b""  # the first token of the line before
        self.line_queries: list[int] = []  # sizes of the keywords of SQL in the line
        self.line_lower_words = 0

    def read(self, window: bytes) -> None:
        classes = classes_of(window)
        for pair in pairwise("n" + classes + "n"):
            feature = pair_feature(*pair)
            if feature:
                self.counts[feature] += 1
        for c in classes:
            if c in SHARE_OF:
                self.counts[SHARE_OF[c]] += 1
            self.bytes += c not in "_n"
        for m in re.finditer(rb"(?<=[0-9])(?:px|em|vh|vw)", window):
            self.counts["units"] += bool(m)
        start, self.start = 0, b""
        for end in [m.start() for m in re.finditer("n", classes)] + [len(classes)]:
            self.read_line(window[start:end], classes[start:end], window, start, classes)
            start = end + 1
        self.end_run()

    def read_line(self, line: bytes, classes: str, window: bytes, offset: int, whole: str) -> None:
        for m in re.finditer("[^_]+", classes):
            before = whole[offset + m.start() : offset + m.end()]
            pairs: dict[str, int] = {}
            for pair in pairwise(before):
                feature = pair_feature(*pair)
                if feature:
                    pairs[feature] = pairs.get(feature, 0) + 1
            self.end_token(line[m.start() : m.end()], m.group(), pairs)
        self.end_item()
        if len(self.line_queries) >= MIN_QUERY_WORDS and self.line_lower_words:
            self.counts["keywords"] += sum(self.line_queries)
        self.line_queries, self.line_lower_words = [], 0
        stripped = line.strip(b" \t\n\f\r")
        if not stripped:
            return
        self.lines += 1
        first, last = (ascii_class(c) if c < 0x80 else "H" for c in (stripped[0], stripped[-1]))
        self.counts["code_ends"] += last in ";{}>="
        self.counts["punctuation_starts"] += first not in "_nvlUdHSc\"'@#-(!"
        lead = len(line) - len(line.lstrip(b" \t\n\f\r"))
        self.counts["indented"] += lead >= 2 or line[:1] == b"\t"
        token = re.split(rb"[ \t\f\v]", stripped)[0]
        self.counts["same_starts"] += first in LETTERS and len(token) >= 2 and token == self.start
        self.start = token

    def end_token(self, token: bytes, classes: str, pairs: dict[str, int]) -> None:
        kind = "words" if is_digit_word(token, classes) else token_kind(classes, pairs)
        self.counts[kind] += len(token)
        if kind == "operators" and (set("={}") & set(classes) or pairs.get("doubles")):
            self.counts["code_operators"] += len(token)
        if len(token) > LONG_TOKEN and "H" not in classes:
            self.counts["long"] += len(token)
        title = False
        if kind == "words":
            title = self.end_word(token, classes)
        elif kind not in ("number_tokens", "operators"):
            self.end_run()
        self.item.append(title)
        if token[-1:] in (b",", b";"):
            self.end_item()

    def end_word(self, token: bytes, classes: str) -> bool:
        """Counts a word; whether it is capitalised."""
        self.run.append((len(token), classes.count("H")))
        letters = re.sub(rb"^[\x00-\x40\x5b-\x60\x7b-\x7f]+", b"", token)
        title = classes.count("U") <= 1 and bool(letters) and is_capital(letters)
        is_lower = "U" not in classes
        if "H" in classes or not (is_lower or not set("vl") & set(classes)):
            return title
        self.line_lower_words += is_lower
        if classes.count("l") >= 4 and "v" not in classes:
            self.counts["vowelless"] += len(token)
        word = re.match(rb"[A-Za-z]*", letters)[0].decode()
        if is_lower and word in KEYWORDS:
            self.counts["keywords"] += len(token)
        elif word in QUERY_WORDS:
            self.line_queries.append(len(token))
        return title

    def end_run(self) -> None:
        if len(self.run) >= RUN or sum(high for _, high in self.run) >= HIGH_WORD:
            self.counts["runs"] += sum(size for size, _ in self.run)
        self.run = []

    def end_item(self) -> None:
        self.items += bool(self.item)
        self.name_items += len(self.item) in (2, 3) and all(self.item)
        self.item = []

    def values(self) -> list[int]:
        size = self.bytes + SMOOTH_BYTES
        out = []
        for name in FEATURES[:-1]:
            whole = self.lines + SMOOTH_LINES if name in LINE_FEATURES else size
            out.append(isqrt(1000 * min(1000, 1000 * self.counts[name] // whole)))
        return [*out, max(0, 1000 * (SHORT - size) // SHORT)]


def tally(text: bytes) -> Tally:
    out = Tally()
    if len(text) <= WINDOWS * WINDOW:
        out.read(text)
        return out
    step = (len(text) - WINDOW) // (WINDOWS - 1)
    for i in range(WINDOWS):
        out.read(text[step * i : step * i + WINDOW])
    return out


def looks_like_prose(text: bytes) -> bool:
    """Return True if fewer than one byte in twenty is a digit or the punctuation of code."""
    return 20 * sum(byte in PROSE_SIGNS for byte in text) < len(text)


def junk_features(text: bytes) -> list[int]:
    return tally(text).values()


def look_for_junk(text: bytes) -> tuple[int, str]:
    """Score in hundredths of a nat, and the kind where it is above 0."""
    counted = tally(text)
    values = counted.values()
    bias, each = weights(values[-1] > 0)
    score = (bias + sum(w * v for w, v in zip(each, values, strict=True))) >> WEIGHT_BITS
    is_names = counted.name_items >= NAME_ITEMS and counted.name_items * 100 >= NAME_SHARE * counted.items
    wordless = sum(counted.counts[name] for name in ("number_tokens", "addresses", "encoded_tokens"))
    if counted.bytes >= WORDLESS_BYTES and wordless * 4 >= 3 * counted.bytes:
        score = max(score, CLEAR_SCORE)
    if is_names and score < CLEAR_SCORE:
        return CLEAR_SCORE, "names"
    if counted.bytes < MIN_BYTES:
        score = min(score, 0)
    if score <= 0:
        return score, ""
    signs = dict.fromkeys(KINDS[1:], 0) | {"code": 1}
    named = dict(zip(FEATURES, values, strict=True))
    for feature, kind, weight in SIGNS:
        signs[kind] += weight * named[feature]
    return score, max(signs, key=lambda kind: signs[kind])
