"""Completion of commands, in the shells themselves."""

from __future__ import annotations

import configparser
import os
import pty
import re
import select
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from examples import COMMANDS, ROOT, option_parser, options

from ncfilters.commands.completion import PLACES, SHELLS, completions, script

PATH = f"{ROOT / 'bin'}:{os.environ['PATH']}"


def written(shell: str, command: str) -> Path:
    return ROOT / "completions" / shell / PLACES[shell][1].format(command)


def needs(shell: str) -> str:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    return found


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_are_those_of_the_option_parsers(shell: str, command: str) -> None:
    assert written(shell, command).read_text(encoding="utf-8") == script(shell, command, option_parser(command)), (
        "run completions/make"
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_completed(command: str) -> None:
    found = {name for one in completions(option_parser(command)) for name in one.names}
    assert found == {name for action in options(command) for name in action.option_strings}


def test_scripts_are_installed() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    files = setup["options.data_files"]
    for shell, (folder, _) in PLACES.items():
        assert files[folder] == f"completions/{shell}/*"
        assert len(list((ROOT / "completions" / shell).iterdir())) == len(COMMANDS)


@pytest.mark.parametrize("shell", SHELLS)
def test_shells_read_the_scripts(shell: str) -> None:
    program = needs(shell)
    for command in COMMANDS:
        done = subprocess.run([program, "-n", str(written(shell, command))], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


def bash_words(line: str, folder: Path) -> list[str]:
    """What bash offers for the last word of a line."""
    command = line.split()[0]
    words = line + "''" if line.endswith(" ") else line
    code = (
        f"source {written('bash', command)}; COMP_WORDS=({words});"
        f"COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _{command.replace('-', '_')}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    done = subprocess.run(
        [needs("bash"), "--norc", "-c", code],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PATH": PATH},
    )
    assert done.stderr == ""
    return [word.strip() for word in done.stdout.splitlines() if word.strip()]


def fish_words(line: str, folder: Path) -> list[str]:
    """What fish offers for the last word of a line."""
    command = line.split()[0]
    code = f"source {written('fish', command)}; complete -C '{line}'"
    done = subprocess.run(
        [needs("fish"), "--no-config", "-c", code],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PATH": PATH, "HOME": str(folder)},
    )
    assert done.stderr == ""
    return [word.partition("\t")[0] for word in done.stdout.splitlines()]


@pytest.mark.parametrize("words", [bash_words, fish_words])
def test_options_values_models_and_files(words: Callable[[str, Path], list[str]], tmp_path: Path) -> None:
    (tmp_path / "my page.html").write_text("x")
    (tmp_path / "folder").mkdir()
    assert words("nc-select --fav", tmp_path) == ["--favour"]
    assert {"markdown", "cleaneval", "xml"} <= set(words("nc-select --as ", tmp_path))
    assert words("nc-select --policy art", tmp_path) == ["article"]
    models = set(words("nc-score -m ", tmp_path))
    assert {"auto", "en", "xx", "ncleaner-en"} <= models
    assert words("nc-score --model ncleaner-non", tmp_path) == ["ncleaner-nonlexical"]
    assert "structure" in words("nc-train ", tmp_path)
    assert any("my page.html" in word.replace("\\", "") for word in words("nc-segment my", tmp_path))
    assert {"title", "comment"} <= set(words("nc-select --with ", tmp_path))
    assert any(word.endswith("title") for word in words("nc-select --with comment,ti", tmp_path))


def test_models_of_the_user_are_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "zulu.model").write_text("")
    monkeypatch.setenv("NC_MODELS", str(tmp_path))
    assert "zulu" in bash_words("nc-score -m ", tmp_path)
    assert "zulu" in fish_words("nc-score -m ", tmp_path)


def typed(shell: list[str], lines: list[str], folder: Path) -> str:
    """What an interactive shell prints while lines are typed, the last one with a tab."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "PATH": PATH, "TERM": "dumb", "HOME": str(folder), "ZDOTDIR": str(folder), "PS1": "$ "}
    process = subprocess.Popen(
        shell, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=environment, start_new_session=True
    )
    os.close(theirs)
    out = b""
    end = time.monotonic() + 40
    waiting = [line.encode() for line in lines]
    try:
        while time.monotonic() < end and b"THE END" not in out.replace(b"print THE END", b""):
            ready, _, _ = select.select([ours], [], [], 0.7)
            if ready:
                out += os.read(ours, 65536)
            elif waiting:
                os.write(ours, waiting.pop(0))
            else:
                break
    except OSError:
        pass
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    return out.decode("utf-8", "replace")


@pytest.mark.slow
def test_zsh_completes_what_is_typed(tmp_path: Path) -> None:
    zsh = needs("zsh")
    (tmp_path / "pages.jsonl").write_text("")
    folder = ROOT / "completions" / "zsh"
    start = [
        f"fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D; PROMPT='$ '\n",
        'function nc-select nc-score nc-segment { print -r -- "GIVEN $*" }\n',
    ]
    for line, given in (
        ("nc-select --unbuf\t\n", "--unbuffered"),
        ("nc-select --policy=art\t\n", "--policy=article"),
        ("nc-select --as mark\t\n", "--as markdown"),
        ("nc-score -m ncleaner-nonl\t\n", "-m ncleaner-nonlexical"),
        ("nc-select --with comm\t\n", "--with comment"),
        ("nc-segment pag\t\n", "pages.jsonl"),
    ):
        printed = typed([zsh, "-f", "-i"], [*start, line], tmp_path)
        assert re.search(rf"GIVEN {re.escape(given)}", printed), printed


@pytest.mark.slow
def test_bash_completes_what_is_typed(tmp_path: Path) -> None:
    bash = needs("bash")
    (tmp_path / "my pages.jsonl").write_text("")
    start = [
        f"for f in {ROOT}/completions/bash/*; do source $f; done\n",
        'nc-select() { echo "GIVEN $*"; }; nc-segment() { echo "GIVEN $*"; }\n',
    ]
    for line, given in (
        ("nc-select --unbuf\t\n", "--unbuffered"),
        ("nc-select --policy art\t\n", "--policy article"),
        ("nc-select --with comment,ti\t\n", "--with comment,title"),
        ("nc-segment my\t\n", "my pages.jsonl"),
    ):
        printed = typed([bash, "--norc", "--noprofile", "-i"], [*start, line], tmp_path)
        assert f"GIVEN {given}" in printed, printed
