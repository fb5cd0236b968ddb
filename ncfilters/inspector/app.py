"""The web application of nc-inspect: pages for people, and their data.

app = application(Site(collection, analysis))
"""

from __future__ import annotations

import queue
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

import orjson
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartParser
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ..errors import RecordError, UsageError
from ..installed import __version__
from ..record import Record
from ..streams.pool import Limits, Pool
from . import server, views
from .analysis import Analysis, Call, Settings, call_all, runs, too_much
from .collection import KEY_PREFIX, PAGE_ROWS, Collection, PastedPages, Query
from .labels import LabelFile, TrainingRun, key_of, labelled_record
from .views import report, static_folder, static_text, templates

MAX_FILTER_VALUES = 200
# Digits of a number in an address.
MAX_DIGITS = 15
# Processes for pasted pages, their limits, and seconds that a request waits for one.
PROCESSES, LIMITS, WAIT = 2, Limits(memory=1 << 30, seconds=20.0, lives=1), 60.0


def analysis_pool() -> Pool:
    """Processes for pasted pages. To be made while there is one thread."""
    return Pool(PROCESSES, call_all, too_much, LIMITS)


@dataclass(frozen=True)
class Site:
    """What the application shows. Without a *pool*, pasted pages are analysed as others are."""

    collection: Collection
    analysis: Analysis
    default: Settings = Settings()
    labels: LabelFile | None = None
    training: TrainingRun | None = None
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    pool: Pool | None = None
    max_body: int = 64 << 20
    pasted: PastedPages = field(default_factory=PastedPages)

    def record(self, key: str) -> Record:
        if key.startswith(KEY_PREFIX):
            return self.pasted.record(key)
        if not key.isdecimal() or len(key) > MAX_DIGITS:
            raise KeyError(key)
        return self.collection.record(int(key))


def application(site: Site) -> server.Application:
    pages = _Pages(site)
    MultiPartParser.spool_max_size = site.max_body  # uploads stay in memory
    routes: list[Route | Mount] = [
        Route("/", pages.start),
        Route("/documents", pages.documents),
        Route("/d/{key}", pages.document),
        Route("/page/{key}", pages.frame),
        Route("/rendered/{key}", pages.rendered),
        Route("/report/{key}", pages.report),
        Route("/api/d/{key}", pages.view),
        Route("/api/reasons/{key}", pages.reasons),
        Route("/api/record/{key}", pages.record),
        Route("/api/gold/{key}", pages.gold),
        Route("/api/progress", pages.progress),
        Route("/api/paste", pages.paste, methods=["POST"]),
        Mount("/static", StaticFiles(directory=static_folder())),
    ]
    if site.labels is not None:
        routes.append(Route("/api/label/{key}", pages.label, methods=["POST"]))
        routes.append(Route("/api/train", pages.train, methods=["POST"]))
    app = Starlette(routes=routes, exception_handlers={HTTPException: _failure})
    return server.Guard(app, site.token, site.max_body)


class _Pages:
    def __init__(self, site: Site) -> None:
        self._site = site

    # ---- pages for people

    async def start(self, request: Request) -> Response:
        if len(self._site.collection) == 1 and self._site.collection.is_complete:
            return RedirectResponse("/d/0")
        if len(self._site.collection):
            return RedirectResponse("/documents")
        return self._html("paste.html")

    async def documents(self, request: Request) -> Response:
        query = Query.of(request.query_params)
        page = await run_in_threadpool(self._site.collection.select, *query.condition(), query.order(), query.window)
        given = {name: value for name, value in request.query_params.items() if value and name not in ("page", "at")}
        collection = self._site.collection
        filters = {name: collection.values_of(name, MAX_FILTER_VALUES) for name in ("site", "lang", "type")}
        return self._html(
            "documents.html",
            rows=page.rows,
            total=page.total,
            query=query,
            first=query.window[0],
            pages=max(1, -(-page.total // PAGE_ROWS)),
            filters=filters,
            address=lambda **changes: _address("/documents", given, changes),
            document=lambda row, at: _address(f"/d/{row['n']}", given, {"at": at}),
        )

    async def document(self, request: Request) -> Response:
        key, record = self._record(request)
        before, after, position = await run_in_threadpool(self._neighbours, key, request)
        title = record.get("id") or record.get("url") or f"document {key}"
        data = {
            "key": key,
            "token": self._site.token,
            "choices": views.choices(self._site.analysis),
            "default": {"model": self._site.default.model, "form": self._site.default.form},
            "hasGold": bool(record.get("gold")),
            "labels": self._labels_of(record),
            "canLabel": self._site.labels is not None and not key.startswith(KEY_PREFIX),
        }
        return self._html(
            "document.html",
            key=key,
            title=str(title)[:200],
            url=str(record.get("url") or "")[:500],
            before=before,
            after=after,
            position=position,
            many=len(self._site.collection) > 1,
            has_gold=data["hasGold"],
            can_label=data["canLabel"],
            choices=data["choices"],
            data=data,
        )

    async def frame(self, request: Request) -> Response:
        key, record = self._record(request)
        images = request.query_params.get("images") == "1"
        html = await self._work(views.frame_page, self._site.analysis, key, record, images, static_text("frame.css"))
        return HTMLResponse(html, headers={"content-security-policy": server.page_policy(images)})

    async def rendered(self, request: Request) -> Response:
        key, record = self._record(request)
        settings = self._settings({**request.query_params, "form": "markdown"})
        html = await self._work(views.rendered, self._site.analysis, key, record, settings, static_text("frame.css"))
        return HTMLResponse(html, headers={"content-security-policy": server.page_policy(False)})

    async def report(self, request: Request) -> Response:
        key, record = self._record(request)
        settings = self._settings(request.query_params)
        html = await self._work(report, self._site.analysis, key, record, settings)
        name = re.sub(r"[^\w.-]+", "-", str(record.get("id") or key))[:80].strip("-.") or "report"
        return HTMLResponse(
            html,
            headers={
                "content-disposition": f"attachment; filename*=UTF-8''{quote(name)}.html",
                "content-security-policy": "sandbox",
            },
        )

    # ---- data

    async def view(self, request: Request) -> Response:
        start = time.perf_counter()
        key, record = self._record(request)
        settings = self._settings(request.query_params)
        view = views.live_view if request.query_params.get("live") else views.document_view
        out = await self._work(view, self._site.analysis, key, record, settings)
        out["ms"] = round(1000 * (time.perf_counter() - start), 1)
        return _json(out)

    async def reasons(self, request: Request) -> Response:
        key, record = self._record(request)
        model = self._settings(request.query_params).model
        return _json({"reasons": await self._work(Analysis.reasons, self._site.analysis, key, record, model)})

    async def record(self, request: Request) -> Response:
        key, record = self._record(request)
        settings = self._settings(request.query_params)
        return PlainTextResponse(await self._work(views.record_json, self._site.analysis, key, record, settings))

    async def gold(self, request: Request) -> Response:
        key, record = self._record(request)
        settings = self._settings({**request.query_params, "form": "plain"})
        result = await self._work(Analysis.result, self._site.analysis, key, record, settings)
        return _json({"runs": await self._work(runs, record, result["text"])})

    async def progress(self, request: Request) -> Response:
        collection = self._site.collection
        analysed = await run_in_threadpool(collection.analysed)
        return _json({"documents": len(collection), "analysed": analysed, "complete": collection.is_complete})

    async def paste(self, request: Request) -> Response:
        async with request.form(max_files=1, max_fields=4, max_part_size=self._site.max_body) as form:
            upload, text = form.get("file"), form.get("html")
            if upload is not None and not isinstance(upload, str) and upload.size:
                content = await upload.read()
                key = await run_in_threadpool(self._site.pasted.add, content, (upload.filename or "")[:100])
            elif isinstance(text, str) and text.strip():
                key = await run_in_threadpool(self._site.pasted.add, text)
            else:
                raise HTTPException(400, "Paste a page, or choose a file.")
        return _json({"address": f"/d/{key}"})

    async def label(self, request: Request) -> Response:
        key, record = self._record(request)
        labels = self._site.labels
        assert labels is not None  # the route is there
        if key.startswith(KEY_PREFIX):
            raise HTTPException(400, "Pasted pages cannot be labelled: open a file.")
        given = await _body(request)
        keep = given.get("keep")
        if not isinstance(keep, list) or not all(isinstance(one, bool) for one in keep):
            raise HTTPException(400, "keep: expected a list of true and false")
        settings = self._settings({name: str(value) for name, value in given.get("settings", {}).items()})
        result = await self._work(Analysis.result, self._site.analysis, key, record, settings)
        named = {"id": f"document-{key}", **record} if not key_of(record) else record
        labelled = await self._work(labelled_record, named, result["segments"], keep, settings.policy.content.policy)
        await run_in_threadpool(labels.save, labelled)
        self._site.collection.update(int(key), {"labelled": 1})
        return _json({"saved": len(labels), "file": labels.path})

    async def train(self, request: Request) -> Response:
        site = self._site
        assert site.labels is not None  # the route is there
        if site.training is None or not len(site.labels):
            raise HTTPException(400, "Label some pages first.")
        kind = str((await _body(request)).get("kind") or "ngram")
        await run_in_threadpool(site.labels.compact)
        path, messages = await self._work(site.training.train, kind)
        await self._work(site.analysis.add_model, path)
        return _json({"model": path, "messages": messages})

    # ---- what endpoints share

    def _record(self, request: Request) -> tuple[str, Record]:
        key = str(request.path_params["key"])
        try:
            return key, self._site.record(key)
        except KeyError:
            raise HTTPException(404, "There is no such document, or not any more.") from None

    def _settings(self, query: Any) -> Settings:
        try:
            return Settings.of_query(query, self._site.default)
        except UsageError as error:
            raise HTTPException(400, str(error)) from None

    async def _work(self, function: Callable[..., Any], *args: Any) -> Any:
        """The result of a function, outside the event loop; of the analysis of pasted pages in the pool."""
        analysis = self._site.analysis
        if self._site.pool and args[0] is analysis and str(args[1]).startswith(KEY_PREFIX):
            call = Call(tuple(analysis.models), analysis.version, function, args[1:])
            function, args = self._in_pool, (self._site.pool, call)
        try:
            return await run_in_threadpool(function, *args)
        except (RecordError, UsageError, ValueError) as error:
            raise HTTPException(422, str(error)) from None

    @staticmethod
    def _in_pool(pool: Pool, call: Call) -> Any:
        try:
            is_result, value = pool([call], WAIT)[0]
        except queue.Empty:
            raise UsageError("other pages are being analysed: try again in a minute") from None
        if not is_result:
            raise UsageError(value)
        return value

    def _labels_of(self, record: Record) -> list[bool] | None:
        labels = self._site.labels
        return labels.decisions(key_of(record)) if labels is not None else None

    def _neighbours(self, key: str, request: Request) -> tuple[str, str, str]:
        """The addresses of the documents before and after one, in the order of the table that it was opened from, and
        its position there."""
        if key.startswith(KEY_PREFIX):
            return "", "", ""
        given = {name: value for name, value in request.query_params.items() if value and name != "page"}
        at = given.pop("at", key)
        if not at.isdecimal() or len(at) > MAX_DIGITS:
            raise HTTPException(400, "at: expected a number")
        position, query = int(at), Query.of(given)
        first = max(position - 1, 0)
        page = self._site.collection.select(*query.condition(), query.order(), (first, 3))
        addresses = {
            first + place: _address(f"/d/{row['n']}", given, {"at": first + place})
            for place, row in enumerate(page.rows)
        }
        return (addresses.get(position - 1, ""), addresses.get(position + 1, ""), f"{position + 1:,} of {page.total:,}")

    def _html(self, template: str, **values: Any) -> Response:
        shared = {"version": __version__, "token": self._site.token}
        return HTMLResponse(templates().get_template(template).render(**shared, **values))


def _address(path: str, given: dict[str, str], changes: dict[str, Any]) -> str:
    query = {name: str(value) for name, value in {**given, **changes}.items() if value not in (None, "")}
    return f"{path}?{urlencode(query)}" if query else path


async def _body(request: Request) -> dict[str, Any]:
    try:
        given = orjson.loads(await request.body())
    except orjson.JSONDecodeError:
        given = None
    if not isinstance(given, dict) or not isinstance(given.get("settings", {}), dict):
        raise HTTPException(400, "expected an object in JSON")
    return given


def _json(value: Any) -> Response:
    return Response(orjson.dumps(value, default=repr), media_type="application/json")


async def _failure(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if request.url.path.startswith("/api/"):
        return Response(orjson.dumps({"error": str(error.detail)}), error.status_code, media_type="application/json")
    html = templates().get_template("failure.html").render(message=error.detail, status=error.status_code)
    return HTMLResponse(html, error.status_code)
