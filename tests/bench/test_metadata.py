"""The benchmark of metadata."""

from __future__ import annotations

from collections import Counter

from bench import metadata

PAGE = {
    "id": "wcxb-dev/1",
    "html": "<html lang=en><title>Rain - Puddle</title><h1>Rain</h1><p>By Ann Lee, 3 May 2024</p>",
    "gold": {"title": "RAIN!", "author": "Ann Lee and Bo", "date": "2024-05-03T10:00"},
}


def test_fields_are_judged() -> None:
    counts = metadata.judged(PAGE, metadata.ours(PAGE))
    assert (counts["title"], counts["author"], counts["wrong"], counts["date"]) == (1, 0, 0, 1)
    assert metadata.judged(PAGE, {"author": ["Bo", "Ann Lee"]})["author"] == 1
    assert metadata.judged(PAGE, {"author": "Somebody"})["wrong"] == 1
    assert metadata.judged({**PAGE, "gold": {"title": "x"}}, {"author": "Somebody"})["unasked"] == 1


def test_press_pages_have_the_day_of_their_id() -> None:
    page = {"id": "daniel/20120106_www.a.org_1", "lang": "ru", "gold": {}}
    assert metadata.judged(page, {"date": "2012-01-05", "language": "ru-RU"})["press date"] == 1
    later = metadata.judged(page, {"date": "2013-01-05", "language": "en"})
    assert (later["press date"], later["press date false"], later["language"]) == (0, 1, 0)


def test_table_and_systems() -> None:
    systems = {metadata.OURS: metadata.ours, "dates": lambda page: {"date": "2024-05-03"}}
    counts, times = metadata.measure([PAGE], systems)
    table = "".join(metadata.accuracy_table({"pages": counts}))
    assert "| pages, ours | 100.0 | 0.0 | 0.0 | – | 100.0 |" in table
    assert "| pages, dates | – | – | – | – | 100.0 |" in table
    assert set(times) == set(systems) and isinstance(counts["dates"], Counter)
    assert list(metadata.readers())[0] == metadata.OURS
