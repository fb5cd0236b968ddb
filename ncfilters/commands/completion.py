"""Completion for shells, generated from the option parsers: options, their values, models, files.

    script("bash", "nc-select", option_parser())    # what share/bash-completion/completions/nc-select holds

`completions/make` writes the scripts of all commands.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from dataclasses import dataclass

from ..roles import ROLES
from ..scoring.auto import AUTO
from .help_pages import about

# What an option takes, by its metavar.
_FILES = re.compile(r"FILE|PATH|DIR")
_DIRECTORIES = re.compile(r"(?:DIR|FOLDER)\Z")
# Names of models: the installed ones are found when the shell completes.
_MODELS = re.compile(r"NAME\|PATH")
MODELS, FILES, DIRECTORIES = "models", "files", "directories"


@dataclass(frozen=True)
class Completion:
    """An option, or a positional argument, which has no *names*: what it is for, and what it takes, if anything.

    *values* are its choices, of which it takes several, separated by commas, if it *is_list*; *kind* is MODELS, FILES,
    DIRECTORIES or empty.
    """

    names: tuple[str, ...]
    about: str
    values: tuple[str, ...] = ()
    kind: str = ""
    takes_value: bool = False
    is_list: bool = False


def completions(parser: argparse.ArgumentParser) -> list[Completion]:
    """The options and positional arguments of a parser, in its order."""
    # argparse has no public list of them
    return [_completion(parser, action) for action in parser._actions if action.help != argparse.SUPPRESS]


def script(shell: str, command: str, parser: argparse.ArgumentParser) -> str:
    """The completion of a command for a shell, `bash`, `zsh` or `fish`."""
    return SHELLS[shell](command, completions(parser))


def _completion(parser: argparse.ArgumentParser, action: argparse.Action) -> Completion:
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    names = tuple(action.option_strings)
    takes = not names or action.nargs != 0
    values = tuple(map(str, action.choices or ()))
    kind = ""
    if not values and takes:
        if _MODELS.search(metavar) or action.dest == "model":
            kind, values = MODELS, (AUTO,)
        elif _DIRECTORIES.search(metavar) and not re.search("FILE", metavar):
            kind = DIRECTORIES
        elif _FILES.search(metavar):
            kind = FILES
    is_list = metavar == "ROLES"
    return Completion(names, about(parser, action), ROLES if is_list else values, kind, takes, is_list)


# ---- shells -----------------------------------------------------------------------------------------------------

_BASH_HELPERS = """\
_nc_models() {
    local folder path
    for folder in ${NC_MODELS//:/ } "$(_nc_installed)"; do
        for path in "$folder"/*.model; do
            [[ -e $path ]] && path=${path##*/} && printf '%s\\n' "${path%.model}"
        done
    done
}
_nc_installed() {
    local program
    program=$(readlink -f "$(type -P nc-score)") || return
    for program in "${program%/bin/*}"/models "${program%/bin/*}"/lib/python3*/site-packages/ncfilters/models; do
        [[ -d $program ]] && printf '%s\\n' "$program" && return
    done
}
_nc_files() {
    compopt -o filenames 2>/dev/null
    local line
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$1" -- "$cur")
}
_nc_list() {
    local before=""
    [[ $cur == *,* ]] && before=${cur%,*},
    COMPREPLY=($(compgen -P "$before" -W "$1" -- "${cur##*,}"))
    compopt -o nospace 2>/dev/null
}
"""


def _bash(command: str, found: list[Completion]) -> str:
    function = "_" + command.replace("-", "_")
    options = [one for one in found if one.names]
    cases = []
    for one in options:
        if one.takes_value:
            action = _bash_action(one)
            cases.append(f"        {'|'.join(one.names)})\n            {action or ':'}\n            return ;;")
    words = " ".join(name for one in options for name in one.names)
    positional = [_bash_action(one) for one in found if not one.names]
    lines = "\n    ".join(action for action in positional if action) or "_nc_files -f"
    return f"""\
# Completion of {command} for bash; completions/make wrote it.
{_BASH_HELPERS}{function}() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}
    local IFS=$' \\t\\n'
    COMPREPLY=()
    if [[ $cur == = ]]; then cur=""; elif [[ $prev == = ]]; then prev=${{COMP_WORDS[COMP_CWORD-2]}}; fi
    case $prev in
{chr(10).join(cases)}
    esac
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "{words}" -- "$cur"))
        return
    fi
    {lines}
}}
complete -F {function} {command}
"""


def _bash_action(one: Completion) -> str:
    values = " ".join(one.values)
    if one.is_list:
        return f'_nc_list "{values}"'
    if one.kind == MODELS:
        return f'COMPREPLY=($(compgen -W "{values} $(_nc_models)" -- "$cur")); _nc_files -f'
    if one.kind:
        return f"_nc_files {'-d' if one.kind == DIRECTORIES else '-f'}"
    return f'COMPREPLY+=($(compgen -W "{values}" -- "$cur"))' if values else ""


_ZSH_HELPERS = """\
_nc_models() {
    local program=${commands[nc-score]:A}
    local -a names
    names=(${^${(s.:.)NC_MODELS}}/*.model(N:t:r) ${program:h:h}/models/*.model(N:t:r)
        ${program:h:h}/lib/python3*/site-packages/ncfilters/models/*.model(N:t:r))
    _alternative 'models:model:compadd -a names' "names:model:(auto)" 'files:file:_files -g "*.(model|arpa|bin)"'
}
"""


def _zsh(command: str, found: list[Completion]) -> str:
    function = "_" + command
    specs = []
    for one in found:
        value = _zsh_value(one)
        if not one.names:
            specs.append(f"'*:{_zsh_text(one.about)[:40] or 'file'}{value}'" if one.kind else f"'1:{one.about}{value}'")
            continue
        for name in one.names:
            equals = "=" if name.startswith("--") and one.takes_value else ""
            specs.append(f"'*{name}{equals}[{_zsh_text(one.about)}]{':value' + value if one.takes_value else ''}'")
    lines = " \\\n        ".join(specs)
    return f"""\
#compdef {command}
# Completion of {command} for zsh; completions/make wrote it.
{_ZSH_HELPERS}{function}() {{
    _arguments -s \\
        {lines}
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then {function} "$@"; else compdef {function} {command}; fi
"""


def _zsh_value(one: Completion) -> str:
    values = " ".join(one.values)
    if one.is_list:
        return f":_values -s , role {values}"
    if one.kind == MODELS:
        return ":_nc_models"
    if one.kind:
        return f":_files{' -/' if one.kind == DIRECTORIES else ''}"
    return f":({values})" if values else ": "


def _zsh_text(text: str) -> str:
    return re.sub(r"[\[\]:\\]", lambda found: "\\" + found[0], text).replace("'", "'\\''")


_FISH_MODELS = """\
function __nc_models
    set -l program (realpath (command -v nc-score) 2>/dev/null)
    set -l root (dirname (dirname "$program"))
    for path in (string split : -- "$NC_MODELS")/*.model $root/models/*.model \\
            $root/lib/python3*/site-packages/ncfilters/models/*.model
        basename $path .model
    end
end
"""


def _fish(command: str, found: list[Completion]) -> str:
    lines = [f"# Completion of {command} for fish; completions/make wrote it.", _FISH_MODELS.rstrip("\n")]
    for one in found:
        parts = [f"complete -c {command}"]
        parts += [
            f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" if len(name) == 2 else f"-o {name[1:]}"
            for name in one.names
        ]
        values = " ".join(one.values)
        if one.takes_value and one.names:
            parts.append("-r" if one.kind else "-x")
        if one.is_list:
            lines.append(f"function __nc_roles\n    printf '%s\\n' {values}\nend")
            parts.append('-a "(__fish_complete_list , __nc_roles)"')
        elif one.kind == MODELS:
            parts.append(f'-a "{values} (__nc_models)"')
        elif one.kind == DIRECTORIES:
            parts.append("-a '(__fish_complete_directories)'")
        elif values:
            parts.append(f'-a "{values}"')
        if one.about:
            parts.append(f"-d '{_fish_text(one.about)}'")
        if len(parts) > 1 and (one.names or values):
            lines.append(" ".join(parts))
    return "\n".join(lines) + "\n"


def _fish_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")


SHELLS: dict[str, Callable[[str, list[Completion]], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
# shell → the folder of installed completions, below the prefix, and the name of a command's file in it.
PLACES = {
    "bash": ("share/bash-completion/completions", "{}"),
    "zsh": ("share/zsh/site-functions", "_{}"),
    "fish": ("share/fish/vendor_completions.d", "{}.fish"),
}
