"""Apache Spark in tests: what it needs, and settings with which it starts fast."""

from __future__ import annotations

import shutil

import pytest

FAST = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


def require_spark() -> None:
    """Skips the test where there is no pyspark or no Java."""
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if not shutil.which("java"):
        pytest.skip("java is not installed")
