"""What an address says of its page's language, as evidence beside what other sources say.

Four voices, each a log-likelihood ratio against "a URL in general": how much likelier the address is among the pages of a language
than among those of the URL model's languages together, each with its share of the web.

1. The URL model, for its languages: ``log P(language | url) - log P(language)``, the prior being the one it was trained with. It
   knows of no others, so its probabilities hold given that the language is one of its own; a language outside is taken to be as
   likely as the middle one of them, which is at 0. With the chance ``doubt``, learnt on domains it has not seen, the address says
   nothing, so that no language is further down than ``log doubt``.
2. Codes and names (``/is/``, ``fo.``, ``?lang=eu``) of other languages: how often domains of a language say it there, over how
   often the domains of the model's languages have the same part by chance, or in another sense (``/my/``).
3. Top level domains of countries and regions, for the other languages that are spoken there (CLDR).
4. Letters of a script in host and path, for the other languages that are written in it.

All rates are learnt (``tools/weights/fit_address.py``, ``data/address.tsv``). For the model's own languages codes and names count
where they say more than the model does, and in those places only where that was better on domains unseen (``?lang=pt``,
``/arabic/``): all others are in the model already.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from webtongue import _kernel, labels
from webtongue.files import rows
from webtongue.hints.hint import Hint
from webtongue.url.codes import meanings, web_shares
from webtongue.url.evidence import printable
from webtongue.url.model import NATS, UrlModel
from webtongue.url.places import Places, places_of, scripts_in, tokens

__all__ = ["AddressReader", "address_reader", "said_beside", "url_hint"]

Says = tuple[tuple[str, float], ...]
STEP = 6  # bits: log-ratios are looked up to a sixteenth of a nat
LOWEST, HIGHEST = -24, 16  # nats between which they are looked up
SILENCE = 0.25  # nats beside the middle language, of which less is not said
# A chance below this is hardly known: a language that the model makes likelier than its tiny prior, yet not likely, is not spoken
# for. It costs a tenth of the log-loss on URLs alone; without it, hotel.com speaks for Catalan.
TRUST = 0.003
CODES = (2, 5)  # lengths of a code, alone or with its region
# Nats that a top level domain loses where a code names another language: pages of a language hardly ever stand under another's
# code, and of those under a foreign code most are in it. No list has enough of them to count.
CONTRADICTED = 5.0
SAYS_NOTHING = 4  # a reason of native/url/parts.hpp: an address, but the model knows nothing in it
SHORT = 200  # characters of a URL that are shown as they are
# Of the quieter one of code and top level domain, compared on the training list itself: on 2,885 URLs of other languages a loss of
# 5.23 nats (0: 5.29, 1: 5.21), on 3,082 of the model's, as common as on the web, 0.383 (0.382, 0.384).
SECOND = 0.5
# Of the log of a language's share, for the one that is named in ``label``, since an address on .рф makes a dozen languages likelier
# than it does Russian; the nats have no prior in them.
COMMON = 0.5
RARE = COMMON * math.log(1e-8)  # for a language that no count of the web knows
# Chinese by its region: no list of URLs says in which of its scripts a page is, so this is a bound, not a rate.
TRADITIONAL_TOPS = frozenset({"tw", "hk", "mo"})
SIMPLIFIED_TOPS = frozenset({"cn"})
TRADITIONAL_CODES = frozenset(
    {"zh-tw", "zh-hk", "zh-mo", "zh-hant", "zh_tw", "zh_hk", "zh_mo", "zh_hant", "tc", "cht", "zht"}
)
SIMPLIFIED_CODES = frozenset({"zh-cn", "zh-sg", "zh-hans", "zh_cn", "zh_sg", "zh_hans", "sc", "chs", "zhs"})
SCRIPT_HOLDS = 0.9
LIKELY, UNLIKELY = math.log(2 * SCRIPT_HOLDS), math.log(2 * (1 - SCRIPT_HOLDS))


@dataclass(frozen=True, slots=True)
class AddressReader:
    """The URL model and what was learnt beside it, made ready for one look a part."""

    kernel: _kernel.UrlModel
    ratios: _kernel.UrlRatios  # nats by the model's log-ratio
    languages: list[str]  # of the model, by its numbers
    tops: Mapping[str, Says]
    said: Mapping[str, Mapping[str, Says]]  # by place and token
    locales: Mapping[str, Mapping[str, Says]]  # by place and the code before the region
    scripts: Mapping[str, Says]
    common: Mapping[str, float]  # what a language's share of the web counts where one language is named


def url_hint(url: str, reader: AddressReader) -> Hint:
    """What an address says, in nats; silent where it is none. Never raises.

    >>> from webtongue.url.model import load
    >>> hint = url_hint("https://example.is/frettir/", address_reader(load()))
    >>> hint.label, hint.nats["isl"] > 5
    ('isl', True)
    """
    places = places_of(url)
    read = url if places.host.endswith(places.top) else _plain(url, places)
    reason, best, nats, middle = reader.kernel.liken(read, reader.ratios)
    if best < 0 and reason != SAYS_NOTHING:
        return Hint("url", printable(url), "", {})
    label = reader.languages[best] if best >= 0 and nats.get(reader.languages[best], 0.0) + middle > 0 else ""
    beside = said_beside(places, reader)
    if beside:
        most = nats.get(label, 0.0) + middle + reader.common.get(label, RARE) if label else 0.0
        for key, value in beside.items():
            if value - middle > nats.get(key, 0.0):
                nats[key] = value - middle
                if (said := value + reader.common.get(key, RARE)) > most:
                    label, most = key, said
    if label == "zho":
        label = _script_of_chinese(places, nats)
    return Hint("url", url if len(url) < SHORT and url.isascii() else printable(url), label, nats)


def _plain(url: str, places: Places) -> str:
    """An address on a country's domain in its own letters as one on the country's code, which the model knows better."""
    name, _, last = places.host.rpartition(".")
    if last == places.top or "@" in url:
        return url
    return f"http://{name}.{places.top}/{places.path}?{places.query}"


def said_beside(places: Places, reader: AddressReader) -> dict[str, float]:
    """What codes and names, the top level domain, and letters say; for the model's own languages only codes and names."""
    host, top, path, _ = places
    said = reader.said
    codes: dict[str, float] = {}
    parts = tokens(places)
    for place, token in parts:
        found = said[place].get(token)
        if not found and len(token) == 5 and token[2] in "-_":
            found = reader.locales[place].get(token[:2])
        for key, nats in found or ():
            codes[key] = max(nats, codes.get(key, 0.0))
    out = _together(codes, _contradicted(reader.tops.get(top, ()), parts))
    if host.endswith(top) and ("%" in path or "xn--" in host or not host.isascii() or not path.isascii()):
        for script in scripts_in(places):
            for key, nats in reader.scripts.get(script, ()):
                out[key] = out.get(key, 0.0) + nats
    return out


def _contradicted(tops: Says, parts: Sequence[tuple[str, str]]) -> Says:
    """What a top level domain says, less where a code in the address names other languages: /en/ on .is is not Icelandic."""
    if not tops:
        return tops
    named = {language for _, token in parts if len(token) in CODES for language, _ in meanings().get(token[:2], ())}
    if not named:
        return tops
    return tuple((key, nats if key in named else max(0.0, nats - CONTRADICTED)) for key, nats in tops)


def _together(codes: dict[str, float], tops: Says) -> dict[str, float]:
    """Code and top level domain are one site's: where both speak for a language, the louder one, and half of the other."""
    for key, nats in tops:
        other = codes.get(key, 0.0)
        codes[key] = max(nats, other) + SECOND * min(nats, other)
    return codes


def _script_of_chinese(places: Places, nats: dict[str, float]) -> str:
    """Chinese in one of its scripts, where a code or the top level domain names a region: a code goes first."""
    found = {token for _, token in tokens(places)}
    traditional = bool(found & TRADITIONAL_CODES)
    simplified = bool(found & SIMPLIFIED_CODES)
    if not traditional and not simplified:
        traditional, simplified = places.top in TRADITIONAL_TOPS, places.top in SIMPLIFIED_TOPS
    if traditional == simplified:
        return "zho"
    whole = nats.pop("zho", 0.0)
    nats["zho_Hant"] = whole + (LIKELY if traditional else UNLIKELY)
    nats["zho_Hans"] = whole + (UNLIKELY if traditional else LIKELY)
    return "zho_Hant" if traditional else "zho_Hans"


@cache
def address_reader(model: UrlModel) -> AddressReader:
    """A model with the learnt table beside it."""
    table = rows("address.tsv")
    names = [label.partition("_")[0] for label in model.labels]
    believe = {row[1]: float(row[3]) for row in table if row[0] == "believe"}
    step = (1 << STEP) / NATS
    count = int((HIGHEST - LOWEST) / step)
    steps = [_believed(LOWEST + (i + 0.5) * step, believe["temper"], believe["doubt"]) for i in range(count)]
    own = model.kernel.own_priors
    shares = [math.exp(prior / NATS) for prior in own]
    said, locales = _said(table, frozenset(names))
    return AddressReader(
        model.kernel,
        _kernel.UrlRatios([prior + LOWEST * NATS for prior in own], steps, STEP, names, SILENCE, shares, TRUST),
        names,
        {row[1]: _pairs(row[3]) for row in table if row[0] == "tld"},
        said,
        locales,
        _scripts(table, frozenset(names)),
        {language: COMMON * math.log(share) for language, share in web_shares().items()},
    )


def _believed(ratio: float, temper: float, doubt: float) -> float:
    return math.log((1 - doubt) * math.exp(temper * ratio) + doubt)


def _pairs(text: str) -> Says:
    return tuple((key, float(value)) for key, _, value in (pair.partition(":") for pair in text.split(" ")))


def _said(
    table: list[list[str]], known: frozenset[str]
) -> tuple[dict[str, dict[str, Says]], dict[str, dict[str, Says]]]:
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
    for _, place, token, says_known in (row for row in table if row[0] == "known"):
        said[place][token] = said[place].get(token, ()) + _pairs(says_known)
        if len(token) == 2:
            locales[place][token] = said[place][token]
    return said, locales


def _scripts(table: list[list[str]], known: frozenset[str]) -> dict[str, Says]:
    """Languages outside of the model by the script that they are usually in, named as Unicode names its letters."""
    rate = next(float(row[3]) for row in table if row[:2] == ["letters", "any"])
    general = {row[2]: float(row[3]) for row in table if row[:2] == ["letters", "seen"]}
    least = next(float(row[3]) for row in table if row[:2] == ["letters", "unseen"])
    names = {code: name.split(" ")[0].upper() for code, name in rows("scripts.tsv")}
    out: dict[str, list[tuple[str, float]]] = {}
    for raw, _, script, _ in rows("labels.tsv"):
        name = names.get(script, "")
        language = labels.fold(labels.Label(raw, script)).language
        nats = math.log(rate / general.get(name, least))
        if script != "Latn" and language not in known and nats > 0:
            out.setdefault(name, []).append((language, nats))
    return {name: tuple(dict(says).items()) for name, says in out.items()}
