"""A standalone cluster on loopback, from the PySpark package, whose processes are started and stopped by id."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = ["HOW", "Cluster", "below", "java", "running", "session", "settings"]

HOW = "Spark needs Java 17: apt-get install openjdk-17-jre-headless"
WAIT = 90  # seconds for a cluster to be there: the JVMs of it start in some 10
LEAST_JAVA = 17
VERSION = re.compile(r'version "(\d+)')
ROOT = Path(__file__).parents[3]
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # for a JVM that lives for a minute


def java() -> bool:
    """Return True if Java is installed, after trying to install it."""
    if not _has_java() and shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        command = ["apt-get", "install", "-y", "-q", "openjdk-17-jre-headless"]
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(
                command, capture_output=True, timeout=300, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            )
    return _has_java()


def _has_java() -> bool:
    try:
        said = subprocess.run(["java", "-version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    result = VERSION.search(said.stderr + said.stdout)
    return result is not None and int(result[1]) >= LEAST_JAVA


class Cluster:
    """A master and two workers that write to a folder. Workers have two cores, for two jobs with an executor of one core each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self._page = _free_port(), _free_port()
        self.url = f"spark://127.0.0.1:{self.port}"
        self._started: list[subprocess.Popen[bytes]] = []
        self.workers: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        master = ("master.Master", "--host", "127.0.0.1", "--port", str(self.port), "--webui-port", str(self._page))
        self._class(*master)
        self._heard("Started REST|I have been elected leader", 1)
        for _ in range(2):
            self.add_worker()

    def add_worker(self) -> None:
        """One more, and wait until the master knows it."""
        folder = self.folder / f"work{len(self.workers)}"
        self.workers.append(
            self._class(
                "worker.Worker", "--host", "127.0.0.1", "--cores", "2", "--memory", "1g", "--webui-port", "0",
                "--work-dir", str(folder), self.url,
            )
        )  # fmt: skip
        self._heard("Registering worker", len(self.workers))

    def kill_worker(self) -> int:
        """The first worker that runs, and its executors, as when a machine is gone. How many processes that were."""
        worker = next(one for one in self.workers if one.poll() is None)
        victims = [worker.pid, *below(worker.pid)]
        for pid in victims:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        worker.wait(WAIT)
        return len(victims)

    def stop(self) -> None:
        for process in reversed(self._started):
            if process.poll() is None:
                process.terminate()
        for process in self._started:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(20)

    def _class(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        import pyspark

        home = Path(pyspark.__path__[0])
        log = (self.folder / f"{len(self._started)}-{name}.log").open("wb")
        environment = {
            **os.environ, "SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m", "SPARK_DAEMON_JAVA_OPTS": QUICK, "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        with log:
            process = subprocess.Popen(
                [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}", *arguments],
                stdout=log, stderr=subprocess.STDOUT, env=environment,
            )  # fmt: skip
        self._started.append(process)
        return process

    def _heard(self, words: str, times: int) -> None:
        """Wait until the master's log has some words so many times."""
        end = time.monotonic() + WAIT
        while len(re.findall(words, self._log())) < times:
            if time.monotonic() > end or self._started[0].poll() is not None:
                raise RuntimeError(f"the cluster did not start:\n{self._log()[-2000:]}")
            time.sleep(0.1)

    def _log(self) -> str:
        return "".join(path.read_text("utf-8", "replace") for path in self.folder.glob("0-*.log"))


def below(pid: int) -> list[int]:
    """Return all descendants of a process, from /proc."""
    parents: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = status.read_text().rpartition(")")[2].split()
            parents.setdefault(int(fields[1]), []).append(int(status.parent.name))
    result: list[int] = []
    waiting = [pid]
    while waiting:
        below = parents.get(waiting.pop(), [])
        result += below
        waiting += below
    return result


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextlib.contextmanager
def running(folder: Path) -> Iterator[Cluster]:
    """Run a cluster within a context."""
    cluster = Cluster(folder)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


def settings(cluster: Cluster) -> dict[str, str]:
    """Return the settings of a job that uses one core of each worker."""
    return {
        "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.ui.enabled": "false",
        "spark.executor.memory": "512m", "spark.executor.cores": "1", "spark.cores.max": "2", "spark.driver.memory": "512m",
        "spark.sql.shuffle.partitions": "4", "spark.task.maxFailures": "3", "spark.ui.showConsoleProgress": "false",
        "spark.executor.extraJavaOptions": QUICK, "spark.driver.extraJavaOptions": QUICK,
    }  # fmt: skip


def session(cluster: Cluster) -> Any:
    """Return a Spark session on the cluster."""
    from webtongue.integrations import spark

    return spark.session(cluster.url, settings(cluster))


class Stages:
    """Metrics of the stages that ran since an instance was created."""

    def __init__(self, spark: Any) -> None:
        context = spark.sparkContext
        self._store, self._bus = context._jsc.sc().statusStore(), context._jsc.sc().listenerBus()
        self._none = context._gateway.new_array(context._gateway.jvm.double, 0)
        self._seen = {_key(stage) for stage in self._listed()}

    def _listed(self) -> list[Any]:
        self._bus.waitUntilEmpty()
        result = self._store.stageList(None, False, False, self._none, None)
        return [result.apply(i) for i in range(result.size())]

    def sum(self, name: str) -> int:
        """A number of theirs, such as ``resultSize`` (bytes for the driver) or ``shuffleReadRecords``, summed."""
        return sum(getattr(stage, name)() for stage in self._listed() if _key(stage) not in self._seen)


def _key(stage: Any) -> tuple[int, int]:
    return stage.stageId(), stage.attemptId()
