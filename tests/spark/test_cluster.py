"""A cluster of a master and two workers, in which an executor is killed: nothing is lost, and nothing comes twice."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from archives import archived, http
from sparks import FAST, Cluster, wait_for

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [json.loads(line)["html"] for line in (ROOT / "tests" / "data" / "crawl.jsonl").read_bytes().splitlines()]
COPIES, TASKS = 12, 12

pytestmark = pytest.mark.slow


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """One archive, of which each task reads a part, with an error in it."""
    members = [gzip.compress(archived(number, http(page))) for number, page in enumerate(PAGES * COPIES)]
    members[100] = gzip.compress(archived(100, b"no HTTP"))
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(b"".join(members))
    return path


def piped(archive: Path) -> list[bytes]:
    """The records of the filters."""
    command = 'nc-warc "$0" | nc-segment --metadata | nc-score | nc-select -f jsonl'
    path = os.pathsep.join([str(ROOT / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(["bash", "-c", command, str(archive)], capture_output=True, env={**os.environ, "PATH": path})
    return done.stdout.splitlines(keepends=True)


def test_an_executor_is_killed_in_the_middle(cluster: Cluster, archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    settings = [f"{key}={value}" for key, value in {**FAST, "spark.executor.memory": "512m"}.items()]
    command = [sys.executable, ROOT / "bin" / "nc-spark", "--master", cluster.url, "-v", "-f", "jsonl", "-o", out]
    command += [option for setting in settings for option in ("--conf", setting)]
    command += ["--split-size", str(archive.stat().st_size // TASKS), archive]
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"}
    with subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE, env=environment) as process:
        wait_for(lambda: len(list(out.glob("_temporary/**/part-*"))) >= 3, "output of the first tasks")
        victim = cluster.executors()[0]
        os.kill(victim, signal.SIGKILL)
        done = len(list(out.glob("_temporary/0/task_*")))
        errors = process.communicate(timeout=500)[1].decode()
    assert process.returncode == 1, errors  # a record failed
    assert done < TASKS, "the executor was killed too late"
    assert victim not in cluster.executors()
    written = [line for path in out.glob("result=*/part-*") for line in path.read_bytes().splitlines(keepends=True)]
    expected = piped(archive)
    assert sorted(written) == sorted(expected)
    assert len(expected) == COPIES * len(PAGES)
    counts = f"{len(expected)} read, {len(expected) - 1} documents, 0 dropped, 1 errors"
    assert counts in errors
