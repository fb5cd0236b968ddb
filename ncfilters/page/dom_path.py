"""The path of a block: its block ancestors, `name#id.class`, joined by `/`; `name:role#id.class` for those that are
declared to be beside the content (see `open_elements`).

join_path("body/main", "ul" + dotted_classes("steps"))    # 'body/main/ul.steps'
"""

from __future__ import annotations

from ..text.lazy_pattern import lazy_pattern

# Characters of an id or of a list of classes.
MAX_NAME_CHARS = 32
# Characters of a path, and of its first and last elements that are kept of a longer one. This keeps paths readable and
# the time for deep pages linear.
MAX_PATH_CHARS, PATH_HEAD_CHARS, PATH_TAIL_CHARS = 400, 120, 240
# What stands for the elements that a long path lacks.
ELLIPSIS = "/..."

# In a path: a heading, with its level; a list; a list item.
HEADING = lazy_pattern(r"/h([1-6])(?![\w-])")
LIST = lazy_pattern(r"/(?:ul|ol|menu|dir)(?![\w-])")
ITEM = lazy_pattern(r"/li(?![\w-])")

MAX_KNOWN_CLASSES = 1 << 14
_known_classes: dict[str, str] = {}  # of the attributes class of pages, many of which are alike
_ID_OR_CLASSES = lazy_pattern(r"[#.:][^/]*")


def join_path(parent: str, element: str) -> str:
    """The path of an *element* in its *parent*; if it is too long, only the first and last
    elements."""
    path = f"{parent}/{element}" if parent else element
    if len(path) > MAX_PATH_CHARS:
        # the first elements identify the part of the page, the last ones the immediate context
        head, tail = path.rfind("/", 0, PATH_HEAD_CHARS), path.find("/", len(path) - PATH_TAIL_CHARS)
        path = f"{path[:head]}{ELLIPSIS}{path[tail:]}"
    return path


def dotted_id(identity: str) -> str:
    """An id in a path."""
    return "#" + identity[:MAX_NAME_CHARS].replace(" ", "_").replace("/", "_") if identity else ""


def tag_names(path: str) -> str:
    """The path without ids and classes, so that a class such as `h2` is not taken for an element."""
    return _ID_OR_CLASSES.sub("", path) if "#" in path or "." in path or ":" in path else path


def dotted_classes(value: str) -> str:
    """Classes in a path."""
    known: str | None = _known_classes.get(value)
    if known is None:
        if len(_known_classes) >= MAX_KNOWN_CLASSES:
            _known_classes.clear()
        known = _known_classes[value] = _dotted_classes(value)
    return known


def _dotted_classes(value: str) -> str:
    if ":" in value or "[" in value:
        # utility classes (`md:w-1/2`, `mt-[3px]`) describe the appearance of an element, not its function
        value = " ".join([word for word in value.split() if ":" not in word and "[" not in word])
    value = ".".join(value.split())[:MAX_NAME_CHARS]
    return "." + value.replace("/", "_") if value else ""


def bounded_path(path: str) -> str:
    """A path of other programs; if it is longer than MAX_PATH_CHARS, its first and last steps."""
    if len(path) <= MAX_PATH_CHARS:
        return path
    head = path[:PATH_HEAD_CHARS].rpartition("/")[0]
    return f"{head}/.../{path[-PATH_TAIL_CHARS:].partition('/')[2]}"


def without_id(step: str) -> str:
    """`div.post` for `div#main.post`."""
    if "#" not in step:
        return step
    name, _, rest = step.partition("#")
    at = rest.find(".")
    return name + rest[at:] if at >= 0 else name
