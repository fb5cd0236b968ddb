"""The compiled core is used where it fits the parser, and where NC_WALK wants it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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
