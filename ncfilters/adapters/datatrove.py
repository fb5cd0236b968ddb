"""An extractor for pipelines of datatrove.

from datatrove.pipeline.readers import WarcReader
pipeline = [WarcReader("crawl/"), NcfiltersExtractor(favour="precision"), …]
"""

from __future__ import annotations

from typing import Any

from datatrove.pipeline.extractors.base import BaseExtractor

from ..extraction import extract


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
