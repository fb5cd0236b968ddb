"""Damaged model files are refused, or have finite scores; nothing crashes and nothing takes much memory."""

from __future__ import annotations

import faulthandler
import os
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("hypothesis", reason="hypothesis is not installed")
if not sys.platform.startswith("linux"):
    pytest.skip("needs /proc", allow_module_level=True)

from bench import damaged_models  # noqa: E402


@pytest.fixture(scope="module")
def outcomes() -> dict[str, damaged_models.Outcome]:
    return {outcome.fault: outcome for outcome in damaged_models.rows(tries=12)}


def test_no_file_makes_loading_or_scoring_fail(outcomes: dict[str, damaged_models.Outcome]) -> None:
    assert {fault: outcome.failures for fault, outcome in outcomes.items() if outcome.failures} == {}
    assert all(outcome.tries >= 12 for outcome in outcomes.values())


def test_damage_of_our_models_is_always_noticed(outcomes: dict[str, damaged_models.Outcome]) -> None:
    for fault, outcome in outcomes.items():
        if fault.partition(":")[0] not in damaged_models.FOREIGN and "checksum right" not in fault:
            assert outcome.other == 0, fault
            assert ": cut" not in fault or outcome.refused == outcome.tries, fault


def test_failures_and_crashes_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def use(path: Path) -> list[Any]:
        content = path.read_bytes()
        if content == b"crash":
            faulthandler.disable()  # whose traceback would look like a failure of the tests
            os.abort()
        return [b"x" * (1 << 30)] if content == b"memory" else [1 / (content != b"wrong")]

    monkeypatch.setattr(damaged_models.small_models, "use_model", use)
    outcome = damaged_models.tried("faults", ".model", b"whole", [b"whole", b"crash", b"wrong", b"memory", b"other"])
    assert (outcome.tries, outcome.same, outcome.refused) == (5, 2, 0)
    assert outcome.failures == ["the process crashed", "ZeroDivisionError: division by zero", "MemoryError: "]
    assert "| faults | 5 | 0 | 2 | 0 | 3 |" in damaged_models.table([outcome])
