"""Pages of strangers are analysed in processes of their own, with limits of time and memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from threading import Thread

import pytest

pytest.importorskip("rapidfuzz", reason="RapidFuzz, of the extra web, is not installed")

from ncfilters.errors import UsageError
from ncfilters.inspector import isolated, views
from ncfilters.inspector.settings import Settings

PAGE = {"html": "<p>It rained all day, and nobody went out before the evening."}


@pytest.fixture
def analysis() -> Iterator[isolated.IsolatedAnalysis]:
    made = isolated.IsolatedAnalysis()
    yield made
    made.forget()


def text_of(analysis: isolated.IsolatedAnalysis) -> str:
    return str(analysis.call(views.document_view, "a", PAGE, Settings())["text"])


@pytest.mark.slow
@pytest.mark.parametrize("limit, value", [("SECONDS", 0.01), ("MEMORY", 1 << 24)])
def test_a_page_beyond_a_limit_ends_its_process_alone(
    limit: str, value: float, analysis: isolated.IsolatedAnalysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = getattr(isolated, limit)
    monkeypatch.setattr(isolated, limit, value)
    for _ in range(isolated.PROCESSES + 1):
        with pytest.raises(UsageError, match="too much time or memory"):
            text_of(analysis)
    monkeypatch.setattr(isolated, limit, usual)
    assert text_of(analysis).startswith("It rained")
    with pytest.raises(UsageError, match="model: 'x' is not one of"):
        analysis.call(views.document_view, "a", PAGE, Settings(model="x"))


@pytest.mark.slow
def test_others_are_answered_meanwhile(analysis: isolated.IsolatedAnalysis) -> None:
    text_of(analysis)
    long = {"html": f"<p>{'Some text of a page. ' * 5}</p>" * 10_000}
    ended: list[bool] = []

    def analyse() -> None:
        with suppress(UsageError):
            analysis.call(views.document_view, "long", long, Settings())
        ended.append(True)

    slow = Thread(target=analyse)
    slow.start()
    assert text_of(analysis).startswith("It rained")
    assert not ended
    slow.join()
