"""The guard of speed: instructions for twenty pages, which grow by no more than a tenth.

Valgrind counts them, so that the load of the machine does not matter. It has AVX2, and no AVX-512: sums of the network
in wider registers are not what it counts. After a change that is worth its instructions, or with other libraries:

    NC_UPDATE=1 pytest -n0 tests/test_instructions.py
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from conftest import ROOT
from uncompiled import is_compiled

RECORDED = Path(__file__).parent / "instructions.json"
MAX_GROWTH = 1.10
# The pages are small: four rounds of them are 80 pages and 0.3 MB.
ROUNDS = 4
PAGES = [
    *(
        f"pages/original/{name}.html"
        for name in "blog-sourdough docs-api forum-squeaky-pedal listing-events news-harbour-bridge other-ru other-zh"
        " product-kettle recipe-leek-soup wiki-lighthouse".split()
    ),
    *(
        f"markup/{name}.html"
        for name in "blogger-br-paragraphs docusaurus-guide github-issue hacker-news-comments mediawiki-article"
        " medium-story news-cms sphinx-module stackoverflow-question tables-of-1997".split()
    ),
]
STAGES = [["nc-segment"], ["nc-score", "-m", "en"], ["nc-select"]]
# What the figures depend on besides the code.
LIBRARIES = ("numpy", "orjson", "selectolax", "regex")
TOO_LONG = 300  # seconds


def environment() -> dict[str, str]:
    """The machine and libraries of a count."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {"machine": platform.machine(), "python": python, **{name: version(name) for name in LIBRARIES}}


def command(stage: list[str]) -> list[str]:
    return [sys.executable, str(ROOT / "bin" / stage[0]), *stage[1:]]


def output(stage: list[str], data: bytes) -> bytes:
    """What a stage writes; it also leaves the bytecode of all modules that it needs."""
    variables = {**os.environ, "PYTHONHASHSEED": "0"}
    return subprocess.run(command(stage), input=data, env=variables, stdout=subprocess.PIPE, check=True).stdout


def instructions(stage: list[str], data: bytes) -> int:
    """How many instructions a stage executes for its input, start-up included."""
    counter = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    variables = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        [*counter, *command(stage)], input=data, env=variables, capture_output=True, check=True, timeout=TOO_LONG
    )
    found = re.search(rb"I\s+refs:\s+([\d,]+)", done.stderr)
    assert found, done.stderr[-500:]
    return int(found[1].replace(b",", b""))


def per_page() -> dict[str, int]:
    """Instructions for a page in each stage, without start-up and libraries that only some pages need: those of one
    round are subtracted from those of all."""
    paths = [ROOT / "tests" / "data" / name for name in PAGES]
    lines = [json.dumps({"id": path.stem, "html": path.read_text(encoding="utf-8")}).encode() + b"\n" for path in paths]
    first, all_pages = b"".join(lines), b"".join(lines * (1 + ROUNDS))
    out = {}
    for stage in STAGES:
        first_out, all_out = output(stage, first), output(stage, all_pages)
        out[stage[0]] = (instructions(stage, all_pages) - instructions(stage, first)) // (len(lines) * ROUNDS)
        first, all_pages = first_out, all_out
    return out


@pytest.mark.slow
def test_instructions_for_twenty_pages_do_not_grow() -> None:
    if not shutil.which("valgrind"):
        pytest.skip("valgrind is not installed: instructions are not counted")
    if not is_compiled("ncfilters.native.page_table"):
        pytest.skip("nothing is compiled here: instructions are not counted")
    here = environment()
    if os.environ.get("NC_UPDATE"):
        RECORDED.write_text(json.dumps({"environment": here, "instructions for a page": per_page()}, indent=2) + "\n")
        return
    recorded = json.loads(RECORDED.read_text())
    there = recorded["environment"]
    if any(here[name] != there[name] for name in ("machine", "python")):
        pytest.skip(f"instructions are recorded for another machine: {there}")
    other = [f"{name} {there[name]} is now {here[name]}" for name in LIBRARIES if here[name] != there[name]]
    now = per_page()
    grown = [
        f"{stage}: {now[stage]:,} instructions for a page, {now[stage] / before - 1:+.1%}"
        for stage, before in recorded["instructions for a page"].items()
        if now[stage] > MAX_GROWTH * before
    ]
    assert not grown, "\n".join([*grown, *other])
