"""nc-spark from the command line."""

from __future__ import annotations

from pathlib import Path

from conftest import CRAWL, Run
from sparks import require_spark


def test_a_usage_error_is_told_before_spark_starts(run: Run, tmp_path: Path) -> None:
    require_spark()
    done = run("nc-spark", "-m", "absent", "-o", tmp_path / "out", CRAWL)
    assert done.returncode == 2 and done.stderr.startswith(b"nc-spark: unknown model 'absent'; installed models: ")
    done = run("nc-spark", "-o", tmp_path / "out", tmp_path / "absent")
    message = f"nc-spark: {tmp_path / 'absent'}: No such file or directory\n"
    assert (done.returncode, done.stderr.decode()) == (2, message)
