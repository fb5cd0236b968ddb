"""What the pages of the inspector show, as data: a document under its settings, and the choices of the controls.

view = document_view(analysis, "0", record, Settings())
view["segments"][0]["keep"], view["text"]
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import orjson

from ..errors import RecordError
from ..record import Record
from ..roles import POLICIES, ROLES
from ..selection.expected_f import OPERATING_POINTS
from ..selection.formats import OUTPUT_FORMS
from ..selection.options import METHODS
from . import gold_view, page_view
from .analysis import Analysis
from .selectors import selector_of
from .settings import Settings

# The fields of a segment that do not depend on the settings, and those that do.
FIXED_FIELDS = ("text", "type", "tag", "path", "rule", "hidden", "origin", "links", "marker", "level")
LIVE_FIELDS = ("keep", "reason", "option", "score", "role", "class", "perplexity")
# Forms by the names of the choice; `text` is another name of plain.
FORMS = tuple(name for name in OUTPUT_FORMS if name != "text")
# Fields of the record that are too long to be read as JSON.
_CONTENT = ("html", "text", "blocks")
MAX_JSON_TEXT = 2000


def choices(analysis: Analysis) -> dict[str, Any]:
    """What the controls offer."""
    return {
        "models": analysis.models,
        "policies": {name: policy.description for name, policy in POLICIES.items()},
        "roles": list(ROLES),
        "policyRoles": {name: sorted(policy.roles) for name, policy in POLICIES.items()},
        "favours": list(OPERATING_POINTS),
        "methods": list(METHODS),
        "forms": list(FORMS),
    }


def document_view(analysis: Analysis, key: Hashable, record: Record, settings: Settings) -> dict[str, Any]:
    """A document as the settings decide: its segments, its text, and its figures if it has gold. Raises RecordError
    and UsageError."""
    result = analysis.result(key, record, settings)
    out = {
        "segments": [
            {name: segment[name] for name in (*FIXED_FIELDS, *LIVE_FIELDS) if name in segment}
            | {"selector": selector_of(segment.get("path", ""))}
            for segment in result["segments"]
        ],
        **_facts(result),
    }
    if record.get("gold"):
        try:
            out["gold"] = gold_view.compare(record, result["segments"], result["text"])
        except RecordError as error:
            out["gold"] = {"error": str(error)}
    return out


def live_view(analysis: Analysis, key: Hashable, record: Record, settings: Settings) -> dict[str, Any]:
    """The same without the fields of segments that do not change."""
    out = document_view(analysis, key, record, settings)
    out["segments"] = [{name: segment[name] for name in LIVE_FIELDS if name in segment} for segment in out["segments"]]
    return out


def record_json(analysis: Analysis, key: Hashable, record: Record, settings: Settings) -> str:
    """The record as JSON for people to read, with long fields cut."""
    result = analysis.result(key, record, settings)
    shown = {name: _cut(value) if name in _CONTENT else value for name, value in {**record, **result}.items()}
    return orjson.dumps(shown, option=orjson.OPT_INDENT_2, default=repr).decode()


def frame_page(analysis: Analysis, key: Hashable, record: Record, images: bool, stylesheet: str) -> str:
    """The page of a document with marks, for the frame. Raises RecordError."""
    segments = analysis.parsed(key, record)["segments"]
    html = record.get("html")
    if isinstance(html, str):
        url = record.get("url")
        parts = page_view.page_parts(html, [segment["text"] for segment in segments], str(url or ""), images)
    else:
        parts = page_view.segments_html(segments)
    return page_view.page_html(parts, stylesheet)


def _facts(result: Record) -> dict[str, Any]:
    page = result.get("page") or {}
    types = page.get("types") if isinstance(page, dict) else None
    return {
        "text": result["text"],
        "quality": result.get("quality"),
        "lang": result.get("lang"),
        "models": result.get("models") or [],
        "types": types or {},
        "title": (result.get("head") or {}).get("title") or "",
        "kept": sum(segment["keep"] for segment in result["segments"]),
    }


def _cut(value: Any) -> Any:
    if isinstance(value, str) and len(value) > MAX_JSON_TEXT:
        return f"{value[:MAX_JSON_TEXT]}… ({len(value):,} characters)"
    return value
