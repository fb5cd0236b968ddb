"""Markdown in pieces: headings, borders of blocks, and units that are never cut."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ncfilters.pipeline import Pipeline, PipelineOptions
from ncfilters.selection.chunks import chunk_records, chunks, word_count

HEAD = "| a | b |\n| --- | --- |"
TOKEN = re.compile(r"w\d+")


def texts(markdown: str, most: int) -> list[str]:
    return [chunk.text for chunk in chunks(markdown, most)]


@pytest.mark.parametrize(
    "markdown, most, expected",
    [
        ("", 5, []),
        ("One two.", 5, ["One two."]),
        ("One two.\n\nThree four.", 3, ["One two.", "Three four."]),
        ("It rained all day. The sun shone.", 4, ["It rained all day.", "The sun shone."]),
        ("Dr. Lee came home. He slept.", 4, ["Dr. Lee came home.", "He slept."]),
        ("See [it. He](http://a.example/x. y). Go.", 3, ["See [it. He](http://a.example/x. y).", "Go."]),
        ("One day.\\\nTwo days.", 2, ["One day.", "Two days."]),
        ("- one\n    - two\n    - three\n- four", 2, ["- one\n    - two", "- three\n- four"]),
        ("```\na b\n\nc d\n```\n\nText.", 2, ["```\na b\n\nc d\n```", "Text."]),
        ("- ```\n  a b\n\n  c\n  ```\n- two", 2, ["- ```\n  a b\n\n  c\n  ```", "- two"]),
        ("$$\na b\n\nc\n$$\n\nText.", 1, ["$$\na b\n\nc\n$$", "Text."]),
        ("> One two.\n>\n> Three four. Five.", 2, ["> One two.", "> Three four.", "> Five."]),
        ("One.\n\n---\n\nTwo.", 9, ["One.", "Two."]),
        (f"{HEAD}\n| c | d |\n| e | f |", 4, [f"{HEAD}\n| c | d |", f"{HEAD}\n| e | f |"]),
        (f"{HEAD}\n| c | d |", 2, [HEAD, "| c | d |"]),
        ("# A b\n\nOne two three. Four five.", 5, ["# A b\n\nOne two three.", "Four five."]),
        ("# A b\n\n```\nc d e f\n```\n\nText.", 3, ["# A b\n\n```\nc d e f\n```", "Text."]),
        ("# A b\n\nOne two. Three.", 3, ["# A b", "One two. Three."]),
        ("雨が降った。日が出た。", 5, ["雨が降った。", "日が出た。"]),
    ],
)  # fmt: skip
def test_pieces(markdown: str, most: int, expected: list[str]) -> None:
    assert texts(markdown, most) == expected


def test_headings_above_a_piece() -> None:
    markdown = "Before.\n\n# A *b*\n\n## [C](x)\n\nOne.\n\n### D\n\nTwo.\n\n## E\\*\n\nThree.\n\n# F"
    assert [(chunk.headings, chunk.text.split("\n")[-1]) for chunk in chunks(markdown, 100)] == [
        ((), "Before."),
        (("A b", "C"), "One."),
        (("A b", "C", "D"), "Two."),
        (("A b", "E*"), "Three."),
        (("F",), "# F"),
    ]


def test_a_number_of_words_is_1_or_more() -> None:
    with pytest.raises(ValueError, match="1 word or more"):
        chunks("Text.", 0)
    for options in ({"form": "plain"}, {"form": "markdown", "front_matter": True}):
        with pytest.raises(ValueError, match="chunks"):
            PipelineOptions(chunks=5, **options)  # type: ignore[arg-type]


def test_words_of_addresses_do_not_count() -> None:
    assert word_count("See [my page](http://a.example/b-c) and ![a b](d.png).") == 6


def test_records_of_pieces() -> None:
    record = {
        "id": 7,
        "url": "http://a.example/",
        "head": {"title": "Rain"},
        "text": "# Rain\n\nIt rained.",
        "lang": "en",
    }
    assert chunk_records(record, 9) == [
        {
            "id": "7#1",
            "url": "http://a.example/",
            "title": "Rain",
            "headings": ["Rain"],
            "text": "# Rain\n\nIt rained.",
            "nc": 1,
        }
    ]
    assert [piece["id"] for piece in chunk_records({"text": "a\n\nb"}, 1)] == ["#1", "#2"]


def test_from_python() -> None:
    html = "<h1>Rain</h1><p>It rained all day in the town by the sea. Nobody came, and the streets were empty.</p>"
    record = Pipeline("en", form="markdown", chunks=10).record({"id": "a", "html": html})
    assert [piece["text"].split("\n\n")[-1] for piece in record["chunks"]] == [
        "# Rain",
        "It rained all day in the town by the sea.",
        "Nobody came, and the streets were empty.",
    ]


# ---- any text -------------------------------------------------------------------------------------------------------


class Made(NamedTuple):
    """A text whose words are all different; the words of each of its units; those of heads of tables; of headings."""

    text: str
    units: list[list[str]]
    heads: set[str]
    headings: set[str]


sizes = st.lists(st.integers(1, 6), min_size=1, max_size=4)
blocks = st.lists(
    st.tuples(st.sampled_from("paragraph list table code quote h1 h2 h3 rule verse inner".split()), sizes), max_size=12
)


def made(parts: list[tuple[str, list[int]]]) -> Made:
    units: list[list[str]] = []
    heads: set[str] = set()
    headings: set[str] = set()

    def unit(size: int) -> list[str]:
        start = sum(map(len, units))
        units.append([f"w{start + number}" for number in range(size)])
        return units[-1]

    def sentence(size: int) -> str:
        return " ".join(unit(size)).capitalize() + "."

    def table(own: list[int]) -> str:
        rows = [f"| {' | '.join(unit(2))} |" for _ in own]
        heads.update(units[-len(own)])
        return "\n".join([rows[0], "| --- | --- |", *rows[1:]])

    def heading(level: int, size: int) -> str:
        headings.update(words := unit(size))
        return f"{'#' * level} {' '.join(words)}"

    kinds: dict[str, Callable[[list[int]], str]] = {
        "paragraph": lambda own: " ".join(map(sentence, own)),
        "verse": lambda own: "\\\n".join(map(sentence, own)),
        "list": lambda own: "\n".join([f"- {sentence(size)}" for size in own]),
        "inner": lambda own: "\n".join([f"{'    ' * (n % 3)}- {sentence(size)}" for n, size in enumerate(own)]),
        "table": table,
        "code": lambda own: "```\n" + "\n\n".join(unit(sum(own))) + "\n```",
        "quote": lambda own: "\n>\n".join([f"> {sentence(size)} {sentence(1)}" for size in own]),
        "rule": lambda own: "---",
        **{f"h{level}": lambda own, level=level: heading(level, own[0]) for level in (1, 2, 3)},  # type: ignore[misc]
    }
    return Made("\n\n".join([kinds[kind](own) for kind, own in parts]), units, heads, headings)


@settings(max_examples=300)
@given(blocks, st.integers(1, 30))
@example([("table", [1, 1, 1, 1])], 4)
@example([("h1", [2]), ("inner", [3, 3, 3, 3])], 5)
def test_no_unit_is_cut_and_no_word_is_lost(parts: list[tuple[str, list[int]]], most: int) -> None:
    source = made(parts)
    pieces = texts(source.text, most)
    found = [TOKEN.findall(piece.lower()) for piece in pieces]
    once = [word for words in found for word in words if word not in source.heads]
    assert once == [word for unit in source.units for word in unit if word not in source.heads]
    place = {word: number for number, words in enumerate(found) for word in words}
    for unit in source.units:
        assert len({place[word] for word in unit} if not source.heads & set(unit) else {0}) == 1
    for piece, words in zip(pieces, found):
        longest = max(len(unit) for unit in source.units if set(unit) & set(words))
        others = [unit for unit in source.units if set(unit) & set(words) - source.headings]
        assert word_count(piece) <= most or longest > most and len(others) <= 1


@settings(max_examples=100)
@given(blocks)
def test_a_text_without_headings_that_fits_is_one_piece(parts: list[tuple[str, list[int]]]) -> None:
    source = made([part for part in parts if part[0] not in ("h1", "h2", "h3", "rule")])
    assert texts(source.text, 10_000) == ([source.text] if source.text else [])


@settings(max_examples=300)
@given(st.text("ab.1 \n#>-`|$*[]()\\!<", max_size=80), st.integers(1, 5))
def test_any_text_keeps_its_letters(text: str, most: int) -> None:
    letters = [letter for piece in texts(text, most) for letter in piece if letter.isalnum()]
    assert [letter for letter in text if letter.isalnum()] == letters or "|" in text


def test_a_long_hostile_text_takes_linear_time() -> None:
    for text in ("*" * 20_000, "[" * 20_000, "`" * 20_000, "> " * 10_000, "a. " * 10_000, "![" * 10_000):
        assert chunks(text, 10) is not None
