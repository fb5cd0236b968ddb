"""How much of the elements of a page a system's output has: a figure for each row of `bench/markup.md`.

scores(elements_of_markdown("# Rain"), elements_of_markdown("# Rain\\n\\n# Wind"))    # {'headings': 0.667, …}

A figure is from 0 to 1. It is missing where the page does not have the element.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rapidfuzz import fuzz

from bench.markup_elements import Elements, spaceless

# The least similarity (0 to 100) of a code block, of a footnote, with the one that is expected.
SAME_CODE, SAME_NOTE = 80, 85
# Names of languages that mean the same.
SAME_LANGUAGE = {
    "py": "python",
    "python3": "python",
    "js": "javascript",
    "ts": "typescript",
    "sh": "bash",
    "shell": "bash",
    "console": "bash",
    "shell-session": "bash",
    "yml": "yaml",
    "c++": "cpp",
    "golang": "go",
    "rb": "ruby",
    "jscript": "javascript",
    "rs": "rust",
    "htm": "html",
    "text": "",
    "plain": "",
    "none": "",
    "default": "",
}

Row = Callable[[Elements, Elements], "float | None"]


def f_score(expected: Counter[Any], found: Counter[Any]) -> float | None:
    """F of two multisets; None if nothing is expected."""
    if not expected:
        return None
    both = sum((expected & found).values())
    return 2 * both / (sum(expected.values()) + sum(found.values()))


def code_pairs(expected: Elements, found: Elements) -> list[tuple[tuple[str, str], tuple[str, str] | None]]:
    """Each code block that is expected, and the most similar one of those that are left; None if none is similar."""
    left = list(found.code)
    pairs: list[tuple[tuple[str, str], tuple[str, str] | None]] = []
    for block in expected.code:
        wanted = spaceless(block[0])
        best = max(left, key=lambda other: fuzz.ratio(wanted, spaceless(other[0])), default=None)
        if best is not None and fuzz.ratio(wanted, spaceless(best[0])) >= SAME_CODE:
            left.remove(best)
        else:
            best = None
        pairs.append((block, best))
    return pairs


def code_found(expected: Elements, found: Elements) -> float | None:
    """The share of code blocks that are blocks of code."""
    return _share([block is not None for _, block in code_pairs(expected, found)])


def code_exact(expected: Elements, found: Elements) -> float | None:
    """The share of code blocks with exactly the same lines and indents."""
    return _share([block is not None and block[0] == own[0] for own, block in code_pairs(expected, found)])


def code_language(expected: Elements, found: Elements) -> float | None:
    """The share of code blocks in a known language that have its name."""
    pairs = [(own[1], block) for own, block in code_pairs(expected, found) if own[1]]
    return _share([block is not None and _language(block[1]) == _language(name) for name, block in pairs])


def tex_found(expected: Elements, found: Elements) -> float | None:
    """The share of formulas whose TeX is in the output."""
    text = spaceless(found.text)
    plain = re.sub(r"\\([^\w\s])", r"\1", text)  # with Markdown's escapes, or without
    return _share([tex in text or tex in plain or tex in found.formulas for tex in expected.formulas])


def tex_delimited(expected: Elements, found: Elements) -> float | None:
    """The share of formulas that are formulas in the output."""
    left = Counter(found.formulas)
    return _share([_take(left, tex) for tex in expected.formulas])


def notes_linked(expected: Elements, found: Elements) -> float | None:
    """The share of footnotes whose mark stands behind the right word and leads to the right text.

    A link to a place in the page counts where Markdown has no place for it, if the text of the note is in the output.
    """
    text = " ".join(re.findall(r"\w+", found.text.casefold()))
    left, out = list(found.notes), []
    for before, note in expected.notes:
        match = next((mark for mark in left if _is_note(mark, (before, note), text)), None)
        if match is not None:
            left.remove(match)
        out.append(match is not None)
    return _share(out)


def _is_note(mark: tuple[str, str], expected: tuple[str, str], text: str) -> bool:
    if _last_word(mark[0]) != _last_word(expected[0]):
        return False
    if mark[1]:
        return fuzz.ratio(mark[1], expected[1]) >= SAME_NOTE
    return expected[1] in text


def _last_word(before: str) -> str:
    """The last word before a mark that is not another mark."""
    return next((word for word in reversed(before.split()) if not word.isdecimal()), "")


def _without_note_items(notes: Sequence[tuple[str, str]], elements: Elements) -> Elements:
    """The elements without the list items that are footnotes: their list is no list of the text."""
    definitions = [note for _, note in notes if note]
    items = {
        item: count
        for item, count in elements.items.items()
        if not any(fuzz.ratio(re.sub(r"^\d+ ", "", item[1]), note) >= SAME_NOTE for note in definitions)
    }
    return replace(elements, items=Counter(items))


def _language(name: str) -> str:
    return SAME_LANGUAGE.get(name, name)


def _take(left: Counter[str], key: str) -> bool:
    left[key] -= 1
    return left[key] >= 0


def _share(hits: Sequence[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None


def _f_of(name: str) -> Row:
    return lambda expected, found: f_score(getattr(expected, name), getattr(found, name))


# The rows of the tables: what is compared, and the field of Elements that must be empty where a page has none.
ROWS: dict[str, tuple[Row, str]] = {
    "headings, right level": (_f_of("headings"), "headings"),
    "list items, right depth": (_f_of("items"), "items"),
    "code blocks found": (code_found, "code"),
    "code, lines and indents exact": (code_exact, ""),
    "code, language": (code_language, ""),
    "inline code": (_f_of("inline_code"), "inline_code"),
    "table cells, right row and column": (_f_of("cells"), "cells"),
    "links, text and URL": (_f_of("links"), "links"),
    "images, src": (_f_of("sources"), "sources"),
    "images, alt": (_f_of("alts"), ""),
    "emphasis": (_f_of("emphasis"), "emphasis"),
    "block quotes, words": (_f_of("quotes"), "quotes"),
    "TeX found": (tex_found, ""),
    "TeX delimited": (tex_delimited, "formulas"),
    "footnotes linked": (notes_linked, "notes"),
}


def scores(expected: Elements, found: Elements) -> dict[str, float]:
    """The figure of each row whose element the page has."""
    expected, found = (_without_note_items(expected.notes, one) for one in (expected, found))
    figures = {name: row(expected, found) for name, (row, _) in ROWS.items()}
    return {name: figure for name, figure in figures.items() if figure is not None}


def invented(expected: Elements, found: Elements) -> dict[str, bool]:
    """Of each row whose element the page does not have, whether the output has it."""
    return {name: bool(getattr(found, of)) for name, (_, of) in ROWS.items() if of and not getattr(expected, of)}
