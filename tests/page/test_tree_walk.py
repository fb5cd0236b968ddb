"""The walk over a tree."""

from __future__ import annotations

from typing import Any

from ncfilters.page.html_parser import parse_html
from ncfilters.page.text_run import TextRun
from ncfilters.page.tree_walk import End, Handler, end_skipped, walk


class Recorder:
    """A builder that notes what it is told."""

    def __init__(self) -> None:
        self.pre_depth = 0
        self.run = TextRun()
        self.events: list[str] = []

    def start_hidden_inline(self, name: str, node: Any, attributes: Any) -> End | None:
        self.events.append(f"hidden {name}")
        return None


def start(recorder: Recorder, name: str, node: Any) -> End | None:
    recorder.events.append(f"<{name}>")
    return end_other if node.attributes else None


def end(recorder: Recorder) -> None:
    recorder.events.append("end")


def end_other(recorder: Recorder) -> None:
    recorder.events.append("other end")


def walked(html: str, table: dict[str, Handler]) -> Recorder:
    recorder = Recorder()
    walk(parse_html(html).body, recorder, table)
    return recorder


def test_starts_and_ends_in_the_order_of_the_page() -> None:
    found = walked("<p>a<b>b</b></p><!-- c --><p class=x>d</p>", {"p": (start, end), "b": (start, None)})
    assert found.events == ["<p>", "<b>", "end", "<p>", "other end"]
    assert found.run.parts == ["a", "b", "d"]


def test_what_is_skipped_has_neither_text_nor_elements() -> None:
    found = walked("<s>a<p>b</p></s>c", {"s": (start, end_skipped), "p": (start, end)})
    assert (found.events, found.run.parts) == (["<s>"], ["c"])


def test_elements_without_handlers_may_be_hidden() -> None:
    assert walked("<i style=x>a</i><i hidden>b</i><i class=y>c", {}).events == ["hidden i", "hidden i"]


def test_white_space_begins_no_text() -> None:
    assert walked("<p> \n<i>a</i> <i>b", {}).run.parts == ["a", " ", "b"]
