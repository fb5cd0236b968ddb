"""Names of files from metadata."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ncfilters.selection.file_names import NameTemplate
from ncfilters.streams.writers import MAX_NAME, Files

SLOW_MACHINES = settings(suppress_health_check=[HealthCheck.too_slow])
HEAD = {"title": "It rained: a day / night", "date": "2024-05-03", "author": ["Ann Lee", "Bo"], "evidence": {}}
ANY_HEAD = st.fixed_dictionaries({"title": st.text(), "date": st.text(), "evidence": st.just({})})


@pytest.mark.parametrize(
    "template, head, name",
    [
        ("{date}-{title}", HEAD, "2024-05-03-It_rained_a_day_night"),
        ("{date}-{title}", {**HEAD, "date": ""}, "It_rained_a_day_night"),
        ("{title}-{date}", {**HEAD, "date": 7}, "It_rained_a_day_night"),
        ("{date} - {site} - {title}", HEAD, "2024-05-03_It_rained_a_day_night"),
        ("{author}: {title}", HEAD, "Ann_Lee-Bo_It_rained_a_day_night"),
        ("page-{id}", {}, "page-7"),
        ("{date}-{title}", {}, "000001"),
        ("{title}", {**HEAD, "title": "../../etc/passwd"}, "etc_passwd"),
        ("{title}", {**HEAD, "title": "..\x00\n\x1b"}, "000001"),
        ("{title}", {**HEAD, "title": "-rf *"}, "rf"),
        ("{title}", {**HEAD, "title": "雨が降った。"}, "雨が降った"),
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
        files.write({"id": number, "head": HEAD})
    names = sorted(os.listdir(tmp_path))
    assert names == ["It_rained_a_day_night.md", "It_rained_a_day_night~2.md", "It_rained_a_day_night~3.md"]
    assert (tmp_path / names[2]).read_text() == "2\n"
