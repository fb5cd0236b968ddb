"""nc-inspect: the command."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from conftest import CRAWL, ROOT, Run

pytest.importorskip("starlette", reason="Starlette, of the extra web, is not installed")
pytest.importorskip("uvicorn", reason="uvicorn, of the extra web, is not installed")


@pytest.mark.parametrize(("args", "stdin"), [([CRAWL], b""), ([], CRAWL.read_bytes())])
def test_a_report_is_written(run: Run, tmp_path: Path, args: list[Path], stdin: bytes) -> None:
    done = run("nc-inspect", *args, "--export", "report.html", "-m", "xx", stdin=stdin)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Last tram to Saltmarsh" in report and "model xx" in report


def test_a_page_that_cannot_be_shown_is_a_failure(run: Run) -> None:
    done = run("nc-inspect", "--export", "a.html", stdin=[{"id": "a"}])
    assert done.returncode == 1 and b"nc-inspect: record 1: html, blocks and text: all missing" in done.stderr


@pytest.mark.slow
def test_the_server_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "bin" / "nc-inspect"), str(CRAWL)],
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    assert process.stderr
    try:
        found = re.search(r"http://127\.0\.0\.1:\d+/", process.stderr.readline())
        assert found
        with urllib.request.urlopen(found[0] + "api/progress") as answer:
            assert b'"documents"' in answer.read()
        request = urllib.request.Request(found[0], headers={"Host": "evil.example"})
        with pytest.raises(urllib.error.HTTPError, match="421"):
            urllib.request.urlopen(request)
    finally:
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate(timeout=30)
    assert (process.returncode, rest) == (130, "")
