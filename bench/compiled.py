#!/usr/bin/env python3
"""What compiling each module brings: CPU a page of the commands with the module plain, and compiled.

    python bench/compiled.py ../shared/data/wcxb-dev.jsonl.xz -n 60      # writes bench/compiled.md

A module that is compiled against another cannot be used where that one is plain: both figures of a row are taken
without the users of the module. Of several rounds, the least.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.support import BENCH, ROOT, command_environment, cpu_seconds, log, markdown, read_lines

# What all compiled modules share; no module of the project.
SHARED = "native._cython"
_CIMPORT = re.compile(r"^\s*from\s+([\w.]+)\s+cimport", re.M)


def compiled_modules() -> list[str]:
    """The modules that are compiled in this checkout, without the name of the package: `page.blocks.block_table`."""
    found = (ROOT / "ncfilters").rglob("*.so")
    names = {".".join(path.relative_to(ROOT / "ncfilters").parts).partition(".cpython")[0] for path in found}
    return sorted(names - {SHARED})


def copy_with(folder: Path, modules: frozenset[str]) -> Path:
    """A copy of the commands in *folder*, which must not have one, where only these *modules* are compiled."""
    kept = modules | {SHARED} if modules else modules

    def others(where: str, names: list[str]) -> list[str]:
        place = ".".join(Path(where).relative_to(ROOT / "ncfilters").parts)
        own = [(name, f"{place}.{name.partition('.')[0]}".lstrip(".")) for name in names]
        return [name for name, module in own if name == "__pycache__" or name.endswith(".so") and module not in kept]

    for name in ("bin", "models"):
        (folder / name).symlink_to(ROOT / name) if name == "models" else shutil.copytree(ROOT / name, folder / name)
    shutil.copytree(ROOT / "ncfilters", folder / "ncfilters", ignore=others, symlinks=True)
    return folder


def users_of(module: str, modules: frozenset[str]) -> frozenset[str]:
    """Those of the compiled *modules* that are compiled against *module*: they cannot be used where it is plain."""
    direct = {name for name in modules if module in _cimports(name)}
    return frozenset(direct.union(*(users_of(name, modules) for name in direct)))


def _cimports(module: str) -> set[str]:
    """The modules of this package whose C functions and classes a module uses."""
    path = ROOT / "ncfilters" / module.replace(".", "/")
    sources = [path.with_suffix(suffix) for suffix in (".pxd", ".pyx")]
    text = "\n".join([source.read_text() for source in sources if source.exists()])
    package = module.split(".")[:-1]
    out = set()
    for name in _CIMPORT.findall(text):
        up = len(name) - len(name.lstrip("."))
        if up:
            out.add(".".join([*package[: len(package) - up + 1], name[up:]]))
        elif name.startswith("ncfilters."):
            out.add(name.removeprefix("ncfilters."))
    return out


# What the modules are measured in.
COMMANDS = {"plain": ["-j", "1", "-f", "jsonl"], "markup": ["-j", "1", "-f", "jsonl", "--markup", "--as", "markdown"]}
# A module on the list brings at least this share of the CPU of a page in one of the commands.
MIN_SHARE = 0.02


def cpu_of(folder: Path, options: Sequence[str], pages: Path, rounds: int) -> float:
    """CPU seconds of nc-clean in a folder, start-up included: the least of some rounds."""

    def run() -> None:
        command = [sys.executable, str(folder / "bin" / "nc-clean"), *options, str(pages)]
        subprocess.run(command, stdout=subprocess.DEVNULL, env=command_environment(), check=True)

    run()  # bytecode
    return min(cpu_seconds(run) for _ in range(rounds))


def rows(pages: Path, number: int, rounds: int) -> list[list[str]]:
    """A row for each compiled module, and one for all: milliseconds a page, and the share that compiling saves."""
    modules = frozenset(compiled_modules())
    known: dict[frozenset[str], dict[str, float]] = {}

    def measured(compiled: frozenset[str]) -> dict[str, float]:
        if compiled not in known:
            with tempfile.TemporaryDirectory() as folder:
                copy = copy_with(Path(folder, "copy"), compiled)
                known[compiled] = {
                    name: cpu_of(copy, options, pages, rounds) * 1000 / number for name, options in COMMANDS.items()
                }
        return known[compiled]

    every = measured(modules)
    out = [row("all", measured(frozenset()), every, every)]
    for module in sorted(modules):
        log(module)
        without_users = modules - users_of(module, modules)
        out.append(row(module, measured(without_users - {module}), measured(without_users), every))
    return out


def row(name: str, plain: dict[str, float], compiled: dict[str, float], every: dict[str, float]) -> list[str]:
    """A row of the table: for each command, CPU with the module plain and compiled, and the share of a page's CPU that
    it brings."""
    cells = [name]
    for command in COMMANDS:
        saved = (plain[command] - compiled[command]) / every[command]
        cells += [f"{plain[command]:.2f}", f"{compiled[command]:.2f}", f"{saved:.0%}"]
    return cells


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=Path, metavar="PAGES", help="records with html")
    parser.add_argument("-n", "--number", type=int, default=60, help="pages (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds (default: %(default)s)")
    parser.add_argument("-o", "--output", type=Path, default=BENCH / "compiled.md", metavar="FILE")
    args = parser.parse_args()
    lines = read_lines(args.pages)[: args.number]
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.writelines(lines)
        file.flush()
        table = rows(Path(file.name), len(lines), args.rounds)
    header = ["module"]
    for name in COMMANDS:
        header += [f"{name}: plain, ms", "compiled, ms", "share"]
    name = args.pages.name.partition(".")[0]
    text = (
        f"# What compiling brings\n\nBy `bench/compiled.py`: nc-clean on {len(lines)} pages of {name}, start-up "
        f"included, the least of {args.rounds} rounds. Both figures of a module are without the modules that are "
        f"compiled against it. The share is of the CPU of a page with all compiled; a module of rules that brings less "
        f"than {MIN_SHARE:.0%} with both commands is not compiled.\n\n"
    )
    args.output.write_text(text + "".join(markdown(header, table)))


if __name__ == "__main__":
    main()
