"""What the pages of the inspector show, as data: a document under its settings, and the choices of the controls.

view = document_view(analysis, "0", record, Settings())
view["segments"][0]["keep"], view["text"]
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import orjson

from ..dataset import labelling
from ..dataset.gold import gold_of
from ..errors import RecordError
from ..evaluation.metrics import bag_overlap, precision_recall_f
from ..page.blocks.dom_path import ELLIPSIS, MAX_NAME_CHARS
from ..record import Record
from ..roles import POLICIES, ROLES
from ..selection.expected_f import OPERATING_POINTS
from ..selection.formats import OUTPUT_FORMS
from ..selection.options import METHODS
from ..text.words import words
from . import page_view
from .analysis import Analysis, Settings

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

# The fields of a segment that do not depend on the settings, and those that do.
FIXED_FIELDS = ("text", "type", "tag", "path", "rule", "hidden", "origin", "links", "marker", "level")
LIVE_FIELDS = ("keep", "reason", "option", "score", "role", "class", "perplexity")
# Forms by the names of the choice; `text` is another name of plain.
FORMS = tuple(name for name in OUTPUT_FORMS if name != "text")
# Fields of the record that are too long to be read as JSON.
_CONTENT = ("html", "text", "blocks")
MAX_JSON_TEXT = 2000
# Words of a text that are aligned for people to read; longer ones are cut.
MAX_ALIGNED_WORDS = 30_000
_ELEMENT = re.compile(r"([a-z][a-z0-9-]*)(?::[a-z]+)*(#[^.]*)?(\..*)?", re.S)
# Ids and classes that a selector has as they are.
_PLAIN = re.compile(r"[A-Za-z_][\w-]*", re.A)

Run = tuple[str, str]


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
            out["gold"] = compare(record, result["segments"], result["text"])
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


# ---- gold


def compare(document: Record, segments: Sequence[Record], text: str) -> dict[str, Any]:
    """Figures in per cent by the bags of words, and the numbers of the segments that gold and decision see differently.

    Raises RecordError for a gold of another form.
    """
    gold = gold_of(document)
    precision, recall, f = precision_recall_f(bag_overlap(text, gold, False))
    shares = labelling.matched_shares([segment["text"] for segment in segments], gold.plain)
    clean = [share is not None and share >= labelling.CLEAN_SHARE for share in shares]
    return {
        "precision": round(100 * precision, 1),
        "recall": round(100 * recall, 1),
        "f": round(100 * f, 1),
        "missed": [n for n, segment in enumerate(segments) if clean[n] and not segment["keep"]],
        "wrong": [
            n for n, segment in enumerate(segments) if segment["keep"] and not clean[n] and shares[n] is not None
        ],
        "policy": gold.policy,
    }


def runs(document: Record, text: str) -> list[Run]:
    """The text and the gold text as runs of words: `equal`, `wrong` (in the text alone) and `missed`. Raises
    RecordError."""
    from rapidfuzz.distance import LCSseq  # of the extra web: only pages with gold need it

    ours, gold = text.split()[:MAX_ALIGNED_WORDS], gold_of(document).plain.split()[:MAX_ALIGNED_WORDS]
    out: list[Run] = []
    keys = [["".join(words(word)) or word for word in side] for side in (ours, gold)]
    for step in LCSseq.opcodes(keys[0], keys[1]):
        if step.tag == "equal":
            out.append(("equal", " ".join(ours[step.src_start : step.src_end])))
            continue
        if step.src_end > step.src_start:
            out.append(("wrong", " ".join(ours[step.src_start : step.src_end])))
        if step.dest_end > step.dest_start:
            out.append(("missed", " ".join(gold[step.dest_start : step.dest_end])))
    return out


# ---- selectors


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


# ---- rendered Markdown


def rendered(analysis: Analysis, key: Hashable, record: Record, settings: Settings, stylesheet: str) -> str:
    """The page with the Markdown of a document. Raises RecordError and UsageError."""
    return markdown_page(analysis.result(key, record, settings)["text"], stylesheet)


def markdown_page(markdown: str, stylesheet: str) -> str:
    """A page with the text, without links, images and HTML of its own (see `page_view`)."""
    html = _renderer().render(markdown)
    parts = page_view.page_parts(f'<body class="nc-rendered">{html}</body>', [])
    return page_view.page_html(parts, stylesheet, "Text")


@cache
def _renderer() -> MarkdownIt:
    from markdown_it import MarkdownIt  # of the extra web

    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
