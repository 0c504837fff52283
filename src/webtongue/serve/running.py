"""Running the service: one worker in this process, or several of their own that share a socket."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from webtongue.errors import MissingExtra, UsageError
from webtongue.serve.config import Config

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

__all__ = ["needed", "serve"]

FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # where workers count: read when prometheus-client is imported
BACKLOG = 2048
KEEP_ALIVE = 15  # seconds between two requests of a connection
LOOK = 0.2  # seconds between two looks at the workers
AGAIN = 1.0  # seconds before a worker that ended by itself is replaced
PACKAGES = ("uvicorn", "httptools", "uvloop", "msgspec", "prometheus_client", "swagger_ui_bundle")


def needed() -> None:
    """Refuse where a package of the extra is missing."""
    from importlib.util import find_spec

    for name in PACKAGES:
        if name != "uvloop" and find_spec(name) is None:  # uvloop is faster where it is; it is not made for Windows
            raise MissingExtra(name.replace("_", "-"), "serve")


def serve(config: Config, said: Callable[[str], None]) -> None:
    """Serve until told to stop (SIGINT, SIGTERM), then let requests under way end; ``said`` is told where it listens."""
    needed()
    with bound(config) as listening:
        host, port = listening.getsockname()[:2]
        where = f"http://{f'[{host}]' if ':' in host else host}:{port}{config.root_path}/"
        if config.workers == 1:
            work(config, listening, lambda: said(where))
        else:
            with _counting():
                _supervise(config, listening, lambda: said(where))


@contextlib.contextmanager
def bound(config: Config) -> Iterator[socket.socket]:
    """A socket that listens."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as found:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((config.host, config.port))
        except OSError as error:
            raise UsageError(f"cannot listen on {config.host}, port {config.port}: {error.strerror or error}") from None
        found.set_inheritable(True)
        yield found


def work(config: Config, listening: socket.socket, ready: Callable[[], None], parent: int | None = None) -> None:
    """One worker, in this process; it ends when its parent is gone, if it has one."""
    import uvicorn

    from webtongue.serve.app import application
    from webtongue.serve.protocol import limited, sweep

    class Server(uvicorn.Server):
        """Looks its connections over once a second, and says when it is ready."""

        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            ready()

        async def on_tick(self, counter: int) -> bool:
            if counter % 10 == 0:
                sweep(self.server_state.connections, asyncio.get_running_loop().time())
                self.should_exit = self.should_exit or (parent is not None and os.getppid() != parent)
            return await super().on_tick(counter)

    settings = uvicorn.Config(
        application(config), http=limited(config.limits), ws="none", lifespan="on", access_log=False, log_level="critical",
        server_header=False, proxy_headers=False, backlog=BACKLOG, timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=max(1, round(config.grace)),
    )  # fmt: skip
    with contextlib.suppress(KeyboardInterrupt):  # uvicorn raises again the signal that it stopped by
        Server(settings).run([listening])


def _work_here(config: Config, listening: socket.socket) -> None:
    """A worker in a process of its own: Ctrl-C in a terminal reaches all of them, and each stops by itself."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with contextlib.suppress(SystemExit):
        work(config, listening, lambda: None, os.getppid())


@contextlib.contextmanager
def _counting() -> Iterator[None]:
    """A folder for what workers count."""
    before = os.environ.get(FOLDER)
    folder = tempfile.mkdtemp(prefix="webtongue-")
    os.environ[FOLDER] = folder
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if before is None:
            del os.environ[FOLDER]
        else:
            os.environ[FOLDER] = before


def _supervise(config: Config, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Start workers, replace those that end by themselves, and stop all when told to."""
    context = multiprocessing.get_context("spawn")

    def start() -> BaseProcess:
        made = context.Process(target=_work_here, args=(config, listening))
        made.start()
        return made

    stopping = _Stopping()
    workers = [start() for _ in range(config.workers)]
    ready()
    while not stopping.asked:
        time.sleep(LOOK)
        for i, worker in enumerate(workers):
            if worker.is_alive() or stopping.asked:
                continue
            print(f"webtongue: worker {worker.pid} ended ({worker.exitcode}); another takes its place", file=sys.stderr)
            _uncount(worker.pid)
            time.sleep(AGAIN)
            workers[i] = start()
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(config.grace + 5)
        if worker.is_alive():
            worker.kill()
            worker.join()


def _uncount(pid: int | None) -> None:
    """What is at work in a process that is gone is not at work; what it counted stays counted."""
    from prometheus_client.multiprocess import mark_process_dead

    if pid is not None:
        mark_process_dead(pid)  # type: ignore[no-untyped-call]


class _Stopping:
    """Whether someone asked the service to stop."""

    def __init__(self) -> None:
        self.asked = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._ask)

    def _ask(self, _number: int, _frame: Any) -> None:
        self.asked = True
