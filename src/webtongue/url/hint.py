"""What an address says of its page's language, as evidence beside what other sources say.

Four voices, each a log-likelihood ratio against "a URL in general": how much likelier the address is among the pages of a language
than among those of the URL model's languages together, each with its share of the web.

1. The URL model, for its languages: ``log P(language | url) - log P(language)``, the prior being the one it was trained with. It
   knows of no others, so its probabilities hold given that the language is one of its own, and a language outside is at 0: as
   likely as before. With the chance ``doubt``, learnt on domains it has not seen, the address says nothing, so that no language
   is further down than ``log doubt``.
2. Codes and names (``/is/``, ``fo.``, ``?lang=eu``) of other languages: how often domains of a language say it there, over how
   often the domains of the model's languages have the same part by chance, or in another sense (``/my/``).
3. Top level domains of countries and regions, for the other languages that are spoken there (CLDR).
4. Letters of a script in host and path, for the other languages that are written in it.

All rates are learnt (``tools/weights/fit_address.py``, ``data/address.tsv``). The voices 2 to 4 are those of one site, so the
loudest one counts for each language.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from webtongue import _kernel, labels
from webtongue.files import rows
from webtongue.hints.hint import Hint
from webtongue.url.codes import meanings
from webtongue.url.evidence import printable
from webtongue.url.model import NATS, UrlModel
from webtongue.url.places import Places, places_of, scripts_in, tokens

__all__ = ["AddressReader", "address_reader", "url_hint"]

Says = tuple[tuple[str, float], ...]
STEP = 6  # bits: log-ratios are looked up to a sixteenth of a nat
LOWEST, HIGHEST = -24, 16  # nats between which they are looked up
NEVER = -(1 << 28)  # a log-probability below which nothing is an answer: here everything is
# Chinese by its region: no list of URLs says in which of its scripts a page is, so this is a bound, not a rate.
TRADITIONAL_TOPS = frozenset({"tw", "hk", "mo", "xn--kpry57d", "xn--kprw13d", "xn--j6w193g", "台灣", "台湾", "香港"})
SIMPLIFIED_TOPS = frozenset({"cn", "xn--fiqs8s", "xn--fiqz9s", "中国", "中國"})
TRADITIONAL_CODES = frozenset({"zh-tw", "zh-hk", "zh-mo", "zh-hant", "zh_tw", "zh_hk", "zh_mo", "zh_hant", "tc", "cht", "zht"})
SIMPLIFIED_CODES = frozenset({"zh-cn", "zh-sg", "zh-hans", "zh_cn", "zh_sg", "zh_hans", "sc", "chs", "zhs"})
SCRIPT_HOLDS = 0.9
LIKELY, UNLIKELY = math.log(2 * SCRIPT_HOLDS), math.log(2 * (1 - SCRIPT_HOLDS))


@dataclass(frozen=True, slots=True)
class AddressReader:
    """The URL model and what was learnt beside it, made ready for one look a part."""

    kernel: _kernel.UrlModel
    zeros: array[int]
    languages: tuple[str, ...]  # of the model, by its numbers
    priors: tuple[int, ...]  # those it was trained with, from the lowest log-ratio on
    ratios: tuple[float, ...]  # nats by how the model's log-ratio is looked up
    floor: Mapping[str, float]  # every language of the model where it is ruled out
    tops: Mapping[str, Says]
    said: Mapping[str, Mapping[str, Says]]  # by place and token
    locales: Mapping[str, Mapping[str, Says]]  # by place and the code before the region
    scripts: Mapping[str, Says]


def url_hint(url: str, reader: AddressReader) -> Hint:
    """What an address says, in nats; silent where it is none. Never raises.

    >>> from webtongue.url.model import load
    >>> hint = url_hint("https://example.is/frettir/", address_reader(load()))
    >>> hint.label, hint.nats["isl"] > 5
    ('isl', True)
    """
    reason, ids, logs = reader.kernel.rank(url, reader.zeros, NEVER, len(reader.languages))
    if reason and not ids and _kernel_says(reason):
        return Hint("url", printable(url), "", {})
    nats: dict[str, float] = {}
    if ids:
        nats.update(reader.floor)
        names, priors, ratios = reader.languages, reader.priors, reader.ratios
        for i, log in zip(ids, logs, strict=True):
            nats[names[i]] = ratios[(log - priors[i]) >> STEP]
    places = places_of(url)
    for key, value in _beside(places, reader):
        if value > nats.get(key, 0.0):
            nats[key] = value
    if nats.get("zho", 0.0) > 0:
        _script_of_chinese(places, nats)
    best = max(nats, key=nats.__getitem__, default="")
    return Hint("url", printable(url), best if best and nats[best] > 0 else "", nats)


def _kernel_says(reason: int) -> bool:
    """Whether an address without an answer is none that could be read, rather than one that says nothing."""
    return reason != SAYS_NOTHING


SAYS_NOTHING = 4  # of native/url/parts.hpp


def _beside(places: Places, reader: AddressReader) -> list[tuple[str, float]]:
    """What codes, names, top level domain and letters say for languages that the model does not know."""
    out = list(reader.tops.get(places.top, ()))
    said = reader.said
    for place, token in tokens(places):
        found = said[place].get(token)
        if found:
            out += found
        elif len(token) == 5 and token[2] in "-_":
            out += reader.locales[place].get(token[:2], ())
    if "xn--" in places.host or "%" in places.path or not (places.host.isascii() and places.path.isascii()):
        for script in scripts_in(places):
            out += reader.scripts.get(script, ())
    return out


def _script_of_chinese(places: Places, nats: dict[str, float]) -> None:
    """Chinese in one of its scripts, where a code or the top level domain names a region: a code goes first."""
    found = {token for _, token in tokens(places)}
    traditional = bool(found & TRADITIONAL_CODES)
    simplified = bool(found & SIMPLIFIED_CODES)
    if not traditional and not simplified:
        traditional, simplified = places.top in TRADITIONAL_TOPS, places.top in SIMPLIFIED_TOPS
    if traditional != simplified:
        nats["zho_Hant"] = nats["zho"] + (LIKELY if traditional else UNLIKELY)
        nats["zho_Hans"] = nats.pop("zho") + (UNLIKELY if traditional else LIKELY)


@cache
def address_reader(model: UrlModel) -> AddressReader:
    """A model with the learnt table beside it."""
    table = rows("address.tsv")
    names = tuple(label.partition("_")[0] for label in model.labels)
    believe = {row[1]: float(row[3]) for row in table if row[0] == "believe"}
    step = (1 << STEP) / NATS
    count = int((HIGHEST - LOWEST) / step)
    ratios = tuple(_believed(LOWEST + (i + 0.5) * step, believe["temper"], believe["doubt"]) for i in range(count))
    own = model.kernel.own_priors
    said, locales = _said(table, frozenset(names))
    return AddressReader(
        model.kernel,
        array("i", [0] * len(names)),
        names,
        tuple(prior + LOWEST * NATS for prior in own),
        ratios,
        dict.fromkeys(names, math.log(believe["doubt"])),
        {row[1]: _pairs(row[3]) for row in table if row[0] == "tld"},
        said,
        locales,
        _scripts(table, frozenset(names)),
    )


def _believed(ratio: float, temper: float, doubt: float) -> float:
    return math.log((1 - doubt) * math.exp(temper * ratio) + doubt)


def _pairs(text: str) -> Says:
    return tuple((key, float(value)) for key, _, value in (pair.partition(":") for pair in text.split(" ")))


def _said(table: list[list[str]], known: frozenset[str]) -> tuple[dict[str, dict[str, Says]], dict[str, dict[str, Says]]]:
    """Codes and names of the languages outside of the model, and codes that a region follows, by place."""
    rates = {(row[1], row[2]): float(row[3]) for row in table if row[0] == "say"}
    general = {(row[1], row[2]): float(row[3]) for row in table if row[0] == "seen"}
    unseen = {row[1]: float(row[3]) for row in table if row[0] == "unseen"}
    said: dict[str, dict[str, Says]] = {place: {} for place in unseen}
    locales: dict[str, dict[str, Says]] = {place: {} for place in unseen}
    for token, found in meanings().items():
        for place, chance in unseen.items():
            least = general.get((place, token), chance)
            says = tuple(
                (language, nats)
                for language, form in found
                if language not in known and (nats := math.log(rates[place, form] / least)) > 0
            )
            if says:
                said[place][token] = says
                if len(token) == 2:
                    locales[place][token] = says
    return said, locales


def _scripts(table: list[list[str]], known: frozenset[str]) -> dict[str, Says]:
    """Languages outside of the model by the script that they are usually in, named as Unicode names its letters."""
    rate = next(float(row[3]) for row in table if row[:2] == ["letters", "any"])
    general = {row[2]: float(row[3]) for row in table if row[:2] == ["letters", "seen"]}
    least = min(general.values())
    names = {code: name.split(" ")[0].upper() for code, name in rows("scripts.tsv")}
    out: dict[str, list[tuple[str, float]]] = {}
    for raw, _, script, _ in rows("labels.tsv"):
        name = names.get(script, "")
        language = labels.fold(labels.Label(raw, script)).language
        nats = math.log(rate / general.get(name, least))
        if script != "Latn" and language not in known and nats > 0:
            out.setdefault(name, []).append((language, nats))
    return {name: tuple(dict(says).items()) for name, says in out.items()}
