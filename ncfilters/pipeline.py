"""The filters from Python, without records in between.

>>> Pipeline("en", form="markdown").clean("<h1>A title</h1><p>The text that somebody wrote.</p>")
'# A title\\n\\nThe text that somebody wrote.'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from .errors import RecordError
from .page import html_parser, profiles
from .record import Record, check, is_error
from .scoring import registry, scorer
from .segmentation import segmenter
from .selection import policies
from .selection.formats import FORMS
from .selection.justext_context import by_neighbours
from .selection.selector import good, selected
from .streams import runner


class Pipeline:
    """The main job: HTML or plain text to clean text, with one model loaded once.

    *decide*, *threshold*, *per_char*, *rules* and *favour* decide as nc-select's options do; *form* is one of
    `formats.FORMS`; *parser* is `lexbor` or `html5lib`, *profile* cuts pages as nc-segment's does. Records get their
    `quality`, and `records` drops those below *min_quality* (0 to 1); without the default *quality_model*, and with
    neither of the two given, they get none. Raises ValueError for a form, parser, profile, way to decide or quality
    there is not, or ways to decide that do not go together; model.ModelError for such a model.
    """

    def __init__(
        self,
        model_name: str = "en",
        threshold: float | None = None,
        per_char: bool = False,
        rules: bool = True,
        form: str = "plain",
        parser: str = "lexbor",
        min_quality: float | None = None,
        quality_model: str | None = None,
        decide: str = "auto",
        profile: str = "visual",
        favour: str = "balance",
    ) -> None:
        _check_choice("form", form, FORMS)
        _check_choice("decide", decide, policies.WAYS)
        _check_choice("favour", favour, policies.FAVOURS)
        _check_choice("profile", profile, profiles.PROFILES)
        _check_choice("parser", parser, html_parser.PARSERS)
        path = registry.find(model_name)
        header, scoring = registry.load_file(path)
        self._score = scorer.scorer([(model_name, scoring)], [registry.signature(registry.model_name(path), header)])
        if decide == "justext":
            if favour != "balance":
                raise ValueError("favour: not with decide='justext'")
            self._decide = by_neighbours(rules=rules, threshold=threshold or 0.0, per_char=per_char)
        else:
            self._decide = policies.named(decide, threshold, per_char, rules, favour)
        self._form, self._page_options = form, profiles.PageOptions(parser, profile)
        if min_quality is not None and not 0 <= min_quality <= 1:
            raise ValueError(f"min_quality: from 0 to 1 is wanted, not {min_quality!r}")
        self._min_quality = min_quality
        self._judge = registry.find_quality(quality_model, min_quality is not None)

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
        return selected(self._scored(document), self._decide, self._form, judge=self._judge)

    def records(self, documents: Iterable[Record]) -> Iterator[Record]:
        """Many of them, in order, without those below *min_quality*. A record that fails comes out with `error`, as
        from the filters.

        One that failed before is passed on as it is.
        """
        for document in documents:
            result = runner.attempt(self._passed, document)
            if isinstance(result, RecordError):
                given = document if isinstance(document, dict) else {}
                result = {**given, "error": {"stage": "ncfilters", "message": str(result)}}
            if result is not None:
                yield result

    def _passed(self, document: Record) -> Record | None:
        return document if is_error(document) else good(self.record(document), self._min_quality)

    def _scored(self, document: Record) -> Record:
        check(document)
        if "segments" in document:  # scored in place: not the caller's own
            document = {**document, "segments": [s.copy() if type(s) is dict else s for s in document["segments"]]}
        else:
            document = segmenter.segment_record(document, self._page_options)
        result = self._score([document])[0]
        if isinstance(result, RecordError):
            raise result
        return result


def _check_choice(what: str, value: str, accepted: Iterable[str]) -> None:
    if value not in (names := list(accepted)):
        raise ValueError(f"{what}: {', '.join(names[:-1])} or {names[-1]} is wanted, not {value!r}")


@lru_cache(maxsize=8)
def _pipeline(model_name: str) -> Pipeline:
    return Pipeline(model_name)


def clean(html: str | bytes, model: str = "en") -> str:
    """The clean text of a page, a paragraph a line."""
    return _pipeline(model).clean(html)
