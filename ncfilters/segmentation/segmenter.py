"""nc-segment: blocks, HTML or plain text in, typed segments out (NCleaner, stage 3).

    nc-segment crawl.jsonl | jq -r '.segments[] | [.type, .text] | @tsv'

A segment is what a reader would call a paragraph, a heading or a list item (`p`, `h`, `l`: the CleanEval annotation
guidelines). Trivial boilerplate is marked with the rule that saw it, never dropped: that is nc-select's part.
"""

from __future__ import annotations

import re
import unicodedata

import regex

from .. import record
from ..errors import RecordError
from ..page import dom_path as paths
from ..page import hidden_content, html_parser, justext_blocks, metadata, profiles
from ..page.profiles import DEFAULT_OPTIONS, PageOptions
from ..page.text_run import collapse_spaces
from ..record import Block, Record, Segment
from ..text.sentence_ends import CLAUSE_ENDS, ends_with
from . import plain_text, sentences
from . import rules as boilerplate_rules

# Control and format characters without meaning in running text, noncharacters, and the private use area (icon
# fonts). Joiners and the no-break space stay: Persian, Indic scripts and emoji need the former.
_INVALID = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\x81\x8d\x8f\x90\x9d\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064"
    "\ufdd0-\ufdef\ufeff\ufff9-\ufffc\ufffe\uffff\ue000-\uf8ff\ud800-\udfff]"
)
# More combining marks on one letter are no text (Unicode's Stream-Safe Text Format, UAX 15).
MAX_MARKS = 30
_MARKS = regex.compile(rf"(\p{{M}}{{{MAX_MARKS}}})\p{{M}}+")
# What is left of C1 control characters was windows-1252, as in HTML's character references.
_C1 = {code: bytes([code]).decode("cp1252") for code in range(0x80, 0xA0) if code not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)}

# An item of a list by its first characters: a bullet, or a number or letter in the way of enumerations.
ITEM = re.compile(
    r"(?:[•‣◦▪▸►·●○■□*+»–—-]|--|\(?(?:\d{1,3}|[ivxIVX]{1,5}|[a-zA-Z])\)|(?:\d{1,2}|[ivx]{1,5}|[IVX]{2,5}|[a-h])\.)"
    r"\s+(?=\S)"
)
# Characters. From the CleanEval development set: bold text shorter than BOLD_HEADING is a heading in 130 of 160 cases,
# other unfinished text shorter than SHORT_HEADING in 320 of 430, unless it stands in a run of RUN such lines: a list.
BOLD_HEADING, SHORT_HEADING, SHORT_ITEM, RUN = 90, 30, 60, 3
# After one <br>, a line shorter than SHORT_ITEM before one longer than this is a heading and not a broken line.
LONG_LINE = 120


def segment_html(html: str, options: PageOptions = DEFAULT_OPTIONS) -> list[Segment]:
    """The segments of a page, by default also of what it does not show (see `hidden_content`)."""
    return segment_blocks(profiles.blocks_of_html(html, options), options.profile)


def segment_blocks(blocks: list[Block], profile: str = "visual") -> list[Segment]:
    """The segments of rendered blocks: cleaned, lines broken by single `<br>`s joined, typed and marked.

    The paragraphs of jusText are typed and no more: its rules are to see the text as it is, and to decide alone. The
    blocks become the segments: they are changed.

    What the page does not show (see `embedded`) has no part in what becomes of the rest, and the rule `embedded`.
    """
    if profile == "justext":
        return justext_blocks.assign_types(blocks)
    if any("origin" in block and hidden_content.is_extra(block) for block in blocks):
        return _with_extra(blocks)
    return boilerplate_rules.mark_boilerplate(typed(_cleaned(blocks)))


def _with_extra(blocks: list[Block]) -> list[Segment]:
    """The same of blocks some of which the page does not show."""
    shown = segment_blocks([block for block in blocks if not hidden_content.is_extra(block)])
    extra = typed(_cleaned([block for block in blocks if hidden_content.is_extra(block)]))
    for segment in extra:
        segment["rule"] = record.EMBEDDED
    # blocks become segments, or vanish in the one before
    left = {id(segment) for segment in (*shown, *extra)}
    return [block for block in blocks if id(block) in left]


def _cleaned(blocks: list[Block]) -> list[Segment]:
    """The blocks, their text cleaned, without empty ones, and with lines joined that a single `<br>` broke."""
    out: list[Segment] = []
    lines: list[str] = []  # of the last segment
    for segment in blocks:
        text = segment["text"]
        if "\t" in text and "pre" not in segment:  # the cells of a row
            text = "\t".join(filter(None, map(clean_text, text.split("\t"))))
        else:
            text = clean_text(text, "pre" in segment)
        segment["text"] = text
        if text.endswith("¶"):  # the link that documentation puts behind headings
            segment["text"] = text = text[:-1].rstrip()
        if not text:
            continue
        if "br" in segment and segment.pop("br") and out and _goes_on(out[-1], lines[-1], segment):
            lines.append(text)
            out[-1]["links"] += segment["links"]
            continue
        if len(lines) > 1:
            out[-1]["text"] = " ".join(lines)
        lines = [text]
        out.append(segment)
    if len(lines) > 1:
        out[-1]["text"] = " ".join(lines)
    return out


def segment_text(text: str, profile: str = "visual") -> list[Segment]:
    """The segments of a plain text dump (see `plaintext`), without marks for the rules of jusText."""
    out = []
    for segment in plain_text.paragraphs(text):
        segment["text"] = clean_text(segment["text"])
        if segment["text"]:
            out.append(segment)
    return typed(out) if profile == "justext" else boilerplate_rules.mark_boilerplate(typed(out))


def clean_text(text: str, lines: bool = False) -> str:
    """*text* without invalid characters, its white space collapsed (but for *lines*), in Unicode normalisation form
    C."""
    if not text.isprintable() or "\ufffc" in text:
        text = _INVALID.sub("", text.translate(_C1))
    elif text.isascii() and "  " not in text:  # the common case, for speed
        return text.strip(" ")
    if len(text) > MAX_MARKS:  # putting marks in order takes time in proportion to the square of their number
        text = _MARKS.sub(r"\1", text)
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    if lines:
        return "\n".join([line.rstrip() for line in text.splitlines()]).strip("\n")
    return collapse_spaces(text)


def _goes_on(before: Segment, last: str, line: Segment) -> bool:
    """Whether *line*, after one `<br>`, goes on with the paragraph: it is no item, and *last* no heading."""
    if before["path"] != line["path"] or before.get("hidden") != line.get("hidden"):
        return False
    if before.get("bold") != line.get("bold") or ITEM.match(line["text"]):
        return False
    return not (len(last) < SHORT_ITEM and len(line["text"]) > LONG_LINE)


def typed(segments: list[Segment]) -> list[Segment]:
    """Gives each segment its `type`: by its element, then by how it looks (see the constants above)."""
    run: list[Segment] = []  # short unfinished segments of the same element
    for segment in segments:
        text, path = segment["text"], segment.get("path", "")
        if "type" in segment:  # a marker in plain text said so
            kind = segment["type"]
        elif "/h" in path and paths.HEADING.search(path) or segment.get("bold") and len(text) < BOLD_HEADING:
            kind = "h"
        elif "marker" in segment or segment.get("tag") == "tr" or ITEM.match(text):
            kind = "l"
        else:
            kind = "p"
            if (
                len(text) < SHORT_ITEM
                and not ends_with(text, CLAUSE_ENDS)
                and "pre" not in segment
                and not paths.ITEM.search(path)  # whose first block has the marker
            ):
                if run and run[-1].get("path", "") != path:
                    _settle(run)
                run.append(segment)
                segment["type"] = "p"
                continue
        segment["type"] = kind
        if run:
            _settle(run)
    _settle(run)
    return segments


def _settle(run: list[Segment]) -> None:
    for segment in run:
        if len(run) >= RUN:
            segment["type"] = "l"
        elif len(segment["text"]) < SHORT_HEADING:
            segment["type"] = "h"
    run.clear()


def segment_record(document: Record, options: PageOptions = DEFAULT_OPTIONS, keep: bool = False) -> Record:
    """The record with `segments` in place of its `blocks`, `html` or `text`, the first there is; of `html`, with the
    page's `head`. Raises RecordError."""
    said: Record = {}
    if "blocks" in document:
        blocks = [dict(block) for block in record.parts(document, "blocks", BLOCK)]
        consumed, found = "blocks", segment_blocks(blocks, options.profile)
    elif "html" in document:
        document = html_parser.decode_html(document)
        said, blocks = profiles.head_and_blocks(document["html"], options)
        consumed, found = "html", segment_blocks(blocks, options.profile)
    elif "text" in document:
        consumed, found = "text", segment_text(document["text"], options.profile)
    else:
        raise RecordError("html: missing (nor is there blocks or text)")
    out = dict(document) if keep else {name: value for name, value in document.items() if name != consumed}
    metadata.add_head(out, said)
    out["segments"] = found
    return out


def split_record(document: Record, language: str | None = None) -> Record:
    """The record with sentences as its `segments` (see `sentences.split_segments`).

    *language* is a code such as `en`; by default it is that of the record's field `lang`, if any. Raises RecordError.
    """
    if language is None:
        language = document.get("lang") or ""
        if not isinstance(language, str):
            raise RecordError("lang: a string is wanted, such as en")
    segments = record.parts(document, "segments", {"text": (str,)})
    record.check_optional(segments, "segments", {"links": (int,)})
    return {**document, "segments": sentences.split_segments(segments, language)}


BLOCK = {name: record.BLOCK_FIELDS[name] for name in ("text", "tag", "path", "links")}
