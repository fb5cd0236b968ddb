"""Faults of archives, and what is counted of them."""

from __future__ import annotations

from bench import fault_archives as faults
from ncfilters.errors import RecordError


def test_a_page_that_is_missing_without_an_error_is_lost() -> None:
    pages = {"a": "x", "b": "y", "c": "z"}
    count = faults.Count()
    count.add(pages, [{"id": "a", "html": "x"}, {"id": "b", "html": "?"}], set(pages))
    assert (count.whole, count.changed, count.missing, count.told) == (1, 1, 1, 0)
    assert count.silent == {"missing": 1, "changed": 1}
    count.add(pages, [{"id": "a", "html": "x"}, RecordError("archive: byte 7: damaged")], set(pages))
    assert (count.tries, count.told, count.silent["missing"], count.unplaced) == (2, 1, 1, 0)
    count.add(pages, [{"id": "A", "html": "x"}], {"a"})
    assert (count.changed, count.silent) == (2, {"missing": 1, "changed": 2})


def test_the_archive_has_all_pages_and_their_digests() -> None:
    made = faults.records()
    items = faults.read(b"".join(made), check_digests=True)
    assert len([item for item in items if isinstance(item, dict)]) == faults.NUM_RECORDS


def test_nothing_is_lost_without_an_error() -> None:
    made = faults.records()[:6]
    pages = {str(item["id"]): str(item["html"]) for item in faults.read(b"".join(made)) if isinstance(item, dict)}
    rows = [("cut", faults.cuts(made, pages, faults.record_id)), *faults.lies(made, pages)]
    rows.append(("flips", faults.flips(b"".join(made), pages, 100, False)))
    rows.append(("cut, mixed", faults.cuts(faults.mixed(made), pages, faults.record_id)))
    assert {name: count.silent["missing"] + count.unplaced for name, count in rows} == dict.fromkeys(dict(rows), 0)
    assert "| cut |" in faults.table(rows)


def test_nothing_of_a_wet_file_is_lost_without_an_error() -> None:
    rows = dict(faults.wet_rows(20))
    assert {name: count.silent["missing"] + count.unplaced for name, count in rows.items()} == dict.fromkeys(rows, 0)
    assert rows["cut, gzip"].told == rows["cut, gzip"].tries > 500


def test_archives_of_mixed_compression_are_whole() -> None:
    made = faults.records()
    items = faults.read(b"".join(faults.mixed(made)), check_digests=True)
    assert [item["id"] for item in items if isinstance(item, dict)] == [
        faults.record_id(number) for number in range(len(made))
    ]
