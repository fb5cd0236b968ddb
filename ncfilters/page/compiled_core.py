"""The compiled core, where there is one that reads trees as selectolax does. NC_WALK says whether it is used.

    core()                # the module, or None
    description()         # 'c', or 'python (…)'

The core finds lexbor's functions in the library of selectolax. A small page shows whether it reads them alike. Every
compiled function has one in Python, which is the reference. The environment variable NC_WALK chooses (`python` or `c`).
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any

from ..text.compiled_modules import COMPILED as COMPILED
from ..text.compiled_modules import PYTHON as PYTHON
from ..text.compiled_modules import VARIABLE as VARIABLE
from ..text.compiled_modules import chosen as chosen
from ..text.compiled_modules import load as load

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# A page with each kind of node that the core reads from lexbor's structures.
_SAMPLE = (
    "<!doctype html><title>a</title><!-- b --><p id=c class='d e' hidden>f é 中<b data-g>h<br></b> i"
    "<svg xlink:href=j><foreignObject>k<title>l</title></foreignObject></svg><p><title>m"
)


@cache
def core() -> Any:
    """The compiled core, or None (see `chosen`)."""
    return chosen(find_core)


@cache
def strings() -> Any:
    """The compiled core for functions of strings alone, or None: it needs no parser."""
    return chosen(lambda: load("ncfilters.page._core"))


@cache
def makes_nodes() -> bool:
    """Whether the compiled core makes nodes of the parser's module of their addresses."""
    from selectolax import lexbor  # start-up: as find_core

    compiled, root = core(), lexbor.LexborHTMLParser(_SAMPLE).root
    return bool(compiled and root is not None and compiled.learn_nodes(root, root.mem_id, root.parser))


def description() -> str:
    """What is in use, and why it is not the compiled core."""
    if os.environ.get(VARIABLE) == PYTHON:
        return f"{PYTHON} ({VARIABLE}={PYTHON})"
    found, problem = find_core()
    return f"{PYTHON} ({problem})" if found is None else COMPILED


def find_core() -> tuple[Any, str]:
    """The compiled core, connected to the parser; or None and why it cannot be used."""
    from selectolax import lexbor  # start-up: --help needs no parser

    core, problem = load("ncfilters.page._core", lambda core: core.connect(lexbor.__file__))
    if core is None:
        return None, problem
    root = lexbor.LexborHTMLParser(_SAMPLE).root
    if root is None or core.nodes(root.mem_id) != [_description(node) for node in root.traverse(include_text=True)]:
        return None, "the parser has other structures"
    return core, ""


def _description(node: LexborNode) -> tuple[Any, ...]:
    """A node as the core describes it."""
    if node.tag == "-text":
        return (node.mem_id, node.text_content)
    if node.tag is None or node.tag.startswith("-"):
        return (node.mem_id,)
    return (node.mem_id, node.tag, node.attributes)
