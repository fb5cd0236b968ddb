"""Completion of commands: scripts of all shells, and what bash offers."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from examples import COMMANDS, ROOT, option_parser, options

from ncfilters.commands.completion import PLACES, script, write

pytest.importorskip("shtab")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("completions")
    places = write(out, COMMANDS)
    assert [place for place, _ in places] == [place for place, _ in PLACES.values()]
    assert [len(files) for _, files in places] == [len(COMMANDS)] * len(PLACES)
    return out


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("shell", PLACES)
def test_every_option_is_completed(shell: str, command: str) -> None:
    text = script(shell, command, option_parser(command))
    for action in options(command):
        for name in action.option_strings:
            assert (f"-l {name[2:]}" if shell == "fish" and name.startswith("--") else name) in text or shell == "fish"


@pytest.mark.parametrize("shell", PLACES)
def test_shells_read_the_scripts(shell: str, folder: Path) -> None:
    if not (program := shutil.which(shell)):
        pytest.skip(f"{shell} is not installed")
    for command in COMMANDS:
        file = folder / shell / PLACES[shell][1].format(command)
        done = subprocess.run([program, "-n", str(file)], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("nc-select --fav", "--favour"),
        ("nc-select --policy art", "article"),
        ("nc-score --model ncleaner-non", "ncleaner-nonlexical"),
        ("nc-train struct", "structure"),
        ("nc-segment -- my", "my page.html"),
    ],
)
def test_bash_offers(line: str, offered: str, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "my page.html").write_text("x")
    command = line.split()[0]
    code = (
        f"source {folder / 'bash' / command}; COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1));"
        f"_shtab_{command.replace('-', '_')}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    environment = {**os.environ, "PATH": f"{ROOT / 'bin'}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "--norc", "-c", code], capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert offered in done.stdout.splitlines()
