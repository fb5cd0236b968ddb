"""The contents of model files: descriptions, checks and differences."""

from __future__ import annotations

from pathlib import Path

import pytest
from model_files import ORACLE_ENTRY, Oracle, trained, written

from ncfilters.errors import ModelError
from ncfilters.scoring import inspection, registry


def test_a_description_has_the_header_and_the_ngrams(tmp_path: Path) -> None:
    path = written(tmp_path / "x.model", trained())
    described = inspection.describe(path, 2)
    assert described["header"] == registry.read_header(path)
    assert described["signature"] == registry.signature("x", described["header"])
    assert described["telling"] == trained().most_informative(2)
    assert "telling" not in inspection.describe(path, 0)


def test_verification_finds_the_card_of_another_model(tmp_path: Path) -> None:
    path = written(tmp_path / "x.model", trained())
    assert inspection.verify(path)["ok"]
    registry.card_path(path).write_text(f"sha256: {'0' * 64}", encoding="utf-8")
    result = inspection.verify(path)
    assert not result["ok"] and "another model" in result["problems"][0]
    registry.card_path(path).unlink()
    result = inspection.verify(path)
    assert result["ok"] and result["notes"] == ["there is no card x.md"]


def test_comparison_has_fields_and_arrays_that_differ(tmp_path: Path) -> None:
    first = written(tmp_path / "x.model", trained())
    second = written(tmp_path / "y.model", trained(q=0.4), language="xx")
    found = inspection.compare(first, second, 3)
    assert not found["same"] and found["arrays"] == []
    assert found["fields"] == {"language": ["en", "xx"], "parameters.q": [0.5, 0.4]}
    assert len(found["compared"]["changed"]) == 3
    assert inspection.compare(first, first, 3)["same"]


def test_models_of_different_kinds_are_not_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.KINDS, "oracle", ORACLE_ENTRY)
    first, second = written(tmp_path / "x.model", trained()), written(tmp_path / "y.model", Oracle([1]))
    with pytest.raises(ModelError, match="cannot be compared"):
        inspection.compare(first, second, 3)
