"""The web application of nc-inspect: pages for people, and their data; its server, for this computer alone.

serve(application(Site(collection, analysis)), bind(0))

A page of the web may let its name resolve to this computer (DNS rebinding): the header Host must be one of ours. It may
also send forms to it (CSRF): a request that writes needs the token that only our own pages contain.
"""

from __future__ import annotations

import hmac
import queue
import re
import secrets
import socket
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
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ..errors import RecordError, UsageError
from ..record import Record
from ..streams.pool import Limits, Pool
from . import views
from .analysis import Analysis, Settings, call_all, runs, too_much
from .collection import KEY_PREFIX, PAGE_ROWS, Collection, PastedPages, order_of, page_of
from .labels import LabelFile, key_of, labelled_record
from .views import static_folder, templates, title_of

MAX_FILTER_VALUES = 200
# Digits of a number in an address.
MAX_DIGITS = 15
# Processes for pasted pages, their limits, and seconds that a request waits for one.
PROCESSES, LIMITS, WAIT = 2, Limits(memory=1 << 30, seconds=20.0, lives=1), 60.0

# Our own pages: no script, style or image but those of the server, and nothing from anywhere else.
OWN_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# Pages that are inspected: no script, no request, no form; not even when somebody opens the address of the frame.
PAGE_POLICY = (
    "sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline'; img-src {images}; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'self'"
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
    "content-security-policy": OWN_POLICY,
    "cache-control": "no-store",
}
HOST, TOKEN_HEADER = "127.0.0.1", "x-nc-token"


def analysis_pool() -> Pool:
    """Processes for pasted pages. To be made while there is one thread."""
    return Pool(PROCESSES, call_all, too_much, LIMITS)


def application(site: Site) -> Starlette:
    MultiPartParser.spool_max_size = site.max_body  # uploads stay in memory
    routes: list[Route | Mount] = [
        Route("/", site.start),
        Route("/documents", site.documents),
        Route("/d/{key}", site.document),
        Route("/page/{key}", site.frame),
        Route("/rendered/{key}", site.rendered),
        Route("/report/{key}", site.report),
        Route("/api/d/{key}", site.view),
        Route("/api/reasons/{key}", site.reasons),
        Route("/api/record/{key}", site.record),
        Route("/api/gold/{key}", site.gold),
        Route("/api/progress", site.progress),
        Route("/api/paste", site.paste, methods=["POST"]),
        Mount("/static", StaticFiles(directory=static_folder())),
    ]
    if site.labels is not None:
        routes.append(Route("/api/label/{key}", site.label, methods=["POST"]))
        routes.append(Route("/api/train", site.train, methods=["POST"]))
    guard = Middleware(Guard, token=site.token, max_body=site.max_body)
    return Starlette(routes=routes, middleware=[guard], exception_handlers={HTTPException: _failure})


@dataclass(frozen=True)
class Site:
    """What the application shows. Without a *pool*, pasted pages are analysed as others are."""

    collection: Collection
    analysis: Analysis
    default: Settings = Settings()
    labels: LabelFile | None = None
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    pool: Pool | None = None
    max_body: int = 64 << 20
    pasted: PastedPages = field(default_factory=PastedPages)

    # ---- pages for people

    async def start(self, request: Request) -> Response:
        if len(self.collection) == 1 and self.collection.is_complete:
            return RedirectResponse("/d/0")
        if len(self.collection):
            return RedirectResponse("/documents")
        return self._html("paste.html")

    async def documents(self, request: Request) -> Response:
        query = request.query_params
        number, (sort, is_descending) = page_of(query), order_of(query)
        first = (number - 1) * PAGE_ROWS
        rows, total = await run_in_threadpool(self.collection.select, query, first)
        given = {name: value for name, value in query.items() if value and name not in ("page", "at")}
        filters = {name: self.collection.values_of(name, MAX_FILTER_VALUES) for name in ("site", "lang", "type")}
        return self._html(
            "documents.html",
            rows=rows,
            total=total,
            query=query,
            sort=sort,
            descending=is_descending,
            first=first,
            page=number,
            pages=max(1, -(-total // PAGE_ROWS)),
            filters=filters,
            address=lambda **changes: _address("/documents", given, changes),
            document=lambda row, at: _address(f"/d/{row['n']}", given, {"at": at}),
        )

    async def document(self, request: Request) -> Response:
        key, record = self._record(request)
        before, after, position = await run_in_threadpool(self._neighbours, key, request)
        data = {
            "key": key,
            "token": self.token,
            "default": {"model": self.default.model, "form": self.default.form},
            "labels": self.labels.decisions(key_of(record)) if self.labels is not None else None,
        }
        return self._html(
            "document.html",
            key=key,
            title=title_of(record) or f"document {key}",
            url=str(record.get("url") or "")[:500],
            before=before,
            after=after,
            position=position,
            many=len(self.collection) > 1,
            has_gold=bool(record.get("gold")),
            can_label=self.labels is not None and not key.startswith(KEY_PREFIX),
            choices=views.choices(self.analysis),
            data=data,
        )

    async def frame(self, request: Request) -> Response:
        images = request.query_params.get("images") == "1"
        html = await self._result(request, views.frame_page_with_images if images else views.frame_page)
        return HTMLResponse(html, headers={"content-security-policy": _page_policy(images)})

    async def rendered(self, request: Request) -> Response:
        html = await self._result(request, views.rendered, form="markdown")
        return HTMLResponse(html, headers={"content-security-policy": _page_policy(False)})

    async def report(self, request: Request) -> Response:
        key, record = self._record(request)
        name = re.sub(r"[^\w.-]+", "-", str(record.get("id") or key))[:80].strip("-.") or "report"
        disposition = f"attachment; filename*=UTF-8''{quote(name)}.html"
        headers = {"content-disposition": disposition, "content-security-policy": "sandbox"}
        return HTMLResponse(await self._result(request, views.report), headers=headers)

    # ---- data

    async def view(self, request: Request) -> Response:
        start = time.perf_counter()
        out = await self._result(request, views.document_view)
        out["ms"] = round(1000 * (time.perf_counter() - start), 1)
        return _json(out)

    async def reasons(self, request: Request) -> Response:
        return _json({"reasons": await self._result(request, Analysis.reasons)})

    async def record(self, request: Request) -> Response:
        return PlainTextResponse(await self._result(request, views.record_json))

    async def gold(self, request: Request) -> Response:
        result = await self._result(request, Analysis.result, form="plain")
        return _json({"runs": await self._work(runs, self._record(request)[1], result["text"])})

    async def progress(self, request: Request) -> Response:
        analysed = await run_in_threadpool(self.collection.analysed)
        complete = self.collection.is_complete
        return _json({"documents": len(self.collection), "analysed": analysed, "complete": complete})

    async def paste(self, request: Request) -> Response:
        async with request.form(max_files=1, max_fields=4, max_part_size=self.max_body) as form:
            upload, text = form.get("file"), form.get("html")
            if upload is not None and not isinstance(upload, str) and upload.size:
                content = await upload.read()
                key = await run_in_threadpool(self.pasted.add, content, (upload.filename or "")[:100])
            elif isinstance(text, str) and text.strip():
                key = await run_in_threadpool(self.pasted.add, text)
            else:
                raise HTTPException(400, "Paste a page, or choose a file.")
        return _json({"address": f"/d/{key}"})

    async def label(self, request: Request) -> Response:
        key, record = self._record(request)
        assert self.labels is not None  # the route is there
        if key.startswith(KEY_PREFIX):
            raise HTTPException(400, "Pasted pages cannot be labelled: open a file.")
        try:
            given = orjson.loads(await request.body())
            keep, chosen = given["keep"], {name: str(value) for name, value in given.get("settings", {}).items()}
        except (AttributeError, KeyError, TypeError, orjson.JSONDecodeError):
            raise HTTPException(400, "expected an object with keep, and settings") from None
        if not isinstance(keep, list) or not all(isinstance(one, bool) for one in keep):
            raise HTTPException(400, "keep: expected a list of true and false")
        settings = self._settings(chosen)
        result = await self._work(Analysis.result, self.analysis, key, record, settings)
        named = {"id": f"document-{key}", **record} if not key_of(record) else record
        labelled = await self._work(labelled_record, named, result["segments"], keep, settings.policy.content.policy)
        await run_in_threadpool(self.labels.save, labelled)
        self.collection.update(int(key), {"labelled": 1})
        return _json({"saved": len(self.labels), "file": self.labels.path})

    async def train(self, request: Request) -> Response:
        assert self.labels is not None  # the route is there
        if not len(self.labels):
            raise HTTPException(400, "Label some pages first.")
        path, messages = await self._work(self.labels.train)
        await self._work(self.analysis.add_model, path)
        return _json({"model": path, "messages": messages})

    # ---- what endpoints share

    def _record(self, request: Request) -> tuple[str, Record]:
        key = str(request.path_params["key"])
        try:
            if key.startswith(KEY_PREFIX):
                return key, self.pasted.record(key)
            return key, self.collection.record(_number(key))
        except (KeyError, ValueError):
            raise HTTPException(404, "There is no such document, or not any more.") from None

    def _settings(self, query: Any) -> Settings:
        try:
            return Settings.of_query(query, self.default)
        except UsageError as error:
            raise HTTPException(400, str(error)) from None

    async def _result(self, request: Request, function: Callable[..., Any], **settings: str) -> Any:
        """What a function returns for the analysis, a document and the settings of a request."""
        key, record = self._record(request)
        chosen = self._settings({**request.query_params, **settings})
        return await self._work(function, self.analysis, key, record, chosen)

    async def _work(self, function: Callable[..., Any], *args: Any) -> Any:
        """The result of a function, outside the event loop; of the analysis of pasted pages in the pool."""
        try:
            if not self.pool or args[:1] != (self.analysis,) or not str(args[1]).startswith(KEY_PREFIX):
                return await run_in_threadpool(function, *args)
            call = tuple(self.analysis.models), self.analysis.version, function, args[1:]
            is_result, value = (await run_in_threadpool(self.pool, [call], WAIT))[0]
        except queue.Empty:
            raise HTTPException(422, "other pages are being analysed: try again in a minute") from None
        except (RecordError, UsageError, ValueError) as error:
            raise HTTPException(422, str(error)) from None
        if not is_result:
            raise HTTPException(422, value)
        return value

    def _neighbours(self, key: str, request: Request) -> tuple[str, str, str]:
        """The addresses of the documents before and after one, in the order of the table that it was opened from, and
        its position there."""
        if key.startswith(KEY_PREFIX):
            return "", "", ""
        given = {name: value for name, value in request.query_params.items() if value and name != "page"}
        try:
            position = _number(given.pop("at", key))
        except ValueError:
            raise HTTPException(400, "at: expected a number") from None
        first = max(position - 1, 0)
        rows, total = self.collection.select(given, first, 3)
        addresses = {
            first + place: _address(f"/d/{row['n']}", given, {"at": first + place}) for place, row in enumerate(rows)
        }
        return (addresses.get(position - 1, ""), addresses.get(position + 1, ""), f"{position + 1:,} of {total:,}")

    def _html(self, template: str, **values: Any) -> Response:
        return HTMLResponse(templates().get_template(template).render(token=self.token, **values))


def _number(text: str) -> int:
    """The number of a document in an address. Raises ValueError."""
    if not text.isdecimal() or len(text) > MAX_DIGITS:
        raise ValueError(text)
    return int(text)


def _address(path: str, given: dict[str, str], changes: dict[str, Any]) -> str:
    query = {name: str(value) for name, value in {**given, **changes}.items() if value not in (None, "")}
    return f"{path}?{urlencode(query)}" if query else path


def _json(value: Any) -> Response:
    return Response(orjson.dumps(value, default=repr), media_type="application/json")


async def _failure(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if request.url.path.startswith("/api/"):
        return Response(orjson.dumps({"error": str(error.detail)}), error.status_code, media_type="application/json")
    html = templates().get_template("failure.html").render(message=error.detail, status=error.status_code)
    return HTMLResponse(html, error.status_code)


# ---- the server, and what protects it ----


def bind(port: int) -> socket.socket:
    """A socket that listens at an address of this computer; port 0 is any that is free. Raises UsageError."""
    out = socket.socket()
    out.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        out.bind((HOST, port))
        out.listen(128)
    except OSError as error:
        out.close()
        raise UsageError(f"{HOST}:{port}: {error.strerror or error}") from None
    return out


def address_of(listener: socket.socket) -> str:
    return f"http://{HOST}:{listener.getsockname()[1]}/"


def serve(app: Starlette, listener: socket.socket) -> None:
    """Serves until SIGINT or SIGTERM."""
    import uvicorn  # start-up: a report needs no server

    settings: dict[str, Any] = {"log_level": "warning", "access_log": False, "server_header": False, "lifespan": "off"}
    uvicorn.Server(uvicorn.Config(app, timeout_graceful_shutdown=2, **settings)).run(sockets=[listener])


class Guard(BaseHTTPMiddleware):
    """Passes to an application the requests that it may see, and adds headers to all responses."""

    def __init__(self, app: Any, token: str, max_body: int) -> None:
        super().__init__(app)
        self._token, self._max_body = token, max_body

    async def dispatch(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        refusal = self._refusal(request)
        out = PlainTextResponse(refusal[1], refusal[0]) if refusal else await call_next(request)
        for name, value in HEADERS.items():
            out.headers.setdefault(name, value)
        return out

    def _refusal(self, request: Request) -> tuple[int, str] | None:
        host = request.headers.get("host", "")
        name, colon, port = host.lower().rpartition(":")
        if (name if colon and port.isdigit() else host.lower()) not in (HOST, "localhost"):
            return 421, "This server does not answer to that host name."
        if request.method in ("GET", "HEAD"):
            return None
        origin = request.headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            return 403, "The request comes from another site."
        if not hmac.compare_digest(request.headers.get(TOKEN_HEADER, "").encode(), self._token.encode()):
            return 403, "The token is missing or wrong: load the page again."
        length = request.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit()) or int(length) > self._max_body:
            return 413, f"The limit is {self._max_body:,} bytes."
        return None


def _page_policy(images: bool) -> str:
    """The policy of a page that is inspected; with *images*, those of https and http are loaded."""
    return PAGE_POLICY.format(images="data: https: http:" if images else "data:")
