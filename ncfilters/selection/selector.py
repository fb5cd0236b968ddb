"""nc-select: scored segments in, the text out, in the form asked for.

    nc-segment crawl.jsonl | nc-score -m en | nc-select --as markdown

The one decision of the pipe: which segments are text. -f says how documents are framed, --as how the text looks.
"""

from __future__ import annotations

from .. import record
from ..record import Record
from ..scoring.quality import QualityModel
from ..segmentation import sentences
from . import formats, policies
from .policies import DecisionPolicy

Segment = Record


def selected(
    document: Record,
    decide: DecisionPolicy,
    form: str = "plain",
    everything: bool = False,
    keep: bool = False,
    judge: QualityModel | None = None,
    tag: str | None = None,
) -> Record:
    """The record with `text` in place of `segments`; *everything* leaves these too, each with its `keep`. A *judge*
    adds its `quality`. With a *tag*, what would be dropped stays in the text, inside it. Sentences become their
    segments again.

    Raises RecordError for segments that nobody scored, or that a form cannot read, and for a `page` that is none.
    """
    segments = record.parts(document, "segments", SCORED)
    record.check_types(segments)
    record.check_optional(segments, "segments", READ)
    decisions = decide(segments, policies.page_of(document))
    chosen = [segment for segment, decision in zip(segments, decisions) if decision]
    out = {name: value for name, value in document.items() if name != "segments"}
    if tag:
        texts = [
            segment["text"] if decision else tagged(segment, tag) for segment, decision in zip(segments, decisions)
        ]
        shown = sentences.join_sentences(segments, texts)
    else:
        shown = sentences.join_sentences(chosen) if any("segment" in segment for segment in chosen[:1]) else chosen
    out["text"] = formats.FORMS[form].text(shown, document)
    if judge:
        shown = [s for s, decision in zip(segments, decisions) if decision or s.get("rule") != record.EMBEDDED]
        out["quality"] = round(judge.predict(chosen, shown), 3)
    if everything:
        out["segments"] = [{**segment, "keep": decision} for segment, decision in zip(segments, decisions)]
    elif keep:
        out["segments"] = segments
    return out


def tagged(segment: Segment, tag: str) -> str:
    """What PyPlexity makes of text that it finds perplexing: `<ppl 12345.67>text</ppl>`. The number is the perplexity,
    or the score of what has none."""
    return f"<{tag} {segment.get('perplexity', segment['score']):.2f}>{segment['text']}</{tag}>"


def good(document: Record, min_quality: float | None) -> Record | None:
    """The record; None where its `quality` is below the least that is wanted, if any is."""
    return document if min_quality is None or document["quality"] >= min_quality else None


SCORED = {name: record.SEGMENT_FIELDS[name] for name in ("text", "type", "score")}
# What forms read where it is there.
READ = {
    name: record.SEGMENT_FIELDS[name] for name in ("path", "tag", "marker", "pre", "rule", "segment", "start", "origin")
} | {"perplexity": (int, float)}
