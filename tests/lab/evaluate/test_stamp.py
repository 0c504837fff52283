"""Tests of stamps: each kind of thing that can change a figure changes the stamp."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from webtongue.cli.reproduce import module_path
from webtongue.errors import UsageError
from webtongue.lab.evaluate import stamp

LAB = stamp.PACKAGE / "lab"


@pytest.fixture
def experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an experiment with copies of the model folder and of the stored answers that can be changed."""
    models = tmp_path / "models"
    (models / "methods").mkdir(parents=True)
    for name in (*stamp.IDENTIFIER_MODELS, "url_svm.wtp", "methods/nfc.wtp"):
        (models / name).write_bytes(name.encode())
    shutil.copytree(stamp.PACKAGE / "data", tmp_path / "data", ignore=shutil.ignore_patterns("charset_tables", "fonts"))
    answers = tmp_path / "results.jsonl"
    answers.write_text("{}\n")
    (tmp_path / "server.py").write_text("PORT = 1\n")
    paper = tmp_path / "paper1999.py"
    paper.write_text("from webtongue.lab.methods.kikui import Kikui\n")
    monkeypatch.setattr(stamp, "MODELS", models)
    monkeypatch.setattr(stamp, "GOLDEN_ANSWERS", answers)
    monkeypatch.setattr(stamp, "CLONE", tmp_path)
    return paper


@pytest.mark.parametrize("name", ["models/text.wtm", "models/prefilter.wtp", "results.jsonl"])
def test_models_and_answers_of_the_identifier_are_covered(experiment: Path, name: str) -> None:
    before = stamp.compute_stamp(experiment)
    (experiment.parent / name).write_bytes(b"other")
    after = stamp.compute_stamp(experiment)
    assert after.models != before.models and after.code == before.code


def test_models_are_covered_where_they_are_named(experiment: Path) -> None:
    before = stamp.compute_stamp(experiment)
    svm = experiment.parent / "models" / "url_svm.wtp"
    svm.write_bytes(b"other")
    assert stamp.compute_stamp(experiment) == before
    with pytest.raises(UsageError, match=r"paper1999 has read url_svm\.wtp, which its stamp does not cover"):
        stamp.require_stamped_models(experiment, [svm])
    experiment.write_text('MODEL = "url_svm.wtp"\n')
    stamp.require_stamped_models(experiment, [svm])
    named = stamp.compute_stamp(experiment)
    svm.write_bytes(b"third")
    assert stamp.compute_stamp(experiment).models != named.models


def test_the_registry_of_methods_covers_all_shipped_models(experiment: Path) -> None:
    experiment.write_text("from webtongue.lab import methods\n")
    before = stamp.compute_stamp(experiment)
    (experiment.parent / "models" / "methods" / "nfc.wtp").write_bytes(b"other")
    assert stamp.compute_stamp(experiment).models != before.models


def test_named_programs_and_folders_are_covered(experiment: Path) -> None:
    experiment.write_text('STAMPED = ("server.py", "models/methods")\n')
    before = stamp.compute_stamp(experiment)
    (experiment.parent / "server.py").write_text("PORT = 1  # a comment\n")
    assert stamp.compute_stamp(experiment) == before
    (experiment.parent / "server.py").write_text("PORT = 2\n")
    assert stamp.compute_stamp(experiment).code != before.code


def test_imports_are_followed_to_the_core() -> None:
    modules = stamp._collect_modules(module_path("chew2011"))
    expected = (
        "methods/suzuki.py",
        "methods/document.py",
        "train/corpus/read.py",
        "evaluate/tables.py",
        "evaluate/sets.py",
    )
    assert {LAB / name for name in expected} <= modules
    assert stamp.PACKAGE / "census" / "read" / "warc.py" in modules  # through the census, which reads archives
    assert stamp.PACKAGE / "charset" / "names.py" in modules
    assert stamp.PACKAGE / "pipeline.py" not in modules  # the stored answers stand for it
    assert LAB / "methods" / "__init__.py" not in modules


def test_crawls_and_addresses_are_covered() -> None:
    """The web, the crawler, its SVM and its queue for the crawls of Baykan 2013; the country database for its addresses."""
    modules = stamp._collect_modules(module_path("baykan2013_crawl"))
    names = ("crawl/controller.py", "crawl/frontier.py", "crawl/policies.py", "crawl/journal.sql", "link_scorer.py")
    assert {stamp.PACKAGE / name for name in names} <= modules
    assert {LAB / name for name in ("papers/baykan_replay.py", "evaluate/url_svm.py")} <= modules
    assert stamp.MODELS / "url_svm.wtp" in stamp._list_models(modules)
    addresses = stamp._collect_modules(module_path("baykan2013"))
    assert any(path.name.endswith(".mmdb.xz") for path in addresses)


def test_versions_of_packages_are_named() -> None:
    environment = stamp.describe_environment()
    assert f"numpy {np.__version__}" in environment and environment.startswith("Python 3.")


def test_opened_files_are_recorded(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("first", "second", "third")]
    for path in paths:
        path.write_text("x")
    with stamp.record_opened_files() as opened:
        paths[0].read_text()
        paths[2].read_bytes()
    paths[1].read_text()
    assert {path for path in opened if path.parent == tmp_path} == {paths[0], paths[2]}
    before = stamp.digest_files(opened, tmp_path)
    paths[2].write_text("y")
    assert stamp.digest_files(opened, tmp_path) != before
