"""One clear error for each mistake in a corpus, and what is not a mistake: short names, other files, rows without links."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from tests.cli.corpora import (
    URLS,
    json_lines,
    label_folders,
    right,
    save,
    source_folders,
    train,
)
from tests.cli.running import run
from tests.lab.methods.texts import CORPUS, NEW
from webtongue.lab import methods

MISTAKES: dict[str, tuple[Any, str, str]] = {
    "no label": (
        lambda folder: save(folder / "c" / "texts" / "1.txt", "Hallo").parents[1],
        "nfc",
        "neither the folder 'texts' nor the file '1' is named after a language, such as eng or eng_Latn",
    ),
    "both labels": (
        lambda folder: save(folder / "c" / "eng" / "deu.txt", "Hallo").parents[1],
        "nfc",
        "both 'eng' and 'deu' are languages: name the folders after sources",
    ),
    "no folder": (
        lambda folder: save(folder / "c" / "eng.txt", "Hello").parent,
        "nfc",
        "put eng.txt into a folder: c/mine/eng.txt",
    ),
    "empty": (lambda folder: save(folder / "c" / "readme.md", "Hello").parent, "nfc", "no text in"),
    "URLs for a method of text": (lambda folder: save(folder / "urls.tsv", URLS), "nfc", "has a URL and no text"),
    "text for a method of URLs": (
        lambda folder: label_folders(folder / "c"),
        "tld",
        "has no URL, which this method reads",
    ),
    "one column": (
        lambda folder: save(folder / "urls.tsv", "http://a.de/\n"),
        "tld",
        "urls.tsv, line 1: not a URL and a language, separated by a tab",
    ),
    "damaged xz": (lambda folder: save(folder / "urls.tsv.xz", b"abc"), "tld", "urls.tsv.xz: cannot be read"),
    "no JSON": (lambda folder: save(folder / "c.jsonl", "{"), "nfc", "c.jsonl, line 1: not JSON"),
    "no text": (
        lambda folder: json_lines(folder / "c.jsonl", [{"label": "eng"}]),
        "nfc",
        "line 1: not an object with the keys label",
    ),
    "no language": (
        lambda folder: json_lines(folder / "c.jsonl", [{"label": "Klingon?", "text": "a"}]),
        "nfc",
        "no document has a label that is a language",
    ),
    "another kind of file": (lambda folder: save(folder / "c.csv", "a,b"), "nfc", "a file of this kind is no corpus"),
    "a file outside": (
        lambda folder: json_lines(folder / "c.jsonl", [{"label": "eng", "file": "../x.html"}]),
        "nfc",
        "'../x.html' cannot be read (outside the folder of its index)",
    ),
    "two layouts": (
        lambda folder: save(
            save(folder / "c" / "udhr" / "eng.txt", "Hello").parents[1] / "deu" / "1.txt", "Hallo"
        ).parents[1],
        "nfc",
        "c/deu/1.txt and ",
    ),
    "the folder of a label": (
        lambda folder: save(folder / "c" / "eng" / "1.txt", "Hello").parent,
        "nfc",
        "'eng' is a language: give the folder above it",
    ),
    "a label without documents": (
        lambda folder: save(label_folders(folder / "c") / "fra" / "page.md", "Bonjour").parents[1],
        "nfc",
        "c/fra has no .txt or .html file",
    ),
    "documents one level down": (
        lambda folder: save(label_folders(folder / "c") / "fra" / "a" / "page.txt", "Bonjour").parents[2],
        "nfc",
        "fra/a/page.txt is in a folder below it",
    ),
    "a label without text": (
        lambda folder: save(label_folders(folder / "c") / "fra" / "1.txt", " \n").parents[1],
        "nfc",
        "fra/1.txt is empty, and fra_Latn has no other text",
    ),
    "a label without text in a page": (
        lambda folder: save(label_folders(folder / "c") / "fra" / "1.html", "<html><script>x</script>").parents[1],
        "nfc",
        "fra/1.html is empty",
    ),
    "texts in a list of URLs": (
        lambda folder: save(folder / "texts.tsv", "Guten Tag\tdeu\n"),
        "tld",
        "line 1: 'Guten Tag' is not a URL: texts belong into a .jsonl file",
    ),
    "columns in the other order": (
        lambda folder: save(folder / "urls.tsv", "deu\thttp://a.de/\n"),
        "tld",
        "line 1: 'deu' is not a URL: the URL comes first",
    ),
    "headers that are no object": (
        lambda folder: json_lines(folder / "c.jsonl", [{"label": "eng", "text": "a", "headers": 5}]),
        "nfc",
        "line 1: headers is 5, not an object",
    ),
    "inlinks that are no list": (
        lambda folder: json_lines(folder / "c.jsonl", [{"label": "eng", "html": "a", "inlinks": "http://a.de/"}]),
        "nfc",
        "line 1: inlinks is 'http://a.de/', not a list",
    ),
    "pages without URLs": (
        lambda folder: label_folders(folder / "c"),
        "nfc_tld",
        "give a .jsonl file of label, url and text or html",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_mistake_has_one_clear_error(tmp_path: Path, mistake: str) -> None:
    make, method, message = MISTAKES[mistake]
    done = train(make(tmp_path), tmp_path / "m.wtp", method=method)
    assert done.code == 2 and not (tmp_path / "m.wtp").exists()
    assert done.err.startswith("webtongue: ") and done.err.count("\n") == 1 and message in done.err, done.err


def test_documents_of_different_kinds_are_refused(tmp_path: Path) -> None:
    mixed = json_lines(tmp_path / "c.jsonl", [{"label": "eng", "text": "a"}, {"label": "eng", "url": "http://a.com/"}])
    done = run("evaluate", str(mixed), "--peers", "none")
    assert done.code == 2 and "of different kinds (text, url)" in done.err


def test_texts_with_and_without_links_are_pages(tmp_path: Path) -> None:
    """Links and URLs of a page are optional: rows that have none do not make another kind of document."""
    rows = [{"label": "ell", "text": "Foto 7", "inlinks": [{"url": "http://a.gr/", "language": "el"}]}]
    mixed = json_lines(tmp_path / "c.jsonl", [*rows, {"label": "ita", "text": str(NEW["ita_Latn"])}])
    out = tmp_path / "report.json"
    done = run("evaluate", str(mixed), "--peers", "none", "--method", "inlinks", "--json-file", str(out))
    assert done.code == 0 and right(out)["inlinks"] == 2, done.err


@pytest.mark.parametrize("names", [("deu", "en"), ("de", "eng_Latn")])
@pytest.mark.parametrize("suffix", [".txt", ".txt.gz", ".txt.xz"])
def test_files_of_sources_may_have_short_names(tmp_path: Path, names: tuple[str, str], suffix: str) -> None:
    """Two sources that name a language differently give one label, with its script."""
    pack = {".txt": bytes, ".txt.gz": gzip.compress, ".txt.xz": lzma.compress}[suffix]
    german, english = ("\n".join(map(str, CORPUS[label])).encode() for label in ("deu_Latn", "eng_Latn"))
    corpus = tmp_path / "corpus"
    save(corpus / "other" / "deu_Latn.txt", german)
    for name, text in zip(names, (german, english), strict=True):
        save(corpus / "mine" / f"{name}{suffix}", pack(text))
    done = train(corpus, tmp_path / "m.wtp")
    assert done.code == 0, done.err
    assert methods.load(tmp_path / "m.wtp").labels == ("deu_Latn", "eng_Latn")


def test_labels_are_given_in_any_form_and_must_be_there(tmp_path: Path) -> None:
    for corpus in (label_folders(tmp_path / "a"), source_folders(tmp_path / "b")):
        assert train(corpus, tmp_path / "m.wtp", "--label", "de,ita").code == 0
        assert methods.load(tmp_path / "m.wtp").labels == ("deu_Latn", "ita_Latn")
        missing = train(corpus, tmp_path / "n.wtp", "--label", "de,fr")
        assert missing.code == 2 and "no text in fra_Latn in" in missing.err
        unknown = train(corpus, tmp_path / "n.wtp", "--label", "de,Klingon?")
        assert unknown.code == 2 and "--label Klingon?: not a language" in unknown.err
        assert not (tmp_path / "n.wtp").exists()


def test_files_that_are_no_documents_are_reported(tmp_path: Path) -> None:
    corpus = label_folders(tmp_path / "corpus")
    save(corpus / "deu" / "0_files" / "style.css", "a {}")
    save(corpus / "deu" / "notes.md", "x")
    save(corpus / "deu" / ".DS_Store", "x")
    done = train(corpus, tmp_path / "m.wtp")
    assert (
        done.code == 0
        and "2 files were left out, which are no documents of a label, such as deu/0_files/style.css" in done.err
    )
    out = tmp_path / "report.json"
    assert run("evaluate", str(corpus), "--peers", "none", "--json-file", str(out)).code == 0
    assert "2 files are no documents of a label" in json.loads(out.read_text("utf-8"))["notes"][0]


@pytest.mark.parametrize("content", ["", "http://a.de/\tno language\n"])
def test_an_empty_set_is_an_error(tmp_path: Path, content: str) -> None:
    done = run("evaluate", str(save(tmp_path / "urls.tsv", content)), "--peers", "none")
    assert done.code == 2 and "urls.tsv: no document has a label that is a language" in done.err


@pytest.mark.parametrize(
    "url", ["http://a.de/", "a.de", "a.de/x", "www.a.de:80/x?y=z", "HTTPS://A.DE", "a.de?b=1", "[::1]/x"]
)
def test_urls_have_many_forms(tmp_path: Path, url: str) -> None:
    assert run("evaluate", str(save(tmp_path / "urls.tsv", f"{url}\tde\n")), "--peers", "none").code == 0


def test_options_that_have_no_effect_are_refused(tmp_path: Path) -> None:
    page = str(save(tmp_path / "a.html", "<p>Hallo"))
    for option, value, readers in (
        ("--url", "http://a.de/", "tld"),
        ("--inlink", "http://a.de/=de", "inlinks"),
        ("--ip", "1.2.3.4", "ip"),
    ):
        done = run("identify", "--method", "nfc", option, value, page)
        assert (
            done.code == 2
            and f"the method 'nfc' does not read {option}: leave it out (methods that read it: " in done.err
        )
        assert readers in done.err
    negative = train(label_folders(tmp_path / "corpus"), tmp_path / "m.wtp", "--set", "features=-3")
    assert negative.code == 2 and "features must not be negative, and is -3" in negative.err


@pytest.mark.parametrize(("method", "missing"), [("tld", "URL"), ("cctld", "URL"), ("url", "URL"), ("ip", "IP")])
def test_what_a_page_lacks_is_the_reason(tmp_path: Path, method: str, missing: str) -> None:
    done = run("identify", "--method", method, "--json", str(save(tmp_path / "a.html", "<p>Hallo")))
    assert json.loads(done.out)["why"] == f"the page has no {missing}, which this method reads"


def test_addresses_are_not_looked_up_in_lists_of_urls(tmp_path: Path) -> None:
    out = tmp_path / "report.json"
    run(
        "evaluate", str(save(tmp_path / "urls.tsv", URLS)), "--peers", "none", "--method", "ip", "--json-file", str(out)
    )
    assert json.loads(out.read_text("utf-8"))["notes"] == [
        "ip is not scored on urls: it reads IP addresses, and the set has URLs"
    ]


@pytest.mark.parametrize("option", ["--encodings", ""])
def test_a_corpus_of_label_folders_is_for_methods_only(tmp_path: Path, option: str) -> None:
    corpus = label_folders(tmp_path / "corpus")
    done = run("train", str(corpus), "-o", str(tmp_path / "m.wtm"), *([option] if option else []))
    assert done.code == 2 and "nothing to train on" in done.err and not (tmp_path / "m.wtm").exists()
    assert "this one has label/*.txt|html: give --method" in done.err


def test_a_corpus_of_another_layout_is_told_the_right_one(tmp_path: Path) -> None:
    save(tmp_path / "flat" / "deu_Latn.txt", "Hallo")
    done = run("train", str(tmp_path / "flat"), "-o", str(tmp_path / "m.wtm"))
    assert done.code == 2 and "a corpus is a folder of source/label.txt[.xz], one segment per line" in done.err


def test_what_the_audit_dropped_is_named_if_nothing_is_left(tmp_path: Path) -> None:
    lines = [f"Die Seite Nummer {chr(97 + n)} hat einen Satz." for n in range(20)]
    save(tmp_path / "corpus" / "mine" / "deu_Latn.txt", "\n".join([*lines, lines[0], "12 34"]))
    done = run("train", str(tmp_path / "corpus"), "-o", str(tmp_path / "m.wtm"))
    assert done.code == 2 and "a corpus is a folder" not in done.err
    assert "a label needs 4,000 bytes of text, and deu_Latn has " in done.err
    assert "the audit dropped 2 of 22 lines (1 repeated, 1 no letters)" in done.err
