"""A session of Spark on this machine, for all tests that need one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sparks import FAST, require_spark


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    require_spark()
    from ncfilters.spark.application import session

    running = session("tests", "local[2]", FAST)
    yield running
    running.stop()
