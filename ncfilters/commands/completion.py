"""Completion for shells, made of the option parsers when the package is built: by shtab for bash and zsh.

script("bash", "nc-select", option_parser())    # what share/bash-completion/completions/nc-select holds
"""

from __future__ import annotations

import argparse
import importlib
import re
from pathlib import Path

from .command_parser import about

# shell → the folder of installed completions, below the prefix, and the name of a command's file in it.
PLACES = {
    "bash": ("share/bash-completion/completions", "{}"),
    "zsh": ("share/zsh/site-functions", "_{}"),
    "fish": ("share/fish/vendor_completions.d", "{}.fish"),
}
_NAMES = "nc-score --list-models 2>/dev/null | cut -d' ' -f1"
_MODELS = {
    "bash": f'_nc_models() {{ compgen -W "auto $({_NAMES})" -- "$1"; compgen -f -- "$1"; }}',
    "zsh": f"_nc_models() {{ compadd auto $({_NAMES}); _files }}",
}


def write(folder: Path, commands: list[str]) -> list[tuple[str, list[str]]]:
    """Writes the completions of commands to a folder. Returns where they are installed, and the files that go there.
    Raises ImportError without shtab, or without a module that a command needs."""
    out = []
    for shell, (place, name) in PLACES.items():
        files = []
        for command in commands:
            parser = importlib.import_module(f"ncfilters.commands.{command.removeprefix('nc-')}").option_parser()
            file = folder / shell / name.format(command)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(script(shell, command, parser), encoding="utf-8")
            files.append(str(file))
        out.append((place, files))
    return out


def script(shell: str, command: str, parser: argparse.ArgumentParser) -> str:
    """The completion of a command for a shell, `bash`, `zsh` or `fish`. Raises ImportError without shtab."""
    if shell == "fish":
        return "\n".join([f"# Completion of {command} for fish.", *_fish_lines(command, parser), ""])
    import shtab  # optional: only the build needs it

    for action in parser._actions:  # argparse has no public list of them
        kind = _kind(action)
        completed = {"models": dict.fromkeys(_MODELS, "_nc_models"), "files": shtab.FILE, "folders": shtab.DIRECTORY}
        if kind:
            action.complete = completed[kind]  # type: ignore[attr-defined]
    return str(shtab.complete(parser, shell, preamble=_MODELS[shell]))


def _kind(action: argparse.Action) -> str:
    """What an option takes, by its metavar: models, files, folders, or something else."""
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    if action.choices or action.nargs == 0:
        return ""
    if "NAME|PATH" in metavar or action.dest == "model":
        return "models"
    return "files" if re.search("FILE|PATH", metavar) else "folders" if re.search("DIR|FOLDER", metavar) else ""


def _fish_lines(command: str, parser: argparse.ArgumentParser) -> list[str]:
    out = []
    for action in parser._actions:
        names = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in action.option_strings]
        parts = [f"complete -c {command}", *names]
        kind, values = _kind(action), " ".join(map(str, action.choices or ()))
        if kind == "models":
            values = f"auto ({_NAMES})"
        if kind == "folders":
            values = "(__fish_complete_directories)"
        if action.option_strings and action.nargs != 0:
            parts.append("-r" if kind else "-x")
        if values:
            parts.append(f'-a "{values}"')
        if action.option_strings or values:
            text = about(parser, action).replace("\\", "\\\\").replace("'", "\\'")
            out.append(" ".join([*parts, f"-d '{text}'"]))
    return out
