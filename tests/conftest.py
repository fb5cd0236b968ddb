"""What the tests share: the checkout on the path, commands run as users run them, and the development data if there."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
CRAWL = ROOT / "tests" / "data" / "crawl.jsonl"
Run = Callable[..., subprocess.CompletedProcess[bytes]]  # the fixture `run`
Verb = Callable[..., tuple[int, bytes, str]]  # the fixture `verb`
sys.path.insert(0, str(ROOT))
# As the commands do: more threads only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# No test asserts a time: a machine may be busy.
settings.register_profile("any speed", deadline=None)
settings.load_profile("any speed")
# A shell starts what runs in the background with SIGINT ignored, and commands that tests run would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Commands that tests run keep their bytecode: many take longer to compile than to run.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.hookimpl(hookwrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is collected stays until the end: Python looks for no garbage in it, neither now nor later."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow tests come first on each worker, so that none is left with one at the end. Workers get equal parts of the
    list, one after the other. The first begins with all that share a session of Spark, which takes seconds to start."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
    slow = [item for item in items if item.get_closest_marker("slow")]
    slow.sort(key=lambda item: "spark" not in getattr(item, "fixturenames", ()))
    fast = [item for item in items if not item.get_closest_marker("slow")]
    items[:] = [
        item
        for number in range(workers)
        for some in (slow, fast)
        for item in some[number * len(some) // workers : (number + 1) * len(some) // workers]
    ]


@pytest.fixture
def data() -> Callable[[str], Path]:
    """The path of a file in ../shared (data/…, measure.py); skips the test where it is missing."""

    def found(name: str) -> Path:
        path = SHARED / name
        if not path.exists():
            pytest.skip(f"../shared/{name} is not here")
        return path

    return found


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Runs bin/NAME with arguments on bytes (or records, one a line) and gives the finished process."""

    def command(
        name: str, *args: str | Path, stdin: bytes | list[dict[str, Any]] = b"", **environment: str
    ) -> subprocess.CompletedProcess[bytes]:
        if not isinstance(stdin, bytes):
            stdin = b"".join(json.dumps(record).encode() + b"\n" for record in stdin)
        return subprocess.run(
            [sys.executable, str(ROOT / "bin" / name), *map(str, args)],
            input=stdin,
            capture_output=True,
            cwd=tmp_path,
            env={**os.environ, **environment},
            timeout=600,  # a busy machine, Spark
        )

    return command


@pytest.fixture
def verb(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., tuple[int, bytes, str]]:
    """Runs a verb's main in this process, its input in a file: the status, standard output, standard error."""

    def called(main: Callable[[list[str]], int], *args: str | Path, stdin: Any = b"") -> tuple[int, bytes, str]:
        if not isinstance(stdin, bytes):
            stdin = b"".join(json.dumps(record).encode() + b"\n" for record in stdin)
        path = tmp_path / "input"
        path.write_bytes(stdin)
        capfdbinary.readouterr()
        status = main([*map(str, args), str(path)])
        out, err = capfdbinary.readouterr()
        return status, out, err.decode()

    return called


def record_of(verb: Verb, main: Callable[[list[str]], int], *args: str, **fields: Any) -> dict[str, Any]:
    """What a filter makes of a record with these fields."""
    status, out, _ = verb(main, *args, stdin=[fields])
    assert status == 0
    made: dict[str, Any] = json.loads(out)
    return made


@pytest.fixture
def no_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages may have as many blocks, attributes and bytes in the parser as they will; not as many open elements."""
    from ncfilters.page.tree import guards

    monkeypatch.setattr(guards, "parser_bytes", lambda size: 1 << 40)
    monkeypatch.setattr(guards, "max_blocks", lambda size: 1 << 40)
    monkeypatch.setattr(guards, "check_markup", lambda utf8: None)
