"""Lines between single `<br>`s."""

from __future__ import annotations

from types import ModuleType

import pytest
from operations import assert_linear
from uncompiled import both_forms

from ncfilters.page.blocks.block_table import LINES, PRE, table_of
from ncfilters.segmentation.line_breaks import join_lines

FORMS = pytest.mark.parametrize(
    "form", both_forms("ncfilters.segmentation.line_breaks"), ids=lambda form: form.__name__
)

PROSE = (
    "This is a paragraph that somebody wrapped by hand at some/width with line breaks, because the editor they used in"
    "/those days did not know how to do it otherwise, and so every/line ends in the middle of a sentence."
)


@pytest.mark.parametrize(
    "text",
    [
        "Roses are red,/Violets are blue,/Sugar is sweet,/And so are you.",
        # verse in lower case has an uneven margin
        "the fog comes/on little cat feet/it sits looking/over harbor and city/on silent haunches/and then moves on",
        "so much depends/upon/a red wheel/barrow/glazed with rain/water/beside the white/chickens",
        "Jane Doe/12 High Street/Oxford OX1 2AB/United Kingdom",
        "12:01 start/12:02 connect 10.0.0.1/12:05 done",
        "phone: 01865 1234/fax: 01865 1235/email: jane@example.org",
        "Opening hours:/Monday to Friday 9 to 5",
        "Monday: potato soup with a sausage and bread, and small salad/Tuesday: spaghetti with tomatoes and cheese, and"
        " a mixed salad",
        "A description of some changes to the tool, 17 February 2026/Jane Doe",
        # long lines are paragraphs
        f"{'The river rose again in the night. ' * 5}/{'Nobody had expected that. ' * 6}",
        "Sing, O goddess, the anger of Achilles son of Peleus,/That brought countless ills upon the Achaeans, all."
        "/Many a brave soul did it send hurrying down to Hades,/And many a hero did it yield a prey to dogs.",
        "山重水复疑无路，/柳暗花明又一村。",
    ],
)
def test_lines_that_are_real(text: str) -> None:
    assert join_lines(text.split("/")) == text.replace("/", "\n")


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        "Wir haben uns über den Besuch sehr gefreut und glauben, dass alle/Gäste im nächsten Jahr wiederkommen, denn so"
        " viele Leute/waren noch nie da, und die meisten von ihnen haben mit uns/Lieder gesungen.",
        "The quick brown fox/jumps over the dog",  # too few lines to tell, and in the middle of a sentence
        "这是一段很长的文字，作者在每一行的末尾都加了换行符，因为当时/的编辑器不会自动换行，所以每一行都在句子的中间结束，读起来很"
        "/奇怪。",
    ],
)
def test_wrapped_prose(text: str) -> None:
    assert join_lines(text.split("/")) == text.replace("/", " ")


def test_paragraphs_of_wrapped_prose_stay_apart() -> None:
    lines = PROSE.split("/")
    assert join_lines([*lines[:-1], "line ends here.", *lines]).count("\n") == 1


@FORMS
def test_blocks_become_lines(form: ModuleType) -> None:
    p = {"tag": "p", "path": "body/p", "links": 1}
    table = table_of(
        [
            {"text": "One,", **p},
            {"text": "Two", **p, "br": True},
            {"text": "", **p},
            {"text": "three", **p, "br": True, "path": "body/div"},
            {"text": "1. four", **p, "br": True, "path": "body/div"},
            {"text": "five", **p, "pre": True, "tag": "div", "path": "pre/div.a", "marker": "1"},
            {"text": "six", **p, "pre": True, "tag": "div", "path": "pre/div.b"},
            {"text": "seven", **p, "pre": True, "tag": "p", "path": "pre/p"},
            {"text": "eight", **p, "br": True, "pre": True, "tag": "p", "path": "pre/p"},
        ]
    )
    assert form.join_blocks(table) == [0, 0, -1, 1, 2, 3, 3, 4, 4]
    assert table.text == ["One,\nTwo", "three", "1. four", "five\nsix", "seven\neight"]
    assert table.links == [2, 1, 1, 2, 2] and table.marker == [None] * 5
    assert table.flags == [LINES, 0, 0, PRE, PRE]


def test_lines_in_linear_time() -> None:
    assert_linear(join_lines, lambda size: ["some words, and others"] * size, 1_000)
