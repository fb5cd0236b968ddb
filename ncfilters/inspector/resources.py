"""Templates, style sheets and scripts, and a document as one file, to send by mail and to open anywhere.

    report(analysis, "0", record, Settings())    # '<!doctype html>…'

The report loads nothing. Only its own script may run, which its policy names by a hash.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Hashable
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson
from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from ..errors import RecordError, UsageError
from ..record import Record
from . import views
from .analysis import Analysis, Settings

# Characters that could end an element `script`, or a line in it.
_ESCAPED = "<>&\u2028\u2029"


def report(analysis: Analysis, key: Hashable, record: Record, settings: Settings) -> str:
    """The report on a document, as HTML. Raises RecordError and UsageError."""
    view = views.document_view(analysis, key, record, replace(settings, form="plain"))
    texts = {form: str(analysis.result(key, record, replace(settings, form=form))["text"]) for form in views.FORMS}
    stylesheet = static_text("frame.css")
    data: dict[str, Any] = {
        "key": str(key),
        "view": view,
        "texts": texts,
        "reasons": _reasons(analysis, key, record, settings.model),
        "record": views.record_json(analysis, key, record, settings),
        "page": views.frame_page(analysis, key, record, False, stylesheet),
        "default": {"model": settings.model, "form": settings.form},
        "hasGold": bool(record.get("gold")),
        "labels": None,
    }
    if data["hasGold"]:
        try:
            data["runs"] = views.runs(record, texts["plain"])
        except RecordError:
            data["hasGold"] = False
    scripts = [static_text("theme.js"), static_text("inspect.js")]
    title = str(record.get("id") or record.get("url") or "page")[:200]
    return (
        templates()
        .get_template("report.html")
        .render(
            title=title,
            url=str(record.get("url") or "")[:500],
            data=script_json(data),
            scripts=scripts,
            policy=_policy(scripts),
            stylesheet=static_text("inspect.css"),
            choices=views.choices(analysis),
            has_gold=data["hasGold"],
            can_label=False,
            static=True,
            model=settings.model,
        )
    )


def _policy(scripts: list[str]) -> str:
    """The content security policy of the report. The page in it inherits this one and has a stricter one besides."""
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" for script in scripts
    )
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        "form-action 'none'; frame-src 'self'"
    )


def _reasons(analysis: Analysis, key: Hashable, record: Record, model: str) -> list[Any]:
    try:
        return analysis.reasons(key, record, model)
    except UsageError:
        return []


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
