"""The steps for datatrove, in pipelines of the real package."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from archives import archived, http

pytest.importorskip("datatrove", reason="datatrove is not installed")

from datatrove.data import Document

import ncfilters
from ncfilters.adapters.datatrove import NcfiltersExtractor, NcfiltersFilter, NcfiltersReader

PAGE = "<nav><a href=/>Home</a></nav><h1>Rain</h1><p>It rained <b>all day</b> in the town, and nobody was surprised."


def test_documents_get_their_text() -> None:
    empty, unread = Document("<nav><a href=/>Home</a></nav>", "2"), Document("https://a.example/page", "4")
    done = list(NcfiltersExtractor().run([Document(PAGE, "1"), empty, Document(PAGE, "3"), unread]))
    assert [(page.id, page.text) for page in done] == [(name, ncfilters.extract(PAGE).text) for name in ("1", "3")]
    (done_too,) = NcfiltersExtractor(form="markdown").run([Document(PAGE, "1")])
    assert "**all day**" in done_too.text
    with pytest.raises(TypeError, match="colour"):
        NcfiltersExtractor(colour="red")


def crawl(folder: Path) -> Path:
    """A folder with an archive, records and a page."""
    folder.mkdir()
    long = PAGE + "".join(f"<p>It rained on day {n}, and the people of the town did not go out." for n in range(20))
    pages = [archived(1, http(long)), archived(2, http(PAGE))]
    (folder / "a.warc.gz").write_bytes(b"".join(map(gzip.compress, pages)))
    lines = [{"id": 7, "html": PAGE, "lang": "en"}, {"id": "t", "text": "Plain text"}, {"id": "none"}]
    (folder / "b.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines) + "{\n")
    (folder / "c.html").write_text(PAGE)
    return folder


def test_the_reader_reads_archives_records_and_pages(tmp_path: Path) -> None:
    reader = NcfiltersReader(str(crawl(tmp_path / "in")))
    found = list(reader.run())
    assert [page.id for page in found] == ["urn:uuid:1", "urn:uuid:2", "7", "t", "c.html"]
    assert found[2].text == found[4].text == PAGE
    assert found[2].metadata["lang"] == "en"
    assert found[3].text == "Plain text"
    assert found[0].metadata["url"].startswith("http")
    assert reader.stats.stats["errors"].total == 1
    assert len(list(NcfiltersReader(str(tmp_path / "in"), limit=1).run())) == 1


def test_the_filter_drops_with_the_rule_as_reason() -> None:
    step = NcfiltersFilter("gopher.words,c4.curly-brackets")
    assert step.filter(Document("It rained { here", "1")) == (False, "c4.curly-brackets")
    assert step.filter(Document("It rained here. " * 20, "1")) is True
    assert NcfiltersFilter("gopher.stop-words").filter(Document("Es regnet", "1", metadata={"language": "de"})) is True
    with pytest.raises(ValueError, match="no rule"):
        NcfiltersFilter("c5")


@pytest.mark.slow
def test_an_example_pipeline(tmp_path: Path) -> None:
    executor = pytest.importorskip("datatrove.executor", reason="datatrove is not installed")
    writers = pytest.importorskip("datatrove.pipeline.writers", reason="datatrove is not installed")
    steps: list[Any] = [
        NcfiltersReader(str(crawl(tmp_path / "in"))),
        NcfiltersExtractor(),
        NcfiltersFilter("gopher.words", writers.JsonlWriter(str(tmp_path / "dropped"))),
        writers.JsonlWriter(str(tmp_path / "out")),
    ]
    executor.LocalPipelineExecutor(steps, logging_dir=str(tmp_path / "logs")).run()

    def ids(folder: str) -> list[str]:
        lines = [gzip.decompress(path.read_bytes()) for path in sorted((tmp_path / folder).rglob("*.jsonl.gz"))]
        return [json.loads(line)["id"] for line in b"".join(lines).splitlines()]

    assert ids("out") == ["urn:uuid:1"]
    assert ids("dropped") == ["urn:uuid:2", "7", "t", "c.html"]
