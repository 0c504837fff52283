"""Tests of hints on the command line: --ip, --country, --inlink, --geo, --evidence, and an index."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Done, run
from webtongue.cli.options import parse_inlinks
from webtongue.errors import UsageError
from webtongue.evidence.geo import DEFAULT_PATH

SHORT = "<p>Halló".encode()
ALIKE = b"<p>Danas je lijep dan"
URL = "https://example.com/4711"
ICELANDIC = ("--inlink", "https://example.is/=is", "--inlink", "https://example.is/2=is", "--country", "IS")


def rows(completed: Done) -> list[dict[str, Any]]:
    assert completed.code == 0, completed.err
    return [json.loads(line) for line in completed.out.split("\n") if line]


def sources(row: dict[str, Any]) -> set[str]:
    return {entry["source"] for entry in row["evidence"] if entry["weight"]}


def test_all_sources_are_combined_for_a_page() -> None:
    (plain,) = rows(run("identify", "--json", "-", feed=SHORT))
    (row,) = rows(run("identify", "--json", *ICELANDIC, "-", feed=SHORT))
    assert plain["language"] != "is" and row["language"] == "is" and row["country"] == "IS"
    assert sources(row) >= {"text", "country", "links"}
    assert "country_source" not in row


def test_all_sources_are_combined_for_a_url() -> None:
    (row,) = rows(run("url", "--json", *ICELANDIC, URL))
    assert (row["url"], row["language"], row["country"]) == (URL, "is", "IS")
    assert sources(row) >= {"url", "country", "links"}
    assert rows(run("url", "--json", URL))[0]["language"] != "is"


def test_sources_can_be_switched_off() -> None:
    for what, expected in (("none", set()), ("country", {"country"}), (" links , country ", {"country", "links"})):
        (row,) = rows(run("identify", "--json", *ICELANDIC, "--url", URL, "--evidence", what, "-", feed=SHORT))
        assert sources(row) & {"declared", "encoding", "url", "country", "links", "host"} == expected
    (row,) = rows(run("url", "--json", *ICELANDIC, "--evidence", "none", URL))
    assert sources(row) <= {"url", "prior"}


def test_an_allowlist_applies_to_urls() -> None:
    (row,) = rows(run("url", "--json", "--language", "de,fr", "https://www.example.de/nachrichten"))
    assert row["language"] == "de"
    (row,) = rows(run("url", "--json", "--language", "fr,is", "https://www.example.de/nachrichten"))
    assert row["reason"] == "not_asked"


def test_inlink_urls_may_contain_equals_signs() -> None:
    def pairs(*given: str) -> list[tuple[str, str]]:
        return [(link.url, link.language) for link in parse_inlinks(given)]

    assert pairs("http://a.is/=is") == [("http://a.is/", "is")]
    assert pairs("http://a.is/") == [("http://a.is/", "")]
    assert pairs("http://a.is/?a=b&c=17") == [("http://a.is/?a=b&c=17", "")]
    assert pairs("http://a.is/?a=b=srp_Latn") == [("http://a.is/?a=b", "srp_Latn")]
    assert pairs("http://a.is/?a=und", "http://a.is/=") == [("http://a.is/?a=und", ""), ("http://a.is/=", "")]
    for bad in ("", "  ", "=is"):
        with pytest.raises(UsageError, match="URL=LANG"):
            parse_inlinks([bad])


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_bars_sum_to_the_log_odds(columns: int) -> None:
    completed = run(
        "identify", "--explain", "--url", "https://example.is/", *ICELANDIC, "-", feed=SHORT, columns=columns
    )
    assert max(map(len, completed.lines)) <= columns
    bars = {
        line.split()[0]: (float(bits), bar) for line in completed.lines if (m := re.search(r" ([+-]\d+\.\d)(?:  ([#-]+))? *$", line))
        for bits, bar in [m.groups(default="")]
    }  # fmt: skip
    assert {"text", "url", "country", "links"} <= set(bars)
    largest = max(abs(bits) for bits, _ in bars.values())
    for bits, bar in bars.values():
        assert bar == ("#" if bits > 0 else "-") * len(bar)
        assert abs(len(bar) - abs(bits) / largest * (20 if columns >= 80 else 10)) < 1
    legend = re.search(r"bits for (\w+) against (\w+), ([+-][\d.]+) in all", re.sub(r"\s+", " ", completed.out))
    assert legend and legend[1] == "isl_Latn" and legend[2] != "isl_Latn"
    assert abs(float(legend[3]) - sum(bits for bits, _ in bars.values())) < 0.1 * len(bars)
    assert completed.out.index("in all") < completed.out.index("without weight") < completed.out.index("utf-8: valid")
    assert re.search(r"country +IS", completed.out)


def test_bars_of_a_url_are_printed() -> None:
    completed = run("url", "--explain", *ICELANDIC, URL, columns=80)
    assert re.search(r"links +2 links from 1 site.*isl +\+\d+\.\d  #+", completed.out)
    assert re.search(r"top level domain +com", completed.out)
    assert re.search(r"prior .*-\d+\.\d  -+", completed.out)
    assert "PNG" not in completed.out and "blocks" not in completed.out
    plain = run("url", "--explain", "https://www.example.de/nachrichten/", "nonsense", columns=80)
    assert "bits for deu_Latn against" in plain.out and "not a URL (not_a_url)" in plain.out


def index(folder: Path, *results: dict[str, Any]) -> str:
    (folder / "a.html").write_bytes(SHORT)
    (folder / "index.jsonl").write_text("\n".join(json.dumps({"file": "a.html", **row}) for row in results), "utf-8")
    return str(folder / "index.jsonl")


def test_an_index_may_have_the_hints_of_many_pages(tmp_path: Path) -> None:
    links = [{"url": "https://example.is/", "language": "is", "anchor": None, "more": 1}, 7, None, {"confidence": "x"}]
    path = index(
        tmp_path, {"country": "IS", "inlinks": links, "theirs": 1}, {"host": {"isl": 4000, "eng": 2}, "ip": "nonsense", "url": "https://example.is/"}, {},
        {"country": None, "inlinks": None, "host": None}, {"country": "Iceland", "host": {"x": "y", "isl": None}},
    )  # fmt: skip
    results = rows(run("identify", "--json", path))
    assert [row["language"] == "is" for row in results][:3] == [True, True, False]
    assert sources(results[0]) >= {"country", "links"} and "host" in sources(results[1])
    assert results[0]["inlinks"] == links and results[0]["theirs"] == 1 and results[0]["country"] == "IS"
    assert results[2]["evidence"] == results[3]["evidence"]
    assert any(entry["source"] == "country" and "no country" in entry["value"] for entry in results[4]["evidence"])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"country": 7}, "country is a number"),
        ({"inlinks": "http://a.is/"}, "inlinks are a string, not a list"),
        ({"inlinks": {"url": "http://a.is/"}}, "inlinks are an object, not a list"),
        ({"host": [["isl", 3]]}, "host is a list, not an object"),
    ],
)
def test_wrong_types_in_an_index_are_errors_of_the_row(tmp_path: Path, row: dict[str, Any], message: str) -> None:
    completed = run("identify", "--json", index(tmp_path, row, {}))
    first, second = (json.loads(line) for line in completed.lines)
    assert completed.code == 1 and first["reason"] == "unreadable" and message in first["why"]
    assert not second["reason"]


WRONG = [
    (("--country", "Iceland"), "two letters"), (("--country", ""), "two letters"), (("--country", "\x1b["), "two letters"),
    (("--inlink", ""), "URL=LANG"), (("--inlink", "=is"), "URL=LANG"), (("--geo", "/nowhere"), "/nowhere"), (("--geo", "/"), "not a file"),
    (("--evidence", ""), "at least one"), (("--evidence", " , "), "at least one"), (("--evidence", "text"), "unknown: 'text'"),
    (("--evidence", "url,\x1b[2J"), "unknown"), (("--ip",), "--ip"), (("--language", ","), "at least one"),
]  # fmt: skip


@pytest.mark.parametrize("command", [("identify", "-"), ("url", URL)])
@pytest.mark.parametrize(("options", "message"), WRONG)
def test_wrong_values_fail_with_one_sentence(command: tuple[str, str], options: tuple[str, ...], message: str) -> None:
    completed = run(command[0], command[1], *options, feed=SHORT)
    assert (completed.code, completed.out) == (2, "")
    assert completed.err.startswith("webtongue: ") and completed.err.count("\n") == 1 and message in completed.err
    assert "\x1b" not in completed.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("identify", "--ip", "192.0.2.7", "a", "b"), "describe one page"),
        (("identify", "--country", "IS", "--text", "x"), "are for pages"),
        (("identify", "--inlink", "http://a.is/", "--lines", "x"), "are for pages"),
        (("identify", "--evidence", "url", "--text", "x"), "are for pages"),
        (("identify", "--method", "nfc", "--evidence", "none", "x"), "do not apply"),
        (("url", "--ip", "192.0.2.7", URL, URL), "describe one URL"),
        (("url", "--country", "IS", "-"), "describe one URL"),
        (("url", "--inlink", "http://a.is/", "-"), "describe one URL"),
        (("url", "--json", "--explain", URL), "--json and --explain"),
    ],
)
def test_page_options_need_a_single_page(arguments: tuple[str, ...], message: str) -> None:
    completed = run(*arguments)
    assert (completed.code, completed.out) == (2, "") and message in completed.err and completed.err.count("\n") == 1


@pytest.mark.parametrize("ip", ["nonsense", "", "999.1.1.1", "::ffff:300", "\x1b[2J", "1" * 5000, "127.0.0.1"])
def test_an_invalid_ip_has_a_reason(ip: str) -> None:
    (row,) = rows(run("identify", "--json", "--ip", ip, "-", feed=ALIKE))
    assert row["country"] == ""
    assert not ip or any(entry["source"] == "ip" and entry["value"] for entry in row["evidence"])
    completed = run("url", "--explain", "--ip", ip, URL, columns=80)
    assert completed.code == 0 and "\x1b" not in completed.out


def test_the_attribution_is_printed_once(tmp_path: Path) -> None:
    options = ("--geo", str(DEFAULT_PATH), "--ip", "185.112.144.1")
    words = "IP Geolocation by DB-IP (https://db-ip.com)"
    (row,) = rows(run("identify", "--json", *options, "-", feed=SHORT))
    assert (row["country"], row["country_source"]) == ("IS", words)
    assert run("identify", "--explain", *options, "-", feed=SHORT, columns=60).out.count(words) == 1
    assert run("url", "--explain", *options, URL).out.count(words) == 1
    assert words not in run("identify", "--explain", *options, "--country", "IS", "-", feed=SHORT).out
    path = index(tmp_path, {"ip": "185.112.144.1"}, {"ip": "185.112.144.2"}, {})
    assert run("identify", "--explain", "--geo", str(DEFAULT_PATH), path).out.count(words) == 1
