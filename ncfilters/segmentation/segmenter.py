"""Blocks, HTML or plain text to typed segments (NCleaner, stage 3).

    segment_html("<h1>Rain</h1><p>It rained all day.<br>Then it stopped.")[1]
    # {'text': 'It rained all day.\nThen it stopped.', 'tag': 'p', 'path': 'body/p', 'links': 0, 'lines': True, …}

A segment is a paragraph, a heading or a list item (`p`, `h`, `l`: the CleanEval annotation guidelines). Trivial
boilerplate is marked with the rule that recognises it, and is not dropped; nc-select decides on it.
"""

from __future__ import annotations

from collections.abc import Iterable

from .. import record as schema
from ..errors import RecordError
from ..page import profiles
from ..page.blocks.block_table import BlockTable, table_of
from ..page.page_options import DEFAULT_OPTIONS, PageOptions
from ..page.tree import html_parser
from ..page.tree.html_parser import HtmlSource
from ..record import BYLINE, FURNITURE, Block, PageText, Record, Segment, posts_of
from . import page_language
from .cleaning import clean_text, clean_texts
from .landmarks import kinds_of_elements
from .line_breaks import join_blocks
from .rules import mark_boilerplate
from .segment_types import assign_paragraph_types, assign_types

# What a stream of another program wants.
FIELD_HINT = "--field html=NAME or text=NAME says which field has the page"
_BLOCK_FIELDS = {name: schema.BLOCK_FIELDS[name] for name in ("text", "tag", "path", "links")}

_OTHER_PARTS = frozenset((BYLINE, FURNITURE))


def segment_record(record: Record, options: PageOptions = DEFAULT_OPTIONS, keep: bool = False) -> Record:
    """The record with `segments` instead of `blocks`, `html` or `text`, whichever it has first (with *keep*, in
    addition to it). With `html`, it also gets the `head` of the page. Raises RecordError if all are missing or one is
    invalid."""
    out, table = segmented(record, options, keep)
    out["segments"] = table.records()
    return out


def segment_document(
    record: Record, options: PageOptions = DEFAULT_OPTIONS, keep: bool = False, in_table: bool = False
) -> Record:
    """As `segment_record`, with the language of the text (see `page_language`). With *in_table*, the segments are a
    table, as the stages of one process read them."""
    out, table = segmented(record, options, keep)
    page_language.add_language(out, table)
    out["segments"] = table if in_table else table.records()
    return out


def segmented(record: Record, options: PageOptions, keep: bool = False) -> tuple[Record, BlockTable]:
    """The record of `segment_record` without its segments, and their table."""
    page: profiles.PageBlocks | None = None
    if "blocks" in record:
        blocks = schema.parts(record, "blocks", _BLOCK_FIELDS)
        schema.check_optional(blocks, "blocks", schema.SEGMENT_FIELDS)
        schema.check_types(blocks, "blocks")
        from ..page.markup.markup_fields import has_markup  # start-up: pages of HTML do without it

        marked = any(map(has_markup, blocks))
        if marked:
            schema.check_markup(blocks, "blocks")
        consumed, segments = "blocks", segment_table(table_of(blocks), options.profile, marked)
    elif "html" in record:
        record = html_parser.decode_html(record)
        consumed = "html"
        page, segments = _page_and_segments(record["html"], options, record.get("url"))
    elif "text" in record:
        consumed, segments = "text", _segments_of_text(record["text"], options.profile)
    else:
        remedy = "" if "segments" in record else FIELD_HINT
        raise RecordError("html, blocks and text: all missing", remedy=remedy)
    out = dict(record) if keep else {name: value for name, value in record.items() if name != consumed}
    if page:
        profiles.add_page(out, page)
    if "blocks" in record or page and page.posts:
        place_posts(out, segments)
    return out, segments


def checked_segments(record: Record) -> Record:
    """The record. Raises RecordError if its `segments` cannot be split."""
    segments = schema.parts(record, "segments", {"text": (str,)})
    schema.check_optional(segments, "segments", schema.BLOCK_FIELDS)
    schema.check_markup(segments, "segments")
    return record


def split_record(record: Record) -> Record:
    """The record with sentences as its `segments` (see `sentences.split_segments`), in the language of its field
    `lang`, if any. Raises RecordError."""
    schema.check(record)
    language: str = record.get("lang") or ""
    from . import sentences  # start-up: only --sentences needs it

    return {**record, "segments": sentences.split_segments(checked_segments(record)["segments"], language)}


def segment_html(html: str, options: PageOptions = DEFAULT_OPTIONS) -> list[Segment]:
    """The segments of a page, by default including embedded content (see `hidden_content`)."""
    return segment_table(profiles.page_blocks(html, options).blocks, options.profile, options.markup).records()


def segment_blocks(blocks: Iterable[Block], profile: str = "visual", has_markup: bool = False) -> list[Segment]:
    """The segments of rendered blocks that are records (see `segment_table`)."""
    return segment_table(table_of(blocks), profile, has_markup).records()


def segment_text(text: str, profile: str = "visual") -> list[Segment]:
    """The segments of plain text (see `plain_text`); with the profile `justext`, boilerplate is not marked."""
    return _segments_of_text(text, profile).records()


def segment_table(blocks: BlockTable, profile: str = "visual", has_markup: bool = False) -> BlockTable:
    """The segments of rendered blocks: cleaned, joined across single `<br>`s (see `line_breaks`), typed, and with
    boilerplate marked. The table changes. *has_markup*: some have markup (see `markup_builder`).

    With the profile `justext`, paragraphs are only typed, because the rules of jusText require the unchanged text.
    """
    if profile == "justext":
        assign_paragraph_types(blocks)
        return blocks
    return numbered_segments(blocks, has_markup)[0]


def numbered_segments(blocks: BlockTable, has_markup: bool = False) -> tuple[BlockTable, list[int]]:
    """The segments of `segment_table`, and for each block the number of the one that it becomes or is a line of, -1 if
    it has no text.

    Embedded content (see `hidden_content`) does not affect the other segments, and has the rule `embedded`.
    """
    embedded = [row for row, origin in enumerate(blocks.origin) if origin is not None and origin not in schema.SEEN]
    if not embedded:
        numbers = _clean_and_join(blocks, has_markup)
        _type_and_mark(blocks)
        return blocks, numbers
    hidden = frozenset(embedded)
    seen = [row for row in range(len(blocks)) if row not in hidden]
    visible, others = blocks.part(seen), blocks.part(embedded)
    numbers = _clean_and_join(visible, has_markup)
    other_numbers = _clean_and_join(others, has_markup)
    _type_and_mark(visible)
    assign_types(others, kinds_of_elements(others.elements))
    others.rule[:] = [schema.EMBEDDED] * len(others)
    return _merged((visible, seen, numbers), (others, embedded, other_numbers))


def _type_and_mark(table: BlockTable) -> None:
    kinds = kinds_of_elements(table.elements)
    assign_types(table, kinds)
    mark_boilerplate(table, kinds)


def _merged(*parts: tuple[BlockTable, list[int], list[int]]) -> tuple[BlockTable, list[int]]:
    """The segments of parts of a page in the order of their first blocks, and the number of that of each block. Of each
    part: its segments, the rows of its blocks in the page, and the numbers of their segments in the part."""
    out = BlockTable(parts[0][0].elements)
    firsts: list[tuple[int, int]] = []  # the row of the first block of each segment, and its place in *out*
    places: list[tuple[int, int]] = []  # of each block: its row, and the place of its segment or -1
    for table, rows, numbers in parts:
        start = len(out)
        out.extend(table)
        last = -1
        for row, number in zip(rows, numbers):
            if number > last:
                firsts.append((row, start + number))
                last = number
            places.append((row, start + number if number >= 0 else -1))
    order = [place for _, place in sorted(firsts)]
    number_of = {place: number for number, place in enumerate(order)}
    number_of[-1] = -1
    return out.part(order), [number_of[place] for _, place in sorted(places)]


def _clean_and_join(table: BlockTable, has_markup: bool) -> list[int]:
    """Cleans and joins the blocks of a table (see `line_breaks.join_blocks`), with their markup."""
    if not has_markup:
        clean_texts(table)
        return join_blocks(table)
    from .markup import carry_markup, clean_code, mark_delimited  # start-up: only --markup needs these

    raw, fields = list(table.text), list(table.extra)
    clean_texts(table)
    clean = list(table.text)
    numbers = join_blocks(table)
    carry_markup(table, raw, clean, fields, numbers)
    clean_code(table)
    mark_delimited(table)
    return numbers


def _segments_of_text(text: str, profile: str) -> BlockTable:
    from . import plain_text  # start-up: pages of HTML do without it

    table = BlockTable()
    for paragraph in plain_text.paragraphs(text):
        if clean := clean_text(paragraph["text"]):
            row = table.append(clean, None, 0, 0)
            table.type[row], table.marker[row] = paragraph.get("type"), paragraph.get("marker")
            if "type" in paragraph and "marker" in paragraph:
                table.extra[row] = {"type": paragraph["type"], "marker": paragraph["marker"]}
    if profile == "justext":
        assign_types(table, [0])
    else:
        _type_and_mark(table)
    return table


def _page_and_segments(
    html: str | PageText | HtmlSource, options: PageOptions, url: str | None
) -> tuple[profiles.PageBlocks, BlockTable]:
    """A page at *url* and its segments. Raises RecordError for a page that is beyond a bound (see `guards`)."""
    page = profiles.page_blocks(html, options, url)
    return page, segment_table(page.blocks, options.profile, options.markup)


def place_posts(record: Record, segments: BlockTable) -> None:
    """Adds the numbers of the `first` and the `last` segment of their text to the `posts` of a record; those without
    text have none."""
    posts = [{**post} for post in posts_of(record)]
    for number, fields in enumerate(segments.extra):
        if fields is None or "post" not in fields or fields.get("part") in _OTHER_PARTS:
            continue
        post = fields["post"]
        if 0 <= post < len(posts):
            posts[post].setdefault("first", number)
            posts[post]["last"] = number
    if posts:
        record["posts"] = posts
