"""A CSS selector of the element of a segment, for rules of one's own (`nc-segment --drop-elements`).

selector_of("body/main#c/div.specs.wide/ul/li")    # 'div.specs.wide ul li'
"""

from __future__ import annotations

import re

from ..page.blocks.dom_path import ELLIPSIS, MAX_NAME_CHARS

_ELEMENT = re.compile(r"([a-z][a-z0-9-]*)(?::[a-z]+)*(#[^.]*)?(\..*)?", re.S)
# Ids and classes that a selector has as they are.
_PLAIN = re.compile(r"[A-Za-z_][\w-]*", re.A)


def selector_of(path: str) -> str:
    """The selector of the element with a *path* (see `dom_path`): its name, and those of the elements around it up to
    the first one with an id or a class that a selector can have. A path does not tell a class with a dot from two."""
    out: list[str] = []
    for element in reversed(path.split("/")):
        match = _ELEMENT.fullmatch(element)
        if match is None or element == ELLIPSIS.strip("/"):
            break
        marks = _marks(match[2] or "", match[3] or "")
        out.append(match[1] + marks)
        if marks:
            break
    return " ".join(reversed(out))


def _marks(identity: str, classes: str) -> str:
    """The id in a path, if it is plain, or the classes that are; those that the path may have cut are left out. None of
    an id and classes: the id may have a dot."""
    if identity and classes:
        return ""
    name = identity[1:]
    if _PLAIN.fullmatch(name) and len(name) < MAX_NAME_CHARS and "_" not in name:  # a space and a slash become `_`
        return f"#{name}"
    names = classes[1:].split(".") if classes else []
    if len(classes) > MAX_NAME_CHARS:
        names.pop()
    return "".join([f".{name}" for name in names if _PLAIN.fullmatch(name) and "_" not in name])
