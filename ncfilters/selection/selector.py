"""The last step of the pipe: scored segments to text.

    select_text({"segments": [{"text": "Some text.", "type": "p", "score": 2.0}]}, policy())    # {"text": "Some text."}

A decision policy decides which segments are text; an output form determines what the text looks like.
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings.

from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import record
from ..errors import RecordError
from ..head import has_metadata
from ..page.blocks.block_table import BlockTable
from ..record import Record
from ..text.scripts import primary
from .decision import LAST_STEPS, Decision, DecisionPolicy, PagePolicy, differences, page_evidence, run_steps
from .formats import OUTPUT_FORMS, PLAIN_FORMS, MarkupOptions, with_options
from .forms.plain import plain_with_bullets
from .front_matter import document_metadata, front_matter
from .kept_images import keep_images
from .options import DEFAULTS as DEFAULT_POLICY
from .roles import has_roles
from .scored_page import ScoredPage
from .title import title_first, with_head_title
from .written_segments import code_alone, join_code, pull_notes, with_visible_text

if TYPE_CHECKING:
    from ..scoring.quality import DecidedPage, QualityModel

# The fields that every segment must have.
REQUIRED_FIELDS = {name: record.SEGMENT_FIELDS[name] for name in ("text", "type", "score")}
# Fields that are optional, and that some step or output form reads.
_OPTIONAL = "path tag marker pre lines br rule segment start origin element_rule links post part"
OPTIONAL_FIELDS = {name: record.SEGMENT_FIELDS[name] for name in _OPTIONAL.split()} | {"perplexity": (int, float)}
_MARKUP = frozenset(record.MARKUP_FIELDS)
_TYPES = frozenset(record.TYPES)
_FIELDS = REQUIRED_FIELDS | OPTIONAL_FIELDS


class SelectionOptions(NamedTuple):
    """What the record contains after selection."""

    form: str = "plain"  # one of OUTPUT_FORMS
    bullets: bool = False  # the form plain has the bullets and numbers of list items
    mark_segments: bool = False  # leave `segments`, each with the decision in `keep`
    reasons: bool = False  # … and with why in `reason`, and in `option` what would keep a dropped one
    keep_segments: bool = False  # leave `segments` as they are
    head_title: bool = False  # a title that is only in the head of the page is written, too
    markup: MarkupOptions = MarkupOptions()  # what forms write of links, images and tables
    front_matter: bool = False  # the text, in Markdown, begins with the metadata of the page
    complete_head: bool = True  # the head has what segments say of the page; else it is as it was
    chunks: int | None = None  # the record has `chunks`, pieces of its Markdown of at most so many words


DEFAULTS = SelectionOptions()


def select_text(
    document: Record,
    policy: DecisionPolicy,
    options: SelectionOptions = DEFAULTS,
    quality_model: "QualityModel | None" = None,
) -> Record:
    """The record with `text` instead of `segments`, and with its `quality` if there is a *quality_model*. Sentences
    are joined to the segments that they come from.

    Raises RecordError for segments without scores, for fields of a wrong type, and for a wrong `page`.
    """
    page = _checked_page(document)
    has_markup = not _MARKUP.isdisjoint(page.names)
    if has_markup and page.table is None:
        record.check_markup(page.segments, "segments")
    decision = _decided(page, policy)
    decisions, title = list(map(bool, decision.kept)), page.title if page.title >= 0 else None
    if options.complete_head and has_metadata(document.get("head")):
        from ..page.metadata.complete_head import complete_head  # start-up: only heads with metadata need it

        document = complete_head(document, page.text[title] if title is not None else "")
    segments = keep_images(page, decisions)
    kept = [segments[row] for row, keep in enumerate(decisions) if keep]
    out = {name: value for name, value in document.items() if name != "segments"}
    written = _in_order(kept, title if title is None else segments[title], document, options)
    written = _with_notes(written) if has_markup else written
    out["text"] = _formed(written, document, options)
    if options.chunks:
        from .chunks import chunk_records  # start-up: only --chunks needs it

        out["chunks"] = chunk_records(out, options.chunks)
    if quality_model:
        out["quality"] = round(quality_model.predict(_shown_page(page, decisions)), 3)
    if options.mark_segments:
        out["segments"] = [{**segment, "keep": decision} for segment, decision in zip(segments, decisions)]
        if options.reasons and isinstance(policy, PagePolicy):
            from .reasons import reasons_of  # start-up: only --all needs it

            reasons = reasons_of(page, decision, policy, lambda other: _decided(_checked_page(document), other))
            for segment, reason in zip(out["segments"], reasons):
                segment.pop("option", None)  # of an earlier selection
                segment.update(reason)
    elif options.keep_segments:
        out["segments"] = list(segments)
    return out


def _decided(page: ScoredPage, policy: DecisionPolicy) -> Decision:
    """What is kept by the policy, and after the steps that count on any page."""
    if isinstance(policy, PagePolicy):
        decision, options = policy.decide(page), policy.options
    else:
        kept = bytearray(policy(page, page.evidence or None))
        decision, options = Decision(kept, [None] * len(kept)), DEFAULT_POLICY
    steps = LAST_STEPS if has_roles(page) or record.ELEMENT_RULE in page.names else ()
    for step, before, kept in run_steps(steps, page, decision.kept, options) if steps else ():
        for row in differences(before, kept):
            decision.last[row] = step
    if page.title >= 0 and not decision.kept[page.title]:
        page.title = -1
    return decision


def _checked_page(document: Record) -> ScoredPage:
    """The page of a record. Raises RecordError."""
    segments = document.get("segments")
    if isinstance(segments, BlockTable):
        page = ScoredPage(segments)
        page.evidence, page.document = page_evidence(document) or {}, document
        return page
    if type(segments) is list and (names := record.field_names(segments, _FIELDS)) is not None:
        try:
            page = ScoredPage(segments, names)
        except KeyError:  # no text
            pass
        else:
            if _TYPES.issuperset(page.type) and None not in page.score:
                page.evidence, page.document = page_evidence(document) or {}, document
                return page
    # the error, by the order of the fields
    segments = record.parts(document, "segments", REQUIRED_FIELDS)
    record.check_types(segments, "segments")
    record.check_optional(segments, "segments", OPTIONAL_FIELDS)
    page = ScoredPage(segments)
    page.evidence, page.document = page_evidence(document) or {}, document
    return page


def _shown_page(page: ScoredPage, kept: list[bool]) -> "DecidedPage":
    """What the quality of a page depends on, without embedded content that is not kept."""
    from ..scoring.quality import DecidedPage  # start-up: most text needs no quality

    num_hidden = 0
    if "hidden" in page.names:
        num_hidden = sum([keep and hidden is not None for hidden, keep in zip(page.column("hidden", None), kept)])
    page.place_elements()
    shown: list[bool] = [keep or rule != record.EMBEDDED for keep, rule in zip(kept, page.rule)]
    columns: list[list[Any]] = [kept, page.text, page.score, page.element, page.rule]
    kept, text, score, element, rule = (list(compress(column, shown)) for column in columns)
    return DecidedPage(kept, text, score, element, rule, page.elements.parent, num_hidden)


def _in_order(kept: list[Record], title: Record | None, document: Record, options: SelectionOptions) -> list[Record]:
    """The segments that are kept, with the title first; sentences are joined."""
    written = code_alone(title_first(kept, title) if title is not None else kept)
    if written and "segment" in written[0]:
        from ..segmentation.sentences import join_sentences  # start-up: most streams have no sentences

        written = join_sentences(written)
    return with_head_title(written, document) if options.head_title and kept and title is None else written


def _with_notes(segments: list[Record]) -> list[Record]:
    """The segments that show something, with blocks of code as one each, and footnotes in the text as segments of their
    own."""
    return pull_notes(join_code(with_visible_text(segments)))


def _formed(written: list[Record], document: Record, options: SelectionOptions) -> str:
    """The text of the segments, in the form that the options ask for."""
    has_bullets = options.bullets and options.form in PLAIN_FORMS
    form = plain_with_bullets if has_bullets else OUTPUT_FORMS[options.form].text
    if "posts" in document:
        from .forms.posts import outside_containers  # start-up: few pages have posts

        written = outside_containers(written, document)
    text = form(with_options(written, options.markup), document)
    if options.front_matter and text:
        return f"{front_matter(document_metadata(document))}\n{text}".lstrip("\n")
    return text


def language_of(document: Record) -> str:
    """The language code of a record's `lang`; empty if it is undetermined. Raises RecordError if it has none."""
    if "lang" not in document:
        raise RecordError("lang: missing")
    if not isinstance(document["lang"], str):
        raise RecordError("lang: expected a string, such as en")
    return primary(document["lang"])


def with_quality(document: Record, min_quality: float | None) -> Record | None:
    """The record; None if its `quality` is below *min_quality*."""
    return document if min_quality is None or document["quality"] >= min_quality else None
