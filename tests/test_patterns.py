"""The time of each regular expression grows with its text, and each is one of all supported versions of Python.

The texts are bait: they search from each of their places as far as they can, and are made of the literals of a pattern
and a character of each of its classes.
"""

from __future__ import annotations

import importlib
import itertools
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import regex

import ncfilters
from ncfilters.text.lazy_pattern import LazyPattern

try:
    from re import _constants as codes  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]
except ImportError:  # Python 3.10
    import sre_constants as codes
    import sre_parse as parser


CHARS, GROWTH = (1_500, 6_000), 2  # of texts; how much more than in proportion to them their time may grow
# What takes less seconds for the shortest text is linear. Times are the least of some rounds, with longer and longer
# pauses: other processes run, too.
LEAST, ROUNDS, PAUSE = 0.0005, 20, 0.01
# Patterns whose texts are cut before, or that are only matched where a text begins; and where that is.
BOUNDED = {
    "page.metadata.author_names.": "author_names.MAX_CHARS",
    "page.metadata.structured_data._PRICE": "structured_data.MAX_PRICE_CHARS",
    "page.tidy._INSTRUCTION": "a page ends with a tag, and what is before its > is one match",
    "segmentation.markup._FORMULA": "markup.MAX_CHARS, _without_unclosed",
    "page.metadata.segment_bylines._DAYS": "segment_bylines._labelled, match",
    "segmentation.page_language._NO_TEXT": "page_language.SAMPLE_CHARS",
    "selection.forms.notes._BACK_AT_END": "notes._cut_end, fullmatch",
}
# Pieces of a pattern, and those that begin a text of others.
MAX_PIECES, MAX_FIRST = 24, 7
_CATEGORIES = {codes.CATEGORY_SPACE: " ", codes.CATEGORY_DIGIT: "1", codes.CATEGORY_WORD: "a"}


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


def _worst_bait(pattern: Any, method: str) -> tuple[str, float] | None:
    parts = pieces(pattern)
    pairs = [one + other for one, other in zip(parts, parts[1:])]
    # a piece of the pattern, and then many of another
    runs = [(one, other) for one, other in itertools.permutations(parts[:MAX_FIRST], 2)]
    for start, text in [*(("", text) for text in dict.fromkeys([*parts, *pairs, "".join(parts)])), *runs]:
        # an odd number of backslashes may be another matter than an even one
        count = CHARS[0] // len(text)
        texts = [start + text * (count * size // CHARS[0]) for size in CHARS]
        growth = _growth(pattern, method, texts)
        if growth > GROWTH:
            return start + text, growth
    return None


def _growth(pattern: Any, method: str, texts: list[str]) -> float:
    """How much more than in proportion to their lengths the time of texts grows; any value below GROWTH ends it."""
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
        if growth <= GROWTH:
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


@pytest.mark.slow
def test_the_time_of_a_pattern_grows_with_the_text() -> None:
    used, found = uses(), {}
    for name, pattern in patterns():
        module, _, own = name.rpartition(".")
        methods = used["" if own[0] != "_" else module].get(own, {""})
        for method in ["finditer"] if "" in methods else sorted(methods & _METHODS.keys()):
            if not is_bounded(name) and (worst := _worst_bait(pattern, method)):
                found[f"{name}.{method}"] = worst
    assert found == {}


def test_bait_is_made_of_the_pieces_of_a_pattern_and_bites() -> None:
    assert pieces(re.compile(r"by\s+(?:[A-Z]\d|x*)$"))[:4] == ["by", " ", "A", "1"]
    assert len(dict(patterns())) > 100
    text, growth = _worst_bait(re.compile(r"a+b"), "search") or ("", 0)
    assert set(text) == {"a"} and growth > GROWTH


def test_patterns_are_those_of_all_supported_versions_of_python() -> None:
    # `re` reads possessive quantifiers and atomic groups from Python 3.11 on; mypy checks all but patterns
    newer = []
    for name, pattern in patterns():
        parsed = repr(parser.parse(pattern.pattern)) if isinstance(pattern, re.Pattern) else ""
        if "POSSESSIVE_REPEAT" in parsed or "ATOMIC_GROUP" in parsed:
            newer.append(name)
    assert newer == []
