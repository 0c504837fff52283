"""Tests of ``webtongue identify``: every item is a row, in order, and the exit code reports failures."""

from __future__ import annotations

import json
import os
import random
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from tests.cases import PAGES
from tests.cli.running import Done, on_terminal, process, run
from webtongue import Identifier
from webtongue.cli import sources
from webtongue.cli.identify import identify_items
from webtongue.cli.sources import Known, items

GERMAN = "<p>Die Bücherei hat heute bis zum Abend geöffnet, und der Eintritt ist frei."
HOSTILE = "\x1b[2J\x1b]0;x\x07\u202e[red]\x9b\n"
ESCAPED = r"\x1b[2J\x1b]0;x\x07\u202e[red]\x9b\n"


def rows(completed: Done) -> list[dict[str, Any]]:
    return [json.loads(line) for line in completed.out.split("\n") if line]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.html").write_text(GERMAN, "utf-8")
    (tmp_path / "b.html").write_text("", "utf-8")
    os.symlink("nowhere", tmp_path / "c.html")
    (tmp_path / "d.html").write_text(GERMAN, "utf-8")
    return tmp_path


def test_an_invalid_item_does_not_end_a_run(folder: Path) -> None:
    completed = run("identify", str(folder), columns=80)
    assert [line.split()[:2] for line in completed.lines[1:]] == [
        ["a.html", "deu_Latn"], ["b.html", "und"], ["c.html", "und"], ["d.html", "deu_Latn"],
    ]  # fmt: skip
    assert "No such file or directory" in completed.lines[3]
    assert (completed.code, completed.err) == (1, "webtongue: 1 of 4 could not be read\n")
    results = rows(run("identify", "--json", str(folder), str(folder / "missing"), str(PAGES / "zxx-pixel.png")))
    assert [row["reason"] for row in results] == ["", "empty", "unreadable", "", "unreadable", "binary"]
    assert results[4]["label"] == "und" and results[4]["why"] == "No such file or directory"


def test_exit_codes(folder: Path) -> None:
    assert run("identify", str(folder / "a.html")).code == 0
    assert run("identify", str(folder / "missing")).code == 1
    assert run("identify").code == 2


def test_an_empty_folder_is_no_error(tmp_path: Path) -> None:
    completed = run("identify", str(tmp_path))
    assert (completed.code, completed.out, completed.err) == (0, "", "webtongue: there is nothing to read\n")


def test_keys_and_order_of_an_index_are_kept(folder: Path) -> None:
    index = [
        {
            "file": "d.html",
            "url": "http://d.de/",
            "crawl": "CC-1",
            "deep": {"n": [1, None, "\u202e"]},
            "label": "theirs",
        },
        {"file": "c.html", "crawl": "CC-2"},
        {"file": "a.html", "n": 12345678901234567890},
    ]
    (folder / "index.jsonl").write_text("\n".join(map(json.dumps, index)), "utf-8")
    results = rows(run("identify", "--json", str(folder / "index.jsonl")))
    assert [row["file"] for row in results] == ["d.html", "c.html", "a.html"]
    assert (
        results[0]["crawl"] == "CC-1" and results[0]["deep"] == index[0]["deep"] and results[0]["url"] == "http://d.de/"
    )
    assert results[0]["label"] == "deu_Latn"  # ours counts
    assert results[1]["crawl"] == "CC-2" and results[1]["reason"] == "unreadable"
    assert results[2]["n"] == 12345678901234567890
    by_folder = rows(run("identify", "--json", str(folder)))
    assert [row["file"] for row in by_folder] == ["a.html", "b.html", "c.html", "d.html"]
    assert by_folder[3] == results[0]


@pytest.mark.parametrize("threads", ["1", "2", "3"])
def test_order_is_kept_on_threads(tmp_path: Path, threads: str) -> None:
    names = [f"{number:03}.html" for number in range(300)]
    for number, name in enumerate(names):
        if number % 7 == 0:
            os.symlink("nowhere", tmp_path / name)
        else:
            (tmp_path / name).write_text(GERMAN if number % 2 else "<p>Οι βιβλιοθήκες είναι ανοιχτές", "utf-8")
    results = rows(run("identify", "--json", "--threads", threads, str(tmp_path)))
    assert [row["file"] for row in results] == names
    expected = ["und" if n % 7 == 0 else "deu_Latn" if n % 2 else "ell_Grek" for n in range(300)]
    assert [row["label"] for row in results] == expected


def test_only_a_few_pages_are_read_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(2000):
        (tmp_path / f"{number:04}.html").write_bytes(b"<p>x")
    read: list[str] = []
    opened = sources._file
    monkeypatch.setattr(sources, "_file", lambda path: read.append(path) or opened(path))
    rows = identify_items(items([str(tmp_path)], Known()), Identifier(), 2)
    next(rows)
    assert len(read) < 500
    rows.close()


def test_single_pages_and_many_have_equal_answers(folder: Path) -> None:
    alone = rows(run("identify", "--json", str(folder / "a.html")))[0]
    together = rows(run("identify", "--json", str(folder)))[0]
    assert {**alone, "file": "a.html"} == together


def test_truncated_pages_are_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Known, "__init__", _short)
    path = tmp_path / "long.html"
    path.write_bytes(GERMAN.encode() * 3000)
    assert rows(run("identify", "--json", str(path)))[0]["content_truncated"] == "length"


def _short(self: Known, *given: Any) -> None:
    for field, value in zip(
        fields(Known), (*given, *(field.default for field in fields(Known)[len(given) :])), strict=True
    ):
        object.__setattr__(self, field.name, 100_000 if field.name == "limit" else value)


@pytest.mark.parametrize("columns", [40, 60, 80, 100, 140])
def test_the_table_fits_the_width(folder: Path, columns: int) -> None:
    for name in ("日本語の長いページの名前" * 6, "x" * 200, "é́" * 60):
        (folder / name).write_text(GERMAN, "utf-8")
    completed = run("identify", str(folder), str(PAGES), columns=columns)
    assert max(map(cell_len, completed.lines)) <= columns
    starts = {cell_len(line[: line.index("deu_Latn")]) for line in completed.lines if "deu_Latn" in line}
    assert len(starts) == 1
    for heading in ("page", "label", "sure"):
        assert heading in completed.lines[0]


def test_narrow_tables_drop_less_important_columns() -> None:
    heads = {columns: run("identify", str(PAGES), columns=columns).lines[0].split() for columns in (60, 80, 100, 140)}
    assert heads[60] == ["page", "label", "language", "sure", "encoding"]
    assert heads[80] == ["page", "label", "language", "sure", "encoding", "declared"]
    assert heads[100] == ["page", "label", "language", "sure", "group", "encoding", "declared"]
    assert heads[140] == [*heads[100], "also"]


def test_names_are_whole_and_paths_are_cut_at_80_columns(tmp_path: Path) -> None:
    text = "Biblioteket er åpent hver dag unntatt søndag, og kaffen er alltid varm når du kommer inn fra regnet."
    path = tmp_path / ("long-name-" * 8) / "page.txt"
    path.parent.mkdir()
    path.write_text(text, "utf-8")
    head, row = run("identify", str(path), columns=80).lines[:2]
    assert "Norwegian Bokmål" in row and "…" in row[: row.index("nob_Latn")] and str(path) not in row
    assert head[head.index("sure") : head.index("encoding")] == "sure  "
    assert row[head.index("sure") :].startswith(("100%", " 9", "~"))


def test_reliability_groups_and_disagreement_are_shown_without_colour() -> None:
    lines = {line.split()[0]: line for line in run("identify", str(PAGES), columns=100).lines if line}
    wide = run("identify", "--text", "Pijaca radi svaki dan", columns=100).out
    assert re.search(r" ~\d\d%  hbs \d+%", wide)
    assert re.search(r"deu_Latn +German +100% +windows-1252", lines["de-werkstatt.html"])
    assert "!eng_Latn" in lines["pl-piekarnia.html"]
    message = run("identify", str(PAGES), columns=80).out
    narrow = run("identify", "--text", "Pijaca radi svaki dan", columns=80).out
    assert "similar languages" in wide and "similar languages" not in narrow
    assert "! declared" in message
    assert "~ not reliable" in narrow
    assert "! declared" not in run("identify", str(PAGES), columns=60).out  # no such column there
    assert "~" not in run("identify", str(PAGES / "de-werkstatt.html"), columns=80).out


def test_several_languages_are_listed(tmp_path: Path) -> None:
    greek = "<p>Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα εκτός από την Κυριακή, από τις εννιά το πρωί."
    more = "<p>Wer ein Buch sucht, fragt am besten am Eingang, denn dort weiß man, was gerade ausgeliehen ist."
    last = "<p>Am Samstag lesen Kinder aus dem Viertel vor, und danach gibt es für alle Kuchen und warmen Tee."
    (tmp_path / "a.html").write_text(GERMAN + more + last + greek, "utf-8")
    assert "deu_Latn+1" in run("identify", str(tmp_path), columns=60).out
    assert re.search(r"ell_Grek \d\d%", run("identify", str(tmp_path), columns=140).out)


def hostile_folder(folder: Path) -> Path:
    name = f"x{HOSTILE}"
    (folder / name).write_text(f'<html lang="{HOSTILE}"><p lang="{HOSTILE}">{HOSTILE * 3} {GERMAN}', "utf-8")
    os.symlink("nowhere", folder / f"y{HOSTILE}")
    (folder / os.fsdecode(b"z\xff\xfe")).write_text(GERMAN, "utf-8")
    headers = {"Content-Type": f"text/html; charset={HOSTILE}", "Content-Language": HOSTILE}
    row = {"file": name, "url": f"http://x/{HOSTILE}", "headers": headers, HOSTILE: HOSTILE}
    (folder / "index.jsonl").write_text(json.dumps(row) + f"\n{{{HOSTILE.strip()}", "utf-8")
    return folder


@pytest.mark.parametrize("way", [(), ("--explain",), ("--json",)])
@pytest.mark.parametrize("env", [{}, {"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1"}])
def test_control_characters_from_input_are_escaped(tmp_path: Path, way: tuple[str, ...], env: dict[str, str]) -> None:
    completed = on_terminal("identify", *way, str(hostile_folder(tmp_path)), NO_COLOR="1", **env)
    message = re.sub(r"\x1b\[[012]?m", "", completed.out)  # bold and dim are no colours
    assert completed.code == 1
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", message), message
    if way != ("--json",):
        assert ESCAPED[:7] in message and r"z\xff\xfe" in message
    assert not re.search("[\udc80-\udcff]", message)  # nothing is in another encoding than the terminal's


def test_json_escapes_control_characters(tmp_path: Path) -> None:
    completed = run("identify", "--json", str(hostile_folder(tmp_path)))
    results = {row["file"]: row for row in rows(completed)}
    assert results[f"x{HOSTILE}"][HOSTILE] == HOSTILE
    assert results["z\\xff\\xfe"]["label"] == "deu_Latn"
    assert "\x1b" not in completed.out and "\u202e" not in completed.out


@pytest.mark.parametrize("columns", [60, 80])
def test_a_terminal_gets_colour_and_its_width(columns: int) -> None:
    completed = on_terminal("identify", str(PAGES), columns=columns)
    assert completed.code == 0
    assert "\x1b[32m" in completed.out and max(map(cell_len, completed.plain.splitlines())) <= columns
    assert "\x1b[32m" not in on_terminal("identify", str(PAGES), columns=columns, NO_COLOR="1").out


def test_ascii_terminals(tmp_path: Path) -> None:
    (tmp_path / ("ä" * 60)).write_text(GERMAN.replace("Die", "Łódź"), "utf-8")
    for way in ((), ("--explain",), ("--json",)):
        completed = process("identify", *way, str(tmp_path), PYTHONIOENCODING="ascii", COLUMNS="60")
        assert (completed.code, completed.err) == (0, "") and completed.out.isascii()
    assert "..." in process("identify", str(tmp_path), PYTHONIOENCODING="ascii", COLUMNS="60").out


def test_progress_is_for_terminals_that_do_not_show_the_rows(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"{number}.html").write_bytes(b"<p>x")
    assert "pages" in on_terminal("identify", "--json", str(tmp_path), both=False).plain
    assert process("identify", "--json", str(tmp_path)).err == ""


def test_explain_says_what_was_overruled(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("<html lang=de><p>The library opens at nine and closes at six on all days of the week.", "utf-8")
    assert re.search(
        r"conflict +the text overrules the declared\s+language \(German\)", run("identify", "--explain", str(path)).out
    )


def test_explain_has_everything() -> None:
    message = run("identify", "--explain", str(PAGES / "sr-latn-pijaca.html"), columns=80)
    assert max(map(len, message.lines)) <= 80
    for part in (
        r"label +srp_Latn \(sr-Latn\), Serbian \(Latin\)", r"sure +\d+\.\d%", r"group +hbs \d+\.\d%: .*hrv_Latn",
        r"tier +1, much modern text", r"languages +srp_Latn 100%", r"encoding +utf-8", r"guesses +srp_Latn \d", r"evidence\s+source +says",
        r"html-lang +sr-Cyrl +srp_Cyrl", r"blocks\s+bytes +kind", r"\d+-\d+ +title +sr-Cyrl +Selja",
    ):  # fmt: skip
        assert re.search(part, message.out), part
    message = run("identify", "--explain", "--text", "Pijaca radi svaki dan", columns=80)
    assert re.search(r"sure +\d+\.\d%, not reliable", message.out)
    message = run("identify", "--explain", str(PAGES / "mul-curling.html"), columns=60)
    assert re.search(r"segments\s+bytes +label +share\s+\d+-\d+", message.out)
    message = run("identify", "--explain", str(PAGES / "zxx-pixel.png"), columns=60)
    assert re.search(r"PNG image: .*\(OCR\)\s+first\s+\(binary\)", message.out, re.DOTALL) and "sure" not in message.out


def test_blocks_are_shown_in_the_detected_encoding() -> None:
    assert "Дневник одной метеостанции" in run("identify", "--explain", str(PAGES / "ru-pogoda.html"), columns=80).out


def test_text_is_identified_with_the_text_option(tmp_path: Path) -> None:
    completed = run("identify", "--text", "Wo ist der Bahnhof, bitte, und wann fährt der Zug?", columns=80)
    assert completed.lines[1].startswith("Wo ist") and "deu_Latn" in completed.lines[1]
    (row,) = rows(run("identify", "--json", "--text", "Где находится вокзал?"))
    assert row["text"] == "Где находится вокзал?" and row["language"] == "ru"
    assert "guesses" in run("identify", "--explain", "--text", "Где находится вокзал?").out


def test_text_is_read_in_an_ascii_locale() -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    completed = process("identify", "--json", "--text", "Die Füße sind müde, und der Weg ist noch weit.", **plain)
    assert completed.out.isascii() and json.loads(completed.out)["text"].startswith("Die Füße")


def test_lines_are_identified_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_text("Wo ist der Bahnhof?\n\nГде находится вокзал?\n", "utf-8")
    results = rows(run("identify", "--json", "--lines", str(path)))
    assert [(row["line"], row["language"]) for row in results] == [(1, "de"), (3, "ru")]
    results = rows(run("identify", "--json", "--lines", str(tmp_path / "none"), "-", feed=path.read_bytes()))
    assert [(row["label"], row["reason"]) for row in results] == [
        ("und", "unreadable"), ("deu_Latn", ""), ("rus_Cyrl", ""),
    ]  # fmt: skip


def test_standard_input() -> None:
    assert rows(run("identify", "--json", "-", feed=GERMAN.encode()))[0]["label"] == "deu_Latn"
    assert rows(run("identify", "--json", "-"))[0]["reason"] == "empty"
    assert rows(run("identify", "--json", "-", feed=random.Random(1).randbytes(50_000)))[0]["label"] == "zxx"


def test_url_and_headers_apply_to_one_page() -> None:
    row = rows(run("identify", "--json", "--header", "Content-Language: de", "-", feed=GERMAN.encode()))[0]
    assert row["declared_language"] == "deu_Latn"
    assert run("identify", "--url", "http://[broken", "-", feed=GERMAN.encode()).code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give a file"),
        (("",), "empty text: give a file, a folder or a text"),
        ((" ", "x"), "empty text: give a file, a folder or a text"),
        (("--csv", "x"), "No such option: --csv (Possible options: --set); --json prints JSON Lines with all fields"),
        (("--format", "csv", "x"), "; --json prints JSON Lines with all fields; see"),
        (("--min-confidence", "0.5", "x"), "; --json prints the confidence, by which you can filter; see"),
        (("-", "-"), "only once"),
        (("--json", "--explain", "x"), "--json and --explain"),
        (("--text", "x", "y"), "--text"),
        (("--text", "x", "--lines"), "--text"),
        (("--text", "x", "--threads", "2"), "--threads"),
        (("--lines", "--url", "http://a.de/", "x"), "are for pages"),
        (("--url", "http://a.de/", "x", "y"), "describe one page"),
        (("--url", "http://a.de/", str(PAGES)), "describe one page"),
        (("--header", "a: b", str(PAGES / "index.jsonl")), "describe one page"),
        (("--header", "nocolon", "x"), "'Name: value'"),
        (("--set", "a=b", "x"), "--method"),
        (("--priors", "wbe", "x"), "'web', 'uniform'"),
        (("--priors", "", "x"), "'web', 'uniform'"),
        (("--language", "", "x"), "at least one"),
        (("--language", " , ", "x"), "at least one"),
        (("--language", "klingonese", "x"), "not a language"),
        (("--model", "/nowhere", "x"), "/nowhere"),
        (("--model", "/", "x"), "cannot be used as a text model"),
        (("--model", str(PAGES / "el-elies.html"), "x"), "cannot be used as a text model"),
        (("--threads", "0", "x"), "--threads"),
        (("--threads", "many", "x"), "--threads"),
        (("--nonsense", "x"), "--nonsense"),
        (("--method", "\x1b[2J", "x"), r"no method"),
    ],
)
def test_wrong_calls_fail_with_one_sentence(arguments: tuple[str, ...], message: str) -> None:
    completed = run("identify", *arguments)
    assert (completed.code, completed.out) == (2, "")
    assert completed.err.startswith("webtongue: ") and completed.err.count("\n") == 1 and message in completed.err
    assert "\x1b" not in completed.err


def test_garbage_files_give_rows(tmp_path: Path) -> None:
    rng = random.Random(7)
    tails = [
        b"",
        b"\n",
        b"\x1b[31m",
        "\u202eexe".encode(),
        b"\xff\xfe",
        b"[bold]",
        b"x" * 200,
        "ページ".encode(),
        b"\x9b2J",
    ]
    for number in range(2000):
        path = os.fsencode(tmp_path) + b"/%04d" % number + rng.choice(tails)
        with open(path, "wb") as file:
            file.write(rng.randbytes(rng.choice([0, 1, 20, 500, 3000])))
    completed = run("identify", str(tmp_path), columns=80)
    assert completed.code == 0
    assert len([line for line in completed.lines if re.match(r"\d{4}", line)]) == 2000
    assert "\x1b" not in completed.out and "\u202e" not in completed.out
    results = rows(run("identify", "--json", str(tmp_path)))
    assert [row["file"][:4] for row in results] == [f"{number:04}" for number in range(2000)]
