"""Copies of the checkout in which some modules are not compiled.

with TemporaryDirectory() as folder:
    plain = copy_with(Path(folder), frozenset())    # nothing compiled; plain / "bin" has its commands
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from bench.support import ROOT

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
