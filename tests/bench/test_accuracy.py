"""Tables of accuracy: systems, held-out pages, calibration, roles."""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import invented
import pytest

from bench import accuracy, accuracy_tables, heldout, roles, support, systems
from bench.roles import MEASURED_ROLES, RoleCounts, gold_title, is_title_kept, other_text
from ncfilters.dataset.gold import domain, gold_of
from ncfilters.dataset.labelling import ANY, mask_of
from ncfilters.features.schema import CATEGORIES, OTHER

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


def test_a_missing_set_is_an_error(tmp_path: Path, run_accuracy: Callable[..., tuple[str, str]]) -> None:
    with pytest.raises(SystemExit, match=r"there is no wcxb-dev.jsonl or wcxb-dev.jsonl.xz$"):
        run_accuracy(tmp_path)


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


THRESHOLD = systems.Decision("threshold", "balance")


def test_segments_are_selected_by_each_decision() -> None:
    segments = [
        {"text": "Some words here.", "type": "p", "score": 5.0},
        {"text": "Home", "type": "l", "score": 4.0, "rule": "nav"},
        {"text": "Of a script.", "type": "p", "score": -9.0, "rule": "embedded", "origin": "hydration"},
        {"text": "Login", "type": "p", "score": -9.0},
    ]
    page = {"id": 7, "gold": "<p>Some", "segments": segments, "page": {"odds": 5.0}}

    def kept(page: dict[str, Any], decision: systems.Decision) -> list[bool]:
        return [segment["keep"] for segment in systems.select(page, decision)["segments"]]

    assert kept(page, systems.RULES) == [True, False, False, True]
    assert kept(page, systems.EVERYTHING) == [True, True, False, True]
    assert kept(page, THRESHOLD) == [True, True, False, False]
    assert kept({**page, "page": None}, THRESHOLD) == [True, False, False, False]
    line = json.dumps(page).encode()
    assert systems.selected_texts(line, [systems.RULES, THRESHOLD]) == (
        "7",
        ["<p>Some words here.\n<p>Login", "<p>Some words here.\n<l>Home"],
    )


def test_pages_without_segments_have_no_text() -> None:
    error = {"id": 7, "gold": "Some", "error": {"stage": "score", "message": "text: missing"}}
    for page in (error, {"id": 7, "gold": "Some", "segments": []}):
        assert systems.select(page, systems.DEFAULT)["text"] == ""


GOLDS = {
    "main --without title": {"text": "", "title": "Bridge closed", "with": [], "without": []},
    "article": {"text": "", "comments": ""},
    "all": {"markup": "<p>"},
}


@pytest.mark.parametrize("options", GOLDS)
def test_content_is_that_of_the_gold_text_as_nc_select_decides(options: str, tmp_path: Path) -> None:
    roles = {"title": "Bridge closed", "caption": "The old bridge", "comment": "Great news.", "text": "Some text here."}
    segments = [
        {"text": text, "type": "p", "score": 3.0, "role": role, "role_probability": 0.95}
        | {"score_article": 3.0 if role == "text" else -3.0, "score_all": 3.0}
        for role, text in roles.items()
    ]
    page = {"id": 7, "gold": GOLDS[options], "segments": segments, "page": {"odds": 5.0}}
    scored = tmp_path / "scored.jsonl"
    scored.write_text(json.dumps(page) + "\n")
    for decision, asked in ((systems.DEFAULT, f"--policy {options}"), (systems.WITHOUT_OPTIONS, "")):
        form = "cleaneval" if options == "all" else "plain"
        (text,) = systems.selected_texts(scored.read_bytes(), [decision])[1]
        out = support.run_pipe(f"nc-select -f jsonl --as {form} {asked} {scored}", b"")
        assert json.loads(out)["text"] == text
    of_gold, by_default = systems.selected_texts(scored.read_bytes(), [systems.DEFAULT, systems.WITHOUT_OPTIONS])[1]
    assert "Some text here." in of_gold
    assert of_gold != by_default
    without_roles = [{"text": segment["text"], "type": "p", "score": 3.0} for segment in segments]
    assert "Great news." in systems.select({**page, "segments": without_roles}, systems.DEFAULT)["text"]


def test_difference_cells_have_points_interval_and_p() -> None:
    cells = systems.difference_cells([90.0, 80.0, 70.0, 65.0], [80.0, 75.0, 69.0, 70.0])
    assert cells[0] == "+2.75"
    assert len(cells) == 4
    assert systems.difference_cells([1.0, 2.0], [1.0, 2.0], interval=False) == ["+0.00", ""]


def pages(number: int) -> list[dict[str, Any]]:
    """Segmented pages of sites of one to four pages."""
    rnd = random.Random(1)
    sites = [site for site in range(number) for _ in range(rnd.randint(1, 4))]
    return [
        {
            "id": f"wcxb-dev/{at}",
            "url": f"http://site{site}.example/{at}",
            "segments": [{"text": "a", "origin": "meta"}],
        }
        for at, site in enumerate(sites)
    ]


def test_sites_are_split_and_shared() -> None:
    all_pages = pages(40)
    train, test = heldout.split([*all_pages, {"id": "empty", "url": "", "segments": []}])
    assert not {domain(page) for page in train} & {domain(page) for page in test}
    assert sorted(page["id"] for page in (*train, *test)) == sorted(page["id"] for page in all_pages)
    assert len(test) == pytest.approx(len(all_pages) * 2 / 5, abs=4)
    all_pages = pages(40)
    share_of_sites = heldout.share_of_sites
    eighth, half = share_of_sites(all_pages, 0.125), share_of_sites(all_pages, 0.5)
    assert [page for page in half if page in eighth] == eighth
    assert len({domain(page) for page in eighth}) == 5
    assert len({domain(page) for page in half}) == 20
    sites = {domain(page) for page in half}
    assert [page for page in all_pages if domain(page) in sites] == half


def test_embedded_content_is_removed_by_origin() -> None:
    segments = [{"text": "a"}, {"text": "b", "origin": "json-ld:articleBody"}, {"text": "c", "origin": "noscript"}]
    page = {"id": 1, "segments": segments}
    left = {
        kind: heldout.without_origins(page, origins)["segments"] for kind, origins in heldout.EMBEDDED_ORIGINS.items()
    }
    left = {kind: "".join(part["text"] for part in parts) for kind, parts in left.items()}
    assert left == {"noscript": "ab", "json-ld": "ac", "other": "abc"}
    assert len(page["segments"]) == 3
    kinds = [origin for origins in heldout.EMBEDDED_ORIGINS.values() for origin in origins]
    assert sorted(kinds) == sorted({*CATEGORIES["origin"]} - {OTHER})


def test_a_sample_has_all_kinds_and_many_sites() -> None:
    lines = [
        json.dumps({"id": n, "url": f"http://{kind}{n // 5}.example/", "lang": kind}).encode()
        for kind, number in (("el", 20), ("zh", 200))
        for n in range(number)
    ]
    chosen = [json.loads(lines[at]) for at in heldout.spread(lines, 8)]
    assert [page["lang"] for page in chosen] == ["el"] * 4 + ["zh"] * 4
    assert len({page["url"] for page in chosen}) == 8


def test_results_have_distinct_files_and_known_inputs() -> None:
    jobs = heldout.jobs()
    split = {"train", "test", *(f"train, {share}" for share in heldout.SHARES)}
    split |= {f"{part}, no {kind}" for part in ("train", "test") for kind in heldout.EMBEDDED_ORIGINS}
    segmented = {f"{some.profile} {name}" for some in heldout.INPUTS.values() for name in some.sets}
    names = [*jobs, *heldout.INPUTS, *split, *segmented, *(f"pages {name}" for name in heldout.SETS)]
    assert len({heldout.result_path(Path(), name) for name in names}) == len(names)
    for job in jobs.values():
        assert set(job.reads) <= {*heldout.INPUTS, *split}
        assert all(f"{{{read}}}" in job.command for read in job.reads)
    assert {name for _, reads in accuracy.TABLES.values() for name in reads} == set(jobs)
