"""The field `head` of records."""

from __future__ import annotations

from ncfilters.page.metadata.head_record import add_head, declared_title, has_metadata, without_metadata

FULL = {
    "title": "Rain",
    "declared_title": "Rain - Log",
    "kinds": ["author"],
    "site": "Log",
    "evidence": {"site": "url"},
}


def test_what_models_read() -> None:
    assert has_metadata(FULL) and not has_metadata({"title": "Rain"})
    assert declared_title(FULL) == "Rain - Log" and declared_title({"title": 7}) == ""
    assert without_metadata(FULL) == {"title": "Rain - Log", "kinds": ["author"]}


def test_a_head_is_added_once() -> None:
    record: dict[str, object] = {}
    add_head(record, {})
    assert record == {}
    add_head(record, {"title": "Rain - Log"})
    add_head(record, FULL)
    added = {name: value for name, value in FULL.items() if name != "kinds"}
    assert record["head"] == added  # but what models read stays as it is
    add_head(record, {"title": "Other", "evidence": {}})
    assert record["head"] == added
