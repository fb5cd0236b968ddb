"""Bait for regular expressions: texts that search from each of their places as far as they can.

    page("opyright", 100)     # a page with "opyright" * 100 wherever a page has text
    bait_of_patterns()        # such texts for the patterns of all modules, by the module and the name of a pattern
    bait_of_patterns(LARGE)   # texts of 50, 100 and 200 KB

The pieces of a text are the literals of a pattern and a character of each of its classes.
"""

from __future__ import annotations

import html
import importlib
import itertools
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import regex

import ncfilters
from ncfilters.text.lazy_pattern import LazyPattern

try:
    from re import _constants as codes  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]
except ImportError:  # Python 3.10
    import sre_constants as codes
    import sre_parse as parser


class Sizes(NamedTuple):
    """Characters of texts, and how much more than in proportion to them the time of one may grow."""

    chars: tuple[int, ...]
    growth: float


SMALL, LARGE = Sizes((1_500, 6_000), 2), Sizes((50_000, 100_000, 200_000), 1.2)
# What takes less seconds for the shortest text is linear. Times are the least of some rounds, with longer and longer
# pauses: other processes run, too.
LEAST, ROUNDS, PAUSE = 0.0005, 20, 0.01
# Patterns whose texts are cut before, or that are only matched where a text begins; and where that is.
BOUNDED = {
    "page.metadata.author_patterns.": "author_patterns.MAX_CHARS",
    "page.metadata.prices._PRICE": "prices.MAX_PRICE_CHARS",
    "page.tidy._INSTRUCTION": "a page ends with a tag, and what is before its > is one match",
    "segmentation.delimited_formulas._FORMULA": "delimited_formulas.MAX_CHARS, _without_unclosed",
    "segmentation.labelled_segments._PUBLISHED": "labelled_segments._DAYS, match",
    "segmentation.labelled_segments._CHANGED": "labelled_segments._DAYS, match",
    "segmentation.page_language._NO_TEXT": "page_language.SAMPLE_CHARS",
    "selection.forms.anchors._BACK_AT_END": "anchors._end, match",
}
# Pieces of a pattern, and those that begin a text of others.
MAX_PIECES, MAX_FIRST = 24, 7
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


def bait_of_patterns(sizes: Sizes = SMALL) -> Iterator[tuple[str, str, float]]:
    """The name of a pattern and of its method, the text that bites, and how much more than in proportion to its length
    the time grows."""
    used = uses()
    for name, pattern in patterns():
        if is_bounded(name):
            continue
        module, _, own = name.rpartition(".")
        methods = used["" if own[0] != "_" else module].get(own, {""})
        for method in ["finditer"] if "" in methods else sorted(methods & _METHODS.keys()):
            if worst := _worst_bait(pattern, method, sizes):
                yield f"{name}.{method}", *worst


def is_bounded(name: str) -> bool:
    """Whether a pattern is in BOUNDED."""
    return name.removeprefix("ncfilters.").startswith(tuple(BOUNDED))


def uses() -> dict[str, dict[str, set[str]]]:
    """The methods by which each module uses its names, and, as those of the module "", all modules; "" for a use that
    is no method."""
    out: dict[str, dict[str, set[str]]] = {"": {}}
    root = Path(ncfilters.__path__[0])
    for path in root.rglob("*.py"):
        text = re.sub(r"^ *from \S+ import (?:\([^)]*\)|.*)|^\w+(?:: [^=\n]+)? = ", "", path.read_text(), flags=re.M)
        names = out.setdefault(".".join((root.name, *path.relative_to(root).with_suffix("").parts)), {})
        for name, method in re.findall(r"(?<!\w)(_?[A-Z][A-Z0-9_]+)\b(?:\.(\w+))?", text):
            for found in (names, out[""]):
                found.setdefault(name, set()).add(method)
    return out


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


def _worst_bait(pattern: Any, method: str, sizes: Sizes) -> tuple[str, float] | None:
    parts = pieces(pattern)
    pairs = [one + other for one, other in zip(parts, parts[1:])]
    # a piece of the pattern, and then many of another
    runs = [(one, other) for one, other in itertools.permutations(parts[:MAX_FIRST], 2)]
    for start, text in [*(("", text) for text in dict.fromkeys([*parts, *pairs, "".join(parts)])), *runs]:
        # an odd number of backslashes may be another matter than an even one
        count = sizes.chars[0] // len(text)
        texts = [start + text * (count * size // sizes.chars[0]) for size in sizes.chars]
        growth = _growth(pattern, method, texts, sizes.growth)
        if growth > sizes.growth:
            return start + text, growth
    return None


def _growth(pattern: Any, method: str, texts: list[str], most: float) -> float:
    """How much more than in proportion to their lengths the time of texts grows; any value below *most* ends it."""
    best = [float("inf")] * len(texts)
    growth = 0.0
    for number in range(ROUNDS):
        time.sleep(number * PAUSE)
        for place, text in enumerate(texts):
            best[place] = min(best[place], _seconds(pattern, method, text))
            if best[0] < LEAST:
                return 0
        pairs = itertools.pairwise(zip(best, map(len, texts)))
        growth = max(more / less * short / long for (less, short), (more, long) in pairs)
        if growth <= most:
            break
    return growth


def _seconds(pattern: Any, method: str, text: str) -> float:
    start = time.process_time()
    _METHODS[method](pattern, text)
    return max(time.process_time() - start, 1e-6)


def _search_all(pattern: Any, text: str) -> None:
    for _ in pattern.finditer(text):
        pass


# How the methods of patterns are tried: one that searches all of a text takes longest.
_METHODS: dict[str, Callable[[Any, str], object]] = {
    **dict.fromkeys(("finditer", "findall", "sub", "subn", "split"), _search_all),
    "search": lambda pattern, text: pattern.search(text),
    "match": lambda pattern, text: pattern.match(text),
    "fullmatch": lambda pattern, text: pattern.fullmatch(text),
}
