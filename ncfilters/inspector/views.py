"""What the pages of the inspector show, as data: a document under its settings, the choices of the controls, a report.

view = document_view(analysis, "0", record, Settings())
view["segments"][0]["keep"], view["text"]
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Hashable
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from ..errors import RecordError, UsageError
from ..page.dom_path import ELLIPSIS, MAX_NAME_CHARS
from ..record import Record
from ..roles import POLICIES, ROLES
from ..selection.expected_f import OPERATING_POINTS
from ..selection.formats import OUTPUT_FORMS
from ..selection.options import METHODS
from . import page_view
from .analysis import Analysis, Settings, compare, runs

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

# The fields of a segment that are shown.
FIELDS = (
    *("text", "type", "path", "rule", "hidden", "origin", "links"),
    *("keep", "reason", "option", "score", "role", "class", "perplexity"),
)
# Forms by the names of the choice; `text` is another name of plain.
FORMS = tuple(name for name in OUTPUT_FORMS if name != "text")
# Fields of the record that are too long to be read as JSON.
_CONTENT = ("html", "text")
MAX_JSON_TEXT = 2000
_ELEMENT = re.compile(r"([a-z][a-z0-9-]*)(?::[a-z]+)*(#[^.]*)?(\..*)?", re.S)
# Ids and classes that a selector has as they are; in a path, `_` may be a space or a slash.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9-]*")


# Characters that could end an element `script`, or a line in it.
_ESCAPED = "<>&\u2028\u2029"


def choices(analysis: Analysis) -> dict[str, Any]:
    return {
        "models": analysis.models,
        "policies": {name: policy.description for name, policy in POLICIES.items()},
        "roles": list(ROLES),
        "favours": list(OPERATING_POINTS),
        "methods": list(METHODS),
        "forms": list(FORMS),
    }


def document_view(analysis: Analysis, key: Hashable, record: Record, settings: Settings) -> dict[str, Any]:
    """A document as the settings decide: its segments, its text, and its figures if it has gold. Raises RecordError
    and UsageError."""
    result = analysis.result(key, record, settings)
    page = result.get("page") or {}
    out = {
        "segments": [
            {name: segment[name] for name in FIELDS if name in segment}
            | {"selector": selector_of(segment.get("path", ""))}
            for segment in result["segments"]
        ],
        "text": result["text"],
        "quality": result.get("quality"),
        "lang": result.get("lang"),
        "models": result.get("models") or [],
        "types": (page.get("types") if isinstance(page, dict) else None) or {},
        "title": (result.get("head") or {}).get("title") or "",
        "kept": sum(segment["keep"] for segment in result["segments"]),
    }
    if record.get("gold"):
        try:
            out["gold"] = compare(record, result["segments"], result["text"])
        except RecordError as error:
            out["gold"] = {"error": str(error)}
    return out


def record_json(analysis: Analysis, key: Hashable, record: Record, settings: Settings) -> str:
    """The record as JSON for people to read, with long fields cut."""
    result = analysis.result(key, record, settings)
    shown = {**record, **result}
    for name in _CONTENT:
        if isinstance(value := shown.get(name), str) and len(value) > MAX_JSON_TEXT:
            shown[name] = f"{value[:MAX_JSON_TEXT]}… ({len(value):,} characters)"
    return orjson.dumps(shown, option=orjson.OPT_INDENT_2, default=repr).decode()


def frame_page(
    analysis: Analysis, key: Hashable, record: Record, settings: Settings | None = None, images: bool = False
) -> str:
    """The page of a document with marks, for the frame. Raises RecordError."""
    segments = analysis.parsed(key, record)["segments"]
    html = record.get("html")
    if isinstance(html, str):
        url = record.get("url")
        parts = page_view.page_parts(html, [segment["text"] for segment in segments], str(url or ""), images)
    else:
        parts = page_view.segments_html(segments)
    return page_view.page_html(parts, static_text("frame.css"))


frame_page_with_images = partial(frame_page, images=True)


# ---- selectors


def selector_of(path: str) -> str:
    """The selector of the element with a *path* (see `dom_path`): its name, and those of the elements around it up to
    the first one with an id or a class that a selector can have. A path does not tell a class with a dot from two, and
    may have cut the last name."""
    out: list[str] = []
    for element in reversed(path.split("/")):
        match = _ELEMENT.fullmatch(element)
        if match is None or element == ELLIPSIS.strip("/"):
            break
        identity, classes = match[2] or "", match[3] or ""
        names = classes.split(".")[1 : -1 if len(classes) > MAX_NAME_CHARS else None]
        marks = "".join(f".{name}" for name in names if _PLAIN.fullmatch(name))
        if identity:  # with classes, it may be an id with a dot
            is_plain = not classes and _PLAIN.fullmatch(identity[1:]) and len(identity) <= MAX_NAME_CHARS
            marks = identity if is_plain else ""
        out.append(match[1] + marks)
        if marks:
            break
    return " ".join(reversed(out))


# ---- rendered Markdown


def rendered(analysis: Analysis, key: Hashable, record: Record, settings: Settings) -> str:
    """A page with the Markdown of a document. Raises RecordError and UsageError."""
    return markdown_page(str(analysis.result(key, record, settings)["text"]))


def markdown_page(markdown: str) -> str:
    """A page with the text, without links, images and HTML of its own (see `page_view`)."""
    parts = page_view.page_parts(f'<body class="nc-rendered">{_renderer().render(markdown)}</body>', [])
    return page_view.page_html(parts, static_text("frame.css"), "Text")


@cache
def _renderer() -> MarkdownIt:
    from markdown_it import MarkdownIt  # of the extra web

    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


# ---- templates and reports -------------------------------------------------------------------------------------------


def report(analysis: Analysis, key: Hashable, record: Record, settings: Settings) -> str:
    """The report on a document, as HTML. Raises RecordError and UsageError."""
    view = document_view(analysis, key, record, replace(settings, form="plain"))
    texts = {form: str(analysis.result(key, record, replace(settings, form=form))["text"]) for form in FORMS}
    try:
        reasons = analysis.reasons(key, record, settings)
    except UsageError:
        reasons = []
    data: dict[str, Any] = {
        "key": str(key),
        "view": view,
        "texts": texts,
        "reasons": reasons,
        "record": record_json(analysis, key, record, settings),
        "page": frame_page(analysis, key, record),
        "default": {"model": settings.model, "form": settings.form},
        "labels": None,
    }
    with suppress(RecordError):
        if record.get("gold"):
            data["runs"] = runs(record, texts["plain"])
    scripts = [static_text("theme.js"), static_text("inspect.js")]
    return (
        templates()
        .get_template("report.html")
        .render(
            title=title_of(record) or "page",
            url=str(record.get("url") or "")[:500],
            data=script_json(data),
            scripts=scripts,
            policy=_policy(scripts),
            stylesheet=static_text("inspect.css"),
            choices=choices(analysis),
            has_gold="runs" in data,
            can_label=False,
            static=True,
            model=settings.model,
        )
    )


def title_of(record: Record) -> str:
    return str(record.get("id") or record.get("url") or "")[:200]


def _policy(scripts: list[str]) -> str:
    """The content security policy of the report. The page in it inherits this one and has a stricter one besides."""
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    hashes = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        "form-action 'none'; frame-src 'self'"
    )


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
    return Path(str(files(__package__ or "").joinpath("static")))


@cache
def static_text(name: str) -> str:
    return (static_folder() / name).read_text(encoding="utf-8")
