"""The filters from Python, without records in between.

>>> Pipeline("en", form="markdown").clean("<h1>A title</h1><p>The text that somebody wrote.</p>")
'# A title\\n\\nThe text that somebody wrote.'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from . import model, score, segment
from .record import Record, RecordError, check
from .select import by_threshold, selected


class Pipeline:
    """The main job: HTML or plain text to clean text, with one model loaded once.

    *threshold*, *per_char* and *rules* decide as nc-select's options do; *form* is one of `forms.FORMS`; *parser* is
    `lexbor` or `html5lib`. Raises model.ModelError for a model there is not.
    """

    def __init__(
        self,
        model_name: str = "en",
        threshold: float = 0.0,
        per_char: bool = False,
        rules: bool = True,
        form: str = "plain",
        parser: str = "lexbor",
    ) -> None:
        self._score = score.scorer([(model_name, model.load(model_name))])
        self._decide = by_threshold(threshold, per_char, rules)
        self._form, self._parser = form, parser

    def clean(self, html: str | bytes) -> str:
        """The clean text of a page. Bytes are decoded as a browser would."""
        text: str = self.record({"html": html})["text"]
        return text

    def clean_text(self, text: str) -> str:
        """The clean part of a plain text dump."""
        out: str = self.record({"text": text})["text"]
        return out

    def segments(self, html: str | bytes) -> list[dict[str, Any]]:
        """The page's segments, typed, marked and scored."""
        found: list[dict[str, Any]] = self._scored({"html": html})["segments"]
        return found

    def record(self, document: Record) -> Record:
        """A record with `text` in place of its `blocks`, `html`, `text` or `segments`. Raises RecordError."""
        return selected(self._scored(document), self._decide, self._form)

    def records(self, documents: Iterable[Record]) -> Iterator[Record]:
        """Many of them, in order. A record that fails comes out with `error`, as from the filters."""
        for document in documents:
            try:
                yield self.record(document)
            except RecordError as error:
                yield {**document, "error": {"stage": "ncfilters", "message": str(error)}}

    def _scored(self, document: Record) -> Record:
        check(document)
        if "segments" not in document:
            document = segment.segmented(document, self._parser)
        result = self._score([document])[0]
        if isinstance(result, RecordError):
            raise result
        return result


@lru_cache(maxsize=8)
def _pipeline(model_name: str) -> Pipeline:
    return Pipeline(model_name)


def clean(html: str | bytes, model: str = "en") -> str:
    """The clean text of a page, a paragraph a line."""
    return _pipeline(model).clean(html)
