"""Tests of ``webtongue extract``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.census.archive_records import response, warc
from tests.census.test_extract import ENGLISH, ICELANDIC, crawl, page, rows_of
from tests.cli.running import process, run


@pytest.fixture
def source(tmp_path: Path) -> str:
    return crawl(tmp_path / "a.warc.gz")


def facts(printed: str) -> dict[str, str]:
    """Return the names and values of a printed summary."""
    return {line[:20].strip(): line[20:].strip() for line in printed.splitlines()}


def test_a_folder_of_extracted_text_is_written(source: str, tmp_path: Path) -> None:
    out = tmp_path / "corpus"
    completed = run(
        "extract", source, "--language", "is,ka-Geor", "--min-confidence", ".9", "-o", str(out), "--workers", "1"
    )
    assert (completed.code, completed.out) == (0, "")
    assert facts(completed.err)["captures"] == "7" and facts(completed.err)["written"].startswith("4, ")
    assert sorted(path.name for path in out.iterdir()) == ["_manifest.json", "isl_Latn", "kat_Geor"]
    assert facts(completed.err)["isl_Latn"].startswith("3, ") and facts(completed.err)["speed"].endswith(" pages/s")
    assert rows_of(out / "isl_Latn" / "part-00000.jsonl")[0]["text"].split("\n") == list(ICELANDIC[:3])


def test_standard_output(source: str) -> None:
    completed = run("extract", source, "-l", "is", "-o", "-")
    assert completed.code == 0
    assert [json.loads(line)["url"][-3:] for line in completed.lines] == ["/is", "old", "wet"]


def test_standard_input(source: str) -> None:
    completed = process("extract", "-", "-l", "is", "-o", "-", feed=Path(source).read_bytes())
    assert completed.code == 0 and len(completed.lines) == 3


def test_without_the_prefilter_the_rows_are_the_same(source: str) -> None:
    quick, slow = (run("extract", source, "-l", "is", "-o", "-", *more) for more in ((), ("--identify-all",)))
    assert quick.out == slow.out
    assert "rejected by filter" in facts(quick.err) and "rejected by filter" not in facts(slow.err)


def test_boilerplate_and_duplicates(tmp_path: Path) -> None:
    html = page(*ICELANDIC, around="<nav>Forsíða</nav>").encode()
    path = tmp_path / "b.warc.gz"
    path.write_bytes(warc([response("https://www.example.com/1", html), response("https://www.example.com/2", html)]))
    dropped = run("extract", str(path), "-l", "is", "-o", "-")
    assert len(dropped.lines) == 1 and "Forsíða" not in dropped.out and facts(dropped.err)["duplicates"] == "1"
    kept = run(
        "extract",
        str(path),
        "-l",
        "is",
        "-o",
        "-",
        "--boilerplate",
        "keep",
        "--duplicates",
        "keep",
        "--host-lines",
        "keep",
    )
    assert len(kept.lines) == 2 and "Forsíða" in kept.out


def test_control_characters_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "c.warc.gz"
    odd = page(*ICELANDIC[:3], f"{ICELANDIC[3]} \u202e\u200b {ICELANDIC[4]}").encode()
    path.write_bytes(warc([response("https://www.example.com/1", odd)]))
    completed = process("extract", str(path), "-l", "is", "-o", "-")
    assert "\u202e" not in completed.out and "\\u202e" in completed.out
    assert "\u202e" in json.loads(completed.lines[0])["text"]


def test_wrong_calls_fail_with_a_message(source: str, tmp_path: Path) -> None:
    out = str(tmp_path / "x")
    for arguments, message in (
        ((source, "-o", out), "language"),
        ((source, "-l", "is"), "out"),
        ((source, "-l", "klingonese", "-o", out), "not a language"),
        ((source, "-l", ",", "-o", out), "at least one"),
        ((source, "-l", "is", "-o", out, "--boilerplate", "some"), "--boilerplate is keep or drop"),
        ((source, "-l", "is", "-o", out, "--min-confidence", "2"), "min-confidence"),
        ((source, "-l", "is", "-o", "-", "--format", "parquet"), "standard output"),
        ((source, "-l", "is", "-o", "-", "--workers", "2"), "--workers is for files"),
        ((source, "-l", "is", "-o", out, "--format", "csv"), "a format is one of"),
        ((source, "-l", "is", "-o", "-", "--format", "md"), "or markdown for the text as Markdown, not 'md'"),
        ((source, "-l", "is", "-o", f"{out}.txt"), "would be a folder"),
        ((source, "-l", "is", "-o", str(tmp_path)), "not an empty folder"),
        ((source, "-l", "is", "-o", "-", "--resume"), "--resume and --force are for files"),
        ((source, "--languages-from", str(tmp_path / "none"), "-o", out), "is not a file of languages"),
        ((str(tmp_path / "none.warc.gz"), "-l", "is", "-o", out), "nothing to read"),
    ):
        completed = run("extract", *arguments)
        assert completed.code == 2 and message in completed.err, (arguments, completed)
    assert not Path(out).exists()


def test_unreadable_inputs_are_reported(tmp_path: Path) -> None:
    (tmp_path / "empty.warc.gz").write_bytes(b"")
    (tmp_path / "good.warc.gz").write_bytes(warc([response("https://www.example.com/", page(*ENGLISH).encode())]))
    completed = run("extract", str(tmp_path / "empty.warc.gz"), str(tmp_path / "good.warc.gz"), "-l", "is", "-o", "-")
    assert completed.code == 1 and "1 input could not be read" in completed.err
    assert facts(completed.err)["not read"] == f"{tmp_path / 'empty.warc.gz'}: it is empty"


@pytest.mark.parametrize("out", ["-", "corpus"])
def test_missing_inputs_are_named(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str) -> None:
    monkeypatch.chdir(tmp_path)
    completed = run("extract", source, "missing.warc.gz", "-l", "is,", "fo", "-o", out)
    assert completed.code == 1 and "2 inputs could not be read to the end" in completed.err
    named = [line for line in completed.err.splitlines() if line.startswith("not read")]
    assert ["missing.warc.gz: " in named[0], "fo: " in named[1]] == [True, True]
    assert all("no such file" in line.lower() for line in named), named
    many = run("extract", source, *(f"{number}.warc.gz" for number in range(23)), "-l", "is", "-o", "-")
    assert many.err.count("not read ") == 20 and "and 3 more" in many.err


def test_files_of_all_formats(source: str, tmp_path: Path) -> None:
    for name in ("x.jsonl.gz", "x.jsonl.zst", "x.parquet"):
        assert run("extract", source, "-l", "is", "-o", str(tmp_path / name), "--workers", "1").code == 0
        assert (tmp_path / name).is_file()
    again = run("extract", source, "-l", "is", "-o", str(tmp_path / "x.parquet"), "--workers", "1")
    assert again.code == 2 and "replace it with --force" in again.err
    assert run("extract", source, "-l", "is", "-o", str(tmp_path / "x.parquet"), "--workers", "1", "--force").code == 0


def test_all_languages_and_languages_of_a_file(source: str, tmp_path: Path) -> None:
    everything = run(
        "extract", source, "-l", "all", "-o", str(tmp_path / "all"), "--workers", "1", "--shard-size", "1K"
    )
    assert everything.code == 0 and "rejected" not in everything.err
    shards = sorted(str(path.relative_to(tmp_path / "all")) for path in (tmp_path / "all").rglob("part-*"))
    assert shards == [
        "eng_Latn/part-00000.jsonl", "isl_Latn/part-00000.jsonl", "isl_Latn/part-00001.jsonl", "kat_Geor/part-00000.jsonl",
    ]  # fmt: skip
    (tmp_path / "langs.txt").write_text("# two languages\nka\nen  # English\n", "utf-8")
    listed = run("extract", source, "--languages-from", str(tmp_path / "langs.txt"), "-o", "-")
    assert {json.loads(line)["label"] for line in listed.lines} == {"eng_Latn", "kat_Geor"}


def test_markdown(tmp_path: Path) -> None:
    html = (
        page(*ICELANDIC)
        .replace("<p>", "<h2>Fyrirsögn</h2><p>", 1)
        .replace("</title>", "</title><ul><li>Eitt<li>Tvö</ul>")
    )
    (tmp_path / "d.warc.gz").write_bytes(warc([response("https://www.example.com/1", html.encode())]))
    completed = run("extract", str(tmp_path / "d.warc.gz"), "-l", "is", "-o", "-", "--markdown")
    assert json.loads(completed.lines[0])["text"].startswith(
        f"- Eitt\n- Tvö\n\n## Fyrirsögn\n\n{ICELANDIC[0]}\n\n{ICELANDIC[1]}"
    )
    same = run("extract", str(tmp_path / "d.warc.gz"), "-l", "is", "-o", "-", "--format", "markdown")
    assert same.lines == completed.lines
    done = run("extract", str(tmp_path / "d.warc.gz"), "-l", "is", "-o", str(tmp_path / "out"), "--format", "markdown")
    assert done.code == 0, done.err
    (shard,) = tmp_path.glob("out/*/*")
    assert shard.name == "part-00000.jsonl" and json.loads(shard.read_text())["text"].startswith("- Eitt")


def test_resume(source: str, tmp_path: Path) -> None:
    arguments = ("extract", source, "-l", "is", "-o", str(tmp_path / "out"), "--workers", "1")
    assert run(*arguments).code == 0
    again = run(*arguments)
    assert again.code == 2 and "--resume" in again.err and "--force" in again.err
    assert run(*arguments, "--resume").code == 0
    finished = run(*arguments, "--resume")
    assert (
        finished.code == 0 and facts(finished.err)["done before"] == "7 captures" and "speed" not in facts(finished.err)
    )


def test_resuming_a_finished_file_leaves_it_alone(source: str, tmp_path: Path) -> None:
    out = tmp_path / "x.jsonl.gz"
    arguments = ("extract", source, "-l", "is", "-o", str(out))
    assert run(*arguments, "--resume").code == 0  # nothing to continue: a new run
    before = out.read_bytes()
    done = run(*arguments, "--resume")
    assert (done.code, done.out) == (0, "") and facts(done.err)["done before"] == "7 captures"
    assert out.read_bytes() == before and [path.name for path in tmp_path.glob("x.jsonl*")] == [out.name]
    assert run(*arguments).code == 2
    out.unlink()  # a result that was deleted is written again
    assert run(*arguments).code == 0 and out.read_bytes() == before


def test_resuming_checks_what_wrote_a_file(source: str, tmp_path: Path) -> None:
    other = tmp_path / "notes.jsonl"
    other.write_text("{}")
    refused = run("extract", source, "-l", "is", "-o", str(other), "--resume")
    assert refused.code == 2 and "--force" in refused.err and other.read_text() == "{}"
    out = tmp_path / "x.jsonl"
    assert run("extract", source, "-l", "is", "-o", str(out)).code == 0
    before = out.read_bytes()
    for arguments in ((source, "-l", "fo"), (source, source, "-l", "is")):
        refused = run("extract", *arguments, "-o", str(out), "--resume")
        assert refused.code == 2 and "other inputs or settings" in refused.err and out.read_bytes() == before


def test_the_counts_of_captures_and_texts_add_up(source: str, tmp_path: Path) -> None:
    printed = facts(run("extract", source, source, "-l", "is", "-o", str(tmp_path / "out"), "--workers", "1").err)
    count = {
        name: int(value.split(",")[0].split()[0].strip(":")) for name, value in printed.items() if value[:1].isdigit()
    }
    assert count["captures"] == sum(
        count.get(name, 0) for name in ("other", "damaged", "rejected by filter", "identified")
    )
    dropped = sum(count.get(name, 0) for name in ("duplicates", "near duplicates", "poor quality", "too little left"))
    assert count["texts"] == count["written"] + dropped and dropped == count["duplicates"] == 4 - 1
