"""What bench/security.py tries, at a small size: nothing fails. Models have tests of their own."""

from __future__ import annotations

import pytest

pytest.importorskip("hypothesis", reason="hypothesis is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")
pytest.importorskip("markdown_it", reason="markdown-it-py, of the extra web, is not installed")
pytest.importorskip("multipart", reason="python-multipart, of the extra web, is not installed")

from bench import security


@pytest.mark.slow
def test_records_of_any_shape_stop_nothing() -> None:
    found = list(security.rows(0, 40, ()))
    assert [(what, failed) for what, _, _, failed in found if failed] == []
    assert security.report(iter(found)).count("| 40 |") == len(found)


@pytest.mark.slow
def test_the_time_of_a_pattern_grows_with_the_text() -> None:
    ((_, number, _, failed),) = security.rows(0, 0)
    assert failed == []
    assert number > 250


def test_pages_in_any_coding_come_out_whole_or_as_errors() -> None:
    ((_, number, _, failed),) = security.rows(0, 0, (), archived=200)
    assert number == 200 and failed == []
