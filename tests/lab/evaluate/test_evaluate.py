"""The harness, with a peer made for it."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.cli.running import run
from webtongue.errors import UsageError
from webtongue.lab.evaluate import Options, Report, evaluate, peers, report, scoring, systems
from webtongue.lab.evaluate.peers import Answer, Peer
from webtongue.lab.evaluate.sets import Item
from webtongue.verdict import Verdict


class Fake(Peer):
    """Knows three languages, one by a code of its own, and answers the one whose letters it sees."""

    name = "fake"
    package = "fake-langid"
    spelt: ClassVar = {"gr": "el", "xx": peers.NO_LANGUAGE}

    def codes(self) -> Iterable[str]:
        return ["gr", "sr", "iw", "xx"]

    def call(self, text: str) -> Any:
        code = "gr" if "α" in text else "sr" if "č" in text or "ч" in text else "xx"
        return code, 0.75

    def read(self, reply: Any) -> Answer:
        return Answer(self.label(reply[0]), reply[1])


class Missing(Fake):
    name = "missing"
    package = "missing-langid"

    def __init__(self) -> None:
        raise ImportError("No module named 'missing'")


KNOWN: dict[str, type[Peer]] = {"fake": Fake, "missing": Missing}
ROWS = [
    ("καλημέρα", "ell_Grek"),
    ("čovek", "srp_Latn"),
    ("човек", "srp_Cyrl"),
    ("შვილი", "kat_Geor"),
    ("čas", "hrv_Latn"),
]


@pytest.fixture
def path(tmp_path: Path) -> str:
    rows = ({"id": str(n), "text": text, "label": label} for n, (text, label) in enumerate(ROWS))
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(tmp_path / "mine.jsonl")


@pytest.fixture
def evaluation(path: str) -> Report:
    return evaluate([path], Options(peers="all", timed=0.001), peer_table=KNOWN)


def score_of(evaluation: Report, system: str) -> scoring.Score:
    return next(score for score in evaluation.sets[0].scores if score.system == system)


@pytest.mark.parametrize(
    ("code", "label"),
    [
        ("iw", "heb"),
        ("no", "nob"),
        ("sh", "hbs"),
        ("jw", "jav"),
        ("sr-ME", "srp_Latn"),
        ("zh-Hant", "zho_Hant"),
        ("zho", "zho"),
        ("ekk", "est"),
        ("quz", "que"),
        ("hi-Latn", "hin_Latn"),
        ("un", "und"),
        ("zxx", "zxx"),
    ],
)
def test_codes_of_peers(code: str, label: str) -> None:
    assert peers.parse_code(code) == label


def test_what_a_peer_knows() -> None:
    assert Fake().languages == {"ell_Grek", "srp_Cyrl", "heb_Hebr"}
    assert peers.list_known_labels(["zho"]) == {"zho_Hans", "zho_Hant"}
    assert peers.list_known_labels(["zho_Hans", "und"], also=["srp_Latn"]) == {"zho_Hans", "srp_Latn"}


def test_a_peer_that_is_not_installed_is_skipped_with_a_line() -> None:
    installed, missing = peers.load_peers("all", KNOWN)
    assert [peer.name for peer in installed] == ["fake"]
    assert len(missing) == 1 and "pip install missing-langid" in missing[0]
    assert peers.load_peers("none", KNOWN) == ([], [])
    with pytest.raises(UsageError, match="no such peer: nobody"):
        peers.load_peers("fake,nobody", KNOWN)


def test_open_scores(evaluation: Report) -> None:
    fake = score_of(evaluation, "fake")
    assert (fake.accuracy.right, fake.items, fake.undecided) == (3, 5, 1)
    assert fake.groups.right == 3  # "sr" for Croatian is read as Cyrillic, which is in no group
    assert fake.calibration is not None and fake.calibration.overall == pytest.approx((3 * 0.25 + 2 * 0.75) / 5)
    assert fake.by_script["Cyrl"].value == 1.0
    assert fake.speed is not None and fake.speed.calls_per_second > 0
    assert evaluation.notes and "missing" in evaluation.notes[0]


def test_we_are_compared_on_the_same_items(evaluation: Report) -> None:
    beside = score_of(evaluation, "fake").beside_us
    ours = score_of(evaluation, "webtongue")
    assert beside is not None
    assert beside.only_peer - beside.only_us == score_of(evaluation, "fake").accuracy.right - ours.accuracy.right


def test_restricted_items_are_those_the_peer_knows(path: str) -> None:
    evaluation = evaluate([path], Options(peers="fake", restrict=True, open=False, timed=0.001), peer_table=KNOWN)
    fake = score_of(evaluation, "fake")
    assert (fake.items, fake.accuracy.value) == (2, 1.0)


class Settled:
    """An Identifier with settings and a bulk call: whatever it is asked, it answers its first language."""

    def __init__(self, priors: str = "web", languages: list[str] | None = None) -> None:
        self.languages = languages or ["eng_Latn"]
        self.tiers: dict[str, int] = {}

    def identify_text(self, text: str) -> Verdict:
        return Verdict(self.languages[0], 0.5)

    def classify_many(self, texts: list[str]) -> tuple[list[str], list[float]]:
        return [self.languages[0]] * len(texts), [0.5] * len(texts)


class Second(Fake):
    name = "second"

    def codes(self) -> Iterable[str]:
        return ["ka"]


def test_we_are_restricted_to_each_peer_and_to_all(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(systems, "Identifier", Settled)
    options = Options(peers="fake,second", restrict=True, timed=0.001)
    evaluation = evaluate([path], options, peer_table={"fake": Fake, "second": Second})
    rows = {(s.system, s.mode): (s.accuracy.right, s.items) for s in evaluation.sets[0].scores}
    assert rows == {
        ("fake", "restricted"): (2, 2),
        ("webtongue", "restricted to fake"): (1, 2),  # the first of its languages is Greek
        ("webtongue", "open, on fake's"): (0, 2),
        ("second", "restricted"): (0, 1),
        ("webtongue", "restricted to second"): (1, 1),
        ("webtongue", "open, on second's"): (0, 1),
        ("webtongue", "restricted to all peers"): (1, 3),
    }
    assert not evaluation.notes


def test_restricting_needs_a_peer(path: str) -> None:
    with pytest.raises(UsageError, match="peer"):
        evaluate([path], Options(peers="none", restrict=True), peer_table=KNOWN)
    with pytest.raises(UsageError, match="priors"):
        evaluate([path], Options(peers="none", priors="strong"), peer_table=KNOWN)


def test_texts_are_cut_and_limited(path: str) -> None:
    evaluation = evaluate([path], Options(peers="none", length=3, limit=4, timed=0.001), peer_table=KNOWN)
    assert (evaluation.sets[0].items, evaluation.sets[0].characters) == (4, 3.0)


def test_groups_count_members_as_one() -> None:
    items = [Item("1", "a", "hrv_Latn"), Item("2", "b", "nob_Latn")]
    score = scoring.score_system("x", "open", items, [Answer("hbs"), Answer("nno")])
    assert (score.accuracy.right, score.groups.right) == (0, 2)
    assert score.calibration is None


def test_any_member_is_right_where_gold_is_a_group() -> None:
    answers = ["hrv_Latn", "srp", "bos_Latn", "hbs_Latn", "srp_Cyrl", "slv_Latn", "und"]
    items = [Item(str(n), "a", "hbs_Latn") for n in range(len(answers))]
    score = scoring.score_system("x", "open", items, [Answer(label) for label in answers])
    assert score.accuracy.right == score.groups.right == 4
    assert scoring.score_system("x", "open", [Item("1", "a", "hbs_Cyrl")], [Answer("srp_Cyrl")]).accuracy.right == 1


def test_calibration_by_length_needs_enough_texts() -> None:
    items = [Item("1", "x" * 20, "deu_Latn")] * 150 + [Item("2", "x" * 60, "deu_Latn")] * 149
    calibration = scoring.score_system("x", "open", items, [Answer("deu", 0.75)] * len(items)).calibration
    assert calibration is not None
    assert calibration.overall == pytest.approx(0.25)
    assert (calibration.at_about_20, calibration.at_50_and_more) == (0.25, None)


def test_tiers_are_kept_apart() -> None:
    items = [Item("1", "a", "deu_Latn"), Item("2", "b", "kek_Latn")]
    score = scoring.score_system("x", "open", items, [Answer("deu"), Answer("und")], tiers={"deu_Latn": "verified"})
    assert {name: share.value for name, share in score.by_tier.items()} == {"none": 0.0, "verified": 1.0}


def test_reports_for_machines(evaluation: Report, tmp_path: Path) -> None:
    report.write_json(evaluation, tmp_path / "out.json")
    data = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert data["sets"][0]["scores"][1]["accuracy"]["value"] == 0.6
    report.write_csv(evaluation, tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8") as file:
        assert [row["system"] for row in csv.DictReader(file)] == ["webtongue", "fake"]


def test_command(path: str, tmp_path: Path) -> None:
    done = run("evaluate", path, "--peers", "none", "--json-file", str(tmp_path / "out.json"))
    assert done.code == 0, done.err
    assert "mine: 5 items" in done.out
    assert json.loads((tmp_path / "out.json").read_text("utf-8"))["options"]["peers"] == "none"
