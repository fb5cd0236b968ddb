"""Which records a trainer learns from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ncfilters.errors import RecordError
from ncfilters.training.chosen_records import Choice, ChosenRecords


class Listing:
    """A trainer that keeps the ids of its records."""

    def __init__(self) -> None:
        self.ids: list[Any] = []

    def add(self, record: dict[str, Any]) -> dict[str, Any]:
        if record["id"] == "bad":
            raise RecordError("gold: missing")
        self.ids.append(record["id"])
        return record

    def counts(self) -> dict[str, int]:
        return {"pages": len(self.ids)}

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        return about


def chosen(records: list[dict[str, Any]], choice: Choice) -> tuple[list[Any], list[str], str]:
    trainer = Listing()
    out = ChosenRecords(trainer, choice)
    for record in records:
        assert out.add(record) is record
    return trainer.ids, out.finish(), out.digest.hexdigest()


RECORDS = [{"id": n, "lang": "el" if n % 2 else "pl", "url": f"http://site{n}.example/"} for n in range(10)]


def test_records_of_one_language() -> None:
    assert chosen(RECORDS, Choice("el"))[0] == [1, 3, 5, 7, 9]
    assert chosen([{"id": 1}], Choice("el"))[0] == []
    assert chosen([{"id": 1}], Choice())[0] == [1]


def test_records_of_complete_sites() -> None:
    ids, errors, _ = chosen(RECORDS, Choice("el", 3))
    assert len(ids) == 3 and not errors and {1, 3, 5, 7, 9} > set(ids)


def test_errors_of_late_records_name_them() -> None:
    assert chosen([{"id": "bad"}, {"id": 2}], Choice(max_pages=9))[:2] == ([2], ["bad: gold: missing"])


def test_the_digest_is_that_of_the_chosen_records() -> None:
    polish = [record for record in RECORDS if record["lang"] == "pl"]
    assert chosen(RECORDS, Choice("pl"))[2] == chosen(polish, Choice())[2]
    assert chosen(RECORDS, Choice("el"))[2] != chosen(polish, Choice())[2]
    assert chosen(polish[::-1], Choice())[2] != chosen(polish, Choice())[2]
