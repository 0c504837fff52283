"""Scores webtongue and any installed peer on the same items, with the same folding of labels.

>>> from webtongue.evaluate import Options, evaluate
>>> report = evaluate(["my.jsonl"], Options(peers="none"))  # doctest: +SKIP

In *open* scoring every system answers every item. In *restricted* scoring each peer is met on its own ground: only
items in languages it knows, and webtongue told that there are no others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from webtongue.errors import UsageError
from webtongue.evaluate import peers, scoring, sets
from webtongue.evaluate.peers import Answer, Peer
from webtongue.evaluate.published import Published
from webtongue.evaluate.scoring import Score
from webtongue.evaluate.systems import OURS, Speed, Webtongue, speed

__all__ = ["Options", "Report", "SetReport", "evaluate"]

PRIORS = ("uniform", "web")
ALL_PEERS = "all peers"  # their languages together, as one more ground to be restricted to


@dataclass(frozen=True, slots=True)
class Options:
    """How to score."""

    data: Path = sets.DEFAULT_DATA
    peers: str = "all"  # "all", "none", or names with commas
    restrict: bool = False
    open: bool = True  # beside restrict: us with all labels on the same items, too
    priors: str = "uniform"  # sentence work knows no web
    length: int = 0  # characters that texts are cut to; 0: none are
    documents: int = 0  # sentences joined into one text; 0: none are
    limit: int = 0  # items of a set; 0: all
    worst: int = 20  # labels and confusions shown
    known: bool = False  # only items in labels that our model has
    methods: tuple[str, ...] = ()  # published ones to be met like peers: names, or model files
    timed: float = 0.5  # seconds: evens out the clock, and is short enough for every system on every set


@dataclass(frozen=True, slots=True)
class SetReport:
    """Scores on one set; ``characters`` is the mean length of its texts."""

    name: str
    items: int
    labels: int
    skipped: int
    characters: float
    scores: tuple[Score, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """All that was found, and a line for whatever could not be."""

    options: Options
    sets: tuple[SetReport, ...]
    notes: tuple[str, ...]


def evaluate(
    names: Sequence[str],
    options: Options | None = None,
    progress: Callable[[str], None] = lambda line: None,
    known: dict[str, type[Peer]] | None = None,
) -> Report:
    """Score all systems on all sets; ``progress`` hears what is being done, ``known`` replaces the table of peers."""
    options = options or Options()
    if options.priors not in PRIORS:
        raise UsageError(f"priors are {' or '.join(PRIORS)}, not {options.priors!r}")
    chosen = [prepared(sets.read(name, options.data), options) for name in names]
    rivals, notes = peers.available(options.peers, known)
    rivals += [Published(wanted) for wanted in options.methods]
    if options.restrict and not rivals:
        raise UsageError("--restrict compares with peers, and there is none")
    ours = _ours(options, rivals, notes)
    done = [_scored(one, ours, rivals, options, progress) for one in chosen]
    return Report(options, tuple(done), tuple(notes))


def prepared(one: sets.Set, options: Options) -> sets.Set:
    """A set as the options want it: joined, cut, limited."""
    items = one.items
    if options.known:
        ours = set(Webtongue(options.priors).tiers)
        items = tuple(item for item in items if item.label in ours)
    if options.documents:
        items = sets.documents(items, options.documents)
    if options.limit:
        items = sets.limited(items, options.limit)
    if options.length:
        items = tuple(replace(item, text=sets.cut(item.text, options.length)) for item in items)
    return replace(one, items=items)


def _ours(options: Options, rivals: list[Peer], notes: list[str]) -> dict[str, Webtongue]:
    """Ourselves open (under no name), and restricted to the languages of each peer (under its name) and of all."""
    out = {"": Webtongue(options.priors)} if options.open or not options.restrict else {}
    if not options.restrict:
        return out
    for name, known in _grounds(rivals).items():
        try:
            out[name] = Webtongue(options.priors, known)
        except UsageError as error:
            notes.append(f"{OURS} restricted to the languages of {name}: {error}")
    return out


def _grounds(rivals: list[Peer]) -> dict[str, frozenset[str]]:
    """The languages of each peer, and of all together where there are several."""
    out = {rival.name: rival.languages for rival in rivals}
    if len(rivals) > 1:
        out[ALL_PEERS] = frozenset().union(*out.values())
    return out


def _scored(
    one: sets.Set,
    ours: dict[str, Webtongue],
    rivals: list[Peer],
    options: Options,
    progress: Callable[[str], None],
) -> SetReport:
    texts = [item.text for item in one.items]
    tiers = next(iter(ours.values())).tiers if ours else {}
    opened: list[Answer] = []
    pace = None
    if "" in ours:
        progress(f"{one.name}: {OURS}")
        opened, pace = ours[""].predict(texts), speed(ours[""].call, texts, options.timed)
    scores: list[Score] = []

    def scored(system: str, mode: str, items: Sequence[sets.Item], answers: list[Answer], pace: Speed | None) -> Score:
        return scoring.score(system, mode, items, answers, pace, tiers, options.worst)

    if not options.restrict:
        scores.append(scored(OURS, "open", one.items, opened, pace))
    for peer in rivals:
        progress(f"{one.name}: {peer.name}")
        keep = [i for i, item in enumerate(one.items) if not options.restrict or item.label in peer.languages]
        items, asked = [one.items[i] for i in keep], [texts[i] for i in keep]
        if not items:
            continue
        answers = peer.predict(asked)
        all_labels = [opened[i] for i in keep] if opened else []
        mine = ours[peer.name].predict(asked) if peer.name in ours else []
        mode = "restricted" if options.restrict else "open"
        found = scored(peer.name, mode, items, answers, speed(peer.call, asked, options.timed))
        beside = mine or all_labels
        scores.append(scoring.compared(found, items, answers, beside) if beside else found)
        if mine:
            pace = speed(ours[peer.name].call, asked, options.timed)
            scores.append(scored(OURS, f"restricted to {peer.name}", items, mine, pace))
        if options.restrict and all_labels:
            scores.append(scored(OURS, f"open, on {peer.name}'s", items, all_labels, None))
    if ALL_PEERS in ours:
        union = _grounds(rivals)[ALL_PEERS]
        items = [item for item in one.items if item.label in union]
        mine = ours[ALL_PEERS].predict([item.text for item in items])
        scores.append(scored(OURS, f"restricted to {ALL_PEERS}", items, mine, None))
    characters = sum(map(len, texts)) / len(texts) if texts else 0.0
    return SetReport(
        one.name, len(texts), len({item.label for item in one.items}), one.skipped, characters, tuple(scores)
    )
