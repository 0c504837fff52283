"""The detector of lingua, its builder, languages and results.

>>> detector = LanguageDetectorBuilder.from_languages(Language.ENGLISH, Language.FRENCH, Language.GERMAN).build()
>>> detector.detect_language_of("languages are awesome"), detector.detect_language_of("Hvar er bókasafnið?")
(Language.ENGLISH, None)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from webtongue import Identifier, Verdict, labels
from webtongue.compat.answers import rank_labels
from webtongue.compat.lingua_languages import IsoCode639_1, IsoCode639_3, Language

__all__ = [
    "ConfidenceValue",
    "DetectionResult",
    "IsoCode639_1",
    "IsoCode639_3",
    "Language",
    "LanguageDetector",
    "LanguageDetectorBuilder",
]


def __dir__() -> list[str]:
    return __all__


MAX_DISTANCE = 0.99


@dataclass(frozen=True)
class ConfidenceValue:
    """A language and the probability that a text is in it, given that it is in one of the detector's languages."""

    language: Language
    value: float


@dataclass(frozen=True)
class DetectionResult:
    """A part of a text in one language: positions of its characters, and its number of words."""

    start_index: int
    end_index: int
    word_count: int
    language: Language


class LanguageDetector:
    """Identifies text in some languages. Create it with a :class:`LanguageDetectorBuilder`."""

    def __init__(self, languages: Iterable[Language], distance: float) -> None:
        self._languages = sorted(languages)
        self._distance = distance
        codes = [language.iso_code_639_3.name.lower() for language in self._languages]
        self._language_of = dict(zip(codes, self._languages, strict=True))
        self._identifier = Identifier(priors="uniform", languages=codes)

    def detect_language_of(self, text: str) -> Language | None:
        """Return the language of a text; None if it is clearly in none of the detector's, or too close to the second."""
        return self._decide(self._identifier.identify_text(text))

    def detect_languages_in_parallel_of(self, texts: list[str]) -> list[Language | None]:
        """Return the languages of texts, computed on several threads."""
        return [self._decide(verdict) for verdict in self._identifier.identify_texts(texts)]

    def compute_language_confidence_values(self, text: str) -> list[ConfidenceValue]:
        """Return all languages of the detector with probabilities, best first; all are 0 if the text is in none of them."""
        return self._values(self._identifier.identify_text(text))

    def compute_language_confidence_values_in_parallel(self, texts: list[str]) -> list[list[ConfidenceValue]]:
        """Return what :meth:`compute_language_confidence_values` does, computed on several threads."""
        return [self._values(verdict) for verdict in self._identifier.identify_texts(texts)]

    def compute_language_confidence(self, text: str, language: Language) -> float:
        """Return the probability of one language, 0 for one that the detector does not have."""
        return self._probability(self._identifier.identify_text(text), language)

    def compute_language_confidence_in_parallel(self, texts: list[str], language: Language) -> list[float]:
        """Return the probability of one language for each text, computed on several threads."""
        return [self._probability(verdict, language) for verdict in self._identifier.identify_texts(texts)]

    def detect_multiple_languages_of(self, text: str) -> list[DetectionResult]:
        """Return the parts of a text in different languages, in their order."""
        return self._parts(text, self._identifier.identify_text(text))

    def detect_multiple_languages_in_parallel_of(self, texts: list[str]) -> list[list[DetectionResult]]:
        """Return what :meth:`detect_multiple_languages_of` does, computed on several threads."""
        verdicts = self._identifier.identify_texts(texts)
        return [self._parts(text, verdict) for text, verdict in zip(texts, verdicts, strict=True)]

    def unload_language_models(self) -> None:
        """Do nothing: the model is mapped into memory once and shared."""

    def _values(self, verdict: Verdict) -> list[ConfidenceValue]:
        totals = dict.fromkeys(self._languages, 0.0)
        for label, probability in rank_labels(verdict):
            if language := self._language_of.get(label.partition("_")[0]):
                totals[language] += probability
        whole = sum(totals.values()) or 1.0
        ranked = sorted(totals.items(), key=lambda item: -item[1])
        return [ConfidenceValue(language, total / whole) for language, total in ranked]

    def _probability(self, verdict: Verdict, language: Language) -> float:
        return next((value.value for value in self._values(verdict) if value.language is language), 0.0)

    def _decide(self, verdict: Verdict) -> Language | None:
        first, *others = self._values(verdict)
        runner_up = others[0].value if others else 0.0
        return first.language if first.value and first.value - runner_up >= self._distance else None

    def _parts(self, text: str, verdict: Verdict) -> list[DetectionResult]:
        if verdict.label in labels.WITHOUT_TEXT:
            language = self._decide(verdict)
            return [DetectionResult(0, len(text), len(text.split()), language)] if language else []
        raw = text.encode("utf-8", "replace")
        parts = []
        for segment in verdict.segments:
            if language := self._language_of.get(segment.label.partition("_")[0]):
                start = len(raw[: segment.begin].decode("utf-8", "ignore"))
                part = raw[segment.begin : segment.end].decode("utf-8", "ignore")
                parts.append(DetectionResult(start, start + len(part), len(part.split()), language))
        return parts


class LanguageDetectorBuilder:
    """Selects the languages and settings of a :class:`LanguageDetector`."""

    def __init__(self, languages: Iterable[Language]) -> None:
        self._languages = frozenset(languages)
        self._distance = 0.0
        if not self._languages:
            raise ValueError("LanguageDetector needs at least 1 language to choose from")

    @classmethod
    def from_languages(cls, *languages: Language) -> LanguageDetectorBuilder:
        """Return a builder with these languages."""
        return cls(languages)

    @classmethod
    def from_all_languages(cls) -> LanguageDetectorBuilder:
        """Return a builder with all languages of lingua."""
        return cls(Language)

    @classmethod
    def from_all_languages_without(cls, *languages: Language) -> LanguageDetectorBuilder:
        """Return a builder with all languages but these."""
        return cls(Language.all() - set(languages))

    @classmethod
    def from_all_spoken_languages(cls) -> LanguageDetectorBuilder:
        """Return a builder with all languages but Latin."""
        return cls(Language.all_spoken_ones())

    @classmethod
    def from_all_languages_with_arabic_script(cls) -> LanguageDetectorBuilder:
        """Return a builder with the languages in Arabic script."""
        return cls(Language.all_with_arabic_script())

    @classmethod
    def from_all_languages_with_cyrillic_script(cls) -> LanguageDetectorBuilder:
        """Return a builder with the languages in Cyrillic script."""
        return cls(Language.all_with_cyrillic_script())

    @classmethod
    def from_all_languages_with_devanagari_script(cls) -> LanguageDetectorBuilder:
        """Return a builder with the languages in Devanagari script."""
        return cls(Language.all_with_devanagari_script())

    @classmethod
    def from_all_languages_with_latin_script(cls) -> LanguageDetectorBuilder:
        """Return a builder with the languages in Latin script."""
        return cls(Language.all_with_latin_script())

    @classmethod
    def from_iso_codes_639_1(cls, *iso_codes: Any) -> LanguageDetectorBuilder:
        """Return a builder with the languages of these codes."""
        return cls(map(Language.from_iso_code_639_1, iso_codes))

    @classmethod
    def from_iso_codes_639_3(cls, *iso_codes: Any) -> LanguageDetectorBuilder:
        """Return a builder with the languages of these codes."""
        return cls(map(Language.from_iso_code_639_3, iso_codes))

    def with_minimum_relative_distance(self, distance: float) -> LanguageDetectorBuilder:
        """Let the detector answer None if the two best probabilities differ by less than ``distance``."""
        if not 0.0 <= distance <= MAX_DISTANCE:
            raise ValueError(f"Minimum relative distance must lie in between 0.0 and {MAX_DISTANCE}")
        self._distance = distance
        return self

    def with_low_accuracy_mode(self) -> LanguageDetectorBuilder:
        """Change nothing: there is one model."""
        return self

    with_preloaded_language_models = with_low_accuracy_mode

    def build(self) -> LanguageDetector:
        """Return the detector."""
        return LanguageDetector(self._languages, self._distance)
