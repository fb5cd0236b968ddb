"""A cluster of a master and two workers, in which executors are killed: nothing is lost, and nothing comes twice."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from archives import archived, http, write
from sparks import FAST, Cluster, wait_for

from bench.dedup import made_documents

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENTS, TASKS = 150, 4
POLICY, STAGES = "--policy all", ["-m", "en", "-f", "jsonl"]

pytestmark = pytest.mark.slow


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """Archives, each of which is a task, with duplicates and an error in them."""
    bodies = ["".join(f"<p>{text}." for text in one["text"].split("\n")) for one in made_documents(DOCUMENTS, 3)]
    members = [gzip.compress(archived(number, http(f"<main>{body}</main>"))) for number, body in enumerate(bodies)]
    members[100] = gzip.compress(archived(100, b"no HTTP"))
    size = -(-DOCUMENTS // TASKS)
    files = {f"crawl/{at}.warc.gz": b"".join(members[at * size : (at + 1) * size]) for at in range(TASKS)}
    write(tmp_path, files)
    return tmp_path / "crawl"


def piped(crawl: Path) -> list[bytes]:
    """The records of the filters."""
    command = (
        f'nc-clean -q {POLICY} {" ".join(STAGES)} "$0"/* > clean.jsonl; nc-dedup -q --near --prefer first clean.jsonl'
    )
    environment = {**os.environ, "PATH": f"{ROOT / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", command, str(crawl)], cwd=crawl.parent, env=environment, capture_output=True)
    return done.stdout.splitlines()


def test_executors_are_killed_in_the_middle(cluster: Cluster, crawl: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    settings = [f"--conf={key}={value}" for key, value in {**FAST, "spark.executor.memory": "512m"}.items()]
    command = [sys.executable, ROOT / "bin" / "nc-spark", "--master", cluster.url, *settings, "-v"]
    command += ["--clean", POLICY, *STAGES, "--dedup", "near", "-o", out, crawl]
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"}
    victims = []
    with subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE, env=environment) as process:
        for files in ("_checkpoints/*/rdd-*/part-*", "_temporary/**/part-*"):
            wait_for(lambda files=files: any(out.glob(files)), f"file {files}")
            victims.append(cluster.executors()[0])
            os.kill(victims[-1], signal.SIGKILL)
        unfinished = len(list(out.glob("_temporary/0/task_*"))) < TASKS
        errors = process.communicate(timeout=500)[1].decode()
    assert process.returncode == 1, errors  # a record failed
    assert unfinished, "the executor was killed too late"
    assert not {*victims} & {*cluster.executors()}
    written = [line for path in out.glob("result=*/part-*") for line in path.read_bytes().splitlines()]
    assert sorted(written) == sorted(piped(crawl))
    assert 100 < len(written) < 145
    assert f"{DOCUMENTS} read, {len(written) - 1} documents, 0 dropped, 1 errors, " in errors
    assert f", {DOCUMENTS - len(written)} duplicates" in errors
    assert not (out / "_checkpoints").exists()
