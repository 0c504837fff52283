"""Published methods on the command line."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.methods.texts import CORPUS, NEW
from webtongue import methods
from webtongue.errors import UsageError
from webtongue.evaluate.published import Published


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus" / "mine"
    folder.mkdir(parents=True)
    for label, texts in CORPUS.items():
        (folder / f"{label}.txt").write_text("\n".join(map(str, texts)) + "\n", "utf-8")
    return folder.parent


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(f"<p>{NEW['ita_Latn']}</p>", "utf-8")
    return str(path)


def test_train_then_identify(corpus: Path, page: str, tmp_path: Path) -> None:
    model = str(tmp_path / "nfc.wtp")
    done = run(
        "train", "--method", "nfc", str(corpus), "-o", model, "--set", "features=500", "--set", "grams.sizes=[2,3]"
    )
    assert done.code == 0, done.err
    assert methods.load(Path(model)).settings.grams.sizes == (2, 3)
    assert "ita_Latn" in run("identify", "--method", "nfc", "--model", model, page).out
    row = json.loads(run("identify", "--json", "--method", "nfc", "--model", model, page).out)
    assert row["label"] == "ita_Latn" and row["language"] == "it" and len(row["scores"]) == 4


def test_sources_and_labels_are_chosen(corpus: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.wtp"
    run("train", "--method", "markov", str(corpus), "-o", str(model), "--label", "deu_Latn,ita_Latn", "--size", "50")
    assert methods.load(model).labels == ("deu_Latn", "ita_Latn")
    missing = run("train", "--method", "markov", str(corpus), "-o", str(model), "--source", "yours")
    assert missing.code == 2 and "mine" in missing.err


def test_what_cannot_be_read_is_a_row(page: str, tmp_path: Path) -> None:
    bad = str(tmp_path / "[red]no\x1b[2J")
    done = run("identify", "--method", "nfc", bad, page, columns=80)
    assert done.code == 1 and "1 of 2 could not be read" in done.err
    assert [line.split()[1] for line in done.lines[1:]] == ["und", "ita_Latn"]
    assert "\x1b" not in done.out and "No such file" in done.lines[1]
    rows = [json.loads(line) for line in run("identify", "--json", "--method", "nfc", bad, page).lines]
    assert [(row["label"], row["reason"]) for row in rows] == [("und", "unreadable"), ("ita_Latn", "")]
    assert rows[0]["why"] == "No such file or directory" and rows[0]["scores"] == {}


def test_urls_are_learnt_from_a_list(tmp_path: Path) -> None:
    urls, model = tmp_path / "urls.tsv.xz", tmp_path / "tld.wtp"
    urls.write_bytes(lzma.compress(b"http://a.nl/\tnl\tgold\tx\ta.nl\nhttp://b.fi/\tfi\tgold\tx\tb.fi\n"))
    done = run("train", "--method", "tld", str(urls), "-o", str(model))
    assert done.code == 0, done.err
    assert methods.load(model).answer("http://c.nl/x").label == "nld_Latn"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("identify", "--method", "magic", "x"), "no method"),
        (("identify", "--method", "nfc", "--explain", "x"), "published method"),
        (("identify", "--method", "nfc", "--set", "features", "x"), "name=value"),
        (("identify", "--method", "nfc", "--set", "features=5", "x"), "features is a setting of fitting"),
        (("identify", "--set", "features=3", "x"), "--method"),
        (("identify", "--method", "nfc", "--threads", "2", "x"), "published method"),
        (("identify", "--method", "nfc", "--text", "x"), "published method"),
        (("train", "--method", "nfc", "--words", "x", "x", "-o", "y"), "published method"),
        (("train", "--encodings", "--also", "x", "x", "-o", "y"), "--encodings has no use"),
        (("train", "--method", "cctld", "x", "-o", "y"), "nothing to train"),
        (("train", "--method", "nfc", "nowhere", "-o", "y"), "no such folder"),
        (("train", "--size", "3", "nowhere", "-o", "y"), "go with --method"),
        (("train", "--method", "tld", "nowhere", "-o", "y"), "no such file"),
    ],
)
def test_wrong_calls_say_what_to_do(arguments: tuple[str, ...], said: str) -> None:
    done = run(*arguments)
    assert done.code == 2 and not done.out
    assert done.err.startswith("webtongue: ") and done.err.count("\n") == 1 and said in done.err


def test_methods_of_addresses_are_not_scored_on_text() -> None:
    with pytest.raises(UsageError, match="addresses"):
        Published("cctld")


def test_a_method_without_a_model_says_how_to_make_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(methods, "SHIPPED", tmp_path)
    done = run("identify", "--method", "nfc", "x")
    assert done.code == 2 and "webtongue train --method nfc CORPUS -o nfc.wtp" in done.err


def test_methods_are_evaluated_beside_us(corpus: Path, tmp_path: Path) -> None:
    model, items = tmp_path / "markov.wtp", tmp_path / "set.jsonl"
    run("train", "--method", "markov", str(corpus), "-o", str(model))
    rows = [json.dumps({"id": label, "text": text, "label": label}) for label, text in NEW.items()]
    items.write_text("\n".join(rows), "utf-8")
    out = tmp_path / "report.json"
    done = run("evaluate", str(items), "--peers", "none", "--method", str(model), "--json", str(out))
    assert done.code == 0, done.err
    scores = json.loads(out.read_text("utf-8"))["sets"][0]["scores"]
    assert {score["system"]: score["accuracy"]["right"] for score in scores} == {
        "webtongue": 4,
        "markov (markov.wtp)": 4,
    }
