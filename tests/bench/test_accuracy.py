"""The accuracy benchmark on a few invented pages: tables, and a second run that continues the first."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import invented
import pytest

from bench import accuracy_tables, heldout

ROOT = Path(__file__).resolve().parents[2]


def test_paragraphs_are_wrapped() -> None:
    text = accuracy_tables.filled("\n## Of {n}\n\n{n} " + "word " * 60 + "\nend\n\n", n=3)
    assert text.startswith("\n## Of 3\n\n3 word")
    assert text.endswith(" end\n\n")
    assert max(map(len, text.splitlines())) <= 120


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three sets of invented pages."""
    folder = tmp_path_factory.mktemp("data")
    for name, start in (("wcxb-dev", 0), ("cleaneval-dev", 30), ("daniel-dev", 60)):
        made = [invented.page(number) for number in range(start, start + 5)]
        for number, page in enumerate(made):
            page |= {"id": f"{name}/{number}", "lang": "en", "url": f"http://site{start + number}.example/"}
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(page) + "\n" for page in made))
    return folder


def run_accuracy(*args: str | Path) -> tuple[str, str]:
    """Standard output and standard error of the command."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "accuracy.py"), *map(str, args)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.mark.slow
def test_a_second_run_continues_the_first(sets: Path, tmp_path: Path) -> None:
    args = (sets, "--work", tmp_path, "--pages", "4")
    first, log = run_accuracy(*args, "--only", "calibration")
    assert "en …" in log
    assert "on 4 pages of wcxb-dev, 4 pages of cleaneval-dev, 4 pages of daniel-dev" in " ".join(first.split())
    assert "Segments of 12 pages" in first
    assert "| wcxb-dev |" in first
    again, log = run_accuracy(*args, "--only", "calibration")
    assert "en …" not in log
    assert again == first
    curve, log = run_accuracy(*args, "--only", "curve")
    assert "en …" not in log
    assert "half …" in log
    rows = [line.split(" | ")[:2] for line in curve.splitlines() if line.startswith("| ")]
    assert rows[2:] == [
        ["| an eighth", "2 pages of 2 sites"],
        ["| a quarter", "2 pages of 2 sites"],
        ["| half", "3 pages of 3 sites"],
        ["| all", "6 pages of 6 sites"],
        ["| more", "4 folds of 5, of 12 pages of 12 sites"],
    ]
    # another number of pages has results of its own
    (used,) = tmp_path.iterdir()
    assert heldout.Work(heldout.WorkOptions(tmp_path, sets, 4)).folder == used
    assert heldout.Work(heldout.WorkOptions(tmp_path, sets, 3)).folder != used


def test_a_missing_set_is_an_error(sets: Path, tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "bench" / "accuracy.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.endswith("there is no wcxb-dev.jsonl or wcxb-dev.jsonl.xz\n")
