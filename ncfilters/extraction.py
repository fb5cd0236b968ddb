"""Pages to documents: their text, and what they say of themselves.

>>> page = extract("<title>Rain</title><article><h1>Rain</h1><p>By Ann Lee</p><p>It rained all day in the town.</p>")
>>> page.title, page.authors, str(page)
('Rain', ['Ann Lee'], 'Rain\\nBy Ann Lee\\nIt rained all day in the town.')
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any

from .errors import RecordError
from .pipeline import PipelineOptions, check_is_html, pipeline_of
from .record import Record, posts_of
from .scoring.scorer import AUTO
from .selection.front_matter import document_metadata
from .streams.pool import Pool

# Pages that a process gets at once, and batches that wait for each process.
BATCH_PAGES, WAITING = 16, 2
_Batch = list[Record | RecordError]


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

    *url* is its address, which resolves links. *form*: one of plain, markdown, html, xml, cleaneval, vertical, conllu.
    *model* is the name or the file of a model; *options* are fields of `PipelineOptions`. Raises ValueError for a text
    that is a path or an address, TypeError for other types, OSError for a file that cannot be read, RecordError for a
    page that cannot be processed, and ModelError for an unknown model.
    """
    return _document(pipeline_of(model, _options(form, options)).record(_record_of(html, url)), None)


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
    pipeline_of(model, made)  # errors of options before the first page
    batches = _batches(map(_safe_record, pages))
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


def _record_of(page: str | bytes | os.PathLike[str], url: str | None = None) -> Record:
    """The record of a page. Raises ValueError, TypeError and OSError."""
    if isinstance(page, os.PathLike):
        with open(page, "rb") as file:
            page = file.read()
    elif isinstance(page, str):
        check_is_html(page)
    elif not isinstance(page, bytes):
        raise TypeError(f"a page is str, bytes or a path object, not {type(page).__name__}")
    return {"html": page} if url is None else {"html": page, "url": url}


def _safe_record(page: Any) -> Record | RecordError:
    """The record of a page, or the error of one that cannot be read."""
    if isinstance(page, Mapping):
        return dict(page)
    try:
        return _record_of(page)
    except OSError as error:
        return RecordError(f"{error.filename}: {error.strerror}")
    except (TypeError, ValueError) as error:
        return RecordError(str(error))


def _batches(records: Iterator[Record | RecordError]) -> Iterator[_Batch]:
    while batch := list(islice(records, BATCH_PAGES)):
        yield batch


def _documents(batch: _Batch, model: str, options: PipelineOptions) -> list[Document]:
    """The documents of records, in the process that works."""
    pipeline = pipeline_of(model, options)
    out = []
    for record in batch:
        if isinstance(record, RecordError):
            out.append(Document(error=record))
            continue
        try:
            out.append(_document(pipeline.record(record), record))
        except RecordError as error:
            out.append(_failed(record, error))
    return out


def _died(page: Record | RecordError, how: str) -> Document:
    """The document of a page with which processes died."""
    record = page.record if isinstance(page, RecordError) else page
    return _failed(record, RecordError(f"the process that worked on it {how}"))


def _failed(record: Record, error: RecordError) -> Document:
    return Document(url=record.get("url"), record=_others(record), error=error)


def _document(record: Record, source: Record | None) -> Document:
    """The document of a record with text."""
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
        record=_others(source or {}),
        **known,
    )


def _others(record: Record) -> Record:
    return {name: value for name, value in record.items() if name not in ("html", "text", "segments", "url", "posts")}
