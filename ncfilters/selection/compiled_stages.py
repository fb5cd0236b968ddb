"""The stages on a page in one go, without a dictionary for each of its segments.

    segment = PageSegmentation(PageOptions(), segment_record)
    stages = CompiledStages(LineModels("en"), selector)
    stages(segment({"html": "…"}))    # an Outcome with `text`; a record with `segments`: see below

The segments are in memory of the compiled cores, which score and select from them. Where something is unusual, the
record with its segments is returned, for the stages themselves.
"""

from __future__ import annotations

from collections.abc import Callable

from ..features.document import Head
from ..page.html_source import HtmlSource
from ..page.metadata import page_head
from ..page.page_options import PageOptions
from ..record import Record
from ..scoring.line_scorer import LineModel
from ..segmentation import compiled
from ..segmentation.json_segments import shown_segments
from ..streams.stages import Outcome
from .columns import columns_of_shown
from .line_selector import LineSelector

# Fields of the input that say what the segments are, or that the stages write.
_OTHER_INPUTS = frozenset(("segments", "blocks", "page", "models"))


class SegmentedPage(Record):
    """A record whose *number* segments are in a capsule; in `whole`, they come after the first *size* fields."""

    segments: compiled.ShownSegments
    number: int
    size: int

    def whole(self) -> Record:
        """The record with `segments`."""
        fields = [*self.items()]
        return dict([*fields[: self.size], ("segments", compiled.dicts_of(self.segments)), *fields[self.size :]])


class PageSegmentation:
    """Segments pages: to a `SegmentedPage` where it can, else as *reference* does."""

    def __init__(self, options: PageOptions, reference: Callable[[Record], Record]) -> None:
        self._options, self._reference = options, reference

    def __call__(self, record: Record) -> Record:
        """The record with its segments. Raises what the reference raises."""
        html = record.get("html")
        page = self.page(record, html) if type(html) is str else None
        return self._reference(record) if page is None else page

    def page(self, record: Record, html: str | HtmlSource) -> SegmentedPage | None:
        """The page of a record, which may lack its *html*; None if something is unusual."""
        if not _OTHER_INPUTS.isdisjoint(record):
            return None
        has_language = record.get("lang") not in (None, "")
        page = shown_segments(html, self._options, not has_language)
        if page is None:
            return None
        out = SegmentedPage(record)
        out.pop("html", None)
        page_head.add_head(out, page.head)
        if page.language:
            out["lang"], out["lang_probability"] = page.language, page.probability
        out.segments, out.number, out.size = page.segments, page.number, len(out)
        return out


class CompiledStages:
    """What becomes of a page that has been segmented; *model_of* gives the model that scores it, if it scores lines."""

    def __init__(self, model_of: Callable[[Record], LineModel | None], selector: LineSelector) -> None:
        self._model_of, self._selector = model_of, selector

    def __call__(self, page: Record) -> Outcome | Record:
        """The outcome of a page; the record itself where the stages are to find it."""
        if not isinstance(page, SegmentedPage):
            return page
        try:
            model = self._model_of(page) if page.number else None  # without segments, a page is plain text
            return (model and self._outcome(page, model)) or page.whole()
        except Exception:  # the stages say what it is
            return page.whole()

    def _outcome(self, page: SegmentedPage, model: LineModel) -> Outcome | None:
        scored = model.compiled.score_segments(page.segments, Head.of_record(page))
        if scored is None:
            return None
        scores, of_page = scored
        columns = columns_of_shown(page.segments, scores, self._selector.policy.score_field)
        if columns is None:
            return None
        fields = dict(page)
        if of_page:
            fields["page"] = of_page
        if model.signature:
            fields["models"] = [model.signature]
        selected = self._selector.select(fields, columns)
        return None if selected is None else Outcome(selected.result)
