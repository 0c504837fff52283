"""Tests of labels: parsing any form, writing the shortest, folding, groups, and declarations of pages."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtongue import labels
from webtongue.labels import DeclaredLanguages, Label, bcp47, fold, group, members, name, parse, parse_declared

CASES = [
    json.loads(line) for line in (Path(__file__).parent / "data" / "declared.jsonl").read_text("utf-8").splitlines()
]
LANGUAGES = sorted(labels._languages())
SCRIPTS = sorted(labels._script_names())
OVERRULED = {"cht", "enu"}  # bare, these are read as Windows codes; with a script they are themselves


def case_id(case: dict[str, object]) -> str:
    return f"{str(case['value'])[:24]!r}"


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_declared(case, request):
    if case.get("known_failure"):
        request.applymarker(pytest.mark.xfail(strict=True, reason=case["comment"]))
    declared = parse_declared(case["value"])
    assert list(declared.labels) == case["labels"]
    assert declared.is_known == bool(case["labels"])
    if "unknown" in case:
        assert list(declared.unknown) == case["unknown"]
    elif not case["labels"]:
        assert declared.unknown
    else:
        assert not declared.unknown


def test_there_are_enough_distinct_cases():
    assert len({case["value"] for case in CASES}) == len(CASES) >= 150
    assert sum(not case["labels"] for case in CASES) >= 50


def test_doctests():
    assert doctest.testmod(labels).failed == 0


@pytest.mark.parametrize(
    ("form", "label"),
    [
        ("sr-Latn-RS", "srp_Latn"), ("srp_Cyrl", "srp_Cyrl"), ("en", "eng_Latn"), ("eng", "eng_Latn"),
        ("zh-TW", "zho_Hant"), ("zh-HK", "zho_Hant"), ("zh", "zho_Hans"), ("sr", "srp_Cyrl"), ("sh", "hbs_Latn"),
        ("iw", "heb_Hebr"), ("yue", "yue_Hant"), ("cmn", "cmn_Hans"), ("no", "nor_Latn"), ("css", "css_Latn"),
        ("cht_Latn", "cht_Latn"), ("ase", "ase"), ("und", "und"), ("zxx", "zxx"), ("mul", "mul"),
    ],
)  # fmt: skip
def test_parse(form, label):
    assert str(parse(form)) == label


@pytest.mark.parametrize(
    "form", ["", " ", "x", "qqq", "en-", "en_Qqqq-x", "is-loading", "e" * 1_000_000, "-", "@", "."]
)
def test_parse_returns_none_or_a_label(form):
    label = parse(form)
    assert label is None if form != "en-" else label == Label("eng", "Latn")


@pytest.mark.parametrize(
    ("label", "tag"),
    [
        ("srp_Cyrl", "sr"), ("srp_Latn", "sr-Latn"), ("zho_Hans", "zh"), ("zho_Hant", "zh-Hant"), ("eng_Latn", "en"),
        ("kor_Hang", "ko"), ("jpn_Jpan", "ja"), ("hbs_Latn", "sh"), ("yue_Hant", "yue"), ("yue_Hans", "yue-Hans"),
        ("uzb_Cyrl", "uz-Cyrl"), ("und", "und"), ("zxx", "zxx"), ("mul", "mul"),
    ],
)  # fmt: skip
def test_bcp47(label, tag):
    assert bcp47(label) == tag
    assert bcp47(parse(label)) == tag


def test_every_language_round_trips_through_bcp47():
    for language in LANGUAGES:
        for script in {labels.usual_script(language), "Latn", "Cyrl", "Arab"}:
            label = Label(language, script)
            if script:
                assert parse(str(label)) == label
            if language not in OVERRULED:
                assert parse(bcp47(label)) == label


@given(st.sampled_from(LANGUAGES), st.sampled_from(SCRIPTS))
def test_every_label_round_trips_through_its_text(language, script):
    label = Label(language, script)
    assert parse(str(label)) == label
    assert fold(fold(label)) == fold(label)
    assert name(label)


def test_every_two_letter_code_is_its_own_language():
    for short, code in labels._short_codes().items():
        assert parse(short).language == code
        assert bcp47(parse(short)) == short


@pytest.mark.parametrize(
    ("individual", "custom"),
    [
        ("arb", "ara"), ("cmn", "zho"), ("pes", "fas"), ("zsm", "msa"), ("swh", "swa"), ("ekk", "est"), ("lvs", "lav"),
        ("npi", "nep"), ("ory", "ori"), ("azj", "aze"), ("uzn", "uzb"), ("khk", "mon"), ("pbt", "pus"), ("ydd", "yid"),
        ("als", "sqi"), ("plt", "mlg"), ("kmr", "kur"), ("gaz", "orm"), ("fuv", "ful"), ("quy", "que"), ("zgh", "tzm"),
        ("nor", "nob"), ("fil", "tgl"), ("aka", "twi"), ("pan_Arab", "pnb"), ("bam_Nkoo", "nqo"),
    ],
)  # fmt: skip
def test_fold(individual, custom):
    assert fold(individual).language == custom


@pytest.mark.parametrize(
    "label", ["ind", "nno", "nob", "hrv", "bos", "srp", "cnr", "yue", "arz", "ary", "prs", "azb", "ckb"]
)
def test_varieties_with_another_orthography_are_not_folded(label):
    assert fold(label) == parse(label)


def test_folds_end_in_known_languages():
    for old, new in labels._folds().items():
        assert new.startswith("_") or new[:3] in labels._languages(), (old, new)
        assert new not in labels._folds()


def test_groups():
    assert {group(label) for label in ("hrv_Latn", "bos_Latn", "srp_Latn", "cnr_Latn", "sh")} == {"hbs"}
    assert group("ind_Latn") == group("zsm_Latn") == "msa"
    assert group("nn") == group("nb") == group("no") == "nor"
    assert group("srp_Cyrl") is group("eng_Latn") is group("und") is None
    assert members("nothing") == ()


def test_group_members_are_folded_labels_of_known_languages():
    seen = [label for of in set(labels._groups().values()) for label in members(of)]
    assert len(seen) == len(set(seen))
    for label in seen:
        assert str(fold(label)) == label == str(parse(label))


def test_names():
    assert name("deu_Latn") == "German"
    assert name("zho_Hant") == "Chinese (Traditional)"
    assert name("mul") == "Multiple languages"


@pytest.mark.parametrize("function", [bcp47, fold, group, name])
def test_invalid_labels_are_refused_with_advice(function):
    with pytest.raises(ValueError, match="write it like"):
        function("lorem ipsum")


@given(st.text(max_size=300))
def test_declared_never_raises(value):
    declared = parse_declared(value)
    assert isinstance(declared, DeclaredLanguages)
    assert declared.raw == value
    assert declared.is_known == bool(declared.labels)
    assert all(str(fold(label)) == label for label in declared.labels)


@given(
    st.lists(st.sampled_from([case["value"] for case in CASES]), max_size=6),
    st.sampled_from([",", ";", " ", "-", "_", "@"]),
)
def test_declared_never_raises_on_concatenated_parts(values, glue):
    parse_declared(glue.join(values))


@given(st.text(alphabet="en-_US @.()[]{}<>%$;,q=0\"'\\\ud800\u0130\u200b中", max_size=80))
def test_parse_never_raises(text):
    label = parse(text)
    assert label is None or parse(str(label)) == label


@pytest.mark.parametrize("unit", ["en ", "en,", "(", "{", "<", "%", "@a", "-", "é", "\0", "en;q=0,", "[["])
def test_only_the_beginning_of_a_long_value_is_parsed(unit):
    value = unit * (1_000_000 // len(unit))
    assert parse_declared(value) == replace(parse_declared(value[: labels.MAX_DECLARED_CHARS]), raw=value)


def test_tables_are_loaded_lazily_and_once():
    script = (
        "import sys; opened = []\n"
        "def note(event, about):\n"
        "    if event == 'open' and str(about[0]).endswith('.tsv'): opened.append(str(about[0]))\n"
        "sys.addaudithook(note)\n"
        "import webtongue.labels as labels\n"
        "print(*opened)\n"
        "for _ in range(3): labels.group(labels.parse_declared('English').labels[0])\n"
        "print(*opened)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    on_import, on_use = (line.split() for line in done.stdout.split("\n")[:2])
    assert not on_import
    assert len(on_use) == len(set(on_use)) <= 5


def test_a_cold_start_parses_no_label_of_a_table():
    script = (
        "import sys; calls = 0\n"
        "def count(frame, event, argument):\n"
        "    global calls\n"
        "    calls += event == 'call' and frame.f_code.co_filename.endswith('webtongue/labels.py')\n"
        "sys.setprofile(count)\n"
        "import webtongue\n"
        "webtongue.identify('<p>Καλώς ήρθατε στη βιβλιοθήκη'.encode(), 'https://example.gr/el/')\n"
        "sys.setprofile(None); print(calls)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 20_000  # some seven calls for each of the 1,471 labels of the model


def test_tables_are_small():
    data = Path(labels.__file__).with_name("data")
    tables = ("labels.tsv", "scripts.tsv", "language_aliases.tsv", "folds.tsv", "groups.tsv", "encodings.tsv")
    assert sum((data / table).stat().st_size for table in tables) < 600_000
