"""The application and its server."""

from __future__ import annotations

import json
import re
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from collected import collected

from ncfilters.errors import UsageError
from ncfilters.inspector.analysis import Analysis
from ncfilters.inspector.app import Site, address_of, analysis_pool, application, bind
from ncfilters.inspector.collection import Collection
from ncfilters.inspector.labels import LabelFile
from ncfilters.streams.pool import Limits

pytest.importorskip("starlette", reason="Starlette, of the extra web, is not installed")
pytest.importorskip("multipart", reason="python-multipart, of the extra web, is not installed")
pytest.importorskip("rapidfuzz", reason="RapidFuzz, of the extra web, is not installed")
pytest.importorskip("markdown_it", reason="markdown-it-py, of the extra web, is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")


DATA = Path(__file__).resolve().parent.parent / "data"
TOKEN = {"x-nc-token": "secret"}


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return Analysis()


def made_client(app: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Starlette prefers the successor of httpx
        from starlette.testclient import TestClient
    return TestClient(app, base_url="http://127.0.0.1:8000")


def client_of(collection: Collection, analysis: Analysis, **options: Any) -> Any:
    return made_client(application(Site(collection, analysis, token="secret", **options)))


@pytest.fixture(scope="module")
def client(analysis: Analysis, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with collected(DATA / "crawl.jsonl", DATA / "pages-with-gold.jsonl") as collection:
        labels = LabelFile(str(tmp_path_factory.mktemp("labels") / "labels.jsonl"))
        yield client_of(collection, analysis, labels=labels)


@pytest.fixture(scope="module")
def empty(analysis: Analysis) -> Iterator[Any]:
    with collected() as collection, closing(analysis_pool()) as pool:
        yield client_of(collection, analysis, pool=pool, max_body=3 << 20)


def test_a_site_starts_with_its_table_or_its_only_document(client: Any, tmp_path: Path) -> None:
    page = client.get("/")
    assert page.status_code == 200 and page.url.path == "/documents"
    assert "Last tram to Saltmarsh" in page.text
    path = tmp_path / "page.html"
    path.write_text("<title>T</title><p>It rained all day.")
    with collected(path) as collection:
        assert client_of(collection, Analysis()).get("/").url.path == "/d/0"


def test_the_table_is_searched_and_sorted_and_text_is_no_markup(client: Any) -> None:
    page = client.get("/documents?q=tram").text
    assert page.count("<tr>") == 2 and "/d/0?q=tram&amp;at=0" in page
    assert "No document is like that" in client.get("/documents?q=nowhere-at-all").text
    assert 'aria-sort="descending"' in client.get("/documents?sort=length&order=desc").text
    page = client.get("/documents?q=%3Cscript%3Ealert(1)%3C/script%3E").text
    assert "<script>alert" not in page
    page = client.get("/d/0?sort=length&order=desc&at=1").text
    assert re.search(r'id="before" rel="prev" href="/d/\d+\?sort=length&amp;order=desc&amp;at=0"', page)
    assert 'id="before"' not in client.get("/d/0").text


def test_data_of_a_view(client: Any) -> None:
    usual = client.get("/api/d/0").json()
    strict = client.get("/api/d/0?threshold=100").json()
    assert usual["kept"] > 0 == strict["kept"] and usual["segments"][0]["text"]
    assert client.get("/api/d/0?form=markdown").json()["text"].startswith("# Last tram")
    assert client.get("/api/d/0?model=/etc/passwd").status_code == 422
    assert "expected" in client.get("/api/d/0?form=pdf").json()["error"]
    client.get("/api/d/0")
    assert min(client.get(f"/api/d/0?threshold={t}").json()["ms"] for t in range(5)) < 100


def test_pages_records_gold_and_reports_of_a_document(client: Any) -> None:
    page = client.get("/page/0")
    policy = page.headers["content-security-policy"]
    assert policy.startswith("sandbox allow-same-origin; default-src 'none'")
    assert "script-src" not in policy and "https:" not in policy
    assert "data-nc=" in page.text and "<script" not in page.text
    assert "img-src data: https: http:" in client.get("/page/0?images=1").headers["content-security-policy"]
    assert client.get("/api/reasons/0").json()["reasons"][0]["for"]
    assert json.loads(client.get("/api/record/0").text)["id"] == "news"
    assert "<h1>Last tram" in client.get("/rendered/0").text
    assert client.get("/api/d/15").json()["gold"]["f"] > 0
    assert ["equal", "wrong", "missed"][0] in {kind for kind, _ in client.get("/api/gold/15").json()["runs"]}
    assert client.get("/api/gold/0").status_code == 422
    report = client.get("/report/0")
    assert "news.html" in report.headers["content-disposition"] and "data-nc=" in report.text
    assert client.get("/api/progress").json()["complete"] is True


def test_labels_are_saved_and_shown_again(client: Any, analysis: Analysis) -> None:
    count = len(client.get("/api/d/0").json()["segments"])
    body = {"keep": [True] * count, "settings": {"policy": "all"}}
    assert client.post("/api/label/0", json=body).status_code == 403
    saved = client.post("/api/label/0", json=body, headers=TOKEN).json()
    assert saved["saved"] == 1
    record = json.loads(Path(saved["file"]).read_text())
    assert record["gold"]["policy"] == "all" and record["labels"] == [True] * count
    assert "true,true" in client.get("/d/0").text
    assert "/d/0?" in client.get("/documents?only=labelled").text
    assert client.post("/api/label/0", json={"keep": [True]}, headers=TOKEN).status_code == 422
    assert client.post("/api/label/0", content=b"[", headers=TOKEN).status_code == 400
    assert client.post("/api/label/0", json={"keep": [1]}, headers=TOKEN).status_code == 400
    pasted = (
        client.post("/api/paste", data={"html": "<p>x"}, headers=TOKEN).json()["address"].replace("/d/", "/api/label/")
    )
    assert client.post(pasted, json={"keep": [True]}, headers=TOKEN).status_code == 400
    assert len(Path(saved["file"]).read_text().splitlines()) == 1


def test_what_is_not_there_and_other_hosts(client: Any) -> None:
    for path in ("/d/999", "/d/x", "/d/p-guess", "/page/-1", "/api/d/1e9", "/nothing"):
        assert client.get(path).status_code == 404, path


@pytest.mark.parametrize("value", ["9" * 5000, "9" * 20, "-1", "1e400", "nan", "\0", "%", "\u0663", "x" * 300])
def test_no_query_is_a_failure_of_the_server(value: str, client: Any) -> None:
    names = "at q site lang type min_quality min_length only sort order page images policy form model".split()
    for path in ("/documents", "/d/0", "/api/d/0"):
        for name in names:
            assert client.get(path, params={name: value}).status_code in (200, 400, 422), (path, name)


def test_a_failed_document_says_why(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a"}\n{"id": "b", "html": 7}\n')
    with collected(path) as collection:
        client = client_of(collection, Analysis())
        assert "missing" in client.get("/api/d/0").json()["error"]
        assert "html" in client.get("/api/d/1").json()["error"]
        assert client.get("/d/0").status_code == 200


def test_pages_are_pasted(empty: Any) -> None:
    assert "Paste the HTML" in empty.get("/").text
    address = empty.post("/api/paste", data={"html": "<p>It rained all day."}, headers=TOKEN).json()["address"]
    assert empty.get(address).status_code == 200
    assert empty.get(address.replace("/d/", "/api/d/")).json()["segments"][0]["text"] == "It rained all day."
    assert empty.get(address.replace("/d/", "/api/d/"), params={"form": "pdf"}).status_code == 400
    assert empty.get(address.replace("/d/", "/api/d/"), params={"model": "none"}).status_code == 422
    for part in ("page", "rendered", "report", "api/reasons", "api/record"):
        assert "It rained all day." in empty.get(address.replace("/d/", f"/{part}/")).text or part == "api/reasons"
    files = {"file": ("a.html", "<meta charset=latin1><p>Caf\xe9 au lait.".encode("latin-1"))}
    address = empty.post("/api/paste", files=files, headers=TOKEN).json()["address"]
    assert "Café au lait" in empty.get(address.replace("/d/", "/api/d/")).text
    assert empty.post("/api/paste", data={"html": " "}, headers=TOKEN).status_code == 400
    assert empty.post("/api/paste", data={"html": "x" * (4 << 20)}, headers=TOKEN).status_code == 413


@pytest.mark.parametrize("limits", [Limits(memory=1 << 20), Limits(seconds=0.01)])
def test_a_pasted_page_beyond_a_limit_ends_its_process_alone(
    limits: Limits, analysis: Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ncfilters.inspector.app.LIMITS", limits._replace(lives=1))
    with collected(DATA / "crawl.jsonl") as collection, closing(analysis_pool()) as pool:
        client = client_of(collection, analysis, pool=pool)
        address = client.post("/api/paste", data={"html": "<p>It rained."}, headers=TOKEN).json()["address"]
        answer = client.get(address.replace("/d/", "/api/d/"))
        assert answer.status_code == 422 and "too much time or memory" in answer.json()["error"]
        assert client.get("/api/d/0").json()["kept"]  # others are not bound by it


def test_an_upload_never_reaches_a_disk(empty: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rolled = []
    monkeypatch.setattr(tempfile.SpooledTemporaryFile, "rollover", lambda self: rolled.append(1))
    files = {"file": ("a.html", b"<p>" + b"x" * (2 << 20))}
    assert empty.post("/api/paste", files=files, headers=TOKEN).status_code == 200
    assert rolled == []


def test_a_model_is_trained_on_the_labels(analysis: Analysis, tmp_path: Path) -> None:
    model = Path(__file__).resolve().parents[2] / "models" / "xx.model"
    code = f"import shutil, sys; shutil.copy({str(model)!r}, sys.argv[3])"
    labels = LabelFile(str(tmp_path / "labels.jsonl"), [sys.executable, "-c", code])
    with collected(DATA / "crawl.jsonl") as collection:
        site = Site(collection, Analysis(), labels=labels, token="secret")
        client = made_client(application(site))
        assert client.post("/api/train", headers=TOKEN).status_code == 400
        count = len(client.get("/api/d/0").json()["segments"])
        client.post("/api/label/0", json={"keep": [True] * count}, headers=TOKEN)
        trained = client.post("/api/train", headers=TOKEN).json()
        assert trained["model"] == str(tmp_path / "labels.ngram.model")
        assert client.get("/api/d/0", params={"model": trained["model"]}).json()["kept"]


def test_a_port_is_found_or_an_error() -> None:
    with bind(0) as listener:
        port = listener.getsockname()[1]
        assert address_of(listener) == f"http://127.0.0.1:{port}/"
        with pytest.raises(UsageError, match=str(port)):
            bind(port)


# ---- security
@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "LOCALHOST:1"])
def test_our_names_are_answered(host: str, client: Any) -> None:
    assert client.get("/api/progress", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example:80", "", "localhost.", "[::1]:80", "localhost:80:80"]
)
def test_other_names_are_not(host: str, client: Any) -> None:
    assert client.get("/api/progress", headers={"host": host}).status_code == 421


def test_requests_that_write_need_the_token_of_this_site(client: Any) -> None:
    def status(**headers: str) -> int:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        answer: int = client.post("/api/paste", data={"html": "<p>x"}, headers=given).status_code
        return answer

    assert status() == status(x_nc_token="secrets") == 403
    assert status(x_nc_token="secret") == status(x_nc_token="secret", origin="http://127.0.0.1:8000") == 200
    for origin in ("http://evil.example", "null", "http://127.0.0.1:8001"):
        assert status(x_nc_token="secret", origin=origin) == 403


@pytest.mark.parametrize("length", [str((3 << 20) + 1), "many", "-1", "", "\xb2"])
def test_bodies_are_bounded(length: str, empty: Any) -> None:
    headers = {**TOKEN, "content-length": length.encode("latin-1")}
    assert empty.post("/api/paste", content=b"html=x", headers=headers).status_code == 413


def test_answers_have_headers_that_protect(client: Any) -> None:
    for answer in (client.get("/documents"), client.get("/", headers={"host": "evil.example"})):
        assert "default-src 'none'; script-src 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
