"""Inline elements in the text of a block while it is read."""

from __future__ import annotations

import pytest

from ncfilters.page.markup.markup_run import GOES_ON, MarkupRun, sort_spans, trimmed


def spans_of(run: MarkupRun, is_pre: bool = False) -> list[tuple[str, ...]]:
    """The text that each span covers, its kind and its value."""
    text = run.take(is_pre, False)[0]
    return [(text[start:end], *entry) for start, end, *entry in run.spans]


def test_spaces_are_not_in_spans() -> None:
    run = MarkupRun()
    run.parts += ["  See\n", " "]
    run.open(("link", "x"))
    run.parts += [" this ", "\n page "]
    run.close()
    run.parts += [" now"]
    assert spans_of(run) == [("this page", "link", "x")]
    assert run.spans == [[4, 13, "link", "x"]]


def test_spans_nest() -> None:
    run = MarkupRun()
    run.open(("strong",))
    run.parts.append("a ")
    run.open(("em",))
    run.parts.append("b")
    run.close()
    run.close()
    run.parts.append(" c")
    assert spans_of(run) == [("a b", "strong"), ("b", "em")]


def test_elements_of_one_extent_are_in_the_order_of_their_starts() -> None:
    run = MarkupRun()
    run.parts.append("x")
    run.open(("strong",))
    run.open(("link", "y"))
    run.parts.append(" b ")
    run.close()
    run.close()
    assert [kind for _, kind, *_ in spans_of(run)] == ["strong", "link"]


def test_an_open_element_continues_in_the_next_text() -> None:
    run = MarkupRun()
    run.parts.append("one ")
    run.open(("em",))
    run.parts.append("two")
    assert spans_of(run) == [("two", "em")]
    run.parts.append("three")
    run.close()
    run.parts.append(" four")
    assert [run.take(False, False)[0], run.spans] == ["three four", [[0, 5, "em", GOES_ON]]]
    run.parts.append("five")
    assert spans_of(run) == []


def test_empty_elements_and_repetitions_are_left_out() -> None:
    run = MarkupRun()
    run.open(("em",))
    run.close()
    run.open(("em",))
    run.open(("em",))
    run.parts.append("a")
    run.close()
    run.close()
    assert spans_of(run) == [("a", "em")]


def test_elements_nest_to_a_limit() -> None:
    run = MarkupRun()
    for number in range(1_000):
        run.open(("link", str(number)))
    run.parts.append("a")
    for _ in range(1_000):
        run.close()
    assert len(spans_of(run)) == 31  # MAX_OPEN, and the one that ends it


@pytest.mark.parametrize(
    ("before", "inside", "after", "position"),
    [
        ("a ", "", "b", 2),
        ("a", "", " b", 1),
        ("a ", "", " b", 2),
        ("a ", "b ", "c", 4),
        ("", "b ", "c", 1),
        ("a", "", "", 1),
    ],
)
def test_points_stay_in_the_elements_around_them(before: str, inside: str, after: str, position: int) -> None:
    run = MarkupRun()
    run.parts += filter(None, [before])
    run.open(("link", "x"))
    run.parts += filter(None, [inside])
    run.add_point(("image", {"src": "i"}))
    run.close()
    run.parts += filter(None, [after])
    run.take(False, False)
    positions = [span[:2] for span in run.spans if span[2] == "image"]
    link = [span for span in run.spans if span[2] == "link"]
    if inside:
        position = link[0][1]
    assert positions == [[position, position]]


def test_superscripts_that_are_written_in_another_way_have_their_content() -> None:
    run = MarkupRun()
    run.parts.append("10")
    run.raised_starts.append(1)
    run.open(("sup",))
    run.parts += ["-", "6"]
    run.end_raised(is_superscript=True)
    run.close()
    run.parts.append(" m")
    assert spans_of(run) == [("⁻⁶", "sup", "-6")]


def test_a_link_in_a_superscript_covers_its_mark() -> None:
    run = MarkupRun()
    run.parts.append("so")
    run.raised_starts.append(1)
    run.open(("sup",))
    run.open(("link", "#n1"))
    run.link_start = 1
    run.parts.append("1")
    run.close()
    run.end_raised(is_superscript=True)
    run.close()
    assert spans_of(run) == [("[1]", "sup", "1"), ("[1]", "link", "#n1")]


def test_preformatted_text() -> None:
    run = MarkupRun()
    run.parts.append("\n  a = ")
    run.open(("strong",))
    run.parts.append("b\n")
    run.close()
    assert spans_of(run, is_pre=True) == [("b", "strong")]


def test_order_and_trimming() -> None:
    spans = [[2, 3, "em"], [0, 1, "a"], [0, 3, "b"], [0, 3, "c"]]
    sort_spans(spans)
    assert [span[2] for span in spans] == ["b", "c", "a", "em"]
    image = [2, 2, "image", {"src": "i"}]
    spans = [[2, 5, "em"], image, [0, 1, "a"], [2, 9, "b"]]
    sort_spans(spans)
    assert [span[2] for span in spans] == ["a", "b", "em", "image"]
    spans = [image, [2, 5, "em"], image, [2, 9, "b"]]
    sort_spans(spans)
    assert [span[2] for span in spans] == ["image", "b", "em", "image"]
    assert trimmed([0, 5, "em"], " ab  ") == [1, 3, "em"]
    assert trimmed([3, 9, "em"], " ab  ") is None
