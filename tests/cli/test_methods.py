"""Tests of the published methods on the command line."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.lab.methods.texts import CORPUS, NEW
from webtongue.lab import methods
from webtongue.lab.methods.base import read_file


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


def test_a_trained_method_identifies(corpus: Path, page: str, tmp_path: Path) -> None:
    model = str(tmp_path / "nfc.wtp")
    completed = run(
        "train", "--method", "nfc", str(corpus), "-o", model, "--set", "features=500", "--set", "grams.sizes=[2,3]"
    )
    assert completed.code == 0, completed.err
    assert methods.load(Path(model)).settings.grams.sizes == (2, 3)
    assert "ita_Latn" in run("identify", "--method", "nfc", "--model", model, page).out
    row = json.loads(run("identify", "--json", "--method", "nfc", "--model", model, page).out)
    assert row["label"] == "ita_Latn" and row["language"] == "it" and len(row["scores"]) == 4


def test_sources_and_labels_can_be_selected(corpus: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.wtp"
    run("train", "--method", "markov", str(corpus), "-o", str(model), "--label", "deu_Latn,ita_Latn", "--size", "50")
    assert methods.load(model).labels == ("deu_Latn", "ita_Latn")
    missing = run("train", "--method", "markov", str(corpus), "-o", str(model), "--source", "yours")
    assert missing.code == 2 and "mine" in missing.err


def test_labels_with_little_text_are_reported(corpus: Path, tmp_path: Path) -> None:
    (corpus / "mine" / "orm_Latn.txt").write_text("Mana\n", "utf-8")
    model = tmp_path / "suzuki.wtp"
    too_short = run("train", "--method", "suzuki", str(corpus), "-o", str(model))
    assert too_short.code == 2 and "every label has less than 2,000 bytes of text" in too_short.err
    completed = run("train", "--method", "suzuki", str(corpus), "-o", str(model), "--set", "min_bytes=20")
    assert completed.code == 0 and "left out, too short: orm_Latn (4 bytes)" in completed.err
    assert read_file(model)[0]["manifest"]["left_out"] == {"orm_Latn": 4}


def test_unreadable_pages_become_rows(page: str, tmp_path: Path) -> None:
    bad = str(tmp_path / "[red]no\x1b[2J")
    completed = run("identify", "--method", "nfc", bad, page, columns=80)
    assert completed.code == 1 and "1 of 2 could not be read" in completed.err
    assert [line.split()[1] for line in completed.lines[1:]] == ["und", "ita_Latn"]
    assert "\x1b" not in completed.out and "No such file" in completed.lines[1]
    rows = [json.loads(line) for line in run("identify", "--json", "--method", "nfc", bad, page).lines]
    assert [(row["label"], row["reason"]) for row in rows] == [("und", "unreadable"), ("ita_Latn", "")]
    assert rows[0]["why"] == "No such file or directory" and rows[0]["scores"] == {}


def test_url_methods_train_on_a_list(tmp_path: Path) -> None:
    urls, model = tmp_path / "urls.tsv.xz", tmp_path / "tld.wtp"
    urls.write_bytes(lzma.compress(b"http://a.nl/\tnl\tgold\tx\ta.nl\nhttp://b.fi/\tfi\tgold\tx\tb.fi\n"))
    completed = run("train", "--method", "tld", str(urls), "-o", str(model))
    assert completed.code == 0, completed.err
    assert methods.load(model).answer("http://c.nl/x").label == "nld_Latn"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("identify", "--method", "magic", "x"), "no method"),
        (("identify", "--method", "nfc", "--explain", "x"), "published method"),
        (("identify", "--method", "nfc", "--set", "features", "x"), "name=value"),
        (("identify", "--method", "nfc", "--set", "features=5", "x"), "features is a setting of fitting"),
        (("identify", "--set", "features=3", "x"), "--method"),
        (("identify", "--method", "nfc", "--threads", "2", "x"), "published method"),
        (("identify", "--method", "nfc", "--text", "x"), "published method"),
        (("train", "--method", "nfc", "--words", "x", "x", "-o", "y"), "published method"),
        (("train", "--encodings", "--also", "x", "x", "-o", "y"), "do not apply to --encodings"),
        (("train", "--method", "cctld", "x", "-o", "y"), "nothing to train"),
        (("train", "--method", "nfc", "nowhere", "-o", "y"), "no such file or folder"),
        (("train", "--encoding", "euc-jp", "x", "-o", "y"), "need --method"),
        (("train", "--method", "nfc", "--encoding", "euc-xx", ".", "-o", "y"), "no encoding 'euc-xx'"),
        (
            ("identify", "--method", "nfc", "--inlink", "http://a.fr/=fr", "x"),
            "does not read --inlink: leave it out (methods that read it: inlinks)",
        ),
        (("identify", "--method", "nfc", "--ip", "1.2.3.4", "x"), "does not read --ip"),
        (("identify", "--method", "ip", "--country", "IS", "x"), "no published method reads it"),
        (("url", "--method", "nfc", "http://a.fr/"), "use webtongue identify; methods that read URLs are cctld"),
        (("url", "--set", "a=1", "http://a.fr/"), "name it with --method"),
        (("url", "--method", "tld", "--explain", "http://a.fr/"), "do not apply to a published method"),
        (("train", "--size", "3", "nowhere", "-o", "y"), "need --method"),
        (("train", "--method", "tld", "nowhere", "-o", "y"), "no such file"),
    ],
)
def test_wrong_calls_fail_with_advice(arguments: tuple[str, ...], message: str) -> None:
    completed = run(*arguments)
    assert completed.code == 2 and not completed.out
    assert completed.err.startswith("webtongue: ") and completed.err.count("\n") == 1 and message in completed.err


def test_a_method_without_a_model_says_how_to_train_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(methods, "SHIPPED", tmp_path)
    completed = run("identify", "--method", "nfc", "x")
    assert completed.code == 2 and "webtongue train --method nfc CORPUS -o nfc.wtp" in completed.err


def test_methods_are_evaluated_beside_the_default(corpus: Path, tmp_path: Path) -> None:
    model, items = tmp_path / "markov.wtp", tmp_path / "set.jsonl"
    run("train", "--method", "markov", str(corpus), "-o", str(model))
    rows = [json.dumps({"id": label, "text": text, "label": label}) for label, text in NEW.items()]
    items.write_text("\n".join(rows), "utf-8")
    out = tmp_path / "report.json"
    completed = run("evaluate", str(items), "--peers", "none", "--method", str(model), "--json-file", str(out))
    assert completed.code == 0, completed.err
    scores = json.loads(out.read_text("utf-8"))["sets"][0]["scores"]
    assert {score["system"]: score["accuracy"]["right"] for score in scores} == {
        "webtongue": 4,
        "markov (markov.wtp)": 4,
    }
