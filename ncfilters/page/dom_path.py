"""The path of a block: its block ancestors, `name#id.class`, joined by `/`. How it is made, and what it says.

joined("body/main", step("ul", {"class": "steps"}))    # 'body/main/ul.steps'
"""

from __future__ import annotations

import re
from functools import lru_cache

# Bounds, so that it stays readable and deep pages stay linear: characters of an id or a class list, of the whole, and
# of what is kept of a longer one.
MAX_NAME = 32
MAX_PATH, PATH_HEAD, PATH_TAIL = 400, 120, 240

# What stands in a path: a heading, with its level; a list; an item of one.
HEADING = re.compile(r"/h([1-6])(?![\w-])")
LIST = re.compile(r"/(?:ul|ol|menu|dir)(?![\w-])")
ITEM = re.compile(r"/li(?![\w-])")
_NAMED = re.compile(r"[#.][^/]*")


def joined(parent: str, element: str) -> str:
    """The path of an element (see `step`) in its *parent*; of one that is too long, the first and the last elements."""
    path = f"{parent}/{element}" if parent else element
    if len(path) > MAX_PATH:
        # the first elements say which part of the page it is, the last what is near
        path = f"{path[: path.rfind('/', 0, PATH_HEAD)]}/...{path[path.find('/', len(path) - PATH_TAIL) :]}"
    return path


def names(path: str) -> str:
    """The path without ids and classes: the elements' names alone, which no class such as `h2` is taken for."""
    return _NAMED.sub("", path) if "#" in path or "." in path else path


def step(name: str, attributes: dict[str, str | None]) -> str:
    """An element in a path: its name, id and classes."""
    if identity := attributes.get("id"):
        name += "#" + identity[:MAX_NAME].replace(" ", "_").replace("/", "_")
    if classes := attributes.get("class"):
        name += _classes(classes)
    return name


@lru_cache(maxsize=1 << 14)
def _classes(value: str) -> str:
    if ":" in value or "[" in value:
        # utility classes (`md:w-1/2`, `mt-[3px]`) say how it looks, not what it is
        value = " ".join([word for word in value.split() if ":" not in word and "[" not in word])
    value = ".".join(value.split())[:MAX_NAME]
    return "." + value.replace("/", "_") if value else ""
