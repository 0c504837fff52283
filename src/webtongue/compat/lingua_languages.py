"""The languages of lingua and their ISO 639 codes, as enumerations."""

from __future__ import annotations

from enum import Enum
from typing import Any, TypeVar

from webtongue import labels

__all__ = ["IsoCode639_1", "IsoCode639_3", "Language"]

Member = TypeVar("Member", bound="NamedMember")


class NamedMember(Enum):
    """A member that is ordered, shown and looked up by its name, as in lingua."""

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __lt__(self, other: NamedMember) -> bool:
        return self.name < other.name

    @classmethod
    def from_str(cls: type[Member], string: str) -> Member:
        """Return the member with a name in any case; raise ValueError if there is none."""
        try:
            return cls[string.upper()]
        except KeyError:
            raise ValueError("Matching enum member not found") from None


class Language(NamedMember):
    """The languages that lingua identifies; values are their ISO 639-1 and 639-3 codes."""

    AFRIKAANS = "AF AFR"
    ALBANIAN = "SQ SQI"
    ARABIC = "AR ARA"
    ARMENIAN = "HY HYE"
    AZERBAIJANI = "AZ AZE"
    BASQUE = "EU EUS"
    BELARUSIAN = "BE BEL"
    BENGALI = "BN BEN"
    BOKMAL = "NB NOB"
    BOSNIAN = "BS BOS"
    BULGARIAN = "BG BUL"
    CATALAN = "CA CAT"
    CHINESE = "ZH ZHO"
    CROATIAN = "HR HRV"
    CZECH = "CS CES"
    DANISH = "DA DAN"
    DUTCH = "NL NLD"
    ENGLISH = "EN ENG"
    ESPERANTO = "EO EPO"
    ESTONIAN = "ET EST"
    FINNISH = "FI FIN"
    FRENCH = "FR FRA"
    GANDA = "LG LUG"
    GEORGIAN = "KA KAT"
    GERMAN = "DE DEU"
    GREEK = "EL ELL"
    GUJARATI = "GU GUJ"
    HEBREW = "HE HEB"
    HINDI = "HI HIN"
    HUNGARIAN = "HU HUN"
    ICELANDIC = "IS ISL"
    INDONESIAN = "ID IND"
    IRISH = "GA GLE"
    ITALIAN = "IT ITA"
    JAPANESE = "JA JPN"
    KAZAKH = "KK KAZ"
    KOREAN = "KO KOR"
    LATIN = "LA LAT"
    LATVIAN = "LV LAV"
    LITHUANIAN = "LT LIT"
    MACEDONIAN = "MK MKD"
    MALAY = "MS MSA"
    MAORI = "MI MRI"
    MARATHI = "MR MAR"
    MONGOLIAN = "MN MON"
    NYNORSK = "NN NNO"
    PERSIAN = "FA FAS"
    POLISH = "PL POL"
    PORTUGUESE = "PT POR"
    PUNJABI = "PA PAN"
    ROMANIAN = "RO RON"
    RUSSIAN = "RU RUS"
    SERBIAN = "SR SRP"
    SHONA = "SN SNA"
    SLOVAK = "SK SLK"
    SLOVENE = "SL SLV"
    SOMALI = "SO SOM"
    SOTHO = "ST SOT"
    SPANISH = "ES SPA"
    SWAHILI = "SW SWA"
    SWEDISH = "SV SWE"
    TAGALOG = "TL TGL"
    TAMIL = "TA TAM"
    TELUGU = "TE TEL"
    THAI = "TH THA"
    TSONGA = "TS TSO"
    TSWANA = "TN TSN"
    TURKISH = "TR TUR"
    UKRAINIAN = "UK UKR"
    URDU = "UR URD"
    VIETNAMESE = "VI VIE"
    WELSH = "CY CYM"
    XHOSA = "XH XHO"
    YORUBA = "YO YOR"
    ZULU = "ZU ZUL"

    @property
    def iso_code_639_1(self) -> Any:
        """The member of IsoCode639_1."""
        return IsoCode639_1[self.value.split()[0]]

    @property
    def iso_code_639_3(self) -> Any:
        """The member of IsoCode639_3."""
        return IsoCode639_3[self.value.split()[1]]

    @classmethod
    def all(cls) -> set[Language]:
        """Return all languages."""
        return set(cls)

    @classmethod
    def all_spoken_ones(cls) -> set[Language]:
        """Return all languages but Latin."""
        return cls.all() - {cls.LATIN}

    @classmethod
    def all_with_arabic_script(cls) -> set[Language]:
        """Return the languages in Arabic script."""
        return cls._with_script("Arab")

    @classmethod
    def all_with_cyrillic_script(cls) -> set[Language]:
        """Return the languages in Cyrillic script."""
        return cls._with_script("Cyrl")

    @classmethod
    def all_with_devanagari_script(cls) -> set[Language]:
        """Return the languages in Devanagari script."""
        return cls._with_script("Deva")

    @classmethod
    def all_with_latin_script(cls) -> set[Language]:
        """Return the languages in Latin script."""
        return cls._with_script("Latn")

    @classmethod
    def from_iso_code_639_1(cls, iso_code: Any) -> Language:
        """Return the language of a member of IsoCode639_1."""
        return next(language for language in cls if language.iso_code_639_1 is iso_code)

    @classmethod
    def from_iso_code_639_3(cls, iso_code: Any) -> Language:
        """Return the language of a member of IsoCode639_3."""
        return next(language for language in cls if language.iso_code_639_3 is iso_code)

    @classmethod
    def _with_script(cls, script: str) -> set[Language]:
        return {language for language in cls if labels.usual_script(language.value.split()[1].lower()) == script}


def _enumerate_codes(name: str, position: int) -> Any:
    """Return an enumeration of the codes at a position of the languages' values, in alphabetical order."""
    make: Any = NamedMember
    return make(name, sorted(language.value.split()[position] for language in Language), module=__name__)


IsoCode639_1 = _enumerate_codes("IsoCode639_1", 0)
IsoCode639_3 = _enumerate_codes("IsoCode639_3", 1)
