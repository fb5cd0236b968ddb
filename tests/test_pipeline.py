"""The Python interface gives the same results as the filters in a pipe."""

from __future__ import annotations

import copy
import doctest
import importlib
import itertools
import json
import pkgutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ncfilters
from ncfilters.errors import ModelError, RecordError
from ncfilters.page import profiles
from ncfilters.page.blocks.visual_blocks import blocks as blocks_of_tree
from ncfilters.page.tree import html_parser
from ncfilters.page.tree.html_parser import source_of
from ncfilters.pipeline import BATCH_CHARS, Pipeline, extract_many
from ncfilters.scoring import registry
from ncfilters.scoring.scorer import AutoScorer
from ncfilters.segmentation import segmenter
from ncfilters.selection.formats import OUTPUT_FORMS

Run = Callable[..., Any]
Page = dict[str, Any]

ARTICLE = """<!doctype html><html><head><title>The bridge</title></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li><li><a href="/about">About us</a></li></ul></nav>
<main><h1>The bridge is closed</h1>
<p>The committee met on Tuesday and agreed, after a long discussion, to repair the old bridge over the river.</p>
<p>“It will be open again in May,” said the mayor, who had walked there himself to look at the damage.</p>
<ul><li>The ferry goes every hour until the work is done.</li><li>Children travel without paying.</li></ul>
<pre>10:00  ferry
11:00  ferry</pre></main>
<div>Share this | Print | E-mail</div><footer>© 2026 The Town. All rights reserved.</footer></body></html>"""
PAGES: list[Page] = [
    {"id": "article", "url": "http://example.org/a", "html": ARTICLE},
    {"id": "empty", "html": ""},
    {"id": "nothing", "html": "<nav><a href='/'>Home</a></nav>"},
    {
        "id": "text",
        "text": "Home | About\n\nThe committee agreed to repair the bridge in the spring.\n\n   * An item of it",
    },
    {"id": "odd", "html": "<p>a\0b \x07 &#x80; &lt;b&gt; <b>unclosed <i>text that somebody wrote, é 😀", "more": [1]},
    {"id": "no html"},
    {"id": "wrong", "html": 7},
    {"id": "table", "html": "<table><tr><td>Name<td>Ada Lovelace<tr><td>Born<td>in London, in the year 1815</table>"},
]


def piped(
    run: Run, pages: list[dict[str, Any]], score: list[str], select: list[str], *segment: str
) -> list[dict[str, Any]]:
    segments = run("nc-segment", *segment, stdin=pages).stdout
    scored = run("nc-score", *score, stdin=segments).stdout
    return [json.loads(line) for line in run("nc-select", "-f", "jsonl", *select, stdin=scored).stdout.splitlines()]


def without(record: dict[str, Any], *fields: str) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in fields}


@pytest.mark.parametrize(("options", "score", "select", "segment"), [
    ({}, [], [], []),
    ({"model_name": "ncleaner-nonlexical"}, ["-m", "ncleaner-nonlexical"], [], []),
    ({"threshold": 20.0, "form": "cleaneval"}, [], ["-t", "20", "--as", "cleaneval"], []),
    ({"threshold": -0.2, "form": "xml"}, [], ["-t", "-0.2", "--as", "xml"], ["--markup"]),
    ({"rules": False, "form": "markdown"}, [], ["--no-rules", "--as", "markdown"], ["--markup"]),
    ({"form": "vertical", "model_name": "ncleaner-en"}, ["-m", "ncleaner-en"], ["--as", "vertical"], []),
])  # fmt: skip
def test_records_are_those_of_the_filters(
    run: Run, options: dict[str, Any], score: list[str], select: list[str], segment: list[str]
) -> None:
    made = list(Pipeline(**options).records(copy.deepcopy(PAGES)))
    filtered = piped(run, PAGES, score, select, *segment)
    assert [record.get("id") for record in made] == [page["id"] for page in PAGES]
    for ours, theirs in zip(made, filtered):
        assert without(ours, "error") == without(theirs, "error", "nc")
        assert ours.get("error", {}).get("message") == theirs.get("error", {}).get("message")
    assert ["error" in record for record in made] == [page["id"] in ("no html", "wrong") for page in PAGES]


def test_documents_are_processed_together_as_alone() -> None:
    many = [{**page, "id": f"{page['id']} {n}"} for n in range(40) for page in PAGES]
    pipeline = Pipeline()
    alone = [record for page in many for record in pipeline.records([copy.deepcopy(page)])]
    assert list(pipeline.records(copy.deepcopy(many))) == alone


def test_documents_that_come_slowly_come_out_at_once() -> None:
    events: list[str] = []

    def slow() -> Iterator[Page]:
        for name in "abc":
            time.sleep(0.05)
            events.append(f"in {name}")
            yield {"id": name, "html": ARTICLE}

    for record in Pipeline("ncleaner-en").records(slow()):
        events.append(f"out {record['id']}")
    assert events == ["in a", "out a", "in b", "out b", "in c", "out c"]


def test_large_documents_are_not_read_ahead() -> None:
    read: list[int] = []

    def endless() -> Iterator[Page]:
        for number in itertools.count():
            read.append(number)
            yield {"id": number, "text": "x\n\n" + " " * (BATCH_CHARS // 3)}

    records = Pipeline("ncleaner-nonlexical").records(endless())
    for number in range(8):
        assert next(records)["id"] == number
        assert len(read) <= number + 3


def test_what_was_read_before_an_error_of_the_source_comes_out() -> None:
    def broken() -> Iterator[Page]:
        yield from ({"id": n, "html": ARTICLE} for n in range(3))
        raise OSError("no more")

    made: list[int] = []
    with pytest.raises(OSError, match="no more"):
        made.extend(record["id"] for record in Pipeline("ncleaner-nonlexical").records(broken()))
    assert made == [0, 1, 2]


def test_documents_of_low_quality_are_dropped(run: Run) -> None:
    all_of_them = {record["id"]: record for record in Pipeline().records(copy.deepcopy(PAGES))}
    assert all_of_them["article"]["quality"] > 0.7 > all_of_them["empty"]["quality"] == 0
    made = list(Pipeline(min_quality=0.7).records(copy.deepcopy(PAGES)))
    kept = [without(record, "nc") for record in piped(run, PAGES[:5], [], ["--min-quality", "0.7"])]
    assert kept == [record for record in made if record["id"] in {page["id"] for page in PAGES[:5]}]
    assert {record["id"] for record in made} == {
        name for name, record in all_of_them.items() if "error" in record or record["quality"] >= 0.7
    }
    # a single record is never dropped
    empty = Pipeline(min_quality=0.7).record({"html": ""})
    assert without(empty, "models", "lang", "lang_probability") == {"text": "", "quality": 0}


@pytest.mark.parametrize(("options", "message"), [
    ({"quality_model": "nosuch"}, "unknown model 'nosuch'"), ({"model_name": "nosuch"}, "unknown model 'nosuch'"),
    ({"quality_model": "ncleaner-en"}, "a model of kind 'ngram' scores segments"),
])  # fmt: skip
def test_unknown_models_are_errors(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Pipeline(**options)


@pytest.mark.parametrize(("options", "message"), [
    *(({"min_quality": wrong}, "min_quality: expected a number from 0 to 1") for wrong in (-0.1, 1.1, float("nan"))),
    ({"form": "word"}, "expected plain, .*, got 'word'"), ({"parser": "x"}, "expected lexbor or html5lib"),
    ({"decide": "justext", "favour": "recall"}, "favour: cannot be combined with the method justext"),
    ({"favour": "speed"}, "favour: expected precision, balance or recall"),
    ({"profile": "other"}, "profile: expected visual or justext, got 'other'"),
    ({"content": ncfilters.ContentOptions("article")}, "content: needs roles, which the model ncleaner-en does not"),
    ({"front_matter": True}, "front_matter: requires the form markdown"),
    ({"tables": "no"}, "tables: expected keep, text or drop, got 'no'"),
])  # fmt: skip
def test_wrong_options_are_errors_at_once(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Pipeline("ncleaner-en", **options)
    with pytest.raises(TypeError, match="favor"):
        Pipeline("ncleaner-en", favor="recall")


def test_clean_gives_the_text_of_the_filters(run: Run) -> None:
    text = ncfilters.clean(ARTICLE)
    done = run("nc-segment", stdin=[{"html": ARTICLE}])
    done = run("nc-score", "-m", "en", stdin=done.stdout)
    assert run("nc-select", stdin=done.stdout).stdout.decode() == text + "\n"
    assert "agreed, after a long discussion" in text
    assert "Home" not in text and "Print" not in text and "©" not in text
    assert ncfilters.clean(ARTICLE, model="en") == ncfilters.clean(ARTICLE, "en") == Pipeline().clean(ARTICLE) == text


def test_bytes_are_decoded_as_in_browsers() -> None:
    page = "<meta charset=iso-8859-2><p>Stary przewoźnik śmieje się i kręci głową, bo w tym roku nie było lodu."
    assert ncfilters.clean(page.encode("iso-8859-2")) == ncfilters.clean(page)
    assert "śmieje się" in Pipeline("ncleaner-nonlexical", threshold=-1000).clean(page.encode("iso-8859-2"))
    assert ncfilters.clean(b"") == ncfilters.clean("") == ""


def test_segments_are_those_of_nc_score(run: Run) -> None:
    segments = run("nc-segment", stdin=[{"html": ARTICLE}]).stdout
    scored = json.loads(run("nc-score", "-m", "en", stdin=segments).stdout)
    assert Pipeline("en").segments(ARTICLE) == scored["segments"]
    assert any("rule" in segment for segment in scored["segments"])


def test_markup_is_recorded_on_demand() -> None:
    page = {"html": "<p>See <a href=b>this page</a>.", "url": "http://a.example/"}
    (segment,) = Pipeline(markup=True).segments(page["html"])
    assert segment["spans"] == [[4, 13, "link", "b"]]
    with_markup = Pipeline(markup=True).record(page)
    assert with_markup.pop("head")["site"] == "a.example"
    assert with_markup == Pipeline().record(page)


def test_plain_text_is_accepted_and_records_have_no_bullets_by_default() -> None:
    text = PAGES[3]["text"]
    assert Pipeline(bullets=False).clean_text(text) == Pipeline().record({"text": text})["text"]
    assert Pipeline().clean_text("") == ""
    assert "\n- Children" in Pipeline().clean(ARTICLE)
    assert "\nChildren" in Pipeline().record({"html": ARTICLE})["text"]
    assert "\nChildren" in Pipeline(bullets=False).clean(ARTICLE)


def test_records_of_every_stage_are_accepted() -> None:
    pipeline = Pipeline(bullets=True)
    assert pipeline.record(profiles.render_record({"html": ARTICLE}))["text"] == pipeline.clean(ARTICLE)
    record = pipeline.record({**segmenter.segment_record({"html": ARTICLE}), "id": 3})
    assert record["models"][0].startswith("en@")
    assert without(record, "quality", "models", "page", "head", "lang", "lang_probability") == {
        "id": 3,
        "text": pipeline.clean(ARTICLE),
    }


@pytest.mark.parametrize("page", [
    *PAGES[:5], {"id": "segments", "segments": [{"text": "Some text", "type": "p"}]},
    {"id": "blocks", "blocks": blocks_of_tree(html_parser.parse_html(ARTICLE))},
], ids=lambda page: page["id"])  # fmt: skip
def test_input_records_are_not_changed(page: dict[str, Any]) -> None:
    before = copy.deepcopy(page)
    Pipeline().record(page)
    assert page == before


def test_one_pipeline_serves_many_pages_in_every_form() -> None:
    pipeline = Pipeline()
    once = [pipeline.clean(page["html"]) for page in PAGES[:3]]
    list(pipeline.records(copy.deepcopy(PAGES)))
    assert [pipeline.clean(page["html"]) for page in PAGES[:3]] == once
    assert all(Pipeline(form=form).clean(ARTICLE) for form in OUTPUT_FORMS)


# ---- errors ----
def test_a_model_of_another_name_or_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "copy.model"
    path.write_bytes(Path(registry.find("ncleaner-nonlexical")).read_bytes())
    expected = Pipeline("ncleaner-nonlexical").clean(ARTICLE)
    assert [ncfilters.clean(ARTICLE, model=name) for name in ("ncleaner-nonlexical", str(path))] == [expected] * 2


@pytest.mark.parametrize(("record", "message"), [
    ({}, "html, blocks and text: all missing"), ({"html": None}, "html: expected a string or bytes, got null"),
    ({"html": 7}, "html: expected a string or bytes, got a number"),
    ({"html": "x", "nc": 2}, "nc: schema version 2; this program reads version 1"),
    ({"segments": [{"text": 1}]}, "segments[0].text: expected a string, got a number"),
    ({"segments": [{"text": "x"}]}, "segments[0].type: missing"),
    ({"blocks": [{"text": "x"}]}, "blocks[0].tag: missing"),
])  # fmt: skip
def test_wrong_records_are_errors(record: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError) as caught:
        Pipeline().record(record)
    assert str(caught.value) == message
    assert [out["error"]["message"] for out in Pipeline().records([record])] == [message]


def test_wrong_arguments_are_errors() -> None:
    for bad in (None, 7, ["<p>"]):
        with pytest.raises(RecordError, match="html: expected a string or bytes"):
            ncfilters.clean(bad)  # type: ignore[arg-type]


@pytest.mark.parametrize(("item", "message"), [(7, "a number"), ("<p>", "a string"), (None, "null"), ((1,), "tuple")])
def test_what_is_no_record_is_an_error(item: Any, message: str) -> None:
    [out] = Pipeline().records([item])
    assert out == {"error": {"stage": "ncfilters", "message": f"expected a record, got {message}"}}


def test_errors_of_earlier_stages_pass_through(run: Run) -> None:
    failed = {"id": "a", "error": {"stage": "nc-warc", "message": "not an HTTP response"}}
    [theirs] = piped(run, [failed], [], [])
    assert list(Pipeline().records([copy.deepcopy(failed)])) == [without(theirs, "nc")]


def test_unexpected_errors_do_not_end_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = profiles.page_blocks

    def cut(html: Any, *how: Any) -> Any:
        if source_of(html).text == "bad":
            raise RuntimeError("unexpected")
        return whole(html, *how)

    monkeypatch.setattr(profiles, "page_blocks", cut)
    made = list(Pipeline().records([{"html": "bad"}, {"html": ARTICLE}]))
    assert "error" in made[0] and made[1]["text"]


def test_the_parser_option_selects_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(html_parser.PARSERS, "html5lib", lambda html: "<p>The output of the reference parser.</p>")
    assert Pipeline(parser="html5lib").clean(ARTICLE) == "The output of the reference parser."
    assert Pipeline().clean(ARTICLE) != "The output of the reference parser."


# ---- the package ----
MODULES = ["ncfilters", *(f"ncfilters.{module.name}" for module in pkgutil.iter_modules(ncfilters.__path__))]


def test_examples_in_docstrings() -> None:
    found = [doctest.testmod(importlib.import_module(name)) for name in MODULES]
    assert sum(one.failed for one in found) == 0 and sum(one.attempted for one in found) >= 3


def test_justext_needs_profile_and_method() -> None:
    pipeline = Pipeline("justext-en", decide="justext", profile="justext")
    found = pipeline.segments("<div>Home<ol><li>One</ol></div><p>Some text.<br><br>More of it.")
    assert [(part["text"], part["path"]) for part in found][-2:] == [
        ("Some text.", "html/body/p"),
        ("More of it.", "html/body/p/br"),
    ]
    assert all("class" in part for part in found)


def test_the_pipeline_loads_no_library_of_the_workshop() -> None:
    code = "import sys; from ncfilters import clean; clean('<p>Some text.'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"scipy", "rapidfuzz", "jinja2", "matplotlib"} & set(done.stdout.split())


def test_options_are_shared_and_changed_by_name() -> None:
    options = ncfilters.PipelineOptions(form="markdown", favour="recall")
    page = "<h1>A title</h1><p>The text that somebody wrote.</p>"
    assert Pipeline("en", options).clean(page) == Pipeline("en", form="markdown", favour="recall").clean(page)
    assert Pipeline("en", options, form="plain").clean(page) == Pipeline("en", favour="recall").clean(page)
    assert options == ncfilters.PipelineOptions(form="markdown", favour="recall")


def test_front_matter_has_the_metadata_of_the_page() -> None:
    html = (
        '<html lang=en><title>It rained | A Puddle</title><meta property="og:site_name" content="A Puddle">'
        "<h1>It rained</h1><p>By Ann Lee, 3 May 2024</p>"
        f"{'<p>Rain fell on the old town all day, and nobody was out.' * 9}"
    )
    text = Pipeline("en", form="markdown", markup=True, front_matter=True).clean(html)
    assert text.startswith(
        '---\ntitle: "It rained"\nauthor:\n  - "Ann Lee"\ndate: "2024-05-03"\nsite: "A Puddle"\nlanguage: "en"\n---\n\n'
    )
    assert "Rain fell on the old town" in text


def test_markup_options_are_those_of_nc_select() -> None:
    page = (
        '<h1>The bridge is closed</h1><p>The committee agreed to <a href="/r">repair</a> the old <b>bridge</b> in May.'
    )
    document = {"url": "https://x.y/z", "html": page}
    link = Pipeline(form="markdown", markup=True, threshold=-1000).record(document)["text"]
    assert link.endswith("The committee agreed to [repair](https://x.y/r) the old **bridge** in May.")
    text = Pipeline(form="markdown", markup=True, threshold=-1000, links="drop").record(document)["text"]
    assert text.endswith("The committee agreed to repair the old **bridge** in May.")


TIE = (
    'Rain<template><div class="comment"><p>The tram ran again on Saturday and everybody in the town went to see it.</p>'
    '</div></template><div class="comment"><p>The boat left again on Mondays and somebody in my city had to repair it.'
    "</p><p>Share it</p><p>Read on</p></div>"
)


def test_a_table_is_scored_as_its_records() -> None:
    table = segmenter.segment_document({"html": TIE}, in_table=True)
    records = {**table, "segments": list(table["segments"])}
    (ours,), (theirs,) = AutoScorer()([table]), AutoScorer()([records])
    assert isinstance(ours, dict) and isinstance(theirs, dict)
    assert (ours["page"], list(ours["segments"])) == (theirs["page"], theirs["segments"])


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("post", "x", "blocks[0].post: expected an integer, got a string"),
        ("part", 5, "blocks[0].part: expected a string, got a number"),
        ("type", "zz", "blocks[0].type: expected p, h or l, got 'zz'"),
        ("hidden", 5, "blocks[0].hidden: expected a string, got a number"),
    ],
)
def test_blocks_with_wrong_fields_are_errors_of_their_page_alone(field: str, value: object, message: str) -> None:
    block = {"text": "It rained.", "tag": "p", "path": "p", "links": 0}
    first, second = extract_many([{"blocks": [{**block, field: value}]}, {"blocks": [block]}])
    assert str(first.error).startswith(message) and second.error is None
