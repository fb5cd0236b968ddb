"""The examples of README, docs and manual pages succeed, and their sessions print what the page shows.

A `console` block, and a session in a manual page, has its output below its commands; a line `…` stands for any lines,
`…` in a line for any text. Other commands, those of `sh` blocks, of the EXAMPLES of manual pages and of --help, end as
they should (STATUSES), without a traceback. Examples run in a folder with the checkout and the files of
`example_files`, those of a page in their order, so that one may read what another has written. A `pycon` block is a
doctest. A `python` block with a file as its title is that file, or is appended to it.

`NC_UPDATE=1 pytest -n0 tests/test_examples.py` writes what sessions print into the pages; read it before you commit it.
"""

from __future__ import annotations

import doctest
import fcntl
import os
import re
import shutil
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path

import pytest
from example_files import COMMANDS, Run, checkout, matches, missing, run_block, write, write_user_files
from examples import INSTALLATION, ROOT, Block, examples, help_examples, script, session, to_roff

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
MANUAL = sorted((ROOT / "man").glob("nc-*.[1-8]"))
HELP = "help"  # the page of what --help prints
# What is not run: it installs, checks or compiles the whole project, wants the development sets and hours, or starts
# Spark or Hadoop. The gate and tests/commands/test_spark.py do.
NOT_RUN = re.compile(
    r"(pip install|git clone|python3 -m venv|pytest$|pytest tests/(?!test_cases)|ruff |NC_UPDATE=1 |python bench/"
    r"|(nc-spark|spark-submit|\$SPARK_HOME/\S+|hadoop) |CFLAGS=.* |LD_PRELOAD=|python setup\.py)"
)
# Commands that end with another status than 0.
STATUSES = {"nc-model diff before.model after.model": 1}


def pages(*languages: str) -> list[str]:
    """The documents and manual pages that have blocks in one of the languages."""
    found = [page for page in DOCUMENTS + MANUAL if any(block.language in languages for block in examples(page))]
    return [str(page.relative_to(ROOT)) for page in found]


@pytest.fixture(scope="session")
def user_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that examples read, for all pages; the workers of pytest share it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "user"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            part = folder.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir()
            write_user_files(part)
            (made,) = run_block([f"PATH={ROOT / 'bin'}:$PATH\n({COMMANDS})"], part)
            assert made.status == 0, made.output
            part.rename(folder)
    return folder


@pytest.fixture
def folder(user_files: Path, tmp_path: Path, name: str) -> Path:
    """A folder that looks like the checkout, with the files of a user; the document *name* may write to it."""
    shutil.copytree(user_files, tmp_path, dirs_exist_ok=True)
    return checkout(tmp_path, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*pages("sh", "console"), HELP])
def test_examples_succeed_and_sessions_print_what_is_shown(name: str, folder: Path) -> None:
    page = ROOT / name
    result = PageRun(help_examples() if name == HELP else examples(page), folder)
    if os.environ.get("NC_UPDATE") and result.differences:
        result.update_sessions(page)
    elif result.differences or result.failures:
        pytest.fail("\n".join([name, *result.differences, *result.failures]), pytrace=False)
    if result.skipped:
        pytest.skip(f"{', '.join(result.skipped)}: not installed; the examples of {name} before are as expected")


class PageRun:
    """The blocks of a page, run one after the other, up to the first that wants a program or library that is missing:
    later ones may read what it writes."""

    def __init__(self, found: Sequence[Block], folder: Path) -> None:
        self.folder = folder
        self.differences: list[str] = []  # of sessions
        self.failures: list[str] = []  # of other blocks
        self.skipped: list[str] = []  # programs and libraries
        self.sessions: list[tuple[Block, list[tuple[list[str], list[str], Run]]]] = []
        write([block for block in found if block.title], folder)
        for block in found:
            if block.language not in ("sh", "console"):
                continue
            if block.language == "console":
                self._run_session(block)
            elif not (lacking := missing(block.code)):
                self._run_script(script(block.code))
            else:
                self.skipped = lacking
            if self.skipped:
                break

    def _run_session(self, block: Block) -> None:
        steps = []
        for step in session(block.code):
            if lacking := missing("\n".join(step[0])):
                self.skipped = lacking
                break
            steps.append(step)
        runs = run_block([INSTALLATION.sub("", "\n".join(command)) for command, _ in steps], self.folder)
        self.sessions.append((block, [(*step, run) for step, run in zip(steps, runs)]))
        for (command, wanted), run in zip(steps, runs):
            if not matches(wanted, run.output) or run.status:
                shown = ["", f"$ {command[0]}", *wanted, "--- got ---", run.output, f"status {run.status}"]
                self.differences.append("\n".join(shown))

    def _run_script(self, commands: list[str]) -> None:
        if any(map(NOT_RUN.match, commands)):
            return
        for run in run_block(commands, self.folder):
            if run.status != STATUSES.get(run.command, 0) or "Traceback (most recent call last)" in run.output:
                self.failures.append(f"{run.command}\n{run.output[-2000:]}\nstatus {run.status}")

    def update_sessions(self, page: Path) -> None:
        """Writes what came as the output of sessions into the page."""
        lines, offset = page.read_text(encoding="utf-8").splitlines(), 0
        encode: Callable[[str], str] = str if page.suffix == ".md" else to_roff
        for block, steps in self.sessions:
            place = block.line + offset
            for command, wanted, run in steps:
                place += len(command)
                new = [*map(encode, run.output.splitlines())]
                if not matches(wanted, run.output):
                    lines[place : place + len(wanted)] = new
                    offset += len(new) - len(wanted)
                    place += len(new) - len(wanted)
                place += len(wanted)
        page.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.parametrize("name", pages("pycon"))
def test_python_sessions_print_what_the_page_shows(name: str) -> None:
    code = "\n".join(block.code for block in examples(ROOT / name) if block.language == "pycon")
    example = doctest.DocTestParser().get_doctest(code, {}, name, name, 0)
    report = StringIO()
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=report.write)
    if report.getvalue():
        pytest.fail(report.getvalue(), pytrace=False)
