"""spark-submit on a standalone cluster with OUT on an object store, as docs/spark.md describes it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("moto")
pytest.importorskip("s3fs")

from tests.census.object_store import BUCKET, object_store
from tests.census.test_extract import crawl
from tests.census.test_object_store import rows_of
from tests.integrations.spark.cluster import ROOT, Cluster, settings
from webtongue.census.config import Config
from webtongue.census.run import census


def test_spark_submit_with_out_on_a_store(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyspark

    archives = [crawl(tmp_path / f"{name}.warc.gz") for name in "ab"]
    (tmp_path / "scratch").mkdir()
    with object_store(monkeypatch) as store:
        command = [str(Path(pyspark.__path__[0]) / "bin" / "spark-submit"), "--master", cluster.url]
        paths = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
        for key, value in {**settings(cluster), "spark.executorEnv.PYTHONPATH": paths}.items():
            command += ["--conf", f"{key}={value}"]
        command += [
            str(ROOT / "tools" / "spark_census.py"),
            *archives,
            "-o",
            f"s3://{BUCKET}/run",
            "--scratch",
            str(tmp_path / "scratch"),
        ]
        environment = {
            **os.environ,
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYTHONPATH": paths,
        }
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=environment)
        assert done.returncode == 0, done.stderr[-3000:]
        files = store.files("run")
    census(archives, tmp_path / "local", Config(), workers=1)
    assert rows_of(files) == rows_of(tmp_path / "local") and "run/census.json" in files
    assert not list((tmp_path / "scratch").iterdir())
