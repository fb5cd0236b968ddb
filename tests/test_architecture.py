"""The architecture holds: layers, small functions, argparse in commands alone, quick starts, one name everywhere."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT

PACKAGE = ROOT / "ncfilters"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "models" not in path.relative_to(PACKAGE).parts)
COMMANDS = sorted(path.name for path in (ROOT / "bin").glob("nc-*") if path.name != "nc-tune")  # it has left
# A screen and a half. A longer function says in a comment what was measured.
MAX_LINES = 70
HEAVY = ("numpy", "selectolax", "scipy", "html5lib")


def source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(source(path))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node


def module_id(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def test_imports_point_one_way_and_make_no_circle() -> None:
    pytest.importorskip("importlinter", reason="import-linter is not installed")
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as main; main()", "--no-cache"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_argparse_is_in_commands_alone() -> None:
    users = [module_id(path) for path in MODULES if "argparse" in source(path)]
    assert [user for user in users if not user.startswith("commands")] == []


def test_functions_fit_a_screen_and_a_half() -> None:
    long = []
    for path in MODULES:
        lines = source(path).splitlines()
        for function in functions(path):
            length = (function.end_lineno or 0) - function.lineno + 1
            body = "\n".join(lines[function.lineno - 1 : function.end_lineno])
            if length > MAX_LINES and "measured" not in body:
                long.append(f"{module_id(path)}: {function.name} has {length} lines")
    assert long == []


def test_imports_in_functions_give_their_reason() -> None:
    silent = []
    for path in MODULES:
        lines = source(path).splitlines()
        for function in functions(path):
            # a reason stands on the first line of a run of imports, or on the line before
            statements = [node for node in ast.walk(function) if isinstance(node, (ast.Import, ast.ImportFrom))]
            ends = {node.end_lineno for node in statements}
            for node in statements:
                above = lines[node.lineno - 2].strip()
                if node.lineno - 1 not in ends and "#" not in lines[node.lineno - 1] and not above.startswith("#"):
                    silent.append(f"{module_id(path)}:{node.lineno}: {lines[node.lineno - 1].strip()}")
    assert silent == []


def test_classes_have_names_of_their_own() -> None:
    places = defaultdict(list)
    for path in MODULES:
        for node in ast.parse(source(path)).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(module_id(path))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_packages_are_empty_and_have_tests_and_modules_say_what_they_are() -> None:
    inits = [path for path in MODULES if path.name == "__init__.py" and path.parent != PACKAGE]
    assert [module_id(path) for path in inits if source(path)] == []
    others = [path for path in MODULES if path not in inits]
    assert [module_id(path) for path in others if not ast.get_docstring(ast.parse(source(path)))] == []
    packages = {path.parent.relative_to(PACKAGE) for path in MODULES if path.name != "__init__.py"}
    assert [str(name) for name in sorted(packages) if not list((ROOT / "tests" / name).glob("test_*.py"))] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_one_name_everywhere_and_imports_nothing_heavy_for_help(command: str) -> None:
    verb = command.removeprefix("nc-").replace("-", "_")
    assert f"from ncfilters.commands.{verb} import main" in source(ROOT / "bin" / command)
    for twin in (f"tests/commands/test_{verb}.py", f"man/{command}.1", f"tests/cases/{verb}.toml"):
        assert (ROOT / twin).exists(), twin
    code = f"import sys; from ncfilters.commands.{verb} import option_parser; option_parser(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {*HEAVY} & {*done.stdout.split()}
