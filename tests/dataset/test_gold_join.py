"""Gold text from another file, joined to its pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ncfilters.dataset.gold_join import GoldLocation, Reading, consume_with_gold, describe_inputs
from ncfilters.errors import UsageError
from ncfilters.record import Record
from ncfilters.streams.runner import StreamOptions

OPTIONS = StreamOptions("nc-test")


def written(path: Path, *records: dict[str, Any]) -> str:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def consumed(files: list[str], where: GoldLocation, options: StreamOptions = OPTIONS) -> tuple[int, list[Record]]:
    pages: list[Record] = []

    def take(page: Record) -> Record:
        pages.append(page)
        return page

    return consume_with_gold([Reading(files, take)], where, options), pages


def test_gold_in_the_records_themselves(tmp_path: Path) -> None:
    path = written(tmp_path / "pages", {"id": 1, "html": "a", "gold": "b"})
    status, pages = consumed([path], GoldLocation())
    assert (status, [page["gold"] for page in pages]) == (0, ["b"])


def test_gold_is_joined_by_id_whatever_the_order(tmp_path: Path) -> None:
    pages = written(tmp_path / "pages", {"id": 1, "html": "x"}, {"id": 2, "html": "y"})
    golds = written(tmp_path / "gold", {"id": 2, "best": "b"}, {"id": 1, "best": "a", "url": "http://a.example/"})
    status, found = consumed([pages], GoldLocation(golds, "best"))
    assert (status, [page["gold"]["text"] for page in found]) == (0, ["a", "b"])
    assert [page.get("url") for page in found] == ["http://a.example/", None]


def test_cleaneval_markup_stays_markup(tmp_path: Path) -> None:
    pages = written(tmp_path / "pages", {"id": 1, "html": "x"})
    golds = written(tmp_path / "gold", {"id": 1, "gold": "<p>a"})
    assert consumed([pages], GoldLocation(golds))[1][0]["gold"] == {"text": None, "markup": "<p>a"}


def test_pages_without_id_or_gold_fail_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = [{"html": "x"}, {"id": 1, "html": "x"}, {"id": 1, "html": "x"}, {"id": 3, "html": "x"}]
    pages, golds = written(tmp_path / "pages", *records), written(tmp_path / "gold", {"id": 1, "gold": "a"})
    status, found = consumed([pages], GoldLocation(golds))
    assert (status, len(found)) == (1, 1)
    err = capsys.readouterr().err.splitlines()
    assert err == [
        "nc-test: record 1: id: missing: gold text is joined to pages by id",
        f"nc-test: record 3 (1): an earlier page has the same id and the gold text in {golds}",
        f"nc-test: record 4 (3): no gold text in {golds} has this id",
    ]


def test_strict_stops_at_the_first_failure(tmp_path: Path) -> None:
    pages = written(tmp_path / "pages", {"id": 2, "html": "x"}, {"id": 1, "html": "x"})
    golds = written(tmp_path / "gold", {"id": 1, "gold": "a"})
    assert consumed([pages], GoldLocation(golds), StreamOptions("nc-test", strict=True)) == (1, [])


def test_a_page_has_the_gold_of_its_name(tmp_path: Path) -> None:
    pages = written(tmp_path / "p", {"id": "1.html", "text": "a"}, {"id": "2-original.html", "text": "b"})
    gold = written(tmp_path / "g", {"id": "1", "gold": "A"}, {"id": "2", "gold": "B"})
    status, found = consumed([pages], GoldLocation(gold))
    assert (status, [(page["id"], page["gold"]["text"]) for page in found]) == (
        0,
        [("1.html", "A"), ("2-original.html", "B")],
    )


def test_gold_without_a_page_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = written(tmp_path / "pages", {"id": 1, "html": "x"})
    golds = written(tmp_path / "gold", *({"id": number, "gold": "a"} for number in range(1, 7)))
    assert consumed([pages], GoldLocation(golds))[0] == 0
    assert capsys.readouterr().err == f"nc-test: {golds}: 5 of 6 gold texts have no page, such as '2', '3', '4'\n"


def test_gold_for_no_page_is_a_usage_error(tmp_path: Path) -> None:
    pages = written(tmp_path / "pages", {"id": "a", "html": "x"})
    golds = written(tmp_path / "gold", {"id": "b", "gold": "a"})
    with pytest.raises(UsageError, match="gold: no page has the id of a gold text, such as 'b'$"):
        consumed([pages], GoldLocation(golds))


def test_standard_input_is_not_both_pages_and_gold() -> None:
    with pytest.raises(UsageError, match="standard input cannot be both"):
        consumed([], GoldLocation("-"))


@pytest.mark.parametrize(
    ("files", "name"),
    [([], "standard input"), (["-"], "standard input"), (["a"], "a"), (["a", "b", "c"], "a and 2 more")],
)
def test_the_name_of_the_input(files: list[str], name: str) -> None:
    assert describe_inputs(files) == name
