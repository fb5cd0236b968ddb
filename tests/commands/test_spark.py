"""nc-spark from the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sparks import FAST, require_spark

ROOT = Path(__file__).resolve().parent.parent.parent
CRAWL = ROOT / "tests" / "data" / "crawl.jsonl"
Run = Callable[..., subprocess.CompletedProcess[bytes]]
SETTINGS = [option for key, value in FAST.items() for option in ("--conf", f"{key}={value}")]


def spark_on(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """nc-spark, which takes its time to start on a busy machine."""
    command = [sys.executable, str(ROOT / "bin" / "nc-spark"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, cwd=folder, timeout=600)


@pytest.mark.slow
def test_local_mode_with_paths_of_a_file(run: Run, tmp_path: Path) -> None:
    require_spark()
    (tmp_path / "list").write_text(f"{CRAWL}\n\n{tmp_path / 'bad.jsonl'}\n")
    (tmp_path / "bad.jsonl").write_bytes(b'{"id": "bad", "html": 7}\n')
    out = tmp_path / "out"
    done = run(
        "nc-spark", *SETTINGS, "--master", "local[1]", "-v", "-f", "jsonl", "--paths", tmp_path / "list", "-o", out
    )
    assert done.returncode == 1
    assert b"nc-spark: 16 read, 15 documents, 0 dropped, 1 errors" in done.stderr
    lines = b"".join(path.read_bytes() for path in sorted((out / "result=document").glob("part-*")))
    assert lines == run("nc-clean", "-f", "jsonl", CRAWL).stdout
    (error,) = (out / "result=error").glob("part-*")
    assert json.loads(error.read_bytes())["error"]["message"] == "html: expected a string or bytes, got a number"


def test_a_usage_error_is_told_before_spark_starts(run: Run, tmp_path: Path) -> None:
    require_spark()
    done = run("nc-spark", "-m", "absent", "-o", tmp_path / "out", CRAWL)
    assert done.returncode == 2
    assert done.stderr.startswith(b"nc-spark: unknown model 'absent'; installed models: ")
    done = run("nc-spark", "-o", tmp_path / "out", tmp_path / "absent")
    message = f"nc-spark: {tmp_path / 'absent'}: No such file or directory\n"
    assert (done.returncode, done.stderr.decode()) == (2, message)
