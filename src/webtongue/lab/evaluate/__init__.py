"""Evaluate webtongue and any installed peer on the same items, with the same folding of labels.

>>> from webtongue.lab.evaluate import Options, evaluate
>>> report = evaluate(["my.jsonl"], Options(peers="none"))  # doctest: +SKIP

In *open* scoring every system answers every item. In *restricted* scoring each peer gets only items in languages that it knows,
and webtongue is restricted to the same languages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from webtongue.errors import UsageError
from webtongue.lab.documents import TEXT
from webtongue.lab.evaluate import peers, scoring, sets
from webtongue.lab.evaluate.peers import Answer, Peer
from webtongue.lab.evaluate.published import Published
from webtongue.lab.evaluate.scoring import Score
from webtongue.lab.evaluate.systems import OURS, Speed, Webtongue, measure_speed

__all__ = ["Options", "Report", "SetReport", "evaluate"]

PRIORS = ("uniform", "web")
ALL_PEERS_NAME = "all peers"  # one more restriction: the languages of all peers together


@dataclass(frozen=True, slots=True)
class Options:
    """Options of an evaluation. Names are part of the JSON report."""

    data: Path = sets.DEFAULT_DATA
    peers: str = "all"  # "all", "none", or names separated by commas
    restrict: bool = False
    open: bool = True  # with restrict: also score webtongue with all labels on the same items
    priors: str = "uniform"  # priors of the web do not apply to sentences
    length: int = 0  # maximum characters of a text; 0: no limit
    documents: int = 0  # sentences joined into one text; 0: not joined
    limit: int = 0  # maximum items of a set; 0: all
    worst: int = 20  # labels and confusions in the report
    known: bool = False  # only items with labels of our model
    methods: tuple[str, ...] = ()  # published methods to compare like peers: names, or model files
    encoding: str = ""  # encoding of files of text and pages; empty: detected
    timed: float = 0.5  # seconds of timing per system and set


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
    """The reports of all sets, and a line for each system that could not be scored."""

    options: Options
    sets: tuple[SetReport, ...]
    notes: tuple[str, ...]


def evaluate(
    names: Sequence[str],
    options: Options | None = None,
    progress: Callable[[str], None] = lambda line: None,
    peer_table: dict[str, type[Peer]] | None = None,
) -> Report:
    """Score all systems on all sets; ``progress`` gets a line per step, ``peer_table`` replaces the table of peers."""
    options = options or Options()
    if options.priors not in PRIORS:
        raise UsageError(f"priors must be {' or '.join(PRIORS)}, not {options.priors!r}")
    chosen = [prepare_set(sets.read_set(name, options.data, options.encoding), options) for name in names]
    systems, notes = peers.load_peers(options.peers, peer_table)
    systems += [Published(wanted) for wanted in options.methods]
    if options.restrict and not systems:
        raise UsageError("--restrict needs a peer, and none is installed or selected")
    ours = _make_ours(options, systems, notes)
    reports = []
    for test_set in chosen:
        if test_set.ignored:
            notes.append(
                f"{test_set.name}: {len(test_set.ignored):,} files are no documents of a label, such as {test_set.ignored[0]}"
            )
        usable = []
        for system in systems:
            obstacle = system.find_obstacle(test_set.kind)
            if obstacle:
                notes.append(f"{system.name} is not scored on {test_set.name}: {obstacle}")
            else:
                usable.append(system)
        reports.append(_score_set(test_set, ours, usable, options, progress))
    return Report(options, tuple(reports), tuple(notes))


def prepare_set(test_set: sets.Set, options: Options) -> sets.Set:
    """Return a set as the options require: filtered, joined, limited and cut."""
    items = test_set.items
    if test_set.kind != TEXT and (options.length or options.documents):
        raise UsageError(f"{test_set.name}: --length and --documents are for texts, and it has {test_set.kind}s")
    if options.known:
        ours = set(Webtongue(options.priors).tiers)
        items = tuple(item for item in items if item.label in ours)
    if options.documents:
        items = sets.join_documents(items, options.documents)
    if options.limit:
        items = sets.limit_items(items, options.limit)
    if options.length:
        items = tuple(replace(item, text=sets.cut_text(item.text, options.length)) for item in items)
    return replace(test_set, items=items)


def _make_ours(options: Options, systems: list[Peer], notes: list[str]) -> dict[str, Webtongue]:
    """Return webtongue with all labels (key ""), and restricted to the languages of each peer (key: its name) and of all."""
    ours = {"": Webtongue(options.priors)} if options.open or not options.restrict else {}
    if not options.restrict:
        return ours
    for name, languages in _collect_languages(systems).items():
        try:
            ours[name] = Webtongue(options.priors, languages)
        except UsageError as error:
            notes.append(f"{OURS} restricted to the languages of {name}: {error}")
    return ours


def _collect_languages(systems: list[Peer]) -> dict[str, frozenset[str]]:
    """Return the languages of each peer, and of all together if there are several."""
    languages_by_name = {system.name: system.languages for system in systems}
    if len(systems) > 1:
        languages_by_name[ALL_PEERS_NAME] = frozenset().union(*languages_by_name.values())
    return languages_by_name


def _score_set(
    test_set: sets.Set,
    ours: dict[str, Webtongue],
    systems: list[Peer],
    options: Options,
    progress: Callable[[str], None],
) -> SetReport:
    tiers = next(iter(ours.values())).tiers if ours else {}
    our_answers: list[Answer] = []
    our_speed = None
    inputs = [Webtongue.get_input(item) for item in test_set.items]
    if "" in ours:
        progress(f"{test_set.name}: {OURS}")
        our_answers, our_speed = ours[""].predict(inputs), measure_speed(ours[""].call, inputs, options.timed)
    scores: list[Score] = []

    def scored(
        system: str, mode: str, items: Sequence[sets.Item], answers: list[Answer], our_speed: Speed | None
    ) -> Score:
        return scoring.score_system(system, mode, items, answers, our_speed, tiers, options.worst)

    if not options.restrict:
        scores.append(scored(OURS, "open", test_set.items, our_answers, our_speed))
    for peer in systems:
        progress(f"{test_set.name}: {peer.name}")
        numbers = [i for i, item in enumerate(test_set.items) if not options.restrict or item.label in peer.languages]
        items = [test_set.items[i] for i in numbers]
        if not items:
            continue
        peer_texts = [peer.get_input(item) for item in items]
        answers = peer.predict(peer_texts)
        open_answers = [our_answers[i] for i in numbers] if our_answers else []
        own_inputs = [inputs[i] for i in numbers]
        restricted_answers = ours[peer.name].predict(own_inputs) if peer.name in ours else []
        mode = "restricted" if options.restrict else "open"
        peer_score = scored(peer.name, mode, items, answers, measure_speed(peer.call, peer_texts, options.timed))
        compared_answers = restricted_answers or open_answers
        scores.append(
            scoring.add_comparison(peer_score, items, answers, compared_answers) if compared_answers else peer_score
        )
        if restricted_answers:
            our_speed = measure_speed(ours[peer.name].call, own_inputs, options.timed)
            scores.append(scored(OURS, f"restricted to {peer.name}", items, restricted_answers, our_speed))
        if options.restrict and open_answers:
            scores.append(scored(OURS, f"open, on {peer.name}'s", items, open_answers, None))
    if ALL_PEERS_NAME in ours and len(systems) > 1:
        union = _collect_languages(systems)[ALL_PEERS_NAME]
        items = [item for item in test_set.items if item.label in union]
        restricted_answers = ours[ALL_PEERS_NAME].predict([Webtongue.get_input(item) for item in items])
        scores.append(scored(OURS, f"restricted to {ALL_PEERS_NAME}", items, restricted_answers, None))
    total, labels = len(test_set.items), len({item.label for item in test_set.items})
    characters = sum(len(item.text) for item in test_set.items) / total if total else 0.0
    return SetReport(test_set.name, total, labels, test_set.skipped, characters, tuple(scores))
