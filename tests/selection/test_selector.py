"""Selection: scored segments to a record with text."""

from __future__ import annotations

import re
from typing import Any

import pytest
from conftest import ROOT

from ncfilters.errors import RecordError
from ncfilters.pipeline import Pipeline, PipelineOptions
from ncfilters.segmentation.segmenter import split_record
from ncfilters.selection.decision import policy
from ncfilters.selection.formats import OUTPUT_FORMS, format_of
from ncfilters.selection.options import PolicyOptions
from ncfilters.selection.selector import SelectionOptions, select_text

from .steps import content, row

BY_THRESHOLD = policy(PolicyOptions("threshold"))
SEGMENTS = [
    row("A title", "body/h1", 3.0),
    row("Home | About", score=5.0, rule="bars"),
    row("Text.", score=12.5),
    row("zero", score=0.0),
    row("Junk", score=-4.0, type="l"),
]


def test_text_takes_the_place_of_segments() -> None:
    document = {"id": "a", "url": "http://example.org/?a&b", "segments": SEGMENTS, "text": "old", "extra": [1]}
    text = {"id": "a", "url": "http://example.org/?a&b", "text": "A title\nText.", "extra": [1]}
    assert select_text(document, BY_THRESHOLD) == text
    assert select_text(document, BY_THRESHOLD, SelectionOptions(keep_segments=True))["segments"] == SEGMENTS
    marked = select_text(document, BY_THRESHOLD, SelectionOptions(mark_segments=True))
    assert marked["text"] == "A title\nText." and "keep" not in SEGMENTS[0]
    assert [s.pop("keep") for s in marked["segments"]] == [True, False, True, False, False]
    assert marked["segments"] == SEGMENTS


def test_without_title_one_segment_and_its_copies_are_dropped_not_all_that_look_like_it() -> None:
    roles = {"role": "title", "role_probability": 0.9}
    titles = [row("Rain", "body/h1", 3.0, **roles), row("A Coat", "body/h1", **roles | {"role_probability": 0.6})]
    copy = row("Rain", "body/h1", 1.0, **roles | {"type": "p", "role_probability": 0.5})
    page = {"segments": [*titles, copy, row("Text.", score=5.0, role="text", role_probability=0.9)]}
    assert select_text(page, BY_THRESHOLD)["text"] == "Rain\nA Coat\nText."
    assert select_text(page, policy(content(excluded="title")))["text"] == "A Coat\nText."


FINE = row("x", score=1)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({}, "segments: missing"),
        ({"segments": [{"text": "x", "type": "p"}]}, "segments[0].score: missing"),
        ({"segments": [FINE, {"text": "x", "score": 1}]}, "segments[1].type: missing"),
        ({"segments": [{**FINE, "score": "1"}]}, "segments[0].score: expected a number, got a string"),
        ({"segments": [{**FINE, "score": True}]}, "segments[0].score: expected a number, got a boolean"),
        ({"segments": [{**FINE, "text": None}]}, "segments[0].text: expected a string, got null"),
        ({"segments": [FINE, {**FINE, "type": "x"}]}, "segments[1].type: expected p, h or l, got 'x'"),
        ({"segments": [{**FINE, "path": None}]}, "segments[0].path: expected a string, got null"),
        ({"segments": [FINE, {**FINE, "marker": 1}]}, "segments[1].marker: expected a string, got a number"),
        ({"segments": [{**FINE, "tag": ["tr"]}]}, "segments[0].tag: expected a string, got an array"),
        ({"segments": [{**FINE, "links": "3"}]}, "segments[0].links: expected an integer, got a string"),
        ({"segments": [{**FINE, "post": "3"}]}, "segments[0].post: expected an integer, got a string"),
        ({"segments": [{**FINE, "rule": []}]}, "segments[0].rule: expected a string, got an array"),
        ({"segments": [{**FINE, "element_rule": 7}]}, "segments[0].element_rule: expected a string, got a number"),
        ({"segments": ["x"]}, "segments[0]: expected an object, got a string"),
    ],
)
def test_segments_without_scores_are_errors(bad: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError) as caught:
        select_text(bad, policy())
    assert str(caught.value) == message


def test_the_head_is_completed_where_it_is_written() -> None:
    head = {"title": "Rain", "evidence": {"title": "title"}}
    byline, title = row("By Ann Lee", "body/article/p.byline", tag="p"), row("Rain", "body/article/h1", 3.0, tag="h1")
    document = {"head": head, "segments": [title, byline]}
    assert select_text(document, policy())["head"]["author"] == ["Ann Lee"]
    selected = select_text(document, policy(), SelectionOptions(complete_head=False))
    assert selected == {"head": head, "text": "Rain\nBy Ann Lee"}


def test_forms_and_their_suffixes_are_those_of_the_documents() -> None:
    rows = re.findall(r"^\| (`.+?`) \|.*\| `(\.\w+)` \|$", (ROOT / "docs/formats.md").read_text("utf-8"), re.M)
    documented = {name: suffix for names, suffix in rows for name in re.findall(r"\w+", names)}
    assert {name: form.suffix for name, form in OUTPUT_FORMS.items()} == documented
    assert OUTPUT_FORMS["text"] == OUTPUT_FORMS["plain"]


@pytest.mark.parametrize(("name", "expected"), [
    ("corpus.jsonl", "jsonl"), ("corpus.JSONL.zst", "jsonl"), ("a.b/corpus.msgpack.gz", "msgpack"),
    ("text.txt.xz", "text"), ("page.Markdown", "text"), ("crawl.warc.wet.gz", "wet"), ("texts", None),
    ("texts.d", None), ("corpus.gz", None), (".jsonl", None),
])  # fmt: skip
def test_formats_of_names(name: str, expected: str | None) -> None:
    assert format_of(name) == expected


# ---- rules of the user

PAGE = """<h1>Tea from the hills</h1><p>The tea grows on the hills above the town, and it is picked by hand in spring.
<aside>Sign up for our weekly letter about tea and the hills, which many people in the town read.</aside>
<footer id=f>© Shop</footer>"""


def test_rules_for_elements_are_obeyed_whatever_the_score() -> None:
    rows = [row(element_rule="drop a"), row(score=-1.0, element_rule="keep b"), row(), row(score=-1.0)]
    marked = select_text({"segments": rows}, policy(), SelectionOptions(mark_segments=True))["segments"]
    assert [segment["keep"] for segment in marked] == [False, True, True, False]


def test_a_title_that_is_dropped_is_none() -> None:
    assert Pipeline("en", drop_elements="h1", form="markdown").clean(PAGE).startswith("The tea")


def test_rules_from_python() -> None:
    text = Pipeline("en", drop_elements="aside", keep_elements="#f").clean(PAGE)
    tea = "The tea grows on the hills above the town, and it is picked by hand in spring."
    assert text.splitlines()[1:] == [tea, "© Shop"]
    with pytest.raises(ValueError, match="drop_elements: no CSS selector\n  a,,b\n    \\^"):
        Pipeline("en", drop_elements="a,,b")
    with pytest.raises(ValueError, match="justext"):
        _ = PipelineOptions(profile="justext", drop_elements="a").pages


def test_sentences_have_the_rule_of_their_segment() -> None:
    record = split_record({"segments": [row("It rained. It stopped.", element_rule="keep b")]})
    assert [segment["element_rule"] for segment in record["segments"]] == ["keep b"] * 2
