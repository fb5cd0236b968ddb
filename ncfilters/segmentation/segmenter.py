"""Blocks, HTML or plain text to typed segments (NCleaner, stage 3).

    segment_html("<h1>Rain</h1><p>It rained all day.<br>Then it stopped.")[1]
    # {'text': 'It rained all day.\\nThen it stopped.', 'tag': 'p', 'path': 'body/p', 'links': 0, 'lines': True, …}

A segment is a paragraph, a heading or a list item (`p`, `h`, `l`: the CleanEval annotation guidelines). Trivial
boilerplate is marked with the rule that recognises it, and is not dropped; nc-select decides on it.
"""

from __future__ import annotations

from .. import record as schema
from ..errors import RecordError
from ..page import density, dom_path, hidden_content, html_parser, profiles
from ..page.html_source import HtmlSource, source_of
from ..page.markup.markup_fields import has_markup
from ..page.markup.markup_run import without_goes_on
from ..page.metadata import page_head
from ..page.page_options import DEFAULT_OPTIONS, PageOptions
from ..record import Block, Record, Segment
from . import markup
from .cleaning import clean_blocks, clean_text
from .code_segments import clean_code
from .delimited_formulas import mark_delimited
from .line_breaks import LABEL_TAGS, LINE_TAGS, MAX_HEADING_LINE, MIN_TEXT_LINE, join_lines
from .rules import mark_boilerplate
from .segment_types import ITEM_START, assign_types

# What a stream of another program wants.
FIELD_HINT = "--html-field or --text-field says which field has the page"
_BLOCK_FIELDS = {name: schema.BLOCK_FIELDS[name] for name in ("text", "tag", "path", "links")}


def segment_record(record: Record, options: PageOptions = DEFAULT_OPTIONS, keep: bool = False) -> Record:
    """The record with `segments` instead of `blocks`, `html` or `text`, whichever it has first (with *keep*, in
    addition to it). With `html`, it also gets the `head` of the page. Raises RecordError if all are missing or one is
    invalid."""
    head: Record = {}
    if "blocks" in record:
        blocks = [dict(block) for block in schema.parts(record, "blocks", _BLOCK_FIELDS)]
        marked = any(map(has_markup, blocks))
        if marked:
            schema.check_markup(blocks, "blocks")
        consumed, segments = "blocks", segment_blocks(blocks, options.profile, marked)
    elif "html" in record:
        record = html_parser.decode_html(record)
        consumed = "html"
        head, segments = head_and_segments(record["html"], options, record.get("url"))
    elif "text" in record:
        consumed, segments = "text", segment_text(record["text"], options.profile)
    else:
        remedy = "" if "segments" in record else FIELD_HINT
        raise RecordError("html, blocks and text: all missing", remedy=remedy)
    out = dict(record) if keep else {name: value for name, value in record.items() if name != consumed}
    page_head.add_head(out, head)
    out["segments"] = segments
    return out


def head_and_segments(html: str | HtmlSource, options: PageOptions, url: str | None) -> tuple[Record, list[Segment]]:
    """The head and the segments of a page at *url*. Raises RecordError for a page that is too dense."""
    source = source_of(html)
    head, blocks = profiles.head_and_blocks(source, options, url)
    segments = segment_blocks(blocks, options.profile, options.markup)
    if not options.dense:
        density.check_segments(segments, source.num_chars)
    return head, segments


def checked_segments(record: Record) -> Record:
    """The record. Raises RecordError if its `segments` cannot be split."""
    segments = schema.parts(record, "segments", {"text": (str,)})
    schema.check_optional(segments, "segments", {"links": (int,)})
    schema.check_markup(segments, "segments")
    return record


def split_record(record: Record) -> Record:
    """The record with sentences as its `segments` (see `sentences.split_segments`), in the language of its field
    `lang`, if any. Raises RecordError."""
    language = record.get("lang") or ""
    if not isinstance(language, str):
        raise RecordError("lang: expected a string, such as en")
    from . import sentences  # start-up: only --sentences needs it

    return {**record, "segments": sentences.split_segments(checked_segments(record)["segments"], language)}


def segment_html(html: str, options: PageOptions = DEFAULT_OPTIONS) -> list[Segment]:
    """The segments of a page, by default including embedded content (see `hidden_content`)."""
    return segment_blocks(profiles.blocks_of_html(html, options), options.profile, options.markup)


def segment_blocks(blocks: list[Block], profile: str = "visual", has_markup: bool = False) -> list[Segment]:
    """The segments of rendered blocks: cleaned, joined across single `<br>`s (see `line_breaks`), typed, and with
    boilerplate marked.

    The dicts of *blocks* become the segments: they are changed. *has_markup*: some have markup (see `markup_builder`).

    With the profile `justext`, paragraphs are only typed, because the rules of jusText require the unchanged text.
    Embedded content (see `hidden_content`) does not affect the other segments, and has the rule `embedded`.
    """
    if profile == "justext":
        from ..page import justext_blocks  # start-up: only this profile needs it

        return justext_blocks.assign_types(blocks)
    if any("origin" in block and hidden_content.is_extra(block) for block in blocks):
        return _segment_with_extra(blocks, has_markup)
    return mark_boilerplate(assign_types(_join_lines(blocks, has_markup)))


def segment_text(text: str, profile: str = "visual") -> list[Segment]:
    """The segments of plain text (see `plain_text`); with the profile `justext`, boilerplate is not marked."""
    from . import plain_text  # start-up: pages of HTML do without it

    segments = []
    for segment in plain_text.paragraphs(text):
        segment["text"] = clean_text(segment["text"])
        if segment["text"]:
            segments.append(segment)
    assign_types(segments)
    return segments if profile == "justext" else mark_boilerplate(segments)


def embedded_segments(blocks: list[Block], has_markup: bool = False) -> list[Segment]:
    """The segments of embedded content. The blocks become the segments."""
    segments = assign_types(_join_lines(blocks, has_markup))
    for segment in segments:
        segment["rule"] = schema.EMBEDDED
    return segments


def _segment_with_extra(blocks: list[Block], has_markup: bool) -> list[Segment]:
    """The segments of blocks some of which are embedded content. The blocks become the segments."""
    visible = segment_blocks([block for block in blocks if not hidden_content.is_extra(block)], has_markup=has_markup)
    extra = embedded_segments([block for block in blocks if hidden_content.is_extra(block)], has_markup)
    # a block is a segment now, or part of the one before
    remaining = {id(segment) for segment in (*visible, *extra)}
    return [block for block in blocks if id(block) in remaining]


def _join_lines(blocks: list[Block], has_markup: bool) -> list[Segment]:
    """The blocks with cleaned text, without empty ones, and with lines joined across single `<br>`s.

    The blocks become the segments, with their markup.
    """
    if not has_markup:
        return _join_text(blocks)
    raw = [block["text"] for block in blocks]
    segments = _join_text(blocks)
    markup.carry_markup(raw, blocks, segments)
    for segment in segments:
        without_goes_on(segment.get("spans", []))
    clean_code(segments)
    mark_delimited(segments)
    return segments


def _join_text(blocks: list[Block]) -> list[Segment]:
    if not clean_blocks(blocks):
        return [*blocks]
    out: list[Segment] = []
    lines: list[str] = []  # of the last segment
    for segment in blocks:
        text = segment["text"]
        if not text:
            continue
        is_line = "br" in segment and segment.pop("br") and out and _continues(out[-1], lines[-1], segment)
        if is_line or "pre" in segment and out and _is_next_of_pre(out[-1], segment):
            lines.append(text)
            out[-1]["links"] += segment["links"]
            continue
        if len(lines) > 1:
            out[-1]["text"] = _joined(out[-1], lines)
        lines = [text]
        out.append(segment)
    if len(lines) > 1:
        out[-1]["text"] = _joined(out[-1], lines)
    return out


def _joined(segment: Segment, lines: list[str]) -> str:
    """The text of the lines of a segment."""
    if "pre" in segment:
        segment.pop("marker", None)  # the number of a line
        return "\n".join(lines)
    if segment["tag"] in LABEL_TAGS or "bold" in segment or dom_path.HEADING.search(segment["path"]):
        return " ".join(lines)
    text = join_lines(lines)
    if "\n" in text:
        segment["lines"] = True
    return text


def _is_next_of_pre(before: Segment, line: Segment) -> bool:
    """Whether two blocks are lines of the same preformatted text, each in an element of its own."""
    if "pre" not in before or line["tag"] not in LINE_TAGS or line["tag"] != before["tag"]:
        return False
    return bool(before["path"].rpartition("/")[0] == line["path"].rpartition("/")[0])


def _continues(before: Segment, last_line: str, line: Segment) -> bool:
    """Whether *line*, after a single `<br>`, continues the paragraph *before*.

    *line* must not be a list item, and *last_line* not a heading.
    """
    if before["path"] != line["path"] or before.get("hidden") != line.get("hidden"):
        return False
    if before.get("bold") != line.get("bold") or ITEM_START.match(line["text"]):
        return False
    return not (len(last_line) < MAX_HEADING_LINE and len(line["text"]) > MIN_TEXT_LINE)
