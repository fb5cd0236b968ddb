"""The whole job from Python: pages in, documents or clean text out.

>>> page = extract("<title>Rain</title><article><h1>Rain</h1><p>By Ann Lee</p><p>It rained all day in the town.</p>")
>>> page.title, page.authors, str(page)
('Rain', ['Ann Lee'], 'Rain\\nBy Ann Lee\\nIt rained all day in the town.')
>>> Pipeline(form="markdown").clean("<h1>A title</h1><p>The text that somebody wrote.</p>")
'# A title\\n\\nThe text that somebody wrote.'
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import islice
from typing import Any

from .errors import RecordError
from .page import profiles
from .page.element_rules import element_rules
from .page.tree import html_parser
from .record import Record, check, posts_of
from .scoring import registry
from .scoring.scorer import AUTO, AutoScorer, Scorer, one_thread
from .segmentation import segmenter
from .selection import decision, expected_f
from .selection.formats import MARKUP_FORMS, OUTPUT_FORMS, MarkupOptions
from .selection.front_matter import document_metadata
from .selection.options import METHODS, ContentOptions, PolicyOptions
from .selection.selector import SelectionOptions, select_text, with_quality
from .streams.pool import Pool
from .streams.runner import Stage, attempt, per_record, through

# `Pipeline.records` processes so many characters of HTML together (numpy is twice as fast for ten pages as for one), or
# so many documents. A document that took so many seconds to come is not kept waiting for others.
BATCH_CHARS, BATCH_DOCUMENTS, MAX_WAIT = 1 << 21, 1 << 8, 0.02
# Characters of the HTML of a page for each of its segments, about.
CHARS_PER_SEGMENT = 1000
# Pages that a process of `extract_many` gets at once, and batches that wait for each process.
BATCH_PAGES, WAITING = 16, 2
# A text with more characters is no path or address.
MAX_PATH_CHARS = 1000
_CHOICES: dict[str, Iterable[str]] = {
    "form": OUTPUT_FORMS,
    "decide": METHODS,
    "favour": expected_f.OPERATING_POINTS,
    "profile": profiles.PROFILES,
    "parser": html_parser.PARSERS,
}


@dataclass(frozen=True)
class PipelineOptions:
    """What a pipeline does. Raises ValueError for a value that is not accepted."""

    threshold: float | None = None  # bits, as nc-select --threshold
    rules: bool = True  # drop what nc-segment marked; False is nc-select --no-rules
    form: str = "plain"  # one of formats.OUTPUT_FORMS
    bullets: bool | None = None  # of list items; None is yes for `clean`, and no for records
    parser: str = "lexbor"  # one of html_parser.PARSERS
    min_quality: float | None = None  # 0 to 1; `Pipeline.records` drops records of a lower quality
    quality_model: str | None = None  # a name or a file; None is the default model, where it is installed
    decide: str = "auto"  # one of options.METHODS, as nc-select --decide
    profile: str = "visual"  # one of profiles.PROFILES, as nc-segment --profile
    favour: str = "balance"  # one of expected_f.OPERATING_POINTS, as nc-select --favour
    content: ContentOptions = ContentOptions()  # what counts as content, as nc-select --policy, --with and --without
    head_title: bool = False  # as nc-select --head-title
    markup: bool | None = None  # as nc-segment --markup; None is yes for Markdown, HTML and XML
    metadata: bool = False  # the head has the metadata of the page, which it also has with markup
    keep: bool = False  # records have their segments, too, each with its decision, as nc-select --all
    links: str = "keep"  # as nc-select --links
    images: str = "keep"  # as nc-select --images
    tables: str = "keep"  # as nc-select --tables
    front_matter: bool = False  # as nc-select --front-matter
    chunks: int | None = None  # records have `chunks`, pieces of Markdown of so many words, as nc-select --chunks
    drop_elements: str = ""  # CSS selectors, as nc-segment --drop-elements
    keep_elements: str = ""  # as nc-segment --keep-elements
    element_rules: str | os.PathLike[str] | None = None  # a file of selectors by site, as nc-segment --element-rules

    def __post_init__(self) -> None:
        if not isinstance(self.content, ContentOptions):
            raise TypeError(f"content: expected ncfilters.ContentOptions, got {self.content!r}")
        for name, accepted in _CHOICES.items():
            if (value := getattr(self, name)) not in (names := list(accepted)):
                raise ValueError(f"{name}: expected {', '.join(names[:-1])} or {names[-1]}, got {value!r}")
        if self.front_matter and self.form != "markdown":
            raise ValueError(f"front_matter: requires the form markdown, got {self.form!r}")
        if self.chunks is not None and (self.form != "markdown" or self.front_matter or self.chunks < 1):
            raise ValueError("chunks: 1 word or more, with the form markdown and without front_matter")
        if self.min_quality is not None and not 0 <= self.min_quality <= 1:
            raise ValueError(f"min_quality: expected a number from 0 to 1, got {self.min_quality!r}")
        MarkupOptions(self.links, self.images, self.tables)

    @property
    def pages(self) -> profiles.PageOptions:
        """How pages are read. Raises ValueError for wrong selectors, OSError for a file that cannot be read."""
        markup = self.form in MARKUP_FORMS if self.markup is None else self.markup
        elements = element_rules(self.drop_elements, self.keep_elements, self.element_rules)
        if elements and self.profile == "justext":
            raise ValueError("rules for elements: cannot be combined with the profile justext")
        return profiles.PageOptions(self.parser, self.profile, markup=markup, metadata=self.metadata, elements=elements)

    @property
    def policy(self) -> PolicyOptions:
        """How segments are decided. Raises ValueError for options that exclude each other."""
        return PolicyOptions(self.decide, self.threshold, self.rules, self.favour, content=self.content)

    def selection(self, bullets: bool) -> SelectionOptions:
        """What records contain; the form plain has *bullets*, or not."""
        has_title = "title" not in self.content.excluded
        return SelectionOptions(
            self.form,
            bullets,
            mark_segments=self.keep,
            head_title=self.head_title and has_title,
            markup=MarkupOptions(self.links, self.images, self.tables),
            front_matter=self.front_matter,
            chunks=self.chunks,
        )


class Pipeline:
    """HTML or plain text to clean text, with one model, or by default with the best one for the language of each
    document. Models are loaded once.

    Single options may be given by name: `Pipeline("en", form="markdown")`. Records get a `quality`, except where
    neither *min_quality* nor *quality_model* is given and the default quality model is not installed. Raises ValueError
    for options that are not accepted or exclude each other, TypeError for an unknown option, and ModelError if a model
    is unknown or unreadable.
    """

    def __init__(self, model_name: str = AUTO, options: PipelineOptions | None = None, **changes: Any) -> None:
        options = replace(options or PipelineOptions(), **changes)
        self._policy = decision.policy(options.policy)
        self._page_options = options.pages
        self._record_options = options.selection(options.bullets is True)
        self._text_options = options.selection(options.bullets is not False)
        self._min_quality = options.min_quality
        self._quality_model = registry.find_quality(options.quality_model, options.min_quality is not None)
        self._score = AutoScorer() if model_name == AUTO else Scorer([registry.load_named(model_name)])
        if options.content.needs_roles and not self._score.writes_roles:
            raise ValueError(f"content: needs roles, which the model {model_name} does not write")
        processes = per_record(self._segmented), self._scored_together, per_record(self._of_quality)
        self._stages = [Stage("ncfilters", process) for process in processes]

    def clean(self, html: str | bytes) -> str:
        """The clean text of a page, with bullets of list items. Bytes are decoded as browsers decode them. Raises
        ValueError for a text that is the path of a file or an address."""
        if isinstance(html, str):
            _check_is_html(html)
        return self._text_of({"html": html})

    def clean_text(self, text: str) -> str:
        """The clean text of a plain-text dump."""
        return self._text_of({"text": text})

    def segments(self, html: str | bytes) -> list[dict[str, Any]]:
        """The page's segments with their types, rules and scores."""
        return list(self._scored({"html": html})["segments"])

    def record(self, document: Record) -> Record:
        """A record with `text` instead of its `blocks`, `html`, `text` or `segments`. Raises RecordError."""
        return self._selected(self._scored(document))

    def records(self, documents: Iterable[Record]) -> Iterator[Record]:
        """The records with `text`, in order, without those below *min_quality*. A record that fails gets an `error`, as
        in the filters; a record with an `error` passes through unchanged.

        Documents are read ahead and processed together, which is faster than one by one: up to BATCH_CHARS or
        BATCH_DOCUMENTS. The first one, and one that took more than MAX_WAIT to come, is processed at once.
        """
        for batch in _read_ahead(documents):
            for document, outcome in zip(batch, through(self._stages, batch)):
                if outcome.error:
                    fields = document if isinstance(document, dict) else {}
                    yield {**fields, "error": {"stage": outcome.tool, "message": str(outcome.error)}}
                elif outcome.record is not None:
                    yield outcome.record

    def _selected(self, scored: Record) -> Record:
        return select_text(scored, self._policy, self._record_options, self._quality_model)

    def _of_quality(self, scored: Record) -> Record | None:
        return with_quality(self._selected(scored), self._min_quality)

    def _text_of(self, document: Record) -> str:
        return str(select_text(self._scored(document), self._policy, self._text_options)["text"])

    def _scored(self, document: Record) -> Record:
        check(document)
        result = self._scored_together([self._segmented(document)])[0]
        if isinstance(result, RecordError):
            raise result
        return result

    def _segmented(self, document: Record) -> Record:
        if "segments" in document:  # a copy, because scores are written into segments
            return {**document, "segments": [s.copy() if type(s) is dict else s for s in document["segments"]]}
        return segmenter.segment_document(document, self._page_options, in_table=True)

    def _scored_together(self, records: list[Record]) -> list[Record | RecordError]:
        with one_thread:
            return self._score(records)


def _read_ahead(documents: Iterable[Record]) -> Iterator[list[Record]]:
    """The documents, in batches of about so many characters. What was read comes before an error of *documents*."""
    batch: list[Record] = []
    chars, is_first, start = 0, True, time.monotonic()
    try:
        for document in documents:
            waited = time.monotonic() - start > MAX_WAIT
            batch.append(document)
            if isinstance(document, dict):
                segments, pages = document.get("segments"), (document.get("html"), document.get("text"))
                chars += max(len(page) if isinstance(page, str | bytes) else 0 for page in pages)
                chars += CHARS_PER_SEGMENT * len(segments) if isinstance(segments, list) else 0
            if is_first or waited or chars >= BATCH_CHARS or len(batch) == BATCH_DOCUMENTS:
                yield batch
                batch, chars, is_first = [], 0, False
            start = time.monotonic()
    except Exception:
        if batch:
            yield batch
        raise
    if batch:
        yield batch


@lru_cache(maxsize=8)
def _pipeline_of(model_name: str, options: PipelineOptions | None = None) -> Pipeline:
    """The pipeline with a model and options, which is made once."""
    return Pipeline(model_name, options)


def clean(html: str | bytes, model: str = AUTO) -> str:
    """The clean text of a page, one paragraph per line, with bullets and numbers of list items. Raises ValueError for a
    text that is the path of a file or an address."""
    return _pipeline_of(model).clean(html)


# ---- documents -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Document:
    """A page: its `text` in the form that was asked for, and its metadata; a field that is not known is None or empty.
    `str()` of it is its text. Of a page that failed, `error` says why."""

    text: str = ""
    title: str | None = None
    authors: list[str] = field(default_factory=list)
    date: str | None = None  # the day of publication, YYYY-MM-DD
    site: str | None = None
    language: str | None = None  # a language tag
    quality: float | None = None  # predicted word precision, 0 to 1
    url: str | None = None
    posts: list[dict[str, Any]] = field(default_factory=list)  # of a thread: author, date, first and last of `segments`
    head: dict[str, Any] = field(default_factory=dict)  # all metadata, with evidence (nc-stream(5))
    chunks: list[dict[str, Any]] = field(default_factory=list)  # pieces of the text, if they were asked for
    segments: list[dict[str, Any]] = field(default_factory=list)  # with types, roles, scores, and `keep`
    record: dict[str, Any] = field(default_factory=dict)  # the other fields of the record, such as its `id`
    error: RecordError | None = None

    def __str__(self) -> str:
        return self.text


def extract(
    html: str | bytes | os.PathLike[str],
    *,
    url: str | None = None,
    form: str = "plain",
    model: str = AUTO,
    **options: Any,
) -> Document:
    """The document of a page: its HTML as text, as bytes, whose encoding is found, or in a file.

    *url* is its address, which resolves links. *form* is one of nc-select(1), such as markdown.
    *model* is the name or the file of a model; *options* are fields of `PipelineOptions`. Raises ValueError for a text
    that is a path or an address, TypeError for other types, OSError for a file that cannot be read, RecordError for a
    page that cannot be processed, and ModelError for an unknown model.
    """
    page = _record_of(html) if url is None else {**_record_of(html), "url": url}
    return _document(_pipeline_of(model, _options(form, options)).record(page), {})


def extract_many(
    pages: Iterable[Mapping[str, Any] | str | bytes | os.PathLike[str]],
    *,
    jobs: int = 1,
    form: str = "plain",
    model: str = AUTO,
    **options: Any,
) -> Iterator[Document]:
    """The documents of pages, in order, in so many processes; pages are read as documents are taken.

    A page is a record with `html`, and with `url` if it has one, or what `extract` reads. Nothing is raised for a page:
    its document has an `error`, also if the processes that work on it are killed, as for want of memory. Raises
    TypeError for a single page, ValueError and ModelError for options, and UsageError where a process has ended and no
    other can be started.
    """
    if isinstance(pages, str | bytes | Mapping):
        raise TypeError(f"pages: expected several, got {type(pages).__name__}: extract reads one page")
    if jobs < 1:
        raise ValueError(f"jobs: expected 1 or more, got {jobs}")
    made = _options(form, options)
    _pipeline_of(model, made)  # errors of options before the first page
    records = map(_safe_record, pages)
    batches = iter(lambda: list(islice(records, BATCH_PAGES)), [])
    if jobs == 1:
        for batch in batches:
            yield from _documents(batch, model, made)
        return
    with closing(Pool(jobs, partial(_documents, model=model, options=made), _died)) as pool:
        # as many threads, which wait for a process each
        threads = ThreadPoolExecutor(jobs)
        running: deque[Future[Sequence[Document]]] = deque()
        try:
            for batch in batches:
                running.append(threads.submit(pool, batch))
                if len(running) >= WAITING * jobs:
                    yield from running.popleft().result()
            while running:
                yield from running.popleft().result()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)


def _options(form: str, options: dict[str, Any]) -> PipelineOptions:
    return PipelineOptions(**{"bullets": True, "metadata": True, "keep": True, "form": form, **options})


def _record_of(page: Any) -> Record:
    """The record of a page. Raises ValueError, TypeError and OSError."""
    if isinstance(page, os.PathLike):
        with open(page, "rb") as file:
            return {"html": file.read()}
    if not isinstance(page, str | bytes):
        raise TypeError(f"a page is str, bytes or a path object, not {type(page).__name__}")
    if isinstance(page, str):
        _check_is_html(page)
    return {"html": page}


def _check_is_html(text: str) -> None:
    """Raises ValueError for a text that is an address or the path of a file."""
    if "<" in text or "\n" in text or len(text) > MAX_PATH_CHARS:
        return
    if text.startswith(("http://", "https://")):
        raise ValueError(f"{text} is an address, not HTML: fetch the page; extract takes the address as url=")
    if os.path.exists(text):
        raise ValueError(f"{text} is the path of a file, not HTML: give pathlib.Path({text!r}).read_bytes()")


def _safe_record(page: Any) -> Record | RecordError:
    """The record of a page, or the error of one that cannot be read."""
    try:
        return dict(page) if isinstance(page, Mapping) else _record_of(page)
    except OSError as error:
        return RecordError(f"{error.filename}: {error.strerror}")
    except (TypeError, ValueError) as error:
        return RecordError(str(error))


def _documents(batch: Sequence[Record | RecordError], model: str, options: PipelineOptions) -> list[Document]:
    """The documents of records, in the process that works."""
    pipeline, out = _pipeline_of(model, options), []
    for record in batch:
        if isinstance(record, RecordError):
            out.append(_failed(record, record))
            continue
        result = attempt(pipeline.record, record)
        out.append(_failed(record, result) if isinstance(result, RecordError) else _document(result, record))
    return out


def _died(page: Record | RecordError, how: str) -> Document:
    """The document of a page with which processes died."""
    return _failed(page, RecordError(f"the process that worked on it {how}"))


def _failed(page: Record | RecordError, error: RecordError) -> Document:
    record = page.record if isinstance(page, RecordError) else page
    return Document(url=record.get("url"), record=_others(record), error=error)


def _document(record: Record, source: Record) -> Document:
    """The document of a record with text, made of *source*."""
    found = document_metadata(record)
    known: dict[str, Any] = {name: found.get(name) for name in ("title", "date", "site", "language")}
    return Document(
        text=record["text"],
        authors=list(found.get("author", ())),
        quality=record.get("quality"),
        url=record.get("url"),
        head=record.get("head") or {},
        posts=posts_of(record),
        chunks=record.get("chunks", []),
        segments=record["segments"],
        record=_others(source),
        **known,
    )


def _others(record: Record) -> Record:
    return {name: value for name, value in record.items() if name not in ("html", "text", "segments", "url", "posts")}
