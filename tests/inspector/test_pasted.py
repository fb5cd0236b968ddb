"""Pages that users paste."""

from __future__ import annotations

import pytest
from browsers import wait_for

from ncfilters.inspector import pasted
from ncfilters.inspector.pasted import KEY_PREFIX, PastedPages, record_of


def test_pages_have_keys_that_nobody_guesses() -> None:
    pages = PastedPages()
    keys = [pages.add("<p>a"), pages.add("<p>b", "b.html")]
    assert len(set(keys)) == 2 and all(key.startswith(KEY_PREFIX) and len(key) >= 16 for key in keys)
    assert pages.record(keys[1]) == {"html": "<p>b", "id": "b.html"}
    with pytest.raises(KeyError):
        pages.record("p-other")


def test_pages_are_forgotten_after_a_while() -> None:
    now, forgotten = [0.0], []
    pages = PastedPages(forgotten.append, lambda: now[0])
    key = pages.add("<p>a")
    pages.drop_old()
    assert len(pages) == 1
    now[0] = pasted.MAX_SECONDS + 1
    pages.drop_old()
    assert forgotten == [key]
    with pytest.raises(KeyError):
        pages.record(key)
    assert len(pages) == 0


def test_old_pages_are_swept_without_a_request() -> None:
    forgotten: list[str] = []
    now = [0.0]
    pages = PastedPages(forgotten.append, lambda: now[0])
    key = pages.add("<p>a")
    now[0] = pasted.MAX_SECONDS + 1
    pages.sweep(0.01)
    wait_for(lambda: forgotten == [key], 10)


def test_the_first_pages_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pasted, "MAX_CHARS", 100)
    pages = PastedPages()
    keys = [pages.add("<p>" + "x" * 37) for _ in range(3)]
    assert len(pages) == 2
    with pytest.raises(KeyError):
        pages.record(keys[0])
    assert pages.record(keys[2])


def test_markup_is_html_and_the_rest_is_text() -> None:
    assert record_of("<p>a") == {"html": "<p>a"}
    assert record_of("  <!doctype html><p>a")["html"]
    assert record_of("It rained. 1 < 2") == {"text": "It rained. 1 < 2"}
    assert record_of(b'<meta charset="iso-8859-1"><p>caf\xe9')["html"].endswith("café")
