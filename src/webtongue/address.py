"""What a page is in by its address and whatever else is known of it before it is fetched: links to it, its server, its host.

The address is to such a page what text is to others: it is always heard, and its reader has the prior in it. Other sources add
what they add to a page with text (fuse.py), and labels that the URL model does not know join where a source speaks for them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from webtongue import fuse, url
from webtongue.explain import of_address
from webtongue.hints.hint import Hint
from webtongue.page import Page
from webtongue.pipeline import UNDECLARED
from webtongue.text import model as text_model
from webtongue.url import model as url_model
from webtongue.url.evidence import printable, spoken
from webtongue.url.hint import url_hint
from webtongue.url.model import LEAST_CHANCE, NATS, NOT_ASKED, OUTSIDE, REASONS, UNKNOWN_TIER, UrlReader
from webtongue.verdict import Evidence, Explanation, Guess, Reason, Verdict

__all__ = ["AddressStage", "Said", "by_model", "identify_address", "said_of", "stage"]

# Of the words of a link against the URL they lead to: the weight of least loss on 4,555 links to domains held out of
# training (tools/weights/fit_anchor.py). 0 gave 93.4% right, this 94.3%, 1 gave 92.1%.
ANCHOR_WEIGHT = 0.35
FAINT = -16.0  # log-probability of a label that the URL model does not list: as good as none
LEAST = 1e-4  # probability of a language that an anchor does not name
OPEN = (Reason.NONE, Reason.SAYS_NOTHING, Reason.IPV6_HOST)  # what is said of an address that other sources may add to
TOO_LITTLE = Reason.SAYS_NOTHING, "the URL and all else that is known say too little"


@dataclass(frozen=True, slots=True)
class AddressStage:
    """The URL model beside the text model's priors, which know more languages, made ready with an Identifier's settings."""

    reader: UrlReader
    open: UrlReader  # the same; without limits where they leave none of its labels
    fusion: fuse.Fusion  # without the URL: it is always heard, as text is
    own: Mapping[str, str]  # labels of the URL model by language
    languages: Sequence[str]  # of the URL model, by its numbers
    logs_within: Sequence[float]  # the same of `within`
    priors: Mapping[str, float]  # logs, by label, as the text model has them
    within: Mapping[str, float]  # logs, by language, among those of the URL model
    inside: float  # log of what these have of the whole
    tiers: Mapping[str, int]
    asked: frozenset[str] | None  # labels that may be answered; None: all


@dataclass(frozen=True, slots=True)
class Voice:
    """What one source says, and what that does for labels, in nats after its weight."""

    said: Evidence
    nats: Mapping[str, float]


def stage(reader: UrlReader, fusion: fuse.Fusion, priors: str | Mapping[str, float]) -> AddressStage:
    """All languages of the URL model together are as common as the text model takes them to be; a list of languages lowers the
    others as it does for URLs."""
    text = fusion.text.model
    free = reader if reader.asked is None or any(reader.asked) else url_model.reader(reader.model, priors, None)
    asked = None
    if reader.asked is not None and fusion.text.asked is not None:
        masks = (reader.labels, reader.asked), (text.labels, fusion.text.asked)
        asked = frozenset(
            label for labels, mask in masks for label, is_asked in zip(labels, mask, strict=True) if is_asked
        )
    common = text_model.reader(text, priors, None).log_priors
    lowered = {
        label: log / NATS - (OUTSIDE if asked is not None and label not in asked else 0.0)
        for label, log in zip(text.labels, common, strict=True)
    }
    own = {label[:3]: label for label in free.labels}
    languages = [label[:3] for label in free.labels]
    within = _normal({language: free.log_prior(i) / NATS for i, language in enumerate(languages)})
    return AddressStage(
        reader, free, replace(fusion, sources=fusion.sources - {"url"}), own, languages,
        [within[language] for language in languages], _normal(lowered), within,
        _together([log for label, log in _normal(lowered).items() if label[:3] in own] or [0.0]),
        dict(zip(reader.labels, reader.tiers, strict=True)) | dict(zip(text.labels, text.tiers, strict=True)), asked,
    )  # fmt: skip


def identify_address(page: Page, anchor: str, said: Sequence[Guess], by: AddressStage) -> Verdict:
    """The verdict on a page by its URL, by other sources, and by what the words of a link to it read like (``said``)."""
    plain = url.identify_url(page.url or "", by.reader)
    heard = fuse.hear(page, UNDECLARED, "", by.fusion)
    located = fuse.locate(page, by.fusion)
    unheard = of_address(page, located)
    if plain.reason not in OPEN or not (heard or said):
        alone = plain.explanation
        details = replace(alone, evidence=(*alone.evidence, *unheard), country=located.country)
        return replace(plain, details=details)
    voices = _voices(page.url or "", heard, (anchor, said), by)
    logs = _normal({label: sum(voice.nats.get(label, 0.0) for voice in voices) for label in voices[0].nats})
    ranked = sorted(logs, key=lambda label: (-logs[label], label))
    reason, why = _refused(ranked[0], logs, by)
    shown = [label for label in ranked if by.asked is None or label in by.asked][: url.SHOWN]
    guesses = tuple(Guess(label, round(math.exp(logs[label]), 6)) for label in shown)
    first, *others = _weighed(voices, guesses)
    evidence = (first, *spoken(page.url, by.open), *others, *unheard)
    holds = () if reason else url.alone(guesses)
    details = Explanation(why, holds, guesses, (), evidence, country=located.country)
    if reason:
        return Verdict("und", 0.0, reason=reason, details=details)
    found = url.verdict_of(*guesses[0], by.tiers.get(guesses[0].label, UNKNOWN_TIER), details)
    supported = plain.label == found.label  # what others say of an address that speaks for something else is no proof
    return found if supported else replace(found, reliable=False)


def _refused(best: str, logs: Mapping[str, float], by: AddressStage) -> tuple[Reason, str]:
    """Why there is no answer, as a code and in words; both empty where there is one."""
    if math.exp(logs[best]) < LEAST_CHANCE:
        return TOO_LITTLE
    return REASONS[NOT_ASKED if by.asked is not None and best not in by.asked else 0]


def _voices(address: str, heard: Sequence[Hint], anchor: tuple[str, Sequence[Guess]], by: AddressStage) -> list[Voice]:
    """The URL, how common languages are, and every other source, over the labels that one of them speaks for."""
    hint = url_hint(address, by.fusion.addresses())
    model = said_of(address, hint, by)
    words, said = anchor
    flat = (
        bool(said) and not model.is_heard and not hint.nats
    )  # nothing but words: what they read like has the prior in it
    part = fuse.site_part(heard, by.fusion, 1.0)
    others = [Voice(Evidence(h.source, h.value, h.label), _by_label(h, by, part)) for h in heard]
    if said:
        heard_words = _words(said, 1.0 if flat else ANCHOR_WEIGHT, by)
        others.append(Voice(Evidence("anchor", printable(words), said[0].label), heard_words))
    labels = _labels(hint, others, by)
    priors = dict.fromkeys(labels, 0.0) if flat else _priors(labels, by)
    says = _says(labels, model, hint)
    best = max(labels, key=lambda label: priors[label] + says[label])
    spoken_for = best if model.is_heard or hint.nats else ""
    return [Voice(Evidence("url", printable(address), spoken_for), says), Voice(Evidence("prior", ""), priors), *others]


def _by_label(hint: Hint, by: AddressStage, part: float) -> dict[str, float]:
    names = by.fusion.text.model.labels
    return {names[number]: nats for number, nats in fuse.total([hint], by.fusion, 1.0, part).items()}


def _words(said: Sequence[Guess], weight: float, by: AddressStage) -> dict[str, float]:
    """What the words of a link say, for the URL model's label of a language or else the text model's own."""
    chances: dict[str, float] = {}
    for guess in said:
        label = by.own.get(guess.label[:3], guess.label)
        chances[label] = chances.get(label, 0.0) + guess.probability
    return {label: weight * math.log(max(chance, LEAST) / LEAST) for label, chance in chances.items()}


def _labels(hint: Hint, others: Iterable[Voice], by: AddressStage) -> list[str]:
    """The URL model's labels, and those that a source speaks for."""
    found = dict.fromkeys(by.open.labels)
    for key, nats in hint.nats.items():
        if nats > 0 and (key not in by.own):
            found |= dict.fromkeys(by.fusion.text.model.labels[number] for number in by.fusion.numbers.get(key, ()))
    for voice in others:  # another script of one of the model's languages joins where it is told from the model's own
        told = {
            label: nats - max(0.0, voice.nats.get(by.own.get(label[:3], ""), 0.0)) for label, nats in voice.nats.items()
        }
        found |= dict.fromkeys(label for label, nats in told.items() if nats > 0)
    return list(found)


def _priors(labels: Sequence[str], by: AddressStage) -> dict[str, float]:
    """How common labels are, as logs; scripts of one of the URL model's languages share what it has."""
    out = {label: by.priors.get(label, 0.0) for label in labels}
    for language, label in by.own.items():
        out[label] = by.within[language] + by.inside
    for language in {label[:3] for label in labels if label[:3] in by.own and label != by.own[label[:3]]}:
        shares = _normal({label: by.priors.get(label, 0.0) for label in labels if label[:3] == language})
        out.update({label: log + by.within[language] + by.inside for label, log in shares.items()})
    return out


def _says(labels: Sequence[str], said: Said, hint: Hint) -> dict[str, float]:
    """What an address says for labels, in nats and without a prior."""
    own, behind = said.own, said.behind
    out = {}
    for label in labels:
        language = label[:3]
        if language in own:
            script = hint.nats[label] - _told(language, hint) if label in hint.nats else 0.0
            out[label] = own[language] + script
        else:
            out[label] = behind + hint.nats.get(label, hint.nats.get(language, 0.0))
    return out


class Said(NamedTuple):
    """What an address says for the URL model's own languages, in nats, and where all others stand before their hint is added: as
    far from the one it speaks for most as they do in the hint. A tuple, since one is made for every link of a crawl."""

    own: dict[str, float]
    behind: float
    is_heard: bool  # whether the model knows anything in it


def said_of(address: str, hint: Hint, by: AddressStage) -> Said:
    """What the model says of an address, and its hint beside it."""
    own = by_model(address, by)
    if not own:
        return Said(dict.fromkeys(by.languages, 0.0), -_told(by.languages[0], hint), False)
    best = max(own, key=own.__getitem__)
    return Said(own, own[best] - _told(best, hint), True)


def by_model(address: str, by: AddressStage) -> dict[str, float]:
    """What the URL model says for its own languages, in nats; nothing where it knows nothing in an address."""
    ids, logs = by.open.ranked(address)
    languages, within = by.languages, by.logs_within
    return {languages[i]: log / NATS - within[i] for i, log in zip(ids, logs, strict=True)}


def _told(language: str, hint: Hint) -> float:
    """What a hint says for a language, whatever its script."""
    if language in hint.nats:
        return hint.nats[language]
    scripts = [nats for key, nats in hint.nats.items() if key[:3] == language]
    return _together(scripts) - math.log(len(scripts)) if scripts else 0.0


def _weighed(voices: Sequence[Voice], guesses: Sequence[Guess]) -> list[Evidence]:
    """What each voice did for the likeliest label against the next, in bits; their sum is the log of the odds."""
    if not guesses:
        return [voice.said for voice in voices if voice.said.value]
    best, rival = guesses[0].label, guesses[1].label if len(guesses) > 1 else ""
    bits = [(voice.nats.get(best, 0.0) - voice.nats.get(rival, 0.0)) * fuse.BITS for voice in voices]
    if not rival:  # against all the rest
        bits[1] = 0.0
        bits[0] = url.odds(guesses[0].probability) - sum(bits[2:])
    first, common, *others = bits
    rows = [voices[0].said._replace(weight=round(first, 3))]
    if common:
        rows.append(url.of_prior(best, rival, common))
    return rows + [voice.said._replace(weight=round(w, 3)) for voice, w in zip(voices[2:], others, strict=True)]


def _together(logs: Sequence[float]) -> float:
    top = max(logs)
    return top + math.log(sum(math.exp(log - top) for log in logs))


def _normal(logs: Mapping[str, float]) -> dict[str, float]:
    whole = _together(list(logs.values()))
    return {label: log - whole for label, log in logs.items()}
