"""Templates, style sheets and scripts of the inspector, which come with the package.

templates().get_template("paste.html").render(token="…")
static_text("frame.css")
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson
from jinja2 import Environment, PackageLoader
from markupsafe import Markup

# Characters that could end an element `script`, or a line in it.
_ESCAPED = "<>&\u2028\u2029"


@cache
def templates() -> Environment:
    """The templates; text is escaped."""
    out = Environment(loader=PackageLoader(__package__ or ""), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    out.filters["script_json"] = script_json
    out.filters["raw"] = Markup
    return out


def script_json(value: Any) -> Markup:
    """JSON that may stand in an element `script`."""
    text = orjson.dumps(value, default=repr).decode()
    for character in _ESCAPED:
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 # escaped above


def static_folder() -> Path:
    """The folder of style sheets and scripts."""
    return Path(str(files(__package__ or "").joinpath("static")))


@cache
def static_text(name: str) -> str:
    """A style sheet or script."""
    return (static_folder() / name).read_text(encoding="utf-8")
