"""The README's main command, as it stands there, against its golden output.

`NC_UPDATE=1 pytest -n0 tests/commands/test_main_job.py` writes what came as the golden output.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT

GOLDEN = ROOT / "tests/data/crawl.txt"
ENV = {**os.environ, "PATH": f"{ROOT / 'bin'}{os.pathsep}{os.environ['PATH']}"}


def shell(command: str) -> str:
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], cwd=ROOT, env=ENV, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_the_command_of_the_readme() -> None:
    (command,) = re.findall(r"^\$ pip install \. && (cat .*)$", (ROOT / "README.md").read_text(), re.M)
    text = shell(command)
    if os.environ.get("NC_UPDATE"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("pipe", [
    "nc-normalize tests/data/crawl.jsonl --no-markers | nc-render | nc-segment | nc-score | nc-select",
    "nc-segment -f msgpack tests/data/crawl.jsonl | nc-score | nc-select",
    "gzip -c tests/data/crawl.jsonl | nc-segment --keep | nc-score -m auto | nc-select",
])  # fmt: skip
def test_other_ways_to_the_same_text(pipe: str) -> None:
    assert shell(pipe) == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.slow
def test_all_cores_keep_the_order() -> None:
    if not shutil.which("parallel"):
        pytest.skip("GNU parallel is not installed")
    inner = "nc-segment | nc-score | nc-select -f jsonl"
    out = shell(f"parallel --will-cite --pipe -k --block 20k '{inner}' < tests/data/crawl.jsonl")
    pages = [json.loads(line) for line in Path(ROOT, "tests/data/crawl.jsonl").read_text().splitlines()]
    assert [json.loads(line)["id"] for line in out.splitlines()] == [page["id"] for page in pages]
