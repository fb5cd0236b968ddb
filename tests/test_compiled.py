"""What is compiled: the list in setup.py, the .pxd files, and both forms of each module agree."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from conftest import ROOT
from uncompiled import is_compiled

PACKAGE = ROOT / "ncfilters"
NATIVE_LINES = 2_500


def listed() -> list[str]:
    """The value of COMPILED in setup.py."""
    for node in ast.parse((ROOT / "setup.py").read_text()).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "COMPILED":
            return [str(name) for name in ast.literal_eval(node.value)]
    raise AssertionError("setup.py has no COMPILED")


def path_of(name: str, suffix: str = ".py") -> Path:
    return (PACKAGE / name.replace(".", "/")).with_suffix(suffix)


def test_each_module_of_the_list_has_its_types_and_none_else() -> None:
    with_types = {".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in PACKAGE.rglob("*.pxd")}
    assert sorted(with_types) == listed()


def test_only_native_has_second_forms_and_stays_small() -> None:
    assert [path for path in PACKAGE.rglob("*.pyx") if path.parent.name != "native"] == []
    assert all(path.with_suffix(".py").exists() for path in PACKAGE.rglob("*.pyx"))
    files = [path for path in (PACKAGE / "native").iterdir() if path.suffix in (".py", ".pyx", ".pxd")]
    assert sum(len(path.read_text().splitlines()) for path in files) <= NATIVE_LINES


def test_there_is_no_c() -> None:
    assert [path for suffix in ("*.c", "*.h") for path in PACKAGE.rglob(suffix)] == []


@pytest.mark.parametrize("name", [name for name in listed() if path_of(name, ".pyx").exists()])
def test_both_forms_in_native_have_the_same_functions(name: str) -> None:
    plain = {
        node.name
        for node in ast.parse(path_of(name).read_text()).body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
    }
    text = path_of(name, ".pyx").read_text() + path_of(name, ".pxd").read_text()
    assert [one for one in sorted(plain) if not re.search(rf"^(?:cp?def|def|class)\b.*\b{one}\b", text, re.M)] == []


def test_what_is_compiled_is_newer_than_its_sources() -> None:
    """Tests of a module that has changed since would test what it was."""
    for built in PACKAGE.rglob("*.so"):
        source = built.parent / built.name.partition(".")[0]
        for suffix in (".py", ".pyx", ".pxd"):
            if (path := source.with_suffix(suffix)).exists():
                assert path.stat().st_mtime <= built.stat().st_mtime, f"{path}: python setup.py build_ext --inplace"


def test_all_or_nothing_is_compiled_here() -> None:
    """A checkout with half of the modules built would test neither form."""
    built = [name for name in listed() if is_compiled(f"ncfilters.{name}")]
    assert built in ([], listed()), "python setup.py build_ext --inplace"


def test_each_compiled_module_is_measured() -> None:
    text = (ROOT / "bench" / "compiled.md").read_text()
    assert [name for name in listed() if f"| {name} |" not in text] == [], "python bench/compiled.py"
