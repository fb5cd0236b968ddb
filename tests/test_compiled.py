"""What is compiled: the list in setup.py, the .pxd files, and both forms of each module agree."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT
from uncompiled import is_compiled

from ncfilters.native import page_table

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


# ---- pages are read alike with old and new libraries ----
OLDEST = ROOT / "constraints-oldest.txt"
PROBE = "from ncfilters.native import page_table; print(getattr(page_table, 'probe', bool)())"


def installed(what: list[str], folder: Path) -> dict[str, str]:
    """An environment with some versions. Skips the test where they cannot be installed."""
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-compile", "--only-binary", ":all:"]
    done = subprocess.run([*command, "--target", str(folder), *what], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"{' '.join(what)} cannot be installed: {done.stderr.strip().splitlines()[-1]}")
    return {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}


def test_the_oldest_versions_are_those_of_setup_cfg() -> None:
    required = (ROOT / "setup.cfg").read_text().partition("install_requires =")[2].partition("[")[0]
    assert re.findall(r"(.+)==([\d.]+)", OLDEST.read_text()) == re.findall(r"(\w+)>=([\d.]+)", required)


@pytest.mark.slow
@pytest.mark.parametrize("version", ["-r", "selectolax==0.4.13", "selectolax"])
def test_the_main_job_is_the_same(version: str, tmp_path: Path) -> None:
    environment = installed([version, *([str(OLDEST)] if version == "-r" else [])], tmp_path)
    pipe = " | ".join(
        f"{sys.executable} bin/{stage}" for stage in ("nc-segment -v tests/data/crawl.jsonl", "nc-score", "nc-select")
    )
    done = subprocess.run(["bash", "-c", pipe], cwd=ROOT, env=environment, capture_output=True, check=True)
    assert done.stdout == (ROOT / "tests" / "data" / "crawl.txt").read_bytes()
    probe = subprocess.run([sys.executable, "-c", PROBE], cwd=tmp_path, env=environment, capture_output=True, text=True)
    if version != "selectolax":
        assert probe.stdout == "False\n"
        is_compiled = page_table.__file__.endswith(".so")
        assert (b"pip install -U selectolax" in done.stderr) == is_compiled
