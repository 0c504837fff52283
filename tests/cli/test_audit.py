"""Tests of ``webtongue audit``: the demo, judged over HTTP by two judges, with its summary and export."""

from __future__ import annotations

import json
import re
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

from tests.cli.running import COMMAND, run

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/[\w-]+/")


def call(url: str, value: Any = None) -> Any:
    data = None if value is None else json.dumps(value).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


def judge(out: Path, name: str, wrong: int) -> str:
    """Judge all pages over HTTP, the first ones as Faroese; return what the command prints at the end."""
    arguments = ["audit", str(out), "--demo", "--no-browser", "-n", "12", "--judge", name]
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = next(line for line in process.stderr if ADDRESS.search(line))
        url = ADDRESS.search(line)[0]  # type: ignore[index]
        state = call(f"{url}items")
        for number, item in enumerate(state["items"]):
            if item["id"] not in state["judged"]:
                said = {"answer": "wrong", "language": "fo"} if number < wrong else {"answer": "right"}
                call(f"{url}judge", {"item": item["id"], **said})
        call(f"{url}close", {})
        output, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        return output


def test_two_judges_of_the_demo(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert re.search(r"Icelandic +12 +75% +43-95%", judge(out, "anna", 3))
    assert "anna and berit judged 12 pages alike in 92%: kappa 0.75" in judge(out, "berit", 2)
    assert run("audit", str(out), "--summary").plain == judge(out, "anna", 0)  # all is judged already
    lines = [json.loads(line) for line in run("audit", str(out), "--export", "-").out.splitlines()]
    assert len(lines) == 24 and sum(line["truth"] == "fao_Latn" for line in lines) == 5
    tables = run("tables", str(out), "precision_by_language", "pages_by_language_corrected", "--format", "json")
    rows = [json.loads(line) for line in tables.out.splitlines()]
    counted = {row["label"]: row["share"] for row in rows if row["table"] == "pages_by_language_corrected"}
    corrected = {row["label"]: row["corrected"] for row in rows if row["table"] == "pages_by_language_corrected"}
    right = (12 - 2.5) / 12  # the mean of the two judges
    assert abs(corrected["isl_Latn"] - right * counted["isl_Latn"]) < 1e-9
    assert (
        abs(corrected["fao_Latn"] - (1 - right) * counted["isl_Latn"] - counted["fao_Latn"]) < 0.003
    )  # by measured errors


def test_wrong_usage_is_one_sentence(tmp_path: Path) -> None:
    for arguments, message in (
        ([], "give the folder of a census, or --demo"),
        ([str(tmp_path)], "is not a census"),
        ([str(tmp_path), "--summary"], "is not a census"),
        ([str(tmp_path), "--seed", "-1"], "Invalid value for '--seed'"),
        ([str(tmp_path), "--export", "-"], "is not a census"),
        ([str(tmp_path), "--language", "Klingonese"], "is no language"),
    ):
        done = run("audit", *arguments, "--no-browser")
        assert done.code == 2 and message in done.err and "Traceback" not in done.err
