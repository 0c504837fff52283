"""Corpora of users on the command line: one layout for training and evaluation."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import tarfile
from pathlib import Path

import pytest

from tests.cli.corpora import (
    JAPANESE,
    URLS,
    json_lines,
    label_folders,
    right,
    rows_of,
    save,
    source_folders,
    train,
)
from tests.cli.running import run
from tests.lab.methods.texts import CORPUS, NEW
from webtongue.lab import methods

LAYOUTS = {
    "label folders": lambda folder: label_folders(folder / "corpus"),
    "label folders of pages": lambda folder: label_folders(folder / "corpus", ".html"),
    "source folders": lambda folder: source_folders(folder / "corpus"),
    "JSON Lines": lambda folder: json_lines(folder / "corpus.jsonl", rows_of()),
    "JSON Lines of pages": lambda folder: json_lines(folder / "corpus.jsonl", rows_of(key="html")),
    "gzip": lambda folder: save(
        folder / "corpus.jsonl.gz", gzip.compress("".join(json.dumps(row) + "\n" for row in rows_of()).encode())
    ),
    "xz": lambda folder: save(
        folder / "corpus.jsonl.xz", lzma.compress("".join(json.dumps(row) + "\n" for row in rows_of()).encode())
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_trains_all_labels(tmp_path: Path, layout: str) -> None:
    path = LAYOUTS[layout](tmp_path)
    done = train(path, tmp_path / "m.wtp")
    assert done.code == 0, done.err
    model = methods.load(tmp_path / "m.wtp")
    assert set(model.labels) == set(CORPUS), "no two languages are merged into one label"
    assert all(model.answer(text).label == label for label, text in NEW.items())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_can_be_evaluated(tmp_path: Path, layout: str) -> None:
    path = LAYOUTS[layout](tmp_path)
    out = tmp_path / "report.json"
    done = run("evaluate", str(path), "--peers", "none", "--method", "rank_order", "--json-file", str(out))
    assert done.code == 0, done.err
    (report,) = json.loads(out.read_text("utf-8"))["sets"]
    assert report["labels"] == len(CORPUS) and {score["system"] for score in report["scores"]} == {
        "webtongue",
        "rank_order",
    }


def test_an_encoding_is_given_detected_or_reported(tmp_path: Path) -> None:
    corpus = label_folders(tmp_path / "corpus")
    save(corpus / "jpn" / "1.txt", (JAPANESE * 3).encode("euc_jp"))
    wrong = train(corpus, tmp_path / "m.wtp")
    assert wrong.code == 2 and wrong.err.count("\n") == 1
    assert "jpn/1.txt: byte 0xBF at offset 0 is not UTF-8: give its encoding with --encoding" in wrong.err
    assert not (tmp_path / "m.wtp").exists()
    assert train(corpus, tmp_path / "m.wtp", "--encoding", "auto").code == 0
    assert methods.load(tmp_path / "m.wtp").answer(JAPANESE).label == "jpn_Jpan"
    only = save(tmp_path / "one" / "jpn" / "1.txt", (JAPANESE * 3).encode("euc_jp")).parents[1]
    save(only / "eng" / "1.txt", NEW["eng_Latn"])
    assert train(only, tmp_path / "m.wtp", "--encoding", "euc-jp").code == 0
    assert methods.load(tmp_path / "m.wtp").answer(JAPANESE).label == "jpn_Jpan"
    source = save(tmp_path / "sources" / "mine" / "jpn_Jpan.txt", JAPANESE.encode("shift_jis")).parents[1]
    assert "mine/jpn_Jpan.txt: byte" in train(source, tmp_path / "m.wtp").err
    assert train(source, tmp_path / "m.wtp", "--encoding", "shift_jis", method="markov").code == 0


@pytest.mark.parametrize("suffix", [".tsv", ".tsv.xz", ".tsv.gz"])
def test_url_methods_train_on_lists(tmp_path: Path, suffix: str) -> None:
    pack = {".tsv": bytes, ".tsv.xz": lzma.compress, ".tsv.gz": gzip.compress}[suffix]
    urls = save(tmp_path / f"urls{suffix}", pack(b"url\tlanguage\n" + URLS.encode()))
    assert train(urls, tmp_path / "tld.wtp", method="tld").code == 0
    done = run("url", "--method", "tld", "--model", str(tmp_path / "tld.wtp"), "http://other.it/x", "--json")
    assert done.code == 0 and json.loads(done.out)["label"] == "ita_Latn"


def test_labels_and_sizes_select_documents(tmp_path: Path) -> None:
    rows = json_lines(tmp_path / "c.jsonl", [*rows_of(), {"label": "no language", "text": "x"}])
    done = train(rows, tmp_path / "m.wtp", "--label", "deu_Latn,ita_Latn", "--size", "50")
    assert done.code == 0 and "1 documents were left out" in done.err
    assert methods.load(tmp_path / "m.wtp").labels == ("deu_Latn", "ita_Latn")
    refused = train(rows, tmp_path / "m.wtp", "--source", "mine")
    assert refused.code == 2 and "--source and --commercial need a folder of source/label.txt" in refused.err


def test_the_advised_command_for_nfc_tld_works(tmp_path: Path) -> None:
    advice = run("identify", "--method", "nfc_tld", "x").err
    assert "webtongue train --method nfc_tld PAGES.jsonl -o nfc_tld.wtp" in advice
    domains = {"deu_Latn": "de", "ita_Latn": "it", "ell_Grek": "gr", "eng_Latn": "uk"}
    rows = [row | {"url": f"http://www.example.{domains[row['label']]}/"} for row in rows_of()]
    assert train(json_lines(tmp_path / "PAGES.jsonl", rows), tmp_path / "m.wtp", method="nfc_tld").code == 0
    page = save(tmp_path / "short.html", "<p>Foto 7")
    done = run(
        "identify",
        "--method",
        "nfc_tld",
        "--model",
        str(tmp_path / "m.wtp"),
        "--url",
        "http://x.gr/",
        "--json",
        str(page),
    )
    assert json.loads(done.out)["label"] == "ell_Grek"


def test_inlinks_are_a_method(tmp_path: Path) -> None:
    page = str(save(tmp_path / "short.html", "<p>Le foto della gita 7"))
    links = [part for url in ("http://a.gr/", "http://b.gr/") for part in ("--inlink", f"{url}=el")]
    done = run("identify", "--method", "inlinks", *links, "--json", page)
    assert done.code == 0 and json.loads(done.out)["label"] == "ell_Grek", done.err
    one = json.loads(run("identify", "--method", "inlinks", *links[:2], "--json", page).out)
    assert one["label"] == "ell_Grek", "one link wins the tie with the page's own guess (section 5.6)"
    own = json.loads(run("identify", "--method", "inlinks", *links[:2], "--set", "own_wins=true", "--json", page).out)
    assert own["label"] != "ell_Grek"
    long = str(save(tmp_path / "long.html", f"<p>{NEW['ita_Latn']}"))
    assert json.loads(run("identify", "--method", "inlinks", *links, "--json", long).out)["label"] == "ita_Latn"


def test_inlinks_are_read_from_lists(tmp_path: Path) -> None:
    row = {"label": "ell", "text": "Foto 7", "inlinks": [{"url": "http://a.gr/", "language": "el"}]}
    out = tmp_path / "report.json"
    test_set = str(json_lines(tmp_path / "set.jsonl", [row] * 3))
    assert (
        run(
            "evaluate", test_set, "--peers", "none", "--method", "inlinks", "--method", "nfc", "--json-file", str(out)
        ).code
        == 0
    )
    assert right(out) | {"webtongue": 0} == {"webtongue": 0, "inlinks": 3, "nfc": 0}


def test_the_url_model_is_a_method(tmp_path: Path) -> None:
    url = "http://www.example.com/nachrichten/wirtschaft-und-gesellschaft/"
    done = run("url", "--method", "url", "--json", url)
    assert done.code == 0 and json.loads(done.out)["label"] == "deu_Latn"
    assert json.loads(run("url", "--json", url).out)["label"] == "deu_Latn"
    page = str(save(tmp_path / "empty.html", "<p>7"))
    row = json.loads(run("identify", "--method", "url", "--url", url, "--json", page).out)
    assert row["label"] == "deu_Latn" and max(row["scores"], key=row["scores"].get) == "deu_Latn"
    assert json.loads(run("url", "--method", "url", "--json", "http://1.2.3.4/").out)["label"] == "und"


def test_urls_are_evaluated_with_the_methods_that_read_them(tmp_path: Path) -> None:
    urls, out = save(tmp_path / "urls.tsv", URLS), tmp_path / "report.json"
    chosen = [part for name in ("cctld", "url", "nfc") for part in ("--method", name)]
    done = run("evaluate", str(urls), "--peers", "none", "--priors", "web", *chosen, "--json-file", str(out))
    assert done.code == 0, done.err
    assert right(out)["cctld"] == 4 and right(out)["url"] == right(out)["webtongue"]
    notes = json.loads(out.read_text("utf-8"))["notes"]
    assert notes == ["nfc is not scored on urls: it reads text, and the set has URLs"] and notes[0] in " ".join(
        done.out.split()
    )
    texts = json_lines(tmp_path / "texts.jsonl", rows_of())
    run("evaluate", str(texts), "--peers", "none", "--method", "cctld", "--json-file", str(out))
    assert json.loads(out.read_text("utf-8"))["notes"] == [
        "cctld is not scored on texts: it reads URLs, and the set has texts"
    ]


def test_byte_methods_are_scored_on_the_bytes_of_pages(tmp_path: Path) -> None:
    """A page in EUC-JP: suzuki, kikui and composite get its bytes, nfc and webtongue its text."""
    folder = tmp_path / "pages"
    for number, encoding in enumerate(("euc_jp", "shift_jis", "utf-8")):
        save(folder / "jpn" / f"{number}.html", f"<html><body class=x><p>{JAPANESE}</p>".encode(encoding))
        save(folder / "jpn" / f"{number}.txt", JAPANESE.encode(encoding))
    out = tmp_path / "report.json"
    chosen = [part for name in ("suzuki", "kikui", "composite", "nfc") for part in ("--method", name)]
    done = run("evaluate", str(folder), "--peers", "none", *chosen, "--json-file", str(out))
    assert done.code == 0, done.err
    assert right(out) == dict.fromkeys(("webtongue", "suzuki", "kikui", "composite", "nfc"), 6)


def test_a_folder_with_an_index_and_an_archive_are_sets(tmp_path: Path) -> None:
    rows = [{"file": "a.html", "label": "ita", "url": "http://a.it/"}, {"file": "b.html", "label": "ell"}]
    pages = {"a.html": f"<p>{NEW['ita_Latn']}".encode(), "b.html": f"<p>{NEW['ell_Grek']}".encode("cp1253")}
    folder = json_lines(tmp_path / "pages" / "index.jsonl", rows).parent
    for name, raw in pages.items():
        save(folder / name, raw)
    archive = tmp_path / "pages.tar.xz"
    index = "".join(json.dumps({"path": f"files/{row['file']}", "label": row["label"]}) + "\n" for row in rows).encode()
    with tarfile.open(archive, "w:xz") as tar:
        for name, raw in {"index.jsonl": index, **{f"files/{name}": raw for name, raw in pages.items()}}.items():
            member = tarfile.TarInfo(name)
            member.size = len(raw)
            tar.addfile(member, io.BytesIO(raw))
    for path in (folder, archive):
        out = tmp_path / "report.json"
        done = run("evaluate", str(path), "--peers", "none", "--method", "suzuki", "--json-file", str(out))
        assert done.code == 0, done.err
        assert right(out) == {"webtongue": 2, "suzuki": 2}
    cut = run("evaluate", str(folder), "--peers", "none", "--length", "5")
    assert cut.code == 2 and "--length and --documents are for texts, and it has pages" in cut.err
