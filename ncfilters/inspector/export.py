"""A document as one file: its page, segments, texts and figures, to send by mail and to open anywhere.

    report(analysis, "0", record, Settings())    # '<!doctype html>…'

The file loads nothing. Only its own script may run, which its policy names by a hash.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from ..errors import RecordError, UsageError
from ..record import Record
from . import gold_view, views
from .analysis import Analysis
from .resources import script_json, static_text, templates
from .settings import Settings


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
            data["runs"] = gold_view.runs(record, texts["plain"])
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
