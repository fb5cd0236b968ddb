"""A reader, an extractor and a filter for pipelines of datatrove.

pipeline = [NcfiltersReader("crawl/"), NcfiltersExtractor(favour="precision"), NcfiltersFilter("gopher,c4"), …]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from datatrove.pipeline.extractors.base import BaseExtractor
from datatrove.pipeline.filters.base_filter import BaseFilter
from datatrove.pipeline.readers.base import BaseDiskReader

from ..corpus.documents import language_of
from ..corpus.rules import SETS, Measures, broken, chosen
from ..errors import RecordError
from ..pipeline import extract
from ..streams.crawl_source import CrawlSource
from ..streams.html_pages import PageSelection
from ..streams.runner import MAX_RECORD


class NcfiltersReader(BaseDiskReader):  # type: ignore[misc]  # datatrove has no types
    """Reads what nc-clean reads, compressed or not: WARC and WET files, records, pages of HTML. The text of a document
    is the page, decoded as browsers do, or the field `text` of a record; other fields are its metadata.

    *data_folder* and *options* are those of datatrove's readers; *max_record* bounds the bytes of a page. What cannot
    be read is counted as `errors` in the statistics.
    """

    name = "📄 ncfilters"
    _requires_dependencies = ["datatrove"]

    def __init__(self, data_folder: Any, max_record: int = MAX_RECORD, **options: Any) -> None:
        super().__init__(data_folder, **options)
        self.max_record = max_record

    def read_file(self, filepath: str) -> Iterator[Any]:
        """The documents of a file of the folder."""
        with self.data_folder.open(filepath, "rb") as file:
            source = CrawlSource(None, PageSelection(self.max_record)).items_of(filepath, file)
            for number, (item, _) in enumerate(source):
                record = item.record(self.max_record)
                if isinstance(record, RecordError):
                    self.stat_update("errors")
                    continue
                page = record.pop("html", None)
                text = record.pop(self.text_key, None) if page is None else page
                text = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text or "")
                data = {**record, self.text_key: text, self.id_key: str(record.get("id", f"{filepath}/{number}"))}
                if (document := self.get_document_from_dict(data, filepath, number)) is not None:
                    yield document


class NcfiltersExtractor(BaseExtractor):  # type: ignore[misc]  # datatrove has no types
    """Replaces the HTML of documents by their text; documents without text go.

    *timeout*: seconds for a document. *options* are those of `ncfilters.extract`, such as `form="markdown"`; a wrong
    one raises what that raises. A page that cannot be read has no text.
    """

    name = "⛏ ncfilters"
    _requires_dependencies = ["datatrove"]

    def __init__(self, timeout: float = 10, **options: Any) -> None:
        super().__init__(timeout)
        self.options = options
        extract("<p>", **options)  # the options are checked, and the model is there for the processes that read pages

    def extract(self, text: str) -> str:
        """The text of a page."""
        try:
            return extract(text, **self.options).text
        except ValueError:  # else the process would end
            return ""


class NcfiltersFilter(BaseFilter):  # type: ignore[misc]  # datatrove has no types
    """Drops documents that break the rules of C4, Gopher and FineWeb, as `nc-corpus filter --drop` does. The reason is
    the first rule that a document breaks.

    *rules* are sets or single rules, separated by commas: `gopher,c4.sentences`. Raises ValueError for others.
    """

    name = "⚖ ncfilters"
    _requires_dependencies = ["datatrove"]

    def __init__(self, rules: str = ",".join(SETS), exclusion_writer: Any = None) -> None:
        super().__init__(exclusion_writer)
        self.rules = chosen(rules)

    def filter(self, doc: Any) -> bool | tuple[bool, str]:
        """Whether a document is kept, or why not."""
        language = language_of({"text": doc.text, "lang": doc.metadata.get("lang") or doc.metadata.get("language")})
        marks = broken(Measures(doc.text, language), self.rules, language)
        return (False, marks[0]["rule"]) if marks else True
