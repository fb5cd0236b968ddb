"""The compiled core is used where it fits the parser, and where NC_WALK wants it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ncfilters.page import compiled_core, html_parser

ROOT = Path(__file__).resolve().parent.parent.parent
needs_core = pytest.mark.skipif(
    compiled_core.core() is None, reason="no compiled core here: python setup.py build_ext --inplace"
)


def run(code: str, wanted: str | None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != compiled_core.VARIABLE}
    if wanted is not None:
        environment[compiled_core.VARIABLE] = wanted
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)


def test_the_environment_chooses() -> None:
    code = "from ncfilters.page import compiled_core; print(compiled_core.core() is None)"
    assert run(code, compiled_core.PYTHON).stdout == "True\n"
    assert "NC_WALK: expected python or c, got 'both'" in run(code, "both").stderr


@needs_core
def test_the_core_is_the_default() -> None:
    code = "from ncfilters.page import compiled_core; print(compiled_core.description())"
    assert run(code, None).stdout == run(code, "").stdout == run(code, compiled_core.COMPILED).stdout == "c\n"


def test_a_core_that_is_wanted_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(compiled_core.VARIABLE, compiled_core.COMPILED)
    with pytest.raises(RuntimeError, match="NC_WALK=c: no library"):
        compiled_core.chosen(lambda: (None, "no library"))


@needs_core
def test_a_library_without_the_functions_is_refused() -> None:
    core = compiled_core.core()
    for library, message in ((os.fspath(core.__file__), "has no lxb_"), ("/nowhere.so", "is not loaded")):
        with pytest.raises(ImportError, match=message):
            core.connect(library)
    assert compiled_core.find_core()[1] == ""


@needs_core
def test_nodes_are_read_as_the_parser_reads_them() -> None:
    tree = html_parser.lexbor_tree("<p id=a class>One<!-- c --><b>\u00e9</b>")
    body = tree.body
    assert body is not None
    core = compiled_core.core()
    assert [node[1:] for node in core.nodes(body.mem_id)] == [
        ("body", {}),
        ("p", {"id": "a", "class": None}),
        ("One",),
        (),
        ("b", {}),
        ("\u00e9",),
    ]
    assert core.text(body.mem_id) == "One\u00e9"
    assert body.child is not None and core.attributes(body.child.mem_id) == {"id": "a", "class": None}


def test_a_core_of_another_version_is_not_used() -> None:
    def set_up(core: Any) -> None:
        core.function_of_a_later_version()

    for module, needed in (("ncfilters.no_such_core", None), ("ncfilters.page.compiled_core", set_up)):
        core, problem = compiled_core.load(module, needed)
        assert core is None and problem
    assert compiled_core.load("ncfilters.page.compiled_core") == (compiled_core, "")
