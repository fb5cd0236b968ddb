"""Pages are read alike with the oldest selectolax that setup.cfg allows, with a later one, and with the newest.

The structures of the parser's memory are those of the newest; with others, tables are filled by way of nodes.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

OLDEST = re.search(r"selectolax>=([\d.]+)", (ROOT / "setup.cfg").read_text())
PROBE = "from ncfilters.native import page_table; print(getattr(page_table, 'probe', bool)())"


def installed(version: str, folder: Path) -> dict[str, str]:
    """An environment with a version of selectolax. Skips the test where it cannot be installed."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--target",
        str(folder),
        f"selectolax{version}",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"selectolax{version} cannot be installed: {done.stderr.strip().splitlines()[-1]}")
    return {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}


@pytest.mark.slow
@pytest.mark.parametrize("version", [f"=={OLDEST[1] if OLDEST else ''}", "==0.4.13", ""])
def test_the_main_job_is_the_same(version: str, tmp_path: Path) -> None:
    environment = installed(version, tmp_path)
    pipe = " | ".join(
        f"{sys.executable} bin/{stage}" for stage in ("nc-segment tests/data/crawl.jsonl", "nc-score", "nc-select")
    )
    done = subprocess.run(["bash", "-c", pipe], cwd=ROOT, env=environment, capture_output=True, check=True)
    assert done.stdout == (ROOT / "tests" / "data" / "crawl.txt").read_bytes()
    probe = subprocess.run([sys.executable, "-c", PROBE], cwd=tmp_path, env=environment, capture_output=True, text=True)
    if version:
        assert probe.stdout == "False\n"
