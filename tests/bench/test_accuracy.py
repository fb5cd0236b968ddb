"""The accuracy benchmark on a few invented pages: tables, and a second run that continues the first."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import invented
import pytest

from bench import accuracy, accuracy_tables, heldout

ROOT = Path(__file__).resolve().parents[2]


def test_paragraphs_are_wrapped() -> None:
    text = accuracy_tables.filled("\n## Of {n}\n\n{n} " + "word " * 60 + "\nend\n\n", n=3)
    assert text.startswith("\n## Of 3\n\n3 word")
    assert text.endswith(" end\n\n")
    assert max(map(len, text.splitlines())) <= 120


def gold(name: str, text: str) -> dict[str, Any]:
    """Gold text as a set has it."""
    paragraphs = text.split("\n\n")
    return {
        "wcxb-dev": {"text": text, "title": "The bridge", "author": "", "date": "", "with": [], "without": []},
        "cleaneval-dev": {"markup": "".join(f"<p>{paragraph}\n" for paragraph in paragraphs)},
        "dragnet-dev": {"text": text, "comments": ""},
        "l3s-dev": {"text": text, "roles": [{"role": "text", "text": paragraph} for paragraph in paragraphs]},
        "daniel-dev": {"text": text},
        "snippets-dev": {"with": text.split("\n\n")[:1], "without": ["Subscribe"]},
    }[name]


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sets of invented pages, one of them in five languages by their field `lang`."""
    folder = tmp_path_factory.mktemp("data")
    for start, name in enumerate((*heldout.SETS, heldout.SNIPPET_SET)):
        languages = ("en", *heldout.LANGUAGES) if name == heldout.LANGUAGE_SET else ("en",)
        made = [invented.page(30 * start + number) for number in range(5 * len(languages))]
        for number, page in enumerate(made):
            page |= {"id": f"{name.removesuffix('-dev')}/{number}", "gold": gold(name, page["gold"])}
            page["lang"] = languages[number % len(languages)]
            page["url"] = f"http://site{start}-{number}.example/"
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(page) + "\n" for page in made))
    return folder


@pytest.fixture
def run_accuracy(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[str, str]]:
    """Standard output and standard error of the command, with two folds: each is a model that is trained."""
    for module in (accuracy, accuracy_tables, heldout):
        monkeypatch.setattr(module, "FOLDS", 2)
    for module in (accuracy_tables, heldout):
        monkeypatch.setattr(module, "TEST_FOLDS", 1)

    def run(*args: str | Path) -> tuple[str, str]:
        monkeypatch.setattr(sys, "argv", ["accuracy.py", *map(str, args)])
        accuracy.main()
        return capsys.readouterr()

    return run


@pytest.mark.slow
def test_the_document_has_all_tables_and_a_second_run_continues_the_first(
    sets: Path, tmp_path: Path, run_accuracy: Callable[..., tuple[str, str]]
) -> None:
    output, args = tmp_path / "accuracy.md", (sets, "--work", tmp_path / "work")
    _, log = run_accuracy(*args, "--output", output)
    assert "en …" in log
    assert "complete …" not in log
    text = output.read_text()
    assert re.findall("^## (.*)", text, re.M) == [
        "All models and peers",
        "By type of page and by language",
        "Decision policies and operating points",
        "Roles",
        "Titles",
        "What is kept besides the main text",
        "Calibration",
        "How to read this",
        "Signatures",
    ]
    policies = dict(re.findall(r"^### (.*)\n\n(?:5|25) pages; gold text as `--policy (.*)`:$", text, re.M))
    assert policies == {
        **dict.fromkeys(["wcxb-dev", "snippets-dev"], "main --without title"),
        "cleaneval-dev": "all",
        **dict.fromkeys(["dragnet-dev", "l3s-dev", "daniel-dev, English", "daniel-dev"], "article"),
    }
    systems = text.partition("## By type of page")[0]
    assert len(re.findall(r"^\| `(?:en|xx)`, nc-select without options \|", systems, re.M)) == 5 + 7

    # a second run continues
    calibration, log = run_accuracy(*args, "--only", "calibration")
    assert "en …" not in log
    assert "| wcxb-dev |" in calibration
    # another number of pages has results of its own
    (used,) = (tmp_path / "work").iterdir()
    assert heldout.Work(heldout.WorkOptions(tmp_path / "work", sets, None)).folder == used
    assert heldout.Work(heldout.WorkOptions(tmp_path / "work", sets, 3)).folder != used


def test_a_missing_set_is_an_error(sets: Path, tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "bench" / "accuracy.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.endswith("there is no wcxb-dev.jsonl or wcxb-dev.jsonl.xz\n")
