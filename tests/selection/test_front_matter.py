"""Metadata as YAML, and in the names of files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ncfilters.selection.file_names import NameTemplate
from ncfilters.selection.front_matter import document_metadata, front_matter, scalar
from ncfilters.streams.writers import MAX_NAME, Files

# ---- YAML


SLOW_MACHINES = settings(suppress_health_check=[HealthCheck.too_slow])
yaml = pytest.importorskip("yaml")

HEAD = {"title": "Rain", "author": ["Ann Lee"], "evidence": {"title": "h1", "author": "meta author"}}
VALUES = st.text(st.characters(exclude_categories=("Cs",)), max_size=40)


def parsed(text: str) -> Any:
    assert text.startswith("---\n") and text.endswith("\n---\n")
    return yaml.safe_load(text.removeprefix("---\n").removesuffix("---\n"))


@SLOW_MACHINES
@given(st.dictionaries(st.sampled_from(["title", "site", "url"]), VALUES, min_size=1), st.lists(VALUES, min_size=1))
def test_a_parser_reads_the_values_back(fields: dict[str, str], authors: list[str]) -> None:
    metadata: dict[str, Any] = {**fields, "author": authors}
    text = front_matter(metadata)
    assert parsed(text) == metadata
    assert len(text.splitlines()) == len(text.split("\n")) - 1 == len(fields) + len(authors) + 3


@pytest.mark.parametrize(
    "value",
    ["---", "...", "a: b", "#", "- a", "\n---\nadmin: true", '"', "\\", "'", "{a: b}", "!!python/object", "&a", "*a",
     "yes", "null", "2024-05-03", "1e3", "\x00\x07\x1b\x7f\x85\xa0\u2028\u2029\ufeff\ufffe\uffff", "😀",
     "\t a ", "| a", "%TAG"],
)  # fmt: skip
def test_nothing_breaks_out(value: str) -> None:
    assert parsed(front_matter({"title": value, "author": [value]})) == {"title": value, "author": [value]}


def test_lone_surrogates() -> None:
    assert scalar("a\ud800b") == '"a\ufffdb"'


def test_no_metadata_no_block() -> None:
    assert front_matter({}) == ""
    assert document_metadata({"lang": "und", "head": 7, "url": None, "crawl_date": 7}) == {}


def test_metadata_of_a_record() -> None:
    record = {"url": "https://p.org/a", "crawl_date": "2024-05-04T10:00:00Z", "lang": "en", "head": HEAD}
    assert list(document_metadata(record).items()) == [
        ("title", "Rain"),
        ("author", ["Ann Lee"]),
        ("url", "https://p.org/a"),
        ("language", "en"),
        ("retrieved", "2024-05-04T10:00:00Z"),
    ]
    assert document_metadata({"head": {"title": "Rain fell all day - The Puddle"}}) == {"title": "Rain fell all day"}
    assert document_metadata({"head": {"title": 7, "author": [7, ""], "evidence": {}}}) == {}


def test_a_description_that_is_escaped_twice() -> None:
    head = {**HEAD, "title": "R&amp;D", "description": "Bo&#39;s pier &amp;&nbsp;ferry &hellip;"}
    fields = document_metadata({"head": head})
    assert (fields["title"], fields["description"]) == ("R&amp;D", "Bo's pier & ferry …")


# ---- names of files


NAMED = {"title": "It rained: a day / night", "date": "2024-05-03", "author": ["Ann Lee", "Bo"], "evidence": {}}
ANY_HEAD = st.fixed_dictionaries({"title": st.text(), "date": st.text(), "evidence": st.just({})})


@pytest.mark.parametrize(
    "template, head, name",
    [
        ("{date}-{title}", NAMED, "2024-05-03-It_rained_a_day_night"),
        ("{date}-{title}", {**NAMED, "date": ""}, "It_rained_a_day_night"),
        ("{title}-{date}", {**NAMED, "date": 7}, "It_rained_a_day_night"),
        ("{date} - {site} - {title}", NAMED, "2024-05-03_It_rained_a_day_night"),
        ("{author}: {title}", NAMED, "Ann_Lee-Bo_It_rained_a_day_night"),
        ("page-{id}", {}, "page-7"),
        ("{date}-{title}", {}, "000001"),
        ("{title}", {**NAMED, "title": "../../etc/passwd"}, "etc_passwd"),
        ("{title}", {**NAMED, "title": "..\x00\n\x1b"}, "000001"),
        ("{title}", {**NAMED, "title": "-rf *"}, "rf"),
        ("{title}", {**NAMED, "title": "雨が降った。"}, "雨が降った"),
    ],
)
def test_names(template: str, head: dict[str, Any], name: str) -> None:
    assert NameTemplate(template).of({"id": 7, "head": head}, 1) == name


@pytest.mark.parametrize(
    "template",
    ["", "x", "{nothing}", "{}", "{0}", "{title", "{title:>9}", "{title!r}", "a/{title}", "{title.a}", "{title[0]}"],
)
def test_templates_that_are_not_accepted(template: str) -> None:
    with pytest.raises(ValueError):
        NameTemplate(template)


@SLOW_MACHINES
@given(ANY_HEAD)
def test_no_name_leaves_the_folder(head: dict[str, Any]) -> None:
    name = NameTemplate("{date}-{title}").of({"head": head}, 3)
    assert name and os.path.basename(name) == name and not name.startswith((".", "-"))
    assert name.isprintable() and len(name.encode("utf-8", "replace")) <= MAX_NAME


def test_equal_names_are_numbered(tmp_path: Path) -> None:
    files = Files(str(tmp_path), ".md", lambda record: str(record["id"]), name_of=NameTemplate("{title}").of)
    for number in range(3):
        files.write({"id": number, "head": NAMED})
    names = sorted(os.listdir(tmp_path))
    assert names == ["It_rained_a_day_night.md", "It_rained_a_day_night~2.md", "It_rained_a_day_night~3.md"]
    assert (tmp_path / names[2]).read_text() == "2\n"
