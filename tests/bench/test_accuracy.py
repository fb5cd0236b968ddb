"""Tables of accuracy, calibration and roles."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import invented
import pytest

from bench import accuracy, accuracy_tables, heldout, roles, systems
from bench.roles import MEASURED_ROLES, RoleCounts, gold_title, is_title_kept, other_text
from ncfilters.dataset.gold import gold_of
from ncfilters.dataset.role_labels import ANY, mask_of

ROOT = Path(__file__).resolve().parents[2]


def test_paragraphs_are_wrapped() -> None:
    text = accuracy_tables.filled("\n## Of {n}\n\n{n} " + "word " * 60 + "\nend\n\n", n=3)
    assert text.startswith("\n## Of 3\n\n3 word")
    assert text.endswith(" end\n\n")
    assert max(map(len, text.splitlines())) <= 120


def gold(name: str, text: str) -> dict[str, Any]:
    """Gold text as a set has it."""
    paragraphs = text.split("\n\n")
    return {
        "wcxb-dev": {"text": text, "title": "The bridge", "author": "", "date": "", "with": [], "without": []},
        "cleaneval-dev": {"markup": "".join(f"<p>{paragraph}\n" for paragraph in paragraphs)},
        "dragnet-dev": {"text": text, "comments": ""},
        "l3s-dev": {"text": text, "roles": [{"role": "text", "text": paragraph} for paragraph in paragraphs]},
        "daniel-dev": {"text": text},
        "snippets-dev": {"with": text.split("\n\n")[:1], "without": ["Subscribe"]},
    }[name]


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sets of invented pages, one of them in five languages by their field `lang`."""
    folder = tmp_path_factory.mktemp("data")
    for start, name in enumerate((*heldout.SETS, heldout.SNIPPET_SET)):
        languages = ("en", *heldout.LANGUAGES) if name == heldout.LANGUAGE_SET else ("en",)
        made = [invented.page(30 * start + number) for number in range(5 * len(languages))]
        for number, page in enumerate(made):
            page |= {"id": f"{name.removesuffix('-dev')}/{number}", "gold": gold(name, page["gold"])}
            page["lang"] = languages[number % len(languages)]
            page["url"] = f"http://site{start}-{number}.example/"
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(page) + "\n" for page in made))
    return folder


@pytest.fixture
def run_accuracy(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[str, str]]:
    """Standard output and standard error of the command, with two folds and without the systems of four languages more:
    each is a model that is trained."""
    few = {name: own for name, own in systems.SYSTEMS.items() if own.views != ("daniel-dev",)}
    reads = tuple(dict.fromkeys(read for own in few.values() for read in own.reads if read != "all"))
    for module in (accuracy, accuracy_tables, systems):
        monkeypatch.setattr(module, "SYSTEMS", few)
    for name in ("systems", "groups"):
        monkeypatch.setitem(accuracy.TABLES, name, (accuracy.TABLES[name][0], reads))
    for module in (accuracy, accuracy_tables, heldout):
        monkeypatch.setattr(module, "FOLDS", 2)
    for module in (accuracy_tables, heldout):
        monkeypatch.setattr(module, "TEST_FOLDS", 1)

    def run(*args: str | Path) -> tuple[str, str]:
        monkeypatch.setattr(sys, "argv", ["accuracy.py", *map(str, args)])
        accuracy.main()
        return capsys.readouterr()

    return run


@pytest.mark.slow
def test_the_document_has_all_tables_and_a_second_run_continues_the_first(
    sets: Path, tmp_path: Path, run_accuracy: Callable[..., tuple[str, str]]
) -> None:
    output, args = tmp_path / "accuracy.md", (sets, "--work", tmp_path / "work")
    _, log = run_accuracy(*args, "--output", output)
    assert "en …" in log
    assert "complete …" not in log
    text = output.read_text()
    assert re.findall("^## (.*)", text, re.M) == [
        "All models and peers", "By type of page and by language", "Decision policies and operating points", "Roles",
        "Titles", "What is kept besides the main text", "Calibration", "How to read this", "Signatures",
    ]  # fmt: skip
    policies = dict(re.findall(r"^### (.*)\n\n(?:5|25) pages; gold text as `--policy (.*)`:$", text, re.M))
    assert policies == {
        **dict.fromkeys(["wcxb-dev", "snippets-dev"], "main --without title"),
        "cleaneval-dev": "all",
        **dict.fromkeys(["dragnet-dev", "l3s-dev", "daniel-dev, English", "daniel-dev"], "article"),
    }
    first = text.partition("## By type of page")[0]
    assert len(re.findall(r"^\| `(?:en|xx)`, nc-select without options \|", first, re.M)) == 5 + 7

    # a second run continues
    calibration, log = run_accuracy(*args, "--only", "calibration")
    assert "en …" not in log
    assert "| wcxb-dev |" in calibration
    # another number of pages has results of its own
    (used,) = (tmp_path / "work").iterdir()
    assert heldout.Work(heldout.WorkOptions(tmp_path / "work", sets, None)).folder == used
    assert heldout.Work(heldout.WorkOptions(tmp_path / "work", sets, 3)).folder != used


def test_a_missing_set_is_an_error(sets: Path, tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "bench" / "accuracy.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.endswith("there is no wcxb-dev.jsonl or wcxb-dev.jsonl.xz\n")


def test_bins_and_error_worked_out_by_hand() -> None:
    odds, clean, weights = [0.1, 0.2, 0.9, 1.0], [False, True, True, True], [1.0, 3.0, 1.0, 1.0]
    low, none, high = accuracy_tables.calibration_bins(odds, clean, weights, 3)
    assert none is None
    assert low == (2, 4.0, pytest.approx(0.175), 0.75)
    assert high == (2, 2.0, pytest.approx(0.95), 1.0)
    # (4 * |0.175 - 0.75| + 2 * |0.95 - 1|) / 6
    assert accuracy_tables.expected_error([low, none, high]) == pytest.approx(40.0)


def test_a_scored_page_has_probabilities_and_labels() -> None:
    page = {
        "id": "wcxb-dev/1",
        "gold": "one two three four",
        "segments": [
            {"text": "one two three four", "type": "p", "score": 1.0},
            {"text": "menu", "type": "l", "score": -1.0, "rule": "nav"},
        ],
        "page": {"odds": 3.0},
    }
    found = accuracy_tables.scored_page(json.dumps(page).encode())
    assert found.probabilities == pytest.approx([2 / 3, 1 / 3])
    assert found.clean == [True, False]
    assert found.weights["words"] == [4.0, 1.0]
    assert found.weights["as in training"] == pytest.approx([2 / 4**0.8, 1 / 4**0.8])
    assert found.precision == pytest.approx(2 / 3)
    page["gold"] = "some text that is somewhere else"
    assert accuracy_tables.scored_page(json.dumps(page).encode()) is None


TEXT = "The old bridge over the river is closed for repairs until the end of the summer."
PAGE = {
    "id": "wcxb-dev/1",
    "page_type": "article",
    "lang": "en",
    "gold": {"text": TEXT, "title": "Bridge closed", "author": "Ann Lee", "date": "2024-05-03"},
    "segments": [
        {"text": "Bridge closed", "type": "h", "tag": "h1", "role": "title", "keep": True},
        {"text": "3 May 2024", "type": "p", "role": "byline", "keep": False},
        {"text": TEXT, "type": "p", "role": "text", "keep": True},
        {"text": "More about ferries", "type": "p", "role": "related", "keep": True},
    ],
}


def test_pages_have_roles_and_other_text() -> None:
    facts = roles.page_facts(json.dumps(PAGE).encode())
    assert (facts.set, facts.kind, facts.title) == ("wcxb-dev", "article", True)
    assert facts.other.roles["title"] == 2  # this gold text has no title
    assert facts.counts.right["title"] == facts.counts.right["text"] == facts.counts.missed["date"] == 1
    rows = list(roles.role_rows("en", [facts]))
    assert [row[:4] for row in rows] == [["`en`", "wcxb-dev", "3", "66.7"], ["`en`", "all", "3", "66.7"]]
    (dates,) = (row for row in roles.role_details("en", [facts]) if row[1] == "date")
    assert dates[-1] == "byline 1"
    assert next(roles.title_rows("en", [facts])) == ["`en`", "wcxb-dev", "1", "1", "100.0"]
    assert not list(roles.other_rows("en", "main", [facts]))
    page = {**PAGE, "id": "dragnet/1", "gold": {"text": f"Bridge closed\n{TEXT}"}}
    much = {**page, "segments": [*page["segments"], {"text": f"More about mills {TEXT}", "type": "p", "keep": True}]}
    pages = [roles.page_facts(json.dumps(one).encode()) for one in (page, much)]
    (row,) = roles.other_rows("en", "main", pages)
    assert row[:5] == ["`en`", "dragnet-dev", "main", "2", "50.0"]
    assert roles.page_facts(json.dumps({**PAGE, "error": {"stage": "score"}}).encode()) is None
    assert roles.page_facts(json.dumps({**PAGE, "gold": "words that are somewhere else entirely"}).encode()) is None


TITLE = "Bridge closed until autumn"


def test_roles_are_counted() -> None:
    counts = RoleCounts()
    masks = [mask_of("title"), mask_of("text"), mask_of("text"), mask_of("related", "boilerplate"), ANY]
    counts.add(masks, ["title", "text", "title", "text", "text"])
    assert counts.scores("title") == (0.5, 1.0, pytest.approx(2 / 3))
    assert counts.scores("text") == (1.0, 0.5, pytest.approx(2 / 3))
    assert counts.scores("text", strict=True) == (0.5, 0.5, 0.5)
    assert counts.scores("date") == (None, None, None)
    assert counts.macro_f() == pytest.approx(2 / 3)
    assert counts.macro_f(strict=True) == pytest.approx((2 / 3 + 0.5) / 2)
    assert counts.confusions == {("text", "title"): 1}
    counts = RoleCounts()
    counts.add([mask_of("caption"), mask_of("caption", "text")], [None, None])
    assert counts.scores("caption") == (None, 0.0, 0.0)
    assert RoleCounts().macro_f() is None
    assert "boilerplate" not in MEASURED_ROLES
    total, page = RoleCounts(), RoleCounts()
    page.add([mask_of("title"), mask_of("date")], ["title", "byline"])
    total.merge(page)
    total.merge(page)
    assert (total.right["title"], total.missed["date"], total.wrong["byline"]) == (2, 2, 2)


@pytest.mark.parametrize(("text", "keep", "kept"), [
    (TITLE, True, True), (TITLE.upper(), False, False), ("Bridge closed until the autumn", True, True),
    ("Bridge", True, None), ("The bridge is closed, and so is the mill", True, None),
])  # fmt: skip
def test_the_title_is_kept_if_a_segment_with_its_words_is(text: str, keep: bool, kept: bool | None) -> None:
    assert is_title_kept([{"text": "Home", "keep": True}, {"text": text, "keep": keep}], TITLE) is kept


def test_titles_and_other_text_are_found() -> None:
    segments = [{"text": TITLE, "tag": "title", "keep": True}, {"text": TITLE, "rule": "embedded", "keep": True}]
    assert is_title_kept(segments, TITLE) is None
    assert is_title_kept(segments, "") is None
    assert gold_title(gold_of({"gold": {"text": "It is closed.", "title": TITLE}})) == TITLE
    assert gold_title(gold_of({"gold": f"\n{TITLE}\nIt is closed."})) == TITLE
    segments = [
        {"text": "one two three", "keep": True},
        {"text": "four five", "keep": True, "role": "related"},
        {"text": "six", "keep": True},
        {"text": "seven eight", "keep": False},
    ]
    masks = [mask_of("text"), mask_of("related", "boilerplate"), mask_of("comment"), ANY]
    other = other_text(segments, "one two three seven eight", masks)
    assert (other.words, other.other, other.share) == (6, 3, 0.5)
    assert other.roles == {"related": 2, "comment": 1}
    assert other_text([], "one", []).share == 0.0
