"""Names in the maps of a record that are no strings: MessagePack has such maps, JSON does not.

place_of_wrong_name({"id": "a", "x": [{"y": 1}, {7: 1}]})    # "x[1]"
"""

from __future__ import annotations

from typing import Any

# Characters of a place that are kept, the last ones: a record may be 1,024 levels deep, with long names.
MAX_PLACE = 100
_NESTED = (dict, list)


def all_are_text(value: Any) -> bool:
    """Whether all names of all maps in a value are strings without U+FFFD, which may stand for anything."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if type(value) is dict:
            if any(type(name) is not str or "\ufffd" in name for name in value):
                return False
            value = value.values()
        elif type(value) is not list:
            continue
        waiting += [item for item in value if type(item) in _NESTED]
    return True


def place_of_wrong_name(value: Any) -> str | None:
    """Where the first map is that has a name which is no string: "" for the value itself. None if there is none."""
    waiting = [("", value)]
    while waiting:
        place, value = waiting.pop()
        if type(value) is list:
            inside = [(f"{place}[{at}]", item) for at, item in enumerate(value) if type(item) in _NESTED]
        elif type(value) is not dict:
            continue
        elif any(type(name) is not str for name in value):
            return place
        else:
            inside = [(_place(place, name), item) for name, item in value.items() if type(item) in _NESTED]
        waiting += reversed(inside)
    return None


def _place(place: str, name: str) -> str:
    """The place of a named value inside *place*, on one line."""
    name = name[-MAX_PLACE:]
    return f"{place[-MAX_PLACE:]}{'.' if place else ''}{name if name.isprintable() else repr(name)}"
