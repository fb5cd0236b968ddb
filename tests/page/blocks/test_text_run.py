"""The text of a block while it is read."""

from __future__ import annotations

from ncfilters.page.blocks.text_run import TextRun


def run_of(*parts: str) -> TextRun:
    run = TextRun()
    run.parts += parts
    return run


def test_parts_are_joined_and_spaces_collapsed() -> None:
    run = run_of(" one", "\n two ", "three\xa0\xa0four ")
    assert run.take(is_pre=False, is_bold=False) == ("one two three four", 0, 0)
    assert run.parts == []


def test_preformatted_text_keeps_its_spaces() -> None:
    assert run_of("\n a\n", "  b\xa0c\n").take(is_pre=True, is_bold=False) == (" a\n  b c", 0, 0)


def test_ellipsis_of_windows_1252() -> None:
    assert run_of("and so on\x85").take(is_pre=False, is_bold=False)[0] == "and so on…"


def test_characters_in_links() -> None:
    run = run_of("See ", "here", " and ", "there ")
    run.link_spans += [(1, 2), (3, 4)]
    assert run.take(is_pre=False, is_bold=False) == ("See here and there", 9, 0)
    assert run.link_spans == []


def test_open_link_continues_in_the_next_text() -> None:
    run = run_of("one ", "two")
    run.link_start = 1
    assert run.take(is_pre=False, is_bold=False) == ("one two", 3, 0)
    run.parts.append("three")
    assert run.take(is_pre=False, is_bold=False) == ("three", 5, 0)


def test_open_bold_element_continues_in_the_next_text() -> None:
    run = run_of("one ", "two")
    run.bold_start = 1
    assert run.take(is_pre=False, is_bold=True) == ("one two", 0, 3)
    run.parts.append("three")
    assert run.take(is_pre=False, is_bold=True) == ("three", 0, 5)
