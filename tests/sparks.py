"""Apache Spark in tests: what it needs, and settings with which it starts fast."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

# What runs for a few seconds is compiled fast, and its classes are not verified; nobody looks at its web interface.
_UNVERIFIED = "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
_JAVA = f"-XX:TieredStopAtLevel=1 -XX:+UseSerialGC {_UNVERIFIED}"
FAST = {"spark.driver.extraJavaOptions": _JAVA, "spark.executor.extraJavaOptions": _JAVA, "spark.ui.enabled": "false"}
FAST["spark.sql.shuffle.partitions"] = "2"  # of 200
# a few rows are read sooner than a plan is compiled
FAST |= {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}


def require_spark() -> None:
    """Skips the test where there is no pyspark or no Java."""
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if not shutil.which("java"):
        pytest.skip("java is not installed")


class Cluster:
    """A master and workers of Spark on loopback; the folder has their files and logs. Each worker runs one task at a
    time; if they are *pinned*, all that it starts has one core of the machine: the first worker has the first, and so
    on."""

    def __init__(self, folder: Path, workers: int, pinned: bool = False) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"spark://127.0.0.1:{port}"
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self._start("master.Master", "--port", str(port))
        self._wait("Starting Spark master", 1)
        for number in range(workers):
            options = ("--cores", "1", "--memory", "1g", "-d", str(folder / "work"), self.url)
            cores = sorted(os.sched_getaffinity(0))[number : number + 1] if pinned else None
            self._start("worker.Worker", *options, cores=cores)
        self._wait("Registering worker", workers)

    def _start(self, name: str, *options: str, cores: list[int] | None = None) -> None:
        import pyspark

        program = Path(pyspark.__file__).parent / "bin" / "spark-class"
        main = [str(program), f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1", "--webui-port", "0", *options]
        if cores:
            main = ["taskset", "-c", ",".join(map(str, cores)), *main]
        with (self._folder / "log").open("ab") as log:
            environment = {
                **os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_DAEMON_MEMORY": "256m",
                "SPARK_DAEMON_JAVA_OPTS": _JAVA,
            }  # fmt: skip
            self._processes.append(subprocess.Popen(main, stdout=log, stderr=log, env=environment))

    def _wait(self, line: str, times: int) -> None:
        wait_for(lambda: (self._folder / "log").read_text().count(line) >= times, f"{line} in the log")

    def executors(self) -> list[int]:
        """The processes of executors, which are children of workers."""
        workers = {process.pid for process in self._processes[1:]}
        return [pid for pid in processes("CoarseGrainedExecutorBackend") if parent_of(pid) in workers]

    def close(self) -> None:
        """Ends all processes."""
        for process in reversed(self._processes):
            process.terminate()
        for process in self._processes:
            process.wait(60)


def wait_for(condition: Callable[[], bool], what: str, seconds: float = 240) -> None:
    """Waits until the condition is true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"no {what} in {seconds:.0f} s"
        time.sleep(0.05)


def processes(name: str) -> list[int]:
    """The processes with that name in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it has ended
            if name.encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return found


def parent_of(pid: int) -> int:
    """The parent of a process; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0
