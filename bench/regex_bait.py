"""Bait for regular expressions: texts that search from each of their places as far as they can.

    page("opyright", 100)     # a page with "opyright" * 100 wherever a page has text
    bait_of_patterns()        # such texts for the patterns of all modules, by the module and the name of a pattern

The pieces of a text are the literals of a pattern and a character of each of its classes.
"""

from __future__ import annotations

import html
import importlib
import itertools
import pkgutil
import re
import time
from collections.abc import Iterator
from typing import Any

import regex

import ncfilters
from ncfilters.text.lazy_pattern import LazyPattern

try:
    from re import _constants as codes  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]
except ImportError:  # Python 3.10
    import sre_constants as codes
    import sre_parse as parser

# Characters of a short text; a long one has four times as many. Seconds of a pattern, and how much longer the long text
# takes: 4 times is linear, 16 times quadratic.
SIZE, SECONDS, GROWTH = 2_000, 2.0, 9
MAX_PIECES = 24
_CATEGORIES = {codes.CATEGORY_SPACE: " ", codes.CATEGORY_DIGIT: "1", codes.CATEGORY_WORD: "a"}


def page(text: str, count: int) -> str:
    """A page with the text, repeated, as title, description, author, heading, paragraph, date, name, style, address,
    code, formula, cell, JSON and note."""
    long = text * count
    value = html.escape(long, quote=True)
    body = html.escape(long)
    return (
        f"<title>{body}</title><meta name=author content='{value}'><meta name=description content='{value}'>"
        f"<meta name=date content='{value}'><link rel=canonical href='{value}'><h1>{body}</h1>"
        f"<p class=byline>{body}</p><p class='{value}'>{body}</p><time datetime='{value}'>{body}</time>"
        f"<p id='{value}' style='{value}'>{body}</p><a href='{value}'>{body}</a><img src='{value}' alt='{value}' "
        f"srcset='{value}' width='{value}'><pre><code class='{value}'>{body}</code></pre><table><tr><td>{body}<td>1"
        f"</table><sup><a href='#{value}'>{body}</a></sup><li value='{value}'>{body}</li>"
        f"<script type='math/tex'>{long.replace('</', '')}</script><math alttext='{value}'><mi>{body}</mi></math>"
        f"<script type='application/ld+json'>{long.replace('</', '')}</script><p>{body}"
    )


def bait_of_patterns() -> Iterator[tuple[str, str, float]]:
    """The name of a pattern, the text that bites, and how much longer a text takes that is four times as long."""
    for name, pattern in patterns():
        worst = _worst_bait(pattern)
        if worst:
            yield name, *worst


def patterns() -> Iterator[tuple[str, Any]]:
    """All compiled patterns of the modules, each once."""
    found = set()
    for module in pkgutil.walk_packages(ncfilters.__path__, "ncfilters."):
        try:
            names = vars(importlib.import_module(module.name))
        except ImportError:  # of an optional library
            continue
        for name, value in list(names.items()):
            for pattern in value.values() if isinstance(value, dict) else value if _is_series(value) else [value]:
                pattern = pattern.compiled if isinstance(pattern, LazyPattern) else pattern
                if not isinstance(pattern, (re.Pattern, regex.Pattern)) or not isinstance(pattern.pattern, str):
                    continue
                if (pattern.pattern, pattern.flags) not in found:
                    found.add((pattern.pattern, pattern.flags))
                    yield f"{module.name}.{name}", pattern


def _is_series(value: object) -> bool:
    return isinstance(value, (tuple, list))


def pieces(pattern: Any) -> list[str]:
    """The literals of a pattern and a character of each of its classes, and some that end words and lines."""
    out: list[str] = []
    try:
        _collect(parser.parse(pattern.pattern, pattern.flags & ~re.U if isinstance(pattern, re.Pattern) else 0), out)
    except (re.error, RecursionError, ValueError):  # syntax of the module regex
        out += ["\u00e9", "\u0301"]
    return list(dict.fromkeys([*filter(None, out), *"a \n<>1."]))[:MAX_PIECES]


def _collect(tree: Any, out: list[str]) -> None:
    literal = ""
    for operation, argument in tree:
        if operation is codes.LITERAL:
            literal += chr(argument)
            continue
        out.append(literal)
        literal = ""
        if operation is codes.IN:
            out += [_member(*member) for member in argument[:3]]
        elif operation is codes.BRANCH:
            for branch in argument[1][:40]:
                _collect(branch, out)
        elif operation in (codes.ANY, codes.NOT_LITERAL):
            out.append("x")
        elif isinstance(argument, parser.SubPattern):
            _collect(argument, out)
        elif isinstance(argument, tuple) and argument and isinstance(argument[-1], parser.SubPattern):
            _collect(argument[-1], out)
    out.append(literal)


def _member(operation: Any, argument: Any) -> str:
    if operation is codes.LITERAL:
        return chr(argument)
    if operation is codes.RANGE:
        return chr(argument[0])
    return _CATEGORIES.get(argument, "-") if operation is codes.CATEGORY else "x"


def _worst_bait(pattern: Any) -> tuple[str, float] | None:
    parts = pieces(pattern)
    tried = [*parts, *(one + other for one, other in itertools.permutations(parts, 2)), "".join(parts)]
    end = time.process_time() + SECONDS
    worst: tuple[str, float] | None = None
    for text in tried:
        if time.process_time() > end:
            break
        short, long = (_seconds(pattern, text * (size // len(text))) for size in (SIZE, 4 * SIZE))
        if long > 0.004 and long / short > GROWTH and (worst is None or long > worst[1]):
            worst = text, long
    return worst and (worst[0], worst[1])


def _seconds(pattern: Any, text: str) -> float:
    start = time.process_time()
    for _ in pattern.finditer(text):
        pass
    return max(time.process_time() - start, 1e-6)
