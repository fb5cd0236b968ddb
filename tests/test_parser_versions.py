"""Pages are read alike with the oldest libraries that setup.cfg allows, with a later selectolax, and with the newest.

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

from ncfilters.native import page_table

OLDEST = ROOT / "constraints-oldest.txt"
PROBE = "from ncfilters.native import page_table; print(getattr(page_table, 'probe', bool)())"


def installed(what: list[str], folder: Path) -> dict[str, str]:
    """An environment with some versions. Skips the test where they cannot be installed."""
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-compile", "--only-binary", ":all:"]
    done = subprocess.run([*command, "--target", str(folder), *what], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"{' '.join(what)} cannot be installed: {done.stderr.strip().splitlines()[-1]}")
    return {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}


def test_the_oldest_versions_are_those_of_setup_cfg() -> None:
    required = (ROOT / "setup.cfg").read_text().partition("install_requires =")[2].partition("[")[0]
    assert re.findall(r"(.+)==([\d.]+)", OLDEST.read_text()) == re.findall(r"(\w+)>=([\d.]+)", required)


@pytest.mark.slow
@pytest.mark.parametrize("version", ["-r", "selectolax==0.4.13", "selectolax"])
def test_the_main_job_is_the_same(version: str, tmp_path: Path) -> None:
    environment = installed([version, *([str(OLDEST)] if version == "-r" else [])], tmp_path)
    pipe = " | ".join(
        f"{sys.executable} bin/{stage}" for stage in ("nc-segment -v tests/data/crawl.jsonl", "nc-score", "nc-select")
    )
    done = subprocess.run(["bash", "-c", pipe], cwd=ROOT, env=environment, capture_output=True, check=True)
    assert done.stdout == (ROOT / "tests" / "data" / "crawl.txt").read_bytes()
    probe = subprocess.run([sys.executable, "-c", PROBE], cwd=tmp_path, env=environment, capture_output=True, text=True)
    if version != "selectolax":
        assert probe.stdout == "False\n"
        is_compiled = page_table.__file__.endswith(".so")
        assert (b"pip install -U selectolax" in done.stderr) == is_compiled
