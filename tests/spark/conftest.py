"""A session of Spark on this machine, and a cluster, for the tests that need one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sparks import FAST, Cluster, require_spark


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    require_spark()
    from ncfilters.spark.session import session

    running = session("tests", "local[2]", FAST)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A master and two workers."""
    require_spark()
    if not Path("/proc/self/task").exists():
        pytest.skip("no /proc, which says what the executors are")
    running = Cluster(tmp_path_factory.mktemp("cluster"), workers=2)
    yield running
    running.close()
