"""The reports of nc-model as text."""

from __future__ import annotations

from pathlib import Path

import pytest
from model_files import trained, written

from ncfilters.scoring import inspection, inspection_report, registry


def test_wide_characters_keep_columns_aligned() -> None:
    rows = [{"ngram": "中文", "odds": 1.0}, {"ngram": "ab", "odds": -12.5}, {"ngram": "é", "odds": 0.0}]
    assert inspection_report.text_table(rows) == "ngram    odds\n中文     1.00\nab     -12.50\né        0.00\n"
    assert inspection_report.text_table([]) == "none\n"


def test_long_lists_are_shortened(tmp_path: Path) -> None:
    path = written(tmp_path / "x.model", trained(), names=[str(number) for number in range(100)])
    report = inspection_report.description_report([inspection.describe(path, 0)])
    assert "… (100)" in report
    assert len(report.splitlines()) < 50


def test_model_list_has_a_line_for_each_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "one.model", trained())
    (tmp_path / "two.model").write_bytes(b"x")
    monkeypatch.setattr(registry, "model_folders", lambda: [tmp_path])
    one, two, rules = inspection_report.model_list().splitlines()
    assert one.split(maxsplit=3) == ["one", "ngram", "en", "For tests — é."]
    assert two.split()[:2] == ["two", "damaged"]
    assert rules.startswith("justext-LANG  rules ")
